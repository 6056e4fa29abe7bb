//! The weights of the learned evaluation, for training and in files.

use storage::{Format, FormatError};

use crate::ProbCut;
use crate::compression::{decompressed, is_compressed};
use crate::interactions::{DIMENSION, Interactions, Vector};
use crate::patterns::{PATTERN_COUNT, PATTERNS, WeightNumbers};

/// The number of sets of weights: one for every two discs on the board.
pub const PHASE_COUNT: usize = 30;

/// The maximum number of moves of a side that is distinguished.
pub const MAX_MOVES: usize = 31;

/// The set of weights for a number of empty squares.
#[inline]
pub fn phase(empty_count: u32) -> usize {
    (60u32.saturating_sub(empty_count) as usize / 2).min(PHASE_COUNT - 1)
}

/// The offset of each kind of weight in a set, and the number of weights in a set.
///
/// First come the patterns in their order, then one weight for every pair of mobilities (of the side to move and of the
/// opponent), then one for every number of quadrants with an odd number of empty squares.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The weight number of each index of each pattern, counted from the beginning of the set.
    pub numbers: Vec<Vec<u32>>,
    /// The offset of the weights of mobility.
    pub mobility: usize,
    /// The offset of the weights of parity.
    pub parity: usize,
    /// The number of weights in a set.
    pub count: usize,
}

impl Layout {
    /// The layout of the patterns.
    pub fn new() -> Self {
        let mut numbers = Vec::with_capacity(PATTERN_COUNT);
        let mut count = 0;
        for pattern in &PATTERNS {
            let weights = WeightNumbers::of(pattern);
            numbers.push(weights.numbers.iter().map(|number| number + count as u32).collect());
            count += weights.count;
        }
        let mobility = count;
        let parity = mobility + (MAX_MOVES + 1).pow(2);
        Self { numbers, mobility, parity, count: parity + 5 }
    }

    /// The weight number of a pair of mobilities.
    #[inline]
    pub fn mobility(&self, own: u32, other: u32) -> usize {
        self.mobility + mobility_number(own, other)
    }
}

impl Default for Layout {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
pub(crate) fn mobility_number(own: u32, other: u32) -> usize {
    (own as usize).min(MAX_MOVES) * (MAX_MOVES + 1) + (other as usize).min(MAX_MOVES)
}

/// A set of weights for every phase, in 128ths of a disc.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The sets, from the beginning of the game to its end.
    pub phases: Vec<Vec<i16>>,
    /// Interactions between configurations, if they were learned.
    pub interactions: Option<Interactions>,
    /// Accuracy of shallow searches with these weights as predictions of deep ones, if measured.
    pub probcut: Option<ProbCut>,
}

/// The format of weight files. The words are the number of phases, of weights per phase, of bytes of ProbCut parameters, of
/// stages of interactions (0 without interactions) and of numbers in a vector.
const FORMAT: Format = Format { magic: b"EMILIAWT", version: 1 };

impl Weights {
    /// All weights zero.
    pub fn zero() -> Self {
        let count = Layout::new().count;
        Self { phases: vec![vec![0; count]; PHASE_COUNT], interactions: None, probcut: None }
    }

    /// Encodes the weights as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.phases.first().map_or(0, Vec::len);
        let probcut: Vec<u8> = self.probcut.iter().flat_map(ProbCut::to_bytes).collect();
        let numbers = self.interactions.iter().flat_map(|interactions| interactions.stages.iter().flatten().flatten());
        let mut body = Vec::with_capacity(2 * count * self.phases.len() + numbers.clone().count() + probcut.len());
        for weights in &self.phases {
            body.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        body.extend(numbers.map(|number| number.to_le_bytes()[0]));
        body.extend(&probcut);
        let stages = self.interactions.as_ref().map_or(0, |interactions| interactions.stages.len());
        let words = [self.phases.len(), count, probcut.len(), stages, DIMENSION];
        FORMAT.seal(words.map(|word| word as u32), &body)
    }

    /// Whether these can be the first bytes of a weight file, plain or compressed.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(FORMAT.magic) || is_compressed(bytes)
    }

    /// Reads the bytes of a file, plain or compressed with Zstandard.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightError> {
        let bytes = decompressed(bytes)?;
        let sealed = FORMAT.open::<5>(&bytes)?;
        let [phases, weights, probcut, stages, dimension] = sealed.words;
        let count = Layout::new().count;
        if (phases as usize, weights as usize) != (PHASE_COUNT, count) {
            return Err(WeightError::Patterns { phases, weights, expected: count });
        }
        if dimension as usize != DIMENSION || stages != 0 && !Interactions::is_stage_count(stages as usize) {
            return Err(WeightError::Interactions { stages, dimension });
        }
        let probcut = probcut as usize;
        if probcut != 0 && probcut != ProbCut::BYTES {
            return Err(WeightError::ProbCut(probcut));
        }
        // The lengths of the parts in bytes.
        let (weights, stage) = (2 * count * PHASE_COUNT, DIMENSION * count);
        let vectors = stages as usize * stage;
        let (weights, rest) = sealed.body(weights + vectors + probcut)?.split_at(weights);
        let (vectors, probcut) = rest.split_at(vectors);
        let weight = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
        let set = |bytes: &[u8]| bytes.chunks_exact(2).map(weight).collect();
        let vector = |bytes: &[u8]| -> Vector { std::array::from_fn(|place| i8::from_le_bytes([bytes[place]])) };
        let stage_of = |bytes: &[u8]| bytes.chunks_exact(DIMENSION).map(vector).collect();
        let stages: Vec<_> = vectors.chunks_exact(stage).map(stage_of).collect();
        Ok(Self {
            phases: weights.chunks_exact(2 * count).map(set).collect(),
            interactions: (!stages.is_empty()).then_some(Interactions { stages }),
            probcut: (!probcut.is_empty()).then(|| ProbCut::from_bytes(probcut)),
        })
    }
}

/// Reason why bytes are not valid weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightError {
    /// Not a weight file, of another version, or damaged.
    #[error("not a usable weight file: {0}")]
    Format(#[from] FormatError),
    /// Weights of other patterns.
    #[error(
        "the weight file has {phases} phases of {weights} weights; the patterns of this program have {PHASE_COUNT} phases \
         of {expected}"
    )]
    Patterns {
        /// The number of phases found.
        phases: u32,
        /// The number of weights per phase found.
        weights: u32,
        /// The number of weights per phase expected.
        expected: usize,
    },
    /// Interactions of other sizes.
    #[error(
        "the weight file has {stages} stages and {dimension} numbers in a vector; this program has {DIMENSION} numbers, and \
         a number of stages that divides {PHASE_COUNT}, or 0"
    )]
    Interactions {
        /// The number of stages found.
        stages: u32,
        /// The number of numbers in a vector.
        dimension: u32,
    },
    /// ProbCut parameters for other depths: this number of bytes.
    #[error("the weight file has {0} bytes of means and deviations for ProbCut; expected none or {bytes}", bytes = ProbCut::BYTES)]
    ProbCut(usize),
    /// The file is compressed, and cannot be decompressed.
    #[error("the compressed weight file is damaged: it cannot be decompressed")]
    Compression,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use othello::Board;

    use super::*;
    use crate::tests::{arbitrary_interactions, arbitrary_weights};
    use crate::{Evaluation, HandMade};

    #[test]
    fn weights_are_read_back_unchanged() {
        let probcut = || Some(Arc::unwrap_or_clone(Evaluation::<Board>::probcut(&HandMade)));
        let interactions = |stages| Some(arbitrary_interactions(stages, 127));
        for (interactions, probcut) in [
            (None, None),
            (None, probcut()),
            (interactions(1), probcut()),
            (interactions(5), probcut()),
            (interactions(6), probcut()),
            (interactions(6), None),
        ] {
            let mut weights = Weights { interactions, probcut, ..arbitrary_weights() };
            // The arbitrary ones are small.
            weights.phases[0][..4].copy_from_slice(&[i16::MIN, i16::MAX, -257, 0x55aa]);
            assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        }
    }

    #[test]
    fn weights_without_interactions_take_no_place_for_them() {
        let bytes = arbitrary_weights().to_bytes();
        assert_eq!(bytes[8..12], [1, 0, 0, 0]);
        assert_eq!(bytes.len(), Format::sealed_header(5) + 2 * PHASE_COUNT * Layout::new().count);
    }

    fn reason(bytes: &[u8]) -> WeightError {
        Weights::from_bytes(bytes).unwrap_err()
    }

    /// The reason after a byte was changed.
    fn reason_of_change(bytes: &[u8], at: usize, change: impl FnOnce(&mut u8)) -> WeightError {
        let mut changed = bytes.to_vec();
        change(&mut changed[at]);
        reason(&changed)
    }

    fn is_length(error: WeightError) -> bool {
        matches!(error, WeightError::Format(FormatError::Length { .. }))
    }

    const CHECKSUM: WeightError = WeightError::Format(FormatError::Checksum);

    #[test]
    fn interactions_of_other_sizes_are_refused() {
        let bytes = Weights { interactions: Some(arbitrary_interactions(3, 127)), ..arbitrary_weights() }.to_bytes();
        assert_eq!(bytes[24], 3);
        // 7 stages; 17 numbers in a vector.
        for (at, found) in [(24, 7), (28, 17)] {
            let error = reason_of_change(&bytes, at, |byte| *byte = found);
            assert!(matches!(error, WeightError::Interactions { .. }), "{at}");
        }
        // Without stages there are too many bytes.
        assert!(is_length(reason_of_change(&bytes, 24, |byte| *byte = 0)));
        for length in [bytes.len() - 1, 100, 30, 20] {
            assert!(is_length(reason(&bytes[..length])), "{length}");
        }
        assert_eq!(reason_of_change(&bytes, bytes.len() - 1, |byte| *byte ^= 1), CHECKSUM);
    }

    #[test]
    fn a_truncated_changed_or_foreign_file_is_refused_with_the_reason() {
        let bytes = arbitrary_weights().to_bytes();
        for other in [&bytes[..bytes.len() - 1], &bytes[..10], &[], &[&bytes[..], &[0]].concat()] {
            assert!(is_length(reason(other)));
        }
        let foreign = WeightError::Format(FormatError::Foreign { magic: b"EMILIAWT" });
        assert_eq!(reason(&vec![7; bytes.len()]), foreign);
        assert_eq!(reason(b"notes"), foreign);
        let header = Format::sealed_header(5);
        for at in [header, header + 12_345, bytes.len() - 1] {
            for bit in 0..8 {
                assert_eq!(reason_of_change(&bytes, at, |byte| *byte ^= 1 << bit), CHECKSUM);
            }
        }
        let newer = reason_of_change(&bytes, 8, |byte| *byte = 2);
        assert!(matches!(newer, WeightError::Format(FormatError::Version { found: 2, .. })));
        assert_eq!(reason_of_change(&bytes, 20, |byte| *byte = 7), WeightError::ProbCut(7));
        assert!(matches!(reason_of_change(&bytes, 16, |byte| *byte ^= 1), WeightError::Patterns { .. }));
    }

    #[test]
    fn the_first_and_the_last_position_have_a_phase() {
        assert_eq!([64, 60, 59, 58, 1, 0].map(phase), [0, 0, 0, 1, 29, 29]);
    }
}
