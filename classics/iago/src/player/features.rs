//! Features updated incrementally instead of counted at every leaf (Rosenbloom 1982, 4.2.1: "incremental updating of
//! the evaluation function").
//!
//! These are the four edges as indices into the edge table and the sums of empty squares next to discs. Frontier discs
//! and their empty squares are counted with bitboards, which costs no more than updating them.

use othello::{Board, Rules, Square, squares};

use super::edge::{EDGE_LENGTH, Edge, PLACES};
use super::mobility;

/// The edges: top, left, right and bottom.
pub const EDGE_NUMBER: usize = 4;

/// The two sides of a search: the one to move at its root, and the other.
pub type Side = usize;

/// The other side.
#[inline]
pub const fn other(side: Side) -> Side {
    1 - side
}

/// A square of an edge by its number on the board: top a1 to h1, left a1 to a8, right h1 to h8, bottom a8 to h8.
pub(crate) const fn edge_square(edge: usize, place: usize) -> usize {
    match edge {
        0 => place,
        1 => 8 * place,
        2 => 8 * place + 7,
        _ => 56 + place,
    }
}

const EDGE_SQUARES: u64 = 0xff81_8181_8181_81ff;

/// For every square of the board, what a disc of the first side adds to the number of each edge.
const SHARES: [[u16; EDGE_NUMBER]; 64] = {
    let mut shares = [[0; EDGE_NUMBER]; 64];
    let mut edge = 0;
    while edge < EDGE_NUMBER {
        let mut place = 0;
        while place < EDGE_LENGTH {
            shares[edge_square(edge, place)][edge] = PLACES[place];
            place += 1;
        }
        edge += 1;
    }
    shares
};

/// The four edges of a board, seen from its side to move, each with its squares.
pub fn edges_of(board: &Board) -> [(Edge, [Square; EDGE_LENGTH]); EDGE_NUMBER] {
    std::array::from_fn(|number| {
        let squares = std::array::from_fn(|place| Square::new(edge_square(number, place) as u8));
        let mut edge = Edge::default();
        for (place, square) in squares.iter().enumerate() {
            edge.own |= u8::from(board.player & square.bit() != 0) << place;
            edge.other |= u8::from(board.opponent & square.bit() != 0) << place;
        }
        (edge, squares)
    })
}

/// A position with its incrementally updated features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// The discs of both sides.
    pub discs: [u64; 2],
    /// Whose turn it is.
    pub mover: Side,
    /// The edges as numbers of the edge table, seen from side 0.
    pub edges: [u16; EDGE_NUMBER],
    /// The empty squares next to each disc, summed over the discs of each side.
    pub contacts: [i32; 2],
}

impl Features {
    /// All of it, counted from the board; its side to move is side 0.
    pub fn of(board: &Board) -> Self {
        Self::counted([board.player, board.opponent], 0)
    }

    /// All of it, counted for these discs.
    pub fn counted(discs: [u64; 2], mover: Side) -> Self {
        let mut edges = [0; EDGE_NUMBER];
        for (side, digit) in [(0, 1), (1, 2)] {
            for square in squares(discs[side] & EDGE_SQUARES) {
                for (edge, share) in edges.iter_mut().zip(SHARES[square.index()]) {
                    *edge += digit * share;
                }
            }
        }
        let empties = !(discs[0] | discs[1]);
        let contacts = discs.map(|discs| mobility::contacts(discs, empties));
        Self { discs, mover, edges, contacts }
    }

    /// The board, seen from the side to move.
    #[inline]
    pub fn board(&self) -> Board {
        Board::new(self.discs[self.mover], self.discs[other(self.mover)])
    }

    /// The number of the last move: how many discs have been added to the first four, 1 to 60.
    #[inline]
    pub fn move_number(&self) -> i32 {
        move_number(&self.board())
    }

    /// Plays a move that flips these discs.
    #[inline]
    pub fn play(&mut self, square: Square, flips: u64) {
        let (own, victim) = (self.mover, other(self.mover));
        self.discs[own] ^= flips | square.bit();
        self.discs[victim] ^= flips;
        self.mover = victim;
        self.change_contacts(own, square, flips, 1);
        // A disc of side 0 adds its share once, one of side 1 twice.
        let (placed, flipped) = if own == 0 { (1, -1) } else { (2, 1) };
        self.change_edges(square, flips, placed, flipped);
    }

    /// Takes back the last move, which flipped these discs.
    #[inline]
    pub fn undo(&mut self, square: Square, flips: u64) {
        let (own, victim) = (other(self.mover), self.mover);
        self.change_contacts(own, square, flips, -1);
        let (placed, flipped) = if own == 0 { (-1, 1) } else { (-2, -1) };
        self.change_edges(square, flips, placed, flipped);
        self.discs[own] ^= flips | square.bit();
        self.discs[victim] ^= flips;
        self.mover = own;
    }

    /// Passes the turn to the other side; doing it twice changes nothing.
    #[inline]
    pub fn pass(&mut self) {
        self.mover = other(self.mover);
    }

    #[inline]
    fn change_edges(&mut self, square: Square, flips: u64, placed: i16, flipped: i16) {
        let mut add = |square: Square, times: i16| {
            for (edge, share) in self.edges.iter_mut().zip(SHARES[square.index()]) {
                *edge = edge.wrapping_add_signed(times * share as i16);
            }
        };
        if square.bit() & EDGE_SQUARES != 0 {
            add(square, placed);
        }
        for square in squares(flips & EDGE_SQUARES) {
            add(square, flipped);
        }
    }

    /// With the discs as they are after the move: the square is no longer empty, and the contacts of flipped discs have
    /// changed sides.
    #[inline]
    fn change_contacts(&mut self, own: Side, square: Square, flips: u64, times: i32) {
        let victim = other(own);
        let empties = !(self.discs[0] | self.discs[1]);
        let around = Board::neighbors(square.bit());
        let count = |set: u64| set.count_ones() as i32;
        // The neighbors lose this empty square; their colors are those before the flips.
        let before = [self.discs[own] & !flips & !square.bit(), self.discs[victim] | flips];
        let mut gain = [count(around & empties) - count(around & before[0]), -count(around & before[1])];
        let moved = mobility::contacts(flips, empties);
        gain[0] += moved;
        gain[1] -= moved;
        self.contacts[own] += times * gain[0];
        self.contacts[victim] += times * gain[1];
    }
}

/// The number of the last move on this board: 1 to 60, whatever its discs.
#[inline]
pub(crate) fn move_number(board: &Board) -> i32 {
    (board.disc_count() as i32 - 4).clamp(1, 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::samples::{boards, source};

    #[test]
    fn what_is_kept_up_to_date_is_what_counting_finds_along_random_moves_and_back() {
        let mut source = source(5);
        for start in boards(60, 4) {
            let mut features = Features::of(&start);
            let mut played = Vec::new();
            for _ in 0..200 {
                let goes_back = source.below(3) == 0;
                let board = features.board();
                if goes_back && let Some(last) = played.pop() {
                    match last {
                        Some((square, flips)) => features.undo(square, flips),
                        None => features.pass(),
                    }
                } else if board.can_move() {
                    let moves: Vec<Square> = squares(board.moves()).collect();
                    let square = moves[source.below(moves.len())];
                    let flips = board.flips(square);
                    features.play(square, flips);
                    played.push(Some((square, flips)));
                } else {
                    features.pass();
                    played.push(None);
                }
                assert_eq!(features, Features::counted(features.discs, features.mover));
            }
        }
    }

    #[test]
    fn edges_are_numbered_as_the_table_numbers_them() {
        for board in boards(200, 6) {
            let features = Features::of(&board);
            for ((edge, squares), number) in edges_of(&board).into_iter().zip(features.edges) {
                assert_eq!(edge.index(), usize::from(number), "{board:?}");
                assert!(squares.iter().all(|square| square.bit() & EDGE_SQUARES != 0));
            }
        }
    }

    #[test]
    fn the_number_of_a_move_stays_within_the_game() {
        assert_eq!(move_number(&Board::start()), 1);
        assert_eq!(move_number(&Board::new(0, 0)), 1);
        assert_eq!(move_number(&Board::new(u64::MAX, 0)), 60);
        assert_eq!(move_number(&Board::new(0x0f, 0xf0)), 4);
    }
}
