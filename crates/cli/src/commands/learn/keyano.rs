//! `emilia learn keyano`: the tables of KEYANO, from games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use keyano::patterns::Pattern;
use keyano::tables::{CUT_DEPTHS, Feature, ONE};
use learning::keyano::{COMPARED_MOVES, Learned, MEASURES, Take, TrainingOptions, learn};
use learning::stored_games::StoredGames;
use storage::whole_file;

use crate::arguments::number::{any_number, number};
use crate::arguments::output_path::FileRoles;
use crate::output;
use terminal::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia learn keyano --every 4 --output data/heritage/keyano.tables \\
      data/games/training.store
  emilia learn keyano --output quick.tables --every 100 --searched 50 \\
      data/games/training.store

Mobility curves, pattern values, feature weights and ProbCut parameters are computed from the positions of the games \
after their openings, as described in Brockington's paper of 1997. The file is compiled into the program.";

/// Make the tables of KEYANO from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Keyano {
    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Output file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Use only every Nth game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=u64::MAX))]
    every: u64,

    /// Number of positions searched for the ProbCut parameters
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::<u32>(10..=1_000_000))]
    searched: u32,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,
}

impl Keyano {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        FileRoles::new().needs_all(&self.stores).writes("--output", &self.output).check()?;
        whole_file::check_replaceable(&self.output, b"EMHT", "file of tables")?;
        let mut options = TrainingOptions { searched: self.searched as usize, ..TrainingOptions::default() };
        options.training.seed = self.seed;
        let mut live = LiveLine::on_stderr();
        let learned = learn(&options, |take| self.read(take), |what| live.show(what))?;
        live.clear();
        ensure!(learned.positions > 0, "the games have no positions to learn from");
        print(&learned)?;
        Ok(whole_file::replace(&self.output, &learned.tables.bytes())?)
    }

    /// Iterates over the positions of the games.
    fn read(&self, take: &mut Take<'_>) -> Result<()> {
        for stored in StoredGames::of(&self.stores) {
            let (number, stored) = stored?;
            if number % self.every == 0 {
                stored.game.positions().for_each(|position| take(&position));
            }
        }
        Ok(())
    }
}

/// Shows the results next to those of the paper.
fn print(learned: &Learned) -> Result<()> {
    let mut out = output::stdout();
    writeln!(out, "{} used for training", output::counted(learned.positions, "position"))?;

    writeln!(
        out,
        "\npoints for flipping directions {}",
        [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, 30].map(|k| format!("{k:>6}")).concat()
    )?;
    for (name, curve) in
        [("whole board", &learned.tables.approximate.whole), ("quarter", &learned.tables.approximate.quarter)]
    {
        let points = [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, 30].map(|k| format!("{:>6.1}", f64::from(curve[k]) / 100.0));
        writeln!(out, "{name:<31}{}", points.concat())?;
    }

    writeln!(
        out,
        "\ncorrelation with the score (Table 4)   {}",
        COMPARED_MOVES.map(|moves| format!("move {moves:<8}")).concat()
    )?;
    const PAPER: [[f64; 4]; 3] =
        [[0.199, 0.380, 0.575, 0.509], [0.181, 0.353, 0.563, 0.516], [0.186, 0.368, 0.577, 0.515]];
    for ((name, ours), paper) in MEASURES.iter().zip(&learned.correlations).zip(PAPER) {
        let both: Vec<_> = ours.iter().zip(paper).map(|(ours, paper)| format!("{ours:.3} ({paper:.3})")).collect();
        writeln!(out, "{name:<38} {}   ours (paper)", both.join(""))?;
    }

    let price = f64::from(learned.tables.lost_region) / 100.0;
    writeln!(out, "a lost region costs {price:.0} points (paper: 64)")?;

    writeln!(out, "\npattern                    100 samples  unseen  network's error  spread, in discs")?;
    for (pattern, fit) in Pattern::ALL.into_iter().zip(&learned.patterns) {
        let (name, well_known, unseen) = (pattern.name(), fit.well_known, fit.unseen);
        writeln!(out, "{name:<26} {well_known:>11} {unseen:>7} {:>16.2} {:>7.2}", fit.network_error, fit.spread)?;
    }

    writeln!(
        out,
        "\nweights by moves played  {}",
        Feature::ALL.map(|feature| format!("{:>23}", feature.name())).concat()
    )?;
    for moves in (5..=51usize).step_by(5) {
        let weights =
            learned.tables.weights[moves + 4].map(|weight| format!("{:>23.4}", f64::from(weight) / f64::from(ONE)));
        writeln!(out, "{moves:<25}{}", weights.concat())?;
    }
    writeln!(out, "weights were fitted from {} moves on", learned.first_moves)?;
    for fixed in &learned.fixed {
        let (name, moves) = (fixed.feature.name(), fixed.moves);
        writeln!(out, "negative: {name} after {moves} moves, {:.4}; set to {:.4}", fixed.found, fixed.set)?;
    }

    writeln!(
        out,
        "\nProbCut, {} searched: depth, by, mean, deviation in discs",
        output::counted(learned.searched as u64, "position")
    )?;
    for (depth, forecast) in CUT_DEPTHS.zip(&learned.tables.forecasts) {
        let (mean, deviation) = (f64::from(forecast.mean) / 100.0, f64::from(forecast.deviation) / 100.0);
        writeln!(out, "{depth:>4} {:>3} {mean:>6.2} {deviation:>6.2}", depth / 2)?;
    }
    out.flush()?;
    Ok(())
}
