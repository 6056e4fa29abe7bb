//! The text of a position: the squares and the side to move, as a line of OBF has them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::{Color, Position, Rules, SquareSet};

/// The text is not a board with a side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePositionError {
    found: String,
    expected: String,
}

impl Error for ParsePositionError {}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, expected } = self;
        write!(f, "the board has {found}; expected {expected}")
    }
}

/// The squares in reading order, `X` for black, `O` for white and `-` for empty, then a space and the side to move, as
/// in OBF.
///
/// ```
/// # use othello::Position;
/// let start: Position = "---------------------------OX------XO--------------------------- X".parse()?;
/// assert_eq!(start, Position::start());
/// # Ok::<(), othello::ParsePositionError>(())
/// ```
impl<B: Rules> fmt::Display for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in B::GEOMETRY.squares() {
            fmt::Write::write_char(f, self.disc_at(square).map_or('-', Color::disc))?;
        }
        write!(f, " {}", self.turn.disc())
    }
}

/// Reads what `Display` writes, and common variants: `x`, `*` and `B` are black discs, too, `o` and `W` white ones, `.`
/// and `_` empty squares; whitespace is allowed anywhere, and a `;` at the end.
impl<B: Rules> FromStr for Position<B> {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let geometry = B::GEOMETRY;
        let area = geometry.area();
        let error = |found: String, expected: String| Err(ParsePositionError { found, expected });
        let squares_expected = || format!("{area} squares of X, O or - for the {} board", geometry.name);

        // A side to move that is a separate word does not count as one of the squares.
        if let Some(count) = squares_before_side(text).filter(|&count| count != area as usize) {
            let noun = if count == 1 { "square" } else { "squares" };
            return error(format!("{count} {noun}"), squares_expected());
        }
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
            None => {
                // The last disc may be on the last square, or be meant as the side to move.
                return match text.trim_end().chars().next_back().filter(|&symbol| disc(symbol).is_some()) {
                    Some(last) => error(
                        format!("no side to move, or only {} squares before {last:?}", area - 1),
                        format!("{area} squares, then X or O, the side to move"),
                    ),
                    None => error("no side to move".to_owned(), turn_expected()),
                };
            }
        };
        let surplus = symbols.next().and_then(|symbol| if symbol == ';' { symbols.next() } else { Some(symbol) });
        if let Some(symbol) = surplus {
            return error(format!("{symbol:?} after the side to move"), "nothing more".to_owned());
        }
        let (player, opponent) = if turn == Color::Black { (black, white) } else { (white, black) };
        Ok(Self { board: B::from_discs(player, opponent), turn })
    }
}

/// The number of squares before the side to move, if the latter is a separate word after nothing but board characters.
fn squares_before_side(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let (squares, side) = text.strip_suffix(';').unwrap_or(text).trim_end().rsplit_once(char::is_whitespace)?;
    let mut side = side.chars();
    // Another letter is a wrong side to move.
    let is_side = side.next().is_some_and(|symbol| symbol == '*' || symbol.is_alphabetic()) && side.next().is_none();
    let is_square = |symbol: char| matches!(symbol, '-' | '.' | '_') || disc(symbol).is_some();
    let squares = squares.chars().filter(|symbol| !symbol.is_whitespace());
    (is_side && squares.clone().all(is_square)).then(|| squares.count())
}

fn disc(symbol: char) -> Option<Color> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}
