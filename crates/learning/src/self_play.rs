//! Self-play of the engine, with exact play at the end.

use std::ops::{ControlFlow, Range};

use control::{Control, Stop};
use jobs::{InvalidJob, JobError, Threads, Work, Worker};
use othello::json::MoveSequence;
use othello::{Rules, Square, squares};
use search::{CompiledSearch, HashTable, Iteration, Question, Searcher, Selectivity};
use serde::{Deserialize, Serialize};

use crate::job_kinds;
use crate::played_game::{GameInProgress, PlayedGame};
use crate::workforce::Workforce;
use othello::random::Random;

/// The parameters of self-play.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The random seed.
    pub seed: u64,
    /// The minimum and maximum number of random moves at the beginning.
    pub opening: (u32, u32),
    /// The share of later moves that are random, 0 to 1.
    pub random_moves: f64,
    /// The search depth for all other moves.
    pub depth: u32,
    /// The number of empty squares from which play is exact.
    pub exact_from: u32,
    /// The number of threads, which changes nothing about the games.
    #[serde(skip)]
    pub threads: usize,
}

/// Self-play with a recipe and an evaluation.
#[derive(Clone, Debug)]
pub struct SelfPlay<E> {
    /// The parameters.
    pub recipe: Recipe,
    /// The evaluation of the player.
    pub evaluation: E,
    /// Openings to begin with, if any, before the random moves.
    pub openings: Vec<Vec<Square>>,
}

/// The number of buckets of the hash table of a player: 1 MB stays in the cache, and a game needs no more.
const TABLE_BUCKETS: usize = 1 << 14;

impl<E: CompiledSearch> SelfPlay<E> {
    /// Games from the start position with this evaluation.
    pub fn new(recipe: Recipe, evaluation: E) -> Self {
        Self { recipe, evaluation, openings: Vec::new() }
    }

    /// Plays the games with these numbers and passes them to `take` in order, until it breaks or `stop` is set.
    ///
    /// A game depends only on its number: not on the threads, nor on the games before it.
    pub fn play(&self, numbers: Range<u64>, stop: &Stop, take: impl FnMut(u64, PlayedGame) -> ControlFlow<()>) {
        let threads = Threads(self.recipe.threads);
        let played = self.play_by(&Workforce::of(&threads, stop), numbers, take);
        played.expect("threads of this process do not fail");
    }

    /// The games with these numbers; fewer if `stop` is set.
    pub fn games(&self, numbers: Range<u64>, stop: &Stop) -> Vec<PlayedGame> {
        let mut games = Vec::new();
        self.play(numbers, stop, |_, game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        games
    }

    /// The same as [`play`](Self::play) with other workers.
    pub fn play_by(
        &self,
        workforce: &Workforce<'_>,
        numbers: Range<u64>,
        take: impl FnMut(u64, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), JobError> {
        let parameters = || SelfPlayParameters::of(self);
        workforce.run(self, job_kinds::SELF_PLAY, &|_| (), &parameters, numbers, take)
    }

    /// The opening of the game with this number, and what the rest of the game leaves to chance.
    fn opening(&self, number: u64) -> (Path, Random) {
        let Recipe { seed, opening: (fewest, most), .. } = self.recipe;
        let mut random = Random::of_item(seed, number);
        let mut path = Path { line: GameInProgress::start(), moves: Vec::with_capacity(60) };
        if !self.openings.is_empty() {
            let opening = &self.openings[random.below_u32(self.openings.len() as u32) as usize];
            opening.iter().for_each(|&square| path.play(square));
        }
        for _ in 0..fewest + random.below_u32(most.saturating_sub(fewest) + 1) {
            let Some(square) = random_move(path.line.board.moves(), &mut random) else { break };
            path.play(square);
        }
        (path, random)
    }

    /// Plays the game with this number, unless it is stopped.
    fn game(&self, number: u64, searcher: &Searcher<&E>, stop: &Stop) -> Option<PlayedGame> {
        let Recipe { random_moves, depth, exact_from, .. } = self.recipe;
        // The hash table is cleared, so that games are independent.
        searcher.table.clear();
        let (mut path, mut random) = self.opening(number);
        let opening = path.moves.len();
        let mut random_set = 0;
        while path.line.board.can_move() {
            let board = path.line.board;
            let moves = board.moves();
            let control = Control::new().with_stop(stop.clone());
            if board.empty_count() <= exact_from {
                let report = searcher.solve(&board, &control);
                if control.is_stopped() {
                    return None;
                }
                report.lines[0].moves.iter().for_each(|&square| path.play(square));
            } else if moves.count_ones() == 1 {
                squares(moves).for_each(|square| path.play(square));
            } else if random_moves > 0.0 && random.share() < random_moves {
                random_set |= 1 << path.moves.len();
                random_move(moves, &mut random).into_iter().for_each(|square| path.play(square));
            } else {
                let iteration = Iteration { depth, selectivity: Selectivity::LOWEST };
                let report = searcher.search(&board, &Question::default(), &control, &mut |reports| {
                    (reports.len() == 1).then_some(iteration)
                });
                if control.is_stopped() {
                    return None;
                }
                path.play(report.lines[0].moves[0]);
            }
        }
        Some(PlayedGame::new(&path.moves, opening, random_set).expect("legal moves to the end"))
    }
}

/// Everything besides the evaluation that determines games, as another machine gets it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfPlayParameters {
    recipe: Recipe,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    openings: Vec<MoveSequence>,
}

impl SelfPlayParameters {
    fn of<E>(self_play: &SelfPlay<E>) -> Self {
        Self { recipe: self_play.recipe, openings: self_play.openings.iter().cloned().map(Into::into).collect() }
    }

    /// Self-play with this evaluation. The error is a sentence.
    pub(crate) fn self_play<E: CompiledSearch>(self, evaluation: E) -> Result<SelfPlay<E>, String> {
        if let Some(opening) = self.openings.iter().find(|opening| GameInProgress::after(&opening.squares).is_none()) {
            return Err(format!("an opening of the job is invalid: {:?}", opening.to_string()));
        }
        let openings = self.openings.into_iter().map(|opening| opening.squares).collect();
        Ok(SelfPlay { recipe: self.recipe, evaluation, openings })
    }
}

impl<E: CompiledSearch> Work for SelfPlay<E> {
    type Item = ();
    /// Reading it replays the game.
    type Output = PlayedGame;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, (), PlayedGame> {
        let table = HashTable::with_buckets(TABLE_BUCKETS).expect("a small table");
        let searcher = Searcher::new(&self.evaluation, table, 1);
        Box::new(move |number, ()| self.game(number, &searcher, stop))
    }

    fn check(&self, number: u64, (): &(), game: &PlayedGame) -> Result<(), InvalidJob> {
        let opening = self.opening(number).0.moves;
        match game.opening() == opening.len() && game.begins_with(&opening) {
            true => Ok(()),
            false => Err("it does not begin with its opening".into()),
        }
    }
}

fn random_move(moves: u64, random: &mut Random) -> Option<Square> {
    squares(moves).nth(random.below_u32(moves.count_ones()) as usize)
}

struct Path {
    line: GameInProgress,
    moves: Vec<Square>,
}

impl Path {
    fn play(&mut self, square: Square) {
        self.line.play(square).expect("a legal move");
        self.moves.push(square);
    }
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use search::negamax;

    use super::*;
    use crate::played_game::Choice;

    const QUICK: Recipe = Recipe { seed: 5, opening: (4, 20), random_moves: 0.1, depth: 2, exact_from: 9, threads: 1 };

    fn games(recipe: Recipe, numbers: Range<u64>) -> Vec<(u64, PlayedGame)> {
        let mut games = Vec::new();
        SelfPlay::new(recipe, HandMade).play(numbers, &Stop::new(), |number, game| {
            games.push((number, game));
            ControlFlow::Continue(())
        });
        games
    }

    #[test]
    fn a_game_from_elsewhere_begins_with_its_opening() {
        let self_play = SelfPlay::new(QUICK, HandMade);
        let played = games(QUICK, 0..20);
        for (number, game) in &played {
            self_play.check(*number, &(), game).expect("a valid game");
            // The game of another number is legal, too, but not the requested one.
            let (_, other) = &played[(*number as usize + 1) % played.len()];
            assert!(self_play.check(*number, &(), other).is_err(), "game {number}");
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed_alone() {
        let one_by_one = games(QUICK, 0..60);
        assert!(one_by_one.iter().map(|(number, _)| *number).eq(0..60));
        assert_eq!(games(Recipe { threads: 3, ..QUICK }, 0..60), one_by_one);
        assert_eq!(games(QUICK, 41..60), one_by_one[41..]);
        let others = games(Recipe { seed: 6, ..QUICK }, 0..60);
        assert!(one_by_one.iter().zip(&others).filter(|(one, other)| one == other).count() < 3);
    }

    #[test]
    fn openings_and_random_moves_have_the_requested_numbers() {
        let games = games(Recipe { exact_from: 4, depth: 1, ..QUICK }, 0..400);
        let lengths: Vec<_> = games.iter().map(|(_, game)| game.opening()).collect();
        assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&4), Some(&20)));
        let (mut random, mut all) = (0, 0);
        for position in games.iter().flat_map(|(_, game)| game.positions()) {
            let is_free = position.board.moves().count_ones() > 1 && position.board.empty_count() > 4;
            let is_random = position.choice == Choice::Random;
            assert!(is_free || !is_random);
            if is_free && position.choice != Choice::Opening {
                all += 1;
                random += u32::from(is_random);
            }
        }
        // About 16,000 moves: five standard deviations are a little more than one percent.
        assert!((f64::from(random) / f64::from(all) - 0.1).abs() < 0.012, "{random} of {all}");
    }

    #[test]
    fn the_ends_of_games_agree_with_plain_negamax() {
        for (number, game) in games(QUICK, 0..25) {
            let exact = game.positions().filter(|position| position.board.empty_count() <= 6);
            for position in exact.filter(|position| position.choice == Choice::Player) {
                assert_eq!(position.score, negamax::score(&position.board), "game {number}, {:?}", position.board);
            }
        }
    }

    #[test]
    fn games_begin_with_the_given_openings() {
        let openings = ["f5d6c3d3c4", "f5f6e6f4"].map(|text| text.parse::<MoveSequence>().expect("squares").squares);
        let mut self_play = SelfPlay::new(Recipe { opening: (0, 0), ..QUICK }, HandMade);
        self_play.openings = openings.to_vec();
        let mut counts = [0; 2];
        self_play.play(0..40, &Stop::new(), |_, game| {
            let which = openings.iter().position(|opening: &Vec<Square>| game.moves().starts_with(opening));
            let which = which.expect("one of the openings");
            assert_eq!(game.opening(), openings[which].len());
            counts[which] += 1;
            ControlFlow::Continue(())
        });
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    #[test]
    fn a_run_ends_when_it_is_stopped() {
        let stop = Stop::new();
        let mut taken = 0;
        SelfPlay::new(QUICK, HandMade).play(0..u64::MAX, &stop, |number, _| {
            taken += 1;
            if number == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(taken, 10);
        SelfPlay::new(Recipe { threads: 2, ..QUICK }, HandMade).play(0..u64::MAX, &stop, |number, _| {
            if number == 9 {
                stop.set();
            }
            ControlFlow::Continue(())
        });
    }
}
