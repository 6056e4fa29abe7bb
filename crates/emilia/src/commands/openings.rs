//! `emilia openings`: balanced openings by our own search.

use std::io::Write;

use anyhow::Result;
use arena::openings::{self, Opening, OpeningError};
use clap::Args;
use engine::Estimate;
use othello::Color;
use othello::json::Line;
use serde::Serialize;

use crate::arguments::opening_options::OpeningOptions;
use crate::interrupt::{self, Interrupted};
use crate::output;
use crate::output::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia openings --count 20   twenty of eight moves, within two discs of even
  emilia openings --plies 12 --balance 0.5 --judge-depth 14 > openings.txt
  emilia match emilia@level=5 emilia@level=6 --openings openings.txt";

/// Find balanced openings: positions that no two of are alike, even in the judgement of our own search.
///
/// They are found by chance and unique up to symmetry; the same seed gives the same openings, and the first ones
/// are the same however many are asked for.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Openings {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    #[command(flatten)]
    options: OpeningOptions,

    /// Decides which ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print one JSON object a line, with the value for the side to move
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    moves: Line,
    turn: Color,
    value: Estimate,
}

impl Openings {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let stop = interrupt::flag()?;
        let mut out = output::stdout();
        let mut written = Ok(());
        let (mut live, mut number, count) = (LiveLine::new(), 0, self.count as usize);
        let found = openings::find_by_emilia(&self.options.recipe(self.seed), count, &stop, |opening| {
            number += 1;
            live.show(&format!("opening {number} of {count}"));
            if written.is_ok() {
                written = self.print(opening, &mut out);
                // Nobody reads any more: nothing is left to be found.
                if written.is_err() {
                    stop.set();
                }
            }
        });
        // That nothing can be written is why the search for openings was ended, not an interruption.
        written?;
        match found {
            Err(OpeningError::Interrupted { .. }) => Err(Interrupted.into()),
            found => Ok(found.map(drop)?),
        }
    }

    fn print(&self, opening: &Opening, out: &mut impl Write) -> Result<()> {
        let moves = Line::from(opening.game.line());
        if self.json {
            let (turn, value) = (opening.game.position().turn, Estimate::Discs { hundredths: opening.value });
            output::json_line(out, &Row { moves, turn, value })?;
        } else {
            writeln!(out, "{moves}")?;
        }
        out.flush()?;
        Ok(())
    }
}
