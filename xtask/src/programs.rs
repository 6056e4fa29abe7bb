//! Programs are plug-ins: no crate of the core depends on a classic program, and none names one outside comments and tests.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::cargo::{packages, workspace};
use crate::wording::rust_files;

/// Packages that assemble the programs.
const ASSEMBLING: [&str; 2] = ["emilia", "page_module"];

/// Names of the classic programs.
const NAMES: [&str; 9] = [
    "iago",
    "bill",
    "logistello",
    "keyano",
    "desdemona",
    "single_strategy",
    "maximum-disc",
    "minimum-disc",
    "weighted-square",
];

/// Checks the manifests and the sources of `crates`.
pub(crate) fn are_plugged_in() -> Result<()> {
    let packages = packages()?;
    let folder = |package: &serde_json::Value| package["manifest_path"].as_str().unwrap_or_default().replace('\\', "/");
    let classics: Vec<&str> = packages
        .iter()
        .filter(|package| folder(package).contains("/classics/"))
        .filter_map(|package| package["name"].as_str())
        .collect();
    ensure!(!classics.is_empty(), "there are no packages in classics");
    let mut faults = Vec::new();
    for package in packages.iter().filter(|package| folder(package).contains("/crates/")) {
        let name = package["name"].as_str().unwrap_or_default();
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for dependency in dependencies.filter(|dependency| dependency["kind"].is_null()) {
            let other = dependency["name"].as_str().unwrap_or_default();
            if classics.contains(&other) && !ASSEMBLING.contains(&name) {
                faults.push(format!("the crate {name} depends on {other}"));
            }
        }
    }
    let root = workspace();
    for path in rust_files(&root.join("crates"))? {
        let file = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let is_assembled = ASSEMBLING.iter().any(|name| file.starts_with(&format!("crates/{name}/")));
        if is_assembled || !file.contains("/src/") || is_for_tests(&path) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
        let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        for (number, line) in code.enumerate() {
            if let Some(name) = named(line) {
                faults.push(format!("{file}:{}: {name}: {}", number + 1, line.trim()));
            }
        }
    }
    ensure!(faults.is_empty(), "places that depend on a program or name one:\n{}", faults.join("\n"));
    println!("no crate of the core depends on a program, and none names one");
    Ok(())
}

/// Whether a file, or the folder that it is in, is a module for tests alone.
pub(crate) fn is_for_tests(path: &Path) -> bool {
    path.ancestors().take_while(|place| !place.ends_with("src")).any(|place| {
        let Some((folder, name)) = place.parent().zip(place.file_stem()) else { return false };
        let declaration = format!("#[cfg(test)]\nmod {};", name.to_string_lossy());
        let beside = folder.with_extension("rs");
        [folder.join("mod.rs"), folder.join("lib.rs"), folder.join("main.rs"), beside]
            .iter()
            .any(|parent| fs::read_to_string(parent).is_ok_and(|text| text.contains(&declaration)))
    })
}

/// The program that a line of code names outside its comment.
fn named(line: &str) -> Option<&'static str> {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//") {
        return None;
    }
    let code = line.split(" // ").next().unwrap_or(line).to_lowercase();
    let is_of_a_word = |letter: char| letter.is_alphabetic();
    NAMES.into_iter().find(|name| {
        code.match_indices(name).any(|(place, _)| {
            !code[..place].ends_with(is_of_a_word) && !code[place + name.len()..].starts_with(is_of_a_word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_code_and_not_in_comments() {
        for line in
            ["use iago::Iago;", "    \"bill3\" => 3,", "let keyano_book = 1;", "Engine::BuiltIn(\"Maximum-Disc\")"]
        {
            assert!(named(line).is_some(), "{line}");
        }
        for line in ["/// As IAGO did.", "    // IAGO", "let diagonal = billions;", "let a = 1; // as in BILL"] {
            assert_eq!(named(line), None, "{line}");
        }
    }
}
