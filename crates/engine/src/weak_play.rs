//! The play of the weak levels: like people who are learning the game.
//!
//! A person who has just learned the rules takes many discs, likes edges and overlooks half of the moves. Later come
//! the corners and the squares beside them, then mobility, then the replies of the opponent. So a weak level is an
//! evaluation that mixes simple ideas with that of the strong levels, a limited attention, a shallow search, a
//! temperature, and good and bad days. What is left to chance follows from the seed, the number of the game and the
//! position alone.

use evaluation::{Evaluation, Value};
use othello::random::Random;
use othello::{Board, Rules, Score, Square, SquareSet, squares};
use serde::{Deserialize, Serialize};

use crate::{Choice, Estimate, Level};

/// Parameters of a weak level.
///
/// The first five are weights of a judgment in discs: what each is worth to the side that has one more of it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeakPlay {
    /// Value of a disc.
    pub discs: f32,
    /// Value of a disc on an edge, corners aside.
    pub edges: f32,
    /// Value of a corner; squares beside an empty one count against their owner in proportion.
    pub corners: f32,
    /// Value of a legal move.
    pub mobility: f32,
    /// Weight of a disc of the evaluation that the strong levels search with.
    pub learned: f32,
    /// Probability that an inconspicuous move, far from the last one and with few flips, is considered.
    pub attention: f32,
    /// Plies of look-ahead: 1 judges the board after its own move, 2 after the answer.
    pub look_ahead: u32,
    /// Difference in discs at which moves are played almost equally often (the temperature of a softmax).
    pub temperature: f32,
    /// Number of empty squares from which it solves the endgame.
    pub solves_from: u32,
}

impl WeakPlay {
    /// The version of the table below: games of other versions are games of other players.
    pub const VERSION: u32 = 1;

    /// The weak levels, from 0 in half steps.
    ///
    /// Chosen by hand, and changed until `cargo run --release -p engine --example weak_levels -- --games 800` showed that
    /// each level beats the one below in 60 to 75% of the games; `docs/results.md` has the tournament.
    const LEVELS: [WeakPlay; 10] = [
        // discs, edges, corners, mobility, learned; attention, look-ahead, temperature, solves from
        level([1.0, 0.5, 0.0, 0.0, 0.0], 0.45, 1, 4.0, 0),
        level([0.8, 1.7, 4.0, 0.0, 0.0], 0.6, 1, 1.4, 0),
        level([0.3, 1.3, 10.0, 0.1, 0.0], 0.74, 1, 0.8, 1),
        level([0.1, 0.5, 12.0, 0.6, 0.12], 0.81, 1, 0.8, 2),
        level([0.0, 0.3, 12.0, 0.8, 0.4], 0.88, 1, 0.7, 2),
        level([0.0, 0.2, 8.0, 0.6, 0.6], 0.92, 1, 0.5, 3),
        level([0.0, 0.0, 4.0, 0.3, 0.8], 0.92, 2, 0.7, 4),
        level([0.0, 0.0, 0.0, 0.0, 1.0], 0.955, 3, 0.4, 6),
        level([0.0, 0.0, 0.0, 0.0, 1.0], 0.98, 4, 0.25, 8),
        level([0.0, 0.0, 0.0, 0.0, 1.0], 0.993, 5, 0.1, 10),
    ];
}

/// A line of the table.
const fn level(
    [discs, edges, corners, mobility, learned]: [f32; 5],
    attention: f32,
    look_ahead: u32,
    temperature: f32,
    solves_from: u32,
) -> WeakPlay {
    WeakPlay { discs, edges, corners, mobility, learned, attention, look_ahead, temperature, solves_from }
}

impl Level {
    /// Its parameters on an ordinary day, if it is one of the weak levels.
    pub fn weak_play(self) -> Option<&'static WeakPlay> {
        WeakPlay::LEVELS.get(self.weak_index()?)
    }

    /// Its parameters in this form, if it is one of the weak levels: like a neighbor on a good or bad day.
    pub fn weak_play_in(self, form: Form) -> Option<&'static WeakPlay> {
        WeakPlay::LEVELS.get(form.applied_to(self.weak_index()?).min(WeakPlay::LEVELS.len() - 1))
    }
}

/// Good and bad days: in one game out of three a weak level plays like the next higher one, in another like the next
/// lower one. So people do, and the weaker of two wins now and then by more than the luck of single moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Like the level below.
    Bad,
    /// Like itself.
    Ordinary,
    /// Like the level above.
    Good,
}

impl Form {
    /// The form in the game of this number of a player with this seed.
    pub fn of(seed: u64, game: u64) -> Self {
        [Self::Bad, Self::Ordinary, Self::Good][Random::of_item(seed, game).below(3)]
    }

    /// The place among the weak levels as which one at this place plays.
    pub fn applied_to(self, place: usize) -> usize {
        match self {
            Self::Bad => place.saturating_sub(1),
            Self::Ordinary => place,
            Self::Good => place + 1,
        }
    }
}

/// A player of a weak level.
#[derive(Debug)]
pub struct WeakPlayer<'a, E> {
    play: WeakPlay,
    evaluation: &'a E,
    seed: u64,
    nodes: u64,
}

/// Moves as near as this to the last one catch the eye.
const NEAR: u8 = 2;
/// A move that flips as many discs as this catches the eye.
const MANY_FLIPS: f32 = 6.0;
/// Penalty for a square diagonally beside an empty corner, as a share of the corner, and for one on the edge beside it.
const X_SQUARE: f32 = 0.6;
const C_SQUARE: f32 = 0.2;
const MAX_SCORE: i32 = 64;

impl<'a, E> WeakPlayer<'a, E> {
    /// A player that plays in this way; the seed decides what it leaves to chance.
    pub fn new(play: WeakPlay, evaluation: &'a E, seed: u64) -> Self {
        Self { play, evaluation, seed, nodes: 0 }
    }

    /// The move that it plays after this one, looking no deeper than `deepest` plies; none if there is no legal move.
    pub fn choose<B>(&mut self, board: &B, last: Option<Square>, deepest: Option<u32>) -> Option<Choice>
    where
        B: Rules<Set = u64>,
        E: Evaluation<B>,
    {
        let empty_count = board.empties().count();
        if empty_count <= self.play.solves_from && deepest.is_none_or(|deepest| empty_count <= deepest) {
            return self.solve(board);
        }
        let mut random = self.dice(board);
        let considered = self.considered(board, last, &mut random);
        let depth = self.play.look_ahead.min(deepest.unwrap_or(u32::MAX)).max(1);
        let mut best: Option<(f32, Square, f32)> = None;
        for square in squares(considered) {
            let Some(after) = board.play(square) else { continue };
            let value = -self.value(&after, square, depth - 1, f32::NEG_INFINITY, f32::INFINITY);
            // With Gumbel noise the best of all is a move drawn by the softmax of the values.
            let noise = -(-random.share().max(1e-300).ln()).max(1e-300).ln();
            let tempting = value + self.play.temperature * noise as f32;
            if best.is_none_or(|(max, ..)| tempting > max) {
                best = Some((tempting, square, value));
            }
        }
        let (_, square, value) = best?;
        let hundredths = (100.0 * Value::from_discs(value).discs()).round() as i32;
        Some(self.choice(square, Estimate::Discs { hundredths }, depth))
    }

    fn choice(&self, square: Square, value: Estimate, depth: u32) -> Choice {
        Choice { value: Some(value), depth, nodes: self.nodes, ..Choice::of(square) }
    }

    /// Everything that is decided by chance in this position.
    fn dice<B: Rules<Set = u64>>(&self, board: &B) -> Random {
        Random::of_item(self.seed, Board::new(board.player(), board.opponent()).hash64())
    }

    /// The legal moves that it thinks of; all of them if it would think of none.
    fn considered<B: Rules<Set = u64>>(&self, board: &B, last: Option<Square>, random: &mut Random) -> u64 {
        let moves = board.moves();
        let mut considered = 0;
        for square in squares(moves) {
            let flips = board.flips(square).count() as f32 / MANY_FLIPS;
            let is_near = last.is_some_and(|last| distance::<B>(square, last) <= NEAR);
            let salience = (flips.min(1.0) + f32::from(u8::from(is_near))) / 2.0;
            let chance = self.play.attention + (1.0 - self.play.attention) * salience;
            if random.share() < f64::from(chance) {
                considered |= u64::only(square);
            }
        }
        if considered == 0 { moves } else { considered }
    }

    /// Value of the position after this move for the side to move, by alpha-beta over the moves that are considered.
    fn value<B>(&mut self, board: &B, last: Square, depth: u32, mut alpha: f32, beta: f32) -> f32
    where
        B: Rules<Set = u64>,
        E: Evaluation<B>,
    {
        self.nodes += 1;
        if !board.can_move() {
            if !board.pass().can_move() {
                return board.final_score().discs() as f32;
            }
            return -self.value(&board.pass(), last, depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.judge(board);
        }
        let considered = self.considered(board, Some(last), &mut self.dice(board));
        let mut moves: Vec<(Square, B)> =
            squares(considered).filter_map(|square| Some((square, board.play(square)?))).collect();
        if depth > 1 {
            // What leaves few replies first: the value is the same, and found sooner.
            moves.sort_by_key(|(_, after)| after.moves().count());
        }
        for (square, after) in moves {
            alpha = alpha.max(-self.value(&after, square, depth - 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// The evaluation of a position for the side to move, in discs.
    fn judge<B>(&self, board: &B) -> f32
    where
        B: Rules<Set = u64>,
        E: Evaluation<B>,
    {
        let WeakPlay { discs, edges, corners, mobility, learned, .. } = self.play;
        let mut value = discs * difference(board, B::PLAYABLE);
        if edges != 0.0 || corners != 0.0 {
            let (edge, near_corners) = edges_and_corners::<B>();
            value += edges * difference(board, edge);
            for [corner, diagonal, beside] in near_corners {
                let is_empty = board.empties() & corner != 0;
                let risk = X_SQUARE * difference(board, diagonal) + C_SQUARE * difference(board, beside);
                value += corners * if is_empty { -risk } else { difference(board, corner) };
            }
        }
        if mobility != 0.0 {
            value += mobility * (board.moves().count() as f32 - board.pass().moves().count() as f32);
        }
        if learned != 0.0 {
            let features = self.evaluation.features(board);
            value += learned * self.evaluation.evaluate(board, &features).discs();
        }
        value
    }

    /// The best move to the end of the game.
    fn solve<B: Rules<Set = u64>>(&mut self, board: &B) -> Option<Choice> {
        let rated = squares(board.moves()).filter_map(|square| {
            let after = board.play(square)?;
            Some((square, -self.score(&after, -MAX_SCORE, MAX_SCORE)))
        });
        // Of equal moves the first.
        let (square, score) = rated.reduce(|best, other| if other.1 > best.1 { other } else { best })?;
        Some(self.choice(square, Estimate::Solved(Score::new(score as i8)), board.empties().count()))
    }

    /// The final score for the side to move under best play, by alpha-beta.
    fn score<B: Rules<Set = u64>>(&mut self, board: &B, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if !board.can_move() {
            if !board.pass().can_move() {
                return board.final_score().discs();
            }
            return -self.score(&board.pass(), -beta, -alpha);
        }
        for square in squares(board.moves()) {
            let Some(after) = board.play(square) else { continue };
            alpha = alpha.max(-self.score(&after, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

/// Number of these squares that the side to move has more than its opponent.
fn difference<B: Rules<Set = u64>>(board: &B, set: u64) -> f32 {
    (board.player() & set).count() as f32 - (board.opponent() & set).count() as f32
}

/// King's moves from one square to another.
fn distance<B: Rules>(one: Square, other: Square) -> u8 {
    let (column, row) = B::GEOMETRY.column_row(one);
    let (other_column, other_row) = B::GEOMETRY.column_row(other);
    column.abs_diff(other_column).max(row.abs_diff(other_row))
}

/// The squares of the edges without the corners; and each corner, with the square diagonally beside it and the two on
/// the edge.
fn edges_and_corners<B: Rules<Set = u64>>() -> (u64, [[u64; 3]; 4]) {
    let last = B::GEOMETRY.side - 1;
    let at = |column: u8, row: u8| B::GEOMETRY.square_at(column, row).map_or(0, u64::only);
    let edge = (1..last).map(|place| at(place, 0) | at(place, last) | at(0, place) | at(last, place));
    let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|(column, row)| {
        let inwards = |place: u8| if place == 0 { 1 } else { last - 1 };
        let beside = at(inwards(column), row) | at(column, inwards(row));
        [at(column, row), at(inwards(column), inwards(row)), beside]
    });
    (edge.fold(0, |all, squares| all | squares), corners)
}
