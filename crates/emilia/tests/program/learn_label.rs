//! `emilia learn label`, and trainings on labeled positions.

use std::path::{Path, PathBuf};

use evaluation::weights::Weights;
use learning::game_store::GameReader;
use learning::label_store::LabelReader;
use learning::labels::{Label, LabeledPosition};

use crate::run::{Folder, count, words};

/// A folder with a store of quick games, with openings so short that some of them meet.
#[track_caller]
fn folder_with_games(test: &str, games: u32) -> Folder {
    let folder = Folder::new(test);
    play(&folder, games);
    folder
}

fn play(folder: &Folder, games: u32) {
    let recipe = "--depth 1 --exact-from 8 --random-moves 5% --opening 2-8";
    folder.well(&format!("learn play --output games.store --games {games} {recipe}"));
}

/// Labels of the games: all kinds, quickly found.
fn label(output: &str, options: &str) -> String {
    format!("learn label --output {output} games.store --exact-from 8 --tree --depth 2 {options}")
}

fn positions_of(folder: &Folder, store: &str) -> Vec<LabeledPosition> {
    let mut positions = Vec::new();
    let reader = LabelReader::open(Path::new(&folder.path(store))).expect("a finished store");
    reader.read(0..=60, |position| positions.push(*position)).expect("positions");
    positions
}

#[test]
fn a_labeling_killed_again_and_again_loses_no_position_that_it_reported() {
    let folder = folder_with_games("label_kill", 1000);
    let said = folder.well(&label("whole.labels", "--threads 1"));
    assert!(said.contains(" positions labeled, ") && said.contains("whole.labels has "), "{said}");
    let expected = folder.bytes("whole.labels");
    let (mut reported, mut rounds) = (0, 0);
    for round in 0..12 {
        // Sometimes before the store is there, sometimes in the middle of a block.
        let pause = [0, 3, 11, 25, 40][round % 5];
        let printed = folder.kill(&label("killed.labels", "--threads 3 --json"), round % 4, pause);
        reported = printed.last().map_or(reported, |row| count(&row["bytes"]));
        if folder.has("killed.labels") {
            let found = folder.bytes("killed.labels");
            assert!(found.len() as u64 >= reported, "{} of {reported} bytes are there", found.len());
            assert!(expected.starts_with(&found), "round {round} wrote something else");
            rounds += usize::from(found.len() < expected.len());
        }
    }
    assert!(reported > 0 && rounds > 5, "{reported} bytes in {rounds} rounds");
    folder.emilia(&label("killed.labels", "")).done();
    assert!(folder.bytes("killed.labels") == expected, "the files differ");
    // Nothing is left to do.
    assert!(folder.well(&label("killed.labels", "")).starts_with("0 positions labeled"));
}

#[test]
fn a_labeling_goes_on_with_the_games_that_there_were_when_it_began() {
    let folder = folder_with_games("label_growing", 200);
    // Some of the 200 may have been the same.
    let games = GameReader::open(Path::new(&folder.path("games.store"))).expect("a store").count();
    folder.well(&label("whole.labels", ""));
    let expected = folder.bytes("whole.labels");
    folder.write("part.labels", &expected[..expected.len() / 2]);
    play(&folder, 300);
    let run = folder.emilia(&label("part.labels", ""));
    assert!(run.stderr.contains("the last positions are incomplete"), "{}", run.stderr);
    run.done();
    assert!(folder.bytes("part.labels") == expected, "the files differ");
    // Other stores begin with all games, or with as many as requested.
    folder.well(&label("all.labels", ""));
    assert!(positions_of(&folder, "all.labels").len() > positions_of(&folder, "whole.labels").len());
    folder.well(&label("first.labels", &format!("--first {games}")));
    assert_eq!(positions_of(&folder, "first.labels"), positions_of(&folder, "whole.labels"));
    // A store of other games under the same name is not the one that was labeled.
    std::fs::remove_file(folder.path("games.store")).expect("a file");
    folder.well("learn play --output games.store --games 250 --depth 1 --exact-from 8");
    folder.fails(&label("whole.labels", ""), "holds other labels: games");
}

#[test]
fn a_training_learns_the_chosen_label() {
    let folder = folder_with_games("label_train", 250);
    folder.well(&label("positions.labels", ""));
    let train = |options: &str| -> Vec<u8> {
        folder.well(&format!("learn train --output one.bin --steps 2 positions.labels {options}"));
        let bytes = folder.bytes("one.bin");
        Weights::from_bytes(&bytes).expect("whole weights");
        std::fs::remove_file(folder.path("one.bin")).expect("a file");
        bytes
    };
    let mut found: Vec<_> = Label::ALL.iter().map(|kind| train(&format!("--label {}", kind.name()))).collect();
    // The search values alone, mixed with scores, and with a window.
    assert!(train("--label search --outcome-share 0") == *found.last().expect("weights"));
    found.push(train("--label search --outcome-share 0.5"));
    found.push(train("--label search --window 2"));
    // These games were played exactly from where their endings are corrected: both labels are the same.
    assert!(found[0] == found[1]);
    found.remove(1);
    for (index, one) in found.iter().enumerate() {
        assert!(found[..index].iter().all(|other| other != one), "two trainings have the same weights");
    }
    folder.fails(
        "learn train --output refused.bin --label tree games.store",
        "is a store of games and has no label tree",
    );
    folder.well("learn label --output few.labels --exact-from 0 --empties 20-30 games.store");
    folder.fails("learn train --output refused.bin --label search few.labels", "has no label search: only outcome");
    let share = "learn train --output refused.bin --outcome-share 0.5 positions.labels";
    folder.is_misused(share, "needs --label search");
}

#[test]
fn a_training_on_labels_killed_again_and_again_ends_with_the_same_weights() {
    let folder = folder_with_games("label_train_kill", 150);
    folder.well(&label("positions.labels", ""));
    let train = "learn train positions.labels --steps 3 --label search --outcome-share 0.3 --window 1";
    folder.well(&format!("{train} --output whole.bin --threads 1"));
    let again = format!("{train} --output killed.bin --threads 3");
    for pause in [20, 60, 150, 300, 500] {
        folder.start(&again).kill_after(pause);
        // A file with its final name is whole.
        assert!(!folder.has("killed.bin") || Weights::from_bytes(&folder.bytes("killed.bin")).is_ok());
    }
    folder.well(&again);
    assert!(folder.bytes("killed.bin") == folder.bytes("whole.bin"), "the weights differ");
}

#[test]
fn interactions_are_learned_on_top_of_weights_and_used_like_them() {
    let folder = folder_with_games("label_interactions", 100);
    folder.well(&label("positions.labels", ""));
    folder.well("learn train --output tables.bin --steps 2 positions.labels");
    let learn = "learn interactions --weights tables.bin positions.labels --label search --outcome-share 0.3 --epochs 1 --stages 3 \
                 --least 1 --output";
    let said = folder.well(&format!("{learn} pairs.bin --threads 1"));
    assert!(said.contains("41-60 ") && said.contains(" 1-20 "), "{said}");
    folder.well(&format!("{learn} again.bin --threads 3"));
    let bytes = folder.bytes("pairs.bin");
    assert!(bytes == folder.bytes("again.bin"), "the number of threads changed the weights");
    let weights = Weights::from_bytes(&bytes).expect("whole weights");
    assert_eq!(weights.interactions.map(|interactions| interactions.stages.len()), Some(3));
    let has_interactions =
        |weights: &str| folder.well(&format!("eval f5d6c3d3c4 --weights {weights}")).contains("interactions");
    assert!(has_interactions("pairs.bin") && !has_interactions("tables.bin"));
    let refused = "learn interactions --output again.bin --weights pairs.bin games.store";
    folder.fails(refused, "the weights already have interactions");
    // With the default minimum, so few positions teach nothing, and a warning says so.
    let run = folder.emilia("learn interactions --output again.bin --weights tables.bin games.store");
    assert!(run.stderr.contains("no stage has 500,000 positions, so nothing was learned"), "{}", run.stderr);
    assert!(run.stdout.contains("too few positions: as at the start"), "{}", run.stdout);
}

/// The commands that docs/learning.md has for the shipped weights.
fn documented_commands() -> Vec<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "learning.md"].iter().collect();
    let page = std::fs::read_to_string(path).expect("the documentation");
    let section = page.split("\n## The shipped weights\n").nth(1).expect("the section");
    let block =
        section.split("```console no-run\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    block.lines().filter_map(|line| line.strip_prefix("$ emilia ")).map(str::to_owned).collect()
}

#[test]
fn the_documented_commands_make_weights_from_games() {
    let folder = Folder::new("label_documented");
    let quick = "--depth 1 --exact-from 8 --random-moves 5% --opening 2-8";
    folder.well(&format!("learn play --output training.store --games 60 {quick}"));
    let commands = documented_commands();
    let number = |verb: &str| commands.iter().filter(|command| command.starts_with(&format!("learn {verb} "))).count();
    assert_eq!(["train", "label", "interactions", "probcut"].map(number), [1, 2, 2, 3]);
    // The last one prints a table and a source file.
    for command in commands.iter().filter(|command| !command.starts_with("learn winning ")) {
        // The same on a small scale.
        let mut small = command
            .replace("--games 2000 --deepest 9 --solved-from 20", "--games 600 --deepest 3 --solved-from 11")
            .replace("--look-ahead 3", "--look-ahead 2 --steps 2")
            .replace("--exact-from 14", "--exact-from 8");
        if small.contains("learn interactions") {
            small += " --least 1 --epochs 1";
        }
        // Files are in the folder of the test.
        let is_file = |word: &str| [".bin", ".labels", ".store"].iter().any(|ending| word.ends_with(ending));
        let words = words(&small);
        let names = words.iter().map(|word| word.rsplit('/').next().filter(|_| is_file(word)).unwrap_or(word));
        folder.well(&names.collect::<Vec<_>>().join(" "));
    }
    let weights = Weights::from_bytes(&folder.bytes("weights.bin")).expect("whole weights");
    let interactions = weights.interactions.expect("interactions");
    assert!(interactions.stages.iter().flatten().flatten().any(|number| *number != 0));
    assert!(weights.probcut.is_some());
}

#[test]
fn damaged_foreign_and_unfinished_labels_are_refused_in_a_sentence() {
    let folder = folder_with_games("label_refused", 30);
    folder.well(&label("positions.labels", ""));
    let whole = folder.bytes("positions.labels");
    let training = "learn train --output weights.bin --steps 1 positions.labels";
    let labeling = label("positions.labels", "");
    folder.write("positions.labels", &whole[..whole.len() - 5]);
    folder.fails(training, "is not finished: it ends at byte ");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    folder.write("positions.labels", &flipped);
    folder.fails(training, "is damaged after byte ");
    // Without its end it is read again to continue, and its damage is found.
    folder.write("positions.labels", &flipped[..whole.len() - 28]);
    folder.fails(&labeling, "is damaged after byte ");
    folder.write("positions.labels", "something else that is no store");
    folder.fails(&labeling, "is not a store of labeled positions: wrong file header; expected EMILABEL");
    folder.fails(training, "is not a store of games");
    folder.write("positions.labels", &whole);
    folder.fails(&label("positions.labels", "--empties 5-60"), "holds other labels: ");
    let itself = "learn label --output positions.labels positions.labels";
    folder.is_misused(itself, "cannot be both read and written");
    assert!(folder.bytes("positions.labels") == whole);
}
