//! Events and views as JSON: what a page on the other end of a connection sends and reads.

use std::path::PathBuf;

use engine::{Choice, Level, Progress};
use othello::{Board, BoardShape, Color, CutBoard, Game, SmallBoard};
use players::PlayableBoard;
use proptest::prelude::*;
use session::{Edit, Event, FileResult, NewGame, Reply, Sides, Step, View};

use crate::sitting::{Sitting, by_clock, minutes};

fn is_read_as_written(view: &View) {
    let text = serde_json::to_string(view).expect("JSON");
    let read: View = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(read, *view, "{text}");
}

#[test]
fn a_view_looks_as_it_is_documented() {
    let mut sitting = Sitting::<SmallBoard<4>>::new();
    sitting.is_slow = true;
    let first = sitting.view().legal_moves[0].square.clone();
    sitting.play(&first);
    let view = serde_json::to_value(sitting.view()).expect("JSON");
    assert_eq!(view["board"]["shape"], "4x4");
    assert_eq!(view["board"]["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!((&view["turn"], &view["is_thinking"]), (&"white".into(), &true.into()));
    assert_eq!(view["moves"][0]["square"], first);
    assert_eq!(view["seats"][1]["player"], "random");
    assert_eq!(view["can"]["interrupt"], true);
    let refused = {
        sitting.handle(Event::Seat { color: Color::White, player: "emilia@level=61".to_owned(), level: None });
        serde_json::to_value(sitting.view().message).expect("JSON")
    };
    assert_eq!((&refused["kind"], &refused["what"]), (&"refused".into(), &"player".into()));
    assert!(refused["text"].as_str().is_some_and(|text| text == "emilia@level=61"), "{refused}");
}

#[test]
fn views_of_every_state_are_read_as_they_were_written() {
    let mut sitting = Sitting::<Board>::with([by_clock("emilia"), None], minutes(5));
    let check = |sitting: &Sitting<Board>| is_read_as_written(&sitting.view());
    check(&sitting);
    sitting.is_slow = true;
    sitting.handle(Event::ShowHints { shown: true });
    check(&sitting);
    let square = sitting.view().legal_moves[0].square.clone();
    sitting.play(&square);
    let (number, ..) = sitting.asked.clone().expect("it is the engine's turn");
    let line = vec!["d6".parse().expect("a square"); 2];
    let value = Some(engine::Estimate::Chance { thousandths: 543 });
    let progress = Progress { depth: 9, nodes: 1 << 60, value, line, ..Progress::default() };
    sitting.take(number, Reply::Thought { progress: progress.into() });
    check(&sitting);
    sitting.take(number, Reply::Failed { reason: "emilia failed: it is tired".to_owned() });
    check(&sitting);
    sitting.handle(Event::SetUp(Edit::Begin));
    check(&sitting);
    let path = PathBuf::from("game.sgf");
    sitting.take_file("game.sgf", FileResult::Exists { there: vec![path], is_report: true });
    check(&sitting);
    sitting.handle(Event::SetUp(Edit::Clear));
    sitting.handle(Event::SetUp(Edit::Done));
    check(&sitting);
}

fn any_event() -> impl Strategy<Value = Event> {
    let color = prop_oneof![Just(Color::Black), Just(Color::White)];
    let square = "[a-k]1?[0-9]";
    let step = prop::sample::select(vec![
        Step::TakeBack,
        Step::PlayAgain,
        Step::Back,
        Step::Forward,
        Step::ToStart,
        Step::ToEnd,
        Step::Variation,
    ]);
    let player = prop::sample::select(vec!["random", "emilia@depth=1", "simple", "nobody", "emilia@level=", "gtp:"]);
    let edit = prop_oneof![
        Just(Edit::Begin),
        (square, prop::option::of(color.clone())).prop_map(|(square, disc)| Edit::Put { square, disc }),
        square.prop_map(|square| Edit::Change { square }),
        Just(Edit::Turn),
        Just(Edit::Clear),
        Just(Edit::Start),
        Just(Edit::Done),
        Just(Edit::Cancel),
    ];
    let new_game =
        (prop::sample::select(Sides::ALL.to_vec()), prop::sample::select(BoardShape::ALL.to_vec()), "(|5m|x)")
            .prop_map(|(sides, board, clock)| NewGame { sides, clock, board });
    prop_oneof![
        12 => square.prop_map(|square| Event::Play { square }),
        4 => step.prop_map(|step| Event::Go { step }),
        2 => square.prop_map(|square| Event::StepIn { square }),
        1 => Just(Event::Tick),
        1 => Just(Event::Continue),
        1 => Just(Event::Wait),
        1 => Just(Event::MoveNow),
        1 => Just(Event::Swap),
        1 => Just(Event::Restart),
        1 => any::<bool>().prop_map(|shown| Event::ShowHints { shown }),
        1 => any::<i32>().prop_map(|by| Event::ChangeLevel { by }),
        1 => (color.clone(), player, prop::option::of(0u32..99))
            .prop_map(|(color, player, level)| Event::Seat { color, player: player.to_owned(), level: level.map(Level::clamped) }),
        1 => color.prop_map(|color| Event::SeatPerson { color }),
        2 => edit.prop_map(Event::SetUp),
        1 => new_game.prop_map(Event::NewGame),
        1 => "(f5d6|f5f5|[-XO]{36} X|.{0,9})".prop_map(|text| Event::Paste { text }),
        1 => (prop::option::of(0u32..70), prop::option::of(0usize..12))
            .prop_map(|(level, lines)| Event::SetHints { level, lines }),
        1 => prop::sample::select(vec![0.0, 0.5, 60.0, 61.0, -1.0]).prop_map(|seconds| Event::SetPace { seconds }),
        1 => Just(Event::Analyze { level: Some(1) }),
        1 => Just(Event::StopAnalysis),
        1 => (0usize..70).prop_map(|number| Event::ShowMove { number }),
        1 => Just(Event::WriteReport { path: "game.html".into(), overwrite: false }),
        1 => Just(Event::Save { path: "game.sgf".into(), overwrite: false }),
        1 => Just(Event::Load { path: "game.sgf".into(), number: 2 }),
    ]
}

/// A session that is sent events as text, whose views are read from text.
fn survives<B: PlayableBoard>(events: &[Event]) {
    let mut sitting = Sitting::<B>::new();
    for event in events {
        let text = serde_json::to_string(event).expect("JSON");
        let read: Event = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read, *event, "{text}");
        sitting.handle(read);
        is_read_as_written(&sitting.view());
        let game = sitting.session.game();
        let again = Game::from_moves(game.start(), game.moves()).expect("only legal moves were played");
        assert_eq!(again.position(), game.position());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_events_break_a_session_or_the_rules(events in prop::collection::vec(any_event(), 1..60)) {
        survives::<Board>(&events);
        survives::<SmallBoard<6>>(&events);
        survives::<CutBoard>(&events);
    }
}

#[test]
fn late_and_foreign_answers_count_for_nothing() {
    let mut sitting = Sitting::<Board>::new();
    sitting.take(99, Reply::Chosen { choice: Choice::of("f5".parse().expect("a square")).into() });
    assert_eq!(sitting.moves(), "");
}
