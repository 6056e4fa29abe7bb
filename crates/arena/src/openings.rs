//! Openings: distinct positions a few moves into the game that favor neither side.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use engine::{Emilia, Estimate, Limits, Options, Player, PlayerError, Silent, Stop, TableError};
use othello::records::RecordError;
use othello::records::files::{GameFileError, records_of};
use othello::{Board, Color, Game, Rules, squares};

use othello::random::Random;

/// The properties of the openings to find.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningRecipe {
    /// The length of the openings in moves.
    pub plies: RangeInclusive<u32>,
    /// The largest evaluation for either side, in hundredths of a disc.
    pub within: i32,
    /// The search depth for that evaluation.
    pub depth: u32,
    /// The random seed.
    pub seed: u64,
}

impl OpeningRecipe {
    /// The default length of an opening in moves: there are more than 20,000 such positions to choose from.
    pub const DEFAULT_PLIES: u32 = 8;

    /// The default for the largest evaluation of an opening, in discs.
    pub const DEFAULT_DISCS: f64 = 2.0;

    /// The default search depth for evaluating openings.
    pub const DEFAULT_DEPTH: u32 = 8;

    /// The default properties.
    pub fn standard(seed: u64) -> Self {
        Self::new(None, Self::DEFAULT_DISCS, Self::DEFAULT_DEPTH, seed)
    }

    /// Openings with this number of moves, or the default number, and at most this evaluation in discs.
    pub fn new(plies: Option<RangeInclusive<u32>>, discs: f64, depth: u32, seed: u64) -> Self {
        let plies = plies.unwrap_or(Self::DEFAULT_PLIES..=Self::DEFAULT_PLIES);
        Self { plies, within: (discs * 100.0).round() as i32, depth, seed }
    }
}

/// An opening with its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// The moves that lead to it.
    pub game: Game,
    /// The evaluation for its side to move, in hundredths of a disc.
    pub value: i32,
}

/// Why not enough openings were found.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// No more openings could be found.
    #[error(
        "found only {found} of {wanted} openings of length {plies} within {discs:.2} discs of even; \
         ask for more moves, a wider balance or fewer openings"
    )]
    TooFew {
        /// The number found.
        found: usize,
        /// The number asked for.
        wanted: usize,
        /// The length asked for.
        plies: String,
        /// The largest evaluation asked for.
        discs: f64,
    },
    /// The evaluating player does not evaluate in discs, or not at all.
    #[error("{judge} cannot judge openings: it does not evaluate positions in discs")]
    NoDiscs {
        /// The player's name.
        judge: String,
    },
    /// The evaluating player failed.
    #[error(transparent)]
    Judge(#[from] PlayerError),
    /// The hash table of the evaluating player cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search for openings was interrupted.
    #[error("interrupted after {found} openings")]
    Interrupted {
        /// The number found.
        found: usize,
    },
}

/// Why openings cannot be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum OpeningFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] GameFileError),
    /// A game cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A game has no moves left to play.
    #[error(
        "game {number} of {} is already over; expected openings, or --plies N to use the first N moves of each game",
        path.display()
    )]
    Over {
        /// The number of the game in the file.
        number: usize,
        /// The file.
        path: PathBuf,
    },
    /// There are more openings than any match needs.
    #[error("{} has too many openings; expected at most {MAX_OPENINGS}", path.display())]
    TooMany {
        /// The file.
        path: PathBuf,
    },
    /// The file contains no games.
    #[error("{} has no openings", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// More openings than any match needs: endless input must not fill the memory.
pub const MAX_OPENINGS: usize = 1_000_000;

/// The hash table size in MB for evaluating openings with Emilia: the searches are shallow.
const JUDGE_TABLE: usize = 8;

/// After this many consecutive games that lead to known positions, the search gives up.
const MAX_FAILURES: u32 = 20_000;

/// Finds balanced openings: random games of the right length whose final position is about even according to the judge.
/// No two of them are the same position up to symmetry.
///
/// `take` receives each opening as it is found. The first openings do not depend on how many are asked for.
pub fn find(
    recipe: &OpeningRecipe,
    count: usize,
    judge: &mut dyn Player,
    stop: &Stop,
    mut take: impl FnMut(&Opening),
) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    let mut failures = 0;
    for index in 0.. {
        if openings.len() == count {
            break;
        }
        if stop.is_set() {
            return Err(OpeningError::Interrupted { found: openings.len() });
        }
        let fresh = random_game(recipe, index).filter(|game| !game.is_over() && seen.insert(key(game)));
        let Some(game) = fresh else {
            failures += 1;
            if failures > MAX_FAILURES {
                let (low, high) = recipe.plies.clone().into_inner();
                let plies = if low == high { low.to_string() } else { format!("{low}-{high}") };
                let discs = f64::from(recipe.within) / 100.0;
                return Err(OpeningError::TooFew { found: openings.len(), wanted: count, plies, discs });
            }
            continue;
        };
        failures = 0;
        let value = judge_value(judge, &game, recipe.depth, stop)?;
        if value.abs() <= recipe.within && !stop.is_set() {
            let opening = Opening { game, value };
            take(&opening);
            openings.push(opening);
        }
    }
    Ok(openings)
}

/// The same with Emilia as the judge.
pub fn find_by_emilia(
    recipe: &OpeningRecipe,
    count: usize,
    stop: &Stop,
    take: impl FnMut(&Opening),
) -> Result<Vec<Opening>, OpeningError> {
    let mut judge: Emilia = Emilia::new(&Options { table_megabytes: JUDGE_TABLE, ..Options::default() })?;
    find(recipe, count, &mut judge, stop, take)
}

/// The openings of a file: the first `plies` moves of its games, or all moves if no number is given.
pub fn read(path: &Path, plies: Option<u32>) -> Result<Vec<Game>, OpeningFileError> {
    let mut openings = Vec::new();
    for record in records_of(path, None)? {
        let whole = record?.game;
        let game = plies.map_or_else(|| whole.clone(), |plies| beginning(&whole, plies as usize));
        if game.is_over() {
            return Err(OpeningFileError::Over { number: openings.len() + 1, path: path.to_owned() });
        }
        if openings.len() == MAX_OPENINGS {
            return Err(OpeningFileError::TooMany { path: path.to_owned() });
        }
        openings.push(game);
    }
    if openings.is_empty() {
        return Err(OpeningFileError::Empty { path: path.to_owned() });
    }
    Ok(openings)
}

/// The game up to its first `plies` moves.
fn beginning(game: &Game, plies: usize) -> Game {
    let moves = game.line().into_iter().take(plies);
    // The moves of a game can be played again.
    Game::from_moves(game.start(), moves).unwrap_or_else(|_| game.clone())
}

/// Random game number `index`, or `None` if it ends too early.
fn random_game(recipe: &OpeningRecipe, index: u64) -> Option<Game> {
    let mut random = Random::of_item(recipe.seed, index);
    let (low, high) = recipe.plies.clone().into_inner();
    let plies = low + random.below_u32(high.saturating_sub(low) + 1);
    let mut game = Game::new();
    for _ in 0..plies {
        let moves = game.position().board.moves();
        let choices = moves.count_ones();
        let square = squares(moves).nth(random.below_u32(choices.max(1)) as usize)?;
        game.play(square).ok()?;
    }
    Some(game)
}

fn judge_value(judge: &mut dyn Player, game: &Game, depth: u32, stop: &Stop) -> Result<i32, OpeningError> {
    // The evaluation of a position must not depend on those before it.
    judge.new_game()?;
    let choice = judge.choose(game, &Limits::of_depth(depth), &mut Silent, stop)?;
    match choice.value {
        Some(Estimate::Discs { hundredths }) => Ok(hundredths),
        Some(Estimate::Solved(score)) => Ok(score.discs() * 100),
        _ => Err(OpeningError::NoDiscs { judge: judge.name().to_owned() }),
    }
}

/// A key that is equal for positions that are the same up to symmetry.
fn key(game: &Game) -> (Board, Color) {
    (game.position().board.canonical(), game.position().turn)
}

/// The number of distinct positions, up to symmetry, that these games lead to.
pub fn distinct<'a>(games: impl IntoIterator<Item = &'a Game>) -> usize {
    games.into_iter().map(key).collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use othello::Position;

    use super::*;

    fn judge() -> Emilia {
        Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).expect("1 MB")
    }

    fn recipe(plies: u32, within: i32) -> OpeningRecipe {
        OpeningRecipe { plies: plies..=plies, within, depth: 4, seed: 7 }
    }

    fn find_quietly(recipe: &OpeningRecipe, count: usize) -> Result<Vec<Opening>, OpeningError> {
        find(recipe, count, &mut judge(), &Stop::new(), |_| {})
    }

    #[test]
    fn openings_are_distinct_balanced_and_of_the_requested_length() {
        let recipe = OpeningRecipe { plies: 6..=9, ..recipe(6, 150) };
        let openings = find_quietly(&recipe, 50).expect("openings");
        assert_eq!(distinct(openings.iter().map(|opening| &opening.game)), 50);
        // Compared one by one with all symmetric images of all others.
        for (index, opening) in openings.iter().enumerate() {
            let board = opening.game.position().board;
            assert!((6..=9).contains(&opening.game.move_count()));
            assert!(opening.value.abs() <= 150);
            let alike = |other: &&Opening| {
                let Position { board: other, turn } = other.game.position();
                turn == opening.game.position().turn && (0..8).any(|image| other.transformed(image) == board)
            };
            assert_eq!(openings[..index].iter().filter(alike).count(), 0);
            let value = judge_value(&mut judge(), &opening.game, 4, &Stop::new()).expect("a value");
            assert_eq!(value, opening.value);
        }
    }

    #[test]
    fn the_first_openings_of_a_seed_do_not_depend_on_the_number_requested() {
        let few = find_quietly(&recipe(8, 200), 5).expect("openings");
        let many = find_quietly(&recipe(8, 200), 9).expect("openings");
        assert_eq!(few[..], many[..5]);
        let others = find_quietly(&OpeningRecipe { seed: 8, ..recipe(8, 200) }, 5).expect("openings");
        assert_ne!(few, others);
    }

    #[test]
    fn all_existing_positions_are_found_and_then_the_search_gives_up() {
        // Perft up to symmetry: 1, 3 and 14 positions after one, two and three moves.
        for (plies, count) in [(1, 1), (2, 3), (3, 14)] {
            assert_eq!(find_quietly(&recipe(plies, 6400), count).expect("openings").len(), count);
            let error = find_quietly(&recipe(plies, 6400), count + 1).expect_err("there are no more");
            let sentence = format!("found only {count} of {} openings of length {plies} ", count + 1);
            assert!(error.to_string().starts_with(&sentence), "{error}");
        }
    }
}
