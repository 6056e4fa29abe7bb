//! `emilia learn bill`: BILL's tables, from games.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use bill::edge_table::edge_values;
use bill::evaluation::Class;
use bill::features::FEATURE_NAMES;
use bill::learning::edge_access::EdgeAccess;
use bill::learning::won_and_lost::{FIRST_STAGE, TrainingGames, correlations};
use bill::tables::{BillTables, Stage};
use clap::Args;
use learning::stored_games::StoredGames;
use storage::whole_file;

use crate::arguments::number::{any_number, number};
use crate::arguments::output_path::FileRoles;
use crate::arguments::search_options::one_thread_per_core;
use crate::output;
use terminal::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia learn bill --output data/heritage/bill.tables \\
      data/games/training.store

The probabilities of moves to an edge are counted in the stored games, and the edge table is computed from them by \
probabilistic minimax. Then BILL 2.0 plays against itself; the discriminant of BILL 3.0 is fitted to the features of its \
won and lost positions. The file is compiled into the program.";

/// Make the tables of BILL: edges, and features of won and lost positions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Bill {
    /// Output file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games in which moves to edges are counted
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Use only every Nth game (of the stores)
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = number(1..=u64::MAX))]
    every: u64,

    /// Number of games, which BILL 2.0 plays (3,000 in the paper)
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Search depth in plies, of BILL 2.0
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number::<u32>(1..=12))]
    depth: u32,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads; the tables do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,
}

impl Bill {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        FileRoles::new().needs_all(&self.stores).writes("--output", &self.output).check()?;
        whole_file::check_replaceable(&self.output, b"EMHT", "file of tables")?;
        let mut live = LiveLine::on_stderr();
        let access = self.count_access(&mut live)?;
        let edges = edge_values(&access.probabilities());
        let games =
            TrainingGames { games: self.games, seed: self.seed, depth: self.depth, threads: usize::from(self.threads) };
        let found = games.learn(&edges, |count| {
            live.show(&format!("{} played", output::counted(count, "game")));
            ControlFlow::Continue(())
        });
        live.clear();
        let mut out = output::stdout();
        writeln!(
            out,
            "access to edges in {}; {} with a winner, {} without; {} learned",
            output::counted(access.positions(), "position"),
            output::counted(found.decided, "game"),
            output::grouped(found.dropped),
            output::counted(found.positions, "position"),
        )?;
        const SHOWN: usize = 40;
        if let Some(stage) = found.stages.get(SHOWN - FIRST_STAGE) {
            write_stage(&mut out, SHOWN, stage)?;
        }
        out.flush()?;
        let tables = BillTables { edges, first_stage: FIRST_STAGE, stages: found.stages };
        ensure!(tables.evaluation().is_some(), "{} games are too few: their features do not vary", self.games);
        Ok(whole_file::replace(&self.output, &tables.bytes())?)
    }

    fn count_access(&self, live: &mut LiveLine) -> Result<EdgeAccess> {
        const EVERY: u64 = 4096;
        let mut access = EdgeAccess::new();
        for stored in StoredGames::of(&self.stores) {
            let (number, stored) = stored?;
            if number % self.every == 0 {
                stored.game.positions().for_each(|position| access.add(&position.board));
            }
            if (number + 1).is_multiple_of(EVERY) {
                live.show(&format!("{} read", output::counted(number + 1, "game")));
            }
        }
        Ok(access)
    }
}

/// Writes the paper's Table 1: means and correlations of both classes.
fn write_stage(out: &mut impl Write, discs: usize, stage: &Stage) -> Result<()> {
    for (name, class) in [("won", &stage.win), ("lost", &stage.loss)] {
        let Class { mean, .. } = class;
        writeln!(out, "positions {name}, {discs} discs")?;
        let correlations = correlations(class);
        for (feature, name) in FEATURE_NAMES.iter().enumerate() {
            let row = correlations[feature].map(|number| format!("{number:6.2}")).join("");
            writeln!(out, "  {name:<18} mean {:7.0}  correlations {row}", mean[feature])?;
        }
    }
    Ok(())
}
