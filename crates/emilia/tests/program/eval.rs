//! `emilia eval`.

use crate::run::{emilia, is_misused, json};

#[test]
fn the_value_is_the_sum_of_its_parts() {
    for arguments in [&["f5d6c3d3c4f4"][..], &["start", "--board", "6"], &["b1", "--board", "4"]] {
        let row = json(&emilia(&[&["eval"], arguments, &["--json"]].concat()).well());
        let parts = row["parts"].as_array().expect("parts");
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a value")).sum();
        let value = row["value"].as_f64().expect("a value");
        assert!((sum - value).abs() < 0.01, "{arguments:?}: {sum} is not {value}");
        assert!(parts.iter().any(|part| part["name"] == "mobility"));
        let chance = row["win_probability"].as_f64().expect("a chance");
        assert!(chance > 0.0 && chance < 1.0 && (chance > 0.5) == (value > 0.0), "{chance} at {value}");
    }
}

#[test]
fn the_parts_are_named_for_people() {
    let screen = emilia(&["eval", "f5d6c3d3c4"]).well();
    assert!(screen.starts_with("White to move, 55 empty squares\n"), "{screen}");
    assert!(screen.contains("\ncorner and half edge ") && screen.lines().last().expect("a line").starts_with("value "));
    assert!(screen.ends_with("% to win\n"), "{screen}");
}

#[test]
fn a_finished_game_is_worth_its_score() {
    let over = format!("{}{} O", "X".repeat(10), "-".repeat(54));
    let row = json(&emilia(&["eval", &over, "--json"]).well());
    assert_eq!((row["value"].as_f64(), &row["over"]), (Some(-64.0), &true.into()));
    let screen = emilia(&["eval", &over]).well();
    assert_eq!(screen, "Black wins 64-0, 54 empty squares\nvalue  -64.00  0% to win\n");
    assert_eq!(row["win_probability"].as_f64(), Some(0.0));
}

#[test]
fn a_program_of_the_literature_shows_its_own_parts() {
    let row = json(&emilia(&["eval", "f5d6c3d3c4f4", "--engine", "iago", "--json"]).well());
    let parts = row["parts"].as_array().expect("parts");
    let names: Vec<_> = parts.iter().map(|part| part["name"].as_str().expect("a name")).collect();
    assert!(names.len() >= 4 && names.iter().any(|name| name.to_lowercase().contains("mobility")), "{names:?}");
    let screen = emilia(&["eval", "f5d6c3d3c4f4", "--engine", "iago"]).well();
    assert!(screen.starts_with("Black to move, 54 empty squares, as iago sees it\n"), "{screen}");
    is_misused(&["eval", "start", "--engine", "random"], "random has no evaluation to show");
    is_misused(&["eval", "start", "--engine", "hal"], "no engine \"hal\"");
}

#[test]
fn what_is_no_position_is_misuse() {
    is_misused(&["eval"], "BOARD|GAME|FILE");
    is_misused(&["eval", "f5f5"], "move 2 is illegal");
    is_misused(&["eval", "start", "--board", "cs221"], "cs221");
}
