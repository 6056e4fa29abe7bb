//! The bench signature: the current one against the recorded one.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::cargo::{program, workspace};
use crate::wasm::signature;

/// The file with the recorded signature.
const FILE: &str = "data/bench/signature";

/// The recorded signature.
pub(crate) fn written_down() -> Result<u64> {
    let text = fs::read_to_string(workspace().join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    text.trim().parse().with_context(|| format!("{FILE} holds {text:?}; expected a number"))
}

/// Searches the positions of the bench and compares the number of nodes.
pub(crate) fn is_as_written_down() -> Result<()> {
    let expected = written_down()?;
    let found = signature(program("emilia")?.arg("bench"))?;
    ensure!(
        found == expected,
        "the bench signature is {found}; {FILE} says {expected}. If the search or the evaluation was changed on \
         purpose, write the new one there and end the commit message with `Bench: {found}`"
    );
    Ok(())
}
