//! The last four empty squares, where an endgame search spends most of its time.
//!
//! Scores are final disc differences from the point of view of the side to move. All searches use a null window: they
//! tell on which side of `alpha` the score lies, and return a bound on that side.
//!
//! There are no move lists, no hash tables and no loops over directions: only the choice of the square to try first
//! (one that leaves an even number of empty squares in its quadrant) and whether it flips.

use std::marker::PhantomData;

use othello::regions::QuadrantParity;
use othello::{Rules, Square, kernels};

/// Below every score.
pub(crate) const NO_MOVE: i32 = -128;

/// Tries the squares in order, and returns as soon as one beats alpha.
macro_rules! attempts {
    ($self:ident, $next:ident, $player:ident, $opponent:ident, $alpha:ident, $best:ident: $($square:ident $rest:expr);+) => {$(
        let flipped = kernels::flips($player, $opponent, $square);
        if flipped != 0 {
            let score = -$self.$next($opponent ^ flipped, $player ^ flipped ^ $square.bit(), -$alpha - 1, $rest);
            if score > $alpha {
                return score;
            }
            $best = $best.max(score);
        }
    )+};
}

/// The solver for the last four empties of a board.
#[derive(Debug)]
pub struct LastEmpties<B> {
    /// The number of positions visited, including those with one empty square.
    pub nodes: u64,
    board: PhantomData<B>,
}

impl<B> Default for LastEmpties<B> {
    fn default() -> Self {
        Self { nodes: 0, board: PhantomData }
    }
}

impl<B: Rules<Set = u64>> LastEmpties<B> {
    const AREA: i32 = B::GEOMETRY.area() as i32;

    /// The score if neither side can move: empty squares go to the winner.
    #[inline]
    pub(crate) fn finished(player: u64, empty_count: i32) -> i32 {
        let own = player.count_ones() as i32;
        let difference = 2 * own - (Self::AREA - empty_count);
        difference + difference.signum() * empty_count
    }

    /// The exact score with one empty square.
    #[inline]
    pub fn one(player: u64, square: Square) -> i32 {
        let own = player.count_ones() as i32;
        let flipped = kernels::last_flip_count(player, square) as i32;
        if flipped > 0 {
            return 2 * (own + flipped + 1) - Self::AREA;
        }
        let opponent = B::PLAYABLE & !player & !square.bit();
        let flipped = kernels::last_flip_count(opponent, square) as i32;
        if flipped > 0 {
            return 2 * (own - flipped) - Self::AREA;
        }
        // Neither side can play the last square: it goes to the winner.
        let difference = 2 * own - (Self::AREA - 1);
        difference + if difference > 0 { 1 } else { -1 }
    }

    /// Two empty squares. Most calls come from three empties: inlining it there saves one instruction in twenty of a
    /// whole search.
    #[inline(always)]
    pub fn two(&mut self, player: u64, opponent: u64, alpha: i32, [a, b]: [Square; 2]) -> i32 {
        self.nodes += 1;
        let mut best = NO_MOVE;
        let flipped = kernels::flips(player, opponent, a);
        if flipped != 0 {
            self.nodes += 1;
            best = -Self::one(opponent ^ flipped, b);
            if best > alpha {
                return best;
            }
        }
        let flipped = kernels::flips(player, opponent, b);
        if flipped != 0 {
            self.nodes += 1;
            return best.max(-Self::one(opponent ^ flipped, a));
        }
        if best > NO_MOVE { best } else { self.two_after_pass(player, opponent, alpha, [a, b]) }
    }

    /// Two empty squares, neither playable for the side to move: the other side minimizes.
    #[cold]
    fn two_after_pass(&mut self, player: u64, opponent: u64, alpha: i32, [a, b]: [Square; 2]) -> i32 {
        let mut worst = -NO_MOVE;
        let flipped = kernels::flips(opponent, player, a);
        if flipped != 0 {
            self.nodes += 1;
            worst = Self::one(player ^ flipped, b);
            if worst <= alpha {
                return worst;
            }
        }
        let flipped = kernels::flips(opponent, player, b);
        if flipped != 0 {
            self.nodes += 1;
            worst = worst.min(Self::one(player ^ flipped, a));
        }
        if worst < -NO_MOVE { worst } else { Self::finished(player, 2) }
    }

    /// Three empty squares, in the order in which to try them.
    #[inline]
    pub fn three(&mut self, player: u64, opponent: u64, alpha: i32, [a, b, c]: [Square; 3]) -> i32 {
        self.nodes += 1;
        let best = self.best_of_three(player, opponent, alpha, [a, b, c]);
        if best > NO_MOVE {
            return best;
        }
        let best = self.best_of_three(opponent, player, -alpha - 1, [a, b, c]);
        if best > NO_MOVE { -best } else { Self::finished(player, 3) }
    }

    #[inline]
    fn best_of_three(&mut self, player: u64, opponent: u64, alpha: i32, [a, b, c]: [Square; 3]) -> i32 {
        let mut best = NO_MOVE;
        attempts!(self, two, player, opponent, alpha, best: a [b, c]; b [a, c]; c [a, b]);
        best
    }

    /// Four empty squares with their parity.
    #[inline]
    pub fn four(&mut self, player: u64, opponent: u64, alpha: i32, parity: QuadrantParity) -> i32 {
        let empties = B::PLAYABLE & !(player | opponent);
        let next = |set: &mut u64| {
            let square = Square::new((set.trailing_zeros() & 63) as u8);
            *set &= set.wrapping_sub(1);
            square
        };
        // Odd quadrants first; with four empties there are none, two (1-1-2 or 3-1) or four of them.
        let odd = parity.odd_squares();
        let mut first = empties & odd;
        let mut second = empties & !odd;
        let squares = match first.count_ones() {
            0 | 4 => {
                let mut all = empties;
                [next(&mut all), next(&mut all), next(&mut all), next(&mut all)]
            }
            _ => [next(&mut first), next(&mut first), next(&mut second), next(&mut second)],
        };
        self.four_sorted(player, opponent, alpha, squares)
    }

    fn four_sorted(&mut self, player: u64, opponent: u64, alpha: i32, squares: [Square; 4]) -> i32 {
        self.nodes += 1;
        let best = self.best_of_four(player, opponent, alpha, squares);
        if best > NO_MOVE {
            return best;
        }
        let best = self.best_of_four(opponent, player, -alpha - 1, squares);
        if best > NO_MOVE { -best } else { Self::finished(player, 4) }
    }

    #[inline]
    fn best_of_four(&mut self, player: u64, opponent: u64, alpha: i32, [a, b, c, d]: [Square; 4]) -> i32 {
        let mut best = NO_MOVE;
        // The next side to move prefers the square that the first one left.
        attempts!(self, three, player, opponent, alpha, best: a [b, c, d]; b [a, c, d]; c [d, a, b]; d [c, a, b]);
        best
    }
}
