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
mod judging;
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

use report::look::ColorChoice;

use crate::prelude::*;
use crate::programs::Programs;

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

/// Everything that commands have in common.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) registry: &'a Arc<Registry>,
    /// Abilities of standard output.
    pub(crate) look: Look,
}

/// Runs the one command that an enum holds; all of its variants are listed.
macro_rules! run_one {
    ($command:expr, $environment:expr, $name:ident: $($(#[$condition:meta])? $variant:ident)*) => {
        match $command {
            $($(#[$condition])? $name::$variant(command) => command.run($environment),)*
        }
    };
}
pub(crate) use run_one;

impl Command {
    pub(crate) fn run(&self, programs: &Programs, color: ColorChoice) -> Result<()> {
        let look = Look::of(&io::stdout(), color);
        let environment = &Environment { programs, registry: &programs.registry, look };
        run_one!(self, environment, Command:
            Play Serve Analyze Study Puzzle Hint Eval Solve Engines Show Games Explore Convert Nboard Gtp Match
            Tournament Openings Book Learn Lab #[cfg(feature = "farm")] Farm #[cfg(feature = "farm")] Worker Perft Bench
            Config Completions Manual)
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
