//! Weights in a form that another machine understands: a file is named by its content.

use std::path::Path;

use jobs::{ContentId, InvalidJob, LocalFiles, Supply};
use report::words::sentence;
use serde::{Deserialize, Serialize};

use crate::weights::{WeightsChoice, read_weights};

/// Weights by their name or their content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PortableWeights {
    /// The weights that ship with the program: the same in every program of the same version.
    Shipped,
    /// None: the hand-made evaluation.
    HandMade,
    /// The weights of a file.
    File {
        /// The content of the file.
        content: ContentId,
    },
}

impl PortableWeights {
    /// These weights, and the file that others need for them. The error is a sentence.
    pub fn of(choice: &WeightsChoice) -> Result<(Self, Option<Supply>), InvalidJob> {
        match choice {
            WeightsChoice::Shipped => Ok((Self::Shipped, None)),
            WeightsChoice::HandMade => Ok((Self::HandMade, None)),
            WeightsChoice::File(path) => {
                let supply = supply(path)?;
                // What no worker could use is refused here.
                read_weights(path).map_err(|error| sentence(&error))?;
                Ok((Self::File { content: supply.id }, Some(supply)))
            }
        }
    }

    /// The weights on this machine, where their file is one of these.
    pub fn choice(&self, files: &LocalFiles) -> Result<WeightsChoice, InvalidJob> {
        Ok(match self {
            Self::Shipped => WeightsChoice::Shipped,
            Self::HandMade => WeightsChoice::HandMade,
            Self::File { content } => WeightsChoice::File(files.path(content)?),
        })
    }
}

/// A file that workers need.
pub fn supply(path: &Path) -> Result<Supply, InvalidJob> {
    Supply::of(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}
