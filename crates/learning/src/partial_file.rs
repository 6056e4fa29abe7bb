//! Checkpoints of trainings: the finished parts, in a file next to the output, with the fingerprint of the training.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use storage::whole_file::{beside, read_bounded, replace};
use storage::{Fields, Fingerprint, Format};

use crate::error::{CheckpointError, FileProblem, LearnError, Result};

/// The maximum length of a checkpoint in bytes: more than any training has.
const MAX_BYTES: u64 = 256 << 20;

pub(crate) struct PartialFile(PathBuf);

impl PartialFile {
    pub(crate) fn of(output: &Path) -> Self {
        Self(beside(output, ".partial"))
    }

    pub(crate) fn exists(&self) -> bool {
        self.0.exists()
    }

    /// The parts that were finished by the training with this fingerprint; `None` if there is no file.
    pub(crate) fn read<T>(
        &self,
        format: &Format,
        expected: &Fingerprint,
        parse: impl FnOnce(&[u8]) -> Result<(Fingerprint, T), CheckpointError>,
    ) -> Result<Option<T>> {
        if !self.exists() {
            return Ok(None);
        }
        let bytes = read_bounded(&self.0, MAX_BYTES, |bytes| bytes.starts_with(format.magic))
            .map_err(LearnError::io("read", &self.0))?;
        let (found, parts) = parse(&bytes).map_err(|error| FileProblem::Checkpoint(error).of(&self.0))?;
        match found.difference(expected) {
            Some(difference) => Err(FileProblem::OtherTraining(difference).of(&self.0)),
            None => Ok(Some(parts)),
        }
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        Ok(replace(&self.0, bytes)?)
    }

    pub(crate) fn remove(self) -> Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(LearnError::io("remove", &self.0)(error)),
            _ => Ok(()),
        }
    }
}

/// A checkpoint as the bytes of a file; the words are the length of the fingerprint and the number of parts.
pub(crate) fn to_bytes(
    format: &Format,
    fingerprint: &Fingerprint,
    parts: usize,
    content: impl Iterator<Item = u8>,
) -> Vec<u8> {
    let text = fingerprint.to_string();
    let body: Vec<u8> = text.bytes().chain(content).collect();
    format.seal([text.len() as u32, parts as u32], &body)
}

/// The fingerprint of a checkpoint, the number of its parts, and their bytes.
pub(crate) fn from_bytes<'b>(
    format: &Format,
    bytes: &'b [u8],
) -> Result<(Fingerprint, u32, Fields<'b>), CheckpointError> {
    let sealed = format.open::<2>(bytes)?;
    let [length, parts] = sealed.words;
    let mut fields = Fields(sealed.any_body()?);
    let text = fields.bytes(length as usize).and_then(|text| Fields(text).text());
    let fingerprint = text.and_then(|text| Fingerprint::parse(text).ok()).ok_or(CheckpointError::Damaged)?;
    Ok((fingerprint, parts, fields))
}
