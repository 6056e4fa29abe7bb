//! `emilia lab`: the experiments of the papers, run again.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use engine::Player;
use laboratory::experiments::{self, Experiment, ExperimentError, Players, Setup};
use othello::Board;
use serde::Serialize;

use crate::interrupt::{self, Interrupted};
use crate::live_line::LiveLine;
use crate::output;
use crate::player_notation::PlayerNotation;
use crate::registry::{self, PlayableBoard, PlayerOptions};
use crate::search_options::SearchOptions;
use crate::usage_error::UsageError;

const EXAMPLES: &str = "\
Examples:
  emilia lab list                       what can be run
  emilia lab run iago-1980              the final of 1980, as the original IAGO saw it and as ours does
  emilia lab run iago-1980 --quick      the same within two minutes";

/// Run the experiments of the papers again: their figures beside ours.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Lab {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the experiments
    List(List),
    /// Run an experiment
    Run(Run),
}

#[derive(Args)]
struct List {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Run {
    /// The experiment, one of `emilia lab list`
    name: String,

    /// Finish within two minutes
    #[arg(long)]
    quick: bool,

    /// Decides what players leave to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    source: &'static str,
    description: &'static str,
}

impl Lab {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        match &self.what {
            What::List(list) => list.run(),
            What::Run(run) => run.run(),
        }
    }
}

impl List {
    fn run(&self) -> Result<()> {
        let mut out = output::stdout();
        for Experiment { name, source, description, .. } in experiments::all() {
            if self.json {
                output::json_line(&mut out, &Row { name, source, description })?;
            } else {
                writeln!(out, "{name:<16} {description} ({source})")?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

impl Run {
    fn run(&self) -> Result<()> {
        let experiment = experiments::named(&self.name).ok_or_else(|| {
            let known: Vec<_> = experiments::all().iter().map(|experiment| experiment.name).collect();
            UsageError::new(format!("no experiment {:?}; expected one of {}", self.name, known.join(", ")))
        })?;
        let stop = interrupt::flag()?;
        let mut live = LiveLine::new();
        let mut setup = Setup {
            players: &HousePlayers { seed: self.seed },
            is_quick: self.quick,
            stop: &stop,
            progress: &mut |what| live.show(what),
        };
        let report = (experiment.run)(&mut setup);
        live.clear();
        let report = match report {
            Err(ExperimentError::Stopped) => return Err(Interrupted.into()),
            report => report?,
        };
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, &report)?;
        } else {
            write!(out, "{report}")?;
        }
        out.flush()?;
        Ok(())
    }
}

/// The players of the 8x8 board, by what is written on the command line.
struct HousePlayers {
    seed: u64,
}

impl Players for HousePlayers {
    fn names(&self) -> Vec<(String, bool)> {
        let is_historical = |entry: &registry::Entry<Board>| entry.settings.iter().any(|one| one.name == "historical");
        Board::entries().iter().map(|entry| (entry.name.to_owned(), is_historical(entry))).collect()
    }

    fn player(&self, notation: &str) -> Result<Box<dyn Player>, String> {
        let notation: PlayerNotation = notation.parse()?;
        let options = PlayerOptions {
            seed: self.seed,
            search: SearchOptions { hash: 16, ..SearchOptions::default() },
            usual_level: None,
        };
        registry::limited_player(&notation, &options).map_err(|error| format!("{error:#}"))
    }
}
