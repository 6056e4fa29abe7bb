//! Books as text: one position per line, in JSON. `docs/formats.md` lists the keys.

use std::io::{BufRead, Read, Write};

use evaluation::Value;
use othello::json::SquareName;
use othello::{Board, Color, Rules};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::error::{BookError, Result};
use crate::merging::Imported;
use crate::position::BookPosition;
use crate::record::{Effort, Leaf};
use crate::{Book, Snapshot};

/// A line that is not a position of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LineError {
    /// The number of the line, from 1.
    pub line: u64,
    /// Description of the fault.
    pub reason: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Line")]
struct PositionLine {
    board: othello::Position<Board>,
    value: f64,
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    open: bool,
    leaf: Option<LineLeaf>,
    depth: u8,
    selectivity: u8,
    #[serde(default)]
    solved: bool,
    #[serde(default)]
    games: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "invalid leaf: expected a move and its value, or at_most")]
enum LineLeaf {
    Best {
        #[serde(rename = "move")]
        square: SquareName,
        value: f64,
    },
    AtMost {
        at_most: f64,
    },
}

fn discs(value: Value) -> f64 {
    f64::from(value.parts()) / f64::from(Value::PER_DISC)
}

/// The value, or a sentence.
fn value(discs: f64) -> Result<Value, String> {
    let value = Value::new((discs * f64::from(Value::PER_DISC)).round() as i32);
    let is_valid = value == value.clamped();
    is_valid.then_some(value).ok_or_else(|| format!("invalid value {discs}: expected -64 to 64 discs"))
}

fn known_selectivities() -> String {
    Selectivity::all().map(|level| level.percent().to_string()).collect::<Vec<_>>().join(", ")
}

/// Fault in the JSON of a line: for its parser, every line is the first.
fn reason(error: &serde_json::Error) -> String {
    if error.is_syntax() || error.is_eof() {
        return format!("not JSON (column {})", error.column());
    }
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(fault) => format!("{fault} (column {})", error.column()),
        None => text,
    }
}

impl From<&BookPosition> for PositionLine {
    fn from(position: &BookPosition) -> Self {
        let BookPosition { board, value, leaf, effort, games, is_solved, is_exact, is_open } = *position;
        let leaf = match leaf {
            Leaf::Covered => None,
            Leaf::Best { square, value } => Some(LineLeaf::Best { square: square.into(), value: discs(value) }),
            Leaf::AtMost(value) => Some(LineLeaf::AtMost { at_most: discs(value) }),
        };
        Self {
            board: othello::Position { board, turn: Color::Black },
            value: discs(value),
            exact: is_exact,
            open: is_open,
            leaf,
            depth: effort.depth,
            selectivity: effort.selectivity.percent(),
            solved: is_solved,
            games,
        }
    }
}

impl TryFrom<PositionLine> for BookPosition {
    /// A sentence.
    type Error = String;

    fn try_from(line: PositionLine) -> Result<Self, String> {
        let PositionLine { board, value: own, exact, open, leaf, depth, selectivity: percent, solved, games } = line;
        let own = value(own)?;
        let leaf = match leaf {
            None => Leaf::Covered,
            Some(LineLeaf::Best { square, value: found }) => Leaf::Best { square: square.square, value: value(found)? },
            Some(LineLeaf::AtMost { at_most }) => Leaf::AtMost(value(at_most)?),
        };
        let selectivity = Selectivity::from_percent(percent);
        if selectivity.percent() != percent {
            return Err(format!("invalid selectivity {percent}; expected {}", known_selectivities()));
        }
        if depth > 64 {
            return Err(format!("invalid depth {depth}: expected at most 64"));
        }
        if solved && own.parts() % Value::PER_DISC != 0 {
            return Err(format!("invalid proven score {own}: expected a whole number"));
        }
        let board = board.board;
        if !board.can_move() {
            return Err("the side to move has no legal move; expected the position after the pass".to_owned());
        }
        Ok(Self {
            board,
            value: own,
            leaf,
            effort: Effort { depth, selectivity },
            games,
            is_solved: solved,
            is_exact: exact,
            is_open: open,
        })
    }
}

const MAX_LINE_BYTES: u64 = 1 << 20;

/// Reads positions one at a time; a line that is wrong does not affect the others. Empty lines are skipped.
pub(crate) fn read(reader: impl BufRead) -> impl Iterator<Item = Result<BookPosition>> {
    let mut reader = reader;
    let mut number = 0;
    let mut is_over = false;
    std::iter::from_fn(move || {
        loop {
            if is_over {
                return None;
            }
            let mut line = Vec::new();
            number += 1;
            match reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    is_over = true;
                    return Some(Err(BookError::reading(error)));
                }
            }
            let wrong = |reason: String| Some(Err(LineError { line: number, reason }.into()));
            if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
                is_over = true;
                return wrong(format!("the line is longer than {MAX_LINE_BYTES} bytes"));
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let parsed = serde_json::from_slice::<PositionLine>(&line).map_err(|error| reason(&error));
            return match parsed.and_then(BookPosition::try_from) {
                Ok(position) => Some(Ok(position)),
                Err(reason) => wrong(reason),
            };
        }
    })
}

fn write(position: &BookPosition, writer: &mut impl Write) -> Result<()> {
    serde_json::to_writer(&mut *writer, &PositionLine::from(position))
        .map_err(|error| BookError::writing(error.into()))?;
    writer.write_all(b"\n").map_err(BookError::writing)
}

impl Snapshot {
    /// Writes all positions as JSON lines, those with the most discs first, so that reading them again is fast.
    /// `progress` receives the number of positions written and may stop the export.
    pub fn export_json(&self, writer: &mut impl Write, progress: &mut dyn FnMut(u64) -> bool) -> Result<u64> {
        let mut written = 0u64;
        for item in self.records_backwards() {
            let (key, record) = item?;
            write(&BookPosition::stored(&key, &record).canonical(), writer)?;
            written += 1;
            if written.is_multiple_of(1024) && !progress(written) {
                break;
            }
        }
        writer.flush().map_err(BookError::writing)?;
        Ok(written)
    }
}

impl Book {
    /// Merges JSON lines into the book; wrong lines are skipped and listed, and all values are computed anew.
    /// `progress` and `note` are those of [`Book::merge`], for lines.
    pub fn import_json(
        &mut self,
        reader: impl BufRead,
        note: Option<&str>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Imported> {
        let mut imported = Imported::default();
        self.in_portions(read(reader), note, progress, |editor, item, line| {
            match item.and_then(|position| editor.merge_position(&position)) {
                Ok(inserted) => imported.merged.count(inserted),
                Err(fault @ BookError::Line(_)) => imported.fault(fault),
                Err(error) if error.is_about_a_position() => {
                    imported.fault(LineError { line, reason: error.to_string() });
                }
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        Ok(imported)
    }
}
