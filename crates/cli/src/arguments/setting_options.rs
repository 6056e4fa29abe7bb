//! The option `--set`: settings of an experiment or a learner, as `name=value`.

use engine::settings::{Setting, suggestion};

use crate::prelude::*;

/// Value of the option that lists the settings.
const HELP: &str = "help";

/// Settings that a program registers.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SettingOptions {
    /// Setting, such as games=100; `--set help` lists all settings with their values
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl SettingOptions {
    pub(crate) fn is_help(&self) -> bool {
        self.settings.iter().any(|text| text == HELP)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    pub(crate) fn pairs(&self) -> Vec<(String, Option<String>)> {
        let pair = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        self.settings.iter().map(pair).collect()
    }
}

pub(crate) fn print_settings(out: &mut impl Write, settings: &[Setting]) -> io::Result<()> {
    let columns = wrapping::columns(&io::stdout());
    let width = settings.iter().map(|setting| setting.name.len()).max().unwrap_or(0) + 2;
    if settings.is_empty() {
        return writeln!(out, "no settings");
    }
    for setting in settings {
        let Setting { name, values, description } = setting;
        let line = format!("  {name:<width$}{description}: {values}");
        writeln!(out, "{}", wrapping::wrapped(&line, columns, width + 2))?;
    }
    Ok(())
}

/// The item with this name, or an error that suggests a similar name. The error lists other words that are allowed, too.
pub(crate) fn named<'a, T>(
    items: impl IntoIterator<Item = &'a T> + Clone,
    kind: &str,
    name: &str,
    other_words: &[&'static str],
    name_of: impl Fn(&'a T) -> &'static str,
) -> Result<&'a T> {
    if let Some(found) = items.clone().into_iter().find(|item| name_of(item) == name) {
        return Ok(found);
    }
    let names: Vec<_> = other_words.iter().copied().chain(items.into_iter().map(name_of)).collect();
    let near = suggestion(name, names.iter().copied());
    bail_usage!("unknown {kind} {name:?}{near}; expected {}", names.join(", "))
}
