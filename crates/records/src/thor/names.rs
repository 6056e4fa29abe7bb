//! The names of players and tournaments: the `.jou` and `.trn` files beside the games.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::header::Header;
use crate::lines::latin1;
use crate::{Date, Place, RecordError, RecordProblem, WriteError};

/// The length of a player's name in bytes, padded with zeros; the last byte is always zero.
pub(super) const PLAYER_LENGTH: usize = 20;

/// The length of a tournament's name in bytes, padded as in [`PLAYER_LENGTH`].
pub(super) const TOURNAMENT_LENGTH: usize = 26;

/// The names for the numbers of a `.wtb` file.
///
/// If a table is missing, number 7 is called `#7`.
#[derive(Debug, Default)]
pub struct Names {
    /// The `.jou` file.
    pub players: Option<NameTable>,
    /// The `.trn` file.
    pub tournaments: Option<NameTable>,
    /// Errors in these files; a reader of games reports them first.
    pub errors: Vec<RecordError>,
}

impl Names {
    /// The tables that belong to this `.wtb` file: in its folder, with the same base name or called `WTH`, in any case.
    pub fn beside(path: &Path) -> Self {
        let mut names = Self::default();
        names.players = names.load(find(path, "jou"), PLAYER_LENGTH);
        names.tournaments = names.load(find(path, "trn"), TOURNAMENT_LENGTH);
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

    fn load(&mut self, path: Option<PathBuf>, length: usize) -> Option<NameTable> {
        let path = path?;
        let name = path.display().to_string();
        match File::open(&path) {
            Ok(file) => Some(self.read(BufReader::new(file), &name, length)),
            Err(error) => {
                self.errors.push(RecordError::new(&name, Place::Header, error.into()));
                None
            }
        }
    }

    fn read(&mut self, reader: impl Read, name: &str, length: usize) -> NameTable {
        let mut table = NameTable::default();
        if let Err((place, problem)) = table.read(reader, length) {
            self.errors.push(RecordError::new(name, place, problem));
        }
        table
    }
}

/// The files to which the names of a `.wtb` file are written: existing ones with its own base name, in any case,
/// otherwise new ones.
pub(crate) fn name_files(path: &Path) -> [PathBuf; 2] {
    // Upper-case names go with upper-case game files, as in the federation's own files.
    let has_capitals = path.extension().is_some_and(|extension| extension == "WTB");
    ["jou", "trn"].map(|extension| match find_ranked(path, extension) {
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
fn find(path: &Path, extension: &str) -> Option<PathBuf> {
    find_ranked(path, extension).map(|(_, file)| file)
}

fn find_ranked(path: &Path, extension: &str) -> Option<(Rank, PathBuf)> {
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

/// The names of players or tournaments by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameTable {
    names: Vec<String>,
}

impl NameTable {
    /// The name with this number.
    pub fn name(&self, number: u16) -> Option<&str> {
        self.names.get(usize::from(number)).map(String::as_str)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Reads all names, and compares their number with that in the header.
    fn read(&mut self, mut reader: impl Read, length: usize) -> Result<(), (Place, RecordProblem)> {
        let header = Header::read(&mut reader).map_err(|problem| (Place::Header, problem))?;
        let mut bytes = vec![0; length];
        let expected = format!("{} as the header says", header.names);
        loop {
            let place = Place::Record(self.names.len() as u64 + 1);
            let count = super::fill(&mut reader, &mut bytes).map_err(|error| (place, error.into()))?;
            let problem = match count {
                0 if self.names.len() == usize::from(header.names) => return Ok(()),
                0 => RecordProblem::malformed(format!("{} names", self.names.len()), expected),
                // 16-bit numbers allow no more names.
                _ if self.names.len() > usize::from(u16::MAX) => {
                    RecordProblem::malformed(format!("more than {} names", self.names.len()), expected)
                }
                _ if count == length => {
                    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(length);
                    self.names.push(latin1(&bytes[..end]));
                    continue;
                }
                _ => {
                    let found = format!("{} after name {}", super::counted_bytes(count), self.names.len());
                    RecordProblem::malformed(found, format!("{length} for each, and {expected}"))
                }
            };
            return Err((Place::End, problem));
        }
    }
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
    pub(super) fn players() -> Self {
        Self { what: "player", length: PLAYER_LENGTH, names: Vec::new(), numbers: HashMap::new() }
    }

    pub(super) fn tournaments() -> Self {
        Self { what: "tournament", length: TOURNAMENT_LENGTH, names: Vec::new(), numbers: HashMap::new() }
    }

    /// Starts with the names of an old file, which keep their numbers.
    pub(super) fn keep(&mut self, old: &NameTable) {
        for name in old.names.iter().take(usize::from(u16::MAX)) {
            let name = self.encode(name);
            // Of equal names the first one is used.
            self.numbers.entry(name.clone()).or_insert(self.names.len() as u16);
            self.names.push(name);
        }
    }

    /// The number of a name; a new name gets a new number.
    pub(super) fn number(&mut self, name: &str) -> Result<u16, WriteError> {
        let name = self.encode(name);
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        // The count in the header has 16 bits, too, so the last number cannot be used.
        let number = u16::try_from(self.names.len())
            .ok()
            .filter(|&number| number < u16::MAX)
            .ok_or(WriteError::TooMany { what: self.what, limit: u64::from(u16::MAX) })?;
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

    /// Writes the file.
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
