//! The endgame solver: scores are final disc differences for the side to move.
//!
//! "Any position with eight empty squares or less is handled by a special-purpose endgame solver that does not use
//! KEYANO's evaluation function" (section 3.2); whole endgames are solved for win, loss or draw first (section 1). The
//! paper says no more about the solver. Here the last eight squares are tried in parity order, and above them moves are
//! sorted by the number of replies, fewest first, after the transposition table's move.

use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square, SquareSet, kernels, squares};

use super::move_order::MAX_MOVES;
use super::search::Search;
use super::transposition::Bound;

/// Positions with this many empty squares or fewer are solved wherever a search reaches them.
pub(crate) const SOLVED_FROM: u32 = 8;

/// The depth of table entries for searches to the end of the game.
pub(crate) const TO_THE_END: u32 = 100;

/// Below every score.
const NO_MOVE: i32 = -128;

/// The value of a corner in move ordering, in replies.
const CORNER: i32 = 4;
const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Search<'_> {
    /// The score within the window, or a bound outside of it; `None` if interrupted.
    pub(crate) fn solve(&mut self, board: &Board, alpha: i32, beta: i32) -> Option<i32> {
        let empty_count = board.empty_count();
        if empty_count <= SOLVED_FROM {
            return self.last_squares(board, QuadrantParity::of(board.empties()), alpha, beta);
        }
        if self.interruption.count() {
            return None;
        }
        let moves = board.moves();
        if moves == 0 {
            let passed = board.pass();
            if !passed.can_move() {
                return Some(board.final_score().discs());
            }
            return self.solve(&passed, -beta, -alpha).map(|score| -score);
        }
        let known = self.memory.table.find(board);
        if let Some(score) = known.and_then(|entry| entry.answer(TO_THE_END, alpha * 100, beta * 100)) {
            return Some(score / 100);
        }
        let replies = Replies::of(board, moves, known.and_then(|entry| entry.best()));
        let mut best = (NO_MOVE, None);
        for (number, &(_, square, after)) in replies.iter().enumerate() {
            let lower = alpha.max(best.0);
            let mut score = None;
            if number > 0 && self.settings.negascout {
                score = Some(-self.solve(&after, -lower - 1, -lower)?);
            }
            if score.is_none_or(|score| score > lower && score < beta) {
                score = Some(-self.solve(&after, -beta, -lower)?);
            }
            let score = score?;
            if score > best.0 {
                best = (score, Some(square));
            }
            if score >= beta {
                break;
            }
        }
        let bound = Bound::of(best.0, alpha, beta);
        self.memory.table.store(board, TO_THE_END, best.0 * 100, bound, best.1);
        Some(best.0)
    }

    /// The same for the last squares: those in quarters with an odd number of empties first, without sorting.
    fn last_squares(&mut self, board: &Board, parity: QuadrantParity, alpha: i32, beta: i32) -> Option<i32> {
        if self.interruption.count() {
            return None;
        }
        let empties = board.empties();
        if empties.count() == 1
            && let Some(last) = empties.first()
        {
            return Some(last_square(board, last));
        }
        let mut best = NO_MOVE;
        let odd = parity.odd_squares();
        for squares_of_kind in [empties & odd, empties & !odd] {
            for square in squares(squares_of_kind) {
                let flips = board.flips(square);
                if flips == 0 {
                    continue;
                }
                let after = board.after(square, flips);
                let score = -self.last_squares(&after, parity.after(square), -beta, -alpha.max(best))?;
                best = best.max(score);
                if best >= beta {
                    return Some(best);
                }
            }
        }
        if best > NO_MOVE {
            return Some(best);
        }
        let passed = board.pass();
        if passed.can_move() {
            self.last_squares(&passed, parity, -beta, -alpha).map(|score| -score)
        } else {
            Some(board.final_score().discs())
        }
    }
}

/// The score when one square is empty.
fn last_square(board: &Board, square: Square) -> i32 {
    let difference = board.player.count() as i32 - board.opponent.count() as i32;
    let flipped = kernels::last_flip_count(board.player, square) as i32;
    if flipped > 0 {
        return difference + 2 * flipped + 1;
    }
    let flipped = kernels::last_flip_count(board.opponent, square) as i32;
    if flipped > 0 {
        return difference - 2 * flipped - 1;
    }
    difference + difference.signum()
}

/// The moves of a position with the boards after them, sorted by the replies that they leave.
struct Replies {
    list: [(i32, u8, Board); MAX_MOVES],
    count: usize,
}

impl Replies {
    fn of(board: &Board, moves: u64, best: Option<u8>) -> Self {
        let mut replies = Self { list: [(0, 0, Board::new(0, 0)); MAX_MOVES], count: 0 };
        for square in squares(moves) {
            let after = board.after(square, board.flips(square));
            let number = square.index() as u8;
            let corner = if CORNERS & square.bit() != 0 { CORNER } else { 0 };
            let key = if best == Some(number) { i32::MIN } else { after.moves().count() as i32 - corner };
            replies.list[replies.count] = (key, number, after);
            replies.count += 1;
        }
        // A stable sort, so that the search is the same everywhere.
        replies.list[..replies.count].sort_by_key(|&(key, ..)| key);
        replies
    }

    fn iter(&self) -> std::slice::Iter<'_, (i32, u8, Board)> {
        self.list[..self.count].iter()
    }
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::search::Memory;
    use crate::player::settings::Settings;
    use crate::player::tables::Tables;
    use engine::interruption::Interruption;

    /// The score by trying everything.
    fn by_trying(board: &Board) -> i32 {
        if board.is_over() {
            return board.final_score().discs();
        }
        let moves = board.moves();
        if moves == 0 {
            return -by_trying(&board.pass());
        }
        squares(moves).map(|square| -by_trying(&board.play(square).unwrap())).max().unwrap()
    }

    #[test]
    fn endgames_are_solved_as_by_trying_everything() {
        let mut samples = Samples::<Board>::new(41);
        for settings in [Settings::default(), Settings { negascout: false, table: None, ..Settings::default() }] {
            let mut memory = Memory::new(&Settings { table: settings.table.map(|_| 12), ..settings });
            for number in 0..240 {
                let empty_count = [0, 1, 2, 3, 5, 7, 8, 9][number / 4 % 8];
                let board = samples.position(Origin::ALL[number % 4], empty_count as u32);
                let stop = Stop::new();
                let interruption = Interruption::new(&stop, None, None);
                let mut search = Search::new(Tables::shipped(), &settings, &mut memory, interruption);
                let expected = by_trying(&board);
                assert_eq!(search.solve(&board, -64, 64), Some(expected), "{board:?}");
                let outcome = search.solve(&board, -1, 1).map(i32::signum);
                assert_eq!(outcome, Some(expected.signum()), "{board:?}");
                for alpha in [expected - 3, expected, expected + 3] {
                    let found = search.solve(&board, alpha, alpha + 1).unwrap();
                    assert_eq!(found > alpha, expected > alpha, "{found} for {expected} on {board:?}");
                }
            }
        }
    }

    #[test]
    fn larger_endgames_have_the_scores_that_the_projects_solver_finds() {
        let mut samples = Samples::<Board>::new(43);
        let settings = Settings::default();
        let mut memory = Memory::new(&settings);
        let stop = Stop::new();
        for number in 0..12 {
            let board = samples.position_with_moves(Origin::ALL[number % 3], 10 + number as u32 % 3);
            let mut search =
                Search::new(Tables::shipped(), &settings, &mut memory, Interruption::new(&stop, None, None));
            assert_eq!(search.solve(&board, -64, 64), Some(search::negamax::score(&board).discs()), "{board:?}");
        }
    }
}
