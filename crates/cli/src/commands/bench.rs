//! `emilia bench`: fixed searches whose node count is the signature of the search.

use engine::{BenchKind, json};
use evaluation::EvaluatedBoard;
use othello::kernels;

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia bench                 the signature and the speed
  emilia bench --json          one JSON object per search and one for the total

The signature changes only when the search changes; a commit that changes the search states the new signature in its message. \
Compare speeds only on the same machine, with nothing else running.";

/// Search fixed positions with one thread: the total node count, which is a signature of the search, and nodes per
/// second.
///
/// The signature is the same in every run, on every machine and for every instruction set.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Bench {
    /// Print JSON: one object per search and one for the total
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// `midgame` or `endgame`.
    kind: String,
    /// The position.
    position: Position,
    /// Number of empty squares.
    empties: u32,
    #[serde(flatten)]
    choice: json::Choice,
}

#[derive(Serialize)]
struct Total {
    /// Number of nodes of all searches.
    signature: u64,
    /// Time of all searches.
    seconds: f64,
    /// Nodes of all searches per second.
    nodes_per_second: f64,
    /// Nodes of the midgame searches.
    midgame_nodes: u64,
    /// Time of the midgame searches.
    midgame_seconds: f64,
    /// Nodes of the endgame searches.
    endgame_nodes: u64,
    /// Time of the endgame searches.
    endgame_seconds: f64,
    /// Instruction set that the program was built for.
    kernels: &'static str,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    nodes: u64,
    seconds: f64,
}

impl Bench {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let mut out = output::stdout();
        let mut bench = engine::Bench::new(Board::shipped())?;
        if !self.json {
            writeln!(out, "{:<8} empties depth  move  value {:>13}  seconds", "", "nodes")?;
        }
        let mut sums = [Sum::default(); 2];
        for (kind, sum) in BenchKind::ALL.into_iter().zip(&mut sums) {
            for problem in kind.problems() {
                let mut live = LiveLine::on_stderr();
                live.show(&format!("{kind}: {}", problem.position));
                let choice = bench.search(kind, &problem)?;
                live.clear();
                sum.nodes += choice.nodes;
                sum.seconds += choice.time.as_secs_f64();
                let (position, empties) = (problem.position, problem.position.board.empty_count());
                let row = Row { kind: kind.to_string(), position, empties, choice: choice.into() };
                output::row(&mut out, self.json, &row, || {
                    let Row { kind, choice, .. } = &row;
                    let json::Choice { square, depth, time, .. } = choice;
                    let value = choice.value.map_or(String::new(), |value| value.to_string());
                    let (nodes, seconds) = (grouped(choice.nodes), time.as_secs_f64());
                    format!("{kind:<8} {empties:>7} {depth:>5}  {square:<4} {value:>6} {nodes:>13} {seconds:>8.3}")
                })?;
            }
        }
        let [midgame, endgame] = sums;
        let all = Sum { nodes: midgame.nodes + endgame.nodes, seconds: midgame.seconds + endgame.seconds };
        let total = Total {
            signature: all.nodes,
            seconds: all.seconds,
            nodes_per_second: all.nodes as f64 / all.seconds.max(1e-9),
            midgame_nodes: midgame.nodes,
            midgame_seconds: midgame.seconds,
            endgame_nodes: endgame.nodes,
            endgame_seconds: endgame.seconds,
            kernels: kernels::NAME,
        };
        output::print(self.json, &total, |out| {
            writeln!(out)?;
            for (name, Sum { nodes, seconds }) in [("midgame", midgame), ("endgame", endgame), ("all", all)] {
                let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
                writeln!(out, "{name:<8} {:>13} nodes, {seconds:.3} s, {speed:.1} M nodes/s", grouped(nodes))?;
            }
            Ok(writeln!(out, "Bench: {}", all.nodes)?)
        })
    }
}
