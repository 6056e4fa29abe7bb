//! Analysts beside each other: a player as an analyst, and endings that are solved for it.

use engine::analysis::{Analyst, EmiliaAnalyst, GameAnalysis, Judgement, PlayerAnalyst, SolvedEndings, judge_moves};
use engine::{Choice, Chosen, Emilia, Estimate, Limits, Observer, Options, Player, PlayerError, Stop};
use othello::{Board, Color, Game, Position, Rules, Square, SquareSet, squares};

/// A game of the final of 1980.
const FINAL: &str = "f5d6c5f4e3d3e6g5c6f3g4f6c4c3d2c2f2e2g3e7h6f1b3h3h4d7d1e1c1b1c7b4a4a5a6b6b5d8h2a2a3a7g6h5g2b2f7f8e8\
                     h1g1g7a1h7a8b7c8b8g8h8";

fn game() -> Game {
    let squares = (0..FINAL.len()).step_by(2).map(|index| FINAL[index..index + 2].parse().expect("a square"));
    Game::from_moves(Position::start(), squares).expect("the game is legal")
}

fn emilia() -> Emilia {
    Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).expect("a small table")
}

fn judged(analyst: &mut dyn Analyst, moves: std::ops::Range<usize>) -> Vec<Judgement> {
    let moves = judge_moves(analyst, &game(), moves, &Stop::new()).expect("the player does not fail");
    moves.into_iter().map(|judged| judged.judgement).collect()
}

#[test]
fn emilia_asked_as_a_player_rates_moves_as_it_does_as_an_analyst() {
    // Nothing is cut at this depth, so that a search from the position after a move must find the same.
    let limits = Limits::of_depth(4);
    let as_analyst = judged(&mut EmiliaAnalyst::new(emilia(), limits, 0), 1..30);
    let as_player = judged(&mut PlayerAnalyst::new(Box::new(emilia()), limits), 1..30);
    let mut others = 0;
    for (index, (analyst, player)) in as_analyst.iter().zip(&as_player).enumerate() {
        assert_eq!(analyst.played.value, player.played.value, "move {}", index + 2);
        assert_eq!(analyst.best.value, player.best.value, "move {}", index + 2);
        assert_eq!((analyst.loss(), analyst.depth), (player.loss(), player.depth), "move {}", index + 2);
        others += usize::from(!analyst.is_best());
    }
    assert!(others > 5, "only {others} moves were not the best");
}

#[test]
fn endings_are_solved_for_players_that_only_guess() {
    let solver = EmiliaAnalyst::new(emilia(), Limits::default(), 60);
    let player = PlayerAnalyst::new(Box::new(emilia()), Limits::of_depth(1));
    let mut analyst = SolvedEndings::new(Box::new(player), Box::new(solver), 9);
    let moves = judge_moves(&mut analyst, &game(), 40..60, &Stop::new()).expect("nobody fails");
    for judged in &moves {
        let is_ending = judged.position.board.empties().count() <= 9;
        // With one square left a look one move ahead is a proof too.
        assert_eq!(judged.judgement.is_exact(), is_ending, "move {}", judged.number);
    }
    let analysis = GameAnalysis::new(moves);
    assert_eq!(analysis.perfect_play().map(|perfect| (perfect.from_move, perfect.empties)), Some((52, 9)));
}

/// Plays the first legal move, with the number of discs as its value in points.
struct Counter {
    with_values: bool,
}

impl Player for Counter {
    fn name(&self) -> &str {
        "counter"
    }

    fn choose(&mut self, game: &Game, _limits: &Limits, _observer: &mut dyn Observer, _stop: &Stop) -> Chosen {
        let board = game.position().board;
        let square = board.moves().first().ok_or(PlayerError::GameOver)?;
        let difference = board.player().count() as i32 - board.opponent().count() as i32;
        let value = self.with_values.then_some(Estimate::Points(difference));
        Ok(Choice { value, ..Choice::of(square) })
    }
}

#[test]
fn points_are_those_of_the_position_after_the_move_seen_from_the_side_that_made_it() {
    let game = game();
    for square in squares(Board::start().moves()) {
        let mut analyst = PlayerAnalyst::new(Box::new(Counter { with_values: true }), Limits::default());
        let judgement = analyst.judge(&Game::new(), square, &Stop::new()).expect("a judgement");
        // Four discs to one after any first move.
        let points = if judgement.played.line.len() > 1 { 3 } else { 0 };
        assert_eq!(judgement.played.value, Some(Estimate::Points(points)), "{square}");
    }
    let mut analyst = PlayerAnalyst::new(Box::new(Counter { with_values: true }), Limits::default());
    let moves = judge_moves(&mut analyst, &game, 0..60, &Stop::new()).expect("nobody fails");
    let analysis = GameAnalysis::new(moves);
    for judged in analysis.moves.iter().filter(|judged| !judged.judgement.is_best()) {
        let Some(Estimate::Points(points)) = judged.judgement.played.value else { continue };
        let after = judged.position.play(judged.judgement.played.square).expect("the move is legal");
        let count = |color| after.discs(color).count() as i32;
        let lead = count(Color::Black) - count(Color::White);
        assert_eq!(points, if judged.position.turn == Color::Black { lead } else { -lead }, "move {}", judged.number);
    }
}

#[test]
fn a_player_without_values_chooses_and_no_more() {
    let mut analyst = PlayerAnalyst::new(Box::new(Counter { with_values: false }), Limits::default());
    let moves = judge_moves(&mut analyst, &game(), 0..59, &Stop::new()).expect("nobody fails");
    let analysis = GameAnalysis::new(moves);
    let first = |judged: &engine::analysis::JudgedMove| judged.position.board.moves().first();
    for (index, judged) in analysis.moves.iter().enumerate() {
        assert_eq!(Some(judged.judgement.best.square), first(judged));
        assert_eq!(judged.judgement.loss().map(|loss| loss.amount()).filter(|lost| *lost > 0.0), None);
        assert_eq!(analysis.mark(index), None);
    }
    let summary = analysis.summary(Color::Black);
    assert_eq!((summary.judged.mean(), summary.exact.mean()), (None, None));
    let played: Vec<Square> = analysis.moves.iter().map(|judged| judged.judgement.played.square).collect();
    assert_eq!(played, game().line()[..59]);
}
