//! The rules of the game for hosts that do not have them: the extension `gogui-rules` of GoGui.
//!
//! GoGui numbers rows from below, as Go players do, so that the first row of a board is the one with the highest number. Names
//! of squares then mean the same for host and engine, and the host shows the board upside down. It leaves out the
//! letter I, so that boards with more than eight columns have other names there, and these commands are refused.

use othello::{Color, Rules, squares};
use report::diagram::lower_case;

use super::command::Failure;
use crate::serving::host_game::HostGame;

/// The name of the game, in the list of games and for GoGui.
pub(crate) const GAME: &str = "Othello";

pub(crate) const COMMANDS: &str = "gogui-rules_game_id gogui-rules_board gogui-rules_board_size gogui-rules_legal_moves \
                                   gogui-rules_side_to_move gogui-rules_final_result";

/// The columns from A to H have the same names everywhere.
const MAX_COLUMNS: u8 = 8;

pub(crate) fn answer<B: Rules>(command: &str, game: &HostGame<B>) -> Result<String, Failure> {
    let geometry = B::GEOMETRY;
    if geometry.side > MAX_COLUMNS {
        return Err(format!("GoGui has other names for the squares of the {} board", geometry.name).into());
    }
    match command {
        "gogui-rules_game_id" => Ok(GAME.to_owned()),
        "gogui-rules_board" => Ok(board(game)),
        "gogui-rules_board_size" => Ok(geometry.side.to_string()),
        "gogui-rules_legal_moves" => Ok(legal_moves(game)),
        "gogui-rules_side_to_move" => Ok(lower_case(game.turn()).to_owned()),
        "gogui-rules_final_result" => final_result(game),
        _ => Err("unknown command".into()),
    }
}

/// The board, a line for each row: `X` is Black, `O` is White.
fn board<B: Rules>(game: &HostGame<B>) -> String {
    let position = game.game().position();
    let side = B::GEOMETRY.side;
    let letter = |column, row| match B::GEOMETRY.square_at(column, row).and_then(|square| position.disc_at(square)) {
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
        None => ".",
    };
    let row = |row| (0..side).map(|column| letter(column, row)).collect::<Vec<_>>().join(" ");
    (0..side).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The moves of the side to move: `pass` if it has to pass, nothing if the game is over.
fn legal_moves<B: Rules>(game: &HostGame<B>) -> String {
    if game.pass_due().is_some() && !game.game().is_over() {
        return "pass".to_owned();
    }
    let moves = squares(game.game().position().board.moves());
    moves.map(|square| B::GEOMETRY.square_name(square).to_uppercase()).collect::<Vec<_>>().join(" ")
}

/// The sentence that GoGui shows at the end of a game.
fn final_result<B: Rules>(game: &HostGame<B>) -> Result<String, Failure> {
    let score = game.game().score().ok_or("cannot score")?.discs();
    let area = B::GEOMETRY.area() as i32;
    let (black, white) = ((area + score) / 2, (area - score) / 2);
    Ok(match score {
        0 => format!("Draw, {black} to {white}."),
        1.. => format!("Black wins by {score} discs, {black} to {white}."),
        _ => format!("White wins by {} discs, {white} to {black}.", -score),
    })
}
