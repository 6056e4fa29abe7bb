//! `emilia bench`: fixed searches whose node count is the signature of the search.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use engine::{Emilia, Estimate, Limits, Options, Player, Silent, Stop, json};
use othello::records::obf::{self, Problem};
use othello::{Game, Position, Score, kernels};
use serde::Serialize;

use crate::live_line::LiveLine;
use crate::output;

/// The midgame positions are searched this deep.
const MIDGAME_DEPTH: u32 = 14;

/// The size of the table in MB: part of what is fixed.
const TABLE: usize = 64;

const MIDGAME: &str = include_str!("../../../../data/bench/midgame.obf");
const ENDGAME: &str = include_str!("../../../../data/bench/endgame.obf");

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
    kind: &'static str,
    position: Position,
    empties: u32,
    #[serde(flatten)]
    choice: json::Choice,
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

/// A kind of searches and what they took so far.
struct Kind {
    name: &'static str,
    limits: Limits,
    nodes: u64,
    seconds: f64,
}

impl Bench {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let mut out = output::stdout();
        let mut emilia = Emilia::new(&Options { table_megabytes: TABLE, ..Options::default() })?;
        // Clears the table, so that the system hands out its memory before a clock runs.
        emilia.new_game()?;
        if !self.json {
            writeln!(
                out,
                "{:<8} {:>7} {:>5}  {:<4} {:>6} {:>13} {:>8}",
                "", "empties", "depth", "move", "value", "nodes", "seconds"
            )?;
        }
        let limits = Limits::of_depth(MIDGAME_DEPTH);
        let mut midgame = Kind { name: "midgame", limits, nodes: 0, seconds: 0.0 };
        let mut endgame = Kind { name: "endgame", limits: Limits::default(), nodes: 0, seconds: 0.0 };
        for (kind, problems) in [(&mut midgame, MIDGAME), (&mut endgame, ENDGAME)] {
            for problem in obf::problems(problems.as_bytes(), kind.name) {
                let row = kind.search(&mut emilia, &problem?)?;
                self.print(&row, &mut out)?;
            }
        }
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
            let Row { kind, empties, choice, .. } = row;
            let json::Choice { square, depth, time, .. } = choice;
            let (value, nodes) = (shown(choice.value), output::grouped(choice.nodes));
            let seconds = time.as_secs_f64();
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

impl Kind {
    /// Searches a position with an empty table; one whose score is known must come out with it.
    fn search(&mut self, emilia: &mut Emilia, problem: &Problem) -> Result<Row> {
        let Problem { position, scores, .. } = problem;
        let mut live = LiveLine::new();
        live.show(&format!("{}: {position}", self.name));
        emilia.new_game()?;
        let choice = emilia.choose(&Game::from_position(*position), &self.limits, &mut Silent, &Stop::new())?;
        live.clear();
        self.nodes += choice.nodes;
        self.seconds += choice.time.as_secs_f64();
        let known: Option<Score> = scores.iter().map(|scored| scored.score).max();
        if let Some(score) = known
            && choice.value != Some(Estimate::Solved(score))
        {
            bail!("{position} came out as {}; expected {score}", shown(choice.value));
        }
        let empties = position.board.empty_count();
        Ok(Row { kind: self.name, position: *position, empties, choice: choice.into() })
    }
}

fn shown(value: Option<Estimate>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
