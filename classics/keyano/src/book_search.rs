//! The search behind KEYANO's book: by the program itself, with its own evaluation.

use crate::player::{BookValues, ProbCut};
use book::{Effort, LeafAnswer, LeafQuestion, LeafSearch};
use engine::Stop;
use evaluation::Value;
use othello::{Score, Square};
use search::Selectivity;

/// Searches as KEYANO does: the value of a position is the mean of two searches.
#[derive(Debug)]
pub struct KeyanoSearch {
    values: BookValues,
    depth: u32,
    /// Whether ProbCut is off.
    is_exact: bool,
    /// Positions with at most this many empty squares are solved exactly.
    solve_from: u32,
    stop: Stop,
}

impl KeyanoSearch {
    /// Searches of `depth - 1` and `depth` plies with these settings, and to the end from so many empty squares on.
    pub fn new(settings: crate::player::Settings, depth: u32, solve_from: u32, stop: Stop) -> Self {
        let is_exact = settings.probcut == ProbCut::Off;
        Self { values: BookValues::new(settings), depth, is_exact, solve_from, stop }
    }

    fn solve(&mut self, question: &LeafQuestion) -> Option<(Square, Value)> {
        let LeafQuestion { board, moves, above, up_to } = *question;
        let discs = |discs: i32| Score::new(discs.clamp(-64, 64) as i8);
        let low = discs(above.parts().div_euclid(Value::PER_DISC));
        let high = discs(-(-up_to.parts()).div_euclid(Value::PER_DISC));
        let (square, score) = self.values.solve(&board, moves, (low, high), &self.stop)?;
        Some((square, Value::of_score(score)))
    }

    fn mean(&mut self, question: &LeafQuestion) -> Option<(Square, Value)> {
        let LeafQuestion { board, moves, above, up_to } = *question;
        // Rounded outwards, so that no value of the window is lost.
        let low = (above.parts() * BookValues::PER_DISC).div_euclid(Value::PER_DISC);
        let high = -(-up_to.parts() * BookValues::PER_DISC).div_euclid(Value::PER_DISC);
        let (square, mean) = self.values.mean(&board, moves, self.depth, (low, high), &self.stop)?;
        Some((square, Value::from_discs(mean as f32 / BookValues::PER_DISC as f32)))
    }
}

impl LeafSearch for KeyanoSearch {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        let empties = question.board.empty_count();
        if empties <= self.solve_from {
            let (square, value) = self.solve(question)?;
            return Some(LeafAnswer { square, value, effort: Effort::solving(empties as u8) });
        }
        let (square, value) = self.mean(question)?;
        let selectivity = if self.is_exact { Selectivity::EXACT } else { Selectivity::LOWEST };
        Some(LeafAnswer { square, value, effort: Effort::new(self.depth.min(64) as u8, selectivity) })
    }
}

#[cfg(test)]
mod tests {
    use crate::player::Keyano;
    use engine::{Estimate, Limits, Observer, Player, Progress};
    use othello::{Game, Position, Rules};

    use super::*;
    use players::Registry;
    use players::program_book::BookSearchSettings;

    /// Keeps the values of searches of 11 and 12 plies.
    #[derive(Default)]
    struct Reports(Vec<f32>);

    impl Observer for Reports {
        fn report(&mut self, progress: &Progress) {
            if let (11 | 12, Some(Estimate::Discs { hundredths })) = (progress.depth, progress.value) {
                self.0.push(hundredths as f32 / 100.0);
            }
        }
    }

    fn settings(threads: usize) -> BookSearchSettings {
        BookSearchSettings { depth: None, selectivity: None, exact: None, threads, hash: 1 }
    }

    fn opening(names: &[&str]) -> Game {
        Game::from_moves(Position::start(), names.iter().map(|name| name.parse().unwrap())).unwrap()
    }

    #[test]
    fn keyano_values_a_position_by_the_mean_of_eleven_and_twelve_plies() {
        let game = opening(&["f5", "d6", "c3"]);
        let board = game.position().board;
        let mut search = Registry::new(vec![crate::program()])
            .unwrap()
            .book("keyano")
            .unwrap()
            .search(&settings(1), &Stop::new())
            .unwrap();
        let answer = search.search(&LeafQuestion::unbounded(board, board.moves())).unwrap();
        let mut keyano =
            Keyano::new(crate::player::Settings { probcut: ProbCut::Off, ..crate::player::Settings::default() });
        let mut reports = Reports::default();
        let choice = keyano.choose(&game, &Limits::of_depth(12), &mut reports, &Stop::new()).unwrap();
        let [eleven, twelve] = reports.0[..] else { panic!("{:?}", reports.0) };
        let expected = Value::from_discs((eleven + twelve) / 2.0);
        assert_eq!((answer.square, answer.value), (choice.square, expected));
        assert_eq!(answer.effort, Effort::new(12, Selectivity::EXACT));
    }

    #[test]
    fn values_of_a_narrow_window_are_those_of_a_wide_one() {
        let mut search = KeyanoSearch::new(
            crate::player::Settings { table: None, ..crate::player::Settings::default() },
            4,
            0,
            Stop::new(),
        );
        let board = opening(&["f5", "d6", "c3", "d3", "c4"]).position().board;
        let wide = search.search(&LeafQuestion::unbounded(board, board.moves())).unwrap();
        let part = Value::new(1);
        let mut asked = |above: Value, up_to: Value| {
            search.search(&LeafQuestion { board, moves: board.moves(), above, up_to }).unwrap().value
        };
        assert_eq!(asked(wide.value - part - part, wide.value + part + part), wide.value);
        assert!(asked(wide.value, Value::INFINITE) <= wide.value);
        assert!(asked(-Value::INFINITE, wide.value) >= wide.value);
        assert!(asked(wide.value + Value::from_discs(3.0), Value::INFINITE) <= wide.value + Value::from_discs(3.0));
    }
}
