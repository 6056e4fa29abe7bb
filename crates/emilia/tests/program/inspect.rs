//! `emilia learn problems`, `emilia learn inspect` and `emilia learn winning`.

use records::obf::Problem;
use search::negamax;
use serde_json::Value;

use crate::run::{Folder, amount, count, number, rows, text};

const HELD_OUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/bench/held-out.obf");

/// A folder with a store of quick games.
#[track_caller]
fn folder_with_games(test: &str, games: u32) -> Folder {
    let folder = Folder::new(test);
    let recipe = "--depth 2 --exact-from 8 --random-moves 5%";
    folder.well(&format!("learn play --output games.store {recipe} --games {games}"));
    folder
}

fn problems_in(text: &str) -> Vec<Problem> {
    text.lines().map(|line| line.parse().expect("a problem")).collect()
}

#[test]
fn problems_have_the_scores_and_best_moves_of_plain_negamax_and_can_be_added_to() {
    let folder = folder_with_games("learn_problems", 600);
    let problems = "learn problems --empties 7-9 games.store --output";
    let said = folder.well(&format!("{problems} problems.obf --count 10"));
    assert!(said.contains(" has 10 problems; 10 solved now"), "{said}");
    let few = folder.read("problems.obf");
    assert_eq!(folder.rows(&format!("{problems} problems.obf --count 25 --threads 3")).len(), 15);
    let many = folder.read("problems.obf");
    assert!(many.starts_with(&few));
    let number =
        |problem: &Problem| problem.comment.strip_prefix("game ").and_then(|number| number.parse::<u64>().ok());
    for problem in problems_in(&many) {
        let board = problem.position.board;
        assert!((7..=9).contains(&board.empty_count()));
        let mut best = negamax::move_scores(&board);
        let score = best.iter().map(|(_, score)| *score).max().expect("a move");
        best.retain(|(_, found)| *found == score);
        let named = problem.scores.iter().map(|named| (named.square.expect("a move"), named.score));
        assert!(named.eq(best), "{problem}");
        // One game in twenty is held out.
        assert_eq!(number(&problem).map(|number| number % 20), Some(0));
    }
    let foreign = "this problem does not follow from the same games and options";
    folder.fails(&format!("{problems} problems.obf --count 25 --seed 2"), foreign);
    folder.fails("learn problems --output no.obf games.store", "expected at least 1000");
    // Of the first 200 games ten are held out.
    folder.fails(&format!("{problems} early.obf --first 200 --count 11"), "have 10 such positions");
    folder.well(&format!("{problems} early.obf --first 200 --count 10"));
    assert!(problems_in(&folder.read("early.obf")).iter().all(|problem| number(problem).expect("a number") < 200));
}

#[test]
fn a_solver_killed_again_and_again_loses_no_problem_that_it_reported() {
    let folder = folder_with_games("learn_problems_killed", 1200);
    let line = "learn problems --empties 13-14 --count 50 --json games.store --output";
    folder.well(&format!("{line} whole.obf"));
    let expected = folder.read("whole.obf");
    let killed = format!("{line} killed.obf");
    let mut reported = 0;
    for round in 0..10 {
        let printed = folder.kill(&killed, round % 3, [0, 4, 9][round % 3]);
        reported = printed.last().map_or(reported, |row| count(&row["problem"]));
        if folder.has("killed.obf") {
            let found = folder.read("killed.obf");
            assert!(expected.starts_with(&found));
            assert!(found.matches('\n').count() as u64 >= reported);
        }
    }
    assert!(reported > 0);
    folder.emilia(&killed).done();
    assert_eq!(folder.read("killed.obf"), expected);
}

#[test]
fn searches_of_problems_are_compared_with_their_scores() {
    let folder = folder_with_games("learn_inspect_problems", 400);
    folder.well("learn problems --output problems.obf --empties 8 --count 15 games.store");
    let inspect = "learn inspect --problems problems.obf --depth 1,8";
    let table = folder.well(inspect);
    let rows = folder.rows(&format!("{inspect} --threads 3"));
    assert_eq!(rows.len(), 15 * 2 + 2);
    // The summary of depth 1 from the rows of its problems.
    let of_depth_1: Vec<_> = rows[..30].iter().filter(|row| row["depth"] == 1).collect();
    let stated = |row: &Value| number(&row["stated"]);
    let error = |row: &Value| {
        let error = number(&row["error"]);
        // The value is printed in hundredths of a disc.
        assert!((error - (amount(&row["value"]) - stated(row))).abs() <= 0.005 + 1e-9, "{row}");
        error
    };
    let summary = &rows[30];
    let is_near = |key: &str, expected: f64| (number(&summary[key]) - expected).abs() < 1e-9;
    assert!(is_near("mean_absolute", of_depth_1.iter().map(|row| error(row).abs()).sum::<f64>() / 15.0));
    let square = of_depth_1.iter().map(|row| error(row).powi(2)).sum::<f64>() / 15.0;
    assert!(is_near("root_mean_square", square.sqrt()));
    let (lost, won) = (rows[31]["lost"].to_string(), rows[31]["won"].to_string());
    assert_eq!(
        table.lines().last().expect("a line").split_whitespace().collect::<Vec<_>>(),
        ["8", "15", "100.0%", "0.00", "0.00", "+0.00", &lost, "(+0.00)", &won, "(+0.00)"]
    );
    for (key, sign) in [("lost", -1.0), ("won", 1.0)] {
        let decided: Vec<_> = of_depth_1.iter().filter(|row| sign * stated(row) > 20.0).collect();
        assert!(!decided.is_empty(), "no position is {key}");
        assert_eq!(summary[key], decided.len());
        let bias = decided.iter().map(|row| error(row)).sum::<f64>() / decided.len() as f64;
        assert!(is_near(&format!("{key}_bias"), bias));
    }
    assert_eq!(summary["agreeing"], of_depth_1.iter().filter(|row| row["is_best"] == true).count());
    for (row, problem) in of_depth_1.iter().zip(problems_in(&folder.read("problems.obf"))) {
        let is_move = |square: othello::Square| square.to_string() == text(&row["move"]);
        let is_named = problem.scores.iter().any(|named| named.square.is_some_and(is_move));
        assert_eq!(row["is_best"], is_named);
    }
    assert_eq!(folder.well(&format!("{inspect} --verbose")).lines().count(), 1 + 30 + 3);
}

#[test]
fn the_shipped_weights_fit_the_positions_that_ship() {
    assert_eq!(problems_in(&std::fs::read_to_string(HELD_OUT).expect("the problems")).len(), 1000);
    let rows = rows(&format!("learn inspect --problems '{HELD_OUT}' --depth 1"));
    let error = number(&rows.last().expect("a summary")["mean_absolute"]);
    // Five discs are the limit for the evaluation; the hand-made one is beyond it.
    assert!(error < 5.0, "{error}");
}

#[test]
fn weights_are_inspected_on_held_out_games() {
    let folder = folder_with_games("learn_inspect", 600);
    folder.well("learn train --output weights.bin --steps 2 games.store");
    let inspect = "learn inspect --weights weights.bin games.store";
    let table = folder.well(&format!("{inspect} --plots plots"));
    assert!(table.contains("discordance") && table.contains("\na1b1c1a2b2c2a3b3c3 "), "{table}");
    assert_eq!(table.matches("    often ").count(), 3 * 13);
    for name in ["error_by_phase.svg", "values_and_scores.svg", "winning.svg"] {
        let svg = folder.read(&format!("plots/{name}"));
        assert!(svg.starts_with("<svg xmlns") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
    }
    let rows = folder.rows(&format!("{inspect} --examples 1"));
    assert_eq!(rows.len(), 30 + 15);
    // The errors are those that the training of the same games showed.
    for trained in folder.rows("learn train --output again.bin --steps 2 games.store") {
        let phase = count(&trained["phase"]);
        let row = &rows[phase as usize];
        assert_eq!(row["held_out"], trained["held_out"]);
        for name in ["root_mean_square", "mean_absolute"] {
            // Weights of a file are rounded, and values end at 63 discs.
            assert!((number(&row[name]) - number(&trained[name])).abs() < 0.35, "{name} of {row}: {trained}");
        }
        // Thirty games say little about their beginnings, but their ends are plain.
        let limit = if phase < 26 { 1.0 } else { 0.35 };
        assert!(row["discordance"].as_f64().is_none_or(|share| (0.0..=limit).contains(&share)), "{row}");
    }
}

#[test]
fn the_probability_of_winning_is_a_source_file_that_names_its_command() {
    let folder = folder_with_games("learn_winning", 400);
    folder.emilia("learn winning --output winning_scales.rs --held-out 2 games.store").done();
    let source = folder.read("winning_scales.rs");
    assert!(source.contains("Made by `emilia learn winning --held-out 2 games.store`."), "{source}");
    let numbers = source.split_once("= [").expect("a list").1;
    let scales: Vec<f64> = numbers.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    assert_eq!(scales.len(), 30);
    assert!(scales.iter().all(|scale| (0.04..=100.0).contains(scale)), "{scales:?}");
    // The end of a game is surer than its middle.
    assert!(scales[28] < scales[14], "{scales:?}");
}

#[cfg(unix)]
#[test]
fn a_comparison_that_is_interrupted_shows_its_results_so_far() {
    use std::process::Stdio;

    use crate::run::{Started, command};

    let line = format!("learn inspect --problems '{HELD_OUT}' --depth 8 --threads 1 --verbose");
    let mut started = Started::new(command(&line).stderr(Stdio::piped()));
    // The head of the table and a problem.
    let first = [started.line(), started.line()].map(Option::unwrap_or_default);
    assert!(first[1].trim_start().starts_with("1 "), "{first:?}");
    started.signal("-TERM");
    let rest = started.rest();
    let messages = started.messages();
    assert_eq!(started.code(), Some(143));
    for words in [" of 1000 problems searched so far", "interrupted"] {
        assert!(messages.contains(words), "{messages}");
    }
    assert!(rest.lines().any(|line| line.trim_start().starts_with("depth  problems")), "{rest}");
}
