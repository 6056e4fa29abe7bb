//! The command line as a whole.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{Folder, Started, command, emilia, finish, list, number, rows, well, words};

const COMMANDS: &str = "play analyze study puzzle hint eval solve engines show games explore convert book learn perft bench config \
                        completions";

#[test]
fn every_command_explains_itself_by_examples() {
    let overview = well("--help");
    assert!(overview.contains("Examples:"), "{overview}");
    for name in words(COMMANDS) {
        assert!(overview.contains(&format!("\n  {name} ")), "{name} is not in {overview}");
        let help = well(&format!("{name} --help"));
        let examples = help.split_once("Examples:\n").expect("there are examples").1;
        let examples: Vec<_> = examples.lines().take_while(|line| !line.is_empty()).collect();
        assert!(examples.iter().any(|line| line.contains(&format!("emilia {name}"))), "{help}");
        // A line that is too long would be broken, and continue below the command; continuations are indented.
        for line in examples {
            let is_whole = ["  emilia ", "  echo ", "      "].iter().any(|start| line.starts_with(start));
            assert!(is_whole, "{line:?} in {help}");
        }
    }
}

#[test]
fn the_version_names_the_commit_where_there_is_one() {
    let line = well("--version");
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
fn a_command_without_its_part_shows_its_help() {
    for name in ["book", "learn", "lab", "farm"] {
        let message = emilia(name).failed(2);
        assert_eq!(message.trim_end(), well(&format!("{name} -h")).trim_end(), "{name}");
    }
}

#[test]
fn a_reader_that_leaves_is_not_an_error() {
    for line in ["perft 8", "perft 8 --json", "play --against random --seed 1", "completions zsh", "engines"] {
        let mut command = command(line);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn results_are_printed_as_they_come() {
    // The greatest depth takes for ever; the first lines must come all the same.
    let mut started = Started::new(&mut command("perft 40"));
    let first: Vec<String> = (0..4).map_while(|_| started.line()).collect();
    assert!(first[3].contains(" 12 "), "{first:?}");
}

/// The first group of the help with a command in it.
fn heading_of<'a>(help: &'a str, name: &str) -> &'a str {
    let before = help.split_once(&format!("\n  {name} ")).unwrap_or_else(|| panic!("{name} is not in {help}")).0;
    let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
    before.lines().rfind(is_heading).unwrap_or_default()
}

#[test]
fn help_shows_commands_and_options_in_groups() {
    let help = well("--help");
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
    let color = "\n      --color <WHEN>  When to use color: auto, always or never [default: auto]\n";
    assert!(help.contains(color), "{help}");
    assert_eq!(well("help"), help);
    // No farm is needed for the options of a match.
    let help = well("match --help");
    let options = help.split_once("\nOptions:\n").expect("options").1;
    let (own, of_farms) = options.split_once("\nFarm options:\n").expect("farm options");
    for option in ["--farm", "--credentials", "--token", "--tls-ca", "--tls-certificate", "--tls-key"] {
        let shown = format!("  {option} <");
        assert!(!own.contains(&shown) && of_farms.contains(&shown), "{option} in {help}");
    }
    assert!(own.contains("--color <WHEN> "), "{help}");
}

/// The words that a shell offers in place of the last one of a command line, which is a blank in `show ` and the like.
fn offered(shell: &str, line: &str) -> Vec<String> {
    let mut words = words(line);
    words.extend(line.ends_with(' ').then(String::new));
    let mut command = command("-- emilia");
    command.env("EMILIA_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", words.len().to_string()).env("_CLAP_IFS", "\n");
    let offered = finish(command.args(words), b"").well();
    // Some shells also get descriptions.
    offered.lines().map(|line| line.split(['\t', ':']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_shell_is_offered_commands_openings_formats_engines_and_experiments() {
    let names = |line: &str| -> Vec<String> {
        well(line).lines().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let (engines, experiments) = (names("engines"), names("lab list"));
    assert!(engines.len() > 9 && experiments.len() > 9, "{engines:?} {experiments:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let has = |line: &str, expected: &[String]| {
            let found = offered(shell, line);
            assert!(expected.iter().all(|name| found.contains(name)), "{shell}: {found:?}");
        };
        has(" ", &words(COMMANDS));
        has("lab run ", &experiments);
        assert_eq!(offered(shell, "play --engine "), engines, "{shell}");
        for (line, expected) in [
            ("show ti", "tiger"),
            ("explore tig", "tiger"),
            ("play --position Tig", "tiger"),
            ("explore central-r", "central-rose-bill"),
            ("convert --from ", "transcript obf ggf sgf thor"),
            ("games --to ", "transcript obf ggf sgf thor"),
            ("analyze --from ", "transcript obf ggf sgf thor"),
            ("book export --to ", "edax json games"),
            ("config unset h", "hash"),
            ("hint --depth ", ""),
        ] {
            assert_eq!(offered(shell, line), words(expected), "{shell}: {line}");
        }
        for (line, expected) in [
            ("l", "level language"),
            (" ", "level threads hash color language"),
            ("color ", "auto always never"),
            ("language j", "ja"),
            // A number could be any.
            ("level ", ""),
        ] {
            let mut found = offered(shell, &format!("config set {line}"));
            found.retain(|word| !word.starts_with("--"));
            assert_eq!(found, words(expected), "{shell}: {line}");
        }
        let script = well(&format!("completions {shell}"));
        assert!(script.contains("EMILIA_COMPLETE"), "{script}");
    }
    // More is accepted than is offered.
    well("analyze f5d6 --engine bill3@depth=1,name=Bill --exact 0 --hash 1");
}

#[test]
fn files_are_offered_where_files_are_expected() {
    let folder = Folder::new("command_line_files");
    let file = folder.write("games.ggf", "");
    let start = file.strip_suffix("mes.ggf").expect("the name of the file");
    for line in
        ["show", "analyze", "play --position", "hint --book", "hint --weights", "explore --games", "match --openings"]
    {
        assert_eq!(offered("bash", &format!("{line} '{start}'")), [file.as_str()], "{line}");
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

#[test]
fn the_environment_switches_colors_for_output_and_help_alike() {
    let is_colored = |line: &str, variables: &[(&str, &str)]| {
        let mut command = command(line);
        finish(command.envs(variables.iter().copied()), b"").well().contains('\x1b')
    };
    for line in ["show f5", "--help", "play --help"] {
        assert!(is_colored(line, &[("CLICOLOR_FORCE", "1")]), "{line}");
        for variables in
            [&[][..], &[("CLICOLOR_FORCE", "0")], &[("CLICOLOR", "1")], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]]
        {
            assert!(!is_colored(line, variables), "{line} {variables:?}");
        }
    }
    assert!(!is_colored("show f5 --color never", &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn british_spelling_is_accepted() {
    let game = "f5d6c3d3c4f4";
    let analyzed = |command: &str| well(&format!("{command} {game} --level 1 --exact 0 --hash 1 --threads 1"));
    assert_eq!(analyzed("analyse"), analyzed("analyze"));
    let colored = well(&format!("show {game} --color always"));
    assert_eq!(well(&format!("show {game} --colour always")), colored);
    assert!(colored.contains('\x1b'));
}

/// Help is a result like any other.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for line in ["--help", "help show", "show --help", "--version", "engines"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let output = command(line).stdin(Stdio::null()).stdout(full).output().expect("the program runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.starts_with("emilia: ")), (Some(1), true), "{line}: {message}");
    }
}

#[test]
fn engines_are_listed_with_a_line_each() {
    let engines = well("engines");
    for name in ["emilia", "weighted-square", "minimum-disc", "maximum-disc", "random"] {
        assert!(engines.lines().any(|line| line.starts_with(name) && line.len() > name.len() + 10), "{engines}");
    }
    assert!(rows("engines --board cs221").iter().all(|row| row["name"].is_string()));
    let bill = rows("engines --settings").into_iter().find(|row| row["name"] == "bill3").expect("BILL");
    let plies = list(&bill["settings"]).iter().find(|row| row["name"] == "plies").expect("plies");
    assert_eq!(plies["default"], "8");
}

#[test]
fn every_level_is_described() {
    let table = well("engines --levels");
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    assert!(table.contains("\n 10  10@100%, solves from 20 empties; "), "{table}");
    assert!(table.contains("\n  0  just learned the rules (1 ply)\n"), "{table}");
    let rows = rows("engines --levels");
    let levels: Vec<_> = rows.iter().map(|row| number(&row["level"])).collect();
    let weak = (0..10).map(|half| f64::from(half) / 2.0);
    assert_eq!(levels, weak.chain((5..=60).map(f64::from)).collect::<Vec<_>>());
    let is_level = |line: &&str| line.get(..5).is_some_and(|head| head.ends_with("  "));
    assert_eq!(table.lines().filter(is_level).count(), levels.len());
    let of_level = |number: u32| rows.iter().find(|row| row["level"] == number).expect("the level");
    assert_eq!([&of_level(21)["depth"], &of_level(21)["selectivity"]], [21, 73]);
    for row in &rows {
        assert!(number(&row["midgame_seconds"]) <= number(&row["endgame_seconds"]), "{row}");
        assert_eq!(row["weak_play"].is_null(), row["level"].as_f64() >= Some(5.0), "{row}");
    }
}

/// The share of points of the first player of a match.
fn share(players: &str, games: u32) -> f64 {
    let rows = rows(&format!("match {players} --games {games} --judge-depth 2"));
    number(&rows.last().expect("a result")["share"]["value"])
}

#[test]
fn the_lowest_level_is_about_as_strong_as_a_player_that_takes_the_most_discs() {
    let points = |opponent: &str| share(&format!("emilia@level=0,hash=1 {opponent}"), 200);
    assert!(points("weighted-square@depth=1") < 0.4);
    assert!((0.4..0.6).contains(&points("maximum-disc@depth=1")));
    assert!(points("random") > 0.55);
    // A half level beats the whole one below it: 60 to 75% by 400 games and more (docs/results.md); a hundred games
    // deviate by 9 either way.
    let half = share("emilia@level=1.5,hash=1 emilia@level=1,hash=1", 100);
    assert!((0.5..0.85).contains(&half), "{half}");
}
