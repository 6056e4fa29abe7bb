//! `emilia completions`: the script that lets a shell complete our commands.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia
  emilia completions zsh  > ~/.zfunc/_emilia
  emilia completions fish > ~/.config/fish/completions/emilia.fish";

/// Print the script that lets your shell complete the commands of emilia.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        // clap_complete panics when it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "emilia", &mut script);
        let mut out = output::stdout();
        out.write_all(&script)?;
        out.flush()?;
        Ok(())
    }
}
