//! Events and views as JSON, as a page at the other end of a connection sends and reads them.

use std::path::PathBuf;

use engine::{Choice, Progress};
use othello::{Board, Color, SmallBoard};
use session::{Edit, Event, FileResult, Reply, View};

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

#[test]
fn late_and_foreign_answers_count_for_nothing() {
    let mut sitting = Sitting::<Board>::new();
    sitting.take(99, Reply::Chosen { choice: Choice::of("f5".parse().expect("a square")).into() });
    assert_eq!(sitting.moves(), "");
}
