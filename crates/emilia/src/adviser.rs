//! Advice: what each move of a position is worth, by an engine that tells as it goes.

use engine::{Emilia, Estimate, Limits, Observer, Player, PlayerError, Progress, Silent, Stop};
use evaluation::{EvaluatedBoard, Evaluation};
use othello::{Color, Game, Rules, squares};
use search::Question;

/// Someone who values every legal move of a position.
pub trait Adviser<B: Rules>: Send {
    /// Reports on every legal move, again and again with growing depth; the first square of a line says on which.
    /// It ends by itself at the limits, or soon after the flag is set.
    fn advise(
        &mut self,
        game: &Game<B>,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError>;
}

/// Emilia looks at all moves together.
impl<B: EvaluatedBoard, E: Evaluation<B, Features: Sync>> Adviser<B> for Emilia<B, E> {
    fn advise(
        &mut self,
        game: &Game<B>,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError> {
        let question = Question { lines: usize::MAX, ..Question::default() };
        self.study(&game.position().board, &question, limits, observer, stop).map(drop)
    }
}

/// A player that knows but one answer is asked for the other side's after each move.
pub struct MoveByMove<B: Rules>(pub Box<dyn Player<B>>);

impl<B: Rules> MoveByMove<B> {
    /// Deeper than this, move by move, nobody waits for.
    const DEEPEST: u32 = 10;
}

impl<B: Rules> Adviser<B> for MoveByMove<B> {
    fn advise(
        &mut self,
        game: &Game<B>,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError> {
        let turn = game.position().turn;
        let deepest = limits.depth.or(limits.level).unwrap_or(Self::DEEPEST).clamp(1, Self::DEEPEST);
        for depth in 1..=deepest {
            for square in squares(game.position().board.moves()) {
                let mut after = game.clone();
                if after.play(square).is_err() {
                    continue;
                }
                let mut progress = Progress { depth, selectivity: 100, line: vec![square], ..Progress::default() };
                if let Some(score) = after.score() {
                    progress.value = Some(Estimate::Solved(if turn == Color::Black { score } else { -score }));
                } else if depth > 1 {
                    let choice = self.0.choose(&after, &Limits::of_depth(depth - 1), &mut Silent, stop)?;
                    let is_ours = after.position().turn == turn;
                    progress.value = choice.value.map(|value| if is_ours { value } else { -value });
                    progress.line.extend(choice.line);
                    progress.nodes = choice.nodes;
                    progress.time = choice.time;
                }
                if stop.is_set() {
                    return Ok(());
                }
                if progress.value.is_some() {
                    observer.report(&progress);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use engine::Options;
    use othello::{Position, SmallBoard, Square};

    use super::*;

    type Six = SmallBoard<6>;

    /// What is said last about each move.
    fn advice<B: Rules>(adviser: &mut dyn Adviser<B>, game: &Game<B>, limits: &Limits) -> BTreeMap<Square, Estimate> {
        let mut values = BTreeMap::new();
        let mut observer = |progress: &Progress| {
            values.insert(progress.line[0], progress.value.expect("a value"));
        };
        adviser.advise(game, limits, &mut observer, &Stop::new()).expect("advice");
        values
    }

    /// The score of best play, by trying everything.
    fn solved(position: &Position<Six>) -> i32 {
        let board = position.board;
        if board.is_over() {
            return board.final_score().discs();
        }
        if board.must_pass() {
            return -solved(&position.pass());
        }
        let scores = squares(board.moves()).map(|square| -solved(&position.play(square).expect("a legal move")));
        scores.max().expect("there is a move")
    }

    #[test]
    fn at_the_end_every_move_has_the_score_that_trying_everything_gives() {
        let mut game = Game::<Six>::default();
        while game.position().board.empties().count_ones() > 7 {
            let square = squares(game.position().board.moves()).last().expect("a legal move");
            game.play(square).expect("a legal move");
        }
        let position = game.position();
        let expected: BTreeMap<_, _> = squares(position.board.moves())
            .map(|square| {
                let score = -solved(&position.play(square).expect("a legal move"));
                (square, Estimate::Solved(othello::Score::new(score as i8)))
            })
            .collect();
        assert!(expected.len() > 1, "{position}");
        let options = Options { table_megabytes: 1, ..Options::default() };
        let mut emilia = Emilia::<Six>::new(&options).expect("a small table");
        assert_eq!(advice(&mut emilia, &game, &Limits::of_level(10)), expected);
        // The same by asking for the answer to each move.
        let mut asker = MoveByMove(Box::new(Emilia::<Six>::new(&options).expect("a small table")));
        assert_eq!(advice(&mut asker, &game, &Limits::of_depth(10)), expected);
    }

    #[test]
    fn advice_that_is_stopped_ends() {
        let stop = Stop::new();
        stop.set();
        let options = Options { table_megabytes: 1, ..Options::default() };
        let emilia = Emilia::<Six>::new(&options).expect("a small table");
        let mut asker = MoveByMove(Box::new(emilia));
        asker.advise(&Game::default(), &Limits::of_depth(10), &mut Silent, &stop).expect("it ends");
    }
}
