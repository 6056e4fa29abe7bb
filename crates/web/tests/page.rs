//! The documentation and the texts of the page: examples are messages, and all texts are in both languages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;
use web::message::{Request, Response};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The JSON examples under a heading of the page.
fn examples(heading: &str) -> Vec<String> {
    let text = read("../../docs/page.md");
    let section = text.split("\n## ").find(|section| section.starts_with(heading)).expect("the heading");
    let parts = section.split("```json\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// All types that a message can have, as its reader lists them.
fn types<T: DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
    let error = serde_json::from_str::<T>(r#"{"type":"?"}"#).expect_err("no such type").to_string();
    let (_, listed) = error.split_once("expected one of ").expect("a list");
    listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn are_messages<T: DeserializeOwned + std::fmt::Debug>(heading: &str) {
    let mut found = BTreeSet::new();
    for example in examples(heading) {
        if let Err(error) = serde_json::from_str::<T>(&example) {
            panic!("{error}: {example}");
        }
        let value: Value = serde_json::from_str(&example).expect("JSON");
        found.insert(value["type"].as_str().expect("a type").to_owned());
    }
    assert_eq!(found, types::<T>(), "{heading}: every type has an example");
}

#[test]
fn every_request_of_the_documentation_is_one() {
    are_messages::<Request>("Requests");
}

#[test]
fn every_response_of_the_documentation_is_one() {
    are_messages::<Response>("Responses");
}

fn texts(language: &str) -> BTreeMap<String, String> {
    let file = read(&format!("page/strings/{language}.js"));
    let pairs = file.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(": "));
    pairs.map(|(key, text)| (key.to_owned(), text.to_owned())).collect()
}

/// Texts whose numbers are decimals, or never one.
const PLURAL_ONLY: [&str; 2] = ["valueDiscs", "gamesListed"];

#[test]
fn a_counted_noun_has_a_singular() {
    let nouns = ["discs", "games", "moves", "plies", "points", "positions", "squares", "empty squares", "workers"];
    let all = texts("en");
    assert!(all.len() > 200, "{}", all.len());
    for (key, text) in all.iter().filter(|(key, _)| !PLURAL_ONLY.contains(&key.as_str())) {
        for noun in nouns {
            assert!(!text.contains(&format!("}} {noun}")), "{key}: {text}; expected {{n|…|{noun}}}");
        }
    }
    assert!(all["nodesInTime"].contains("{n|position|positions}"), "{}", all["nodesInTime"]);
}

#[test]
fn every_text_is_in_both_languages() {
    let (english, japanese) = (texts("en"), texts("ja"));
    for key in english.keys() {
        assert!(japanese.contains_key(key), "{key}");
    }
}
