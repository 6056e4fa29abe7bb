//! `emilia learn play`, `emilia learn merge` and `emilia learn train`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use evaluation::weights::Weights;
use learning::game_store::{GameReader, StoredGame};
use learning::played_game::PlayedGame;
use records::transcript;

use crate::run::{Folder, emilia, fails, is_misused, json, start};

/// Quick games: hundreds a second.
const QUICK: &[&str] = &["--depth", "2", "--exact-from", "8", "--random-moves", "5%"];
/// Beginnings so short that some games are played twice.
const SHORT: &[&str] = &["--opening", "1-8"];

/// Plays so many games into this store, and returns what was printed.
#[track_caller]
fn play(store: &str, games: &str, more: &[&str]) -> String {
    emilia(&[&["learn", "play", "--output", store, "--games", games], QUICK, more].concat()).well()
}

#[track_caller]
fn games_of(store: &str) -> Vec<StoredGame> {
    let reader = GameReader::open(Path::new(store)).expect("a store");
    reader.collect::<Result<_, _>>().expect("a store without damage")
}

fn transcript_of(stored: &StoredGame) -> String {
    stored.game.moves().iter().map(ToString::to_string).collect()
}

#[test]
fn games_do_not_depend_on_threads_nor_on_how_often_the_run_was_continued() {
    let folder = Folder::new("learn_play");
    let [whole, parts, other] = ["whole.store", "parts.store", "other.store"].map(|name| folder.path(name));
    let said = play(&whole, "300", &[&["--threads", "1"], SHORT].concat());
    assert!(said.starts_with("300 games played, ") && said.contains(" per second\n"), "{said}");
    for games in ["1", "64", "65", "200", "300"] {
        play(&parts, games, &[&["--threads", "3"], SHORT].concat());
    }
    let games = games_of(&whole);
    assert!((200..300).contains(&games.len()), "{} games", games.len());
    assert_eq!(games_of(&parts), games);
    let bytes = fs::metadata(&whole).expect("a file").len();
    assert!(bytes < 30 * games.len() as u64, "{bytes} bytes");
    // Nothing is left to do.
    let said = play(&whole, "300", SHORT);
    assert!(said.starts_with("0 games played"), "{said}");
    play(&other, "300", &[&["--seed", "2"], SHORT].concat());
    assert_ne!(games_of(&other), games);
}

#[test]
fn a_run_killed_again_and_again_loses_no_game_that_it_reported() {
    let folder = Folder::new("learn_kill");
    let (store, whole) = (folder.path("killed.store"), folder.path("whole.store"));
    let games = "4000";
    play(&whole, games, &[]);
    let expected = games_of(&whole);
    let mut reported = 0;
    for round in 0..12 {
        let arguments = [&["learn", "play", "--json", "--output", &store, "--games", games][..], QUICK].concat();
        let mut child = start(&arguments, Stdio::piped());
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        // Sometimes before the store is there, sometimes in the middle of a block.
        let (lines, pause) = (round % 4, Duration::from_millis([0, 3, 11, 25, 40][round % 5]));
        let read = |line: std::io::Result<String>| json(&line.expect("text"))["games"].as_u64().expect("a number");
        let mut lines_left = output.lines();
        for line in lines_left.by_ref().take(lines) {
            reported = read(line);
        }
        std::thread::sleep(pause);
        child.kill().expect("the program can be killed");
        child.wait().expect("the program ends");
        // What it said before it died counts too.
        for line in lines_left {
            reported = read(line);
        }
        if Path::new(&store).exists() {
            let reader = GameReader::open(Path::new(&store)).expect("a store, or a part of one");
            let found: Vec<_> = reader.map_while(Result::ok).collect();
            assert!(found.len() as u64 >= reported, "{} of {reported} games are there", found.len());
            assert_eq!(found, expected[..found.len()]);
        }
    }
    assert!(reported > 0);
    let end = emilia(&[&["learn", "play", "--output", &store, "--games", games], QUICK].concat());
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert_eq!(games_of(&store), expected);
}

#[test]
fn games_begin_as_those_of_a_file() {
    let folder = Folder::new("learn_openings");
    let store = folder.path("games.store");
    let openings = folder.write("openings.txt", "f5d6c3d3c4\nf5f6e6f4\n");
    let more = ["--openings", &openings, "--opening", "0-3"];
    play(&store, "50", &more);
    for stored in games_of(&store) {
        let text = transcript_of(&stored);
        assert!(text.starts_with("f5d6c3d3c4") || text.starts_with("f5f6e6f4"), "{text}");
    }
    // Other openings make other games.
    let openings = folder.write("openings.txt", "f5f4\n");
    let arguments = [&["learn", "play", "--output", &store, "--openings", &openings], QUICK].concat();
    fails(&arguments, "holds other games: openings.checksum is ");
    for (content, words) in [
        ("", "has no games; expected openings"),
        ("e6f4e3f6g5d6e7f5c5\n", "game 1 of "),
        ("f5f5\n", "move 2 is illegal"),
    ] {
        let openings = folder.write("openings.txt", content);
        fails(&["learn", "play", "--output", &folder.path("new.store"), "--openings", &openings], words);
    }
}

#[test]
fn games_can_be_played_with_the_weights_of_a_file() {
    let folder = Folder::new("learn_weights");
    let store = folder.path("games.store");
    let mut weights = Weights::zero();
    let path = folder.write("zero.weights", weights.to_bytes());
    play(&store, "70", &["--weights", &path]);
    let by_hand = folder.path("by_hand.store");
    play(&by_hand, "70", &[]);
    let (found, others) = (games_of(&store), games_of(&by_hand));
    // The openings are the same, for they are random; the moves behind them are not.
    assert!(found.iter().zip(&others).all(|(one, other)| one.game.opening() == other.game.opening()));
    assert!(found.iter().zip(&others).filter(|(one, other)| one == other).count() < 10);
    // Other weights under the same name are other games.
    weights.phases[10][7] = 1;
    folder.write("zero.weights", weights.to_bytes());
    let arguments = [&["learn", "play", "--output", &store, "--weights", &path], QUICK].concat();
    fails(&arguments, "holds other games: evaluation.checksum is ");
    let text = folder.write("text.weights", "no weights");
    fails(&["learn", "play", "--output", &folder.path("new.store"), "--weights", &text], "text.weights cannot be used");
}

#[test]
fn stores_and_records_are_merged_without_those_that_are_the_same() {
    let folder = Folder::new("learn_merge");
    let [one, other, merged] = ["one.store", "other.store", "merged.store"].map(|name| folder.path(name));
    play(&one, "200", &[]);
    play(&other, "150", &["--seed", "2"]);
    // A wipe-out, its image under a half turn, a game of the first store, one without an end, one with a slip.
    let copy = transcript_of(&games_of(&one)[7]);
    let records = folder.write("records.txt", format!("e6f4e3f6g5d6e7f5c5\nd3c5d6c3b4e3d2c4f4\n{copy}\nf5d6\nf5f5\n"));
    let run = emilia(&["learn", "merge", "--output", &merged, "--json", &one, &other, &records, &one]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("emilia: 1 bad record was skipped"), "{}", run.stderr);
    let summary = json(&run.stdout);
    let found = games_of(&merged);
    let mut transcripts: Vec<_> = found.iter().map(|stored| stored.game.moves().to_vec()).collect();
    transcripts.sort();
    transcripts.dedup();
    assert_eq!(transcripts.len(), found.len());
    let mut all: Vec<_> = [&one, &other].iter().flat_map(|store| games_of(store)).map(|stored| stored.game).collect();
    all.sort_by_key(|game| game.moves().to_vec());
    all.dedup_by_key(|game| game.moves().to_vec());
    assert_eq!(found.len(), all.len() + 1);
    assert_eq!(summary["games"], found.len());
    assert_eq!(summary["unfinished"], 1);
    assert_eq!(summary["bytes"], fs::metadata(&merged).expect("a file").len());
    let positions: usize = found.iter().map(|stored| stored.game.moves().len()).sum();
    assert_eq!(summary["positions"], positions);
    // A merged store is merged like any other.
    let again = folder.path("again.store");
    let said = emilia(&["learn", "merge", "--output", &again, &merged]).well();
    assert!(said.contains(&format!(" has {} games with ", found.len())), "{said}");
    assert_eq!(games_of(&again), found);
}

#[test]
fn a_merge_without_a_game_writes_no_store() {
    let folder = Folder::new("learn_merge_nothing");
    let unfinished = folder.write("unfinished.txt", "f5d6c3\nz9\n");
    let output = folder.path("all.store");
    let message = emilia(&["learn", "merge", "--output", &output, &unfinished]).failed(1);
    assert!(message.contains("1 bad record was skipped"), "{message}");
    assert!(message.ends_with("all.store was not written\n"), "{message}");
    assert!(!std::path::Path::new(&output).exists());
}

#[test]
fn a_merge_that_is_killed_leaves_no_store_behind_and_can_be_run_again() {
    let folder = Folder::new("learn_kill_merge");
    let (store, merged) = (folder.path("games.store"), folder.path("merged.store"));
    play(&store, "3000", &[]);
    let expected = games_of(&store);
    let mut finished = 0;
    for round in 0..20 {
        let mut child = start(&["learn", "merge", "--output", &merged, &store], Stdio::null());
        std::thread::sleep(Duration::from_millis(2 * round));
        child.kill().expect("the program can be killed");
        child.wait().expect("the program ends");
        // It is there as a whole or not at all.
        if Path::new(&merged).exists() {
            assert_eq!(games_of(&merged), expected);
            fs::remove_file(&merged).expect("a file");
            finished += 1;
        }
    }
    assert!(finished < 20);
    emilia(&["learn", "merge", "--output", &merged, &store]).well();
    assert_eq!(games_of(&merged), expected);
}

#[test]
fn thor_games_are_merged_as_the_database_has_them() {
    let folder = Folder::new("learn_thor");
    let thor = concat!(env!("CARGO_MANIFEST_DIR"), "/../records/tests/data/thor/small.wtb");
    let merged = folder.path("thor.store");
    let run = emilia(&["learn", "merge", "--output", &merged, thor, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found = games_of(&merged);
    assert_eq!(json(&run.stdout)["games"], found.len());
    // The database states the scores by itself.
    let listed = emilia(&["games", thor, "--json"]);
    let mut matched = 0;
    for row in listed.stdout.lines().map(json) {
        let game = transcript::parse(row["moves"].as_str().expect("moves")).expect("a game");
        let Ok(game) = PlayedGame::of_record(&game) else { continue };
        let stored = found.iter().find(|stored| stored.game == game).expect("the game is in the store");
        assert_eq!(row["score"], stored.game.score().discs());
        matched += 1;
    }
    assert!(matched >= 3, "{matched}");
}

#[test]
fn damaged_foreign_and_taken_files_are_refused_in_a_sentence() {
    let folder = Folder::new("learn_refused");
    let store = folder.path("games.store");
    play(&store, "100", &[]);
    let whole = fs::read(&store).expect("a file");
    let output = folder.path("merged.store");
    let playing = [&["learn", "play", "--output", &store], QUICK].concat();
    let merging = ["learn", "merge", "--output", &output, &store];
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    fs::write(&store, flipped).expect("a file");
    fails(&playing, "is damaged after byte ");
    fails(&merging, "is damaged after byte ");
    fs::write(&store, &whole[..whole.len() - 5]).expect("a file");
    fails(&merging, "is truncated: ");
    assert!(!Path::new(&output).exists());
    fs::write(&store, "something else").expect("a file");
    fails(&playing, "is not a store of games: ");
    is_misused(&merging, "wrong file header in ");
    fs::write(&store, &whole).expect("a file");
    fails(&[&playing[..], &["--seed", "9"]].concat(), "holds other games: ");
    folder.write("merged.store", "precious");
    fails(&merging, "already exists; choose another name");
    assert_eq!(folder.read("merged.store"), "precious");
    fails(&["learn", "merge", "--output", &folder.path("new.store"), &folder.path("none.store")], "cannot read ");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = Folder::new("learn_misuse");
    let store = folder.path("games.store");
    for (option, value, words) in [
        ("--opening", "12-6", "expected 0 to 50, or a range such as 6-12"),
        ("--opening", "51", "expected 0 to 50"),
        ("--random-moves", "1.5", "expected a number from 0 to 1"),
        ("--random-moves", "101%", "expected a number from 0 to 1"),
        ("--random-moves", "NaN", "expected a number from 0 to 1"),
        ("--games", "0", "--games: not a number from 1 to 1099511627776: \"0\""),
        ("--threads", "0", "--threads: not a number from 1 to 256: \"0\""),
        ("--depth", "0", "--depth: not a number from 1 to 30: \"0\""),
    ] {
        is_misused(&["learn", "play", "--output", &store, option, value], words);
    }
    is_misused(&["learn", "play"], "--output <FILE>");
    is_misused(&["learn", "merge", "--output", &store], "<FILES>");
    assert!(!Path::new(&store).exists());
}

#[test]
fn a_training_refuses_what_would_ruin_its_weights_or_other_files() {
    let folder = Folder::new("learn_ruin");
    let [store, weights] = ["games.store", "weights.bin"].map(|name| folder.path(name));
    play(&store, "20", &[]);
    let games = fs::read(&store).expect("a store");
    fn train<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["learn", "train", "--steps", "1", "--held-out", "5"], more].concat()
    }
    // Its own input, under whatever name the weights were to have.
    is_misused(&train(&["--output", &store, &store]), "cannot be both read and written");
    fails(&["learn", "winning", "--output", &store, &store], "is a different kind of file (expected: source file");
    fails(&["learn", "ordering", "--output", &store], "is a different kind of file (expected: ordering set)");
    assert!(fs::read(&store).expect("a store") == games);
    let nowhere = folder.path("no/folder/weights.bin");
    fails(&train(&["--output", &nowhere, &store]), "cannot write");
    let output = ["--output", &weights, &store];
    is_misused(&train(&[&output[..], &["--look-ahead", "3", "--window", "2"]].concat()), "a --window of at most 1");
    is_misused(
        &train(&[&output[..], &["--look-ahead", "3", "--label", "tree"]].concat()),
        "cannot be combined with --label",
    );
    is_misused(
        &train(&[&output[..], &["--look-ahead", "1"]].concat()),
        "--look-ahead: not a number from 2 to 10: \"1\"",
    );
    // Nothing was measured often enough to say anything.
    emilia(&train(&[&output[..], &["--look-ahead", "3", "--outcome-share", "0.2"]].concat())).well();
    let trained = fs::read(&weights).expect("weights");
    let little = ["learn", "probcut", "--weights", &weights, "--games", "2", "--deepest", "2", "--solved-from", "10"];
    fails(&little, "use more games");
    assert!(fs::read(&weights).expect("weights") == trained);
}

#[test]
fn a_training_killed_again_and_again_ends_with_the_same_weights_on_any_number_of_threads() {
    let folder = Folder::new("learn_train");
    let [store, whole, killed] = ["games.store", "whole.bin", "killed.bin"].map(|name| folder.path(name));
    play(&store, "120", &[]);
    let train = |output: &str, threads: &str| -> Vec<String> {
        ["learn", "train", "--output", output, "--steps", "3", "--threads", threads, &store].map(str::to_owned).to_vec()
    };
    let whole_training = train(&whole, "1");
    let arguments: Vec<_> = whole_training.iter().map(String::as_str).collect();
    let said = emilia(&arguments).well();
    assert_eq!(said.lines().count(), 32, "{said}");
    let bytes = fs::read(&whole).expect("weights");
    let weights = Weights::from_bytes(&bytes).expect("whole weights");
    assert_ne!(weights, Weights::zero());
    let again = train(&killed, "3");
    let arguments: Vec<_> = again.iter().map(String::as_str).collect();
    for pause in [30, 80, 200, 350, 600] {
        let mut child = start(&arguments, Stdio::null());
        std::thread::sleep(Duration::from_millis(pause));
        let _ = child.kill();
        child.wait().expect("an end");
        // Whatever is there under its name is whole.
        if let Ok(bytes) = fs::read(&killed) {
            assert!(Weights::from_bytes(&bytes).is_ok());
        }
    }
    emilia(&arguments).well();
    assert!(fs::read(&killed).expect("weights") == bytes, "the weights differ");
    assert!(!Path::new(&format!("{killed}.partial")).exists());
    // What another training has left is not taken for its own.
    fs::write(format!("{killed}.partial"), b"EMITRAIN\x01\0\0\0xxxxxxxx").expect("a file");
    fails(&arguments, "truncated");
    is_misused(&["learn", "train", "--output", &whole, "--penalty", "0", &store], "is not a penalty");
    fails(&["learn", "train", "--output", &whole, "/nowhere/x.store"], "/nowhere/x.store");
}

#[test]
fn the_cause_of_a_failure_is_said_once() {
    let folder = Folder::new("learn_cause");
    let [missing, tables] = ["missing.store", "x.tables"].map(|name| folder.path(name));
    for program in ["iago", "bill", "logistello", "keyano"] {
        let message = emilia(&["learn", "program", program, "--output", &tables, &missing]).failed(1);
        assert_eq!(message, format!("emilia: cannot read {missing}: No such file or directory\n"));
    }
}

#[test]
fn the_documented_commands_that_made_the_tables_have_valid_settings() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/README.md")).expect("the page");
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let folder = Folder::new("learn_documented");
    let [missing, tables] = ["missing.store", "x.tables"].map(|name| folder.path(name));
    for program in ["iago", "bill", "logistello", "keyano"] {
        let start = readme.find(&format!("`emilia learn program {program} ")).expect("a command") + 1;
        let command = readme[start..].split('`').next().expect("a command");
        let words = command.split(' ').skip(1).map(|word| match word.rsplit_once('.') {
            Some((_, "tables")) => &tables,
            Some((_, "store")) => &missing,
            _ => word,
        });
        let words: Vec<_> = words.collect();
        // Everything is valid but the name of the store.
        let message = emilia(&words).failed(1);
        assert_eq!(message, format!("emilia: cannot read {missing}: No such file or directory\n"), "{command}");
        let help = emilia(&["learn", "program", program, "--set", "help"]).well();
        for pair in words.windows(2).filter(|pair| pair[0] == "--set") {
            let name = pair[1].split('=').next().expect("a name");
            assert!(help.contains(name), "{name} is not in: {help}");
        }
    }
}
