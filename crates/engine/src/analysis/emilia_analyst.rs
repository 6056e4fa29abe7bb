//! Moves judged by the search of Emilia.

use evaluation::{EvaluatedBoard, Value, winning};
use othello::{Board, Game, Square};
use search::{CompiledSearch, Question, SearchReport, SearchableBoard};

use crate::emilia::NAME;
use crate::{Emilia, Estimate, Limits, Player, PlayerError, Silent, Stop};

use super::{Analyst, Judgement, Rating};

/// Judges moves by searching: the best one under limits, then the played one with the same depth and selectivity, and near the end
/// both to the last disc.
///
/// Every position is searched from the same state, so that a judgement does not depend on the moves judged before.
#[derive(Debug)]
pub struct EmiliaAnalyst<B: SearchableBoard = Board, E = <B as EvaluatedBoard>::Shipped> {
    emilia: Emilia<B, E>,
    limits: Limits,
    exact_from: u32,
    has_chances: bool,
}

impl<B: SearchableBoard, E: CompiledSearch<B>> EmiliaAnalyst<B, E> {
    /// An analyst that searches under these limits, and exactly from this many empty squares on.
    pub fn new(emilia: Emilia<B, E>, limits: Limits, exact_from: u32) -> Self {
        Self { emilia, limits, exact_from, has_chances: false }
    }

    /// The same, with unproven values converted to chances to win: for the evaluation that these were fitted to.
    #[must_use]
    pub fn with_chances(self) -> Self {
        Self { has_chances: true, ..self }
    }

    fn rating(&self, report: &SearchReport, empty_count: u32) -> Option<Rating> {
        let line = report.lines.first()?;
        let value = Estimate::of_line(report, line, &Question::default());
        let mut rating = Rating::new(*line.moves.first()?, Some(value), line.moves.clone());
        if self.has_chances && rating.win_probability.is_none() {
            rating.win_probability = Some(chance(line.value, report, empty_count));
        }
        Some(rating)
    }
}

/// The winning chance corresponding to a value; a search finds the value of positions that many moves later.
fn chance(value: Value, report: &SearchReport, empty_count: u32) -> f64 {
    winning::probability(value, empty_count.saturating_sub(report.iteration.depth))
}

impl<B: SearchableBoard, E: CompiledSearch<B>> Analyst<B> for EmiliaAnalyst<B, E> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.emilia.new_game()
    }

    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        self.emilia.new_game()?;
        let stopped = || PlayerError::Stopped { player: NAME.to_owned() };
        let board = game.position().board;
        let after = board.play(played).ok_or_else(|| not_legal(played))?;
        let empty_count = board.empties().count_ones();
        // A depth that reaches the end needs no other limit.
        let limits = if empty_count <= self.exact_from { Limits::of_depth(empty_count) } else { self.limits };
        let report = self.emilia.study(&board, &Question::default(), &limits, &mut Silent, stop)?;
        let best = self.rating(&report, empty_count).filter(|_| !stop.is_set()).ok_or_else(stopped)?;
        let (mut nodes, mut time) = (report.nodes, report.elapsed);
        let rating = if best.square == played {
            best.clone()
        } else {
            let limits = Limits {
                depth: Some(report.iteration.depth),
                selectivity: Some(u32::from(report.iteration.selectivity.percent())),
                ..Limits::default()
            };
            let question = Question { moves: Some(played.bit()), ..Question::default() };
            let again = self.emilia.study(&board, &question, &limits, &mut Silent, stop)?;
            nodes += again.nodes;
            time += again.elapsed;
            let rating = self.rating(&again, empty_count).filter(|_| !stop.is_set()).ok_or_else(stopped)?;
            // Positions that are the same but for symmetry are worth the same, however they were searched.
            let is_same = board.play(best.square).is_some_and(|board| board.canonical() == after.canonical());
            if is_same { Rating { value: best.value, win_probability: best.win_probability, ..rating } } else { rating }
        };
        let depth = report.iteration.depth;
        let selectivity = u32::from(report.iteration.selectivity.percent());
        Ok(Judgement { depth, selectivity, nodes, time, ..Judgement::new(best, rating) })
    }
}

fn not_legal(square: Square) -> PlayerError {
    let reason = format!("the move {square} is not legal here; expected one that is");
    PlayerError::Unsupported { player: NAME.to_owned(), reason }
}
