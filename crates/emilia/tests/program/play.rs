//! `emilia play`.

use crate::run::{Folder, emilia, emilia_with_input, fails, is_misused, json};

#[test]
fn two_engines_play_a_whole_game_that_a_seed_repeats() {
    let arguments = ["play", "--engine", "minimum-disc", "--against", "maximum-disc", "--seed", "1"];
    let screen = emilia(&arguments).well();
    assert!(screen.contains("maximum-disc plays") && screen.contains("minimum-disc plays"), "{screen}");
    assert!(screen.contains(" wins ") || screen.contains("drawn"), "{screen}");
    assert_eq!(emilia(&arguments).well(), screen);
}

#[test]
fn two_engines_give_one_json_object_a_move_and_one_for_the_result() {
    // At its usual depth DESDEMONA would think about this game for minutes.
    for (board, engine) in [("8", "emilia"), ("6", "emilia"), ("4", "emilia"), ("cs221", "desdemona@depth=3")] {
        let players = ["--engine", engine, "--against", "random", "--seed", "5"];
        let rows = emilia(&[&["play", "--board", board, "--json"], &players[..]].concat()).well();
        let rows: Vec<_> = rows.lines().map(json).collect();
        let (result, moves) = rows.split_last().expect("there are rows");
        let played: String = moves.iter().map(|row| row["move"].as_str().expect("a move has a square")).collect();
        assert_eq!(result["moves"], played.as_str());
        // The moves are a game, and its end is the result.
        let shown = json(&emilia(&["show", "--board", board, &played, "--json"]).well());
        assert_eq!((&shown["over"], &shown["score"]), (&true.into(), &result["score"]));
    }
}

#[test]
fn a_person_plays_a_whole_game_from_a_pipe() {
    // Squares that are no legal moves are refused one after the other: typing all 60 in reading order
    // again and again plays the first legal move each time.
    let squares: String =
        ('1'..='8').flat_map(|row| ('a'..='h').map(move |column| format!("{column}{row}\n"))).collect();
    let screen =
        emilia_with_input(&["play", "--engine", "random", "--seed", "2"], squares.repeat(31).as_bytes()).well();
    assert!(
        screen
            .contains("Type analyze to see the mistakes, new for another game, undo to try again, save FILE, or quit."),
        "{screen}"
    );
    assert!(screen.contains("The game is over."), "{screen}");
    assert!(screen.ends_with("Goodbye.\n"));
}

#[test]
fn a_game_is_saved_and_loaded_in_every_format() {
    let folder = Folder::new("play_save");
    for name in ["game.txt", "game.ggf", "game.sgf"] {
        let path = folder.path(name);
        let screen = emilia_with_input(&["play", "--seed", "1"], format!("f5\nsave {path}\n").as_bytes()).well();
        assert!(screen.contains(&format!("Saved as {path}.")), "{screen}");
        let saved = json(&emilia(&["show", &path, "--json"]).well());
        assert_eq!(saved["move_number"], 2);
        let screen = emilia_with_input(&["play", "--seed", "1"], format!("load {path}\nundo\n").as_bytes()).well();
        assert!(screen.contains("Move 2: ") && screen.ends_with("Goodbye.\n"), "{screen}");
    }
    for board in ["6", "4", "cs221"] {
        let path = folder.path(&format!("game-{board}.sgf"));
        let arguments = ["play", "--white", "--board", board, "--seed", "1"];
        assert!(emilia_with_input(&arguments, format!("save {path}\n").as_bytes()).well().contains("Saved as"));
        assert!(emilia_with_input(&arguments, format!("load {path}\n").as_bytes()).well().contains("Move 1: "));
    }
}

#[test]
fn files_that_cannot_be_saved_or_loaded_are_told_and_the_game_goes_on() {
    let folder = Folder::new("play_bad_files");
    let bad = folder.write("bad.txt", "f5f5");
    let typed = format!(
        "save game.doc\nsave {}\nload {}\nload {bad}\nf5\nquit\n",
        folder.path("no/game.txt"),
        folder.path("nothing.sgf")
    );
    let screen = emilia_with_input(&["play", "--seed", "1"], typed.as_bytes()).well();
    for words in ["cannot tell the format of game.doc", "cannot write", "cannot read", "move 2 is illegal", " plays "] {
        assert!(screen.contains(words), "{words} is not in {screen}");
    }
}

#[test]
fn the_side_the_clock_and_the_start_are_chosen() {
    let white = emilia_with_input(&["play", "--white", "--time", "5m+3s", "--seed", "1"], b"quit\n").well();
    assert!(white.contains("Black: emilia") && white.contains("you (5:00)"), "{white}");
    let board = format!("-OX{} X", "-".repeat(61));
    let won = emilia_with_input(&["play", "--position", &board], b"a1\n").well();
    assert!(won.contains("Black wins 64-0; the 61 empty squares count for the winner."), "{won}");
}

#[test]
fn a_game_begins_from_whatever_is_a_position_elsewhere() {
    let folder = Folder::new("play_position");
    let file = folder.write("game.txt", "f5d6c3d3c4\n");
    let ends: Vec<_> = ["tiger", "F5 d6 c3d3c4", &file]
        .into_iter()
        .map(|what| {
            let game =
                ["play", "--position", what, "--engine", "random", "--against", "random", "--seed", "5", "--json"];
            let rows = emilia(&game).well();
            let rows: Vec<_> = rows.lines().map(json).collect();
            // The five moves of the Tiger are part of the game.
            assert_eq!((&rows[0]["number"], &rows[0]["color"]), (&6.into(), &"white".into()), "{what}");
            let moves = rows.last().expect("a result")["moves"].as_str().expect("moves").to_owned();
            assert!(moves.starts_with("f5d6c3d3c4"), "{what}: {moves}");
            // Played again by the rules, the game is over.
            assert_eq!(json(&emilia(&["show", &moves, "--json"]).well())["over"], true, "{what}");
            moves
        })
        .collect();
    assert_eq!((&ends[0], &ends[0]), (&ends[1], &ends[2]));
}

#[test]
fn a_level_is_a_ceiling_under_the_clock_of_the_game_or_of_the_player() {
    // A whole game: under the clock alone it would search deeper than this.
    for (engine, arguments) in [
        ("emilia", &["--level", "2", "--time", "1m"][..]),
        ("emilia@level=2,time=1m", &[]),
        ("emilia@level=2", &["--time", "1m"]),
    ] {
        let game = ["play", "--engine", engine, "--against", "random", "--board", "6", "--seed", "3", "--json"];
        let rows = emilia(&[&game, arguments].concat()).well();
        let rows: Vec<_> = rows.lines().map(json).collect();
        let depths = rows.iter().filter(|row| row["player"] == "emilia" && row["number"].as_u64() < Some(20));
        let depths: Vec<_> = depths.map(|row| row["depth"].as_u64().expect("a depth")).collect();
        assert!(depths.len() > 8 && depths.iter().all(|&depth| depth <= 2), "{engine} {arguments:?}: {depths:?}");
    }
}

#[test]
fn a_saved_game_has_its_clock_and_times_and_is_not_overwritten_unasked() {
    let folder = Folder::new("play_clock");
    let path = folder.path("game.ggf");
    let arguments = ["play", "--level", "2", "--time", "5m+3s", "--seed", "1"];
    let typed = format!("f5\nsave {path}\nsave {path}\nyes\nyes\n");
    let screen = emilia_with_input(&arguments, typed.as_bytes()).well();
    assert!(screen.contains(&format!("{path} already exists. Type yes to overwrite it.")), "{screen}");
    assert!(screen.contains("There is no question to answer."), "{screen}");
    let saved = folder.read("game.ggf");
    assert!(saved.contains("TI[05:00/00:03]") && saved.contains("PW[emilia 2]"), "{saved}");
    let record = records::ggf::parse::<othello::Board>(&saved).expect("a game");
    let [person, engine] = &record.annotations[..] else { panic!("{saved}") };
    assert!(person.time.is_some() && person.evaluation.is_none(), "{saved}");
    assert!(engine.time.is_some() && engine.evaluation.is_some(), "{saved}");
}

#[test]
fn the_line_game_gives_hints_changes_its_opponent_and_analyzes_the_game() {
    let folder = Folder::new("play_lines_analysis");
    let path = folder.path("game.html");
    let squares: String =
        ('1'..='4').flat_map(|row| ('a'..='d').map(move |column| format!("{column}{row}\n"))).collect();
    let typed = format!("hint 4\nopponent minimum-disc\n{}analyze\nreport {path}\n", squares.repeat(8));
    let arguments = ["play", "--board", "4", "--engine", "random", "--seed", "2", "--hash", "1"];
    let screen = emilia_with_input(&arguments, typed.as_bytes()).well();
    assert!(screen.contains(", best; expected "), "{screen}");
    assert!(screen.contains("minimum-disc now plays White.") && screen.contains("minimum-disc plays "), "{screen}");
    assert!(screen.contains("Analyzed with emilia") && screen.contains(" best, "), "{screen}");
    assert!(screen.contains(&format!("The report was written to {path}.")), "{screen}");
    assert!(folder.read("game.html").contains("<svg"));
}

#[test]
fn an_external_program_that_is_missing_is_told_of_before_the_game() {
    let lines = emilia_with_input(&["play", "--engine", "gtp:/no/such/program"], b"f5\n");
    assert_eq!(lines.code, Some(1));
    assert!(lines.stderr.contains("/no/such/program") && !lines.stdout.contains("Your move"), "{}", lines.stderr);
}

#[test]
fn senseless_wishes_are_misuse() {
    is_misused(&["play", "--engine", "deep-thought"], "weighted-square, minimum-disc, maximum-disc, random");
    is_misused(&["play", "--against", ""], "a player has no name");
    let valid = "; expected 0 to 60; below 5 also half levels such as 2.5";
    is_misused(&["play", "--engine", "emilia@level=61"], &format!("unknown level \"61\"{valid}"));
    for level in ["61", "5.5", "2.25", "low"] {
        is_misused(&["play", "--level", level], &format!("unknown level {level:?}{valid}"));
    }
    is_misused(&["play", "--pace", "61"], "expected 0 to 60");
    is_misused(&["play", "--hint-level", "0"], "from 1 to 60");
    is_misused(&["play", "--hint-lines", "10"], "from 1 to 9");
    is_misused(&["play", "--time", "soon"], "\"soon\" is not a time");
    is_misused(&["play", "--black", "--white"], "cannot be used with");
    is_misused(&["play", "--position", "XXXXXXXXXXXXXXXX X"], "the board has 16 squares");
    is_misused(&["play", "--position", "f5f5"], "move 2 is illegal");
    is_misused(&["play", "--position", "tigre"], "(did you mean Tiger?)");
    is_misused(&["play", "--board", "6", "--position", "tiger"], "not a board, file or transcript");
    fails(&["play", "--position", "nothing.sgf"], "cannot read nothing.sgf: No such file or directory");
    is_misused(&["play", "--position", "-"], "--position cannot be standard input");
    is_misused(&["play", "--json"], "--against");
    is_misused(&["play", "--board", "10"], "10");
}

#[test]
fn the_budget_of_their_time_is_for_both_players() {
    let depths = |arguments: &[&str]| {
        let game = ["play", "--level", "4", "--seed", "1", "--json"];
        let rows = emilia(&[&game, arguments].concat()).well();
        let rows: Vec<_> = rows.lines().map(json).collect();
        let of_bill = |row: &&serde_json::Value| row["player"] == "bill3" && row["number"].as_u64() < Some(20);
        rows.iter().filter(of_bill).map(|row| row["depth"].as_u64().expect("a depth")).collect::<Vec<_>>()
    };
    for players in
        [["--engine", "random", "--against", "bill3@plies=2"], ["--engine", "bill3@plies=2", "--against", "random"]]
    {
        let historical = depths(&[&players[..], &["--historical"]].concat());
        assert!(historical.len() > 8 && historical.iter().all(|&depth| depth == 2), "{players:?}: {historical:?}");
        assert!(depths(&players).iter().all(|&depth| depth == 4), "{players:?}");
    }
    is_misused(&["play", "--historical"], "expected one of iago, bill3, bill2");
    is_misused(
        &["play", "--engine", "random", "--against", "emilia", "--historical"],
        "--historical needs a classic program",
    );
}
