//! `emilia completions`: the script with which a shell completes our commands.

use std::io::Write;

use anyhow::Result;
use clap::builder::PossibleValue;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::Shell;
use laboratory::experiments;
use othello::Board;
use players::PlayableBoard;

use crate::Cli;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia
  emilia completions zsh  > ~/.zfunc/_emilia
  emilia completions fish > ~/.config/fish/completions/emilia.fish";

/// Print a script that lets your shell complete commands, options, engines and experiments.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let mut out = output::stdout();
        out.write_all(&script(self.shell)?)?;
        out.flush()?;
        Ok(())
    }
}

/// The script of a shell.
pub fn script(shell: Shell) -> Result<Vec<u8>> {
    // clap_complete panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(Cli::command()), "emilia", &mut script);
    if shell == Shell::Fish {
        write_fish_arguments(&mut script)?;
    }
    Ok(script)
}

/// For fish, clap_complete completes the values of options and not those of other arguments.
fn write_fish_arguments(out: &mut impl Write) -> Result<()> {
    let names = |values: Vec<PossibleValue>| {
        values.iter().map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let seen = "__fish_seen_subcommand_from";
    let of_lab = format!("{seen} lab; and {seen} run");
    for (condition, values) in [(format!("{seen} match tournament"), engines()), (of_lab, all_experiments())] {
        writeln!(out, "complete -c emilia -n \"{condition}\" -f -a \"{}\"", names(values))?;
    }
    Ok(())
}

/// The same commands with the names that their arguments are usually given, for a shell to offer. The commands themselves
/// accept more: players with settings, and other programs.
fn with_names(command: Command) -> Command {
    command.mut_args(with_suggestions).mut_subcommands(with_names)
}

fn with_suggestions(argument: Arg) -> Arg {
    let is_of_experiments = argument.get_id() == "names";
    match argument.get_value_names().and_then(|names| names.first()).map(|name| name.as_str()) {
        Some("PLAYER") => argument.value_parser(engines()),
        Some("NAME") if argument.get_id() == "engine" => argument.value_parser(engines()),
        Some("NAME") if is_of_experiments => argument.value_parser(all_experiments()),
        _ => argument,
    }
}

fn engines() -> Vec<PossibleValue> {
    Board::entries().into_iter().map(|entry| PossibleValue::new(entry.name).help(entry.description)).collect()
}

fn all_experiments() -> Vec<PossibleValue> {
    let names = experiments::all().into_iter().map(|experiment| PossibleValue::new(experiment.name));
    names.chain([PossibleValue::new("all")]).collect()
}
