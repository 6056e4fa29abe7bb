//! Stores, labels, checkpoints, problems and cycles of version 1 are continued, and end as that version ended.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use learning::game_store::{GameReader, StoredGame};
use learning::label_store::LabelReader;
use learning::labels::LabeledPosition;
use othello::{Score, Square};
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;
use storage::checksum::crc32;

use crate::cycle::cycle_of_games;
use crate::run::{Folder, emilia, fails, json};

/// A file of version 1.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/learning").join(name)
}

/// Its path as an argument.
fn path(name: &str) -> String {
    data(name).to_str().expect("a path").to_owned()
}

/// Copies a file of version 1, unpacked if it is packed.
#[track_caller]
fn copy(folder: &Folder, from: &str, to: &str) -> String {
    let mut bytes = Vec::new();
    if from.ends_with(".zst") {
        let packed = File::open(data(from)).expect("a file");
        StreamingDecoder::new(packed).expect("zstd").read_to_end(&mut bytes).expect("zstd");
    } else {
        bytes = fs::read(data(from)).expect("a file");
    }
    folder.write(to, bytes)
}

#[track_caller]
fn games_of(store: &Path) -> Vec<StoredGame> {
    GameReader::open(store).expect("a store").collect::<Result<_, _>>().expect("a store without damage")
}

/// What is the same in the games of every version: the source, the number, the moves up to eight empty squares, where the
/// players begin to solve, and the score. Of moves that are equally good at the end, a changed search may choose another.
#[track_caller]
fn essence_of(store: &Path) -> Vec<(usize, u64, Vec<Square>, Score)> {
    let essence = |StoredGame { source, number, game }: StoredGame| {
        (source, number, game.moves().iter().take(60 - 8).copied().collect(), game.score())
    };
    games_of(store).into_iter().map(essence).collect()
}

#[track_caller]
fn positions_of(store: &Path) -> Vec<LabeledPosition> {
    let mut positions = Vec::new();
    let reader = LabelReader::open(store).expect("a finished store");
    reader.read(0..=60, |position| positions.push(*position)).expect("positions");
    positions
}

#[test]
fn stores_of_games_go_on_where_version_1_ended() {
    let folder = Folder::new("old_play");
    let store = copy(&folder, "half.store", "games.store");
    let how =
        ["--depth", "1", "--exact-from", "8", "--random-moves", "5%", "--opening", "2-8", "--weights", "hand-made"];
    let play = |games: &'static str, more: &[&'static str]| -> Vec<&str> {
        [&["learn", "play", "--output", &store, "--games", games], &how[..], more].concat()
    };
    fails(&play("70", &["--seed", "2"]), "holds other games: seed is 1; expected 2, or another file");
    let other = ["learn", "play", "--output", &store, "--depth", "1", "--exact-from", "8", "--weights", "hand-made"];
    fails(&other, "holds other games: random_moves is 0.05; expected 0.02, or another file");
    let said = emilia(&play("70", &[])).well();
    assert!(said.starts_with("40 games played"), "{said}");
    assert_eq!(essence_of(Path::new(&store)), essence_of(&data("whole.store")));
    // Games that are new say the same as data.
    let new = folder.path("new.store");
    emilia(&[&["learn", "play", "--output", &new, "--games", "70"], &how[..]].concat()).well();
    assert_eq!(games_of(Path::new(&new))[70 - 40..], games_of(Path::new(&store))[70 - 40..]);
    assert_eq!(essence_of(Path::new(&new)), essence_of(&data("whole.store")));
    let sources = |path: &Path| {
        let mut reader = GameReader::open(path).expect("a store");
        reader.next().expect("a game").expect("a game");
        reader.sources().to_vec()
    };
    assert_eq!(sources(Path::new(&new)), sources(Path::new(&store)));
}

#[test]
fn stores_of_games_from_openings_go_on_where_version_1_ended() {
    let folder = Folder::new("old_openings");
    let store = copy(&folder, "opened-half.store", "games.store");
    let play = |openings: &str| -> Vec<String> {
        let how = ["--opening", "0-3", "--depth", "1", "--exact-from", "8", "--random-moves", "0.03", "--seed", "7"];
        let files = ["learn", "play", "--output", &store, "--games", "50", "--openings", openings];
        files.iter().chain(&how).chain(&["--weights", "hand-made"]).map(|text| (*text).to_owned()).collect()
    };
    let arguments = play(&folder.write("other.txt", "f5d6c3d3c4\nf5f6e6f4\n"));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    fails(&arguments, "holds other games: openings.checksum is ");
    let arguments = play(&path("openings.txt"));
    emilia(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).well();
    assert_eq!(essence_of(Path::new(&store)), essence_of(&data("opened-whole.store")));
}

#[test]
fn labels_go_on_where_version_1_ended_byte_for_byte() {
    let folder = Folder::new("old_labels");
    let labels = copy(&folder, "half.labels", "positions.labels");
    let games = path("half.store");
    let how = ["--exact-from", "8", "--depth", "2", "--weights", "hand-made", "--empties", "1-12", "--first", "25"];
    let label = [&["learn", "label", "--output", &labels, &games], &how[..]].concat();
    fails(&label, "holds other labels: tree is true; expected false");
    let run = emilia(&[&label[..], &["--tree"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(fs::read(&labels).expect("a file") == fs::read(data("whole.labels")).expect("a file"), "the files differ");
    let new = folder.path("new.labels");
    emilia(&[&["learn", "label", "--output", &new, &games, "--tree"], &how[..]].concat()).well();
    assert_eq!(positions_of(Path::new(&new)), positions_of(&data("whole.labels")));
}

#[test]
fn trainings_go_on_from_checkpoints_of_version_1() {
    let folder = Folder::new("old_train");
    let output = folder.path("weights.bin");
    let train = |store: &str, how: &[&str]| {
        let store = path(store);
        let common = ["learn", "train", "--output", &output, "--steps", "3", "--held-out", "5"];
        emilia(&[&common[..], how, &[&store]].concat())
    };
    let labels = ["--label", "search", "--outcome-share", "0.3", "--window", "1"];
    let look_ahead = ["--look-ahead", "3", "--outcome-share", "0.2", "--first", "20"];
    for (checkpoint, store, how, checksum) in [
        ("labels.partial.zst", "whole.labels", &labels[..], 0xea5f_c45b_u32),
        ("games.partial.zst", "half.store", &look_ahead[..], 0xf72f_53bb),
    ] {
        copy(&folder, checkpoint, "weights.bin.partial");
        let error = train(store, &[how, &["--penalty", "31"]].concat()).failed(1);
        assert!(error.contains("belongs to another training run: penalty is 30.0; expected 31.0"), "{error}");
        let said = train(store, how).well();
        // One phase was done, and 29 are trained now.
        assert_eq!(said.lines().count(), 2 + 29, "{said}");
        let bytes = fs::read(&output).expect("weights");
        assert_eq!(crc32(&bytes), checksum, "the weights differ");
        assert!(!Path::new(&folder.path("weights.bin.partial")).exists());
        // The same from the beginning.
        fs::remove_file(&output).expect("weights");
        train(store, how).well();
        assert!(fs::read(&output).expect("weights") == bytes, "the weights differ");
    }
    // Other games under the same name are another training.
    copy(&folder, "games.partial.zst", "weights.bin.partial");
    let error = train("opened-whole.store", &look_ahead).failed(1);
    assert!(error.contains("belongs to another training run: stores.0.checksum is \"b46de883\"; expected "), "{error}");
}

#[test]
fn problems_go_on_where_version_1_ended() {
    let folder = Folder::new("old_problems");
    let problems = copy(&folder, "half.obf", "problems.obf");
    let store = path("whole.store");
    let how = ["--count", "12", "--empties", "8-10", "--held-out", "1", "--weights", "hand-made"];
    let run = emilia(&[&["learn", "problems", "--output", &problems, &store], &how[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(folder.read("problems.obf"), fs::read_to_string(data("whole.obf")).expect("a file"));
}

/// Lines of a log without the day, the settings, and the Elo interval, which is estimated in another way than then.
fn log(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(json).collect();
    for line in &mut lines {
        let line = line.as_object_mut().expect("an object");
        line.remove("date").expect("a day");
        line.remove("settings").expect("settings");
        if let Some(contest) = line.get_mut("match").and_then(Value::as_object_mut) {
            contest.remove("elo").expect("an interval");
        }
    }
    lines
}

/// A line of a log without what depends on the openings, which the evaluation that ships finds.
fn without_match(line: &Value) -> Value {
    let mut line = line.clone();
    for key in ["match", "accepted", "rating"] {
        line.as_object_mut().expect("an object").remove(key).expect("a result");
    }
    line
}

#[test]
fn cycles_go_on_where_version_1_ended() {
    let expected = log(&fs::read_to_string(data("cycle-log.jsonl")).expect("a log"));
    // Killed in its first match, and in its first training.
    for files in [&["match.jsonl", "weights.bin.zst"][..], &["weights.bin.partial.zst"]] {
        let folder = Folder::new(if files.len() == 2 { "old_cycle_match" } else { "old_cycle_training" });
        let cycle = folder.path("cycle");
        fs::create_dir_all(folder.path("cycle/generation-00")).expect("a folder");
        copy(&folder, "cycle/cycle.json", "cycle/cycle.json");
        for name in ["games.store", "positions.labels"].iter().chain(files) {
            let name = format!("cycle/generation-00/{name}");
            copy(&folder, &name, name.trim_end_matches(".zst"));
        }
        let run = |generations: &str, more: &[&str]| emilia(&cycle_of_games("40", &cycle, generations, more));
        let error = run("1", &["--match-depth", "2"]).failed(1);
        assert!(error.contains("belongs to another cycle: its match-limits.depth is 1; expected 2"), "{error}");
        run("1", &[]).well();
        // The next generation begins with a log whose first line is as version 1 wrote it.
        let first = fs::read_to_string(data("cycle-log.jsonl")).expect("a log");
        let own = folder.read("cycle/log.jsonl");
        let own = log(&own);
        assert_eq!(without_match(&own[0]), without_match(&expected[0]));
        // A match that has begun has its openings.
        if files.contains(&"match.jsonl") {
            assert_eq!(own, expected[..1]);
        }
        folder.write("cycle/log.jsonl", format!("{}\n", first.lines().next().expect("a line")));
        run("2", &[]).well();
        let found = log(&folder.read("cycle/log.jsonl"));
        assert_eq!(found.len(), 2);
        assert_eq!(without_match(&found[1]), without_match(&expected[1]));
    }
}
