//! Standard output: buffered, one JSON object a line, and quiet when the reader has gone; and complaints.

pub mod bad_records;
pub mod contest_run;
pub mod live_line;

use std::env;
use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anyhow::Result;
use serde::Serialize;

pub use report::words::{counted, grouped, names, percent, printable};

/// Standard output behind a buffer: flush it when something should be seen.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Writes a value as one line of JSON.
pub fn json_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// The command that is run, as it is written in a shell.
pub fn command_line() -> String {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    report::results_page::command_line(std::iter::once("emilia".to_owned()).chain(arguments))
}

/// Whether an error means only that the reader of our output has gone away, as `head` does.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says on standard error that something is wrong: one sentence, which may quote what stands in a file.
pub fn complain(sentence: &impl Display) {
    // Nobody is left to tell if standard error is closed too.
    let _ = writeln!(io::stderr(), "emilia: {}", printable(&sentence.to_string()));
}

/// An error with its causes in one sentence, what has been said left out: libraries may name the cause themselves.
pub fn sentence_of(error: &anyhow::Error) -> String {
    report::words::sentence(error.as_ref())
}
