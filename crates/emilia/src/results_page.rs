//! Pages of results: sections of a Markdown file that commands write and write again.

use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};

use crate::{game_file, whole_file};

/// What a section says: when, by which command, and the results.
fn section_body(note: Option<&str>, markdown: &str) -> String {
    let mut body = String::new();
    let date = game_file::today().map(|date| date.to_string()).unwrap_or_default();
    let _ = write!(body, "{date}");
    if let Some(note) = note {
        let _ = write!(body, ", {note}");
    }
    let _ = write!(body, "; written by this command:\n\n    {}\n\n{}", command_line(), markdown.trim_end());
    body
}

/// The command line, with what a shell would take apart in quotes.
fn command_line() -> String {
    let quoted = |argument: String| {
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_=+.,:/@%".contains(symbol);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    };
    let arguments = env::args().skip(1).map(quoted);
    std::iter::once("emilia".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Writes results as a section of a Markdown file, with the date, a note and the command that was given: in the place of
/// the section with the same heading, or at the end.
pub fn write_section(path: &Path, heading: &str, note: Option<&str>, markdown: &str) -> Result<()> {
    let body = section_body(note, markdown);
    let old = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let new = with_section(&old, heading, &body);
    whole_file::replace(path, new.as_bytes())
}

fn with_section(text: &str, heading: &str, body: &str) -> String {
    let title = format!("## {}", heading.trim());
    let lines: Vec<&str> = text.lines().collect();
    let (before, after) = match lines.iter().position(|line| line.trim_end() == title) {
        Some(start) => {
            let end = lines[start + 1..].iter().position(|line| line.starts_with("## "));
            (&lines[..start], end.map_or(&[][..], |end| &lines[start + 1 + end..]))
        }
        None => (&lines[..], &[][..]),
    };
    let parts = [before.join("\n"), format!("{title}\n\n{}", body.trim()), after.join("\n")];
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_added_or_replaced_and_the_others_stay() {
        let text = "# Results\n\n## One\n\nold\n\n## Two\n\nstays\n";
        assert_eq!(with_section(text, "One", "new\n"), "# Results\n\n## One\n\nnew\n\n## Two\n\nstays\n");
        assert_eq!(with_section(text, "Two", "new"), "# Results\n\n## One\n\nold\n\n## Two\n\nnew\n");
        assert_eq!(with_section(text, "Three", "new"), format!("{text}\n## Three\n\nnew\n"));
        assert_eq!(with_section("", "One", "new"), "## One\n\nnew\n");
    }
}
