//! `emilia puzzle` and `emilia study`: the puzzles of a day, and the mistakes of a game as exercises.

use othello::reference::{Place, ReferenceBoard};
use serde_json::Value;

use crate::run::{PAPER, amount, count, emilia_with_input, list, row, rows, text};

/// The position of a puzzle on the slow board.
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
        best = best.max(-score(&after, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

#[test]
fn the_scores_of_a_days_puzzles_are_those_of_an_independent_solver() {
    for (empties, date) in [("6", "2026-11-19"), ("6", "2027-03-01"), ("8", "2026-11-20")] {
        let rows = rows(&format!("puzzle --empties {empties} --date {date}"));
        assert_eq!(rows.len(), 5);
        for row in rows {
            let board = reference(text(&row["position"]));
            assert_eq!(board.count(b'-').to_string(), empties);
            let name = |(column, row): Place| format!("{}{}", char::from(b'a' + column as u8), row + 1);
            let scored = |place| (name(place), -score(&board.play(place).expect("a legal move"), -64, 64));
            let mut expected: Vec<(String, i32)> = board.moves().into_iter().map(scored).collect();
            let all = list(&row["all_moves"]).iter();
            let mut stated: Vec<_> =
                all.map(|scored| (text(&scored["move"]).to_owned(), amount(&scored["value"]) as i32)).collect();
            expected.sort();
            stated.sort();
            assert_eq!(stated, expected, "{row}");
            let wins: Vec<_> = expected.iter().filter(|(_, score)| *score > 0).collect();
            assert_eq!((wins.len(), text(&row["move"])), (1, wins[0].0.as_str()), "{row}");
        }
    }
}

#[test]
fn a_day_has_the_same_puzzles_again_and_the_next_day_others() {
    // Five a day from the first of 1970; the six days after which they begin again are counted by `date +%s`. The last
    // one is day 20,776, which is 4 days after a beginning.
    for (date, first) in [("1970-01-01", 1), ("1970-01-06", 26), ("1970-01-07", 1), ("2026-11-19", 21)] {
        let rows = rows(&format!("puzzle --date {date}"));
        assert!(rows.iter().all(|row| row["empties"] == 10 && row["count"] == 30 && row["date"] == date));
        assert!(rows.iter().map(|row| count(&row["number"])).eq(first..first + 5), "{date}: {rows:?}");
    }
}

#[test]
fn moves_of_puzzles_are_judged_and_counted_without_a_terminal() {
    let line = "puzzle --date 2026-11-19 --empties 6";
    let rows = rows(line);
    let [first, second, third] = [0, 1, 2].map(|index| text(&rows[index]["move"]));
    let worst = list(&rows[1]["all_moves"]).last().expect("moves");
    let (wrong, lost) = (text(&worst["move"]), -amount(&worst["value"]));
    let input = format!("{first}\n{wrong}\n{second}\nanswer\nnext\n");
    let said = emilia_with_input(line, input).well();
    for words in [
        "Puzzle 1 of 5 for 2026-11-19, 6 empty squares. One move wins for ",
        &format!("Right: {first} wins by {}", amount(&rows[0]["value"])),
        &format!("Wrong: {wrong} loses by {lost}; expected {wrong}"),
        &format!("Right: {second} wins by "),
        &format!("{third} wins by {}", rows[2]["value"]["discs"]),
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    assert!(said.ends_with("1 of 5 exercises solved at the first try, 1 after other tries.\n"), "{said}");
}

/// The first game of the final of 1980, analyzed quickly: the ending is solved exactly all the same.
fn game() -> String {
    format!("{PAPER} --game 6 --level 1 --hash 16")
}

#[test]
fn the_mistakes_are_those_of_the_analysis_and_the_worst_comes_first() {
    let study = |options: &str| rows(&format!("study {} {options}", game()));
    let analysis = row(&format!("analyze {}", game()));
    let marked: Vec<&Value> = list(&analysis["analysis"]).iter().filter(|row| !row["mark"].is_null()).collect();
    let mistakes = study("");
    assert_eq!(mistakes.len(), marked.len());
    for mistake in &mistakes {
        let same = marked.iter().find(|marked| marked["number"] == mistake["number"]).expect("an analyzed move");
        assert_eq!((&mistake["played"]["move"], &mistake["loss"]), (&same["played"]["move"], &same["loss"]));
    }
    assert!(mistakes.is_sorted_by(|one, next| amount(&one["loss"]) >= amount(&next["loss"])), "{mistakes:?}");
    // Move 46, b2 in place of g7, cost 28 discs: so the paper says.
    let known = mistakes.iter().find(|row| row["number"] == 46).expect("the mistake of the paper");
    assert_eq!([&known["played"]["move"], &known["best"]["move"]], ["b2", "g7"]);
    assert_eq!(amount(&known["loss"]), 28.0);
    let of_sides = ["black", "white"].map(|side| {
        let rows = study(&format!("--side {side}"));
        assert!(rows.iter().all(|row| row["color"] == side), "{side}");
        rows.len()
    });
    assert_eq!(of_sides[0] + of_sides[1], mistakes.len());
}

#[test]
fn each_mistake_is_a_request_for_a_better_move() {
    let rows = rows(&format!("study {}", game()));
    let place = rows.iter().position(|row| row["number"] == 46).expect("the mistake of the paper");
    let color = if rows[place]["color"] == "black" { "Black" } else { "White" };
    let input = format!("{}b2\ng7\nquit\n", "next\n".repeat(place));
    let said = emilia_with_input(&format!("study {}", game()), input).well();
    let (number, all) = (place + 1, rows.len());
    for words in [
        "Analyzed with emilia, level 1; exact from 20 empties.",
        &format!("Mistake {number} of {all}: with move 46, {color} played b2 and lost 28 discs. Find a better move."),
        "Wrong: b2 loses by 30, 28 discs less than the best move; expected b2",
        "Right: g7 loses by 2; expected g7",
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    let counted = format!("0 of {all} exercises solved at the first try, 1 after other tries.\n");
    assert!(said.ends_with(&counted), "{said}");
}
