//! Damaged files: no content makes the book panic, and a file that is refused is not touched.

use std::fs;
use std::path::Path;

use book::{Book, BookError};
use othello::random::Random;

use crate::samples::{boards, content, fill};

/// What became of a damaged file.
#[derive(Default, Debug)]
struct Outcomes {
    refused: u32,
    /// Opened, and everything is as before: the damage is where nothing is stored.
    unharmed: u32,
    /// Opened, and the damage was found by reading or by the check.
    found: u32,
    /// Opened, and neither reading nor the check of the book nor that of the checksums found anything.
    unnoticed: u32,
}

/// Opens a damaged book, reads and changes it in every way, and notes what happens.
fn try_everything(path: &Path, original: &str, outcomes: &mut Outcomes) {
    let before = fs::read(path).unwrap();
    let mut book = match Book::open(path) {
        Ok(book) => book,
        Err(error) => {
            assert!(
                matches!(error, BookError::Damaged { .. } | BookError::NotABook { .. } | BookError::Database(_)),
                "{error:?}"
            );
            assert!(fs::read(path).unwrap() == before, "a refused file was changed: {error}");
            outcomes.refused += 1;
            return;
        }
    };
    let mut text = Vec::new();
    let exported = book.snapshot().and_then(|snapshot| snapshot.export_json(&mut text, &mut |_| true));
    let is_sound =
        book.snapshot().and_then(|snapshot| snapshot.check(&mut |_| true)).is_ok_and(|check| check.is_sound());
    let is_same = exported.is_ok() && text == original.as_bytes();
    for board in boards(7, 3, 20) {
        let _ = book.lookup(&board);
    }
    let verified = book.verify_file();
    if is_same && is_sound {
        outcomes.unharmed += 1;
    } else if exported.is_err() || !is_sound || !matches!(verified, Ok(true)) {
        outcomes.found += 1;
    } else {
        outcomes.unnoticed += 1;
    }
    let _ = book.update(|editor| {
        for board in boards(8, 2, 15) {
            editor.insert(&board, &crate::samples::finding(&board, &mut Random::new(1)))?;
        }
        Ok(())
    });
    drop(book);
}

fn damage(rounds: usize, mut hurt: impl FnMut(&mut Vec<u8>, &mut Random)) -> Outcomes {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    let mut book = Book::create(&path).unwrap();
    fill(&mut book, 3, 10, 30);
    let original = content(&book);
    drop(book);
    let sound = fs::read(&path).unwrap();
    let mut random = Random::new(9);
    let mut outcomes = Outcomes::default();
    for _ in 0..rounds {
        let mut bytes = sound.clone();
        hurt(&mut bytes, &mut random);
        fs::write(&path, &bytes).unwrap();
        try_everything(&path, &original, &mut outcomes);
    }
    println!("{outcomes:?}");
    assert_eq!(outcomes.unnoticed, 0, "{outcomes:?}");
    outcomes
}

#[test]
fn a_truncated_book_is_refused() {
    let outcomes = damage(40, |bytes, random| bytes.truncate(random.below(bytes.len())));
    assert_eq!(outcomes.refused, 40, "{outcomes:?}");
}

#[test]
fn every_byte_of_the_header_may_be_damaged() {
    let mut at = 0;
    let outcomes = damage(320, |bytes, random| {
        bytes[at] ^= 1 + random.below(255) as u8;
        at += 1;
    });
    assert!(outcomes.refused > 50, "{outcomes:?}");
}

#[test]
fn any_byte_in_use_may_be_damaged() {
    let outcomes = damage(300, |bytes, random| {
        // Most of the file of a small book is free: a byte that is not zero is in use.
        let at = loop {
            let at = random.below(bytes.len());
            if bytes[at] != 0 {
                break at;
            }
        };
        bytes[at] ^= 1 << random.below(8);
    });
    assert!(outcomes.refused + outcomes.found > 10, "{outcomes:?}");
}

#[test]
fn whole_pages_may_be_noise() {
    damage(100, |bytes, random| {
        let at = random.below(bytes.len() / 4096) * 4096;
        bytes[at..at + 4096].fill_with(|| random.bits() as u8);
    });
}
