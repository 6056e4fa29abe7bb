//! Names for notes about files that are read into a book.

use std::fs::File;
use std::io::Read;

use records::files::STANDARD_STREAM;

use crate::prelude::*;

/// Number of bytes that are read in one step.
const CHUNK: u64 = 1 << 20;

/// The name under which a book records the part of a file that was read; it follows from the content of the file. A
/// stream has none: it cannot be read again.
pub(crate) fn file_note(what: &str, path: &Path) -> Result<Option<String>> {
    if path == Path::new(STANDARD_STREAM) || !path.is_file() {
        return Ok(None);
    }
    let unreadable = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(unreadable)?;
    let mut outcome: io::Result<()> = Ok(());
    let chunks = std::iter::from_fn(|| {
        let mut chunk = Vec::new();
        match Read::by_ref(&mut file).take(CHUNK).read_to_end(&mut chunk) {
            Ok(0) => None,
            Ok(_) => Some(chunk),
            Err(error) => {
                outcome = Err(error);
                None
            }
        }
    });
    let checksum = storage::checksum::fnv1a(chunks);
    outcome.with_context(unreadable)?;
    Ok(Some(format!("{what} {checksum:016x}")))
}
