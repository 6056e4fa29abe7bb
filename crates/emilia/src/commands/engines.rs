//! `emilia engines`: the players that can be asked for by name.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use engine::Level;
use heritage::settings::Setting;
use players::level_words::{self, LevelFacts};
use players::registry::PlayableBoard;
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
                output::json_line(&mut out, &LevelFacts::of(level))?;
            } else {
                writeln!(out, "{:>2}  {level}; {}", level.number(), level_words::expected_time(level))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
