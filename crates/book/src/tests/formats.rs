//! JSON lines and books of Edax, there and back.

use std::collections::BTreeMap;

use crate::edax::{EdaxError, EdaxHeader, EdaxLink, EdaxPosition, HEADER_BYTES};
use crate::edax_exchange::whole_discs;
use crate::{Book, BookError, Finding, json_lines};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Rules, squares};
use proptest::prelude::*;

use super::samples::{boards, checked, content, filled, finding, fixed_search, new_book};

#[test]
fn an_import_that_is_stopped_resumes_and_counts_no_game_twice() {
    // More positions than are imported together.
    let mut book = filled(3, 250, 60);
    book.update(|editor| boards(3, 250, 60).iter().try_for_each(|board| editor.add_games(board, 1))).unwrap();
    let text = content(&book);
    assert!(text.lines().count() > 10_000);
    let mut parts = new_book();
    let stopped = parts.import_json(text.as_bytes(), Some("import"), &mut |_| false).unwrap();
    let rest = parts.import_json(text.as_bytes(), Some("import"), &mut |_| true).unwrap();
    assert_eq!(stopped.merged.new + rest.merged.new, text.lines().count() as u64);
    assert_eq!((rest.merged.known, rest.merged.improved), (0, 0));
    assert_eq!(content(&parts), text);
    parts.update(|editor| editor.remove_note("import")).unwrap();
    assert_eq!(parts.snapshot().unwrap().noted_number("import").unwrap(), 0);
}

#[test]
fn a_book_written_as_lines_reads_back() {
    let mut book = filled(1, 30, 60);
    let board = boards(1, 1, 60).pop().unwrap();
    let solved = Finding { solved: Some(othello::Score::new(4)), ..finding(&board, &mut Random::new(1)) };
    book.insert(&board, &solved).unwrap();
    let text = content(&book);
    let mut other = new_book();
    let imported = other.import_json(text.as_bytes(), None, &mut |_| true).unwrap();
    assert_eq!((imported.fault_count, imported.merged.new), (0, text.lines().count() as u64));
    assert_eq!(content(&other), text);
    // Any order of lines gives the same book, and so does reading them twice, except for the games.
    let mut lines: Vec<&str> = text.lines().collect();
    Random::new(1).shuffle(&mut lines);
    let mut shuffled = new_book();
    shuffled.import_json(lines.join("\n").as_bytes(), None, &mut |_| true).unwrap();
    let without_bounds = |text: &str| text.lines().map(|line| line[..80].to_owned()).collect::<Vec<_>>();
    assert_eq!(without_bounds(&content(&shuffled)), without_bounds(&text));
}

#[test]
fn a_line_has_the_documented_keys_and_a_wrong_one_is_skipped_with_a_sentence() {
    let mut book = new_book();
    let text = concat!(
        r#"{"board":"---------------------------OX------XO--------------------------- X","value":0.5,"#,
        r#""exact":false,"open":false,"leaf":{"move":"f5","value":0.5},"depth":20,"selectivity":73,"solved":false,"#,
        r#""games":3}"#
    );
    book.import_json(text.as_bytes(), None, &mut |_| true).unwrap();
    // Which of the four symmetric moves is named does not matter.
    assert_eq!(content(&book).len(), text.len() + 1);
    assert_eq!(book.lookup(&Board::start()).unwrap().unwrap().value, Value::from_discs(0.5));
    for (from, to, reason) in [
        (r#""f5""#, r#""a1""#, "line 1: a1 is not a legal move"),
        ("0.5", "65", "line 1: invalid value 65: expected -64 to 64 discs"),
        ("73", "74", "line 1: invalid selectivity 74; expected 73, 87, 95, 98, 99, 100"),
        ("OX------XO", "OX------X-", "line 1: the center of the board is empty"),
        (
            r#""value":0.5}"#,
            r#""val":0.5}"#,
            "line 1: invalid leaf: expected a move and its value, or at_most (column ",
        ),
        (r#""exact":false"#, r#""exact":no"#, "line 1: not JSON (column "),
    ] {
        let lines = format!("{}\n\n{text}\n", text.replace(from, to));
        let imported = book.import_json(lines.as_bytes(), None, &mut |_| true).unwrap();
        assert_eq!((imported.fault_count, imported.merged.known), (1, 1), "{from}");
        assert!(imported.faults[0].to_string().starts_with(reason), "{}", imported.faults[0]);
    }
}

/// An Edax book made from positions with random leaves, negamaxed, with passes and ends as Edax has them.
fn edax_book(seed: u64, games: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut positions: BTreeMap<Board, EdaxPosition> = BTreeMap::new();
    // Random games, so that passes and ends occur.
    for _ in 0..games {
        let mut board = Board::start();
        loop {
            positions.entry(board.canonical()).or_insert_with_key(|board| EdaxPosition {
                board: *board,
                counts: [random.below(100), random.below(100), random.below(100), random.below(100)].map(|n| n as u32),
                value: -127,
                lower: random.below(40) as i16 - 20,
                upper: random.below(40) as i16 - 20,
                level: 10 + random.below(15) as u8,
                links: Vec::new(),
                leaf: EdaxLink::NONE,
            });
            if board.is_over() {
                break;
            }
            let moves: Vec<_> = squares(board.moves()).collect();
            board = if moves.is_empty() { board.pass() } else { board.play(moves[random.below(moves.len())]).unwrap() };
        }
    }
    let mut order: Vec<Board> = positions.keys().copied().collect();
    // Children before their parents; a pass comes before the position that passes.
    order.sort_by_key(|board| (64 - board.disc_count(), board.must_pass()));
    for board in order {
        let mut links = Vec::new();
        let mut outside = Vec::new();
        if board.must_pass() {
            links.extend(positions.get(&board.pass().canonical()).map(|after| (EdaxLink::PASS, -after.value)));
        }
        for square in squares(board.moves()) {
            match positions.get(&board.play(square).unwrap().canonical()) {
                Some(child) => links.push((square.index() as u8, -child.value)),
                None => outside.push(square),
            }
        }
        random.shuffle(&mut links);
        let position = positions.get_mut(&board).unwrap();
        position.links = links.iter().map(|&(square, score)| EdaxLink { score: score as i8, square }).collect();
        if board.is_over() {
            position.leaf.score = board.final_score().discs() as i8;
        } else if !outside.is_empty() {
            let square = outside[random.below(outside.len())];
            let after = board.play(square).unwrap();
            let score = if after.is_over() { -after.final_score().discs() } else { random.below(41) as i32 - 20 };
            position.leaf = EdaxLink { score: score as i8, square: square.index() as u8 };
        }
        let best = position.links.iter().chain([&position.leaf]).map(|link| i16::from(link.score)).max();
        position.value = best.unwrap();
    }
    // Moves that end the game are known to our book; one that is neither a link nor the leaf changes values.
    positions.retain(|_, position| position.value > -127);
    let header =
        EdaxHeader { n_nodes: positions.len() as i32, release: 5, ..EdaxHeader::new(2020, [5, 17, 23, 59, 1]) };
    let mut bytes = header.to_bytes();
    for position in positions.values() {
        bytes.extend(position.to_bytes());
    }
    bytes
}

fn parsed(bytes: &[u8]) -> (EdaxHeader, BTreeMap<Board, EdaxPosition>) {
    let mut positions = BTreeMap::new();
    let mut at = HEADER_BYTES;
    while at < bytes.len() {
        let (position, end) = EdaxPosition::from_bytes(bytes, at).unwrap();
        assert!(positions.insert(position.board, position).is_none(), "a position is there twice");
        at = end;
    }
    (EdaxHeader::from_bytes(bytes).unwrap(), positions)
}

/// Number of positions whose value in a book is another one than in the Edax book.
fn other_values(book: &Book, positions: &BTreeMap<Board, EdaxPosition>) -> usize {
    let snapshot = book.snapshot().unwrap();
    let with_moves = positions.values().filter(|position| position.board.can_move());
    let value = |board| whole_discs(snapshot.lookup(board).unwrap().unwrap().value);
    with_moves.filter(|position| value(&position.board) != position.value).count()
}

#[test]
fn an_edax_book_that_is_imported_and_exported_is_the_same_book() {
    for seed in 0..5 {
        let bytes = edax_book(seed, 40);
        let (header, before) = parsed(&bytes);
        let mut book = new_book();
        let imported = book.import_edax(&bytes[..], &mut |_, _| true).unwrap();
        assert_eq!((book.snapshot().unwrap().edax_header().unwrap(), imported.fault_count), (Some(header), 0));
        assert!(before.keys().filter(|board| !board.can_move()).count() > 10, "passes and ends must occur");
        let changed_values = other_values(&book, &before);
        checked(&book);
        let mut exported = Vec::new();
        let default_header = EdaxHeader::new(2000, [1, 1, 0, 0, 0]);
        book.snapshot().unwrap().export_edax(&default_header, &mut exported, &mut |_, _| true).unwrap();
        let (new_header, after) = parsed(&exported);
        // Ends of games that were no positions of the book are the only news.
        let ends = after.keys().filter(|board| !before.contains_key(*board)).collect::<Vec<_>>();
        assert!(ends.iter().all(|board| board.is_over()), "{ends:?}");
        assert_eq!(new_header, EdaxHeader { n_nodes: after.len() as i32, ..header });
        let mut same = 0;
        for (board, position) in &before {
            let other = &after[board];
            if squares(board.moves()).any(|square| board.play(square).unwrap().is_over()) {
                assert_eq!((other.counts, other.level), (position.counts, position.level));
            } else if other != position {
                // Its value follows from the end of a game that the book did not know.
                assert!(changed_values > 0 && other.leaf == position.leaf, "{position:?} {other:?}");
            } else {
                same += 1;
            }
        }
        assert!(same * 10 > 9 * before.len(), "{same} of {}", before.len());
        // Once more: now nothing is new.
        let mut again = new_book();
        let imported = again.import_edax(&exported[..], &mut |_, _| true).unwrap();
        assert_eq!((other_values(&again, &after), imported.fault_count), (0, 0));
        let mut twice = Vec::new();
        again.snapshot().unwrap().export_edax(&default_header, &mut twice, &mut |_, _| true).unwrap();
        assert_eq!(parsed(&twice).1, after);
    }
}

#[test]
fn our_own_book_exported_to_edax_has_our_values_in_whole_discs() {
    let mut book = filled(2, 30, 60);
    book.settle(&mut fixed_search).unwrap();
    let snapshot = book.snapshot().unwrap();
    let mut bytes = Vec::new();
    snapshot.export_edax(&EdaxHeader::new(2000, [1, 1, 0, 0, 0]), &mut bytes, &mut |_, _| true).unwrap();
    let (header, positions) = parsed(&bytes);
    assert_eq!(header.n_nodes as usize, positions.len());
    for position in positions.values() {
        let value = snapshot.value(&position.board).unwrap().unwrap();
        assert!((f32::from(position.value) - value.discs()).abs() <= 0.5, "{position:?}");
        // Edax follows links without checking that their position exists.
        for link in &position.links {
            let after = match link.square {
                EdaxLink::PASS => position.board.pass(),
                square => position.board.play(othello::Square::new(square)).unwrap(),
            };
            let child = &positions[&after.canonical()];
            assert_eq!(child.value, -i16::from(link.score));
        }
        let best = position.links.iter().chain([&position.leaf]).map(|link| i16::from(link.score)).max();
        assert_eq!(best, Some(position.value), "{position:?}");
    }
}

#[test]
fn truncated_and_foreign_edax_books_change_nothing() {
    let bytes = edax_book(1, 5);
    let mut book = filled(1, 2, 10);
    let before = content(&book);
    for (length, expected) in [
        (0, EdaxError::NotABook),
        (7, EdaxError::NotABook),
        (20, EdaxError::Truncated(0)),
        (HEADER_BYTES + 5, EdaxError::Truncated(1)),
    ] {
        let error = book.import_edax(&bytes[..length], &mut |_, _| true).unwrap_err();
        assert!(matches!(&error, BookError::Edax(error) if *error == expected), "{error}");
    }
    let mut newer = bytes;
    newer[8] = 5;
    let error = book.import_edax(&newer[..], &mut |_, _| true).unwrap_err();
    assert!(matches!(error, BookError::Edax(EdaxError::Version(5))));
    assert_eq!(content(&book), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_to_an_edax_book_makes_the_import_panic(places in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20)) {
        let mut bytes = edax_book(3, 6);
        for (place, byte) in places {
            let place = HEADER_BYTES + place % (bytes.len() - HEADER_BYTES);
            bytes[place] = byte;
        }
        let mut book = new_book();
        if book.import_edax(&bytes[..], &mut |_, _| true).is_ok() {
            checked(&book);
            let mut exported = Vec::new();
            book.snapshot().unwrap().export_edax(&EdaxHeader::new(2000, [1, 1, 0, 0, 0]), &mut exported, &mut |_, _| true).unwrap();
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_lines_panic(text in "\\PC*") {
        json_lines::read(text.as_bytes()).for_each(drop);
    }
}
