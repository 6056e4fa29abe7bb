//! Current and potential mobility (Rosenbloom 1982, 4.4.2).

use othello::{Board, Rules, SquareSet, mobility, squares};

/// The advantage of the side with the first count: Eq. 1 of the paper, from -1000 to 1000.
///
/// Not a difference, "because having an advantage of 4 to 1 is more valuable than an advantage of 15 to 11".
#[inline]
pub const fn advantage(own: i32, other: i32) -> i32 {
    1000 * (own - other) / (own + other + 2)
}

/// The moves of both sides as counts: a square that only one side can move to counts two for it, one that both
/// can move to counts one for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The count of the side that the value is for.
    pub own: i32,
    /// The count of the other side.
    pub other: i32,
}

impl Access {
    /// The counts of these moves.
    #[inline]
    pub const fn of(own: u64, other: u64) -> Self {
        let shared = (own & other).count_ones() as i32;
        Self {
            own: 2 * (own & !other).count_ones() as i32 + shared,
            other: 2 * (other & !own).count_ones() as i32 + shared,
        }
    }

    /// The value of the counts.
    #[inline]
    pub const fn value(self) -> i32 {
        advantage(self.own, self.other)
    }

    /// The counts when the first side can also move to a square.
    #[inline]
    const fn with(self, is_shared: bool) -> Self {
        if is_shared {
            Self { own: self.own + 1, other: self.other - 1 }
        } else {
            Self { own: self.own + 2, other: self.other }
        }
    }
}

/// The window of a search: outside of it a bound is as good as the value.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// A value of at most this is no improvement.
    pub alpha: i32,
    /// A value of at least this is a cutoff.
    pub beta: i32,
}

/// Number of squares tested for a move, and the number without the early end of counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SquareTests {
    /// Squares that were tested.
    pub tested: u64,
    /// Empty squares next to discs of the other side: those that might be moves.
    pub possible: u64,
}

/// `base + weight * CurrentMobility` for the side to move, its moves counted one square at a time; the other side's
/// are known.
///
/// Before every square it checks whether the remaining squares can still matter (4.4.2.1): if even all of them would
/// not raise the value above alpha, or it reaches beta without them, that bound is returned.
pub fn counted_within(
    board: &Board,
    other: u64,
    (base, weight): (i32, i32),
    window: Window,
    tests: &mut SquareTests,
) -> i32 {
    let mut left = mobility::potential_moves(board);
    tests.possible += u64::from(left.count_ones());
    let mut known = Access::of(0, other);
    loop {
        // A square can only add to the value: it is largest with all remaining squares and smallest with none.
        let least = base + weight * known.value();
        if left == 0 || least >= window.beta {
            return least;
        }
        let shared = (left & other).count_ones() as i32;
        let sole = left.count_ones() as i32 - shared;
        let all = Access { own: known.own + 2 * sole + shared, other: known.other - shared };
        let greatest = base + weight * all.value();
        if greatest <= window.alpha {
            return greatest;
        }
        let Some(square) = left.first() else { return least };
        tests.tested += 1;
        if board.flips(square) != 0 {
            known = known.with(other.has(square));
        }
        left = left.without_first();
    }
}

/// `base + weight * CurrentMobility` with all moves counted.
#[inline]
pub fn counted(board: &Board, other: u64, base: i32, weight: i32) -> i32 {
    base + weight * Access::of(board.moves(), other).value()
}

/// Number of empty squares next to the discs of a set, each counted once for every disc.
pub fn contacts(discs: u64, empties: u64) -> i32 {
    squares(discs).map(|square| (Board::neighbors(square.bit()) & empties & !square.bit()).count_ones() as i32).sum()
}

/// The three measures of potential mobility of both sides, each through [`advantage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    /// Frontier discs: those of the other side next to an empty square.
    pub frontier: i32,
    /// Empty squares next to discs of the other side.
    pub empties: i32,
    /// Empty squares next to each disc of the other side, summed.
    pub contacts: i32,
}

impl Potential {
    /// The measures for the first side; `contacts` are the sums of both sides' discs, which a search keeps up to date.
    #[inline]
    pub fn of(own: u64, other: u64, contacts: [i32; 2]) -> Self {
        let empties = !(own | other);
        let next_to = Board::neighbors(empties);
        let count = |set: u64| set.count_ones() as i32;
        Self {
            frontier: advantage(count(other & next_to), count(own & next_to)),
            empties: advantage(count(empties & Board::neighbors(other)), count(empties & Board::neighbors(own))),
            contacts: advantage(contacts[1], contacts[0]),
        }
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self { frontier: -self.frontier, empties: -self.empties, contacts: -self.contacts }
    }

    /// The sum of the three, from -3000 to 3000.
    #[inline]
    pub const fn sum(self) -> i32 {
        self.frontier + self.empties + self.contacts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::samples::{boards, slow};

    #[test]
    fn four_to_one_is_worth_more_than_fifteen_to_eleven() {
        assert_eq!(advantage(4, 1), 3000 / 7);
        assert_eq!(advantage(15, 11), 4000 / 28);
        assert_eq!(advantage(1, 4), -advantage(4, 1));
        assert_eq!((advantage(0, 0), advantage(3, 3)), (0, 0));
        // Truncated towards zero.
        assert_eq!((advantage(1, 0), advantage(0, 1)), (333, -333));
    }

    #[test]
    fn sole_access_counts_twice_and_shared_access_once() {
        for board in boards(300, 1) {
            let (own, other) = (slow::moves(&board), slow::moves(&board.pass()));
            let mut expected = Access { own: 0, other: 0 };
            for square in 0..64 {
                match (own.contains(&square), other.contains(&square)) {
                    (true, true) => expected = Access { own: expected.own + 1, other: expected.other + 1 },
                    (true, false) => expected.own += 2,
                    (false, true) => expected.other += 2,
                    (false, false) => {}
                }
            }
            assert_eq!(Access::of(board.moves(), board.pass().moves()), expected, "{board:?}");
        }
    }

    #[test]
    fn a_count_that_ends_early_gives_a_bound_beyond_the_window_and_the_value_inside() {
        for (index, board) in boards(400, 2).into_iter().enumerate() {
            let other = board.pass().moves();
            let weight = 100 + index as i32 % 30;
            let exact = counted(&board, other, 500, weight);
            for alpha in [-60_000, -5_000, 0, 700, 20_000] {
                for width in [1, 5_000, 100_000] {
                    let window = Window { alpha, beta: alpha + width };
                    let mut tests = SquareTests::default();
                    let found = counted_within(&board, other, (500, weight), window, &mut tests);
                    // What lies inside the window needs all squares.
                    let is_inside = window.alpha < exact && exact < window.beta;
                    assert!(tests.tested <= tests.possible, "{board:?} {window:?} {tests:?}");
                    assert!(!is_inside || tests.tested == tests.possible, "{board:?} {window:?} {tests:?}");
                    if exact <= window.alpha {
                        assert!(exact <= found && found <= window.alpha, "{board:?} {window:?}");
                    } else if exact >= window.beta {
                        assert!(window.beta <= found && found <= exact, "{board:?} {window:?}");
                    } else {
                        assert_eq!(found, exact, "{board:?} {window:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_three_measures_are_those_of_a_count_square_by_square() {
        for board in boards(300, 3) {
            let (own, other) = (board.player, board.opponent);
            let [mine, theirs] = [slow::frontier(own, other), slow::frontier(other, own)];
            let contacts = [mine.2, theirs.2];
            let found = Potential::of(own, other, contacts);
            assert_eq!([contacts_of(own, other), contacts_of(other, own)], contacts);
            assert_eq!(found.frontier, advantage(theirs.0, mine.0), "{board:?}");
            assert_eq!(found.empties, advantage(theirs.1, mine.1), "{board:?}");
            assert_eq!(found.contacts, advantage(theirs.2, mine.2), "{board:?}");
            assert_eq!(found.inverted().sum(), -found.sum());
        }
    }

    fn contacts_of(discs: u64, others: u64) -> i32 {
        contacts(discs, !(discs | others))
    }
}
