//! The kernels for AVX2: four lines of the board in the four lanes of a register.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::portable::RAYS;
use crate::Square;

// Gathering the lines with BMI2 is no faster than with multiplications, and far slower on CPUs that implement `pext` in
// microcode.
pub use super::portable::last_flip_count;

/// The discs that the side to move flips by playing on an empty square.
#[inline]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    // SAFETY: this module is compiled only where AVX2 is part of the target.
    unsafe { flips_avx2(player, opponent, square.index() & 63) }
}

/// The legal moves of the side to move.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: as above.
    unsafe { moves_avx2(player, opponent) }
}

/// The contents of the nine squares around each corner; see
/// [`portable::corner_indices`](super::portable::corner_indices).
#[inline]
pub fn corner_indices(player: u64, opponent: u64) -> [u16; 4] {
    // SAFETY: as above.
    unsafe { corner_indices_avx2(player, opponent) }
}

/// The distance between neighbors on the four lines.
#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    _mm256_set_epi64x(9, 8, 7, 1)
}

/// All bits of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn union_of_lanes(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_avx2(player: u64, opponent: u64, square: usize) -> u64 {
    let zero = _mm256_setzero_si256();
    let own = _mm256_set1_epi64x(player as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let rays = RAYS.0[square].as_ptr().cast::<__m256i>();
    // SAFETY: a row of RAYS is 64 bytes long and aligned to 64 bytes.
    let (up, down) = unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) };

    // Upwards, the first square that is not an opponent's disc is the lowest bit, and subtracting
    // one from it fills the gap below.
    let ends = _mm256_andnot_si256(other, up);
    let end = _mm256_and_si256(_mm256_and_si256(ends, _mm256_sub_epi64(zero, ends)), own);
    let none = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_sub_epi64(end, _mm256_set1_epi64x(1));
    let up_flips = _mm256_andnot_si256(none, _mm256_and_si256(below, up));

    // Downwards there is no such subtraction: smear the ends towards lower squares instead.
    let step = steps();
    let step2 = _mm256_set_epi64x(18, 16, 14, 2);
    let step4 = _mm256_set_epi64x(36, 32, 28, 4);
    let ends = _mm256_andnot_si256(other, down);
    let mut smeared = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, step));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, step2));
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, step4));
    let end = _mm256_andnot_si256(_mm256_srlv_epi64(smeared, step), _mm256_and_si256(ends, own));
    let none = _mm256_cmpeq_epi64(end, zero);
    let down_flips = _mm256_andnot_si256(_mm256_or_si256(none, smeared), down);

    union_of_lanes(_mm256_or_si256(up_flips, down_flips))
}

#[inline]
#[target_feature(enable = "avx2")]
fn moves_avx2(player: u64, opponent: u64) -> u64 {
    let own = _mm256_set1_epi64x(player as i64);
    // Only runs along a column may use the outer columns: elsewhere they would wrap around.
    let inner = _mm256_set_epi64x(0x7e7e_7e7e_7e7e_7e7e, -1, 0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e);
    let other = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), inner);
    let step = steps();
    let step2 = _mm256_add_epi64(step, step);

    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    }
    let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union_of_lanes(found) & !(player | opponent)
}

#[inline]
#[target_feature(enable = "avx2")]
fn corner_indices_avx2(player: u64, opponent: u64) -> [u16; 4] {
    // The rows of the left corners are in the lower half, those of the right corners in the upper half: in each, the
    // upper and the lower corner of the player, then those of the opponent, three bytes and an empty one each.
    let discs = _mm256_broadcastsi128_si256(_mm_set_epi64x(opponent as i64, player as i64));
    let order = _mm_setr_epi8(0, 1, 2, -1, 7, 6, 5, -1, 8, 9, 10, -1, 15, 14, 13, -1);
    let rows = _mm256_shuffle_epi8(discs, _mm256_broadcastsi128_si256(order));
    let shifts = _mm256_setr_epi32(0, 0, 0, 0, 5, 5, 5, 5);
    let rows = _mm256_and_si256(_mm256_srlv_epi32(rows, shifts), _mm256_set1_epi8(7));
    // Three squares as base-three digits, the square at the edge of the board being the lowest digit.
    let left = _mm_setr_epi8(0, 1, 3, 4, 9, 10, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0);
    let right = _mm_setr_epi8(0, 9, 3, 12, 1, 10, 4, 13, 0, 0, 0, 0, 0, 0, 0, 0);
    let digits = _mm256_shuffle_epi8(_mm256_set_m128i(right, left), rows);
    // Combine the three rows; the opponent's discs count twice.
    let row_weights = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 27, 1, 0, 1, 27, 1, 0, 2, 54, 2, 0, 2, 54, 2, 0));
    let pairs = _mm256_maddubs_epi16(digits, row_weights);
    let sums = _mm256_madd_epi16(pairs, _mm256_set1_epi32(729 << 16 | 1));
    let sums = _mm256_add_epi32(sums, _mm256_unpackhi_epi64(sums, sums));
    let left = _mm_cvtsi128_si64(_mm256_castsi256_si128(sums)) as u64;
    let right = _mm_cvtsi128_si64(_mm256_extracti128_si256::<1>(sums)) as u64;
    [left as u16, right as u16, (left >> 32) as u16, (right >> 32) as u16]
}
