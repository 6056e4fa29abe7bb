//! `emilia games`.

use crate::run::{Folder, emilia, fails, is_misused, json};

fn game(black: &str, white: &str, event: &str, year: u32, score: i32, moves: &[&str]) -> String {
    let mut text = format!(
        "(;GM[Othello]PC[Here]EV[{event}]DT[{year}]PB[{black}]PW[{white}]RE[{score:+}]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]"
    );
    for (index, square) in moves.iter().enumerate() {
        let color = if index % 2 == 0 { 'B' } else { 'W' };
        text += &format!("{color}[{square}]");
    }
    text + ";)\n"
}

fn database(folder: &Folder) -> String {
    let games = [
        game("Tamenori", "Shaman", "Worlds", 1989, 20, &["F5", "D6", "C3", "D3", "C4"]),
        game("Shaman", "Leader", "Worlds", 1993, -4, &["F5", "F6", "E6"]),
        game("Leader", "Tamenori", "Paris Open", 1990, 0, &["E6", "F4", "C3", "C4", "D3"]),
    ];
    folder.write("games.ggf", games.concat())
}

/// The events and years of the games that a search prints.
fn found(file: &str, options: &[&str]) -> Vec<String> {
    let arguments = [&["games", file, "--json"], options].concat();
    let rows = emilia(&arguments).well();
    rows.lines().map(|row| json(row)["date"].as_str().expect("the games have dates").to_owned()).collect()
}

#[test]
fn games_are_found_by_everything_that_is_known_about_them() {
    let folder = Folder::new("games_found");
    let file = database(&folder);
    assert_eq!(found(&file, &[]), ["1989", "1993", "1990"]);
    assert_eq!(found(&file, &["--player", "tamen"]), ["1989", "1990"]);
    assert_eq!(found(&file, &["--player", "tamenori", "--player", "leader"]), ["1990"]);
    assert_eq!(found(&file, &["--black", "SHAMAN"]), ["1993"]);
    assert_eq!(found(&file, &["--white", "tamenori"]), ["1990"]);
    assert_eq!(found(&file, &["--event", "world"]), ["1989", "1993"]);
    assert_eq!(found(&file, &["--year", "1990-1999"]), ["1993", "1990"]);
    assert_eq!(found(&file, &["--year", "1989"]), ["1989"]);
    assert_eq!(found(&file, &["--score", "-64..-1"]), ["1993"]);
    assert_eq!(found(&file, &["--score", "0"]), ["1990"]);
    assert_eq!(found(&file, &["--limit", "1"]), ["1989"]);
    // The third game is the first one mirrored, with moves three and five exchanged.
    assert_eq!(found(&file, &["--opening", "f5d6c3d3c4"]), ["1989", "1990"]);
    assert_eq!(found(&file, &["--opening", "f5f6"]), ["1993"]);
    assert_eq!(found(&file, &["--opening", "TIGER"]), ["1989", "1990"]);
    assert_eq!(found(&file, &["--opening", "diagonal opening"]), ["1993"]);
    assert_eq!(found(&file, &["--player", "nobody"]), [""; 0]);
}

#[test]
fn the_games_of_the_iago_paper_end_as_its_figures_say() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf");
    let rows = emilia(&["games", file, "--json"]).well();
    let scores: Vec<_> = rows.lines().map(|row| json(row)["score"].as_i64().expect("the games have scores")).collect();
    // 51-13, 21-43, 3-60 with an empty square for the winner, 30-34, 40-24, 44-20 and 21-43.
    assert_eq!(scores, [38, -22, -58, -4, 16, 24, -22]);
    // Figure 3.1: after move 30 THE MOOR has 32 discs to 2.
    let shown = json(&emilia(&["show", file, "--game", "1", "--move", "30", "--json"]).well());
    assert_eq!((&shown["black_discs"], &shown["white_discs"]), (&2.into(), &32.into()));
    // Figure 3.3: from move 54 on Inoue makes six moves in a row.
    for number in 53..59 {
        let shown = json(&emilia(&["show", file, "--game", "2", "--move", &number.to_string(), "--json"]).well());
        assert_eq!(shown["turn"], "white", "after move {number}");
    }
}

#[test]
fn matches_are_printed_counted_or_exported() {
    let folder = Folder::new("games_printed");
    let file = database(&folder);
    let text = emilia(&["games", &file, "--player", "shaman", "--moves"]).well();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[0].starts_with("1989       Tamenori               42-22  Shaman"), "{text}");
    assert_eq!((lines[1].trim(), lines[4]), ("f5d6c3d3c4", "2 games"));
    assert_eq!(emilia(&["games", &file, "--count"]).well(), "3\n");
    assert_eq!(emilia(&["games", &file, "--count", "--json"]).well(), "{\"count\":3}\n");
    // The end of a line is what other commands take to find the game.
    for (index, line) in lines[..4].iter().step_by(2).enumerate() {
        let found =
            json(emilia(&["games", &file, "--player", "shaman", "--json"]).well().lines().nth(index).expect("a row"));
        assert_eq!((&found["file"], &found["number"]), (&file.as_str().into(), &(index + 1).into()));
        let arguments: Vec<_> = line.split_whitespace().rev().take(3).collect();
        let shown = json(&emilia(&["show", arguments[2], arguments[1], arguments[0], "--json"]).well());
        assert_eq!((&shown["moves"], &shown["date"]), (&found["moves"], &found["date"]), "{line}");
    }
    let exported = folder.path("worlds.txt");
    assert_eq!(emilia(&["games", &file, "--event", "worlds", "-o", &exported]).well(), "2 games written\n");
    assert_eq!(folder.read("worlds.txt"), "f5d6c3d3c4\nf5f6e6\n");
    let piped = emilia(&["games", &file, "--year", "1993", "-o", "-", "--to", "transcript"]).well();
    assert_eq!(piped, "f5f6e6\n");
}

#[test]
fn a_game_has_the_number_by_which_other_commands_find_it_also_after_a_bad_record() {
    let folder = Folder::new("games_number");
    folder.write("a.txt", "f5d6\nf5f5\nf5f4\n");
    folder.write("it's b.txt", "f5f6\n");
    let run = emilia(&["games", &folder.path(""), "--json"]);
    for row in run.stdout.lines().map(json) {
        let (file, number) = (row["file"].as_str().expect("a file"), row["number"].to_string());
        let shown = json(&emilia(&["show", file, "--game", &number, "--json"]).well());
        assert_eq!(shown["moves"], row["moves"], "{row}");
    }
    assert_eq!(run.stdout.lines().count(), 3);
    let text = emilia(&["games", &folder.path("")]).stdout;
    assert!(text.contains("a.txt --game 3\n") && text.contains("it'\\''s b.txt' --game 1\n"), "{text}");
}

#[test]
fn a_folder_means_the_games_in_it() {
    let folder = Folder::new("games_folder");
    database(&folder);
    folder.write("more.txt", "f5d6\n");
    folder.write("notes.doc", "not games");
    assert_eq!(emilia(&["games", &folder.path(""), "--count"]).well(), "4\n");
    let empty = Folder::new("games_empty_folder");
    fails(&["games", &empty.path("")], "has no files of games");
}

/// A file that nobody can read, not even the administrator: Linux has one that can only be written.
#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_in_a_folder_is_counted_and_the_others_are_searched() {
    let folder = Folder::new("games_unreadable");
    folder.write("a.txt", "f5d6\n");
    std::os::unix::fs::symlink("/proc/sys/vm/drop_caches", folder.path("b.ggf")).expect("a link");
    folder.write("c.txt", "f5f6\nf5f4\n");
    let run = emilia(&["games", &folder.path("."), "--count"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "3\n"), "{}", run.stderr);
    assert_eq!(run.stderr, "emilia: 1 unreadable file was skipped; --strict shows why\n");
    let strict = emilia(&["games", &folder.path("."), "--count", "--strict"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), "3\n"));
    assert!(strict.stderr.contains("b.ggf: Permission denied"), "{}", strict.stderr);
    let analysis = emilia(&["analyze", &folder.path("."), "--level", "1", "--exact", "0", "--hash", "1", "--json"]);
    assert_eq!(analysis.stdout.lines().count(), 3);
    assert!(analysis.failed(1).contains("1 unreadable file was skipped; the others were analyzed"));
}

#[test]
fn bad_records_are_counted_and_with_strict_explained() {
    let folder = Folder::new("games_bad");
    let file = folder.write("games.txt", "f5d6\nf5f5\n");
    let run = emilia(&["games", &file, "--count"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "1\n"));
    assert_eq!(run.stderr, "emilia: 1 bad record was skipped; --strict shows why\n");
    let strict = emilia(&["games", &file, "--count", "--strict"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), "1\n"));
    assert!(strict.stderr.contains("games.txt, line 2: move 2 is illegal"), "{}", strict.stderr);
}

#[test]
fn senseless_searches_are_misuse_and_missing_files_a_failure() {
    let folder = Folder::new("games_misuse");
    let file = database(&folder);
    is_misused(&["games"], "<FILES>");
    is_misused(&["games", &file, "--year", "then"], "is not a number or a range");
    is_misused(&["games", &file, "--score", "9..3"], "is empty");
    is_misused(&["games", &file, "--opening", "f5x9"], "cannot be played");
    is_misused(&["games", &file, "--opening", "tigr"], "unknown opening \"tigr\" (did you mean Tiger?)");
    is_misused(&["games", &file, "--limit", "-3"], "-3");
    for option in ["--player", "--black", "--white", "--event"] {
        is_misused(&["games", &file, option, "  "], "the name is empty");
    }
    is_misused(&["games", &file, "--output", "games.doc"], "cannot tell the format");
    is_misused(&["games", &file, "--output", &file], "cannot be both read and written");
    is_misused(&["games", &file, "--count", "--output", "x.txt"], "cannot be used with");
    fails(&["games", &folder.path("none.wtb"), "--output", &folder.path("out.txt")], "cannot read");
    fails(&["games", &file, &folder.path("none.wtb"), "--output", &folder.path("out.txt")], "cannot read");
    assert!(!std::path::Path::new(&folder.path("out.txt")).exists());
    let short = emilia(&["games", &folder.write("short.wtb", "Thor?"), "--strict"]).failed(1);
    assert!(short.contains("short.wtb, header: found 5 bytes; expected"), "{short}");
}

#[test]
fn without_a_game_found_the_old_file_stays_and_the_exit_code_is_1() {
    let folder = Folder::new("games_nothing");
    let games = folder.write("games.txt", "f5d6c3\nz9\n");
    let old = folder.write("old.ggf", "KEEP");
    let run = emilia(&["games", &games, "--opening", "f5f6", "--output", &old]);
    let message = run.failed(1);
    assert!(message.ends_with("old.ggf was not written\n"), "{message}");
    assert!(message.contains("no game was found"), "{message}");
    assert_eq!(folder.read("old.ggf"), "KEEP");
    let board = folder.write("board.obf", format!("XO{} O;\n", "-".repeat(62)));
    let old = folder.write("old.txt", "KEEP");
    let message = emilia(&["games", &board, "--output", &old]).failed(1);
    assert!(
        message.contains("1 game that does not fit the output format was skipped; no game was written"),
        "{message}"
    );
    assert_eq!(folder.read("old.txt"), "KEEP");
    assert_eq!(emilia(&["games", &games, "--opening", "f5d6", "--output", &old]).code, Some(0));
    assert_eq!(folder.read("old.txt"), "f5d6c3\n");
}
