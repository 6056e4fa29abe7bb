//! The values of KEYANO's opening book: the mean of two searches (section 4).
//!
//! "KEYANO takes the average of the values returned by 11-ply and 12-ply searches as the evaluation of a position." Each
//! of the two finds the best of the moves in question for itself; the move is that of the deeper one.

use engine::Stop;
use othello::{Board, Rules, Score, Square};

use super::evaluation::DISC;
use super::search::{Goal, INFINITE, Memory, Search, bring_forward};
use super::settings::Settings;
use super::tables::Tables;
use engine::interruption::Interruption;

/// A solution begins after iterations up to this depth, which order the moves.
const BEFORE_SOLVING: u32 = 6;

/// Searches moves of single positions as the book needs them. Each search begins with an empty table, so that its value
/// does not depend on what was searched before.
#[derive(Debug)]
pub struct BookValues {
    tables: &'static Tables,
    settings: Settings,
    memory: Memory,
}

impl BookValues {
    /// The units of a mean in a disc: twice those of a search, so that the mean of two values needs no rounding.
    pub const PER_DISC: i32 = 2 * DISC;
    /// The depth of the deeper search in the paper.
    pub const DEPTH: u32 = 12;

    /// Searches with the tables that ship.
    pub fn new(settings: Settings) -> Self {
        Self { tables: Tables::shipped(), memory: Memory::new(&settings), settings }
    }

    /// The best of these moves, and the mean of its values by searches of `depth - 1` and `depth` plies, at least one.
    ///
    /// A mean outside of the window, whose bounds are in the same units, may be any other on the same side of it.
    /// `None` if the search was stopped, or there is no legal move among these.
    pub fn mean(
        &mut self,
        board: &Board,
        moves: u64,
        depth: u32,
        (low, high): (i32, i32),
        stop: &Stop,
    ) -> Option<(Square, i32)> {
        let (mut search, mut moves) = self.begin(board, moves, stop);
        let first = search.deepen(board, &mut moves, depth.saturating_sub(1).max(1))?.1;
        if depth <= 1 {
            return moves.first().map(|&square| (square, 2 * first));
        }
        // With the first value known, the window of the mean is one of the second value.
        let alpha = low.saturating_sub(first).clamp(-INFINITE, INFINITE - 1);
        let beta = high.saturating_sub(first).clamp(alpha + 1, INFINITE);
        let result = search.root(board, &moves, Goal::Plies(depth), alpha, beta);
        let (square, second) = result.best.filter(|_| result.is_complete)?;
        Some((square, first + second))
    }

    /// The best of these moves and its final score, or another on the same side of the window; `None` as above.
    pub fn solve(
        &mut self,
        board: &Board,
        moves: u64,
        (low, high): (Score, Score),
        stop: &Stop,
    ) -> Option<(Square, Score)> {
        let (mut search, mut moves) = self.begin(board, moves, stop);
        search.deepen(board, &mut moves, BEFORE_SOLVING)?;
        // A disc more on both sides, so that a score at a bound is a score.
        let bounds = (DISC * (low.discs() - 1), DISC * (high.discs() + 1));
        let result = search.root(board, &moves, Goal::TheEnd, bounds.0, bounds.1);
        let (square, value) = result.best.filter(|_| result.is_complete)?;
        Some((square, Score::new((value / DISC).clamp(-64, 64) as i8)))
    }

    fn begin<'a>(&'a mut self, board: &Board, moves: u64, stop: &'a Stop) -> (Search<'a>, Vec<Square>) {
        self.memory.forget(&self.settings);
        self.memory.begin_search();
        let moves = self.memory.order.moves(board.moves() & moves, 0, 0, None).iter().collect();
        let mut interruption = Interruption::new(stop, None, None);
        interruption.arm();
        (Search::new(self.tables, &self.settings, &mut self.memory, interruption), moves)
    }
}

impl Search<'_> {
    /// The best of these moves by searches of 1, 2 and so on plies, which becomes the first of them.
    fn deepen(&mut self, board: &Board, moves: &mut [Square], deepest: u32) -> Option<(Square, i32)> {
        let mut found = None;
        for depth in 1..=deepest {
            let result = self.root(board, moves, Goal::Plies(depth), -INFINITE, INFINITE);
            let best = result.best.filter(|_| result.is_complete)?;
            bring_forward(moves, best.0);
            self.memory.order.sort();
            found = Some(best);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use engine::{Estimate, Limits, Observer, Player, Progress};
    use othello::{Color, Game, Position, squares};
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::{Keyano, ProbCut};

    const ALL: (i32, i32) = (-i32::MAX, i32::MAX);

    fn settings() -> Settings {
        Settings { probcut: ProbCut::Off, table: Some(16), ..Settings::default() }
    }

    fn positions(count: usize, discs: u32) -> Vec<Board> {
        let mut samples = Samples::<Board>::new(5);
        (0..count).map(|_| samples.position_with_moves(Origin::SensibleGame, 64 - discs)).collect()
    }

    /// Keeps the value of each depth.
    #[derive(Default)]
    struct ByDepth(Vec<(u32, i32)>);

    impl Observer for ByDepth {
        fn report(&mut self, progress: &Progress) {
            if let Some(Estimate::Discs { hundredths }) = progress.value {
                self.0.push((progress.depth, hundredths));
            }
        }
    }

    #[test]
    fn a_value_is_the_mean_of_the_last_two_searches_of_the_player() {
        let opening = Game::from_moves(Position::start(), ["f5", "d6", "c3"].map(|name| name.parse().unwrap()));
        let opening = (opening.unwrap().position().board, BookValues::DEPTH);
        for (board, depth) in positions(5, 24).into_iter().map(|board| (board, 7)).chain([opening]) {
            let mut keyano = Keyano::new(settings());
            let game = Game::from_position(Position { board, turn: Color::Black });
            let mut found = ByDepth::default();
            let choice = keyano.choose(&game, &Limits::of_depth(depth), &mut found, &Stop::new()).unwrap();
            let value = |depth: u32| found.0.iter().find(|found| found.0 == depth).unwrap().1;
            let mean = BookValues::new(settings()).mean(&board, u64::MAX, depth, ALL, &Stop::new()).unwrap();
            assert_eq!(mean, (choice.square, value(depth - 1) + value(depth)));
        }
    }

    #[test]
    fn windows_change_no_value_inside_and_keep_the_side_of_those_outside() {
        let mut values = BookValues::new(Settings { table: None, ..settings() });
        for board in positions(20, 30) {
            let (square, exact) = values.mean(&board, u64::MAX, 4, ALL, &Stop::new()).unwrap();
            let mut found = |low: i32, high: i32| values.mean(&board, u64::MAX, 4, (low, high), &Stop::new()).unwrap();
            assert_eq!(found(exact - 50, exact + 50), (square, exact));
            assert!(found(exact + 10, exact + 300).1 <= exact + 10);
            assert!(found(exact - 300, exact - 10).1 >= exact - 10);
            assert!(found(30_000, 30_001).1 <= 30_000 && found(-30_001, -30_000).1 >= -30_000);
        }
    }

    #[test]
    fn only_the_given_moves_are_searched_and_a_stopped_search_has_no_value() {
        let mut values = BookValues::new(settings());
        let stopped = Stop::new();
        stopped.set();
        for board in positions(5, 30) {
            let mut mean = |moves: u64| values.mean(&board, moves, 1, ALL, &Stop::new());
            for left_out in squares(board.moves()) {
                let rest = board.moves() & !left_out.bit();
                let best = squares(rest).filter_map(|square| mean(square.bit())).map(|(_, value)| value).max();
                assert_eq!(mean(rest).map(|(_, value)| value), best);
            }
            assert_eq!(values.mean(&board, u64::MAX, 8, ALL, &stopped), None);
            assert_eq!(values.mean(&board, 0, 8, ALL, &Stop::new()), None);
        }
    }

    #[test]
    fn solved_moves_have_the_scores_of_plain_negamax() {
        let mut values = BookValues::new(settings());
        let all = (Score::new(-64), Score::new(64));
        for board in positions(10, 54) {
            let scores = search::negamax::move_scores(&board);
            let best = scores.iter().map(|&(_, score)| score).max().unwrap();
            let (square, found) = values.solve(&board, u64::MAX, all, &Stop::new()).unwrap();
            assert!(found == best && scores.contains(&(square, best)));
        }
    }
}
