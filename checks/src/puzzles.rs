//! `cargo xtask puzzles`: positions with exactly one winning move, for people to solve.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use anyhow::Result;
use control::Control;
use evaluation::{EvaluatedBoard, Value};
use learning::stored_games::StoredGames;
use othello::{Board, Color, Position, Rules, Score, Square, SquareSet};
use records::obf::{MoveScore, Problem};
use search::{HashTable, Question, Searcher};

/// Print puzzles, positions with exactly one winning move: how data/puzzles.obf was made
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Numbers of empty squares
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [6, 8, 10, 12, 14, 16, 18, 20])]
    empties: Vec<u32>,
    /// Number of puzzles for each number of empty squares
    #[arg(long, value_name = "N", default_value_t = 30)]
    count: usize,
    /// The games
    #[arg(value_name = "STORE", default_value = "data/games/held-out.store")]
    stores: Vec<PathBuf>,
}

/// With fewer moves there is little to choose.
const FEWEST_MOVES: u32 = 5;

const CORNERS: [&str; 4] = ["a1", "h1", "a8", "h8"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut found = BTreeMap::<u32, Vec<Problem>>::new();
    let mut known = HashSet::new();
    let searcher = Searcher::new(Board::shipped(), HashTable::new(64)?, 1);
    for game in StoredGames::of(&arguments.stores) {
        let (_, game) = game?;
        for position in game.game.positions() {
            let board = position.board;
            let empties = board.empties().count_ones();
            let puzzles = found.entry(empties).or_default();
            let is_wanted = arguments.empties.contains(&empties) && puzzles.len() < arguments.count;
            let is_open = board.moves().count_ones() >= FEWEST_MOVES;
            if !is_wanted || !is_open || !known.insert(board.canonical()) {
                continue;
            }
            let turn = if empties % 2 == 0 { Color::Black } else { Color::White };
            puzzles.extend(puzzle(&searcher, Position { board, turn }));
        }
    }
    println!(
        "# Positions with exactly one winning move, neither a corner nor the move that flips most discs, with the exact"
    );
    println!("# scores of all moves. Made by: cargo xtask puzzles");
    for problem in arguments.empties.iter().filter_map(|empties| found.get(empties)).flatten() {
        println!("{problem}");
    }
    Ok(())
}

/// The position as a puzzle, if it is one.
fn puzzle(searcher: &Searcher<<Board as EvaluatedBoard>::Shipped>, position: Position<Board>) -> Option<Problem> {
    let board = position.board;
    let empties = board.empties().count_ones();
    searcher.table.clear();
    let question = Question { lines: usize::MAX, ..Question::default() };
    let report = searcher.search(&board, &question, &Control::new(), &mut |reports| search::solving(empties, reports));
    let mut scores = Vec::new();
    for line in &report.lines {
        let score = Score::new((line.value.parts() / Value::PER_DISC) as i8);
        scores.push(MoveScore { square: line.moves.first().copied(), score });
    }
    let wins: Vec<Square> =
        scores.iter().filter(|scored| scored.score.discs() > 0).filter_map(|scored| scored.square).collect();
    let [winner] = wins[..] else { return None };
    let is_corner = CORNERS.contains(&winner.to_string().as_str());
    let flips = |square| board.flips(square).count();
    let is_greedy = othello::squares(board.moves()).all(|square| flips(square) <= flips(winner));
    let comment = format!("{empties} empties");
    (report.exact && !is_corner && !is_greedy).then_some(Problem { position, scores, comment })
}
