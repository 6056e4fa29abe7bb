//! The names of players and tournaments: the `.jou` and `.trn` files beside the games.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use storage::growing_file::fill;

use super::header::Header;
use crate::lines::latin1;
use crate::{Date, Place, RecordError, RecordProblem, WriteError};

/// The lengths in bytes of the names of players and tournaments, padded with zeros; the last byte is always zero.
pub(super) const PLAYER_LENGTH: usize = 20;
pub(super) const TOURNAMENT_LENGTH: usize = 26;

/// The names for the numbers of a `.wtb` file.
///
/// If a table is missing, number 7 is called `#7`.
#[derive(Debug, Default)]
pub struct Names {
    /// The names of the `.jou` file.
    pub(super) players: Option<Vec<String>>,
    /// The names of the `.trn` file.
    pub(super) tournaments: Option<Vec<String>>,
    /// Errors in these files; a reader of games reports them first.
    pub(super) errors: Vec<RecordError>,
}

impl Names {
    /// The tables that belong to this `.wtb` file: in its folder, with the same base name or called `WTH`, in any case.
    pub fn beside(path: &Path) -> Self {
        let mut names = Self::default();
        names.players = names.load(path, "jou", PLAYER_LENGTH);
        names.tournaments = names.load(path, "trn", TOURNAMENT_LENGTH);
        names
    }

    /// Reads a `.jou` file; `name` is used in error messages.
    pub fn read_players(&mut self, reader: impl Read, name: &str) {
        self.players = Some(self.read(reader, name, PLAYER_LENGTH));
    }

    /// Reads a `.trn` file; `name` is used in error messages.
    pub fn read_tournaments(&mut self, reader: impl Read, name: &str) {
        self.tournaments = Some(self.read(reader, name, TOURNAMENT_LENGTH));
    }

    fn load(&mut self, games: &Path, extension: &str, length: usize) -> Option<Vec<String>> {
        let (_, path) = find(games, extension)?;
        let name = path.display().to_string();
        match File::open(&path) {
            Ok(file) => Some(self.read(BufReader::new(file), &name, length)),
            Err(error) => {
                self.errors.push(RecordError::new(&name, Place::Header, error.into()));
                None
            }
        }
    }

    /// Reads all names, and compares their number with that in the header.
    fn read(&mut self, mut reader: impl Read, name: &str, length: usize) -> Vec<String> {
        let mut names = Vec::new();
        if let Err((place, problem)) = read_names(&mut reader, length, &mut names) {
            self.errors.push(RecordError::new(name, place, problem));
        }
        names
    }
}

fn read_names(reader: &mut impl Read, length: usize, names: &mut Vec<String>) -> Result<(), (Place, RecordProblem)> {
    let header = Header::read(reader).map_err(|problem| (Place::Header, problem))?;
    let mut bytes = vec![0; length];
    let expected = format!("{} as the header says", header.names);
    loop {
        let place = Place::Record(names.len() as u64 + 1);
        let count = fill(reader, &mut bytes).map_err(|error| (place, error.into()))?;
        let problem = match count {
            0 if names.len() == usize::from(header.names) => return Ok(()),
            0 => RecordProblem::malformed(format!("{} names", names.len()), expected),
            // 16-bit numbers allow no more names.
            _ if names.len() > usize::from(u16::MAX) => {
                RecordProblem::malformed(format!("more than {} names", names.len()), expected)
            }
            _ if count == length => {
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(length);
                names.push(latin1(&bytes[..end]));
                continue;
            }
            _ => {
                let found = format!("{} after name {}", super::counted_bytes(count), names.len());
                RecordProblem::malformed(found, format!("{length} for each, and {expected}"))
            }
        };
        return Err((Place::End, problem));
    }
}

/// The files to which the names of a `.wtb` file are written: existing ones with its own base name, in any case,
/// otherwise new ones.
pub(crate) fn name_files(path: &Path) -> [PathBuf; 2] {
    // Upper-case names go with upper-case game files, as in the federation's own files.
    let has_capitals = path.extension().is_some_and(|extension| extension == "WTB");
    ["jou", "trn"].map(|extension| match find(path, extension) {
        Some((Rank::SameName, file)) => file,
        _ if has_capitals => path.with_extension(extension.to_uppercase()),
        _ => path.with_extension(extension),
    })
}

/// The match between a file of names and a file of games, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    SameName,
    WholeDatabase,
}

/// The file of names with this extension that belongs to a file of games.
fn find(path: &Path, extension: &str) -> Option<(Rank, PathBuf)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = path.file_stem()?.to_str()?.to_lowercase();
    let rank = |file: &Path| -> Option<Rank> {
        let name = file.file_name()?.to_str()?.to_lowercase();
        let name = name.strip_suffix(extension)?.strip_suffix('.')?;
        (name == stem).then_some(Rank::SameName).or((name == "wth").then_some(Rank::WholeDatabase))
    };
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    // The path breaks ties, so that the choice does not depend on the order in the folder.
    files.filter_map(|file| Some((rank(&file)?, file))).min()
}

/// A table of names that grows as games are written.
#[derive(Debug)]
pub(super) struct NewNames {
    what: &'static str,
    length: usize,
    names: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
}

impl NewNames {
    pub(super) fn new(what: &'static str, length: usize) -> Self {
        Self { what, length, names: Vec::new(), numbers: HashMap::new() }
    }

    /// Starts with the names of an old file, which keep their numbers.
    pub(super) fn keep(&mut self, old: &[String]) {
        for name in old.iter().take(usize::from(u16::MAX)) {
            let name = self.encode(name);
            // Of equal names the first one is used.
            self.numbers.entry(name.clone()).or_insert(self.names.len() as u16);
            self.names.push(name);
        }
    }

    pub(super) fn number(&mut self, name: &str) -> Result<u16, WriteError> {
        let name = self.encode(name);
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        // The count in the header has 16 bits, too, so the last number cannot be used.
        let number = u16::try_from(self.names.len())
            .ok()
            .filter(|&number| number < u16::MAX)
            .ok_or(WriteError::TooMany(self.what, u64::from(u16::MAX)))?;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    /// The name in Latin-1, truncated to the length of the field; characters outside Latin-1 become `?`, and a zero
    /// byte, which would end the name, becomes a space.
    fn encode(&self, name: &str) -> Vec<u8> {
        let byte = |symbol: char| match u8::try_from(symbol) {
            Ok(0) => b' ',
            Ok(byte) => byte,
            Err(_) => b'?',
        };
        name.chars().map(byte).take(self.length - 1).collect()
    }

    pub(super) fn write(&self, out: &mut impl Write, created: Option<Date>) -> io::Result<()> {
        let header =
            Header { created: Header::created_on(created), names: self.names.len() as u16, ..Header::default() };
        out.write_all(&header.to_bytes())?;
        for name in &self.names {
            let mut bytes = name.clone();
            bytes.resize(self.length, 0);
            out.write_all(&bytes)?;
        }
        Ok(())
    }
}
