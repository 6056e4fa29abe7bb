//! Looking at a game without playing: clocks that stand, the names of a record, hints, the pace of two engines.

use std::time::Duration;

use engine::{GameClock, Limits};
use othello::{Board, Color, Game};
use records::{Annotation, GameRecord, TimeControl, ggf};
use session::{Effect, Event, FileResult, FoundGame, HintSettings, Message, Order, Reply, Start, Step};

use crate::test_session::{TestSession, engine, minutes, start};

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// A session against an engine under a clock of ten seconds, at its first move.
fn under_a_clock() -> TestSession<Board> {
    TestSession::with([None, engine("random", None)], Some(GameClock::new(seconds(10))))
}

fn load(test: &mut TestSession<Board>, moves: &str) {
    let mut record = GameRecord::new(records::transcript::parse::<Board>(moves).expect("a game"));
    (record.black, record.white) = ("Rose".to_owned(), "Tamenori".to_owned());
    record.annotate(1, Annotation { evaluation: Some(-2.5), time: Some(seconds(7)), comment: String::new() });
    let found = FoundGame { record: Box::new(record), number: 1, count: 1, has_more: false };
    test.take_file("game.ggf", FileResult::Loaded(found));
}

fn titles(test: &TestSession<Board>) -> [Option<String>; 2] {
    test.view().seats.map(|seat| seat.recorded)
}

#[test]
fn the_clock_stands_while_a_loaded_game_is_looked_at_and_the_panel_has_the_names_of_its_record() {
    let mut test = under_a_clock();
    load(&mut test, "f5d6c3d3");
    assert_eq!(titles(&test), ["Rose", "Tamenori"].map(|name| Some(name.to_owned())));
    for (hour, step) in [Step::Back, Step::Back, Step::Forward, Step::ToStart, Step::ToEnd].into_iter().enumerate() {
        test.now = seconds(3600 * (1 + hour as u64));
        test.handle(Event::Tick);
        test.handle(Event::Go { step });
        let view = test.view();
        assert!(view.is_reviewing && view.result.is_none(), "{step:?}");
        assert!(view.seats.iter().all(|seat| !seat.runs && seat.seconds == 10.0), "{step:?}: {:?}", view.seats);
    }
    let noted = &test.view().moves[1];
    assert_eq!((noted.seconds, noted.expected), (Some(7.0), Some(-2.5)));
    // From the first move on it is a game of the seated players.
    test.is_slow = true;
    test.play("c4");
    let view = test.view();
    assert_eq!((view.is_reviewing, titles(&test)), (false, [None, None]));
    assert_eq!(view.seats.map(|seat| seat.runs), [false, true]);
}

#[test]
fn nobody_loses_on_time_by_looking_at_an_earlier_position_and_the_clock_runs_again_at_the_last_one() {
    let mut test = under_a_clock();
    test.now = seconds(2);
    test.play("f5");
    test.now = seconds(3);
    test.handle(Event::Tick);
    assert_eq!(test.view().seats[0].seconds, 7.0);
    test.handle(Event::Go { step: Step::Back });
    assert!(test.view().is_reviewing && test.view().is_waiting);
    test.now = seconds(1000);
    test.handle(Event::Go { step: Step::Back });
    test.now = seconds(2000);
    test.handle(Event::Tick);
    assert_eq!((test.view().result, test.view().seats[0].runs), (None, false));
    test.handle(Event::Go { step: Step::ToEnd });
    let view = test.view();
    assert_eq!((view.is_reviewing, view.seats[0].runs, view.seats[0].seconds), (false, true, 7.0));
    test.now = seconds(2008);
    test.handle(Event::Tick);
    assert_eq!(test.view().result.and_then(|result| result.out_of_time), Some(Color::Black));
    // A game that is lost stays lost when it is looked at.
    test.handle(Event::Go { step: Step::Back });
    test.handle(Event::Go { step: Step::Forward });
    assert_eq!(test.view().result.and_then(|result| result.out_of_time), Some(Color::Black));
}

#[test]
fn an_engine_goes_on_thinking_when_the_last_position_is_shown_again_unless_it_waited_there() {
    for waits in [false, true] {
        let mut test = under_a_clock();
        test.is_slow = true;
        test.play("f5");
        if waits {
            test.handle(Event::Wait);
        }
        test.handle(Event::Go { step: Step::Back });
        assert!(!test.view().is_thinking);
        test.handle(Event::Go { step: Step::Forward });
        assert_eq!((test.view().is_thinking, test.view().is_waiting), (!waits, waits));
    }
}

#[test]
fn who_takes_back_a_move_plays_on_under_the_clock() {
    let mut test = under_a_clock();
    test.play("f5");
    test.handle(Event::Go { step: Step::TakeBack });
    assert_eq!((test.view().is_reviewing, test.view().seats[0].runs), (false, true));
}

#[test]
fn a_saved_game_has_its_clock_its_times_and_what_the_engine_expected() {
    let control = Some(GameClock { remaining: seconds(300), increment: seconds(3) });
    let mut test = TestSession::<Board>::with([None, engine("random", None)], control);
    test.is_slow = true;
    test.now = Duration::from_millis(2_500);
    test.play("f5");
    test.now = Duration::from_millis(3_250);
    let (number, ..) = test.asked.clone().expect("it is the engine's turn");
    let value = Some(engine::Estimate::Discs { hundredths: 75 });
    let choice = engine::Choice { value, ..engine::Choice::of("d6".parse().expect("a square")) };
    test.take(number, Reply::Chosen { choice: choice.into() });
    test.handle(Event::Save { path: "game.ggf".into(), overwrite: false });
    let Some(Effect::Save { record, .. }) = test.effects.last() else { panic!("it is saved") };
    // Read again from the text that is written.
    let read = ggf::parse::<Board>(&ggf::format(record)).expect("a game");
    let clock = TimeControl { initial: seconds(300), increment: seconds(3), ..TimeControl::default() };
    assert_eq!(read.time_control, Some(clock));
    let notes: Vec<_> = read.annotations.iter().map(|note| (note.evaluation, note.time)).collect();
    let milliseconds = |count| Some(Duration::from_millis(count));
    assert_eq!(notes, [(None, milliseconds(2_500)), (Some(0.75), milliseconds(750))]);
}

#[test]
fn a_level_is_a_ceiling_under_the_clock() {
    let mut test = TestSession::<Board>::with([None, engine("emilia", Some(8))], minutes(1));
    test.is_slow = true;
    test.play("f5");
    let clock = Some(GameClock::new(seconds(60)));
    let (_, _, limits) = test.asked.clone().expect("it is Emilia's turn");
    assert_eq!(limits, Limits { clock, ..Limits::of_level(8) });
    // The same for a player that brings both.
    let mut test = TestSession::<Board>::new();
    test.is_slow = true;
    let player = "emilia@level=8,time=1m".to_owned();
    test.handle(Event::Seat { color: Color::White, player, level: None });
    assert_eq!(test.said(), "emilia 8 now plays White.");
    assert_eq!(test.view().seats.map(|seat| seat.seconds), [0.0, 60.0]);
    test.play("f5");
    let (_, _, limits) = test.asked.clone().expect("it is Emilia's turn");
    assert_eq!(limits, Limits { clock, ..Limits::of_level(8) });
}

#[test]
fn hints_have_the_level_and_the_number_of_lines_that_were_chosen() {
    let mut test = TestSession::<Board>::new();
    assert_eq!(test.view().hint_settings, HintSettings { level: 16, lines: 3 });
    let level_of = |effects: Vec<Effect<Board>>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Start { order: Order::Advise { level, .. }, .. } => Some(level),
            _ => None,
        })
    };
    let now = test.now;
    assert_eq!(level_of(test.session.handle(Event::ShowHints { shown: true }, now)), Some(16));
    // They are searched anew at another level, and only then.
    let set = |level, lines| Event::SetHints { level, lines };
    assert_eq!(level_of(test.session.handle(set(Some(20), None), now)), Some(20));
    assert_eq!(test.said(), "Hints: level 20, 3 lines listed.");
    assert_eq!(level_of(test.session.handle(set(None, Some(1)), now)), None);
    assert_eq!(test.said(), "Hints: level 20, 1 line listed.");
    for (level, lines, words) in [
        (Some(61), None, "hint level out of range: 61; expected 1 to 60."),
        (None, Some(0), "number of hint lines out of range: 0; expected 1 to 9."),
    ] {
        test.handle(set(level, lines));
        assert_eq!(test.said(), words);
        assert_eq!(test.view().hint_settings, HintSettings { level: 20, lines: 1 });
    }
    // Another game has the same.
    test.handle(Event::Restart);
    assert_eq!(test.view().hint_settings, HintSettings { level: 20, lines: 1 });
}

fn watched() -> TestSession<Board> {
    let seats = [engine("random", None), engine("simple", None)];
    TestSession::of(Start { pace: seconds(1), ..start(Game::new(), seats, minutes(1)) })
}

#[test]
fn two_engines_play_at_the_pace_that_is_asked_for() {
    let mut test = watched();
    let mut after = |milliseconds: u64| {
        test.now = Duration::from_millis(milliseconds);
        test.handle(Event::Tick);
        test.view().move_count
    };
    assert_eq!([0, 500, 999, 1000, 1500, 2000, 2999, 3001].map(&mut after), [1, 1, 1, 2, 2, 3, 3, 4]);
    let view = test.view();
    assert!(view.is_thinking && view.can.interrupt, "a pause can be interrupted");
    assert!(view.seats.iter().all(|seat| !seat.runs && seat.seconds == 60.0), "a pause costs no time");
    test.handle(Event::Wait);
    test.now = seconds(100);
    test.handle(Event::Tick);
    assert_eq!((test.view().move_count, test.view().is_waiting), (4, true));
    test.handle(Event::Continue);
    assert_eq!(test.view().move_count, 5);
    // The next move comes now, and others at another pace.
    test.handle(Event::MoveNow);
    assert_eq!(test.view().move_count, 6);
    test.handle(Event::SetPace { seconds: 5.0 });
    assert_eq!(test.said(), "Pause between engine moves: 5 s.");
    test.now = seconds(102);
    test.handle(Event::Tick);
    assert_eq!(test.view().move_count, 7, "the pause that had begun is not longer");
    test.now = seconds(104);
    test.handle(Event::Tick);
    assert_eq!(test.view().move_count, 7);
    test.handle(Event::SetPace { seconds: -1.0 });
    assert_eq!(test.said(), "pace out of range: -1 s; expected 0 to 60 s.");
    test.handle(Event::SetPace { seconds: 0.0 });
    assert!(test.session.is_over());
}

#[test]
fn a_person_who_plays_waits_for_no_pace() {
    let seats = [None, engine("random", None)];
    let mut test = TestSession::<Board>::of(Start { pace: seconds(9), ..start(Game::new(), seats, None) });
    test.play("f5");
    assert_eq!(test.view().move_count, 2);
    assert!(!matches!(test.view().message.map(|said| said.message), Some(Message::Refused { .. })));
}
