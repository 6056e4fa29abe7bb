//! `emilia learn cycle` and `emilia learn curve`.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use evaluation::weights::Weights;
use learning::game_store::{GameReader, StoredGame};
use learning::label_store::LabelReader;
use learning::labels::LabeledPosition;
use othello::Game;
use records::{ggf, transcript};
use serde_json::Value;

use crate::run::{Folder, emilia, fails, is_misused, json, start};

/// Generations of a second or two.
const TINY: &str = "--depth 1 --exact-from 6 --steps 2 --recent 2 --label-depth \
    1 --probcut-games 3 --probcut-deepest 3 --probcut-solved-from 10 --match-games 12 --match-least 4";

/// A cycle in this folder.
fn cycle<'a>(folder: &'a str, generations: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    cycle_of_games("60", folder, generations, more)
}

/// The same with this number of games in each generation.
pub fn cycle_of_games<'a>(games: &'a str, folder: &'a str, generations: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let named = ["learn", "cycle", "--folder", folder, "--generations", generations, "--games-per-generation", games];
    named.into_iter().chain(TINY.split(' ')).chain(more.iter().copied()).collect()
}

/// The log without the days, on which nothing depends.
#[track_caller]
fn log_of(folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(Path::new(folder).join("log.jsonl")).expect("a log");
    let mut lines: Vec<Value> = text.lines().map(json).collect();
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("date").expect("a day");
    }
    lines
}

/// A file of a generation, byte by byte.
#[track_caller]
fn bytes_of(folder: &str, generation: usize, name: &str) -> Vec<u8> {
    fs::read(Path::new(folder).join(format!("generation-{generation:02}")).join(name)).expect("a file")
}

/// The positions that a generation has learned from, with their labels.
#[track_caller]
fn labels_of(folder: &str, generation: usize) -> Vec<LabeledPosition> {
    let path = Path::new(folder).join(format!("generation-{generation:02}")).join("positions.labels");
    let mut positions = Vec::new();
    let reader = LabelReader::open(&path).expect("a store");
    reader.read(0..=60, |position| positions.push(*position)).expect("a store without damage");
    positions
}

/// The games that a generation has played.
#[track_caller]
fn games_of(folder: &str, generation: usize) -> Vec<StoredGame> {
    let path = Path::new(folder).join(format!("generation-{generation:02}")).join("games.store");
    GameReader::open(&path).expect("a store").collect::<Result<_, _>>().expect("a store without damage")
}

/// The moves of the games of a match that count, in their order.
#[track_caller]
fn match_of(folder: &str, generation: usize, games: usize) -> Vec<(u64, String)> {
    let text = String::from_utf8(bytes_of(folder, generation, "match.jsonl")).expect("text");
    let mut lines: Vec<Value> = text.lines().skip(1).map(json).collect();
    lines.sort_by_key(|line| line["game"].as_u64());
    lines.truncate(games);
    lines
        .iter()
        .map(|line| {
            let text = line["ggf"].as_str().expect("a game");
            let game: Game = ggf::parse(text).expect("a game").game;
            (line["game"].as_u64().expect("a number"), transcript::format(&game))
        })
        .collect()
}

/// Checks that two folders have the same generations.
#[track_caller]
fn are_alike(one: &str, other: &str) {
    let log = log_of(one);
    assert_eq!(log, log_of(other));
    for (generation, line) in log.iter().enumerate() {
        let [weights, others] = [one, other].map(|folder| bytes_of(folder, generation, "weights.bin"));
        assert!(weights == others, "the weights of generation {generation} differ");
        assert_eq!(games_of(one, generation), games_of(other, generation));
        assert_eq!(labels_of(one, generation), labels_of(other, generation));
        let games = line["match"]["games"].as_u64().expect("a number") as usize;
        assert_eq!(match_of(one, generation, games), match_of(other, generation, games));
    }
}

#[test]
fn a_cycle_gives_the_same_generations_again_on_any_number_of_threads_and_in_any_number_of_runs() {
    let folder = Folder::new("cycle_again");
    let [one, other] = ["one", "other"].map(|name| folder.path(name));
    let said = emilia(&cycle(&one, "3", &["--threads", "1"])).well();
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.starts_with("generation 0: 60 games, "), "{said}");
    assert!(said.contains(" against random play, "), "{said}");
    for generations in ["1", "2", "3"] {
        emilia(&cycle(&other, generations, &["--threads", "3"])).well();
    }
    are_alike(&one, &other);
    // Nothing is left to do.
    assert_eq!(emilia(&cycle(&one, "3", &[])).well(), "");
    let log = log_of(&one);
    let champion = |line: &Value| line["champion"].as_u64();
    assert_eq!(champion(&log[0]), None);
    for index in 1..3 {
        // The champion is the last one that was accepted.
        let last = log[..index].iter().rev().find(|line| line["accepted"] == true);
        assert_eq!(champion(&log[index]), last.and_then(|line| line["generation"].as_u64()));
        assert_eq!(log[index]["learned"]["from"], index - 1);
    }
    for (generation, line) in log.iter().enumerate() {
        assert_eq!(line["games"], games_of(&one, generation).len());
        let weights = Weights::from_bytes(&bytes_of(&one, generation, "weights.bin")).expect("weights");
        assert_ne!(weights.phases, Weights::zero().phases);
        // What is measured of them stands in the file that plays and in the log, or in neither if it was too little.
        let deviation = line["probcut"]["midgame"][1].as_f64();
        let told = weights.probcut.map(|probcut| f64::from(probcut.midgame.of(3, 1, 34).deviation) / 128.0);
        assert_eq!(deviation.is_some(), told.is_some(), "{line}");
        assert!(deviation.zip(told).is_none_or(|(logged, told)| (logged - told).abs() < 1e-3), "{line}");
        let result = &line["match"];
        let count = |name: &str| result[name].as_u64().expect("a number");
        assert_eq!(count("won") + count("drawn") + count("lost"), count("games"));
        assert!((4..=12).contains(&count("games")), "{line}");
        assert_eq!(line["held_out"]["phases"].as_array().expect("phases").len(), 30);
    }
    // Who knows nothing labels only what is exact; a champion searches all positions of the games, random ones too.
    assert_eq!(log[0]["held_out"]["phases"][20], Value::Null);
    assert_ne!(log[1]["held_out"]["phases"][20], Value::Null);
}

#[test]
fn a_cycle_killed_again_and_again_ends_as_an_undisturbed_one() {
    let folder = Folder::new("cycle_kill");
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path(name));
    emilia(&cycle(&whole, "2", &["--threads", "2"])).well();
    let arguments = cycle(&killed, "2", &["--threads", "2"]);
    let log = Path::new(&killed).join("log.jsonl");
    // Pauses that no step of the work is a multiple of, ever longer ones among them: each run gets a little further, or
    // dies in the same step as the last one.
    for round in 0..30u64 {
        if fs::read_to_string(&log).is_ok_and(|text| text.lines().count() == 2) {
            break;
        }
        let mut child = start(&arguments, Stdio::null());
        std::thread::sleep(Duration::from_millis(20 + round * 173 % 900 + 20 * round));
        let _ = child.kill();
        child.wait().expect("the program ends");
        for generation in 0..2 {
            // Whatever has its name is whole.
            let path = Path::new(&killed).join(format!("generation-{generation:02}")).join("weights.bin");
            if let Ok(bytes) = fs::read(path) {
                assert!(Weights::from_bytes(&bytes).is_ok());
            }
        }
    }
    let run = emilia(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    are_alike(&whole, &killed);
}

#[test]
fn other_settings_and_damaged_files_are_refused_in_a_sentence() {
    let folder = Folder::new("cycle_refused");
    let path = folder.path("cycle");
    emilia(&cycle(&path, "1", &["--threads", "2"])).well();
    fails(&cycle(&path, "2", &["--seed", "2"]), "belongs to another cycle: its seed is 1; expected 2");
    fails(&cycle(&path, "2", &["--penalty", "0.1"]), "its penalty is 30.0; expected 0.1, or another folder");
    fails(&cycle(&path, "2", &["--label", "outcome"]), "its label is \"search\"; expected \"outcome\"");
    fails(&cycle(&path, "2", &["--match-level", "5"]), "its match-limits.depth is 1; expected nothing");
    let with = |name: &str, change: &dyn Fn(&mut Vec<u8>), words: &str| {
        let file = Path::new(&path).join(name);
        let whole = fs::read(&file).expect("a file");
        let mut bytes = whole.clone();
        change(&mut bytes);
        fs::write(&file, bytes).expect("a file");
        fails(&cycle(&path, "2", &[]), words);
        fs::write(&file, whole).expect("a file");
    };
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
    };
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 3);
    with("cycle.json", &cut, "cycle.json does not have the settings of a cycle");
    with("cycle.json", &|bytes| *bytes = b"{}".to_vec(), "cycle.json does not have the settings of a cycle");
    with("log.jsonl", &cut, "log.jsonl, line 1: not a generation of a cycle");
    with("log.jsonl", &|bytes| bytes.extend(bytes.clone()), "line 2: this is generation 0; expected generation 1");
    with("generation-00/weights.bin", &flip, "it is damaged: its checksum does not match");
    with("generation-00/weights.bin", &cut, "it was truncated or changed");
    let zero = Weights::zero().to_bytes();
    with("generation-00/weights.bin", &|bytes| bytes.clone_from(&zero), "as the log says");
    // The games of all generations of the window are labeled, those of the one before included.
    with("generation-00/games.store", &flip, "is damaged after byte ");
    // All is whole again.
    let run = emilia(&cycle(&path, "2", &["--threads", "2"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    is_misused(&["learn", "cycle", "--folder", &path, "--match-games", "7"], "expected an even number");
    is_misused(&cycle(&path, "2", &["--sprt", "20,0"]), "expected elo0 below elo1");
    is_misused(&cycle(&path, "2", &["--match-time", "1s", "--match-level", "5"]), "cannot be used with");
}

#[test]
fn the_curve_has_a_point_for_every_generation_and_the_table_a_row() {
    let folder = Folder::new("cycle_curve");
    // A log as `emilia learn cycle` writes it: one generation is rejected, one won all its games.
    let line = |generation: u32, champion: &str, result: &str, accepted: bool, elo: f64| {
        format!(
            "{{\"generation\":{generation},\"date\":\"2026-11-16\",\"champion\":{champion},\"games\":4990,\
             \"positions\":299000,\"learned\":{{\"from\":0,\"games\":4990,\"positions\":214000}},\"held_out\":\
             {{\"positions\":10700,\"root_mean_square\":12.345,\"mean_absolute\":9.5,\"phases\":[null,12.5]}},\
             \"probcut\":null,\"weights\":\"0badcafe\",\"match\":{result},\"accepted\":{accepted},\"rating\":{{\"elo\":{elo},\
             \"margin\":40.0}},\"settings\":{{\"seed\":1,\"games_per_generation\":5000,\"depth\":3,\"exact_from\":12,\
             \"opening\":[8,18],\"random_moves\":0.02,\"window\":4,\"label\":\"outcome\",\"label_depth\":3,\
             \"outcome_share\":0.5,\"penalty\":30.0,\"steps\":60,\"held_out\":20,\"probcut_games\":0,\
             \"probcut_deepest\":6,\"probcut_solved_from\":14,\"match_games\":100,\"match_least\":50,\"match_limits\":{{\"depth\":3}},\"sprt\":[0.0,20.0]}}}}\n"
        )
    };
    let won = "{\"games\":50,\"won\":50,\"drawn\":0,\"lost\":0,\"pairs\":[0,0,0,0,25],\"discs\":40.5,\
               \"elo\":[300.0,null,null],\"decision\":\"h1\"}";
    let even = "{\"games\":100,\"won\":40,\"drawn\":10,\"lost\":50,\"pairs\":[5,10,25,5,5],\"discs\":-1.5,\
                \"elo\":[-90.0,-34.9,20.0],\"decision\":\"open\"}";
    let text =
        [line(0, "null", won, true, 700.0), line(1, "0", even, false, 665.5), line(2, "0", won, true, 900.0)].concat();
    let log = folder.write("log.jsonl", text);
    let (plot, table) = (folder.path("curve.svg"), folder.path("curve.md"));
    emilia(&["learn", "curve", "--log", &log, "--plot", &plot, "--table", &table]).well();
    let table = folder.read("curve.md");
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(
        table.contains("| 0 | random play | 4,990 | 214,000 | 12.35 | 50-0-0 | ∞ | accepted | +700 ± 40 |"),
        "{table}"
    );
    assert!(table.contains("| 1 | generation 0 | 4,990 | 214,000 | 12.35 | 40-10-50 | -35 | rejected | +666 ± 40 |"));
    assert_eq!(emilia(&["learn", "curve", "--log", &log]).well(), table);
    let svg = folder.read("curve.svg");
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    // Random play and three generations, one of them hollow; the line leads through the accepted ones.
    assert_eq!(svg.matches("<circle ").count(), 4);
    assert_eq!(svg.matches("fill=\"#ffffff\" stroke=\"#b0453b\"").count(), 1);
    let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a line");
    assert_eq!(points.split(' ').count(), 3, "{points}");
    let empty = folder.write("none.jsonl", "");
    fails(&["learn", "curve", "--log", &empty], "has no generations; expected the log of a cycle");
}
