//! `emilia learn inspect`: how good an evaluation is, on games that it was not learned from and on solved problems.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::commands::learn::accuracy;

const EXAMPLES: &str = "\
Examples:
  emilia learn inspect --problems problems.obf --depth 1,4,10 --weights weights.bin
  emilia learn inspect --problems fforum-40-59.obf --depth 12 --verbose

`emilia learn problems` makes files of problems.";

/// Show how good an evaluation is
///
/// With --problems: the values and moves of searches of some depths against the exact scores of an OBF file. A move
/// agrees if the file names it with its best score; files that name one best move only count others as wrong.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Inspect {
    /// An OBF file of positions with exact scores
    #[arg(long, value_name = "FILE", required = true)]
    problems: PathBuf,

    /// The weights of the evaluation; by default the program's own evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// How many moves to look ahead: one number or several, such as 1,4,10
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Vec<u32>,

    /// How sure to be before a branch is cut short, in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,

    /// How many threads search, one problem each; by default one for every core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Show every problem
    #[arg(long, short)]
    verbose: bool,

    /// Print one JSON object a problem and one a depth
    #[arg(long)]
    json: bool,
}

impl Inspect {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        accuracy::Comparison {
            problems: &self.problems,
            weights: self.weights.as_deref(),
            depths: &self.depth,
            selectivity: self.selectivity,
            threads: self.threads,
            verbose: self.verbose,
            json: self.json,
        }
        .run()
    }
}
