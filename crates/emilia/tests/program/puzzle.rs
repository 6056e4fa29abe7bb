//! `emilia puzzle`: the puzzles of a day.

use othello::reference::{Place, ReferenceBoard};
use serde_json::Value;

use crate::run::{emilia, emilia_with_input, is_misused, json};

fn puzzles(arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["puzzle", "--json"], arguments].concat();
    emilia(&arguments).well().lines().map(json).collect()
}

/// The position of a puzzle as the slow rules have it.
fn reference(position: &str) -> ReferenceBoard {
    let mut board = ReferenceBoard::start("8x8").expect("a board");
    let (cells, turn) = position.split_once(' ').expect("a side");
    assert_eq!((cells.len(), board.turn()), (64, b'X'));
    let places: Vec<Place> = board.places().collect();
    // The slow board begins with Black; the colors of a puzzle for White are exchanged.
    let swapped = |cell: u8| match (turn, cell) {
        ("O", b'X') => b'O',
        ("O", b'O') => b'X',
        (_, cell) => cell,
    };
    for (place, cell) in places.into_iter().zip(cells.bytes()) {
        board.put(place, swapped(cell));
    }
    board
}

/// The score for the side to move under best play, by the slow rules and plain alpha-beta.
fn score(board: &ReferenceBoard, alpha: i32, beta: i32) -> i32 {
    if board.is_over() {
        return board.final_score();
    }
    if board.must_pass() {
        return -score(&board.pass(), -beta, -alpha);
    }
    let mut best = -65;
    for place in board.moves() {
        let after = board.play(place).expect("a legal move");
        let value = -score(&after, -beta, -alpha.max(best));
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}

fn name((column, row): Place) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

#[test]
fn the_scores_of_a_days_puzzles_are_those_of_an_independent_solver() {
    for (empties, date) in [("6", "2026-11-19"), ("6", "2027-03-01"), ("8", "2026-11-20")] {
        let rows = puzzles(&["--empties", empties, "--date", date]);
        assert_eq!(rows.len(), 5);
        for row in rows {
            let board = reference(row["position"].as_str().expect("a position"));
            assert_eq!(board.count(b'-').to_string(), empties);
            let mut expected: Vec<(String, i64)> = Vec::new();
            for place in board.moves() {
                let after = board.play(place).expect("a legal move");
                expected.push((name(place), i64::from(-score(&after, -64, 64))));
            }
            let all = row["all_moves"].as_array().expect("moves");
            assert_eq!(all.len(), expected.len(), "{row}");
            for scored in all {
                let stated = (scored["move"].as_str().expect("a move").to_owned(), scored["value"]["discs"].as_i64());
                assert!(expected.iter().any(|(square, score)| stated == (square.clone(), Some(*score))), "{row}");
            }
            let wins: Vec<_> = expected.iter().filter(|(_, score)| *score > 0).collect();
            assert_eq!((wins.len(), row["move"].as_str()), (1, Some(wins[0].0.as_str())), "{row}");
        }
    }
}

#[test]
fn a_day_has_the_same_puzzles_again_and_the_next_day_others() {
    let numbers = |date: &str| -> Vec<u64> {
        let rows = puzzles(&["--date", date]);
        assert!(rows.iter().all(|row| row["empties"] == 10 && row["count"] == 30 && row["date"] == date));
        rows.iter().map(|row| row["number"].as_u64().expect("a number")).collect()
    };
    // Five a day from the first of 1970; the six days after which they begin again are counted by `date +%s`.
    assert_eq!(numbers("1970-01-01"), [1, 2, 3, 4, 5]);
    assert_eq!(numbers("1970-01-06"), [26, 27, 28, 29, 30]);
    assert_eq!(numbers("1970-01-07"), [1, 2, 3, 4, 5]);
    // Day 20,776, which is 4 days after a beginning.
    assert_eq!(numbers("2026-11-19"), [21, 22, 23, 24, 25]);
    is_misused(&["puzzle", "--date", "2026-02-30"], "not a day from 1970 on: \"2026-02-30\"");
    is_misused(&["puzzle", "--date", "1969-12-31"], "expected one such as 2026-11-19");
    is_misused(&["puzzle", "--empties", "0"], "not a number from 1 to 60");
}

#[test]
fn moves_are_asked_judged_and_counted_without_a_terminal() {
    let day = ["--date", "2026-11-19", "--empties", "6"];
    let rows = puzzles(&day);
    let [first, second] = [0, 1].map(|index| rows[index]["move"].as_str().expect("a move").to_owned());
    let worst = rows[1]["all_moves"].as_array().and_then(|all| all.last()).expect("moves").clone();
    let wrong = worst["move"].as_str().expect("a move").to_owned();
    let lost = -worst["value"]["discs"].as_i64().expect("a score");
    let said = emilia_with_input(
        &[&["puzzle"][..], &day].concat(),
        format!("{first}\n{wrong}\n{second}\nanswer\nnext\n").as_bytes(),
    )
    .well();
    assert!(said.contains("Puzzle 1 of 5 for 2026-11-19, 6 empty squares. One move wins for "), "{said}");
    let won = rows[0]["value"]["discs"].as_i64().expect("a score");
    assert!(said.contains(&format!("Right: {first} wins by {won}")), "{said}");
    assert!(said.contains(&format!("Wrong: {wrong} loses by {lost}; expected {wrong}")), "{said}");
    assert!(said.contains(&format!("Right: {second} wins by ")), "{said}");
    let third = rows[2]["move"].as_str().expect("a move");
    assert!(said.contains(&format!("{third} wins by {}", rows[2]["value"]["discs"])), "{said}");
    assert!(said.ends_with("1 of 5 exercises solved at the first try, 1 after other tries.\n"), "{said}");
}
