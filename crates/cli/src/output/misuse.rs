//! Errors in the command line that clap finds, in the words of all other errors.

use std::error::Error as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

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

fn word(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// The name of an argument without its values: `--threads` of `--threads <N>`, `FILE` of `<FILE>` and `[FILE]...`.
fn name_of(argument: &str) -> &str {
    let name = argument.split_once([' ', '=']).map_or(argument, |(name, _)| name);
    name.trim_end_matches("...").trim_matches(['<', '>', '[', ']'])
}
