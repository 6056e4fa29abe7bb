//! Values are those of a full negamax after every change.

use std::cell::Cell;

use crate::{Book, BookError, BookPosition, Check, Effort, Finding, Leaf, Snapshot};
use evaluation::Value;
use othello::random::Random;
use othello::symmetry::transform_square;
use othello::{Board, Rules, Score, Square, squares};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use search::Selectivity;

use super::model::{Graph, Model};
use super::samples::{new_book, positions};

/// A change of the book. Numbers choose among what there is.
#[derive(Clone, Debug)]
enum Change {
    Insert { board: usize, symmetry: usize, finding: Choice },
    Remove { board: usize },
    SetLeaf { board: usize, finding: Choice },
    Merge { seed: u64, count: usize },
}

/// A finding about a position that is not known yet.
#[derive(Clone, Debug)]
struct Choice {
    square: usize,
    kind: u8,
    halves: i32,
    depth: u8,
    solved: bool,
}

impl Choice {
    fn finding(&self, board: &Board) -> Finding {
        let value = Value::new(self.halves * 64);
        let moves: Vec<Square> = squares(board.moves()).collect();
        let leaf = match self.kind {
            0 => Leaf::Covered,
            1 => Leaf::AtMost(value),
            _ => Leaf::Best { square: moves[self.square % moves.len()], value },
        };
        let empties = board.empty_count() as u8;
        let effort = match self.depth {
            depth @ ..8 => Effort::new(depth, Selectivity::LOWEST),
            _ => Effort::solving(empties),
        };
        let solved = self.solved.then_some(Score::new(self.halves as i8 / 2 * 2));
        Finding { leaf, effort, solved, games: u32::from(self.depth) }
    }
}

fn choices() -> impl Strategy<Value = Choice> {
    (0usize..20, 0u8..8, -12i32..=12, 0u8..10, proptest::bool::weighted(0.1))
        .prop_map(|(square, kind, halves, depth, solved)| Choice { square, kind, halves, depth, solved })
}

fn changes() -> impl Strategy<Value = Change> {
    let board = 0usize..1000;
    prop_oneof![
        8 => (board.clone(), 0usize..8, choices())
            .prop_map(|(board, symmetry, finding)| Change::Insert { board, symmetry, finding }),
        3 => board.clone().prop_map(|board| Change::Remove { board }),
        2 => (board, choices()).prop_map(|(board, finding)| Change::SetLeaf { board, finding }),
        1 => (any::<u64>(), 1usize..20).prop_map(|(seed, count)| Change::Merge { seed, count }),
    ]
}

/// The worlds: around the start, where symmetries and transpositions are frequent, and at the end, where passes are.
fn worlds() -> Vec<Graph> {
    let mut worlds = vec![Graph::after(Board::start(), 4, 120)];
    let mut random = Random::new(5);
    while worlds.len() < 12 {
        let mut board = Board::start();
        while !board.is_over() && board.empty_count() > 7 {
            if !board.can_move() {
                board = board.pass();
            }
            let moves: Vec<Square> = squares(board.moves()).collect();
            board = board.play(moves[random.below(moves.len())]).unwrap();
        }
        if board.can_move() {
            let world = Graph::after(board, 5, 120);
            if world.boards.len() > 40 {
                worlds.push(world);
            }
        }
    }
    worlds
}

fn turned(finding: &Finding, symmetry: usize) -> Finding {
    let leaf = match finding.leaf {
        Leaf::Best { square, value } => Leaf::Best { square: transform_square(square, symmetry), value },
        leaf => leaf,
    };
    Finding { leaf, ..*finding }
}

fn apply(change: &Change, book: &mut Book, model: &mut Model, graph: &Graph) {
    let present: Vec<Board> = model.nodes.keys().copied().collect();
    match change {
        Change::Insert { board, symmetry, finding } => {
            let board = graph.boards[board % graph.boards.len()];
            let finding = finding.finding(&board);
            let result = book.insert(&board.transformed(*symmetry), &turned(&finding, *symmetry));
            if model.insert(&board, &finding, graph) {
                result.unwrap();
            } else {
                assert!(matches!(result, Err(BookError::NoValue(_))), "{result:?}");
            }
        }
        Change::Remove { board } => {
            let board = graph.boards[board % graph.boards.len()];
            assert_eq!(book.remove(&board).unwrap(), model.remove(&board, graph));
        }
        Change::SetLeaf { board, finding } if !present.is_empty() => {
            let board = present[board % present.len()];
            let Finding { leaf, effort, .. } = finding.finding(&board);
            if leaf != Leaf::Covered {
                book.update(|editor| editor.set_leaf(&board, leaf, effort)).unwrap();
                model.set_leaf(&board, leaf, effort, graph);
            }
        }
        Change::Merge { seed, count } => {
            let mut random = Random::new(*seed);
            let (mut other, mut other_model) = (new_book(), Model::default());
            for _ in 0..*count {
                let board = graph.boards[random.below(graph.boards.len())];
                let choice = Choice {
                    square: random.below(20),
                    kind: random.below(8) as u8,
                    halves: random.below(25) as i32 - 12,
                    depth: random.below(10) as u8,
                    solved: random.below(10) == 0,
                };
                let finding = choice.finding(&board);
                if other_model.insert(&board, &finding, graph) {
                    other.insert(&board, &finding).unwrap();
                }
            }
            compare(&other.snapshot().unwrap(), &other_model, graph);
            book.merge(&other.snapshot().unwrap(), None, &mut |_| true).unwrap();
            model.merge(&other_model, graph);
        }
        Change::SetLeaf { .. } => {}
    }
}

fn compare(snapshot: &Snapshot, model: &Model, graph: &Graph) {
    let worths = model.worths(graph);
    let positions: Vec<BookPosition> = positions(snapshot);
    assert_eq!(positions.len(), model.nodes.len());
    for position in positions {
        let board = position.board;
        let (node, worth) = (model.nodes[&board], worths[&board]);
        assert_eq!(
            (position.value, position.is_exact, position.is_open),
            (worth.value, worth.is_exact, worth.is_open),
            "{position:?} {node:?}"
        );
        assert_eq!((position.effort, position.games), (node.effort, node.games), "{position:?} {node:?}");
        assert_eq!(position.is_solved, node.solved.is_some());
        assert_eq!(position.leaf.value(), node.leaf.value(), "{position:?} {node:?}");
        // Of moves that are the same up to symmetry, either may be named.
        let target = |leaf: Leaf| leaf.square().map(|square| board.play(square).unwrap().canonical());
        assert_eq!(target(position.leaf), target(node.leaf), "{position:?} {node:?}");
    }
}

#[test]
fn values_equal_a_full_negamax_after_each_of_ten_thousand_changes() {
    let worlds = worlds();
    let [made, transpositions, passes, open] = [const { Cell::new(0u64) }; 4];
    let config = Config { cases: 110, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let strategy = (0..worlds.len(), prop::collection::vec(changes(), 1..=200));
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let result = runner.run(&strategy, |(world, changes)| {
        let graph = &worlds[world];
        let (mut book, mut model) = (new_book(), Model::default());
        let mut last = Check::default();
        for (index, change) in changes.iter().enumerate() {
            apply(change, &mut book, &mut model, graph);
            let snapshot = book.snapshot().unwrap();
            compare(&snapshot, &model, graph);
            made.set(made.get() + 1);
            if index % 20 == 0 {
                last = snapshot.check(&mut |_| true).unwrap();
                assert!(last.is_sound(), "{:?}", last.faults);
            }
        }
        transpositions.set(transpositions.get() + last.transpositions);
        passes.set(passes.get() + last.passes);
        open.set(open.get() + last.open);
        Ok(())
    });
    result.unwrap();
    assert!(made.get() >= 10_000, "{made:?}");
    assert!(transpositions.get() > 100, "{transpositions:?}");
    assert!(passes.get() > 100, "{passes:?}");
    assert!(open.get() > 10, "{open:?}");
}
