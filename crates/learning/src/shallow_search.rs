//! The value of a shallow search, as a label for a position.
//!
//! The value is that of plain minimax: there is no selective pruning, so it depends neither on the order of the moves
//! nor on earlier searches. Alpha-beta, a hash table and good move ordering only make it fast. A pass takes no depth,
//! and at the end of the game the score counts.

use evaluation::{Evaluation, Value};
use othello::mobility::potential_moves;
use othello::{Board, Rules, Square, squares};

/// Below every value.
const NO_VALUE: i32 = -Value::INFINITE.parts();

/// The minimum depth at which moves are ordered by the evaluation of the positions after them.
const ORDERED_BY_VALUE: u32 = 3;

/// The half-width of the aspiration window, in parts of a disc.
const MARGIN: i32 = 2 * Value::PER_DISC;

/// The penalty for each unit of the opponent's mobility in move ordering, in parts of a disc, and the bonus of a killer
/// move where only mobility is used. Tuned by counting evaluations at depths 4 to 8; near these values the count hardly
/// changes.
const MOBILITY: i32 = 32;
const KILLER: i32 = 2;

/// The corners, and the squares next to them.
const CORNERS: u64 = 0x8100_0000_0000_0081;
const NEXT_TO_CORNERS: u64 = 0x42c3_0000_0000_c342;

/// The number of bits of an index of the hash table: with entries of 24 bytes it stays in the processor's cache.
const TABLE_BITS: u32 = 12;

#[derive(Debug)]
pub(crate) struct ShallowSearch<'e, E> {
    evaluation: &'e E,
    candidates: Vec<Candidate>,
    table: Vec<Entry>,
    /// The killer moves by number of empty squares, as sets of one square.
    killers: [[u64; 2]; 65],
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    square: Square,
    flips: u64,
    promise: i32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    board: Board,
    lower: i16,
    upper: i16,
    depth: u8,
    best: u8,
}

impl<'e, E: Evaluation> ShallowSearch<'e, E> {
    pub(crate) fn new(evaluation: &'e E) -> Self {
        // The empty board is never searched.
        let nothing = Entry { board: Board::new(0, 0), lower: 0, upper: 0, depth: 0, best: 64 };
        Self {
            evaluation,
            candidates: Vec::with_capacity(256),
            table: vec![nothing; 1 << TABLE_BITS],
            killers: [[0; 2]; 65],
        }
    }

    /// The value of a position for the side to move at this search depth.
    pub(crate) fn value(&mut self, board: &Board, depth: u32) -> Value {
        let features = self.evaluation.features(board);
        let depth = depth.min(board.empty_count());
        // A shallower search provides a guess for a deeper one.
        let mut guess = None;
        let mut shallow = depth - depth.saturating_sub(ORDERED_BY_VALUE) / 2 * 2;
        while shallow < depth {
            guess = Some(self.near(board, &features, shallow, guess));
            shallow += 2;
        }
        Value::new(self.near(board, &features, depth, guess))
    }

    /// The value, by a search with an aspiration window around a guess.
    fn near(&mut self, board: &Board, features: &E::Features, depth: u32, guess: Option<i32>) -> i32 {
        let Some(guess) = guess else { return self.search(board, features, depth, NO_VALUE, -NO_VALUE) };
        let (mut alpha, mut beta) = (guess - MARGIN, guess + MARGIN);
        loop {
            let value = self.search(board, features, depth, alpha, beta);
            if value <= alpha && alpha > NO_VALUE {
                (alpha, beta) = (NO_VALUE, value + 1);
            } else if value >= beta && beta < -NO_VALUE {
                (alpha, beta) = (value - 1, -NO_VALUE);
            } else {
                return value;
            }
        }
    }

    /// The value if it lies inside the window, otherwise a bound on that side.
    fn search(&mut self, board: &Board, features: &E::Features, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let moves = board.moves();
        if moves == 0 {
            let passed = board.pass();
            if !passed.can_move() {
                return Value::of_score(board.final_score()).parts();
            }
            return -self.search(&passed, &self.evaluation.passed(features), depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.evaluation.evaluate(board, features).parts();
        }
        if depth < ORDERED_BY_VALUE {
            return self.search_last(board, features, moves, depth, alpha, beta);
        }
        let place = (board.hash64() >> (64 - TABLE_BITS)) as usize;
        let known = self.table[place];
        let mut best_square = None;
        if known.board == *board {
            best_square = (known.best < 64).then(|| Square::new(known.best));
            if u32::from(known.depth) == depth {
                let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
        }
        let begin = self.candidates.len();
        for square in squares(moves) {
            let flips = board.flips(square);
            let promise = if Some(square) == best_square {
                i32::MAX
            } else {
                let after = board.after(square, flips);
                let features = self.evaluation.played(features, board, square, flips);
                -self.evaluation.evaluate(&after, &features).parts() - MOBILITY * mobility_score(&after)
            };
            self.candidates.push(Candidate { square, flips, promise });
        }
        let end = self.candidates.len();
        let first_alpha = alpha;
        let mut best = NO_VALUE;
        for index in begin..end {
            let Candidate { square, flips, .. } = take_best(&mut self.candidates[index..end]);
            let after = board.after(square, flips);
            let features = self.evaluation.played(features, board, square, flips);
            let value = if index == begin {
                -self.search(&after, &features, depth - 1, -beta, -alpha)
            } else {
                let value = -self.search(&after, &features, depth - 1, -alpha - 1, -alpha);
                if value > alpha && value < beta {
                    -self.search(&after, &features, depth - 1, -beta, -value)
                } else {
                    value
                }
            };
            if value > best {
                best = value;
                if value > alpha || best_square.is_none() {
                    best_square = Some(square);
                }
                alpha = alpha.max(value);
                if value >= beta {
                    self.refuted(board, square);
                    break;
                }
            }
        }
        self.candidates.truncate(begin);
        self.remember(place, board, depth, best, (first_alpha, beta), best_square);
        best
    }

    /// The last plies: the moves that leave the least mobility come first, without the hash table.
    fn search_last(
        &mut self,
        board: &Board,
        features: &E::Features,
        moves: u64,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 1 {
            return self.search_leaves(board, features, moves, alpha, beta);
        }
        let killers = self.killers[board.empty_count() as usize];
        let begin = self.candidates.len();
        for square in squares(moves) {
            let flips = board.flips(square);
            let killer = i32::from(square.bit() == killers[0]) * 2 + i32::from(square.bit() == killers[1]);
            let promise = KILLER * killer - mobility_score(&board.after(square, flips));
            self.candidates.push(Candidate { square, flips, promise });
        }
        let end = self.candidates.len();
        let mut best = NO_VALUE;
        for index in begin..end {
            let Candidate { square, flips, .. } = take_best(&mut self.candidates[index..end]);
            let features = self.evaluation.played(features, board, square, flips);
            let value = -self.search(&board.after(square, flips), &features, depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.refuted(board, square);
                break;
            }
        }
        self.candidates.truncate(begin);
        best
    }

    fn refuted(&mut self, board: &Board, square: Square) {
        let killers = &mut self.killers[board.empty_count() as usize];
        if killers[0] != square.bit() {
            *killers = [square.bit(), killers[0]];
        }
    }

    /// The last ply: killer moves come first.
    fn search_leaves(&mut self, board: &Board, features: &E::Features, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let [first, second] = self.killers[board.empty_count() as usize];
        let mut best = NO_VALUE;
        let mut left = moves;
        for part in [first, second, CORNERS, !NEXT_TO_CORNERS, NEXT_TO_CORNERS] {
            let now = left & part;
            left &= !part;
            for square in squares(now) {
                let flips = board.flips(square);
                let features = self.evaluation.played(features, board, square, flips);
                let value = -self.search(&board.after(square, flips), &features, 0, -beta, -alpha);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.refuted(board, square);
                    return best;
                }
            }
        }
        best
    }

    fn remember(
        &mut self,
        place: usize,
        board: &Board,
        depth: u32,
        value: i32,
        (alpha, beta): (i32, i32),
        best: Option<Square>,
    ) {
        let entry = &mut self.table[place];
        let depth = depth as u8;
        if entry.board != *board || entry.depth != depth {
            let (lower, upper) = (NO_VALUE as i16, -NO_VALUE as i16);
            *entry = Entry { board: *board, lower, upper, depth, best: 64 };
        }
        entry.best = best.map_or(64, |square| square.index() as u8);
        if value > alpha {
            entry.lower = entry.lower.max(value as i16);
        }
        if value < beta {
            entry.upper = entry.upper.min(value as i16);
        }
    }
}

#[inline]
fn take_best(candidates: &mut [Candidate]) -> Candidate {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].promise > candidates[best].promise {
            best = index;
        }
    }
    candidates.swap(0, best);
    candidates[0]
}

/// The mobility of the side to move: its moves and its potential moves.
#[inline]
fn mobility_score(board: &Board) -> i32 {
    (4 * board.moves().count_ones() + potential_moves(board).count_ones()) as i32
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::tests::plain_minimax;

    #[test]
    fn values_are_those_of_plain_minimax_whatever_was_searched_before() {
        let mut samples = Samples::<Board>::new(3);
        let mut search = ShallowSearch::new(&HandMade);
        let mut compared = 0;
        for round in 0..240 {
            let (depth, empties) = (round % 6, 1 + samples.below(59));
            if depth == 5 && empties > 12 {
                continue;
            }
            let board = samples.position_with_moves(Origin::RandomGame, empties);
            let expected = plain_minimax(&HandMade, &board, depth.min(empties)).parts();
            assert_eq!(search.value(&board, depth).parts(), expected, "{depth} plies, {board:?}");
            assert_eq!(ShallowSearch::new(&HandMade).value(&board, depth).parts(), expected);
            compared += 1;
        }
        assert!(compared > 150, "{compared}");
    }

    #[test]
    fn a_search_to_the_end_finds_the_exact_score() {
        let mut samples = Samples::<Board>::new(4);
        let mut search = ShallowSearch::new(&HandMade);
        for _ in 0..150 {
            let empties = 1 + samples.below(8);
            let board = samples.position_with_moves(Origin::RandomGame, empties);
            let expected = Value::of_score(search::negamax::score(&board));
            assert_eq!(search.value(&board, 60), expected, "{board:?}");
            assert_eq!(search.value(&board, board.empty_count()), expected, "{board:?}");
        }
    }
}
