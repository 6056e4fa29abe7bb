//! The number of move sequences equals the known counts on every kernel, and that of the reference implementation on
//! every board.

use othello::kernels::{self, Kernel};
use othello::perft::{PassCounts, perft};
use othello::reference::ReferenceBoard;
use othello::{Board, CutBoard, Rules, SmallBoard, squares};

/// Depth, leaves with passes counted as plies, leaves with passes not counted.
fn known_counts() -> Vec<(u32, u64, u64)> {
    let lines = include_str!("data/perft.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let numbers: Vec<u64> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
            (numbers[0] as u32, numbers[1], numbers[2])
        })
        .collect()
}

fn kernel_perft(kernel: &Kernel, player: u64, opponent: u64, depth: u32, passes: PassCounts) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = (kernel.moves)(player, opponent);
    if moves == 0 {
        return if (kernel.moves)(opponent, player) == 0 {
            1
        } else {
            kernel_perft(kernel, opponent, player, depth - u32::from(passes == PassCounts::AsPly), passes)
        };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    squares(moves)
        .map(|square| {
            let flips = (kernel.flips)(player, opponent, square);
            kernel_perft(kernel, opponent ^ flips, player | flips | square.bit(), depth - 1, passes)
        })
        .sum()
}

fn assert_known_counts(passes: PassCounts) {
    let start = Board::start();
    for (depth, as_ply, free) in known_counts() {
        let leaves = if passes == PassCounts::AsPly { as_ply } else { free };
        assert_eq!(perft(&start, depth, passes), leaves, "depth {depth}");
        for kernel in kernels::BUILT {
            let found = kernel_perft(kernel, start.player, start.opponent, depth, passes);
            assert_eq!(found, leaves, "{} kernel, depth {depth}", kernel.name);
        }
    }
}

#[test]
fn the_board_and_every_kernel_count_what_is_known_with_passes_as_plies() {
    assert_known_counts(PassCounts::AsPly);
}

#[test]
fn the_board_and_every_kernel_count_what_is_known_with_passes_free() {
    assert_known_counts(PassCounts::Free);
}

fn assert_counts_equal_the_reference<B: Rules>(max_depth: u32) {
    let name = B::GEOMETRY.name;
    let reference = ReferenceBoard::start(name).unwrap();
    for depth in 0..=max_depth {
        for (passes, is_free) in [(PassCounts::AsPly, false), (PassCounts::Free, true)] {
            let leaves = reference.perft(depth, is_free);
            assert_eq!(perft(&B::start(), depth, passes), leaves, "{name}, depth {depth}, {passes:?}");
        }
    }
}

#[test]
fn every_board_counts_as_the_reference_does() {
    assert_counts_equal_the_reference::<Board>(7);
    assert_counts_equal_the_reference::<SmallBoard<6>>(8);
    // To the end of every game.
    assert_counts_equal_the_reference::<SmallBoard<4>>(16);
    assert_counts_equal_the_reference::<CutBoard>(7);
}
