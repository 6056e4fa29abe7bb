//! `emilia convert`.

use crate::run::{Folder, emilia, emilia_with_input, fails, is_misused, json};

const GAMES: &str = "f5d6c3d3c4f4c5b3c2e3\nf5f6e6f4e3c5c4e7\ne6f6f5d6e7\n";

#[test]
fn moves_survive_a_tour_through_every_format() {
    let folder = Folder::new("convert_tour");
    let start = folder.write("start.txt", GAMES);
    let stations = ["one.ggf", "two.sgf", "three.ggf", "end.txt"];
    let mut from = start;
    for name in stations {
        let to = folder.path(name);
        assert_eq!(emilia(&["convert", &from, &to]).well(), format!("3 games written to {to}\n"));
        from = to;
    }
    assert_eq!(folder.read("end.txt"), GAMES);
}

#[test]
fn finished_games_pass_through_thor() {
    let folder = Folder::new("convert_thor");
    let played = emilia(&["play", "--against", "random", "--engine", "random", "--seed", "4", "--json"]).well();
    let moves = json(played.lines().last().expect("there is a result"))["moves"].as_str().expect("moves").to_owned();
    let start = folder.write("start.txt", format!("{moves}\n"));
    emilia(&["convert", &start, &folder.path("games.wtb")]).well();
    emilia(&["convert", &folder.path("games.wtb"), &folder.path("end.txt")]).well();
    assert_eq!(folder.read("end.txt"), format!("{moves}\n"));
}

#[test]
fn standard_input_and_output_are_called_by_a_hyphen() {
    let run = emilia_with_input(&["convert", "--from", "transcript", "--to", "obf", "-", "-"], b"F5 D6\n");
    assert_eq!(run.well(), "---------------------------OX------OXX-----O-------------------- X;\n");
}

#[test]
fn good_records_are_converted_bad_ones_reported_and_the_exit_code_is_1() {
    let folder = Folder::new("convert_bad");
    let input = folder.write("games.txt", "f5d6\nf5f5\nf5d6c3\nz9\n");
    let run = emilia(&["convert", &input, &folder.path("good.sgf")]);
    assert_eq!(run.code, Some(1));
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.stderr);
    assert!(lines[0].contains("games.txt, line 2: move 2 is illegal"), "{}", run.stderr);
    assert!(lines[1].contains("games.txt, line 4: move 1"), "{}", run.stderr);
    assert_eq!(lines[2], "emilia: 2 bad records were skipped; the others were converted");
    assert!(run.stdout.starts_with("2 games written"));
    let lenient = emilia(&["convert", "--lenient", "--json", &input, &folder.path("good.ggf")]);
    assert_eq!(lenient.code, Some(0));
    assert_eq!(json(&lenient.stdout), serde_json::json!({"converted": 2, "bad": 2, "misfits": 0}));
}

#[test]
fn a_record_that_the_format_cannot_hold_is_left_out() {
    let folder = Folder::new("convert_refused");
    let input = folder.write("board.obf", format!("XO{} O;\n", "-".repeat(62)));
    let run = emilia(&["convert", &input, &folder.path("game.txt")]);
    assert!(run.stderr.contains("a transcript only holds games from the standard start"), "{}", run.stderr);
    assert_eq!(run.code, Some(1));
}

#[test]
fn without_a_game_to_write_the_old_file_stays_and_the_exit_code_is_1() {
    let folder = Folder::new("convert_nothing");
    let bad = folder.write("bad.txt", "z9\nf5f5\n");
    let empty = folder.write("empty.sgf", "");
    let board = folder.write("board.obf", format!("XO{} O;\n", "-".repeat(62)));
    let thor_refuses = folder.write(
        "unfinished.ggf",
        "(;GM[Othello]BO[8 XO------ -------- -------- -------- -------- -------- -------- -------- *];)",
    );
    for (input, output, sentence) in [
        (&bad, "kept.ggf", "2 bad records were skipped; no game was converted, and"),
        (&empty, "kept.txt", "no game in"),
        (&board, "kept.txt", "1 game that does not fit the output format was skipped; no game was converted, and"),
        (
            &thor_refuses,
            "kept.wtb",
            "1 game that does not fit the output format was skipped; no game was converted, and",
        ),
    ] {
        let old = folder.write(output, "KEEP");
        for more in [&[][..], &["--lenient"]] {
            let run = emilia(&[&["convert", input, &old], more].concat());
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(1)), "{input}: {}", run.stderr);
            let last = run.stderr.lines().last().unwrap_or_default();
            assert!(last.starts_with(&format!("emilia: {sentence}")), "{last}");
            assert!(last.ends_with(&format!("{output} was not written")), "{last}");
            assert_eq!(folder.read(output), "KEEP");
        }
        let new = folder.path(&format!("new-{output}"));
        assert_eq!(emilia(&["convert", input, &new]).code, Some(1));
        assert!(!std::path::Path::new(&new).exists(), "{new}");
    }
    // Standard output has no old content.
    assert_eq!(emilia(&["convert", "--to", "txt", &empty, "-"]).well(), "");
    let run = emilia(&["convert", "--to", "ggf", &bad, "-"]);
    let last = run.stderr.lines().last().unwrap_or_default();
    assert_eq!(last, "emilia: 2 bad records were skipped; no game was converted");
}

#[test]
fn valid_games_of_another_year_are_not_called_bad_when_a_thor_file_refuses_them() {
    let folder = Folder::new("convert_years");
    let game = |year: &str| format!("(;GM[Othello]PB[Rose]PW[Suzuki]DT[{year}]B[F5]W[D6];)\n");
    let input = folder.write("games.ggf", ["1980", "1981", "1980", "1982"].map(game).concat());
    let run = emilia(&["convert", &input, &folder.path("games.wtb")]);
    assert!(run.stdout.starts_with("2 games written"), "{}", run.stdout);
    assert!(run.stderr.contains("Rose against Suzuki: the game was played in 1981"), "{}", run.stderr);
    let message = run.failed(1);
    let last = message.lines().last().expect("a sentence");
    assert_eq!(last, "emilia: 2 games that do not fit the output format were skipped; the others were converted");
    let run = emilia(&["convert", &input, &folder.path("games.wtb"), "--json", "--lenient"]);
    assert_eq!(run.stdout, "{\"converted\":2,\"bad\":0,\"misfits\":2}\n");
}

#[test]
fn unclear_formats_and_names_are_misuse() {
    let folder = Folder::new("convert_misuse");
    let input = folder.write("games.txt", GAMES);
    is_misused(&["convert", &input], "<OUT>");
    is_misused(&["convert", &input, &folder.path("games.doc")], "expected --to FORMAT or a file name");
    is_misused(&["convert", &input, "-"], "cannot tell the format of standard output");
    is_misused(&["convert", "-", &folder.path("games.sgf")], "expected --from FORMAT");
    is_misused(&["convert", "--from", "pgn", &input, &folder.path("games.sgf")], "expected transcript, obf");
    is_misused(&["convert", "--to", "thor", &input, "-"], "expected the path of a .wtb file");
    is_misused(&["convert", &input, &input], "cannot be both read and written");
    assert_eq!(folder.read("games.txt"), GAMES);
}

#[test]
fn files_that_cannot_be_read_or_written_fail_in_one_sentence() {
    let folder = Folder::new("convert_fails");
    let input = folder.write("games.txt", GAMES);
    fails(&["convert", &folder.path("none.ggf"), &folder.path("out.sgf")], "cannot read");
    fails(&["convert", &input, &folder.path("no/out.sgf")], "cannot write");
    fails(&["convert", &folder.path("."), &folder.path("out.sgf")], "is a folder");
}

#[test]
fn games_of_sites_are_converted_with_their_players() {
    let folder = Folder::new("convert_sites");
    let tags = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2024.05.06\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"40-24\"]\n\n\
                1. f5 d6 2. c3 d3\n3. c4 40-24\n\n";
    let quest = "{\"id\":\"x\",\"players\":[{\"id\":\"c\",\"name\":\"Cid\",\"oldR\":1800.5},{\"id\":\"d\",\"name\":\"Dan\"}],\n\
                 \"position\":{\"moves\":[{\"m\":\"f5\",\"t\":1500},{\"m\":\"f6\"},{\"s\":\"LOSE:RESIGN\"}]},\n\
                 \"created\":\"2025-03-18T18:17:13.535Z\",\"tcb\":300000}\n";
    let games = folder.path("games.ggf");
    for (name, text) in
        [("games.pgn", tags.to_owned()), ("games.json", quest.to_owned()), ("both.txt", format!("{tags}{quest}"))]
    {
        let input = folder.write(name, &text);
        let count = if name == "both.txt" { "2 games" } else { "1 game" };
        assert_eq!(emilia(&["convert", &input, &games]).well(), format!("{count} written to {games}\n"));
    }
    let written = folder.read("games.ggf");
    let lines: Vec<_> = written.lines().collect();
    assert_eq!(lines.len(), 2, "{written}");
    for part in ["PC[PlayOK]", "DT[2024.05.06]", "PB[Ann]PW[Bob]", "RE[+16.000]", "B[C4]"] {
        assert!(lines[0].contains(part), "{part}: {written}");
    }
    for part in ["PC[Othello Quest]DT[2025.03.18]PB[Cid]PW[Dan]RB[1800.5]RE[+64.000:r]TI[05:00]", "B[F5//1.5]W[F6]"] {
        let part = part.replace("RE[+64.000:r]", "RE[-64.000:r]");
        assert!(lines[1].contains(&part), "{part}: {written}");
    }
    // A folder of games has those of PGN, too.
    std::fs::remove_file(folder.path("games.json")).expect("the file goes");
    std::fs::remove_file(&games).expect("the file goes");
    std::fs::remove_file(folder.path("both.txt")).expect("the file goes");
    let found = emilia(&["games", &folder.path("."), "--player", "ann", "--json"]).well();
    assert_eq!(found.lines().count(), 1, "{found}");
}
