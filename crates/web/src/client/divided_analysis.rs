//! An analysis whose moves are judged by several jobs.

use std::collections::BTreeMap;

use engine::json::JudgedMove;
use othello::Rules;
use players::analysts::AnalystChoice;
use session::{Order, OrderNumber, PlayedGame, Reply, StudiedBoard};

use super::{BoardClient, Purpose};
use crate::turn::Turn;

#[derive(Clone, Debug)]
pub(super) struct DividedAnalysis<B: Rules> {
    /// The order of the session.
    pub(super) number: OrderNumber,
    game: PlayedGame<B>,
    choice: Box<AnalystChoice>,
    next: usize,
    /// The index of the next move that the session waits for.
    wanted: usize,
    early: BTreeMap<usize, Box<JudgedMove<B>>>,
}

impl<B: Rules> DividedAnalysis<B> {
    pub(super) fn new(number: OrderNumber, game: PlayedGame<B>, choice: Box<AnalystChoice>, from: usize) -> Self {
        Self { number, game, choice, next: from, wanted: from, early: BTreeMap::new() }
    }
}

impl<B: StudiedBoard> BoardClient<B> {
    pub(super) fn divide_analysis(&mut self, analysis: DividedAnalysis<B>, turn: &mut Turn) {
        self.analysis = Some(analysis);
        for _ in 0..self.options.study_lanes.max(1) {
            self.judge_next(turn);
        }
    }

    fn judge_next(&mut self, turn: &mut Turn) {
        let Some(analysis) = &mut self.analysis else { return };
        let (number, index) = (analysis.number, analysis.next);
        let Some(&square) = analysis.game.moves.squares.get(index) else { return };
        analysis.next += 1;
        let moves = analysis.game.moves.squares[..index].to_vec().into();
        let game = PlayedGame { start: analysis.game.start, moves };
        let order = Order::Judge { game, square: square.into(), choice: analysis.choice.clone() };
        self.start(order, Purpose::Move { number, index }, turn);
    }

    /// Handles the reply to the judgement of the move with this index: judged moves reach the session in their order.
    pub(super) fn take_judged(&mut self, number: OrderNumber, index: usize, reply: Reply<B>, turn: &mut Turn) {
        let Some(analysis) = self.analysis.as_mut().filter(|analysis| analysis.number == number) else { return };
        match reply {
            Reply::Judged { judged } => {
                analysis.early.insert(index, judged);
                let mut ready = Vec::new();
                while let Some(judged) = analysis.early.remove(&analysis.wanted) {
                    analysis.wanted += 1;
                    ready.push(judged);
                }
                let is_complete = analysis.wanted >= analysis.game.moves.squares.len();
                for judged in ready {
                    self.take(number, Reply::Judged { judged }, turn);
                }
                if is_complete {
                    self.analysis = None;
                    self.jobs.retain(|_, (purpose, _)| purpose.number() != Some(number));
                    self.take(number, Reply::Done, turn);
                } else {
                    self.judge_next(turn);
                }
            }
            Reply::Failed { .. } => {
                self.analysis = None;
                self.take(number, reply, turn);
            }
            _ => {}
        }
    }
}
