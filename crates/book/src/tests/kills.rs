//! A process that is killed while it changes a book: the book opens, is sound, and lacks nothing that was acknowledged.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Book, Finding};
use othello::Board;
use othello::random::Random;

use super::samples::{self, boards, checked, fixed_search, new_book};

/// The environment variable that makes this test program the one that is killed: the folder to work in.
const FOLDER: &str = "EMILIA_BOOK_KILLED_IN";

/// The number of positions that a run inserts one by one or in groups.
const ROUNDS: usize = 4000;

/// Not a test: what the process does that is killed. It writes the number of every acknowledged change to a file.
#[test]
fn change_a_book_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let mut book = Book::open_or_create(&folder.join("book")).unwrap();
    let mut acknowledged = File::options().append(true).create(true).open(folder.join("acknowledged")).unwrap();
    let done = fs::read_to_string(folder.join("acknowledged")).unwrap().lines().count();
    for number in done..ROUNDS {
        change(&mut book, number);
        writeln!(acknowledged, "{number}").unwrap();
    }
}

/// A finding without games: those would be counted twice if a change is made twice.
fn finding(board: &Board, random: &mut Random) -> Finding {
    Finding { games: 0, ..samples::finding(board, random) }
}

/// A change with a number: it depends on nothing else, and it can be made twice.
fn change(book: &mut Book, number: usize) {
    let mut random = Random::of_item(1, number as u64);
    let line = boards(number as u64 / 8, 1, 24);
    let board = line[random.below(line.len())];
    match number % 8 {
        0 => {
            let line: Vec<_> = line.iter().map(|board| (*board, finding(board, &mut random))).collect();
            book.update(|editor| line.iter().try_for_each(|(board, finding)| editor.insert(board, finding).map(drop)))
                .unwrap();
        }
        1 => drop(book.settle(&mut fixed_search).unwrap()),
        2 => drop(book.add(&board, &mut fixed_search).unwrap()),
        3 => drop(book.remove(&line[line.len() - 1]).unwrap()),
        _ => drop(book.insert(&board, &finding(&board, &mut random)).unwrap()),
    }
}

fn acknowledged(folder: &Path) -> usize {
    fs::read_to_string(folder.join("acknowledged")).unwrap_or_default().lines().count()
}

/// Kills a process that changes a book again and again.
fn kill(times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let mut random = Random::new(4);
    let mut seen = 0;
    let mut progress = 0;
    for round in 0..times {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::kills::change_a_book_until_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Most are killed while they change the book, some while they open it.
        if round % 4 != 3 {
            let begun = Instant::now();
            while acknowledged(folder.path()) <= seen && begun.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        std::thread::sleep(Duration::from_micros(random.below(20_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let count = acknowledged(folder.path());
        progress += usize::from(count > seen);
        seen = count;
        if !path.exists() {
            assert_eq!(count, 0);
            continue;
        }
        // What a reader sees is what is there, and it does not touch the file.
        let bytes = fs::read(&path).unwrap();
        let read = Book::open_read_only(&path).unwrap_or_else(|error| panic!("after kill {round}: {error}"));
        let seen_by_reader = samples::content(&read);
        drop(read);
        assert!(fs::read(&path).unwrap() == bytes, "a reader changed the file after kill {round}");
        let mut book = Book::open(&path).unwrap_or_else(|error| panic!("after kill {round}: {error}"));
        assert_eq!(samples::content(&book), seen_by_reader, "after kill {round}");
        checked(&book);
        // The change after the last acknowledged one may or may not be there; those before it must be. They are made
        // again in a book of their own, and compared every now and then, because this takes long.
        if round + 1 == times || round % 16 == 0 {
            let mut expected = new_book();
            (0..count).for_each(|number| change(&mut expected, number));
            if count % 8 == 1 {
                // Settling is many changes, of which some may be there: it goes on where it was.
                change(&mut book, count);
            }
            let [found, before] = [&book, &expected].map(samples::content);
            change(&mut expected, count);
            assert!(
                found == before || found == samples::content(&expected),
                "{count} changes are not there after kill {round}"
            );
        }
        if seen >= ROUNDS - 8 {
            drop(book);
            fs::remove_file(&path).unwrap();
            fs::remove_file(folder.path().join("acknowledged")).unwrap();
            seen = 0;
        }
    }
    assert!(progress * 3 > times, "{progress} of {times} processes made a change");
}

#[test]
fn a_process_may_be_killed_three_dozen_times() {
    kill(36);
}

#[test]
#[ignore = "takes minutes"]
fn a_process_may_be_killed_a_thousand_times() {
    kill(1000);
}
