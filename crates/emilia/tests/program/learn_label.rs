//! `emilia learn label`, and trainings on labeled positions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use evaluation::weights::Weights;
use learning::game_store::GameReader;
use learning::label_store::LabelReader;
use learning::labels::{Label, LabeledPosition};

use crate::run::{Folder, command, emilia, fails, is_misused, json};

/// Plays so many quick games into this store, with beginnings so short that some of them meet.
#[track_caller]
fn play(store: &str, games: &str) {
    let quick = ["--depth", "1", "--exact-from", "8", "--random-moves", "5%", "--opening", "2-8"];
    emilia(&[&["learn", "play", "--output", store, "--games", games], &quick[..]].concat()).well();
}

/// The labels of the tests: all of them, quickly found.
const ALL: &[&str] = &["--exact-from", "8", "--tree", "--depth", "2"];

fn label<'a>(output: &'a str, store: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["learn", "label", "--output", output, store], ALL, more].concat()
}

fn start(arguments: &[&str], output: Stdio) -> Child {
    command(arguments).stdin(Stdio::null()).stdout(output).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn positions_of(store: &str) -> Vec<LabeledPosition> {
    let mut positions = Vec::new();
    let reader = LabelReader::open(Path::new(store)).expect("a finished store");
    reader.read(0..=60, |position| positions.push(*position)).expect("positions");
    positions
}

#[test]
fn a_labeling_killed_again_and_again_loses_no_position_that_it_reported() {
    let folder = Folder::new("label_kill");
    let [games, whole, killed] = ["games.store", "whole.labels", "killed.labels"].map(|name| folder.path(name));
    play(&games, "1000");
    let said = emilia(&label(&whole, &games, &["--threads", "1"])).well();
    assert!(said.contains(" positions labeled, ") && said.contains("whole.labels has "), "{said}");
    let expected = fs::read(&whole).expect("a file");
    let mut reported = 0;
    let mut rounds = 0;
    for round in 0..12 {
        let mut child = start(&label(&killed, &games, &["--threads", "3", "--json"]), Stdio::piped());
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let read = |line: std::io::Result<String>| json(&line.expect("text"))["bytes"].as_u64().expect("a number");
        // Sometimes before the store is there, sometimes in the middle of a block.
        for line in lines.by_ref().take(round % 4) {
            reported = read(line);
        }
        std::thread::sleep(Duration::from_millis([0, 3, 11, 25, 40][round % 5]));
        child.kill().expect("the program can be killed");
        child.wait().expect("the program ends");
        // What it said before it died counts too.
        for line in lines {
            reported = read(line);
        }
        if let Ok(found) = fs::read(&killed) {
            assert!(found.len() as u64 >= reported, "{} of {reported} bytes are there", found.len());
            assert!(expected.starts_with(&found), "round {round} wrote something else");
            rounds += usize::from(found.len() < expected.len());
        }
    }
    assert!(reported > 0 && rounds > 5, "{reported} bytes in {rounds} rounds");
    let end = emilia(&label(&killed, &games, &[]));
    assert_eq!(end.code, Some(0), "{}", end.stderr);
    assert!(fs::read(&killed).expect("a file") == expected, "the files differ");
    // Nothing is left to do.
    assert!(emilia(&label(&killed, &games, &[])).well().starts_with("0 positions labeled"));
}

#[test]
fn a_labeling_goes_on_with_the_games_that_there_were_when_it_began() {
    let folder = Folder::new("label_growing");
    let [games, whole, part] = ["games.store", "whole.labels", "part.labels"].map(|name| folder.path(name));
    play(&games, "200");
    // Some of the 200 may have been the same.
    let count = GameReader::open(Path::new(&games)).expect("a store").count().to_string();
    emilia(&label(&whole, &games, &[])).well();
    let expected = fs::read(&whole).expect("a file");
    fs::write(&part, &expected[..expected.len() / 2]).expect("a file");
    play(&games, "300");
    let run = emilia(&label(&part, &games, &[]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("the last positions are incomplete"), "{}", run.stderr);
    assert!(fs::read(&part).expect("a file") == expected, "the files differ");
    // Others begin with all games, or with as many as they are told.
    let [all, first] = ["all.labels", "first.labels"].map(|name| folder.path(name));
    emilia(&label(&all, &games, &[])).well();
    assert!(positions_of(&all).len() > positions_of(&whole).len());
    emilia(&label(&first, &games, &["--first", &count])).well();
    assert_eq!(positions_of(&first), positions_of(&whole));
    // A store of other games under the same name is not the one that was labeled.
    fs::remove_file(&games).expect("a file");
    emilia(&["learn", "play", "--output", &games, "--games", "250", "--depth", "1", "--exact-from", "8"]).well();
    fails(&label(&whole, &games, &[]), "holds other labels: games");
}

#[test]
fn a_training_learns_the_label_that_it_is_told_to() {
    let folder = Folder::new("label_train");
    let [games, labels] = ["games.store", "positions.labels"].map(|name| folder.path(name));
    play(&games, "250");
    emilia(&label(&labels, &games, &[])).well();
    let train = |name: &str, more: &[&str]| -> Vec<u8> {
        let output = folder.path(name);
        let arguments = ["learn", "train", "--output", &output, "--steps", "2", &labels];
        emilia(&[&arguments[..], more].concat()).well();
        let bytes = fs::read(output).expect("weights");
        Weights::from_bytes(&bytes).expect("whole weights");
        bytes
    };
    let mut found: Vec<_> = Label::ALL.iter().map(|kind| train("one.bin", &["--label", kind.name()])).collect();
    // The search values alone, mixed with scores, and with a window.
    let by_search = found.last().expect("weights").clone();
    assert!(train("none.bin", &["--label", "search", "--outcome-share", "0"]) == by_search);
    found.push(train("mixed.bin", &["--label", "search", "--outcome-share", "0.5"]));
    found.push(train("wide.bin", &["--label", "search", "--window", "2"]));
    // These games were played exactly from where their endings are corrected: both labels are the same.
    assert!(found[0] == found[1]);
    found.remove(1);
    for (index, one) in found.iter().enumerate() {
        assert!(found[..index].iter().all(|other| other != one), "two trainings have the same weights");
    }
    let output = folder.path("refused.bin");
    fails(
        &["learn", "train", "--output", &output, "--label", "tree", &games],
        "is a store of games and has no label tree",
    );
    let few = folder.path("few.labels");
    emilia(&["learn", "label", "--output", &few, "--exact-from", "0", "--empties", "20-30", &games]).well();
    fails(&["learn", "train", "--output", &output, "--label", "search", &few], "has no label search: only outcome");
    is_misused(&["learn", "train", "--output", &output, "--outcome-share", "0.5", &labels], "needs --label search");
    is_misused(&["learn", "train", "--output", &output, "--label", "guess", &labels], "\"guess\" is not a label");
    is_misused(&["learn", "train", "--output", &output, "--outcome-share", "2", &labels], "is not a share");
}

#[test]
fn a_training_on_labels_killed_again_and_again_ends_with_the_same_weights() {
    let folder = Folder::new("label_train_kill");
    let [games, labels, whole, killed] =
        ["games.store", "positions.labels", "whole.bin", "killed.bin"].map(|name| folder.path(name));
    play(&games, "150");
    emilia(&label(&labels, &games, &[])).well();
    let arguments = |output, threads| {
        let how =
            ["--steps", "3", "--label", "search", "--outcome-share", "0.3", "--window", "1", "--threads", threads];
        [&["learn", "train", "--output", output, labels.as_str()], &how[..]].concat()
    };
    emilia(&arguments(&whole, "1")).well();
    for pause in [20, 60, 150, 300, 500] {
        let mut child = start(&arguments(&killed, "3"), Stdio::null());
        std::thread::sleep(Duration::from_millis(pause));
        let _ = child.kill();
        child.wait().expect("an end");
        // Whatever is there under its name is whole.
        if let Ok(bytes) = fs::read(&killed) {
            assert!(Weights::from_bytes(&bytes).is_ok());
        }
    }
    emilia(&arguments(&killed, "3")).well();
    assert!(fs::read(&killed).expect("weights") == fs::read(&whole).expect("weights"), "the weights differ");
}

#[test]
fn interactions_are_learned_on_top_of_weights_and_used_like_them() {
    let folder = Folder::new("label_interactions");
    let [games, labels, tables, pairs, again] =
        ["games.store", "positions.labels", "tables.bin", "pairs.bin", "again.bin"].map(|name| folder.path(name));
    play(&games, "100");
    emilia(&label(&labels, &games, &[])).well();
    emilia(&["learn", "train", "--output", &tables, "--steps", "2", &labels]).well();
    let learn = |output, threads| {
        let how = [
            "--label",
            "search",
            "--outcome-share",
            "0.3",
            "--epochs",
            "1",
            "--stages",
            "3",
            "--threads",
            threads,
            "--least",
            "1",
        ];
        [&["learn", "interactions", "--output", output, "--weights", tables.as_str(), labels.as_str()], &how[..]]
            .concat()
    };
    let said = emilia(&learn(&pairs, "1")).well();
    assert!(said.contains("41-60 ") && said.contains(" 1-20 "), "{said}");
    emilia(&learn(&again, "3")).well();
    let bytes = fs::read(&pairs).expect("weights");
    assert!(bytes == fs::read(&again).expect("weights"), "the number of threads changed the weights");
    let weights = Weights::from_bytes(&bytes).expect("whole weights");
    assert_eq!(weights.interactions.map(|interactions| interactions.stages.len()), Some(3));
    let value = |weights| emilia(&["eval", "f5d6c3d3c4", "--weights", weights]).well();
    assert!(value(&pairs).contains("interactions"));
    assert!(!value(&tables).contains("interactions"));
    let refused = ["learn", "interactions", "--output", &again, "--weights", &pairs, &games];
    fails(&refused, "the weights already have interactions");
    is_misused(&[&refused[..], &["--stages", "7"]].concat(), "\"7\" is not a number of stages");
    is_misused(&[&refused[..], &["--outcome-share", "0.5"]].concat(), "needs --label search");
    is_misused(&[&refused[..], &["--weight-rate", "0"]].concat(), "\"0\" is not the length of a step");
    // With the usual minimum, so few positions teach nothing, and that is said.
    let few = ["learn", "interactions", "--output", &again, "--weights", &tables, &games];
    let said = command(&few).output().expect("the program runs");
    assert!(String::from_utf8_lossy(&said.stderr).contains("no stage has 500,000 positions, so nothing was learned"));
    assert!(String::from_utf8_lossy(&said.stdout).contains("too few positions: as at the start"));
}

/// The commands that docs/learning.md has for the shipped weights.
fn documented_commands() -> Vec<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "learning.md"].iter().collect();
    let page = fs::read_to_string(path).expect("the documentation");
    let section = page.split("\n## The shipped weights\n").nth(1).expect("the section");
    let block =
        section.split("```console no-run\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    block.lines().filter_map(|line| line.strip_prefix("$ emilia ")).map(str::to_owned).collect()
}

#[test]
fn the_documented_commands_make_weights_from_games() {
    let folder = Folder::new("label_documented");
    play(&folder.path("training.store"), "60");
    let commands = documented_commands();
    let count = |verb: &str| commands.iter().filter(|command| command.starts_with(&format!("learn {verb} "))).count();
    assert_eq!([count("train"), count("label"), count("interactions"), count("probcut")], [1, 2, 2, 3]);
    // The last one prints a table and a source file.
    let to_files = commands.iter().filter(|command| !command.starts_with("learn winning "));
    for command in to_files {
        // The same on a small scale.
        let small =
            command.replace("--games 2000 --deepest 9 --solved-from 20", "--games 600 --deepest 3 --solved-from 11");
        let small =
            small.replace("--look-ahead 3", "--look-ahead 2 --steps 2").replace("--exact-from 14", "--exact-from 8");
        let more: &[&str] = if small.contains("learn interactions") { &["--least", "1", "--epochs", "1"] } else { &[] };
        let arguments: Vec<String> = small
            .split(' ')
            .map(|word| match word.rsplit('/').next() {
                Some(name) if word.ends_with(".bin") || word.ends_with(".labels") || word.ends_with(".store") => {
                    folder.path(name)
                }
                _ => word.to_owned(),
            })
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
        emilia(&arguments).well();
    }
    let weights = fs::read(folder.path("weights.bin")).expect("weights");
    let weights = Weights::from_bytes(&weights).expect("whole weights");
    let interactions = weights.interactions.expect("interactions");
    assert!(interactions.stages.iter().flatten().flatten().any(|number| *number != 0));
    assert!(weights.probcut.is_some());
}

#[test]
fn damaged_foreign_and_unfinished_labels_are_refused_in_a_sentence() {
    let folder = Folder::new("label_refused");
    let [games, labels, output] = ["games.store", "positions.labels", "weights.bin"].map(|name| folder.path(name));
    play(&games, "30");
    emilia(&label(&labels, &games, &[])).well();
    let whole = fs::read(&labels).expect("a file");
    let training = ["learn", "train", "--output", &output, "--steps", "1", &labels];
    let labeling = label(&labels, &games, &[]);
    fs::write(&labels, &whole[..whole.len() - 5]).expect("a file");
    fails(&training, "is not finished: it ends at byte ");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    fs::write(&labels, &flipped).expect("a file");
    fails(&training, "is damaged after byte ");
    // Without its end it is read again to go on, and what is wrong in it shows.
    fs::write(&labels, &flipped[..whole.len() - 28]).expect("a file");
    fails(&labeling, "is damaged after byte ");
    fs::write(&labels, "something else that is no store").expect("a file");
    fails(&labeling, "is not a store of labeled positions: wrong file header; expected EMILABEL");
    fails(&training, "is not a store of games");
    fs::write(&labels, &whole).expect("a file");
    fails(&label(&labels, &games, &["--empties", "5-60"]), "holds other labels: ");
    is_misused(&label(&labels, &labels, &[]), "cannot be both read and written");
    is_misused(&label(&labels, &games, &["--empties", "9-61"]), "expected 1 to 60");
    is_misused(&["learn", "label", "--output", &labels], "<STORES>");
    assert!(fs::read(&labels).expect("a file") == whole);
}
