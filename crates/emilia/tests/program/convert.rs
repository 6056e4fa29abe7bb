//! `emilia convert` and `emilia games`.

use crate::run::{Folder, PAPER, json, row, rows, text};

#[test]
fn finished_games_pass_through_thor() {
    let folder = Folder::new("convert_thor");
    let game = folder.rows("play --against random --engine random --seed 4");
    let moves = format!("{}\n", text(&game.last().expect("a result")["moves"]));
    folder.write("start.txt", &moves);
    folder.well("convert start.txt games.wtb");
    folder.well("convert games.wtb end.txt");
    assert_eq!(folder.read("end.txt"), moves);
}

#[test]
fn the_games_of_the_iago_paper_end_as_its_figures_say() {
    let scores: Vec<_> = rows(&format!("games {PAPER}")).iter().map(|row| row["score"].as_i64()).collect();
    // 51-13, 21-43, 3-60 with an empty square for the winner, 30-34, 40-24, 44-20 and 21-43.
    assert_eq!(scores, [38, -22, -58, -4, 16, 24, -22].map(Some));
    // Figure 3.1: after move 30 THE MOOR has 32 discs to 2.
    let shown = row(&format!("show {PAPER} --game 1 --move 30"));
    assert_eq!([&shown["black_discs"], &shown["white_discs"]], [2, 32]);
    // Figure 3.3: from move 54 on Inoue makes six moves in a row.
    for number in 53..59 {
        let shown = row(&format!("show {PAPER} --game 2 --move {number}"));
        assert_eq!(shown["turn"], "white", "after move {number}");
    }
}

#[test]
fn a_game_has_the_file_and_number_by_which_other_commands_find_it() {
    let folder = Folder::new("games_number");
    folder.write("a.txt", "f5d6\nf5f5\nf5f4\n");
    folder.write("it's b.txt", "f5f6\n");
    let run = folder.emilia("games . --json");
    for row in run.stdout.lines().map(json) {
        let shown = folder.row(&format!("show \"{}\" --game {}", text(&row["file"]), row["number"]));
        assert_eq!(shown["moves"], row["moves"], "{row}");
    }
    assert_eq!(run.stdout.lines().count(), 3);
    let listed = folder.emilia("games .").stdout;
    assert!(listed.contains("a.txt --game 3\n") && listed.contains("it'\\''s b.txt' --game 1\n"), "{listed}");
    // The end of a line is a part of the command that shows the game.
    folder.well(&format!("convert {PAPER} games.ggf"));
    let found = folder.rows("games games.ggf --player iago");
    let listed = folder.well("games games.ggf --player iago");
    for (line, found) in listed.lines().zip(&found) {
        let place: Vec<_> = line.split_whitespace().rev().take(3).collect();
        assert_eq!([place[2], place[1], place[0]], ["games.ggf", "--game", &found["number"].to_string()]);
        let shown = folder.row(&format!("show games.ggf --game {}", place[0]));
        assert_eq!((&shown["moves"], &shown["date"]), (&found["moves"], &found["date"]), "{line}");
    }
    assert_eq!(found.len(), 5);
}

/// A file that not even the administrator can read: Linux has one that can only be written.
#[cfg(target_os = "linux")]
#[test]
fn an_unreadable_file_in_a_folder_is_counted_and_the_others_are_searched() {
    let folder = Folder::new("games_unreadable");
    folder.write("a.txt", "f5d6\n");
    std::os::unix::fs::symlink("/proc/sys/vm/drop_caches", folder.path("b.ggf")).expect("a link");
    folder.write("c.txt", "f5f6\nf5f4\n");
    let run = folder.emilia("games . --count");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "3\n"), "{}", run.stderr);
    assert_eq!(run.stderr, "emilia: 1 unreadable file was skipped; --strict shows why\n");
    let strict = folder.emilia("games . --count --strict");
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(1), "3\n"));
    assert!(strict.stderr.contains("b.ggf: Permission denied"), "{}", strict.stderr);
    let analysis = folder.emilia("analyze . --level 1 --exact 0 --hash 1 --json");
    assert_eq!(analysis.stdout.lines().count(), 3);
    assert!(analysis.failed(1).contains("1 unreadable file was skipped; the others were analyzed"));
}
