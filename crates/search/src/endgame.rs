//! The last dozen empty squares of an endgame, with null windows.
//!
//! Scores are final disc differences from the point of view of the side to move, fail-soft. Up to ten empties a node
//! uses a small hash table local to the thread, for itself and for the positions after its moves; above, the shared one.
//! It sorts its moves: first those that leave the opponent the fewest replies (fastest first) and bad corners
//! ([`OrderingSet`]). Below seven, sorting costs more than it saves: only parity is used. The last four empties have
//! specialized routines ([`LastEmpties`]).

use evaluation::{Evaluation, OrderingSet, Value};
use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square, SquareSet, kernels, squares, stability};

use crate::last_empties::{LastEmpties, NO_MOVE};
use crate::local_table::LocalTables;
use crate::parameters::{
    CORNER_REPLY, ENDGAME_MAX_EMPTIES, LOCAL_TABLE_MAX_EMPTIES, LOCAL_TABLE_MIN_EMPTIES, POLL_MIN_EMPTIES, REPLY,
    SMALL_BOARD_ORDERING, STABILITY_ALPHA,
};
use crate::selectivity::Selectivity;
use crate::transposition::{self, HashEntry, HashTable, SearchResult};
use crate::worker::{CORNERS, Worker};

/// A position near the end: the discs, the number of empty squares and their parity.
#[derive(Clone, Copy)]
pub(crate) struct EndgamePosition {
    player: u64,
    opponent: u64,
    empty_count: usize,
    parity: QuadrantParity,
}

impl EndgamePosition {
    pub(crate) fn of<B: Rules<Set = u64>>(board: &B) -> Self {
        let empties = board.empties();
        Self {
            player: board.player(),
            opponent: board.opponent(),
            empty_count: empties.count_ones() as usize,
            parity: QuadrantParity::of(empties),
        }
    }

    #[inline]
    fn after(&self, square: Square, flips: u64) -> Self {
        Self {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips ^ square.bit(),
            empty_count: self.empty_count - 1,
            parity: self.parity.after(square),
        }
    }

    #[inline]
    fn passed(&self) -> Self {
        Self { player: self.opponent, opponent: self.player, ..*self }
    }

    #[inline]
    fn moves<B: Rules<Set = u64>>(&self) -> u64 {
        kernels::moves(self.player, self.opponent) & B::PLAYABLE
    }

    #[inline]
    fn flips(&self, square: Square) -> u64 {
        kernels::flips(self.player, self.opponent, square)
    }
}

/// An upper bound on the score from the opponent's stable discs, if it does not exceed alpha.
#[inline]
pub(crate) fn stability_bound<B: Rules<Set = u64>>(
    player: u64,
    opponent: u64,
    alpha: i32,
    empty_count: usize,
) -> Option<i32> {
    if alpha < STABILITY_ALPHA[empty_count] {
        return None;
    }
    let stable = if B::PLAYABLE == u64::MAX {
        stability::stable_discs(opponent, player)
    } else {
        stability::stable_discs_within(opponent, player, B::PLAYABLE)
    };
    let bound = B::GEOMETRY.area() as i32 - 2 * stable.count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

impl<B: Rules<Set = u64>, E: Evaluation<B>> Worker<'_, B, E> {
    /// The score of an endgame position with the null window at alpha.
    pub(crate) fn solve_endgame(&mut self, position: EndgamePosition, alpha: i32) -> i32 {
        let EndgamePosition { player, opponent, .. } = position;
        match position.empty_count {
            0 => LastEmpties::<B>::finished(player, 0),
            1..=3 => {
                let mut empties = squares(B::PLAYABLE & !(player | opponent));
                let mut next = || empties.next().unwrap_or(Square::new(0));
                match position.empty_count {
                    1 => LastEmpties::<B>::one(player, next()),
                    2 => {
                        let squares = [next(), next()];
                        self.last.two(player, opponent, alpha, squares)
                    }
                    _ => {
                        let squares = [next(), next(), next()];
                        self.last.three(player, opponent, alpha, squares)
                    }
                }
            }
            4 => self.last.four(player, opponent, alpha, position.parity),
            5..LOCAL_TABLE_MIN_EMPTIES => self.by_parity(position, alpha),
            LOCAL_TABLE_MIN_EMPTIES..=LOCAL_TABLE_MAX_EMPTIES => self.with_local_table(position, alpha),
            _ => self.with_shared_table(position, alpha),
        }
    }

    /// Five or six empties: squares of odd quadrants first.
    fn by_parity(&mut self, position: EndgamePosition, alpha: i32) -> i32 {
        let EndgamePosition { player, opponent, empty_count, parity } = position;
        self.last.nodes += 1;
        if let Some(bound) = stability_bound::<B>(player, opponent, alpha, empty_count) {
            return bound;
        }
        let moves = position.moves::<B>();
        if moves == 0 {
            let passed = position.passed();
            if passed.moves::<B>() == 0 {
                return LastEmpties::<B>::finished(player, empty_count as i32);
            }
            return -self.by_parity(passed, -alpha - 1);
        }
        let mut best = NO_MOVE;
        let odd = parity.odd_squares();
        for set in [moves & odd, moves & !odd] {
            for square in squares(set) {
                let next = position.after(square, position.flips(square));
                let score = if empty_count == 5 {
                    -self.last.four(next.player, next.opponent, -alpha - 1, next.parity)
                } else {
                    -self.by_parity(next, -alpha - 1)
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

    /// Seven to ten empties: the local table, then the moves that leave the fewest replies first.
    fn with_local_table(&mut self, position: EndgamePosition, alpha: i32) -> i32 {
        let EndgamePosition { player, opponent, empty_count, .. } = position;
        self.last.nodes += 1;
        if empty_count >= POLL_MIN_EMPTIES {
            self.poll_regularly();
            if self.is_interrupted() {
                return alpha;
            }
        }
        if let Some(bound) = stability_bound::<B>(player, opponent, alpha, empty_count) {
            return bound;
        }
        let index = LocalTables::index(Board::new(player, opponent).hash64(), empty_count);
        let mut table_move = None;
        if let Some(entry) = self.local.probe(index, player, opponent) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            table_move = entry.best();
        }
        let moves = position.moves::<B>();
        if moves == 0 {
            return self.after_pass(position, alpha);
        }
        let (best, best_move) = self.fastest_first(&position, moves, table_move, alpha);
        if empty_count >= POLL_MIN_EMPTIES && self.is_interrupted() {
            // After a stop the scores of the moves may be wrong.
            return alpha;
        }
        self.local.store(index, player, opponent, best, alpha, best_move);
        best
    }

    /// Eleven or twelve empties: the shared table, which keeps a position until long after the local one has replaced
    /// it. A search of these positions takes long enough to wait for main memory.
    fn with_shared_table(&mut self, position: EndgamePosition, alpha: i32) -> i32 {
        let EndgamePosition { player, opponent, empty_count, .. } = position;
        self.last.nodes += 1;
        self.poll_regularly();
        if self.is_interrupted() {
            return alpha;
        }
        if let Some(bound) = stability_bound::<B>(player, opponent, alpha, empty_count) {
            return bound;
        }
        let hash = transposition::hash::<B>(player, opponent);
        let mut table_move = None;
        if let Some(entry) = self.shared.table.probe(player, opponent, hash) {
            if let Some((lower, upper)) = proven_bounds(&entry, empty_count) {
                if lower > alpha {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            table_move = entry.moves[0];
        }
        let moves = position.moves::<B>();
        if moves == 0 {
            return self.after_pass(position, alpha);
        }
        let (best, best_move) = self.fastest_first(&position, moves, table_move, alpha);
        if self.is_interrupted() {
            return alpha;
        }
        // There is always a best move: every score and bound exceeds the one of no move.
        if let Some(best_move) = best_move {
            let alpha = Value::PER_DISC * alpha;
            let found = SearchResult {
                depth: empty_count as u8,
                selectivity: Selectivity::EXACT.level(),
                alpha,
                beta: alpha + 1,
                value: Value::PER_DISC * best,
                best: best_move,
            };
            self.shared.table.store(player, opponent, hash, found);
        }
        best
    }

    fn after_pass(&mut self, position: EndgamePosition, alpha: i32) -> i32 {
        let passed = position.passed();
        if passed.moves::<B>() == 0 {
            return LastEmpties::<B>::finished(position.player, position.empty_count as i32);
        }
        self.solve_next(passed, alpha)
    }

    /// The best score of the moves and the move that has it: the move from the table first, then those that leave the
    /// fewest replies.
    #[inline]
    fn fastest_first(
        &mut self,
        position: &EndgamePosition,
        moves: u64,
        table_move: Option<Square>,
        alpha: i32,
    ) -> (i32, Option<Square>) {
        let (mut best, mut best_move) = (NO_MOVE, None);
        let mut rest = moves;
        // The move from the table alone often suffices: then the others need no rating.
        if let Some(square) = table_move.filter(|&square| moves.has(square)) {
            best = self.solve_next(position.after(square, position.flips(square)), alpha);
            best_move = Some(square);
            rest &= !square.bit();
        }
        if best > alpha {
            return (best, best_move);
        }
        let mut list = EndgameMoves::of(position, rest);
        if (LOCAL_TABLE_MIN_EMPTIES + 1..=LOCAL_TABLE_MAX_EMPTIES + 1).contains(&position.empty_count) {
            let known = list.look_up(&self.local, position, alpha);
            if known.0 > best {
                (best, best_move) = known;
                if best > alpha {
                    return known;
                }
            }
        }
        let is_next_shared = position.empty_count > LOCAL_TABLE_MAX_EMPTIES + 1;
        if is_next_shared {
            list.prefetch::<B>(self.shared.table, position);
        }
        // A position that is rated counts as a node like one that is searched.
        self.last.nodes += u64::from(list.left.count_ones());
        list.rate::<B>(self.ordering, position);
        if is_next_shared {
            let known = list.look_up_shared::<B>(self.shared.table, position, alpha);
            if known.0 > best {
                (best, best_move) = known;
                if best > alpha {
                    return known;
                }
            }
        }
        while let Some((square, flips)) = list.take() {
            let score = self.solve_next(position.after(square, flips), alpha);
            if score > best {
                best = score;
                best_move = Some(square);
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_move)
    }

    /// The score of the position after a move, for the side that made it.
    #[inline]
    fn solve_next(&mut self, next: EndgamePosition, alpha: i32) -> i32 {
        if next.empty_count < LOCAL_TABLE_MIN_EMPTIES {
            -self.by_parity(next, -alpha - 1)
        } else if next.empty_count <= LOCAL_TABLE_MAX_EMPTIES {
            -self.with_local_table(next, -alpha - 1)
        } else {
            -self.with_shared_table(next, -alpha - 1)
        }
    }
}

/// The bounds on the score in an entry of the shared table, if they are proven.
#[inline]
fn proven_bounds(entry: &HashEntry, empty_count: usize) -> Option<(i32, i32)> {
    let discs = |value: Value| value.parts() / Value::PER_DISC;
    entry.covers(empty_count as u8, Selectivity::EXACT.level()).then(|| (discs(entry.lower), discs(entry.upper)))
}

#[inline]
fn slots(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            slot
        })
    })
}

/// At least one slot for each empty square: the maximum number of moves in this part of the search.
const SLOTS: usize = ENDGAME_MAX_EMPTIES.next_power_of_two();

/// The moves of an endgame position, the most promising first.
///
/// A move is encoded as a key, its rating above the index of its slot: the best move is a plain maximum, without
/// branches that a processor would mispredict.
struct EndgameMoves {
    keys: [i32; SLOTS],
    squares: [u8; SLOTS],
    flips: [u64; SLOTS],
    /// The slots of the moves to rate, as a set of bits.
    left: u32,
    /// The largest key, if it is known: until the first move is taken or dropped, otherwise [`EndgameMoves::NONE`].
    first: i32,
}

impl EndgameMoves {
    const NONE: i32 = i32::MIN;

    #[inline]
    fn of(position: &EndgamePosition, moves: u64) -> Self {
        let mut list = Self {
            keys: [Self::NONE; SLOTS],
            squares: [0; SLOTS],
            flips: [0; SLOTS],
            left: (1 << moves.count_ones().min(SLOTS as u32)) - 1,
            first: Self::NONE,
        };
        for (slot, square) in squares(moves).enumerate() {
            let slot = slot % SLOTS;
            list.squares[slot] = square.index() as u8;
            list.flips[slot] = position.flips(square);
        }
        list
    }

    #[inline]
    fn square(&self, slot: usize) -> Square {
        Square::new(self.squares[slot % SLOTS])
    }

    #[inline]
    fn after(&self, slot: usize, position: &EndgamePosition) -> EndgamePosition {
        position.after(self.square(slot), self.flips[slot % SLOTS])
    }

    /// Looks up the positions after the moves in the table (enhanced transposition cutoff): returns a score above alpha
    /// if one is known, otherwise drops the moves that are known not to exceed it and returns a bound on their scores,
    /// each with the move.
    #[inline]
    fn look_up(&mut self, table: &LocalTables, position: &EndgamePosition, alpha: i32) -> (i32, Option<Square>) {
        let count = self.left.count_ones() as usize;
        let mut indices = [0; SLOTS];
        // Most positions are not there. One branch for all of them, on half of the key, costs less than one for each.
        let mut similar = 0;
        for slot in 0..count {
            let next = self.after(slot, position);
            let index = LocalTables::index(Board::new(next.player, next.opponent).hash64(), next.empty_count);
            indices[slot % SLOTS] = index;
            similar |= u32::from(table.is_similar(index, next.player)) << slot;
        }
        let mut best = (NO_MOVE, None);
        for slot in slots(similar) {
            let next = self.after(slot, position);
            if let Some(entry) = table.probe(indices[slot % SLOTS], next.player, next.opponent) {
                let (least, most) = (-i32::from(entry.upper), -i32::from(entry.lower));
                if least > alpha {
                    return (least, Some(self.square(slot)));
                }
                if most <= alpha {
                    best = best.max((most, Some(self.square(slot))));
                    self.left &= !(1 << slot);
                }
            }
        }
        best
    }

    /// Starts to fetch the entries of the shared table for the positions after the moves.
    #[inline]
    fn prefetch<B: Rules<Set = u64>>(&self, table: &HashTable, position: &EndgamePosition) {
        for slot in slots(self.left) {
            let next = self.after(slot, position);
            table.prefetch(transposition::hash::<B>(next.player, next.opponent));
        }
    }

    /// Like [`EndgameMoves::look_up`], but in the shared table, and for moves that are rated already: the time that takes is
    /// the time in which the entries arrive from main memory.
    #[inline]
    fn look_up_shared<B: Rules<Set = u64>>(
        &mut self,
        table: &HashTable,
        position: &EndgamePosition,
        alpha: i32,
    ) -> (i32, Option<Square>) {
        let mut best = (NO_MOVE, None);
        for slot in slots(self.left) {
            let next = self.after(slot, position);
            let hash = transposition::hash::<B>(next.player, next.opponent);
            if let Some(entry) = table.probe(next.player, next.opponent, hash)
                && let Some((lower, upper)) = proven_bounds(&entry, next.empty_count)
            {
                if -upper > alpha {
                    return (-upper, Some(self.square(slot)));
                }
                if -lower <= alpha {
                    best = best.max((-lower, Some(self.square(slot))));
                    self.keys[slot % SLOTS] = Self::NONE;
                    self.first = Self::NONE;
                }
            }
        }
        best
    }

    #[inline]
    fn rate<B: Rules<Set = u64>>(&mut self, set: &OrderingSet, position: &EndgamePosition) {
        for slot in slots(self.left) {
            let slot = slot % SLOTS;
            let next = self.after(slot, position);
            let replies = next.moves::<B>();
            let score = if B::PLAYABLE == u64::MAX {
                -REPLY * replies.count_ones() as i32
                    - CORNER_REPLY * (replies & CORNERS).count_ones() as i32
                    - set.value(next.player, next.opponent)
            } else {
                let open = B::neighbors(next.opponent) & B::PLAYABLE & !(next.player | next.opponent);
                let odd = i32::from(position.parity.is_odd(Square::new(self.squares[slot])));
                let [odd_weight, reply_weight, open_weight] = SMALL_BOARD_ORDERING;
                odd_weight * odd - reply_weight * replies.count_ones() as i32 - open_weight * open.count_ones() as i32
            };
            // Of equal moves the first one wins.
            let key = score * SLOTS as i32 + (SLOTS - 1 - slot) as i32;
            self.keys[slot] = key;
            self.first = self.first.max(key);
        }
    }

    /// Takes the most promising remaining move.
    #[inline]
    fn take(&mut self) -> Option<(Square, u64)> {
        // All slots, used or not, and not before the move is needed: its key was written long ago by then, while a
        // vector load right after the store would wait for it.
        let best = if self.first == Self::NONE {
            self.keys.iter().fold(Self::NONE, |best, &key| best.max(key))
        } else {
            self.first
        };
        if best == Self::NONE {
            return None;
        }
        self.first = Self::NONE;
        let slot = SLOTS - 1 - best as usize % SLOTS;
        self.keys[slot] = Self::NONE;
        Some((Square::new(self.squares[slot]), self.flips[slot]))
    }
}
