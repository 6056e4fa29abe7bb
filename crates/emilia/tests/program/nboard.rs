//! `emilia nboard`.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use crate::conversation::Conversation;
use crate::run::{emilia_with_input, number, row};

/// A game as NBoard sends it, with these properties and moves.
fn game(properties: &str, moves: &str) -> String {
    let board = "---------------------------O*------*O--------------------------- *";
    format!(
        "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]{properties}TY[8]BO[8 {board}]{moves};)"
    )
}

/// The game of the example in the protocol's document.
fn example() -> String {
    game("TI[15:00]", "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4]")
}

/// Begins a session with a game and waits until the program has received it.
fn session(options: &str, game: &str, depth: u32) -> Conversation {
    let mut host = Conversation::start(&format!("nboard --hash 4 {options}"));
    for line in ["nboard 2", game, &format!("set depth {depth}")] {
        host.send(line);
    }
    host.ask("ping 1", "pong 1");
    host
}

/// A board on which White has to pass after c1, and Black then wins with f1.
const PASSING: &str =
    "set game (;GM[Othello]BO[8 *O-*O--- ******** ******** ******** ******** ******** ******** ******** *]";

#[test]
fn the_session_of_the_document_goes_as_it_says() {
    let mut host = Conversation::start("nboard --hash 4");
    for line in ["nboard 2", &example(), "set depth 6"] {
        host.send(line);
    }
    assert_eq!(host.ask("ping 1", "pong 1"), ["set myname Emilia", "set myname Emilia 6", "pong 1"]);
    let lines = host.ask("go", "===");
    assert_eq!(lines[0], "status Emilia is thinking");
    let [thoughts @ .., nodes, answer] = &lines[1..] else { panic!("{lines:?}") };
    assert!(nodes.starts_with("nodestats "), "{lines:?}");
    assert!(thoughts.iter().all(|line| line.starts_with("search ")), "{lines:?}");
    // The last thought is about the move, and has its depth.
    let words: Vec<_> = thoughts.last().expect("there is a thought").split(' ').collect();
    let [_, line, value, zero, depth] = words[..] else { panic!("{words:?}") };
    assert_eq!((zero, depth), ("0", "6"));
    let parts: Vec<_> = answer.trim_start_matches("=== ").split('/').collect();
    assert_eq!((parts.len(), parts[1]), (3, value));
    assert!(line.starts_with(parts[0]) && parts[0].len() == 2, "{lines:?}");
    // The board has not changed: the host sends the move.
    host.send("ping 2");
    host.send(&format!("move {}", parts[0]));
    let lines = host.ask("go", "===");
    assert!(lines[0] == "pong 2" && !lines.last().expect("an answer").contains(parts[0]), "{lines:?}");
    assert_eq!(host.end(), (Some(0), vec![]));
}

#[test]
fn hints_have_the_requested_number_of_moves_and_are_exact_at_the_end() {
    for engine in ["emilia", "emilia@weights=hand-made"] {
        let mut host = session(&format!("--engine {engine}"), &example(), 8);
        assert_eq!(host.ask("hint 3", "status"), ["status Analyzing"]);
        let lines = host.until("status");
        let [thoughts @ .., nodes, status] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(nodes.starts_with("nodestats ") && status == "status", "{lines:?}");
        let last: Vec<Vec<&str>> =
            thoughts[thoughts.len() - 3..].iter().map(|line| line.split(' ').collect::<Vec<_>>()).collect();
        assert!(last.iter().all(|words| words[4] == "8"), "{lines:?}");
        let values: Vec<f64> = last.iter().map(|words| words[2].parse().expect("a value")).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{lines:?}");
        assert_eq!(last.iter().map(|words| &words[1][..2]).collect::<HashSet<_>>().len(), 3);
        // With both moves to the end in sight everything is proven.
        host.send(&format!("{PASSING};)"));
        let lines = host.ask("hint 5", "nodestats");
        assert!(lines.iter().any(|line| line == "search C1PAF1 64.00 0 100%"), "{lines:?}");
    }
}

#[test]
fn passes_are_answered_sent_and_left_out() {
    let mut host = session("", &format!("{PASSING}B[C1];)"), 6);
    // For the host it is White's turn, and White cannot move.
    host.send("go");
    assert_eq!(host.line(), "=== PA//0.00");
    let lines = host.ask("hint 1", "nodestats");
    assert!(lines.iter().any(|line| line == "search PAF1 -64.00 0 100%"), "{lines:?}");
    let mut answer = |lines: &[&str]| {
        lines.iter().for_each(|line| host.send(line));
        host.ask("go", "===").pop().expect("an answer")
    };
    assert!(answer(&["move PA"]).starts_with("=== F1/64.00/"));
    assert_eq!(answer(&["move F1//0.1"]), "=== PA//0.00");
    // The same with the pass in the game, and with a host that never sends it.
    assert!(answer(&[&format!("{PASSING}B[C1]W[PA];)")]).starts_with("=== F1/"));
    host.send(&format!("{PASSING}B[C1];)"));
    host.send("move F1");
    let lines = host.ask("analyze", "analysis 0");
    let expected = ["analysis 3 -64.00", "analysis 2 64.00", "analysis 1 -64.00", "analysis 0 64.00"];
    assert_eq!(lines[lines.len() - 4..], expected);
}

#[test]
fn an_analysis_goes_back_from_the_last_position_to_the_first() {
    let mut host = session("", &example(), 4);
    let lines = host.ask("analyze", "analysis 0 ");
    let numbers: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(1)).skip(1).collect();
    assert_eq!(numbers, ["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
    assert!(lines[1..].iter().all(|line| line.split(' ').nth(2).is_some_and(|value| value.parse::<f64>().is_ok())));
    assert_eq!(host.line(), "status");
}

#[test]
fn the_next_command_interrupts_a_search() {
    // Without a clock and with the greatest depth, nothing ends by itself.
    let mut host = session("", &game("", ""), 60);
    for order in ["go", "hint 2", "analyze"] {
        host.send(order);
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        let lines = host.ask("ping 7", "pong 7");
        assert!(start.elapsed() < Duration::from_secs(5), "{order}");
        let answer = lines.iter().find(|line| line.starts_with("==="));
        assert_eq!(answer.is_some(), order == "go", "{lines:?}");
    }
}

#[test]
fn the_clock_of_the_game_limits_the_thinking() {
    // Black has half a second, White used most of its time with the first move.
    let mut host = session("", &game("TI[00:00.50]", "B[F5]W[D6//0.30]"), 60);
    let start = Instant::now();
    host.ask("go", "===");
    host.send("move C3//0.01");
    host.ask("go", "===");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn other_players_are_served_too() {
    let mut host = session("--engine maximum-disc", &example(), 2);
    let lines = host.ask("go", "===");
    // Two plies ahead both sides have as many discs as each other.
    assert!(lines.last().is_some_and(|line| line.starts_with("=== G6/0.00/")), "{lines:?}");
    let lines = host.ask("hint 4", "nodestats");
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    let lines = session("--engine emilia@depth=3,name=Three", &example(), 10).ask("go", "===");
    assert!(lines.iter().any(|line| line.ends_with(" 3")), "{lines:?}");
    assert_eq!(lines[0], "status Three is thinking");
    // A program of the literature thinks as in its time on request.
    for (option, depth) in [("--historical", " 2"), ("", " 4")] {
        let lines = session(&format!("--engine bill3@plies=2 {option}"), &example(), 4).ask("go", "===");
        let last = lines.iter().rfind(|line| line.starts_with("search ")).expect("a thought");
        assert!(last.ends_with(depth), "{option}: {last}");
    }
}

#[test]
fn a_request_is_answered_after_the_end_of_the_input() {
    let input = format!("nboard 2\nset depth 8\n{}\ngo\n", example());
    let said = emilia_with_input("nboard --hash 4", input).well();
    assert!(said.contains(" 8\n") && said.lines().last().is_some_and(|line| line.starts_with("=== ")), "{said}");
}

#[test]
fn values_of_every_player_are_discs_that_a_board_can_have() {
    for engine in ["iago", "bill2", "bill3", "keyano", "logistello", "desdemona", "weighted-square", "minimum-disc"] {
        let mut host = session(&format!("--engine {engine}"), &example(), 3);
        for (order, end) in [("go", "==="), ("hint 1", "nodestats"), ("analyze", "analysis 0 ")] {
            for line in host.ask(order, end) {
                let words: Vec<_> = line.split([' ', '/']).collect();
                let value = match words[..] {
                    ["search", _, value, ..] | ["===", _, value, _] | ["analysis", _, value] => value,
                    _ => continue,
                };
                let value: f64 = value.parse().unwrap_or_else(|_| panic!("{engine}: {line}"));
                assert!(value.abs() < 30.0, "{engine} in the opening: {line}");
            }
        }
        host.send("quit");
    }
}

/// Openings whose positions are in the book that ships with the program.
const OPENINGS: [&str; 10] =
    ["", "F5", "F5D6", "F5F6", "F5D6C4D3", "F5D6C3", "F5D6C4", "F5D6C3D3", "F5D6C3D3C4", "F5F6E6F4"];

/// The lines about the moves of a position: the word, the move, its value and the number of games.
fn assessments(lines: &[String]) -> Vec<(&str, &str, f64)> {
    let known = lines.iter().filter_map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
        [word @ ("book" | "search"), line, value, _, _] => Some((word, &line[..2], value.parse().expect("a value"))),
        _ => None,
    });
    known.collect()
}

#[test]
fn hints_moves_and_analysis_agree_on_ten_positions_of_the_book() {
    for opening in OPENINGS {
        let count = opening.len() / 2;
        let colors = ["B", "W"].into_iter().cycle();
        let squares = (0..count).map(|index| &opening[2 * index..2 * index + 2]);
        let moves: String = squares.zip(colors).map(|(square, color)| format!("{color}[{square}]")).collect();
        let mut host = session("", &game("", &moves), 8);
        // The values of the book itself.
        let position = if opening.is_empty() { "start".to_owned() } else { opening.to_lowercase() };
        let discs = number(&row(&format!("book show shipped {position}"))["value"]["discs"]);
        host.ask("hint 4", "status");
        let hints = host.until("status");
        // Of several lines about a move, the last one counts.
        let last: BTreeMap<_, _> =
            assessments(&hints).into_iter().map(|(word, square, value)| (square, (word, value))).collect();
        let best = last.values().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let lines = host.ask("go", "===");
        assert!(assessments(&lines).iter().all(|(word, ..)| *word == "book"), "{opening}: {lines:?}");
        let answer: Vec<_> = lines.last().expect("an answer").trim_start_matches("=== ").split('/').collect();
        let played: f64 = answer[1].parse().expect("a value");
        let analysis = host.ask("analyze", &format!("analysis {count} ")).pop().expect("a line");
        let analyzed: f64 = analysis.rsplit(' ').next().expect("a value").parse().expect("discs");
        let close = |value: f64| (value - discs).abs() < 0.005 + 1e-9;
        assert!([best, played, analyzed].into_iter().all(close), "{opening}: {discs} {best} {played} {analyzed}");
        assert_eq!(last.get(answer[0]), Some(&("book", played)), "{opening}: {last:?}");
        host.send("quit");
    }
}
