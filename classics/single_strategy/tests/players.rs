//! The one-idea players on drawn positions, and their search against plain minimax.

#[path = "../../tests/stopping/mod.rs"]
mod stopping;

use std::time::Duration;

use engine::RandomPlayer;
use engine::{Choice, Estimate, GameClock, Limits, Outcome, Player, PlayerError, Silent, Stop};
use othello::{Board, CutBoard, Game, Position, Rules, Score, SmallBoard, Square, SquareSet, squares};
use single_strategy::WeightedSquare;
use single_strategy::{Idea, MaximumDisc, MinimumDisc, OneIdeaPlayer};

use stopping::{Stopped, stopped_after};

fn choose<B: Rules>(player: &mut impl Player<B>, game: &Game<B>, limits: Limits) -> Choice {
    player.choose(game, &limits, &mut Silent, &Stop::new()).expect("there is a move")
}

fn drawn(text: &str) -> Game {
    Game::from_position(text.parse::<Position>().expect("the drawing is a board"))
}

fn names(set: u64) -> Vec<String> {
    squares(set).map(|square| square.to_string()).collect()
}

/// The names of the moves chosen with many seeds, each once, in order.
fn choices<I: Idea<Board> + Clone>(idea: I, game: &Game) -> Vec<String> {
    let chosen = |seed| choose(&mut OneIdeaPlayer::new(idea.clone(), seed), game, Limits::default()).square;
    let mut squares: Vec<Square> = (0..50).map(chosen).collect();
    squares.sort();
    squares.dedup();
    squares.into_iter().map(|square| square.to_string()).collect()
}

#[test]
fn each_idea_prefers_its_own_of_three_moves() {
    let game = drawn(
        "- O O X - - - -
         - - - - - - - -
         - - - - - - - -
         - O O O X - - -
         - - - - - - - -
         - - - - - - - -
         - - - - - - - -
         - - - - - - O X X",
    );
    assert_eq!(names(game.position().board.moves()), ["a1", "a4", "f8"]);
    assert_eq!(choices(MaximumDisc, &game), ["a4"]);
    assert_eq!(choices(WeightedSquare::new(), &game), ["a1"]);
    assert_eq!(choices(MinimumDisc, &game), ["f8"]);
}

#[test]
fn weighted_square_leaves_an_x_square_that_maximum_disc_takes() {
    let game = drawn(
        "- - - - - - - -
         - - O O O O O X
         - - - - - - - -
         - - - - - - - -
         - - - - - - - -
         - - - X O - - -
         - - - - - - - -
         - - - - - - - - X",
    );
    assert_eq!(names(game.position().board.moves()), ["b2", "f6"]);
    assert_eq!(choices(MaximumDisc, &game), ["b2"]);
    assert_eq!(choices(WeightedSquare::new(), &game), ["f6"]);
    assert_eq!(choices(MinimumDisc, &game), ["f6"]);
}

#[test]
fn equal_moves_are_all_played_at_some_time() {
    assert_eq!(choices(MaximumDisc, &Game::new()), ["d3", "c4", "f5", "e6"]);
}

#[test]
fn a_finished_game_counts_by_its_result_even_for_minimum_disc() {
    // b3 flips two discs and leaves White none; b2 and d2 flip one.
    let game = drawn(
        "- - - - - - - -
         - - - - - - - -
         - - O O X - - -
         - - - X - - - -
         - - - - - - - -
         - - - - - - - -
         - - - - - - - -
         - - - - - - - - X",
    );
    assert_eq!(names(game.position().board.moves()), ["b2", "d2", "b3"]);
    assert_eq!(choices(MinimumDisc, &game), ["b3"]);
    let choice = choose(&mut OneIdeaPlayer::new(MinimumDisc, 1), &game, Limits::default());
    assert_eq!(choice.value, Some(Estimate::Proven(Outcome::Win)));
}

/// The value of a board, without any cutoff.
fn plain_minimax<B: Rules>(idea: &impl Idea<B>, board: &B, depth: u32) -> Result<i32, Score> {
    // Finished games are distinct from the idea's values and take precedence.
    let order = |value: &Result<i32, Score>| match *value {
        Err(score) => (score.discs().signum(), score.discs(), 0),
        Ok(value) => (0, 0, value),
    };
    let negated = |value: Result<i32, Score>| value.map(|value| -value).map_err(|score| -score);
    if board.is_over() {
        return Err(board.final_score());
    }
    if board.must_pass() {
        return negated(plain_minimax(idea, &board.pass(), depth));
    }
    if depth == 0 {
        return Ok(idea.value(board));
    }
    let values = squares(board.moves())
        .map(|square| negated(plain_minimax(idea, &board.play(square).expect("the move is legal"), depth - 1)));
    values.max_by_key(order).expect("the side to move has a move")
}

fn agrees_with_plain_minimax<B: Rules, I: Idea<B> + Clone>(idea: I, depth: u32) {
    let mut walker = RandomPlayer::new(u64::from(depth));
    for seed in 0..8 {
        let mut game = Game::<B>::default();
        while !game.is_over() {
            let board = game.position().board;
            // With fewer empty squares the value would be a solved one.
            if board.empties().count() > depth {
                let choice = choose(&mut OneIdeaPlayer::new(idea.clone(), seed), &game, Limits::of_depth(depth));
                let expected = match plain_minimax(&idea, &board, depth) {
                    Ok(value) => Estimate::Points(value),
                    Err(score) if score == Score::DRAW => Estimate::Points(0),
                    Err(score) => Estimate::Proven(Outcome::from(score)),
                };
                assert_eq!(choice.value, Some(expected), "{board:?}");
            }
            let square = choose(&mut walker, &game, Limits::default()).square;
            game.play(square).expect("the walker plays legal moves");
        }
    }
}

#[test]
fn three_plies_are_worth_what_plain_minimax_says() {
    agrees_with_plain_minimax::<Board, _>(MaximumDisc, 3);
    agrees_with_plain_minimax::<Board, _>(MinimumDisc, 3);
    agrees_with_plain_minimax::<Board, _>(WeightedSquare::new(), 3);
    agrees_with_plain_minimax::<SmallBoard<6>, _>(WeightedSquare::new(), 3);
    agrees_with_plain_minimax::<CutBoard, _>(MinimumDisc, 2);
}

#[test]
fn the_4x4_board_is_won_by_white_whatever_the_idea() {
    // Known since the first programs: White wins 11 to 3, which is +8 on the board and +10 with the
    // two empty squares.
    let game = Game::<SmallBoard<4>>::default();
    let solved = Some(Estimate::Solved(Score::new(-10)));
    let limits = Limits::of_depth(12);
    assert_eq!(choose(&mut OneIdeaPlayer::new(MaximumDisc, 1), &game, limits).value, solved);
    assert_eq!(choose(&mut OneIdeaPlayer::new(MinimumDisc, 1), &game, limits).value, solved);
    let choice = choose(&mut OneIdeaPlayer::new(WeightedSquare::new(), 1), &game, limits);
    assert_eq!(choice.value, solved);
    let mut line = game.clone();
    for &square in &choice.line {
        line.play(square).expect("the expected line is legal");
    }
    assert_eq!(line.score(), Some(Score::new(-10)));
}

#[test]
fn a_search_is_stopped_from_another_thread() {
    let (player, limits) = (OneIdeaPlayer::new(MaximumDisc, 1), Limits::of_depth(60));
    let Stopped { choice, reports, late } = stopped_after::<Board>(player, &limits, Duration::from_millis(100));
    // The player guarantees 10 ms; the rest is for a busy machine.
    assert!(late < Duration::from_millis(500), "{late:?}");
    let last = reports.last().expect("there was time for a report");
    assert_eq!(last.line[0], choice.square);
    assert_eq!(last.depth, choice.depth);
    assert!(reports.windows(2).all(|pair| pair[0].depth < pair[1].depth && pair[0].nodes < pair[1].nodes));
}

#[test]
fn limits_of_nodes_and_time_end_a_search_and_leave_a_move() {
    let mut player = OneIdeaPlayer::new(MaximumDisc, 1);
    let limits = Limits { depth: Some(60), ..Limits::of_nodes(10_000) };
    let choice = choose(&mut player, &Game::new(), limits);
    assert!(choice.nodes <= 10_000 && choice.depth > 1, "{choice:?}");
    for limits in [
        Limits { depth: Some(60), ..Limits::of_time(Duration::from_millis(20)) },
        Limits { depth: Some(60), ..Limits::of_clock(GameClock::new(Duration::from_millis(640))) },
    ] {
        let choice = choose(&mut player, &Game::new(), limits);
        assert!(choice.time < Duration::from_millis(500), "{choice:?}");
    }
    let limits = Limits { depth: Some(60), ..Limits::of_time(Duration::ZERO) };
    assert_eq!(choose(&mut player, &Game::new(), limits).depth, 1);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game_of = |seed| {
        let mut players = [OneIdeaPlayer::new(MaximumDisc, seed), OneIdeaPlayer::new(MaximumDisc, seed + 1)];
        let mut game = Game::new();
        while !game.is_over() {
            let player = &mut players[game.move_count() % 2];
            let square = choose(player, &game, Limits::of_level(2)).square;
            game.play(square).expect("players play legal moves");
        }
        game
    };
    assert_eq!(game_of(3), game_of(3));
    assert_ne!(game_of(3), game_of(30));
}

#[test]
fn a_finished_game_has_no_move_to_choose() {
    let game = drawn(&format!("{} X", "X".repeat(64)));
    let mut player = OneIdeaPlayer::new(MaximumDisc, 1);
    let answer = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new());
    assert_eq!(answer, Err(PlayerError::GameOver));
}
