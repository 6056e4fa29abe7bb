//! `emilia solve`.

use serde_json::{Value, json as object};

use crate::run::{Folder, PAPER, emilia, emilia_with_input, json, list, row, rows, text, well};

/// A problem with the scores of most of its moves.
const PROBLEMS: &str = "\
# A remark is no problem.
OX-----OOO-XXO-OOXOXXOOOOXOOXOO-OXOOOOOOOOOXOOOOO-OOXXO--XOXXX-O X; G1:-20; B7:-20; G2:-20; H4:-22; F1:-26;
";

/// A position with few empty squares, so that plain negamax is quick.
const NEAR_THE_END: &str = "XXXXXXX-XXXXXXO-XXXOOOOOXXOXOXOOXXXOXOOOXXOXXXOOXOOOOOO-OOOOOO-- X";

#[test]
fn the_4x4_game_is_solved_from_its_start() {
    let screen = well("solve --board 4 start");
    assert!(screen.lines().nth(1).expect("a row").contains(" -10 "), "{screen}");
    assert!(screen.ends_with(" nodes/s\n") && screen.contains("1 problem: "), "{screen}");
    let rows = rows("solve --board 4 start --verify");
    let solved = &rows[0];
    assert_eq!((&solved["value"]["discs"], &solved["empties"]), (&(-10).into(), &12.into()));
    assert_eq!(solved["verified"], true);
    // The line, played on the board, ends the game with that score.
    let end = row(&format!("show --board 4 {}", text(&solved["line"])));
    assert_eq!((&end["over"], &end["score"]), (&true.into(), &(-10).into()));
    assert_eq!(rows[1]["problems"], 1);
}

#[test]
fn win_loss_and_draw_agree_with_the_score() {
    for position in ["--board 4 start", &format!("'{NEAR_THE_END}'")] {
        let line = format!("solve {position} --all-moves");
        let (exact, outcome) = (row(&line), row(&format!("{line} --wld")));
        let proven = |value: &Value| {
            let outcome = ["loss", "draw", "win"][(value["discs"].as_i64().expect("a score").signum() + 1) as usize];
            object!({ "kind": "proven", "outcome": outcome })
        };
        assert_eq!(outcome["value"], proven(&exact["value"]));
        for scored in list(&exact["all_moves"]) {
            let same = list(&outcome["all_moves"]).iter().find(|other| other["move"] == scored["move"]);
            assert_eq!(same.expect("the same move")["value"], proven(&scored["value"]), "{scored}");
        }
    }
}

#[test]
fn positions_of_games_are_solved_as_other_commands_read_them() {
    let folder = Folder::new("solve_games");
    let solve = |what: &str| folder.row(&format!("solve {what} --hash 1"));
    let choice = "--game 2 --move 50";
    let shown = row(&format!("show {PAPER} {choice}"));
    let solved = solve(&format!("{PAPER} {choice}"));
    assert_eq!((&solved["position"], &solved["empties"]), (&shown["position"], &10.into()));
    assert_eq!(solve(&format!("'{}'", text(&solved["position"])))["value"], solved["value"]);
    // The same game in other formats, by its name or by the beginning of the file.
    for name in ["game.sgf", "game.txt", "game.ggf"] {
        folder.well(&format!("convert {PAPER} {name}"));
        assert_eq!(solve(&format!("{name} {choice}"))["position"], shown["position"], "{name}");
    }
    folder.write("game", folder.read("game.ggf"));
    assert_eq!(solve(&format!("game {choice}"))["value"], solved["value"]);
    folder.write("problems.txt", PROBLEMS);
    assert_eq!(solve("problems.txt")["stated"], -20);
    // Standard input.
    let read = |input: &str, options: &str| -> Value {
        let printed = emilia_with_input(&format!("solve - --json --hash 1 {options}"), input).well();
        json(printed.lines().next().expect("a row"))
    };
    let problem = read(PROBLEMS, "");
    assert_eq!((&problem["value"]["discs"], &problem["agrees"]), (&(-20).into(), &true.into()));
    // Edax writes a problem without a solution so.
    let unsolved = read(&PROBLEMS.replace("G1:-20; B7:-20; G2:-20; H4:-22; F1:-26;", "--:-127;"), "");
    assert_eq!((&unsolved["value"], &unsolved["stated"]), (&problem["value"], &Value::Null));
    assert_eq!(read("-----OX--XO----- X\n", "--board 4")["value"]["discs"], -10);
    assert_eq!(read(&folder.read("game.ggf"), choice)["line"], solved["line"]);
}

#[test]
fn the_nodes_of_a_problem_do_not_depend_on_the_others_and_threads_do_not_change_scores() {
    let folder = Folder::new("solve_nodes");
    folder.write("two.obf", format!("{NEAR_THE_END};\n{}", PROBLEMS.lines().nth(1).expect("a problem")));
    let solve = |options: &str| folder.rows(&format!("solve two.obf --hash 4 {options}"));
    let (all, second, threads) = (solve(""), solve("--problems 2"), solve("--threads 2"));
    assert_eq!(all[1]["nodes"], second[0]["nodes"]);
    assert_eq!(all[1]["value"], threads[1]["value"]);
}

#[test]
fn positions_without_a_choice_are_solved_too() {
    // White has no disc: Black has won, and no side can move.
    let over = row(&format!("solve '{}{} X' --hash 1", "X".repeat(10), "-".repeat(54)));
    assert_eq!((&over["value"]["discs"], &over["move"]), (&64.into(), &Value::Null));
    // White has no move: it passes, and Black takes everything. The estimate on standard error is by the number of
    // empty squares alone.
    let screen = emilia(&format!("solve 'XO{} O' --hash 1", "-".repeat(62))).stdout;
    assert!(screen.lines().nth(1).expect("a row").contains(" pass    -64 "), "{screen}");
}

/// The shell sends this signal to a program when Ctrl-C is pressed.
#[cfg(unix)]
#[test]
fn an_interrupted_search_prints_the_number_of_its_nodes() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use crate::run::{Started, command};

    let mut started = Started::new(command("solve f5d6 --hash 1 --threads 1").stderr(Stdio::piped()));
    assert!(started.line().expect("a header").contains("empties"));
    // The warning comes before the search.
    let mut warning = String::new();
    let mut errors = BufReader::new(started.child.stderr.take().expect("a pipe"));
    errors.read_line(&mut warning).expect("a line");
    assert!(warning.starts_with("emilia: a position with 58 empty squares takes about "), "{warning}");
    assert!(warning.contains(" million years on 1 thread"), "{warning}");
    std::thread::sleep(std::time::Duration::from_millis(500));
    started.signal("-INT");
    let rest = started.rest();
    assert_eq!(started.code(), Some(130));
    let total = rest.lines().last().expect("a total").strip_prefix("0 problems: ").expect("no problem is solved");
    let nodes: u64 = total.split_once(" nodes").expect(total).0.replace(',', "").parse().expect("a number");
    assert!(nodes > 1000, "{rest}");
}
