//! Exact search to the end of the game.

use evaluation::Evaluation;
use othello::regions::QuadrantParity;
use othello::{Rules, Square, SquareSet, kernels, squares, stability};

use crate::last_empties::LastEmpties;
use crate::local_table::LocalTables;
use crate::ordering::{CORNERS, Candidate, take_best};
use crate::worker::Worker;

/// Below every score.
const NO_MOVE: i32 = -128;

/// From how far ahead on a stability cut-off is worth looking for, by empties
const STABILITY_ALPHA: [i32; 65] = {
    let mut t = [0; 65];
    let mut n = 0;
    while n < 65 {
        t[n] = match n {
            0..=4 => 64,
            5 => 8,
            6 => 10,
            7 => 12,
            8 => 14,
            9 => 16,
            10 => 20,
            11 => 22,
            12..=16 => 28,
            17..=24 => 34,
            _ => 40,
        };
        n += 1;
    }
    t
};

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E> {
    const AREA: i32 = B::GEOMETRY.area() as i32;

    /// An upper bound on the score from the opponent's stable discs, if it is not above alpha.
    #[inline]
    pub(crate) fn stability_bound(&self, player: u64, opponent: u64, alpha: i32, n: usize) -> Option<i32> {
        if alpha < STABILITY_ALPHA[n] {
            return None;
        }
        let stable = if B::PLAYABLE == u64::MAX {
            stability::stable_discs(opponent, player)
        } else {
            stability::stable_discs_within(opponent, player, B::PLAYABLE)
        };
        let bound = Self::AREA - 2 * stable.count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    #[inline]
    fn moves(player: u64, opponent: u64) -> u64 {
        kernels::moves(player, opponent) & B::PLAYABLE
    }

    pub(crate) fn endgame(&mut self, player: u64, opponent: u64, alpha: i32, n: usize, parity: QuadrantParity) -> i32 {
        match n {
            0 => LastEmpties::<B>::finished(player, 0),
            1 => LastEmpties::<B>::one(player, (B::PLAYABLE & !(player | opponent)).first().unwrap()),
            2 | 3 => self.few(player, opponent, alpha, n),
            4 => self.last.four(player, opponent, alpha, parity),
            5 | 6 => self.shallow(player, opponent, alpha, n, parity),
            _ => self.local_null_window(player, opponent, alpha, n, parity),
        }
    }

    fn few(&mut self, player: u64, opponent: u64, alpha: i32, n: usize) -> i32 {
        let mut empties = squares(B::PLAYABLE & !(player | opponent));
        let mut next = || empties.next().unwrap();
        if n == 2 {
            let s = [next(), next()];
            self.last.two(player, opponent, alpha, s)
        } else {
            let s = [next(), next(), next()];
            self.last.three(player, opponent, alpha, s)
        }
    }

    /// Five or six empties: parity alone orders
    fn shallow(&mut self, player: u64, opponent: u64, alpha: i32, n: usize, parity: QuadrantParity) -> i32 {
        self.last.nodes += 1;
        if let Some(bound) = self.stability_bound(player, opponent, alpha, n) {
            return bound;
        }
        let moves = Self::moves(player, opponent);
        if moves == 0 {
            if Self::moves(opponent, player) == 0 {
                return LastEmpties::<B>::finished(player, n as i32);
            }
            return -self.shallow(opponent, player, -alpha - 1, n, parity);
        }
        let mut best = NO_MOVE;
        let odd = parity.odd_squares();
        for set in [moves & odd, moves & !odd] {
            for square in squares(set) {
                let flips = kernels::flips(player, opponent, square);
                let (p, o) = (opponent ^ flips, player ^ flips ^ square.bit());
                let parity = parity.after(square);
                let score = if n == 5 {
                    -self.last.four(p, o, -alpha - 1, parity)
                } else {
                    -self.shallow(p, o, -alpha - 1, n - 1, parity)
                };
                if score > best {
                    best = score;
                    if score > alpha {
                        return score;
                    }
                }
            }
        }
        best
    }

    /// Seven to twelve: fastest first
    fn local_null_window(&mut self, player: u64, opponent: u64, alpha: i32, n: usize, parity: QuadrantParity) -> i32 {
        self.last.nodes += 1;
        if let Some(bound) = self.stability_bound(player, opponent, alpha, n) {
            return bound;
        }
        let hash = othello::Board::new(player, opponent).hash64();
        let place = LocalTables::place(hash, n);
        let mut table_move = None;
        if let Some(entry) = self.local.probe(place, player, opponent) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            table_move = entry.best();
        }
        let moves = Self::moves(player, opponent);
        if moves == 0 {
            if Self::moves(opponent, player) == 0 {
                return LastEmpties::<B>::finished(player, n as i32);
            }
            return -self.local_null_window(opponent, player, -alpha - 1, n, parity);
        }
        let begin = self.candidates.len();
        self.gather(player, opponent, moves, parity, table_move);
        let mut best = NO_MOVE;
        let mut best_move = self.candidates[begin].square;
        for index in begin..self.candidates.len() {
            let Candidate { square, flips, .. } = take_best(&mut self.candidates[index..]);
            let (p, o) = (opponent ^ flips, player ^ flips ^ square.bit());
            let parity = parity.after(square);
            let score = if n == 7 {
                -self.shallow(p, o, -alpha - 1, n - 1, parity)
            } else {
                -self.local_null_window(p, o, -alpha - 1, n - 1, parity)
            };
            if score > best {
                best = score;
                best_move = square;
                if score > alpha {
                    break;
                }
            }
        }
        self.candidates.truncate(begin);
        self.local.store(place, player, opponent, best, alpha, best_move);
        best
    }

    fn gather(&mut self, player: u64, opponent: u64, moves: u64, parity: QuadrantParity, table_move: Option<Square>) {
        for square in squares(moves) {
            let flips = kernels::flips(player, opponent, square);
            let promise = if Some(square) == table_move {
                i32::MAX
            } else {
                let (p, o) = (opponent ^ flips, player ^ flips ^ square.bit());
                let replies = Self::moves(p, o);
                let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                let open = (B::neighbours(o) & !(p | o) & B::PLAYABLE).count_ones() as i32;
                let odd = i32::from(parity.is_odd(square));
                let corner = i32::from(square.bit() & CORNERS != 0);
                -16 * mobility - 4 * open + 8 * odd + 8 * corner
            };
            self.candidates.push(Candidate { square, flips, promise });
        }
    }
}
