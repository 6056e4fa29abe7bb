//! `emilia lab` and `emilia learn iago`.

use std::fs;

use crate::run::{Folder, emilia, fails, is_misused, json};

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    let list = emilia(&["lab", "list"]).well();
    assert!(list.lines().any(|line| line.starts_with("iago-1980 ")), "{list}");
    for line in emilia(&["lab", "list", "--json"]).well().lines() {
        let row = json(line);
        assert!(["name", "source", "description"].iter().all(|key| row[*key].is_string()), "{row}");
    }
    is_misused(&["lab", "run", "perpetual-motion"], "some of iago-1980");
    is_misused(&["lab"], "Usage");
}

#[test]
fn all_players_are_compared_with_the_original_iago() {
    let report = json(&emilia(&["lab", "run", "iago-1980", "--quick", "--json"]).well());
    assert_eq!(report["name"], "iago-1980");
    let rows = report["tables"][0]["rows"].as_array().expect("rows");
    let names: Vec<_> = rows.iter().map(|row| row[0].as_str().expect("a name")).collect();
    assert_eq!(names[..2], ["the original itself", "iago@historical=on"]);
    for name in ["emilia@depth=4", "weighted-square@depth=4", "random@depth=4"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn the_edge_table_of_iago_is_made_from_games_again_and_again_the_same() {
    let folder = Folder::new("learn_iago");
    let [store, first, second, text] = ["g.store", "1.tables", "2.tables", "text"].map(|name| folder.path(name));
    emilia(&["learn", "play", "--output", &store, "--games", "20", "--depth", "1", "--exact-from", "2"]).well();
    let said = emilia(&["learn", "iago", "--output", &first, &store]).well();
    assert!(said.contains("positions counted\n") && said.contains("\nOX "), "{said}");
    assert_eq!(emilia(&["learn", "iago", "--output", &second, &store]).well(), said);
    assert_eq!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"));
    emilia(&["learn", "iago", "--output", &second, "--iterations", "1", &store]).well();
    assert_ne!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"));
    fs::write(&text, "something of value").expect("a file");
    fails(&["learn", "iago", "--output", &text, &store], "is no file of tables");
    fails(&["learn", "iago", &first], "");
}
