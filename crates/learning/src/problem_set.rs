//! Problems from games: positions of held-out games, with their exact scores and best moves.

use std::collections::HashSet;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::PathBuf;

use control::{Control, Stop};
use evaluation::Value;
use jobs::{InvalidJob, JobError, Work, Worker};
use othello::{Board, Color, Position, Rules, Score, Square, squares};
use records::obf::{MoveScore, Problem};
use search::{CompiledSearch, HashTable, Iteration, Question, Searcher, Selectivity, solving};
use storage::checksum::fnv1a;

use crate::error::{LearnError, Result};
use crate::job_kinds;
use crate::played_game::{Choice, PlayedGame};
use crate::stored_games::StoredGames;
use crate::workforce::Workforce;
use othello::random::Random;

/// The parameters of the selection of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The numbers of empty squares.
    pub empties: RangeInclusive<u32>,
    /// The seed for choosing games and positions.
    pub seed: u64,
}

/// A position to solve, and its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The number of the game among all games.
    pub(crate) game: u64,
    pub(crate) board: Board,
}

impl Selection {
    /// The position of a game that may become a problem: after the opening, with a move by a player who had a choice.
    fn candidate(&self, number: u64, game: &PlayedGame) -> Option<Candidate> {
        let boards: Vec<Board> = game
            .positions()
            .filter(|position| position.choice == Choice::Player)
            .map(|position| position.board)
            .filter(|board| self.empties.contains(&board.empty_count()) && board.moves().count_ones() > 1)
            .collect();
        let pick = Random::of_item(self.seed, number).below_u32(boards.len() as u32);
        boards.get(pick as usize).map(|&board| Candidate { game: number, board })
    }

    /// A random sample of the candidates, distinct up to symmetry; fewer than `count` if there are not enough. A
    /// smaller sample is the beginning of a larger one.
    fn pick(&self, mut candidates: Vec<Candidate>, count: usize) -> Vec<Candidate> {
        // A different sequence of random numbers than the one that chose positions.
        candidates.sort_by_cached_key(|candidate| Random::of_item(!self.seed, candidate.game).bits());
        let mut known = HashSet::new();
        candidates.retain(|candidate| known.insert(candidate.board.canonical()));
        candidates.truncate(count);
        candidates
    }
}

/// The positions to solve, from one game in `held_out` of the first games of all stores, or of all games.
pub fn candidates_of_stores(
    stores: &[PathBuf],
    selection: &Selection,
    count: usize,
    held_out: u64,
    first: Option<u64>,
) -> Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    let games = StoredGames::of(stores).take(first.and_then(|first| first.try_into().ok()).unwrap_or(usize::MAX));
    for stored in games {
        let (number, stored) = stored?;
        if number % held_out == 0 {
            candidates.extend(selection.candidate(number, &stored.game));
        }
    }
    let picked = selection.pick(candidates, count);
    if picked.len() < count {
        return Err(LearnError::TooFewPositions { found: picked.len(), expected: count });
    }
    Ok(picked)
}

/// The number of buckets of the hash table of each thread: 32 MB are enough for 30 empty squares.
const TABLE_BUCKETS: usize = 1 << 19;

/// Solves the candidates with these indices and passes them to `take` in order, until it breaks or it is stopped. The
/// results depend neither on the threads nor on the evaluation.
pub fn solve<E: CompiledSearch>(
    candidates: &[Candidate],
    numbers: Range<usize>,
    evaluation: &E,
    workforce: &Workforce<'_>,
    mut take: impl FnMut(usize, Problem) -> ControlFlow<()>,
) -> Result<(), JobError> {
    let candidates = &candidates[..numbers.end.min(candidates.len())];
    let work = ProblemWork { evaluation };
    let items = |number: u64| {
        let board = candidates[number as usize].board;
        (board.player, board.opponent)
    };
    let parameters = || {
        let boards = candidates.iter().map(|candidate| candidate.board);
        fnv1a(boards.map(|board| [board.player.to_le_bytes(), board.opponent.to_le_bytes()].concat()))
    };
    let numbers = numbers.start as u64..candidates.len() as u64;
    workforce.run(&work, job_kinds::PROBLEMS, &items, &parameters, numbers, |number, (score, moves)| {
        let candidate = candidates[number as usize];
        let score = Score::new(score);
        let scores = squares(moves).map(|square| MoveScore { square: Some(square), score }).collect();
        let position = Position { board: candidate.board, turn: Color::Black };
        take(number as usize, Problem { position, scores, comment: format!("game {}", candidate.game) })
    })
}

/// Finds exact scores with all moves that achieve them.
#[derive(Debug)]
pub(crate) struct ProblemWork<E> {
    pub(crate) evaluation: E,
}

impl<E: CompiledSearch> Work for ProblemWork<E> {
    /// The discs of the side to move, and of the other one.
    type Item = (u64, u64);
    /// The score, and the set of the best moves.
    type Output = (i8, u64);

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, (u64, u64), (i8, u64)> {
        let table = HashTable::with_buckets(TABLE_BUCKETS);
        let searcher = table.map(|table| Searcher::new(&self.evaluation, table, 1));
        Box::new(move |_, (player, opponent)| {
            let (score, moves) = best_moves(searcher.as_ref()?, &Board::new(player, opponent), stop)?;
            Some((score.discs() as i8, moves))
        })
    }

    fn check(&self, _: u64, &(player, opponent): &(u64, u64), &(score, moves): &(i8, u64)) -> Result<(), InvalidJob> {
        let legal = Board::new(player, opponent).moves();
        let is_possible = (-64..=64).contains(&score) && score % 2 == 0 && moves != 0 && moves & !legal == 0;
        if is_possible { Ok(()) } else { Err(format!("score {score} with the moves {moves:x}").into()) }
    }

    fn is_spot_checked(&self) -> bool {
        true
    }
}

/// The exact score of a position with at least two moves, and all moves that achieve it, unless the search was stopped.
///
/// For a move that is worse than the best it suffices to prove that it is worse: a selective search guesses the score,
/// and every move is tested against that score.
pub fn best_moves<E: CompiledSearch>(searcher: &Searcher<E>, board: &Board, stop: &Stop) -> Option<(Score, u64)> {
    let control = Control::new().with_stop(stop.clone());
    let empties = board.empty_count();
    let whole = Iteration { depth: empties, selectivity: Selectivity::EXACT };
    searcher.table.clear();
    let guess = searcher.search(board, &Question::default(), &control, &mut |reports| {
        solving(empties, reports).filter(|next| *next != whole)
    });
    // A move among these that achieves at least this score, if there is one.
    let reaches = |moves: u64, score: i32| -> Option<Option<Square>> {
        let parts = score * Value::PER_DISC;
        let question = Question { lines: 1, moves: Some(moves), window: Some((parts - 1, parts)) };
        let report = searcher.search(board, &question, &control, &mut |reports| (reports.len() == 1).then_some(whole));
        let line = report.lines.first().filter(|_| report.exact)?;
        Some(line.moves.first().copied().filter(|_| line.value.parts() >= parts))
    };
    // Scores are even.
    let mut score = (guess.lines.first()?.value.discs() / 2.0).round() as i32 * 2;
    let (mut open, mut best) = (board.moves(), 0);
    loop {
        while open != 0 {
            let Some(square) = reaches(open, score)? else { break };
            best |= square.bit();
            open &= !square.bit();
        }
        if best == 0 {
            score -= 2;
            continue;
        }
        let Some(square) = reaches(best, score + 2)? else { break };
        score += 2;
        open = best & !square.bit();
        best = square.bit();
    }
    Some((Score::new(score as i8), best))
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use jobs::Threads;
    use search::negamax;

    use super::*;
    use crate::self_play::{Recipe, SelfPlay};

    fn games() -> Vec<PlayedGame> {
        let recipe = Recipe { seed: 3, opening: (6, 12), random_moves: 0.3, depth: 1, exact_from: 0, threads: 1 };
        SelfPlay::new(recipe, HandMade).games(0..60, &Stop::new())
    }

    fn candidates_of(selection: &Selection) -> Vec<Candidate> {
        (0..).zip(games()).filter_map(|(number, game)| selection.candidate(number, &game)).collect()
    }

    const LATE: Selection = Selection { empties: 6..=8, seed: 1 };

    #[test]
    fn candidates_are_positions_in_which_a_player_had_a_choice() {
        let games = games();
        let candidates = candidates_of(&LATE);
        assert!(candidates.len() > 40, "{} candidates", candidates.len());
        let mut empties = HashSet::new();
        for Candidate { game, board } in candidates {
            let position = games[game as usize].positions().find(|position| position.board == board);
            assert_eq!(position.expect("a position of the game").choice, Choice::Player);
            assert!(board.moves().count_ones() > 1);
            empties.insert(board.empty_count());
        }
        assert_eq!(empties, HashSet::from([6, 7, 8]));
        assert_ne!(candidates_of(&LATE), candidates_of(&Selection { seed: 2, ..LATE }));
    }

    #[test]
    fn of_symmetric_positions_only_one_is_taken() {
        let mut all = candidates_of(&LATE);
        all.truncate(20);
        for candidate in all.clone() {
            for index in 1..8 {
                let board = candidate.board.transformed(index);
                all.push(Candidate { game: candidate.game + 100 * index as u64, board });
            }
        }
        let picked = LATE.pick(all.clone(), 100);
        assert_eq!(picked.len(), 20);
        let images: HashSet<_> = picked.iter().map(|candidate| candidate.board.canonical()).collect();
        assert_eq!(images.len(), 20);
        let few = LATE.pick(all.clone(), 7);
        assert_eq!(few, picked[..7]);
        assert_ne!(Selection { seed: 2, ..LATE }.pick(all, 7), few);
    }

    #[test]
    fn scores_and_best_moves_are_those_of_plain_negamax_on_any_number_of_threads() {
        let candidates = candidates_of(&LATE);
        let run = |threads| {
            let mut problems = Vec::new();
            let (threads, stop) = (Threads(threads), Stop::new());
            let workforce = Workforce::of(&threads, &stop);
            let solved = solve(&candidates, 0..candidates.len(), &HandMade, &workforce, |number, problem| {
                assert_eq!(number, problems.len());
                problems.push(problem);
                ControlFlow::Continue(())
            });
            solved.expect("threads");
            problems
        };
        let problems = run(1);
        assert_eq!(problems.len(), candidates.len());
        let mut several = 0;
        for (problem, candidate) in problems.iter().zip(&candidates) {
            let board = candidate.board;
            let score_of = |square| -negamax::score(&board.after(square, board.flips(square)));
            let best = squares(board.moves()).map(score_of).max().expect("a move");
            let expected: Vec<_> = squares(board.moves())
                .filter(|&square| score_of(square) == best)
                .map(|square| MoveScore { square: Some(square), score: best })
                .collect();
            assert_eq!(problem.scores, expected, "{board:?}");
            assert_eq!(problem.position.board, board);
            several += u32::from(expected.len() > 1);
        }
        assert!(several > 3, "{several} positions with several best moves");
        assert_eq!(run(3), problems);
    }

    #[test]
    fn a_stopped_position_does_not_count_as_solved() {
        let stop = Stop::new();
        stop.set();
        let workforce = Workforce::of(&Threads(2), &stop);
        let nothing = |_, problem| panic!("{problem} is not solved");
        solve(&candidates_of(&LATE), 0..5, &HandMade, &workforce, nothing).expect("threads");
    }
}
