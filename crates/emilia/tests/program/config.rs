//! `emilia config`, and the defaults in the file and in the environment.

use crate::run::{Folder, Run, Started, finish, json, text};

/// The program with its settings in a folder, and with these variables.
fn with(folder: &Folder, variables: &[(&str, &str)], line: &str) -> Run {
    let mut command = folder.command(line);
    finish(command.env("XDG_CONFIG_HOME", folder.path("settings")).envs(variables.iter().copied()), b"")
}

#[test]
fn the_help_shows_the_defaults_of_the_file_and_the_environment() {
    let folder = Folder::new("config-help");
    for setting in ["hash 16", "threads 2", "color always"] {
        with(&folder, &[], &format!("config set {setting}")).well();
    }
    let defaults = |variables: &[(&str, &str)]| {
        let help = with(&folder, variables, "solve -h").well().replace('\n', " ");
        ["--threads <N>", "--hash <MB>"].map(|option| {
            let found = help.split_once(option).and_then(|(_, rest)| rest.split_once("[default: ")).expect("a default");
            found.1.split(']').next().unwrap_or_default().to_owned()
        })
    };
    assert_eq!(defaults(&[]), ["2", "16"]);
    assert_eq!(defaults(&[("EMILIA_THREADS", "3")]), ["3", "16"]);
    // A match gives the same result on every machine.
    let help = with(&folder, &[], "match -h").well();
    assert!(!help.contains("[default: 16]"), "{help}");
    let is_colored = |variables, line| with(&folder, variables, line).well().contains('\x1b');
    assert!(is_colored(&[], "show f5"));
    assert!(!is_colored(&[], "show f5 --color never") && !is_colored(&[("NO_COLOR", "1")], "show f5"));
}

#[test]
fn a_game_and_an_analysis_take_the_level_of_the_file() {
    let folder = Folder::new("config-level");
    folder.write("level", "");
    with(&folder, &[], "config set level 2.5").well();
    let title = |options: &str| with(&folder, &[], options).well().lines().next().unwrap_or_default().to_owned();
    for line in ["", "play --lines", "play --lines --engine emilia@hash=1"] {
        assert!(title(line).ends_with("White: emilia 2.5."), "{line}: {}", title(line));
    }
    assert!(title("play --lines --level 3").ends_with("White: emilia 3."));
    // Another limit, and players without levels, are left as they are.
    for options in ["--engine emilia@depth=2", "--time 5m", "--engine iago", "--board cs221"] {
        let found = title(&format!("play --lines {options}"));
        assert!(!found.contains("2.5"), "{found}");
    }
    let analyst = |options: &str| {
        let run = with(&folder, &[], &format!("analyze f5d6 --hash 1 --json {options}"));
        text(&json(run.well().trim_end())["analyst"]).to_owned()
    };
    assert!(analyst("").contains("level 2.5"), "{}", analyst(""));
    assert!(analyst("--level 3").contains("level 3"));
    assert!(analyst("--depth 2").starts_with("emilia, depth 2;"), "{}", analyst("--depth 2"));
    assert!(!analyst("--engine bill3@depth=1").contains("level"));
}

#[test]
fn the_address_of_the_page_has_the_language() {
    let folder = Folder::new("config-language");
    with(&folder, &[], "config set language ja").well();
    for (option, words) in
        [("", "/?language=ja until"), ("--language en", "/?language=en until"), ("--language auto", "/ until")]
    {
        let mut command = folder.command(&format!("serve --address 127.0.0.1:0 --threads 1 --hash 1 {option}"));
        let line = Started::new(command.env("XDG_CONFIG_HOME", folder.path("settings"))).line().expect("an address");
        assert!(line.contains(words), "{line}");
    }
}
