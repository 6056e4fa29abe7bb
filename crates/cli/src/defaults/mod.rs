//! Defaults of options that a person keeps in a file or in the environment. The command line comes first, then the
//! environment, then the file.
//!
//! They are for the commands with which a person plays and studies. Matches, training and books do not use them, so that
//! the same command gives the same result on every machine.

mod file;
mod key;

use std::env;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use clap::Command;
use engine::Level;

pub(crate) use file::{DefaultsFile, location};
pub(crate) use key::Key;

use crate::arguments::UsageError;

/// A value with its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Default {
    pub(crate) key: Key,
    /// The value as an option takes it.
    pub(crate) value: String,
    /// The environment variable that has it; none if it is in the file.
    pub(crate) variable: Option<&'static str>,
}

/// The defaults that differ from those of the program.
#[derive(Clone, PartialEq, Eq, Debug, std::default::Default)]
pub(crate) struct Defaults(Vec<Default>);

/// The level of this process, for commands whose default depends on their other options.
static LEVEL: OnceLock<Level> = OnceLock::new();

/// The default level, if a person has chosen one.
pub(crate) fn level() -> Option<Level> {
    LEVEL.get().copied()
}

impl Defaults {
    pub(crate) fn read() -> Result<Self> {
        let file = location().map(|path| DefaultsFile::open(&path)).transpose()?;
        let in_file = file.as_ref().map(DefaultsFile::values).transpose()?.unwrap_or_default();
        Self::combined(&in_file, |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// The values of the file, unless the environment has others.
    fn combined(in_file: &[(Key, String)], variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let mut defaults = Vec::new();
        for key in Key::ALL {
            if let Some((name, value)) = key.in_environment(&variable) {
                key.check(&value).map_err(UsageError::new).with_context(|| name.to_owned())?;
                defaults.push(Default { key, value, variable: Some(name) });
            } else if let Some((_, value)) = in_file.iter().find(|(known, _)| *known == key) {
                defaults.push(Default { key, value: value.clone(), variable: None });
            }
        }
        Ok(Self(defaults))
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Default> {
        self.0.iter().find(|default| default.key == key)
    }

    /// The program with these defaults of its options.
    pub(crate) fn applied(&self, program: Command) -> Command {
        // The default of a level depends on the other options: commands read it.
        let defaults = self.0.iter().filter(|default| default.key != Key::Level);
        defaults.fold(program, |program, default| match default.key.commands() {
            None => with_default(program, default),
            Some(commands) => commands.iter().fold(program, |program, command| {
                program.mut_subcommand(command, |command| with_default(command, default))
            }),
        })
    }

    pub(crate) fn install(&self) {
        if let Some(level) = self.get(Key::Level).and_then(|default| default.value.parse().ok()) {
            // Only the first call has an effect.
            let _ = LEVEL.set(level);
        }
    }
}

/// A command with the default of one of its options, in its help, too.
fn with_default(command: Command, default: &Default) -> Command {
    command.mut_args(|argument| {
        if argument.get_long() != Some(default.key.name()) {
            return argument;
        }
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.rsplit_once(" [default: ").map_or(help.as_str(), |(help, _)| help).to_owned();
        argument.default_value(default.value.clone()).hide_default_value(false).help(help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined(in_file: &[(Key, &str)], variables: &[(&str, &str)]) -> Result<Vec<(Key, String)>> {
        let in_file: Vec<_> = in_file.iter().map(|&(key, value)| (key, value.to_owned())).collect();
        let variable = |name: &str| variables.iter().find(|known| known.0 == name).map(|known| known.1.to_owned());
        let Defaults(found) = Defaults::combined(&in_file, variable)?;
        Ok(found.into_iter().map(|default| (default.key, default.value)).collect())
    }

    #[test]
    fn the_environment_comes_before_the_file_and_an_empty_variable_is_none() {
        let file = [(Key::Level, "3"), (Key::Hash, "64"), (Key::Color, "always")];
        let found = combined(&file, &[("EMILIA_LEVEL", "2.5"), ("EMILIA_HASH", ""), ("EMILIA_THREADS", "2")]);
        let expected = [(Key::Level, "2.5"), (Key::Threads, "2"), (Key::Hash, "64"), (Key::Color, "always")];
        assert_eq!(found.expect("defaults"), expected.map(|(key, value)| (key, value.to_owned())));
        // The variables that all programs have come before the file, too.
        for (name, value) in [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")] {
            assert_eq!(combined(&file[2..], &[(name, value)]).expect("defaults"), [(Key::Color, "auto".to_owned())]);
        }
        let found = combined(&file[2..], &[("CLICOLOR", "1")]);
        assert_eq!(found.expect("defaults"), [(Key::Color, "always".to_owned())]);
        let found = combined(&file[2..], &[("NO_COLOR", "1"), ("EMILIA_COLOR", "never")]);
        assert_eq!(found.expect("defaults"), [(Key::Color, "never".to_owned())]);
        let error = combined(&[], &[("EMILIA_THREADS", "many")]).expect_err("no number");
        assert_eq!(crate::output::sentence_of(&error), "EMILIA_THREADS: not a number from 1 to 256: \"many\"");
    }
}
