//! The names of openings, as a list.

use records::opening_names::{self, NamedOpening};

use crate::prelude::*;

/// Column of the names: after the longest list of moves that fits.
const MOVES_COLUMN: usize = 24;

#[derive(Serialize)]
struct Row<'a> {
    /// Name of the opening.
    name: &'a str,
    /// Other names.
    other_names: &'a [&'a str],
    /// Its moves.
    moves: &'a str,
}

pub(super) fn print(json: bool) -> Result<()> {
    let mut out = output::stdout();
    let columns = wrapping::columns(&io::stdout());
    for NamedOpening { name, other_names, moves } in opening_names::all() {
        output::row(&mut out, json, &Row { name, other_names, moves }, || {
            let others = if other_names.is_empty() { String::new() } else { format!(" ({})", other_names.join(", ")) };
            let line = format!("{moves:<MOVES_COLUMN$} {name}{others}");
            wrapping::wrapped(&line, columns, MOVES_COLUMN + 1)
        })?;
    }
    if !json {
        writeln!(out, "{}", counted(opening_names::all().len() as u64, "opening"))?;
    }
    Ok(out.flush()?)
}
