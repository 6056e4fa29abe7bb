//! `emilia eval`: what a position is worth without looking ahead, and why.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use evaluation::{EvaluatedBoard, Evaluation, Value, winning};
use othello::SquareSet;
use serde::Serialize;

use crate::board_shape::{SearchedBoard, with_searched_board};
use crate::game_file::RecordedBoard;
use crate::subject::Subject;
use crate::{diagram, output};

const EXAMPLES: &str = "\
Examples:
  emilia eval f5d6c3d3c4                the position after these moves
  emilia eval game.sgf --move 40        a position of a game
  emilia eval start --board 6 --json    another board

To look ahead, ask emilia hint.";

/// Show what a position is worth to the side to move, without looking ahead, part by part.
///
/// The value is an expected difference of discs at the end of the game; its parts are what each feature
/// of the position contributes. Beside it stands the chance to win that belongs to it, a draw being half a win.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Eval {
    #[command(flatten)]
    subject: Subject,

    /// The board: 8, 6 or 4
    #[arg(long, value_enum, default_value_t)]
    board: SearchedBoard,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Evaluated {
    board: String,
    value: f32,
    /// The chance to win, a draw being half a win.
    win_probability: f64,
    over: bool,
    parts: Vec<PartRow>,
}

#[derive(Serialize)]
struct PartRow {
    name: &'static str,
    value: f32,
}

impl Eval {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        with_searched_board!(self.board, B => self.run_on::<B>())
    }

    fn run_on<B: RecordedBoard + EvaluatedBoard>(&self) -> Result<()> {
        let position = self.subject.position::<B>()?;
        let board = position.board;
        let over = board.is_over();
        // A finished game is worth its score, and that has no parts.
        let (value, parts) = if over {
            (Value::of_score(board.final_score()), Vec::new())
        } else {
            let evaluation = B::shipped();
            (evaluation.evaluate(&board, &evaluation.features(&board)), B::parts(&evaluation, &board))
        };
        let win_probability = if over {
            winning::of_score(board.final_score())
        } else {
            winning::probability(value, board.empties().count())
        };
        let mut out = output::stdout();
        if self.json {
            let parts = parts.iter().map(|&(name, value)| PartRow { name, value: value.discs() }).collect();
            let (board, value) = (position.to_string(), value.discs());
            output::json_line(&mut out, &Evaluated { board, value, win_probability, over, parts })?;
        } else {
            writeln!(out, "{}, {} empty squares", diagram::situation(&position), board.empties().count())?;
            let parts: Vec<_> = parts.into_iter().filter(|&(_, value)| value != Value::EVEN).collect();
            let width = parts.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("value".len());
            for (name, value) in parts {
                writeln!(out, "{name:<width$} {:>7}", value.to_string())?;
            }
            let percent = output::percent(win_probability);
            writeln!(out, "{:<width$} {:>7}  {percent} to win", "value", value.to_string())?;
        }
        out.flush()?;
        Ok(())
    }
}
