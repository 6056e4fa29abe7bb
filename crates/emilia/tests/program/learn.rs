//! `emilia learn play`, `emilia learn merge` and `emilia learn train`.

use std::fs;
use std::path::Path;

use evaluation::weights::Weights;
use learning::game_store::{GameReader, StoredGame};
use learning::played_game::PlayedGame;
use records::transcript;

use crate::run::{Folder, count, json, text, words};

/// Quick games: hundreds a second.
const RECIPE: &str = "--depth 2 --exact-from 8 --random-moves 5%";

/// Plays this many games into a store, and returns the output.
#[track_caller]
fn play(folder: &Folder, store: &str, games: u32, options: &str) -> String {
    folder.well(&format!("learn play --output {store} --games {games} {RECIPE} {options}"))
}

#[track_caller]
fn games_of(folder: &Folder, store: &str) -> Vec<StoredGame> {
    let reader = GameReader::open(Path::new(&folder.path(store))).expect("a store");
    reader.collect::<Result<_, _>>().expect("a store without damage")
}

fn transcript_of(stored: &StoredGame) -> String {
    stored.game.moves().iter().map(ToString::to_string).collect()
}

#[test]
fn games_do_not_depend_on_threads_nor_on_how_often_the_run_was_continued() {
    let folder = Folder::new("learn_play");
    // Openings so short that some games are played twice.
    let said = play(&folder, "whole.store", 300, "--threads 1 --opening 1-8");
    assert!(said.starts_with("300 games played, ") && said.contains(" per second\n"), "{said}");
    for games in [1, 64, 65, 200, 300] {
        play(&folder, "parts.store", games, "--threads 3 --opening 1-8");
    }
    let games = games_of(&folder, "whole.store");
    assert!((200..300).contains(&games.len()), "{} games", games.len());
    assert_eq!(games_of(&folder, "parts.store"), games);
    let bytes = folder.bytes("whole.store").len();
    assert!(bytes < 30 * games.len(), "{bytes} bytes");
    // Nothing is left to do.
    let said = play(&folder, "whole.store", 300, "--opening 1-8");
    assert!(said.starts_with("0 games played"), "{said}");
    play(&folder, "other.store", 300, "--seed 2 --opening 1-8");
    assert_ne!(games_of(&folder, "other.store"), games);
}

#[test]
fn a_run_killed_again_and_again_loses_no_game_that_it_reported() {
    let folder = Folder::new("learn_kill");
    play(&folder, "whole.store", 4000, "");
    let expected = games_of(&folder, "whole.store");
    let line = format!("learn play --output killed.store --games 4000 {RECIPE} --json");
    let mut reported = 0;
    for round in 0..12 {
        // Sometimes before the store is there, sometimes in the middle of a block.
        let printed = folder.kill(&line, round % 4, [0, 3, 11, 25, 40][round % 5]);
        reported = printed.last().map_or(reported, |row| count(&row["games"]));
        if folder.has("killed.store") {
            let reader = GameReader::open(Path::new(&folder.path("killed.store"))).expect("a store, or a part of one");
            let found: Vec<_> = reader.map_while(Result::ok).collect();
            assert!(found.len() as u64 >= reported, "{} of {reported} games are there", found.len());
            assert_eq!(found, expected[..found.len()]);
        }
    }
    assert!(reported > 0);
    folder.emilia(&line).done();
    assert_eq!(games_of(&folder, "killed.store"), expected);
}

#[test]
fn games_begin_as_those_of_a_file() {
    let folder = Folder::new("learn_openings");
    folder.write("openings.txt", "f5d6c3d3c4\nf5f6e6f4\n");
    play(&folder, "games.store", 50, "--openings openings.txt --opening 0-3");
    for stored in games_of(&folder, "games.store") {
        let text = transcript_of(&stored);
        assert!(text.starts_with("f5d6c3d3c4") || text.starts_with("f5f6e6f4"), "{text}");
    }
    // Other openings make other games.
    folder.write("openings.txt", "f5f4\n");
    let line = format!("learn play --output games.store --openings openings.txt {RECIPE}");
    folder.fails(&line, "holds other games: openings.checksum is ");
}

#[test]
fn games_can_be_played_with_the_weights_of_a_file() {
    let folder = Folder::new("learn_weights");
    let mut weights = Weights::zero();
    folder.write("zero.weights", weights.to_bytes());
    play(&folder, "games.store", 70, "--weights zero.weights");
    play(&folder, "by_hand.store", 70, "");
    let (found, others) = (games_of(&folder, "games.store"), games_of(&folder, "by_hand.store"));
    // The openings are the same, for they are random; the moves after them are not.
    assert!(found.iter().zip(&others).all(|(one, other)| one.game.opening() == other.game.opening()));
    assert!(found.iter().zip(&others).filter(|(one, other)| one == other).count() < 10);
    // Other weights under the same name are other games.
    weights.phases[10][7] = 1;
    folder.write("zero.weights", weights.to_bytes());
    let line = format!("learn play --output games.store --weights zero.weights {RECIPE}");
    folder.fails(&line, "holds other games: evaluation.checksum is ");
}

#[test]
fn stores_and_records_are_merged_without_those_that_are_the_same() {
    let folder = Folder::new("learn_merge");
    play(&folder, "one.store", 200, "");
    play(&folder, "other.store", 150, "--seed 2");
    // A wipe-out, its image under a half turn, a game of the first store, one without an end, an illegal one.
    let copy = transcript_of(&games_of(&folder, "one.store")[7]);
    folder.write("records.txt", format!("e6f4e3f6g5d6e7f5c5\nd3c5d6c3b4e3d2c4f4\n{copy}\nf5d6\nf5f5\n"));
    let run = folder.emilia("learn merge --output merged.store --json one.store other.store records.txt one.store");
    assert!(run.stderr.starts_with("emilia: 1 bad record was skipped"), "{}", run.stderr);
    let summary = json(&run.done());
    let found = games_of(&folder, "merged.store");
    let all = ["one.store", "other.store"].into_iter().flat_map(|store| games_of(&folder, store));
    let distinct = |games: Vec<StoredGame>| {
        let mut moves: Vec<_> = games.iter().map(|stored| stored.game.moves().to_vec()).collect();
        moves.sort();
        moves.dedup();
        moves.len()
    };
    assert_eq!(distinct(found.clone()), found.len());
    assert_eq!(found.len(), distinct(all.collect()) + 1);
    assert_eq!((&summary["games"], &summary["unfinished"]), (&found.len().into(), &1.into()));
    assert_eq!(summary["bytes"], folder.bytes("merged.store").len());
    assert_eq!(summary["positions"], found.iter().map(|stored| stored.game.moves().len()).sum::<usize>());
    // A merged store is merged like any other.
    let said = folder.well("learn merge --output again.store merged.store");
    assert!(said.contains(&format!(" has {} games with ", found.len())), "{said}");
    assert_eq!(games_of(&folder, "again.store"), found);
}

#[test]
fn a_merge_that_is_killed_leaves_no_store_behind_and_can_be_run_again() {
    let folder = Folder::new("learn_kill_merge");
    play(&folder, "games.store", 3000, "");
    let expected = games_of(&folder, "games.store");
    let line = "learn merge --output merged.store games.store";
    let mut finished = 0;
    for round in 0..20 {
        folder.start(line).kill_after(2 * round);
        // It is there as a whole or not at all.
        if folder.has("merged.store") {
            assert_eq!(games_of(&folder, "merged.store"), expected);
            fs::remove_file(folder.path("merged.store")).expect("a file");
            finished += 1;
        }
    }
    assert!(finished < 20);
    folder.well(line);
    assert_eq!(games_of(&folder, "merged.store"), expected);
}

#[test]
fn thor_games_are_merged_as_the_database_has_them() {
    let folder = Folder::new("learn_thor");
    let thor = concat!("'", env!("CARGO_MANIFEST_DIR"), "/../records/tests/data/thor/small.wtb'");
    let summary = folder.emilia(&format!("learn merge --output thor.store {thor} --json")).done();
    let found = games_of(&folder, "thor.store");
    assert_eq!(json(&summary)["games"], found.len());
    // The database states the scores by itself.
    let mut matched = 0;
    for row in folder.emilia(&format!("games {thor} --json")).stdout.lines().map(json) {
        let game = transcript::parse(text(&row["moves"])).expect("a game");
        let Ok(game) = PlayedGame::of_record(&game) else { continue };
        let stored = found.iter().find(|stored| stored.game == game).expect("the game is in the store");
        assert_eq!(row["score"], stored.game.score().discs());
        matched += 1;
    }
    assert!(matched >= 3, "{matched}");
}

#[test]
fn damaged_and_foreign_files_are_refused_in_a_sentence() {
    let folder = Folder::new("learn_refused");
    play(&folder, "games.store", 100, "");
    let whole = folder.bytes("games.store");
    let playing = format!("learn play --output games.store {RECIPE}");
    let merging = "learn merge --output merged.store games.store";
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    folder.write("games.store", flipped);
    folder.fails(&playing, "is damaged after byte ");
    folder.fails(merging, "is damaged after byte ");
    folder.write("games.store", &whole[..whole.len() - 5]);
    folder.fails(merging, "is truncated: ");
    assert!(!folder.has("merged.store"));
    folder.write("games.store", "something else");
    folder.fails(&playing, "is not a store of games: ");
    folder.is_misused(merging, "wrong file header in ");
    folder.write("games.store", &whole);
    folder.fails(&format!("{playing} --seed 9"), "holds other games: ");
    folder.write("merged.store", "precious");
    folder.fails(merging, "already exists; choose another name");
    assert_eq!(folder.read("merged.store"), "precious");
    folder.fails("learn merge --output new.store none.store", "cannot read ");
}

#[test]
fn a_training_refuses_inputs_that_would_ruin_its_weights_or_other_files() {
    let folder = Folder::new("learn_ruin");
    play(&folder, "games.store", 20, "");
    let games = folder.bytes("games.store");
    let train = "learn train --steps 1 --held-out 5 games.store --output";
    // Its own input, under whatever name the weights were to have.
    folder.is_misused(&format!("{train} games.store"), "cannot be both read and written");
    folder
        .fails("learn winning --output games.store games.store", "is a different kind of file (expected: source file");
    folder.fails("learn ordering --output games.store", "is a different kind of file (expected: ordering set)");
    assert!(folder.bytes("games.store") == games);
    folder.fails(&format!("{train} no/folder/weights.bin"), "cannot write");
    for (options, words) in [
        ("--look-ahead 3 --window 2", "a --window of at most 1"),
        ("--look-ahead 3 --label tree", "cannot be combined with --label"),
        ("--look-ahead 1", "--look-ahead: not a number from 2 to 10: \"1\""),
    ] {
        folder.is_misused(&format!("{train} weights.bin {options}"), words);
    }
    // Nothing was measured often enough for a result.
    folder.well(&format!("{train} weights.bin --look-ahead 3 --outcome-share 0.2"));
    let trained = folder.bytes("weights.bin");
    folder.fails("learn probcut --weights weights.bin --games 2 --deepest 2 --solved-from 10", "use more games");
    assert!(folder.bytes("weights.bin") == trained);
}

#[test]
fn a_training_killed_again_and_again_ends_with_the_same_weights_on_any_number_of_threads() {
    let folder = Folder::new("learn_train");
    play(&folder, "games.store", 120, "");
    let train = "learn train --steps 3 games.store --output";
    let said = folder.well(&format!("{train} whole.bin --threads 1"));
    assert_eq!(said.lines().count(), 32, "{said}");
    let bytes = folder.bytes("whole.bin");
    assert_ne!(Weights::from_bytes(&bytes).expect("whole weights"), Weights::zero());
    let again = format!("{train} killed.bin --threads 3");
    for pause in [30, 80, 200, 350, 600] {
        folder.start(&again).kill_after(pause);
        // A file with its final name is whole.
        assert!(!folder.has("killed.bin") || Weights::from_bytes(&folder.bytes("killed.bin")).is_ok());
    }
    folder.well(&again);
    assert!(folder.bytes("killed.bin") == bytes, "the weights differ");
    assert!(!folder.has("killed.bin.partial"));
    // The rest of another training is not taken for its own.
    folder.write("killed.bin.partial", b"EMITRAIN\x01\0\0\0xxxxxxxx");
    folder.fails(&again, "truncated");
}

#[test]
fn the_documented_commands_that_made_the_tables_have_valid_settings() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/README.md")).expect("the page");
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let folder = Folder::new("learn_documented");
    for program in ["iago", "bill", "logistello", "keyano"] {
        let start = readme.find(&format!("`emilia learn program {program} ")).expect("a command") + 1;
        let command = readme[start..].split('`').next().expect("a command");
        let words: Vec<String> = words(command).into_iter().skip(1).collect();
        let renamed = words.iter().map(|word| match word.rsplit_once('.') {
            Some((_, "tables")) => "x.tables",
            Some((_, "store")) => "missing.store",
            _ => word,
        });
        // Everything is valid but the name of the store.
        let message = folder.emilia(&renamed.collect::<Vec<_>>().join(" ")).failed(1);
        assert_eq!(message, "emilia: cannot read missing.store: No such file or directory\n", "{command}");
        let help = folder.well(&format!("learn program {program} --set help"));
        for pair in words.windows(2).filter(|pair| pair[0] == "--set") {
            let name = pair[1].split('=').next().expect("a name");
            assert!(help.contains(name), "{name} is not in: {help}");
        }
    }
}
