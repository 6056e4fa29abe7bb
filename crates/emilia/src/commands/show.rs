//! `emilia show`: a board to look at.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use othello::{Game, Position, Rules, Square, squares};
use serde::Serialize;

use crate::board_shape::{BoardShape, with_board};
use crate::diagram::{self, Diagram};
use crate::look::{ColorChoice, Look};
use crate::usage_error::UsageError;
use crate::{output, svg};

/// Show a board.
#[derive(Args)]
pub struct Show {
    /// A board
    #[arg(value_name = "BOARD", allow_hyphen_values = true)]
    what: String,

    /// The side to move, X or O, if it is not part of BOARD
    #[arg(value_name = "SIDE")]
    side: Option<String>,

    /// The board's shape
    #[arg(long, value_enum, default_value_t)]
    board: BoardShape,

    /// Write an SVG picture to this file as well
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    board: String,
    turn: &'static str,
    black: u32,
    white: u32,
    moves: Vec<String>,
    over: bool,
}

impl Show {
    /// Runs the command.
    pub fn run(&self, color: ColorChoice) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>(color))
    }

    fn run_on<B: Rules>(&self, color: ColorChoice) -> Result<()> {
        let text = format!("{} {}", self.what, self.side.as_deref().unwrap_or_default());
        let position: Position<B> = text.parse().map_err(UsageError::new)?;
        let game = Game::from_position(position);
        let last_move: Option<Square> = None;
        let position = game.position();
        if let Some(path) = &self.svg {
            let picture = svg::picture(&position, last_move, &diagram::situation(&position));
            fs::write(path, picture).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let mut out = output::stdout();
        if self.json {
            let shown = Shown {
                board: position.to_string(),
                turn: if position.turn == othello::Color::Black { "black" } else { "white" },
                black: othello::SquareSet::count(position.discs(othello::Color::Black)),
                white: othello::SquareSet::count(position.discs(othello::Color::White)),
                moves: squares(position.board.moves()).map(|square| B::GEOMETRY.square_name(square)).collect(),
                over: game.is_over(),
            };
            output::json_line(&mut out, &shown)?;
        } else {
            let look = Look::of(&io::stdout(), color);
            let notes = diagram::notes_on(&position, ["", ""], look);
            out.write_all(Diagram { position: &position, last_move, notes }.draw(look).as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }
}
