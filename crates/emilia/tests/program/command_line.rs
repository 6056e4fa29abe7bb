//! The command line as a whole.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{Folder, command, emilia, fails, finish, is_misused, json, spawn};

const COMMANDS: [&str; 18] = [
    "play",
    "analyze",
    "study",
    "puzzle",
    "hint",
    "eval",
    "solve",
    "engines",
    "show",
    "games",
    "explore",
    "convert",
    "book",
    "learn",
    "perft",
    "bench",
    "config",
    "completions",
];

#[test]
fn without_a_command_a_game_begins_and_closed_input_ends_it() {
    let screen = emilia(&[]).well();
    assert!(screen.contains("Black: you"), "{screen}");
    assert!(screen.contains("Type a marked square"), "{screen}");
    assert!(screen.contains(" 4 . . + O X . . .    Black to move\n"), "{screen}");
    assert!(screen.ends_with("Goodbye.\n"), "{screen}");
}

#[test]
fn every_command_explains_itself_by_examples() {
    let overview = emilia(&["--help"]).well();
    assert!(overview.contains("Examples:"), "{overview}");
    for name in COMMANDS {
        assert!(overview.contains(&format!("\n  {name} ")), "{name} is not in {overview}");
        let help = emilia(&[name, "--help"]).well();
        let examples = help.split_once("Examples:\n").expect("there are examples").1;
        let examples: Vec<_> = examples.lines().take_while(|line| !line.is_empty()).collect();
        assert!(examples.iter().any(|line| line.contains(&format!("emilia {name}"))), "{help}");
        // A line that is too long would be broken, and go on below the command; what is meant to go on is set in.
        for line in examples {
            let is_whole = ["  emilia ", "  echo ", "      "].iter().any(|start| line.starts_with(start));
            assert!(is_whole, "{line:?} in {help}");
        }
    }
}

#[test]
fn the_version_names_the_commit_where_there_is_one() {
    let line = emilia(&["--version"]).well();
    let plain = concat!("emilia ", env!("CARGO_PKG_VERSION"));
    let rest = line.strip_prefix(plain).and_then(|rest| rest.strip_suffix('\n')).expect(&line);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git = Command::new("git").arg("-C").arg(&root).args(["rev-parse", "HEAD"]).output();
    let head = git.ok().filter(|output| output.status.success() && root.join(".git").exists());
    let Some(head) = head else {
        assert_eq!(rest, "");
        return;
    };
    let commit = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')).expect(&line);
    let (hash, date) = commit.split_once(", ").expect(&line);
    assert!(hash.len() >= 7 && String::from_utf8_lossy(&head.stdout).starts_with(hash), "{line}");
    let shape: String = date.chars().map(|symbol| if symbol.is_ascii_digit() { '0' } else { symbol }).collect();
    assert_eq!(shape, "0000-00-00", "{line}");
}

#[test]
fn unknown_commands_and_options_are_misuse() {
    is_misused(&["dance"], "dance");
    is_misused(&["perft", "3", "--fast"], "--fast");
    is_misused(&["show"], "BOARD|GAME|FILE");
    is_misused(&["perft", "3", "--color", "red"], "red");
}

#[test]
fn a_command_without_its_part_shows_its_help() {
    for name in ["book", "learn", "lab", "farm"] {
        let message = emilia(&[name]).failed(2);
        assert_eq!(message.trim_end(), emilia(&[name, "-h"]).well().trim_end(), "{name}");
    }
}

#[test]
fn a_mistyped_option_is_told_from_a_board_wherever_a_position_is_expected() {
    for (arguments, option, near) in [
        (&["solve", "--wdl", "start"][..], "--wdl", Some("--wld")),
        (&["show", "--names"], "--names", None),
        (&["show", "--mvoe=3", "f5d6"], "--mvoe", Some("--move")),
        (&["hint", "--levle", "3", "f5"], "--levle", Some("--level")),
        (&["eval", "--wieghts"], "--wieghts", Some("--weights")),
        (&["book", "show", "shipped", "--jsn"], "--jsn", Some("--json")),
        (&["play", "--position", "--lines"], "--lines", None),
    ] {
        let message = emilia(arguments).failed(2);
        assert!(message.contains(&format!("'{option}'")), "{arguments:?} said: {message}");
        assert!(!message.contains("board has"), "{arguments:?} said: {message}");
        let suggests = near.is_none_or(|near| message.contains(near));
        assert!(suggests, "{arguments:?} said: {message}");
    }
    // A board may begin like an option.
    let board = format!("--XO{} X", "-".repeat(60));
    assert_eq!(json(&emilia(&["show", &board, "--json"]).well())["position"], board);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [
        &["perft", "8"][..],
        &["perft", "8", "--json"],
        &["play", "--against", "random", "--seed", "1"],
        &["completions", "zsh"],
        &["engines"],
    ] {
        let mut child = spawn(arguments, Stdio::null(), Stdio::piped(), Stdio::piped());
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn results_are_seen_as_they_come() {
    // The greatest depth takes for ever; the first lines must come all the same.
    let mut child = command(&["perft", "40"]).stdout(Stdio::piped()).spawn().expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("the output is a pipe")).lines();
    let first: Vec<String> = lines.take(4).map(|line| line.expect("a line comes")).collect();
    child.kill().expect("the program can be stopped");
    child.wait().expect("the program ends");
    assert!(first[3].contains(" 12 "), "{first:?}");
}

/// The first group of the help with a command in it.
fn heading_of<'a>(help: &'a str, name: &str) -> &'a str {
    let mut heading = "";
    for line in help.lines() {
        if line.ends_with(':') && !line.starts_with(' ') {
            heading = line;
        }
        if line.starts_with(&format!("  {name} ")) {
            return heading;
        }
    }
    panic!("{name} is not in {help}");
}

#[test]
fn help_shows_commands_and_options_in_groups() {
    let help = emilia(&["--help"]).well();
    for (name, heading) in [
        ("play", "Play:"),
        ("solve", "Analyze:"),
        ("explore", "Games and books:"),
        ("match", "Programs and matches:"),
        ("bench", "Laboratory:"),
        ("help", "This program:"),
    ] {
        assert_eq!(heading_of(&help, name), heading);
    }
    assert!(
        help.contains("\n      --color <WHEN>  When to use color: auto, always or never [default: auto]\n"),
        "{help}"
    );
    assert_eq!(emilia(&["help"]).well(), help);
    // No farm is needed for the options of a match.
    let help = emilia(&["match", "--help"]).well();
    let options = help.split_once("\nOptions:\n").expect("options").1;
    let (own, of_farms) = options.split_once("\nFarm options:\n").expect("farm options");
    for option in ["--farm", "--credentials", "--token", "--tls-ca", "--tls-certificate", "--tls-key"] {
        let shown = format!("  {option} <");
        assert!(!own.contains(&shown) && of_farms.contains(&shown), "{option} in {help}");
    }
    assert!(own.contains("--color <WHEN> "), "{help}");
}

/// The words that a shell is offered in place of the last argument.
fn offered(shell: &str, arguments: &[&str]) -> Vec<String> {
    let mut command = command(&[]);
    command.args(["--", "emilia"]).args(arguments);
    command.env("EMILIA_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", arguments.len().to_string());
    let words = finish(command.env("_CLAP_IFS", "\n"), b"").well();
    // Some shells also get descriptions.
    words.lines().map(|line| line.split(['\t', ':']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_shell_is_offered_commands_openings_formats_engines_and_experiments() {
    let names = |list: &str| -> Vec<String> {
        list.lines().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let engines = names(&emilia(&["engines"]).well());
    let experiments = names(&emilia(&["lab", "list"]).well());
    assert!(engines.len() > 9 && experiments.len() > 9, "{engines:?} {experiments:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let commands = offered(shell, &[""]);
        assert!(COMMANDS.iter().all(|name| commands.iter().any(|word| word == name)), "{shell}: {commands:?}");
        for arguments in [&["show", "ti"][..], &["explore", "tig"], &["play", "--position", "Tig"]] {
            assert_eq!(offered(shell, arguments), ["tiger"], "{shell}: {arguments:?}");
        }
        assert_eq!(offered(shell, &["explore", "central-r"]), ["central-rose-bill"], "{shell}");
        let formats = ["transcript", "obf", "ggf", "sgf", "thor"];
        for arguments in [&["convert", "--from", ""][..], &["games", "--to", ""], &["analyze", "--from", ""]] {
            assert_eq!(offered(shell, arguments), formats, "{shell}: {arguments:?}");
        }
        assert_eq!(offered(shell, &["book", "export", "--to", ""]), ["edax", "json", "games"], "{shell}");
        assert_eq!(offered(shell, &["play", "--engine", ""]), engines, "{shell}");
        let found = offered(shell, &["lab", "run", ""]);
        assert!(experiments.iter().all(|name| found.contains(name)), "{shell}: {found:?}");
        for (arguments, words) in [
            (&["l"][..], &["level", "language"][..]),
            (&[""], &["level", "threads", "hash", "color", "language"]),
            (&["color", ""], &["auto", "always", "never"]),
            (&["language", "j"], &["ja"]),
        ] {
            let mut found = offered(shell, &[&["config", "set"], arguments].concat());
            found.retain(|word| !word.starts_with("--"));
            assert_eq!(found, words, "{shell}: {arguments:?}");
        }
        assert_eq!(offered(shell, &["config", "unset", "h"]), ["hash"], "{shell}");
        // A number could be any.
        let found = offered(shell, &["config", "set", "level", ""]);
        assert!(found.iter().all(|word| word.starts_with("--")), "{shell}: {found:?}");
        assert_eq!(offered(shell, &["hint", "--depth", ""]), [""; 0], "{shell}");
        let script = emilia(&["completions", shell]).well();
        assert!(script.contains("EMILIA_COMPLETE"), "{script}");
    }
    is_misused(&["completions", "cmd"], "cmd");
    // What is offered is not all that is accepted.
    emilia(&["analyze", "f5d6", "--engine", "bill3@depth=1,name=Bill", "--exact", "0", "--hash", "1"]).well();
}

#[test]
fn files_are_offered_where_files_are_meant() {
    let folder = Folder::new("command_line_files");
    let file = folder.write("games.ggf", "");
    let start = file.strip_suffix("mes.ggf").expect("the name of the file");
    for arguments in [
        &["show", start][..],
        &["analyze", start],
        &["play", "--position", start],
        &["hint", "--book", start],
        &["hint", "--weights", start],
        &["explore", "--games", start],
        &["match", "--openings", start],
    ] {
        assert_eq!(offered("bash", arguments), [file.as_str()], "{arguments:?}");
    }
}

/// The script in the shell for which it is made.
#[cfg(unix)]
#[test]
fn bash_completes_by_the_script() {
    let Ok(bash) = Command::new("bash").arg("--version").output() else { return };
    assert!(bash.status.success());
    let program = Path::new(env!("CARGO_BIN_EXE_emilia"));
    let script = r#"
        source <(emilia completions bash)
        complete -p emilia
        words() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9
            _clap_complete_emilia emilia "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
            echo "${COMPREPLY[@]}"
        }
        words emilia show ti
        words emilia convert --to ""
        words emilia sol
    "#;
    let folder = program.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash").args(["-c", script]).env("PATH", path).output().expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].ends_with("-F _clap_complete_emilia emilia"), "{lines:?}");
    assert_eq!(lines[1..], ["tiger", "transcript obf ggf sgf thor", "solve"]);
}

/// Commands with a file that does not exist.
#[test]
fn a_missing_file_is_named_in_the_same_words_by_every_command() {
    let folder = Folder::new("command_line_missing");
    let (missing, output) = (folder.path("no/file.ggf"), folder.path("output"));
    for arguments in [
        &["show", &missing][..],
        &["hint", &missing],
        &["eval", &missing],
        &["solve", &missing],
        &["analyze", &missing],
        &["play", "--lines", "--position", &missing],
        &["games", &missing],
        &["explore", "--games", &missing],
        &["explore", "--index", &missing],
        &["convert", &missing, "-", "--to", "sgf"],
        &["match", "random", "random", "--openings", &missing],
        &["hint", "f5", "--weights", &missing],
        &["hint", "f5", "--book", &missing],
        &["serve", "--address", "127.0.0.1:0", "--book", &missing],
        &["book", "show", &missing],
        &["book", "show", "shipped", &missing],
        &["book", "check", &missing],
        &["book", "explore", &missing],
        &["book", "export", &missing, "-", "--to", "json"],
        &["book", "import", &output, &missing, "--from", "json"],
        &["book", "merge", &output, &missing],
        &["book", "learn", &output, &missing],
        &["book", "build", &output, &missing],
        &["book", "extend", &output, "--position", &missing, "--positions", "1"],
        &["learn", "merge", "--output", &output, &missing],
        &["learn", "train", "--output", &output, &missing],
        &["learn", "label", "--output", &output, &missing],
        &["learn", "problems", "--output", &output, &missing],
        &["learn", "inspect", &missing],
        &["learn", "winning", &missing],
        &["learn", "curve", "--log", &missing],
        &["learn", "program", "iago", &missing],
        &["learn", "program", "bill", "--output", &output, &missing],
        &["learn", "program", "keyano", "--output", &output, &missing],
        &["learn", "program", "logistello", &missing],
        &["learn", "probcut", "--weights", &missing],
        &["learn", "play", "--output", &output, "--openings", &missing],
        &["farm", "status", "nats://localhost:1", "--credentials", &missing],
        &["worker", "nats://localhost:1", "--tls-ca", &missing],
        &["serve", "--address", "127.0.0.1:0", "--farm", "nats://localhost:1", "--credentials", &missing],
    ] {
        let message = emilia(arguments).failed(1);
        let expected = format!("emilia: cannot read {missing}: No such file or directory\n");
        assert_eq!(message, expected, "{arguments:?}");
        assert!(!Path::new(&output).exists(), "{arguments:?}");
    }
}

#[test]
fn no_message_has_the_numbers_of_the_system() {
    let folder = Folder::new("command_line_numbers");
    let file = folder.write("file", "");
    for arguments in [
        &["show", "f5", "--svg", &format!("{file}/x.svg")][..],
        &["play", "--lines", "--engine", "gtp:/no/such/engine"],
        &["play", "--lines", "--engine", &format!("gtp:{file}")],
        &["book", "show", &format!("{file}/x.book")],
        &["serve", "--address", "192.0.2.1:80"],
        &["lab", "run", "iago-stability", "--quick", "--output", &format!("{file}/x")],
    ] {
        let message = emilia(arguments).failed(1);
        assert!(message.starts_with("emilia: ") && !message.contains("os error"), "{arguments:?}: {message}");
    }
    fails(
        &["match", "random", "gtp:/no/such/engine", "--games", "2", "--judge-depth", "1"],
        "engine cannot play: /no/such/engine cannot be started: No such file or directory",
    );
}

#[test]
fn the_environment_switches_colors_for_output_and_help_alike() {
    let is_colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(arguments);
        command.envs(variables.iter().copied());
        finish(&mut command, b"").well().contains('\x1b')
    };
    for arguments in [&["show", "f5"][..], &["--help"], &["play", "--help"]] {
        assert!(!is_colored(arguments, &[]), "{arguments:?}");
        assert!(is_colored(arguments, &[("CLICOLOR_FORCE", "1")]), "{arguments:?}");
        assert!(!is_colored(arguments, &[("CLICOLOR_FORCE", "0")]), "{arguments:?}");
        assert!(!is_colored(arguments, &[("CLICOLOR", "1")]), "{arguments:?}");
        assert!(!is_colored(arguments, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "{arguments:?}");
    }
    assert!(!is_colored(&["show", "f5", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn tips_have_near_names_only_and_take_no_option_for_a_value() {
    for (arguments, tip) in [
        (&["hint", "f5", "--time", "5"][..], "tip: a similar argument exists: '--move-time'\n"),
        (&["hint", "--time=5", "f5"], "tip: a similar argument exists: '--move-time'\n"),
        (&["hint", "f5", "--levl", "3"], "tip: a similar argument exists: '--level'\n"),
        (&["show", "f5", "--colour2", "never"], "tip: a similar argument exists: '--color'\n"),
        (&["show", "f5", "--jsn"], "tip: a similar argument exists: '--json'\n"),
        (&["learn", "cycle", "--folders", "x"], "tip: a similar argument exists: '--folder'\n"),
        (&["show", "f5", "--zebra"], ""),
        (&["convert", "a", "b", "--zebra"], ""),
        (&["learn", "cycle", "--window", "3"], ""),
        (&["foo"], ""),
        (&["conver"], "tip: a similar subcommand exists: 'convert'\n"),
        (&["book", "bild"], "tip: a similar subcommand exists: 'build'\n"),
        (&["book", "zebra"], ""),
    ] {
        let message = emilia(arguments).failed(2);
        assert_eq!(message.matches("tip:").count(), usize::from(!tip.is_empty()), "{arguments:?}: {message}");
        assert!(message.contains(tip) && !message.contains("as a value"), "{arguments:?}: {message}");
        assert!(message.contains("\nUsage: emilia") && !message.contains("\n\n\n"), "{arguments:?}: {message}");
    }
    // One hyphen may begin a board.
    assert!(emilia(&["convert", "-q", "b"]).failed(2).contains("as a value"));
}

#[test]
fn british_spelling_is_understood() {
    let game = "f5d6c3d3c4f4";
    let rows = |command: &str| {
        emilia(&[command, game, "--level", "1", "--exact", "0", "--hash", "1", "--threads", "1"]).well()
    };
    assert_eq!(rows("analyse"), rows("analyze"));
    assert_eq!(
        emilia(&["show", game, "--colour", "always"]).well(),
        emilia(&["show", game, "--color", "always"]).well()
    );
    assert!(emilia(&["show", game, "--color", "always"]).well().contains('\x1b'));
}

/// Help is a result like any other.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for arguments in [&["--help"][..], &["help", "show"], &["show", "--help"], &["--version"], &["engines"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let child = spawn(arguments, Stdio::null(), full.into(), Stdio::piped());
        let output = child.wait_with_output().expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), message.starts_with("emilia: ")),
            (Some(1), true),
            "{arguments:?}: {message}"
        );
    }
}

#[test]
fn engines_are_listed_with_a_line_each() {
    let list = emilia(&["engines"]).well();
    for name in ["emilia", "weighted-square", "minimum-disc", "maximum-disc", "random"] {
        assert!(list.lines().any(|line| line.starts_with(name) && line.len() > name.len() + 10), "{list}");
    }
    let rows = emilia(&["engines", "--board", "cs221", "--json"]).well();
    assert!(rows.lines().all(|row| crate::run::json(row)["name"].is_string()), "{rows}");
}

#[test]
fn every_level_says_what_it_does() {
    let list = emilia(&["engines", "--levels"]).well();
    assert!(list.lines().all(|line| line.chars().count() <= 120), "{list}");
    assert!(list.contains("\n 10  10@100%, solves from 20 empties; "), "{list}");
    assert!(list.contains("\n  0  just learned the rules (1 ply)\n"), "{list}");
    let rows: Vec<_> = emilia(&["engines", "--levels", "--json"]).well().lines().map(crate::run::json).collect();
    let levels: Vec<_> = rows.iter().map(|row| row["level"].as_f64().expect("a number")).collect();
    let weak = (0..10).map(|half| f64::from(half) / 2.0);
    assert_eq!(levels, weak.chain((5..=60).map(f64::from)).collect::<Vec<_>>());
    assert_eq!(
        list.lines().filter(|line| line.get(..5).is_some_and(|head| head.ends_with("  "))).count(),
        levels.len()
    );
    let of_level = |number: u32| rows.iter().find(|row| row["level"] == number).expect("the level");
    assert_eq!((&of_level(21)["depth"], &of_level(21)["selectivity"]), (&21.into(), &73.into()));
    for row in &rows {
        let seconds = |key: &str| row[key].as_f64().expect("a number");
        assert!(seconds("midgame_seconds") <= seconds("endgame_seconds"), "{row}");
        assert_eq!(row["weak_play"].is_null(), row["level"].as_f64() >= Some(5.0), "{row}");
    }
    is_misused(&["engines", "--levels", "--board", "6"], "cannot be used with");
}

#[test]
fn the_lowest_level_is_about_as_strong_as_a_player_that_takes_the_most_discs() {
    let points = |opponent: &str| {
        let result =
            emilia(&["match", "emilia@level=0,hash=1", opponent, "--games", "200", "--judge-depth", "2", "--json"]);
        let tally = crate::run::json(result.well().lines().last().expect("a result"));
        tally["share"]["value"].as_f64().expect("a share")
    };
    assert!(points("weighted-square@depth=1") < 0.4);
    assert!((0.4..0.6).contains(&points("maximum-disc@depth=1")));
    assert!(points("random") > 0.55);
}

#[test]
fn a_half_level_beats_the_whole_one_below_it() {
    let arguments =
        ["match", "emilia@level=1.5,hash=1", "emilia@level=1,hash=1", "--games", "100", "--judge-depth", "2"];
    let result = emilia(&[&arguments[..], &["--json"]].concat()).well();
    let tally = crate::run::json(result.lines().last().expect("a result"));
    // 60 to 75% by 400 games and more (docs/results.md); a hundred stray by 9 either way.
    assert!((0.5..0.85).contains(&tally["share"]["value"].as_f64().expect("a share")), "{tally}");
}

#[test]
fn the_list_of_settings_says_which_value_is_the_usual_one() {
    let screen = emilia(&["engines", "--settings"]).well();
    assert!(screen.starts_with("The first value of each setting is its default."), "{screen}");
    let rows = emilia(&["engines", "--settings", "--json"]).well();
    let bill = rows.lines().map(json).find(|row| row["name"] == "bill3").expect("BILL");
    let plies = bill["settings"].as_array().expect("settings").iter().find(|row| row["name"] == "plies").cloned();
    assert_eq!(plies.expect("plies")["default"], "8");
}
