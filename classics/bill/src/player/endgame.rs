//! The endgame search: every position is expanded to the end of the game (section 3.4).
//!
//! An outcome search is the same with a window of one disc either way: it only finds the winner.

use othello::{Board, Color, Rules, Square, SquareSet, kernels, squares};

use super::killer_table::Trigger;
use super::search::Search;

/// With fewer empty squares than this, hash and killer tables cost more than they save.
const ORDERED_FROM: u32 = 5;

/// With fewer empty squares than this, the hash table is not used.
const HASHED_FROM: u32 = 7;

impl Search<'_, '_> {
    /// The final score for the side to move under best play: exact within the window, a bound outside of it.
    pub(crate) fn endgame(
        &mut self,
        board: &Board,
        turn: Color,
        trigger: Trigger,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let empty_count = board.empty_count();
        if empty_count < ORDERED_FROM {
            return self.last_squares(board, alpha, beta);
        }
        if self.interruption.count() {
            return None;
        }
        let uses_hash = empty_count >= HASHED_FROM;
        let mut responses = self.responses(board, turn, trigger, uses_hash);
        let floor = alpha;
        let mut best = i32::MIN;
        let mut best_move = None;
        while let Some((square, flips)) = self.next_move(&mut responses, board) {
            let child = board.after(square, flips);
            let trigger = Trigger::of(square);
            let is_first = best_move.is_none();
            let value = if is_first || !self.settings.zero_window || beta - alpha == 1 {
                -self.endgame(&child, !turn, trigger, -beta, -alpha)?
            } else {
                let value = -self.endgame(&child, !turn, trigger, -alpha - 1, -alpha)?;
                if value > alpha && value < beta {
                    -self.endgame(&child, !turn, trigger, -beta, -alpha)?
                } else {
                    value
                }
            };
            if value > best {
                best = value;
                best_move = Some(square);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let Some(best_move) = best_move else {
            let passed = board.pass();
            if !passed.can_move() {
                return Some(board.final_score().discs());
            }
            return Some(-self.endgame(&passed, !turn, trigger, -beta, -alpha)?);
        };
        if best > floor {
            self.store_best_move(&responses, board, best_move, uses_hash);
        }
        Some(best)
    }

    /// The same for the last few squares, without move ordering.
    fn last_squares(&mut self, board: &Board, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.interruption.count() {
            return None;
        }
        let empties = board.empties();
        if empties.count() == 1 {
            return Some(last_square(board));
        }
        let mut best = i32::MIN;
        for square in squares(Board::neighbors(board.opponent) & empties) {
            let flips = board.flips(square);
            if flips == 0 {
                continue;
            }
            let value = -self.last_squares(&board.after(square, flips), -beta, -alpha)?;
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    return Some(best);
                }
            }
        }
        if best != i32::MIN {
            return Some(best);
        }
        let passed = board.pass();
        if !passed.can_move() {
            return Some(board.final_score().discs());
        }
        Some(-self.last_squares(&passed, -beta, -alpha)?)
    }
}

/// The score when one square is empty.
fn last_square(board: &Board) -> i32 {
    let square = Square::new(board.empties().trailing_zeros() as u8);
    let own = board.player.count_ones() as i32;
    let flips = kernels::last_flip_count(board.player, square) as i32;
    if flips > 0 {
        return 2 * (own + flips + 1) - 64;
    }
    let flips = kernels::last_flip_count(board.opponent, square) as i32;
    if flips > 0 {
        return 2 * (own - flips) - 64;
    }
    board.final_score().discs()
}
