//! The commands of the program, a file each.

mod analyze;
mod bench;
mod book;
pub(crate) mod completions;
mod config;
mod convert;
mod engines;
mod eval;
mod explore;
#[cfg(feature = "farm")]
mod farm;
mod games;
mod gtp;
mod hint;
mod lab;
mod learn;
mod manual;
mod r#match;
mod nboard;
mod openings;
pub(crate) mod overview;
mod perft;
mod play;
mod puzzle;
mod serve;
mod show;
mod solve;
mod study;
mod tournament;
#[cfg(feature = "farm")]
mod worker;

use anyhow::Result;
use clap::Subcommand;

use report::look::ColorChoice;

use crate::programs::Programs;

/// Commands of the program.
#[derive(Subcommand)]
pub(crate) enum Command {
    Play(Box<play::Play>),
    Serve(serve::Serve),
    #[command(alias = "analyse")]
    Analyze(Box<analyze::Analyze>),
    Study(study::Study),
    Puzzle(puzzle::PuzzleCommand),
    Hint(hint::Hint),
    Eval(eval::Eval),
    Solve(Box<solve::Solve>),
    Engines(engines::Engines),
    Show(show::Show),
    Games(games::Games),
    Explore(explore::Explore),
    Convert(convert::Convert),
    Nboard(nboard::Nboard),
    Gtp(gtp::Gtp),
    Match(Box<r#match::Match>),
    Tournament(Box<tournament::Tournament>),
    Openings(openings::Openings),
    Book(Box<book::Book>),
    Learn(learn::Learn),
    Lab(lab::Lab),
    #[cfg(feature = "farm")]
    Farm(farm::Farm),
    #[cfg(feature = "farm")]
    Worker(worker::Worker),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Config(config::Config),
    Completions(completions::Completions),
    #[command(hide = true)]
    Manual(manual::Manual),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(&self, programs: &Programs, color: ColorChoice) -> Result<()> {
        let registry = &programs.registry;
        match self {
            Command::Play(command) => command.run(registry, color),
            Command::Serve(command) => command.run(registry),
            Command::Analyze(command) => command.run(registry, color),
            Command::Study(command) => command.run(registry, color),
            Command::Puzzle(command) => command.run(registry, color),
            Command::Hint(command) => command.run(),
            Command::Eval(command) => command.run(registry),
            Command::Solve(command) => command.run(),
            Command::Engines(command) => command.run(registry),
            Command::Show(command) => command.run(color),
            Command::Games(command) => command.run(color),
            Command::Explore(command) => command.run(registry, color),
            Command::Convert(command) => command.run(),
            Command::Nboard(command) => command.run(registry),
            Command::Gtp(command) => command.run(registry),
            Command::Match(command) => command.run(registry),
            Command::Tournament(command) => command.run(registry),
            Command::Openings(command) => command.run(),
            Command::Book(command) => command.run(registry, color),
            Command::Learn(command) => command.run(programs),
            Command::Lab(command) => command.run(programs),
            #[cfg(feature = "farm")]
            Command::Farm(command) => command.run(),
            #[cfg(feature = "farm")]
            Command::Worker(command) => command.run(programs),
            Command::Perft(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Config(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Manual(command) => command.run(),
        }
    }

    /// Whether the command uses the file of defaults: not if it repairs the file or writes the files of a package.
    pub(crate) fn needs_defaults(&self) -> bool {
        !matches!(self, Command::Config(_) | Command::Completions(_) | Command::Manual(_))
    }
}

/// Without a command, a newcomer finds a game.
impl Default for Command {
    fn default() -> Self {
        Command::Play(Box::default())
    }
}
