//! `emilia bench`: fixed searches whose node count is the signature of the search.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use engine::BenchKind;
use evaluation::EvaluatedBoard;
use othello::{Board, kernels};
use serde::Serialize;

use crate::live_line::LiveLine;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia bench                 the signature and the speed
  emilia bench --json          one JSON object a search and one for the total

A change that leaves the search as it was leaves the signature as it was; a change of the search names the new one. \
Speeds of two runs compare only on one machine with nothing else to do.";

/// Search fixed positions in one thread: the number of nodes, a signature of the search, and their speed.
///
/// The signature is the same in every run, on every machine and with every kind of kernels.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bench {
    /// Print one JSON object a search and one for the total
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    kind: String,
    board: String,
    empties: u32,
    depth: u32,
    #[serde(rename = "move")]
    square: String,
    value: String,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Total {
    signature: u64,
    seconds: f64,
    nodes_per_second: f64,
    midgame_nodes: u64,
    midgame_seconds: f64,
    endgame_nodes: u64,
    endgame_seconds: f64,
    kernels: &'static str,
}

/// What the searches of a kind took.
#[derive(Clone, Copy, Default)]
struct Sum {
    nodes: u64,
    seconds: f64,
}

impl Bench {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let mut out = output::stdout();
        let mut bench = engine::Bench::new(Board::shipped())?;
        if !self.json {
            writeln!(
                out,
                "{:<8} {:>7} {:>5}  {:<4} {:>6} {:>13} {:>8}",
                "", "empties", "depth", "move", "value", "nodes", "seconds"
            )?;
        }
        let mut sums = [Sum::default(); 2];
        for (kind, sum) in BenchKind::ALL.into_iter().zip(&mut sums) {
            for problem in kind.problems() {
                let mut live = LiveLine::new();
                live.show(&format!("{kind}: {}", problem.position));
                let choice = bench.search(kind, &problem)?;
                live.clear();
                let seconds = choice.time.as_secs_f64();
                sum.nodes += choice.nodes;
                sum.seconds += seconds;
                let row = Row {
                    kind: kind.to_string(),
                    board: problem.position.to_string(),
                    empties: problem.position.board.empty_count(),
                    depth: choice.depth,
                    square: choice.square.to_string(),
                    value: choice.value.map_or(String::new(), |value| value.to_string()),
                    nodes: choice.nodes,
                    seconds,
                };
                self.print(&row, &mut out)?;
            }
        }
        let [midgame, endgame] = sums;
        let seconds = midgame.seconds + endgame.seconds;
        let signature = midgame.nodes + endgame.nodes;
        let total = Total {
            signature,
            seconds,
            nodes_per_second: signature as f64 / seconds.max(1e-9),
            midgame_nodes: midgame.nodes,
            midgame_seconds: midgame.seconds,
            endgame_nodes: endgame.nodes,
            endgame_seconds: endgame.seconds,
            kernels: kernels::NAME,
        };
        self.print_total(&total, &mut out)?;
        out.flush()?;
        Ok(())
    }

    fn print(&self, row: &Row, out: &mut impl Write) -> Result<()> {
        if self.json {
            output::json_line(out, row)?;
        } else {
            let Row { kind, empties, depth, square, value, nodes, seconds, .. } = row;
            let nodes = output::grouped(*nodes);
            writeln!(out, "{kind:<8} {empties:>7} {depth:>5}  {square:<4} {value:>6} {nodes:>13} {seconds:>8.3}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn print_total(&self, total: &Total, out: &mut impl Write) -> Result<()> {
        if self.json {
            return output::json_line(out, total);
        }
        let line = |name: &str, nodes: u64, seconds: f64| {
            let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
            format!("{name:<8} {:>13} nodes, {seconds:.3} s, {speed:.1} M nodes/s", output::grouped(nodes))
        };
        writeln!(out, "\n{}", line("midgame", total.midgame_nodes, total.midgame_seconds))?;
        writeln!(out, "{}", line("endgame", total.endgame_nodes, total.endgame_seconds))?;
        writeln!(out, "{}", line("all", total.signature, total.seconds))?;
        writeln!(out, "Bench: {}", total.signature)?;
        Ok(())
    }
}
