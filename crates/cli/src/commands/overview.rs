//! The commands in groups, for the help of the program.

use std::fmt::Write;

use clap::Command;
use clap::builder::StyledStr;

use crate::prelude::*;

type Group = (&'static str, &'static [&'static str]);

const GROUPS: [Group; 6] = [
    ("Play", &["play", "serve", "puzzle", "engines"]),
    ("Analyze", &["analyze", "hint", "solve", "eval", "show", "study"]),
    ("Games and books", &["games", "explore", "convert", "book"]),
    ("Programs and matches", &["nboard", "gtp", "match", "tournament", "openings"]),
    ("Laboratory", &["learn", "lab", "farm", "worker", "perft", "bench"]),
    ("This program", &["config", "completions", "help"]),
];

/// The heading of commands that have no group.
const OTHERS: &str = "Other commands";

/// Help is no wider than this.
const MAX_WIDTH: usize = 100;

/// Replaces the list of commands in the help by one with groups.
pub(crate) fn with_groups(command: Command) -> Command {
    let mut template = StyledStr::new();
    // Writing to memory cannot fail.
    let _ = write_template(&command, &mut template);
    command.help_template(template)
}

/// Groups of commands with their descriptions.
fn groups(command: &Command) -> Vec<(&'static str, Vec<(String, String)>)> {
    const HELP: (&str, &str) = ("help", "Print this message or the help of the given subcommand(s)");
    let described = command.get_subcommands().filter(|command| !command.is_hide_set()).map(|command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        (command.get_name().to_owned(), about)
    });
    // The library adds the command `help` later.
    let mut left: Vec<_> = described.chain([(HELP.0.to_owned(), HELP.1.to_owned())]).collect();
    let mut all = Vec::new();
    for (heading, names) in GROUPS {
        let found = names.iter().filter_map(|name| {
            let at = left.iter().position(|(other, _)| other == name)?;
            Some(left.remove(at))
        });
        all.push((heading, found.collect()));
    }
    all.push((OTHERS, left));
    all.retain(|(_, commands)| !commands.is_empty());
    all
}

fn write_template(command: &Command, template: &mut StyledStr) -> std::fmt::Result {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let groups = groups(command);
    let names = groups.iter().flat_map(|(_, commands)| commands).map(|(name, _)| name.len());
    let width = names.max().unwrap_or(0);
    let columns = wrapping::columns(&io::stdout()).map_or(MAX_WIDTH, |columns| columns.min(MAX_WIDTH));
    writeln!(template, "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n")?;
    for (heading, commands) in groups {
        writeln!(template, "{header}{heading}:{header:#}")?;
        for (name, about) in commands {
            let line = wrapping::wrapped(&format!("  {name:<width$}  {about}"), Some(columns), width + 4);
            let rest = line.get(name.len() + 2..).unwrap_or_default();
            writeln!(template, "  {literal}{name}{literal:#}{rest}")?;
        }
        writeln!(template)?;
    }
    write!(template, "{header}Options:{header:#}\n{{options}}{{after-help}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::command();
        let groups = groups(&command);
        let others = groups.iter().find(|(heading, _)| *heading == OTHERS);
        assert!(others.is_none(), "without a group: {others:?}");
        let shown: Vec<_> = groups.iter().flat_map(|(_, commands)| commands).map(|(name, _)| name.as_str()).collect();
        let all =
            command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name).chain(["help"]);
        for name in all {
            assert_eq!(shown.iter().filter(|shown| **shown == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn a_command_without_a_group_is_shown_with_the_others() {
        let command = Command::new("x").subcommands(["dance", "play", "sing"].map(Command::new));
        let found = groups(&command);
        let names = |at: usize| found[at].1.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        assert_eq!((found[0].0, names(0)), ("Play", vec!["play"]));
        assert_eq!((found[2].0, names(2)), (OTHERS, vec!["dance", "sing"]));
    }
}
