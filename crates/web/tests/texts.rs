//! The texts of the page, in both languages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn texts(language: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("page/strings/{language}.js"));
    let file = fs::read_to_string(path).expect("the texts");
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
