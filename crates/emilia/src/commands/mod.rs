//! The commands of the program, a file each.

mod completions;
mod perft;
mod show;

use anyhow::Result;
use clap::Subcommand;

use crate::look::ColorChoice;

/// What the program can be asked to do.
#[derive(Subcommand)]
pub enum Command {
    Show(show::Show),
    Perft(perft::Perft),
    Completions(completions::Completions),
}

impl Command {
    /// Runs the command.
    pub fn run(&self, color: ColorChoice) -> Result<()> {
        match self {
            Command::Show(command) => command.run(color),
            Command::Perft(command) => command.run(),
            Command::Completions(command) => command.run(),
        }
    }
}
