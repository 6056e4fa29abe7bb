//! The analysis of the game: the judged moves so far, as a view and as a report.

use engine::Estimate;
use engine::analysis::{GameAnalysis, JudgedMove, Perspective};
use othello::{Color, Game, Position, Rules, Square};
use records::GameRecord;
use report::analysis::{AnalysedGame, Page, legend};
use report::words::names;

use crate::exercises::mistakes;
use crate::order::{Effect, OrderNumber};
use crate::view::{AnalysisView, JudgedView};

/// An analysis that is under way, stopped or complete.
#[derive(Clone, Debug)]
pub(crate) struct Analysis<B: Rules> {
    /// The number of its last order.
    pub(crate) number: OrderNumber,
    pub(crate) is_running: bool,
    start: Position<B>,
    pub(crate) line: Vec<Square>,
    /// The analyst with its level.
    pub(crate) analyst: String,
    found: GameAnalysis<B>,
}

impl<B: Rules> Analysis<B> {
    pub(crate) fn new(number: OrderNumber, game: &Game<B>, analyst: String) -> Self {
        let (start, line) = (game.start(), game.line());
        Self { number, is_running: true, start, line, analyst, found: GameAnalysis::new(Vec::new()) }
    }

    /// The effect that ends it, if it is running.
    pub(crate) fn stop(&self) -> Option<Effect<B>> {
        self.is_running.then_some(Effect::Stop { number: self.number })
    }

    pub(crate) fn is_of(&self, game: &Game<B>) -> bool {
        self.start == game.start() && self.line == game.line()
    }

    pub(crate) fn judged(&self) -> usize {
        self.found.moves.len()
    }

    pub(crate) fn mistakes(&self) -> usize {
        (0..self.judged()).filter(|&index| self.found.mark(index).is_some()).count()
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.judged() >= self.line.len()
    }

    pub(crate) fn add(&mut self, judged: JudgedMove<B>) {
        let mut moves = std::mem::replace(&mut self.found, GameAnalysis::new(Vec::new())).moves;
        moves.push(judged);
        self.found = GameAnalysis::new(moves);
    }

    pub(crate) fn page(&self, record: &GameRecord<B>) -> String {
        let record = GameRecord { game: self.game(), ..record.clone() };
        let mut page = Page::default();
        page.add(&self.analysed(&record));
        page.html()
    }

    /// Content of a window beside a position of the game.
    pub(crate) fn view(&self, game: &Game<B>) -> AnalysisView {
        let record = GameRecord::new(self.game());
        let analysed = self.analysed(&record);
        let played = game.moves();
        let is_part = game.start() == self.start && self.line.starts_with(&played) && played.len() < self.line.len();
        AnalysisView {
            analyst: self.analyst.clone(),
            is_running: self.is_running,
            move_count: self.line.len(),
            moves: self.found.moves.iter().enumerate().map(|(index, judged)| self.judged_view(index, judged)).collect(),
            exercises: mistakes(&self.found).into_iter().map(|index| self.found.moves[index].number).collect(),
            sides: [Color::Black, Color::White].map(|color| self.found.summary(color)),
            legend: legend(analysed.unit()),
            verdict: analysed.verdict(),
            next: is_part.then_some(played.len() + 1),
        }
    }

    fn game(&self) -> Game<B> {
        // The moves were those of a game.
        Game::from_moves(self.start, self.line.iter().copied()).unwrap_or_else(|_| Game::from_position(self.start))
    }

    fn analysed<'a>(&'a self, record: &'a GameRecord<B>) -> AnalysedGame<'a, B> {
        AnalysedGame {
            number: 1,
            record,
            analysis: self.found.clone(),
            analyst: &self.analyst,
            perspective: Perspective::default(),
        }
    }

    fn judged_view(&self, index: usize, judged: &JudgedMove<B>) -> JudgedView {
        let JudgedMove { number, position, judgement } = judged;
        let name = |square| B::GEOMETRY.square_name(square);
        JudgedView {
            number: *number,
            color: position.turn,
            square: name(judgement.played.square),
            value: judgement.played.value,
            origin: judgement.played.origin(),
            best: name(judgement.best.square),
            best_value: judgement.best.value,
            loss: judgement.loss().filter(|_| !judgement.is_best()),
            mark: self.found.mark(index),
            line: names::<B>(&judgement.best.line),
            in_book: judgement.in_book,
            black_discs: judgement.played.value.and_then(|value| {
                let discs = discs(value, judgement.points_per_disc)?;
                Some(if position.turn == Color::Black { discs } else { -discs })
            }),
        }
    }
}

/// A value in discs, as far as it is about discs.
fn discs(value: Estimate, points_per_disc: f64) -> Option<f64> {
    match value {
        Estimate::Solved(score) => Some(f64::from(score.discs())),
        Estimate::Discs { hundredths } => Some(f64::from(hundredths) / 100.0),
        Estimate::Points(points) => Some(f64::from(points) / points_per_disc.max(f64::MIN_POSITIVE)),
        Estimate::Chance { .. } | Estimate::Proven(_) => None,
    }
}
