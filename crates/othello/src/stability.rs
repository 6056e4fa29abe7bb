//! Stable discs: those that no sequence of moves can flip.
//!
//! The result is a subset of all stable discs: the edges exactly, by table; discs whose four lines are full; and discs
//! that in all four directions are next to such discs, the edge of the board or full lines.

#[cfg(test)]
use crate::kernels::portable::RAYS;

/// The discs of an edge of eight squares that are never flipped, whatever both sides play on it.
///
/// Indexed by the discs of one side plus 256 times those of the other; the entry contains the stable discs of both.
static EDGE: [u8; 65536] = edge_table();

/// Discs flipped on a line by placing a disc at `position`.
const fn line_flips(own: u8, other: u8, position: u32) -> u8 {
    let mut flips = 0;
    let mut run = 0u8;
    let mut at = position + 1;
    while at < 8 && other >> at & 1 != 0 {
        run |= 1 << at;
        at += 1;
    }
    if at < 8 && own >> at & 1 != 0 {
        flips |= run;
    }
    run = 0;
    at = position;
    while at > 0 && other >> (at - 1) & 1 != 0 {
        at -= 1;
        run |= 1 << at;
    }
    if at > 0 && own >> (at - 1) & 1 != 0 {
        flips |= run;
    }
    flips
}

// 6561 edges with up to sixteen placements each take the compiler about a second.
#[allow(long_running_const_eval)]
const fn edge_table() -> [u8; 65536] {
    let mut table = [0; 65536];
    // A placement leaves one empty square fewer, so fuller edges come first.
    let mut empty_count = 0;
    while empty_count <= 8 {
        let mut occupied = 0usize;
        while occupied < 256 {
            if (occupied as u8).count_zeros() == empty_count {
                // All ways to split the discs between the sides.
                let mut own = occupied;
                loop {
                    let other = occupied & !own;
                    table[own | other << 8] = edge_entry(&table, own as u8, other as u8);
                    if own == 0 {
                        break;
                    }
                    own = (own - 1) & occupied;
                }
            }
            occupied += 1;
        }
        empty_count += 1;
    }
    table
}

const fn edge_entry(fuller: &[u8; 65536], own: u8, other: u8) -> u8 {
    let mut stable = own | other;
    let mut position = 0;
    while position < 8 && stable != 0 {
        if (own | other) >> position & 1 == 0 {
            // Either side may be able to play here, with or without flips along the edge.
            let flips = line_flips(own, other, position);
            let (o, x) = (own | flips | 1 << position, other & !flips);
            stable &= !flips & fuller[o as usize | (x as usize) << 8];
            let flips = line_flips(other, own, position);
            let (o, x) = (own & !flips, other | flips | 1 << position);
            stable &= !flips & fuller[o as usize | (x as usize) << 8];
        }
        position += 1;
    }
    stable
}

const ROW_1: u64 = 0xff;
const ROW_8: u64 = 0xff << 56;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// The discs of column a as a byte, row 1 in the lowest bit.
#[inline]
const fn gather(set: u64) -> usize {
    ((set & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// The inverse of [`gather`].
#[inline]
const fn scatter(byte: u8) -> u64 {
    // Each row gets a copy of the byte; then the bit that belongs to the row is moved to column a.
    let copies = (byte as u64).wrapping_mul(COLUMN_A) & 0x8040_2010_0804_0201;
    // Any bit set in a row carries into the row's highest bit.
    (((((copies + 0x007f_7f7f_7f7f_7f7f) & !copies) | copies) >> 7) & COLUMN_A) | (copies >> 63 << 56)
}

#[inline]
const fn edge(own: usize, other: usize) -> u8 {
    EDGE[own | other << 8]
}

#[inline]
fn stable_edges(own: u64, other: u64) -> u64 {
    let top = u64::from(edge((own & ROW_1) as usize, (other & ROW_1) as usize));
    let bottom = u64::from(edge((own >> 56) as usize, (other >> 56) as usize)) << 56;
    let left = scatter(edge(gather(own), gather(other)));
    let right = scatter(edge(gather(own >> 7), gather(other >> 7))) << 7;
    top | bottom | left | right
}

/// The squares whose lines are full, for the four directions: horizontal, vertical, descending (a1-h8) and ascending
/// (a8-h1).
#[inline]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut rows = occupied & occupied >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    let horizontal = (rows & COLUMN_A).wrapping_mul(0xff);

    let mut columns = occupied & occupied.rotate_right(8);
    columns &= columns.rotate_right(16);
    let vertical = columns & columns.rotate_right(32);

    // Along a diagonal a square is full towards one end if it is occupied and its neighbor is full in that direction or
    // off the board; doubling the distance three times covers seven steps.
    let mut down = occupied & (0xff80_8080_8080_8080 | occupied >> 9);
    let mut up = occupied & (0x0101_0101_0101_01ff | occupied << 9);
    down &= 0xffff_c0c0_c0c0_c0c0 | down >> 18;
    up &= 0x0303_0303_0303_ffff | up << 18;
    down &= 0xffff_ffff_f0f0_f0f0 | down >> 36;
    up &= 0x0f0f_0f0f_ffff_ffff | up << 36;
    let falling = down & up;

    let mut down = occupied & (0xff01_0101_0101_0101 | occupied >> 7);
    let mut up = occupied & (0x8080_8080_8080_80ff | occupied << 7);
    down &= 0xffff_0303_0303_0303 | down >> 14;
    up &= 0xc0c0_c0c0_c0c0_ffff | up << 14;
    down &= 0xffff_ffff_0f0f_0f0f | down >> 28;
    up &= 0xf0f0_f0f0_ffff_ffff | up << 28;
    let rising = down & up;

    [horizontal, vertical, falling, rising]
}

/// Discs of the first side that are stable, on the 8x8 board.
///
/// ```
/// use othello::stability::stable_discs;
///
/// // A corner and the two discs beside it along the edge; the opponent's disc behind is no threat.
/// assert_eq!(stable_discs(0b0000_0111, 0b0000_1000), 0b0000_0111);
/// // Without the corner nothing is safe.
/// assert_eq!(stable_discs(0b0000_0110, 0), 0);
/// ```
#[inline]
pub fn stable_discs(own: u64, other: u64) -> u64 {
    let known = stable_edges(own, other) & own;
    spread(own, known, full_lines(own | other), 0)
}

/// Discs of the first side that are stable on a smaller board that has only the squares `playable` of the 8x8 grid.
pub fn stable_discs_within(own: u64, other: u64, playable: u64) -> u64 {
    // Squares outside can never be played: they count as full and as stable.
    spread(own, 0, full_lines(own | other | !playable), !playable)
}

/// Adds discs to the known stable ones that in every direction are next to stable discs, full lines, the edge of the
/// board or walls, until nothing changes.
#[inline]
fn spread(own: u64, known: u64, full: [u64; 4], walls: u64) -> u64 {
    const RIM_SIDES: u64 = COLUMN_A | COLUMN_H;
    const RIM_ENDS: u64 = ROW_1 | ROW_8;
    let firm_horizontal = full[0] | RIM_SIDES;
    let firm_vertical = full[1] | RIM_ENDS;
    let firm_falling = full[2] | RIM_SIDES | RIM_ENDS;
    let firm_rising = full[3] | RIM_SIDES | RIM_ENDS;
    // On the edges of the 8x8 board only the table decides about the direction along the edge.
    let mut stable = known | own & full[0] & full[1] & full[2] & full[3];
    loop {
        let support = stable | walls;
        let horizontal = (support << 1 & !COLUMN_A) | (support >> 1 & !COLUMN_H) | firm_horizontal;
        let vertical = support << 8 | support >> 8 | firm_vertical;
        let falling = (support << 9 & !COLUMN_A) | (support >> 9 & !COLUMN_H) | firm_falling;
        let rising = (support << 7 & !COLUMN_H) | (support >> 7 & !COLUMN_A) | firm_rising;
        let more = own & horizontal & vertical & falling & rising & !stable;
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_gather_and_scatter() {
        for byte in 0..=255u8 {
            let column = (0..8).filter(|row| byte >> row & 1 != 0).fold(0, |set, row| set | 1u64 << (8 * row));
            assert_eq!(gather(column), usize::from(byte));
            assert_eq!(scatter(byte), column);
        }
    }

    #[test]
    fn full_lines_are_those_without_a_gap_on_either_ray() {
        let mut random = 0x1234_5678_9abc_def1_u64;
        for _ in 0..10_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let occupied = random | random.rotate_left(21) | random.rotate_left(42) | random.rotate_left(5);
            let full = full_lines(occupied);
            for square in 0..64 {
                let rays = &RAYS.0[square];
                for (line, rays) in [(0, [0, 4]), (1, [2, 6]), (2, [3, 7]), (3, [1, 5])]
                    .map(|(line, directions)| (line, directions.map(|direction: usize| rays[direction])))
                {
                    let squares = rays[0] | rays[1] | 1 << square;
                    assert_eq!(
                        full[line] >> square & 1 != 0,
                        squares & !occupied == 0,
                        "line {line} of square {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_edge_table_has_textbook_edges() {
        let stable = |text: &str| {
            let set =
                |disc| text.bytes().enumerate().filter(|&(_, b)| b == disc).fold(0, |set, (at, _)| set | 1usize << at);
            format!("{:08b}", edge(set(b'X'), set(b'O')).reverse_bits())
        };
        assert_eq!(stable("XXXXXXXX"), "11111111");
        assert_eq!(stable("--------"), "00000000");
        assert_eq!(stable("XXX--OOO"), "11100111");
        assert_eq!(stable("-XXXXXX-"), "00000000");
        assert_eq!(stable("XOXXXXXO"), "11111111");
        assert_eq!(stable("X-XXXXXO"), "10000001");
    }
}
