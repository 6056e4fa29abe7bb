//! A second, slow and simple implementation of the rules on an array of characters, to test the fast code against. It
//! shares no code with the fast implementation and is only useful for tests.

use alloc::vec;
use alloc::vec::Vec;

/// An Othello board of any shape as characters, with the side to move.
///
/// Columns and rows are counted from 0 at the top left. Every character is an ASCII byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReferenceBoard {
    side: usize,
    /// `X`, `O`, `-` for an empty square and ` ` where there is no square, row by row.
    cells: [[u8; 10]; 10],
    /// `X` or `O`.
    turn: u8,
}

/// A square as its column and row.
pub type Place = (usize, usize);

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The missing squares of the board called `cs221`.
const CUTS: [Place; 8] = [(4, 0), (5, 0), (0, 4), (9, 4), (0, 5), (9, 5), (4, 9), (5, 9)];

impl ReferenceBoard {
    /// The start of a game on the board called `8x8`, `6x6`, `4x4` or `cs221`.
    pub fn start(name: &str) -> Option<Self> {
        let side = match name {
            "8x8" => 8,
            "6x6" => 6,
            "4x4" => 4,
            "cs221" => 10,
            _ => return None,
        };
        let mut board = Self { side, cells: [[b' '; 10]; 10], turn: b'X' };
        board.cells[..side].iter_mut().for_each(|row| row[..side].fill(b'-'));
        if side == 10 {
            CUTS.into_iter().for_each(|place| board.put(place, b' '));
        }
        let (low, high) = (side / 2 - 1, side / 2);
        for (place, disc) in [((low, low), b'O'), ((high, low), b'X'), ((low, high), b'X'), ((high, high), b'O')] {
            board.put(place, disc);
        }
        Some(board)
    }

    /// The number of columns and rows of the board.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The side to move: `X` or `O`.
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// The content of a place: `X`, `O`, `-`, or ` ` where there is no square.
    pub fn at(&self, place: Place) -> u8 {
        self.cells[place.1][place.0]
    }

    /// Puts `X`, `O` or `-` on a square.
    pub fn put(&mut self, place: Place, character: u8) {
        self.cells[place.1][place.0] = character;
    }

    /// All squares of the board, row by row.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let board = *self;
        (0..board.side)
            .flat_map(move |row| (0..board.side).map(move |column| (column, row)))
            .filter(move |&place| board.at(place) != b' ')
    }

    fn next(&self, place: Place, direction: (i32, i32)) -> Option<Place> {
        let column = place.0 as i32 + direction.0;
        let row = place.1 as i32 + direction.1;
        let side = self.side as i32;
        if column < 0 || column >= side || row < 0 || row >= side {
            return None;
        }
        let next = (column as usize, row as usize);
        (self.at(next) != b' ').then_some(next)
    }

    fn next_to(&self, place: Place) -> impl Iterator<Item = Place> {
        DIRECTIONS.iter().filter_map(move |&direction| self.next(place, direction))
    }

    fn other(&self) -> u8 {
        if self.turn == b'X' { b'O' } else { b'X' }
    }

    /// The number of discs flipped in one direction by a move.
    fn run_length(&self, from: Place, direction: (i32, i32)) -> usize {
        let mut length = 0;
        let mut place = from;
        while let Some(next) = self.next(place, direction) {
            if self.at(next) == self.turn {
                return length;
            }
            if self.at(next) != self.other() {
                return 0;
            }
            length += 1;
            place = next;
        }
        0
    }

    /// The discs flipped by a move to an empty square; none if the move is illegal.
    pub fn flips(&self, to: Place) -> Vec<Place> {
        let mut flips = Vec::new();
        for direction in DIRECTIONS {
            let mut place = to;
            for _ in 0..self.run_length(to, direction) {
                if let Some(next) = self.next(place, direction) {
                    flips.push(next);
                    place = next;
                }
            }
        }
        flips
    }

    fn is_legal(&self, to: Place) -> bool {
        self.at(to) == b'-' && DIRECTIONS.iter().any(|&direction| self.run_length(to, direction) > 0)
    }

    /// The legal moves, row by row.
    pub fn moves(&self) -> Vec<Place> {
        self.places().filter(|&place| self.is_legal(place)).collect()
    }

    /// Whether there is a legal move.
    pub fn can_move(&self) -> bool {
        self.places().any(|place| self.is_legal(place))
    }

    /// The board after a move, with the other side to move, or `None` if the move is illegal.
    pub fn play(&self, to: Place) -> Option<Self> {
        if !self.is_legal(to) {
            return None;
        }
        let mut after = *self;
        after.put(to, self.turn);
        for flipped in self.flips(to) {
            after.put(flipped, self.turn);
        }
        after.turn = self.other();
        Some(after)
    }

    /// The same board with the other side to move.
    pub fn pass(&self) -> Self {
        Self { turn: self.other(), ..*self }
    }

    /// Whether the side to move has to pass.
    pub fn must_pass(&self) -> bool {
        !self.can_move() && self.pass().can_move()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        !self.can_move() && !self.pass().can_move()
    }

    /// The number of squares with this character.
    pub fn count(&self, character: u8) -> usize {
        self.places().filter(|&place| self.at(place) == character).count()
    }

    /// The disc difference seen from the side to move, the empty squares given to the winner.
    pub fn final_score(&self) -> i32 {
        let own = self.count(self.turn) as i32;
        let others = self.count(self.other()) as i32;
        let empties = self.count(b'-') as i32;
        if own > others {
            own + empties - others
        } else if own < others {
            own - (others + empties)
        } else {
            0
        }
    }

    /// The board with columns and rows swapped if bit 2 of `symmetry` is set, then turned upside
    /// down if bit 1 is, then mirrored left and right if bit 0 is.
    pub fn transformed(&self, symmetry: usize) -> Self {
        let mut image = *self;
        for row in 0..self.side {
            for column in 0..self.side {
                let (mut x, mut y) = (column, row);
                if symmetry & 4 != 0 {
                    (x, y) = (y, x);
                }
                if symmetry & 2 != 0 {
                    y = self.side - 1 - y;
                }
                if symmetry & 1 != 0 {
                    x = self.side - 1 - x;
                }
                image.cells[y][x] = self.cells[row][column];
            }
        }
        image
    }

    /// The connected regions of empty squares, in eight directions, in the order of their first squares.
    pub fn regions(&self) -> Vec<Vec<Place>> {
        let mut seen = [[false; 10]; 10];
        let mut regions = Vec::new();
        for start in self.places() {
            if self.at(start) != b'-' || seen[start.1][start.0] {
                continue;
            }
            seen[start.1][start.0] = true;
            let mut region = vec![start];
            let mut done = 0;
            while done < region.len() {
                for next in self.next_to(region[done]) {
                    if self.at(next) == b'-' && !seen[next.1][next.0] {
                        seen[next.1][next.0] = true;
                        region.push(next);
                    }
                }
                done += 1;
            }
            regions.push(region);
        }
        regions
    }

    /// The discs of the side to move that have an empty square next to them.
    pub fn frontier(&self) -> Vec<Place> {
        self.with_next_to_it(self.turn, b'-')
    }

    /// The empty squares that have a disc of the side not to move next to them.
    pub fn potential_moves(&self) -> Vec<Place> {
        self.with_next_to_it(b'-', self.other())
    }

    /// The number of empty squares next to each disc of the side not to move, summed over the discs.
    pub fn contacts(&self) -> usize {
        self.places()
            .filter(|&place| self.at(place) == self.other())
            .map(|place| self.next_to(place).filter(|&next| self.at(next) == b'-').count())
            .sum()
    }

    /// The squares with one character that are next to a square with another one.
    fn with_next_to_it(&self, character: u8, neighbor: u8) -> Vec<Place> {
        self.places()
            .filter(|&place| self.at(place) == character)
            .filter(|&place| self.next_to(place).any(|next| self.at(next) == neighbor))
            .collect()
    }

    /// The number of leaves at depth `depth`, where a game that ends earlier is one leaf. A pass counts as a ply, or
    /// not at all.
    pub fn perft(&self, depth: u32, pass_is_free: bool) -> u64 {
        if depth == 0 || self.is_over() {
            return 1;
        }
        if self.must_pass() {
            return self.pass().perft(if pass_is_free { depth } else { depth - 1 }, pass_is_free);
        }
        self.places().filter_map(|place| self.play(place)).map(|after| after.perft(depth - 1, pass_is_free)).sum()
    }
}
