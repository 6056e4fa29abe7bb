//! Wordings in comments and names that make readers stop: doc comments that begin with a clause instead of a noun or a
//! verb, code described as a person, and a few words with a better one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cargo::workspace;

/// A wording to avoid.
struct Wording {
    name: &'static str,
    /// Whether a line has it.
    is_in: fn(Line<'_>) -> bool,
}

const WORDINGS: &[Wording] = &[
    Wording { name: "a clause begins a doc comment (What, Who, Where, Those, How)", is_in: begins_with_a_clause },
    Wording {
        name: "nobody, somebody, everybody, whoever",
        is_in: |line| line.comment_has(&["nobody", "somebody", "everybody", "whoever"]),
    },
    Wording { name: "so many, so long, so often, so much as a noun", is_in: has_so_many },
    Wording { name: "usual for default", is_in: has_usual },
    Wording { name: "most_ and least_ for max_ and min_", is_in: has_most_or_least },
    Wording {
        name: "any more, at once, at first",
        is_in: |line| line.comment_has(&["any more", "at once", "at first"]),
    },
    Wording { name: "code that is told, hears, believes, says, sits down or talks", is_in: has_a_person },
    Wording {
        name: "comes of it, which there are not, gives no such",
        is_in: |line| {
            let words = [
                "come of it",
                "comes of it",
                "come of one",
                "comes of one",
                "which there are not",
                "which there is not",
                "gives no such",
            ];
            line.comment_has(&words)
        },
    },
];

/// Places that may have a wording: words of the field. Each is a file or a folder, and a part of a line.
const ALLOWED: &[(&str, &str)] = &[("classics/", "least_squares"), ("crates/learning/", "least_squares")];

/// This file has all wordings.
const THIS_FILE: &str = "xtask/src/wording.rs";

/// Checks all Rust files of the workspace.
pub(crate) fn is_plain() -> Result<()> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut used = vec![false; ALLOWED.len()];
    for path in rust_files(&workspace())? {
        let name = path.strip_prefix(workspace()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if name == THIS_FILE {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for (number, line) in text.lines().enumerate() {
            for wording in WORDINGS.iter().filter(|wording| (wording.is_in)(Line(line))) {
                if let Some(place) =
                    ALLOWED.iter().position(|(file, part)| name.starts_with(file) && line.contains(part))
                {
                    used[place] = true;
                } else {
                    places.entry(wording.name).or_default().push(format!("{name}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    let unused: Vec<_> =
        ALLOWED.iter().zip(used).filter(|(_, used)| !used).map(|(place, _)| format!("{place:?}")).collect();
    ensure!(unused.is_empty(), "allowed places without such a wording: {}", unused.join(", "));
    let lists = places.iter().map(|(name, found)| format!("{name}:\n{}", found.join("\n")));
    ensure!(places.is_empty(), "wordings to avoid: {}", lists.collect::<Vec<_>>().join("\n"));
    println!("no wording to avoid");
    Ok(())
}

/// The Rust files of a folder and its folders, without what is built.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot read the folder {}", folder.display()))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// A line of a Rust file.
#[derive(Clone, Copy)]
struct Line<'a>(&'a str);

impl<'a> Line<'a> {
    /// The text of a doc comment, if the line is one.
    fn doc(self) -> Option<&'a str> {
        let line = self.0.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
    }

    /// Whether a comment has one of these words.
    fn comment_has(self, words: &[&str]) -> bool {
        let Some(start) = self.0.find("//") else { return false };
        let comment = self.0[start..].to_lowercase();
        words.iter().any(|word| has_word(&comment, word))
    }
}

/// Whether a text has a word, or several, with nothing that belongs to a name before or after.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(place, _)| {
        !text[..place].ends_with(is_of_a_name) && !text[place + word.len()..].starts_with(is_of_a_name)
    })
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn begins_with_a_clause(line: Line<'_>) -> bool {
    let Some(text) = line.doc() else { return false };
    let (first, rest) = text.split_at(text.find(|letter| !is_of_a_name(letter)).unwrap_or(text.len()));
    let is_clause = match first {
        "What" | "Who" | "Whoever" | "Those" | "Where" => true,
        "How" => rest
            .strip_prefix(' ')
            .is_some_and(|rest| rest.strip_prefix("to").is_none_or(|behind| behind.starts_with(is_of_a_name))),
        _ => false,
    };
    is_clause && !text.ends_with('?')
}

fn has_so_many(line: Line<'_>) -> bool {
    ["in", "of", "after", "for", "every"].iter().any(|first| {
        ["many", "long", "often", "much"].iter().any(|last| line.comment_has(&[&format!("{first} so {last}")]))
    })
}

fn has_usual(line: Line<'_>) -> bool {
    line.0.match_indices("usual").any(|(place, word)| {
        let behind = &line.0[place + word.len()..];
        !line.0[..place].ends_with(is_of_a_name) && (behind.starts_with('_') || !behind.starts_with(is_of_a_name))
    })
}

fn has_most_or_least(line: Line<'_>) -> bool {
    ["MOST_", "LEAST_", "most_", "least_"].iter().any(|prefix| {
        line.0.match_indices(prefix).any(|(place, _)| {
            !line.0[..place].ends_with(is_of_a_name)
                && line.0[place + prefix.len()..].starts_with(|letter: char| letter.is_ascii_alphabetic())
        })
    })
}

fn has_a_person(line: Line<'_>) -> bool {
    let words = [
        "is told",
        "are told",
        "hears",
        "is heard",
        "believe",
        "believes",
        "is believed",
        "says that",
        "sits down",
        "is away",
        "talk",
        "talks",
    ];
    line.doc().is_some_and(|text| words.iter().any(|word| has_word(text, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of wordings in a line.
    fn count(line: &str) -> usize {
        WORDINGS.iter().filter(|wording| (wording.is_in)(Line(line))).count()
    }

    #[test]
    fn wordings_to_avoid_are_found() {
        for line in [
            "/// What it returns.",
            "    //! Those that wait.",
            "/// How many there are.",
            "let x = 1; // Nobody waits for it.",
            "// A table of so many megabytes.",
            "fn usual_level() {}",
            "/// The usual way.",
            "const MOST_CLIENTS: usize = 1;",
            "if depth < least_depth {",
            "// It does not run any more.",
            "/// A client that is told so.",
            "// All that comes of it.",
        ] {
            assert_eq!(count(line), 1, "{line}");
        }
    }

    #[test]
    fn other_lines_are_plain() {
        for line in [
            "/// How to add one.",
            "/// What is it?",
            "// What follows is not a doc comment.",
            "/// Whatever comes.",
            "let usually = almost_all && utmost_care;",
            "fn nobody() {}",
            "/// The least of them, so many as they are.",
            "most_",
        ] {
            assert_eq!(count(line), 0, "{line}");
        }
    }
}
