//! `emilia match`, `emilia tournament` and `emilia openings`.

use std::collections::HashSet;
use std::fs;
use std::thread;
use std::time::Duration;

use othello::{Board, Color, Rules};
use records::{Format, GameRecord, transcript};
use serde_json::Value;

use crate::run::{Folder, amount, count, json, list, moves, row, rows, text, well};

/// The games of the records that a contest prints.
fn records_of(rows: &[Value]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["ggf"].as_str()).collect()
}

/// A record in GGF.
#[track_caller]
fn record(ggf: &str) -> GameRecord {
    records::read(ggf.as_bytes(), "ggf", Format::Ggf).next().expect("a game").expect("a good game")
}

#[test]
fn openings_are_balanced_distinct_and_repeated_by_a_seed() {
    let line = "openings --count 12 --plies 6-9 --balance 1.5 --judge-depth 4";
    let printed = well(line);
    assert_eq!(well(line), printed);
    let mut seen = HashSet::new();
    for line in printed.lines() {
        let game = transcript::parse::<Board>(line).expect("a transcript");
        assert!((6..=9).contains(&game.move_count()));
        let position = game.position();
        assert!(seen.insert((position.board.canonical(), position.turn == Color::Black)), "{line} twice");
    }
    assert_eq!(seen.len(), 12);
    for (row, line) in rows(line).iter().zip(printed.lines()) {
        assert_eq!(row["moves"], line);
        assert!(amount(&row["value"]).abs() <= 1.5, "{row}");
    }
}

#[test]
fn a_match_shows_the_stronger_player_in_words_json_and_records() {
    let folder = Folder::new("match_results");
    let line = "match emilia@level=2,hash=1 random --games 6 --judge-depth 2";
    let table = folder.well(&format!("{line} --records games.ggf"));
    assert!(table.starts_with("emilia@level=2,hash=1 against random: 6 games\n"), "{table}");
    for words in ["won ", "with Black ", "discs: ", "Elo: ", "likelihood of superiority: ", "pairs of games: "] {
        assert!(table.contains(words), "{words} in {table}");
    }
    let records = records::open(folder.path("games.ggf")).expect("the records");
    let records: Vec<GameRecord> = records.collect::<Result<_, _>>().expect("good records");
    assert_eq!(records.len(), 6);
    assert!(records.iter().all(|record| record.game.is_over() && record.result == record.game.score()));
    // Every opening is played with both colors.
    for pair in records.chunks(2) {
        assert_eq!((&pair[0].black, &pair[0].white), (&pair[1].white, &pair[1].black));
        assert_eq!(pair[0].game.moves()[..8], pair[1].game.moves()[..8]);
    }
    let rows = folder.rows(&format!("{line} --concurrency 2"));
    let (result, games) = rows.split_last().expect("rows");
    assert_eq!((games.len(), &result["games"]), (6, &6.into()));
    for game in games {
        // The same games as before, though two were played at a time.
        let expected = &records[count(&game["game"]) as usize - 1].game;
        assert_eq!(record(text(&game["ggf"])).game.moves(), expected.moves());
    }
}

#[test]
fn openings_come_from_a_file_of_games_or_positions() {
    let folder = Folder::new("match_openings");
    let play = |openings: &str| {
        let rows = folder.rows(&format!("match random maximum-disc --games 4 --openings {openings}"));
        records_of(&rows).iter().map(|&ggf| ggf.to_owned()).collect::<Vec<_>>()
    };
    // One opening needs no file.
    let named = play("tiger");
    assert_eq!(named, play("f5d6c3d3c4"));
    assert!(named.iter().all(|moves| moves.contains("]B[F5]W[D6]B[C3]W[D3]B[C4]W[")), "{named:?}");
    folder.write("openings.txt", "f5d6c3\nf5f6e6f4\n");
    let games = play("openings.txt");
    assert!(games[0].contains("B[F5]W[D6]B[C3]W[") && games[2].contains("B[F5]W[F6]B[E6]W[F4]B["), "{games:?}");
    // The shortest game that Black wins by wiping White out.
    folder.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    assert!(play("games.txt --plies 2")[0].contains("B[E6]W[F4]B["));
    folder.write("positions.obf", "-------------------X-------XX------XO--------------------------- O;\n");
    assert!(play("positions.obf")[0].contains("BO[8 -------------------*-------**------*O---"), "positions");
}

#[test]
fn a_tournament_ends_in_a_rating_list_that_is_written_to_a_page() {
    let folder = Folder::new("tournament");
    folder.write("results.md", "# Results\n\n## Rating list\n\nold\n\n## Others\n\nstay\n");
    let line = "tournament random maximum-disc weighted-square --games 4 --judge-depth 2";
    let table = folder.well(&format!("{line} --results results.md --section 'Rating list' --note 'a machine'"));
    assert!(table.contains("player") && table.contains("12 games. Elo relative to the mean of all players"), "{table}");
    let written = folder.read("results.md");
    assert!(written.contains("a machine; written by this command:\n\n    emilia tournament random maximum-disc"));
    assert!(written.contains("| weighted-square |") && written.ends_with("## Others\n\nstay\n"), "{written}");
    assert!(!written.contains("old"));
    let result = folder.rows(line).pop().expect("a result");
    assert_eq!((list(&result["ratings"]).len(), &result["games"]), (3, &12.into()));
}

#[test]
fn a_heading_may_be_given_as_markdown_writes_it() {
    let folder = Folder::new("match_heading");
    folder.write("results.md", "# Results\n\n## One match\n\nold\n");
    for heading in ["## One match", " #One match "] {
        folder.well(&format!("match random random --games 2 --results results.md --section '{heading}'"));
        let written = folder.read("results.md");
        let headings: Vec<_> = written.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(headings, ["# Results", "## One match"], "{written}");
        assert!(!written.contains("old"), "{written}");
    }
    let two_lines = "match random random --games 2 --results results.md --section 'One\nmatch'";
    folder.is_misused(two_lines, "not a heading: ");
}

#[test]
fn the_help_states_the_time_for_the_start_of_a_program() {
    for contest in ["match", "tournament"] {
        let help = well(&format!("{contest} --help"));
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("for another program to start, which always gets at least 30s"), "{help}");
    }
}

#[test]
fn a_match_killed_at_any_moment_goes_on_and_has_every_game_once() {
    let folder = Folder::new("match_killed");
    folder.write("openings.txt", well("openings --count 30 --judge-depth 2"));
    let line = |file: &str, concurrency: u32| {
        format!(
            "match emilia@depth=4,hash=1 emilia@depth=3,hash=1 --games 400 --openings openings.txt --file {file} \
             --concurrency {concurrency} --json"
        )
    };
    let path = folder.path("match.jsonl");
    // The moments are random, but the same in every run of the test.
    let mut random: u64 = 1;
    let mut before = 0;
    for kill in 1..=20 {
        // Without --json: the games of the file would fill the pipe, because its output is not read.
        let mut started = folder.start(&line("match.jsonl", 2).replace(" --json", ""));
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // A machine that is busy may take longer than that to start the first program.
        while fs::metadata(&path).map_or(0, |found| found.len()) == 0 {
            assert!(started.child.try_wait().expect("the program runs").is_none(), "the program ended by itself");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(20_000 + (random >> 33) % 130_000));
        let _ = started.child.kill();
        assert_ne!(started.code(), Some(0), "the match was over before it was killed twenty times");
        let now = folder.read("match.jsonl").lines().count();
        assert!(now + 1 >= before, "{now} lines after {before}");
        before = now;
        if kill == 10 {
            // A machine that dies in the middle of a line.
            let whole = folder.bytes("match.jsonl");
            folder.write("match.jsonl", &whole[..whole.len() - 5]);
        }
    }
    // Played to its end, the file has all games, each once, and every one can be replayed.
    let printed = folder.emilia(&line("match.jsonl", 2)).done();
    let lines: Vec<_> = folder.read("match.jsonl").lines().skip(1).map(json).collect();
    let numbers: HashSet<u64> = lines.iter().map(|line| count(&line["game"])).collect();
    assert_eq!((lines.len(), numbers), (400, (1..=400).collect()));
    for line in &lines {
        let score = record(text(&line["ggf"])).game.score();
        assert_eq!(score.map(|score| i64::from(score.discs())), line["score"].as_i64());
    }
    // The same command again plays nothing and prints the same result; in another order, the same games are played.
    for (file, concurrency) in [("match.jsonl", 2), ("whole.jsonl", 1)] {
        assert_eq!(folder.well(&line(file, concurrency)).lines().last(), printed.lines().last());
    }
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_for_a_while_blames_no_player() {
    let folder = Folder::new("match_stopped");
    folder.write("openings.txt", "f5d6c3d3\nf5f6e6f4\n");
    let files = "--openings openings.txt --file match.jsonl";
    let mut started = folder.start(&format!("match emilia@hash=1 emilia@hash=1 --time 1s --games 4 {files}"));
    // At any moment: a clock runs nearly all the time.
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(400));
        started.signal("-STOP");
        thread::sleep(Duration::from_millis(2500));
        started.signal("-CONT");
    }
    started.rest();
    assert_eq!(started.code(), Some(0));
    let lines: Vec<_> = folder.read("match.jsonl").lines().skip(1).map(json).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line["ending"] == "played"), "{lines:?}");
}

#[test]
fn a_match_that_is_over_is_prolonged_by_more_games() {
    let folder = Folder::new("contest_longer");
    let line = "match weighted-square random --plies 4 --judge-depth 2";
    let play = |file: &str, games: usize| {
        let rows = folder.rows(&format!("{line} --games {games} --file {file}"));
        let game = |row: &Value| Some((row["game"].as_u64()?, row["score"].as_i64()?, row["black"].to_string()));
        rows.iter().filter_map(game).collect::<Vec<_>>()
    };
    let whole = play("whole.jsonl", 8);
    assert_eq!(whole.len(), 8);
    for games in [2, 6, 8, 8] {
        assert_eq!(play("longer.jsonl", games), whole[..games], "{games} games");
    }
    folder.fails(&format!("{line} --games 4 --file longer.jsonl"), "its number of games of a pairing is 8; expected 4");
}

#[test]
fn the_clock_of_a_match_runs_beside_limits_of_a_players_own() {
    let rows = rows("match iago@depth=2 random --games 2 --plies 8 --time 1m");
    for row in &rows[..2] {
        assert!(list(&row["time_left"]).iter().all(Value::is_number), "{row}");
    }
}

#[test]
fn matches_and_tournaments_are_played_on_every_board_and_resumed() {
    let folder = Folder::new("match_boards");
    for (board, name, area) in [("6", "6x6", 36), ("4", "4x4", 16), ("cs221", "cs221", 92)] {
        let line = format!("match weighted-square@depth=1 random --file {board}.jsonl");
        let play = |games| folder.rows(&format!("{line} --board {board} --games {games} --records {board}.ggf"));
        play(2);
        let rows = play(6);
        let (result, games) = rows.split_last().expect("rows");
        assert_eq!((&result["board"], &result["games"], games.len()), (&name.into(), &6.into(), 6), "{result}");
        assert!(games.iter().all(|game| game["score"].as_i64().expect("a score").abs() <= area), "{board}");
        let records = folder.read(&format!("{board}.ggf"));
        assert_eq!(records.matches("GM[Othello]").count(), 6, "{records}");
        folder.fails(&format!("{line} --games 6"), &format!("its board is {name}; expected 8x8"));
        let table = well(&format!("match random random --games 2 --board {board}"));
        assert!(table.starts_with(&format!("random against random #2 on the {name} board: 2 games\n")), "{table}");
    }
    let rows = rows("tournament desdemona@depth=2 weighted-square@depth=2 random --board cs221 --games 4");
    let result = rows.last().expect("a result");
    assert_eq!((&result["board"], &result["games"]), (&"cs221".into(), &12.into()));
    assert_eq!(list(&result["ratings"]).len(), 3);
}

#[test]
fn openings_of_other_boards_are_random_and_come_from_lines_of_a_file() {
    let folder = Folder::new("match_cut_openings");
    let openings = well("openings --board cs221 --count 3 --plies 4");
    folder.write("openings.txt", &openings);
    let rows = folder.rows("match random random --games 6 --board cs221 --openings openings.txt");
    for (line, ggf) in openings.lines().zip(records_of(&rows).iter().step_by(2)) {
        assert_eq!(moves(ggf)[..4].concat().to_lowercase(), line, "{ggf}");
    }
    let row = row("openings --board 6 --count 1");
    assert_eq!((text(&row["moves"]).len(), &row["value"]), (16, &Value::Null));
}

#[test]
fn classic_programs_play_with_their_historical_budget_on_request() {
    let folder = Folder::new("match_historical");
    let line = "match desdemona random --historical --board cs221 --games 2 --move-time 20ms --file match.jsonl";
    folder.well(line);
    let header = json(folder.read("match.jsonl").lines().next().expect("a header"));
    let notation = |index: usize| &header["terms"]["players"][index]["player"]["notation"];
    assert_eq!([notation(0), notation(1)], ["desdemona@historical", "random"], "{header}");
}
