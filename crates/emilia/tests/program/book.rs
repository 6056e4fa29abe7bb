//! `emilia book`: books are looked at, exchanged, merged and pruned.

use std::fs;
use std::path::Path;

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules};
use search::Selectivity;

use crate::run::{Folder, Run, amount, command, emilia, emilia_with_input, fails, finish, is_misused, json};

/// A position after these moves.
fn after(moves: &str) -> Board {
    let mut board = Board::start();
    for index in (0..moves.len()).step_by(2) {
        board = board.play(moves[index..index + 2].parse().expect("a square")).expect("a legal move");
    }
    board
}

/// A book of three positions: the start, f5 and f5d6, with values that are known.
///
/// The start is worth what its only move is: -1.5. After f5, d6 is in the book and worth 1.5 to White, the leaf f6 0.25.
fn small_book(path: &str) {
    let mut book = Book::create(Path::new(path)).expect("a new book");
    let effort = Effort::new(20, Selectivity::LOWEST);
    let best = |moves: &str, value: f32| Finding {
        games: 2,
        ..Finding::best(moves.parse().expect("a square"), Value::from_discs(value), effort)
    };
    book.insert(&after("f5d6"), &best("c3", -1.5)).expect("a position");
    book.insert(&after("f5"), &best("f6", 0.25)).expect("a position");
    let covered = Finding { leaf: Leaf::AtMost(Value::MIN), effort, solved: None, games: 3 };
    book.insert(&Board::start(), &covered).expect("a position");
}

#[test]
fn a_position_is_shown_with_every_move_and_the_best_line() {
    let folder = Folder::new("book_show");
    let path = folder.path("small.book");
    small_book(&path);
    let start = emilia(&["book", "show", &path]).well();
    assert!(start.starts_with("Black to move, 60 empty squares\nIn the book: value -1.50, 3 games\n"), "{start}");
    // All four moves are the same up to symmetry.
    let row = start.lines().find_map(|row| row.strip_prefix("d3 (c4 f5 e6)")).expect("a row");
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(words[..4], ["-1.50", "20@73%", "book", "2"], "{row}");
    // f5d6c3 in another orientation.
    assert_eq!(words[4], "d3c5f6", "{row}");
    let entry = json(&emilia(&["book", "show", &path, "f5", "--json"]).well());
    assert_eq!((&entry["in_book"], &entry["games"], &entry["depth"]), (&true.into(), &2.into(), &20.into()));
    let rows = entry["moves"].as_array().expect("moves");
    assert_eq!((&rows[0]["move"], &rows[0]["to"], amount(&rows[0]["value"])), (&"d6".into(), &"book".into(), 1.5));
    assert_eq!((&rows[1]["move"], &rows[1]["to"], amount(&rows[1]["value"])), (&"f6".into(), &"leaf".into(), 0.25));
    assert_eq!((&rows[2]["to"], &rows[2]["at_most"]), (&"outside".into(), &0.25.into()));
    let legal = json(&emilia(&["show", "f5", "--json"]).well());
    assert_eq!(rows.len(), legal["legal_moves"].as_array().expect("moves").len());
    // In another orientation, and as a board.
    let turned = json(&emilia(&["book", "show", &path, "c4", "--json"]).well());
    assert_eq!(turned["value"], entry["value"]);
    let board = "---------------------------OX------XO--------------------------- X";
    let shown = json(&emilia(&["book", "show", &path, board, "--json"]).well());
    assert_eq!(shown, json(&emilia(&["book", "show", &path, "start", "--json"]).well()));
}

#[test]
fn a_position_outside_of_the_book_is_shown_as_such() {
    let folder = Folder::new("book_show_outside");
    let path = folder.path("small.book");
    small_book(&path);
    let screen = emilia(&["book", "show", &path, "f5d6c3d3"]).well();
    assert!(screen.contains("\nNot in the book\n"), "{screen}");
    let entry = json(&emilia(&["book", "show", &path, "f5d6c3d3", "--json"]).well());
    assert_eq!((&entry["in_book"], &entry["value"]), (&false.into(), &serde_json::Value::Null));
}

#[test]
fn files_that_are_no_books_are_refused_in_a_sentence() {
    let folder = Folder::new("book_refused");
    let (text, path) = (folder.write("notes.book", "precious"), folder.path("small.book"));
    for command in ["show", "check", "statistics", "prune"] {
        fails(&["book", command, &text], "notes.book is not a book of Emilia");
        fails(&["book", command, &folder.path("none.book")], "No such file or directory");
    }
    fails(&["book", "import", &text, &folder.write("x.jsonl", "")], "is not a book of Emilia");
    fails(&["book", "import", &path, &folder.write("bad.dat", "EDAX")], "not an Edax book");
    assert!(!Path::new(&path).exists(), "a failed import leaves a book");
    fails(&["book", "import", &path, &folder.path("none.jsonl")], "cannot read");
    for (name, content, words) in [
        ("empty.jsonl", "", "no position was imported"),
        ("empty.txt", "", "there is no game in"),
        ("bad.txt", "f5f5\n", "no game could be read"),
        ("bad.jsonl", "{}\n", "no position was imported"),
    ] {
        let said = emilia(&["book", "import", &path, &folder.write(name, content)]).failed(1);
        assert!(said.lines().last().is_some_and(|line| line.contains(words)), "{name}: {said}");
        assert!(!Path::new(&path).exists(), "{name} leaves a book");
    }
    is_misused(&["book", "import", &path, &text], "cannot tell the format");
    is_misused(&["book", "show", &text, "f5x9"], "not a board, file or transcript");
    is_misused(&["book", "prune", &path, "--loss", "many"], "not a number of discs");
    small_book(&path);
    is_misused(&["book", "merge", &path, &path], "cannot be both read and written");
    fails(&["book", "export", &path, &folder.write("other.dat", "precious")], "is a different kind of file");
    assert_eq!(folder.read("notes.book"), "precious");
}

#[test]
fn a_damaged_book_is_as_before_or_refused_in_a_sentence_and_never_touched() {
    let folder = Folder::new("book_damaged");
    let [path, sound, other] = ["damaged.book", "sound.book", "other.book"].map(|name| folder.path(name));
    small_book(&sound);
    small_book(&other);
    let lines = folder.write("lines.jsonl", emilia(&["book", "export", &sound, "-", "--to", "json"]).well());
    let quick = ["--depth", "1", "--hash", "1", "--threads", "1", "--weights", "hand-made"];
    let run = |words: &[&str], book: &str| emilia(&[&["book", words[0], book], &words[1..]].concat());
    let searching = |words: &[&'static str]| [words, &quick].concat();
    let reading = [vec!["show"], vec!["check"], vec!["export", "-", "--to", "json"], searching(&["verify"])];
    let changing = [
        searching(&["extend", "--positions", "4"]),
        searching(&["build", "--positions", "4"]),
        searching(&["learn", "f5d6"]),
        vec!["import", &lines],
        vec!["merge", &other],
        vec!["prune"],
    ];
    let bytes = fs::read(&sound).expect("a book");
    let in_use: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != 0).collect();
    let mut random = Random::new(3);
    let mut refused = 0;
    for _ in 0..8 {
        let mut damaged = bytes.clone();
        for _ in 0..20 {
            damaged[in_use[random.below(in_use.len())]] ^= 1 + random.below(255) as u8;
        }
        fs::write(&path, &damaged).expect("a file");
        for words in reading.iter().chain(&changing) {
            let found = run(words, &path);
            if found.code == Some(0) {
                let before = if reading.contains(words) { run(words, &sound).well() } else { String::new() };
                assert!(!reading.contains(words) || found.stdout == before, "{words:?}: {}", found.stdout);
                fs::write(&path, &damaged).expect("a file");
                continue;
            }
            refused += 1;
            let said = found.failed(1);
            assert!(said.contains("damaged.book is ") && said.lines().count() == 1, "{words:?}: {said}");
            assert!(fs::read(&path).expect("a file") == damaged, "{words:?} changed the file");
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_book_is_the_same_after_every_exchange_that_holds_all_of_it() {
    let folder = Folder::new("book_exchange");
    let [path, lines, copy, edax, back] =
        ["small.book", "small.jsonl", "copy.book", "small.dat", "back.book"].map(|name| folder.path(name));
    small_book(&path);
    assert!(emilia(&["book", "export", &path, &lines]).well().starts_with("3 positions written to "));
    let said = emilia(&["book", "import", &copy, &lines]).well();
    assert!(said.starts_with("3 new, 0 improved, 0 known before\n") && said.ends_with(" has 3 positions\n"), "{said}");
    let shown = |book: &str| emilia(&["book", "export", book, "-", "--to", "json"]).well();
    assert_eq!(shown(&copy), folder.read("small.jsonl"));
    // Edax knows whole discs alone: what it is given is what it gives back.
    emilia(&["book", "export", &path, &edax]).well();
    let said = json(&emilia(&["book", "import", &back, &edax, "--json"]).well());
    assert_eq!((&said["new"], &said["positions"]), (&3.into(), &3.into()));
    let [again, start] = [folder.path("again.dat"), "start".to_owned()];
    emilia(&["book", "export", &back, &again]).well();
    let bytes = |path: &str| fs::read(path).expect("a file").split_off(18);
    assert_eq!(bytes(&again), bytes(&edax));
    let value = json(&emilia(&["book", "show", &back, &start, "--json"]).well());
    assert_eq!(amount(&value["value"]), -2.0);
    // Its lines are a game.
    assert_eq!(emilia(&["book", "export", &path, "-", "--to", "games"]).well().len(), "f5d6\n".len());
}

#[test]
fn a_bad_line_is_left_out_and_the_others_are_imported() {
    let folder = Folder::new("book_bad_line");
    let path = folder.path("small.book");
    small_book(&path);
    let lines = emilia(&["book", "export", &path, "-", "--to", "json"]).well();
    let copy = folder.path("copy.book");
    let run =
        emilia_with_input(&["book", "import", &copy, "-", "--from", "json"], format!("nonsense\n{lines}").as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("line 1: ") && run.stderr.contains("1 position was left out"), "{}", run.stderr);
    assert!(run.stdout.starts_with("3 new"), "{}", run.stdout);
}

#[test]
fn books_are_checked_counted_merged_and_pruned() {
    let folder = Folder::new("book_care");
    let [path, all] = ["small.book", "all.book"].map(|name| folder.path(name));
    small_book(&path);
    let check = json(&emilia(&["book", "check", &path, "--json"]).well());
    assert_eq!((&check["positions"], &check["links"], &check["faults"]), (&3.into(), &5.into(), &0.into()));
    assert!(emilia(&["book", "check", &path]).well().ends_with("everything is right\n"));
    let counted = json(&emilia(&["book", "statistics", &path, "--json"]).well());
    assert_eq!((&counted["positions"], &counted["games"], &counted["open"]), (&3.into(), &3.into(), &0.into()));
    assert_eq!(counted["by_search"][0], serde_json::json!({"depth": 20, "selectivity": 73, "positions": 2}));
    assert_eq!(counted["covered"], 1, "all moves from the start are the same by symmetry");
    assert!(emilia(&["book", "statistics", &path]).well().starts_with("3 positions in "));
    for known in [0, 3] {
        let merged = json(&emilia(&["book", "merge", &all, &path, "--json"]).well());
        assert_eq!((&merged["known"], &merged["positions"]), (&known.into(), &3.into()));
    }
    let start = json(&emilia(&["book", "show", &all, "--json"]).well());
    assert_eq!(start["games"], 6);
    let before = &start["value"];
    assert!(emilia(&["book", "prune", &all, "--discs", "5"]).well().starts_with("1 position removed, "));
    assert_eq!(&json(&emilia(&["book", "show", &all, "--json"]).well())["value"], before);
    emilia(&["book", "check", &all]).well();
}

#[test]
fn a_book_that_is_being_changed_is_in_use_and_readers_do_not_disturb_one_another() {
    let folder = Folder::new("book_in_use");
    let path = folder.path("small.book");
    small_book(&path);
    let open = Book::open(Path::new(&path)).expect("a book");
    fails(&["book", "show", &path], "is in use by another process");
    drop(open);
    let open = Book::open_read_only(Path::new(&path)).expect("a book");
    emilia(&["book", "show", &path]).well();
    fails(&["book", "prune", &path], "is in use by another process");
    drop(open);
}

/// Runs a command in a folder.
fn emilia_in(folder: &Folder, arguments: &[&str]) -> Run {
    finish(command(arguments).current_dir(folder.path("")), b"")
}

#[test]
fn the_books_of_the_program_are_read_by_their_names_and_never_changed() {
    let folder = Folder::new("book_built_in");
    let quick = ["--depth", "1", "--hash", "1", "--threads", "1", "--weights", "hand-made"];
    let lines = folder.write("lines.jsonl", "");
    for changing in [vec!["learn", "f5d6"], vec!["build", "--positions", "4"], vec!["extend", "--positions", "4"]] {
        let arguments = [&["book", changing[0], "shipped"], &changing[1..], &quick].concat();
        let said = emilia_in(&folder, &arguments).failed(2);
        assert!(
            said.contains("the shipped book cannot be changed; `emilia book merge my.book shipped` makes a copy"),
            "{said}"
        );
    }
    for changing in [vec!["import", "keyano", &lines], vec!["merge", "keyano", "shipped"], vec!["prune", "keyano"]] {
        let said = emilia_in(&folder, &[&["book"], &changing[..]].concat()).failed(2);
        assert!(said.contains("the book of keyano cannot be changed; `emilia book merge my.book keyano`"), "{said}");
    }
    assert!(!Path::new(&folder.path("shipped")).exists());
    // A file of this name does not hide the book, and is reached with its folder.
    small_book(&folder.path("shipped"));
    let count = |book: &str| {
        let found = json(&emilia_in(&folder, &["book", "statistics", book, "--json"]).well());
        found["positions"].as_u64().expect("a number")
    };
    assert_eq!((count("./shipped"), count("shipped") >= 50_000), (3, true));
    assert!(
        emilia_in(&folder, &["book", "learn", "./shipped", "f5d6c3"].iter().chain(&quick).copied().collect::<Vec<_>>())
            .code
            == Some(0)
    );
    // The books of classic programs, and a copy of one.
    for (name, program) in ["keyano", "logistello"].map(|name| (name, classics::registry().book(name).expect("a book")))
    {
        let expected = program.shipped().expect("a book").snapshot();
        assert_eq!(count(name), expected.count().expect("a number"));
        let shown = json(&emilia_in(&folder, &["book", "show", name, "f5", "--json"]).well());
        let value = expected.value(&after("f5")).expect("a value").expect("in the book");
        assert!((amount(&shown["value"]) - f64::from(value.discs())).abs() < 0.006, "{shown}");
    }
    emilia_in(&folder, &["book", "merge", "my.book", "keyano"]).well();
    let [copy, own] =
        ["my.book", "keyano"].map(|book| emilia_in(&folder, &["book", "export", book, "-", "--to", "json"]).well());
    assert_eq!(copy, own);
}

#[test]
fn openings_are_named_wherever_a_position_is() {
    let folder = Folder::new("book_names");
    let path = folder.path("my.book");
    small_book(&path);
    let tiger = "f5d6c3d3c4";
    let json_of = |arguments: &[&str]| emilia(&[arguments, &["--json"]].concat()).well();
    for command in [&["show"][..], &["book", "show", "shipped"], &["book", "show", &path]] {
        let by = |position: &'static str| json_of(&[command, &[position]].concat());
        assert_eq!(by("tiger"), by(tiger), "{command:?}");
    }
    let hint = |position| emilia(&["hint", position, "--depth", "1", "--json"]).well();
    let best = |position| json(hint(position).lines().next().expect("a line"))["position"].clone();
    assert_eq!(best("Tiger"), best(tiger));
    let quick = ["--depth", "1", "--hash", "1", "--threads", "1", "--weights", "hand-made"];
    let books = ["name.book", "moves.book"].map(|name| folder.path(name));
    for (book, opening) in books.iter().zip(["tiger", tiger]) {
        emilia(&[&["book", "learn", book, opening], &quick[..]].concat()).well();
        emilia(&[&["book", "extend", book, "--position", opening, "--positions", "8"], &quick[..]].concat()).well();
    }
    let [one, other] = books.map(|book| emilia(&["book", "export", &book, "-", "--to", "json"]).well());
    assert_eq!(one, other);
    for arguments in [
        &["show", "tigre"][..],
        &["hint", "tigre"],
        &["book", "show", &path, "tigre"],
        &["book", "learn", &path, "tigre"],
        &["book", "extend", &path, "--position", "tigre", "--positions", "9"],
    ] {
        is_misused(arguments, "(did you mean Tiger?)");
    }
    is_misused(&["show", "tiger", "--board", "6"], "not a board, file or transcript");
    is_misused(&["show", "tiger", "--game", "2"], "--game needs a file, but the name of an opening was given");
    // The list of names.
    let list = emilia(&["explore", "--names"]).well();
    let names: Vec<_> = emilia(&["explore", "--names", "--json"]).well().lines().map(json).collect();
    assert_eq!(list.lines().count(), names.len() + 1);
    assert_eq!(list.lines().last(), Some(format!("{} openings", names.len()).as_str()));
    assert_eq!(names.len(), records::opening_names::all().len());
    let row = list.lines().find(|line| line.contains(" Tiger")).expect("the tiger");
    assert!(row.starts_with("f5d6c3d3c4 ") && list.lines().all(|line| line.len() <= 80), "{list}");
    is_misused(&["explore", "tiger", "--names"], "cannot be used with");
}

#[test]
fn a_foreign_file_is_reported_in_a_few_lines_and_a_missing_folder_without_temporary_names() {
    let folder = Folder::new("book_foreign");
    let foreign = folder.write("foreign.jsonl", "{\"name\":1}\n".repeat(300));
    let path = folder.path("my.book");
    let said = emilia(&["book", "import", &path, &foreign]).failed(1);
    assert!(said.lines().count() <= 12 && said.contains("and 290 more"), "{said}");
    assert!(said.contains("no position was imported: all of"), "{said}");
    let nowhere = folder.path("nowhere/my.book");
    let said = emilia(&["book", "build", &nowhere, "--positions", "4", "--depth", "1"]).failed(1);
    assert!(said.contains("cannot create") && said.contains("nowhere/my.book") && !said.contains(".new"), "{said}");
}

#[test]
fn an_export_to_edax_can_be_stopped_and_says_how_far_it_is() {
    let mut book = Book::in_memory().expect("a book");
    let mut samples = search::samples::Samples::<Board>::new(7);
    for _ in 0..3000 {
        let board = samples.position_with_moves(search::samples::Origin::SensibleGame, 30);
        let first = othello::squares(board.moves()).next().expect("a move");
        book.insert(&board, &Finding::best(first, Value::EVEN, Effort::new(1, Selectivity::LOWEST))).expect("inserted");
    }
    let snapshot = book.snapshot().expect("a snapshot");
    let all = snapshot.count().expect("a number");
    let header = book::edax::EdaxHeader::new(2000, [1, 1, 0, 0, 0]);
    let mut heard = Vec::new();
    let written = snapshot.export_edax(&header, &mut Vec::new(), &mut |done, all| {
        heard.push((done, all));
        true
    });
    let written = written.expect("an export");
    assert!(written >= all && heard.iter().any(|&(done, of)| done > 0 && done < of && of == written), "{heard:?}");
    let mut reports = 0;
    let stopped = snapshot.export_edax(&header, &mut Vec::new(), &mut |done, _| {
        reports += 1;
        done == 0
    });
    assert!(stopped.expect("an export") < written && reports > 0);
}
