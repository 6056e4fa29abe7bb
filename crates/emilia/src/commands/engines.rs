//! `emilia engines`: the players that can be asked for by name.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use engine::{Cost, Level};
use heritage::settings::Setting;
use players::level_words;
use players::registry::PlayableBoard;
use search::{Iteration, Selectivity};
use serde::Serialize;

use crate::arguments::board_shape::{BoardShape, any_board, with_board};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia engines                   who plays on the 8x8 board
  emilia engines --settings        with what each of them can be told
  emilia engines --levels          what Emilia does at each level
  emilia play --engine random      play against one of them";

/// List the engines that --engine and the other commands know.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Engines {
    /// The board that they play on
    #[arg(long, value_parser = any_board(), default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// List what each can be told, as in `emilia play --engine iago@historical=on`
    #[arg(long)]
    settings: bool,

    /// List the levels of Emilia instead, with what each of them does
    #[arg(long, conflicts_with_all = ["board", "settings"])]
    levels: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    description: &'static str,
    settings: Vec<SettingRow>,
}

#[derive(Serialize)]
struct SettingRow {
    name: &'static str,
    values: &'static str,
    default: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct LevelRow {
    level: u32,
    depth: u32,
    selectivity: u8,
    /// From how many empty squares on the end is searched, and how surely.
    ends: Vec<EndRow>,
    wavering: f32,
    /// What a move is expected to take before the end is searched.
    midgame_seconds: f64,
    /// What a move is expected to take at most when the end is searched.
    endgame_seconds: f64,
}

#[derive(Serialize)]
struct EndRow {
    /// In percent.
    selectivity: u8,
    empties: u32,
}

impl Engines {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        if self.levels {
            return self.list_levels();
        }
        with_board!(self.board, B => self.run_on::<B>())
    }

    fn run_on<B: PlayableBoard>(&self) -> Result<()> {
        let mut out = output::stdout();
        if self.settings && !self.json {
            writeln!(out, "Of the values of a setting the first is the one that it has unless you say otherwise.\n")?;
        }
        for entry in B::entries() {
            if self.json {
                let row = |setting: &Setting| {
                    let Setting { name, values, description } = *setting;
                    SettingRow { name, values, default: setting.usual(), description }
                };
                let settings = entry.settings.iter().map(row).collect();
                output::json_line(&mut out, &Row { name: entry.name, description: entry.description, settings })?;
            } else {
                writeln!(out, "{:<16} {}", entry.name, entry.description)?;
                for Setting { name, values, description } in entry.settings.iter().filter(|_| self.settings) {
                    writeln!(out, "  {:<14} {description}: {values}", format!("@{name}"))?;
                }
            }
        }
        out.flush()?;
        Ok(())
    }

    fn list_levels(&self) -> Result<()> {
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "What each level searches, and about how long a move takes on one core:")?;
            writeln!(out, "before the end is in reach, and where the search of the end takes longest.\n")?;
        }
        for level in Level::all() {
            if self.json {
                let Iteration { depth, selectivity } = level.midgame();
                let end = |sure: Selectivity| EndRow { selectivity: sure.percent(), empties: level.end(sure) };
                let Cost { midgame, endgame } = level.cost();
                let row = LevelRow {
                    level: level.number(),
                    depth,
                    selectivity: selectivity.percent(),
                    ends: Selectivity::all().map(end).collect(),
                    wavering: level.wavering(),
                    midgame_seconds: midgame.as_secs_f64(),
                    endgame_seconds: endgame.max(midgame).as_secs_f64(),
                };
                output::json_line(&mut out, &row)?;
            } else {
                writeln!(out, "{:>2}  {level}; {}", level.number(), level_words::expected_time(level))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
