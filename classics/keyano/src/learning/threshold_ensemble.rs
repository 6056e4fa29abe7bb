//! The network that evaluates rare pattern configurations: a hundred classifiers, one for each threshold of the value
//! (Brockington 1997, section 3.1, Patterns).
//!
//! "Each randomly-generated ALN would attempt to discriminate between the pieces of training data that won with an
//! average disc differential of x, as x increased from -49 to 50. […] The sum of the binary outputs of all of the ALNs,
//! minus 50, became the value." An adaptive logic network is a tree of AND and OR over threshold units; here it is an
//! OR of two ANDs of two units each, and a unit sums weights for the contents of single squares and of pairs of
//! squares. As in all such networks an example changes only the unit that decided, here by the gradient of its logistic
//! error.

use othello::random::Random;

/// The thresholds: the minimum disc difference for which each classifier answers yes.
const THRESHOLDS: std::ops::RangeInclusive<i32> = -49..=50;

/// The value is the sum of the answers minus this.
const BASE: i32 = 50;

/// The number of units in an AND, and of ANDs in the OR.
const UNITS: usize = 2;
const BRANCHES: usize = 2;

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Training {
    /// The number of passes over all examples.
    pub rounds: u32,
    /// The initial learning rate, which decreases until the last pass.
    pub rate: f32,
    /// The seed of the initial weights and of the order of examples.
    pub seed: u64,
}

/// A configuration to learn from: the contents of its squares, -1, 0 or 1, and its value.
pub type Example = (Vec<i8>, f64);

/// The indices of the active weights for the contents of `n` squares: one per square, one per pair of squares, one
/// bias.
fn active(discs: &[i8]) -> Vec<u16> {
    let digit = |place: usize| (discs[place] + 1) as u16;
    let mut active = vec![0];
    let mut base = 1;
    for first in 0..discs.len() {
        active.push(base + digit(first));
        base += 3;
        for second in 0..first {
            active.push(base + 3 * digit(first) + digit(second));
            base += 9;
        }
    }
    active
}

/// The number of weights of a unit over this many squares.
fn weight_count(squares: usize) -> usize {
    1 + 3 * squares + 9 * (squares * squares.saturating_sub(1) / 2)
}

/// One classifier.
#[derive(Clone, Debug)]
struct LogicNetwork {
    units: Vec<Vec<f32>>,
}

impl LogicNetwork {
    fn new(weights: usize, random: &mut Random) -> Self {
        let mut unit = || (0..weights).map(|_| (random.share() as f32 - 0.5) * 0.1).collect();
        Self { units: (0..UNITS * BRANCHES).map(|_| unit()).collect() }
    }

    /// The unit that decides and its output: the minimum of an AND, the maximum of the OR.
    fn deciding(&self, active: &[u16]) -> (usize, f32) {
        let sum = |unit: usize| active.iter().map(|&weight| self.units[unit][usize::from(weight)]).sum::<f32>();
        let mut decided = (0, f32::NEG_INFINITY);
        for branch in 0..BRANCHES {
            let least = (0..UNITS)
                .map(|unit| (branch * UNITS + unit, sum(branch * UNITS + unit)))
                .reduce(|least, next| if next.1 < least.1 { next } else { least });
            if let Some(least) = least
                && least.1 > decided.1
            {
                decided = least;
            }
        }
        decided
    }

    fn answers(&self, active: &[u16]) -> bool {
        self.deciding(active).1 >= 0.0
    }

    fn learn(&mut self, active: &[u16], target: bool, rate: f32) {
        let (unit, sum) = self.deciding(active);
        let error = f32::from(u8::from(target)) - 1.0 / (1.0 + (-sum).exp());
        let step = rate * error;
        for &weight in active {
            self.units[unit][usize::from(weight)] += step;
        }
    }
}

/// The hundred classifiers of one pattern.
#[derive(Clone, Debug)]
pub struct ThresholdEnsemble {
    networks: Vec<LogicNetwork>,
}

impl ThresholdEnsemble {
    /// Trains on examples, all of patterns with this number of squares.
    pub fn train(examples: &[Example], squares: usize, training: &Training) -> Self {
        let inputs: Vec<(Vec<u16>, f64)> = examples.iter().map(|(discs, value)| (active(discs), *value)).collect();
        let networks = THRESHOLDS
            .map(|threshold| {
                let mut random = Random::of_item(training.seed, (threshold + BASE) as u64);
                let mut network = LogicNetwork::new(weight_count(squares), &mut random);
                let mut order: Vec<usize> = (0..inputs.len()).collect();
                for round in 0..training.rounds {
                    for index in (1..order.len()).rev() {
                        order.swap(index, random.below_u32(index as u32 + 1) as usize);
                    }
                    let rate = training.rate * (1.0 - round as f32 / training.rounds as f32);
                    for &number in &order {
                        let (active, value) = &inputs[number];
                        network.learn(active, *value >= f64::from(threshold), rate);
                    }
                }
                network
            })
            .collect();
        Self { networks }
    }

    /// The value of a configuration, in whole discs.
    pub fn value(&self, discs: &[i8]) -> i32 {
        let active = active(discs);
        self.networks.iter().filter(|network| network.answers(&active)).count() as i32 - BASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAINING: Training = Training { rounds: 60, rate: 0.3, seed: 1 };

    #[test]
    fn every_combination_of_discs_has_weights_of_its_own() {
        assert_eq!(weight_count(2), 1 + 6 + 9);
        // By hand: the first is 0; square a has 1 to 3, square b 4 to 6, the pair 7 to 15.
        assert_eq!(active(&[-1, -1]), [0, 1, 4, 7]);
        assert_eq!(active(&[1, 0]), [0, 3, 5, 7 + 3 + 2]);
        for squares in [1, 7, 10] {
            let greatest = active(&vec![1; squares]).into_iter().max();
            assert_eq!(greatest.map(usize::from), Some(weight_count(squares) - 1));
        }
    }

    #[test]
    fn a_small_problem_has_the_answer_worked_out_by_hand() {
        // Two squares, nine configurations, value 10 a + 3 b. Every threshold separates them by a line, so all
        // classifiers can be right, and the sum of their answers is the value itself: 50 + v of 100 thresholds are
        // reached.
        let discs = |number: i8| vec![number % 3 - 1, number / 3 - 1];
        let value = |discs: &[i8]| 10 * i32::from(discs[0]) + 3 * i32::from(discs[1]);
        let examples: Vec<Example> = (0..9).map(discs).map(|discs| (discs.clone(), f64::from(value(&discs)))).collect();
        let ensemble = ThresholdEnsemble::train(&examples, 2, &Training { rounds: 300, ..TRAINING });
        for (discs, _) in &examples {
            assert_eq!(ensemble.value(discs), value(discs), "{discs:?}");
        }
    }

    #[test]
    fn values_beyond_the_thresholds_are_cut() {
        let examples = vec![(vec![1], 60.0), (vec![0], 0.0), (vec![-1], -60.0)];
        let ensemble = ThresholdEnsemble::train(&examples, 1, &Training { rounds: 300, ..TRAINING });
        assert_eq!([1, 0, -1].map(|disc| ensemble.value(&[disc])), [50, 0, -50]);
    }

    #[test]
    fn the_network_generalizes_to_configurations_never_seen() {
        // Five squares, each worth 4 discs: every fourth configuration is left out.
        let discs =
            |number: usize| -> Vec<i8> { (0..5).map(|place| (number / 3usize.pow(place) % 3) as i8 - 1).collect() };
        let value = |discs: &[i8]| f64::from(discs.iter().map(|&disc| 4 * i32::from(disc)).sum::<i32>());
        let (seen, unseen): (Vec<usize>, Vec<usize>) = (0..243).partition(|number| number % 4 != 1);
        let examples: Vec<Example> = seen.iter().map(|&number| (discs(number), value(&discs(number)))).collect();
        let ensemble = ThresholdEnsemble::train(&examples, 5, &TRAINING);
        let error: f64 = unseen
            .iter()
            .map(|&number| (f64::from(ensemble.value(&discs(number))) - value(&discs(number))).abs())
            .sum::<f64>()
            / unseen.len() as f64;
        assert!(error < 1.0, "{error}");
    }

    #[test]
    fn the_same_seed_gives_the_same_network() {
        let examples = vec![(vec![1, 0], 5.0), (vec![0, 1], -7.0), (vec![-1, -1], 20.0)];
        let value = |seed: u64| {
            let ensemble = ThresholdEnsemble::train(&examples, 2, &Training { rounds: 3, seed, ..TRAINING });
            [[0, 0], [1, 1], [-1, 1]].map(|discs| ensemble.value(&discs))
        };
        assert_eq!(value(4), value(4));
    }
}
