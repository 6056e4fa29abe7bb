//! Plans, extending, learning: what is added, in which order, and with how few searches.

use crate::planning::{Candidate, Plan, PlanRule};
use crate::{Book, EngineSearch, Leaf, LeafQuestion, LeafSearch, Pruning, Settled};
use control::Stop;
use evaluation::{HandMade, Value};
use othello::random::Random;
use othello::{Board, Rules, Square, squares};
use search::{HashTable, Iteration, Selectivity};

use super::samples::{checked, content, filled, fixed_search, new_book, positions};

pub(crate) fn deviation(discs: f32) -> Plan {
    deviation_by(discs, false)
}

fn deviation_by(discs: f32, one_side: bool) -> Plan {
    let (relative, absolute) = (Value::from_discs(discs), Value::from_discs(2.0 * discs));
    Plan { root: Board::start(), empties: 50, rule: PlanRule::Deviation { relative, absolute, one_side } }
}

/// The leaves within an error of best play, by following every line, with the least loss of each.
fn slow_deviations(book: &Book, discs: f32, one_side: bool) -> Vec<(i32, Board)> {
    let snapshot = book.snapshot().unwrap();
    let root = snapshot.lookup(&Board::start()).unwrap().unwrap().value;
    let (relative, absolute) = (Value::from_discs(discs), Value::from_discs(2.0 * discs));
    let mut found = std::collections::BTreeMap::new();
    let mut lines = vec![(Board::start(), 0, root, true, None)];
    while let Some((board, loss, center, is_root_side, deviated)) = lines.pop() {
        let Some(position) = snapshot.lookup(&board).unwrap() else { continue };
        let is_near = |value: Value| (value - center).parts().abs() <= absolute.parts();
        if position.is_exact || board.empty_count() < 50 || !is_near(position.value) {
            continue;
        }
        let other_deviated = deviated.is_some_and(|side| side != is_root_side);
        let is_allowed = |lost: i32| lost <= 0 || !other_deviated || !one_side;
        if let Leaf::AtMost(bound) = position.leaf {
            // Which of the moves is the best has to be searched.
            let lost = (position.value - bound).parts().max(0);
            if lost <= relative.parts() && is_near(bound) && is_allowed(lost) {
                let least = found.entry(board.canonical()).or_insert(i32::MAX);
                *least = (*least).min(loss + lost);
            }
        }
        for square in squares(board.moves()) {
            let after = board.play(square).unwrap();
            let value = match position.leaf {
                Leaf::Best { square: leaf, value } if leaf == square => Some(value),
                _ => snapshot.value(&after).unwrap().map(|value| -value),
            };
            let Some(value) = value else { continue };
            let lost = (position.value - value).parts();
            if lost > relative.parts() || !is_near(value) || !is_allowed(lost) {
                continue;
            }
            let deviated = if lost > 0 { Some(is_root_side) } else { deviated };
            if position.leaf.square() == Some(square) {
                let least = found.entry(board.canonical()).or_insert(i32::MAX);
                *least = (*least).min(loss + lost);
            } else {
                lines.push((after, loss + lost, -center, !is_root_side, deviated));
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().map(|(board, loss)| (loss, board)).collect();
    found.sort();
    found
}

#[test]
fn a_deviation_finds_every_leaf_within_its_error_and_the_least_loss_first() {
    let mut book = new_book();
    let mut random = Random::new(3);
    for round in 0..40 {
        let plan = deviation(4.0 + random.below(4) as f32);
        book.extend(&plan, u64::MAX, &mut fixed_search, &mut |step| step.added < 5).unwrap();
        for (discs, one_side) in [(0.0, false), (3.0, false), (5.0, false), (3.0, true), (6.0, true)] {
            let plan = deviation_by(discs, one_side);
            let candidates = book.snapshot().unwrap().candidates(&plan, usize::MAX).unwrap();
            let loss = |candidate: &Candidate| (candidate.loss.parts(), candidate.board.canonical());
            let mut found: Vec<_> = candidates.iter().map(loss).collect();
            assert!(found.is_sorted_by_key(|(loss, _)| *loss));
            found.sort();
            assert_eq!(found, slow_deviations(&book, discs, one_side), "round {round}, {discs} discs, {one_side}");
        }
    }
    checked(&book);
    assert!(book.snapshot().unwrap().count().unwrap() > 100);
}

#[test]
fn a_book_that_is_stopped_and_resumed_is_the_same_book() {
    let plan = deviation(8.0);
    let mut whole = new_book();
    whole.extend(&plan, 60, &mut fixed_search, &mut |_| true).unwrap();
    let mut parts = new_book();
    let mut random = Random::new(2);
    while parts.snapshot().unwrap().count().unwrap() < whole.snapshot().unwrap().count().unwrap() {
        // The search is stopped at any moment.
        let mut left = random.below(7);
        let mut stopping = |question: &LeafQuestion| {
            left = left.checked_sub(1)?;
            fixed_search(question)
        };
        parts.extend(&plan, u64::MAX, &mut stopping, &mut |_| true).unwrap();
    }
    assert_eq!(parts.settle(&mut fixed_search).unwrap(), Settled::Complete);
    assert_eq!(content(&parts), content(&whole));
}

#[test]
fn a_finished_extension_has_every_position_within_its_error() {
    let mut book = new_book();
    let (relative, absolute) = (Value::from_discs(12.0), Value::from_discs(64.0));
    let rule = PlanRule::Deviation { relative, absolute, one_side: false };
    let plan = Plan { root: Board::start(), empties: 56, rule };
    let extended = book.extend(&plan, u64::MAX, &mut fixed_search, &mut |_| true).unwrap();
    assert_eq!(extended.settled, Settled::Complete);
    // In every position that can be followed, each move that loses at most 12 discs leads to a position of the book.
    let snapshot = book.snapshot().unwrap();
    let mut lines = vec![Board::start()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(board) = lines.pop() {
        let position = snapshot.lookup(&board).unwrap().unwrap();
        if board.empty_count() < 56 || !seen.insert(board.canonical()) {
            continue;
        }
        for square in squares(board.moves()) {
            let after = board.play(square).unwrap();
            let known = snapshot.value(&after).unwrap().map(|value| -value);
            let value = match known {
                Some(value) => value,
                None => fixed_search(&LeafQuestion::unbounded(board, square.bit())).unwrap().value,
            };
            if position.value - value <= Value::from_discs(12.0) {
                assert!(known.is_some(), "{board:?} {square}");
                lines.push(after);
            }
        }
    }
    assert!(seen.len() > 30, "{}", seen.len());
}

#[test]
fn probabilities_of_all_ways_out_of_the_book_add_up_to_one() {
    let mut book = new_book();
    let rule = PlanRule::Popularity { temperature: Value::from_discs(2.0) };
    let plan = Plan { root: Board::start(), empties: 0, rule };
    let extended = book.extend(&plan, 80, &mut fixed_search, &mut |_| true).unwrap();
    assert_eq!((extended.added, extended.settled), (80, Settled::Stopped));
    let candidates = book.snapshot().unwrap().candidates(&plan, usize::MAX).unwrap();
    assert!(candidates.is_sorted_by(|one, other| one.probability >= other.probability));
    let total: f64 = candidates.iter().map(|candidate| candidate.probability).sum();
    // Some positions have no leaf because all their moves outside are worse than the best one.
    assert!(total > 0.5 && total < 1.0 + 1e-9, "{total}");
}

#[test]
fn searches_between_the_new_value_and_the_old_give_the_values_of_full_searches() {
    // All values are those of a fixed search, so that full searches and bounded ones must agree.
    let mut book = new_book();
    let mut questions = 0;
    let mut search = |question: &LeafQuestion| {
        questions += 1;
        let answer = fixed_search(question)?;
        Some(crate::LeafAnswer { value: answer.value.clamp(question.above, question.up_to), ..answer })
    };
    book.extend(&deviation(8.0), 150, &mut search, &mut |_| true).unwrap();
    let work = book.work();
    assert!(work.searches < work.full_searches, "{work:?}");
    let snapshot = book.snapshot().unwrap();
    let positions: Vec<_> = positions(&snapshot);
    for position in positions.iter().filter(|position| !position.is_open) {
        let moves = position.board.moves();
        let is_outside = |square: &Square| snapshot.value(&position.board.play(*square).unwrap()).unwrap().is_none();
        let outside = squares(moves).filter(is_outside).fold(0, |set, square| set | square.bit());
        let known: Option<Value> = squares(moves & !outside)
            .filter_map(|square| snapshot.value(&position.board.play(square).unwrap()).unwrap())
            .map(|value| -value)
            .max();
        let full =
            (outside != 0).then(|| fixed_search(&LeafQuestion::unbounded(position.board, outside)).unwrap().value);
        assert_eq!(Some(position.value), known.max(full), "{position:?}");
    }
    assert_eq!(positions.len(), 150);
}

/// A search of four plies, which solves ten empty squares.
fn engine_search(threads: usize) -> (EngineSearch<HandMade>, Stop) {
    let tables = (0..threads).map(|_| HashTable::with_buckets(1 << 12).unwrap()).collect();
    let midgame = Iteration { depth: 4, selectivity: Selectivity::LOWEST };
    let stop = Stop::new();
    (EngineSearch::new(HandMade, tables, midgame, 10, stop.clone()), stop)
}

#[test]
fn a_book_is_the_same_whatever_number_of_threads_searches() {
    let book = |threads| {
        let mut book = new_book();
        let (mut search, _) = engine_search(threads);
        book.extend(&deviation(8.0), 300, &mut search, &mut |_| true).unwrap();
        checked(&book);
        assert_eq!(book.snapshot().unwrap().count().unwrap(), 300);
        content(&book)
    };
    let expected = book(1);
    assert_eq!(book(3), expected);
}

#[test]
fn a_stopped_search_of_several_positions_leaves_out_those_that_need_the_missing_ones() {
    for answered in 0..20 {
        let mut book = new_book();
        let boards = super::samples::boards(answered, 1, 20);
        let mut left = answered;
        let mut stopping = |question: &LeafQuestion| {
            left = left.checked_sub(1)?;
            fixed_search(question)
        };
        let added = book.add_all(&boards, &mut stopping).unwrap();
        assert_eq!(added.settled == Settled::Complete, added.added == boards.len() as u64);
        // Each value is at least that of every move outside of the book.
        let snapshot = book.snapshot().unwrap();
        for position in positions(&snapshot).into_iter().filter(|position| !position.is_open) {
            for square in squares(position.board.moves()) {
                let after = position.board.play(square).unwrap();
                if snapshot.value(&after).unwrap().is_none() {
                    let answer = fixed_search(&LeafQuestion::unbounded(position.board, square.bit())).unwrap();
                    assert!(answer.value <= position.value, "{position:?} {square}");
                }
            }
        }
    }
}

#[test]
fn the_engine_finds_the_values_of_its_searches_and_solves_endings() {
    let (mut search, stop) = engine_search(1);
    let mut book = new_book();
    let mut random = Random::new(6);
    let mut board = Board::start();
    let mut moves = Vec::new();
    while !board.is_over() {
        if board.must_pass() {
            board = board.pass();
        }
        let legal: Vec<Square> = squares(board.moves()).collect();
        moves.push(legal[random.below(legal.len())]);
        board = board.play(moves[moves.len() - 1]).unwrap();
    }
    let learned = book.learn(&Board::start(), &moves, 60, &mut search, None).unwrap();
    assert_eq!((learned.settled, learned.added), (Settled::Complete, moves.len() as u64));
    let again = book.learn(&Board::start(), &moves, 60, &mut search, None).unwrap();
    assert_eq!(again.added, 0);
    checked(&book);
    let snapshot = book.snapshot().unwrap();
    let mut exact = 0;
    for position in positions(&snapshot) {
        assert_eq!(position.games, 2);
        if position.board.empty_count() <= 10 {
            assert!(position.is_exact);
            let score = search::negamax::score(&position.board);
            assert_eq!(position.value, Value::of_score(score), "{position:?}");
            exact += 1;
        }
    }
    assert!(exact >= 9, "{exact}");
    // A stop flag that is set ends everything.
    stop.set();
    assert!(search.search(&LeafQuestion::unbounded(Board::start(), Board::start().moves())).is_none());
}

#[test]
fn pruning_keeps_values_and_removes_what_cannot_be_reached() {
    let mut book = filled(5, 40, 25);
    book.settle(&mut fixed_search).unwrap();
    let stray = super::samples::boards(77, 1, 40).pop().unwrap();
    book.insert(&stray, &super::samples::finding(&stray, &mut Random::new(1))).unwrap();
    let value = |book: &Book| book.lookup(&Board::start()).unwrap().unwrap().value;
    let before = value(&book);
    let pruned = book.prune(&Pruning::default(), &mut |_, _| true).unwrap();
    assert!(pruned.removed >= 1 && book.lookup(&stray).unwrap().is_none());
    assert_eq!(pruned.kept, book.snapshot().unwrap().count().unwrap());
    for pruning in [
        Pruning { discs: Some(20), ..Pruning::default() },
        Pruning { loss: Some(Value::from_discs(8.0)), ..Pruning::default() },
        Pruning { loss: Some(Value::EVEN), ..Pruning::default() },
    ] {
        let pruned = book.prune(&pruning, &mut |_, _| true).unwrap();
        assert!(pruned.removed > 0, "{pruning:?}");
        assert_eq!(value(&book), before);
        assert_eq!(checked(&book).positions, pruned.kept);
    }
}

#[test]
fn merging_an_earlier_stage_of_a_book_into_it_changes_nothing() {
    let plan = deviation(4.0);
    let mut book = new_book();
    book.add(&Board::start(), &mut fixed_search).unwrap();
    book.extend(&plan, 20, &mut fixed_search, &mut |_| true).unwrap();
    let mut earlier = new_book();
    earlier.merge(&book.snapshot().unwrap(), None, &mut |_| true).unwrap();
    book.extend(&plan, 60, &mut fixed_search, &mut |_| true).unwrap();
    let before = content(&book);
    let merged = book.merge(&earlier.snapshot().unwrap(), None, &mut |_| true).unwrap();
    assert_eq!((merged.new, merged.improved), (0, 0));
    assert!(content(&book) == before);
}
