//! `emilia learn cycle` and `emilia learn curve`.

use std::path::Path;

use evaluation::weights::Weights;
use learning::game_store::{GameReader, StoredGame};
use learning::label_store::LabelReader;
use learning::labels::LabeledPosition;
use records::{ggf, transcript};
use serde_json::Value;

use crate::run::{Folder, count, json, list, text};

/// Generations of a second or two.
const TINY: &str = "--games-per-generation 60 --depth 1 --exact-from 6 --steps 2 --recent 2 --label-depth 1 --probcut-games 3 \
    --probcut-deepest 3 --probcut-solved-from 10 --match-games 12 --match-min 4";

/// A cycle in a folder.
fn cycle(name: &str, generations: u32, more: &str) -> String {
    format!("learn cycle --folder {name} --generations {generations} {TINY} {more}")
}

/// The log without the days, on which nothing depends.
#[track_caller]
fn log_of(folder: &Folder, name: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = folder.read(&format!("{name}/log.jsonl")).lines().map(json).collect();
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("date").expect("a day");
    }
    lines
}

/// The path of a file of a generation in the folder of the test.
fn file_of(name: &str, generation: usize, file: &str) -> String {
    format!("{name}/generation-{generation:02}/{file}")
}

/// The positions from which a generation learned, with their labels.
#[track_caller]
fn labels_of(folder: &Folder, name: &str, generation: usize) -> Vec<LabeledPosition> {
    let path = folder.path(&file_of(name, generation, "positions.labels"));
    let mut positions = Vec::new();
    let reader = LabelReader::open(Path::new(&path)).expect("a store");
    reader.read(0..=60, |position| positions.push(*position)).expect("a store without damage");
    positions
}

/// The games that a generation has played.
#[track_caller]
fn games_of(folder: &Folder, name: &str, generation: usize) -> Vec<StoredGame> {
    let path = folder.path(&file_of(name, generation, "games.store"));
    let games = GameReader::open(Path::new(&path)).expect("a store");
    games.collect::<Result<_, _>>().expect("a store without damage")
}

/// The moves of the games of a match that count, in their order.
#[track_caller]
fn match_of(folder: &Folder, name: &str, generation: usize, games: usize) -> Vec<(u64, String)> {
    let file = folder.read(&file_of(name, generation, "match.jsonl"));
    let mut lines: Vec<Value> = file.lines().skip(1).map(json).collect();
    lines.sort_by_key(|line| line["game"].as_u64());
    let game =
        |line: &Value| transcript::format(&ggf::parse::<othello::Board>(text(&line["ggf"])).expect("a game").game);
    lines.iter().take(games).map(|line| (count(&line["game"]), game(line))).collect()
}

/// Checks that two cycles have the same generations.
#[track_caller]
fn are_alike(folder: &Folder, one: &str, other: &str) {
    let log = log_of(folder, one);
    assert_eq!(log, log_of(folder, other));
    for (generation, line) in log.iter().enumerate() {
        let [weights, others] = [one, other].map(|name| folder.bytes(&file_of(name, generation, "weights.bin")));
        assert!(weights == others, "the weights of generation {generation} differ");
        assert_eq!(games_of(folder, one, generation), games_of(folder, other, generation));
        assert_eq!(labels_of(folder, one, generation), labels_of(folder, other, generation));
        let games = count(&line["match"]["games"]) as usize;
        assert_eq!(match_of(folder, one, generation, games), match_of(folder, other, generation, games));
    }
}

#[test]
fn a_cycle_gives_the_same_generations_again_on_any_number_of_threads_and_in_any_number_of_runs() {
    let folder = Folder::new("cycle_again");
    let said = folder.well(&cycle("one", 3, "--threads 1"));
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.starts_with("generation 0: 60 games, ") && said.contains(" against random play, "), "{said}");
    for generations in 1..=3 {
        folder.well(&cycle("other", generations, "--threads 3"));
    }
    are_alike(&folder, "one", "other");
    // Nothing is left to do.
    assert_eq!(folder.well(&cycle("one", 3, "")), "");
    let log = log_of(&folder, "one");
    assert_eq!(log[0]["champion"], Value::Null);
    for index in 1..3 {
        // The champion is the last one that was accepted.
        let last = log[..index].iter().rev().find(|line| line["accepted"] == true);
        assert_eq!(log[index]["champion"].as_u64(), last.and_then(|line| line["generation"].as_u64()));
        assert_eq!(log[index]["learned"]["from"], index - 1);
    }
    for (generation, line) in log.iter().enumerate() {
        assert_eq!(line["games"], games_of(&folder, "one", generation).len());
        let weights = Weights::from_bytes(&folder.bytes(&file_of("one", generation, "weights.bin"))).expect("weights");
        assert_ne!(weights.phases, Weights::zero().phases);
        // The file that plays and the log have the same deviation, or none if too little was measured.
        let logged = line["probcut"]["midgame"][1].as_f64();
        let in_file = weights.probcut.map(|probcut| f64::from(probcut.midgame.of(3, 1, 34).deviation) / 128.0);
        assert_eq!(logged.is_some(), in_file.is_some(), "{line}");
        assert!(logged.zip(in_file).is_none_or(|(logged, in_file)| (logged - in_file).abs() < 1e-3), "{line}");
        let counts = |name: &str| count(&line["match"][name]);
        assert_eq!(counts("won") + counts("drawn") + counts("lost"), counts("games"));
        assert!((4..=12).contains(&counts("games")), "{line}");
        assert_eq!(list(&line["held_out"]["phases"]).len(), 30);
    }
    // Without weights only exact positions are labeled; a champion searches all positions of the games, random ones too.
    assert_eq!(log[0]["held_out"]["phases"][20], Value::Null);
    assert_ne!(log[1]["held_out"]["phases"][20], Value::Null);
}

#[test]
fn a_cycle_killed_again_and_again_ends_as_an_undisturbed_one() {
    let folder = Folder::new("cycle_kill");
    folder.well(&cycle("whole", 2, "--threads 2"));
    let line = cycle("killed", 2, "--threads 2");
    // Pauses that no step of the work is a multiple of, ever longer ones among them: each run gets a little further, or
    // dies in the same step as the last one.
    for round in 0..30 {
        if folder.has("killed/log.jsonl") && folder.read("killed/log.jsonl").lines().count() == 2 {
            break;
        }
        folder.start(&line).kill_after(20 + round * 173 % 900 + 20 * round);
        for generation in 0..2 {
            // A file with its final name is whole.
            let name = file_of("killed", generation, "weights.bin");
            assert!(!folder.has(&name) || Weights::from_bytes(&folder.bytes(&name)).is_ok());
        }
    }
    folder.emilia(&line).done();
    are_alike(&folder, "whole", "killed");
}

#[test]
fn other_settings_and_damaged_files_are_refused_in_a_sentence() {
    let folder = Folder::new("cycle_refused");
    let line = |more: &str| cycle("cycle", 2, more);
    folder.well(&cycle("cycle", 1, "--threads 2"));
    for (setting, words) in [
        ("--seed 2", "belongs to another cycle: its seed is 1; expected 2"),
        ("--penalty 0.1", "its penalty is 30.0; expected 0.1, or another folder"),
        ("--label outcome", "its label is \"search\"; expected \"outcome\""),
        ("--match-level 5", "its match-limits.depth is 1; expected nothing"),
    ] {
        folder.fails(&line(setting), words);
    }
    let flip = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        bytes
    };
    let cut = |bytes: &[u8]| bytes[..bytes.len() - 3].to_vec();
    type Change<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
    let changes: [(&str, Change<'_>, &str); 8] = [
        ("cycle.json", &cut, "cycle.json does not have the settings of a cycle"),
        ("cycle.json", &|_| b"{}".to_vec(), "cycle.json does not have the settings of a cycle"),
        ("log.jsonl", &cut, "log.jsonl, line 1: not a generation of a cycle"),
        ("log.jsonl", &|bytes| bytes.repeat(2), "line 2: this is generation 0; expected generation 1"),
        ("generation-00/weights.bin", &flip, "it is damaged: its checksum does not match"),
        ("generation-00/weights.bin", &cut, "it was truncated or changed"),
        ("generation-00/weights.bin", &|_| Weights::zero().to_bytes(), "as the log says"),
        // The games of all generations of the window are labeled, those of the one before included.
        ("generation-00/games.store", &flip, "is damaged after byte "),
    ];
    for (name, change, words) in changes {
        let name = format!("cycle/{name}");
        let whole = folder.bytes(&name);
        folder.write(&name, change(&whole));
        folder.fails(&line(""), words);
        folder.write(&name, whole);
    }
    // All is whole again.
    folder.emilia(&line("--threads 2")).done();
}

#[test]
fn the_curve_has_a_point_for_every_generation_and_the_table_a_row() {
    let folder = Folder::new("cycle_curve");
    // A log as `emilia learn cycle` writes it: one generation is rejected, one won all its games.
    let lines = include_str!("cycle_log.jsonl");
    folder.write("log.jsonl", lines);
    folder.well("learn curve --log log.jsonl --plot curve.svg --table curve.md");
    let table = folder.read("curve.md");
    assert_eq!(table.lines().count(), 5, "{table}");
    for row in [
        "| 0 | random play | 4,990 | 214,000 | 12.35 | 50-0-0 | ∞ | accepted | +700 ± 40 |",
        "| 1 | generation 0 | 4,990 | 214,000 | 12.35 | 40-10-50 | -35 | rejected | +666 ± 40 |",
    ] {
        assert!(table.contains(row), "{table}");
    }
    assert_eq!(folder.well("learn curve --log log.jsonl"), table);
    let svg = folder.read("curve.svg");
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    // Random play and three generations, one of them hollow; the line leads through the accepted ones.
    assert_eq!(svg.matches("<circle ").count(), 4);
    assert_eq!(svg.matches("fill=\"#ffffff\" stroke=\"#b0453b\"").count(), 1);
    let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a line");
    assert_eq!(points.split(' ').count(), 3, "{points}");
}
