//! The checkpoint of an experiment: the parts that are finished, in a file, so that a run that was killed is resumed.
//!
//! A line of JSON each, as in the file of a match: first what determines the results, then every part when it is
//! finished. A last line without a line ending was not written completely and is removed. A part is known by its key
//! and by the number of earlier parts with that key, so a resumed run must request its parts in the same order.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::checked_line::{with_checksum, without_checksum};
use storage::growing_file::{self, lock, sync_folder};
use storage::{Difference, Fingerprint};

/// The kind of file, as stated in its first line.
const KIND: &str = "laboratory";
const VERSION: u32 = 1;
/// The maximum length of a line; that of a game has about 3,000 bytes.
const LONGEST_LINE: u64 = 1 << 24;

/// Everything that determines the results of an experiment.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunTerms {
    /// The name of the experiment.
    pub experiment: String,
    /// Whether it is a quick run.
    pub is_quick: bool,
    /// The random seed.
    pub seed: u64,
    /// The version of the program, with its commit.
    pub program: String,
    /// Names and values of settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, Option<String>)>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    emilia: String,
    version: u32,
    terms: RunTerms,
}

#[derive(Serialize, Deserialize)]
struct Part {
    part: String,
    number: u32,
    value: Value,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system reported an error.
    #[error("cannot use {path}: {1}", path = .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// Another process is using the file.
    #[error("{path} is in use: another process is running this experiment", path = .0.display())]
    InUse(PathBuf),
    /// Another kind of file.
    #[error(
        "{path} is not a checkpoint of an experiment: {1}; expected such a file, or no file of this name",
        path = .0.display()
    )]
    NotACheckpoint(PathBuf, String),
    /// It is the checkpoint of another run.
    #[error("{path} belongs to another run: its {1}. Delete it to start again", path = .0.display())]
    Foreign(PathBuf, Difference),
    /// The line with this number, from 1, is damaged.
    #[error(
        "{path}, line {1}: {2}; expected a part of an experiment. Delete the file to start again",
        path = .0.display()
    )]
    Damaged(PathBuf, usize, String),
}

/// The finished parts of an experiment.
#[derive(Debug)]
pub struct Checkpoint {
    /// `None` until the first part is finished.
    file: Option<File>,
    path: PathBuf,
    terms: RunTerms,
    /// The parts of the file that have not been requested yet.
    parts: HashMap<(String, u32), Value>,
    /// Number of requests for each key.
    asked: HashMap<String, u32>,
}

impl Checkpoint {
    /// The checkpoint of an experiment in a folder.
    pub fn path(folder: &Path, experiment: &str) -> PathBuf {
        folder.join(format!("{experiment}.checkpoint"))
    }

    /// Opens the checkpoint of the run with these terms. If there is none, nothing is created yet.
    pub fn open(path: &Path, terms: RunTerms) -> Result<Self, CheckpointError> {
        let broken = |source| CheckpointError::Io(path.to_owned(), source);
        let mut file = growing_file::open_existing(path).map_err(broken)?;
        let mut parts = HashMap::new();
        if let Some(file) = &mut file {
            if !lock(file).map_err(broken)? {
                return Err(CheckpointError::InUse(path.to_owned()));
            }
            let good = read(file, path, &terms, &mut parts)?;
            file.set_len(good).map_err(broken)?;
            file.seek(SeekFrom::End(0)).map_err(broken)?;
            if good == 0 {
                // Killed while it wrote the first line.
                file.write_all(&header(&terms)).map_err(broken)?;
            }
        }
        Ok(Self { file, path: path.to_owned(), terms, parts, asked: HashMap::new() })
    }

    /// The number of finished parts that have not been requested yet.
    pub fn remaining(&self) -> usize {
        self.parts.len()
    }

    /// The value of the next part with this key, if it is finished.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Option<T> {
        let number = *self.asked.entry(key.to_owned()).or_default();
        let value = serde_json::from_value(self.parts.remove(&(key.to_owned(), number))?).ok()?;
        self.asked.insert(key.to_owned(), number + 1);
        Some(value)
    }

    /// Keeps the value of the part that [`take`](Self::take) did not have; it is safe on the disk when this returns.
    pub fn keep(&mut self, key: &str, value: &impl Serialize) -> Result<(), CheckpointError> {
        let number = self.asked.entry(key.to_owned()).or_default();
        let line = serde_json::to_value(value)
            .and_then(|value| serde_json::to_vec(&Part { part: key.to_owned(), number: *number, value }));
        *number += 1;
        self.append(line.map_err(io::Error::from)).map_err(|source| {
            let path = self.path.clone();
            match source.kind() {
                // Another process was faster.
                io::ErrorKind::AlreadyExists | io::ErrorKind::WouldBlock => CheckpointError::InUse(path),
                _ => CheckpointError::Io(path, source),
            }
        })
    }

    fn append(&mut self, json: io::Result<Vec<u8>>) -> io::Result<()> {
        let line = with_checksum(&json?);
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = growing_file::create(&self.path)?;
                if !lock(&file)? {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                sync_folder(&self.path)?;
                file.write_all(&header(&self.terms))?;
                self.file.insert(file)
            }
        };
        // One write for the line with its line ending: a line is either complete or recognizably torn.
        file.write_all(&line)?;
        file.sync_data()
    }

    /// Removes the file, once the results of the experiment are written.
    pub fn remove(self) -> Result<(), CheckpointError> {
        if self.file.is_none() {
            return Ok(());
        }
        fs::remove_file(&self.path).map_err(|source| CheckpointError::Io(self.path, source))
    }
}

fn header(terms: &RunTerms) -> Vec<u8> {
    let header = Header { emilia: KIND.to_owned(), version: VERSION, terms: terms.clone() };
    // Plain data is always valid JSON.
    with_checksum(&serde_json::to_vec(&header).unwrap_or_default())
}

/// Reads the parts of a file, and returns the length of its complete lines.
fn read(
    file: &File,
    path: &Path,
    terms: &RunTerms,
    parts: &mut HashMap<(String, u32), Value>,
) -> Result<u64, CheckpointError> {
    let broken = |source| CheckpointError::Io(path.to_owned(), source);
    let mut reader = BufReader::new(file);
    // Checked before a line is read, because a line may be as long as the file.
    let start = format!("{{\"emilia\":\"{KIND}\"");
    let found = reader.fill_buf().map_err(broken)?;
    let length = start.len().min(found.len());
    if found[..length] != start.as_bytes()[..length] {
        let found = format!("wrong file header; the first line must begin with {start}");
        return Err(CheckpointError::NotACheckpoint(path.to_owned(), found));
    }
    let (mut line, mut good) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let length = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(broken)? as u64;
        let wrong = |found: String| CheckpointError::Damaged(path.to_owned(), number, found);
        if length == LONGEST_LINE {
            return Err(wrong(format!("the line has more than {LONGEST_LINE} bytes")));
        }
        if !line.ends_with(b"\n") {
            break;
        }
        let json = without_checksum(&line).map_err(|error| wrong(error.to_string()))?;
        if number == 1 {
            let header: Header = serde_json::from_slice(&json).map_err(|error| wrong(error.to_string()))?;
            if header.version != VERSION {
                return Err(wrong(format!("its version is {}; this program reads version {VERSION}", header.version)));
            }
            let [found, expected] = [&header.terms, terms].map(Fingerprint::of);
            if let Some(difference) = found.difference(&expected) {
                return Err(CheckpointError::Foreign(path.to_owned(), difference));
            }
        } else {
            let Part { part, number, value } =
                serde_json::from_slice(&json).map_err(|error| wrong(error.to_string()))?;
            parts.insert((part, number), value);
        }
        good += length;
    }
    Ok(good)
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use proptest::prelude::*;

    use super::*;
    use crate::{ExperimentError, Setup, rehearsal};

    fn terms() -> RunTerms {
        RunTerms { experiment: "test".to_owned(), seed: 1, program: "0.1.0 (abc)".to_owned(), ..RunTerms::default() }
    }

    /// The path of a file for a test; nothing is there.
    fn fresh(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("emilia-checkpoint-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    /// An experiment of six parts, two with the same key, stopped before a part, and the number of computed parts.
    fn run(path: &Path, stopped_before: u32) -> (Result<Vec<f64>, ExperimentError>, u32) {
        let (stop, mut computed) = (Stop::new(), 0);
        let mut checkpoint = Checkpoint::open(path, terms()).unwrap();
        let mut setup = Setup { checkpoint: Some(&mut checkpoint), ..rehearsal::setup(&rehearsal::core(), &stop) };
        let values = ["a", "b", "a", "c", "d", "e"].into_iter().zip(0..).map(|(key, number)| {
            setup.part(key, |_| {
                if number == stopped_before {
                    return Err(ExperimentError::Stopped);
                }
                computed += 1;
                Ok(f64::from(number) / 3.0)
            })
        });
        (values.collect(), computed)
    }

    #[test]
    fn parts_are_computed_once_however_often_a_run_is_interrupted() {
        let path = fresh("resumed");
        assert_eq!(run(&path, 0), (Err(ExperimentError::Stopped), 0));
        assert!(!path.exists(), "nothing is created before a part is finished");
        assert_eq!(run(&path, 3), (Err(ExperimentError::Stopped), 3));
        assert_eq!(run(&path, 5), (Err(ExperimentError::Stopped), 2));
        let expected: Vec<f64> = (0..6).map(|number| f64::from(number) / 3.0).collect();
        assert_eq!(run(&path, 9), (Ok(expected.clone()), 1));
        assert_eq!(run(&path, 9), (Ok(expected), 0));
        Checkpoint::open(&path, terms()).unwrap().remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_cut_off_at_any_byte_is_completed() {
        let path = fresh("torn");
        let expected = run(&path, 9).0;
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (values, computed) = run(&path, 9);
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count() as u32;
            assert_eq!((&values, computed), (&expected, 6 - lines.saturating_sub(1)), "cut off after {length} bytes");
            assert_eq!(fs::read(&path).unwrap(), whole, "cut off after {length} bytes");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_checkpoint_of_another_run_a_damaged_one_and_other_files_are_refused_and_stay() {
        let path = fresh("refused");
        run(&path, 9).0.unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        let refusal = |terms: RunTerms| Checkpoint::open(&path, terms).unwrap_err().to_string();
        for (other, words) in [
            (RunTerms { seed: 2, ..terms() }, "its seed is 1; expected 2. Delete it to start again"),
            (RunTerms { is_quick: true, ..terms() }, "its is_quick is false; expected true"),
            (RunTerms { program: "0.2.0".to_owned(), ..terms() }, "its program is \"0.1.0 (abc)\"; expected \"0.2.0\""),
            (RunTerms { experiment: "other".to_owned(), ..terms() }, "its experiment is \"test\""),
        ] {
            let found = refusal(other);
            assert!(found.contains("belongs to another run") && found.contains(words), "{found}");
        }
        for (text, words) in [
            ("dear diary\n".to_owned(), "is not a checkpoint of an experiment"),
            (whole.replacen("\"part\":\"b\"", "\"part\":\"x\"", 1), "line 3: its checksum is"),
            (format!("{whole}{{}}\n"), "line 8: the line has no checksum"),
        ] {
            fs::write(&path, &text).unwrap();
            let found = refusal(terms());
            assert!(found.contains(words), "{found}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, &whole).unwrap();
        let open = Checkpoint::open(&path, terms()).unwrap();
        assert!(refusal(terms()).contains("is in use"));
        drop(open);
        fs::remove_file(&path).unwrap();
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), begins_well: bool) {
            let path = fresh("arbitrary");
            let start = if begins_well { header(&terms()) } else { Vec::new() };
            fs::write(&path, [start, bytes].concat()).unwrap();
            let _ = Checkpoint::open(&path, terms());
        }
    }
}
