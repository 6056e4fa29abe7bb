//! The options whose defaults can be chosen.

use clap::builder::PossibleValue;
use clap::{Arg, CommandFactory};
use engine::settings;

use crate::Cli;
use crate::output::misuse;

/// An option whose default can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    /// The level of Emilia as an opponent, adviser and analyst, if no other limit is given.
    Level,
    Threads,
    Hash,
    Color,
    Language,
}

impl Key {
    pub(crate) const ALL: [Self; 5] = [Self::Level, Self::Threads, Self::Hash, Self::Color, Self::Language];

    /// Its name in the file and as an option, its environment variable, and the commands that use it; none for all of them.
    /// In `analyze` and `study`, every thread has a hash table of its own, whose default is smaller.
    fn row(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Level => ("level", "EMILIA_LEVEL", &["play", "hint", "analyze", "study", "gtp"]),
            Self::Threads => {
                let commands = &["play", "serve", "hint", "solve", "analyze", "study", "gtp", "nboard"];
                ("threads", "EMILIA_THREADS", commands)
            }
            Self::Hash => ("hash", "EMILIA_HASH", &["play", "serve", "hint", "solve", "gtp", "nboard"]),
            Self::Color => ("color", "EMILIA_COLOR", &[]),
            Self::Language => ("language", "EMILIA_LANGUAGE", &["serve"]),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().0
    }

    /// The commands that use it; `None` for all of them.
    pub(crate) fn commands(self) -> Option<&'static [&'static str]> {
        Some(self.row().2).filter(|commands| !commands.is_empty())
    }

    /// The key with this name, or a sentence with the nearest one.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name);
        let found = Self::ALL.into_iter().find(|key| key.name() == name);
        found.ok_or_else(|| {
            let shortened: String = name.chars().take(40).collect();
            let suggestion = settings::suggestion(name, names);
            format!("unknown setting: {shortened:?}{suggestion}; expected {}", names.join(", "))
        })
    }

    /// The values of the option, if they are a list.
    pub(crate) fn values(self) -> Vec<PossibleValue> {
        let program = Cli::command();
        let command = self.commands().and_then(|names| program.find_subcommand(names.first()?)).unwrap_or(&program);
        let option = command.get_arguments().find(|argument| argument.get_long() == Some(self.name()));
        option.map(Arg::get_possible_values).unwrap_or_default()
    }

    /// The value in the environment with the name of its variable.
    pub(super) fn in_environment(self, variable: impl Fn(&str) -> Option<String>) -> Option<(&'static str, String)> {
        let set = |name: &'static str| Some((name, variable(name).filter(|value| !value.is_empty())?));
        set(self.row().1).or_else(|| {
            // These are read by `report::look`, and only if the option has its default.
            let common = ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"].into_iter().filter(|_| self == Self::Color);
            // CLICOLOR is 1 on many systems, which is the default.
            let is_meant = |&(name, ref value): &(&str, String)| name != "CLICOLOR" || value == "0";
            common.filter_map(set).find(is_meant).map(|(name, _)| (name, "auto".to_owned()))
        })
    }

    /// Checks a value by the parser of the option; the error is its sentence.
    pub(crate) fn check(self, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("the value is empty".to_owned());
        }
        let option = format!("--{}={value}", self.name());
        let command: &[&str] = match self {
            Self::Level | Self::Threads | Self::Hash => &["hint", "start"],
            Self::Color => &[],
            Self::Language => &["serve"],
        };
        let words = ["emilia"].iter().chain(command).copied().chain([option.as_str()]);
        Cli::command().try_get_matches_from(words).map(|_| ()).map_err(|error| {
            let text = misuse::text_of(&error);
            let sentence = text.lines().next().unwrap_or_default();
            sentence.strip_prefix(&format!("--{}: ", self.name())).unwrap_or(sentence).to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bounded_by_the_options() {
        for (key, good, bad) in [
            (Key::Level, &["0", "2.5", "60"][..], &["61", "5.5", "-1", "x", ""][..]),
            (Key::Threads, &["1", "256"], &["0", "257", "1.5", "", "--hash=1"]),
            (Key::Hash, &["1", "4294967295"], &["0", "4294967296", "1e3"]),
            (Key::Color, &["auto", "always", "never"], &["red", "Always"]),
            (Key::Language, &["auto", "en", "ja"], &["xx", "english"]),
        ] {
            for value in good {
                assert_eq!(key.check(value), Ok(()), "{key:?} {value}");
            }
            for value in bad {
                let sentence = key.check(value).expect_err(value);
                assert!(value.is_empty() || sentence.contains(&format!("{value:?}")), "{key:?} {value}: {sentence}");
                assert!(!sentence.starts_with("--"), "{sentence}");
            }
        }
    }

    #[test]
    fn every_key_is_an_option_of_its_commands() {
        let program = Cli::command();
        let has = |command: &clap::Command, key: Key| {
            command.get_arguments().any(|argument| argument.get_long() == Some(key.name()))
        };
        assert!(has(&program, Key::Color));
        for key in Key::ALL {
            for name in key.commands().unwrap_or_default() {
                let command = program.find_subcommand(name).unwrap_or_else(|| panic!("{name} is no command"));
                assert!(has(command, key), "{name} has no --{}", key.name());
            }
        }
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_one() {
        assert_eq!(Key::named("hash"), Ok(Key::Hash));
        let sentence = Key::named("thread").expect_err("no such key");
        assert_eq!(
            sentence,
            "unknown setting: \"thread\" (did you mean threads?); expected level, threads, hash, color, language"
        );
    }
}
