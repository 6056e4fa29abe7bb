//! A position whose first move has been searched, so that the others can be searched by anybody.

use othello::{Rules, Square};

use super::message::{MoveSearch, MoveSearchName};
use crate::player::evaluation::IndexedBoard;
use crate::player::parallel::link::PartyNumber;
use crate::player::search::Node;

/// A move after the first, and how it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Brother {
    pub(crate) square: Square,
    /// Its number in the order of moves, from 1.
    pub(crate) number: u64,
    /// With a null window first; with the whole window if that failed high.
    pub(crate) is_scout: bool,
}

/// A brother with the window of its search, for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Assignment {
    pub(crate) brother: Brother,
    pub(crate) low: i32,
    pub(crate) high: i32,
}

/// The position.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) number: u32,
    pub(crate) position: IndexedBoard,
    pub(crate) node: Node,
    pub(crate) depth: u32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The best value so far, and its move.
    pub(crate) best: (i32, Option<(Square, u64)>),
    /// Moves that no party searches yet; the next is the last.
    pub(crate) free: Vec<Brother>,
    /// Moves that others search.
    pub(crate) given: Vec<(PartyNumber, Assignment)>,
}

impl Split {
    /// Whether a move reached beta: the others do not matter.
    pub(crate) fn is_cut(&self) -> bool {
        self.best.0 >= self.beta
    }

    /// The next move to be searched, with its window.
    pub(crate) fn take(&mut self) -> Option<Assignment> {
        if self.is_cut() {
            return None;
        }
        let brother = self.free.pop()?;
        let low = self.alpha.max(self.best.0);
        Some(Assignment { brother, low, high: if brother.is_scout { low + 1 } else { self.beta } })
    }

    /// The next move for another party.
    pub(crate) fn give(&mut self, to: PartyNumber, iteration: u32) -> Option<MoveSearch> {
        let assignment = self.take()?;
        self.given.push((to, assignment));
        let square = assignment.brother.square;
        let board = self.position.board.after(square, self.position.board.flips(square));
        let node = self.node.next();
        Some(MoveSearch {
            name: self.name(square),
            iteration,
            player: board.player,
            opponent: board.opponent,
            ply: node.ply as u8,
            side: node.side as u8,
            parity: (node.parity.own, node.parity.other),
            may_cut: node.may_cut,
            depth: self.depth - 1,
            alpha: -assignment.high,
            beta: -assignment.low,
        })
    }

    /// The name under which a move is given to others.
    pub(crate) fn name(&self, square: Square) -> MoveSearchName {
        MoveSearchName { split: self.number, square: square.index() as u8 }
    }

    /// Takes a move back from the party that had it.
    pub(crate) fn take_back(&mut self, from: PartyNumber, square: u8) -> Option<Assignment> {
        let place = self.given.iter().position(|(party, assignment)| {
            *party == from && assignment.brother.square.index() == usize::from(square)
        })?;
        Some(self.given.remove(place).1)
    }

    /// A move has this value, found with this window.
    pub(crate) fn record(&mut self, assignment: Assignment, value: i32) {
        let Assignment { brother, low, .. } = assignment;
        if brother.is_scout && value > low && value < self.beta {
            // It is better than what was known when it began: how good is it?
            self.free.push(Brother { is_scout: false, ..brother });
        } else if value > self.best.0 {
            self.best = (value, Some((brother.square, brother.number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, squares};

    use super::*;
    use crate::player::parity::Parity;

    #[test]
    fn a_move_that_fails_high_is_searched_again_and_a_cutoff_leaves_nothing_to_do() {
        let board = Board::start();
        let brother = |(number, square)| Brother { square, number, is_scout: true };
        let free: Vec<_> = (2..).zip(squares(board.moves()).skip(1)).map(brother).collect();
        let node = Node { ply: 0, side: 0, parity: Parity::default(), may_cut: true };
        let position = IndexedBoard::of(board);
        let best = (10, None);
        let mut split = Split { number: 7, position, node, depth: 5, alpha: -50, beta: 90, best, free, given: vec![] };
        let own = split.take().unwrap();
        assert_eq!((own.low, own.high), (10, 11));
        let job = split.give(3, 6).unwrap();
        assert_eq!((job.alpha, job.beta, job.depth, job.iteration, job.side), (-11, -10, 4, 6, 1));
        split.record(own, 40);
        let again = split.take().unwrap();
        assert_eq!((again.brother.square, again.low, again.high), (own.brother.square, 10, 90));
        split.record(again, 30);
        assert_eq!(split.best, (30, Some((own.brother.square, own.brother.number))));
        assert_eq!(split.take_back(2, job.name.square), None, "another party has it");
        let given = split.take_back(3, job.name.square).unwrap();
        split.record(given, 95);
        assert!(split.is_cut() && split.take().is_none() && !split.free.is_empty());
    }
}
