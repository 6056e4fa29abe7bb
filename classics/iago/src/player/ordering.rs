//! Move ordering: two fixed orders and two killer tables (Rosenbloom 1982, 4.2.1, Table 4.1).

use othello::{Color, Square, squares};

/// The move ordering where the search tree is not saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// The "natural" order of move generation: left to right, top to bottom.
    MoveGeneration,
    /// By the "value" of the squares: corners first.
    SquareValue,
    /// A killer table by side to move and move number.
    MoveNumber,
    /// The response killer table: by the last move and the side that made it.
    #[default]
    Response,
}

/// Gain of a legal response: "a small amount".
const SMALL: u32 = 1;
/// Gain of a response that is best or causes a cutoff: "a large amount".
const LARGE: u32 = 16;

/// The slot of the killer table for positions in which the side to move answers no move: the first of a game, and
/// after a pass.
const NO_MOVE: usize = 64;

const SLOTS: usize = 65;

/// The context of a node, for looking up killers.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The side to move.
    pub color: Color,
    /// The move that is answered, if there is one.
    pub answered: Option<Square>,
    /// The number of the last move.
    pub move_number: i32,
}

/// The moves of a position in the order in which they are tried.
#[derive(Clone, Copy, Debug)]
pub struct MoveList {
    squares: [Square; 64],
    length: usize,
}

impl MoveList {
    /// The moves.
    #[inline]
    pub fn as_slice(&self) -> &[Square] {
        &self.squares[..self.length]
    }
}

/// The rank of each square in the fixed order by value, from the corners (0) to the X-squares.
///
/// The paper says only "corner squares are first". The ranks follow the values that it gives to edges (Table 4.2)
/// and the order of the weighted-square strategy for the rest.
const SQUARE_RANKS: [u8; 64] = {
    const QUARTER: [[u8; 4]; 4] = [[0, 7, 1, 2], [7, 8, 6, 5], [1, 6, 3, 4], [2, 5, 4, 4]];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        ranks[square] = QUARTER[row][column];
        square += 1;
    }
    ranks
};

/// The killer ratings, for a whole game.
#[derive(Clone, Debug)]
pub struct Ordering {
    heuristic: Heuristic,
    /// `[color][slot][response]`, a slot for each move that can be answered or for each move number.
    ratings: Vec<u32>,
}

impl Ordering {
    /// Without any ratings yet.
    pub fn new(heuristic: Heuristic) -> Self {
        Self { heuristic, ratings: vec![0; 2 * SLOTS * 64] }
    }

    /// Clears everything.
    pub fn clear(&mut self) {
        self.ratings.fill(0);
    }

    /// Halves the ratings, as between the moves of a game, "to emphasize the effect of killers found on the current
    /// move".
    pub fn halve(&mut self) {
        self.ratings.iter_mut().for_each(|rating| *rating /= 2);
    }

    /// The rating of a response.
    pub fn rating(&self, place: Place, response: Square) -> u32 {
        self.slot(place).map_or(0, |slot| self.ratings[slot + response.index()])
    }

    /// The moves in the order in which to try them.
    pub fn order(&self, moves: u64, place: Place) -> MoveList {
        let mut list = MoveList { squares: [Square::new(0); 64], length: 0 };
        for square in squares(moves) {
            list.squares[list.length] = square;
            list.length += 1;
        }
        let found = &mut list.squares[..list.length];
        match self.slot(place) {
            _ if self.heuristic == Heuristic::MoveGeneration => {}
            None => found.sort_by_key(|square| SQUARE_RANKS[square.index()]),
            Some(slot) => {
                let ratings = &self.ratings[slot..slot + 64];
                // Responses without ratings are ordered by the value of their squares.
                found.sort_by_key(|square| (std::cmp::Reverse(ratings[square.index()]), SQUARE_RANKS[square.index()]));
            }
        }
        list
    }

    /// Records the legal responses and the one that was best or caused a cutoff.
    pub fn learn(&mut self, legal: u64, best: Square, place: Place) {
        let Some(slot) = self.slot(place) else { return };
        let ratings = &mut self.ratings[slot..slot + 64];
        for square in squares(legal) {
            ratings[square.index()] = ratings[square.index()].saturating_add(SMALL);
        }
        ratings[best.index()] = ratings[best.index()].saturating_add(LARGE);
    }

    /// The offset of the ratings of a place, for orderings that have ratings.
    fn slot(&self, place: Place) -> Option<usize> {
        let slot = match self.heuristic {
            Heuristic::MoveGeneration | Heuristic::SquareValue => return None,
            Heuristic::MoveNumber => place.move_number.clamp(0, 60) as usize,
            Heuristic::Response => place.answered.map_or(NO_MOVE, Square::index),
        };
        Some((usize::from(place.color == Color::White) * SLOTS + slot) * 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn set(names: &[&str]) -> u64 {
        names.iter().map(|name| square(name).bit()).sum()
    }

    fn place(answered: &str, color: Color) -> Place {
        Place { color, answered: Some(square(answered)), move_number: 10 }
    }

    fn order(ordering: &Ordering, moves: &[&str], place: Place) -> Vec<String> {
        ordering.order(set(moves), place).as_slice().iter().map(Square::to_string).collect()
    }

    #[test]
    fn fixed_orders_are_by_reading_and_by_the_value_of_squares() {
        let moves = ["b2", "a1", "d3", "b1", "c1"];
        let natural = Ordering::new(Heuristic::MoveGeneration);
        assert_eq!(order(&natural, &moves, place("e3", Color::Black)), ["a1", "b1", "c1", "b2", "d3"]);
        let valued = Ordering::new(Heuristic::SquareValue);
        assert_eq!(order(&valued, &moves, place("e3", Color::Black)), ["a1", "c1", "d3", "b1", "b2"]);
    }

    #[test]
    fn a_response_gains_little_when_it_is_legal_and_much_when_it_is_best() {
        let mut ordering = Ordering::new(Heuristic::Response);
        let here = place("e3", Color::Black);
        ordering.learn(set(&["d3", "c4", "f5"]), square("f5"), here);
        ordering.learn(set(&["d3", "c4"]), square("c4"), here);
        let rating = |ordering: &Ordering, name: &str| ordering.rating(here, square(name));
        assert_eq!(rating(&ordering, "f5"), SMALL + LARGE);
        assert_eq!(rating(&ordering, "c4"), 2 * SMALL + LARGE);
        assert_eq!((rating(&ordering, "d3"), rating(&ordering, "a1")), (2 * SMALL, 0));
        assert_eq!(order(&ordering, &["a1", "c4", "d3", "f5"], here), ["c4", "f5", "d3", "a1"]);
        ordering.halve();
        assert_eq!(rating(&ordering, "c4"), (2 * SMALL + LARGE) / 2);
        // Another last move, or the other player: no ratings.
        assert_eq!(ordering.rating(place("e3", Color::White), square("c4")), 0);
        assert_eq!(ordering.rating(place("e2", Color::Black), square("c4")), 0);
        ordering.clear();
        assert_eq!(rating(&ordering, "c4"), 0);
    }

    #[test]
    fn killers_by_move_number_do_not_look_at_the_answered_move() {
        let mut ordering = Ordering::new(Heuristic::MoveNumber);
        ordering.learn(set(&["d3"]), square("d3"), place("e3", Color::Black));
        assert_eq!(ordering.rating(place("a1", Color::Black), square("d3")), SMALL + LARGE);
        let later = Place { move_number: 11, ..place("e3", Color::Black) };
        assert_eq!(ordering.rating(later, square("d3")), 0);
        let fixed = Ordering::new(Heuristic::SquareValue);
        assert_eq!(fixed.rating(later, square("d3")), 0);
    }
}
