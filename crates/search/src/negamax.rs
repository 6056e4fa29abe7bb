//! Plain negamax, slow and simple, to test the fast solver against.
//!
//! It uses only the rules: no hash table, no stability, no parity, no specialized routines. It is only useful for tests,
//! and public so that other crates can use it in theirs. [`score`] uses alpha-beta, and first tries the moves that leave
//! the opponent the fewest replies, which is feasible up to about sixteen empty squares; its own tests compare it with a
//! version that visits every continuation.

use othello::{Rules, Score, Square, SquareSet, squares};

/// With fewer empty squares, ordering the moves takes longer than it saves.
const ORDERED_FROM: u32 = 5;

/// The final score with best play by both sides, by alpha-beta.
pub fn score<B: Rules>(board: &B) -> Score {
    let area = B::GEOMETRY.area() as i32;
    Score::new(within(board, -area, area) as i8)
}

/// Whether this is the final score with best play by both sides.
///
/// Several times as fast as [`score`]: alpha-beta only has to show that the score is neither less nor more.
pub fn is_score<B: Rules>(board: &B, claimed: Score) -> bool {
    let claimed = claimed.discs();
    within(board, claimed - 1, claimed + 1) == claimed
}

/// The score of every legal move with best play after it, in the order of the squares; empty if the side to move has to
/// pass or the game is over.
pub fn move_scores<B: Rules>(board: &B) -> Vec<(Square, Score)> {
    squares(board.moves()).map(|square| (square, -score(&after(board, square)))).collect()
}

fn after<B: Rules>(board: &B, square: Square) -> B {
    board.after(square, board.flips(square))
}

/// The score if it lies within the window, otherwise the nearer bound of the window.
fn within<B: Rules>(board: &B, alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        if board.is_over() {
            return board.final_score().discs().clamp(alpha, beta);
        }
        return -within(&board.pass(), -beta, -alpha);
    }
    let boards = squares(moves).map(|square| after(board, square));
    if board.empties().count() < ORDERED_FROM {
        return best_of(boards, alpha, beta);
    }
    let mut boards: Vec<(u32, B)> = boards.map(|after| (after.moves().count(), after)).collect();
    boards.sort_by_key(|&(replies, _)| replies);
    best_of(boards.into_iter().map(|(_, after)| after), alpha, beta)
}

/// The best score that one of the moves to these boards gives, within the window as above.
fn best_of<B: Rules>(boards: impl Iterator<Item = B>, mut alpha: i32, beta: i32) -> i32 {
    for board in boards {
        alpha = alpha.max(-within(&board, -beta, -alpha));
        if alpha >= beta {
            return beta;
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use othello::{Board, SmallBoard};

    use super::*;
    use crate::samples::{Origin, Samples};

    /// The final score with best play by both sides, by visiting every continuation.
    fn minimax_score<B: Rules>(board: &B) -> Score {
        let moves = board.moves();
        if moves.is_empty() {
            if board.is_over() {
                return board.final_score();
            }
            return -minimax_score(&board.pass());
        }
        let scores = squares(moves).map(|square| -minimax_score(&after(board, square)));
        scores.max().unwrap_or_else(|| board.final_score())
    }

    fn both_versions_agree<B: Rules<Set = u64>>(empty_count: u32) {
        let mut samples = Samples::<B>::new(u64::from(empty_count));
        for _ in 0..40 {
            let board = samples.position(Origin::RandomGame, empty_count);
            let score = score(&board);
            assert_eq!(score, minimax_score(&board), "{board:?}");
            for difference in -3..=3 {
                let claimed = Score::new(score.discs() as i8 + difference);
                assert_eq!(is_score(&board, claimed), difference == 0, "{claimed} of {board:?}");
            }
        }
    }

    #[test]
    fn alpha_beta_finds_what_the_whole_tree_has() {
        for empty_count in 0..=7 {
            both_versions_agree::<Board>(empty_count);
            both_versions_agree::<SmallBoard<6>>(empty_count);
        }
        for empty_count in 2..=8 {
            both_versions_agree::<SmallBoard<4>>(empty_count);
        }
    }

    #[test]
    fn the_4x4_board_is_won_by_white_from_its_start() {
        let start = SmallBoard::<4>::start();
        // Eight discs more on the board (11 to 3), and two empty squares for the winner.
        assert_eq!(minimax_score(&start).discs(), -10);
        assert_eq!(score(&start).discs(), -10);
        let won_by_all = Board::from_discs(0xff, 0);
        assert_eq!([minimax_score(&won_by_all).discs(), score(&won_by_all).discs()], [64, 64]);
    }

    #[test]
    fn the_best_of_the_move_scores_is_the_score() {
        let mut samples = Samples::<Board>::new(9);
        for _ in 0..20 {
            let board = samples.position_with_moves(Origin::RandomGame, 8);
            let best = move_scores(&board).into_iter().map(|(_, score)| score).max();
            assert_eq!(best, Some(score(&board)), "{board:?}");
        }
    }
}
