//! The file in which a program's computed tables ship: named arrays with a checksum.
//!
//! Magic `EMHT`, version, the program's name, then each array with its name, the size of its numbers and their
//! count, and a checksum of all of it at the end. Numbers are little-endian.

use std::collections::BTreeMap;

use crate::checksum;
use crate::{Fields, FormatError};

const MAGIC: &[u8; 4] = b"EMHT";
const VERSION: u8 = 1;
const CHECKSUM: usize = 8;

/// The tables of one program, each by its name.
///
/// ```
/// # use storage::table_file::TableFile;
/// let mut tables = TableFile::new("iago");
/// tables.put("edges", &[1i16, -2, 3]);
/// let read = TableFile::read("iago", &tables.bytes())?;
/// assert_eq!(read.take::<i16>("edges", 3)?, [1, -2, 3]);
/// # Ok::<(), storage::table_file::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    program: String,
    arrays: BTreeMap<String, (u8, Vec<u8>)>,
}

/// A number of a table.
pub trait TableNumber: Copy {
    /// Identifies the kind of number in the file.
    const KIND: u8;
    /// Its size in bytes.
    const SIZE: usize;
    /// Adds its bytes.
    fn write(self, bytes: &mut Vec<u8>);
    /// Reads it from exactly [`SIZE`](Self::SIZE) bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! table_number {
    ($($number:ty = $kind:literal),*) => {$(
        impl TableNumber for $number {
            const KIND: u8 = $kind;
            const SIZE: usize = size_of::<$number>();

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a number is cut to its size"))
            }
        }
    )*};
}
table_number!(u8 = 1, i8 = 2, i16 = 3, i32 = 4, f32 = 5, f64 = 6);

impl TableFile {
    /// No tables yet.
    pub fn new(program: &str) -> Self {
        Self { program: program.to_owned(), arrays: BTreeMap::new() }
    }

    /// Adds a table, or replaces it.
    ///
    /// # Panics
    /// If the name is longer than 255 bytes.
    pub fn put<N: TableNumber>(&mut self, name: &str, numbers: &[N]) {
        assert!(name.len() <= 255, "the name of a table has at most 255 bytes");
        let mut bytes = Vec::with_capacity(numbers.len() * N::SIZE);
        numbers.iter().for_each(|number| number.write(&mut bytes));
        self.arrays.insert(name.to_owned(), (N::KIND, bytes));
    }

    /// A table of this many numbers.
    pub fn take<N: TableNumber>(&self, name: &str, count: usize) -> Result<Vec<N>, TableError> {
        match self.arrays.get(name) {
            Some((kind, bytes)) if *kind == N::KIND && bytes.len() == count * N::SIZE => {
                Ok(bytes.chunks_exact(N::SIZE).map(N::read).collect())
            }
            _ => Err(TableError::Table { program: self.program.clone(), name: name.to_owned(), count }),
        }
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[VERSION]].concat();
        let text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.push(text.len() as u8);
            bytes.extend(text.as_bytes());
        };
        text(&mut bytes, &self.program);
        for (name, (kind, numbers)) in &self.arrays {
            text(&mut bytes, name);
            bytes.push(*kind);
            bytes.extend((numbers.len() as u32).to_le_bytes());
            bytes.extend(numbers);
        }
        bytes.extend(checksum::of_words(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the file of a program.
    pub fn read(program: &str, bytes: &[u8]) -> Result<Self, TableError> {
        if !bytes.starts_with(MAGIC) {
            return Err(FormatError::Foreign { magic: MAGIC }.into());
        }
        let expected = MAGIC.len() + 1 + CHECKSUM;
        if bytes.len() < expected {
            return Err(FormatError::Length { found: bytes.len(), expected }.into());
        }
        let version = bytes[MAGIC.len()];
        if version != VERSION {
            return Err(FormatError::Version { found: version.into(), expected: VERSION.into() }.into());
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if checksum::of_words(content).to_le_bytes() != sum {
            return Err(FormatError::Checksum.into());
        }
        let mut rest = Fields(&content[MAGIC.len() + 1..]);
        let found = text(&mut rest).ok_or(TableError::Damaged)?;
        if found != program {
            return Err(TableError::Program(found, program.to_owned()));
        }
        let mut arrays = BTreeMap::new();
        while !rest.0.is_empty() {
            let (name, array) = array(&mut rest).ok_or(TableError::Damaged)?;
            arrays.insert(name, array);
        }
        Ok(Self { program: found, arrays })
    }
}

fn text(rest: &mut Fields<'_>) -> Option<String> {
    let length = rest.u8()?;
    String::from_utf8(rest.bytes(length.into())?.to_vec()).ok()
}

fn array(rest: &mut Fields<'_>) -> Option<(String, (u8, Vec<u8>))> {
    let name = text(rest)?;
    let kind = rest.u8()?;
    let length = rest.u32()?;
    Some((name, (kind, rest.bytes(length as usize)?.to_vec())))
}

/// Reason why bytes are not the expected tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// Not such a file, of another version, or damaged.
    #[error("not a valid file of tables: {0}")]
    Format(FormatError),
    /// Invalid tables with a valid checksum.
    #[error("the file of tables is damaged: a length or a number in it is invalid")]
    Damaged,
    /// The tables of the first program; the second was expected.
    #[error("the file has the tables of {0:?}; expected those of {1:?}")]
    Program(String, String),
    /// A table is missing or has another size.
    #[error("the tables of {program} have no table {name:?} of {count} numbers of the expected kind")]
    Table {
        /// The program.
        program: String,
        /// Its name.
        name: String,
        /// The expected number of numbers.
        count: usize,
    },
}

impl From<FormatError> for TableError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TableFile {
        let mut tables = TableFile::new("bill");
        tables.put("edges", &[1i16, -2, 300]);
        tables.put("means", &[0.5f64, -1.25]);
        tables.put("empty", &[] as &[u8]);
        tables
    }

    #[test]
    fn tables_come_back_as_they_were() {
        let read = TableFile::read("bill", &sample().bytes()).unwrap();
        assert_eq!(read, sample());
        assert_eq!(read.take::<i16>("edges", 3).unwrap(), [1, -2, 300]);
        assert_eq!(read.take::<f64>("means", 2).unwrap(), [0.5, -1.25]);
        assert!(read.take::<u8>("empty", 0).unwrap().is_empty());
        assert!(read.take::<i32>("edges", 3).is_err() && read.take::<i16>("edges", 4).is_err());
        assert!(read.take::<i16>("edge", 3).unwrap_err().to_string().contains("no table \"edge\" of 3 numbers"));
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let bytes = sample().bytes();
        for length in 0..bytes.len() {
            TableFile::read("bill", &bytes[..length]).unwrap_err();
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            TableFile::read("bill", &flipped).unwrap_err();
        }
        let foreign = TableFile::read("iago", &bytes).unwrap_err().to_string();
        assert_eq!(foreign, "the file has the tables of \"bill\"; expected those of \"iago\"");
    }
}
