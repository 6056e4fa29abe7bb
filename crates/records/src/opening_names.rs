//! The names of openings: Tiger, Rose, Buffalo.
//!
//! A name belongs to a position, whatever the order of the moves that lead to it and the orientation of the board. A game
//! has the name of the last named position along it.
//!
//! ```
//! use records::opening_names;
//! use records::transcript;
//!
//! let game = transcript::parse::<othello::Board>("e6f4d3c4c3e7")?;
//! let opening = opening_names::of_game(&game).expect("the position before the last move is named");
//! assert_eq!((opening.name, opening.moves), ("Tiger", "f5d6c3d3c4"));
//! assert_eq!(opening_names::find("no kung").map(|opening| opening.name), Some("No-Kung"));
//! assert_eq!(opening_names::record("tiger")?.game, transcript::parse::<othello::Board>("f5d6c3d3c4")?);
//! # Ok::<(), records::RecordProblem>(())
//! ```

use std::any::Any;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{GameRecord, RecordProblem, text, transcript};
use othello::{Board, Color, Game, Position, Rules};

/// The shipped list; its head names the sources.
static LIST: &str = include_str!("../../../data/opening-names.txt");

/// An opening with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    /// The name to show.
    pub name: &'static str,
    /// Other names of the same position.
    pub other_names: Vec<&'static str>,
    /// The most common moves to the position, as a transcript.
    pub moves: &'static str,
}

struct Names {
    openings: Vec<NamedOpening>,
    /// The number of an opening by its position up to symmetry.
    by_position: HashMap<(Board, Color), usize>,
    /// The number of an opening by the letters of its names.
    by_letters: HashMap<String, usize>,
    /// The maximum number of discs of a named position.
    max_discs: u32,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names =
        Names { openings: Vec::new(), by_position: HashMap::new(), by_letters: HashMap::new(), max_discs: 0 };
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        // A test checks that every line of the shipped list can be read.
        let Some((opening, position)) = read(line) else { continue };
        let number = names.openings.len();
        for name in opening.names() {
            names.by_letters.insert(letters(name), number);
        }
        names.max_discs = names.max_discs.max(discs(&position.board));
        names.by_position.insert((position.board.canonical(), position.turn), number);
        names.openings.push(opening);
    }
    names
});

/// A line of the list: the moves, the sources of the name, and the names.
fn read(line: &'static str) -> Option<(NamedOpening, Position)> {
    let (moves, rest) = line.split_once(' ')?;
    let (_sources, names) = rest.trim_start().split_once(' ')?;
    let mut names = names.split('/').map(str::trim);
    let name = names.next().filter(|name| !name.is_empty())?;
    let position = transcript::parse::<Board>(moves).ok()?.position();
    Some((NamedOpening { name, other_names: names.collect(), moves }, position))
}

impl NamedOpening {
    /// All its names, the one to show first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.other_names.iter().copied())
    }
}

/// All openings that have a name, sorted by their moves.
pub fn all() -> &'static [NamedOpening] {
    &NAMES.openings
}

/// The opening that this position belongs to, if the position itself is named. Only positions of the 8x8 board are.
pub fn of_position<B: Rules>(position: &Position<B>) -> Option<&'static NamedOpening> {
    let board = (&position.board as &dyn Any).downcast_ref::<Board>()?;
    // Canonical forms are expensive, and most positions of a game have too many discs.
    if discs(board) > NAMES.max_discs {
        return None;
    }
    let number = *NAMES.by_position.get(&(board.canonical(), position.turn))?;
    NAMES.openings.get(number)
}

/// The opening of a game: that of the last named position from its start to the current one.
pub fn of_game<B: Rules>(game: &Game<B>) -> Option<&'static NamedOpening> {
    game.positions().rev().find_map(|position| of_position(&position))
}

/// The opening with this name. Case, spaces and punctuation do not matter.
pub fn find(name: &str) -> Option<&'static NamedOpening> {
    NAMES.openings.get(*NAMES.by_letters.get(&letters(name))?)
}

/// The game of a text of any layout, or of the name of an opening; only openings of the 8x8 board have names. Spaces and
/// hyphens alone are a game without moves.
///
/// Every position that can be given by moves is read by this function.
pub fn record<B: Rules>(written: &str) -> Result<GameRecord<B>, RecordProblem> {
    let named = find(written).filter(|_| B::GEOMETRY == Board::GEOMETRY);
    if let Some(opening) = named {
        return transcript::parse(opening.moves).map(GameRecord::new);
    }
    if written.chars().all(|symbol| symbol.is_whitespace() || symbol == '-') {
        return Ok(GameRecord::default());
    }
    text::only(written)
}

/// The letters and digits of a name in lower case, which all spellings share.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn discs(board: &Board) -> u32 {
    (board.player() | board.opponent()).count_ones()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use othello::{SmallBoard, Square, symmetry};

    fn game(moves: &str) -> Game {
        transcript::parse(moves).expect("the moves are legal")
    }

    #[test]
    fn every_line_of_the_list_is_a_legal_opening_with_names_of_its_own() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let mut count = 0;
        for line in lines {
            let (opening, position) = read(line).unwrap_or_else(|| panic!("{line:?} is legal"));
            assert_eq!(of_position(&position).map(|found| found.name), Some(opening.name), "{line}");
            for name in opening.names() {
                assert_eq!(find(name), Some(&opening), "{name}");
            }
            count += 1;
        }
        assert!(count >= 100, "{count}");
        assert_eq!(all().len(), count);
        let names: Vec<_> = all().iter().flat_map(NamedOpening::names).map(letters).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "no name is given twice");
        assert_eq!(NAMES.by_position.len(), count, "no position is named twice");
        assert!(all().iter().all(|opening| opening.moves.starts_with("f5")), "they are all written the same way");
    }

    #[test]
    fn every_orientation_of_an_opening_has_its_name() {
        for opening in all() {
            let line = game(opening.moves).moves();
            // The other symmetries exchange the discs of the two sides in the start position.
            let symmetries = (0..8).filter(|&index| Board::start().transformed(index) == Board::start());
            for index in symmetries {
                let squares = line.iter().map(|&square| symmetry::transform_square(square, index));
                let mirrored = Game::<Board>::from_moves(Position::start(), squares).expect("the moves stay legal");
                assert_eq!(of_game(&mirrored), Some(opening), "{} by {index}", opening.name);
            }
            let position = game(opening.moves).position();
            for index in 0..8 {
                let turned = Position { board: position.board.transformed(index), ..position };
                assert_eq!(of_position(&turned), Some(opening), "{} by {index}", opening.name);
            }
        }
    }

    /// The games of these moves in every legal order that ends in the same position.
    fn transpositions(rest: &[Square], game: &Game, target: &Position, found: &mut Vec<Game>) {
        if rest.is_empty() && game.position() == *target {
            found.push(game.clone());
        }
        for (index, &square) in rest.iter().enumerate() {
            let mut next = game.clone();
            if next.play(square).is_ok() {
                let others = [&rest[..index], &rest[index + 1..]].concat();
                transpositions(&others, &next, target, found);
            }
        }
    }

    #[test]
    fn the_order_of_the_moves_does_not_matter() {
        let mut transposed = 0;
        for opening in all().iter().filter(|opening| opening.moves.len() <= 2 * 9) {
            let line = game(opening.moves);
            let mut found = Vec::new();
            transpositions(&line.moves(), &Game::new(), &line.position(), &mut found);
            transposed += found.len() - 1;
            for game in found {
                assert_eq!(of_game(&game), Some(opening), "{:?}", game.moves());
            }
        }
        assert!(transposed > 20, "{transposed} transpositions");
    }

    #[test]
    fn a_game_has_the_name_of_its_last_named_position() {
        for (moves, name) in [
            ("", None),
            ("f5", None),
            ("f5d6", Some("Perpendicular")),
            ("f5d6c3", Some("Perpendicular")),
            ("f5d6c3d3c4", Some("Tiger")),
            ("f5d6c4d3c3", Some("Tiger")),
            ("f5d6c3d3c4f4", Some("Tiger")),
            ("f5d6c3d3c4f4f6", Some("Stephenson")),
        ] {
            assert_eq!(of_game(&game(moves)).map(|opening| opening.name), name, "{moves}");
        }
        let mut going_back = game("f5d6c3d3c4f4f6");
        going_back.undo();
        assert_eq!(of_game(&going_back).map(|opening| opening.name), Some("Tiger"), "up to the current position");
    }

    /// Names in Egaroucid and Reverse_Othello (https://github.com/Nyanyan), found by another program from other lists.
    #[test]
    fn well_known_positions_have_their_well_known_names() {
        for line in include_str!("../tests/data/known_openings.txt").lines() {
            let (position, expected) = line.split_at(66);
            let position: Position = position.parse().expect("a position");
            assert_eq!(of_position(&position).map(|opening| opening.name), Some(expected.trim()), "{line}");
        }
    }

    #[test]
    fn other_boards_and_unknown_names_have_no_opening() {
        let small = transcript::parse::<SmallBoard<6>>("b3b2").expect("a game");
        assert_eq!(of_game(&small), None);
        assert_eq!((find("tigre"), find(""), find("f5d6")), (None, None, None));
        assert_eq!(find("RACCOON dog").map(|opening| opening.name), Some("Tanuki"));
        // The same discs with the other side to move are another position.
        let tiger = game("f5d6c3d3c4").position();
        assert_eq!(of_position(&Position { turn: !tiger.turn, ..tiger }), None);
    }
}
