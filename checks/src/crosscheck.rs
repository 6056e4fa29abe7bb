//! `cargo xtask crosscheck`: every kernel and every board against the reference of the rules, and the kernels against
//! one another.

use anyhow::{Result, ensure};
use othello::random::Random;
use othello::{Board, CutBoard, Rules, SmallBoard, SquareSet, kernels, squares};

use crate::agreement::{Differences, compare, compare_with_kernels, square, to_reference};
use crate::batches::Batches;
use crate::kernel_agreement::compare_kernels;

/// Compare every kernel and every board with the slow reference on random positions, and the kernels with one another
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Positions on which to compare kernels and boards with the reference
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// 8x8 positions on which to compare the kernels only with one another, thirty times as fast
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    kernels: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// The positions of a batch for the reference, which are all on the same board.
const BATCH: u64 = 1_000;

/// The positions of a batch for the kernels alone.
const KERNEL_BATCH: u64 = 100_000;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let names = kernels::BUILT.iter().map(|kernel| kernel.name).collect::<Vec<_>>().join(", ");
    let what = format!("on which all boards and kernels ({names}) were compared with the reference");
    let with_reference = Batches { what: &what, total: arguments.positions, skip: 0, size: BATCH }
        .process(|batch, size| check_batch(&mut Random::of_item(arguments.seed, batch), batch, size));
    let what = format!("on which the kernels ({names}) were compared with one another");
    let among_kernels = Batches { what: &what, total: arguments.kernels, skip: 0, size: KERNEL_BATCH }
        .process(|batch, size| compare_kernels(kernels::BUILT, &mut Random::of_item(!arguments.seed, batch), size));
    ensure!(
        with_reference + among_kernels == 0,
        "{with_reference} differences from the reference, {among_kernels} among the kernels"
    );
    Ok(())
}

/// Compares the positions of one batch, all on the same board.
fn check_batch(random: &mut Random, batch: u64, size: u64) -> Differences {
    // The 8x8 board matters most.
    match batch % 5 {
        0 | 1 => check_positions::<Board>(random, size, compare_with_kernels),
        2 => check_positions::<SmallBoard<6>>(random, size, compare_with_kernels),
        3 => check_positions::<SmallBoard<4>>(random, size, compare_with_kernels),
        _ => check_positions::<CutBoard>(random, size, compare),
    }
}

/// Half the positions come from random games, the others are arbitrary, some of them with a single empty square.
fn check_positions<B: Rules>(random: &mut Random, size: u64, compare: fn(&B) -> Differences) -> Differences {
    let mut differences = Vec::new();
    let mut game = B::start();
    for number in 0..size {
        let board = match number % 8 {
            0..4 => {
                game = next_of_game(random, &game);
                game
            }
            4..7 => arbitrary(random),
            _ => with_one_empty(random),
        };
        differences.extend(compare(&board));
    }
    differences
}

/// The board after a random move or a forced pass, or a new game.
fn next_of_game<B: Rules>(random: &mut Random, board: &B) -> B {
    // The reference chooses: a wrong move generator must not influence its own test.
    let reference = to_reference(board);
    let moves = reference.moves();
    if !moves.is_empty() {
        let square = square::<B>(moves[random.below(moves.len())]);
        board.after(square, board.flips(square))
    } else if reference.must_pass() {
        board.pass()
    } else {
        B::start()
    }
}

/// A board with random discs, from nearly empty to nearly full, evenly mixed or nearly of one color.
fn arbitrary<B: Rules>(random: &mut Random) -> B {
    let filled = random.below(257);
    let own = random.below(257);
    let mut player = B::Set::EMPTY;
    let mut opponent = B::Set::EMPTY;
    for square in squares(B::PLAYABLE) {
        if random.below(256) < filled {
            let side = if random.below(256) < own { &mut player } else { &mut opponent };
            *side |= B::Set::only(square);
        }
    }
    B::from_discs(player, opponent)
}

/// A full board of random discs except for one square.
fn with_one_empty<B: Rules>(random: &mut Random) -> B {
    let empty = random.below(B::PLAYABLE.count() as usize);
    // Long runs of one color are rare among evenly mixed discs.
    let own = random.below(257);
    let mut player = B::Set::EMPTY;
    let mut opponent = B::Set::EMPTY;
    for (number, square) in squares(B::PLAYABLE).enumerate() {
        if number != empty {
            let side = if random.below(256) < own { &mut player } else { &mut opponent };
            *side |= B::Set::only(square);
        }
    }
    B::from_discs(player, opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_and_boards_agree_with_the_reference() {
        for batch in 0..10 {
            assert_eq!(check_batch(&mut Random::of_item(7, batch), batch, BATCH), Differences::new());
        }
    }
}
