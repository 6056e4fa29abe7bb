//! The help: the rules in three sentences, and every key.

use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::full_screen::drawing::layout::Layout;
use crate::full_screen::drawing::popup;
use crate::full_screen::drawing::style::Styles;
use crate::full_screen::drawing::wrapping::wrapped;

/// Columns of the box, and of the first column of keys in it; where the box is narrower, there is one column.
const WIDTH: u16 = 78;
const COLUMN: usize = 40;

const RULES: &str = "Place a disc so that it traps opposing discs in a straight line between it and another of yours: \
                     they become yours. A side without a legal move passes. When neither can move, the side with more discs wins; \
                     empty squares count for the winner.";

/// Meaning of the signs on the screen.
const SIGNS: &str = "[ ] is the cursor and ( ) the last move. With hints, the number on a square is the value of that \
                     move: the final difference in discs that the side to move can expect. * marks the best move. \
                     Values without decimals are exact. 16@73% is a search of 16 plies that cuts a branch if it is \
                     73% certain not to matter; 100% cuts nothing. In an analysis, ?! loses 2+ discs; ? 4+, or a \
                     proven win or draw; ?? 10+.";

/// Keys and what they do, in two columns; an empty key is a heading.
const KEYS: [[(&str, &str); 2]; 17] = [
    [("", "Playing"), ("", "Looking around")],
    [("f5", "type a square to play there"), ("< >", "one move back, forward")],
    [("arrows", "or choose one and press Enter"), ("wheel", "the same")],
    [("mouse", "or click it"), ("Home End", "to the start, to the end")],
    [("u", "undo: take your move back"), ("Tab", "next variation here")],
    [("r", "redo: play it again"), ("x", "analyze the game")],
    [("Space", "pause or resume the engine"), ("v", "hints: values of all moves")],
    [("m", "make the engine move now"), ("1-9", "number of hint lines")],
    [("w", "swap sides"), ("* /", "hint level up, down")],
    [("t", "delay between engine moves"), ("", "")],
    [("", ""), ("", "Games and players")],
    [("", "The program"), ("n", "new game: side, clock, board")],
    [("?", "this page"), ("o", "opponent and level")],
    [("q", "quit (Ctrl-C: without asking)"), ("+ -", "level up, down")],
    [("Ctrl-Z", "to the shell, and back with fg"), ("p", "set up or paste a position")],
    [("", ""), ("s", "save the game, in any format")],
    [("", ""), ("l", "load a game or an opening")],
];

/// The last line that the help may be shown from: there its end is in sight.
fn last_line(layout: &Layout) -> u16 {
    let height = rows(layout).len() as u16 + 2;
    height.saturating_sub(area(layout, height).height)
}

/// The first row of the help after a key; none if the key goes back to the game.
pub(crate) fn after_key(key: KeyCode, from: u16, layout: &Layout) -> Option<u16> {
    let (last, from) = (last_line(layout), from.min(last_line(layout)));
    let page = layout.window.height.saturating_sub(3);
    match key {
        _ if last == 0 => None,
        KeyCode::Up => Some(from.saturating_sub(1)),
        KeyCode::Down => Some((from + 1).min(last)),
        KeyCode::Left | KeyCode::Right => Some(from),
        KeyCode::PageUp => Some(from.saturating_sub(page)),
        KeyCode::PageDown => Some((from + page).min(last)),
        KeyCode::Home => Some(0),
        KeyCode::End => Some(last),
        _ => None,
    }
}

/// The place of a help with this number of rows, with its border.
fn area(layout: &Layout, height: u16) -> Rect {
    layout.popup(WIDTH + 2, height)
}

/// A row of the help.
enum Row {
    /// A sentence, or a part of one.
    Words(String),
    /// Keys beside each other.
    Keys(Vec<(&'static str, &'static str)>),
}

/// The help, row by row.
fn rows(layout: &Layout) -> Vec<Row> {
    let width = area(layout, 0).width.saturating_sub(2);
    let mut rows: Vec<_> = wrapped(RULES, usize::from(width)).into_iter().map(Row::Words).collect();
    rows.push(Row::Words(String::new()));
    if width >= WIDTH {
        rows.extend(KEYS.map(|pair| Row::Keys(pair.to_vec())));
    } else {
        rows.extend(KEYS.map(|[left, _]| Row::Keys(vec![left])));
        rows.push(Row::Words(String::new()));
        rows.extend(KEYS.map(|[_, right]| Row::Keys(vec![right])));
    }
    rows.push(Row::Words(String::new()));
    rows.extend(wrapped(SIGNS, usize::from(width)).into_iter().map(Row::Words));
    rows
}

/// Draws the help from this line on.
pub(crate) fn draw(from: u16, layout: &Layout, styles: &Styles, frame: &mut Frame<'_>) {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for row in rows(layout) {
        let keys = match row {
            Row::Words(words) => {
                lines.push(Line::raw(words));
                continue;
            }
            Row::Keys(keys) => keys,
        };
        let mut spans = Vec::new();
        for (index, (key, words)) in keys.into_iter().enumerate() {
            let space = if index == 0 { COLUMN } else { 0 };
            match key {
                "" => spans.push(Span::styled(format!("{words:<space$}"), styles.strong)),
                _ => {
                    spans.push(Span::styled(format!("{key:>8}"), styles.key));
                    let rest = space.saturating_sub(8);
                    spans.push(Span::raw(format!("{:<rest$}", format!("  {words}"))));
                }
            }
        }
        lines.push(Line::from(spans));
    }
    let area = area(layout, lines.len() as u16 + 2);
    let last = last_line(layout);
    let keys = if last > 0 { "arrows scroll   any other key: back to the game" } else { "any key: back to the game" };
    let inside = popup("Help", keys, area, styles, frame);
    frame.render_widget(Paragraph::new(lines).scroll((from.min(last), 0)), inside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_the_help_is_cut() {
        let second = usize::from(WIDTH) - COLUMN;
        for [left, right] in KEYS {
            for ((key, words), space) in [(left, COLUMN), (right, second)] {
                let indent = if key.is_empty() { 0 } else { 10 };
                assert!(key.len() <= 8 && indent + words.len() < space + 1, "{words}");
            }
        }
    }
}
