//! Forms: setting up a position, a new game, a text to be typed, a question.

use std::path::{PathBuf, is_separator};

use othello::{BoardShape, Color};
use ratatui::prelude::{Line, Rect, Span};
use ratatui::widgets::{Paragraph, Wrap};
use report::columns;
use session::{SetUpView, Sides};

use crate::files;
use crate::full_screen::drawing::footer::{self, Key};
use crate::full_screen::drawing::{Canvas, Styles};
use crate::full_screen::new_game::{Field, NewGameForm};
use crate::full_screen::prompt::{Prompt, Purpose, TextLine};
use crate::full_screen::screen::Screen;

/// A line that is typed, with its cursor; of a long one the end before the cursor is shown.
pub(super) fn text_line(line: &TextLine, width: usize, styles: &Styles) -> Line<'static> {
    let (before, behind) = line.parts();
    // The cursor stands on the next character, which may be wide.
    let visible = columns::end(&before, width.saturating_sub(2));
    let mut behind = behind.chars();
    let under = behind.next().unwrap_or('_').to_string();
    let rest = width.saturating_sub(columns::width(visible) + columns::width(&under));
    Line::from(vec![
        Span::raw(visible.to_owned()),
        Span::styled(under, styles.chosen),
        Span::raw(columns::beginning(behind.as_str(), rest).to_owned()),
    ])
}

/// Keys with which a position is set up and their effects, a line each.
const EDITOR_KEYS: [Key; 9] = [
    ("arrows", "go to a square"),
    ("b or x", "put a black disc there"),
    ("w or o", "put a white disc there"),
    ("-", "empty it"),
    ("Space", "or click: change it"),
    ("t", "change the side to move"),
    ("c", "clear the board"),
    ("s", "starting position"),
    ("p", "paste a board or a game"),
];

/// The same in fewer lines and columns.
const FEWER_EDITOR_KEYS: [&[Key]; 7] = [
    &[("arrows", "go to a square")],
    &[("b or x", "put a black disc")],
    &[("w or o", "put a white disc")],
    &[("-", "empty it")],
    &[("Space", "or click: change it")],
    &[("t", "change side to move")],
    &[("c", "clear"), ("s", "start"), ("p", "paste")],
];

/// The lines of the keys with which a position is set up, for a place of this size.
fn editor_key_lines(width: u16, height: usize, styles: &Styles) -> Vec<Line<'static>> {
    let line = |(key, words): (&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!("{key:>7}"), styles.key), Span::raw(format!("  {words}"))])
    };
    let lines: Vec<_> = std::iter::once(Line::raw("")).chain(EDITOR_KEYS.map(line)).collect();
    let fits = lines.len() <= height && lines.iter().all(|line| line.width() <= usize::from(width));
    if fits {
        return lines;
    }
    let fewer = FEWER_EDITOR_KEYS.map(|keys| match keys {
        [only] => line(*only),
        _ => Line::from(footer::spans(keys, " ", styles)),
    });
    fewer.into()
}

/// Draws the panel and the message of a position that is being set up.
pub(super) fn draw_set_up_panel(set_up: &SetUpView, screen: &Screen, canvas: &mut Canvas<'_, '_>) {
    let (layout, styles) = (canvas.layout, canvas.styles);
    let mut lines = Vec::new();
    for color in [Color::Black, Color::White] {
        let pointer = if color == set_up.turn { styles.signs.pointer } else { ' ' };
        lines.push(Line::from(vec![
            Span::styled(format!("{pointer} "), styles.strong),
            Span::styled(styles.disc_sign(color).to_string(), styles.disc_in_text(color)),
            Span::raw(format!(" {color} {:>2}", set_up.board.count(color))),
        ]));
    }
    lines.push(Line::raw(set_up.situation.clone()));
    if screen.is_unsaved() {
        lines.push(Line::raw("This game has not been saved."));
    }
    let rest = usize::from(layout.panel.height).saturating_sub(lines.len());
    lines.extend(editor_key_lines(layout.panel.width, rest, styles));
    canvas.lines(lines, layout.panel);
    let words = screen.set_up_error.clone().unwrap_or_else(|| set_up.text.clone());
    canvas.words(words, layout.message);
}

pub(super) fn draw_new_game(form: &NewGameForm, is_unsaved: bool, canvas: &mut Canvas<'_, '_>) {
    let styles = canvas.styles;
    let keys = "arrows choose   Enter starts   Esc back";
    let inside = canvas.popup("New game", keys, canvas.layout.popup(60, 10));
    let label = |field: Field, words: &str| {
        let pointer = if form.field == field { styles.signs.pointer } else { ' ' };
        Span::styled(format!("{pointer} {words:<10}"), if form.field == field { styles.strong } else { styles.faint })
    };
    let options = |names: &[(&'static str, bool)]| -> Vec<Span<'static>> {
        let show = |&(name, is_chosen): &(&'static str, bool)| match is_chosen {
            true => Span::styled(format!("[{name}]"), styles.strong),
            false => Span::raw(format!(" {name} ")),
        };
        names.iter().map(show).collect()
    };
    let sides = Sides::ALL.map(|sides| (sides.name(), sides == form.sides));
    let boards = BoardShape::ALL.map(|board| (board.name(), board == form.board));
    let mut clock = vec![label(Field::Clock, "Clock")];
    if form.field == Field::Clock {
        clock.extend(text_line(&form.clock, 16, styles).spans);
        clock.push(Span::styled("  such as 5m or 5m+3s; empty: no clock", styles.faint));
    } else {
        let text = form.clock.text();
        clock.push(Span::raw(if text.is_empty() { "none".to_owned() } else { text }));
    }
    let mut lines = vec![
        Line::raw(""),
        Line::from([vec![label(Field::Sides, "You play")], options(&sides)].concat()),
        Line::from(clock),
        Line::from([vec![label(Field::Board, "Board")], options(&boards)].concat()),
        Line::raw(""),
    ];
    match &form.error {
        Some(error) => lines.push(Line::styled(error.clone(), styles.error)),
        None if is_unsaved => lines.push(Line::raw("The moves of this game have not been saved.")),
        None => {}
    }
    canvas.frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inside);
}

pub(super) fn draw_prompt(prompt: &Prompt, is_unsaved: bool, canvas: &mut Canvas<'_, '_>) {
    let styles = canvas.styles;
    let (title, keys, hint) = match prompt.purpose {
        Purpose::Save => (
            "Save the game as",
            "Enter saves   Tab completes   Esc back",
            "The extension sets the format: .txt .ggf .sgf .wtb, or .obf for only the position.",
        ),
        Purpose::Load => (
            "Load a game from",
            "Enter loads   Tab completes   Esc back",
            "A file in any format; FILE#3 is the third game of a file. Or an opening: a name such as tiger, or moves.",
        ),
        Purpose::Paste => (
            "Paste a board or a game",
            "Enter uses it   Esc back",
            "A board of X, O and -, then the side to move; moves such as f5d6c3; or an opening such as tiger.",
        ),
        Purpose::Report => (
            "Write the report to",
            "Enter writes   Tab completes   Esc back",
            "An HTML page with the graph, every move and the mistakes.",
        ),
    };
    let inside = canvas.popup(title, keys, canvas.layout.popup(78, 9));
    let mut lines = vec![text_line(&prompt.line, usize::from(inside.width), styles), Line::raw("")];
    match &prompt.error {
        Some(error) => lines.push(Line::styled(error.clone(), styles.error)),
        None if !prompt.candidates.is_empty() => {
            let names: Vec<_> = prompt.candidates.iter().map(|name| name_alone(name)).collect();
            lines.push(Line::raw(names.join("  ")));
        }
        None => {
            lines.push(Line::raw(hint));
            if is_unsaved && matches!(prompt.purpose, Purpose::Load | Purpose::Paste) {
                lines.push(Line::raw("The moves of this game have not been saved."));
            }
        }
    }
    canvas.frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inside);
}

/// The last part of a path, with its separator if it is a folder.
fn name_alone(path: &str) -> &str {
    let end = path.trim_end_matches(is_separator).rfind(is_separator);
    &path[end.map_or(0, |end| end + 1)..]
}

/// The text in at most this many columns; of a longer one the middle is left out.
fn cut_in_the_middle(text: &str, max: usize) -> String {
    const GAP: &str = "...";
    if columns::width(text) <= max {
        return text.to_owned();
    }
    let kept = max.saturating_sub(GAP.len());
    // The end, with the name of the file, is more important.
    let beginning = columns::beginning(text, kept / 3);
    format!("{beginning}{GAP}{}", columns::end(text, kept - columns::width(beginning)))
}

/// Columns of the name of a second file.
const MAX_NAME: usize = 24;

pub(super) fn draw_leave(canvas: &mut Canvas<'_, '_>) {
    let inside = question_box(canvas);
    canvas.words("The game has not been saved. Quit anyway?", inside);
}

pub(super) fn draw_overwrite(there: &[PathBuf], canvas: &mut Canvas<'_, '_>) {
    let inside = question_box(canvas);
    let name = |(index, path): (usize, &PathBuf)| match index {
        0 => cut_in_the_middle(&path.display().to_string(), usize::from(inside.width)),
        _ => cut_in_the_middle(&files::last_part(path), MAX_NAME),
    };
    let names: Vec<_> = there.iter().enumerate().map(name).collect();
    let (exist, them) = if names.len() == 1 { ("already exists", "it") } else { ("already exist", "them") };
    canvas.words(format!("{} {exist}. Overwrite {them}?", names.join(" and ")), inside);
}

fn question_box(canvas: &mut Canvas<'_, '_>) -> Rect {
    canvas.popup("Are you sure?", "y yes   n no", canvas.layout.popup(64, 5))
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use report::look::Look;

    use super::*;

    #[test]
    fn a_line_fits_its_place_with_its_cursor_whatever_the_characters() {
        let styles = Styles::of(Look::PLAIN);
        for text in ["games/final.sgf", "為則英司の対局.sgf", "Z\u{30c}ofie.ggf"] {
            let mut line = TextLine::new(text);
            for place in 0..=text.chars().count() {
                for width in 4..30 {
                    let shown = text_line(&line, width, &styles);
                    assert!(shown.width() <= width, "{text} at {place} in {width}: {shown:?}");
                    let under = text.chars().rev().nth(place.wrapping_sub(1)).unwrap_or('_');
                    assert_eq!(shown.spans[1].content, under.to_string(), "{text} at {place}");
                }
                line.edit(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE));
            }
        }
    }

    #[test]
    fn of_a_long_text_the_middle_is_left_out() {
        assert_eq!(cut_in_the_middle("games/a.sgf", 11), "games/a.sgf");
        assert_eq!(cut_in_the_middle("games/1998/final.sgf", 15), "game...inal.sgf");
        assert_eq!(cut_in_the_middle("為為為為為為為", 14), "為為為為為為為");
        assert_eq!(cut_in_the_middle("為為為為為為為", 12), "為...為為為");
    }
}
