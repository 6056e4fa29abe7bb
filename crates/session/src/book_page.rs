//! The opening book of a page: what it knows about a position, and which moves of an analyzed game are in it.
//!
//! Which book that is, the program decides that serves the page; a page cannot name one. In WebAssembly there is none,
//! because a book is a file.

#[cfg(not(target_family = "wasm"))]
use book::Assessments;
#[cfg(not(target_family = "wasm"))]
use engine::DiscScale;
use engine::Progress;
use engine::analysis::Analyst;
use othello::{Position, Rules, Square};
use players::analysts::AnalystChoice;
use players::{MakeError, PlayableBoard};

pub(crate) use players::opening_book::OpeningBook;

use crate::job::Outcome;
use crate::study::BookPage;

/// What a book knows about a position.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn page<B: Rules>(book: &OpeningBook, position: &Position<B>) -> Outcome<BookPage> {
    reading::page(book, position)
}

/// What a book knows about a position.
#[cfg(target_family = "wasm")]
pub(crate) fn page<B: Rules>(book: &OpeningBook, _position: &Position<B>) -> Outcome<BookPage> {
    match *book {}
}

/// Values of the book for the moves of a position that are to be valued; empty where there is no book.
pub(crate) struct KnownMoves {
    #[cfg(not(target_family = "wasm"))]
    assessments: Assessments,
}

/// Looks up the moves of a position. A book that cannot be read has no values; the panel of the book shows the error.
pub(crate) fn known_moves<B: Rules>(book: Option<&OpeningBook>, board: &B) -> KnownMoves {
    #[cfg(not(target_family = "wasm"))]
    let assessments = book.and_then(|book| book.assessments(board).ok()).unwrap_or_default();
    #[cfg(target_family = "wasm")]
    let _ = (book, board);
    KnownMoves {
        #[cfg(not(target_family = "wasm"))]
        assessments,
    }
}

#[cfg(not(target_family = "wasm"))]
impl KnownMoves {
    /// Values of books and of the adviser are discs.
    const SCALE: DiscScale = DiscScale { points_per_disc: 1.0 };

    /// Reports the assessments of these moves, or of all moves if there are none here.
    pub(crate) fn tell(&self, moves: &[Square], told: &mut dyn FnMut(&Progress)) {
        let is_wanted =
            |known: &&Progress| moves.is_empty() || known.line.first().is_some_and(|square| moves.contains(square));
        self.assessments.moves().iter().filter(is_wanted).for_each(told);
    }

    /// The better founded of two assessments of a move: by a search and by the book.
    pub(crate) fn complete(&self, searched: &Progress) -> Progress {
        self.assessments.complete(searched.clone(), Self::SCALE)
    }
}

#[cfg(target_family = "wasm")]
impl KnownMoves {
    /// Reports nothing.
    pub(crate) fn tell(&self, _moves: &[Square], _told: &mut dyn FnMut(&Progress)) {}

    /// The assessment of the search.
    pub(crate) fn complete(&self, searched: &Progress) -> Progress {
        searched.clone()
    }
}

/// An analyst that says which moves are in the book, if there is one.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn analyst<B: PlayableBoard>(
    choice: &AnalystChoice,
    book: Option<&OpeningBook>,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    choice.analyst_with_book(players::registry::of_papers(), book)
}

/// The analyst itself, because there is no book.
#[cfg(target_family = "wasm")]
pub(crate) fn analyst<B: PlayableBoard>(
    choice: &AnalystChoice,
    _book: Option<&OpeningBook>,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    choice.analyst(players::registry::of_papers())
}

#[cfg(not(target_family = "wasm"))]
mod reading {
    use std::any::Any;

    use book::tree::TreeOptions;
    use book::{BookError, BookMove, Destination, Effort, Snapshot};
    use evaluation::Value;
    use othello::{Board, Position, Rules, Square, grouped_moves, squares, symmetric_moves};
    use records::opening_names;
    use report::words::{names, sentence};

    use super::OpeningBook;
    use crate::job::Outcome;
    use crate::study::{BookDestination, BookMoveView, BookPage};

    /// As much of the tree as a page has room for.
    const TREE: TreeOptions = TreeOptions {
        plies: 4,
        branches: 40,
        temperature: Value::new(Value::PER_DISC),
        perspective: othello::Color::Black,
    };

    /// What a book knows about a position in which somebody chooses a move.
    pub(super) fn page<B: Rules>(book: &OpeningBook, position: &Position<B>) -> Outcome<BookPage> {
        let board: &dyn Any = &position.board;
        let board = board.downcast_ref::<Board>().ok_or("there are books for the 8x8 board alone")?;
        let position = Position { board: *board, turn: position.turn };
        read(&book.snapshot(), &position).map_err(|error| sentence(&error))
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
