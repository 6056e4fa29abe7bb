//! GTP hosts: their recorded dialogs, and the rules that GoGui requests.

use std::fs;
use std::path::Path;

use othello::random::Random;
use othello::reference::{Place, ReferenceBoard};

use crate::conversation::Conversation;

/// A command and its answer, as a host has recorded them.
struct Exchange {
    command: String,
    answer: String,
}

/// A recorded dialog: the command line of the program, and the exchanges.
fn read_dialog(name: &str) -> (String, Vec<Exchange>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dialogs").join(name);
    let text = fs::read_to_string(path).expect("the dialog is there");
    let (first, rest) = text.split_once('\n').expect("there are lines");
    let arguments = first.strip_prefix("# emilia ").expect("the first line is the command");
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in rest.lines().filter(|line| !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix("> ") {
            exchanges.push(Exchange { command: command.to_owned(), answer: String::new() });
        } else if let Some(exchange) = exchanges.last_mut() {
            let separator = if exchange.answer.is_empty() { "" } else { "\n" };
            exchange.answer += &format!("{separator}{}", line.replace("{version}", env!("CARGO_PKG_VERSION")));
        }
    }
    (arguments.to_owned(), exchanges)
}

/// The answers to commands, which are sent one after the other.
#[track_caller]
fn answers(line: &str, commands: &[String]) -> Vec<String> {
    let mut program = Conversation::start(line);
    let mut answer = |command: &String| {
        program.send(command);
        let lines = program.until_empty();
        lines[..lines.len() - 1].join("\n")
    };
    commands.iter().map(&mut answer).collect()
}

#[test]
fn the_recorded_dialogs_of_quarry_and_gogui_are_answered_as_they_were() {
    for name in ["quarry-black.txt", "quarry-white.txt", "quarry-clock.txt", "gogui-player.txt", "gogui-rules.txt"] {
        let (line, exchanges) = read_dialog(name);
        let commands: Vec<String> = exchanges.iter().map(|exchange| exchange.command.clone()).collect();
        let answers = answers(&line, &commands);
        assert!(answers.len() > 60, "{name}");
        for (Exchange { command, answer: recorded }, answer) in exchanges.iter().zip(&answers) {
            if command == "list_commands" {
                // Commands may be added.
                let has = |name: &str| answer.trim_start_matches("= ").lines().any(|known| known == name);
                assert!(recorded.trim_start_matches("= ").lines().all(has), "{name}: {answer}");
            } else {
                assert_eq!(answer, recorded, "{name}: {command}");
            }
        }
    }
}

/// The name of a place, as GoGui writes it.
fn square((column, row): Place) -> String {
    format!("{}{}", char::from(b'A' + column as u8), row + 1)
}

/// The board as GoGui reads it: its first line is the row with the highest number.
fn drawing(board: &ReferenceBoard) -> String {
    let disc = |place| match board.at(place) {
        b'-' => '.',
        disc => char::from(disc),
    };
    let row = |row| (0..board.side()).map(|column| disc((column, row)).to_string()).collect::<Vec<_>>().join(" ");
    (0..board.side()).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The sentence about a finished game.
fn result(board: &ReferenceBoard) -> String {
    let score = if board.turn() == b'X' { board.final_score() } else { -board.final_score() };
    let all = (board.side() * board.side()) as i32;
    let [more, less] = [(all + score.abs()) / 2, (all - score.abs()) / 2];
    match score {
        0 => format!("Draw, {more} to {less}."),
        1.. => format!("Black wins by {score} discs, {more} to {less}."),
        _ => format!("White wins by {} discs, {more} to {less}.", -score),
    }
}

/// Requests of GoGui about every position.
const REQUESTS: [&str; 4] =
    ["gogui-rules_board", "gogui-rules_side_to_move", "gogui-rules_legal_moves", "gogui-rules_final_result"];

/// The true answers to these requests, by the slow rules.
fn truths(board: &ReferenceBoard) -> [String; 4] {
    let side = if board.turn() == b'X' { "black" } else { "white" };
    let moves: Vec<String> = match board.must_pass() {
        true => vec!["pass".to_owned()],
        false => board.moves().into_iter().map(square).collect(),
    };
    let ending = if board.is_over() { format!("= {}", result(board)) } else { "? cannot score".to_owned() };
    let moves = format!("= {}", moves.join(" "));
    [format!("= {}", drawing(board)), format!("= {side}"), moves.trim_end().to_owned(), ending]
}

/// Plays games at random; the commands of a host that asks for everything, and the answers by the slow rules.
fn games_at_random(board: &str, count: u64) -> (Vec<String>, Vec<String>) {
    let start = ReferenceBoard::start(board).expect("a board");
    let side = start.side();
    let mut commands = vec![format!("boardsize {side}"), "gogui-rules_board_size".to_owned()];
    let mut expected = vec!["=".to_owned(), format!("= {side}")];
    for seed in 0..count {
        let mut random = Random::new(seed);
        let mut board = start;
        commands.push("clear_board".to_owned());
        expected.push("=".to_owned());
        loop {
            commands.extend(REQUESTS.map(str::to_owned));
            expected.extend(truths(&board));
            if board.is_over() {
                break;
            }
            let color = if board.turn() == b'X' { "b" } else { "w" };
            let moves = board.moves();
            let after = match moves.get(random.below(moves.len().max(1))) {
                Some(&place) => {
                    commands.push(format!("play {color} {}", square(place)));
                    board.play(place).expect("a legal move")
                }
                None => {
                    commands.push(format!("play {color} pass"));
                    board.pass()
                }
            };
            expected.push("=".to_owned());
            board = after;
        }
    }
    (commands, expected)
}

#[test]
fn gogui_gets_the_rules_as_the_slow_ones_have_them() {
    for (board, count) in [("8x8", 40), ("6x6", 40), ("4x4", 40)] {
        let (commands, expected) = games_at_random(board, count);
        assert!(commands.iter().any(|command| command.ends_with("pass")), "no game on {board} has a pass");
        let answers = answers("gtp --hash 1 --level 1", &commands);
        for ((command, answer), expected) in commands.iter().zip(&answers).zip(&expected) {
            assert_eq!(answer, expected, "{board}: {command}");
        }
    }
}
