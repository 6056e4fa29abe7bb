//! The help: the rules in three sentences, and every key.

use ratatui::crossterm::event::KeyCode;
use ratatui::prelude::{Line, Rect, Span};
use ratatui::widgets::Paragraph;
use report::look::Look;

use crate::full_screen::drawing::{Canvas, Layout, Styles};
use crate::wrapping::wrapped_lines;

/// Columns of the box, and of the first column of keys in it; where the box is narrower, there is one column.
const WIDTH: u16 = 78;
const COLUMN: usize = 40;

const RULES: &str = "Place a disc so that it traps opposing discs in a straight line between it and another of yours: \
                     they become yours. A side without a legal move passes. When neither can move, the side with more discs wins; \
                     empty squares count for the winner.";

const SIGNS: &str = "[ ] is the cursor and ( ) the last move. With hints, the number on a square is the value of that \
                     move: the final difference in discs that the side to move can expect. * marks the best move. \
                     Values without decimals are exact. 16@73% is a search of 16 plies that cuts a branch if it is \
                     73% certain not to matter; 100% cuts nothing. In an analysis, ?! loses 2+ discs; ? 4+, or a \
                     proven win or draw; ?? 10+.";

/// Keys and their effects, in two columns; an empty key is a heading.
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

/// A help over the screen, which scrolls where the window is smaller.
pub(crate) struct HelpBox {
    lines: Vec<Line<'static>>,
    area: Rect,
}

impl HelpBox {
    pub(crate) fn new(lines: Vec<Line<'static>>, width: u16, layout: &Layout) -> Self {
        let area = layout.popup(width + 2, lines.len() as u16 + 2);
        Self { lines, area }
    }

    /// The columns inside a box of this width.
    pub(crate) fn columns(width: u16, layout: &Layout) -> usize {
        usize::from(layout.popup(width + 2, 0).width.saturating_sub(2))
    }

    /// The last line that the help may be shown from: there its end is in sight.
    pub(crate) fn last_line(&self) -> u16 {
        (self.lines.len() as u16 + 2).saturating_sub(self.area.height)
    }

    /// Draws the help from this line on; the keys are those of a help that scrolls, and of one that does not.
    pub(crate) fn draw(self, from: u16, keys: [&str; 2], canvas: &mut Canvas<'_, '_>) {
        let last = self.last_line();
        let inside = canvas.popup("Help", keys[usize::from(last == 0)], self.area);
        canvas.frame.render_widget(Paragraph::new(self.lines).scroll((from.min(last), 0)), inside);
    }
}

/// The first row of the help after a key; none if the key goes back to the game.
pub(crate) fn after_key(key: KeyCode, from: u16, layout: &Layout) -> Option<u16> {
    let last = help_box(layout, &Styles::of(Look::PLAIN)).last_line();
    let from = from.min(last);
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

fn help_box(layout: &Layout, styles: &Styles) -> HelpBox {
    let width = HelpBox::columns(WIDTH, layout);
    let spans = |(index, &(key, words)): (usize, &(&'static str, &'static str))| {
        let space = if index == 0 { COLUMN } else { 0 };
        if key.is_empty() {
            return vec![Span::styled(format!("{words:<space$}"), styles.strong)];
        }
        let rest = space.saturating_sub(8);
        vec![Span::styled(format!("{key:>8}"), styles.key), Span::raw(format!("{:<rest$}", format!("  {words}")))]
    };
    let line = |keys: &[_]| Line::from(keys.iter().enumerate().flat_map(spans).collect::<Vec<_>>());
    let text = |text| wrapped_lines(text, width).into_iter().map(Line::raw);
    let mut lines: Vec<_> = text(RULES).collect();
    lines.push(Line::raw(""));
    if width >= usize::from(WIDTH) {
        lines.extend(KEYS.iter().map(|pair| line(pair)));
    } else {
        lines.extend(KEYS.map(|[left, _]| line(&[left])));
        lines.push(Line::raw(""));
        lines.extend(KEYS.map(|[_, right]| line(&[right])));
    }
    lines.push(Line::raw(""));
    lines.extend(text(SIGNS));
    HelpBox::new(lines, WIDTH, layout)
}

pub(super) fn draw(from: u16, canvas: &mut Canvas<'_, '_>) {
    let keys = ["arrows scroll   any other key: back to the game", "any key: back to the game"];
    help_box(&canvas.layout, canvas.styles).draw(from, keys, canvas);
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
