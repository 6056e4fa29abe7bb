//! `emilia hint`.

use serde_json::json as object;

use crate::run::{amount, list, number, row, rows, text, well};

fn hint(options: &str) -> String {
    well(&format!("hint {options} --hash 4"))
}

#[test]
fn the_best_moves_come_with_depth_value_and_line() {
    let screen = hint("f5d6c3d3c4 --depth 6 --lines 4 --book off");
    let mut lines = screen.lines();
    assert_eq!(lines.next(), Some("White to move, 55 empty squares"));
    assert!(lines.next().expect("a header").contains("depth"));
    assert_eq!(screen.matches(" 6@100%  ").count(), 4, "{screen}");
    assert!(screen.lines().last().expect("a total").ends_with(" M nodes/s"));
}

#[test]
fn the_values_fall_and_the_lines_are_playable() {
    let rows = rows("hint f5d6c3d3c4 --level 5 --lines 20 --book off --hash 4");
    let values: Vec<_> = rows.iter().map(|row| amount(&row["value"])).collect();
    let chances: Vec<_> = rows.iter().map(|row| number(&row["win_probability"])).collect();
    for falling in [&values, &chances] {
        assert!(falling.is_sorted_by(|before, after| before >= after), "{falling:?}");
    }
    assert!(chances.iter().zip(&values).all(|(chance, value)| (*chance > 0.5) == (*value > 0.0)));
    assert_eq!(rows.len(), list(&row("show f5d6c3d3c4")["legal_moves"]).len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!((&row["rank"], &row["depth"]), (&(index + 1).into(), &5.into()));
        assert_eq!(row["value"]["kind"], "discs");
        well(&format!("show f5d6c3d3c4{}", text(&row["line"])));
    }
}

#[test]
fn the_end_is_proven_and_agrees_with_solve() {
    let board = "'XXXXXXX-XXXXXXO-XXXOOOOOXXOXOXOOXXXOXOOOXXOXXXOOXOOOOOO-OOOOOO-- X'";
    let hinted = row(&format!("hint {board} --lines 1 --hash 4"));
    assert_eq!([&hinted["selectivity"], &hinted["depth"]], [100, 5]);
    assert_eq!(hinted["value"]["kind"], "solved");
    assert_eq!(hinted["value"], row(&format!("solve {board} --hash 1"))["value"]);
    assert_eq!(number(&hinted["win_probability"]), (1.0 + amount(&hinted["value"]).signum()) / 2.0);
    let screen = hint(&format!("{board} --level 60"));
    assert!(screen.contains("   exact  "), "{screen}");
}

#[test]
fn a_probability_of_winning_is_shown_where_it_was_measured() {
    let screen = hint("f5d6c3 --depth 3");
    assert!(screen.contains("wins") && screen.contains("%  "), "{screen}");
    for options in ["start --board 6 --depth 3", "f5 --depth 3 --weights hand-made"] {
        assert!(!hint(options).contains("wins"), "{options}");
        let row = row(&format!("hint {options} --lines 1 --hash 4"));
        assert!(row["win_probability"].is_null() && row["value"]["kind"] == "discs", "{row}");
    }
    // A proven score is won, drawn or lost on every board.
    let row = row("hint start --board 4 --level 60 --lines 1 --hash 4");
    assert_eq!((&row["value"]["kind"], number(&row["win_probability"])), (&"solved".into(), 0.0));
}

#[test]
fn moves_that_are_the_same_by_symmetry_share_a_line() {
    for (options, origin) in [("start --depth 4", "book"), ("start --depth 4 --book off", "search")] {
        let screen = hint(options);
        let lines: Vec<_> = screen.lines().skip(2).collect();
        assert!(lines.len() == 2 && lines[0].contains("  d3 (c4 f5 e6)  "), "{screen}");
        let rows = rows(&format!("hint {options} --hash 4"));
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["symmetric_moves"], object!(["c4", "f5", "e6"]));
        assert_eq!(rows[0]["origin"], origin);
    }
    let others = rows("hint f5d6c3d3c4 --depth 2 --hash 4");
    assert!(others.iter().all(|row| row["symmetric_moves"] == object!([])), "{others:?}");
}
