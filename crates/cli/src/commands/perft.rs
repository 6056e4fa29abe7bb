//! `emilia perft`: counts the move sequences of every length up to a depth.

use std::time::Instant;

use othello::kernels;
use othello::perft::{PassCounts, perft};

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia perft 9                          the first nine plies of the 8x8 board
  emilia perft 9 --free-pass              the same, passes not counted as plies
  emilia perft 12 --board 4 --free-pass   every 4x4 game to its end
  emilia perft 11 --json                  one JSON object per depth";

/// Count the move sequences of every length up to N, and measure the speed.
///
/// The correct counts are published, so this tests that the rules are implemented correctly, and shows the speed. A game
/// that ends before depth N counts as one sequence.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Perft {
    /// Maximum depth in plies
    #[arg(value_name = "N", value_parser = number::<u32>(0..=100))]
    depth: u32,

    /// The board: 8, 6, 4 or cs221 (10x10 without the two middle squares of each side)
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// Do not count a pass as a ply: depth is the number of discs placed
    #[arg(long)]
    free_pass: bool,

    /// Print JSON: one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Name of the board.
    board: &'static str,
    /// Depth.
    depth: u32,
    /// Number of leaves.
    leaves: u64,
    /// Time taken.
    seconds: f64,
    /// Leaves per second.
    leaves_per_second: f64,
    /// `free` or `ply`: whether a pass costs a ply.
    pass: &'static str,
    /// Instruction set that the program was built for.
    kernels: &'static str,
}

impl Perft {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>())
    }

    fn run_on<B: Rules>(&self) -> Result<()> {
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{:>5} {:>20} {:>10} {:>14}", "depth", "leaves", "seconds", "leaves/s")?;
        }
        let passes = if self.free_pass { PassCounts::Free } else { PassCounts::AsPly };
        for depth in 0..=self.depth {
            let start = Instant::now();
            let leaves = perft(&B::start(), depth, passes);
            let seconds = start.elapsed().as_secs_f64();
            let row = Row {
                board: B::GEOMETRY.name,
                depth,
                leaves,
                seconds,
                leaves_per_second: leaves as f64 / seconds.max(1e-9),
                pass: if self.free_pass { "free" } else { "ply" },
                kernels: kernels::NAME,
            };
            output::row(&mut out, self.json, &row, || {
                let speed = row.leaves_per_second / 1e6;
                format!("{depth:>5} {:>20} {seconds:>10.3} {speed:>12.1} M", grouped(leaves))
            })?;
        }
        Ok(())
    }
}
