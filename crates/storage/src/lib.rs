//! Files that are written whole, and what the binary formats of this project share.

pub mod whole_file;
