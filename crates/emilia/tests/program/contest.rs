//! `emilia match`, `emilia tournament` and `emilia openings`.

use std::collections::HashSet;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use othello::{Board, Color, Rules};
use records::{Format, transcript};

use crate::run::{Folder, amount, emilia, fails, is_misused, json, moves, start};

#[test]
fn openings_are_balanced_distinct_and_repeated_by_a_seed() {
    let arguments = ["openings", "--count", "12", "--plies", "6-9", "--balance", "1.5", "--judge-depth", "4"];
    let text = emilia(&arguments).well();
    assert_eq!(emilia(&arguments).well(), text);
    let mut seen = HashSet::new();
    for line in text.lines() {
        let game = transcript::parse::<Board>(line).expect("a transcript");
        assert!((6..=9).contains(&game.move_count()));
        let position = game.position();
        assert!(seen.insert((position.board.canonical(), position.turn == Color::Black)), "{line} twice");
    }
    assert_eq!(seen.len(), 12);
    let rows = emilia(&[&arguments[..], &["--json"]].concat()).well();
    for (row, line) in rows.lines().map(json).zip(text.lines()) {
        assert_eq!(row["moves"], line);
        assert!(amount(&row["value"]).abs() <= 1.5, "{row}");
    }
    fails(&["openings", "--plies", "1", "--count", "2"], "found only 1 of 2 openings of length 1 within");
    is_misused(&["openings", "--plies", "0"], "not a length of openings");
}

#[test]
fn a_match_says_who_is_stronger_in_words_json_and_records() {
    let folder = Folder::new("match_results");
    let ggf = folder.path("games.ggf");
    let players = ["match", "emilia@level=2,hash=1", "random", "--games", "6", "--judge-depth", "2"];
    let text = emilia(&[&players[..], &["--records", &ggf]].concat()).well();
    assert!(text.starts_with("emilia@level=2,hash=1 against random: 6 games\n"), "{text}");
    for words in ["won ", "with Black ", "discs: ", "Elo: ", "likelihood of superiority: ", "pairs of games: "] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let records: Vec<_> = records::open(&ggf).expect("the records").collect::<Result<_, _>>().expect("good records");
    assert_eq!(records.len(), 6);
    assert!(records.iter().all(|record| record.game.is_over() && record.result == record.game.score()));
    // Every opening is played with both colours.
    for pair in records.chunks(2) {
        assert_eq!((&pair[0].black, &pair[0].white), (&pair[1].white, &pair[1].black));
        assert_eq!(pair[0].game.moves()[..8], pair[1].game.moves()[..8]);
    }
    let rows = emilia(&[&players[..], &["--json", "--concurrency", "2"]].concat()).well();
    let rows: Vec<_> = rows.lines().map(json).collect();
    let (result, games) = rows.split_last().expect("rows");
    assert_eq!((games.len(), &result["games"]), (6, &6.into()));
    for game in games {
        let number = game["game"].as_u64().expect("a number") as usize;
        // The same games as before, though two were played at a time.
        let record = records::read(game["ggf"].as_str().expect("GGF").as_bytes(), "ggf", Format::Ggf);
        let record = record.map(|record| record.expect("a game")).next().expect("a game");
        assert_eq!(record.game.moves(), records[number - 1].game.moves());
    }
}

#[test]
fn openings_come_from_a_file_of_games_or_positions() {
    let folder = Folder::new("match_openings");
    let openings = folder.write("openings.txt", "f5d6c3\nf5f6e6f4\n");
    let play = |file: &str, more: &[&str]| {
        let arguments = ["match", "random", "maximum-disc", "--games", "4", "--openings", file, "--json"];
        let rows = emilia(&[&arguments[..], more].concat()).well();
        rows.lines().map(json).take(4).map(|row| row["ggf"].as_str().expect("GGF").to_owned()).collect::<Vec<_>>()
    };
    // One opening needs no file.
    let named = play("tiger", &[]);
    assert_eq!(named, play("f5d6c3d3c4", &[]));
    assert!(named.iter().all(|moves| moves.contains("]B[F5]W[D6]B[C3]W[D3]B[C4]W[")), "{named:?}");
    is_misused(&["match", "random", "random", "--openings", "tigre"], "(did you mean Tiger?)");
    fails(
        &["match", "random", "random", "--openings", "nothing.ggf"],
        "cannot read nothing.ggf: No such file or directory",
    );
    let games = play(&openings, &[]);
    assert!(games[0].contains("B[F5]W[D6]B[C3]W[") && games[2].contains("B[F5]W[F6]B[E6]W[F4]B["), "{games:?}");
    // The shortest game that Black wins by wiping White out.
    let whole = folder.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    assert!(play(&whole, &["--plies", "2"])[0].contains("B[E6]W[F4]B["));
    fails(
        &["match", "random", "random", "--games", "2", "--openings", &whole],
        "is already over; expected openings, or --plies N",
    );
    let position =
        folder.write("positions.obf", "-------------------X-------XX------XO--------------------------- O;\n");
    assert!(play(&position, &[])[0].contains("BO[8 -------------------*-------**------*O---"), "positions");
}

#[test]
fn a_tournament_ends_in_a_rating_list_that_is_written_where_asked() {
    let folder = Folder::new("tournament");
    let results = folder.write("results.md", "# Results\n\n## Rating list\n\nold\n\n## Others\n\nstay\n");
    let arguments = [
        "tournament",
        "random",
        "maximum-disc",
        "weighted-square",
        "--games",
        "4",
        "--judge-depth",
        "2",
        "--results",
        &results,
        "--section",
        "Rating list",
        "--note",
        "a machine",
    ];
    let text = emilia(&arguments).well();
    assert!(text.contains("player") && text.contains("12 games. Elo relative to the mean of all players"), "{text}");
    let written = folder.read("results.md");
    assert!(written.contains("a machine; written by this command:\n\n    emilia tournament random maximum-disc"));
    assert!(written.contains("| weighted-square |") && written.ends_with("## Others\n\nstay\n"), "{written}");
    assert!(!written.contains("old"));
    let rows = emilia(&[&arguments[..8], &["--json"]].concat()).well();
    let result = json(rows.lines().last().expect("a result"));
    assert_eq!(result["ratings"].as_array().map(Vec::len), Some(3));
    assert_eq!(result["games"], 12);
}

#[test]
fn a_heading_may_be_given_as_markdown_writes_it() {
    let folder = Folder::new("match_heading");
    let results = folder.write("results.md", "# Results\n\n## One match\n\nold\n");
    let with_heading =
        |heading| ["match", "random", "random", "--games", "2", "--results", &results, "--section", heading];
    for heading in ["## One match", " #One match "] {
        emilia(&with_heading(heading)).well();
        let written = folder.read("results.md");
        let headings: Vec<_> = written.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(headings, ["# Results", "## One match"], "{written}");
        assert!(!written.contains("old"), "{written}");
    }
    for heading in ["", "## ", "One\nmatch"] {
        is_misused(&with_heading(heading), "not a heading: ");
    }
}

#[test]
fn the_help_says_how_long_a_program_may_take_to_start() {
    for contest in ["match", "tournament"] {
        let help = emilia(&[contest, "--help"]).well();
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("for another program to start, which always gets at least 30s"), "{help}");
    }
}

#[test]
fn a_match_killed_at_any_moment_goes_on_and_has_every_game_once() {
    let folder = Folder::new("match_killed");
    let openings = emilia(&["openings", "--count", "30", "--judge-depth", "2"]).well();
    let openings = folder.write("openings.txt", openings);
    let file = folder.path("match.jsonl");
    let arguments = [
        "match",
        "emilia@depth=4,hash=1",
        "emilia@depth=3,hash=1",
        "--games",
        "400",
        "--openings",
        &openings,
        "--file",
        &file,
        "--concurrency",
        "2",
        "--json",
    ];
    // The moments are random, but the same in every run of the test.
    let mut random: u64 = 1;
    let mut kills = 0;
    let mut before = 0;
    while kills < 20 {
        let mut child = start(&arguments, Stdio::null());
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // A machine that is busy may take longer than that to start the first program.
        while fs::metadata(&file).map_or(0, |found| found.len()) == 0 {
            assert!(child.try_wait().expect("the program runs").is_none(), "the program ended by itself");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(20_000 + (random >> 33) % 130_000));
        let _ = child.kill();
        let status = child.wait().expect("the program ends");
        assert!(!status.success(), "the match was over before it was killed twenty times");
        kills += 1;
        let now = fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        assert!(now + 1 >= before, "{now} lines after {before}");
        before = now;
        if kills == 10 {
            // A machine that dies in the middle of a line.
            let whole = fs::read(&file).expect("the file");
            fs::write(&file, &whole[..whole.len() - 5]).expect("the file");
        }
    }
    // Played to its end, the file has all games, each once, and every one can be replayed.
    let run = emilia(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<_> = folder.read("match.jsonl").lines().skip(1).map(json).collect();
    let numbers: HashSet<u64> = lines.iter().map(|line| line["game"].as_u64().expect("a number")).collect();
    assert_eq!((lines.len(), numbers), (400, (1..=400).collect()));
    for line in &lines {
        let ggf = line["ggf"].as_str().expect("GGF");
        let record = records::read(ggf.as_bytes(), "ggf", Format::Ggf).next().expect("a game").expect("a good game");
        assert_eq!(record.game.score().map(|score| i64::from(score.discs())), line["score"].as_i64());
    }
    // The same command again plays nothing and says the same.
    let again = emilia(&arguments).well();
    assert_eq!(again.lines().last(), run.stdout.lines().last());
    // Uninterrupted, in another order, the same games are played.
    let whole = folder.path("whole.jsonl");
    let mut other = arguments;
    other[8] = &whole;
    other[10] = "1";
    assert_eq!(emilia(&other).well().lines().last(), run.stdout.lines().last());
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_for_a_while_blames_no_player() {
    use std::process::Command;

    let folder = Folder::new("match_stopped");
    let openings = folder.write("openings.txt", "f5d6c3d3\nf5f6e6f4\n");
    let file = folder.path("match.jsonl");
    let arguments = ["match", "emilia@hash=1", "emilia@hash=1", "--time", "1s", "--games", "4"];
    let files = ["--openings", &openings, "--file", &file];
    let mut child = start(&[&arguments[..], &files].concat(), Stdio::null());
    let signal = |name: &str| Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    // Wherever it is: a clock runs nearly all the time.
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(400));
        signal("-STOP");
        thread::sleep(Duration::from_millis(2500));
        signal("-CONT");
    }
    assert!(child.wait().expect("the program ends").success());
    let lines: Vec<_> = folder.read("match.jsonl").lines().skip(1).map(json).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line["ending"] == "played"), "{lines:?}");
}

#[test]
fn senseless_contests_are_misuse_and_foreign_files_are_refused() {
    is_misused(&["match", "random"], "required");
    // Before a game is played, not after the last.
    is_misused(&["match", "random", "random", "--records", "games.foo"], "ending in .ggf, .sgf or .txt");
    is_misused(&["match", "random", "random", "--records", "/nowhere/at/all.ggf"], "there is no folder /nowhere/at");
    is_misused(&["match", "random", "nobody"], "no engine \"nobody\" plays on the 8x8 board");
    is_misused(&["match", "random", "random", "--games", "3"], "not an even number of games: \"3\"");
    is_misused(&["match", "random", "random", "--sprt", "5,0"], "expected elo0 below elo1");
    is_misused(&["match", "random", "random", "--sprt", "5"], "expected two numbers such as 0,10");
    is_misused(&["match", "random", "random", "--alpha", "0.1"], "--sprt");
    is_misused(&["tournament", "random"], "2");
    is_misused(&["match", "random", "random", "--section", "X"], "--results");
    let folder = Folder::new("match_refused");
    let file = folder.write("match.jsonl", "no match\n");
    fails(&["match", "random", "random", "--file", &file], "is not a match file");
    let file = folder.path("other.jsonl");
    emilia(&["match", "random", "random", "--games", "2", "--file", &file]).well();
    fails(
        &["match", "random", "random", "--games", "2", "--file", &file, "--seed", "2"],
        "belongs to another match: its seed is 1; expected 2, or another file",
    );
    let gone = ["match", "random", "gtp:/no/such/program", "--games", "2"];
    fails(&gone, "program cannot play: ");
}

#[test]
fn a_match_that_is_over_is_prolonged_by_more_games() {
    let folder = Folder::new("contest_longer");
    let play = |name: &str, games: &str| {
        let path = folder.path(name);
        let fixed = ["match", "weighted-square", "random", "--plies", "4", "--judge-depth", "2", "--json"];
        let rows = emilia(&[&fixed[..], &["--games", games, "--file", &path]].concat()).well();
        let moves =
            |row: serde_json::Value| Some((row["game"].as_u64()?, row["score"].as_i64()?, row["black"].to_string()));
        rows.lines().map(json).filter_map(moves).collect::<Vec<_>>()
    };
    let whole = play("whole.jsonl", "8");
    assert_eq!(whole.len(), 8);
    for (games, count) in [("2", 2), ("6", 6), ("8", 8), ("8", 8)] {
        assert_eq!(play("longer.jsonl", games), whole[..count], "{games} games");
    }
    let path = folder.path("longer.jsonl");
    let shorter =
        ["match", "weighted-square", "random", "--plies", "4", "--judge-depth", "2", "--games", "4", "--file", &path];
    fails(&shorter, "its number of games of a pairing is 8; expected 4");
}

#[test]
fn the_clock_of_a_match_runs_beside_limits_of_a_players_own() {
    let arguments = ["match", "iago@depth=2", "random", "--games", "2", "--plies", "8", "--time", "1m", "--json"];
    let rows = emilia(&arguments).well();
    for row in rows.lines().map(json).take(2) {
        let left = row["time_left"].as_array().unwrap_or_else(|| panic!("a game without a clock: {row}"));
        assert!(left.iter().all(serde_json::Value::is_number), "{row}");
    }
}

#[test]
fn matches_and_tournaments_are_played_on_every_board_and_resumed() {
    let folder = Folder::new("match_boards");
    for (board, name, area) in [("6", "6x6", 36), ("4", "4x4", 16), ("cs221", "cs221", 92)] {
        let [file, ggf] = ["jsonl", "ggf"].map(|ending| folder.path(&format!("{board}.{ending}")));
        let fixed = ["match", "weighted-square@depth=1", "random", "--board", board, "--file", &file, "--json"];
        let play = |games: &str| emilia(&[&fixed[..], &["--games", games, "--records", &ggf]].concat()).well();
        play("2");
        let rows = play("6");
        let rows: Vec<_> = rows.lines().map(json).collect();
        let (result, games) = rows.split_last().expect("rows");
        assert_eq!((&result["board"], &result["games"], games.len()), (&name.into(), &6.into(), 6), "{result}");
        assert!(games.iter().all(|game| game["score"].as_i64().expect("a score").abs() <= area), "{board}");
        let records = folder.read(&format!("{board}.ggf"));
        assert_eq!(records.matches("GM[Othello]").count(), 6, "{records}");
        let other = ["match", "weighted-square@depth=1", "random", "--games", "6", "--file", &file];
        fails(&other, &format!("its board is {name}; expected 8x8"));
        let text = emilia(&["match", "random", "random", "--games", "2", "--board", board]).well();
        assert!(text.starts_with(&format!("random against random #2 on the {name} board: 2 games\n")), "{text}");
    }
    let names = ["desdemona@depth=2", "weighted-square@depth=2", "random"];
    let tournament = [&["tournament"][..], &names, &["--board", "cs221", "--games", "4", "--json"]].concat();
    let rows = emilia(&tournament).well();
    let result = json(rows.lines().last().expect("a result"));
    assert_eq!((&result["board"], &result["games"]), (&"cs221".into(), &12.into()));
    assert_eq!(result["ratings"].as_array().map(Vec::len), Some(3));
    is_misused(&["match", "iago", "random", "--board", "cs221"], "no engine \"iago\" plays on the cs221 board");
    is_misused(&["match", "emilia", "random", "--board", "10"], "cs221");
}

#[test]
fn openings_of_other_boards_are_random_and_come_from_lines_of_a_file() {
    let openings = emilia(&["openings", "--board", "cs221", "--count", "3", "--plies", "4"]).well();
    let folder = Folder::new("match_cut_openings");
    let file = folder.write("openings.txt", &openings);
    let rows =
        emilia(&["match", "random", "random", "--games", "6", "--board", "cs221", "--openings", &file, "--json"]);
    let rows: Vec<_> = rows.well().lines().map(json).collect();
    for (line, row) in openings.lines().zip(rows.iter().step_by(2)) {
        let moves = moves(row["ggf"].as_str().expect("GGF"));
        assert_eq!(moves[..4].concat().to_lowercase(), line, "{row}");
    }
    let row = json(emilia(&["openings", "--board", "6", "--count", "1", "--json"]).well().trim());
    assert_eq!((row["moves"].as_str().map(str::len), &row["value"]), (Some(16), &serde_json::Value::Null));
    let wrong = folder.write("wrong.txt", "c2\n\ng1\n");
    fails(&["match", "random", "random", "--board", "6", "--openings", &wrong], "wrong.txt, line 3: ");
    fails(&["openings", "--board", "cs221", "--balance", "1"], "no engine \"emilia\" plays on the cs221 board");
    fails(
        &["openings", "--board", "4", "--plies", "2", "--count", "4"],
        "found only 3 of 4 openings of length 2; ask for more moves or fewer openings",
    );
}

#[test]
fn classic_programs_play_with_their_historical_budget_when_asked() {
    let folder = Folder::new("match_historical");
    let openings = folder.write("openings.txt", "f5d6c3d3c4f4c5b3c2e3d2c6b4a3\n");
    let file = folder.path("match.jsonl");
    let arguments = ["match", "desdemona", "random", "--historical", "--board", "cs221", "--games", "2"];
    emilia(&[&arguments[..], &["--move-time", "20ms", "--file", &file]].concat()).well();
    let header = json(folder.read("match.jsonl").lines().next().expect("a header"));
    let players = &header["terms"]["players"];
    assert_eq!(players[0]["player"]["notation"], "desdemona@historical", "{header}");
    assert_eq!(players[1]["player"]["notation"], "random", "{header}");
    is_misused(
        &["match", "random", "emilia", "--historical", "--openings", &openings],
        "--historical needs a classic program with a known computing budget; expected one of iago, bill3",
    );
}
