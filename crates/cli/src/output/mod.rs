//! Standard output, buffered, with one JSON object per line; and error messages.

mod bad_records;
pub(crate) mod contest_run;
pub(crate) mod long_solve;
pub(crate) mod misuse;
pub(crate) mod processor_time;
mod progress;

use std::borrow::Cow;
use std::env;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use anyhow::{Result, ensure};
use clap::error::ErrorKind;
use othello::{Position, Rules};
use records::printable::is_harmless;
use report::diagram;
use report::look::{ColorChoice, Look};
use serde::Serialize;
use storage::standard_output::StandardOutput;
use terminal::wrapping;

pub(crate) use bad_records::BadRecords;
pub(crate) use progress::Progress;
use report::words::without_error_numbers;
pub(crate) use report::words::{counted, grouped, names, percent, printable};

/// Standard output behind a buffer: flush it to show what was written.
pub(crate) type Buffer = BufWriter<StandardOutput>;

pub(crate) fn stdout() -> Buffer {
    BufWriter::new(StandardOutput::lock())
}

/// Prints a result, as JSON or else as the text that a function writes.
pub(crate) fn print(json: bool, result: &impl Serialize, text: impl FnOnce(&mut Buffer) -> Result<()>) -> Result<()> {
    let mut out = stdout();
    if json {
        json_line(&mut out, result)?
    } else {
        text(&mut out)?
    }
    Ok(out.flush()?)
}

/// Prints that a game is over, in place of moves; as JSON that is an error.
pub(crate) fn no_move<B: Rules>(json: bool, position: &Position<B>) -> Result<()> {
    ensure!(!json, "no move to show: the game is over");
    let mut out = stdout();
    writeln!(out, "{}.", diagram::situation(position))?;
    Ok(out.flush()?)
}

/// Prints a row of results immediately, as JSON or else as a line of text.
pub(crate) fn row(out: &mut impl Write, json: bool, row: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    if json {
        json_line(out, row)?
    } else {
        writeln!(out, "{}", text())?
    }
    Ok(out.flush()?)
}

/// Writes a value as one line of JSON, and shows it.
pub(crate) fn json_row(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    json_line(out, value)?;
    Ok(out.flush()?)
}

pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    json_text(out, &serde_json::to_string(value).map_err(io::Error::from)?)
}

/// Writes JSON that is text already as one line.
pub(crate) fn json_text(out: &mut impl Write, text: &str) -> Result<()> {
    writeln!(out, "{}", escaped(text))?;
    Ok(())
}

/// Escapes characters that serde_json leaves unescaped and that could control a terminal. They only occur in strings.
fn escaped(json: &str) -> Cow<'_, str> {
    if json.chars().all(is_harmless) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for symbol in json.chars() {
        if is_harmless(symbol) {
            text.push(symbol);
        } else {
            // All of them are in the basic plane, where an escape of four digits is enough.
            text.push_str(&format!("\\u{:04x}", u32::from(symbol)));
        }
    }
    Cow::Owned(text)
}

/// The parts that are not 0, with a verb: `1 bad record and 2 unreadable files were`.
pub(crate) fn parts<const N: usize>(parts: [(u64, String); N]) -> Option<String> {
    let all: u64 = parts.iter().map(|(count, _)| count).sum();
    let words: Vec<_> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    let were = if all == 1 { "was" } else { "were" };
    (all > 0).then(|| format!("{} {were}", words.join(" and ")))
}

/// The command line of this process, quoted as for a shell.
pub(crate) fn command_line() -> String {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    report::results_page::command_line(std::iter::once(crate::about().name.to_owned()).chain(arguments))
}

/// Whether an error only means that the reader of our output has closed it, as `head` does.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Reports an error on standard error: one sentence, which may quote text from a file.
pub(crate) fn warn(sentence: &impl Display) {
    let line = format!("{}: {}", crate::about().name, printable(&without_error_numbers(&sentence.to_string())));
    // If standard error is closed, too, the message is lost.
    let _ = writeln!(io::stderr(), "{}", wrapping::wrapped(&line, wrapping::columns(&io::stderr()), 2));
}

/// Reports an error in the command line, with the usage from clap.
pub(crate) fn report_usage_error(error: &clap::Error) {
    let text = misuse::text_of(error);
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = writeln!(io::stderr(), "{text}");
        return;
    }
    let (sentence, rest) = text.split_once('\n').unwrap_or((&text, ""));
    warn(&sentence);
    if !rest.is_empty() {
        let lines: Vec<_> = rest.lines().map(printable).collect();
        let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    }
}

/// Prints help or the version, which clap returns as an error.
pub(crate) fn print_help(text: &clap::Error) -> Result<()> {
    let mut out = stdout();
    let text = text.render();
    // The choice of colors is that of all other output.
    match Look::of(&io::stdout(), ColorChoice::Auto).color {
        true => write!(out, "{}", text.ansi())?,
        false => write!(out, "{text}")?,
    }
    Ok(out.flush()?)
}

/// An error with its causes in one sentence, without repeating a cause that the error names itself.
pub(crate) fn sentence_of(error: &anyhow::Error) -> String {
    report::words::sentence(error.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_no_character_that_commands_a_terminal() {
        let text = "Ann\u{1b}[2J \u{7f}\u{9b}2J\u{202e}é為\"";
        let mut line = Vec::new();
        json_line(&mut line, &text).expect("memory");
        let line = String::from_utf8(line).expect("text");
        assert_eq!(line, "\"Ann\\u001b[2J \\u007f\\u009b2J\\u202eé為\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&line).expect("JSON"), text);
    }
}
