//! `emilia manual`: the man pages and completions of a release.

use std::collections::BTreeSet;
use std::fs;

use crate::run::{Folder, command, emilia, fails, finish};

/// The commands below one, as its help lists them.
fn listed(path: &[String]) -> Vec<String> {
    let words: Vec<&str> = path.iter().map(String::as_str).chain(["-h"]).collect();
    let help = emilia(&words).well();
    let mut names = Vec::new();
    // Commands are in every part of the list that has no options, arguments or examples.
    for line in help.lines().take_while(|line| !line.starts_with("Example")) {
        let name = line.strip_prefix("  ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        if name.starts_with(|symbol: char| symbol.is_ascii_lowercase()) && name != "help" {
            names.push(name.to_owned());
        }
    }
    names
}

/// A command with all below it, as names of pages.
fn pages(path: &[String], found: &mut BTreeSet<String>) {
    found.insert(["emilia".to_owned()].iter().chain(path).cloned().collect::<Vec<_>>().join("-") + ".1");
    for name in listed(path) {
        pages(&[path, &[name]].concat(), found);
    }
}

fn files(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

#[test]
fn every_command_has_a_man_page_and_every_shell_its_completions() {
    let folder = Folder::new("manual");
    let place = folder.path("new/made");
    emilia(&["manual", &place]).well();
    let mut expected = BTreeSet::new();
    pages(&[], &mut expected);
    assert!(expected.len() > 60, "{expected:?}");
    for name in ["emilia-puzzle.1", "emilia-study.1", "emilia-config-set.1", "emilia-book-build.1", "emilia-perft.1"] {
        assert!(expected.contains(name), "{expected:?}");
    }
    assert_eq!(files(&format!("{place}/man/man1")), expected);
    for name in &expected {
        let page = folder.read(&format!("new/made/man/man1/{name}"));
        assert!(
            page.starts_with(".ie") && page.contains("\n.TH ") && page.contains("\n.SH SYNOPSIS"),
            "{name}: {page}"
        );
        for line in page.lines() {
            assert!(line.matches("[default: ").count() <= 1, "{name}: {line}");
            // The number of cores of this machine is no default of another one; hosts and matches use one thread.
            assert!(
                !line.contains("\\-\\-threads") || !line.contains("[default: ") || line.contains("[default: 1]"),
                "{name}: {line}"
            );
        }
    }
    let hint = folder.read("new/made/man/man1/emilia-hint.1");
    assert!(hint.contains("\\-\\-level") && hint.contains("the best moves in a position"), "{hint}");
    let analyze = folder.read("new/made/man/man1/emilia-analyze.1");
    assert!(analyze.contains("one per core"), "{analyze}");
    assert!(hint.contains("\n.SH EXAMPLES\n.nf\n\\&  emilia hint "), "{hint}");
    let scripts = files(&format!("{place}/completions"));
    assert_eq!(scripts.len(), 5, "{scripts:?}");
    for (shell, name) in [("bash", "emilia.bash"), ("zsh", "_emilia"), ("fish", "emilia.fish")] {
        let script = folder.read(&format!("new/made/completions/{name}"));
        assert_eq!(script, emilia(&["completions", shell]).well(), "{shell}");
    }
}

#[test]
fn pages_show_the_defaults_of_the_program_and_not_those_of_the_person() {
    let folder = Folder::new("manual-defaults");
    let (plain, own) = (folder.path("plain"), folder.path("own"));
    emilia(&["manual", &plain]).well();
    finish(command(&["manual", &own]).env("EMILIA_THREADS", "7").env("EMILIA_COLOR", "never"), b"").well();
    for name in files(&format!("{plain}/man/man1")) {
        let [plain, own] = ["plain", "own"].map(|kind| folder.read(&format!("{kind}/man/man1/{name}")));
        assert_eq!(plain, own, "{name}");
    }
    let file = folder.write("file", "");
    fails(&["manual", &file], "cannot make the folder");
}
