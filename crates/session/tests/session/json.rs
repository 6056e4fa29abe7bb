//! Events and views as JSON, as a page at the other end of a connection sends and reads them.

use std::path::PathBuf;

use engine::{Choice, Progress};
use othello::{Board, Color, SmallBoard};
use session::{Edit, Event, FileResult, Reply, View};

use crate::test_session::{TestSession, by_clock, minutes};

fn is_read_as_written(view: &View) {
    let text = serde_json::to_string(view).expect("JSON");
    let read: View = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(read, *view, "{text}");
}

#[test]
fn a_view_looks_as_it_is_documented() {
    let mut test = TestSession::<SmallBoard<4>>::new();
    test.is_slow = true;
    let first = test.view().legal_moves[0].square.clone();
    test.play(&first);
    let view = serde_json::to_value(test.view()).expect("JSON");
    assert_eq!(view["board"]["shape"], "4x4");
    assert_eq!(view["board"]["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!((&view["turn"], &view["is_thinking"]), (&"white".into(), &true.into()));
    assert_eq!(view["moves"][0]["square"], first);
    assert_eq!(view["seats"][1]["player"], "random");
    assert_eq!(view["can"]["interrupt"], true);
    let refused = {
        test.handle(Event::Seat { color: Color::White, player: "emilia@level=61".to_owned(), level: None });
        serde_json::to_value(test.view().message).expect("JSON")
    };
    assert_eq!((&refused["kind"], &refused["what"]), (&"refused".into(), &"player".into()));
    assert!(refused["text"].as_str().is_some_and(|text| text == "emilia@level=61"), "{refused}");
}

#[test]
fn views_of_every_state_are_read_as_they_were_written() {
    let mut test = TestSession::<Board>::with([by_clock("emilia"), None], minutes(5));
    let check = |test: &TestSession<Board>| is_read_as_written(&test.view());
    check(&test);
    test.is_slow = true;
    test.handle(Event::ShowHints { shown: true });
    check(&test);
    let square = test.view().legal_moves[0].square.clone();
    test.play(&square);
    let (number, ..) = test.asked.clone().expect("it is the engine's turn");
    let line = vec!["d6".parse().expect("a square"); 2];
    let value = Some(engine::Estimate::Chance { thousandths: 543 });
    let progress = Progress { depth: 9, nodes: 1 << 60, value, line, ..Progress::default() };
    test.take(number, Reply::Thought { progress: progress.into() });
    check(&test);
    test.take(number, Reply::Failed { reason: "emilia failed: it is tired".to_owned() });
    check(&test);
    test.handle(Event::SetUp(Edit::Begin));
    check(&test);
    let path = PathBuf::from("game.sgf");
    test.take_file("game.sgf", FileResult::Exists { there: vec![path], is_report: true });
    check(&test);
    test.handle(Event::SetUp(Edit::Clear));
    test.handle(Event::SetUp(Edit::Done));
    check(&test);
}

#[test]
fn late_and_foreign_answers_count_for_nothing() {
    let mut test = TestSession::<Board>::new();
    test.take(99, Reply::Chosen { choice: Choice::of("f5".parse().expect("a square")).into() });
    assert_eq!(test.moves(), "");
}
