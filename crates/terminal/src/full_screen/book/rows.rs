//! The table of moves: the book's entry for each, and the results of people.

use anyhow::Result;
use book::explorer::{Filter, Index, Tally};
use book::{Destination, Effort, Snapshot};
use engine::Estimate;
use evaluation::Value;
use othello::{Board, Position, Rules, Square, squares};
use records::opening_names;

/// The content of the book for a move of the position on the screen.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// The move. Of several that are the same by symmetry there is one.
    pub square: Square,
    /// Its value for the side to move.
    pub value: Worth,
    /// The position after it.
    pub way: Way,
    /// The search behind the value, if there was one.
    pub effort: Option<Effort>,
    /// Its probability among the moves of the book.
    pub share: f64,
    /// The games that the book has counted.
    pub games: u32,
    pub opening: Option<&'static str>,
    /// The games of people, for the side to move.
    pub people: Option<Tally>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Worth {
    Known(Estimate),
    /// No more than this: it was compared with the best move outside of the book.
    AtMost(Value),
    Unknown,
}

/// The position after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Book,
    End,
    Out,
}

impl Row {
    /// Whether another move leads to the same position by symmetry.
    pub(super) fn is_same(&self, board: &Board, square: Square) -> bool {
        let after = |square| board.play(square).map(|after| after.canonical());
        self.square == square || after(self.square) == after(square)
    }
}

/// All legal moves of a position: those with values first, the best first, then in reading order.
pub(super) fn rows(
    snapshot: &Snapshot,
    people: Option<&Index>,
    position: &Position,
    temperature: Value,
) -> Result<Vec<Row>> {
    let board = position.board;
    let found = snapshot.lookup(&board)?;
    let effort = |effort: Effort| Some(effort).filter(|effort| *effort != Effort::NONE);
    let opening = |square| {
        let after = position.play(square)?;
        opening_names::of_position(&after).map(|opening| opening.name)
    };
    let row = |square, value, way| {
        let (effort, share, games, opening, people) = (None, 0.0, 0, opening(square), None);
        Row { square, value, way, effort, share, games, opening, people }
    };
    let mut rows = Vec::new();
    for shared in snapshot.shared_moves(&board, temperature)? {
        let known = shared.known;
        let (way, effort) = match (known.destination, board.play(known.square)) {
            (Destination::Book, Some(after)) => {
                (Way::Book, snapshot.lookup(&after)?.and_then(|found| effort(found.effort)))
            }
            (Destination::Leaf, _) => (Way::Out, found.and_then(|found| effort(found.effort))),
            _ => (Way::End, None),
        };
        let row = row(known.square, Worth::Known(known.estimate()), way);
        rows.push(Row { effort, share: shared.share, games: known.games, ..row });
    }
    let bound = found.and_then(|found| found.leaf.value());
    for square in squares(board.moves()) {
        if rows.iter().any(|row: &Row| row.is_same(&board, square)) {
            continue;
        }
        rows.push(row(square, bound.map_or(Worth::Unknown, Worth::AtMost), Way::Out));
    }
    if let Some(index) = people {
        let answer = index.ask(position, &Filter::default())?;
        for row in &mut rows {
            let played = answer.moves.iter().find(|played| row.is_same(&board, played.square));
            row.people = Some(played.map_or_else(Tally::default, |played| played.tally));
        }
    }
    Ok(rows)
}
