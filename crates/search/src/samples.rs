//! Positions for tests and measurements: from random games, from half-sensible games, and with random discs.
//!
//! They depend only on the seed and are the same on every machine. They are only useful for tests, benchmarks and
//! tools, and public so that other crates can use them in theirs.

use std::marker::PhantomData;

use othello::random::Random;
use othello::{Rules, Square, squares};

/// The kind of game that a position comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A game of random moves.
    RandomGame,
    /// A game with mostly sensible moves, by corners and mobility: typical positions of a search.
    SensibleGame,
    /// A game in which one side flips as many discs as it can: sides are wiped out, and there are many passes.
    GreedyGame,
    /// Randomly placed discs, with passes, isolated empty squares and sides without a disc.
    RandomDiscs,
}

impl Origin {
    /// All origins.
    pub const ALL: [Origin; 4] = [Origin::RandomGame, Origin::SensibleGame, Origin::GreedyGame, Origin::RandomDiscs];
}

/// A generator of positions for one board.
#[derive(Clone, Debug)]
pub struct Samples<B> {
    random: Random,
    board: PhantomData<B>,
}

impl<B: Rules<Set = u64>> Samples<B> {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        // Adjacent seeds must not give overlapping sequences.
        Self { random: Random::new(Random::new(seed).bits()), board: PhantomData }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.random.bits()
    }

    /// A random number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A position with this many empty squares; one or both sides may have no legal move.
    ///
    /// There must be a game of that length: at most as many empties as at the start.
    pub fn position(&mut self, origin: Origin, empty_count: u32) -> B {
        if origin == Origin::RandomDiscs {
            return self.random_discs(empty_count);
        }
        loop {
            if let Some(board) = self.game(origin, empty_count) {
                return board;
            }
        }
    }

    /// A position with this many empty squares in which the side to move has a legal move.
    pub fn position_with_moves(&mut self, origin: Origin, empty_count: u32) -> B {
        loop {
            let board = self.position(origin, empty_count);
            if board.can_move() {
                return board;
            }
        }
    }

    /// Plays a game until this number of squares is empty; `None` if it is over before.
    fn game(&mut self, origin: Origin, empty_count: u32) -> Option<B> {
        let mut board = B::start();
        let mut is_first_side = true;
        let greedy_side = self.below(2) == 0;
        while board.empties().count_ones() > empty_count {
            if !board.can_move() {
                board = board.pass();
                is_first_side = !is_first_side;
            }
            let moves = board.moves();
            if moves == 0 {
                return None;
            }
            let random = self.below(moves.count_ones()) as usize;
            let random = squares(moves).nth(random)?;
            let square = match origin {
                Origin::SensibleGame if self.below(4) > 0 => best_by(moves, |square| rule_of_thumb(&board, square)),
                Origin::GreedyGame if is_first_side == greedy_side && self.below(8) > 0 => {
                    best_by(moves, |square| board.flips(square).count_ones() as i32)
                }
                _ => Some(random),
            };
            board = board.play(square?)?;
            is_first_side = !is_first_side;
        }
        Some(board)
    }

    fn random_discs(&mut self, empty_count: u32) -> B {
        let mut empties = 0u64;
        while empties.count_ones() < empty_count.min(B::PLAYABLE.count_ones()) {
            empties |= 1 << self.below(64) & B::PLAYABLE;
        }
        // From evenly mixed to all of one side.
        let share = self.below(257);
        let player = squares(B::PLAYABLE & !empties)
            .filter(|_| self.below(256) < share)
            .fold(0, |set, square| set | square.bit());
        B::from_discs(player, B::PLAYABLE & !empties & !player)
    }
}

/// The square of the set with the highest rating.
fn best_by(set: u64, measure: impl Fn(Square) -> i32) -> Option<Square> {
    squares(set).max_by_key(|&square| measure(square))
}

/// The rating of a move by a beginner's rule of thumb: corners, and few replies.
///
/// Independent of the evaluations, so that the samples stay the same when those are improved.
fn rule_of_thumb<B: Rules<Set = u64>>(board: &B, square: Square) -> i32 {
    let after = board.after(square, board.flips(square));
    let (replies, options) = (after.moves().count_ones() as i32, after.pass().moves().count_ones() as i32);
    let corner = i32::from(is_corner::<B>(square));
    let gives_corner = i32::from(squares(after.moves()).any(is_corner::<B>));
    options - 2 * replies + 20 * (corner - gives_corner)
}

fn is_corner<B: Rules>(square: Square) -> bool {
    let (column, row) = B::GEOMETRY.column_row(square);
    let last = B::GEOMETRY.side - 1;
    (column == 0 || column == last) && (row == 0 || row == last)
}

#[cfg(test)]
mod tests {
    use othello::{Board, SmallBoard};

    use super::*;

    #[test]
    fn positions_have_the_requested_number_of_empties() {
        for origin in Origin::ALL {
            let mut samples = Samples::<Board>::new(1);
            let mut small = Samples::<SmallBoard<6>>::new(1);
            for empty_count in [0, 1, 5, 14, 20] {
                assert_eq!(samples.position(origin, empty_count).empty_count(), empty_count);
                assert_eq!(small.position(origin, empty_count).empties().count_ones(), empty_count);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_positions() {
        let take = |seed| {
            let mut samples = Samples::<Board>::new(seed);
            Origin::ALL.map(|origin| samples.position(origin, 12))
        };
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }

    #[test]
    fn there_are_passes_wiped_out_sides_and_finished_games_among_them() {
        let mut samples = Samples::<Board>::new(3);
        let boards: Vec<_> = (0..4000).map(|index| samples.position(Origin::ALL[index % 4], 10)).collect();
        assert!(boards.iter().filter(|board| board.must_pass()).count() > 50);
        assert!(boards.iter().filter(|board| board.is_over()).count() > 5);
        assert!(boards.iter().any(|board| board.player == 0 || board.opponent == 0));
    }
}
