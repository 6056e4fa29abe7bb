//! The hand-made evaluation: a few features that every player knows, weighted by hand.

use othello::{Rules, Square};

use crate::{Evaluation, Value};

/// Mobility, potential mobility, corners and the squares beside them, weighted by the phase of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

/// All squares next to those of the set.
#[inline]
fn neighbours(set: u64) -> u64 {
    let sides = set | (set << 1 & 0xfefe_fefe_fefe_fefe) | (set >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    sides | sides << 8 | sides >> 8
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;

impl<B: Rules<Set = u64>> Evaluation<B> for HandMade {
    type Features = ();

    fn features(&self, _: &B) {}

    fn played(&self, (): &(), _: &B, _: Square, _: u64) {}

    fn passed(&self, (): &()) {}

    fn evaluate(&self, board: &B, (): &()) -> Value {
        let (own, other) = (board.player(), board.opponent());
        let empties = board.empties();
        let moves = board.moves();
        let replies = board.pass().moves();
        let (own_moves, other_moves) = (moves.count_ones() as i32, replies.count_ones() as i32);
        let own_open = (neighbours(other) & empties).count_ones() as i32;
        let other_open = (neighbours(own) & empties).count_ones() as i32;
        let corners = (own & CORNERS).count_ones() as i32 - (other & CORNERS).count_ones() as i32;
        let corner_moves = 2 * i32::from(moves & CORNERS != 0) - i32::from(replies & CORNERS != 0);
        // An X-square next to an empty corner gives that corner away.
        let risky = neighbours(empties & CORNERS) & X_SQUARES;
        let risk = (other & risky).count_ones() as i32 - (own & risky).count_ones() as i32;
        let mobility = 16 * 128 * (own_moves - other_moves) / (own_moves + other_moves + 2);
        let potential = 12 * 128 * (own_open - other_open) / (own_open + other_open + 2);
        Value::new(mobility + potential + 128 * (8 * corners + 3 * corner_moves + 3 * risk)).clamped()
    }
}
