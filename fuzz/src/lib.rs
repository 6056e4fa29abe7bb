//! Shared parts of the fuzz targets: the parsers of records by name, files for readers that need a path, and checksums.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, process};

use storage::checksum::crc32;
use storage::format::GROWING_HEADER;

#[path = "../../crates/records/tests/parsers/mod.rs"]
mod parsers;

/// Gives bytes to a parser of the list that the tests of records use. It panics if writing and reading again gives a
/// different result.
pub fn parse(name: &str, bytes: &[u8]) {
    let (_, parse) = parsers::PARSERS.iter().find(|(known, _)| *known == name).expect("the parser is in the list");
    parse(bytes);
}

/// A file with these bytes, the same one for every input of this process.
pub fn file(bytes: &[u8]) -> &'static Path {
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| env::temp_dir().join(format!("emilia-fuzz-{}", process::id())));
    fs::write(&*PATH, bytes).expect("a temporary file can be written");
    &PATH
}

/// A file that grows in blocks with `FIELDS` bytes of fields, with corrected checksums in its header and blocks: no
/// fuzzer would guess them, and readers check them first.
pub fn with_checksums<const FIELDS: usize>(magic: &[u8; 8], bytes: &[u8]) -> Vec<u8> {
    let mut file = [&magic[..], bytes].concat();
    if file.len() < GROWING_HEADER {
        return file;
    }
    let sum = crc32(&file[..GROWING_HEADER - 4]);
    file[GROWING_HEADER - 4..GROWING_HEADER].copy_from_slice(&sum.to_le_bytes());
    let head_length = storage::block::BlockHead::<FIELDS>::BYTES;
    let mut rest = &mut file[GROWING_HEADER..];
    while let Some((head, behind)) = rest.split_at_mut_checked(head_length) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some((payload, next)) = behind.split_at_mut_checked(length) else { break };
        head[head_length - 8..head_length - 4].copy_from_slice(&crc32(payload).to_le_bytes());
        let sum = crc32(&head[..head_length - 4]);
        head[head_length - 4..].copy_from_slice(&sum.to_le_bytes());
        rest = next;
    }
    file
}
