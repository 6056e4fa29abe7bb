//! The tree around a position, compared with all lines of the book.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::tree::{Branch, Tree, TreeOptions};
use crate::{Book, Destination, Finding, Leaf, Snapshot};
use engine::Estimate;
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Color, Position, Rules, squares};
use records::opening_names;

use super::samples::{filled, finding, fixed_search, new_book, positions};

#[derive(Clone, PartialEq, Debug)]
struct DrawnLine {
    share: f64,
    /// For Black, in hundredths of a disc.
    value: i32,
    to: Destination,
    games: u32,
    opening: Option<&'static str>,
    color: Color,
    /// The number of moves after it in the book.
    next: usize,
}

/// A line by its positions up to symmetry.
type Lines = BTreeMap<Vec<Board>, DrawnLine>;

/// All lines up to a number of plies, found by trying every move; returns how many moves the position has.
fn slow_lines(
    book: &Snapshot,
    position: Position,
    share: f64,
    path: &[Board],
    plies: usize,
    lines: &mut Lines,
) -> usize {
    let board = position.board;
    let found = book.lookup(&board).unwrap();
    let mut moves: BTreeMap<Board, (f64, DrawnLine)> = BTreeMap::new();
    for square in squares(board.moves()) {
        let after = position.play(square).unwrap();
        let next = book.lookup(&after.board).unwrap();
        let leaf = found.map(|found| found.leaf);
        let (value, to) = match (book.value(&after.board).unwrap(), leaf) {
            (Some(value), _) if after.board.is_over() => (-value, Destination::End),
            (Some(value), _) => (-value, Destination::Book),
            (None, Some(Leaf::Best { square: best, value })) if best == square => (value, Destination::Leaf),
            _ => continue,
        };
        let black = if position.turn == Color::Black { value } else { -value };
        let line = DrawnLine {
            share,
            value: (black.discs() * 100.0).round() as i32,
            to,
            games: next.map_or(0, |next| next.games),
            opening: opening_names::of_position(&after).map(|opening| opening.name),
            color: position.turn,
            next: 0,
        };
        let weight = (-f64::from((found.unwrap().value - value).discs().max(0.0))).exp();
        moves.entry(after.board.canonical()).or_insert((0.0, line)).0 += weight;
    }
    let has_games = moves.values().any(|(_, line)| line.games > 0);
    let weight = |(weight, line): &(f64, DrawnLine)| if has_games { f64::from(line.games) } else { *weight };
    let total: f64 = moves.values().map(weight).sum();
    for (after, found) in moves.iter().filter(|_| path.len() < plies) {
        let mut line = found.1.clone();
        line.share *= weight(found) / total;
        let path: Vec<Board> = path.iter().copied().chain([*after]).collect();
        if line.to == Destination::Book {
            let after = Position { board: *after, turn: !position.turn };
            let after = if after.board.must_pass() { after.pass() } else { after };
            line.next = slow_lines(book, after, line.share, &path, plies, lines);
        }
        lines.insert(path, line);
    }
    moves.len()
}

fn drawn_lines(position: Position, branches: &[Branch], path: &[Board], lines: &mut Lines) {
    assert!(branches.is_sorted_by(|one, other| one.share >= other.share));
    for branch in branches {
        assert_eq!(branch.color, position.turn);
        let after = position.play(branch.square.square).unwrap();
        let path: Vec<Board> = path.iter().copied().chain([after.board.canonical()]).collect();
        let after = if after.board.must_pass() { after.pass() } else { after };
        drawn_lines(after, &branch.branches, &path, lines);
        let value = match branch.value {
            Estimate::Solved(score) => score.discs() * 100,
            Estimate::Discs { hundredths } => hundredths,
            other => panic!("{other:?}"),
        };
        let Branch { share, to, games, opening, color, .. } = *branch;
        let line = DrawnLine { share, value, to, games, opening, color, next: branch.left_out + branch.branches.len() };
        assert!(lines.insert(path, line).is_none(), "a line is there twice");
    }
}

fn compare(book: &Snapshot, position: Position, options: &TreeOptions) -> Tree {
    let tree = book.tree(&position, options).unwrap();
    let (mut slow, mut drawn) = (Lines::new(), Lines::new());
    let moves = slow_lines(book, position, 1.0, &[], options.plies, &mut slow);
    drawn_lines(tree.position, &tree.branches, &[], &mut drawn);
    assert_eq!(tree.left_out + tree.branches.len(), moves);
    assert_eq!(drawn.len(), slow.len().min(options.branches), "{options:?}");
    for (path, line) in &drawn {
        assert!((slow[path].share - line.share).abs() < 1e-12, "{line:?}");
        assert_eq!(DrawnLine { share: line.share, ..slow[path].clone() }, *line);
    }
    let largest = |lines: &Lines| {
        let mut shares: Vec<f64> = lines.values().map(|line| line.share).collect();
        shares.sort_by(|one, other| other.total_cmp(one));
        shares.truncate(options.branches);
        shares
    };
    assert!(largest(&drawn).iter().zip(largest(&slow)).all(|(one, other)| (one - other).abs() < 1e-12));
    tree
}

/// Trees of a book at its start and at its positions with this many discs, deep and shallow, large and small.
fn compare_trees(book: &Book, discs: u32) {
    let snapshot = book.snapshot().unwrap();
    compare(&snapshot, Position::start(), &TreeOptions { plies: 20, branches: usize::MAX, ..TreeOptions::default() });
    let later = positions(&snapshot).into_iter().filter(|found| found.board.disc_count() == discs);
    let later = later.map(|found| Position { board: found.board, turn: Color::White });
    for position in std::iter::once(Position::start()).chain(later) {
        for (plies, branches) in [(0, 5), (3, 1), (4, 10), (6, 40), (9, 2000)] {
            let tree = compare(&snapshot, position, &TreeOptions { plies, branches, ..TreeOptions::default() });
            let found = snapshot.lookup(&position.board).unwrap().unwrap();
            assert_eq!((tree.games, tree.position), (found.games, position));
        }
    }
}

#[test]
fn a_tree_has_the_lines_with_most_games() {
    let book = filled(8, 60, 12);
    compare_trees(&book, 7);
}

#[test]
fn a_tree_without_games_has_the_most_likely_lines() {
    let mut book = new_book();
    let plan = super::plans::deviation(8.0);
    book.extend(&plan, 150, &mut fixed_search, &mut |_| true).unwrap();
    compare_trees(&book, 8);
}

#[test]
fn a_tree_of_late_positions_passes_and_ends() {
    let book = filled(4, 30, 60);
    let snapshot = book.snapshot().unwrap();
    let (mut passes, mut ends) = (0, 0);
    for found in positions(&snapshot).into_iter().filter(|found| found.board.empty_count() == 5) {
        let position = Position { board: found.board, turn: Color::Black };
        let tree = compare(&snapshot, position, &TreeOptions { branches: usize::MAX, ..TreeOptions::default() });
        let mut branches: Vec<&Branch> = tree.branches.iter().collect();
        while let Some(branch) = branches.pop() {
            ends += usize::from(branch.to == Destination::End);
            passes += branch.branches.iter().filter(|next| next.color == branch.color).count();
            branches.extend(&branch.branches);
        }
    }
    assert!(passes > 0 && ends > 0, "{passes} passes, {ends} ends");
}

#[test]
fn a_tree_is_the_same_for_both_sides_but_for_the_sign_of_its_values() {
    let book = filled(9, 20, 10);
    let snapshot = book.snapshot().unwrap();
    let tree = |perspective| {
        let options = TreeOptions { perspective, temperature: Value::from_discs(2.0), ..TreeOptions::default() };
        snapshot.tree(&Position::start(), &options).unwrap()
    };
    let (black, white) = (tree(Color::Black), tree(Color::White));
    assert_eq!(tree(Color::Black), black);
    let negated = |estimate: Option<Estimate>| match estimate {
        Some(Estimate::Discs { hundredths }) => Some(Estimate::Discs { hundredths: -hundredths }),
        other => other,
    };
    assert_eq!(negated(black.value), white.value);
    assert_eq!(negated(Some(black.branches[0].value)), Some(white.branches[0].value));
    assert_eq!(black.branches[0].square.to_string(), "f5");
    assert_eq!((black.branches[0].share, white.branches[0].share), (1.0, 1.0));
}

#[test]
fn a_tree_outside_of_the_book_has_the_moves_that_lead_back() {
    let mut book = new_book();
    let after = Board::start().play("f5".parse().unwrap()).unwrap();
    book.insert(&after, &finding(&after, &mut Random::new(1))).unwrap();
    let snapshot = book.snapshot().unwrap();
    let tree = snapshot.tree(&Position::start(), &TreeOptions::default()).unwrap();
    assert_eq!((tree.value, tree.branches.len()), (None, 1));
    assert_eq!(tree.branches[0].to, Destination::Book);
    let far = super::samples::boards(1, 1, 20).pop().unwrap();
    let tree = snapshot.tree(&Position { board: far, turn: Color::Black }, &TreeOptions::default()).unwrap();
    assert_eq!((tree.value, tree.branches.len(), tree.left_out), (None, 0, 0));
}

#[test]
fn moves_that_are_the_same_by_symmetry_share_a_branch() {
    // The first position in which some moves have an image and others have none.
    let images = |position: &Position| {
        let mut images = BTreeMap::new();
        for square in squares(position.board.moves()) {
            *images.entry(position.board.play(square).unwrap().canonical()).or_insert(0) += 1;
        }
        images
    };
    let mut waiting = VecDeque::from([Position::<Board>::start()]);
    let position = loop {
        let position = waiting.pop_front().unwrap();
        if images(&position).into_values().collect::<BTreeSet<_>>().len() > 1 {
            break position;
        }
        waiting.extend(squares(position.board.moves()).map(|square| position.play(square).unwrap()));
    };
    let mut book = new_book();
    let mut random = Random::new(3);
    let after = squares(position.board.moves()).map(|square| position.board.play(square).unwrap());
    for board in std::iter::once(position.board).chain(after) {
        let finding = Finding { games: 0, ..finding(&board, &mut random) };
        // Values that are near enough to each other for players to choose among.
        let value = Value::new(random.below(128) as i32);
        let leaf = Leaf::Best { square: finding.leaf.square().unwrap(), value };
        book.insert(&board, &Finding { leaf, ..finding }).unwrap();
    }
    let tree = compare(&book.snapshot().unwrap(), position, &TreeOptions { plies: 2, ..TreeOptions::default() });
    assert_eq!(tree.branches.len(), images(&position).len());
    let total: f64 = tree.branches.iter().map(|branch| branch.share).sum();
    assert!((total - 1.0).abs() < 1e-12);
}
