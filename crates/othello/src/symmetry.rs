//! The eight symmetries of the 8x8 grid.
//!
//! They are numbered 0 to 7: bit 2 of the number swaps columns and rows (reflection in the a1-h8 diagonal), then bit 1
//! turns the board upside down, then bit 0 mirrors left and right.

use crate::Square;

/// Mirrors left and right: a1 goes to h1.
#[inline]
const fn mirror_columns(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

/// Mirrors top and bottom: a1 goes to a8.
#[inline]
const fn mirror_rows(set: u64) -> u64 {
    set.swap_bytes()
}

/// Reflects in the a1-h8 diagonal: h1 goes to a8.
#[inline]
pub const fn transpose(mut set: u64) -> u64 {
    // Swaps the off-diagonal bits of 2x2 blocks, then of 4x4 blocks, then of the whole board.
    let mut swap = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    set ^= swap ^ (swap << 7);
    swap = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    set ^= swap ^ (swap << 14);
    swap = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^ swap ^ (swap << 28)
}

/// Applies symmetry number `index`, 0 to 7, to a set.
#[inline]
pub const fn transform(mut set: u64, index: usize) -> u64 {
    if index & 4 != 0 {
        set = transpose(set);
    }
    if index & 2 != 0 {
        set = mirror_rows(set);
    }
    if index & 1 != 0 {
        set = mirror_columns(set);
    }
    set
}

/// Applies symmetry number `index`, 0 to 7, to a square.
#[inline]
pub const fn transform_square(square: Square, index: usize) -> Square {
    Square::new(transform(square.bit(), index).trailing_zeros() as u8)
}

/// The inverse of symmetry number `index`.
#[inline]
pub const fn inverse(index: usize) -> usize {
    // The two quarter turns are inverse to each other, every other symmetry to itself.
    match index {
        5 => 6,
        6 => 5,
        _ => index,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_move_as_their_coordinates_say() {
        for square in Square::all() {
            let (column, row) = (square.column(), square.row());
            for index in 0..8 {
                let (mut x, mut y) = (column, row);
                if index & 4 != 0 {
                    (x, y) = (y, x);
                }
                if index & 2 != 0 {
                    y = 7 - y;
                }
                if index & 1 != 0 {
                    x = 7 - x;
                }
                assert_eq!(transform_square(square, index), Square::at(x, y), "{square} by {index}");
                assert_eq!(transform_square(Square::at(x, y), inverse(index)), square);
            }
        }
    }
}
