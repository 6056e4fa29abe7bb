//! Lines of play through the book.

use std::collections::BTreeSet;

use othello::{Board, Rules, Square};

use crate::key::Key;
use crate::position::Destination;
use crate::{BookError, Snapshot};

impl Snapshot {
    /// The best moves from a position on, as far as the book contains them; the last one may lead out of the book.
    /// Passes are left out.
    pub fn best_line(&self, board: &Board) -> Result<Vec<Square>, BookError> {
        let mut line = Vec::new();
        let mut board = *board;
        while let Some(best) = self.moves(&board)?.first().copied() {
            line.push(best.square);
            let Some(after) = after(&board, best.square).filter(|_| best.destination == Destination::Book) else {
                break;
            };
            board = after;
        }
        Ok(line)
    }

    /// Lines from a position that together go through every position of the book after it, better moves first; each
    /// line ends in the book. `visit` gets the moves of each, with the number of positions that the lines have gone
    /// through so far, and may stop.
    pub fn lines(&self, root: &Board, visit: &mut dyn FnMut(&[Square], u64) -> bool) -> Result<(), BookError> {
        let root = if root.must_pass() { root.pass() } else { *root };
        if self.lookup(&root)?.is_some() {
            let mut visited = BTreeSet::from([Key::of(&root).0]);
            self.lines_after(&root, &mut Vec::new(), &mut visited, visit)?;
        }
        Ok(())
    }

    /// The lines that continue this one; false if the visitor stopped.
    fn lines_after(
        &self,
        board: &Board,
        line: &mut Vec<Square>,
        visited: &mut BTreeSet<Key>,
        visit: &mut dyn FnMut(&[Square], u64) -> bool,
    ) -> Result<bool, BookError> {
        let mut is_last = true;
        for known in self.moves(board)? {
            if known.destination != Destination::Book {
                continue;
            }
            let Some(after) = after(board, known.square).filter(|after| visited.insert(Key::of(after).0)) else {
                continue;
            };
            is_last = false;
            line.push(known.square);
            let goes_on = self.lines_after(&after, line, visited, visit)?;
            line.pop();
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(!is_last || visit(line, visited.len() as u64))
    }
}

/// The position after a move in which a side chooses the next one, or in which the game is over.
fn after(board: &Board, square: Square) -> Option<Board> {
    let after = board.play(square)?;
    Some(if after.must_pass() { after.pass() } else { after })
}
