//! The line of keys in the last row, which can be clicked.

use std::ops::Range;

use ratatui::crossterm::event::KeyCode;
use ratatui::prelude::{Line, Span};

use crate::full_screen::drawing::{Canvas, Layout, Styles};
use crate::full_screen::screen::{Form, Screen};

/// A key and its effect.
pub(crate) type Key = (&'static str, &'static str);

const GAME: [Key; 10] = [
    ("u", "undo"),
    ("v", "hints"),
    ("n", "new"),
    ("o", "opponent"),
    ("p", "set up"),
    ("s", "save"),
    ("l", "load"),
    ("x", "analyze"),
    ("?", "help"),
    ("q", "quit"),
];

/// Keys that have a shorter word, for a narrow window.
const SHORTER: [Key; 2] = [("o", "player"), ("p", "setup")];

/// The keys that narrow windows leave to the help, the first one first.
const OMITTED: [&str; 2] = ["x", "p"];

const SET_UP: [Key; 2] = [("Enter", "play from here"), ("Esc", "back without changes")];

/// The keys of an analysis that goes on, and of one that does not.
const ANALYZING: [Key; 6] =
    [("Up", "previous"), ("Down", "next"), ("Space", "stop"), ("v", "side"), ("r", "report"), ("Esc", "back")];
const ANALYZED: [Key; 5] =
    [("Up", "previous"), ("Down", "next mistake"), ("v", "side"), ("r", "report"), ("Esc", "back")];
const STOPPED: [Key; 6] =
    [("Up", "previous"), ("Down", "next"), ("Space", "resume"), ("v", "side"), ("r", "report"), ("Esc", "back")];

/// The keys that the line has room for, and the text between them.
fn keys(screen: &Screen, width: u16) -> (Vec<Key>, &'static str) {
    if screen.view.set_up.is_some() {
        return (SET_UP.to_vec(), " ");
    }
    if let (Form::Analysis, Some(analysis)) = (&screen.form, &screen.view.analysis) {
        let keys: &[Key] = match analysis.is_running {
            true => &ANALYZING,
            false if analysis.moves.len() < analysis.move_count => &STOPPED,
            false => &ANALYZED,
        };
        return (keys.to_vec(), if fits(keys, " ", width) { " " } else { "" });
    }
    if fits(&GAME, " ", width) {
        return (GAME.to_vec(), " ");
    }
    let mut keys = GAME.map(|key| SHORTER.into_iter().find(|short| short.0 == key.0).unwrap_or(key)).to_vec();
    for omitted in OMITTED {
        if fits(&keys, "", width) {
            break;
        }
        keys.retain(|(key, _)| *key != omitted);
    }
    (keys, "")
}

pub(crate) fn fits(keys: &[Key], between: &str, width: u16) -> bool {
    places(keys, between).last().is_none_or(|place| place.end <= usize::from(width))
}

/// The columns of each key with its word.
fn places(keys: &[Key], between: &str) -> Vec<Range<usize>> {
    let mut column = 0;
    let place = |(index, (key, word)): (usize, &Key)| {
        column += if index == 0 { 0 } else { between.len() };
        let start = column;
        column += 2 + key.chars().count() + word.chars().count();
        start..column
    };
    keys.iter().enumerate().map(place).collect()
}

/// The key that is shown at this column and row of the window; none if a box is open over it.
pub(crate) fn key_at(screen: &Screen, layout: &Layout, column: u16, row: u16) -> Option<KeyCode> {
    if row != layout.keys.y || !matches!(screen.form, Form::Game | Form::SetUp | Form::Analysis) {
        return None;
    }
    let (keys, between) = keys(screen, layout.keys.width);
    let column = usize::from(column.checked_sub(layout.keys.x)?);
    // The space before a key is not the key.
    let index = places(&keys, between).iter().position(|place| place.contains(&column) && column > place.start)?;
    Some(match keys[index].0 {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Space" => KeyCode::Char(' '),
        key => KeyCode::Char(key.chars().next()?),
    })
}

pub(super) fn draw(screen: &Screen, canvas: &mut Canvas<'_, '_>) {
    let (keys, between) = keys(screen, canvas.layout.keys.width);
    canvas.frame.render_widget(Line::from(spans(&keys, between, canvas.styles)), canvas.layout.keys);
}

/// Keys and their effects, with this between them.
pub(crate) fn spans(keys: &[Key], between: &'static str, styles: &Styles) -> Vec<Span<'static>> {
    let one = |(index, (key, word)): (usize, &Key)| {
        let before = if index == 0 { "" } else { between };
        [Span::raw(before), Span::styled(format!(" {key}"), styles.key), Span::raw(format!(" {word}"))]
    };
    keys.iter().enumerate().flat_map(one).collect()
}
