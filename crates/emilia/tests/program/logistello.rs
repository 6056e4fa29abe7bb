//! `emilia learn program logistello`, and what the program shows of LOGISTELLO.

use std::fs;

use logistello::Tables;

use crate::run::{Folder, emilia, fails, is_misused, json};

#[test]
fn tables_are_made_of_games_and_equal_seeds_give_equal_tables() {
    let folder = Folder::new("learn_logistello");
    let [store, one, two, other] = ["games.store", "one.tables", "two.tables", "other"].map(|name| folder.path(name));
    emilia(&["learn", "play", "--output", &store, "--games", "60", "--depth", "1", "--exact-from", "6"]).well();
    let learn = |output: &str, more: &[&str]| {
        emilia(&[&["learn", "program", "logistello", "--set", "searches=3", "--output", output, &store], more].concat())
            .well()
    };
    let screen = learn(&one, &["--threads", "1"]);
    assert!(screen.contains("discordance in percent") && screen.contains("3x4 corner"), "{screen}");
    learn(&two, &["--threads", "2"]);
    let bytes = fs::read(&one).expect("tables");
    assert!(Tables::from_bytes(&bytes).is_ok() && fs::read(&two).expect("tables") == bytes);
    let rows =
        emilia(&["learn", "program", "logistello", "--set", "searches=3", "--set", "first=40", "--json", &store])
            .well();
    let row = json(rows.lines().last().expect("a number of discs"));
    assert!((0.0..=1.0).contains(&row["discordance"]["logistic"].as_f64().expect("a discordance")), "{row}");
    let measured = |more: &[&str]| {
        emilia(&[&["learn", "program", "logistello", "--set", "searches=3", "--json", &store], more].concat()).well()
    };
    assert_ne!(measured(&["--set", "side-to-move=on"]), measured(&[]));
    is_misused(
        &["learn", "program", "logistello", "--set", "side-to-move", "--output", &one, &store],
        "cannot be used with",
    );
    // What is something else is not overwritten, and what has no games is refused.
    fs::write(&other, "a letter").expect("a file");
    fails(&["learn", "program", "logistello", "--output", &other, &store], "(expected: file of tables)");
    fails(&["learn", "program", "logistello", &other], "is not a store of games");
}

#[test]
fn settings_are_told_and_the_features_shown() {
    let choice = |player: &str| {
        emilia(&["match", player, "random@seed=1", "--games", "2", "--plies", "4", "--depth", "2"]).well()
    };
    choice("logistello@discriminant=fisher,tables=separate,probcut=off,historical=on");
    is_misused(
        &["match", "logistello@discriminant=cubic", "random", "--games", "2"],
        "discriminant cannot be \"cubic\"; expected one of logistic, fisher, quadratic",
    );
    let row = json(&emilia(&["eval", "f5d6c3d3c4f4", "--engine", "logistello", "--json"]).well());
    let parts = row["parts"].as_array().expect("parts");
    for name in ["mobility", "potential mobility", "edge", "diagonal of 4", "2x4 corner", "edge+2X", "3x4 corner"] {
        assert!(parts.iter().any(|part| part["name"] == name), "{name} in {row}");
    }
    assert!((0.0..=1.0).contains(&row["win_probability"].as_f64().expect("a probability")));
}
