//! One edge of the board: eight squares from corner to corner, their contents and what can flip them (Rosenbloom 1982,
//! sections 3.2.1.2 and 4.4.1.1).

use std::sync::OnceLock;

/// The number of squares of an edge, including both corners.
pub const EDGE_LENGTH: usize = 8;

/// The number of configurations of an edge: each of its squares is empty, black or white.
pub const EDGE_COUNT: usize = 6561;

/// Powers of three: what a disc on each square adds to the number of a configuration.
pub(crate) const PLACES: [u16; EDGE_LENGTH] = [1, 3, 9, 27, 81, 243, 729, 2187];

/// The owner of a disc of an edge: the side that the value is for, or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The side that the value is for; "Black" in the paper's table.
    Own,
    /// The other side; "White" in the paper's table.
    Other,
}

/// The contents of an edge, one bit per square for the discs of each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Edge {
    /// Discs of the side that the value is for.
    pub own: u8,
    /// Discs of the other side.
    pub other: u8,
}

/// The kinds of squares of an edge, by their names in the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeSquare {
    /// The end of an edge.
    Corner,
    /// Next to a corner.
    C,
    /// Two squares from a corner.
    A,
    /// One of the two in the middle.
    B,
}

impl EdgeSquare {
    /// The kind of the square with this number, 0 to 7.
    pub const fn of(square: usize) -> Self {
        match square {
            0 | 7 => EdgeSquare::Corner,
            1 | 6 => EdgeSquare::C,
            2 | 5 => EdgeSquare::A,
            _ => EdgeSquare::B,
        }
    }
}

/// Safety of a disc of an edge (Table 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// No sequence of moves on the edge can flip it.
    Stable,
    /// It cannot be flipped by the next move on the edge, but later it may.
    SemiStable,
    /// The next move on the edge can flip it.
    Unstable,
}

impl Edge {
    /// The edge with these discs, square by square from one corner to the other: `X` for own, `O` for the other side's,
    /// anything else for an empty square. Squares beyond the eighth are ignored.
    pub fn from_text(text: &str) -> Self {
        let mut edge = Self::default();
        for (square, symbol) in text.chars().take(EDGE_LENGTH).enumerate() {
            match symbol {
                'X' => edge.own |= 1 << square,
                'O' => edge.other |= 1 << square,
                _ => {}
            }
        }
        edge
    }

    /// The edge with this number in the table.
    pub fn from_index(index: usize) -> Self {
        let mut edge = Self::default();
        let mut rest = index;
        for square in 0..EDGE_LENGTH {
            match rest % 3 {
                1 => edge.own |= 1 << square,
                2 => edge.other |= 1 << square,
                _ => {}
            }
            rest /= 3;
        }
        edge
    }

    /// The number of the edge in the table: in base three, 1 an own disc and 2 one of the other side.
    pub fn index(self) -> usize {
        let sum = |discs: u8| -> usize {
            (0..EDGE_LENGTH).filter(|square| discs >> square & 1 == 1).map(|square| usize::from(PLACES[square])).sum()
        };
        sum(self.own) + 2 * sum(self.other)
    }

    /// The edge with the colors exchanged.
    pub const fn inverse(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The edge read from the other corner.
    pub const fn reversed(self) -> Self {
        Self { own: self.own.reverse_bits(), other: self.other.reverse_bits() }
    }

    /// The squares without a disc.
    pub const fn empties(self) -> u8 {
        !(self.own | self.other)
    }

    /// The side with a disc on this square.
    pub const fn at(self, square: usize) -> Option<Owner> {
        match (self.own >> square & 1, self.other >> square & 1) {
            (1, _) => Some(Owner::Own),
            (_, 1) => Some(Owner::Other),
            _ => None,
        }
    }

    const fn discs(self, side: Owner) -> u8 {
        match side {
            Owner::Own => self.own,
            Owner::Other => self.other,
        }
    }

    /// The discs of this edge that a side flips by a disc on this empty square.
    pub fn flips(self, square: usize, side: Owner) -> u8 {
        let mover = self.discs(side);
        let victims = (self.own | self.other) & !mover;
        let mut flips = 0;
        let mut beyond = 0;
        for next in square + 1..EDGE_LENGTH {
            if victims >> next & 1 == 0 {
                if mover >> next & 1 == 1 {
                    flips |= beyond;
                }
                break;
            }
            beyond |= 1 << next;
        }
        beyond = 0;
        for next in (0..square).rev() {
            if victims >> next & 1 == 0 {
                if mover >> next & 1 == 1 {
                    flips |= beyond;
                }
                break;
            }
            beyond |= 1 << next;
        }
        flips
    }

    /// The edge after a side has placed a disc on this empty square, with flips along the edge. Whether that is a legal
    /// move depends on the rest of the board.
    pub fn play(self, square: usize, side: Owner) -> Self {
        let changed = self.flips(square, side);
        let placed = 1 << square;
        match side {
            Owner::Own => Self { own: self.own | changed | placed, other: self.other & !changed },
            Owner::Other => Self { own: self.own & !changed, other: self.other | changed | placed },
        }
    }

    /// The discs that no moves on this edge by either side can ever flip.
    ///
    /// The paper names three formations: next to a stable disc of the same color, a string held between the other
    /// side's discs, and a full edge (section 3.2.1.2). Trying all continuations of the edge finds those and the rarer
    /// ones, such as h5 and h6 of Fig. 3.8(a).
    pub fn stable_discs(self) -> u8 {
        static STABLE: OnceLock<Vec<u8>> = OnceLock::new();
        STABLE.get_or_init(stable_discs_of_all)[self.index()]
    }

    /// Safety of the disc on this square, or `None` if there is none.
    pub fn stability(self, square: usize) -> Option<Stability> {
        let attacker = match self.at(square)? {
            Owner::Own => Owner::Other,
            Owner::Other => Owner::Own,
        };
        if self.stable_discs() >> square & 1 == 1 {
            return Some(Stability::Stable);
        }
        let attacked = (0..EDGE_LENGTH)
            .filter(|&empty| self.empties() >> empty & 1 == 1)
            .any(|empty| self.flips(empty, attacker) >> square & 1 == 1);
        Some(if attacked { Stability::Unstable } else { Stability::SemiStable })
    }
}

/// The numbers of all edges, the full ones first: the successors of a configuration come before it.
pub(crate) fn fullest_first() -> Vec<u16> {
    let mut order: Vec<u16> = (0..EDGE_COUNT as u16).collect();
    order.sort_by_key(|&index| Edge::from_index(usize::from(index)).empties().count_ones());
    order
}

fn stable_discs_of_all() -> Vec<u8> {
    let mut stable = vec![0; EDGE_COUNT];
    for index in fullest_first().into_iter().map(usize::from) {
        let edge = Edge::from_index(index);
        let mut safe = edge.own | edge.other;
        for square in (0..EDGE_LENGTH).filter(|&square| edge.empties() >> square & 1 == 1) {
            for side in [Owner::Own, Owner::Other] {
                safe &= stable[edge.play(square, side).index()] & !edge.flips(square, side);
            }
        }
        stable[index] = safe;
    }
    stable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_has_its_number_and_the_inverse_of_the_inverse_is_itself() {
        for index in 0..EDGE_COUNT {
            let edge = Edge::from_index(index);
            assert_eq!(edge.index(), index);
            assert_eq!(edge.inverse().inverse(), edge);
            assert_eq!(edge.reversed().reversed(), edge);
            assert_eq!(edge.own & edge.other, 0);
        }
    }

    #[test]
    fn flips_are_those_of_the_rules_on_the_bottom_row() {
        use othello::{Board, Rules, Square};
        for index in 0..EDGE_COUNT {
            let edge = Edge::from_index(index);
            let board = Board::new(u64::from(edge.own) << 56, u64::from(edge.other) << 56);
            for square in (0..EDGE_LENGTH).filter(|&square| edge.empties() >> square & 1 == 1) {
                let place = Square::at(square as u8, 7);
                assert_eq!(u64::from(edge.flips(square, Owner::Own)) << 56, board.flips(place), "{edge:?} {square}");
                assert_eq!(u64::from(edge.flips(square, Owner::Other)) << 56, board.pass().flips(place));
            }
        }
    }

    fn stability_text(text: &str) -> String {
        let edge = Edge::from_text(text);
        (0..EDGE_LENGTH)
            .map(|square| match edge.stability(square) {
                Some(Stability::Stable) => 's',
                Some(Stability::SemiStable) => 'm',
                Some(Stability::Unstable) => 'u',
                None => '-',
            })
            .collect()
    }

    #[test]
    fn stability_is_that_of_a_dozen_edges_worked_out_by_hand() {
        for (edge, expected) in [
            // Next to a corner of the same color, as b1 and c1 of Fig. 3.8(a).
            ("OOO-----", "sss-----"),
            // A full edge, as the bottom of Fig. 3.8(a).
            ("XOXXOXOO", "ssssssss"),
            // As h4 to h6 of Fig. 3.8(a): Black's disc may fall, White's two next to it cannot, because the square that
            // would help to flip them is used up by then.
            ("OO-XOOXX", "ss-ussss"),
            // A disc alone: both neighbors are empty, so that no single move flips it.
            ("---X----", "---m----"),
            // Two of different colors: each can be flipped from the other side.
            ("---XO---", "---uu---"),
            // Enclosed by the other side at both ends: the string cannot be flipped until an end is.
            ("--OXXO--", "--ummu--"),
            // Six of one color, both corners empty: no move of the other side flips anything yet.
            ("-XXXXXX-", "-mmmmmm-"),
            // The same with one corner taken by the other side: a move to the last corner flips all.
            ("OXXXXXX-", "suuuuuu-"),
            // The corner of the same color makes the whole string safe, as far as it reaches.
            ("XXXX-XX-", "ssss-mm-"),
            // Behind it is a disc of the other side: it can be flipped from the empty square, the string cannot.
            ("XXXO----", "sssu----"),
            // Enclosed by discs of the other side until the edge is full, although one of these can be flipped.
            ("OXXO-XXO", "sssu-uus"),
            // A disc on a C-square can be flipped from the corner, the one next to it from the other side.
            ("-XO-----", "-uu-----"),
        ] {
            assert_eq!(stability_text(edge), expected, "{edge}");
        }
    }

    /// The edge, as text, after a side has placed a disc on an empty square.
    fn after(text: &str, square: usize, side: char) -> String {
        let other = if side == 'X' { 'O' } else { 'X' };
        let mut symbols: Vec<char> = text.chars().collect();
        let rays: [Vec<usize>; 2] = [(square + 1..8).collect(), (0..square).rev().collect()];
        for ray in rays {
            let run = ray.iter().take_while(|&&next| symbols[next] == other).count();
            if ray.get(run).is_some_and(|&next| symbols[next] == side) {
                ray[..run].iter().for_each(|&next| symbols[next] = side);
            }
        }
        symbols[square] = side;
        symbols.into_iter().collect()
    }

    /// The discs that keep their color in every sequence of discs placed by either side.
    fn never_flipped(text: &str) -> u8 {
        let discs = |text: &str| Edge::from_text(text).own | Edge::from_text(text).other;
        let mut safe = discs(text);
        for square in (0..EDGE_LENGTH).filter(|&square| discs(text) >> square & 1 == 0) {
            for side in ['X', 'O'] {
                let after = after(text, square, side);
                let kept = text.chars().zip(after.chars()).enumerate().filter(|(_, (before, after))| before == after);
                safe &= kept.fold(0, |kept, (square, _)| kept | 1 << square) & never_flipped(&after);
            }
        }
        safe
    }

    #[test]
    fn stable_discs_are_those_that_no_sequence_of_moves_flips() {
        let text = |edge: Edge| -> String {
            let symbol = |square| match edge.at(square) {
                Some(Owner::Own) => 'X',
                Some(Owner::Other) => 'O',
                None => '-',
            };
            (0..EDGE_LENGTH).map(symbol).collect()
        };
        // With more than three empty squares there are many sequences: every seventh of these edges is tried.
        let edges = (0..EDGE_COUNT).map(Edge::from_index);
        for (number, edge) in edges.filter(|edge| edge.empties().count_ones() <= 5).enumerate() {
            if edge.empties().count_ones() <= 3 || number % 7 == 0 {
                assert_eq!(edge.stable_discs(), never_flipped(&text(edge)), "{}", text(edge));
            }
        }
    }

    #[test]
    fn stability_does_not_depend_on_colour_or_direction() {
        for index in 0..EDGE_COUNT {
            let edge = Edge::from_index(index);
            assert_eq!(edge.inverse().stable_discs(), edge.stable_discs());
            assert_eq!(edge.reversed().stable_discs(), edge.stable_discs().reverse_bits());
        }
    }
}
