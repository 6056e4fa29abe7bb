//! The weights and vectors of one stage of the game, by stochastic gradient descent.
//!
//! The value of a position is not linear in the vectors ([`evaluation::interactions`]), so that the equations of
//! [`pattern_fit`](crate::pattern_fit) do not apply. Instead, each position in turn, in random order, moves what it uses
//! a little towards its label. The length of a step shrinks with the squared gradients that a weight or vector has seen
//! (AdaGrad, Duchi, Hazan and Singer 2011), because configurations differ in frequency by a factor of a million, and
//! linearly to zero towards the last epoch.
//!
//! A penalty pulls every weight towards its prior and every vector towards zero. It is spread over the positions that use
//! it, so that it counts as much as this number of positions: rare configurations stay at their prior.

use evaluation::interactions::{DIMENSION, NEGATIVE};
use evaluation::weights::Layout;
use othello::Board;
use othello::random::Random;

use crate::pattern_fit::{Errors, WEIGHTS_IN_A_POSITION, weight_numbers};

/// The parameters of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InteractionFit {
    /// The number of times that every position is used.
    pub epochs: u32,
    /// The length of a step of a weight, in discs, before it shrinks.
    pub weight_rate: f32,
    /// The length of a step of a vector before it shrinks.
    pub vector_rate: f32,
    /// The pull of a weight towards its prior, as a number of positions.
    pub weight_penalty: f32,
    /// The pull of a vector towards zero, as a number of positions.
    pub vector_penalty: f32,
    /// The seed of the first vectors and of the order of the positions.
    pub seed: u64,
}

/// The maximum absolute value of the numbers in the first vectors: with zeros nothing would ever change.
const FIRST: f32 = 0.03;

/// The sum of squared gradients to start with: errors of one disc, so that the first steps are not too long.
const FIRST_SQUARES: f32 = 1.0;

/// The sign of every number of a vector in a product.
const SIGNS: [f32; DIMENSION] = {
    let mut signs = [1.0; DIMENSION];
    let mut place = DIMENSION - NEGATIVE;
    while place < DIMENSION {
        signs[place] = -1.0;
        place += 1;
    }
    signs
};

/// A position with its label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sample {
    /// The board; the side to move has a legal move.
    pub(crate) board: Board,
    /// The label in discs.
    pub(crate) label: f32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Weight {
    value: f32,
    prior: f32,
    /// The sum of the squared gradients so far.
    squares: f32,
    /// The share of the penalty of one position.
    pull: f32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Embedding {
    numbers: [f32; DIMENSION],
    /// The sum of the mean squared gradients so far: one for each number is hardly better and takes twice the time.
    squares: f32,
    /// The share of the penalty of one position.
    pull: f32,
}

/// Weights and vectors during the fit, and when it is done.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    layout: Layout,
    weights: Vec<Weight>,
    vectors: Vec<Embedding>,
}

impl Model {
    /// A model of these weights, in discs, without interactions, for these positions.
    pub(crate) fn new(priors: &[f32], samples: &[Sample], fit: &InteractionFit) -> Self {
        let layout = Layout::new();
        let mut uses = vec![0u32; layout.count];
        for sample in samples {
            for number in weight_numbers(&layout, &sample.board) {
                uses[number as usize] += 1;
            }
        }
        let pull = |penalty: f32, uses: u32| if uses == 0 { 0.0 } else { penalty / uses as f32 };
        let weight = |(&prior, &uses): (&f32, &u32)| Weight {
            value: prior,
            prior,
            squares: FIRST_SQUARES,
            pull: pull(fit.weight_penalty, uses),
        };
        let weights = priors.iter().zip(&uses).map(weight).collect();
        let mut random = Random::new(fit.seed);
        let vector = |number: usize| {
            let uses = uses[number];
            let numbers = std::array::from_fn(|_| (2.0 * random.share() as f32 - 1.0) * FIRST);
            // Of a configuration that never occurs nothing can be learned.
            let numbers = if uses == 0 { [0.0; DIMENSION] } else { numbers };
            Embedding { numbers, squares: FIRST_SQUARES, pull: pull(fit.vector_penalty, uses) }
        };
        let vectors = (0..layout.count).map(vector).collect();
        Self { layout, weights, vectors }
    }

    /// Learns from all positions, which are shuffled; `watch` receives the number of each finished epoch, from 1.
    pub(crate) fn learn(&mut self, samples: &mut [Sample], fit: &InteractionFit, mut watch: impl FnMut(&Self, u32)) {
        let total = f64::from(fit.epochs) * samples.len() as f64;
        let mut step = 0.0;
        for epoch in 0..fit.epochs {
            Random::of_item(fit.seed, u64::from(epoch) + 1).shuffle(samples);
            for sample in &*samples {
                self.step(sample, fit, (1.0 - step / total) as f32);
                step += 1.0;
            }
            watch(self, epoch + 1);
        }
    }

    /// Learns from a position; the length of the step is this share of the full one.
    fn step(&mut self, sample: &Sample, fit: &InteractionFit, share: f32) {
        let numbers = weight_numbers(&self.layout, &sample.board);
        let (value, sum) = self.value_and_sum(&numbers);
        let error = value - sample.label;
        for &number in &numbers {
            let weight = &mut self.weights[number as usize];
            let gradient = error + weight.pull * (weight.value - weight.prior);
            weight.squares += gradient * gradient;
            weight.value -= share * fit.weight_rate * gradient / weight.squares.sqrt();
        }
        for &number in &numbers {
            let Embedding { numbers, squares, pull } = &mut self.vectors[number as usize];
            let mut gradient = [0.0; DIMENSION];
            let mut square = 0.0;
            for place in 0..DIMENSION {
                // The product with all the other vectors.
                let product = SIGNS[place] * (sum[place] - numbers[place]);
                gradient[place] = error * product + *pull * numbers[place];
                square += gradient[place] * gradient[place];
            }
            *squares += square / DIMENSION as f32;
            let length = share * fit.vector_rate / squares.sqrt();
            for place in 0..DIMENSION {
                numbers[place] -= length * gradient[place];
            }
        }
    }

    /// The value of a position in discs, and the sum of its vectors.
    #[inline]
    fn value_and_sum(&self, numbers: &[u32; WEIGHTS_IN_A_POSITION]) -> (f32, [f32; DIMENSION]) {
        let (mut sum, mut squares) = ([0.0; DIMENSION], [0.0; DIMENSION]);
        let mut value = 0.0;
        for &number in numbers {
            value += self.weights[number as usize].value;
            let vector = &self.vectors[number as usize].numbers;
            for place in 0..DIMENSION {
                sum[place] += vector[place];
                squares[place] += vector[place] * vector[place];
            }
        }
        let mut pairs = 0.0;
        for place in 0..DIMENSION {
            pairs += SIGNS[place] * (sum[place] * sum[place] - squares[place]);
        }
        (value + pairs / 2.0, sum)
    }

    /// The value of a position in discs.
    pub(crate) fn value(&self, board: &Board) -> f32 {
        self.value_and_sum(&weight_numbers(&self.layout, board)).0
    }

    pub(crate) fn errors(&self, samples: &[Sample]) -> Errors {
        let mut errors = Errors::default();
        for sample in samples {
            let value = self.value(&sample.board).clamp(-64.0, 64.0);
            errors.add(f64::from(value - sample.label));
        }
        errors
    }

    /// The weights, in discs.
    pub(crate) fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        self.weights.iter().map(|weight| weight.value)
    }

    pub(crate) fn vectors(&self) -> impl Iterator<Item = &[f32; DIMENSION]> {
        self.vectors.iter().map(|vector| &vector.numbers)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use othello::{Rules, squares};

    use super::*;

    pub(crate) const FIT: InteractionFit = InteractionFit {
        epochs: 4,
        weight_rate: 0.2,
        vector_rate: 0.2,
        weight_penalty: 1.0,
        vector_penalty: 1.0,
        seed: 1,
    };

    const CORNERS: u64 = 0x8100_0000_0000_0081;

    /// Late positions of random games, each labeled by a rule.
    fn samples(seeds: std::ops::Range<u64>, label: impl Fn(&Board) -> f32) -> Vec<Sample> {
        let mut samples = Vec::new();
        for seed in seeds {
            let mut random = Random::new(seed);
            let mut board = Board::start();
            while board.can_move() {
                if (10..30).contains(&board.empty_count()) {
                    samples.push(Sample { board, label: label(&board) });
                }
                let moves = board.moves();
                let square = squares(moves).nth(random.below(moves.count_ones() as usize)).unwrap();
                board = board.after(square, board.flips(square));
            }
        }
        samples
    }

    /// Twenty if both sides have a corner or neither has: no sum over single patterns has this value.
    fn agreement(board: &Board) -> f32 {
        let has = |discs: u64| discs & CORNERS != 0;
        if has(board.player) == has(board.opponent) { 20.0 } else { 0.0 }
    }

    fn learned(samples: &mut [Sample], fit: &InteractionFit) -> Model {
        let mut model = Model::new(&vec![0.0; Layout::new().count], samples, fit);
        model.learn(samples, fit, |_, _| ());
        model
    }

    #[test]
    fn vectors_learn_what_weights_alone_cannot() {
        let (mut known, unknown) = (samples(0..2000, agreement), samples(5000..5100, agreement));
        let fit = InteractionFit { weight_rate: 0.1, vector_rate: 0.08, vector_penalty: 300.0, ..FIT };
        let alone = learned(&mut known, &InteractionFit { vector_penalty: 1e6, ..fit });
        let together = learned(&mut known, &fit);
        let [alone, together] = [alone, together].map(|model| model.errors(&unknown).root_mean_square());
        assert!(together < 0.9 * alone, "{together} with vectors, {alone} without");
    }

    #[test]
    fn a_step_follows_the_gradient_of_the_squared_error() {
        let mut known = samples(0..20, agreement);
        let model = learned(&mut known, &InteractionFit { epochs: 1, ..FIT });
        let sample = known[0];
        let error = |model: &Model| f64::from(model.value(&sample.board) - sample.label);
        // Without a penalty and with equal lengths of all steps, the step is the gradient; the differences are those of
        // a number changed a little.
        let mut prepared = model.clone();
        for vector in &mut prepared.vectors {
            (vector.pull, vector.squares) = (0.0, 1e12);
        }
        let mut stepped = prepared.clone();
        let fit = InteractionFit { weight_rate: 0.0, vector_rate: 1e3, ..FIT };
        stepped.step(&sample, &fit, 1.0);
        let number = weight_numbers(&model.layout, &sample.board)[60 % WEIGHTS_IN_A_POSITION] as usize;
        for place in 0..DIMENSION {
            let moved = f64::from(prepared.vectors[number].numbers[place] - stepped.vectors[number].numbers[place]);
            let changed = |by: f32| {
                let mut changed = prepared.clone();
                changed.vectors[number].numbers[place] += by;
                error(&changed).powi(2) / 2.0
            };
            let slope = (changed(0.01) - changed(-0.01)) / 0.02;
            // The step is the rate divided by the root of the squares, 1e-3, times the gradient.
            assert!((moved / 1e-3 - slope).abs() < 0.05 * slope.abs() + 0.05, "{} instead of {slope}", moved / 1e-3);
        }
    }

    #[test]
    fn what_never_occurs_keeps_its_prior_and_has_no_vector() {
        let mut known = samples(0..20, agreement);
        let layout = Layout::new();
        let mut is_used = vec![false; layout.count];
        for number in known.iter().flat_map(|sample| weight_numbers(&layout, &sample.board)) {
            is_used[number as usize] = true;
        }
        let mut model = Model::new(&vec![3.0; layout.count], &known, &FIT);
        model.learn(&mut known, &FIT, |_, _| ());
        for ((weight, vector), is_used) in model.weights().zip(model.vectors()).zip(is_used) {
            assert_eq!(weight != 3.0, is_used);
            assert_eq!(*vector != [0.0; DIMENSION], is_used);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_model() {
        let known = samples(0..30, agreement);
        let run = |seed| {
            let model = learned(&mut known.clone(), &InteractionFit { seed, ..FIT });
            model.vectors().flatten().copied().map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
    }
}
