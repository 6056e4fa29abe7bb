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

#[cfg(test)]
mod tests {
    use search::negamax;

    use super::*;

    fn problems() -> Vec<Problem<Board>> {
        let lines = FILE.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
    }

    #[test]
    fn every_puzzle_has_one_winning_move_among_scores_of_all_moves() {
        let problems = problems();
        assert!(problems.len() >= 200, "{}", problems.len());
        for problem in problems {
            let wins = problem.scores.iter().filter(|scored| scored.score.discs() > 0).count();
            let moves = problem.position.board.moves().count_ones() as usize;
            assert_eq!((wins, problem.scores.len()), (1, moves), "{problem}");
        }
    }

    #[test]
    fn the_scores_of_small_puzzles_are_those_of_plain_negamax() {
        for problem in problems().iter().filter(|problem| problem.position.board.empties().count_ones() <= 8) {
            for (square, score) in negamax::move_scores(&problem.position.board) {
                let stated = problem.scores.iter().find(|scored| scored.square == Some(square));
                assert_eq!(stated.map(|scored| scored.score), Some(score), "{problem}");
            }
        }
    }

    #[test]
    fn the_nearest_number_of_empty_squares_is_taken_and_numbers_begin_again() {
        let told = |empties, number| match puzzle(empties, number) {
            Ok((_, Response::Puzzle { empties, number, count, .. })) => (empties, number, count),
            other => panic!("{other:?}"),
        };
        assert_eq!(told(11, Some(3)), (10, 3, 30));
        assert_eq!(told(60, Some(31)), (20, 1, 30));
        assert_eq!(told(0, None), (6, 1, 20));
        assert_eq!(told(8, Some(0)), (8, 1, 30));
    }
}
