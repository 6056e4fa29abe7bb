//! The examples of docs/page.md are messages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;
use web::message::{Request, Response};

fn examples(heading: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/page.md");
    let text = fs::read_to_string(path).expect("docs/page.md");
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
