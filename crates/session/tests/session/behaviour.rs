//! Behavior of a session: waiting, failing, passing, clocks, levels, pondering, files.

use std::path::PathBuf;
use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits};
use othello::{Board, BoardShape, Color, Game, SmallBoard, Square};
use records::GameRecord;
use session::{
    Confirmation, Edit, Effect, Event, FileResult, FoundGame, HintSettings, Message, NewGame, Order, OtherBoard, Reply,
    Session, Sides, Start, Step,
};

use crate::test_session::{TestSession, by_clock, engine, minutes, start};

#[test]
fn an_engine_that_thinks_can_be_made_to_wait_and_to_move_and_late_answers_count_for_nothing() {
    let mut test = TestSession::<Board>::new();
    test.is_slow = true;
    test.play("f5");
    test.play("d3");
    assert_eq!(test.said(), "It is not your turn.");
    test.handle(Event::MoveNow);
    let (number, ..) = test.asked.clone().expect("a question");
    let stop = || Effect::Stop { number };
    assert_eq!(test.effects, [stop()]);
    test.handle(Event::Wait);
    assert_eq!(test.effects, [stop(), stop()]);
    let square: Square = "d6".parse().expect("a square");
    test.take(number, Reply::Chosen { choice: Choice::of(square).into() });
    assert_eq!(test.moves(), "f5", "the answer came after it was told to wait");
    test.handle(Event::Continue);
    let (number, ..) = test.asked.clone().expect("asked again");
    test.take(number, Reply::Chosen { choice: Choice::of(square).into() });
    assert_eq!(test.moves(), "f5d6");
    assert_eq!(test.view().thought.map(|thought| (thought.line, thought.is_done)), Some(("d6".to_owned(), true)));
}

#[test]
fn an_engine_that_fails_waits_and_may_try_again() {
    let mut test = TestSession::<Board>::new();
    test.is_slow = true;
    test.play("f5");
    let (number, ..) = test.asked.clone().expect("a question");
    test.take(number, Reply::Failed { reason: "random failed: it is tired".to_owned() });
    let reason = "random failed: it is tired".to_owned();
    let message = test.view().message.map(|said| said.message);
    assert_eq!(message, Some(Message::Failed { reason, can_retry: true }));
    test.is_slow = false;
    test.handle(Event::Continue);
    assert_eq!(test.moves(), "f5f4");
    // A move that the rules do not allow is a failure too.
    test.is_slow = true;
    test.play("d3");
    let (number, ..) = test.asked.clone().expect("a question");
    test.take(number, Reply::Chosen { choice: Choice::of(Square::new(0)).into() });
    assert!(test.said().starts_with("random failed: a1 flips nothing"), "{}", test.said());
}

#[test]
fn the_opening_on_the_board_has_its_name() {
    let mut test = TestSession::<Board>::with([None, None], None);
    assert_eq!(test.view().opening, None);
    for square in ["e6", "f4", "d3", "c4", "c3"] {
        test.play(square);
    }
    assert_eq!(test.view().opening.as_deref(), Some("Tiger"), "f5d6c3d3c4 in another orientation and order");
    test.handle(Event::Go { step: Step::Back });
    assert_eq!(test.view().opening.as_deref(), Some("Perpendicular"), "of the moves on the board");
}

#[test]
fn a_forced_pass_is_said_and_shown() {
    let position = format!("-OXXXXO-{} X", "-".repeat(56)).parse().expect("a board");
    let seats = [None, engine("random", None)];
    let mut test = TestSession::<Board>::of(start(Game::from_position(position), seats, None));
    test.play("h1");
    assert_eq!(test.said(), "White has no legal move and passes; Black moves again.");
    assert_eq!(test.view().passed, Some(Color::White));
    test.play("a1");
    let verdict = test.view().result.map(|result| result.verdict);
    assert_eq!(verdict.as_deref(), Some("Black wins 64-0; the 56 empty squares count for the winner."));
    let unsaved = test.view().unsaved.expect("moves would be lost");
    assert!(unsaved.starts_with("h1a1 from -OXXXXO-"), "{unsaved}");
}

#[test]
fn who_runs_out_of_time_loses_and_clocks_stand_while_a_position_is_set_up() {
    let control = Some(GameClock::new(Duration::from_secs(10)));
    let mut test = TestSession::<Board>::with([None, engine("random", None)], control);
    test.handle(Event::SetUp(Edit::Begin));
    assert!(!test.view().seats[0].runs);
    test.now = Duration::from_secs(100);
    test.handle(Event::SetUp(Edit::Cancel));
    assert_eq!((test.view().seats[0].seconds, test.view().seats[0].runs), (10.0, true));
    test.now = Duration::from_secs(105);
    test.handle(Event::Tick);
    assert_eq!(test.view().seats[0].seconds, 5.0);
    // A move that comes too late, before the clock was looked at, loses, too.
    test.now = Duration::from_secs(111);
    test.play("f5");
    let result = test.view().result.expect("the game is over");
    assert_eq!((result.winner, result.out_of_time), (Some(Color::White), Some(Color::Black)));
    assert_eq!(test.view().situation, "Black is out of time");
}

#[test]
fn an_engine_that_played_by_the_clock_does_not_think_forever_in_a_game_without_one() {
    let mut test = TestSession::<Board>::with([by_clock("emilia"), None], minutes(5));
    test.is_slow = true;
    test.handle(Event::NewGame(test.view().new_game));
    assert_eq!(test.view().seats[0].level, None, "by the clock");
    test.handle(Event::NewGame(NewGame { clock: String::new(), ..test.view().new_game }));
    let (_, game, limits) = test.asked.clone().expect("Emilia begins");
    assert_eq!((game.move_count(), limits), (0, Limits::of_level(1)));
    assert_eq!(test.view().seats[0].title, "emilia 1");
}

#[test]
fn who_plays_by_the_clock_is_not_made_weaker_by_a_level_and_others_keep_to_theirs() {
    let mut test = TestSession::<Board>::with([None, by_clock("emilia")], minutes(5));
    test.handle(Event::ChangeLevel { by: 1 });
    assert_eq!(test.said(), "emilia plays without a level (as strong as the clock allows).");
    assert_eq!(test.view().seats[1].level, None);
    for (text, before, by, words, after) in [
        ("random", None, 1, "random has no levels.", None),
        ("simple", None, 1, "simple plays without a level (its own default).", None),
        ("simple", Some(20), 1, "simple plays at level 20: searches 20 plies.", Some(20)),
        ("simple", Some(1), -1, "simple plays at level 1: searches 1 ply.", Some(1)),
        ("simple", Some(3), -1, "simple plays at level 2: searches 2 plies.", Some(2)),
        ("simple", Some(40), 1, "simple plays at level 40", Some(40)),
        ("emilia", Some(60), 1, "emilia plays at level 60", Some(60)),
        ("emilia", Some(0), -1, "emilia plays at level 0: just learned the rules.", Some(0)),
        ("emilia", Some(4), 2, "emilia plays at level 5: 5@100%, solves from 10 empties", Some(5)),
        ("emilia", Some(6), -1, "emilia plays at level 5", Some(5)),
        ("emilia@depth=3", None, 1, "has limits of its own, so its level cannot be changed.", None),
    ] {
        let mut test = TestSession::<Board>::with([None, engine(text, before)], None);
        test.handle(Event::ChangeLevel { by });
        assert!(test.said().contains(words), "{text}: {}", test.said());
        assert_eq!(test.view().seats[1].level, after.map(Level::clamped), "{text} {before:?} {by}");
    }
    // Below 5 a step is half a level.
    let mut test = TestSession::<Board>::with([None, engine("emilia", Some(3))], None);
    for (by, title) in
        [(-1, "emilia 2.5"), (-1, "emilia 2"), (3, "emilia 3.5"), (i32::MIN, "emilia 0"), (i32::MAX, "emilia 60")]
    {
        test.handle(Event::ChangeLevel { by });
        assert_eq!(test.view().seats[1].title, title);
    }
}

#[test]
fn an_engine_that_thinks_in_the_persons_time_does_so_in_earnest() {
    for (seat, control, limits) in [
        (engine("emilia", Some(20)), None, Limits::of_level(20)),
        (by_clock("emilia"), minutes(5), Limits::of_depth(64)),
        (engine("simple", None), None, Limits::default()),
    ] {
        let (game, seats) = (Game::<Board>::new(), [None, seat]);
        let test = TestSession::of(Start { ponders: true, ..start(game, seats, control) });
        let order = test.last_order().expect("an order");
        let Order::Ponder { color: Color::White, limits: given, .. } = order else { panic!("{order:?}") };
        assert_eq!(*given, limits);
    }
}

#[test]
fn a_new_game_has_other_sides_another_clock_or_another_board() {
    let mut test = TestSession::<Board>::new();
    test.play("f5");
    let new_game = |sides, clock: &str, board| Event::NewGame(NewGame { sides, clock: clock.to_owned(), board });
    test.handle(new_game(Sides::White, "5m", BoardShape::Eight));
    assert_eq!(test.moves(), "d3", "the engine begins");
    assert_eq!(test.view().new_game.clock, "5m");
    let before = test.view().game;
    test.handle(new_game(Sides::Black, "soon", BoardShape::Eight));
    assert!(test.said().contains("\"soon\" is not a time"), "{}", test.said());
    assert_eq!(test.view().game, before, "nothing has changed");
    // What was chosen for hints and for watching goes with the person.
    test.handle(Event::SetHints { level: Some(9), lines: Some(5) });
    test.handle(Event::SetPace { seconds: 2.5 });
    test.handle(new_game(Sides::Both, "", BoardShape::Six));
    let hints = HintSettings { level: 9, lines: 5 };
    let other = OtherBoard { shape: BoardShape::Six, control: None, sides: Sides::Both, hints, pace: 2.5 };
    assert_eq!(test.effects.last(), Some(&Effect::ChangeBoard(other)));
    test.handle(Event::Restart);
    assert_eq!((test.moves().as_str(), test.view().new_game.clock.as_str()), ("d3", "5m"));
}

#[test]
fn nobody_moves_for_an_engine_that_is_still_being_made() {
    let mut session = Session::new(start(Game::<Board>::new(), [None, None], None));
    let now = Duration::ZERO;
    let seat = Event::Seat { color: Color::White, player: "random".to_owned(), level: None };
    let effects = session.handle(seat, now);
    let [Effect::Start { number, order: Order::Seat { color: Color::White, .. } }] = effects[..] else {
        panic!("{effects:?}")
    };
    assert!(session.view().can.play, "Black is a person");
    session.handle(Event::Play { square: "f5".to_owned() }, now);
    assert!(!session.view().can.play);
    session.handle(Event::Play { square: "d6".to_owned() }, now);
    assert_eq!(session.game().moves().len(), 1, "White's engine was asked for");
    let mut refused = session.clone();
    refused.take(number, Reply::Failed { reason: "no memory".to_owned() }, now);
    assert!(refused.view().can.play, "White stays a person");
    let mut person = session.clone();
    person.handle(Event::SeatPerson { color: Color::White }, now);
    person.take(number, Reply::Seated { name: "random".to_owned() }, now);
    assert!(person.view().can.play, "White was taken by a person meanwhile");
    session.take(number, Reply::Seated { name: "random".to_owned() }, now);
    assert!(!session.view().can.play && session.view().is_thinking);
}

#[test]
fn a_player_takes_a_seat_or_is_refused() {
    let mut test = TestSession::<SmallBoard<6>>::new();
    let seat = |player: &str, level| Event::Seat { color: Color::White, player: player.to_owned(), level };
    test.handle(seat("emilia@hash=1", Level::new(2).ok()));
    assert_eq!(test.said(), "emilia 2 now plays White.");
    assert_eq!(test.view().seats[1].player.as_deref(), Some("emilia@hash=1"));
    for player in ["nobody", "emilia@level=61", "", "gtp:"] {
        test.handle(seat(player, None));
        assert!(matches!(test.view().message.map(|said| said.message), Some(Message::Refused { .. })), "{player}");
        assert_eq!(test.view().seats[1].title, "emilia 2");
    }
    test.handle(Event::SeatPerson { color: Color::White });
    assert!(test.view().seats.iter().all(session::SeatView::is_person));
}

#[test]
fn saving_asks_before_it_writes_over_files_and_a_position_is_no_game() {
    let mut test = TestSession::<Board>::new();
    test.play("f5");
    let path = PathBuf::from("game.sgf");
    test.handle(Event::Save { path: path.clone(), overwrite: false });
    let Some(Effect::Save { record, overwrite: false, .. }) = test.effects.last() else { panic!("it is saved") };
    assert_eq!((record.black.as_str(), record.white.as_str()), ("you", "random"));
    test.take_file("game.sgf", FileResult::Exists { there: vec![path.clone()], is_report: false });
    let question = Confirmation::Overwrite { path: path.clone(), there: vec![path.clone()], is_report: false };
    assert_eq!(test.view().question, Some(question));
    test.handle(Event::Save { path: path.clone(), overwrite: true });
    assert_eq!(test.view().question, None);
    test.take_file("game.obf", FileResult::Saved);
    assert_eq!(test.said(), "Saved as game.obf: only the position, without the moves.");
    assert!(test.view().unsaved.is_some());
    test.take_file("game.wtb", FileResult::Saved);
    assert_eq!(test.said(), "Saved as game.wtb, with the players and events in game.jou and game.trn.");
    assert_eq!(test.view().unsaved, None);
}

#[test]
fn of_a_file_of_several_games_it_is_said_which_was_loaded() {
    let mut test = TestSession::<Board>::new();
    let mut load = |number, count, has_more| {
        let mut record = GameRecord::new(Game::new());
        record.game.play("f5".parse().expect("a square")).expect("legal");
        let found = FoundGame { record: Box::new(record), number, count, has_more };
        test.take_file("db/games.txt", FileResult::Loaded(found));
        test.said()
    };
    assert_eq!(load(1, 1, false), "db/games.txt: 1 move.");
    assert_eq!(load(1, 3, false), "db/games.txt: 1 move. Game 1 of 3; games.txt#2 loads the next.");
    assert_eq!(load(3, 3, false), "db/games.txt: 1 move. Game 3 of 3.");
    assert_eq!(load(2, 9, true), "db/games.txt: 1 move. Game 2 of 9 or more; games.txt#3 loads the next.");
    assert!(test.view().is_waiting, "engines wait in a game that was loaded");
    test.handle(Event::Go { step: Step::ToStart });
    assert_eq!(test.moves(), "");
}

#[test]
fn a_board_or_a_game_is_pasted_and_nonsense_changes_nothing() {
    let mut test = TestSession::<Board>::new();
    let paste = |text: &str| Event::Paste { text: text.to_owned() };
    test.handle(paste("f5d6c3"));
    assert_eq!((test.moves().as_str(), test.said().as_str()), ("f5d6c3", "Pasted a game of 3 moves."));
    let before = test.view();
    test.handle(paste("nonsense"));
    assert!(test.said().contains("not a board, a transcript or an opening"));
    assert_eq!((test.view().set_up, test.view().game), (None, before.game));
    let board = format!("-OX{} X", "-".repeat(61));
    test.handle(paste(&board));
    assert_eq!(test.view().set_up.map(|set_up| set_up.text), Some(board.clone()));
    test.handle(Event::SetUp(Edit::Done));
    assert_eq!(test.session.game().position().to_string(), board);
}
