//! A program of one's own: a player with a setting, and an experiment that measures what the setting is worth.

mod experiment;
mod player;

use engine::explanation::{Explanation, Part};
use laboratory::LabProgram;
use othello::{Board, Rules, SquareSet};
use players::{Entries, Entry, PlayerOptions};

use crate::player::{Corners, CornersSettings};

/// The program, to be registered.
pub fn program() -> LabProgram {
    let make = |settings: CornersSettings, _: &PlayerOptions| Ok(Corners::new(settings));
    let entry = Entry::new("corners", "takes corners, and leaves few replies", make).explained_by(explain);
    LabProgram::new(players::Program {
        name: "corners",
        description: "a program of one's own",
        paper: "none",
        entries: Entries::of_8x8(entry),
        data_files: Vec::new(),
    })
    .with_experiments(vec![experiment::CORNER_VALUE])
}

/// The evaluation part by part, for `my_program eval --engine corners` and the page.
fn explain(board: &Board) -> Explanation {
    let part = |name: &str, value| Part { name: name.to_owned(), value, weight: Some(1.0), is_detail: false };
    let (moves, replies) = (f64::from(board.moves().count()), f64::from(board.pass().moves().count()));
    let parts = vec![part("moves", moves), part("moves of the opponent", -replies)];
    Explanation { parts, value: moves - replies, unit: "points", win_probability: None }
}
