//! `emilia gtp`.

use std::time::{Duration, Instant};

use crate::conversation::Conversation;
use crate::run::{emilia_with_input, well};

/// The answers to these commands, which are sent together.
#[track_caller]
fn answers(commands: &str) -> Vec<String> {
    let said = emilia_with_input("gtp --hash 1 --level 5", commands).well();
    let answers: Vec<_> = said.split_terminator("\n\n").map(str::to_owned).collect();
    assert!(answers.iter().all(|answer| answer.starts_with(['=', '?'])), "{said}");
    answers
}

#[test]
fn programs_of_the_literature_think_as_long_as_their_papers_say_and_no_level_deep() {
    for engine in ["iago", "bill3", "weighted-square"] {
        let said = emilia_with_input(&format!("gtp --engine {engine}"), "genmove black\nquit\n").well();
        assert!(said.starts_with("= "), "{said}");
    }
}

#[test]
fn all_commands_are_listed() {
    let list = &answers("list_commands\n")[0];
    for name in "boardsize clear_board komi play genmove reg_genmove undo showboard time_settings time_left loadsgf \
                 final_score quit emilia-analyze"
        .split_whitespace()
    {
        assert!(list.lines().any(|line| line.trim_start_matches("= ") == name), "{name} is not in {list}");
    }
}

#[test]
fn generated_moves_are_legal_and_only_genmove_plays_them() {
    let said = answers("reg_genmove b\ngenmove b\ngenmove b\nreg_genmove w\ngenmove w\nshowboard\n");
    let is_square = |text: &str| text.len() == 4 && text.starts_with("= ");
    assert!([0, 1, 3, 4].iter().all(|&index| is_square(&said[index])), "{said:?}");
    assert_eq!(said[2], "? it is White's turn");
    assert!(said[5].starts_with("= 2 moves\n   a b c d e f g h\n 1 . . . . . . . ."), "{}", said[5]);
}

#[test]
fn other_boards_are_played_too() {
    let said = answers(
        "boardsize 6\ngenmove b\nboardsize 4\ngenmove b\nshowboard\nboardsize 8\nplay b f5\nboardsize 9\nboardsize x\n",
    );
    assert!(said[1].len() == 4 && said[3].len() == 4, "{said:?}");
    assert!(said[4].starts_with("= 1 move\n   a b c d\n"), "{}", said[4]);
    assert_eq!(said[5..], ["=", "=", "? unacceptable size", "? syntax error"]);
    // DESDEMONA's own board of ten columns.
    let said = emilia_with_input(
        "gtp --engine desdemona@depth=2",
        "boardsize 10\nplay b e4\ngenmove w\nplay b a5\nshowboard\nboardsize 8\nplay b f5\n",
    );
    let said = said.well();
    let said: Vec<_> = said.split_terminator("\n\n").collect();
    // The four squares in the middle are e5, f5, e6 and f6; a5 is one of those that are cut out.
    assert!(said[2].starts_with("= ") && said[2].len() >= 4, "{said:?}");
    assert_eq!([said[0], said[1], said[3]], ["=", "=", "? syntax error"]);
    assert!(said[4].starts_with("= 2 moves\n") && said[4].contains("10"), "{}", said[4]);
    assert_eq!(said[5..], ["=", "="]);
    // A depth holds on another board.
    let said = answers("emilia-depth 1\nboardsize 6\nemilia-analyze\n");
    let depths: Vec<_> = said[2].lines().filter(|line| line.starts_with("info")).collect();
    assert!(!depths.is_empty() && depths.iter().all(|line| line.contains(" depth 1@")), "{said:?}");
}

#[test]
fn times_levels_and_depths_are_obeyed() {
    let start = Instant::now();
    let commands = "time_settings 0 1 0\ntime_settings 1 0 0\ngenmove b\ntime_left w 0.3 0\ngenmove w\n\
                    time_settings 0 10 100\ngenmove b\ntime_left w 0 1\ngenmove w\ntime_left b x 0\ntime_settings 1 2\n";
    let said = answers(commands);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(said.iter().filter(|answer| answer.len() == 4).count(), 4, "{said:?}");
    assert_eq!(said[9..], ["? syntax error", "? syntax error"]);
    let said = answers(
        "emilia-level 2.5\ngenmove b\nemilia-depth 2\ngenmove w\nemilia-level 61\nemilia-depth 0\nemilia-level\n",
    );
    assert_eq!(said[4..], ["? syntax error"; 3]);
}

#[test]
fn an_analysis_has_the_origin_of_a_value_and_names_symmetric_moves_once() {
    let mut host = Conversation::start("gtp --hash 4");
    let known = "value +0.00 depth 20@73% nodes 0 time 0.000 origin book";
    for (command, line) in [
        ("emilia-analyze 4", format!("info move D3 {known} symmetric_moves C4,F5,E6 pv D3 ")),
        ("play b f5", "=".to_owned()),
        ("emilia-analyze", format!("info move D6 {known} pv D6 ")),
    ] {
        let lines = host.ask(command, &line);
        assert!(!lines[..lines.len() - 1].iter().any(|line| line.starts_with("info")), "{lines:?}");
        assert_eq!(host.line(), "", "{command}");
    }
}

#[test]
fn an_analysis_streams_until_the_next_command() {
    let mut host = Conversation::start("gtp --hash 4 --engine emilia@book=off");
    host.send("7 emilia-analyze 2");
    assert_eq!(host.line(), "=7");
    let lines = host.until("info move");
    let words: Vec<_> = lines[0].split(' ').collect();
    assert_eq!([words[3], words[5], words[6]], ["value", "depth", "1@100%"]);
    // Deeper and deeper, two moves at a time.
    host.until("info move");
    let mut depth = 0;
    while depth < 8 {
        let line = host.line();
        depth = line.split(['@', ' ']).nth(6).and_then(|depth| depth.parse().ok()).expect("a depth");
    }
    let lines = host.ask("8 name", "=8");
    let [.., empty, answer] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(empty.is_empty() && answer == "=8 Emilia", "{lines:?}");
    assert_eq!(host.line(), "");
    // The end of the input ends it as well.
    host.ask("emilia-analyze b", "=");
    let (code, lines) = host.end();
    assert_eq!((code, lines.last().map(String::as_str)), (Some(0), Some("")));
}

#[test]
fn an_analysis_of_the_end_ends_by_itself() {
    let mut host = Conversation::start("gtp --hash 1");
    // White has to pass after c1, and Black then wins with f1.
    host.send(&format!("emilia-setup_board XO-XO---{} X", "X".repeat(56)));
    host.until_empty();
    host.send("emilia-analyze");
    let lines = host.until_empty();
    let proof = lines.iter().any(|line| line.contains(" value +64 ") && line.ends_with("pv C1 PASS F1"));
    assert!(proof && lines[0] == "=", "{lines:?}");
}

#[test]
fn bytes_outside_of_the_protocols_do_no_harm() {
    let long = "x".repeat(1 << 20).into_bytes();
    let input = [&b"\0\x01\nna\0me\n1 \xff\xfe\n\xe2\x82\n9 "[..], &long, b"\nplay b ", &long, b"\n10 name"].concat();
    let said = emilia_with_input("gtp --hash 1", input).well();
    let expected = [
        "= Emilia",
        "?1 unknown command",
        "? unknown command",
        "?9 the line is longer than any command",
        "? the line is longer than any command",
        "=10 Emilia",
    ];
    assert_eq!(said.split_terminator("\n\n").collect::<Vec<_>>(), expected);
    let begin = b"\0\0\0\nset depth \xff\xfe\ngo\0\n\xe2\x82\nset game \xc3(\n";
    let input = [&begin[..], &long, b"\nset game ", &b"(".repeat(1 << 20), b"\nping 5\nping 6"].concat();
    let said = emilia_with_input("nboard --hash 1", input).well();
    assert!(said.ends_with("pong 5\npong 6\n"), "{said}");
    assert_eq!(well("nboard --hash 1"), "");
}

/// A host that has ended is no reason for a message, nor to continue.
#[cfg(unix)]
#[test]
fn a_program_whose_host_has_ended_ends_too() {
    use std::io::Write;
    use std::process::Stdio;

    for (protocol, order) in [("gtp", "emilia-level 60\ngenmove b\n"), ("nboard", "nboard 2\nset depth 60\ngo\n")] {
        let mut command = crate::run::command(&format!("{protocol} --hash 1"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("the input is a pipe");
        input.write_all(order.as_bytes()).expect("the program reads");
        std::thread::sleep(Duration::from_millis(100));
        // Both ends close together, as when the host is killed during a long search.
        drop(child.stdout.take());
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), messages.as_str()), (Some(0), ""), "{protocol}");
    }
}

#[test]
fn the_end_of_the_input_ends_a_search_of_any_level() {
    // Each of these searches would take years.
    let mut host = Conversation::start("gtp --level 60 --hash 1");
    host.send("genmove b");
    let (code, lines) = host.end();
    assert!(code == Some(0) && lines[0].starts_with("= ") && lines[0].len() == 4, "{lines:?}");
    for order in ["go", "hint 1", "analyze"] {
        let mut host = Conversation::start("nboard --hash 1");
        host.send("set depth 60");
        host.send(order);
        let (code, lines) = host.end();
        let is_answered = lines.iter().any(|line| line.starts_with("=== ") || line == "status");
        assert!(code == Some(0) && is_answered, "{order}: {lines:?}");
    }
}

#[test]
fn a_program_of_the_literature_thinks_as_in_its_time_on_request() {
    for (option, depth) in [("--historical", " depth 2@100% "), ("", " depth 4@100% ")] {
        let mut host = Conversation::start(&format!("gtp --hash 4 --engine bill3@plies=2 {option}"));
        host.send("emilia-depth 4");
        let mut lines = host.ask("emilia-analyze", "info ");
        // The answer ends with an empty line.
        lines.extend(host.until_empty());
        let last = &lines[lines.len() - 2];
        // BILL 3.0 gives its probability of winning.
        assert!(last.contains(depth) && last.contains("% depth"), "{option}: {last}");
    }
}
