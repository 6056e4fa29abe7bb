//! `emilia book build`, `extend` and `learn`: books grow by searches, and nothing that was said to be there is lost.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::run::{Folder, amount, emilia, fails, is_misused, json, start};

/// Searches that take no time.
const QUICK: [&str; 10] = ["--depth", "2", "--exact", "4", "--hash", "1", "--threads", "1", "--weights", "hand-made"];

fn quick<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["book"], arguments, &QUICK[..]].concat()
}

/// The positions of a book as JSON lines.
fn positions(book: &str) -> String {
    emilia(&["book", "export", book, "-", "--to", "json"]).well()
}

#[test]
fn a_book_from_nothing_has_the_best_lines_and_the_same_command_resumes() {
    let folder = Folder::new("book_build");
    let [whole, parts] = ["whole.book", "parts.book"].map(|name| folder.path(name));
    let said = emilia(&quick(&["build", &whole, "--positions", "40"])).well();
    assert!(said.starts_with("40 positions added, ") && said.ends_with("whole.book has 40 positions\n"), "{said}");
    emilia(&["book", "check", &whole]).well();
    emilia(&quick(&["build", &parts, "--positions", "15"])).well();
    let rows = emilia(&quick(&["extend", &parts, "--positions", "40", "--json"])).well();
    assert_eq!(json(rows.lines().last().expect("a row"))["positions"], 40);
    assert_eq!(positions(&parts), positions(&whole));
    assert!(emilia(&quick(&["extend", &parts, "--positions", "40"])).well().starts_with("0 positions added"));
}

#[test]
fn an_extension_ends_when_everything_within_the_error_is_there() {
    let folder = Folder::new("book_extend");
    let path = folder.path("a.book");
    let plan = ["--position", "f5d6c3d3c4", "--empties", "54", "--error", "1", "--total-error", "2"];
    let said = emilia(&[&quick(&["build", &path])[..], &plan].concat()).well();
    assert!(said.ends_with("everything in the plan is in the book\n"), "{said}");
    let root = json(&emilia(&["book", "show", &path, "f5d6c3d3c4", "--json"]).well());
    // What is left out is worse than the error allows.
    let best = amount(&root["value"]);
    for row in root["moves"].as_array().expect("moves").iter().filter(|row| row["to"] == "leaf") {
        assert!(amount(&row["value"]) < best - 0.99, "{row}");
    }
    emilia(&["book", "check", &path]).well();
    let by_loss = ["--by", "expected-loss", "--positions", "60", "--position", "f5d6c3d3c4"];
    emilia(&[&quick(&["extend", &path])[..], &by_loss].concat()).well();
    assert_eq!(positions(&path).lines().count(), 60);
    emilia(&["book", "check", &path]).well();
}

#[test]
fn options_that_make_no_sense_are_misuse() {
    let folder = Folder::new("book_misuse");
    let path = folder.path("a.book");
    is_misused(&quick(&["build", &path, "--by", "expected-loss"]), "expected --positions N or --duration TIME");
    is_misused(&quick(&["build", &path, "--temperature", "1"]), "--temperature needs --by expected-loss");
    is_misused(&quick(&["build", &path, "--position", "f5f5"]), "not a board, file or transcript");
    is_misused(&["book", "build", &path, "--level", "2"], "plays mistakes; expected 5 to 60");
    is_misused(&["book", "build", &path, "--level", "9", "--depth", "3"], "cannot be used with");
    is_misused(&quick(&["learn", &path, "f5x9"]), "not a file or transcript");
    let games = folder.write("games.txt", "f5d6c3\n");
    is_misused(&quick(&["build", &path, &games, "--positions", "9"]), "for building from nothing");
    for option in [&["--plies", "20"][..], &["--from", "sgf"], &["--lenient"]] {
        let build = [&quick(&["build", &path, "--positions", "9"])[..], option].concat();
        is_misused(&build, "are for building from games");
    }
    fails(&quick(&["extend", &path]), "No such file or directory");
    assert!(!std::path::Path::new(&path).exists());
}

#[test]
fn classic_programs_search_for_their_own_books_and_play_from_them() {
    let folder = Folder::new("book_program");
    for program in ["keyano", "logistello"] {
        let path = folder.path(&format!("{program}.book"));
        let build =
            ["book", "build", &path, "--program", program, "--depth", "3", "--positions", "12", "--threads", "2"];
        emilia(&build).well();
        emilia(&["book", "check", &path]).well();
        assert_eq!(positions(&path).lines().count(), 12);
        let player = format!("{program}@book={path},depth=2");
        let game = emilia(&["play", "--engine", &player, "--against", "random", "--json", "--seed", "1"]).well();
        let first = game.lines().map(json).find(|row| row["nodes"].as_u64().is_some()).expect("a move");
        assert_eq!(first["nodes"], 0, "{first}");
        is_misused(&[&build[..5], &["--level", "9"]].concat(), "--level is only for emilia; expected --depth");
        is_misused(&[&build[..5], &["--weights", "shipped"]].concat(), "--weights is only for emilia");
    }
    let values = |program: &str| positions(&folder.path(&format!("{program}.book")));
    assert_ne!(values("keyano"), values("logistello"));
    let path = folder.path("other.book");
    is_misused(&["book", "build", &path, "--program", "keyano", "--hash", "4"], "--hash is not for keyano");
    is_misused(&["book", "build", &path, "--program", "iago"], "keyano");
}

/// The first moves of some games, with transpositions.
const GAMES: &str = "f5d6c3d3c4f4\nf5d6c3d3c4b3\nc4e3f4c5d6e6\nf5f6e6f4g6\nd3c5f6f5e6\n";

#[test]
fn every_position_of_a_game_is_learned_and_counted() {
    let folder = Folder::new("book_learn");
    let path = folder.path("a.book");
    let said = emilia(&quick(&["learn", &path, "f5d6c3d3c4"])).well();
    assert!(said.starts_with("1 game learned, 6 positions added, ") && said.ends_with(" has 6 positions\n"), "{said}");
    let said = json(&emilia(&quick(&["learn", &path, "f5d6c3d3c4", "--json"])).well());
    assert_eq!((&said["games"], &said["added"]), (&1.into(), &0.into()));
    for moves in ["start", "f5", "f5d6c3d3c4", "c4e3f6e6f5"] {
        let entry = json(&emilia(&["book", "show", &path, moves, "--json"]).well());
        assert_eq!((&entry["in_book"], &entry["games"]), (&true.into(), &2.into()), "{moves}");
    }
    emilia(&["book", "check", &path]).well();
}

#[test]
fn the_games_of_files_and_stores_are_counted_once_however_often_the_command_runs() {
    let folder = Folder::new("book_games");
    let [path, store] = ["a.book", "games.store"].map(|name| folder.path(name));
    let games = folder.write("games.txt", GAMES);
    let build = quick(&["build", &path, &games, "--plies", "8"]);
    assert!(emilia(&build).well().starts_with("5 games learned, "));
    let before = positions(&path);
    let said = emilia(&build).well();
    assert!(said.starts_with("5 games learned before\n0 games learned, 0 positions added"), "{said}");
    assert_eq!(positions(&path), before);
    assert_eq!(json(&emilia(&["book", "show", &path, "--json"]).well())["games"], 5);
    let options = ["--games", "4", "--depth", "1", "--exact-from", "4", "--weights", "hand-made"];
    emilia(&[&["learn", "play", "--output", &store], &options[..]].concat()).well();
    emilia(&quick(&["build", &path, &store, "--plies", "6"])).well();
    assert_eq!(json(&emilia(&["book", "show", &path, "--json"]).well())["games"], 9);
    emilia(&["book", "check", &path]).well();
}

#[test]
fn games_that_come_later_are_learned_and_those_before_are_not_counted_again() {
    let folder = Folder::new("book_growing");
    let [path, games] = ["a.book", "games"].map(|name| folder.path(name));
    std::fs::create_dir(&games).expect("a folder");
    let (first, rest) = GAMES.split_at(GAMES.find("c4e3").expect("the third game"));
    folder.write("games/1.txt", first);
    let build = quick(&["build", &path, &games]);
    assert!(emilia(&build).well().starts_with("2 games learned, "));
    // A file that has grown, and another one that comes before it; one game occurs twice.
    folder.write("games/1.txt", format!("{first}{rest}"));
    folder.write("games/0.txt", "f5d6c3d3c4f4\n");
    let said = emilia(&build).well();
    assert!(said.starts_with("2 games learned before\n4 games learned, "), "{said}");
    assert_eq!(json(&emilia(&["book", "show", &path, "--json"]).well())["games"], 6);
    assert!(emilia(&build).well().starts_with("6 games learned before\n0 games learned, "));
    emilia(&["book", "check", &path]).well();
}

#[test]
fn an_extension_reports_every_state_of_the_book_once() {
    let folder = Folder::new("book_rows");
    let path = folder.path("a.book");
    for positions in ["1", "7", "12"] {
        let rows = emilia(&quick(&["build", &path, "--positions", positions, "--json"])).well();
        let mut lines: Vec<_> = rows.lines().collect();
        let count = lines.len();
        lines.dedup();
        assert_eq!(lines.len(), count, "{rows}");
        assert_eq!(json(lines[count - 1])["positions"].to_string(), positions);
    }
}

#[test]
fn the_end_of_a_game_is_corrected() {
    // However the game ended, the book has the score of perfect play.
    let folder = Folder::new("book_ending");
    let path = folder.path("a.book");
    let game = emilia(&["play", "--engine", "random", "--against", "random", "--seed", "5", "--json"]);
    let game = json(game.stdout.lines().last().expect("a row"));
    let moves = game["moves"].as_str().expect("moves").to_owned();
    emilia(&["book", "learn", &path, &moves, "--depth", "2", "--exact", "8", "--hash", "1", "--weights", "hand-made"])
        .well();
    let before_end = &moves[..moves.len() - 16];
    let entry = json(&emilia(&["book", "show", &path, before_end, "--json"]).well());
    let solved = json(emilia(&["solve", before_end, "--json", "--hash", "1"]).well().lines().next().expect("a row"));
    assert_eq!(entry["value"], solved["value"]);
    emilia(&["book", "check", &path]).well();
}

#[test]
fn builds_that_are_killed_lose_no_position_and_no_game_that_they_reported() {
    let folder = Folder::new("book_kill");
    let [extended, learned, whole] = ["extended.book", "learned.book", "whole.book"].map(|name| folder.path(name));
    let games = folder.write("games.txt", GAMES);
    emilia(&quick(&["build", &whole, &games])).well();
    emilia(&quick(&["build", &extended, "--positions", "1"])).well();
    for round in 0..10 {
        let extend = quick(&["extend", &extended, "--error", "8", "--total-error", "20", "--json"]);
        for (arguments, key) in [(extend, "positions"), (quick(&["build", &learned, &games, "--json"]), "games")] {
            let mut child = start(&arguments, Stdio::piped());
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
            let read =
                |line: std::io::Result<String>| json(&line.expect("text"))["positions"].as_u64().expect("a number");
            let mut reported = lines.by_ref().take(round % 3).map(read).last().unwrap_or(0);
            std::thread::sleep(Duration::from_millis([0, 5, 20, 60][round % 4]));
            child.kill().expect("the program can be killed");
            child.wait().expect("the program ends");
            reported = lines.map(read).last().unwrap_or(reported);
            let book = if key == "games" { &learned } else { &extended };
            if !std::path::Path::new(book).exists() {
                continue;
            }
            let check = json(&emilia(&["book", "check", book, "--json"]).well());
            assert!(check["positions"].as_u64() >= Some(reported), "{check} of {reported} positions");
        }
    }
    emilia(&quick(&["build", &learned, &games])).well();
    assert_eq!(positions(&learned), positions(&whole));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_extension_and_keeps_what_it_found() {
    let folder = Folder::new("book_interrupt");
    let path = folder.path("a.book");
    let mut child = start(&quick(&["build", &path, "--error", "8", "--total-error", "20", "--json"]), Stdio::piped());
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let begun = lines.by_ref().nth(3).expect("it has begun").expect("text");
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
    // Nothing follows a line that still holds at the end.
    let last = lines.last().map_or(begun, |line| line.expect("text"));
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    assert_eq!(json(&last)["positions"], positions(&path).lines().count());
    emilia(&["book", "check", &path]).well();
}
