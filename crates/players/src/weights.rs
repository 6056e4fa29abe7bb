//! Weights of an evaluation: those that ship with the program, those of a file, or none.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use evaluation::weights::Weights;
use evaluation::{EvaluatedBoard, HandMade};
use serde::{Deserialize, Serialize};
use storage::checksum::crc32;
use storage::whole_file;

use crate::error::MakeError;

type Result<T, E = MakeError> = std::result::Result<T, E>;

/// Weights by their name on the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WeightsChoice {
    /// The weights that ship with the program.
    #[default]
    Shipped,
    /// None: the hand-made evaluation.
    HandMade,
    /// The weights of a file.
    File(PathBuf),
}

/// An evaluation that was chosen for a board.
pub enum Chosen<B: EvaluatedBoard> {
    /// The kind that ships with the program.
    Weighted(B::Shipped),
    /// The hand-made one.
    HandMade(HandMade),
}

/// The name of the hand-made evaluation.
pub const HAND_MADE: &str = "hand-made";
/// The name of the weights that ship with the program.
pub const SHIPPED: &str = "shipped";

impl FromStr for WeightsChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            SHIPPED => Self::Shipped,
            HAND_MADE => Self::HandMade,
            file => Self::File(PathBuf::from(file)),
        })
    }
}

impl WeightsChoice {
    /// The weights themselves; the hand-made evaluation has none.
    #[cfg(feature = "shipped-data")]
    pub fn weights(&self) -> Result<Option<Weights>> {
        Ok(match self {
            Self::Shipped => Some(evaluation::shipped_weights().clone()),
            Self::HandMade => None,
            Self::File(path) => Some(read_weights(path)?),
        })
    }

    /// Fingerprint of the evaluation.
    #[cfg(feature = "shipped-data")]
    pub fn id(&self) -> Result<EvaluationId> {
        Ok(self.weights()?.map_or(EvaluationId::HandMade, |weights| EvaluationId::of(&weights)))
    }

    /// The evaluation for a board.
    pub fn evaluation<B: EvaluatedBoard>(&self) -> Result<Chosen<B>> {
        match self {
            Self::Shipped => Ok(Chosen::Weighted(B::available()?)),
            Self::HandMade => Ok(Chosen::HandMade(HandMade)),
            Self::File(path) => {
                let refusal = || {
                    MakeError::request(format!(
                        "the {} board has no learned weights; expected hand-made",
                        B::GEOMETRY.name
                    ))
                };
                let weighted = B::WEIGHTED.ok_or_else(refusal)?;
                Ok(Chosen::Weighted(weighted(&read_weights(path)?)))
            }
        }
    }
}

/// Fingerprint of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EvaluationId {
    /// The hand-made evaluation.
    HandMade,
    /// Learned weights.
    Learned {
        /// The CRC-32 of the weight file.
        #[serde(with = "storage::hexadecimal")]
        checksum: u32,
    },
}

impl EvaluationId {
    /// Fingerprint of these weights.
    pub fn of(weights: &Weights) -> Self {
        Self::Learned { checksum: crc32(&weights.to_bytes()) }
    }
}

impl fmt::Display for EvaluationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HandMade => f.write_str("the hand-made evaluation"),
            Self::Learned { checksum } => write!(f, "the learned evaluation with the checksum {checksum:08x}"),
        }
    }
}

/// Maximum size of a weight file.
const MAX_BYTES: u64 = 128 << 20;

/// The weights of a file, which must be a regular one: its header is looked at before the rest is read.
pub fn read_weights(path: &Path) -> Result<Weights> {
    let bytes = whole_file::read_bounded(path, MAX_BYTES, Weights::is_beginning);
    let bytes = bytes.map_err(|source| MakeError::UnreadableWeights(path.to_owned(), source))?;
    Weights::from_bytes(&bytes).map_err(|source| MakeError::UnusableWeights(path.to_owned(), source))
}

/// Evaluates an expression with a name standing for the evaluation that was chosen.
#[macro_export]
macro_rules! with_evaluation {
    ($chosen:expr, $evaluation:ident => $body:expr) => {
        match $chosen {
            $crate::weights::Chosen::Weighted($evaluation) => $body,
            $crate::weights::Chosen::HandMade($evaluation) => $body,
        }
    };
}
pub use with_evaluation;
