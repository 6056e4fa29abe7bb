//! Building a book from games.

use std::collections::BTreeSet;

use evaluation::Value;
use othello::{Board, Rules, Square, squares};

use crate::Book;
use crate::error::{BookError, Result};
use crate::extending::{MAX_BATCH, Settled};
use crate::graph::{KnownMoves, Successor};
use crate::key::Key;
use crate::leaf_search::{LeafAnswer, LeafQuestion, LeafSearch};
use crate::planning::Extended;
use crate::position::Finding;
use crate::record::{Effort, Leaf};

impl Book {
    /// Adds a position with a search of all its moves that are not in the book, if it is not there yet.
    pub fn add(&mut self, board: &Board, search: &mut dyn LeafSearch) -> Result<Settled> {
        Ok(self.add_all(std::slice::from_ref(board), search)?.settled)
    }

    /// Adds positions that are not in the book yet, searched at the same time without their moves to each other. If the
    /// search is stopped, those enter the book that were searched, as far as they do not need the others.
    pub fn add_all(&mut self, boards: &[Board], search: &mut dyn LeafSearch) -> Result<Extended> {
        let mut new = BTreeSet::new();
        for board in boards {
            if !board.can_move() {
                return Err(BookError::NoMove(*board));
            }
            if self.lookup(board)?.is_none() {
                new.insert(Key::of(board).0);
            }
        }
        if new.is_empty() {
            // Without a transaction, which takes two syncs of the disk.
            return Ok(Extended { added: 0, settled: Settled::Complete });
        }
        let snapshot = self.snapshot()?;
        let mut questions = Vec::new();
        for key in &new {
            let board = key.board();
            let is_new = |square: Square| after(&board, square).is_some_and(|key| new.contains(&key));
            let known = KnownMoves::of(&snapshot.positions, &board)?;
            let moves = squares(known.outside).filter(|&square| !is_new(square));
            questions.push(LeafQuestion::unbounded(board, moves.fold(0, |set, square| set | square.bit())));
        }
        drop(snapshot);
        let asked: Vec<LeafQuestion> = questions.iter().filter(|question| question.moves != 0).copied().collect();
        let mut answers = search.search_all(&asked).into_iter();
        let answered: Vec<(Board, Option<Finding>)> =
            questions.iter().map(|question| (question.board, finding(question, &mut answers))).collect();
        let mut added = 0;
        self.update(|editor| {
            // Those with the most discs first: the others need them.
            for (board, finding) in answered.iter().rev() {
                let Some(finding) = finding else { continue };
                let mut needed =
                    squares(board.moves()).filter_map(|square| after(board, square)).filter(|key| new.contains(key));
                if needed.try_fold(true, |all, key| Ok::<_, BookError>(all && editor.has(&key)?))? {
                    editor.insert(board, finding)?;
                    added += 1;
                }
            }
            Ok(())
        })?;
        let settled = if added == new.len() as u64 { Settled::Complete } else { Settled::Stopped };
        Ok(Extended { added, settled })
    }

    /// Adds the positions of a game, up to the one after this many plies, and counts the game in each of them.
    ///
    /// The last positions enter first, so that only the alternatives to the moves that were played are searched. The
    /// result of the game does not matter: values are those of the searches, which solve the endings that they reach. The game is counted at the end, in one piece, together with a note of this
    /// name and content: a game that was interrupted can be learned again.
    pub fn learn(
        &mut self,
        start: &Board,
        moves: &[Square],
        plies: usize,
        search: &mut dyn LeafSearch,
        note: Option<(&str, &[u8])>,
    ) -> Result<Extended> {
        let boards = line(start, moves, plies);
        let last_first: Vec<Board> = boards.iter().rev().copied().collect();
        let mut added = 0;
        for batch in last_first.chunks(MAX_BATCH) {
            let extended = self.add_all(batch, search)?;
            added += extended.added;
            if extended.settled == Settled::Stopped {
                return Ok(Extended { added, ..extended });
            }
        }
        let settled = self.settle(search)?;
        if settled == Settled::Complete {
            let keys: BTreeSet<Key> = boards.iter().map(|board| Key::of(board).0).collect();
            self.update(|editor| {
                keys.iter().try_for_each(|key| editor.add_games(&key.board(), 1))?;
                note.map_or(Ok(()), |(name, content)| editor.set_note(name, content))
            })?;
        }
        Ok(Extended { added, settled })
    }
}

/// Result for a position, from the next answer if there are moves to search; `None` if that is missing.
fn finding(question: &LeafQuestion, answers: &mut impl Iterator<Item = Option<LeafAnswer>>) -> Option<Finding> {
    if question.moves != 0 {
        let LeafAnswer { square, value, effort } = answers.next()??;
        return Some(Finding::best(square, value.clamped(), effort));
    }
    // Its value is that of its moves.
    Some(Finding { leaf: Leaf::AtMost(Value::MIN), effort: Effort::NONE, solved: None, games: 0 })
}

/// The position of the next choice after this move.
fn after(board: &Board, square: Square) -> Option<Key> {
    match Successor::of(board, square) {
        Some(Successor::Position { key, .. }) => Some(key),
        _ => None,
    }
}

/// The positions of a game in which a side has a choice, up to this many plies or an illegal move.
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
