//! Data files that ship: part of the program, or loaded by the host when they are first needed.
//!
//! A page does not download the tables of a program that is not in the game: there, the bytes are not part of the program,
//! and the host installs a loader.

use std::fmt;
use std::sync::OnceLock;

/// A data file that ships with the program.
///
/// ```
/// use storage::DataFile;
///
/// static TABLES: DataFile = DataFile::new("my.tables", Some(b"12"), |bytes| bytes.len() == 2);
/// TABLES.require()?;
/// assert_eq!(TABLES.bytes(), b"12");
/// # Ok::<(), storage::MissingData>(())
/// ```
pub struct DataFile {
    name: &'static str,
    bytes: Option<&'static [u8]>,
    check: fn(&[u8]) -> bool,
    loaded: OnceLock<Vec<u8>>,
}

impl DataFile {
    /// A file with the bytes that are part of the program, if they are. Loaded bytes must pass the check.
    pub const fn new(name: &'static str, bytes: Option<&'static [u8]>, check: fn(&[u8]) -> bool) -> Self {
        Self { name, bytes, check, loaded: OnceLock::new() }
    }

    /// Name of the file, for the loader.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Loads the file if it is neither part of the program nor loaded yet.
    pub fn require(&self) -> Result<(), MissingData> {
        self.find(LOADER.get().copied()).map(|_| ())
    }

    /// Content of the file.
    ///
    /// # Panics
    /// If the file is not part of the program and cannot be loaded; [`require`](Self::require) comes first.
    pub fn bytes(&self) -> &[u8] {
        self.find(LOADER.get().copied()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Whether these bytes can be the content of the file.
    pub fn accepts(&self, bytes: &[u8]) -> bool {
        (self.check)(bytes)
    }

    /// Content of the file. After a failure, the next call tries again.
    fn find(&self, loader: Option<Loader>) -> Result<&[u8], MissingData> {
        if let Some(bytes) = self.bytes.or_else(|| self.loaded.get().map(Vec::as_slice)) {
            return Ok(bytes);
        }
        let bytes = loader.and_then(|loader| loader(self.name)).filter(|bytes| self.accepts(bytes));
        bytes.map(|bytes| self.loaded.get_or_init(|| bytes).as_slice()).ok_or(MissingData { name: self.name })
    }
}

impl fmt::Debug for DataFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataFile").field(&self.name).finish()
    }
}

/// Returns the content of a data file, if it can be loaded.
pub type Loader = fn(name: &str) -> Option<Vec<u8>>;

static LOADER: OnceLock<Loader> = OnceLock::new();

/// Installs the loader of data files that are not part of the program. Only the first call has an effect.
pub fn install_loader(loader: Loader) {
    let _ = LOADER.set(loader);
}

/// A data file that could not be loaded, or whose content was invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the program's tables could not be loaded ({name})")]
pub struct MissingData {
    name: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_number(bytes: &[u8]) -> bool {
        !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
    }

    #[test]
    fn a_file_that_is_part_of_the_program_needs_no_loader() {
        let file = DataFile::new("numbers", Some(b"12"), is_number);
        assert_eq!(file.find(None), Ok(&b"12"[..]));
        assert_eq!((file.require(), file.bytes()), (Ok(()), &b"12"[..]));
    }

    #[test]
    fn a_file_is_loaded_by_its_name_and_only_once() {
        let file = DataFile::new("12", None, is_number);
        assert_eq!(file.find(None), Err(MissingData { name: "12" }), "without a loader");
        assert_eq!(file.find(Some(|name| Some(name.as_bytes().to_vec()))), Ok(&b"12"[..]));
        assert_eq!(file.find(None), Ok(&b"12"[..]));
    }

    #[test]
    fn invalid_content_is_refused_and_loaded_again() {
        let file = DataFile::new("numbers", None, is_number);
        let error = file.find(Some(|_| Some(b"<html>404</html>".to_vec()))).expect_err("not a number");
        assert_eq!(error.to_string(), "the program's tables could not be loaded (numbers)");
        assert_eq!(file.find(Some(|_| None)), Err(error));
        assert_eq!(file.find(Some(|_| Some(b"3".to_vec()))), Ok(&b"3"[..]));
    }
}
