//! `emilia engines`: the players that can be asked for by name.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::board_shape::{BoardShape, with_board};
use crate::output;
use crate::registry::PlayableBoard;

const EXAMPLES: &str = "\
Examples:
  emilia engines                   who plays on the 8x8 board
  emilia play --engine random      play against one of them";

/// List the engines that --engine and the other commands know.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Engines {
    /// The board that they play on
    #[arg(long, value_enum, default_value_t)]
    board: BoardShape,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    description: &'static str,
}

impl Engines {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>())
    }

    fn run_on<B: PlayableBoard>(&self) -> Result<()> {
        let mut out = output::stdout();
        for entry in B::entries() {
            if self.json {
                output::json_line(&mut out, &Row { name: entry.name, description: entry.description })?;
            } else {
                writeln!(out, "{:<16} {}", entry.name, entry.description)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
