//! A disc that is reported as stable is never flipped by any continuation.

use std::collections::HashSet;

use othello::random::Random;
use othello::stability::{stable_discs, stable_discs_within};
use othello::{Board, Rules, SmallBoard, squares};

/// A position of a random game with at most this many empty squares, if the game gets there.
fn random_position<B: Rules<Set = u64>>(random: &mut Random, empty_count: u32) -> Option<B> {
    let mut board = B::start();
    while board.empties().count_ones() > empty_count {
        let mut moves = board.moves();
        if moves == 0 {
            board = board.pass();
            moves = board.moves();
            if moves == 0 {
                return None;
            }
        }
        let square = squares(moves).nth(random.below(moves.count_ones() as usize)).unwrap();
        board = board.play(square).unwrap();
    }
    Some(board)
}

/// Plays out every continuation and looks for a move that flips one of the discs.
fn assert_never_flipped<B: Rules<Set = u64>>(board: B, stable: u64, seen: &mut HashSet<B>) {
    if !seen.insert(board) {
        return;
    }
    let moves = board.moves();
    if moves == 0 {
        if board.pass().can_move() {
            assert_never_flipped(board.pass(), stable, seen);
        }
        return;
    }
    for square in squares(moves) {
        let flips = board.flips(square);
        assert_eq!(flips & stable, 0, "{square} flips a disc called stable in {board:?}");
        assert_never_flipped(board.after(square, flips), stable, seen);
    }
}

#[test]
fn no_disc_called_stable_is_flipped_in_any_continuation_on_8x8() {
    let mut random = Random::new(2026);
    let mut checked = 0;
    let mut stable_count = 0;
    while checked < 10_000 {
        let empty_count = 4 + random.below_u32(5);
        let Some(board) = random_position::<Board>(&mut random, empty_count) else { continue };
        let stable = stable_discs(board.player, board.opponent) | stable_discs(board.opponent, board.player);
        assert_never_flipped(board, stable, &mut HashSet::new());
        stable_count += stable.count_ones();
        checked += 1;
    }
    // "None" would always be correct, but useless: most discs are stable this late in the game.
    assert!(stable_count / checked > 20, "{} stable discs a position", stable_count / checked);
}

#[test]
fn no_disc_called_stable_is_flipped_in_any_continuation_on_6x6() {
    let mut random = Random::new(6);
    for _ in 0..1_000 {
        let empty_count = 4 + random.below_u32(5);
        let Some(board) = random_position::<SmallBoard<6>>(&mut random, empty_count) else { continue };
        let (own, other) = (board.player(), board.opponent());
        let playable = SmallBoard::<6>::PLAYABLE;
        let stable = stable_discs_within(own, other, playable) | stable_discs_within(other, own, playable);
        assert_never_flipped(board, stable, &mut HashSet::new());
    }
}
