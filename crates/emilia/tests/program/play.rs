//! `emilia play`.

use crate::run::{Folder, count, emilia_with_input, finish, row, rows, text, well};

/// Plays lines of input in the folder of a test; the output.
#[track_caller]
fn typed(folder: &Folder, options: &str, input: &str) -> String {
    finish(&mut folder.command(&format!("play {options}")), input.as_bytes()).well()
}

#[test]
fn two_engines_play_a_whole_game_that_a_seed_repeats() {
    let line = "play --engine minimum-disc --against maximum-disc --seed 1";
    let screen = well(line);
    assert!(screen.contains("maximum-disc plays") && screen.contains("minimum-disc plays"), "{screen}");
    assert!(screen.contains(" wins ") || screen.contains("drawn"), "{screen}");
    assert_eq!(well(line), screen);
}

#[test]
fn two_engines_give_one_json_object_a_move_and_one_for_the_result() {
    // At its default depth DESDEMONA would think about this game for minutes.
    for (board, engine) in [("8", "emilia"), ("6", "emilia"), ("4", "emilia"), ("cs221", "desdemona@depth=3")] {
        let rows = rows(&format!("play --board {board} --engine {engine} --against random --seed 5"));
        let (result, moves) = rows.split_last().expect("there are rows");
        let played: String = moves.iter().map(|row| text(&row["move"])).collect();
        assert_eq!(result["moves"], played);
        // The moves are a game, and its end is the result.
        let shown = row(&format!("show --board {board} {played}"));
        assert_eq!((&shown["over"], &shown["score"]), (&true.into(), &result["score"]));
    }
}

/// The squares of a board in reading order, a line each.
fn squares(rows: std::ops::RangeInclusive<char>, columns: std::ops::RangeInclusive<char>) -> String {
    rows.flat_map(|row| columns.clone().map(move |column| format!("{column}{row}\n"))).collect()
}

#[test]
fn a_person_plays_a_whole_game_from_a_pipe() {
    // Squares that are not legal moves are refused one after the other: typing all 60 in reading order
    // again and again plays the first legal move each time.
    let input = squares('1'..='8', 'a'..='h').repeat(31);
    let screen = emilia_with_input("play --engine random --seed 2", input).well();
    for words in [
        "Type analyze to see the mistakes, new for another game, undo to try again, save FILE, or quit.",
        "The game is over.",
    ] {
        assert!(screen.contains(words), "{screen}");
    }
    assert!(screen.ends_with("Goodbye.\n"));
}

#[test]
fn a_game_is_saved_and_loaded_in_every_format() {
    let folder = Folder::new("play_save");
    for name in ["game.txt", "game.ggf", "game.sgf"] {
        let screen = typed(&folder, "--seed 1", &format!("f5\nsave {name}\n"));
        assert!(screen.contains(&format!("Saved as {name}.")), "{screen}");
        assert_eq!(folder.row(&format!("show {name}"))["move_number"], 2);
        let screen = typed(&folder, "--seed 1", &format!("load {name}\nundo\n"));
        assert!(screen.contains("Move 2: ") && screen.ends_with("Goodbye.\n"), "{screen}");
    }
    for board in ["6", "4", "cs221"] {
        let options = format!("--white --board {board} --seed 1");
        assert!(typed(&folder, &options, &format!("save {board}.sgf\n")).contains("Saved as"));
        assert!(typed(&folder, &options, &format!("load {board}.sgf\n")).contains("Move 1: "));
    }
    // A file that cannot be saved or loaded is reported, and the game continues.
    folder.write("bad.txt", "f5f5");
    let input = "save game.doc\nsave no/game.txt\nload nothing.sgf\nload bad.txt\nf5\nquit\n";
    let screen = typed(&folder, "--seed 1", input);
    for words in ["cannot tell the format of game.doc", "cannot write", "cannot read", "move 2 is illegal", " plays "] {
        assert!(screen.contains(words), "{words} is not in {screen}");
    }
}

#[test]
fn the_side_the_clock_and_the_start_are_chosen() {
    let white = emilia_with_input("play --white --time 5m+3s --seed 1", "quit\n").well();
    assert!(white.contains("Black: emilia") && white.contains("you (5:00)"), "{white}");
    let won = emilia_with_input(&format!("play --position '-OX{} X'", "-".repeat(61)), "a1\n").well();
    assert!(won.contains("Black wins 64-0; the 61 empty squares count for the winner."), "{won}");
    // A name, a transcript or a file.
    let folder = Folder::new("play_position");
    folder.write("game.txt", "f5d6c3d3c4\n");
    let ends = ["tiger", "'F5 d6 c3d3c4'", "game.txt"].map(|position| {
        let rows = folder.rows(&format!("play --position {position} --engine random --against random --seed 5"));
        // The five moves of the Tiger are part of the game.
        assert_eq!((&rows[0]["number"], &rows[0]["color"]), (&6.into(), &"white".into()), "{position}");
        let moves = text(&rows.last().expect("a result")["moves"]).to_owned();
        assert!(moves.starts_with("f5d6c3d3c4"), "{position}: {moves}");
        // Played again by the rules, the game is over.
        assert_eq!(row(&format!("show {moves}"))["over"], true, "{position}");
        moves
    });
    assert_eq!((&ends[0], &ends[0]), (&ends[1], &ends[2]));
}

/// The depths of the moves of a player before move 20.
fn depths(line: &str, player: &str) -> Vec<u64> {
    let rows = rows(line);
    let own = rows.iter().filter(|row| row["player"] == player && row["number"].as_u64() < Some(20));
    own.map(|row| count(&row["depth"])).collect()
}

#[test]
fn a_level_is_a_maximum_under_the_clock_of_the_game_or_of_the_player() {
    // A whole game: under the clock alone it would search deeper than this.
    for options in ["emilia --level 2 --time 1m", "emilia@level=2,time=1m", "emilia@level=2 --time 1m"] {
        let depths = depths(&format!("play --against random --board 6 --seed 3 --engine {options}"), "emilia");
        assert!(depths.len() > 8 && depths.iter().all(|&depth| depth <= 2), "{options}: {depths:?}");
    }
    // The budget of their time is for both players.
    for players in ["--engine random --against bill3@plies=2", "--engine bill3@plies=2 --against random"] {
        let line = format!("play --level 4 --seed 1 {players}");
        let historical = depths(&format!("{line} --historical"), "bill3");
        assert!(historical.len() > 8 && historical.iter().all(|&depth| depth == 2), "{players}: {historical:?}");
        assert!(depths(&line, "bill3").iter().all(|&depth| depth == 4), "{players}");
    }
}

#[test]
fn a_saved_game_has_its_clock_and_times_and_is_not_overwritten_without_a_request() {
    let folder = Folder::new("play_clock");
    let input = "f5\nsave game.ggf\nsave game.ggf\nyes\nyes\n";
    let screen = typed(&folder, "--level 2 --time 5m+3s --seed 1", input);
    assert!(screen.contains("game.ggf already exists. Type yes to overwrite it."), "{screen}");
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
    let squares = squares('1'..='4', 'a'..='d').repeat(8);
    let input = format!("hint 4\nopponent minimum-disc\n{squares}analyze\nreport game.html\n");
    let screen = typed(&folder, "--board 4 --engine random --seed 2 --hash 1", &input);
    for words in [
        ", best; expected ",
        "minimum-disc now plays White.",
        "minimum-disc plays ",
        "Analyzed with emilia",
        " best, ",
        "The report was written to game.html.",
    ] {
        assert!(screen.contains(words), "{words} is not in {screen}");
    }
    assert!(folder.read("game.html").contains("<svg"));
}
