//! The boards of the option `--board`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub(crate) use othello::BoardShape;
pub(crate) use othello::with_board;

/// A board with its names on the command line and its description.
type Named = (BoardShape, &'static str, Option<&'static str>, &'static str);

const BOARDS: [Named; 4] = [
    (BoardShape::Eight, "8", Some("8x8"), "The standard 8x8 board"),
    (BoardShape::Six, "6", Some("6x6"), "The 6x6 board"),
    (BoardShape::Four, "4", Some("4x4"), "The 4x4 board"),
    (BoardShape::Cut, "cs221", None, "10x10 without the two middle squares of each side"),
];

pub(crate) fn any_board() -> impl TypedValueParser<Value = BoardShape> {
    one_of(&BOARDS)
}

/// Parses the name of a board that can be searched.
pub(crate) fn searched_board() -> impl TypedValueParser<Value = BoardShape> {
    one_of(&BOARDS[..3])
}

fn one_of(boards: &'static [Named]) -> impl TypedValueParser<Value = BoardShape> {
    let values = boards.iter().map(|&(_, name, alias, help)| PossibleValue::new(name).aliases(alias).help(help));
    PossibleValuesParser::new(values).map(|text| {
        let is_meant = |(_, name, alias, _): &&Named| *name == text || *alias == Some(text.as_str());
        boards.iter().find(is_meant).map_or(BoardShape::Eight, |&(shape, ..)| shape)
    })
}

/// Evaluates an expression with a type name standing for the board of this shape, if the board can be searched.
macro_rules! with_searched_board {
    ($shape:expr, $board:ident => $body:expr, else $otherwise:block) => {
        othello::with_board!($shape, $board => $body, cut => $otherwise)
    };
    ($shape:expr, $board:ident => $body:expr) => {
        $crate::arguments::with_searched_board!($shape, $board => $body, else {
            $crate::arguments::bail_usage!("this command does not support the cs221 board; expected 8, 6 or 4")
        })
    };
}
pub(crate) use with_searched_board;
