//! Known results about complete games: all games of 4x4, and the positions of the first plies of 8x8.

use othello::perft::{PassCounts, perft};
use othello::{Board, Rules, SmallBoard, SquareSet, squares};

/// The best disc difference that the side to move can reach, by exhaustive search.
fn minimax<B: Rules>(board: &B, value: fn(&B) -> i32) -> i32 {
    if board.is_over() {
        return value(board);
    }
    if board.must_pass() {
        return -minimax(&board.pass(), value);
    }
    let after = squares(board.moves()).filter_map(|square| board.play(square));
    after.map(|after| -minimax(&after, value)).max().unwrap_or_default()
}

#[test]
fn there_are_60_060_complete_games_of_4x4() {
    // Twelve discs complete the board, and each may be followed by a pass.
    assert_eq!(perft(&SmallBoard::<4>::start(), 24, PassCounts::AsPly), 60_060);
    assert_eq!(perft(&SmallBoard::<4>::start(), 12, PassCounts::Free), 60_060);
}

#[test]
fn white_wins_4x4_by_eight_discs_on_the_board_and_ten_with_the_empties() {
    let start = SmallBoard::<4>::start();
    let on_the_board = |board: &SmallBoard<4>| board.player().count() as i32 - board.opponent().count() as i32;
    assert_eq!(minimax(&start, on_the_board), -8);
    assert_eq!(minimax(&start, |board| board.final_score().discs()), -10);
}

#[test]
fn ten_plies_lead_to_2_958_551_positions_with_a_move_up_to_symmetry() {
    let mut boards = vec![Board::start().canonical()];
    for _ in 0..10 {
        let mut next = Vec::new();
        for board in boards {
            for square in squares(board.moves()) {
                let after = board.after(square, board.flips(square));
                // A ply is a placed disc: a side without a legal move has already passed.
                next.push(if after.must_pass() { after.pass() } else { after }.canonical());
            }
        }
        next.sort_unstable();
        next.dedup();
        boards = next;
    }
    assert_eq!(boards.iter().filter(|board| board.can_move()).count(), 2_958_551);
}
