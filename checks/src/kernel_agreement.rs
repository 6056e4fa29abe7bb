//! The kernels against one another: without the slow reference, many more positions can be compared.

use othello::kernels::Kernel;
use othello::random::Random;
use othello::{Board, Rules, SquareSet, squares};

use crate::agreement::Differences;

/// Compares kernels on positions of the 8x8 board. Half of them come from random games, the others are arbitrary, some of
/// them with a single empty square.
pub(crate) fn compare_kernels(kernels: &[Kernel], random: &mut Random, size: u64) -> Differences {
    let mut differences = Vec::new();
    let Some((first, others)) = kernels.split_first() else { return differences };
    let mut game = Board::start();
    for number in 0..size {
        let board = match number % 8 {
            0..4 => {
                game = next_of_game(first, random, &game);
                game
            }
            4..7 => arbitrary(random),
            _ => with_one_empty(random),
        };
        compare(first, others, &board, &mut differences);
    }
    differences
}

/// Compares the first kernel with each of the others, and its functions with each other.
fn compare(first: &Kernel, others: &[Kernel], board: &Board, differences: &mut Differences) {
    let (player, opponent, empties) = (board.player(), board.opponent(), board.empties());
    let mut check = |is_equal: bool, kernel: &Kernel, what: &str| {
        if !is_equal {
            differences.push(format!("{board:?}: {what} by the {} and {} kernels differ", first.name, kernel.name));
        }
    };
    let mut squares_with_flips = 0;
    for square in squares(empties) {
        let flips = (first.flips)(player, opponent, square);
        if flips != 0 {
            squares_with_flips |= square.bit();
        }
        for other in others {
            check((other.flips)(player, opponent, square) == flips, other, "flips");
        }
    }
    let moves = (first.moves)(player, opponent);
    check(moves == squares_with_flips, first, "moves and squares with flips");
    let corners = (first.corner_indices)(player, opponent);
    for other in others {
        check((other.moves)(player, opponent) == moves, other, "moves");
        check((other.corner_indices)(player, opponent) == corners, other, "corner indices");
    }
    if let (1, Some(square)) = (empties.count(), empties.first()) {
        for (player, opponent) in [(player, opponent), (opponent, player)] {
            let count = (first.last_flip_count)(player, square);
            check((first.flips)(player, opponent, square).count() == count, first, "flips and counts of last flips");
            for other in others {
                check((other.last_flip_count)(player, square) == count, other, "counts of last flips");
            }
        }
    }
}

/// The board after a random move or a forced pass, or a new game.
fn next_of_game(kernel: &Kernel, random: &mut Random, board: &Board) -> Board {
    let moves = |board: &Board| (kernel.moves)(board.player(), board.opponent()) & board.empties();
    let own = moves(board);
    if let Some(square) = squares(own).nth(random.below(own.count() as usize)) {
        board.after(square, (kernel.flips)(board.player(), board.opponent(), square) & board.opponent())
    } else if moves(&board.pass()) != 0 {
        board.pass()
    } else {
        Board::start()
    }
}

/// A board with random discs, from empty to full, evenly mixed or of one color.
fn arbitrary(random: &mut Random) -> Board {
    let discs = scattered(random);
    let own = scattered(random);
    Board::from_discs(discs & own, discs & !own)
}

/// A full board of random discs except for one square.
fn with_one_empty(random: &mut Random) -> Board {
    let discs = !(1 << random.below(64));
    // Long runs of one color are rare among evenly mixed discs.
    let own = scattered(random);
    Board::from_discs(discs & own, discs & !own)
}

/// A random set of squares, each of which is in it with the same probability, which is random too: 0 to 256 of 256.
fn scattered(random: &mut Random) -> u64 {
    let share = random.below(257);
    if share == 256 {
        return u64::MAX;
    }
    // A digit of the binary fraction for each step: with p so far, "or" gives (1 + p) / 2 and "and" p / 2.
    (0..8).fold(0, |set, digit| if share >> digit & 1 == 1 { set | random.bits() } else { set & random.bits() })
}

#[cfg(test)]
mod tests {
    use othello::kernels::{BUILT, portable};

    use super::*;

    const PORTABLE: Kernel = BUILT[0];

    /// The number of differences on some positions.
    fn differences(kernels: &[Kernel]) -> usize {
        compare_kernels(kernels, &mut Random::new(3), 4_000).len()
    }

    #[test]
    fn the_kernels_of_this_build_agree() {
        assert_eq!(compare_kernels(BUILT, &mut Random::new(1), 20_000), Vec::<String>::new());
    }

    #[test]
    fn every_broken_kernel_is_noticed() {
        let broken = [
            Kernel {
                // Right for all other squares, and for most positions.
                flips: |player, opponent, square| {
                    let flips = portable::flips(player, opponent, square);
                    if square.bit() == 1 << 63 { flips & !0x0040_2010_0804_0000 } else { flips }
                },
                ..PORTABLE
            },
            Kernel { moves: |player, opponent| portable::moves(player, opponent) & !(1 << 27), ..PORTABLE },
            Kernel { last_flip_count: |player, square| portable::last_flip_count(player, square).min(6), ..PORTABLE },
            Kernel { corner_indices: |player, opponent| portable::corner_indices(player & !1, opponent), ..PORTABLE },
        ];
        assert_eq!(differences(&[PORTABLE, PORTABLE]), 0);
        for (index, broken) in broken.iter().enumerate() {
            assert!(differences(&[PORTABLE, *broken]) > 0, "fault {index} of the second kernel");
            assert!(differences(&[PORTABLE, PORTABLE, *broken]) > 0, "fault {index} of the third kernel");
            assert!(differences(&[*broken, PORTABLE]) > 0, "fault {index} of the first kernel");
        }
        // A fault that all kernels have is one between their functions.
        for (index, broken) in broken[..3].iter().enumerate() {
            assert!(differences(&[*broken, *broken]) > 0, "fault {index} of all kernels");
        }
    }

    #[test]
    fn scattered_squares_are_of_all_densities() {
        let mut random = Random::new(1);
        let mut total = 0;
        let mut sizes = [0; 65];
        for _ in 0..100_000 {
            let set = scattered(&mut random);
            total += set.count();
            sizes[set.count() as usize] += 1;
        }
        let mean = f64::from(total) / 100_000.0;
        assert!((31.8..32.2).contains(&mean), "{mean}");
        // Every number of squares is about equally frequent; empty and full sets get some more.
        assert!(sizes.iter().all(|&count| count > 1_100), "{sizes:?}");
    }
}
