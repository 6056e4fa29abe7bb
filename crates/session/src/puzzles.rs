//! Puzzles: positions with exactly one winning move. The page and the terminal have the same ones on the same day.
//!
//! ```
//! use othello::Rules;
//! use session::puzzles;
//!
//! let today = puzzles::of_day(10, 20_776);
//! assert_eq!(today.len(), puzzles::PER_DAY);
//! assert_eq!(today[0].problem.position.board.empties().count_ones(), 10);
//! ```

use std::collections::BTreeMap;
use std::sync::LazyLock;

use othello::{Board, Rules};
use records::obf::Problem;

/// The positions with the exact scores of all their moves; data/README.md has the command that made them.
static FILE: &str = include_str!("../../../data/puzzles.obf");

/// The puzzles by their number of empty squares.
static PUZZLES: LazyLock<BTreeMap<u32, Vec<Problem>>> = LazyLock::new(|| {
    let mut puzzles = BTreeMap::<_, Vec<_>>::new();
    for problem in FILE.lines().filter_map(|line| line.parse::<Problem>().ok()) {
        puzzles.entry(problem.position.board.empties().count_ones()).or_default().push(problem);
    }
    puzzles
});

/// Number of empty squares of the puzzles, unless another is chosen.
pub const DEFAULT_EMPTIES: u32 = 10;

/// Number of puzzles of a day, for each number of empty squares.
pub const PER_DAY: usize = 5;

/// A puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Number of empty squares.
    pub empties: u32,
    /// Its number among those with as many empty squares, counted from 1.
    pub number: usize,
    /// Number of puzzles with as many empty squares.
    pub count: usize,
    /// The position, with the exact scores of all moves. Exactly one of them wins.
    pub problem: Problem<Board>,
}

/// The numbers of empty squares for which there are puzzles.
pub fn all_empties() -> Vec<u32> {
    PUZZLES.keys().copied().collect()
}

/// The puzzle of this number, counted from 1, among those with the nearest number of empty squares that there is; beyond
/// the last, the first again.
pub fn puzzle(empties: u32, number: usize) -> Option<Puzzle> {
    let (empties, problems) = nearest(empties)?;
    let index = number.saturating_sub(1) % problems.len();
    Some(Puzzle { empties, number: index + 1, count: problems.len(), problem: problems[index].clone() })
}

/// The number of the first puzzle of a [day](records::Date::unix_day). Days that follow one another have other puzzles,
/// until all have been used.
pub fn first_of_day(empties: u32, day: u64) -> usize {
    let count = nearest(empties).map_or(1, |(_, problems)| problems.len());
    let day = (day % count as u64) as usize;
    day * PER_DAY % count + 1
}

/// The puzzles of a day.
pub fn of_day(empties: u32, day: u64) -> Vec<Puzzle> {
    let first = first_of_day(empties, day);
    (first..first + PER_DAY).filter_map(|number| puzzle(empties, number)).collect()
}

/// The puzzles with the nearest number of empty squares that there is.
fn nearest(empties: u32) -> Option<(u32, &'static [Problem])> {
    let (&empties, problems) = PUZZLES.iter().min_by_key(|(known, _)| known.abs_diff(empties))?;
    Some((empties, problems))
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
        let told = |empties, number| {
            let puzzle = puzzle(empties, number).expect("a puzzle");
            (puzzle.empties, puzzle.number, puzzle.count)
        };
        assert_eq!(told(11, 3), (10, 3, 30));
        assert_eq!(told(60, 31), (20, 1, 30));
        assert_eq!(told(0, 1), (6, 1, 20));
        assert_eq!(told(8, 0), (8, 1, 30));
    }

    #[test]
    fn days_have_puzzles_of_their_own_until_all_were_used() {
        for empties in all_empties() {
            let count = puzzle(empties, 1).expect("a puzzle").count;
            for start in [0, 20_776, u64::MAX - 20] {
                let days = start..start + (count / PER_DAY) as u64;
                let mut numbers: Vec<_> = days
                    .clone()
                    .flat_map(|day| of_day(empties, day))
                    .map(|puzzle| (puzzle.empties, puzzle.number))
                    .collect();
                // Days that are this far apart have the same puzzles.
                assert_eq!(of_day(empties, days.start), of_day(empties, days.end), "{empties}");
                numbers.sort_unstable();
                assert_eq!(numbers, (1..=count).map(|number| (empties, number)).collect::<Vec<_>>());
            }
        }
    }
}
