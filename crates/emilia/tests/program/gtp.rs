//! `emilia gtp`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::conversation::Conversation;
use crate::run::{Folder, emilia_with_input, is_misused, spawn};

/// What is answered to these commands, which are sent all at once.
#[track_caller]
fn answers(commands: &str) -> Vec<String> {
    let said = emilia_with_input(&["gtp", "--hash", "1", "--level", "5"], commands.as_bytes()).well();
    let answers: Vec<_> = said.split_terminator("\n\n").map(str::to_owned).collect();
    assert!(answers.iter().all(|answer| answer.starts_with(['=', '?'])), "{said}");
    answers
}

/// A board on which White has to pass after c1, and Black then wins with f1.
const PASSING: &str = "XO-XO---XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X";

#[test]
fn programs_of_the_literature_think_as_long_as_their_papers_say_and_no_level_deep() {
    for engine in ["iago", "bill3", "weighted-square"] {
        let said = emilia_with_input(&["gtp", "--engine", engine], b"genmove black\nquit\n").well();
        assert!(said.starts_with("= "), "{said}");
    }
}

#[test]
fn administrative_commands_are_answered_with_their_numbers() {
    let version = format!("= {}", env!("CARGO_PKG_VERSION"));
    let commands = "1 protocol_version\n0002 name # who is it\n\n# nothing\nversion\nknown_command genmove\n\
                    4 known_command tea\n5 tea\n6\nquit\nname\n";
    let expected =
        ["=1 2", "=2 Emilia", &version, "= true", "=4 false", "?5 unknown command", "?6 unknown command", "="];
    assert_eq!(answers(commands), expected);
    let list = &answers("list_commands\n")[0];
    for name in "boardsize clear_board komi play genmove reg_genmove undo showboard time_settings time_left loadsgf \
                 final_score quit emilia-analyze"
        .split_whitespace()
    {
        assert!(list.lines().any(|line| line.trim_start_matches("= ") == name), "{name} is not in {list}");
    }
}

#[test]
fn moves_are_played_undone_and_refused() {
    let commands = "play b f5\nplay black d6\nplay w D6\nplay w a1\nplay b x9\nplay b pass\nplay red c3\nplay b\nundo\n\
                    undo\nundo\nplay w f5\ngenmove w\ngenmove\nkomi 6.5\nkomi x\n";
    let expected = "=|? illegal move|=|? illegal move|? syntax error|? illegal move|? syntax error|? syntax error|=|=|\
                    ? cannot undo|? illegal move|? it is Black's turn|? syntax error|=|? syntax error";
    assert_eq!(answers(commands).join("|"), expected);
}

#[test]
fn generated_moves_are_legal_and_played_unless_only_asked_for() {
    let said = answers("reg_genmove b\ngenmove b\ngenmove b\nreg_genmove w\ngenmove w\nshowboard\n");
    let is_square = |text: &str| text.len() == 4 && text.starts_with("= ");
    assert!([0, 1, 3, 4].iter().all(|&index| is_square(&said[index])), "{said:?}");
    assert_eq!(said[2], "? it is White's turn");
    assert!(said[5].starts_with("= 2 moves\n   a b c d e f g h\n 1 . . . . . . . ."), "{}", said[5]);
}

#[test]
fn passes_are_forced_and_never_chosen() {
    let board = format!("emilia-setup_board {PASSING}\n");
    let passing = format!("{board}play b c1\ngenmove w\ngenmove b\nfinal_score\ngenmove w\n");
    assert_eq!(answers(&passing), ["=", "=", "= PASS", "= F1", "= B+64", "= PASS"]);
    // A host that does not tell passes, one that does, and one that takes them back.
    let told = format!("{board}play b c1\nplay b pass\nplay w pass\nundo\nplay w pass\nplay b f1\nfinal_score\n");
    assert_eq!(answers(&told), ["=", "=", "? illegal move", "=", "=", "=", "=", "= B+64"]);
    let silent = format!("{board}play b c1\nplay b f1\nfinal_score\nundo\nundo\nundo\n");
    assert_eq!(answers(&silent), ["=", "=", "=", "= B+64", "=", "=", "? cannot undo"]);
}

#[test]
fn the_final_score_counts_empty_squares_for_the_winner() {
    assert_eq!(answers("final_score\n"), ["? cannot score"]);
    for (board, score) in [
        (format!("XX{} O", "-".repeat(62)), "= B+64"),
        (format!("OO{} X", "-".repeat(62)), "= W+64"),
        (format!("{}{} X", "X".repeat(32), "O".repeat(32)), "= 0"),
        (format!("{}{} O", "X".repeat(30), "O".repeat(34)), "= W+4"),
    ] {
        assert_eq!(answers(&format!("emilia-setup_board {board}\nfinal_score\n"))[1], score);
    }
}

#[test]
fn smaller_boards_are_played_too() {
    let said = answers(
        "boardsize 6\ngenmove b\nboardsize 4\ngenmove b\nshowboard\nboardsize 8\nplay b f5\nboardsize 9\nboardsize x\n",
    );
    assert!(said[1].len() == 4 && said[3].len() == 4, "{said:?}");
    assert!(said[4].starts_with("= 1 move\n   a b c d\n"), "{}", said[4]);
    assert_eq!(said[5..], ["=", "=", "? unacceptable size", "? syntax error"]);
}

#[test]
fn desdemona_plays_on_its_own_board_of_ten_columns() {
    let said = emilia_with_input(
        &["gtp", "--engine", "desdemona@depth=2"],
        b"boardsize 10\nplay b e4\ngenmove w\nplay b a5\nshowboard\nboardsize 8\nplay b f5\n",
    );
    let said = said.well();
    let said: Vec<_> = said.split_terminator("\n\n").collect();
    // The four squares in the middle are e5, f5, e6 and f6; a5 is one of those that are cut out.
    assert!(said[2].starts_with("= ") && said[2].len() >= 4, "{said:?}");
    assert_eq!((said[0], said[1], said[3]), ("=", "=", "? syntax error"));
    assert!(said[4].starts_with("= 2 moves\n") && said[4].contains("10"), "{}", said[4]);
    assert_eq!(said[5..], ["=", "="]);
}

#[test]
fn a_depth_holds_on_a_board_of_another_size() {
    let said = answers("emilia-depth 1\nboardsize 6\nemilia-analyze\n");
    let depths: Vec<_> = said[2].lines().filter(|line| line.starts_with("info")).collect();
    assert!(!depths.is_empty() && depths.iter().all(|line| line.contains(" depth 1@")), "{said:?}");
}

#[test]
fn programs_of_the_literature_refuse_boards_that_they_do_not_know_and_go_on() {
    let said = |engine: &str, commands: &str| {
        emilia_with_input(&["gtp", "--engine", engine], commands.as_bytes()).well().replace("\n\n", "|")
    };
    for engine in ["iago", "bill3", "logistello", "keyano", "desdemona"] {
        let found = said(engine, "boardsize 6\nboardsize 8\nplay b f5\nboardsize 4\nundo\n");
        let expected = "? unacceptable size|= |= |? unacceptable size|= |";
        assert_eq!(found.replace("=|", "= |"), expected, "{engine}");
    }
    assert_eq!(said("weighted-square", "boardsize 6\nboardsize 8\n").replace("=|", "= |"), "= |= |");
}

#[test]
fn games_are_loaded_at_their_end_or_before_a_move() {
    let folder = Folder::new("gtp_load");
    let path = folder.path("game.sgf");
    let transcript = folder.write("game.txt", "f5d6c3d3c4\n");
    assert_eq!(crate::run::emilia(&["convert", &transcript, &path]).code, Some(0));
    let bad = folder.write("bad.sgf", "(;GM[1])");
    let said = answers(&format!(
        "loadsgf {path}\nshowboard\nloadsgf {path} 3\nshowboard\nplay b c3\nundo\nundo\nloadsgf {bad}\n\
                                 loadsgf {}\nloadsgf\nloadsgf {path} x\n",
        folder.path("none.sgf")
    ));
    assert!(said[1].starts_with("= 5 moves") && said[3].starts_with("= 2 moves"), "{said:?}");
    let rest = ["=", "=", "=", "? cannot load file", "? cannot load file", "? syntax error", "? syntax error"];
    assert_eq!(said[4..], rest);
}

#[test]
fn times_are_obeyed() {
    let start = Instant::now();
    let commands = "time_settings 0 1 0\ntime_settings 1 0 0\ngenmove b\ntime_left w 0.3 0\ngenmove w\n\
                    time_settings 0 10 100\ngenmove b\ntime_left w 0 1\ngenmove w\ntime_left b x 0\ntime_settings 1 2\n";
    let said = answers(commands);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(said.iter().filter(|answer| answer.len() == 4).count(), 4, "{said:?}");
    assert_eq!(said[9..], ["? syntax error", "? syntax error"]);
}

#[test]
fn levels_and_depths_are_set() {
    let commands =
        "emilia-level 2.5\ngenmove b\nemilia-depth 2\ngenmove w\nemilia-level 61\nemilia-depth 0\nemilia-level\n";
    let said = answers(commands);
    assert_eq!(said[4..], ["? syntax error"; 3]);
    is_misused(&["gtp", "--level", "61"], "61");
    is_misused(&["gtp", "--engine", "emilia@time=5m"], "time= is not allowed here");
}

#[test]
fn an_analysis_says_where_a_value_comes_from_and_names_symmetric_moves_once() {
    let mut host = Conversation::start(&["gtp", "--hash", "4"]);
    let known = "value +0.00 depth 20@73% nodes 0 time 0.000 origin book";
    for (order, line) in [
        ("emilia-analyze 4", format!("info move D3 {known} symmetric_moves C4,F5,E6 pv D3 ")),
        ("play b f5", "=".to_owned()),
        ("emilia-analyze", format!("info move D6 {known} pv D6 ")),
    ] {
        host.send(order);
        let lines = host.until(&line);
        assert!(!lines[..lines.len() - 1].iter().any(|line| line.starts_with("info")), "{lines:?}");
        assert_eq!(host.line(), "", "{order}");
    }
}

#[test]
fn an_analysis_streams_until_the_next_command() {
    let mut host = Conversation::start(&["gtp", "--hash", "4", "--engine", "emilia@book=off"]);
    host.send("7 emilia-analyze 2");
    assert_eq!(host.line(), "=7");
    let lines = host.until("info move");
    let words: Vec<_> = lines[0].split(' ').collect();
    assert_eq!((words[3], words[5], words[6]), ("value", "depth", "1@100%"));
    // Deeper and deeper, two moves at a time.
    host.until("info move");
    loop {
        let line = host.line();
        let depth: u32 = line.split(['@', ' ']).nth(6).and_then(|depth| depth.parse().ok()).expect("a depth");
        if depth >= 8 {
            break;
        }
    }
    host.send("8 name");
    let lines = host.until("=8");
    let [.., empty, answer] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(empty.is_empty() && answer == "=8 Emilia", "{lines:?}");
    assert_eq!(host.line(), "");
    // The end of the input ends it as well.
    host.send("emilia-analyze b");
    host.until("=");
    let (code, lines) = host.end();
    assert_eq!((code, lines.last().map(String::as_str)), (Some(0), Some("")));
    let wrong = answers("emilia-analyze w\nemilia-analyze 0\nemilia-analyze x\n");
    assert_eq!(wrong, ["? syntax error"; 3]);
}

#[test]
fn an_analysis_of_the_end_ends_by_itself() {
    let board = format!("emilia-setup_board {PASSING}\n");
    let said =
        emilia_with_input(&["gtp", "--hash", "1"], format!("{board}emilia-depth 8\nreg_genmove b\n").as_bytes()).well();
    assert_eq!(said, "=\n\n=\n\n= C1\n\n");
    let mut host = Conversation::start(&["gtp", "--hash", "1"]);
    host.send(board.trim_end());
    host.until_empty();
    host.send("emilia-analyze");
    let lines = host.until_empty();
    let proof = lines.iter().any(|line| line.contains(" value +64 ") && line.ends_with("pv C1 PASS F1"));
    assert!(proof && lines[0] == "=", "{lines:?}");
}

#[test]
fn bytes_that_are_no_protocol_are_survived() {
    let mut input = b"\0\x01\nna\0me\n1 \xff\xfe\n\xe2\x82\n9 ".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\nplay b ");
    input.extend(vec![b'f'; 1 << 20]);
    input.extend(b"\n10 name");
    let said = emilia_with_input(&["gtp", "--hash", "1"], &input).well();
    let expected = [
        "= Emilia",
        "?1 unknown command",
        "? unknown command",
        "?9 the line is longer than any command",
        "? the line is longer than any command",
        "=10 Emilia",
    ];
    assert_eq!(said.split_terminator("\n\n").collect::<Vec<_>>(), expected);
}

/// A host that is gone is no reason to complain, nor to go on.
#[cfg(unix)]
#[test]
fn a_host_that_has_gone_is_left() {
    for (protocol, order) in [("gtp", "emilia-level 60\ngenmove b\n"), ("nboard", "nboard 2\nset depth 60\ngo\n")] {
        let mut child = spawn(&[protocol, "--hash", "1"], Stdio::piped(), Stdio::piped(), Stdio::piped());
        let mut input = child.stdin.take().expect("the input is a pipe");
        std::io::Write::write_all(&mut input, order.as_bytes()).expect("the program reads");
        std::thread::sleep(Duration::from_millis(100));
        // Both ends close at once, as when the host is killed in the midst of a long search.
        drop(child.stdout.take());
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), ""),
            "{protocol}"
        );
    }
}

#[test]
fn the_end_of_the_input_ends_a_search_of_any_level() {
    // Each of these searches would take much longer than anybody waits.
    let mut host = Conversation::start(&["gtp", "--level", "60", "--hash", "1"]);
    host.send("genmove b");
    let (code, lines) = host.end();
    assert!(code == Some(0) && lines[0].starts_with("= ") && lines[0].len() == 4, "{lines:?}");
    for order in ["go", "hint 1", "analyze"] {
        let mut host = Conversation::start(&["nboard", "--hash", "1"]);
        host.send("set depth 60");
        host.send(order);
        let (code, lines) = host.end();
        let is_answered = lines.iter().any(|line| line.starts_with("=== ") || line == "status");
        assert!(code == Some(0) && is_answered, "{order}: {lines:?}");
    }
}

#[test]
fn a_program_of_the_literature_thinks_as_in_its_time_where_that_is_asked_for() {
    for (arguments, depth) in [(&["--historical"][..], " depth 2@100% "), (&[], " depth 4@100% ")] {
        let arguments = [&["gtp", "--hash", "4", "--engine", "bill3@plies=2"], arguments].concat();
        let mut host = Conversation::start(&arguments);
        host.send("emilia-depth 4");
        host.send("emilia-analyze");
        let mut last = host.until("info ").pop().expect("a thought");
        // The answer ends with an empty line.
        loop {
            match host.line() {
                line if line.is_empty() => break,
                line => last = line,
            }
        }
        assert!(last.contains(depth), "{arguments:?}: {last}");
        // BILL 3.0 tells how likely it is to win.
        assert!(last.contains("% depth"), "{last}");
    }
    is_misused(&["gtp", "--engine", "random", "--historical"], "expected one of iago, bill3, bill2");
}
