//! Analysts beside each other: a player as an analyst, and endings that are solved for it.

use engine::analysis::{
    Analyst, EmiliaAnalyst, GameAnalysis, JudgedMove, Judgement, Loss, Mark, PerfectPlay, PlayerAnalyst, SolvedEndings,
    judge_moves,
};
use engine::{Choice, Chosen, Emilia, Estimate, Limits, Observer, Options, Player, PlayerError, Silent, Stop};
use evaluation::Value;
use othello::{Board, Color, Game, Position, Rules, Score, SmallBoard, Square, SquareSet, squares};
use search::{Question, SearchableBoard, negamax};

/// The first game of the final of 1980.
const FINAL: &str = "f5d6c5f4e3d3e6g5c6f3g4f6c4c3d2c2f2e2g3e7h6f1b3h3h4d7d1e1c1b1c7b4a4a5a6b6b5d8h2a2a3a7g6h5g2b2f7f8e8\
                     h1g1g7a1h7a8b7c8b8g8h8";

fn played(moves: &str) -> Game {
    let squares = (0..moves.len()).step_by(2).map(|index| moves[index..index + 2].parse().expect("a square"));
    Game::from_moves(Position::start(), squares).expect("the game is legal")
}

fn game() -> Game {
    played(FINAL)
}

fn emilia<B: SearchableBoard>() -> Emilia<B> {
    Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).expect("a small table")
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

fn judged(analyst: &mut dyn Analyst, moves: std::ops::Range<usize>) -> Vec<Judgement> {
    let moves = judge_moves(analyst, &game(), moves, &Stop::new()).expect("the player does not fail");
    moves.into_iter().map(|judged| judged.judgement).collect()
}

#[test]
fn emilia_as_a_player_rates_moves_as_it_does_as_an_analyst() {
    // Nothing is cut at this depth, so that a search from the position after a move must find the same.
    let limits = Limits::of_depth(4);
    let as_analyst = judged(&mut EmiliaAnalyst::new(emilia::<Board>(), limits, 0), 1..30);
    let as_player = judged(&mut PlayerAnalyst::new(Box::new(emilia::<Board>()), limits), 1..30);
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
    let solver = EmiliaAnalyst::new(emilia::<Board>(), Limits::default(), 60);
    let player = PlayerAnalyst::new(Box::new(emilia::<Board>()), Limits::of_depth(1));
    let mut analyst = SolvedEndings::new(Box::new(player), Box::new(solver), 9);
    let moves = judge_moves(&mut analyst, &game(), 40..60, &Stop::new()).expect("the player does not fail");
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

fn counter(with_values: bool) -> PlayerAnalyst<Board> {
    PlayerAnalyst::new(Box::new(Counter { with_values }), Limits::default())
}

#[test]
fn points_are_those_of_the_position_after_the_move_seen_from_the_side_that_made_it() {
    let game = game();
    for square in squares(Board::start().moves()) {
        let mut analyst = counter(true);
        let judgement = analyst.judge(&Game::new(), square, &Stop::new()).expect("a judgement");
        // Four discs to one after any first move.
        let points = if judgement.played.line.len() > 1 { 3 } else { 0 };
        assert_eq!(judgement.played.value, Some(Estimate::Points(points)), "{square}");
    }
    let mut analyst = counter(true);
    let moves = judge_moves(&mut analyst, &game, 0..60, &Stop::new()).expect("the player does not fail");
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
    let mut analyst = counter(false);
    let moves = judge_moves(&mut analyst, &game(), 0..59, &Stop::new()).expect("the player does not fail");
    let analysis = GameAnalysis::new(moves);
    let first = |judged: &JudgedMove| judged.position.board.moves().first();
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
    let all = emilia::<Board>().study(&game.position().board, &question, &limits, &mut Silent, &Stop::new()).unwrap();
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
    let game = game();
    let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), Limits::of_depth(1), 15);
    let analysis = GameAnalysis::new(judge_moves(&mut analyst, &game, 45..60, &Stop::new()).unwrap());
    assert!(analysis.moves.iter().all(|judged| judged.judgement.is_exact()));
    let first = &analysis.moves[0];
    assert_eq!((first.number, first.position.turn), (46, Color::White));
    assert_eq!(first.judgement.best.square, "g7".parse().unwrap());
    assert_eq!(first.judgement.played.square, "b2".parse().unwrap());
    assert_eq!(first.judgement.loss(), Some(Loss::Discs { hundredths: 2800 }));
    assert_eq!(analysis.mark(0), Some(Mark::Blunder));
    let score = Score::new(2);
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
fn a_judgement_does_not_depend_on_the_moves_judged_before() {
    let game = played(&FINAL[..36]);
    let limits = Limits::of_depth(11);
    let whole = analysed(&game, limits, 10);
    let mut analyst = EmiliaAnalyst::new(emilia::<Board>(), limits, 10);
    let last = judge_moves(&mut analyst, &game, 17..18, &Stop::new()).unwrap();
    let facts = |judged: &JudgedMove| {
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
