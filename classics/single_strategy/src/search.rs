//! Players with one idea: maximum disc and minimum disc, and the search that they share with
//! weighted square (Rosenbloom 1982, section 3.1).
//!
//! The paper describes the ideas as evaluation functions and leaves the depth open. Given a depth or a level, these
//! players search that many plies, otherwise one, and play the move with the best value. A finished game counts by its
//! result, whatever the idea, and ties are broken at random.

use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Chosen, Estimate, Limits, Observer, Outcome, Player, PlayerError, Progress, Stop};
use othello::{Game, Rules, Score, Square, SquareSet, squares};

use othello::random::Random;

/// One idea of what makes a position good.
pub trait Idea<B: Rules>: Send {
    /// The name of a player with this idea.
    fn name(&self) -> &'static str;

    /// The value of the board for its side to move: more is better, and for the other side it is negated.
    fn value(&self, board: &B) -> i32;

    /// Number of points that correspond to a disc at the end of the game; 1 for discs themselves.
    fn points_per_disc(&self) -> f64 {
        1.0
    }
}

/// The first idea: have more discs than the opponent.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaximumDisc;

impl<B: Rules> Idea<B> for MaximumDisc {
    fn name(&self) -> &'static str {
        "maximum-disc"
    }

    fn value(&self, board: &B) -> i32 {
        board.player().count() as i32 - board.opponent().count() as i32
    }
}

/// The third idea: have fewer discs than the opponent, so as to keep more moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinimumDisc;

impl<B: Rules> Idea<B> for MinimumDisc {
    fn name(&self) -> &'static str {
        "minimum-disc"
    }

    fn value(&self, board: &B) -> i32 {
        board.opponent().count() as i32 - board.player().count() as i32
    }
}

/// A player with one idea and a plain alpha-beta search.
#[derive(Clone, Debug)]
pub struct OneIdeaPlayer<I> {
    idea: I,
    random: Random,
}

impl<I> OneIdeaPlayer<I> {
    /// A player with this idea; the seed decides between moves of equal value.
    pub fn new(idea: I, seed: u64) -> Self {
        Self { idea, random: Random::new(seed) }
    }
}

impl<B: Rules, I: Idea<B>> Player<B> for OneIdeaPlayer<I> {
    fn name(&self) -> &str {
        self.idea.name()
    }

    fn points_per_disc(&self) -> f64 {
        self.idea.points_per_disc()
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        limits.require_clock(Player::<B>::name(self))?;
        let board = game.position().board;
        let empties = board.empties().count();
        let mut moves: Vec<Square> = squares(board.moves()).collect();
        self.random.shuffle(&mut moves);
        let Some(&first) = moves.first() else {
            return Err(PlayerError::GameOver);
        };

        let mut search = Search {
            idea: &self.idea,
            stop,
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            start: Moment::now(),
            time_limit: time_for_move(limits, empties),
            interruptible: false,
            board: std::marker::PhantomData,
        };
        let depth = limits.depth_or_level().unwrap_or(1).clamp(1, empties);
        let mut choice = Choice::of(first);
        for depth in 1..=depth {
            let Some((value, line)) = search.best_move(&board, &moves, depth) else {
                break;
            };
            choice.square = line[0];
            choice.value = Some(estimate(value, depth == empties));
            choice.depth = depth;
            choice.line = line;
            let progress = Progress {
                depth,
                selectivity: 100,
                value: choice.value,
                book_games: None,
                line: choice.line.clone(),
                nodes: search.nodes,
                time: search.start.elapsed(),
            };
            observer.report(&progress);
            // The best move first makes the next iteration short; the others keep their random order.
            if let Some(index) = moves.iter().position(|&square| square == choice.square) {
                moves[..=index].rotate_right(1);
            }
            // One ply is always completed, so that there is a move to play.
            search.interruptible = true;
            if search.interrupted() {
                break;
            }
        }
        choice.nodes = search.nodes;
        choice.time = search.start.elapsed();
        Ok(choice)
    }
}

/// The time for this move within the limits.
fn time_for_move(limits: &Limits, empties: u32) -> Duration {
    let of_clock = limits.clock.map(|clock| {
        // Half of the empty squares are ours; counting one more keeps a reserve.
        let moves_left = empties / 2 + 2;
        clock.remaining / moves_left + clock.increment.min(clock.remaining / 2)
    });
    limits.move_time.into_iter().chain(of_clock).min().unwrap_or(Duration::MAX)
}

/// The value of a disc of a finished game: more than any value of an idea.
const FINAL_DISC: i32 = 1 << 16;

fn estimate(value: i32, solved: bool) -> Estimate {
    if solved {
        // Scores of every board fit: they are multiples of a final disc within the board's area.
        return Estimate::Solved(Score::new((value / FINAL_DISC) as i8));
    }
    if value.abs() >= FINAL_DISC {
        return Estimate::Proven(if value > 0 { Outcome::Win } else { Outcome::Loss });
    }
    Estimate::Points(value)
}

/// An alpha-beta search under way.
struct Search<'a, B, I> {
    idea: &'a I,
    stop: &'a Stop,
    nodes: u64,
    node_limit: u64,
    start: Moment,
    time_limit: Duration,
    interruptible: bool,
    board: std::marker::PhantomData<B>,
}

impl<B: Rules, I: Idea<B>> Search<'_, B, I> {
    /// The value of the position and the line that leads to it, or `None` if the search was interrupted. Of equal moves
    /// the first is taken.
    fn best_move(&mut self, board: &B, moves: &[Square], depth: u32) -> Option<(i32, Vec<Square>)> {
        let mut best = (-i32::MAX, Vec::new());
        for &square in moves {
            let after = board.play(square)?;
            let mut line = Vec::new();
            let value = -self.value(&after, depth - 1, -i32::MAX, -best.0, &mut line)?;
            if value > best.0 {
                line.insert(0, square);
                best = (value, line);
            }
        }
        Some(best)
    }

    /// The value of the board for its side to move, and the expected line, without passes.
    fn value(&mut self, board: &B, depth: u32, mut alpha: i32, beta: i32, line: &mut Vec<Square>) -> Option<i32> {
        self.nodes += 1;
        if self.interruptible && (self.nodes >= self.node_limit || self.nodes & 0x3ff == 0 && self.interrupted()) {
            return None;
        }
        let moves = board.moves();
        if moves.is_empty() {
            let passed = board.pass();
            if !passed.can_move() {
                return Some(board.final_score().discs() * FINAL_DISC);
            }
            // A pass places no disc and so costs no depth.
            return self.value(&passed, depth, -beta, -alpha, line).map(|value| -value);
        }
        if depth == 0 {
            return Some(self.idea.value(board));
        }
        let mut best = -i32::MAX;
        for square in squares(moves) {
            let mut continuation = Vec::new();
            let after = board.after(square, board.flips(square));
            let value = -self.value(&after, depth - 1, -beta, -alpha, &mut continuation)?;
            if value > best {
                best = value;
                continuation.insert(0, square);
                *line = continuation;
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    fn interrupted(&self) -> bool {
        self.stop.poll() || self.nodes >= self.node_limit || self.start.elapsed() >= self.time_limit
    }
}
