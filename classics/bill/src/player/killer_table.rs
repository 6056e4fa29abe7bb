//! The killer table: for every move a linked list of all responses, good ones near the front (section 3.2).
//!
//! Going through the list of the last move, and testing each response for legality on the way, gives moves in a good
//! order without generating all legal moves: incremental move generation. The paper leaves open how far a good move is
//! moved; here it goes to the front.

use othello::{Color, Square};

/// The number for "no move", and for both ends of every list.
const END: u8 = 64;

/// The move before the side to move: a square, or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trigger(u8);

impl Trigger {
    /// The beginning of a search, when the previous move is unknown.
    pub const NOTHING: Trigger = Trigger(END);

    /// A move.
    #[inline]
    pub fn of(square: Square) -> Self {
        Trigger(square.index() as u8 & 63)
    }
}

/// A ring of all squares, in which place 64 is the head.
#[derive(Clone, Debug)]
struct Ring {
    next: [u8; 65],
    previous: [u8; 65],
}

impl Ring {
    fn new(order: &[u8; 64]) -> Self {
        let mut ring = Self { next: [END; 65], previous: [END; 65] };
        let mut last = END;
        for &square in order {
            ring.next[usize::from(last)] = square;
            ring.previous[usize::from(square)] = last;
            last = square;
        }
        ring.next[usize::from(last)] = END;
        ring.previous[usize::from(END)] = last;
        ring
    }

    #[inline]
    fn move_to_front(&mut self, square: u8) {
        let at = usize::from(square);
        let (before, after) = (self.previous[at], self.next[at]);
        if before == END {
            return;
        }
        self.next[usize::from(before)] = after;
        self.previous[usize::from(after)] = before;
        let first = self.next[usize::from(END)];
        self.next[at] = first;
        self.previous[at] = END;
        self.previous[usize::from(first)] = square;
        self.next[usize::from(END)] = square;
    }
}

/// The initial order of the lists: by kinds of squares, corners first and X-squares last.
const KINDS: [u64; 8] = [
    0x8100_0000_0000_0081, // corners
    0x2400_8100_0081_0024, // A-squares
    0x1800_0081_8100_0018, // B-squares
    0x0000_2400_0024_0000, // the corners of the inner 4 x 4
    0x0000_183c_3c18_0000, // the rest of the inner 4 x 4
    0x003c_4242_4242_3c00, // next to the edge
    0x4281_0000_0000_8142, // C-squares
    0x0042_0000_0000_4200, // X-squares
];

/// The squares in the order of their kinds.
fn initial_order() -> [u8; 64] {
    let mut order = [0; 64];
    let by_kind = KINDS.iter().flat_map(|kind| (0..64u8).filter(move |square| kind >> square & 1 == 1));
    for (place, square) in order.iter_mut().zip(by_kind) {
        *place = square;
    }
    order
}

/// The responses to every move of each side.
#[derive(Clone, Debug)]
pub struct KillerTable {
    rings: Vec<Ring>,
}

impl KillerTable {
    /// Lists in their heuristic order.
    pub fn new() -> Self {
        Self { rings: vec![Ring::new(&initial_order()); 2 * 65] }
    }

    /// Clears what was learned.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The list for the side to move after this move.
    #[inline]
    pub(crate) fn list(mover: Color, trigger: Trigger) -> usize {
        usize::from(trigger.0) + if mover == Color::Black { 0 } else { 65 }
    }

    /// The first response of a list.
    #[inline]
    pub(crate) fn first(&self, list: usize) -> Option<Square> {
        self.following(list, END)
    }

    /// The response after this one.
    #[inline]
    pub(crate) fn after(&self, list: usize, square: Square) -> Option<Square> {
        self.following(list, square.index() as u8 & 63)
    }

    #[inline]
    fn following(&self, list: usize, place: u8) -> Option<Square> {
        let next = self.rings[list].next[usize::from(place)];
        (next != END).then(|| Square::new(next))
    }

    /// Rewards a good response: it is tried earlier from now on.
    #[inline]
    pub(crate) fn reward(&mut self, list: usize, square: Square) {
        self.rings[list].move_to_front(square.index() as u8 & 63);
    }
}

impl Default for KillerTable {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(table: &KillerTable, list: usize) -> Vec<Square> {
        std::iter::successors(table.first(list), |&square| table.after(list, square)).collect()
    }

    #[test]
    fn every_list_has_every_square_once_whatever_is_rewarded() {
        let mut table = KillerTable::new();
        let list = KillerTable::list(Color::White, Trigger::of(Square::new(19)));
        let mut expected = all(&table, list);
        assert_eq!(expected.len(), 64);
        assert_eq!(KINDS.iter().fold(0, |union, kind| union | kind), u64::MAX);
        // A plain list, in which a rewarded move is moved to the front.
        for step in 0..1000usize {
            // Squares in arbitrary order, including the first and the last of the list.
            let square = match step % 10 {
                0 => expected[63],
                1 => expected[0],
                _ => Square::new(((step * 2_654_435_761) >> 11 & 63) as u8),
            };
            table.reward(list, square);
            expected.retain(|&other| other != square);
            expected.insert(0, square);
            assert_eq!(all(&table, list), expected);
        }
        let other = KillerTable::list(Color::Black, Trigger::of(Square::new(19)));
        assert_eq!(all(&table, other), all(&KillerTable::new(), other), "lists are apart");
        table.clear();
        assert_eq!(all(&table, list), all(&table, other));
    }

    #[test]
    fn corners_come_first_and_x_squares_last() {
        let table = KillerTable::new();
        let order = all(&table, KillerTable::list(Color::Black, Trigger::NOTHING));
        let names: Vec<_> = order.iter().map(Square::to_string).collect();
        assert_eq!(names[..4], ["a1", "h1", "a8", "h8"]);
        assert_eq!(names[60..], ["b2", "g2", "b7", "g7"]);
    }
}
