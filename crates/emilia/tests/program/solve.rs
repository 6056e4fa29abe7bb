//! `emilia solve`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::run::{Folder, emilia, emilia_with_input, fails, is_misused, json, spawn};

/// A problem with the scores of most of its moves.
const PROBLEMS: &str = "\
# A remark is no problem.
OX-----OOO-XXO-OOXOXXOOOOXOOXOO-OXOOOOOOOOOXOOOOO-OOXXO--XOXXX-O X; G1:-20; B7:-20; G2:-20; H4:-22; F1:-26;
";

/// A position with few empty squares, so that plain negamax is quick.
const NEAR_THE_END: &str = "XXXXXXX-XXXXXXO-XXXOOOOOXXOXOXOOXXXOXOOOXXOXXXOOXOOOOOO-OOOOOO-- X";

#[test]
fn the_4x4_game_is_solved_from_its_start() {
    let screen = emilia(&["solve", "--board", "4", "start"]).well();
    let row = screen.lines().nth(1).expect("a row");
    assert!(row.contains(" -10 "), "{screen}");
    assert!(screen.ends_with(" nodes/s\n") && screen.contains("1 problem: "), "{screen}");
    let rows = emilia(&["solve", "--board", "4", "start", "--json", "--verify"]).well();
    let rows: Vec<_> = rows.lines().map(json).collect();
    assert_eq!(
        (&rows[0]["value"]["discs"], &rows[0]["empties"], &rows[0]["verified"]),
        (&(-10).into(), &12.into(), &true.into())
    );
    // The line, played on the board, ends the game with that score.
    let line = rows[0]["line"].as_str().expect("a line");
    let end = json(&emilia(&["show", "--board", "4", line, "--json"]).well());
    assert_eq!((&end["over"], &end["score"]), (&true.into(), &(-10).into()));
    assert_eq!(rows[1]["problems"], 1);
}

#[test]
fn win_loss_and_draw_agree_with_the_score() {
    for board in ["4", "8"] {
        let what = if board == "4" { "start" } else { NEAR_THE_END };
        let [exact, outcome] = [&[][..], &["--wld"]].map(|more| {
            let arguments = [&["solve", "--board", board, what, "--all-moves", "--json"], more].concat();
            json(emilia(&arguments).well().lines().next().expect("a row"))
        });
        let score = exact["value"]["discs"].as_i64().expect("a score");
        let expected = match score.signum() {
            1 => "win",
            0 => "draw",
            _ => "loss",
        };
        let proven = |outcome: &str| serde_json::json!({ "kind": "proven", "outcome": outcome });
        assert_eq!(outcome["value"], proven(expected));
        let outcomes = outcome["all_moves"].as_array().expect("moves");
        for scored in exact["all_moves"].as_array().expect("moves") {
            let same = outcomes.iter().find(|other| other["move"] == scored["move"]).expect("the same move");
            let score = scored["value"]["discs"].as_i64().expect("a score");
            let expected = ["loss", "draw", "win"][(score.signum() + 1) as usize];
            assert_eq!(same["value"], proven(expected), "{scored}");
        }
    }
}

#[test]
fn a_file_is_checked_against_its_scores() {
    let folder = Folder::new("solve_file");
    let good = folder.write("good.obf", PROBLEMS);
    let screen = emilia(&["solve", &good, "--hash", "16"]).well();
    assert!(screen.contains("1 problem, all as the file says: "), "{screen}");

    let wrong = folder.write("wrong.obf", PROBLEMS.replace(":-20", ":-18"));
    let run = emilia(&["solve", &wrong, "--hash", "16"]);
    assert!(run.stdout.contains("but the file says g1 -18  b7 -18  g2 -18  h4 -22  f1 -26"), "{}", run.stdout);
    assert!(run.stdout.contains("0 of 1 as the file says"), "{}", run.stdout);
    assert_eq!(run.failed(1), "emilia: 1 of 1 problem differs from the file\n");

    // A wrong score of another move shows only when all moves are asked for.
    let other = folder.write("other.obf", PROBLEMS.replace(":-22", ":-24"));
    emilia(&["solve", &other, "--hash", "16"]).well();
    let run = emilia(&["solve", &other, "--hash", "16", "--all-moves"]);
    assert!(run.stdout.contains("h4 -22!"), "{}", run.stdout);
    run.failed(1);
}

#[test]
fn a_bad_line_is_named_and_the_others_are_solved() {
    let folder = Folder::new("solve_bad");
    let path = folder.write("bad.obf", format!("nonsense\n{PROBLEMS}\n{NEAR_THE_END}; A1:+2;\n"));
    let run = emilia(&["solve", &path, "--hash", "16"]);
    assert!(run.stdout.contains("1 problem, all as the file says"), "{}", run.stdout);
    let message = run.failed(1);
    assert!(message.contains("bad.obf, line 1: the board has"), "{message}");
    assert!(message.contains("bad.obf, line 5: "), "{message}");
    assert!(message.contains("2 bad records were skipped"), "{message}");
    fails(&["solve", &folder.write("empty.obf", "\n# nothing\n")], "no problem to solve");
}

#[test]
fn positions_of_games_are_solved_as_other_commands_read_them() {
    let paper = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf");
    let row = |arguments: &[&str]| {
        let rows = emilia(&[&["solve"], arguments, &["--json", "--hash", "1"]].concat()).well();
        json(rows.lines().next().expect("a row"))
    };
    let shown = json(&emilia(&["show", paper, "--game", "2", "--move", "50", "--json"]).well());
    let solved = row(&[paper, "--game", "2", "--move", "50"]);
    assert_eq!((&solved["position"], &solved["empties"]), (&shown["position"], &10.into()));
    let board = solved["position"].as_str().expect("a board");
    assert_eq!(row(&[board])["value"], solved["value"]);
    // The same game in other formats, by its name or by how the file begins.
    let folder = Folder::new("solve_games");
    for name in ["game.sgf", "game.txt", "game.ggf"] {
        let path = folder.path(name);
        emilia(&["convert", paper, &path]).well();
        assert_eq!(row(&[&path, "--game", "2", "--move", "50"])["position"], shown["position"], "{name}");
    }
    let nameless = folder.write("game", folder.read("game.ggf"));
    assert_eq!(row(&[&nameless, "--game", "2", "--move", "50"])["value"], solved["value"]);
    let problems = folder.write("problems.txt", PROBLEMS);
    assert_eq!(row(&[&problems])["stated"].as_i64(), Some(-20));
    is_misused(&["solve", &problems, "--move", "5"], "holds problems, not games; use --problems N");
    is_misused(&["solve", paper, "--problems", "1"], "--problems needs a file of problems");
}

#[test]
fn some_problems_of_a_file_are_chosen() {
    let folder = Folder::new("solve_range");
    let path = folder.write("three.obf", format!("{NEAR_THE_END};\n").repeat(3));
    let numbers = |range: &str| -> Vec<i64> {
        let rows = emilia(&["solve", &path, "--problems", range, "--json", "--hash", "1"]).well();
        rows.lines().map(json).filter_map(|row| row["problem"].as_i64()).collect()
    };
    assert_eq!(numbers("2"), [2]);
    assert_eq!(numbers("2-9"), [2, 3]);
    fails(&["solve", &path, "--problems", "7"], "no problem to solve");
    for range in ["0", "3-2", "a", "1-", "-"] {
        is_misused(&["solve", &path, &format!("--problems={range}")], "not a range of problems");
    }
}

#[test]
fn the_nodes_of_a_problem_do_not_depend_on_the_others_and_threads_do_not_change_scores() {
    let folder = Folder::new("solve_nodes");
    let path = folder.write("two.obf", format!("{NEAR_THE_END};\n{}", PROBLEMS.lines().nth(1).expect("a problem")));
    let rows = |more: &[&str]| -> Vec<_> {
        let arguments = [&["solve", &path, "--json", "--hash", "4"], more].concat();
        emilia(&arguments).well().lines().map(json).collect()
    };
    let (all, second, threads) = (rows(&[]), rows(&["--problems", "2"]), rows(&["--threads", "2"]));
    assert_eq!(all[1]["nodes"], second[0]["nodes"]);
    assert_eq!(all[1]["value"], threads[1]["value"]);
}

#[test]
fn positions_without_a_choice_are_solved_too() {
    // White has no disc: Black has won, and nobody can move.
    let over = format!("{}{} X", "X".repeat(10), "-".repeat(54));
    let row = json(emilia(&["solve", &over, "--json", "--hash", "1"]).well().lines().next().expect("a row"));
    assert_eq!((&row["value"]["discs"], &row["move"]), (&64.into(), &serde_json::Value::Null));
    // White has no move: it passes, and Black takes everything.
    let pass = format!("XO{} O", "-".repeat(62));
    // The estimate on standard error is by the number of empty squares alone.
    let screen = emilia(&["solve", &pass, "--hash", "1"]).stdout;
    assert!(screen.lines().nth(1).expect("a row").contains(" pass    -64 "), "{screen}");
}

#[test]
fn problems_and_games_come_from_standard_input_too() {
    let rows = |input: &str, more: &[&str]| -> Vec<_> {
        let arguments = [&["solve", "-", "--json", "--hash", "1"], more].concat();
        emilia_with_input(&arguments, input.as_bytes()).well().lines().map(json).collect()
    };
    let solved = rows(PROBLEMS, &[]);
    assert_eq!((&solved[0]["value"]["discs"], &solved[0]["agrees"]), (&(-20).into(), &true.into()));
    // Edax knows no move of a problem that nobody has solved.
    let unsolved = rows(&PROBLEMS.replace("G1:-20; B7:-20; G2:-20; H4:-22; F1:-26;", "--:-127;"), &[]);
    assert_eq!((&unsolved[0]["value"], &unsolved[0]["stated"]), (&solved[0]["value"], &serde_json::Value::Null));
    let four = rows("-----OX--XO----- X\n", &["--board", "4"]);
    assert_eq!(four[0]["value"]["discs"], -10);
    let paper = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf");
    let games = std::fs::read_to_string(paper).expect("the games of the paper");
    let choice = ["--game", "2", "--move", "50"];
    let of_file = emilia(&[&["solve", paper, "--json", "--hash", "1"], &choice[..]].concat()).well();
    assert_eq!(rows(&games, &choice)[0]["line"], json(of_file.lines().next().expect("a row"))["line"]);
}

/// The shell sends this signal to a program when Ctrl-C is pressed.
#[cfg(unix)]
#[test]
fn an_interrupted_search_says_how_many_nodes_it_has_searched() {
    let arguments = ["solve", "f5d6", "--hash", "1", "--threads", "1"];
    let mut child = spawn(&arguments, Stdio::null(), Stdio::piped(), Stdio::piped());
    let mut lines = BufReader::new(child.stdout.take().expect("the output is a pipe")).lines();
    assert!(lines.next().expect("a line").expect("a header").contains("empties"));
    // The warning comes before the search.
    let mut warning = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    errors.read_line(&mut warning).expect("a line");
    assert!(warning.starts_with("emilia: a position with 58 empty squares takes about "), "{warning}");
    assert!(warning.contains(" million years on 1 thread"), "{warning}");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("a signal is sent").success());
    let rest: Vec<String> = lines.map(|line| line.expect("a line")).collect();
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    let total = rest.last().expect("a total").strip_prefix("0 problems: ").expect("no problem is solved");
    let nodes: u64 = total.split_once(" nodes").expect(total).0.replace(',', "").parse().expect("a number");
    assert!(nodes > 1000, "{rest:?}");
}

#[test]
fn senseless_wishes_are_misuse() {
    is_misused(&["solve"], "BOARD|GAME|FILE");
    fails(&["solve", "nothing.obf"], "cannot read nothing.obf: No such file or directory");
    is_misused(&["solve", "nothing"], "not a board, file or transcript");
    is_misused(&["solve", "XXXXXXXXXXXXXXXX", "X"], "the board has 16 squares");
    is_misused(&["solve", "start", "X"], "unexpected argument \"X\"");
    is_misused(&["solve", NEAR_THE_END, "--problems", "1"], "--problems needs a file of problems");
    is_misused(&["solve", "--board", "cs221", "start"], "cs221");
    is_misused(&["solve", NEAR_THE_END, "--threads", "0"], "0");
    is_misused(&["solve", NEAR_THE_END, "--hash", "0"], "0");
    let folder = Folder::new("solve_misuse");
    fails(&["solve", &folder.path(".")], "is a folder; expected a file of problems");
    fails(&["solve", NEAR_THE_END, "--hash", "4000000000"], "a hash table of 4000000000 MB does not fit into memory");
}
