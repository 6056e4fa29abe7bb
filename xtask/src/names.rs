//! One name for one thing: words that many types could be called are each the name of at most one.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::cargo::workspace;
use crate::programs::is_for_tests;
use crate::wording::rust_files;

/// Names that several types had, in several crates.
const NAMES: [&str; 9] = ["Work", "Order", "Table", "Job", "Task", "Outcome", "Report", "Request", "Seat"];

/// Checks the types of `crates` and `classics` outside tests.
pub(crate) fn are_unique() -> Result<()> {
    let root = workspace();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for folder in ["crates", "classics"] {
        for path in rust_files(&root.join(folder))? {
            let file = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if !file.contains("/src/") || is_for_tests(&path) {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
            let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
            for (number, line) in code.enumerate() {
                if let Some(name) = defined(line).and_then(|word| NAMES.into_iter().find(|name| *name == word)) {
                    places.entry(name).or_default().push(format!("{name}: {file}:{}", number + 1));
                }
            }
        }
    }
    let repeated: Vec<_> = places.into_values().filter(|places| places.len() > 1).flatten().collect();
    ensure!(repeated.is_empty(), "several types have the same name:\n{}", repeated.join("\n"));
    println!("each of {} is the name of at most one type", NAMES.join(", "));
    Ok(())
}

/// The name of the type or trait that a line defines; not that of an associated type, which a trait defines.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if !["pub", "struct ", "enum ", "union ", "trait ", "unsafe "].iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.skip_while(|word| !matches!(*word, "struct" | "enum" | "union" | "trait")).nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_types_are_found() {
        for line in [
            "struct Job;",
            "    pub(crate) struct Job<'a> {",
            "pub enum Job<B: Rules> {",
            "pub(in crate::x) trait Job: Sync {",
        ] {
            assert_eq!(defined(line), Some("Job"), "{line}");
        }
        for line in
            ["use jobs::Job;", "    type Job = X;", "let job = Job { name };", "// struct Job", "pub fn job() -> Job {"]
        {
            assert_ne!(defined(line), Some("Job"), "{line}");
        }
    }
}
