//! `emilia nboard`.

use std::time::{Duration, Instant};

use crate::conversation::Conversation;
use crate::run::{emilia, emilia_with_input, is_misused};

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

/// Begins a session and waits until the game is known.
fn session(arguments: &[&str], game: &str, depth: u32) -> Conversation {
    let mut host = Conversation::start(&[&["nboard", "--hash", "4"], arguments].concat());
    for line in ["nboard 2", game, &format!("set depth {depth}"), "ping 1"] {
        host.send(line);
    }
    host.until("pong 1");
    host
}

/// A board on which White has to pass after c1, and Black then wins with f1.
const PASSING: &str =
    "set game (;GM[Othello]BO[8 *O-*O--- ******** ******** ******** ******** ******** ******** ******** *]";

#[test]
fn the_session_of_the_document_goes_as_it_says() {
    let mut host = Conversation::start(&["nboard", "--hash", "4"]);
    host.send("nboard 2");
    host.send(&example());
    host.send("set depth 6");
    host.send("ping 1");
    assert_eq!(host.until("pong 1"), ["set myname Emilia", "set myname Emilia 6", "pong 1"]);
    host.send("go");
    let lines = host.until("===");
    assert_eq!(lines[0], "status Emilia is thinking");
    let [thoughts @ .., nodes, answer] = &lines[1..] else { panic!("{lines:?}") };
    assert!(nodes.starts_with("nodestats "), "{lines:?}");
    assert!(thoughts.iter().all(|line| line.starts_with("search ")), "{lines:?}");
    // The last thought is about the move, and says how deep it is.
    let words: Vec<_> = thoughts.last().expect("there is a thought").split(' ').collect();
    let [_, line, value, zero, depth] = words[..] else { panic!("{words:?}") };
    assert_eq!((zero, depth), ("0", "6"));
    let parts: Vec<_> = answer.trim_start_matches("=== ").split('/').collect();
    assert_eq!((parts.len(), parts[1]), (3, value));
    assert!(line.starts_with(parts[0]) && parts[0].len() == 2, "{lines:?}");
    // The board has not changed: the move is told by the host.
    host.send("ping 2");
    host.send(&format!("move {}", parts[0]));
    host.send("go");
    let lines = host.until("===");
    assert!(lines[0] == "pong 2" && !lines.last().expect("an answer").contains(parts[0]), "{lines:?}");
    assert_eq!(host.end(), (Some(0), vec![]));
}

#[test]
fn hints_are_about_as_many_moves_as_asked_for_and_exact_at_the_end() {
    for engine in ["emilia", "emilia@weights=hand-made"] {
        hints_are_about_as_many_moves_as_asked_for(engine);
    }
}

fn hints_are_about_as_many_moves_as_asked_for(engine: &str) {
    let mut host = session(&["--engine", engine], &example(), 8);
    host.send("hint 3");
    let lines = host.until("status");
    assert_eq!(lines, ["status Analyzing"]);
    let lines = host.until("status");
    let [thoughts @ .., nodes, status] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(nodes.starts_with("nodestats ") && status == "status", "{lines:?}");
    let last: Vec<Vec<&str>> =
        thoughts[thoughts.len() - 3..].iter().map(|line| line.split(' ').collect::<Vec<_>>()).collect();
    assert!(last.iter().all(|words| words[4] == "8"), "{lines:?}");
    let values: Vec<f64> = last.iter().map(|words| words[2].parse().expect("a value")).collect();
    assert!(values.is_sorted_by(|one, next| one >= next), "{lines:?}");
    let moves: std::collections::HashSet<_> = last.iter().map(|words| &words[1][..2]).collect();
    assert_eq!(moves.len(), 3);
    // With both moves to the end in sight everything is proven.
    host.send(&format!("{PASSING};)"));
    host.send("hint 5");
    let lines = host.until("nodestats");
    assert!(lines.iter().any(|line| line == "search C1PAF1 64.00 0 100%"), "{lines:?}");
}

#[test]
fn passes_are_answered_told_and_left_out() {
    let mut host = session(&[], &format!("{PASSING}B[C1];)"), 6);
    // It is White's turn in the eyes of the host, and White cannot move.
    host.send("go");
    assert_eq!(host.line(), "=== PA//0.00");
    host.send("hint 1");
    let lines = host.until("nodestats");
    assert!(lines.iter().any(|line| line == "search PAF1 -64.00 0 100%"), "{lines:?}");
    host.send("move PA");
    host.send("go");
    assert!(host.until("===").last().expect("an answer").starts_with("=== F1/64.00/"));
    host.send("move F1//0.1");
    host.send("go");
    assert_eq!(host.until("===").last().expect("an answer"), "=== PA//0.00");
    // The same with the pass in the game, and with a host that never says it.
    host.send(&format!("{PASSING}B[C1]W[PA];)"));
    host.send("go");
    assert!(host.until("===").last().expect("an answer").starts_with("=== F1/"));
    host.send(&format!("{PASSING}B[C1];)"));
    host.send("move F1");
    host.send("analyze");
    let lines = host.until("analysis 0");
    assert_eq!(
        lines[lines.len() - 4..],
        ["analysis 3 -64.00", "analysis 2 64.00", "analysis 1 -64.00", "analysis 0 64.00"]
    );
}

#[test]
fn an_analysis_goes_back_from_the_last_position_to_the_first() {
    let mut host = session(&[], &example(), 4);
    host.send("analyze");
    let lines = host.until("analysis 0 ");
    let numbers: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(1)).skip(1).collect();
    assert_eq!(numbers, ["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
    assert!(lines[1..].iter().all(|line| line.split(' ').nth(2).is_some_and(|value| value.parse::<f64>().is_ok())));
    assert_eq!(host.line(), "status");
}

#[test]
fn the_next_command_interrupts_what_is_being_thought() {
    // Without a clock and as deep as can be, nothing ends by itself.
    let mut host = session(&[], &game("", ""), 60);
    for order in ["go", "hint 2", "analyze"] {
        host.send(order);
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        host.send("ping 7");
        let lines = host.until("pong 7");
        assert!(start.elapsed() < Duration::from_secs(5), "{order}");
        let answer = lines.iter().find(|line| line.starts_with("==="));
        assert_eq!(answer.is_some(), order == "go", "{lines:?}");
    }
}

#[test]
fn the_clock_of_the_game_limits_the_thinking() {
    // Black has half a second, White used most of its time with the first move.
    let clock = game("TI[00:00.50]", "B[F5]W[D6//0.30]");
    let mut host = session(&[], &clock, 60);
    let start = Instant::now();
    host.send("go");
    host.until("===");
    host.send("move C3//0.01");
    host.send("go");
    host.until("===");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn wrong_games_and_moves_are_told_in_the_status_and_change_nothing() {
    let mut host = session(&[], &example(), 4);
    for (line, words) in [
        ("move A1", "status a1 flips nothing; legal moves:"),
        ("move PA", "status Black can move and must not pass"),
        ("set game (;GM[Go];)", "status The game cannot be read"),
        ("set game", "status The game cannot be read"),
        ("set game (;GM[Othello]B[A1];)", "status The game cannot be read: move 1 is illegal"),
    ] {
        host.send(line);
        let said = host.line();
        assert!(said.starts_with(words), "{line}: {said}");
    }
    host.send("go");
    host.until("===");
}

#[test]
fn learning_and_contempt_are_accepted_and_the_unknown_is_ignored() {
    let mut host = session(&[], &example(), 4);
    for line in ["set contempt 10", "learn", "tea", "set tea", "", "hint x", "ping", "ping x"] {
        host.send(line);
    }
    host.send("ping 2");
    let said = host.until("pong");
    assert!(said[0].starts_with("status Emilia does not learn: "), "{said:?}");
    assert_eq!(said[1..], ["learned", "pong 2"]);
    host.send("quit");
    assert_eq!(host.exit_code(), Some(0));
}

#[test]
fn other_players_are_served_too() {
    let mut host = session(&["--engine", "maximum-disc"], &example(), 2);
    host.send("go");
    let lines = host.until("===");
    // Two plies ahead both sides have as many discs as each other.
    assert!(lines.last().is_some_and(|line| line.starts_with("=== G6/0.00/")), "{lines:?}");
    host.send("hint 4");
    let lines = host.until("nodestats");
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    let mut host = session(&["--engine", "emilia@depth=3,name=Three"], &example(), 10);
    host.send("go");
    let lines = host.until("===");
    assert!(lines.iter().any(|line| line.ends_with(" 3")), "{lines:?}");
    assert_eq!(lines[0], "status Three is thinking");
    is_misused(&["nboard", "--engine", "deep-thought"], "no engine");
    is_misused(&["nboard", "--engine", "emilia@time=5m"], "time= is not allowed here");
}

#[test]
fn bytes_that_are_no_protocol_are_survived() {
    let mut input = b"\0\0\0\nset depth \xff\xfe\ngo\0\n\xe2\x82\nset game \xc3(\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\nset game ");
    input.extend(vec![b'('; 1 << 20]);
    input.extend(b"\nping 5\nping 6");
    let said = emilia_with_input(&["nboard", "--hash", "1"], &input).well();
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.ends_with(&["pong 5", "pong 6"]), "{said}");
}

#[test]
fn what_was_asked_is_answered_after_the_end_of_the_input() {
    let input = format!("nboard 2\nset depth 8\n{}\ngo\n", example());
    let said = emilia_with_input(&["nboard", "--hash", "4"], input.as_bytes()).well();
    assert!(said.contains(" 8\n") && said.lines().last().is_some_and(|line| line.starts_with("=== ")), "{said}");
    assert_eq!(emilia_with_input(&["nboard", "--hash", "1"], b"").well(), "");
}

#[test]
fn values_of_every_player_are_discs_that_a_board_can_have() {
    for engine in ["iago", "bill2", "bill3", "keyano", "logistello", "desdemona", "weighted-square", "minimum-disc"] {
        let mut host = session(&["--engine", engine], &example(), 3);
        for (order, end) in [("go", "==="), ("hint 1", "nodestats"), ("analyze", "analysis 0 ")] {
            host.send(order);
            for line in host.until(end) {
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

#[test]
fn a_program_of_the_literature_thinks_as_in_its_time_where_that_is_asked_for() {
    for (arguments, depth) in [(&["--historical"][..], " 2"), (&[], " 4")] {
        let mut host = session(&[&["--engine", "bill3@plies=2"], arguments].concat(), &example(), 4);
        host.send("go");
        let lines = host.until("===");
        let last = lines.iter().rfind(|line| line.starts_with("search ")).expect("a thought");
        assert!(last.ends_with(depth), "{arguments:?}: {last}");
    }
    is_misused(&["nboard", "--engine", "random", "--historical"], "expected one of iago, bill3, bill2");
    is_misused(&["nboard", "--historical"], "--engine");
}

/// Openings whose positions are in the book that ships with the program.
const OPENINGS: [&str; 10] =
    ["", "F5", "F5D6", "F5F6", "F5D6C4D3", "F5D6C3", "F5D6C4", "F5D6C3D3", "F5D6C3D3C4", "F5F6E6F4"];

/// The lines about the moves of a position: the word, the move, its value and the number of games.
fn assessments(lines: &[String]) -> Vec<(String, String, f64)> {
    let known = lines.iter().filter_map(|line| {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            [word @ ("book" | "search"), line, value, _, _] => {
                Some((word.to_owned(), line[..2].to_owned(), value.parse().expect("a value")))
            }
            _ => None,
        }
    });
    known.collect()
}

#[test]
fn hints_moves_and_analysis_agree_on_ten_positions_of_the_book() {
    for opening in OPENINGS {
        let squares: Vec<&str> = (0..opening.len() / 2).map(|index| &opening[2 * index..2 * index + 2]).collect();
        let colors = ["B", "W"].into_iter().cycle();
        let moves: String = squares.iter().zip(colors).map(|(square, color)| format!("{color}[{square}]")).collect();
        let mut host = session(&[], &game("", &moves), 8);
        // The values of the book itself.
        let word = if opening.is_empty() { "start".to_owned() } else { opening.to_lowercase() };
        let shown: serde_json::Value =
            serde_json::from_str(&emilia(&["book", "show", "shipped", &word, "--json"]).well()).expect("an object");
        let discs = shown["value"]["discs"].as_f64().expect("a value of the book");
        host.send("hint 4");
        host.until("status");
        let hinted = assessments(&host.until("status"));
        // Of several lines about a move, the last one counts.
        let mut last = std::collections::BTreeMap::new();
        for (word, square, value) in hinted {
            last.insert(square, (word, value));
        }
        let best = last.values().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        host.send("go");
        let lines = host.until("===");
        let thoughts = assessments(&lines);
        assert!(thoughts.iter().all(|(word, ..)| word == "book"), "{opening}: {lines:?}");
        let answer: Vec<_> = lines.last().expect("an answer").trim_start_matches("=== ").split('/').collect();
        let played: f64 = answer[1].parse().expect("a value");
        host.send("analyze");
        let lines = host.until(&format!("analysis {} ", squares.len()));
        let analyzed: f64 =
            lines.last().and_then(|line| line.rsplit(' ').next()).expect("a value").parse().expect("discs");
        let close = |value: f64| (value - discs).abs() < 0.005 + 1e-9;
        assert!([best, played, analyzed].into_iter().all(close), "{opening}: {discs} {best} {played} {analyzed}");
        assert_eq!(last.get(answer[0]), Some(&("book".to_owned(), played)), "{opening}: {last:?}");
        host.send("quit");
    }
}
