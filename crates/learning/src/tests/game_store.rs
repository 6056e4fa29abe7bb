//! Stores of games: games are read back unchanged, and torn or damaged files are detected.

use std::fs::{self, OpenOptions};
use std::path::Path;

use control::Stop;
use evaluation::HandMade;
use players::weights::EvaluationId;
use storage::whole_file::FileError;

use super::{TestFile, assert_contains, journal};
use crate::error::{LearnError, Result};
use crate::game_store::{GameReader, GameStore, Source, StoredGame};
use crate::merging::MergedStore;
use crate::played_game::PlayedGame;
use crate::self_play::{Recipe, SelfPlay};

/// Fast games with short openings and hardly any search, so that some games are played twice.
fn self_play(seed: u64) -> SelfPlay<HandMade> {
    let recipe = Recipe { seed, opening: (1, 6), random_moves: 0.01, depth: 1, exact_from: 3, threads: 2 };
    SelfPlay::new(recipe, HandMade)
}

fn played(seed: u64, count: u64) -> Vec<PlayedGame> {
    self_play(seed).games(0..count, &Stop::new())
}

fn of_seed(seed: u64) -> Source {
    Source::of_self_play(EvaluationId::HandMade, &self_play(seed))
}

fn source() -> Source {
    of_seed(1)
}

/// The numbers and games that a store must contain after these were added.
fn distinct(games: &[PlayedGame]) -> Vec<(u64, PlayedGame)> {
    let is_first =
        |&(index, game): &(usize, &PlayedGame)| games[..index].iter().all(|other| other.moves() != game.moves());
    games.iter().enumerate().filter(is_first).map(|(index, game)| (index as u64, game.clone())).collect()
}

fn add_all(path: &Path, games: &[PlayedGame]) {
    let mut store = open_and_add(path, games);
    store.flush().expect("the games can be written");
    assert_eq!(store.tally().next_number, games.len() as u64);
    assert_eq!(store.tally().games, distinct(games).len() as u64);
    assert_eq!(store.tally().bytes, fs::metadata(path).expect("a file").len());
}

/// Adds the games that a store does not have yet. Without a flush the run counts as killed.
fn open_and_add(path: &Path, games: &[PlayedGame]) -> GameStore {
    let mut store = open(path);
    let from = store.tally().next_number as usize;
    games[from..].iter().for_each(|game| add(&mut store, game));
    store
}

fn add(store: &mut GameStore, game: &PlayedGame) {
    store.add(game).expect("the game can be added");
}

fn open(path: &Path) -> GameStore {
    GameStore::open(path, &source()).expect("a store")
}

fn bytes_of(path: impl AsRef<Path>) -> Vec<u8> {
    fs::read(path).expect("a file")
}

fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    fs::write(path, bytes).expect("a file");
}

fn games_of(path: &Path) -> Vec<(u64, PlayedGame)> {
    read(path).expect("a store")
}

/// The errors of a reader and of a writer.
fn errors(path: &Path) -> [String; 2] {
    [read(path).expect_err("no store").to_string(), refusal(path).expect("a refusal")]
}

fn read(path: &Path) -> Result<Vec<(u64, PlayedGame)>> {
    GameReader::open(path)?.map(|stored| stored.map(|StoredGame { number, game, .. }| (number, game))).collect()
}

/// The error when the store is opened to add games.
fn refusal(path: &Path) -> Option<String> {
    GameStore::open(path, &source()).err().map(|error| error.to_string())
}

#[test]
fn games_are_read_back_with_their_numbers_and_without_duplicates() {
    let path = TestFile::new("round_trip.store");
    let games = played(1, 1000);
    add_all(&path, &games);
    let expected = distinct(&games);
    assert!(expected.len() < games.len(), "no game is there twice");
    assert_eq!(games_of(&path), expected);
    let bytes = fs::metadata(&path).expect("a file").len();
    assert!(bytes < 30 * expected.len() as u64, "{bytes} bytes for {} games", expected.len());
    let mut reader = GameReader::open(&path).expect("a store");
    reader.next().expect("a game").expect("a game");
    assert_eq!(reader.sources(), [source()]);
}

#[test]
fn a_store_truncated_anywhere_is_resumed_with_the_same_games() {
    let path = TestFile::new("torn.store");
    let games = played(2, 150);
    add_all(&path, &games);
    let whole = bytes_of(&path);
    // Complete blocks: the first one with the source, and two of 64 games.
    let mut whole_stores = 0;
    for length in 0..whole.len() {
        write(&path, &whole[..length]);
        let found = read(&path);
        let is_whole = found.is_ok();
        match found {
            Ok(found) => {
                assert_eq!(found, distinct(&games)[..found.len()]);
                whole_stores += 1;
            }
            Err(error) => assert_contains(error, "is truncated"),
        }
        // Opening a store for writing syncs the disk, so not every length is tried.
        if length % 97 == 0 {
            add_all(&path, &games);
            assert_eq!(games_of(&path), distinct(&games), "cut off after {length} bytes");
            assert_eq!(bytes_of(&path), whole);
        } else if length % 11 == 0 {
            let store = open(&path);
            assert!(store.tally().next_number.is_multiple_of(64));
            let kept = bytes_of(&path);
            assert_eq!(kept, whole[..kept.len()]);
            assert_eq!(store.was_torn(), length > 0 && !is_whole);
        }
    }
    assert_eq!(whole_stores, 3);
}

/// The bytes of a store of these games that was written without interruption.
fn whole_store(games: &[PlayedGame]) -> Vec<u8> {
    let path = TestFile::new(&format!("whole_{}.store", games.len()));
    add_all(&path, games);
    assert!(!journal(&path).exists(), "the journal of a run that has ended is removed");
    bytes_of(&path)
}

#[test]
fn a_store_has_the_same_bytes_however_often_its_run_was_interrupted() {
    let games = played(10, 200);
    let whole = whole_store(&games);
    for ends in [&[1, 2, 3, 40, 63, 64, 65, 100, 128, 190][..], &[70, 71], &[199]] {
        for is_killed in [false, true] {
            let path = TestFile::new("interrupted.store");
            for &end in ends {
                if is_killed {
                    open_and_add(&path, &games[..end]);
                } else {
                    add_all(&path, &games[..end]);
                }
                // Nothing is lost, and every reader sees it.
                assert_eq!(games_of(&path), distinct(&games[..end]), "after {end} games");
            }
            let resumed = open(&path);
            let end = *ends.last().expect("a number");
            assert_eq!(resumed.tally().next_number, end as u64);
            assert_eq!(resumed.tally().games, distinct(&games[..end]).len() as u64);
            drop(resumed);
            add_all(&path, &games);
            assert_eq!(bytes_of(&path), whole, "{ends:?}, killed: {is_killed}");
        }
    }
}

#[test]
fn of_a_damaged_journal_the_games_before_the_damage_are_used() {
    let games = played(11, 100);
    let whole = whole_store(&games);
    let path = TestFile::new("journal.store");
    open_and_add(&path, &games);
    let (store, left) = (bytes_of(&path), bytes_of(journal(&path)));
    let resume = |damaged: &[u8], is_thorough: bool| {
        write(&path, &store);
        write(journal(&path), damaged);
        let found = games_of(&path);
        assert_eq!(found, distinct(&games)[..found.len()]);
        if is_thorough {
            let resumed = open(&path);
            assert_eq!(resumed.tally().games, found.len() as u64);
            drop(resumed);
            assert!(!journal(&path).exists());
            add_all(&path, &games);
            assert_eq!(bytes_of(&path), whole);
        }
        found.len()
    };
    assert_eq!(resume(&left, true), distinct(&games).len());
    let mut counts: Vec<usize> = (0..left.len()).map(|length| resume(&left[..length], length % 401 == 0)).collect();
    assert!(counts.is_sorted());
    counts.dedup();
    // From none to all of them.
    assert_eq!(counts.len(), distinct(&games).len() - distinct(&games[..64]).len() + 1);
    // Every byte of the beginning, and some of the rest. A file that does not begin like a journal is another one.
    for at in (8..left.len()).filter(|at| at % 13 == 0) {
        let mut bytes = left.clone();
        bytes[at] ^= 1 << (at % 8);
        resume(&bytes, at % 403 == 0);
    }
    // Garbage after a torn end, and the journal of an earlier part.
    resume(&[&left[..left.len() - 3], &[7; 500]].concat(), true);
    let earlier = TestFile::new("earlier.store");
    open_and_add(&earlier, &games[..50]);
    let old = bytes_of(journal(&earlier));
    assert_eq!(resume(&old, true), distinct(&games[..64]).len());
}

#[test]
fn the_journal_of_other_games_is_ignored_and_a_foreign_file_is_left_alone() {
    let (path, other) = (TestFile::new("mine.store"), TestFile::new("theirs.store"));
    let games = played(12, 30);
    let mut store = GameStore::open(&other, &of_seed(99)).expect("a store");
    games.iter().for_each(|game| add(&mut store, game));
    drop(store);
    fs::copy(journal(&other), journal(&path)).expect("a journal");
    assert_eq!(open(&path).tally().games, 0);
    fs::copy(journal(&other), journal(&path)).expect("a journal");
    assert_eq!(games_of(&path), []);
    write(journal(&path), "my notes");
    assert_contains(
        refusal(&path).expect("a refusal"),
        "mine.store.journal already exists and is a different kind of file",
    );
    assert_eq!(bytes_of(journal(&path)), b"my notes");
    // Reading is not refused.
    assert_eq!(games_of(&path), []);
}

#[test]
fn every_flipped_bit_is_detected() {
    let path = TestFile::new("flipped.store");
    let games = played(3, 100);
    add_all(&path, &games);
    let merged = TestFile::new("flipped_merged.store");
    merge(&merged, &[&games]);
    for path in [path, merged] {
        let whole = bytes_of(&path);
        // Every bit of the file header and the first blocks, and one bit of every later byte.
        for index in (0..whole.len() * 8).filter(|index| index / 8 < 150 || index % 8 == index / 8 % 8) {
            let mut bytes = whole.clone();
            bytes[index / 8] ^= 1 << (index % 8);
            write(&path, &bytes);
            let error = read(&path).expect_err("a bit is flipped").to_string();
            let said = error.contains("is damaged") || error.contains("is not a store of games");
            assert!(said, "bit {index}: {error}");
            assert!(refusal(&path).is_some(), "bit {index}");
            assert_eq!(bytes_of(&path), bytes, "a damaged file is left as it is");
        }
    }
}

#[test]
fn missing_repeated_or_swapped_blocks_are_detected() {
    let path = TestFile::new("blocks.store");
    let games = played(4, 64 * 3);
    let mut ends = vec![0];
    for count in [0, 64, 128, 192] {
        add_all(&path, &games[..count]);
        ends.push(fs::metadata(&path).expect("a file").len() as usize);
    }
    let whole = bytes_of(&path);
    let parts: Vec<_> = ends.windows(2).map(|ends| &whole[ends[0]..ends[1]]).collect();
    assert_eq!(parts.len(), 4);
    for order in [&[0, 2, 3][..], &[0, 1, 3], &[0, 1, 1, 2, 3], &[0, 2, 1, 3], &[0, 1, 2, 3, 3]] {
        let bytes: Vec<u8> = order.iter().flat_map(|&part| parts[part].iter().copied()).collect();
        write(&path, bytes);
        for error in errors(&path) {
            assert!(error.contains(" was expected"), "{order:?}: {error}");
        }
    }
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let path = TestFile::new("foreign.store");
    for content in [&b"f5d6c3d3c4\n"[..], b"f5", b"PK\x03\x04 and so on, for a while", &[0; 100]] {
        write(&path, content);
        for error in errors(&path) {
            assert_contains(error, "is not a store of games: ");
        }
        assert_eq!(bytes_of(&path), content);
    }
    let missing = TestFile::new("missing.store");
    let error = GameReader::open(&missing).expect_err("no file").to_string();
    assert!(error.starts_with("cannot use ") && error.contains("missing.store"), "{error}");
}

#[test]
fn games_are_not_added_to_a_store_of_other_games() {
    let path = TestFile::new("other.store");
    add_all(&path, &played(5, 10));
    let before = bytes_of(&path);
    let error = GameStore::open(&path, &of_seed(2)).expect_err("other games").to_string();
    assert!(error.ends_with("other.store holds other games: seed is 1; expected 2, or another file"), "{error}");
    let merged = TestFile::new("other_merged.store");
    merge(&merged, &[&played(5, 10)]);
    assert_contains(refusal(&merged).expect("a refusal"), "is a merged store, to which no games can be added");
    assert_eq!(bytes_of(&path), before);
}

#[test]
fn a_store_has_one_writer_and_can_be_read_meanwhile() {
    let path = TestFile::new("in_use.store");
    let games = played(6, 100);
    let store = open_and_add(&path, &games);
    assert_contains(refusal(&path).expect("a refusal"), "is in use");
    let all = distinct(&games);
    assert_eq!(store.tally().games, all.len() as u64);
    assert_eq!(games_of(&path), all);
    // The beginning of an incomplete block.
    let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
    std::io::Write::write_all(&mut file, b"GAME and so on").expect("bytes");
    assert_eq!(games_of(&path), all);
    drop(store);
    assert_contains(read(&path).expect_err("no run goes on"), "is truncated");
}

fn merge(path: &Path, sources: &[&[PlayedGame]]) -> u64 {
    let mut merged = MergedStore::create(path).expect("a free name");
    for games in sources {
        merged.begin_source(&source()).expect("a source");
        for (number, game) in (0..).zip(*games) {
            merged.add(number, game).expect("the game can be added");
        }
    }
    merged.finish().expect("the store can be written")
}

#[test]
fn a_merged_store_has_every_game_of_its_sources_once() {
    let (path, one, other) = (TestFile::new("merged.store"), played(7, 300), played(8, 300));
    let bytes = merge(&path, &[&one, &other]);
    assert_eq!(bytes, fs::metadata(&path).expect("a file").len());
    let both: Vec<_> = one.iter().chain(&other).cloned().collect();
    let expected = distinct(&both);
    let found: Vec<_> = GameReader::open(&path).expect("a store").map(|stored| stored.expect("a game")).collect();
    assert_eq!(found.len(), expected.len());
    for (found, (number, game)) in found.iter().zip(&expected) {
        assert_eq!((found.source as u64, found.number), (number / 300, number % 300));
        assert_eq!(&found.game, game);
    }
    // Truncated anywhere, even between two blocks, it is refused.
    let whole = bytes_of(&path);
    for length in (0..whole.len()).rev().step_by(11).chain(whole.len() - 100..whole.len()) {
        write(&path, &whole[..length]);
        assert_contains(read(&path).expect_err("a part is missing"), "is truncated");
    }
    write(&path, [&whole[..], &whole[whole.len() - 40..]].concat());
    assert_contains(read(&path).expect_err("two ends"), "data after the last block");
}

#[test]
fn a_merged_store_appears_when_it_is_complete_and_never_over_another_file() {
    let path = TestFile::new("appears.store");
    let games = played(9, 10);
    let mut merged = MergedStore::create(&path).expect("a free name");
    merged.begin_source(&source()).expect("a source");
    merged.add(0, &games[0]).expect("the game can be added");
    assert!(!path.exists());
    drop(merged);
    assert!(!path.exists());
    // Of two stores that are written at the same time, the first one to finish gets the name.
    let second = MergedStore::create(&path).expect("a free name");
    merge(&path, &[&games]);
    assert_eq!(games_of(&path), distinct(&games));
    assert_contains(MergedStore::create(&path).expect_err("the name is taken"), "already exists; choose another name");
    assert!(matches!(second.finish(), Err(LearnError::File(FileError::Exists(_)))));
    assert_eq!(games_of(&path), distinct(&games));
}
