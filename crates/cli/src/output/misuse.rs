//! Errors in the command line that clap finds, in the words of all other errors; tips for a mistyped command or option: only
//! near names, and never to take an option for a value.

use std::error::Error as _;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use engine::settings::nearest;

/// The error as a sentence, which may be followed by paragraphs with a tip and the usage of the command.
pub(crate) fn text_of(error: &Error) -> String {
    let own = match error.kind() {
        ErrorKind::ValueValidation => error.source().map(ToString::to_string),
        ErrorKind::InvalidValue => unknown_value(error),
        _ => None,
    };
    if let (Some(sentence), Some(argument)) = (own, word(error, ContextKind::InvalidArg)) {
        return format!("{}: {sentence}", name_of(argument));
    }
    let text = error.render().to_string();
    text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned()
}

fn unknown_value(error: &Error) -> Option<String> {
    let value = word(error, ContextKind::InvalidValue).filter(|value| !value.is_empty())?;
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else { return None };
    let (last, others) = values.split_last()?;
    let expected = if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
    Some(format!("unknown value: {value:?}; expected {expected}"))
}

/// The name of an argument without its values: `--threads` of `--threads <N>`, `FILE` of `<FILE>` and `[FILE]...`.
fn name_of(argument: &str) -> &str {
    let name = argument.split_once([' ', '=']).map_or(argument, |(name, _)| name);
    name.trim_end_matches("...").trim_matches(['<', '>', '[', ']'])
}

/// The error with the tips of this program in place of those of clap.
pub(crate) fn with_near_names(mut error: Error) -> Error {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let Some(option) = word(&error, ContextKind::InvalidArg).filter(|text| is_option(text)).map(str::to_owned)
            else {
                return error;
            };
            let near = near_options(&command_of(&error), &option);
            error.remove(ContextKind::SuggestedArg);
            if !near.is_empty() {
                error.insert(ContextKind::SuggestedArg, ContextValue::Strings(near));
            }
            if let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) {
                let is_useful = |tip: &StyledStr| !tip.to_string().contains(" as a value, use ");
                let useful = tips.into_iter().filter(is_useful).collect();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(useful));
            }
        }
        ErrorKind::InvalidSubcommand => {
            let Some(name) = word(&error, ContextKind::InvalidSubcommand).map(str::to_owned) else { return error };
            let command = command_of(&error);
            let names = command.get_subcommands().filter(|below| !below.is_hide_set());
            let names = names.flat_map(|below| below.get_visible_aliases().chain([below.get_name()]));
            error.remove(ContextKind::SuggestedSubcommand);
            if let Some(near) = nearest(&name, names) {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(near.to_owned()));
            }
        }
        _ => {}
    }
    // An empty list would be shown as an empty line.
    if matches!(error.get(ContextKind::Suggested), Some(ContextValue::StyledStrs(tips)) if tips.is_empty()) {
        error.remove(ContextKind::Suggested);
    }
    error
}

fn word(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// Whether a word can only be an option; one hyphen may begin a board.
fn is_option(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|name| name.starts_with(|symbol: char| symbol.is_ascii_alphabetic()))
}

/// The command whose usage an error shows.
fn command_of(error: &Error) -> Command {
    let mut program = crate::command();
    program.build();
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    // "Usage:", and the name of the program.
    let words = usage.split_whitespace().skip(2);
    let found = words.map_while(|word| {
        program = program.find_subcommand(word)?.clone();
        Some(())
    });
    found.for_each(drop);
    program
}

/// The options that a mistyped one is likely to mean: the nearest name, or else all that share a part with it, as
/// `--move-time` does with `--time`.
fn near_options(command: &Command, option: &str) -> Vec<String> {
    let name = &option[2..];
    let shown = || command.get_arguments().filter(|argument| !argument.is_hide_set());
    let aliases = shown().flat_map(|argument| argument.get_visible_aliases().unwrap_or_default());
    let names: Vec<&str> = shown().filter_map(Arg::get_long).chain(aliases).collect();
    let near: Vec<&str> = match nearest(name, names.iter().copied()) {
        Some(near) => vec![near],
        None => names.into_iter().filter(|known| is_part(name, known) || is_part(known, name)).collect(),
    };
    near.into_iter().map(|name| format!("--{name}")).collect()
}

/// Whether a name is one of the words of another one.
fn is_part(name: &str, of: &str) -> bool {
    of.split('-').any(|part| part == name)
}
