//! Players, hints and analyses with an opening book.

use std::collections::BTreeSet;
use std::path::Path;

use book::{Book, Effort, Finding};
use evaluation::Value;
use othello::{Board, Rules};
use search::Selectivity;

use crate::conversation::Conversation;
use crate::run::{Folder, amount, emilia, emilia_with_input, fails, is_misused, json};

/// Moves and what they are worth after f5: all four are in the book.
const REPLIES: [(&str, f32); 3] = [("d6", 1.0), ("f6", 0.5), ("f4", -3.0)];

/// A book in which White has three replies to f5, each with a position after it.
fn book_of_replies(path: &str) {
    let mut book = Book::create(Path::new(path)).expect("a new book");
    let effort = Effort::new(20, Selectivity::LOWEST);
    let start = Board::start();
    let after = start.play("f5".parse().expect("a square")).expect("a legal move");
    for (reply, value) in REPLIES {
        let board = after.play(reply.parse().expect("a square")).expect("a legal move");
        let best = othello::squares(board.moves()).next().expect("a move");
        book.insert(&board, &Finding::best(best, Value::from_discs(-value), effort)).expect("a position");
    }
    let worst = Finding { leaf: book::Leaf::AtMost(Value::from_discs(-9.0)), effort, solved: None, games: 0 };
    book.insert(&after, &worst).expect("a position");
    book.insert(&start, &Finding { leaf: book::Leaf::AtMost(Value::MIN), ..worst }).expect("a position");
}

/// The first moves of White in games of two players with the book, with many seeds.
fn replies(book: &str, settings: &str, seeds: u32) -> Vec<serde_json::Value> {
    let player = format!("emilia@book={book},depth=2,hash=1,weights=hand-made{settings}");
    let choices = (0..seeds).flat_map(|seed| {
        let arguments = ["play", "--engine", &player, "--against", &player, "--json", "--seed"];
        let game = emilia(&[&arguments[..], &[&seed.to_string()]].concat()).well();
        let rows: Vec<_> = game.lines().map(json).collect();
        assert_eq!((&rows[0]["nodes"], amount(&rows[0]["value"])), (&0.into(), -1.0), "{}", rows[0]);
        // The third move may be the one that leads out of the book.
        assert!(rows[3]["nodes"].as_u64() > Some(0), "the book is left: {}", rows[3]);
        rows.into_iter().nth(1)
    });
    choices.collect()
}

/// What a reply from the book is worth, whichever of the four symmetric moves came before.
fn worth(choice: &serde_json::Value) -> String {
    assert_eq!(choice["nodes"], 0, "{choice}");
    format!("{:+.2}", amount(&choice["value"]))
}

#[test]
fn a_player_plays_the_best_move_of_the_book_and_thinks_when_the_book_ends() {
    let folder = Folder::new("book_player");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    for choice in replies(&path, "", 3) {
        assert_eq!(worth(&choice), "+1.00", "{choice}");
    }
}

#[test]
fn randomness_varies_the_moves_and_allows_none_that_is_worse() {
    let folder = Folder::new("book_randomness");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let found: BTreeSet<_> = replies(&path, ",book-randomness=1", 24).iter().map(worth).collect();
    assert_eq!(found, BTreeSet::from(["+0.50".to_owned(), "+1.00".to_owned()]));
}

#[test]
fn books_that_cannot_be_used_are_refused() {
    let folder = Folder::new("book_player_refused");
    let text = folder.write("notes.book", "precious");
    let play = |settings: &str| {
        let player = format!("emilia@{settings}");
        emilia(&["play", "--engine", &player, "--against", "random", "--json"])
    };
    let said = play(&format!("book={text}")).failed(1);
    assert!(said.contains("notes.book is not a book of Emilia"), "{said}");
    assert!(play("book=none.book").failed(1).contains("cannot read none.book: No such file or directory"));
    assert!(play("book-randomness=many").failed(2).contains("book-randomness cannot be \"many\""));
    let small = ["play", "--board", "6", "--engine", "emilia@book=x", "--against", "random", "--json"];
    assert!(emilia(&small).failed(2).contains("books are for the 8x8 board"));
    is_misused(&["hint", "start", "--board", "6", "--book", "x"], "books are for the 8x8 board");
    fails(&["hint", "f5", "--book", &text], "is not a book of Emilia");
    fails(&["analyze", "f5d6", "--book", &text], "is not a book of Emilia");
    fails(&["serve", "--address", "127.0.0.1:0", "--book", &text], "is not a book of Emilia");
    let off = play("book=off,depth=1,hash=1,weights=hand-made");
    assert_eq!(off.code, Some(0), "{}", off.stderr);
}

#[test]
fn hints_show_the_values_of_the_book_in_place_of_those_of_the_search() {
    let folder = Folder::new("book_hint");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let hint = ["hint", "f5", "--book", &path, "--depth", "2", "--lines", "3", "--hash", "1", "--weights", "hand-made"];
    let rows = emilia(&[&hint[..], &["--json"]].concat()).well();
    for row in rows.lines().map(json) {
        let expected = REPLIES.iter().find(|(name, _)| row["move"] == *name).expect("a reply").1;
        assert_eq!((amount(&row["value"]), &row["origin"]), (f64::from(expected), &"book".into()), "{row}");
    }
    let screen = emilia(&hint).well();
    let rows: Vec<Vec<&str>> = screen.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    let shown: Vec<_> = rows[..3].iter().map(|row| &row[..3]).collect();
    assert_eq!(shown, [["book", "d6", "+1.00"], ["book", "f6", "+0.50"], ["book", "f4", "-3.00"]], "{screen}");
}

#[test]
fn an_analysis_says_which_moves_are_in_the_book() {
    let folder = Folder::new("book_analysis");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let analyze = |engine: &str, book: &[&str]| {
        let arguments = ["analyze", "f5d6c3d3", "--engine", engine, "--depth", "2", "--exact", "0", "--hash", "1"];
        emilia(&[&arguments[..], book].concat()).well()
    };
    let screen = analyze("emilia@weights=hand-made", &["--book", &path]);
    // The third move has a value in the book, but leads out of it.
    for (number, in_book) in [(1, true), (2, true), (3, true), (4, false)] {
        let row = screen.lines().find(|line| line.starts_with(&format!("{number:>4} "))).expect("a row");
        assert_eq!(row.contains(" book "), in_book, "{screen}");
    }
    let by_setting = format!("emilia@weights=hand-made,book={path}");
    for (engine, book) in [("emilia@weights=hand-made", &["--book", &path, "--json"][..]), (&by_setting, &["--json"])] {
        let game = json(&analyze(engine, book));
        let said: Vec<_> = game["analysis"].as_array().expect("moves").iter().map(|row| &row["in_book"]).collect();
        assert_eq!(said, [true, true, false, false]);
    }
}

#[test]
fn an_analysis_takes_over_what_the_book_knows_better() {
    let folder = Folder::new("book_analysis_values");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let judged = |reply: &str, depth: &str| {
        let moves = format!("f5{reply}");
        let engine = ["--engine", "emilia@weights=hand-made,hash=1", "--exact", "0", "--depth", depth];
        let words = ["analyze", &moves, "--book", &path, "--perspective", "mover", "--json"];
        let game = json(&emilia(&[&words[..], &engine].concat()).well());
        game["analysis"][1].clone()
    };
    // The book has searches of 20 plies.
    for (reply, value) in REPLIES {
        let found = judged(reply, "2");
        assert_eq!(amount(&found["played"]["value"]), f64::from(value), "{found}");
        assert_eq!((amount(&found["best"]["value"]), &found["best"]["move"]), (1.0, &"d6".into()), "{found}");
        assert_eq!(amount(&found["loss"]), f64::from(1.0 - value), "{found}");
        assert_eq!(amount(&found["book_value"]), f64::from(value), "{found}");
        assert_eq!((&found["depth"], &found["selectivity"]), (&20.into(), &73.into()), "{found}");
        assert_eq!((&found["played"]["origin"], &found["best"]["origin"]), (&"book".into(), &"book".into()), "{found}");
    }
    // A search that is deeper does not replace the book, whose values come from many searches; a proof would.
    assert_eq!(judged("f6", "21")["played"]["origin"], "book");
    let mark = judged("f4", "2")["mark"].clone();
    assert_eq!(mark, judged("f4", "1")["mark"], "the depth of the search does not matter");
    // A move that is not in the book has the values of the search.
    let outside = emilia(&["analyze", "f5d6c3", "--book", &path, "--json", "--depth", "2", "--exact", "0"]).well();
    let outside = &json(&outside)["analysis"][2];
    assert_eq!((&outside["in_book"], &outside["book_value"]), (&false.into(), &serde_json::Value::Null));
    // The best move is that of the book all the same, and no search makes another one better.
    for (square, is_best) in [("c7", false), ("c4", true)] {
        let moves = format!("f5d6{square}");
        let other = emilia(&["analyze", &moves, "--book", &path, "--json", "--depth", "2", "--exact", "0"]).well();
        let other = &json(&other)["analysis"][2];
        let shown = |key: &str| (other[key]["move"].clone(), other[key]["origin"].clone());
        let best = if is_best { (square, "search") } else { ("c3", "book") };
        assert_eq!(shown("best"), (best.0.into(), best.1.into()), "{other}");
        assert_eq!(amount(&other["best"]["value"]), -1.0, "{other}");
        assert_eq!(shown("played"), (square.into(), "search".into()), "{other}");
        assert_eq!(amount(&other["loss"]) > 0.0, !is_best, "{other}");
    }
    // Another player is asked for its own opinion, and the book's value is beside it.
    let options = ["--engine", "iago", "--depth", "2", "--exact", "0", "--perspective", "mover"];
    let iago = emilia(&[&["analyze", "f5f4", "--book", &path, "--json"][..], &options].concat());
    let iago = &json(&iago.well())["analysis"][1];
    assert_eq!(amount(&iago["book_value"]), -3.0, "{iago}");
    assert_eq!(iago["depth"], 2, "{iago}");
}

#[test]
fn the_book_is_left_after_the_moves_of_a_setting_and_the_help_says_how_to_switch_it_off() {
    let depths = |settings: &str| {
        let player = format!("emilia@book=shipped,depth=1,hash=1{settings}");
        let game = emilia(&["play", "--engine", &player, "--against", &player, "--json", "--seed", "1"]).well();
        game.lines().map(json).take(6).map(|row| row["depth"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    // What comes from a book was not searched.
    assert_eq!(depths(""), [0; 6]);
    assert_eq!(depths(",book-depth=3"), [0, 0, 0, 1, 1, 1]);
    is_misused(
        &["play", "--engine", "emilia@book-depth=100"],
        "book-depth cannot be \"100\"; expected one of 60, 40, 20 (or any",
    );
    let listed: Vec<_> = emilia(&["engines", "--json"]).well().lines().map(json).collect();
    for name in ["emilia", "keyano", "logistello"] {
        let player = listed.iter().find(|player| player["name"] == name).expect("a player");
        let settings = player["settings"].as_array().expect("settings");
        let depth = settings.iter().find(|setting| setting["name"] == "book-depth").expect("the setting");
        assert_eq!(depth["default"], "60");
        assert!(settings.iter().all(|setting| !setting["values"].to_string().contains('|')), "{settings:?}");
    }
    for (command, words) in [
        ("play", "emilia@book=off"),
        ("gtp", "emilia@book=off"),
        ("nboard", "emilia@book=off"),
        ("match", "emilia@book=shipped"),
    ] {
        let help = emilia(&[command, "--help"]).well().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("opening book") && help.contains(words), "{command}: {help}");
    }
}

/// A game that is over after nine moves.
const SHORT_GAME: [&str; 9] = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];

/// How often a book has counted the start.
fn games_counted(book: &str) -> u64 {
    let found = json(&emilia(&["book", "show", book, "start", "--json"]).well());
    assert_eq!(found["in_book"], true, "{found}");
    found["games"].as_u64().expect("a number")
}

#[test]
fn a_game_of_a_gtp_host_is_learned_when_it_is_over_and_the_next_one_begins() {
    let folder = Folder::new("book_gtp");
    let path = folder.path("learned.book");
    let player = format!("emilia@book={path},book-learning=on");
    let colors = ["black", "white"].into_iter().cycle();
    let game: String =
        SHORT_GAME.iter().zip(colors).map(|(square, color)| format!("play {color} {square}\n")).collect();
    let commands = format!("{game}clear_board\nplay black f5\nclear_board\n{game}emilia-learn\nquit\n");
    let said = emilia_with_input(&["gtp", "--hash", "1", "--engine", &player], commands.as_bytes()).well();
    assert!(!said.contains('?'), "{said}");
    assert!(said.contains("= 0 positions of the game are new in the book"), "{said}");
    // The game that was broken off is not counted, and one that was learned by command is not learned again.
    assert_eq!(games_counted(&path), 2);
    let checked = emilia(&["book", "check", &path]).well();
    assert!(checked.contains("everything is right"), "{checked}");
    let without = emilia_with_input(&["gtp", "--hash", "1"], b"emilia-learn\nquit\n").well();
    assert!(without.starts_with("? Emilia does not learn"), "{without}");
}

#[test]
fn an_nboard_host_has_its_games_learned() {
    let folder = Folder::new("book_nboard");
    let path = folder.path("learned.book");
    let player = format!("emilia@book={path},book-learning=on");
    let mut host = Conversation::start(&["nboard", "--hash", "4", "--engine", &player]);
    host.send("nboard 2");
    for square in SHORT_GAME {
        host.send(&format!("move {square}"));
    }
    host.send("learn");
    let said = host.until("learned");
    assert!(said.contains(&"status 9 positions of the game are new in the book".to_owned()), "{said:?}");
    host.send("quit");
    assert_eq!(host.exit_code(), Some(0));
    assert_eq!(games_counted(&path), 1);
    let off = emilia(&["play", "--engine", "emilia@book-learning=on", "--against", "random", "--json"]).failed(2);
    assert!(off.contains("book-learning=on needs the file of a book"), "{off}");
}

#[test]
fn a_game_that_is_played_to_its_end_is_learned_once_even_if_both_players_learn() {
    let folder = Folder::new("book_play");
    let path = folder.path("learned.book");
    let player = format!("emilia@book={path},book-learning=on,depth=2");
    // Black has the last move, and flips one disc.
    let almost_over = format!("{}O- X", "X".repeat(62));
    let game = ["play", "--engine", &player, "--against", &player, "--position", &almost_over];
    let said = emilia(&[&game[..], &["--lines"]].concat()).well();
    assert!(said.ends_with("The game was learned: 1 position of the game is new in the book.\n"), "{said}");
    let rows = emilia(&[&game[..], &["--json"]].concat()).well();
    assert_eq!(json(rows.lines().next().expect("a move"))["nodes"], 0, "the book is played from");
    // A person who leaves after the game waits until it is learned.
    let person = ["play", "--engine", &player, "--position", &almost_over, "--lines"];
    let said = emilia_with_input(&person, b"h8\nquit\n").well();
    assert!(said.contains("The game enters the opening book."), "{said}");
    assert!(said.ends_with("The game was learned: 0 positions of the game are new in the book.\n"), "{said}");
    let found = json(&emilia(&["book", "show", &path, &almost_over, "--json"]).well());
    assert_eq!((&found["in_book"], &found["games"]), (&true.into(), &3.into()), "{found}");
    for contest in ["match", "tournament"] {
        is_misused(&[contest, &player, "random", "--games", "2"], "book-learning=on is not allowed here");
    }
}

#[test]
fn the_book_that_ships_is_used_by_players_who_play_well_and_shown_in_hints() {
    let first = |arguments: &[&str]| {
        let play = ["play", "--engine", "emilia", "--against", "random", "--json", "--hash", "1"];
        let game = emilia(&[&play[..], arguments].concat()).well();
        game.lines().map(json).find(|row| row["player"] == "emilia").expect("a move")
    };
    assert_eq!(first(&["--level", "5"])["nodes"], 0);
    assert!(first(&["--level", "1"])["nodes"].as_u64() > Some(0));
    let show = json(&emilia(&["book", "show", "shipped", "f5d6", "--json"]).well());
    let hint = ["hint", "f5d6", "--depth", "2", "--lines", "1", "--hash", "1", "--json"];
    let row = json(&emilia(&hint).well());
    let known = show["moves"].as_array().expect("moves").iter().find(|known| known["move"] == row["move"]);
    assert_eq!(
        (&row["value"], &row["origin"]),
        (&known.expect("a move of the book")["value"], &"book".into()),
        "{row}"
    );
    assert_eq!(json(&emilia(&[&hint[..], &["--book", "off"]].concat()).well())["origin"], "search");
}

#[test]
fn a_book_is_verified_by_searching_its_moves_again() {
    let folder = Folder::new("book_verified");
    let path = folder.path("replies.book");
    book_of_replies(&path);
    let verify = |arguments: &[&str]| {
        emilia(&[&["book", "verify", &path, "--depth", "4", "--weights", "hand-made", "--json"], arguments].concat())
    };
    // The best reply is searched, the opening move four times over; with more randomness, all replies.
    let counted =
        |arguments: &[&str]| json(verify(arguments).well().lines().last().expect("a summary"))["moves"].clone();
    assert_eq!((counted(&["--loss", "64"]), counted(&["--loss", "64", "--randomness", "10"])), (5.into(), 7.into()));
    let strict = verify(&["--loss", "0", "--randomness", "10"]);
    let summary = json(strict.stdout.lines().last().expect("a summary"));
    assert!(summary["listed"].as_u64() > Some(0) && strict.code == Some(1), "{summary}");
    assert_eq!(strict.stdout.lines().count() as u64, summary["listed"].as_u64().expect("a number") + 1);
}
