//! `emilia config`, and the defaults in the file and in the environment.

use std::process::Command;

use crate::run::{Folder, Run, command, finish, json};

/// The program with its settings in a folder, and with these variables.
fn with(folder: &Folder, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut program: Command = command(arguments);
    program.env("XDG_CONFIG_HOME", folder.path("settings")).envs(variables.iter().copied());
    finish(&mut program, b"")
}

/// The depth of the search of a hint.
fn depth(folder: &Folder, variables: &[(&str, &str)], arguments: &[&str]) -> u64 {
    let words = [&["hint", "f5d6c3", "--book", "off", "--lines", "1", "--json"], arguments].concat();
    let row = json(with(folder, variables, &words).well().trim_end());
    row["depth"].as_u64().expect("a depth")
}

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_the_file() {
    let folder = Folder::new("config-order");
    let path = folder.path("settings/emilia/config.toml");
    assert_eq!(with(&folder, &[], &["config", "path"]).well(), format!("{path}\n"));
    assert!(with(&folder, &[], &["config"]).well().starts_with(&format!("{path} (no such file yet)\n")));
    for (key, value) in [("level", "6"), ("hash", "16"), ("threads", "2"), ("color", "always")] {
        let said = with(&folder, &[], &["config", "set", key, value]).well();
        assert_eq!(said, format!("{key} is {value} now, in {path}\n"));
    }
    let written = folder.read("settings/emilia/config.toml");
    assert_eq!(written, "level = 6\nhash = 16\nthreads = 2\ncolor = \"always\"\n");
    assert_eq!(depth(&folder, &[], &[]), 6);
    assert_eq!(depth(&folder, &[("EMILIA_LEVEL", "7")], &[]), 7);
    assert_eq!(depth(&folder, &[("EMILIA_LEVEL", "7")], &["--level", "8"]), 8);
    // The default level is no limit of a search that has one.
    assert_eq!(depth(&folder, &[], &["--depth", "9"]), 9);
    let defaults = |variables: &[(&str, &str)], words: &[&str]| {
        let help = with(&folder, variables, words).well().replace('\n', " ");
        let of = |option: &str| {
            let found = help.split_once(option).and_then(|(_, rest)| rest.split_once("[default: ")).expect("a default");
            found.1.split(']').next().unwrap_or_default().to_owned()
        };
        (of("--threads <N>"), of("--hash <MB>"))
    };
    assert_eq!(defaults(&[], &["solve", "-h"]), ("2".to_owned(), "16".to_owned()));
    assert_eq!(defaults(&[("EMILIA_THREADS", "3")], &["solve", "-h"]), ("3".to_owned(), "16".to_owned()));
    // A match gives the same result on every machine.
    let contest = with(&folder, &[], &["match", "-h"]).well();
    assert!(!contest.contains("[default: 16]"), "{contest}");

    let show = |variables: &[(&str, &str)], words: &[&str]| {
        with(&folder, variables, &[&["show", "f5"], words].concat()).well().contains('\x1b')
    };
    assert_eq!(
        [show(&[], &[]), show(&[], &["--color", "never"]), show(&[("NO_COLOR", "1")], &[])],
        [true, false, false]
    );
}

#[test]
fn a_game_and_an_analysis_take_the_level_of_the_file() {
    let folder = Folder::new("config-level");
    folder.write("level", "");
    with(&folder, &[], &["config", "set", "level", "2.5"]).well();
    let title = |words: &[&str]| {
        let screen = with(&folder, &[], words).well();
        screen.lines().next().unwrap_or_default().to_owned()
    };
    for words in [&[][..], &["play", "--lines"], &["play", "--lines", "--engine", "emilia@hash=1"]] {
        assert!(title(words).ends_with("White: emilia 2.5."), "{words:?}: {}", title(words));
    }
    assert!(title(&["play", "--lines", "--level", "3"]).ends_with("White: emilia 3."));
    // Another limit, and players without levels, are left as they are.
    for words in [&["--engine", "emilia@depth=2"][..], &["--time", "5m"], &["--engine", "iago"], &["--board", "cs221"]]
    {
        let found = title(&[&["play", "--lines"], words].concat());
        assert!(!found.contains("2.5"), "{found}");
    }
    let analyst = |words: &[&str]| {
        let row = with(&folder, &[], &[&["analyze", "f5d6", "--hash", "1", "--json"], words].concat()).well();
        json(row.trim_end())["analyst"].as_str().expect("words").to_owned()
    };
    assert!(analyst(&[]).contains("level 2.5"), "{}", analyst(&[]));
    assert!(analyst(&["--level", "3"]).contains("level 3"));
    assert!(analyst(&["--depth", "2"]).starts_with("emilia, depth 2;"), "{}", analyst(&["--depth", "2"]));
    assert!(!analyst(&["--engine", "bill3@depth=1"]).contains("level"));
}

#[test]
fn a_file_is_changed_without_losing_what_else_it_says() {
    let folder = Folder::new("config-edit");
    std::fs::create_dir_all(folder.path("settings/emilia")).expect("a folder");
    let file = "settings/emilia/config.toml";
    folder.write(file, "# mine\nlevel = 5 # easy\n\nhash = 64\n");
    with(&folder, &[], &["config", "set", "level", "2.5"]).well();
    with(&folder, &[], &["config", "set", "language", "ja"]).well();
    assert_eq!(folder.read(file), "# mine\nlevel = 2.5 # easy\n\nhash = 64\nlanguage = \"ja\"\n");
    let said = with(&folder, &[], &["config", "unset", "hash"]).well();
    assert!(said.starts_with("hash is no longer set in "), "{said}");
    assert!(!folder.read(file).contains("hash"));
    assert!(with(&folder, &[], &["config", "unset", "hash"]).well().starts_with("hash was not set in "));
    let shown = json(with(&folder, &[("EMILIA_THREADS", "2")], &["config", "--json"]).well().trim_end());
    assert_eq!(shown["exists"], true);
    let row = |key: &str| {
        let rows = shown["settings"].as_array().expect("settings");
        rows.iter().find(|row| row["key"] == key).expect("a row").clone()
    };
    assert_eq!((row("level")["value"].as_str(), row("level")["origin"].as_str()), (Some("2.5"), Some("file")));
    assert_eq!(row("threads")["origin"], "EMILIA_THREADS");
    assert!(row("hash")["value"].is_null());
}

#[test]
fn wrong_settings_are_one_sentence_with_the_place() {
    let folder = Folder::new("config-damage");
    std::fs::create_dir_all(folder.path("settings/emilia")).expect("a folder");
    let file = "settings/emilia/config.toml";
    let path = folder.path(file);
    for (text, line, words) in [
        ("level = 5\nthraeds = 2\n", 2, "unknown setting: \"thraeds\" (did you mean threads?)"),
        ("level = 5\n\nthreads = 1000\n", 3, "threads: not a number from 1 to 256: \"1000\""),
        ("level = \n", 1, ""),
    ] {
        folder.write(file, text);
        for command in [&["hint", "f5d6"][..], &["perft", "1"], &["config"]] {
            let message = with(&folder, &[], command).failed(1);
            assert!(message.starts_with(&format!("emilia: {path}, line {line}: {words}")), "{message}");
            assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        }
        // Help and the path are there all the same.
        with(&folder, &[], &["--help"]).well();
        with(&folder, &[], &["config", "path"]).well();
    }
    // What cannot be parsed is not overwritten; what is only unknown can be removed.
    assert!(with(&folder, &[], &["config", "set", "level", "5"]).failed(1).contains("line 1: "));
    assert_eq!(folder.read(file), "level = \n");
    folder.write(file, "thraeds = 2\nlevel = 5\n");
    with(&folder, &[], &["config", "unset", "thraeds"]).well();
    assert_eq!(folder.read(file), "level = 5\n");

    for (arguments, words) in [
        (["config", "set", "levle", "5"], "unknown setting: \"levle\" (did you mean level?)"),
        (["config", "set", "level", "-1"], "level: "),
        (["config", "set", "threads", "0"], "threads: not a number from 1 to 256: \"0\""),
        (["config", "set", "color", "red"], "color: unknown value: \"red\"; expected auto, always or never"),
        (["config", "set", "language", "xx"], "language: unknown value: \"xx\"; expected auto, en or ja"),
    ] {
        let message = with(&folder, &[], &arguments).failed(2);
        assert!(message.starts_with(&format!("emilia: {words}")), "{message}");
    }
    assert_eq!(folder.read(file), "level = 5\n");
    let message = with(&folder, &[("EMILIA_HASH", "much")], &["perft", "1"]).failed(2);
    assert_eq!(message, "emilia: EMILIA_HASH: not a number of 1 or more: \"much\"\n");
    // A folder in place of the file.
    std::fs::remove_file(&path).expect("it can be removed");
    std::fs::create_dir(&path).expect("a folder");
    assert_eq!(with(&folder, &[], &["perft", "1"]).failed(1), format!("emilia: cannot read {path}: not a file\n"));
}

#[test]
fn the_address_of_the_page_has_the_language() {
    let folder = Folder::new("config-language");
    with(&folder, &[], &["config", "set", "language", "ja"]).well();
    let first_line = |words: &[&str]| {
        let mut program =
            command(&[&["serve", "--address", "127.0.0.1:0", "--threads", "1", "--hash", "1"], words].concat());
        program.env("XDG_CONFIG_HOME", folder.path("settings")).stdout(std::process::Stdio::piped());
        let mut child = program.spawn().expect("the program starts");
        let mut line = String::new();
        let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
        child.kill().expect("it can be stopped");
        child.wait().expect("it ends");
        line
    };
    assert!(first_line(&[]).contains("/?language=ja until"), "{}", first_line(&[]));
    assert!(first_line(&["--language", "en"]).contains("/?language=en until"));
    assert!(first_line(&["--language", "auto"]).contains("/ until"));
}
