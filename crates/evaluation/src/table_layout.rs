//! Order of the entries in the tables of the search: the place of each configuration.
//!
//! A table has the entries of the patterns in order, each by its balanced index, then those of mobility and parity.

use crate::balanced::plain_indices;
use crate::patterns::{INSTANCE_COUNT, INSTANCES, PATTERN_COUNT, PATTERNS};
use crate::weights::{Layout, MAX_MOVES};

/// The offset of the entries of each pattern in a table.
pub(crate) const OFFSETS: [usize; PATTERN_COUNT + 1] = {
    let mut offsets = [0; PATTERN_COUNT + 1];
    let mut pattern = 0;
    while pattern < PATTERN_COUNT {
        offsets[pattern + 1] = offsets[pattern] + PATTERNS[pattern].index_count();
        pattern += 1;
    }
    offsets
};

/// The first instance of each pattern.
pub(crate) const FIRST_LANES: [usize; PATTERN_COUNT + 1] = {
    let mut lanes = [0; PATTERN_COUNT + 1];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        lanes[INSTANCES[lane].pattern as usize + 1] = lane + 1;
        lane += 1;
    }
    lanes
};

/// The offsets of the entries of mobility and of parity in a table.
pub(crate) const MOBILITY: usize = OFFSETS[PATTERN_COUNT];
pub(crate) const PARITY: usize = MOBILITY + (MAX_MOVES + 1) * (MAX_MOVES + 1);
const USED: usize = PARITY + 5;

/// The number of entries after the offset of each pattern: any 16-bit index, so that no lookup needs a bounds check.
pub(crate) const REACH: usize = 1 << 16;

pub(crate) const LENGTH: usize =
    if OFFSETS[PATTERN_COUNT - 1] + REACH > USED { OFFSETS[PATTERN_COUNT - 1] + REACH } else { USED };

/// The weight number of every entry that is used.
pub(crate) fn numbers_of_entries() -> Vec<u32> {
    let layout = Layout::new();
    let mut numbers = Vec::with_capacity(USED);
    for (pattern, weight_numbers) in PATTERNS.iter().zip(&layout.numbers) {
        let size = pattern.squares().count() as u32;
        numbers.extend(plain_indices(size).iter().map(|&index| weight_numbers[index as usize]));
    }
    numbers.extend(layout.mobility as u32..layout.count as u32);
    numbers
}

/// A table with what belongs to each weight number at its entries.
pub(crate) fn table<T: Copy + Default>(of_numbers: &[T], numbers_of_entries: &[u32]) -> Box<[T; LENGTH]> {
    let mut table = vec![T::default(); LENGTH].into_boxed_slice();
    for (entry, &number) in table.iter_mut().zip(numbers_of_entries) {
        *entry = of_numbers[number as usize];
    }
    table.try_into().ok().expect("a table of the length of tables")
}
