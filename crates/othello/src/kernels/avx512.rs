//! The kernels for AVX-512: four or eight directions in the lanes of a register, with rotations, leading zeros and
//! three-operand logic in every lane.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::avx2::union_of_lanes;
use super::portable::RAYS;
use crate::Square;

pub use super::avx2::corner_indices;
pub use super::portable::last_flip_count;

/// The three-operand functions, as truth tables of the operands a, b and c.
const A: i32 = 0xf0;
const B: i32 = 0xcc;
const C: i32 = 0xaa;

/// The discs that the side to move flips by playing on an empty square.
#[inline]
pub fn flips(player: u64, opponent: u64, square: Square) -> u64 {
    // SAFETY: this module is compiled only where these parts of AVX-512 are part of the target.
    unsafe { flips_avx512(player, opponent, square.index() & 63) }
}

/// The legal moves of the side to move.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: as above.
    unsafe { moves_avx512(player, opponent) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd")]
fn flips_avx512(player: u64, opponent: u64, square: usize) -> u64 {
    let zero = _mm256_setzero_si256();
    let own = _mm256_set1_epi64x(player as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let rays = RAYS.0[square].as_ptr().cast::<__m256i>();
    // SAFETY: a row of RAYS is 64 bytes long and aligned to 64 bytes.
    let (up, down) = unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) };

    // Upwards, the first square that is not an opponent's disc is the lowest bit, and subtracting one from it fills the
    // gap below.
    let ends = _mm256_andnot_si256(other, up);
    let end = _mm256_ternarylogic_epi64::<{ A & B & C }>(ends, _mm256_sub_epi64(zero, ends), own);
    let none = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
    let up_flips = _mm256_ternarylogic_epi64::<{ !A & B & C }>(none, below, up);

    // Downwards it is the highest bit. Rotating one by the number of zeros above it gives the square just above it, and
    // subtracting that from zero fills the gap above. If there is none, one is not rotated at all and meets no disc.
    let ends = _mm256_andnot_si256(other, down);
    let above = _mm256_rorv_epi64(_mm256_set1_epi64x(1), _mm256_lzcnt_epi64(ends));
    let above = _mm256_and_si256(above, _mm256_add_epi64(own, own));
    let filled = _mm256_sub_epi64(zero, above);
    let flips = _mm256_ternarylogic_epi64::<{ A | (B & C) }>(up_flips, filled, down);

    union_of_lanes(flips)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn moves_avx512(player: u64, opponent: u64) -> u64 {
    // A run of discs has a square before and behind it: it contains no disc of the outer rows, unless it runs along a
    // row, and none of the outer columns, unless it runs along a column. Therefore rotations may replace shifts.
    const ROW: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    const COLUMN: i64 = 0x00ff_ffff_ffff_ff00;
    const DIAGONAL: i64 = ROW & COLUMN;
    let inner = _mm512_setr_epi64(ROW, DIAGONAL, COLUMN, DIAGONAL, ROW, DIAGONAL, COLUMN, DIAGONAL);
    let step = _mm512_setr_epi64(1, 7, 8, 9, 63, 57, 56, 55);
    let step2 = _mm512_setr_epi64(2, 14, 16, 18, 62, 50, 48, 46);
    let own = _mm512_set1_epi64(player as i64);
    let other = _mm512_and_si512(_mm512_set1_epi64(opponent as i64), inner);

    // Runs are at most six long: one disc, two, then two more each time.
    const MORE: i32 = A | (B & C);
    let run = _mm512_and_si512(other, _mm512_rolv_epi64(own, step));
    let pairs = _mm512_and_si512(other, _mm512_rolv_epi64(other, step));
    let run = _mm512_ternarylogic_epi64::<MORE>(run, other, _mm512_rolv_epi64(run, step));
    let run = _mm512_ternarylogic_epi64::<MORE>(run, pairs, _mm512_rolv_epi64(run, step2));
    let run = _mm512_ternarylogic_epi64::<MORE>(run, pairs, _mm512_rolv_epi64(run, step2));
    let found = _mm512_rolv_epi64(run, step);

    let found = _mm256_or_si256(_mm512_castsi512_si256(found), _mm512_extracti64x4_epi64::<1>(found));
    union_of_lanes(found) & !(player | opponent)
}
