//! `emilia hint`.

use crate::run::{Folder, amount, emilia, emilia_with_input, fails, is_misused, json};

const SMALL: [&str; 2] = ["--hash", "4"];

fn hint(arguments: &[&str]) -> String {
    emilia(&[&["hint"], arguments, &SMALL].concat()).well()
}

#[test]
fn the_best_moves_come_with_depth_value_and_line() {
    let screen = hint(&["f5d6c3d3c4", "--depth", "6", "--lines", "4", "--book", "off"]);
    let mut lines = screen.lines();
    assert_eq!(lines.next(), Some("White to move, 55 empty squares"));
    assert!(lines.next().expect("a header").contains("depth"));
    assert_eq!(screen.matches(" 6@100%  ").count(), 4, "{screen}");
    assert!(screen.lines().last().expect("a total").ends_with(" M nodes/s"));
}

#[test]
fn the_values_fall_and_the_lines_are_playable() {
    let rows = hint(&["f5d6c3d3c4", "--level", "5", "--lines", "20", "--json", "--book", "off"]);
    let rows: Vec<_> = rows.lines().map(json).collect();
    let values: Vec<_> = rows.iter().map(|row| amount(&row["value"])).collect();
    assert!(values.is_sorted_by(|before, after| before >= after), "{values:?}");
    let chances: Vec<_> = rows.iter().map(|row| row["win_probability"].as_f64().expect("a chance")).collect();
    assert!(chances.is_sorted_by(|before, after| before >= after), "{chances:?}");
    assert!(chances.iter().zip(&values).all(|(chance, value)| (*chance > 0.5) == (*value > 0.0)));
    let legal = json(&emilia(&["show", "f5d6c3d3c4", "--json"]).well());
    assert_eq!(rows.len(), legal["legal_moves"].as_array().expect("moves").len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!((&row["rank"], &row["depth"]), (&(index + 1).into(), &5.into()));
        assert_eq!(row["value"]["kind"], "discs");
        let game = format!("f5d6c3d3c4{}", row["line"].as_str().expect("a line"));
        emilia(&["show", &game]).well();
    }
}

#[test]
fn the_end_is_proven_and_agrees_with_solve() {
    let board = "XXXXXXX-XXXXXXO-XXXOOOOOXXOXOXOOXXXOXOOOXXOXXXOOXOOOOOO-OOOOOO-- X";
    let row = json(hint(&[board, "--lines", "1", "--json"]).trim_end());
    let solved = json(emilia(&["solve", board, "--json", "--hash", "1"]).well().lines().next().expect("a row"));
    assert_eq!((&row["selectivity"], &row["depth"]), (&100.into(), &5.into()));
    assert_eq!((&row["value"]["kind"], &row["value"]), (&"solved".into(), &solved["value"]));
    let chance = (1.0 + amount(&row["value"]).signum()) / 2.0;
    assert_eq!(row["win_probability"].as_f64(), Some(chance));
    let screen = hint(&[board, "--level", "60"]);
    assert!(screen.contains("   exact  "), "{screen}");
}

#[test]
fn a_chance_to_win_is_shown_where_it_was_measured() {
    let of_usual_board = hint(&["f5d6c3", "--depth", "3"]);
    assert!(of_usual_board.contains("wins") && of_usual_board.contains("%  "), "{of_usual_board}");
    for arguments in [&["start", "--board", "6", "--depth", "3"][..], &["f5", "--depth", "3", "--weights", "hand-made"]]
    {
        assert!(!hint(arguments).contains("wins"), "{arguments:?}");
        let row = json(hint(&[arguments, &["--lines", "1", "--json"]].concat()).trim_end());
        assert!(row["win_probability"].is_null() && row["value"]["kind"] == "discs", "{row}");
    }
    // A proven score is won, drawn or lost on every board.
    let row = json(hint(&["start", "--board", "4", "--level", "60", "--lines", "1", "--json"]).trim_end());
    assert_eq!((&row["value"]["kind"], row["win_probability"].as_f64()), (&"solved".into(), Some(0.0)));
}

#[test]
fn the_weights_can_be_chosen() {
    let value = |weights: &str| {
        let row =
            hint(&["f5d6c3d3c4", "--depth", "4", "--lines", "1", "--json", "--book", "off", "--weights", weights]);
        amount(&json(row.trim_end())["value"])
    };
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/weights.bin.zst");
    assert_eq!(value(shipped), value("shipped"));
    assert_ne!(value("hand-made"), value("shipped"));
    fails(&["hint", "start", "--weights", "/nowhere/at/all"], "cannot read /nowhere/at/all");
}

#[test]
fn every_limit_is_taken() {
    for limit in [["--level", "3"], ["--level", "2.5"], ["--depth", "4"], ["--nodes", "1000"], ["--move-time", "20ms"]]
    {
        let screen = hint(&[&["f5"][..], &limit].concat());
        assert!(screen.starts_with("White to move, 59 empty squares\n"), "{limit:?}: {screen}");
    }
    let screen = hint(&["f5", "--depth", "12", "--selectivity", "87", "--lines", "1", "--book", "off"]);
    assert!(screen.contains("12@87%"), "{screen}");
}

#[test]
fn small_boards_and_games_on_file_have_hints_too() {
    assert!(hint(&["start", "--board", "6", "--depth", "4"]).starts_with("Black to move, 32 empty squares\n"));
    let screen = hint(&["start", "--board", "4"]);
    assert!(screen.contains("   exact  ") && screen.contains("    -10    0%  "), "{screen}");
    let folder = Folder::new("hint_file");
    let path = folder.write("game.txt", "f5d6c3d3c4\n");
    assert!(hint(&[&path, "--move", "2", "--depth", "2"]).starts_with("Black to move, 58 empty squares\n"));
}

#[test]
fn passes_and_the_end_are_told() {
    let pass = format!("XO{} O", "-".repeat(62));
    let screen = hint(&[&pass]);
    assert!(screen.starts_with("White has no legal move and passes.\nBlack to move, 62 empty squares\n"), "{screen}");
    assert!(screen.contains("  c1    +64.00   99%  c1\n"), "{screen}");
    let over = format!("{}{} X", "X".repeat(10), "-".repeat(54));
    assert_eq!(hint(&[&over]), "Black wins 64-0.\n");
    fails(&["hint", &over, "--json"], "the game is over");
}

#[test]
fn senseless_wishes_are_misuse() {
    is_misused(&["hint"], "BOARD|GAME|FILE");
    is_misused(&["hint", "f5f5"], "move 2 is illegal");
    is_misused(&["hint", "f5", "--level", "61"], "61");
    is_misused(&["hint", "f5", "--depth", "0"], "0");
    is_misused(&["hint", "f5", "--move-time", "soon"], "\"soon\" is not a time");
    is_misused(&["hint", "f5", "--lines", "0"], "0");
    is_misused(&["hint", "f5", "--selectivity", "101"], "101");
    is_misused(&["hint", "f5", "--selectivity", "50"], "; expected 73, 87, 95, 98, 99, 100");
    is_misused(&["hint", "f5d6", "--game", "2"], "--game needs a file");
    is_misused(&["hint", "start", "--board", "cs221"], "cs221");
    is_misused(&["hint", "f5", "--move", "2"], "the game has no move 2; expected 0 to 1");
}

#[test]
fn nothing_is_shown_of_the_way_without_a_terminal() {
    let run = emilia_with_input(&["hint", "f5", "--level", "8", "--hash", "4"], b"");
    assert_eq!(run.stderr, "");
}

#[test]
fn moves_that_are_the_same_by_symmetry_share_a_line() {
    for arguments in [&["start", "--depth", "4"][..], &["start", "--depth", "4", "--book", "off"]] {
        let screen = hint(arguments);
        let rows: Vec<_> = screen.lines().skip(2).collect();
        assert!(rows.len() == 2 && rows[0].contains("  d3 (c4 f5 e6)  "), "{screen}");
        let json_rows = hint(&[arguments, &["--json"]].concat());
        let rows: Vec<_> = json_rows.lines().map(json).collect();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["symmetric_moves"], serde_json::json!(["c4", "f5", "e6"]));
        let origin = if arguments.contains(&"off") { "search" } else { "book" };
        assert_eq!(rows[0]["origin"], origin);
    }
    let other = hint(&["f5d6c3d3c4", "--depth", "2", "--json"]);
    assert!(other.lines().all(|row| json(row)["symmetric_moves"] == serde_json::json!([])), "{other}");
}
