//! Match files of version 1, made by the program as it was then: they are resumed, and the players that have not changed
//! since then play the same games.

use std::fs;
use std::path::PathBuf;

use records::Format;

use crate::run::{Folder, emilia, fails, json};

/// The commands that made the files (`data/matches/README.md`), by the names of these; `OPENINGS` is a file beside them.
const COMMANDS: [(&str, &str); 4] = [
    (
        "depth",
        "match emilia@depth=3 iago@depth=4,name=Iago --games 8 --hash 1 --judge-depth 4 --plies 6-9 --balance 1.5 --seed 3",
    ),
    (
        "clock",
        "match weighted-square@depth=5 iago@depth=4,time=30s --games 8 --time 1m+500ms --move-time 20s --judge-depth 2",
    ),
    (
        "tournament",
        "tournament random random weighted-square@depth=4 emilia@nodes=400,hash=1,seed=9 --games 2 --hash 2 --judge-depth 2 \
         --concurrency 2",
    ),
    (
        "openings",
        "match iago@depth=4 emilia@level=2 --games 8 --openings OPENINGS --hash 1 --grace 25ms --patience 1m30s \
         --sprt=-10.5,20 --alpha 0.1",
    ),
];

fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", "matches", name].iter().collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(data(name)).expect("a file of the old program")
}

/// The words of a command with this file.
fn arguments<'a>(command: &'a str, openings: &'a str, file: &'a str) -> Vec<&'a str> {
    let words = command.split(' ').map(|word| if word == "OPENINGS" { openings } else { word });
    words.chain(["--file", file]).collect()
}

/// A game whatever time it took: number, players, moves, score, how it ended.
type Game = (u64, String, String, String, i64, String);

/// The games of a file, in the order of their numbers.
fn games(file: &str) -> Vec<Game> {
    let game = |line: &str| {
        let line = json(line);
        let text = |key: &str| line[key].as_str().unwrap_or_else(|| panic!("{key} in {line}")).to_owned();
        let record = records::read(text("ggf").as_bytes(), "ggf", Format::Ggf).next().expect("a game").expect("GGF");
        let moves = records::transcript::format(&record.game);
        let number = line["game"].as_u64().expect("a number");
        (number, text("black"), text("white"), moves, line["score"].as_i64().expect("a score"), text("ending"))
    };
    let mut games: Vec<Game> = file.lines().skip(1).map(game).collect();
    games.sort();
    games
}

/// The games of a file without those of Emilia, which chooses other moves whenever the search or the weights change.
fn played_as_before(file: &str) -> Vec<Game> {
    let has_changed = |name: &str| name.starts_with("emilia");
    games(file).into_iter().filter(|(_, black, white, ..)| !has_changed(black) && !has_changed(white)).collect()
}

#[test]
fn a_match_of_version_1_is_resumed_and_unchanged_players_play_the_games_of_the_old_program() {
    let folder = Folder::new("old_matches");
    let openings = data("openings.txt").to_str().expect("text").to_owned();
    for (name, command) in COMMANDS {
        let (whole, interrupted) = (read(&format!("{name}.whole.jsonl")), read(&format!("{name}.interrupted.jsonl")));
        assert!(whole.starts_with("{\"emilia\":\"match\",\"version\":1,"), "{name} was written by the old program");
        assert!(games(&interrupted).len() < games(&whole).len(), "{name} was interrupted");
        let file = folder.write(name, &interrupted);
        let arguments = arguments(command, &openings, &file);
        if name == "openings" {
            // Level 2 was another player then.
            fails(&arguments, "its version of the weak levels is 1; expected 2");
            assert_eq!(folder.read(name), interrupted);
            continue;
        }
        emilia(&arguments).well();
        let resumed = folder.read(name);
        assert!(resumed.starts_with(&interrupted), "{name}: what was there stays");
        assert_eq!(games(&resumed).len(), games(&whole).len(), "{name}");
        assert_eq!(played_as_before(&resumed), played_as_before(&whole), "{name}");
    }
}

#[test]
fn another_match_is_not_played_into_a_file_of_version_1() {
    let folder = Folder::new("old_matches_of_others");
    let openings = data("openings.txt").to_str().expect("text").to_owned();
    let other_openings = folder.write("openings.txt", "f5d6c3d3\n");
    for (name, command) in COMMANDS {
        let interrupted = read(&format!("{name}.interrupted.jsonl"));
        let file = folder.write(name, &interrupted);
        let refused = |from: &str, to: &str, words: &str| {
            let other = command.replace(from, to);
            assert_ne!(other, command);
            fails(&arguments(&other, &openings, &file), words);
        };
        match name {
            "depth" => {
                refused("--seed 3", "--seed 4", "its seed is 3; expected 4");
                refused(
                    "emilia@depth=3",
                    "emilia@depth=2,name=emilia@depth=3",
                    "its players.0.limits.depth is 3; expected 2",
                );
                refused("6-9", "6-8", "its openings.most_plies is 9; expected 8");
                refused("1.5", "1.25", "its openings.within is 150; expected 125");
                refused("--hash 1", "--hash 2", "its players.0.player.hash is 1; expected 2");
                refused("--games 8", "--games 6", "its number of games of a pairing is 8; expected 6");
            }
            "clock" => {
                refused("1m+500ms", "1m", "its players.0.limits.clock.increment is 0.5; expected 0.0");
                refused("--move-time 20s", "--depth 20", "its players.0.limits.move_time is 20.0; expected nothing");
            }
            "tournament" => refused("random random", "random", "its number of players is 4; expected 3"),
            _ => {
                refused("25ms", "10ms", "its patience.grace is 0.025; expected 0.01");
                refused("emilia@level=2", "emilia@level=5,name=emilia@level=2", "limits.level is 2; expected 5");
                refused("OPENINGS", &other_openings, "its openings.checksum is \"62f88ec8f1d3bf42\"; expected");
                refused("--openings OPENINGS", "--plies 8", "its openings.kind is \"given\"; expected \"found\"");
            }
        }
        assert_eq!(folder.read(name), interrupted, "a file that is refused stays as it was");
    }
}

#[test]
fn a_match_of_version_1_that_is_over_is_prolonged() {
    let folder = Folder::new("old_matches_longer");
    let (name, command) = COMMANDS[0];
    let whole = read(&format!("{name}.whole.jsonl"));
    let longer = command.replace("--games 8", "--games 10");
    let play = |name: &str| {
        emilia(&arguments(&longer, "", &folder.path(name))).well();
        let file = folder.read(name);
        let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with("{\"pairs\"")).collect();
        games(&lines.join("\n"))
    };
    folder.write("old", &whole);
    let games_of_both = play("old");
    assert_eq!((games_of_both.len(), &games_of_both[..8]), (10, &games(&whole)[..]));
    // The others are those of a new match; the weights of the first ones have changed since then.
    assert_eq!(play("new")[8..], games_of_both[8..]);
}
