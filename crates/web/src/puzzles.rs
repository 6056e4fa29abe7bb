//! Puzzles: positions with exactly one winning move.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use othello::records::obf::Problem;
use othello::{Board, Rules};

use crate::job::Outcome;
use crate::message::Response;

/// The positions with the exact scores of all their moves; data/README.md has the command that made them.
static FILE: &str = include_str!("../../../data/puzzles.obf");

/// The positions as texts, by their number of empty squares.
static PUZZLES: LazyLock<BTreeMap<u32, Vec<String>>> = LazyLock::new(|| {
    let mut puzzles = BTreeMap::<_, Vec<_>>::new();
    for problem in FILE.lines().filter_map(|line| line.parse::<Problem<Board>>().ok()) {
        let empties = problem.position.board.empties().count_ones();
        puzzles.entry(empties).or_default().push(problem.position.to_string());
    }
    puzzles
});

/// The puzzle of this number among those with about so many empty squares, and what the page is told about it.
pub(crate) fn puzzle(empties: u32, number: Option<usize>) -> Outcome<(String, Response)> {
    let nearest = PUZZLES.iter().min_by_key(|(known, _)| known.abs_diff(empties));
    let (&empties, puzzles) = nearest.ok_or("there are no puzzles")?;
    let index = number.unwrap_or(1).saturating_sub(1) % puzzles.len();
    let all_empties = PUZZLES.keys().copied().collect();
    let response = Response::Puzzle { empties, number: index + 1, count: puzzles.len(), all_empties };
    Ok((puzzles[index].clone(), response))
}
