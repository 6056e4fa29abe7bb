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
    tells_chances: bool,
}

impl<B: SearchableBoard, E: CompiledSearch<B>> EmiliaAnalyst<B, E> {
    /// An analyst that searches under these limits, and exactly from this many empty squares on.
    pub fn new(emilia: Emilia<B, E>, limits: Limits, exact_from: u32) -> Self {
        Self { emilia, limits, exact_from, tells_chances: false }
    }

    /// The same, which also turns values that are not proven into chances to win: for the evaluation that these were
    /// fitted to.
    #[must_use]
    pub fn with_chances(self) -> Self {
        Self { tells_chances: true, ..self }
    }

    fn rating(&self, report: &SearchReport, empty_count: u32) -> Option<Rating> {
        let line = report.lines.first()?;
        let value = Estimate::of_line(report, line, &Question::default());
        let mut rating = Rating::new(*line.moves.first()?, Some(value), line.moves.clone());
        if self.tells_chances && rating.win_probability.is_none() {
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

#[cfg(test)]
mod tests {
    use othello::{Color, Position, Rules, SmallBoard, squares};
    use search::negamax;

    use super::*;
    use crate::Options;
    use crate::analysis::{GameAnalysis, Loss, Mark, PerfectPlay, judge_moves};

    fn emilia<B: SearchableBoard>() -> Emilia<B> {
        Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).unwrap()
    }

    fn analysed<B: SearchableBoard>(game: &Game<B>, limits: Limits, exact_from: u32) -> GameAnalysis<B> {
        let mut analyst = EmiliaAnalyst::new(emilia::<B>(), limits, exact_from);
        GameAnalysis::new(judge_moves(&mut analyst, game, 0..game.line().len(), &Stop::new()).unwrap())
    }

    /// A whole game in which every move is the one with this share of the legal ones before it.
    fn some_game<B: Rules>(start: Position<B>, seed: usize) -> Game<B> {
        let mut game = Game::from_position(start);
        while !game.is_over() {
            let legal: Vec<Square> = squares(game.position().board.moves()).collect();
            let index = (seed / 3 + seed * game.move_count()) % legal.len();
            game.play(legal[index]).unwrap();
        }
        game
    }

    fn played(moves: &str) -> Game {
        let squares = (0..moves.len()).step_by(2).map(|index| moves[index..index + 2].parse().unwrap());
        Game::from_moves(Position::start(), squares).unwrap()
    }

    /// The first game of the final of 1980.
    const FINAL: &str = "f5d6c5f4e3d3e6g5c6f3g4f6c4c3d2c2f2e2g3e7h6f1b3h3h4d7d1e1c1b1c7b4a4a5a6b6b5d8h2a2a3a7g6h5g2b2f7f8e8\
                         h1g1g7a1h7a8b7c8b8g8h8";

    #[test]
    fn exact_losses_are_those_of_plain_negamax() {
        for seed in 1..12 {
            let game = some_game(Position::<SmallBoard<4>>::start(), seed);
            let analysis = analysed(&game, Limits::of_depth(1), 12);
            assert_eq!(analysis.moves.len(), game.line().len());
            for (judged, square) in analysis.moves.iter().zip(game.line()) {
                let scores = negamax::move_scores(&judged.position.board);
                let best = scores.iter().map(|(_, score)| *score).max().unwrap();
                let (_, score) = scores.into_iter().find(|(other, _)| *other == square).unwrap();
                let judgement = &judged.judgement;
                assert_eq!(judgement.best.value, Some(Estimate::Solved(best)));
                assert_eq!(judgement.played.value, Some(Estimate::Solved(score)));
                let hundredths = 100 * (best.discs() - score.discs());
                assert_eq!(judgement.loss(), Some(Loss::Discs { hundredths }));
                assert_eq!(judgement.is_best(), hundredths == 0);
            }
        }
    }

    #[test]
    fn the_final_score_is_that_of_perfect_play_less_what_each_side_lost() {
        let mut passes = 0;
        for seed in 1..40 {
            let game = some_game(Position::<SmallBoard<4>>::start(), seed);
            passes += game.plies().len() - game.line().len();
            let analysis = analysed(&game, Limits::of_depth(1), 9);
            let perfect = analysis.perfect_play().unwrap();
            let lost = |color| analysis.summary(color).exact.sum as i32;
            let end = perfect.score.discs() - lost(Color::Black) + lost(Color::White);
            assert_eq!(game.score().unwrap().discs(), end, "seed {seed}");
            assert!(perfect.empties <= 9 && perfect.from_move > 1);
        }
        assert!(passes > 0, "no game had a pass");
    }

    #[test]
    fn guesses_for_both_moves_are_those_of_one_search_for_all_moves() {
        let game = played(&FINAL[..24]);
        let limits = Limits::of_depth(4);
        let question = Question { lines: usize::MAX, ..Question::default() };
        let all =
            emilia::<Board>().study(&game.position().board, &question, &limits, &mut Silent, &Stop::new()).unwrap();
        let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), limits, 10).with_chances();
        for line in &all.lines {
            let judgement = analyst.judge(&game, line.moves[0], &Stop::new()).unwrap();
            let value = |value: Value| Some(Estimate::Discs { hundredths: (value.discs() * 100.0).round() as i32 });
            assert_eq!(judgement.played.value, value(line.value));
            assert_eq!(judgement.best.value, value(all.lines[0].value));
            assert_eq!((judgement.depth, judgement.selectivity), (4, 100));
            assert!(judgement.best.win_probability.unwrap() >= judgement.played.win_probability.unwrap());
        }
    }

    #[test]
    fn the_move_that_lost_the_first_game_of_the_final_is_found_with_its_cost() {
        // "if Mimura had played 46-g7 instead of 46-b2, he would have been assured of losing by no more than 2 discs"
        // (Rosenbloom 1982, 5.1). Cerf won by 24.
        let game = played(FINAL);
        let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), Limits::of_depth(1), 15);
        let analysis = GameAnalysis::new(judge_moves(&mut analyst, &game, 45..60, &Stop::new()).unwrap());
        assert!(analysis.moves.iter().all(|judged| judged.judgement.is_exact()));
        let first = &analysis.moves[0];
        assert_eq!((first.number, first.position.turn), (46, Color::White));
        assert_eq!(first.judgement.best.square, "g7".parse().unwrap());
        assert_eq!(first.judgement.played.square, "b2".parse().unwrap());
        assert_eq!(first.judgement.loss(), Some(Loss::Discs { hundredths: 2800 }));
        assert_eq!(analysis.mark(0), Some(Mark::Blunder));
        let score = othello::Score::new(2);
        assert_eq!(analysis.perfect_play(), Some(PerfectPlay { from_move: 46, empties: 15, score }));
        // Table 5.1: 0.7 discs a move for Cerf, who played eight, and 4.0 for Mimura, who played seven.
        let [black, white] = [Color::Black, Color::White].map(|color| analysis.summary(color));
        assert_eq!((black.exact.moves, black.exact.sum, black.best_moves), (8, 6.0, 7));
        assert_eq!((white.exact.moves, white.exact.sum, white.best_moves), (7, 28.0, 6));
        assert_eq!((white.exact.mean(), white.judged.mean(), white.marks.blunders), (Some(4.0), None, 1));
    }

    #[test]
    fn all_first_moves_are_the_best() {
        for square in ["d3", "c4", "f5", "e6"] {
            let game = played(square);
            assert!(analysed(&game, Limits::of_depth(12), 10).moves[0].judgement.is_best(), "{square}");
        }
    }

    #[test]
    fn what_is_said_of_a_move_does_not_depend_on_what_was_looked_at_before() {
        let game = played(&FINAL[..36]);
        let limits = Limits::of_depth(11);
        let whole = analysed(&game, limits, 10);
        let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), limits, 10);
        let last = judge_moves(&mut analyst, &game, 17..18, &Stop::new()).unwrap();
        let facts = |judged: &crate::analysis::JudgedMove| {
            (judged.number, judged.judgement.best.clone(), judged.judgement.played.clone(), judged.judgement.nodes)
        };
        assert_eq!(facts(&last[0]), facts(&whole.moves[17]));
    }

    #[test]
    fn a_stopped_analysis_keeps_what_it_has() {
        let game = played(&FINAL[..10]);
        let stop = Stop::new();
        stop.set();
        let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), Limits::of_depth(4), 10);
        assert_eq!(judge_moves(&mut analyst, &game, 0..5, &stop), Ok(Vec::new()));
        let illegal = analyst.judge(&game, "a1".parse().unwrap(), &Stop::new()).unwrap_err();
        assert!(illegal.to_string().contains("a1 is not legal"), "{illegal}");
    }
}
