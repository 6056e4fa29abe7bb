//! Pages of results: sections of a Markdown file that commands write and write again.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use records::files::today;
use storage::whole_file::{self, FileError};

/// More bytes than any page of results has.
const MAX_BYTES: u64 = 16 << 20;

/// Origin of the results of a section.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The command that made the results.
    pub command: &'a str,
    /// Further remarks: the machine, the commit.
    pub note: Option<&'a str>,
}

fn section_body(origin: Origin<'_>, markdown: &str) -> String {
    let mut body = today().map(|date| date.to_string()).unwrap_or_default();
    if let Some(note) = origin.note {
        let _ = write!(body, ", {note}");
    }
    let _ = write!(body, "; written by this command:\n\n    {}\n\n{}", origin.command, markdown.trim_end());
    body
}

/// A command as it is written in a shell: words that the shell would split stand in quotes.
pub fn command_line(words: impl IntoIterator<Item = String>) -> String {
    let quoted = |word: String| {
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_=+.,:/@%".contains(symbol);
        if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Writes results as a section of a Markdown file, with the date, a note and the command that was given: in the place of
/// the section with the same heading, or at the end.
pub fn write_section(path: &Path, heading: &str, origin: Origin<'_>, markdown: &str) -> Result<(), FileError> {
    let body = section_body(origin, markdown);
    let new = with_section(&read(path)?, heading, &body);
    whole_file::replace(path, new.as_bytes())
}

/// Makes sure, before any work, that sections can be written there.
pub fn can_be_written(path: &Path) -> Result<(), FileError> {
    read(path)?;
    // Whatever is there stays, so that nothing can be lost.
    whole_file::check_replaceable(path, b"", "page of results")
}

fn read(path: &Path) -> Result<String, FileError> {
    // A pipe or a device has no sections that could be kept.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Ok(String::new());
    }
    match whole_file::read_text(path, MAX_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|source| FileError::Unreadable(path.to_owned(), source)),
    }
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
    fn words_that_a_shell_would_take_apart_are_quoted() {
        let line = |words: &[&str]| command_line(words.iter().map(|&word| word.to_owned()));
        assert_eq!(line(&["emilia", "match", "iago@depth=3", "--note", ""]), "emilia match iago@depth=3 --note ''");
        assert_eq!(line(&["gtp:a b", "it's"]), r"'gtp:a b' 'it'\''s'");
    }

    #[test]
    fn a_section_is_added_or_replaced_and_the_others_stay() {
        let text = "# Results\n\n## One\n\nold\n\n## Two\n\nstays\n";
        assert_eq!(with_section(text, "One", "new\n"), "# Results\n\n## One\n\nnew\n\n## Two\n\nstays\n");
        assert_eq!(with_section(text, "Two", "new"), "# Results\n\n## One\n\nold\n\n## Two\n\nnew\n");
        assert_eq!(with_section(text, "Three", "new"), format!("{text}\n## Three\n\nnew\n"));
        assert_eq!(with_section("", "One", "new"), "## One\n\nnew\n");
    }
}
