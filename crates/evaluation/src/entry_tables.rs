//! The weights and vectors of configurations, laid out for the search.

use crate::interactions::Interactions;
use crate::kernels::{Entry, EntrySum};
use crate::patterns::{LANES, PATTERN_COUNT};
use crate::table_layout::{FIRST_LANES, LENGTH, MOBILITY, OFFSETS, PARITY, REACH, table};

/// The entries of one or more phases.
type PhaseTable = [Entry; LENGTH];

/// The entries of every phase; successive phases with the same weights and vectors share a table.
#[derive(Clone, Debug)]
pub(crate) struct EntryTables {
    tables: Vec<Box<PhaseTable>>,
    /// The number of the table of each phase.
    of_phases: Vec<u8>,
}

impl EntryTables {
    pub(crate) fn new(phases: &[Vec<i16>], interactions: &Interactions, numbers_of_entries: &[u32]) -> Self {
        let mut tables: Vec<Box<PhaseTable>> = Vec::new();
        let mut of_phases = Vec::new();
        for (phase, weights) in phases.iter().enumerate() {
            let stage = interactions.stage(phase);
            let is_known = phase > 0 && stage == interactions.stage(phase - 1) && *weights == phases[phase - 1];
            if !is_known {
                let entries = weights.iter().zip(&interactions.stages[stage]);
                let entries: Vec<Entry> = entries.map(|(&weight, vector)| Entry::new(weight, vector)).collect();
                tables.push(table(&entries, numbers_of_entries));
            }
            of_phases.push(tables.len() as u8 - 1);
        }
        Self { tables, of_phases }
    }

    /// The value of a position, in 128ths of a disc.
    #[inline]
    pub(crate) fn value(&self, phase: usize, indices: &[u16; LANES], mobility_number: usize, odd: usize) -> i32 {
        let table = self.table(phase);
        let mut sum = EntrySum::zero();
        add_all(&mut sum, table, indices);
        sum.add(&table[MOBILITY + mobility_number]);
        sum.add(&table[PARITY + odd]);
        sum.value()
    }

    /// The weight of an entry, in 128ths of a disc.
    pub(crate) fn weight(&self, phase: usize, entry: usize) -> i32 {
        self.table(phase)[entry].weight()
    }

    #[inline]
    fn table(&self, phase: usize) -> &PhaseTable {
        &self.tables[usize::from(self.of_phases[phase])]
    }
}

#[inline(always)]
fn add_pattern<const PATTERN: usize>(sum: &mut EntrySum, table: &PhaseTable, indices: &[u16; LANES]) {
    let entries: &[Entry; REACH] = table[OFFSETS[PATTERN]..].first_chunk().expect("a table reaches so far");
    for &index in &indices[FIRST_LANES[PATTERN]..FIRST_LANES[PATTERN + 1]] {
        sum.add(&entries[usize::from(index)]);
    }
}

#[inline(always)]
fn add_all(sum: &mut EntrySum, table: &PhaseTable, indices: &[u16; LANES]) {
    const { assert!(PATTERN_COUNT == 13) };
    add_pattern::<0>(sum, table, indices);
    add_pattern::<1>(sum, table, indices);
    add_pattern::<2>(sum, table, indices);
    add_pattern::<3>(sum, table, indices);
    add_pattern::<4>(sum, table, indices);
    add_pattern::<5>(sum, table, indices);
    add_pattern::<6>(sum, table, indices);
    add_pattern::<7>(sum, table, indices);
    add_pattern::<8>(sum, table, indices);
    add_pattern::<9>(sum, table, indices);
    add_pattern::<10>(sum, table, indices);
    add_pattern::<11>(sum, table, indices);
    add_pattern::<12>(sum, table, indices);
}
