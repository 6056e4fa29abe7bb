//! `emilia learn iago`: the edge table of IAGO.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use iago::edge_table::{EdgeReading, ITERATIONS};
use iago::learning::EdgeMoveTally;
use iago::tables::Tables;
use learning::stored_games::StoredGames;
use storage::whole_file;

use crate::arguments::number::{any_number, number};
use crate::arguments::output_path::FileRoles;
use crate::output;
use terminal::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia learn iago --output data/heritage/iago.tables data/games/training.store
  emilia learn iago --games 1000 data/games/training.store
        only show the probabilities

The probability of a move to an edge depends on the kind of square and on its neighbors. It is the share of positions \
in the games where the side to move could move there without flipping discs along the edge. The table is then computed \
as described in the paper of 1982, from static values, with five iterations unless --iterations says otherwise.";

/// Make the edge table of IAGO, with move probabilities from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Iago {
    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Output file, for the tables [default: only show the probabilities]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Number of games, spread over the stores
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = number(1..=u64::MAX))]
    games: u64,

    /// Number of iterations over the edge table
    #[arg(long, value_name = "N", default_value_t = ITERATIONS, value_parser = number::<u32>(0..=100))]
    iterations: u32,

    /// Random seed, for the choice of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,
}

impl Iago {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        let roles = FileRoles::new().needs_all(&self.stores);
        self.output.iter().fold(roles, |roles, path| roles.writes("--output", path)).check()?;
        if let Some(path) = &self.output {
            whole_file::check_replaceable(path, b"EMHT", "file of tables")?;
        }
        let tally = self.count()?;
        ensure!(tally.positions() > 0, "the stores have no games");
        let probabilities = tally.probabilities();
        let mut out = output::stdout();
        writeln!(out, "{} counted", output::counted(tally.positions(), "position"))?;
        writeln!(out, "neighbors towards the corner and the middle: - empty, X own disc, O opponent's disc")?;
        writeln!(out, "square {:>9} {:>9} {:>9}", "C", "A", "B")?;
        for case in 0..9 {
            let name = |content: usize| ["-", "X", "O"][content];
            write!(out, "{}{}    ", name(case / 3), name(case % 3))?;
            for kind in 0..3 {
                write!(out, " {:>9.3}", probabilities.values()[9 * kind + case])?;
            }
            writeln!(out)?;
        }
        out.flush()?;
        let tables = Tables::computed(probabilities, EdgeReading { iterations: self.iterations, ..Default::default() });
        self.output.as_ref().map_or(Ok(()), |path| Ok(whole_file::replace(path, &tables.bytes())?))
    }

    fn count(&self) -> Result<EdgeMoveTally> {
        let mut live = LiveLine::on_stderr();
        let total = self.total(&mut live)?;
        // One game in `step` is used; the seed determines which.
        let step = (total / self.games).max(1);
        let mut tally = EdgeMoveTally::default();
        let mut taken = 0;
        for stored in StoredGames::of(&self.stores) {
            let (number, stored) = stored?;
            if number % step == self.seed % step && taken < self.games {
                stored.game.positions().for_each(|position| tally.add(&position.board));
                taken += 1;
                if taken.is_multiple_of(1000) {
                    live.show(&output::counted(taken, "game"));
                }
            }
        }
        live.clear();
        Ok(tally)
    }

    fn total(&self, live: &mut LiveLine) -> Result<u64> {
        live.show("reading games");
        let mut total = 0;
        for stored in StoredGames::of(&self.stores) {
            stored?;
            total += 1;
        }
        Ok(total)
    }
}
