//! The kernels in portable Rust, for any machine.

use crate::Square;

/// The squares visible from each square: first in the four directions of increasing square numbers (steps 1, 7, 8 and
/// 9), then in the four opposite ones.
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
    let index = square.index() & 63;
    let rays = &RAYS.0[index];
    let upwards = |ray: u64, player: u64, opponent: u64| {
        // The first square along the ray that is not an opponent's disc must hold a disc of the side to move.
        let end = ray & !opponent;
        let end = end & end.wrapping_neg() & player;
        ray & end.wrapping_sub(u64::from(end != 0))
    };
    let right_and_down = rays[..4].iter().fold(0, |flips, &ray| flips | upwards(ray, player, opponent));

    // The first square has the lowest number only in the upward directions, and isolating the highest bit is expensive.
    // On the board turned upside down, the three rays to higher rows point upwards, too.
    let (mirrored_player, mirrored_opponent) = (player.swap_bytes(), opponent.swap_bytes());
    let mirrored_rays = &RAYS.0[index ^ 56];
    let up = mirrored_rays[1..4]
        .iter()
        .fold(0, |flips, &ray| flips | upwards(ray, mirrored_player, mirrored_opponent))
        .swap_bytes();

    // To the left there are seven squares at most: smear the ends.
    let ray = rays[4];
    let ends = ray & !opponent;
    let mut smeared = ends | ends >> 1;
    smeared |= smeared >> 2;
    smeared |= smeared >> 4;
    let end = ends & player & !(smeared >> 1);
    // If it does, its negation shifted up covers everything above it.
    let left = ray & (end << 1).wrapping_neg();
    right_and_down | up | left
}

/// The legal moves of the side to move.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // Runs of opponent discs must not wrap from one side of the board to the other; vertically nothing wraps.
    const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let inner = opponent & INNER;

    // To the right, the carry of an addition runs through the opponent discs next to a disc of the side to move.
    let right = ((player << 1) & inner).wrapping_add(inner) & !inner;
    let found = right
        | reached_below(player, inner, 1)
        | reached_above(player, inner, 7)
        | reached_below(player, inner, 7)
        | reached_above(player, opponent, 8)
        | reached_below(player, opponent, 8)
        | reached_above(player, inner, 9)
        | reached_below(player, inner, 9);
    found & !(player | opponent)
}

/// The squares just behind a run of opponent discs that begins next to a disc of the side to move, in the direction of
/// higher square numbers.
#[inline]
fn reached_above(player: u64, opponent: u64, step: u32) -> u64 {
    // Runs are at most six long: one disc, two, then two more each time.
    let mut run = opponent & (player << step);
    run |= opponent & (run << step);
    let pairs = opponent & (opponent << step);
    run |= pairs & (run << (2 * step));
    run |= pairs & (run << (2 * step));
    run << step
}

/// The same in the direction of lower square numbers.
#[inline]
fn reached_below(player: u64, opponent: u64, step: u32) -> u64 {
    let mut run = opponent & (player >> step);
    run |= opponent & (run >> step);
    let pairs = opponent & (opponent >> step);
    run |= pairs & (run >> (2 * step));
    run |= pairs & (run >> (2 * step));
    run >> step
}

/// The number of discs that a disc placed at `position` flips on a full line of eight, indexed by the player's discs.
#[repr(align(64))]
struct LineFlipCounts([[u8; 256]; 8]);

static LINE_FLIP_COUNTS: LineFlipCounts = {
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

/// The two diagonals through each square: first the one that descends to the right, then the one that ascends.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS.0[square];
        diagonals[square] = [rays[3] | rays[7], rays[1] | rays[5]];
        square += 1;
    }
    diagonals
};

/// The number of discs that the side to move flips by playing on the only empty square.
///
/// All squares except `square` that are not in `player` hold discs of the opponent.
#[inline]
pub fn last_flip_count(player: u64, square: Square) -> u32 {
    let [falling, rising] = DIAGONALS[square.index() & 63];
    let counts_in_column = &LINE_FLIP_COUNTS.0[usize::from(square.column())];
    let counts_in_row = &LINE_FLIP_COUNTS.0[usize::from(square.row() & 7)];
    // The discs of a line, gathered into a byte. A diagonal has at most one disc in each column, so a multiplication
    // moves each one to its own bit. A short diagonal does not fill the byte, but the result still depends only on the
    // player's disc nearest to the square.
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    let horizontal = player >> (square.index() & 56) & 0xff;
    let vertical = ((player >> square.column()) & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let falling = (player & falling).wrapping_mul(COLUMN_A) >> 56;
    let rising = (player & rising).wrapping_mul(COLUMN_A) >> 56;
    u32::from(counts_in_column[horizontal as usize])
        + u32::from(counts_in_row[vertical as usize])
        + u32::from(counts_in_column[falling as usize])
        + u32::from(counts_in_column[rising as usize])
}

/// The shift that moves each corner of the board to the low end of a set of squares.
const CORNER_SHIFTS: [u32; 4] = [0, 5, 40, 45];

/// For each corner and each packed set of its nine squares, the base-three number with those digits, counted from the
/// corner.
static CORNER_DIGITS: [[u16; 512]; 4] = {
    let mut digits = [[0; 512]; 4];
    let mut corner = 0;
    while corner < 4 {
        let mut bits = 0;
        while bits < 512 {
            let mut bit = 0;
            while bit < 9 {
                if bits >> bit & 1 == 1 {
                    // The rows are packed in descending order.
                    let (column, row) = (bit % 3, 2 - bit / 3);
                    let column = if corner % 2 == 0 { column } else { 2 - column };
                    let row = if corner / 2 == 0 { row } else { 2 - row };
                    digits[corner][bits] += 3u16.pow(column + 3 * row);
                }
                bit += 1;
            }
            bits += 1;
        }
        corner += 1;
    }
    digits
};

/// The contents of the nine squares around each of the corners a1, h1, a8 and h8: nine-digit base-three numbers, with 1
/// for a disc of `player` and 2 for one of `opponent`. The corner is the lowest digit; its row of three comes first,
/// then the next row.
#[inline]
pub fn corner_indices(player: u64, opponent: u64) -> [u16; 4] {
    let digits = |set: u64, corner: usize| {
        let squares = (set >> CORNER_SHIFTS[corner] & 0x07_0707) as u32;
        // One multiplication packs the rows together; its other products do not overlap them.
        let packed = squares.wrapping_mul(1 | 1 << 11 | 1 << 22) >> 16 & 511;
        CORNER_DIGITS[corner][packed as usize]
    };
    let index = |corner: usize| digits(player, corner).wrapping_add(digits(opponent, corner) << 1);
    [index(0), index(1), index(2), index(3)]
}
