//! `emilia eval`: what a position is worth without looking ahead, and why.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use evaluation::{EvaluatedBoard, Evaluation, Value, winning};
use heritage::explanation::{Explanation, Part};
use othello::SquareSet;
use serde::Serialize;

use crate::board_shape::{BoardShape, with_board, with_searched_board};
use crate::game_file::RecordedBoard;
use crate::registry::{self, PlayableBoard};
use crate::subject::Subject;
use crate::usage_error::UsageError;
use crate::{diagram, output};

const EXAMPLES: &str = "\
Examples:
  emilia eval f5d6c3d3c4                the position after these moves
  emilia eval game.sgf --move 40        a position of a game
  emilia eval start --board 6 --json    another board
  emilia eval f5d6c3 --engine iago      what another program sees in it

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

    /// Whose evaluation: a program of the literature, see `emilia engines` [default: emilia]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// The board: 8, 6, 4 or cs221
    #[arg(long, value_enum, default_value_t)]
    board: BoardShape,

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
struct Explained<'a> {
    board: String,
    engine: &'a str,
    value: f64,
    unit: &'static str,
    win_probability: Option<f64>,
    parts: Vec<ExplainedPart<'a>>,
}

#[derive(Serialize)]
struct ExplainedPart<'a> {
    name: &'a str,
    value: f64,
    weight: Option<f64>,
}

impl<'a> Explained<'a> {
    fn new(engine: &'a str, board: String, explanation: &'a Explanation) -> Self {
        let &Explanation { ref parts, value, unit, win_probability } = explanation;
        let part = |part: &'a Part| ExplainedPart { name: &part.name, value: part.value, weight: part.weight };
        Self { board, engine, value, unit, win_probability, parts: parts.iter().map(part).collect() }
    }
}

/// Writes a table: each part with its value, its weight and the product of the two.
fn write_explanation(out: &mut impl Write, explanation: &Explanation) -> Result<()> {
    let &Explanation { ref parts, value, unit, win_probability } = explanation;
    let width = parts.iter().map(|part| part.name.chars().count()).max().unwrap_or(0).max("value".len());
    for Part { name, value, weight } in parts {
        match weight {
            Some(weight) => writeln!(
                out,
                "{name:<width$} {:>10} x {:>10} = {:>11}",
                figure(*value),
                figure(*weight),
                figure(value * weight)
            )?,
            None => writeln!(out, "{name:<width$} {:>10}", figure(*value))?,
        }
    }
    write!(out, "{:<width$} {:>10} {unit}", "value", figure(value))?;
    match win_probability {
        Some(probability) => writeln!(out, ", {} to win", output::percent(probability))?,
        None => writeln!(out)?,
    }
    Ok(())
}

/// A number with as many digits after the point as say something.
fn figure(number: f64) -> String {
    // A zero has no sign for people.
    let number = number + 0.0;
    if number == number.trunc() {
        format!("{number:.0}")
    } else if number.abs() >= 100.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.3}")
    }
}

#[derive(Serialize)]
struct PartRow {
    name: &'static str,
    value: f32,
}

impl Eval {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        if let Some(name) = self.engine.as_deref().filter(|&name| name != "emilia") {
            return with_board!(self.board, B => self.explain_on::<B>(name));
        }
        let Some(board) = self.board.searched() else {
            let sentence = "Emilia has no evaluation for the cs221 board; expected --engine with one that has";
            return Err(UsageError::new(sentence).into());
        };
        with_searched_board!(board, B => self.run_on::<B>())
    }

    /// Shows what a program of the literature says.
    fn explain_on<B: PlayableBoard>(&self, name: &str) -> Result<()> {
        let Some(explain) = registry::entry::<B>(Some(name))?.explain else {
            let known: Vec<_> =
                B::entries().iter().filter(|entry| entry.explain.is_some()).map(|entry| entry.name).collect();
            let sentence = format!("{name} has no evaluation to show; expected emilia or one of {}", known.join(", "));
            return Err(UsageError::new(sentence).into());
        };
        let position = self.subject.position::<B>()?;
        let explanation = explain(&position.board);
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, &Explained::new(name, position.to_string(), &explanation))?;
        } else {
            let empties = position.board.empties().count();
            writeln!(out, "{}, {empties} empty squares, as {name} sees it", diagram::situation(&position))?;
            write_explanation(&mut out, &explanation)?;
        }
        out.flush()?;
        Ok(())
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
