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

/// Perft with the functions of one kernel.
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

#[test]
fn every_kernel_counts_what_is_known_with_passes_as_plies() {
    let start = Board::start();
    for kernel in kernels::BUILT {
        for (depth, leaves, _) in known_counts() {
            let found = kernel_perft(kernel, start.player, start.opponent, depth, PassCounts::AsPly);
            assert_eq!(found, leaves, "{} kernel, depth {depth}", kernel.name);
        }
    }
}

#[test]
fn every_kernel_counts_what_is_known_with_passes_free() {
    let start = Board::start();
    for kernel in kernels::BUILT {
        for (depth, _, leaves) in known_counts() {
            let found = kernel_perft(kernel, start.player, start.opponent, depth, PassCounts::Free);
            assert_eq!(found, leaves, "{} kernel, depth {depth}", kernel.name);
        }
    }
}

#[test]
fn the_board_counts_what_is_known() {
    for (depth, as_ply, free) in known_counts() {
        assert_eq!(perft(&Board::start(), depth, PassCounts::AsPly), as_ply, "depth {depth}");
        assert_eq!(perft(&Board::start(), depth, PassCounts::Free), free, "depth {depth}");
    }
}

fn assert_counts_equal_the_reference<B: Rules>(deepest: u32) {
    let reference = ReferenceBoard::start(B::GEOMETRY.name).unwrap();
    for depth in 0..=deepest {
        let name = B::GEOMETRY.name;
        assert_eq!(
            perft(&B::start(), depth, PassCounts::AsPly),
            reference.perft(depth, false),
            "{name}, {depth} plies"
        );
        assert_eq!(perft(&B::start(), depth, PassCounts::Free), reference.perft(depth, true), "{name}, {depth} discs");
    }
}

#[test]
fn the_8x8_board_counts_as_the_reference_does() {
    assert_counts_equal_the_reference::<Board>(7);
}

#[test]
fn the_6x6_board_counts_as_the_reference_does() {
    assert_counts_equal_the_reference::<SmallBoard<6>>(8);
}

#[test]
fn the_4x4_board_counts_as_the_reference_does_to_the_end_of_every_game() {
    assert_counts_equal_the_reference::<SmallBoard<4>>(16);
}

#[test]
fn the_92_square_board_counts_as_the_reference_does() {
    assert_counts_equal_the_reference::<CutBoard>(7);
}
