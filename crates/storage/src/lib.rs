//! Common file handling: atomic replacement, locks, headers with magic, version and checksum, and fingerprints of the
//! parameters that determine the content of a file.
//!
//! # Parts
//!
//! `whole_file.rs` writes every output so that at any moment either the old or the new file exists, complete: a
//! temporary file `.NAME.XXXXXX.new` next to it is written, synced and renamed. Output can be streamed (`NewFile`), and
//! several files can be replaced together (`commit_all`); pipes and devices are written to directly. `same_file.rs`
//! compares files by device and inode: the program (`FileRoles` in `arguments/output_path.rs`) refuses an output that
//! is also an input before any work. `growing_file.rs` opens and locks a file that grows, `format.rs` and `block.rs`
//! are the headers and blocks of all binary formats, `fingerprint.rs` compares the parameters that determined the content of a
//! file, `checksum.rs` and `hexadecimal.rs` are the checksums. `docs/formats.md` has the layouts.

pub mod block;
pub mod checked_line;
pub mod checksum;
mod data_file;
pub mod fingerprint;
pub mod format;
pub mod growing_file;
pub mod hexadecimal;
pub mod same_file;
pub mod standard_output;
pub mod table_file;
pub mod whole_file;

pub use data_file::{DataFile, Loader, MissingData, install_loader};
pub use fingerprint::{Difference, Fingerprint};
pub use format::{Fields, Format, FormatError};
pub use same_file::FileId;
