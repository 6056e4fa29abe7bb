//! `emilia completions`: the script with which a shell completes our commands.
//!
//! The script calls this program for every word that is completed. The name of an argument's value decides which words it
//! offers.

use std::env;
use std::ffi::OsStr;

use clap::builder::PossibleValue;
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use players::weights;
use records::opening_names::{self, NamedOpening};

use crate::defaults::Key;
use crate::prelude::*;
use crate::programs::Programs;

const EXAMPLES: &str = "\
Examples:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia
  emilia completions zsh  > ~/.zfunc/_emilia
  emilia completions fish > ~/.config/fish/completions/emilia.fish

The script calls `emilia` for every completion. Write it again after an update.";

/// Print a script that lets your shell complete commands, options, engines, openings and files.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// The environment variable with which a script requests completions.
const VARIABLE: &str = "EMILIA_COMPLETE";

impl Completions {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let mut out = output::stdout();
        out.write_all(&script(self.shell)?)?;
        Ok(out.flush()?)
    }
}

pub(crate) fn script(shell: Shell) -> Result<Vec<u8>> {
    let shell_name = shell.to_string();
    let shells = Shells::builtins();
    let completer = shells.completer(&shell_name).with_context(|| format!("no completions for {shell_name}"))?;
    let mut script = Vec::new();
    let name = crate::about().name;
    completer.write_registration(VARIABLE, name, name, name, &mut script)?;
    if shell == Shell::Zsh {
        // A script in a folder of `fpath` is run by the first completion, which it must answer.
        writeln!(script, "[ \"$funcstack[1]\" = _{name} ] && _clap_dynamic_completer_{name}")?;
    }
    Ok(script)
}

/// Answers a script that requests completions, and ends the program; otherwise nothing happens.
pub(crate) fn answer(programs: &Programs) {
    CompleteEnv::with_factory(|| with_completers(programs, crate::command())).var(VARIABLE).complete();
}

/// The same commands with the values that their arguments can have.
fn with_completers(programs: &Programs, command: Command) -> Command {
    command
        .mut_args(|argument| with_completer(programs, argument))
        .mut_subcommands(|command| with_completers(programs, command))
}

fn with_completer(programs: &Programs, argument: Arg) -> Arg {
    let names = argument.get_value_names().and_then(|names| names.first()).map(|name| name.to_string());
    let has_own = argument.get_value_parser().possible_values().is_some();
    let Some(names) = names.filter(|_| !has_own) else { return argument };
    let kinds: Vec<_> = names.split('|').collect();
    let has = |kind: &str| kinds.contains(&kind);
    let mut completer = Words { words: Vec::new(), has_openings: false, has_files: false };
    match (names.as_str(), argument.get_id().as_str()) {
        ("PLAYER", _) => {
            let entries = programs.registry.entries::<Board>();
            completer.words = entries.iter().map(|entry| word(entry.name, entry.description)).collect();
        }
        ("FORMAT", _) => completer.words = Format::ALL.iter().map(|format| word(&format.to_string(), "")).collect(),
        ("BOOK", _) => {
            completer.words = books(&programs.registry, argument.get_long().is_some());
            completer.has_files = true;
        }
        ("NAME", "names" | "experiment") => {
            let experiments = programs.experiments.iter();
            let words = experiments.map(|experiment| word(experiment.name, experiment.description));
            completer.words = words.chain([word("all", "all experiments")]).collect();
        }
        ("NAME", "learner") => {
            let learners = programs.learners.iter();
            completer.words = learners.map(|(name, learner)| word(name, learner.description)).collect();
        }
        ("KEY", "key") => completer.words = Key::ALL.map(|key| word(key.name(), "")).to_vec(),
        ("VALUE", "value") => return argument.add(ArgValueCompleter::new(values_of_setting)),
        ("FILE", "weights") => {
            completer.words = vec![word(weights::SHIPPED, "the weights that ship with Emilia"), word("hand-made", "")];
            completer.has_files = true;
        }
        _ if has("NAME") && kinds.len() > 1 => {
            completer.has_openings = true;
            completer.has_files = has("FILE");
            if has("BOARD") {
                completer.words.push(word(Subject::START, "the starting position"));
            }
        }
        _ if argument.get_value_hint() == ValueHint::Unknown => return argument.value_hint(ValueHint::Other),
        _ => return argument,
    }
    argument.add(ArgValueCompleter::new(completer))
}

/// The values of the setting that the command line names, if they are a list.
fn values_of_setting(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy();
    let key = env::args().skip_while(|word| word != "set").nth(1).and_then(|name| Key::named(&name).ok());
    let values = key.map(Key::values).unwrap_or_default().into_iter();
    let described = |value: PossibleValue| {
        let description = value.get_help().map(ToString::to_string).unwrap_or_default();
        (value.get_name().to_owned(), description)
    };
    values.map(described).filter(|(word, _)| word.starts_with(&*typed)).map(candidate).collect()
}

/// A word that is offered, with a description that may be empty.
type Word = (String, String);

/// Words, names of openings and files that a value can be.
struct Words {
    words: Vec<Word>,
    has_openings: bool,
    has_files: bool,
}

impl ValueCompleter for Words {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let typed = current.to_string_lossy().to_lowercase();
        // A hundred names would hide the files where nothing has been typed yet.
        let offers_openings = self.has_openings && !(self.has_files && typed.is_empty());
        let names = openings().filter(|_| offers_openings);
        let words = self.words.iter().cloned().chain(names).filter(|(word, _)| word.starts_with(&typed));
        let mut found: Vec<_> = words.map(candidate).collect();
        if self.has_files {
            let is_useful = |path: &CompletionCandidate| path.get_value() != ".";
            found.extend(PathCompleter::any().complete(current).into_iter().filter(is_useful));
        }
        found
    }
}

fn candidate((word, description): Word) -> CompletionCandidate {
    let description = Some(description).filter(|text| !text.is_empty());
    CompletionCandidate::new(word).help(description.map(Into::into))
}

fn word(word: &str, description: &str) -> Word {
    (word.to_owned(), description.to_owned())
}

/// The names of all openings with their moves, in letters that no shell treats specially.
fn openings() -> impl Iterator<Item = Word> {
    let names = |opening: &'static NamedOpening| opening.names().map(|name| word(&plain(name), opening.moves));
    opening_names::all().iter().flat_map(names)
}

/// A name in lower case, with hyphens between its words: commands find it like the name itself.
fn plain(name: &str) -> String {
    let letters: String = name.to_lowercase().chars().filter(|&symbol| symbol != '\'' && symbol != '.').collect();
    let words = letters.split(|symbol: char| !symbol.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Books that are part of the program; as an option, also none.
fn books(registry: &Registry, is_option: bool) -> Vec<Word> {
    let shipped = word(BookChoice::SHIPPED, "the book that ships with Emilia");
    if is_option {
        return vec![shipped, word("off", "no book")];
    }
    let programs = registry.books().map(|program| word(program.name, "the book of this program"));
    [shipped].into_iter().chain(programs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offered_opening_is_found_and_needs_no_quotation_marks() {
        let mut count = 0;
        for opening in opening_names::all() {
            for name in opening.names() {
                let plain = plain(name);
                assert_eq!(opening_names::find(&plain), Some(opening), "{plain}");
                assert!(plain.chars().all(|symbol| symbol.is_alphanumeric() || symbol == '-'), "{plain}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }
}
