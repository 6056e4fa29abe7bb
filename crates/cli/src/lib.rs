//! The command line: arguments, commands and text output. A program is a `main` that calls [`run`].
//!
//! # Design
//!
//! `lib.rs` reads the command line, `commands/` has one file per command. A command that prints results prints text or,
//! with `--json`, one object per line, whose values, moves and limits are those of the libraries (`engine::json`).
//! `arguments/` has the arguments that several commands share, `output/` their printing code. `defaults/` reads the
//! file of defaults and the environment, and makes them the defaults of the options of clap, whose parsers check them.
//!
//! - Drawing is in `report` (`diagram.rs` for text, `svg.rs` for pictures, `axes.rs` for every plot). `look.rs` there
//!   decides what the output can show, help included: color on a terminal unless `NO_COLOR`, `CLICOLOR` or `--color`
//!   say otherwise, plain ASCII in a pipe. Nothing else reads these variables.
//! - An option has one meaning in all commands: its help begins with the same words everywhere, up to the first comma,
//!   colon or parenthesis, and its value has the same name. A test walks through all commands and lists the few names
//!   with two kinds of values. `overview.rs` has the groups of commands in the help.
//! - `completions.rs` answers a shell while a line is typed: `EMILIA_COMPLETE` names the shell, and the script of
//!   `emilia completions` sets it. The words that are offered for an argument follow from the name of its value
//!   (`FORMAT`, `PLAYER`, `MOVES|NAME`).
//! - `interrupt.rs` receives signals in a thread of its own. A command that takes the flag stops by itself and may show
//!   its results so far; all others end immediately, so their files must be intact at any moment.
//! - `cpu_check.rs` refuses a CPU that lacks the instructions the program was built for, on Linux even before `main`.
//! - Errors are one sentence on standard error. Exit code 1 means that a task failed, 2 that the command line is wrong,
//!   including an invalid board or engine in it; a missing file is a task that failed. 130 and 143 mean Ctrl-C and
//!   SIGTERM. A reader that goes away (`emilia … | head`) is not an error.

mod arguments;
mod commands;
mod cpu_check;
mod defaults;
mod interrupt;
mod output;
mod prelude;
mod programs;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use laboratory::LabProgram;
use players::MakeError;
use records::WriteError;
use records::files::GameFileError;
use report::look::ColorChoice;

use crate::arguments::UsageError;
use crate::commands::{Command, completions};
use crate::defaults::Defaults;
use crate::interrupt::Interrupted;
use crate::output::misuse;
use crate::programs::Programs;

const EXAMPLES: &str = "\
Examples:
  emilia                                     start a game
  emilia play --white --level 10             play White against a stronger
                                             Emilia
  emilia serve --open                        play and study in a browser
  emilia puzzle                              today's puzzles
  emilia study game.sgf                      find better moves for the mistakes
                                             in a game
  emilia hint f5d6c3d3c4                     the best moves in a position
  emilia analyze game.sgf --html game.html   find the mistakes in a game, with
                                             an HTML report
  emilia solve --board 4 start               the perfect game on a small board
  emilia show f5d6c3d3c4                     show a position of a game
  emilia games thor/ --player tamenori       search a database of games
  emilia explore tiger --games thor/         what people played in an opening
  emilia convert games.ggf games.sgf         convert between formats
  emilia match emilia@level=5 random   a match of two players
  emilia book build my.book --positions 500  make an opening book
  emilia nboard                              an engine for NBoard; emilia gtp
                                             for GTP hosts
  emilia perft 9                             count move sequences, to test the
                                             move generator and its speed
  emilia help show                           help for one command";

/// Play and study Othello. Without a command, a game starts.
#[derive(Parser)]
#[command(after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// When to use color: auto, always or never [default: auto]
    #[arg(long, alias = "colour", global = true, value_parser = color_choice(), hide_possible_values = true, default_value = "auto", hide_default_value = true, value_name = "WHEN", display_order = 100)]
    color: ColorChoice,
}

/// Name and version of the program that calls [`run`].
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name, as the program is called in a shell.
    pub name: &'static str,
    /// The version, with the commit where there is one. A farm gives jobs only to workers of the same version.
    pub version: &'static str,
}

static ABOUT: OnceLock<About> = OnceLock::new();

/// Name of the program in help texts.
const DEFAULT_NAME: &str = "emilia";

fn about() -> &'static About {
    ABOUT.get_or_init(|| About { name: DEFAULT_NAME, version: env!("CARGO_PKG_VERSION") })
}

/// The version that machines of a farm compare: that of this program, with the registered programs.
#[cfg(feature = "farm")]
static FARM_VERSION: OnceLock<String> = OnceLock::new();

fn command() -> clap::Command {
    commands::overview::with_groups(plain_command())
}

/// The same without the groups of its commands.
fn plain_command() -> clap::Command {
    let command = Cli::command().name(about().name).version(about().version);
    if about().name == DEFAULT_NAME { command } else { with_examples_of(about().name, command) }
}

/// The command with examples that call a program of this name.
fn with_examples_of(name: &str, command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let help = ["  ", "| ", "`"]
        .iter()
        .fold(help, |help, before| help.replace(&format!("{before}{DEFAULT_NAME} "), &format!("{before}{name} ")));
    let command = if help.is_empty() { command } else { command.after_help(help) };
    command.mut_subcommands(|command| with_examples_of(name, command))
}

fn color_choice() -> impl TypedValueParser<Value = ColorChoice> {
    let values = ColorChoice::ALL.map(|(name, _)| PossibleValue::new(name));
    PossibleValuesParser::new(values).map(|text| {
        let found = ColorChoice::ALL.into_iter().find(|(name, _)| *name == text);
        found.map_or(ColorChoice::Auto, |(_, choice)| choice)
    })
}

/// Exit codes: 1 for a task that failed, 2 for a command line that cannot be understood.
const FAILED: u8 = 1;
const MISUSED: u8 = 2;

/// Runs the command that the arguments of this process name, and returns the exit code.
///
/// `programs` returns the programs in the order in which they are listed. It is called after the check that this CPU has
/// the instructions of the build.
pub fn run(about: About, programs: impl FnOnce() -> Vec<LabProgram>) -> ExitCode {
    // Before anything else: a CPU that lacks an instruction gets a message instead of a crash.
    if let Err(message) = cpu_check::check_cpu() {
        let _ = io::stderr().write_all(message.as_bytes());
        return ExitCode::from(FAILED);
    }
    debug_assert!(cpu_check::HAPPENS_BEFORE_MAIN.is_none_or(|was_run| was_run()), "the check was not linked");
    let _ = ABOUT.set(about);
    run_command(programs)
}

#[inline(never)]
fn run_command(programs: impl FnOnce() -> Vec<LabProgram>) -> ExitCode {
    let programs = match Programs::new(programs()) {
        Ok(programs) => programs,
        Err(error) => return conclude(Err(error.into())),
    };
    #[cfg(feature = "farm")]
    let _ = FARM_VERSION.set(programs.version());
    interrupt::listen();
    completions::answer(&programs);
    let defaults = Defaults::read();
    let (command, color) = match parsed(defaults.as_ref().ok()) {
        Ok(parsed) => parsed,
        Err(message) if message.use_stderr() => {
            output::report_usage_error(&message);
            return ExitCode::from(MISUSED);
        }
        // Help and version are results: that they cannot be written is an error.
        Err(text) => return conclude(output::print_help(&text)),
    };
    match defaults {
        Ok(defaults) => defaults.install(),
        Err(error) if command.needs_defaults() => return conclude(Err(error)),
        Err(_) => {}
    }
    conclude(command.run(&programs, color))
}

fn parsed(defaults: Option<&Defaults>) -> Result<(Command, ColorChoice), clap::Error> {
    let program = || defaults.map_or_else(crate::command, |defaults| defaults.applied(crate::command()));
    let read = |matches: ArgMatches| Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut program()));
    let Cli { command, color } = program().try_get_matches().and_then(read).map_err(misuse::with_near_names)?;
    // Without a command, a newcomer finds a game.
    let command = match command {
        Some(command) => Some(command),
        None => read(program().try_get_matches_from([about().name, "play"])?)?.command,
    };
    Ok((command.unwrap_or_default(), color))
}

/// Reports what went wrong, if anything, and returns the exit code.
fn conclude(result: Result<()>) -> ExitCode {
    let Some(error) = result.err().filter(|error| !output::is_broken_pipe(error)) else { return ExitCode::SUCCESS };
    output::warn(&output::sentence_of(&error));
    ExitCode::from(match error {
        _ if is_misuse(&error) => MISUSED,
        _ if error.is::<Interrupted>() => interrupt::exit_code(),
        _ => FAILED,
    })
}

/// Whether an error is about the command line, and not about the task.
fn is_misuse(error: &anyhow::Error) -> bool {
    error.is::<UsageError>()
        || matches!(error.downcast_ref(), Some(MakeError::Request(_)))
        || matches!(error.downcast_ref(), Some(GameFileError::Write(WriteError::NeedsPath)))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::error::ErrorKind;

    use super::*;
    use crate::arguments::{SearchArguments, one_thread_per_core};

    /// The commands of the program with their names, however deep.
    fn commands(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
        let path = format!("{path} {}", command.get_name());
        let below = command.get_subcommands().flat_map(|command| commands(command, &path));
        below.chain([(path.clone(), command.clone())]).collect()
    }

    #[test]
    fn every_option_answers_a_wrong_value_with_the_value_and_what_is_allowed() {
        let (mut answered, mut unclear) = (0, Vec::new());
        for (path, command) in commands(&command(), "") {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long().filter(|_| argument.get_action().takes_values()) else { continue };
                for value in ["~~", "-1", "99999999999999999999"] {
                    let words = path.split_whitespace().map(str::to_owned).chain([format!("--{name}={value}")]);
                    let Err(error) = crate::command().try_get_matches_from(words) else { continue };
                    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
                        continue;
                    }
                    let sentence = output::misuse::text_of(&error);
                    answered += 1;
                    let of_rust = ["invalid digit", "is not in", "invalid float", "too large to fit", "[possible"];
                    let is_own = !of_rust.iter().any(|words| sentence.contains(words));
                    let is_quoted = sentence.contains(&format!("{value:?}"));
                    if !(sentence.starts_with(&format!("--{name}: ")) && is_quoted && is_own) {
                        unclear.push(format!("{path}: {sentence}"));
                    }
                }
            }
        }
        assert!(unclear.is_empty(), "{unclear:#?}");
        assert!(answered > 250, "{answered}");
    }

    /// Options that have more than one kind of value, which tells their meanings apart.
    const KINDS: [(&str, &str); 8] = [
        ("black", "in a game, the side of the person; in games of others, a name"),
        ("count", "the number of games that are found, or of what is to be made"),
        ("games", "a number of games, or files of games"),
        ("lines", "a game line by line, or a number of lines of play"),
        ("opening", "the moves or the name of an opening, or a number of random moves"),
        ("output", "a file, or a folder"),
        ("problems", "numbers of problems, or a file of problems"),
        ("white", "like black"),
    ];

    /// The meaning of an option: its help up to the first detail.
    fn meaning(argument: &clap::Arg) -> String {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        help.split([',', ';', ':', '(', '[']).next().unwrap_or_default().trim().to_owned()
    }

    #[test]
    fn an_option_means_the_same_in_every_command() {
        let mut seen: BTreeMap<(String, Option<String>), BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let mut names: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
        for (path, command) in commands(&command(), "") {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else { continue };
                let has_help = argument.get_help().is_some_and(|help| !help.to_string().is_empty());
                assert!(has_help, "{path} --{name}: no help");
                let takes_values = argument.get_action().takes_values();
                let value = argument.get_value_names().filter(|_| takes_values).map(|names| names[0].to_string());
                assert_eq!(value.is_some(), takes_values, "{path} --{name}: its value has no name");
                // Other names of an option must not be those of another one, as far as help shows them.
                for name in [name].into_iter().chain(argument.get_visible_aliases().unwrap_or_default()) {
                    names.entry(name.to_owned()).or_default().insert(value.clone());
                    let meanings = seen.entry((name.to_owned(), value.clone())).or_default();
                    meanings.entry(meaning(argument)).or_default().push(path.clone());
                }
            }
        }
        let several: Vec<_> = seen.iter().filter(|(_, meanings)| meanings.len() > 1).collect();
        assert!(several.is_empty(), "options with several meanings: {several:#?}");
        let kinds = |name: &str| names.get(name).map_or(0, BTreeSet::len);
        let of_two_kinds: Vec<_> = names.keys().filter(|name| kinds(name) > 1).map(String::as_str).collect();
        assert_eq!(of_two_kinds, KINDS.map(|(name, _)| name), "options with several kinds of values");
        assert!(names.len() > 120, "{}", names.len());
    }

    #[test]
    fn a_person_who_waits_gets_all_cores_and_a_host_gets_one() {
        let all = one_thread_per_core().to_string();
        let of_persons = ["hint", "solve", "analyze", "play"].map(|path| (path, all.as_str()));
        let of_hosts = ["gtp", "nboard", "match"].map(|path| (path, "1"));
        for (path, cores) in of_persons.into_iter().chain(of_hosts) {
            let command = command();
            let found = command.find_subcommand(path).expect("a command");
            let threads = found.get_arguments().find(|argument| argument.get_long() == Some("threads"));
            assert_eq!(threads.expect("an option").get_default_values(), [cores], "{path}");
        }
        // Without a command, a game starts as with `emilia play`.
        assert_eq!(SearchArguments::default().threads, one_thread_per_core());
    }

    /// The narrowest terminal that is used.
    const WIDTH: usize = 80;

    #[test]
    fn the_ends_of_help_texts_are_not_broken_where_a_line_ends() {
        let all = commands(&command(), "");
        assert!(all.len() > 25, "{} commands", all.len());
        for (name, command) in all {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            for line in lines.iter().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= WIDTH, "{name}: too long for a terminal: {line}");
            }
            // A paragraph is one line, which is broken to fit wherever it is shown.
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with("xamples:");
            for pair in lines.windows(2) {
                let is_broken = is_prose(pair[0]) && is_prose(pair[1]);
                assert!(!is_broken, "{name}: a break inside of a paragraph: {}", pair[0]);
            }
        }
    }
}
