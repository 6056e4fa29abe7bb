//! `emilia show`.

use crate::run::{Folder, emilia, emilia_with_input, finish, json, row, text, well};

#[test]
fn color_is_printed_on_request_and_never_because_of_no_color_in_a_pipe() {
    let colored = well("show f5 --color always");
    assert!(colored.contains("\x1b[48;5;") && colored.contains('●'), "{colored}");
    let folder = Folder::new("show_color");
    for (line, variable) in [("show f5", "X"), ("show f5 --color never", "X"), ("show f5", "NO_COLOR")] {
        assert!(finish(folder.command(line).env(variable, "1"), b"").well().is_ascii());
    }
    let true_color = finish(folder.command("show f5 --color always").env("COLORTERM", "truecolor"), b"").well();
    assert!(true_color.contains("\x1b[48;2;"));
}

#[test]
fn a_picture_is_written_as_svg() {
    let folder = Folder::new("show_svg");
    folder.well("show f5d6c3 --svg board.svg");
    let svg = folder.read("board.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // Black has c3, d4, e4, e5 and f5.
    assert_eq!(svg.matches("r=\"25\" fill=\"url(#black)\"").count(), 5);
    // The picture of the tour is what its command draws.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    folder.well(&format!("show '{root}/data/games/iago-paper.ggf' --game 1 --move 30 --svg tour.svg"));
    let shipped = std::fs::read_to_string(format!("{root}/docs/board.svg")).expect("the picture is there");
    // Not assert_eq, which would print both pictures.
    assert!(folder.read("tour.svg") == shipped, "docs/board.svg is another picture; docs/tour.md says how to make it");
}

#[test]
fn games_and_boards_come_from_standard_input_too() {
    for command in ["show", "eval", "hint"] {
        let expected = row(&format!("{command} f5d6c3"))["position"].clone();
        for input in ["f5d6c3\n", "# a game\nF5 D6 C3", text(&expected)] {
            let read = emilia_with_input(&format!("{command} - --json"), input).well();
            assert_eq!(json(read.lines().next().expect("a row"))["position"], expected, "{command} {input}");
        }
    }
}

#[test]
fn names_in_a_file_cannot_control_the_terminal() {
    let folder = Folder::new("show_escape");
    let game = "(;GM[Othello]PC[\x07]PB[\x1b[2JAnn]PW[\u{9b}2JB\u{202e}ob]EV[\u{2066}x\u{200f}]RE[?]TY[8]\
                BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)\n";
    folder.write("game.ggf", game);
    folder.write("bad.sgf", "(;GM[\x1b[2J])\n(;GM[2]PB[\x1b[2JAnn]AB[a1])\n");
    let harmful = ['\x1b', '\x07', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'];
    for line in [
        "show game.ggf",
        "show game.ggf --json",
        "games game.ggf",
        "games game.ggf --json",
        "analyze game.ggf --level 1 --hash 1",
        "analyze game.ggf --level 1 --hash 1 --json",
        "show bad.sgf",
        "convert bad.sgf moves.txt",
    ] {
        let run = folder.emilia(line);
        assert!(!(run.stdout + &run.stderr).contains(harmful), "{line}");
    }
    // In JSON they are escaped and not lost.
    let head = folder.row("show game.ggf");
    assert_eq!([&head["white"], &head["event"]], ["\u{9b}2JB\u{202e}ob", "\u{2066}x\u{200f}"]);
    let loaded = finish(&mut folder.command("play"), b"load bad.sgf\n").well();
    assert!(!loaded.contains('\x1b'));
}

#[test]
fn the_text_of_a_game_is_read_again() {
    let folder = Folder::new("show_again");
    let source = "(;GM[Othello]PB[Rose]PW[Tamenori]DT[1986]RE[+18];B[f5];W[d6];B[c3];W[d3];B[c4];W[f4];B[c5];W[b3];B[c2];W[e3];\
                  B[d2];W[c6];B[b4];W[b5];B[f2];W[e2];B[f3];W[c1];B[e1];W[d1];B[c7];W[f1];B[b6];W[c8];)";
    folder.write("game.ggf", source);
    let known = folder.row("show game.ggf");
    let shown = folder.well("show game.ggf");
    assert_eq!(shown.lines().filter(|line| line.contains(". ") && !line.starts_with(' ')).count(), 0, "{shown}");
    folder.write("shown.txt", &shown);
    for run in [
        folder.emilia("show shown.txt --json"),
        emilia(&format!("show '{shown}' --json")),
        emilia_with_input("show - --json", &shown),
    ] {
        let again = json(&run.well());
        assert_eq!((&again["moves"], &again["position"]), (&known["moves"], &known["position"]), "{shown}");
    }
    assert_eq!(folder.well("convert shown.txt again.txt").lines().count(), 1);
    assert_eq!(folder.read("again.txt").trim(), text(&known["moves"]));
    assert_eq!(folder.rows("games shown.txt").len(), 1);
    // The same on another board, whose file has one game.
    let small = folder.well("show --board 6 b3b2b1");
    folder.write("small.txt", &small);
    assert_eq!(folder.well("show --board 6 small.txt"), small);
}
