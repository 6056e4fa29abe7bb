//! The weights of the small pattern set for move ordering in the endgame, by regression on solved positions.
//!
//! Move ordering needs no scores, only which of the moves of one position is better. So all moves of a position are
//! solved, and the weights are fitted to the differences between them. A set fitted to the scores themselves orders
//! moves far less well: most of a score is common to all moves.

use std::ops::ControlFlow;

use control::{Control, Stop};
use evaluation::patterns::WeightNumbers;
use evaluation::{HandMade, OrderingSet, Value};
use othello::{Board, Rules, kernels, squares};
use search::{HashTable, Searcher};

use crate::self_play::{Recipe, SelfPlay};
use jobs::ordered_work::in_order;
use othello::random::Random;

/// The parameters of the fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderingFit {
    /// The number of games to play.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// The number of threads; the weights do not depend on it.
    pub threads: usize,
}

/// The result of the fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundOrdering {
    /// The weights, as [`OrderingSet::new`] takes them.
    pub weights: Vec<i8>,
    /// The number of positions learned from.
    pub positions: u64,
    /// The number of held-out positions.
    pub held_out: u64,
    /// The number of these in which a best move comes first by the number of replies alone.
    pub by_replies: u64,
    /// The number of these in which a best move comes first with the set.
    pub by_set: u64,
}

/// The number of empty squares at which a game is left.
const LEFT_AT: u32 = 13;
/// The number of random continuations of each game.
const WALKS: u64 = 4;
/// The minimum number of empty squares of the positions, and how many different numbers there are.
const FEWEST: u32 = 8;
const KINDS: u32 = 5;
/// One position in this many is held out.
const HELD_OUT: u64 = 20;
/// The strength of the pull of a weight towards zero, as a number of positions.
const PENALTY: f64 = 30.0;
const STEPS: u32 = 60;

impl OrderingFit {
    /// Plays games, solves all moves of positions near their ends, and fits the weights.
    pub fn run(&self, mut progress: impl FnMut(&str, u64)) -> FoundOrdering {
        let Self { games, seed, threads } = *self;
        let recipe = Recipe { seed, opening: (8, 18), random_moves: 0.02, depth: 3, exact_from: 10, threads };
        let mut boards = Vec::new();
        SelfPlay::new(recipe, HandMade).play(0..games, &Stop::new(), |number, game| {
            let boards_of_game = game.positions().map(|position| position.board);
            boards.extend(boards_of_game.filter(|board| board.empty_count() == LEFT_AT));
            progress("games", number + 1);
            ControlFlow::Continue(())
        });
        let numbers = OrderingSet::weight_numbers();
        let (mut learned, mut held_out) = (Choices::default(), Choices::default());
        let worker = || {
            let table = HashTable::with_buckets(1 << 8).expect("a small table");
            let searcher = Searcher::new(HandMade, table, 1);
            let boards = &boards;
            move |number: u64| {
                let mut random = Random::of_item(seed, number);
                let parent = walk(boards[(number / WALKS) as usize], &mut random);
                Some(parent.map_or(Vec::new(), |parent| moves_of(&parent, &searcher)))
            }
        };
        in_order(0..boards.len() as u64 * WALKS, threads, worker, |number, moves| {
            let choices = if (number / WALKS).is_multiple_of(HELD_OUT) { &mut held_out } else { &mut learned };
            choices.push(&numbers, &moves);
            progress("positions", number + 1);
            ControlFlow::Continue(())
        });
        let fitted = learned.fit(numbers.count);
        let in_eighths = |weight: &f64| (weight * f64::from(OrderingSet::PER_DISC)).round() as i8;
        let weights: Vec<i8> = fitted[1..].iter().map(in_eighths).collect();
        let mut by_replies_alone = vec![0.0; fitted.len()];
        by_replies_alone[0] = 1.0;
        FoundOrdering {
            weights,
            positions: learned.ends.len() as u64,
            held_out: held_out.ends.len() as u64,
            by_replies: held_out.best_first(&by_replies_alone),
            by_set: held_out.best_first(&fitted),
        }
    }
}

/// A position typical of a search: one side plays random moves, the other leaves few replies.
fn walk(mut board: Board, random: &mut Random) -> Option<Board> {
    let empty_count = FEWEST + random.below_u32(KINDS);
    let mut is_searching = random.below_u32(2) == 0;
    loop {
        if board.must_pass() {
            board = board.pass();
        }
        let moves = board.moves();
        if board.empty_count() <= empty_count || moves == 0 {
            return (moves.count_ones() > 1).then_some(board);
        }
        let after = |square| board.after(square, board.flips(square));
        let square = if is_searching {
            squares(moves).min_by_key(|&square| after(square).moves().count_ones())
        } else {
            squares(moves).nth(random.below_u32(moves.count_ones()) as usize)
        };
        board = after(square?);
        is_searching = !is_searching;
    }
}

/// The position after each move, with its exact score for the side to move there.
fn moves_of(parent: &Board, searcher: &Searcher<HandMade>) -> Vec<(Board, i32)> {
    let score = |board: &Board| {
        if board.is_over() {
            return board.final_score().discs();
        }
        let value = |board: &Board| searcher.solve(board, &Control::new()).lines[0].value.parts() / Value::PER_DISC;
        if board.must_pass() { -value(&board.pass()) } else { value(board) }
    };
    let after = squares(parent.moves()).map(|square| parent.after(square, parent.flips(square)));
    after.map(|child| (child, score(&child))).collect()
}

/// The moves of positions, grouped by position.
#[derive(Default)]
struct Choices {
    /// The indices of the weights of the position after each move, counted from 1; 0 is that of replies.
    numbers: Vec<[u32; 4]>,
    /// The number of replies.
    replies: Vec<f64>,
    /// The score for the side that replies.
    scores: Vec<f64>,
    /// The end of the moves of each position.
    ends: Vec<usize>,
}

impl Choices {
    fn push(&mut self, numbers: &WeightNumbers, moves: &[(Board, i32)]) {
        if moves.is_empty() {
            return;
        }
        for (board, score) in moves {
            let indices = kernels::corner_indices(board.player, board.opponent);
            self.numbers.push(indices.map(|index| numbers.numbers[usize::from(index)] + 1));
            self.replies.push(f64::from(board.moves().count_ones()));
            self.scores.push(f64::from(*score));
        }
        self.ends.push(self.numbers.len());
    }

    fn value(&self, weights: &[f64], index: usize) -> f64 {
        let corners = self.numbers[index].iter().map(|&number| weights[number as usize]);
        weights[0] * self.replies[index] + corners.sum::<f64>()
    }

    /// Subtracts from every value the mean of its position: what is common to all moves does not matter.
    fn center(&self, values: &mut [f64]) {
        let mut begin = 0;
        for &end in &self.ends {
            let mean = values[begin..end].iter().sum::<f64>() / (end - begin) as f64;
            values[begin..end].iter_mut().for_each(|value| *value -= mean);
            begin = end;
        }
    }

    /// The sums of `values` over all moves, weight by weight.
    fn transposed(&self, values: &[f64], count: usize) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for (index, value) in values.iter().enumerate() {
            sums[0] += self.replies[index] * value;
            self.numbers[index].iter().for_each(|&number| sums[number as usize] += value);
        }
        sums
    }

    /// The least-squares weights by conjugate gradients; that of replies first.
    fn fit(&self, count: usize) -> Vec<f64> {
        let count = count + 1;
        let image = |weights: &[f64]| {
            let mut values: Vec<_> = (0..self.scores.len()).map(|index| self.value(weights, index)).collect();
            self.center(&mut values);
            self.transposed(&values, count)
        };
        let mut scores = self.scores.clone();
        self.center(&mut scores);
        let mut residual = self.transposed(&scores, count);
        let mut scale = self.transposed(&vec![1.0; self.scores.len()], count);
        scale[0] = self.replies.iter().map(|replies| replies * replies).sum();
        scale.iter_mut().for_each(|count| *count = 1.0 / (*count + PENALTY));
        let dot = |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(left, right)| left * right).sum::<f64>();
        let scaled = |values: &[f64]| values.iter().zip(&scale).map(|(value, scale)| value * scale).collect::<Vec<_>>();
        let mut weights = vec![0.0; count];
        let mut direction = scaled(&residual);
        let mut steepness = dot(&residual, &direction);
        for _ in 0..STEPS {
            if steepness <= 0.0 {
                break;
            }
            let mut image = image(&direction);
            image.iter_mut().zip(&direction).for_each(|(image, direction)| *image += PENALTY * direction);
            let length = steepness / dot(&direction, &image);
            for index in 0..count {
                weights[index] += length * direction[index];
                residual[index] -= length * image[index];
            }
            let next = scaled(&residual);
            let turn = dot(&residual, &next) / steepness;
            steepness *= turn;
            direction.iter_mut().zip(&next).for_each(|(direction, next)| *direction = next + turn * *direction);
        }
        weights
    }

    /// The number of positions in which the move with the smallest value for the opponent is a best one.
    fn best_first(&self, weights: &[f64]) -> u64 {
        let mut begin = 0;
        let mut count = 0;
        for &end in &self.ends {
            let least = |value: &dyn Fn(usize) -> f64| {
                (begin..end).min_by(|&left, &right| value(left).total_cmp(&value(right))).unwrap_or(begin)
            };
            let first = least(&|index| self.value(weights, index));
            let best = least(&|index| self.scores[index]);
            count += u64::from(self.scores[first] <= self.scores[best]);
            begin = end;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use search::samples::{Origin, Samples};

    use super::*;

    /// Positions whose moves have values given by a rule.
    fn choices(seed: u64, count: usize, rule: impl Fn(&Board) -> i32) -> Choices {
        let mut samples = Samples::<Board>::new(seed);
        let numbers = OrderingSet::weight_numbers();
        let mut choices = Choices::default();
        for _ in 0..count {
            let parent = samples.position_with_moves(Origin::SensibleGame, 12);
            let after = squares(parent.moves()).map(|square| parent.after(square, parent.flips(square)));
            let moves: Vec<_> = after.map(|child| (child, rule(&child))).collect();
            choices.push(&numbers, &moves);
        }
        choices
    }

    #[test]
    fn a_rule_about_corners_and_replies_is_learned_independently_of_the_values_of_the_positions() {
        const X_SQUARES: u64 = 0x0042_0000_0000_4200;
        let rule = |board: &Board| {
            let difference =
                |set: u64| (board.player & set).count_ones() as i32 - (board.opponent & set).count_ones() as i32;
            // The first term is the same for all moves of a position.
            ((board.player | board.opponent).count_ones() * 3 % 40) as i32 + 2 * board.moves().count_ones() as i32
                - 5 * difference(X_SQUARES)
        };
        let weights = choices(1, 6000, rule).fit(OrderingSet::WEIGHT_COUNT);
        let others = choices(2, 500, rule);
        let mut by_replies_alone = vec![0.0; weights.len()];
        by_replies_alone[0] = 1.0;
        let (alone, fitted) = (others.best_first(&by_replies_alone), others.best_first(&weights));
        assert!(fitted > 450 && fitted > alone + 50, "{alone} and {fitted} of 500");
    }

    #[test]
    fn moves_are_given_their_exact_scores() {
        let searcher = Searcher::new(HandMade, HashTable::with_buckets(1 << 8).expect("a small table"), 1);
        let mut samples = Samples::<Board>::new(3);
        for origin in Origin::ALL {
            for _ in 0..20 {
                for (child, score) in moves_of(&samples.position_with_moves(origin, 7), &searcher) {
                    assert_eq!(score, search::negamax::score(&child).discs(), "{child:?}");
                }
            }
        }
    }

    #[test]
    fn the_weights_do_not_depend_on_the_threads() {
        let fit = OrderingFit { games: 25, seed: 1, threads: 1 };
        let found = fit.run(|_, _| ());
        assert_eq!(OrderingFit { threads: 3, ..fit }.run(|_, _| ()), found);
        assert!(found.positions > 50 && found.weights.iter().any(|&weight| weight != 0));
        assert_ne!(OrderingFit { seed: 2, ..fit }.run(|_, _| ()).weights, found.weights);
    }
}
