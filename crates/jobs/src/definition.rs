//! The definition of a job, as data that can be sent to another machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content_id::ContentId;
use crate::error::InvalidJob;

/// A job as data, which determines its results. Files that it needs, such as weights, are named by their content.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The kind of the job, a name in a [`JobKinds`](crate::JobKinds).
    pub kind: String,
    /// The version of the program, which the executor sets: another version may have other results.
    pub version: String,
    /// The parameters, in the form that the kind defines.
    pub parameters: Value,
    /// The files that are needed to do an item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ContentId>,
    /// These files on the machine that submits the job.
    #[serde(skip)]
    pub supplies: Vec<Supply>,
}

/// A file that a job needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Supply {
    /// Hash of its content.
    pub id: ContentId,
    /// Its path.
    pub path: PathBuf,
}

impl Definition {
    /// A job of this kind with these parameters.
    pub fn new(kind: &str, parameters: &impl Serialize) -> Result<Self, InvalidJob> {
        let parameters = serde_json::to_value(parameters)?;
        let (kind, version) = (kind.to_owned(), String::new());
        Ok(Self { kind, version, parameters, files: Vec::new(), supplies: Vec::new() })
    }

    /// Adds a file that the job needs.
    #[must_use]
    pub fn with_supply(mut self, supply: Supply) -> Self {
        if !self.files.contains(&supply.id) {
            self.files.push(supply.id);
            self.supplies.push(supply);
        }
        self
    }

    /// The definition as it is sent.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

impl Supply {
    /// The file at this path.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        Ok(Self { id: ContentId::of_file(&path)?, path })
    }
}
