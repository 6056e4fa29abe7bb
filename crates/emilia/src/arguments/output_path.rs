//! Where games are to be written.

use std::path::{Path, PathBuf};

use anyhow::Result;
use othello::records::Format;
use othello::records::files::STANDARD_STREAM;

use crate::arguments::usage_error::UsageError;

/// The format to write in: as asked for, or as the name says.
pub fn output_format(path: &Path, asked: Option<Format>) -> Result<Format> {
    if let Some(format) = asked.or_else(|| Format::from_path(path)) {
        return Ok(format);
    }
    let what = if path == Path::new(STANDARD_STREAM) { "standard output".into() } else { path.to_string_lossy() };
    let expected = "--to FORMAT or a name that ends in .txt, .obf, .ggf, .sgf or .wtb";
    Err(UsageError::new(format!("cannot tell the format of {what}; expected {expected}")).into())
}

/// Refuses an output that is also read: creating it would empty it first.
pub fn check_not_read(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    let Ok(output) = output.canonicalize() else { return Ok(()) };
    match inputs.iter().find(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        Some(input) => {
            let sentence = format!("{} cannot be both read and written; expected another name", input.display());
            Err(UsageError::new(sentence).into())
        }
        None => Ok(()),
    }
}
