//! `emilia book build`, `extend` and `learn`: books grow by searches, and nothing that was reported is lost.

use crate::run::{Folder, amount, count, json, list, row, text};

/// Limits of quick searches.
const LIMITS: &str = "--depth 2 --exact 4 --hash 1 --threads 1 --weights hand-made";

/// The positions of a book as JSON lines.
fn positions(folder: &Folder, book: &str) -> String {
    folder.well(&format!("book export {book} - --to json"))
}

/// Runs `emilia book` with quick searches.
#[track_caller]
fn quick(folder: &Folder, line: &str) -> String {
    folder.well(&format!("book {line} {LIMITS}"))
}

/// The number of games of the start.
fn games(folder: &Folder) -> u64 {
    count(&folder.row("book show a.book")["games"])
}

#[test]
fn a_book_from_nothing_has_the_best_lines_and_the_same_command_resumes() {
    let folder = Folder::new("book_build");
    let said = quick(&folder, "build whole.book --positions 40");
    assert!(said.starts_with("40 positions added, ") && said.ends_with("whole.book has 40 positions\n"), "{said}");
    folder.well("book check whole.book");
    quick(&folder, "build parts.book --positions 15");
    let rows = folder.rows(&format!("book extend parts.book --positions 40 {LIMITS}"));
    assert_eq!(rows.last().expect("a row")["positions"], 40);
    assert_eq!(positions(&folder, "parts.book"), positions(&folder, "whole.book"));
    assert!(quick(&folder, "extend parts.book --positions 40").starts_with("0 positions added"));
}

#[test]
fn an_extension_ends_when_everything_within_the_error_is_there() {
    let folder = Folder::new("book_extend");
    let said = quick(&folder, "build a.book --position f5d6c3d3c4 --empties 54 --error 1 --total-error 2");
    assert!(said.ends_with("everything in the plan is in the book\n"), "{said}");
    let root = folder.row("book show a.book f5d6c3d3c4");
    // Moves that are left out are worse than the error allows.
    for leaf in list(&root["moves"]).iter().filter(|shown| shown["to"] == "leaf") {
        assert!(amount(&leaf["value"]) < amount(&root["value"]) - 0.99, "{leaf}");
    }
    folder.well("book check a.book");
    quick(&folder, "extend a.book --by expected-loss --positions 60 --position f5d6c3d3c4");
    assert_eq!(positions(&folder, "a.book").lines().count(), 60);
    folder.well("book check a.book");
}

#[test]
fn classic_programs_search_for_their_own_books_and_play_from_them() {
    let folder = Folder::new("book_program");
    for program in ["keyano", "logistello"] {
        folder.well(&format!("book build {program}.book --program {program} --depth 3 --positions 12 --threads 2"));
        folder.well(&format!("book check {program}.book"));
        assert_eq!(positions(&folder, &format!("{program}.book")).lines().count(), 12);
        let player = format!("{program}@book={program}.book,depth=2");
        let moves = folder.rows(&format!("play --engine {player} --against random --seed 1"));
        assert_eq!(moves.iter().find_map(|row| row["nodes"].as_u64()), Some(0), "{moves:?}");
    }
    assert_ne!(positions(&folder, "keyano.book"), positions(&folder, "logistello.book"));
}

/// The first moves of some games, with transpositions.
const GAMES: &str = "f5d6c3d3c4f4\nf5d6c3d3c4b3\nc4e3f4c5d6e6\nf5f6e6f4g6\nd3c5f6f5e6\n";

#[test]
fn every_position_of_a_game_is_learned_and_counted() {
    let folder = Folder::new("book_learn");
    let said = quick(&folder, "learn a.book f5d6c3d3c4");
    assert!(said.starts_with("1 game learned, 6 positions added, ") && said.ends_with(" has 6 positions\n"), "{said}");
    let said = folder.row(&format!("book learn a.book f5d6c3d3c4 {LIMITS}"));
    assert_eq!([&said["games"], &said["added"]], [1, 0]);
    for moves in ["start", "f5", "f5d6c3d3c4", "c4e3f6e6f5"] {
        let entry = folder.row(&format!("book show a.book {moves}"));
        assert_eq!((&entry["in_book"], &entry["games"]), (&true.into(), &2.into()), "{moves}");
    }
    folder.well("book check a.book");
}

#[test]
fn the_games_of_files_and_stores_are_counted_once_however_often_the_command_runs() {
    let folder = Folder::new("book_games");
    folder.write("games.txt", GAMES);
    let build = "build a.book games.txt --plies 8";
    assert!(quick(&folder, build).starts_with("5 games learned, "));
    let before = positions(&folder, "a.book");
    let said = quick(&folder, build);
    assert!(said.starts_with("5 games learned before\n0 games learned, 0 positions added"), "{said}");
    assert_eq!(positions(&folder, "a.book"), before);
    assert_eq!(games(&folder), 5);
    folder.well("learn play --output games.store --games 4 --depth 1 --exact-from 4 --weights hand-made");
    quick(&folder, "build a.book games.store --plies 6");
    assert_eq!(games(&folder), 9);
    folder.well("book check a.book");
}

#[test]
fn games_that_come_later_are_learned_and_those_before_are_not_counted_again() {
    let folder = Folder::new("book_growing");
    let (first, rest) = GAMES.split_at(GAMES.find("c4e3").expect("the third game"));
    folder.write("games/1.txt", first);
    let build = || quick(&folder, "build a.book games");
    assert!(build().starts_with("2 games learned, "));
    // A file that has grown, and another one that comes before it; one game occurs twice.
    folder.write("games/1.txt", format!("{first}{rest}"));
    folder.write("games/0.txt", "f5d6c3d3c4f4\n");
    let said = build();
    assert!(said.starts_with("2 games learned before\n4 games learned, "), "{said}");
    assert_eq!(games(&folder), 6);
    assert!(build().starts_with("6 games learned before\n0 games learned, "));
    folder.well("book check a.book");
}

#[test]
fn an_extension_reports_every_state_of_the_book_once() {
    let folder = Folder::new("book_rows");
    for positions in [1, 7, 12] {
        let mut rows = folder.rows(&format!("book build a.book --positions {positions} {LIMITS}"));
        let number = rows.len();
        rows.dedup();
        assert_eq!(rows.len(), number, "{rows:?}");
        assert_eq!(rows[number - 1]["positions"], positions);
    }
}

#[test]
fn the_end_of_a_game_is_corrected() {
    // However the game ended, the book has the score of perfect play.
    let folder = Folder::new("book_ending");
    let game = folder.rows("play --engine random --against random --seed 5");
    let moves = text(&game.last().expect("a row")["moves"]);
    folder.well(&format!("book learn a.book {moves} --depth 2 --exact 8 --hash 1 --weights hand-made"));
    let before_end = &moves[..moves.len() - 16];
    let entry = folder.row(&format!("book show a.book {before_end}"));
    assert_eq!(entry["value"], row(&format!("solve {before_end} --hash 1"))["value"]);
    folder.well("book check a.book");
}

#[test]
fn builds_that_are_killed_lose_no_position_and_no_game_that_they_reported() {
    let folder = Folder::new("book_kill");
    folder.write("games.txt", GAMES);
    quick(&folder, "build whole.book games.txt");
    quick(&folder, "build extended.book --positions 1");
    for round in 0..10 {
        for (book, command) in [
            ("extended.book", "extend extended.book --error 8 --total-error 20"),
            ("learned.book", "build learned.book games.txt"),
        ] {
            let line = format!("book {command} {LIMITS} --json");
            let printed = folder.kill(&line, round % 3, [0, 5, 20, 60][round % 4]);
            let reported = printed.last().map_or(0, |row| count(&row["positions"]));
            if folder.has(book) {
                let check = folder.row(&format!("book check {book}"));
                assert!(check["positions"].as_u64() >= Some(reported), "{check} of {reported} positions");
            }
        }
    }
    quick(&folder, "build learned.book games.txt");
    assert_eq!(positions(&folder, "learned.book"), positions(&folder, "whole.book"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_extension_and_keeps_what_it_found() {
    let folder = Folder::new("book_interrupt");
    let mut started = folder.start(&format!("book build a.book --error 8 --total-error 20 {LIMITS} --json"));
    let begun: Vec<String> = (0..4).map_while(|_| started.line()).collect();
    assert_eq!(begun.len(), 4, "the command ended early");
    started.signal("-INT");
    // Nothing follows a line that still holds at the end.
    let rest = started.rest();
    let last = rest.lines().last().unwrap_or(&begun[3]);
    assert_eq!(started.code(), Some(130));
    assert_eq!(json(last)["positions"], positions(&folder, "a.book").lines().count());
    folder.well("book check a.book");
}
