//! Players, hints and analyses with an opening book.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::books::book_of_replies;
use crate::conversation::Conversation;
use crate::run::{Folder, amount, count, emilia_with_input, json, list, row, rows, well};

/// Replies to f5 with their values for White.
const REPLIES: [(&str, f32); 3] = [("d6", 1.0), ("f6", 0.5), ("f4", -3.0)];

/// A folder with a book of these replies.
fn folder_with_book(test: &str) -> Folder {
    let folder = Folder::new(test);
    book_of_replies(&folder.path("replies.book"), "f5", &REPLIES);
    folder
}

/// The first moves of White in games of two players with the book, with many seeds.
fn replies(folder: &Folder, settings: &str, seeds: u32) -> Vec<String> {
    let player = format!("emilia@book=replies.book,depth=2,hash=1,weights=hand-made{settings}");
    let reply = |seed| {
        let rows = folder.rows(&format!("play --engine {player} --against {player} --seed {seed}"));
        assert_eq!((&rows[0]["nodes"], amount(&rows[0]["value"])), (&0.into(), -1.0), "{}", rows[0]);
        assert_eq!(rows[1]["nodes"], 0, "{}", rows[1]);
        // The third move may be the one that leads out of the book.
        assert!(rows[3]["nodes"].as_u64() > Some(0), "the book is left: {}", rows[3]);
        format!("{:+.2}", amount(&rows[1]["value"]))
    };
    (0..seeds).map(reply).collect()
}

#[test]
fn a_player_plays_the_best_move_of_the_book_and_randomness_allows_none_that_is_worse() {
    let folder = folder_with_book("book_player");
    assert_eq!(replies(&folder, "", 3), ["+1.00"; 3]);
    let found: BTreeSet<_> = replies(&folder, ",book-randomness=1", 24).into_iter().collect();
    assert_eq!(found, BTreeSet::from(["+0.50".to_owned(), "+1.00".to_owned()]));
}

#[test]
fn hints_show_the_values_of_the_book_in_place_of_those_of_the_search() {
    let folder = folder_with_book("book_hint");
    let hint = "hint f5 --book replies.book --depth 2 --lines 3 --hash 1 --weights hand-made";
    for row in folder.rows(hint) {
        let expected = REPLIES.iter().find(|(name, _)| row["move"] == *name).expect("a reply").1;
        assert_eq!((amount(&row["value"]), &row["origin"]), (f64::from(expected), &"book".into()), "{row}");
    }
    let screen = folder.well(hint);
    let rows: Vec<Vec<&str>> = screen.lines().skip(2).map(|line| line.split_whitespace().take(3).collect()).collect();
    assert_eq!(rows[..3], [["book", "d6", "+1.00"], ["book", "f6", "+0.50"], ["book", "f4", "-3.00"]], "{screen}");
}

#[test]
fn an_analysis_marks_the_moves_of_the_book() {
    let folder = folder_with_book("book_analysis");
    let analyze = "analyze f5d6c3d3 --depth 2 --exact 0 --hash 1 --engine emilia@weights=hand-made";
    let screen = folder.well(&format!("{analyze} --book replies.book"));
    // The third move has a value in the book, but leads out of it.
    for (number, in_book) in [(1, true), (2, true), (3, true), (4, false)] {
        let row = screen.lines().find(|line| line.starts_with(&format!("{number:>4} "))).expect("a row");
        assert_eq!(row.contains(" book "), in_book, "{screen}");
    }
    for book in [" --book replies.book", ",book=replies.book"] {
        let game = folder.row(&format!("{analyze}{book}"));
        let in_book: Vec<_> = list(&game["analysis"]).iter().map(|row| &row["in_book"]).collect();
        assert_eq!(in_book, [true, true, false, false]);
    }
}

#[test]
fn an_analysis_takes_the_values_that_the_book_has_better() {
    let folder = folder_with_book("book_analysis_values");
    let judged = |moves: &str, options: &str| {
        let game = folder.row(&format!("analyze {moves} --book replies.book --exact 0 {options}"));
        list(&game["analysis"]).last().expect("a move").clone()
    };
    let by_mover = |reply: &str, depth: u32| {
        let options = format!("--depth {depth} --engine emilia@weights=hand-made,hash=1 --perspective mover");
        judged(&format!("f5{reply}"), &options)
    };
    // The book has searches of 20 plies.
    for (reply, value) in REPLIES {
        let found = by_mover(reply, 2);
        assert_eq!(amount(&found["played"]["value"]), f64::from(value), "{found}");
        assert_eq!((amount(&found["best"]["value"]), &found["best"]["move"]), (1.0, &"d6".into()), "{found}");
        assert_eq!(amount(&found["loss"]), f64::from(1.0 - value), "{found}");
        assert_eq!(amount(&found["book_value"]), f64::from(value), "{found}");
        assert_eq!([&found["depth"], &found["selectivity"]], [20, 73], "{found}");
        assert_eq!([&found["played"]["origin"], &found["best"]["origin"]], ["book"; 2], "{found}");
    }
    // A search that is deeper does not replace the book, whose values come from many searches; a proof would.
    assert_eq!(by_mover("f6", 21)["played"]["origin"], "book");
    assert_eq!(by_mover("f4", 2)["mark"], by_mover("f4", 1)["mark"], "the depth of the search does not matter");
    // A move that is not in the book has the values of the search.
    let outside = judged("f5d6c3", "--depth 2");
    assert_eq!((&outside["in_book"], &outside["book_value"]), (&false.into(), &Value::Null));
    // The best move is that of the book all the same, and no search makes another one better.
    for (square, best, is_best) in [("c7", ["c3", "book"], false), ("c4", ["c4", "search"], true)] {
        let other = judged(&format!("f5d6{square}"), "--depth 2");
        let shown = |key: &str| [other[key]["move"].clone(), other[key]["origin"].clone()];
        assert_eq!(
            (shown("best"), shown("played")),
            (best.map(Value::from), [square, "search"].map(Value::from)),
            "{other}"
        );
        assert_eq!(amount(&other["best"]["value"]), -1.0, "{other}");
        assert_eq!(amount(&other["loss"]) > 0.0, !is_best, "{other}");
    }
    // Another player keeps its own value, with that of the book beside it.
    let iago = judged("f5f4", "--engine iago --depth 2 --perspective mover");
    assert_eq!((amount(&iago["book_value"]), &iago["depth"]), (-3.0, &2.into()), "{iago}");
}

#[test]
fn the_book_is_left_after_the_moves_of_a_setting_and_the_help_says_how_to_switch_it_off() {
    let depths = |settings: &str| {
        let player = format!("emilia@book=shipped,depth=1,hash=1{settings}");
        let rows = rows(&format!("play --engine {player} --against {player} --seed 1"));
        rows[..6].iter().map(|row| count(&row["depth"])).collect::<Vec<_>>()
    };
    // Moves of a book were not searched.
    assert_eq!(depths(""), [0; 6]);
    assert_eq!(depths(",book-depth=3"), [0, 0, 0, 1, 1, 1]);
    let players = rows("engines");
    for name in ["emilia", "keyano", "logistello"] {
        let player = players.iter().find(|player| player["name"] == name).expect("a player");
        let settings = list(&player["settings"]);
        let depth = settings.iter().find(|setting| setting["name"] == "book-depth").expect("the setting");
        assert_eq!(depth["default"], "60");
        assert!(settings.iter().all(|setting| !setting["values"].to_string().contains('|')), "{settings:?}");
    }
    for (command, words) in
        [("play", "book=off"), ("gtp", "book=off"), ("nboard", "book=off"), ("match", "book=shipped")]
    {
        let help = well(&format!("{command} --help")).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("opening book") && help.contains(&format!("emilia@{words}")), "{command}: {help}");
    }
}

/// A game that is over after nine moves.
const SHORT_GAME: [&str; 9] = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];

/// The games that a book has counted at the start.
fn games_counted(folder: &Folder) -> u64 {
    let found = folder.row("book show learned.book start");
    assert_eq!(found["in_book"], true, "{found}");
    count(&found["games"])
}

#[test]
fn a_game_of_a_gtp_host_is_learned_when_it_is_over_and_the_next_one_begins() {
    let folder = Folder::new("book_gtp");
    let path = folder.path("learned.book");
    let colors = ["black", "white"].into_iter().cycle();
    let game: String =
        SHORT_GAME.iter().zip(colors).map(|(square, color)| format!("play {color} {square}\n")).collect();
    let commands = format!("{game}clear_board\nplay black f5\nclear_board\n{game}emilia-learn\nquit\n");
    let said = emilia_with_input(&format!("gtp --hash 1 --engine 'emilia@book={path},book-learning=on'"), commands);
    let said = said.well();
    assert!(!said.contains('?'), "{said}");
    assert!(said.contains("= 0 positions of the game are new in the book"), "{said}");
    // The game that was broken off is not counted, and one that was learned by command is not learned again.
    assert_eq!(games_counted(&folder), 2);
    let checked = folder.well("book check learned.book");
    assert!(checked.contains("everything is right"), "{checked}");
}

#[test]
fn the_games_of_an_nboard_host_are_learned() {
    let folder = Folder::new("book_nboard");
    let path = folder.path("learned.book");
    let mut host = Conversation::start(&format!("nboard --hash 4 --engine 'emilia@book={path},book-learning=on'"));
    host.send("nboard 2");
    for square in SHORT_GAME {
        host.send(&format!("move {square}"));
    }
    host.send("learn");
    let said = host.until("learned");
    assert!(said.contains(&"status 9 positions of the game are new in the book".to_owned()), "{said:?}");
    host.send("quit");
    assert_eq!(host.exit_code(), Some(0));
    assert_eq!(games_counted(&folder), 1);
}

#[test]
fn a_game_that_is_played_to_its_end_is_learned_once_even_if_both_players_learn() {
    let folder = Folder::new("book_play");
    let path = folder.path("learned.book");
    // Black has the last move, and flips one disc.
    let almost_over = format!("'{}O- X'", "X".repeat(62));
    let player = format!("'emilia@book={path},book-learning=on,depth=2'");
    let game = format!("play --engine {player} --position {almost_over}");
    let said = folder.well(&format!("{game} --against {player} --lines"));
    assert!(said.ends_with("The game was learned: 1 position of the game is new in the book.\n"), "{said}");
    let first = folder.row(&format!("{game} --against {player}"));
    assert_eq!(first["nodes"], 0, "the book is played from");
    // A person who leaves after the game waits until it is learned.
    let said = emilia_with_input(&format!("{game} --lines"), "h8\nquit\n").well();
    assert!(said.contains("The game enters the opening book."), "{said}");
    assert!(said.ends_with("The game was learned: 0 positions of the game are new in the book.\n"), "{said}");
    let found = folder.row(&format!("book show learned.book {almost_over}"));
    assert_eq!((&found["in_book"], &found["games"]), (&true.into(), &3.into()), "{found}");
}

#[test]
fn the_book_that_ships_is_used_by_players_who_play_well_and_shown_in_hints() {
    let first = |level: u32| {
        let rows = rows(&format!("play --engine emilia --against random --hash 1 --level {level}"));
        rows.into_iter().find(|row| row["player"] == "emilia").expect("a move")
    };
    assert_eq!(first(5)["nodes"], 0);
    assert!(first(1)["nodes"].as_u64() > Some(0));
    let known = row("book show shipped f5d6");
    let hint = row("hint f5d6 --depth 2 --lines 1 --hash 1");
    let known = list(&known["moves"]).iter().find(|known| known["move"] == hint["move"]).expect("a move of the book");
    assert_eq!((&hint["value"], &hint["origin"]), (&known["value"], &"book".into()), "{hint}");
    assert_eq!(row("hint f5d6 --depth 2 --lines 1 --hash 1 --book off")["origin"], "search");
}

#[test]
fn a_book_is_verified_by_searching_its_moves_again() {
    let folder = folder_with_book("book_verified");
    let verify = "book verify replies.book --depth 4 --weights hand-made";
    // The best reply is searched, the opening move four times over; with more randomness, all replies.
    let searched =
        |options: &str| folder.rows(&format!("{verify} {options}")).pop().expect("a summary")["moves"].clone();
    assert_eq!([searched("--loss 64"), searched("--loss 64 --randomness 10")], [5, 7]);
    let strict = folder.emilia(&format!("{verify} --loss 0 --randomness 10 --json"));
    let summary = json(strict.stdout.lines().last().expect("a summary"));
    let listed = count(&summary["listed"]);
    assert!(listed > 0 && strict.code == Some(1), "{summary}");
    assert_eq!(strict.stdout.lines().count() as u64, listed + 1);
}
