//! Files: created, opened twice, read only, foreign, newer.

use std::fs;
use std::path::Path;

use crate::{Book, BookError};
use othello::{Board, Rules};
use redb::{Database, TableDefinition};
use storage::checksum::crc32;

use super::samples::{content, fill, filled, positions};

#[test]
fn a_book_is_what_it_was_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    assert!(matches!(Book::open(&path), Err(BookError::Missing { .. })));
    let mut book = Book::open_or_create(&path).unwrap();
    fill(&mut book, 1, 20, 30);
    let before = content(&book);
    drop(book);
    assert_eq!(content(&Book::open(&path).unwrap()), before);
    assert!(matches!(Book::create(&path), Err(BookError::Exists { .. })));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["book"]);
}

#[test]
fn statistics_count_every_position_once() {
    let book = filled(2, 15, 60);
    let snapshot = book.snapshot().unwrap();
    let positions: Vec<_> = positions(&snapshot);
    let statistics = snapshot.statistics(&mut |_| true).unwrap();
    assert_eq!(statistics.positions, positions.len() as u64);
    assert_eq!(statistics.by_effort.values().sum::<u64>() + statistics.covered, statistics.positions);
    let is_covered = |position: &&crate::BookPosition| position.leaf == crate::Leaf::Covered && !position.is_solved;
    assert_eq!(statistics.covered, positions.iter().filter(is_covered).count() as u64);
    assert!(statistics.covered > 0);
    assert_eq!(statistics.games, positions.iter().map(|position| position.games).max().unwrap());
    assert_eq!(statistics.exact, positions.iter().filter(|position| position.is_exact).count() as u64);
    for (&discs, row) in &statistics.by_discs {
        let those = positions.iter().filter(|position| position.board.disc_count() == u32::from(discs));
        assert_eq!(row.positions, those.clone().count() as u64);
        assert_eq!(row.open, those.filter(|position| position.is_open).count() as u64);
    }
}

#[test]
fn changes_that_fail_are_not_made() {
    let mut book = filled(1, 5, 20);
    let before = content(&book);
    let error = book.update(|editor| {
        editor.remove(&Board::start())?;
        editor.remove(&Board::start().play("f5".parse().unwrap()).unwrap())?;
        editor.add_games(&Board::new(1, 2), 1)
    });
    assert!(matches!(error, Err(BookError::NotInBook(_))));
    assert_eq!(content(&book), before);
}

#[test]
fn a_book_that_is_open_for_writing_is_refused_to_others_and_readers_share() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let writer = Book::create(&path).unwrap();
    for error in [Book::open(&path), Book::open_read_only(&path)].map(Result::unwrap_err) {
        assert!(matches!(error, BookError::InUse { .. }), "{error}");
        assert!(error.to_string().contains("in use by another process"), "{error}");
    }
    drop(writer);
    let mut reader = Book::open_read_only(&path).unwrap();
    let other = Book::open_read_only(&path).unwrap();
    assert!(matches!(Book::open(&path), Err(BookError::InUse { .. })));
    assert!(matches!(reader.remove(&Board::start()), Err(BookError::ReadOnly)));
    drop((reader, other));
    Book::open(&path).unwrap();
}

/// Rewrites a database of redb in blocks with checksums, as `docs/formats.md` describes them.
fn put_into_blocks(path: &Path) {
    let plain = fs::read(path).unwrap();
    let sum = |block: u64, content: &[u8]| crc32(&[&block.to_le_bytes()[..], content].concat()).to_le_bytes();
    let mut bytes = [&b"Emilia book\0\r\n\x1a\x01"[..], &plain[..492]].concat();
    bytes.extend(sum(0, &bytes));
    bytes.resize(4096, 0);
    for (number, page) in (0..).zip(plain.chunks(4096)).skip(1) {
        bytes.extend(page);
        bytes.extend(sum(number, page));
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn foreign_files_and_other_versions_are_refused_and_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let refused = |expected: fn(&BookError) -> bool| {
        let before = fs::read(&path).unwrap();
        for error in [Book::open(&path), Book::open_read_only(&path), Book::open_or_create(&path)] {
            let error = error.unwrap_err();
            assert!(expected(&error), "{error}");
        }
        assert!(fs::read(&path).unwrap() == before);
    };
    let not_a_book = |error: &BookError| matches!(error, BookError::NotABook { .. });
    for content in [&b""[..], b"x", b"redb", b"XADEKOOB\x04\x04", &[0; 5000]] {
        fs::write(&path, content).unwrap();
        refused(not_a_book);
    }
    // A database of another program.
    const OTHER: TableDefinition<'_, u64, u64> = TableDefinition::new("other");
    const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
    for with_same_name in [false, true] {
        fs::remove_file(&path).unwrap();
        let database = Database::create(&path).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction.open_table(OTHER).unwrap().insert(1, 2).unwrap();
        if with_same_name {
            transaction.open_table(ABOUT).unwrap().insert("version", 1).unwrap();
        }
        transaction.commit().unwrap();
        drop(database);
        refused(not_a_book);
        put_into_blocks(&path);
        refused(not_a_book);
    }
    // A book of a later version.
    fs::remove_file(&path).unwrap();
    const VERSION: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("about");
    let database = Database::create(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(VERSION).unwrap().insert("version", &2u32.to_le_bytes()[..]).unwrap();
    transaction.commit().unwrap();
    drop(database);
    put_into_blocks(&path);
    refused(|error| matches!(error, BookError::Version { found: 2, expected: 1, .. }));
    // A folder.
    assert!(matches!(Book::open(folder.path()), Err(BookError::NotABook { .. })));
}
