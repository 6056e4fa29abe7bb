//! Common file handling: atomic replacement, locks, headers with magic, version and checksum, and fingerprints of the
//! parameters that determine the content of a file.

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
