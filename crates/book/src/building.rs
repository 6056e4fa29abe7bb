//! Building a book from games.

use std::collections::BTreeSet;

use evaluation::Value;
use othello::{Board, Rules, Square};

use crate::key::Key;
use crate::leaf_search::LeafSearch;
use crate::position::Finding;
use crate::record::{Effort, Leaf};
use crate::settling::{Outside, Settled};
use crate::{Book, BookError};

/// What learning a game did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Learned {
    /// The positions that are new.
    pub added: u64,
    /// The positions of the game that are in the book now.
    pub positions: u64,
    /// Whether everything was searched. If not, the game was not counted.
    pub settled: Settled,
}

impl Book {
    /// Adds a position with a search of all its moves that are not in the book, if it is not there yet.
    pub fn add(&mut self, board: &Board, search: &mut dyn LeafSearch) -> Result<Settled, BookError> {
        if self.lookup(board)?.is_some() {
            return Ok(Settled::Complete);
        }
        if !board.can_move() {
            return Err(BookError::NoMove(*board));
        }
        match self.search_outside(board, search)? {
            Outside::Stopped => return Ok(Settled::Stopped),
            Outside::Found(board, answer) => {
                let finding = Finding::best(answer.square, answer.value.clamped(), answer.effort);
                self.insert(&board, &finding)?;
            }
            // Its value is that of its moves.
            Outside::Nothing => {
                let effort = Effort::solving(board.empty_count() as u8);
                let finding = Finding { leaf: Leaf::AtMost(Value::MIN), effort, solved: None, games: 0 };
                self.insert(board, &finding)?;
            }
        }
        Ok(Settled::Complete)
    }

    /// Adds the positions of a game, up to the one after this many plies, and counts the game in each of them.
    ///
    /// The last positions enter first, so that only the alternatives to the moves that were played are searched. How
    /// the game ended does not matter: the values are those of the searches, which solve the endings that they reach.
    /// The game is counted at the end, in one piece: a game that was interrupted can be learned again.
    pub fn learn(
        &mut self,
        start: &Board,
        moves: &[Square],
        plies: usize,
        search: &mut dyn LeafSearch,
    ) -> Result<Learned, BookError> {
        self.learn_with_note(start, moves, plies, search, None)
    }

    /// The same with a note of this name and content, which is written together with the count of the game: a caller
    /// who has many games to learn writes down how many of them are learned.
    pub fn learn_with_note(
        &mut self,
        start: &Board,
        moves: &[Square],
        plies: usize,
        search: &mut dyn LeafSearch,
        note: Option<(&str, &[u8])>,
    ) -> Result<Learned, BookError> {
        let boards = line(start, moves, plies);
        let mut learned = Learned { added: 0, positions: boards.len() as u64, settled: Settled::Complete };
        for board in boards.iter().rev() {
            let is_new = self.lookup(board)?.is_none();
            if self.add(board, search)? == Settled::Stopped {
                return Ok(Learned { settled: Settled::Stopped, ..learned });
            }
            learned.added += u64::from(is_new);
        }
        learned.settled = self.settle(search)?;
        if learned.settled == Settled::Complete {
            let keys: BTreeSet<Key> = boards.iter().map(|board| Key::of(board).0).collect();
            self.update(|editor| {
                keys.iter().try_for_each(|key| editor.add_games(&key.board(), 1))?;
                note.map_or(Ok(()), |(name, content)| editor.set_note(name, content))
            })?;
        }
        Ok(learned)
    }
}

/// The positions of a game in which somebody chooses a move, up to the one after this many plies. An illegal move ends
/// the game.
fn line(start: &Board, moves: &[Square], plies: usize) -> Vec<Board> {
    let mut board = *start;
    let mut boards = Vec::new();
    for index in 0..=plies.min(moves.len()) {
        if board.must_pass() {
            board = board.pass();
        }
        if !board.can_move() {
            break;
        }
        boards.push(board);
        let Some(after) = moves.get(index).and_then(|&square| board.play(square)) else { break };
        board = after;
    }
    boards
}
