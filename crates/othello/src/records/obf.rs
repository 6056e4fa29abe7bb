//! OBF: a board as a line of text, alone or as a problem with the scores of its moves.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Position, Rules, SquareSet};

/// The text is not a board with a side to move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the board has {found}; expected {expected}")]
pub struct ParsePositionError {
    found: String,
    expected: String,
}

/// The squares in reading order, `X` for black, `O` for white and `-` for empty, a space, and the
/// side to move: the notation of OBF.
///
/// ```
/// # use othello::Position;
/// let start: Position = "---------------------------OX------XO--------------------------- X".parse()?;
/// assert_eq!(start, Position::start());
/// # Ok::<(), othello::records::ParsePositionError>(())
/// ```
impl<B: Rules> fmt::Display for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in B::GEOMETRY.squares() {
            fmt::Write::write_char(f, self.disc_at(square).map_or('-', Color::disc))?;
        }
        write!(f, " {}", self.turn.disc())
    }
}

/// Reads what `Display` writes, and its common variations: `x`, `*` and `B` are black discs too, `o`
/// and `W` white ones, `.` and `_` empty squares; white space may stand anywhere, and a `;` at the end.
impl<B: Rules> FromStr for Position<B> {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let geometry = B::GEOMETRY;
        let area = geometry.area();
        let error = |found: String, expected: String| Err(ParsePositionError { found, expected });
        let squares_expected = || format!("{area} squares of X, O or - for the {} board", geometry.name);

        let mut symbols = text.chars().filter(|symbol| !symbol.is_whitespace());
        let (mut black, mut white) = (B::Set::EMPTY, B::Set::EMPTY);
        for (index, square) in geometry.squares().enumerate() {
            match symbols.next() {
                Some('-' | '.' | '_') => {}
                Some(symbol) => match disc(symbol) {
                    Some(Color::Black) => black |= B::Set::only(square),
                    Some(Color::White) => white |= B::Set::only(square),
                    None => {
                        let found = format!("{symbol:?} on {}", geometry.square_name(square));
                        return error(found, "X for black, O for white or - for empty".to_owned());
                    }
                },
                None => return error(format!("{index} squares"), squares_expected()),
            }
        }
        let turn_expected = || "X or O, the side to move, after the squares".to_owned();
        let turn = match symbols.next() {
            Some(symbol) => match disc(symbol) {
                Some(turn) => turn,
                None if matches!(symbol, '-' | '.' | '_') => {
                    return error(format!("more than {area} squares"), squares_expected());
                }
                None => return error(format!("{symbol:?} after the squares"), turn_expected()),
            },
            None => return error("no side to move".to_owned(), turn_expected()),
        };
        match (symbols.next(), symbols.next()) {
            (None | Some(';'), None) => {}
            (Some(';'), Some(symbol)) | (Some(symbol), _) => {
                return error(format!("{symbol:?} after the side to move"), "nothing more".to_owned());
            }
            (None, Some(_)) => {}
        }
        let (player, opponent) = if turn == Color::Black { (black, white) } else { (white, black) };
        Ok(Self { board: B::from_discs(player, opponent), turn })
    }
}

/// The colour that a disc or a side to move is written as.
pub(super) fn disc(symbol: char) -> Option<Color> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}
