//! `emilia learn logistello`: LOGISTELLO's pattern values and feature weights, from games.

use std::io::Write;
use std::path::{Path, PathBuf};

use ::logistello::discriminant::{Discriminant, FEATURE_COUNT, feature_name};
use ::logistello::tables::{PHASE_COUNT, PHASE_DISCS, Tables};
use anyhow::{Result, ensure};
use clap::Args;
use learning::game_store::StoreError;
use learning::labeling::GameToLabel;
use learning::logistello::{self, COLUMNS, Learned, Recipe, Separation};
use learning::stored_games::StoredGames;
use serde::Serialize;
use storage::whole_file;

use crate::arguments::number::{any_number, number};
use crate::arguments::output_path::FileRoles;
use crate::arguments::search_options::one_thread_per_core;
use crate::output;
use terminal::live_line::LiveLine;

const EXAMPLES: &str = "\
Examples:
  emilia learn logistello --first 100000 \\
      --output data/heritage/logistello.tables data/games/training.store
  emilia learn logistello --first 50000 --json data/games/training.store
  emilia learn logistello --first 50000 --side-to-move data/games/training.store

Positions are labeled by negamax through the tree of all games. One game in twenty is held out: the discordance \
of every feature and of the evaluations is measured on these games (Figure 4 of the paper).";

/// Make LOGISTELLO's pattern values and feature weights from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Logistello {
    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Use only the first N games
    #[arg(long, value_name = "N", value_parser = any_number)]
    first: Option<u64>,

    /// Number of positions searched for ProbCut with each discriminant
    #[arg(long, value_name = "N", default_value_t = Recipe::default().searches, value_parser = number(0..=usize::MAX))]
    searches: usize,

    /// Measure pattern values that distinguish the side to move, which the file of tables does not hold
    #[arg(long, conflicts_with = "output")]
    side_to_move: bool,

    /// Random seed, for the choice of positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Output file, for the tables [default: only measure them]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print JSON: one object per number of discs, with the discordances
    #[arg(long)]
    json: bool,
}

/// The discordances for one number of discs.
#[derive(Serialize)]
struct SeparationRow<'a> {
    discs: u32,
    positions: usize,
    discordance: std::collections::BTreeMap<&'a str, f64>,
}

impl Logistello {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        let roles = FileRoles::new().needs_all(&self.stores);
        self.output.iter().fold(roles, |roles, path| roles.writes("--output", path)).check()?;
        if let Some(path) = &self.output {
            whole_file::check_replaceable(path, b"EMHT", "file of tables")?;
        }
        let mut live = LiveLine::on_stderr();
        live.show("reading games");
        let games = self.games()?;
        ensure!(!games.is_empty(), "the stores have no games");
        let (seed, threads, searches) = (self.seed, usize::from(self.threads), self.searches);
        let recipe = Recipe { seed, threads, searches, side_to_move: self.side_to_move, ..Recipe::default() };
        let learned = logistello::learn(&games, &recipe, |what| live.show(what));
        live.clear();
        let Learned { positions, counted, .. } = learned;
        if !self.json {
            let mut out = output::stdout();
            writeln!(
                out,
                "{}, {} positions in their tree, {} of them for pattern values",
                output::counted(games.len() as u64, "game"),
                output::grouped(positions),
                output::grouped(counted)
            )?;
            out.flush()?;
        }
        self.print(&learned)?;
        self.output.as_deref().map_or(Ok(()), |path: &Path| Ok(whole_file::replace(path, &learned.tables.bytes())?))
    }

    /// The games of all stores, up to the limit.
    fn games(&self) -> Result<Vec<GameToLabel>, StoreError> {
        let most = self.first.map_or(usize::MAX, |first| first as usize);
        StoredGames::of(&self.stores).take(most).map(|stored| stored.map(|(_, game)| game)).collect()
    }

    fn print(&self, learned: &Learned) -> Result<()> {
        let mut out = output::stdout();
        if self.json {
            for Separation { discs, positions, discordances } in &learned.separation {
                let discordance = COLUMNS.iter().map(String::as_str).zip(discordances.iter().copied()).collect();
                let row = SeparationRow { discs: *discs, positions: *positions, discordance };
                output::json_line(&mut out, &row)?;
            }
        } else {
            print_weights(&mut out, &learned.tables)?;
            print_discordances(&mut out, &learned.separation)?;
        }
        out.flush()?;
        Ok(())
    }
}

/// The weights of logistic regression by phase, the discs per unit of log odds, and the ProbCut parameters.
fn print_weights(out: &mut impl Write, tables: &Tables) -> Result<()> {
    writeln!(out, "weights of logistic regression, by the discs at the beginning of a phase")?;
    write!(out, "{:<20}", "discs")?;
    for phase in 0..PHASE_COUNT as u32 {
        write!(out, "{:>7}", 4 + PHASE_DISCS * phase)?;
    }
    writeln!(out)?;
    for feature in 0..=FEATURE_COUNT {
        let name = if feature < FEATURE_COUNT { feature_name(feature) } else { "the move" };
        write!(out, "{name:<20}")?;
        for linear in &tables.logistic {
            write!(out, "{:>7.2}", linear.weights.get(feature).unwrap_or(&linear.constant))?;
        }
        writeln!(out)?;
    }
    for (number, discriminant) in Discriminant::ALL.into_iter().enumerate() {
        let discs = tables.discs_per_log_odds[number];
        let deviations = tables.spreads[number].map(|spread| format!("{:.1}", f64::from(spread.deviation) / 128.0));
        writeln!(
            out,
            "{}: {discs:.2} discs for a unit of log odds; depth 8 deviates from depth 4 by discs, by empties in fours: {}",
            discriminant.name(),
            deviations.join(" ")
        )?;
    }
    Ok(())
}

/// The discordances in percent.
fn print_discordances(out: &mut impl Write, rows: &[Separation]) -> Result<()> {
    writeln!(out, "\ndiscordance in percent on held-out games (Figure 4), by discs")?;
    write!(out, "{:<20}", "discs")?;
    let rows: Vec<_> = rows.iter().filter(|row| row.discs % 4 == 0).collect();
    for row in &rows {
        write!(out, "{:>6}", row.discs)?;
    }
    writeln!(out)?;
    for (column, name) in COLUMNS.iter().enumerate() {
        write!(out, "{name:<20}")?;
        for row in &rows {
            write!(out, "{:>6.1}", 100.0 * row.discordances[column])?;
        }
        writeln!(out)?;
    }
    Ok(())
}
