//! Texts with the games and errors that are read from them: the files in `data/cases`.
//!
//! A case is a line `== KIND` or `== KIND: TITLE`, the text, a line `=>`, and a line for each result. The kind is a format of
//! records, `any` for the detected one, or what each line is parsed as. `␍` and `␉` stand for a carriage return and a tab.

use std::fmt::{Display, Write as _};
use std::fs;
use std::path::Path;
use std::str::FromStr;

use othello::{Board, Position};
use records::{Date, Format, GameRecord, TimeControl, filter, link, transcript};

#[test]
fn every_text_has_the_results_written_below_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases");
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the cases") {
        let path = file.expect("a file").path();
        let content = fs::read_to_string(&path).expect("a text");
        for case in content.trim_start_matches("== ").split("\n== ") {
            let (head, rest) = case.split_once('\n').expect("a kind");
            let (text, expected) = rest.split_once("\n=>").unwrap_or_else(|| panic!("no results: {case}"));
            let found =
                results(head.split(':').next().unwrap_or_default(), &text.replace('␍', "\r").replace('␉', "\t"));
            assert_eq!(found.trim(), expected.trim(), "{} {case}", path.display());
            count += 1;
        }
    }
    assert!(count >= 99, "{count}");
}

fn results(kind: &str, text: &str) -> String {
    let lines = |parse: fn(&str) -> Result<String, String>| -> Vec<_> { text.lines().map(parse).collect() };
    let results = match kind {
        "detect" => vec![Ok(Format::detect(text.as_bytes()).to_string())],
        "board" => vec![parsed::<Position>(text)],
        "moves" => lines(|line| transcript::parse::<Board>(line).map(|game| link::format(&game)).map_err(message)),
        "link" => lines(|line| link::parse::<Board>(line).map(|game| link::format(&game)).map_err(message)),
        "date" => lines(parsed::<Date>),
        "clock" => lines(parsed::<TimeControl>),
        "range" => lines(|line| filter::parse_range(line).map(|range| format!("{range:?}")).map_err(message)),
        _ => {
            let format = if kind == "any" { Format::detect(text.as_bytes()) } else { kind.parse().expect("a kind") };
            let records = records::read(text.as_bytes(), "FILE", format);
            records.map(|record| record.map(|record| facts(&record)).map_err(message)).collect()
        }
    };
    results.into_iter().map(|result| result.unwrap_or_else(|error| format!("! {error}")) + "\n").collect()
}

fn message(error: impl Display) -> String {
    error.to_string()
}

fn parsed<T: FromStr<Err: Display> + Display>(text: &str) -> Result<String, String> {
    text.parse::<T>().map(|value| value.to_string()).map_err(message)
}

/// The game as a link, or `-` without moves, followed by everything that the record states.
fn facts(record: &GameRecord) -> String {
    let mut facts = match link::format(&record.game) {
        link if link.is_empty() => "-".to_owned(),
        link => link,
    };
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = write!(facts, " {name}={value:?}");
        }
    };
    add("black", Some(record.black.clone()));
    add("white", Some(record.white.clone()));
    add("black-rating", record.black_rating.map(|rating| rating.to_string()));
    add("white-rating", record.white_rating.map(|rating| rating.to_string()));
    add("event", Some(record.event.clone()));
    add("place", Some(record.place.clone()));
    add("date", record.date.map(|date| date.to_string()));
    add("result", record.result.map(|score| score.to_string()));
    add("ending", record.ending.map(|ending| format!("{ending:?}")));
    add("clock", record.time_control.map(|clock| clock.to_string()));
    add("comment", Some(record.comment.clone()));
    let scores = record.scores.iter().map(|one| format!("{:?}:{}", one.square.map(|at| at.to_string()), one.score));
    add("scores", Some(scores.collect::<Vec<_>>().join(" ")));
    for (ply, note) in record.annotations.iter().enumerate().filter(|(_, note)| !note.is_empty()) {
        add(&format!("ply-{ply}"), Some(format!("{:?} {:?} {}", note.evaluation, note.time, note.comment)));
    }
    facts
}
