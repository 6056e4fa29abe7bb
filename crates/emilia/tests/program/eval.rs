//! `emilia eval`.

use crate::run::{amount, emilia, is_misused, json};

#[test]
fn the_value_is_the_sum_of_its_parts() {
    for arguments in [&["f5d6c3d3c4f4"][..], &["start", "--board", "6"], &["b1", "--board", "4"]] {
        let row = json(&emilia(&[&["eval"], arguments, &["--json"]].concat()).well());
        let parts = row["parts"].as_array().expect("parts");
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a value")).sum();
        let value = amount(&row["value"]);
        assert!((sum - value).abs() < 0.01, "{arguments:?}: {sum} is not {value}");
        assert!(parts.iter().any(|part| part["name"] == "mobility"));
        // It was measured on the usual board alone.
        assert_eq!(row["win_probability"].is_null(), arguments.contains(&"--board"), "{arguments:?}");
        if let Some(chance) = row["win_probability"].as_f64() {
            assert!(chance > 0.0 && chance < 1.0 && (chance > 0.5) == (value > 0.0), "{chance} at {value}");
        }
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
    assert_eq!((&row["value"], &row["over"]), (&serde_json::json!({ "kind": "solved", "discs": -64 }), &true.into()));
    assert_eq!(row["win_probability"].as_f64(), Some(0.0));
    for engine in ["emilia", "iago", "bill2", "bill3", "keyano", "logistello", "desdemona"] {
        let screen = emilia(&["eval", &over, "--engine", engine]).well();
        let expected = "The game is over: Black wins 64-0, 54 empty squares\nscore     -64  0% to win\n";
        assert_eq!(screen, expected, "{engine}");
        let row = json(&emilia(&["eval", &over, "--engine", engine, "--json"]).well());
        assert_eq!(
            (&row["value"], &row["over"]),
            (&serde_json::json!({ "kind": "solved", "discs": -64 }), &true.into()),
            "{engine}"
        );
    }
}

#[test]
fn the_weights_can_be_chosen() {
    let value = |weights: &str| {
        let row = json(&emilia(&["eval", "f5d6c3d3c4f4", "--weights", weights, "--json"]).well());
        (amount(&row["value"]), row["win_probability"].is_null())
    };
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/weights.bin.zst");
    assert_eq!(value(shipped), value("shipped"));
    let (hand_made, is_unknown) = value("hand-made");
    assert!(is_unknown && hand_made != value("shipped").0);
    is_misused(&["eval", "start", "--engine", "iago", "--weights", "hand-made"], "iago has no weights");
    is_misused(&["eval", "start", "--board", "6", "--weights", shipped], "the 6x6 board has no learned weights");
}

#[test]
fn a_value_that_is_not_the_sum_of_what_is_printed_is_marked() {
    for engine in ["iago", "bill2", "keyano", "logistello", "desdemona"] {
        for game in ["f5", "f5d6c3d3c4f4", "f5d6c3d3c4f4f6f3e6e7", "f5f6e6f4e3c5c4e7"] {
            let row = json(&emilia(&["eval", game, "--engine", engine, "--json"]).well());
            let parts = row["parts"].as_array().expect("parts");
            let product = |part: &serde_json::Value| Some(part["value"].as_f64()? * part["weight"].as_f64()?);
            let sum: f64 = parts.iter().filter_map(product).sum();
            let value = row["total"].as_f64().expect("a value");
            let screen = emilia(&["eval", game, "--engine", engine]).well();
            let is_marked = screen.lines().last().expect("a line").contains("(rounded)");
            assert!(is_marked || (sum - value).abs() < 0.06, "{engine} {game}: {sum} {value}");
            assert!(!is_marked || sum != value, "{engine} {game}: {sum}");
        }
    }
}

#[test]
fn names_of_parts_have_no_blanks_before_them() {
    let row = json(&emilia(&["eval", "f5d6c3", "--engine", "iago", "--json"]).well());
    let parts = row["parts"].as_array().expect("parts");
    let details = parts.iter().filter(|part| part["detail"] == true).count();
    assert!(details > 4 && parts.len() - details == 4, "{parts:?}");
    assert!(parts.iter().all(|part| part["name"].as_str().is_some_and(|name| name.trim() == name)), "{parts:?}");
    let screen = emilia(&["eval", "f5d6c3", "--engine", "iago"]).well();
    assert!(screen.contains("\n  frontier discs "), "{screen}");
}

#[test]
fn a_program_of_the_literature_shows_its_own_parts() {
    let row = json(&emilia(&["eval", "f5d6c3d3c4f4", "--engine", "iago", "--json"]).well());
    let parts = row["parts"].as_array().expect("parts");
    let names: Vec<_> = parts.iter().map(|part| part["name"].as_str().expect("a name")).collect();
    assert!(names.len() >= 4 && names.iter().any(|name| name.to_lowercase().contains("mobility")), "{names:?}");
    let screen = emilia(&["eval", "f5d6c3d3c4f4", "--engine", "iago"]).well();
    assert!(screen.starts_with("Black to move, 54 empty squares, evaluated by iago\n"), "{screen}");
    is_misused(&["eval", "start", "--engine", "random"], "random has no evaluation to show");
    is_misused(&["eval", "start", "--engine", "hal"], "no engine \"hal\"");
}

#[test]
fn what_is_no_position_is_misuse() {
    is_misused(&["eval"], "BOARD|GAME|FILE");
    is_misused(&["eval", "f5f5"], "move 2 is illegal");
    is_misused(&["eval", "start", "--board", "cs221"], "cs221");
}
