//! The weights of the learned evaluation, for training and in files.

use std::fmt;

use storage::{Format, FormatError};

use crate::ProbCut;
use crate::compression::{decompressed, is_compressed};
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
    /// How well shallow searches with these weights predict deep ones, if measured.
    pub probcut: Option<ProbCut>,
}

/// The format of weight files; the words are the number of phases, of weights per phase and of bytes of ProbCut
/// parameters.
const FORMAT: Format = Format { magic: b"EMILIAWT", oldest: 2, newest: 2 };

impl Weights {
    /// All weights zero.
    pub fn zero() -> Self {
        let count = Layout::new().count;
        Self { phases: vec![vec![0; count]; PHASE_COUNT], probcut: None }
    }

    /// Encodes the weights as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.phases.first().map_or(0, Vec::len);
        let probcut: Vec<u8> = self.probcut.iter().flat_map(ProbCut::to_bytes).collect();
        let mut body = Vec::with_capacity(2 * count * self.phases.len() + probcut.len());
        for weights in &self.phases {
            body.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        body.extend(&probcut);
        FORMAT.seal([self.phases.len() as u32, count as u32, probcut.len() as u32], &body)
    }

    /// Whether these can be the first bytes of a weight file, plain or compressed.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(FORMAT.magic) || is_compressed(bytes)
    }

    /// Reads the bytes of a file, plain or compressed with Zstandard.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightError> {
        let bytes = decompressed(bytes)?;
        let sealed = FORMAT.open::<3>(&bytes)?;
        let [phases, weights, probcut] = sealed.words;
        let count = Layout::new().count;
        if (phases as usize, weights as usize) != (PHASE_COUNT, count) {
            return Err(WeightError::Patterns { phases, weights, expected: count });
        }
        let probcut = probcut as usize;
        if probcut != 0 && probcut != ProbCut::BYTES {
            return Err(WeightError::ProbCut { found: probcut });
        }
        let body = sealed.body(2 * count * PHASE_COUNT + probcut)?;
        let (body, probcut) = body.split_at(2 * count * PHASE_COUNT);
        let phases = body
            .chunks_exact(2 * count)
            .map(|phase| phase.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
            .collect();
        let probcut = (!probcut.is_empty()).then(|| ProbCut::from_bytes(probcut));
        Ok(Self { phases, probcut })
    }
}

/// Why bytes are not valid weights.
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

    #[test]
    fn weights_are_read_back_unchanged() {
        let mut weights = some_weights();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
        weights.probcut = Some(Arc::unwrap_or_clone(Evaluation::<Board>::probcut(&HandMade)));
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
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
        let header = Format::sealed_header(3);
        for at in [header, header + 12_345, bytes.len() - 1] {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert_eq!(reason(&flipped), WeightError::Format(FormatError::Checksum));
            }
        }
        let mut newer = bytes.clone();
        newer[8] = 3;
        assert!(matches!(reason(&newer), WeightError::Format(FormatError::Version { found: 3, .. })));
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
