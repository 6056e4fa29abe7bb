//! `emilia learn desdemona`: the tables of DESDEMONA, from random and half-smart games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use desdemona::learning::{LookAhead, Rates, WeightTraining, simple_values};
use desdemona::{COMPLEX_NAMES, DesdemonaBoard, Tables};
use othello::{Board, CutBoard};
use storage::whole_file;

use crate::arguments::number::{any_number, number};
use crate::arguments::search_options::one_thread_per_core;
use crate::output;
use terminal::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia learn desdemona --board cs221 \\
      --output data/heritage/desdemona-cs221.tables
  emilia learn desdemona --board 8 --output data/heritage/desdemona-8x8.tables

The values of configurations are averages over random games. The weights of the features are learned by gradient \
descent from games in which every second move is random, stage by stage, starting at the end of the game. The files \
are compiled into the program.";

/// Make the tables of DESDEMONA
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Desdemona {
    /// Output file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// The board: cs221 or 8
    #[arg(long, value_name = "BOARD", value_enum, default_value_t)]
    board: LearnedBoard,

    /// Number of random games for the values of configurations
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(1..=10_000_000))]
    random_games: u64,

    /// Number of games, half of their moves random, for the weights of features
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = number::<u64>(1..=1_000_000))]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads; the tables do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,
}

/// A board that DESDEMONA plays on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum LearnedBoard {
    /// Its own board of 92 squares.
    #[default]
    #[value(name = "cs221")]
    Cut,
    /// The usual board, 8x8.
    #[value(name = "8", alias = "8x8")]
    Eight,
}

impl Desdemona {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        match self.board {
            LearnedBoard::Cut => self.run_on::<CutBoard>(),
            LearnedBoard::Eight => self.run_on::<Board>(),
        }
    }

    fn run_on<B: DesdemonaBoard>(&self) -> Result<()> {
        const EVERY: u64 = 64;
        whole_file::check_replaceable(&self.output, b"EMHT", "file of tables")?;
        let mut live = LiveLine::on_stderr();
        let values = simple_values::<B>(self.random_games, self.seed, |games| {
            if games.is_multiple_of(EVERY) {
                live.show(&output::counted(games, "random game"));
            }
        });
        live.clear();
        let mut out = output::stdout();
        for (feature, values) in B::simple_features().iter().zip(&values) {
            let known = values.iter().filter(|&&value| value != 0).count();
            let (name, all) = (feature.name, feature.configurations());
            writeln!(out, "{name}: {} of {} configurations have a value", output::grouped(known as u64), all)?;
        }
        writeln!(out, "weights in discs: {}", COMPLEX_NAMES.join(", "))?;
        let (seed, threads) = (self.seed, usize::from(self.threads));
        let training =
            WeightTraining { games: self.games, seed, threads, rates: Rates::PAPER, look_ahead: LookAhead::NextStage };
        let mut written = Ok(());
        live.show("the last stage");
        let weights = training.run::<B>(|report| {
            live.clear();
            let weights: Vec<_> = report.weights.iter().map(|weight| format!("{weight:>7.3}")).collect();
            let (stage, states, error) = (report.stage + 1, report.states, report.error);
            let line = format!("stage {stage:>2}: {states:>5} states, error {error:>5.2}, {}", weights.join(" "));
            if written.is_ok() {
                written = writeln!(out, "{line}").and_then(|()| out.flush());
            }
            live.show(&format!("stage {}", stage - 1));
        });
        live.clear();
        written?;
        Ok(whole_file::replace(&self.output, &Tables { weights, values }.bytes::<B>())?)
    }
}
