//! Damaged files: whatever bytes are wrong, a book is as it was or refused; no content makes it panic, and a file that is
//! refused is not touched.

use std::fs;
use std::path::Path;

use crate::{Book, BookError};
use othello::random::Random;

use super::samples::{boards, checked, content, fill, finding};

#[derive(Default, Debug)]
struct Outcomes {
    refused: u32,
    /// Opened, and everything is as before: the damage is where nothing is stored.
    unharmed: u32,
}

/// Whether this is one of the ways to refuse a file, in one sentence that names it.
fn is_refusal(error: &BookError) -> bool {
    let sentence = error.to_string();
    matches!(error, BookError::Damaged { .. } | BookError::NotABook { .. } | BookError::Version { .. })
        && sentence.contains("damaged.book")
        && sentence.lines().count() == 1
}

/// Opens a damaged book in every way, and changes it if it opens.
fn try_everything(path: &Path, original: &str, outcomes: &mut Outcomes) {
    let before = fs::read(path).unwrap();
    let mut refusals = 0;
    for open in [Book::open_read_only, Book::open_to_read_all] {
        match open(path) {
            Ok(book) => assert_eq!(content(&book), original, "a reader sees something else"),
            Err(error) => {
                assert!(is_refusal(&error), "{error:?}");
                refusals += 1;
            }
        }
        assert!(fs::read(path).unwrap() == before, "a reader changed the file");
    }
    let mut book = match Book::open(path) {
        Ok(book) => book,
        Err(error) => {
            assert!(is_refusal(&error), "{error:?}");
            assert!(fs::read(path).unwrap() == before, "a refused file was changed: {error}");
            assert_eq!(refusals, 2, "readers accept what writers refuse: {error}");
            outcomes.refused += 1;
            return;
        }
    };
    assert_eq!(refusals, 0, "readers refuse what writers accept");
    assert_eq!(content(&book), original, "a writer sees something else");
    book.update(|editor| {
        for board in boards(8, 2, 15) {
            editor.insert(&board, &finding(&board, &mut Random::new(1)))?;
        }
        Ok(())
    })
    .unwrap();
    drop(book);
    let book = Book::open(path).unwrap();
    checked(&book);
    outcomes.unharmed += 1;
}

fn damage(rounds: usize, mut hurt: impl FnMut(&mut Vec<u8>, &mut Random)) -> Outcomes {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.book");
    let mut book = Book::create(&path).unwrap();
    fill(&mut book, 3, 10, 30);
    // Several commits, as the life of a book has.
    fill(&mut book, 4, 10, 30);
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
fn every_bit_that_says_which_state_counts_may_be_damaged() {
    let mut flipped = 0;
    damage(255, |bytes, _| {
        flipped += 1;
        bytes[9] ^= flipped;
    });
}

#[test]
fn any_byte_in_use_may_be_damaged() {
    let outcomes = damage(300, |bytes, random| {
        // Most of the file of a small book is free: a byte that is not zero is in use, or was.
        let at = loop {
            let at = random.below(bytes.len());
            if bytes[at] != 0 {
                break at;
            }
        };
        bytes[at] ^= 1 << random.below(8);
    });
    assert!(outcomes.refused > 10, "{outcomes:?}");
}

#[test]
fn any_bytes_of_the_file_may_be_damaged() {
    damage(150, |bytes, random| {
        for _ in 0..1 + random.below(200) {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
    });
}

#[test]
fn whole_pages_may_be_noise() {
    damage(100, |bytes, random| {
        let at = random.below(bytes.len() / 4096) * 4096;
        bytes[at..at + 4096].fill_with(|| random.bits() as u8);
    });
}
