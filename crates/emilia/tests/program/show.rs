//! `emilia show`.

use crate::run::{Folder, command, emilia, emilia_with_input, fails, finish, is_misused, json};

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_board_is_plain_text_in_a_pipe() {
    let expected = "   a b c d e f g h
 1 . . . . . . . .    X Black  2 <
 2 . . . . . . . .    O White  2
 3 . . . + . . . .
 4 . . + O X . . .    Black to move
 5 . . . X O + . .    d3 c4 f5 e6
 6 . . . . + . . .
 7 . . . . . . . .
 8 . . . . . . . .
";
    assert_eq!(emilia(&["show", &format!("{START} X")]).well(), expected);
    // The side to move may stand apart, and the board may be written otherwise.
    assert_eq!(emilia(&["show", START, "X"]).well(), expected);
    assert_eq!(emilia(&["show", &START.replace('-', ".").replace('X', "*"), "*"]).well(), expected);
}

#[test]
fn colour_is_printed_when_asked_for_and_never_because_of_no_color_in_a_pipe() {
    let colored = emilia(&["show", "f5", "--color", "always"]).well();
    assert!(colored.contains("\x1b[48;5;") && colored.contains('●'), "{colored}");
    for plain in [emilia(&["show", "f5"]), emilia(&["show", "f5", "--color", "never"])] {
        assert!(plain.well().is_ascii());
    }
    let run = finish(command(&["show", "f5"]).env("NO_COLOR", "1"), b"");
    assert!(run.well().is_ascii());
    let true_color = finish(command(&["show", "f5", "--color", "always"]).env("COLORTERM", "truecolor"), b"").well();
    assert!(true_color.contains("\x1b[48;2;"));
}

#[test]
fn a_game_is_shown_after_any_of_its_moves() {
    let last = emilia(&["show", "F5 d6 c3"]).well();
    assert!(last.contains("White to move") && last.ends_with("  1. f5 d6 c3\nOpening: Perpendicular\n"), "{last}");
    let first = emilia(&["show", "f5d6c3", "--move", "0"]).well();
    assert!(first.contains(" 4 . . + O X . . .    Black to move"), "{first}");
    is_misused(&["show", "f5d6c3", "--move", "4"], "expected 0 to 3");
}

#[test]
fn json_says_all_that_is_shown() {
    let shown = json(&emilia(&["show", "f5d6c3", "--move", "1", "--json"]).well());
    assert_eq!(shown["position"], "---------------------------OX------XXX-------------------------- O");
    assert_eq!((&shown["turn"], &shown["move_number"]), (&"white".into(), &1.into()));
    assert_eq!((&shown["black_discs"], &shown["white_discs"]), (&4.into(), &1.into()));
    assert_eq!(shown["legal_moves"], serde_json::json!(["f4", "d6", "f6"]));
    assert_eq!((&shown["moves"], &shown["over"]), (&"f5".into(), &false.into()));
    assert_eq!(shown["opening"], serde_json::Value::Null);
    // The Tiger in another orientation and order, and a move after it.
    let tiger = json(&emilia(&["show", "e6f4d3c4c3d6", "--json"]).well());
    assert_eq!(tiger["opening"], "Tiger");
}

#[test]
fn a_picture_is_written_as_svg() {
    let folder = Folder::new("show_svg");
    emilia(&["show", "f5d6c3", "--svg", &folder.path("board.svg")]).well();
    let svg = folder.read("board.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // Black has c3, d4, e4, e5 and f5.
    assert_eq!(svg.matches("r=\"25\" fill=\"url(#black)\"").count(), 5);
    fails(&["show", "f5", "--svg", &folder.path("no/such/folder.svg")], "cannot write");
}

#[test]
fn every_board_is_drawn_with_its_own_squares() {
    let six = emilia(&["show", "--board", "6", "b3"]).well();
    assert!(six.starts_with("   a b c d e f\n") && six.contains("White to move"), "{six}");
    let cut = emilia(&["show", "--board", "cs221", "e4", "--move", "0"]).well();
    assert!(cut.contains(" 1 . . . .     . . . ."), "{cut}");
    assert!(cut.contains("10 . . . .     . . . ."), "{cut}");
}

#[test]
fn a_forced_pass_and_the_end_of_a_game_are_said() {
    let board = format!("XO{} O", "-".repeat(62));
    assert!(emilia(&["show", &board]).well().contains("White has to pass"));
    let board = format!("XX{} O", "-".repeat(62));
    assert!(emilia(&["show", &board]).well().contains("Black wins 64-0"));
}

#[test]
fn games_are_read_from_files() {
    let folder = Folder::new("show_files");
    let games = "(;GM[Othello]PC[Here]PB[Ann]PW[Bob]RE[?]TY[8]\
                 BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)\n\
                 (;GM[Othello]PC[Here]PB[Cy]PW[Di]RE[?]TY[8]\
                 BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)\n";
    let path = folder.write("games.ggf", games);
    assert!(emilia(&["show", &path]).well().starts_with("Ann - Bob, Here\n"));
    let second = emilia(&["show", &path, "--game", "2"]).well();
    assert!(second.starts_with("Cy - Di, Here\n") && second.ends_with("  1. f5 f6\nOpening: Diagonal\n"), "{second}");
    fails(&["show", &path, "--game", "3"], "has 2 games; expected game 1 to 2");
    let problem = folder.write("problem.obf", format!("{START} X; f5:+2; D3:-4;\n"));
    assert!(emilia(&["show", &problem]).well().ends_with("Scores: f5 +2, d3 -4\n"));
    let small = folder.write("small.txt", "b1a1\n");
    assert!(emilia(&["show", "--board", "4", &small]).well().ends_with("  1. b1 a1\n"));
}

#[test]
fn the_picture_of_the_tour_is_what_its_command_draws() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = Folder::new("show_readme");
    let (game, picture) = (format!("{root}/data/games/iago-paper.ggf"), folder.path("board.svg"));
    emilia(&["show", &game, "--game", "1", "--move", "30", "--svg", &picture]).well();
    let shipped = std::fs::read_to_string(format!("{root}/docs/board.svg")).expect("the picture is there");
    // Not assert_eq, which would print both pictures.
    assert!(folder.read("board.svg") == shipped, "docs/board.svg is another picture; docs/tour.md says how to make it");
}

#[test]
fn games_and_boards_come_from_standard_input_too() {
    for command in ["show", "eval", "hint"] {
        let position = |rows: &str| json(rows.lines().next().expect("a row"))["position"].clone();
        let expected = position(&emilia(&[command, "f5d6c3", "--json"]).well());
        for input in ["f5d6c3\n", "# a game\nF5 D6 C3", expected.as_str().expect("a board")] {
            let read = emilia_with_input(&[command, "-", "--json"], input.as_bytes()).well();
            assert_eq!(position(&read), expected, "{command} {input}");
        }
        assert!(emilia_with_input(&[command, "-"], b"f5f5\n").failed(1).contains("standard input, line 1: move 2"));
        assert!(emilia_with_input(&[command, "-"], b"").failed(1).contains("no game"));
    }
    let games = "(;GM[Othello]B[F5];)(;GM[Othello]B[F5]W[D6];)";
    let second = emilia_with_input(&["show", "-", "--game", "2", "--json"], games.as_bytes()).well();
    assert_eq!(json(&second)["moves"], "f5d6");
}

#[test]
fn names_in_a_file_cannot_command_the_terminal() {
    let folder = Folder::new("show_escape");
    let game = "(;GM[Othello]PC[\x07]PB[\x1b[2JAnn]PW[\u{9b}2JB\u{202e}ob]EV[\u{2066}x\u{200f}]RE[?]TY[8]\
                BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)\n";
    let path = folder.write("game.ggf", game);
    let bad = folder.write("bad.sgf", "(;GM[\x1b[2J])\n(;GM[2]PB[\x1b[2JAnn]AB[a1])\n");
    let moves = folder.path("moves.txt");
    let harmful = ['\x1b', '\x07', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'];
    for arguments in [
        &["show", &path][..],
        &["show", &path, "--json"],
        &["games", &path],
        &["games", &path, "--json"],
        &["analyze", &path, "--level", "1", "--hash", "1"],
        &["analyze", &path, "--level", "1", "--hash", "1", "--json"],
        &["show", &bad],
        &["convert", &bad, &moves],
    ] {
        let run = emilia(arguments);
        assert!(!(run.stdout + &run.stderr).contains(harmful), "{arguments:?}");
    }
    // In JSON they are escaped and not lost.
    let head = json(&emilia(&["show", &path, "--json"]).well());
    assert_eq!((&head["white"], &head["event"]), (&"\u{9b}2JB\u{202e}ob".into(), &"\u{2066}x\u{200f}".into()));
    let load = format!("load {bad}\n");
    assert!(!emilia_with_input(&["play"], load.as_bytes()).well().contains('\x1b'));
}

#[test]
fn a_board_with_a_slip_is_told_what_is_wrong_with_it() {
    let wrong_square = START.replacen("---", "--Q", 1);
    for (text, words) in [
        (format!("{START} Z"), "the board has 'Z' after the squares; expected X or O, the side to move"),
        (format!("{START}Z"), "the board has 'Z' after the squares; expected X or O, the side to move"),
        (format!("{wrong_square} X"), "the board has 'Q' on c1; expected X for black, O for white or - for empty"),
        (format!("{} Z", &START[1..]), "the board has 63 squares; expected 64 squares"),
        (
            format!("{}X", &START[1..]),
            "the board has no side to move, or only 63 squares before 'X'; expected 64 squares",
        ),
    ] {
        for command in ["show", "hint", "solve"] {
            is_misused(&[command, &text], words);
            let message = emilia_with_input(&[command, "-"], text.as_bytes()).failed(1);
            assert!(
                message.contains("standard input, line 1: ") && message.contains(words),
                "{command} said: {message}"
            );
        }
    }
    // A file is one, whatever its name looks like.
    let folder = Folder::new("show_names");
    folder.write("box_oxbow_oxbow.obf", format!("{START} X;\n"));
    let run = finish(command(&["show", "box_oxbow_oxbow.obf"]).current_dir(folder.path(".")), b"");
    assert_eq!(run.well(), emilia(&["show", &format!("{START} X")]).well());
}

#[test]
fn an_empty_standard_input_is_called_by_its_name() {
    for arguments in [
        &["show", "-"][..],
        &["hint", "-"],
        &["eval", "-"],
        &["solve", "-"],
        &["hint", "-", "--board", "6x6"],
        &["solve", "-", "--board", "6x6"],
    ] {
        fails(arguments, "emilia: standard input has no game or position");
    }
}

#[test]
fn what_is_no_board_no_game_and_no_file_is_told_so() {
    is_misused(&["show", "XXXXXXXXXXXXXXXX", "X"], "the board has 16 squares; expected 64");
    is_misused(&["show", START], "no side to move");
    is_misused(&["show", &START[1..], "X"], "the board has 63 squares; expected 64 squares of X, O or -");
    is_misused(&["show", START, "Z"], "the board has 'Z' after the squares; expected X or O, the side to move");
    is_misused(&["show", "f5d9"], "not a board, file or transcript: \"f5d9\" (move 2");
    is_misused(&["show", "f5f5"], "move 2 is illegal");
    fails(&["show", "game.sgf"], "cannot read game.sgf: No such file or directory");
    is_misused(&["show", "f5", "X"], "unexpected argument \"X\"");
    is_misused(&["show", " "], "no position given");
    is_misused(&["show", "- -"], "no position given");
    for what in ["f5d6", "start", &format!("{START} X")] {
        is_misused(&["show", what, "--game", "2"], "--game needs a file");
    }
    let folder = Folder::new("show_bad");
    fails(&["show", &folder.write("empty.ggf", "")], "has no games");
    fails(&["show", &folder.write("bad.txt", "f5f5\n")], "bad.txt, line 1: move 2 is illegal");
    fails(&["show", &folder.path(".")], "is a folder; expected a file");
}

#[test]
fn what_is_shown_is_read_again() {
    let folder = Folder::new("show_again");
    let source = "(;GM[Othello]PB[Rose]PW[Tamenori]DT[1986]RE[+18];B[f5];W[d6];B[c3];W[d3];B[c4];W[f4];B[c5];W[b3];B[c2];W[e3];\
                  B[d2];W[c6];B[b4];W[b5];B[f2];W[e2];B[f3];W[c1];B[e1];W[d1];B[c7];W[f1];B[b6];W[c8];)";
    let game = folder.write("game.ggf", source);
    let known = json(&emilia(&["show", &game, "--json"]).well());
    let shown = emilia(&["show", &game]).well();
    assert_eq!(shown.lines().filter(|line| line.contains(". ") && !line.starts_with(' ')).count(), 0, "{shown}");
    let text = folder.write("shown.txt", &shown);
    for run in [
        emilia(&["show", &text, "--json"]),
        emilia(&["show", &shown, "--json"]),
        emilia_with_input(&["show", "-", "--json"], shown.as_bytes()),
    ] {
        let again = json(&run.well());
        assert_eq!((&again["moves"], &again["position"]), (&known["moves"], &known["position"]), "{shown}");
    }
    assert_eq!(emilia(&["convert", &text, &folder.path("again.txt")]).well().lines().count(), 1);
    assert_eq!(folder.read("again.txt").trim(), known["moves"].as_str().expect("moves"));
    let rows = emilia(&["games", &text, "--json"]).well();
    assert_eq!(rows.lines().count(), 1, "{rows}");
    // The same on another board, whose file has one game.
    let small = emilia(&["show", "--board", "6", "b3b2b1"]).well();
    let path = folder.write("small.txt", &small);
    assert_eq!(emilia(&["show", "--board", "6", &path]).well(), small);
}

#[test]
fn the_address_of_a_game_is_a_game() {
    let run = emilia(&["show", "https://example.org/#f5d6c3(c5f6)d3@2", "--json"]);
    let shown = json(&run.well());
    assert_eq!((&shown["move_number"], &shown["moves"]), (&2.into(), &"f5d6".into()));
    let whole = json(&emilia(&["show", "https://example.org/#f5d6c3d3", "--json"]).well());
    assert_eq!(whole["moves"], "f5d6c3d3");
    is_misused(&["show", "https://example.org/#f5d6x9"], "\"x9\" is not a square");
}
