//! The weights of the learned evaluation, for training and in files.

use std::fmt;

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

/// The number of a pair of mobilities.
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
        let lengths = Lengths::checked(sealed.words)?;
        Ok(lengths.read(sealed.body(lengths.total())?))
    }
}

/// The lengths of the parts of a file.
#[derive(Clone, Copy)]
struct Lengths {
    /// The number of weights in a set.
    count: usize,
    /// The number of stages of interactions; 0 without interactions.
    stages: usize,
    /// The number of bytes of ProbCut parameters.
    probcut: usize,
}

impl Lengths {
    /// The lengths in the words of a header, if they are possible.
    fn checked([phases, weights, probcut, stages, dimension]: [u32; 5]) -> Result<Self, WeightError> {
        let count = Layout::new().count;
        if (phases as usize, weights as usize) != (PHASE_COUNT, count) {
            return Err(WeightError::Patterns { phases, weights, expected: count });
        }
        if dimension as usize != DIMENSION || stages != 0 && !Interactions::is_stage_count(stages as usize) {
            return Err(WeightError::Interactions { stages, dimension });
        }
        let (stages, probcut) = (stages as usize, probcut as usize);
        if probcut != 0 && probcut != ProbCut::BYTES {
            return Err(WeightError::ProbCut { found: probcut });
        }
        Ok(Self { count, stages, probcut })
    }

    /// The length of the weights in bytes.
    fn weights(self) -> usize {
        2 * self.count * PHASE_COUNT
    }

    /// The length of the vectors of a stage in bytes.
    fn stage(self) -> usize {
        DIMENSION * self.count
    }

    /// The length of all parts in bytes.
    fn total(self) -> usize {
        self.weights() + self.stages * self.stage() + self.probcut
    }

    /// The weights in a body of this length.
    fn read(self, body: &[u8]) -> Weights {
        let (weights, rest) = body.split_at(self.weights());
        let (vectors, probcut) = rest.split_at(self.stages * self.stage());
        let phases = weights
            .chunks_exact(2 * self.count)
            .map(|phase| phase.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
            .collect();
        let vector = |bytes: &[u8]| -> Vector { std::array::from_fn(|place| i8::from_le_bytes([bytes[place]])) };
        let stage = |bytes: &[u8]| bytes.chunks_exact(DIMENSION).map(vector).collect();
        let stages: Vec<_> = vectors.chunks_exact(self.stage()).map(stage).collect();
        let interactions = (!stages.is_empty()).then_some(Interactions { stages });
        let probcut = (!probcut.is_empty()).then(|| ProbCut::from_bytes(probcut));
        Weights { phases, interactions, probcut }
    }
}

/// Reason why bytes are not valid weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WeightError {
    /// Not a weight file, of another version, or damaged.
    Format(FormatError),
    /// Weights of other patterns.
    Patterns {
        /// The number of phases found.
        phases: u32,
        /// The number of weights per phase found.
        weights: u32,
        /// The number of weights per phase expected.
        expected: usize,
    },
    /// Interactions of other sizes.
    Interactions {
        /// The number of stages found.
        stages: u32,
        /// The number of numbers in a vector.
        dimension: u32,
    },
    /// ProbCut parameters for other depths.
    ProbCut {
        /// The number of bytes found.
        found: usize,
    },
    /// The file is compressed, and cannot be decompressed.
    Compression,
}

impl From<FormatError> for WeightError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => write!(f, "not a usable weight file: {error}"),
            Self::Patterns { phases, weights, expected } => write!(
                f,
                "the weight file has {phases} phases of {weights} weights; the patterns of this program have \
                 {PHASE_COUNT} phases of {expected}"
            ),
            Self::Interactions { stages, dimension } => write!(
                f,
                "the weight file has {stages} stages and {dimension} numbers in a vector; this program has {DIMENSION} \
                 numbers, and a number of stages that divides {PHASE_COUNT}, or 0"
            ),
            Self::ProbCut { found } => write!(
                f,
                "the weight file has {found} bytes of means and deviations for ProbCut; expected none or {}",
                ProbCut::BYTES
            ),
            Self::Compression => f.write_str("the compressed weight file is damaged: it cannot be decompressed"),
        }
    }
}

impl std::error::Error for WeightError {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use othello::Board;

    use super::*;
    use crate::{Evaluation, HandMade};

    fn some_weights() -> Weights {
        let mut weights = Weights::zero();
        for (phase, set) in weights.phases.iter_mut().enumerate() {
            for (number, weight) in set.iter_mut().enumerate() {
                *weight = (number as i64 * 7919 + phase as i64 * 104_729) as i16;
            }
        }
        weights
    }

    fn some_interactions(stages: usize) -> Interactions {
        let mut interactions = Interactions::zero(stages);
        for (number, value) in interactions.stages.iter_mut().flatten().flatten().enumerate() {
            *value = ((number * 7919) >> 3) as i8;
        }
        interactions
    }

    #[test]
    fn weights_are_read_back_unchanged() {
        let mut weights = some_weights();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        weights.probcut = Some(Arc::unwrap_or_clone(Evaluation::<Board>::probcut(&HandMade)));
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        for stages in [1, 5, 6] {
            weights.interactions = Some(some_interactions(stages));
            assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        }
        weights.probcut = None;
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
    }

    #[test]
    fn weights_without_interactions_take_no_place_for_them() {
        let bytes = some_weights().to_bytes();
        assert_eq!(bytes[8..12], [1, 0, 0, 0]);
        assert_eq!(bytes.len(), Format::sealed_header(5) + 2 * PHASE_COUNT * Layout::new().count);
    }

    #[test]
    fn interactions_of_other_sizes_are_refused() {
        let bytes = Weights { interactions: Some(some_interactions(3)), ..some_weights() }.to_bytes();
        assert_eq!(bytes[24], 3);
        // 7 stages; 17 numbers in a vector.
        for (at, found) in [(24, 7), (28, 17)] {
            let mut changed = bytes.clone();
            changed[at] = found;
            assert!(matches!(Weights::from_bytes(&changed), Err(WeightError::Interactions { .. })), "{at}");
        }
        // Without stages there are too many bytes.
        let mut changed = bytes.clone();
        changed[24] = 0;
        assert!(matches!(Weights::from_bytes(&changed), Err(WeightError::Format(FormatError::Length { .. }))));
        for length in [bytes.len() - 1, 100, 30, 20] {
            let error = Weights::from_bytes(&bytes[..length]);
            assert!(matches!(error, Err(WeightError::Format(FormatError::Length { .. }))), "{length}: {error:?}");
        }
        let mut changed = bytes;
        *changed.last_mut().unwrap() ^= 1;
        assert_eq!(Weights::from_bytes(&changed), Err(WeightError::Format(FormatError::Checksum)));
    }

    #[test]
    fn a_truncated_changed_or_foreign_file_is_refused_with_the_reason() {
        let bytes = some_weights().to_bytes();
        let reason = |bytes: &[u8]| Weights::from_bytes(bytes).unwrap_err();
        let is_length = |bytes: &[u8]| matches!(reason(bytes), WeightError::Format(FormatError::Length { .. }));
        assert!(is_length(&bytes[..bytes.len() - 1]));
        assert!(is_length(&bytes[..10]));
        assert!(is_length(&[]));
        assert!(is_length(&[&bytes[..], &[0]].concat()));
        let foreign = WeightError::Format(FormatError::Foreign { magic: b"EMILIAWT" });
        assert_eq!(reason(&vec![7; bytes.len()]), foreign);
        assert_eq!(reason(b"notes"), foreign);
        let header = Format::sealed_header(5);
        for at in [header, header + 12_345, bytes.len() - 1] {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert_eq!(reason(&flipped), WeightError::Format(FormatError::Checksum));
            }
        }
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert!(matches!(reason(&newer), WeightError::Format(FormatError::Version { found: 2, .. })));
        let mut other = bytes.clone();
        other[20] = 7;
        assert_eq!(reason(&other), WeightError::ProbCut { found: 7 });
        let mut other = bytes;
        other[16] ^= 1;
        assert!(matches!(reason(&other), WeightError::Patterns { .. }));
    }

    #[test]
    fn the_first_and_the_last_position_have_a_phase() {
        assert_eq!(phase(60), 0);
        assert_eq!(phase(59), 0);
        assert_eq!(phase(58), 1);
        assert_eq!(phase(1), 29);
        assert_eq!(phase(0), 29);
        assert_eq!(phase(64), 0);
    }
}
