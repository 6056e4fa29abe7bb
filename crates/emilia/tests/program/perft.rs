//! `emilia perft`.

use crate::run::{emilia, is_misused, json};

fn leaves(arguments: &[&str]) -> Vec<u64> {
    let rows = emilia(arguments).well();
    rows.lines().map(|row| json(row)["leaves"].as_u64().expect("leaves are a number")).collect()
}

#[test]
fn counts_are_the_known_ones_in_both_conventions() {
    let known = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];
    assert_eq!(leaves(&["perft", "9", "--json"]), known);
    assert_eq!(leaves(&["perft", "9", "--free-pass", "--json"])[9], 3_005_320);
}

#[test]
fn every_4x4_game_is_counted() {
    // 60,060 games; with passes free all are over after twelve moves.
    assert_eq!(leaves(&["perft", "12", "--board", "4", "--free-pass", "--json"])[12], 60_060);
}

#[test]
fn the_table_for_people_has_a_line_a_depth() {
    let table = emilia(&["perft", "5", "--board", "cs221"]).well();
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows.len(), 7, "{table}");
    assert!(rows[0].ends_with("leaves/s") && rows[2].contains(" 4 "), "{table}");
}

#[test]
fn senseless_depths_and_boards_are_misuse() {
    is_misused(&["perft"], "<N>");
    is_misused(&["perft", "many"], "many");
    is_misused(&["perft", "-1"], "-1");
    is_misused(&["perft", "101"], "101");
    is_misused(&["perft", "3", "--board", "5"], "5");
}
