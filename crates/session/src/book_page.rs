//! The opening book: its content for a position, and analysts that mark its moves.
//!
//! The program that serves a page chooses the book; a page cannot name one. In WebAssembly there is none, because a book
//! is a file.

use anyhow::Result;
use engine::analysis::Analyst;
#[cfg(not(target_family = "wasm"))]
use othello::BoardShape;
use othello::{Position, Rules};
use players::PlayableBoard;
use players::analysts::AnalystChoice;

pub(crate) use players::opening_book::OpeningBook;

use crate::study::BookPage;
use crate::workbench::Resources;

#[cfg(not(target_family = "wasm"))]
pub(crate) fn page<B: Rules>(book: &OpeningBook, position: &Position<B>) -> Result<BookPage> {
    reading::page(book, position)
}

#[cfg(target_family = "wasm")]
pub(crate) fn page<B: Rules>(book: &OpeningBook, _position: &Position<B>) -> Result<BookPage> {
    match *book {}
}

/// An analyst that marks the moves of the opening book, if there is one for the board.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn analyst<B: PlayableBoard>(choice: &AnalystChoice, resources: &Resources) -> Result<Box<dyn Analyst<B>>> {
    let has_book = resources.options.default_book && BoardShape::of::<B>() == BoardShape::Eight;
    let book = match &resources.book {
        _ if !has_book || choice.has_own_book() => None,
        Some(book) => Some(book.clone()),
        None => Some(OpeningBook::shipped()?),
    };
    Ok(choice.analyst_with_book(&resources.registry, book.as_ref())?)
}

#[cfg(target_family = "wasm")]
pub(crate) fn analyst<B: PlayableBoard>(choice: &AnalystChoice, resources: &Resources) -> Result<Box<dyn Analyst<B>>> {
    Ok(choice.analyst(&resources.registry)?)
}

#[cfg(not(target_family = "wasm"))]
mod reading {
    use std::any::Any;

    use anyhow::{Context, Result};
    use book::tree::TreeOptions;
    use book::{BookError, BookMove, Destination, Effort, Snapshot};
    use evaluation::Value;
    use othello::{Board, Position, Rules, Square, grouped_moves, squares, symmetric_moves};
    use records::opening_names;
    use report::words::names;

    use super::OpeningBook;
    use crate::study::{BookDestination, BookMoveView, BookPage};

    /// The part of the tree for which a page has room.
    const TREE: TreeOptions = TreeOptions {
        plies: 4,
        branches: 40,
        temperature: Value::new(Value::PER_DISC),
        perspective: othello::Color::Black,
    };

    pub(super) fn page<B: Rules>(book: &OpeningBook, position: &Position<B>) -> Result<BookPage> {
        let board: &dyn Any = &position.board;
        let board = board.downcast_ref::<Board>().context("opening books are for the 8x8 board only")?;
        let position = Position { board: *board, turn: position.turn };
        Ok(read(&book.snapshot(), &position)?)
    }

    fn read(snapshot: &Snapshot, position: &Position<Board>) -> Result<BookPage, BookError> {
        let board = &position.board;
        let found = snapshot.lookup(board)?;
        let mut known = snapshot.valued_moves(board)?;
        let groups = grouped_moves(board, known.iter().map(|known| known.square));
        known.retain(|known| groups.iter().any(|(first, _)| *first == known.square));
        let leaf_effort = found.map_or(Effort::NONE, |found| found.effort);
        let moves = known.iter().map(|known| move_view(snapshot, position, known, leaf_effort));
        let has_others = groups.len() < grouped_moves(board, squares(board.moves())).len();
        let at_most = found.and_then(|found| found.leaf.value()).filter(|_| has_others);
        let tree = snapshot.tree(position, &TREE)?;
        Ok(BookPage {
            in_book: found.is_some(),
            value: found.map(|found| found.estimate()),
            is_open: found.is_some_and(|found| found.is_open),
            games: found.map_or(0, |found| found.games),
            moves: moves.collect::<Result<_, _>>()?,
            others_at_most: at_most.map(|value| f64::from(value.discs())),
            line: names::<Board>(&snapshot.best_line(board)?),
            // It has only texts as keys and finite numbers.
            tree: serde_json::to_value(tree).unwrap_or_default(),
        })
    }

    fn names_of(squares: &[Square]) -> Vec<String> {
        squares.iter().map(ToString::to_string).collect()
    }

    fn move_view(
        snapshot: &Snapshot,
        position: &Position<Board>,
        known: &BookMove,
        leaf_effort: Effort,
    ) -> Result<BookMoveView, BookError> {
        let after = position.play(known.square);
        let (to, effort) = match (known.destination, &after) {
            (Destination::Book, Some(after)) => {
                let found = snapshot.lookup(&after.board)?;
                (BookDestination::Book, found.map_or(Effort::NONE, |found| found.effort))
            }
            (Destination::Leaf, _) => (BookDestination::Leaf, leaf_effort),
            _ => (BookDestination::End, Effort::NONE),
        };
        let searched = Some(effort).filter(|&effort| effort != Effort::NONE);
        Ok(BookMoveView {
            square: known.square.to_string(),
            symmetric_moves: names_of(&symmetric_moves(&position.board, known.square)),
            value: known.estimate(),
            to,
            depth: searched.map(|effort| effort.depth),
            selectivity: searched.map(|effort| effort.selectivity.percent()),
            games: known.games,
            opening: after.and_then(|after| opening_names::of_position(&after)).map(|opening| opening.name.to_owned()),
        })
    }
}
