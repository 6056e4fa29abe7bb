//! Emilia as a player: legal moves under every limit, reports, levels, stops and pondering.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use engine::{
    Choice, Emilia, Estimate, Form, GameClock, Level, Limits, Observer, Options, Player, PlayerError, PlayerMessage,
    PlayerThread, Progress, Silent, Stop,
};
use othello::random::Random;
use othello::{Board, Game, Position, Rules, Score, SmallBoard, SquareSet, squares};
use search::{Question, SearchableBoard, negamax};

fn emilia<B: SearchableBoard>(threads: usize) -> Emilia<B> {
    Emilia::new(&Options { table_megabytes: 4, threads, ..Options::default() }).expect("4 MB")
}

/// A game of random moves up to a position with this many empty squares and a move to choose.
fn random_game<B: SearchableBoard>(random: &mut Random, empty_count: u32) -> Game<B> {
    loop {
        let mut game = Game::<B>::from_position(Position::start());
        while !game.is_over() && game.position().board.empties().count() > empty_count {
            let moves: Vec<_> = squares(game.position().board.moves()).collect();
            game.play(moves[random.below(moves.len())]).expect("a legal move");
        }
        if !game.is_over() {
            return game;
        }
    }
}

fn choose<B: SearchableBoard>(emilia: &mut Emilia<B>, game: &Game<B>, limits: &Limits) -> Choice {
    emilia.choose(game, limits, &mut Silent, &Stop::new()).expect("a move")
}

#[derive(Default)]
struct Notes(Vec<Progress>);

impl Observer for Notes {
    fn report(&mut self, progress: &Progress) {
        self.0.push(progress.clone());
    }
}

#[test]
fn a_thousand_searches_stopped_at_random_moments_return_legal_moves_and_leave_the_player_ready() {
    let mut random = Random::new(1);
    let mut players = [emilia::<Board>(1), emilia::<Board>(2)];
    for round in 0..1000 {
        let emilia = &mut players[round % 2];
        let game = random_game::<Board>(&mut random, 4 + (round as u32 * 7) % 56);
        let stop = Stop::new();
        let moment = Duration::from_micros(random.below(3000) as u64);
        let choice = thread::scope(|scope| {
            let flag = stop.clone();
            scope.spawn(move || {
                thread::sleep(moment);
                flag.set();
            });
            emilia.choose(&game, &Limits::default(), &mut Silent, &stop).expect("a move")
        });
        let mut line = Game::from_position(game.position());
        for &square in &choice.line {
            line.play(square).unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
        assert_eq!(choice.line.first(), Some(&choice.square));
        if round % 10 == 0 {
            let next = choose(emilia, &game, &Limits::of_depth(3));
            assert!(game.position().board.moves().has(next.square));
            assert_eq!(next.depth, 3.min(game.position().board.empty_count()));
        }
    }
}

#[test]
fn a_flag_that_is_set_before_the_search_gives_a_look_one_move_ahead() {
    let stop = Stop::new();
    stop.set();
    let choice = emilia::<Board>(1).choose(&Game::new(), &Limits::default(), &mut Silent, &stop).expect("a move");
    assert_eq!(choice.depth, 1);
}

#[test]
fn every_combination_of_limits_gives_a_legal_move() {
    let mut random = Random::new(2);
    let mut emilia = emilia::<Board>(1);
    for round in 0..64u32 {
        let given = |bit: u32| round >> bit & 1 == 1;
        let limits = Limits {
            depth: given(0).then_some(5),
            selectivity: given(1).then_some(87),
            nodes: given(2).then_some(2_000),
            move_time: given(3).then_some(Duration::from_millis(3)),
            clock: given(4).then_some(GameClock::new(Duration::from_millis(400))),
            level: given(5).then_some(Level::clamped(6)),
        };
        if limits == Limits::default() || limits == (Limits { selectivity: Some(87), ..Limits::default() }) {
            // The way to the end takes longer than a test should.
            continue;
        }
        let game = random_game::<Board>(&mut random, 30 + round % 10);
        let choice = choose(&mut emilia, &game, &limits);
        assert!(game.position().board.moves().has(choice.square), "{limits:?}");
        assert!(limits.depth.is_none_or(|depth| choice.depth <= depth), "{limits:?}: {choice:?}");
    }
}

#[test]
fn with_one_thread_a_limit_of_nodes_always_gives_the_same_answer() {
    let mut random = Random::new(3);
    for nodes in [1, 100, 5_000, 50_000] {
        let game = random_game::<Board>(&mut random, 36);
        let [one, other] = [(); 2].map(|()| choose(&mut emilia(1), &game, &Limits::of_nodes(nodes)));
        assert_eq!(Choice { time: Duration::ZERO, ..one }, Choice { time: Duration::ZERO, ..other });
    }
}

#[test]
fn the_observer_sees_every_iteration_and_the_last_is_the_answer() {
    let mut random = Random::new(4);
    let game = random_game::<Board>(&mut random, 14);
    let mut notes = Notes::default();
    let choice = emilia(1).choose(&game, &Limits::default(), &mut notes, &Stop::new()).expect("a move");
    let last = notes.0.last().expect("reports");
    assert_eq!((last.depth, last.selectivity, last.line.first()), (14, 100, Some(&choice.square)));
    assert_eq!(last.value, choice.value);
    assert!(matches!(choice.value, Some(Estimate::Solved(_))));
    assert!(notes.0.len() >= 3 && notes.0[0].depth == 1);
    assert!(notes.0.is_sorted_by_key(|progress| (progress.depth, progress.selectivity)));
    assert!(notes.0.is_sorted_by_key(|progress| progress.nodes));
}

#[test]
fn several_lines_are_reported_for_every_iteration() {
    let mut notes = Notes::default();
    let question = Question { lines: 3, ..Question::default() };
    let board = Board::start().play("f5".parse().unwrap()).unwrap();
    let report = emilia(1).study(&board, &question, &Limits::of_depth(5), &mut notes, &Stop::new()).expect("a report");
    assert_eq!(report.lines.len(), 3);
    assert!(report.lines.is_sorted_by_key(|line| -line.value));
    assert_eq!(notes.0.len() % 3, 0);
    assert_eq!(notes.0.last().map(|progress| progress.depth), Some(5));
}

#[test]
fn small_boards_are_played_perfectly_to_the_end() {
    let mut player = emilia::<SmallBoard<4>>(1);
    let mut game = Game::<SmallBoard<4>>::from_position(Position::start());
    let expected = negamax::score(&game.position().board);
    // White wins 11-3, and the two squares that stay empty count for the winner.
    assert_eq!(expected, Score::new(-10));
    while !game.is_over() {
        let choice = choose(&mut player, &game, &Limits::default());
        game.play(choice.square).expect("a legal move");
    }
    assert_eq!(game.score(), Some(expected));

    let mut player = emilia::<SmallBoard<6>>(1);
    let game = random_game::<SmallBoard<6>>(&mut Random::new(5), 8);
    let choice = choose(&mut player, &game, &Limits::default());
    assert_eq!(choice.value, Some(Estimate::Solved(negamax::score(&game.position().board))));
}

#[test]
fn the_strongest_level_and_no_limit_agree_on_the_score_of_the_end() {
    let mut random = Random::new(6);
    for empty_count in [1, 2, 5, 9, 10] {
        let game = random_game::<Board>(&mut random, empty_count);
        let expected = Some(Estimate::Solved(negamax::score(&game.position().board)));
        assert_eq!(choose(&mut emilia(1), &game, &Limits::default()).value, expected);
        assert_eq!(choose(&mut emilia(2), &game, &Limits::of_level(60)).value, expected);
        // Level 5 plays perfectly from 10 empties on.
        assert_eq!(choose(&mut emilia(1), &game, &Limits::of_level(5)).value, expected);
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let over: Position<Board> = format!("{} X", "X".repeat(64)).parse().unwrap();
    let result = emilia(1).choose(&Game::from_position(over), &Limits::default(), &mut Silent, &Stop::new());
    assert_eq!(result, Err(PlayerError::GameOver));
}

#[test]
fn a_table_that_does_not_fit_into_memory_is_refused_with_a_sentence() {
    let error = Emilia::<Board>::new(&Options { table_megabytes: 1 << 40, ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("does not fit"), "{error}");
}

/// Plays a game between two limits and returns Black's score.
fn play(black: &mut Emilia, white: &mut Emilia, limits: [Limits; 2], opening: Game) -> Score {
    let mut game = opening;
    while !game.is_over() {
        let turn = game.position().turn as usize;
        let player = if turn == 0 { &mut *black } else { &mut *white };
        game.play(choose(player, &game, &limits[turn]).square).expect("a legal move");
    }
    game.score().expect("the game is over")
}

#[test]
fn a_higher_level_wins_most_games() {
    let mut random = Random::new(7);
    let (mut weak, mut strong) = (emilia(1), emilia(1));
    let mut won = 0;
    for _ in 0..5 {
        let opening = random_game::<Board>(&mut random, 52);
        let limits = [Limits::of_level(1), Limits::of_level(6)];
        won += u32::from(play(&mut weak, &mut strong, limits, opening.clone()) < Score::DRAW);
        won += u32::from(play(&mut strong, &mut weak, [limits[1], limits[0]], opening) > Score::DRAW);
    }
    assert!(won >= 8, "level 6 won {won} of 10 games against level 1");
}

fn at_level(text: &str) -> Limits {
    Limits { level: Some(text.parse().expect("a level")), ..Limits::default() }
}

fn seeded(seed: u64) -> Emilia {
    Emilia::new(&Options { table_megabytes: 1, seed, ..Options::default() }).expect("1 MB")
}

#[test]
fn the_weak_levels_vary_with_the_seed_and_the_others_do_not() {
    let game = random_game::<Board>(&mut Random::new(10), 50);
    let move_with = |seed, level: &str| choose(&mut seeded(seed), &game, &at_level(level)).square;
    let distinct = |level: &str| {
        let mut moves: Vec<_> = (0..40).map(|seed| move_with(seed, level)).collect();
        assert_eq!(moves, (0..40).map(|seed| move_with(seed, level)).collect::<Vec<_>>());
        moves.sort_unstable();
        moves.dedup();
        moves.len()
    };
    for level in ["0", "0.5", "1", "1.5", "2", "2.5", "3"] {
        assert!(distinct(level) > 1, "level {level}");
    }
    assert_eq!(distinct("5"), 1);
}

#[test]
fn weak_levels_play_whole_games_on_every_board_and_count_out_the_last_moves_only() {
    fn plays<B: SearchableBoard>() {
        for level in Level::all().filter(|level| level.is_weak()) {
            let solves_from = level.weak_play_in(Form::of(0, 0)).expect("a weak level").solves_from;
            let mut game = Game::<B>::from_position(Position::start());
            while !game.is_over() {
                let board = game.position().board;
                let choice = choose(&mut emilia(1), &game, &at_level(&level.to_string()));
                let expected = (board.empties().count() <= solves_from).then(|| negamax::score(&board));
                let solved = match choice.value {
                    Some(Estimate::Solved(score)) => Some(score),
                    _ => None,
                };
                assert_eq!(solved, expected, "level {level}: {board:?}");
                game.play(choice.square).expect("a legal move");
            }
        }
    }
    plays::<Board>();
    plays::<SmallBoard<6>>();
    plays::<SmallBoard<4>>();
}

#[test]
fn a_weak_level_obeys_a_depth_and_reports_its_move() {
    let mut notes = Notes::default();
    let limits = Limits { depth: Some(1), ..at_level("4.5") };
    let choice = emilia::<Board>(1).choose(&Game::new(), &limits, &mut notes, &Stop::new()).expect("a move");
    assert_eq!(choice.depth, 1);
    assert_eq!(notes.0.last().map(|progress| progress.line.as_slice()), Some(&[choice.square][..]));
    // Analysis is not made weaker by a weak level.
    let report = emilia::<Board>(1).value_moves(&Game::new(), 4, &at_level("3.5"), &mut Silent, &Stop::new());
    assert_eq!(report.expect("four moves").iter().map(|progress| progress.depth).collect::<Vec<_>>(), [3; 4]);
}

#[test]
fn beginners_take_discs_and_later_levels_take_corners() {
    // Black can take the corner h8, which flips g8 alone, or flip the six discs of the third row with h3.
    let rows = ["--------", "--------", "XOOOOOO-", "---OX---", "---XO---", "--------", "--------", "-----XO-"];
    let position: Position<Board> = format!("{} X", rows.concat()).parse().expect("a position");
    let game = Game::from_position(position);
    let shares = |level: &str| {
        let moves: Vec<_> =
            (0..200).map(|seed| choose(&mut seeded(seed), &game, &at_level(level)).square.to_string()).collect();
        ["h3", "h8"].map(|name| moves.iter().filter(|played| *played == name).count())
    };
    let ([many, corner], [many_later, corner_later]) = (shares("0"), shares("1.5"));
    assert!(many > 2 * corner, "level 0: {many} times the discs, {corner} times the corner");
    assert!(corner_later > 2 * many_later, "level 1.5: {many_later} times the discs, {corner_later} times the corner");
}

#[test]
fn the_default_level_holds_only_when_nothing_else_does() {
    let options = Options { table_megabytes: 1, default_level: Level::new(7).ok(), ..Options::default() };
    let mut emilia = Emilia::<Board>::new(&options).unwrap();
    assert_eq!(choose(&mut emilia, &Game::new(), &Limits::default()).depth, 7);
    assert_eq!(choose(&mut emilia, &Game::new(), &Limits::of_depth(4)).depth, 4);
}

#[test]
fn a_whole_game_on_a_clock_of_moments_is_played_to_its_end() {
    // Whether the clock holds depends on the machine, so it is not asserted; `time_management` tests that.
    let mut emilia = emilia::<Board>(1);
    let mut game = Game::new();
    let mut clock = GameClock::new(Duration::from_millis(100));
    while !game.is_over() {
        let choice = choose(&mut emilia, &game, &Limits::of_clock(clock));
        clock.spend(choice.time);
        game.play(choice.square).expect("a legal move");
    }
}

/// A random game up to a position with one legal move.
fn forced_game(random: &mut Random, empty_count: u32) -> Game {
    loop {
        let game = random_game::<Board>(random, empty_count);
        if game.position().board.moves().count() == 1 {
            return game;
        }
    }
}

fn hour() -> Limits {
    Limits::of_clock(GameClock::new(Duration::from_secs(3600)))
}

#[test]
fn a_forced_move_under_a_clock_has_its_exact_score_near_the_end() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let empties = 5 + random.below(5) as u32;
        let game = forced_game(&mut random, empties);
        let board = game.position().board;
        let choice = choose(&mut emilia::<Board>(1), &game, &hour());
        let [(square, score)] = negamax::move_scores(&board)[..] else { panic!("{board:?} has one move") };
        assert_eq!((choice.square, choice.value), (square, Some(Estimate::Solved(score))), "{board:?}");
    }
}

#[test]
fn a_forced_move_under_a_clock_is_worth_what_the_search_before_it_has_proven() {
    let mut random = Random::new(12);
    let mut forced = 0;
    while forced < 6 {
        let mut game = random_game::<Board>(&mut random, 16);
        let mut emilia = emilia::<Board>(1);
        let turn = game.position().turn;
        let Choice { value, line, .. } = choose(&mut emilia, &game, &Limits::of_depth(60));
        assert!(matches!(value, Some(Estimate::Solved(_))), "{value:?}");
        for square in line.into_iter().take(2) {
            game.play(square).expect("a legal move");
        }
        let position = game.position();
        if game.is_over() || position.turn != turn || position.board.moves().count() != 1 {
            continue;
        }
        forced += 1;
        assert_eq!(choose(&mut emilia, &game, &hour()).value, value, "{position}");
    }
}

#[test]
fn a_forced_move_takes_almost_no_time_off_the_clock() {
    let game = forced_game(&mut Random::new(8), 40);
    let choice = choose(&mut emilia(1), &game, &hour());
    // Some thousandths of a second, far from the end of the game.
    assert!(choice.depth > 1 && choice.nodes < 40_000, "{choice:?}");
}

/// A player in a thread, with its messages.
fn thread_of(emilia: Emilia) -> (PlayerThread, Receiver<PlayerMessage>) {
    let (messages, inbox) = channel();
    (PlayerThread::of(Box::new(emilia), move |message| drop(messages.send(message))), inbox)
}

/// The answer to the request with the id 2.
fn second_choice(inbox: &Receiver<PlayerMessage>) -> Choice {
    let choice = inbox.iter().find_map(|message| match message {
        PlayerMessage::Chosen(2, choice, _) => choice.ok(),
        _ => None,
    });
    choice.expect("a move")
}

#[test]
fn pondering_saves_work_after_the_expected_reply() {
    let mut game = random_game::<Board>(&mut Random::new(9), 18);
    let reply = choose(&mut emilia(1), &game, &Limits::default()).square;
    let (mut thread, inbox) = thread_of(emilia(1));
    thread.ponder(1, Box::new(game.clone()), Limits::default());
    assert_eq!(inbox.recv(), Ok(PlayerMessage::Pondered(1)));
    game.play(reply).expect("a legal move");
    thread.choose(2, Box::new(game.clone()), Limits::default());
    let (warm, cold) = (second_choice(&inbox), choose(&mut emilia(1), &game, &Limits::default()));
    assert_eq!(warm.value, cold.value);
    assert!(warm.nodes < cold.nodes / 2, "{} nodes with pondering, {} without", warm.nodes, cold.nodes);
}

#[test]
fn pondering_ends_with_the_next_request() {
    let (mut thread, inbox) = thread_of(emilia(2));
    thread.ponder(1, Box::default(), Limits::of_depth(60));
    thread::sleep(Duration::from_millis(5));
    thread.choose(2, Box::default(), Limits::of_depth(2));
    assert_eq!(second_choice(&inbox).depth, 2);
}
