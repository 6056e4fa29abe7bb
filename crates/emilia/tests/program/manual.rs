//! `emilia manual`: the man pages and completions of a release.

use std::collections::BTreeSet;

use crate::run::{Folder, finish, well};

/// The commands below one, as its help lists them.
fn listed(path: &str) -> Vec<String> {
    let help = well(&format!("{path} -h"));
    // Commands are in every part of the list that has no options, arguments or examples.
    let lines = help.lines().take_while(|line| !line.starts_with("Example"));
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let is_command = |name: &&str| name.starts_with(|symbol: char| symbol.is_ascii_lowercase()) && *name != "help";
    names.filter(is_command).map(str::to_owned).collect()
}

/// A command with all below it, as names of pages.
fn pages(path: &str, found: &mut BTreeSet<String>) {
    found.insert(format!("emilia{}.1", path.replace(' ', "-")));
    for name in listed(path) {
        pages(&format!("{path} {name}"), found);
    }
}

#[test]
fn every_command_has_a_man_page_and_every_shell_its_completions() {
    let folder = Folder::new("manual");
    folder.well("manual new/made");
    let mut expected = BTreeSet::new();
    pages("", &mut expected);
    assert!(expected.len() > 60, "{expected:?}");
    for name in ["emilia-puzzle.1", "emilia-study.1", "emilia-config-set.1", "emilia-book-build.1", "emilia-perft.1"] {
        assert!(expected.contains(name), "{expected:?}");
    }
    assert!(folder.names_in("new/made/man/man1").iter().eq(&expected));
    for name in &expected {
        let page = folder.read(&format!("new/made/man/man1/{name}"));
        let is_page = page.starts_with(".ie") && page.contains("\n.TH ") && page.contains("\n.SH SYNOPSIS");
        assert!(is_page, "{name}: {page}");
        for line in page.lines() {
            assert!(line.matches("[default: ").count() <= 1, "{name}: {line}");
            // The number of cores of this machine is no default of another one; hosts and matches use one thread.
            let is_fixed = !line.contains("[default: ") || line.contains("[default: 1]");
            assert!(!line.contains("\\-\\-threads") || is_fixed, "{name}: {line}");
        }
    }
    for (command, words) in [
        ("hint", "\\-\\-level"),
        ("hint", "the best moves in a position"),
        ("hint", "\n.SH EXAMPLES\n.nf\n\\&  emilia hint "),
        ("analyze", "one per core"),
    ] {
        let page = folder.read(&format!("new/made/man/man1/emilia-{command}.1"));
        assert!(page.contains(words), "{page}");
    }
    assert_eq!(folder.names_in("new/made/completions").len(), 5);
    for (shell, name) in [("bash", "emilia.bash"), ("zsh", "_emilia"), ("fish", "emilia.fish")] {
        let script = folder.read(&format!("new/made/completions/{name}"));
        assert_eq!(script, well(&format!("completions {shell}")), "{shell}");
    }
}

#[test]
fn pages_show_the_defaults_of_the_program_and_not_those_of_the_person() {
    let folder = Folder::new("manual-defaults");
    folder.well("manual plain");
    let mut command = folder.command("manual own");
    finish(command.env("EMILIA_THREADS", "7").env("EMILIA_COLOR", "never"), b"").well();
    for name in folder.names_in("plain/man/man1") {
        let [plain, own] = ["plain", "own"].map(|kind| folder.read(&format!("{kind}/man/man1/{name}")));
        assert_eq!(plain, own, "{name}");
    }
    folder.write("file", "");
    folder.fails("manual file", "cannot make the folder");
}
