//! The kernels in plain Rust, for any machine.

use crate::Square;

/// The squares seen from each square: first in the four directions of rising numbers (steps 1, 7, 8
/// and 9), then in the four opposite ones.
#[repr(align(64))]
pub(crate) struct Rays(pub(crate) [[u64; 8]; 64]);

pub(crate) static RAYS: Rays = {
    const STEPS: [(i32, i32); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (step_x, step_y) = STEPS[direction];
            let (mut x, mut y) = (square as i32 % 8 + step_x, square as i32 / 8 + step_y);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[square][direction] |= 1 << (y * 8 + x);
                x += step_x;
                y += step_y;
            }
            direction += 1;
        }
        square += 1;
    }
    Rays(rays)
};

/// The discs that the side to move flips by playing on an empty square.
#[inline]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS.0[square.index() & 63];
    let mut flips = 0;
    for &ray in &rays[..4] {
        // The first square along the ray that is not an opponent's disc must hold an own one.
        let end = ray & !opponent;
        let end = end & end.wrapping_neg() & player;
        flips |= ray & end.wrapping_sub(u64::from(end != 0));
    }
    for &ray in &rays[4..] {
        let end = (1 << 63) >> ((ray & !opponent) | 1).leading_zeros();
        // When the end is own, its negation shifted up covers everything above it.
        let end = end & ray & player;
        flips |= ray & (end << 1).wrapping_neg();
    }
    flips
}

/// The legal moves of the side to move.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // Runs of opponent discs must not wrap from one side of the board to the other; up and down
    // nothing wraps.
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    let found = reached(player, inner, 1)
        | reached(player, inner, 7)
        | reached(player, opponent, 8)
        | reached(player, inner, 9);
    found & !(player | opponent)
}

/// The squares just behind a run of opponent discs that begins next to an own disc, along one line
/// in both directions.
#[inline]
fn reached(player: u64, opponent: u64, step: u32) -> u64 {
    // Runs are at most six long: one disc, then doubling.
    let mut up = opponent & (player << step);
    let mut down = opponent & (player >> step);
    up |= opponent & (up << step);
    down |= opponent & (down >> step);
    let pairs_up = opponent & (opponent << step);
    let pairs_down = opponent & (opponent >> step);
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// How many discs a disc placed at `position` flips on a full line of eight, by own discs there.
#[repr(align(64))]
pub(super) struct LineFlipCounts(pub(super) [[u8; 256]; 8]);

pub(super) static LINE_FLIP_COUNTS: LineFlipCounts = {
    let mut counts = [[0; 256]; 8];
    let mut position = 0;
    while position < 8 {
        let mut own = 0;
        while own < 256 {
            let mut left = position as i32 - 1;
            while left >= 0 && own >> left & 1 == 0 {
                left -= 1;
            }
            let mut right = position as i32 + 1;
            while right < 8 && own >> right & 1 == 0 {
                right += 1;
            }
            let mut count = 0;
            if left >= 0 {
                count += position as i32 - 1 - left;
            }
            if right < 8 {
                count += right - position as i32 - 1;
            }
            counts[position][own] = count as u8;
            own += 1;
        }
        position += 1;
    }
    LineFlipCounts(counts)
};

/// How many discs the side to move flips by playing on the only empty square.
///
/// Every square that holds none of `player`'s discs, other than `square`, holds an opponent's.
#[inline]
pub fn last_flip_count(player: u64, square: Square) -> u32 {
    let rays = &RAYS.0[square.index() & 63];
    let (column, row) = (usize::from(square.column()), usize::from(square.row()));
    // The discs of a line, gathered into a byte. A diagonal has at most one disc in each column.
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    let horizontal = player >> (8 * row) & 0xff;
    let vertical = ((player >> column) & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let falling = (player & (rays[3] | rays[7])).wrapping_mul(COLUMN_A) >> 56;
    let rising = (player & (rays[1] | rays[5])).wrapping_mul(COLUMN_A) >> 56;
    let counts = &LINE_FLIP_COUNTS.0;
    // A diagonal's ends stand inside the byte: the own disc nearest to the square still decides.
    u32::from(counts[column][horizontal as usize])
        + u32::from(counts[row][vertical as usize])
        + u32::from(counts[column][falling as usize])
        + u32::from(counts[column][rising as usize])
}
