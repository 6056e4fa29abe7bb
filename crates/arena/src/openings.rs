//! Openings: distinct positions a few moves into the game that favor neither side, or that random moves lead to.
//!
//! On the standard board, openings are balanced. On the others they are random: balanced ones would be too few on the
//! smallest boards, and Emilia, which judges them, does not play on all. A match plays both colors of each, so that an
//! advantage helps both players equally.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use engine::{Estimate, Limits, Player, PlayerError, Silent, Stop};
use othello::random::Random;
use othello::{Board, Color, Game, Rules, SquareSet, squares};
use players::{PlayableBoard, PlayerOptions, SearchOptions};
use records::RecordError;
use records::files::{GameFileError, RecordedBoard};
use report::words::sentence;

use crate::opening_text;

/// The properties of the openings to find.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningRecipe {
    /// The length of the openings in moves.
    pub plies: RangeInclusive<u32>,
    /// The evenness of the openings; `None` for random openings without an evaluation.
    pub balance: Option<Balance>,
    /// The random seed.
    pub seed: u64,
}

/// The evenness of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// The largest evaluation for either side, in hundredths of a disc.
    pub within: i32,
    /// The search depth for that evaluation.
    pub depth: u32,
}

impl Balance {
    /// At most this evaluation in discs, at this search depth.
    pub fn new(discs: f64, depth: u32) -> Self {
        Self { within: (discs * 100.0).round() as i32, depth }
    }
}

/// By default, even within [`OpeningRecipe::DEFAULT_DISCS`].
impl Default for Balance {
    fn default() -> Self {
        Self::new(OpeningRecipe::DEFAULT_DISCS, OpeningRecipe::DEFAULT_DEPTH)
    }
}

impl OpeningRecipe {
    /// The default length of an opening in moves: on the standard board there are more than 20,000 such positions to
    /// choose from.
    pub const DEFAULT_PLIES: u32 = 8;

    /// The default for the largest evaluation of an opening, in discs.
    pub const DEFAULT_DISCS: f64 = 2.0;

    /// The default search depth for evaluating openings.
    pub const DEFAULT_DEPTH: u32 = 8;

    /// The default properties.
    pub fn standard(seed: u64) -> Self {
        Self::new::<Board>(None, Some(Balance::default()), seed)
    }

    /// Openings of a board with this number of moves, or the default number, that are this even.
    pub fn new<B: Rules>(plies: Option<RangeInclusive<u32>>, balance: Option<Balance>, seed: u64) -> Self {
        // Half of the game on the smallest board, where four moves lead to 31 positions, too few for most matches.
        let default = Self::DEFAULT_PLIES.min((B::GEOMETRY.area() - 4) / 2);
        Self { plies: plies.unwrap_or(default..=default), balance, seed }
    }

    /// The length and the balance in words: `8 within 2.00 discs of even`.
    fn words(&self) -> String {
        let (low, high) = self.plies.clone().into_inner();
        let plies = if low == high { low.to_string() } else { format!("{low}-{high}") };
        let balance = self.balance.map(|balance| f64::from(balance.within) / 100.0);
        balance.map_or(plies.clone(), |discs| format!("{plies} within {discs:.2} discs of even"))
    }
}

/// An opening with its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening<B: Rules = Board> {
    /// The moves that lead to it.
    pub game: Game<B>,
    /// The evaluation for its side to move, in hundredths of a disc, if it was judged.
    pub value: Option<i32>,
}

/// Reason why not enough openings were found.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OpeningError {
    /// No more openings could be found.
    #[error("found only {found} of {wanted} openings of length {recipe}; ask for {}", match is_judged {
        true => "more moves, a wider balance or fewer openings",
        false => "more moves or fewer openings",
    })]
    TooFew {
        /// The number found.
        found: usize,
        /// The number asked for.
        wanted: usize,
        /// The length and balance asked for, in words.
        recipe: String,
        /// Whether they had to be even.
        is_judged: bool,
    },
    /// The evaluating player with this name does not evaluate in discs, or not at all.
    #[error("{0} cannot judge openings: it does not evaluate positions in discs")]
    NoDiscs(String),
    /// The evaluating player failed, or could not be made.
    #[error(transparent)]
    Judge(#[from] PlayerError),
    /// The search for openings was interrupted after this number of them.
    #[error("interrupted after {0} openings")]
    Interrupted(usize),
}

/// Reason why openings cannot be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum OpeningFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] GameFileError),
    /// A game cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The line with this number cannot be read, for this reason.
    #[error("{path}, line {1}: {2}", path = .0.display())]
    Line(PathBuf, usize, String),
    /// The game with this number has no moves left to play.
    #[error(
        "game {1} of {path} is already over; expected openings, or --plies N to use the first N moves of each game",
        path = .0.display()
    )]
    Over(PathBuf, usize),
    /// There are more openings than any match needs.
    #[error("{} has too many openings; expected at most {MAX_OPENINGS}", .0.display())]
    TooMany(PathBuf),
    /// The file contains no games.
    #[error("{} has no openings", .0.display())]
    Empty(PathBuf),
}

/// More openings than any match needs: endless input must not fill the memory.
pub const MAX_OPENINGS: usize = 1_000_000;

/// The hash table size in MB for evaluating openings with Emilia: the searches are shallow.
const JUDGE_TABLE: u32 = 8;

/// After this many consecutive games that lead to known positions, the search gives up.
const MAX_FAILURES: u32 = 20_000;

/// Finds openings: random games of the right length whose final position is about even according to Emilia, if the
/// recipe has a balance. No two of them are the same position up to symmetry.
///
/// `take` receives each opening as it is found. The first openings do not depend on how many are asked for.
pub fn find_by_emilia<B: PlayableBoard>(
    recipe: &OpeningRecipe,
    count: usize,
    stop: &Stop,
    take: impl FnMut(&Opening<B>),
) -> Result<Vec<Opening<B>>, OpeningError> {
    if recipe.balance.is_none() {
        return find(recipe, count, None, stop, take);
    }
    let search = SearchOptions { hash: JUDGE_TABLE, ..SearchOptions::default() };
    let options = PlayerOptions { search, ..PlayerOptions::default() };
    let judge = players::emilia_player::<B>(&options);
    let mut judge = judge.map_err(|error| PlayerError::NotMade { reason: sentence(&error) })?;
    find(recipe, count, Some(judge.as_mut()), stop, take)
}

/// The same with any judge, which openings without a balance do not need.
fn find<B: Rules>(
    recipe: &OpeningRecipe,
    count: usize,
    mut judge: Option<&mut dyn Player<B>>,
    stop: &Stop,
    mut take: impl FnMut(&Opening<B>),
) -> Result<Vec<Opening<B>>, OpeningError> {
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    let mut failures = 0;
    for index in 0.. {
        if openings.len() == count {
            break;
        }
        if stop.is_set() {
            return Err(OpeningError::Interrupted(openings.len()));
        }
        let fresh = random_game::<B>(recipe, index).filter(|game| !game.is_over() && seen.insert(key(game)));
        let Some(game) = fresh else {
            failures += 1;
            if failures > MAX_FAILURES {
                let (found, is_judged) = (openings.len(), recipe.balance.is_some());
                return Err(OpeningError::TooFew { found, wanted: count, recipe: recipe.words(), is_judged });
            }
            continue;
        };
        failures = 0;
        let mut opening = Opening { game, value: None };
        if let (Some(judge), Some(balance)) = (&mut judge, recipe.balance) {
            let value = judge_value(&mut **judge, &opening.game, balance.depth, stop)?;
            if value.abs() > balance.within {
                continue;
            }
            opening.value = Some(value);
        }
        if !stop.is_set() {
            take(&opening);
            openings.push(opening);
        }
    }
    Ok(openings)
}

/// The openings of a file: the first `plies` moves of its games, or all moves if no number is given.
///
/// On the standard board, the file may have any format. On the others it has an opening per line, as a transcript or as
/// GGF.
pub fn read<B: RecordedBoard>(path: &Path, plies: Option<u32>) -> Result<Vec<Game<B>>, OpeningFileError> {
    let mut openings = Vec::new();
    let mut add = |whole: Game<B>| {
        let game = of_game(whole, plies, path, openings.len() + 1)?;
        if openings.len() == MAX_OPENINGS {
            return Err(OpeningFileError::TooMany(path.to_owned()));
        }
        openings.push(game);
        Ok(())
    };
    if B::GEOMETRY == Board::GEOMETRY {
        for record in B::read_games(path, None)? {
            add(record?.game)?;
        }
    } else {
        let unreadable = |source| GameFileError::Unreadable(path.display().to_string(), source);
        for (index, line) in BufReader::new(File::open(path).map_err(unreadable)?).lines().enumerate() {
            let line = line.map_err(unreadable)?;
            if !line.trim().is_empty() {
                let wrong = |reason| OpeningFileError::Line(path.to_owned(), index + 1, reason);
                add(opening_text::parse(line.trim()).map_err(wrong)?)?;
            }
        }
    }
    if openings.is_empty() {
        return Err(OpeningFileError::Empty(path.to_owned()));
    }
    Ok(openings)
}

/// The opening of a game, which is number `number` of a file: its first `plies` moves, or all moves if no number is given.
pub fn of_game<B: Rules>(
    whole: Game<B>,
    plies: Option<u32>,
    path: &Path,
    number: usize,
) -> Result<Game<B>, OpeningFileError> {
    let beginning = plies.map(|plies| Game::from_moves(whole.start(), whole.line().into_iter().take(plies as usize)));
    // The moves of a game can be played again.
    let game = beginning.and_then(Result::ok).unwrap_or(whole);
    if game.is_over() { Err(OpeningFileError::Over(path.to_owned(), number)) } else { Ok(game) }
}

/// Random game number `index`, or `None` if it ends too early.
fn random_game<B: Rules>(recipe: &OpeningRecipe, index: u64) -> Option<Game<B>> {
    let mut random = Random::of_item(recipe.seed, index);
    let (low, high) = recipe.plies.clone().into_inner();
    let plies = low + random.below_u32(high.saturating_sub(low) + 1);
    let mut game: Game<B> = Game::default();
    for _ in 0..plies {
        let moves = game.position().board.moves();
        let choices = moves.count();
        let square = squares(moves).nth(random.below_u32(choices.max(1)) as usize)?;
        game.play(square).ok()?;
    }
    Some(game)
}

fn judge_value<B: Rules>(
    judge: &mut dyn Player<B>,
    game: &Game<B>,
    depth: u32,
    stop: &Stop,
) -> Result<i32, OpeningError> {
    // The evaluation of a position must not depend on those before it.
    judge.new_game()?;
    let choice = judge.choose(game, &Limits::of_depth(depth), &mut Silent, stop)?;
    match choice.value {
        Some(Estimate::Discs { hundredths }) => Ok(hundredths),
        Some(Estimate::Solved(score)) => Ok(score.discs() * 100),
        _ => Err(OpeningError::NoDiscs(judge.name().to_owned())),
    }
}

/// The position of a game up to symmetry.
fn key<B: Rules>(game: &Game<B>) -> (B, Color) {
    (game.position().board.canonical(), game.position().turn)
}

/// The number of distinct positions, up to symmetry, that these games lead to.
pub fn distinct<'a, B: Rules>(games: impl IntoIterator<Item = &'a Game<B>>) -> usize {
    games.into_iter().map(key).collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use engine::{Emilia, Options};
    use othello::{CutBoard, Position, SmallBoard};

    use super::*;

    fn judge() -> Emilia {
        Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).expect("1 MB")
    }

    fn recipe(plies: u32, within: i32) -> OpeningRecipe {
        OpeningRecipe { plies: plies..=plies, balance: Some(Balance { within, depth: 4 }), seed: 7 }
    }

    fn find_quietly(recipe: &OpeningRecipe, count: usize) -> Result<Vec<Opening>, OpeningError> {
        find(recipe, count, Some(&mut judge()), &Stop::new(), |_| {})
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
            assert!(opening.value.is_some_and(|value| value.abs() <= 150));
            let alike = |other: &&Opening| {
                let Position { board: other, turn } = other.game.position();
                turn == opening.game.position().turn && (0..8).any(|image| other.transformed(image) == board)
            };
            assert_eq!(openings[..index].iter().filter(alike).count(), 0);
            let value = judge_value(&mut judge(), &opening.game, 4, &Stop::new()).expect("a value");
            assert_eq!(Some(value), opening.value);
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

    #[test]
    fn random_openings_are_distinct_on_every_board_and_run_out_where_there_are_few() {
        fn find<B: PlayableBoard>(plies: Option<u32>, count: usize) -> Result<Vec<Opening<B>>, OpeningError> {
            let recipe = OpeningRecipe::new::<B>(plies.map(|plies| plies..=plies), None, 3);
            find_by_emilia(&recipe, count, &Stop::new(), |_| {})
        }
        fn check<B: PlayableBoard>() {
            let openings = find::<B>(None, 50).expect("openings");
            assert_eq!(distinct(openings.iter().map(|opening| &opening.game)), 50);
            let plies = if B::GEOMETRY.side == 4 { 6 } else { 8 };
            assert!(openings.iter().all(|one| one.game.move_count() == plies && one.value.is_none()));
            assert_eq!(find::<B>(None, 9).expect("openings"), openings[..9]);
            // The first moves are the same on all boards: one position after a move, three after two.
            assert_eq!(find::<B>(Some(2), 3).map(|openings| openings.len()), Ok(3));
            let error = find::<B>(Some(2), 4).expect_err("there are no more").to_string();
            assert_eq!(error, "found only 3 of 4 openings of length 2; ask for more moves or fewer openings");
        }
        othello::on_every_board!(check);
    }

    #[test]
    fn balanced_openings_need_a_board_that_emilia_plays_on() {
        let recipe = |depth| OpeningRecipe { balance: Some(Balance::new(2.0, depth)), ..recipe(6, 0) };
        let six = find_by_emilia::<SmallBoard<6>>(&recipe(4), 5, &Stop::new(), |_| {}).expect("openings");
        assert!(six.iter().all(|opening| opening.value.is_some_and(|value| value.abs() <= 200)));
        let error = find_by_emilia::<CutBoard>(&recipe(4), 5, &Stop::new(), |_| {}).expect_err("no judge");
        assert!(error.to_string().contains("no engine \"emilia\" plays on the cs221 board"), "{error}");
    }
}
