//! Ctrl-C: the first asks a search to end and show what it has, the second ends the program.

use std::fmt;
use std::process;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use engine::Stop;

/// What a shell reports of a program that Ctrl-C ended.
pub const EXIT_CODE: u8 = 130;

/// A task that the user interrupted: exit code 130 instead of 1.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A flag that Ctrl-C sets; the same one at every call.
pub fn flag() -> Result<Stop> {
    static FLAG: OnceLock<Stop> = OnceLock::new();
    if let Some(stop) = FLAG.get() {
        return Ok(stop.clone());
    }
    let stop = FLAG.get_or_init(Stop::new);
    ctrlc::set_handler(|| {
        if stop.is_set() {
            process::exit(i32::from(EXIT_CODE));
        }
        stop.set();
    })
    .context("cannot install a handler for Ctrl-C")?;
    Ok(stop.clone())
}
