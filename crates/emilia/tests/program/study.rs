//! `emilia study`: the mistakes of a game as exercises.

use serde_json::Value;

use crate::run::{amount, emilia, emilia_with_input, is_misused, json};

const PAPER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf");

/// The first game of the final of 1980, analyzed quickly: the ending is solved exactly all the same.
const GAME: [&str; 7] = [PAPER, "--game", "6", "--level", "1", "--hash", "16"];

fn study(arguments: &[&str]) -> Vec<Value> {
    emilia(&[&["study", "--json"], &GAME[..], arguments].concat()).well().lines().map(json).collect()
}

#[test]
fn the_mistakes_are_those_of_the_analysis_and_the_worst_comes_first() {
    let analysis = json(&emilia(&[&["analyze", "--json"], &GAME[..]].concat()).well());
    let marked: Vec<&Value> =
        analysis["analysis"].as_array().expect("moves").iter().filter(|row| !row["mark"].is_null()).collect();
    let rows = study(&[]);
    assert_eq!(rows.len(), marked.len());
    for row in &rows {
        let same = marked.iter().find(|marked| marked["number"] == row["number"]).expect("an analyzed move");
        assert_eq!((&row["played"]["move"], &row["loss"]), (&same["played"]["move"], &same["loss"]));
    }
    let losses: Vec<f64> = rows.iter().map(|row| amount(&row["loss"])).collect();
    assert!(losses.windows(2).all(|pair| pair[0] >= pair[1]), "{losses:?}");
    // Move 46, b2 in place of g7, cost 28 discs: so the paper says.
    let known = rows.iter().find(|row| row["number"] == 46).expect("the mistake of the paper");
    assert_eq!((known["played"]["move"].as_str(), known["best"]["move"].as_str()), (Some("b2"), Some("g7")));
    assert_eq!(amount(&known["loss"]), 28.0);
    let sides = ["black", "white"].map(|side| study(&["--side", side]));
    for (side, rows) in ["black", "white"].iter().zip(&sides) {
        assert!(rows.iter().all(|row| row["color"] == *side), "{side}");
    }
    assert_eq!(sides[0].len() + sides[1].len(), rows.len());
}

#[test]
fn a_better_move_is_asked_at_each_mistake() {
    let rows = study(&[]);
    let place = rows.iter().position(|row| row["number"] == 46).expect("the mistake of the paper");
    let color = if rows[place]["color"] == "black" { "Black" } else { "White" };
    let input = format!("{}b2\ng7\nquit\n", "next\n".repeat(place));
    let said = emilia_with_input(&[&["study"], &GAME[..]].concat(), input.as_bytes()).well();
    let asked = format!(
        "Mistake {} of {}: with move 46, {color} played b2 and lost 28 discs. Find a better move.",
        place + 1,
        rows.len()
    );
    assert!(said.contains("Analyzed with emilia, level 1; exact from 20 empties."), "{said}");
    assert!(said.contains(&asked), "{asked} is not in {said}");
    assert!(said.contains("Wrong: b2 loses by 30, 28 discs less than the best move; expected b2"), "{said}");
    assert!(said.contains("Right: g7 loses by 2; expected g7"), "{said}");
    let count = format!("0 of {} exercises solved at the first try, 1 after other tries.\n", rows.len());
    assert!(said.ends_with(&count), "{said}");
}

#[test]
fn what_cannot_be_studied_is_said() {
    is_misused(&["study", "start"], "no moves to study");
    is_misused(&["study", "-"], "the game cannot be standard input");
    is_misused(&["study", "f5d6", "--side", "red"], "expected black, white or both");
    let quiet = emilia(&["study", "f5d6", "--level", "1", "--hash", "16"]).well();
    assert_eq!(quiet, "There are no mistakes to learn from.\n");
}
