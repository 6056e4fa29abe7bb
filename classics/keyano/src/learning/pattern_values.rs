//! The values of pattern configurations: the average score of the games in which they occurred, combined with the
//! output of a network for rare ones (Brockington 1997, section 3.1, Patterns).
//!
//! The score is that of the side to move, so a configuration is seen from the side to move, too: the paper does not
//! specify this. A configuration and its mirror image are one.

use crate::player::evaluation::IndexedBoard;
use crate::player::patterns::{Pattern, edge_kind};

use super::threshold_ensemble::{Example, ThresholdEnsemble, Training};

/// From this number of samples on the average is used alone.
const ENOUGH: u64 = 100;

/// One in this many well-known configurations is held out from the network, to test it.
const HELD_OUT: usize = 10;

/// The samples of one pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternSamples {
    pattern: Pattern,
    counts: Vec<u64>,
    sums: Vec<i64>,
}

/// The result for one pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternFit {
    /// The values in hundredths of a disc.
    pub values: Vec<i16>,
    /// The number of configurations with enough samples.
    pub well_known: usize,
    /// The number of configurations without samples.
    pub unseen: usize,
    /// The mean error of the network in discs, on well-known configurations that were held out.
    pub network_error: f64,
    /// The mean distance of those from their own mean, in discs: the error of a constant value.
    pub spread: f64,
}

impl PatternSamples {
    /// No samples yet.
    pub fn new(pattern: Pattern) -> Self {
        let count = pattern.configurations();
        Self { pattern, counts: vec![0; count], sums: vec![0; count] }
    }

    /// Adds the configurations in the pattern's places; for the edges of ten squares only where they are of this kind.
    pub fn add(&mut self, position: &IndexedBoard, score: i32) {
        let occupied = position.board.player | position.board.opponent;
        let is_ten = matches!(self.pattern, Pattern::EdgeWithX | Pattern::EdgeWithCentre);
        for instance in 0..self.pattern.symmetries().len() {
            if !is_ten || edge_kind(occupied, instance) == self.pattern {
                let configuration = position.indices.configuration(self.pattern, instance);
                self.counts[configuration] += 1;
                self.sums[configuration] += i64::from(score);
            }
        }
    }

    /// Adds up the samples of a configuration and its mirror image.
    fn share_with_images(&mut self) {
        for (one, image) in self.pattern.mirrored().into_iter().enumerate() {
            if one < image {
                let (count, sum) = (self.counts[one] + self.counts[image], self.sums[one] + self.sums[image]);
                (self.counts[one], self.counts[image]) = (count, count);
                (self.sums[one], self.sums[image]) = (sum, sum);
            }
        }
    }

    fn mean(&self, configuration: usize) -> f64 {
        self.sums[configuration] as f64 / self.counts[configuration].max(1) as f64
    }

    /// The values of all configurations.
    pub fn fit(mut self, training: &Training) -> PatternFit {
        self.share_with_images();
        let mirrored = self.pattern.mirrored();
        let well_known: Vec<usize> = (0..self.counts.len()).filter(|&number| self.counts[number] >= ENOUGH).collect();
        // A configuration and its image are held out together.
        let is_held_out = |number: usize| number.min(mirrored[number]).is_multiple_of(HELD_OUT);
        let examples: Vec<Example> = well_known
            .iter()
            .filter(|&&number| !is_held_out(number))
            .map(|&number| (self.pattern.discs(number), self.mean(number)))
            .collect();
        let network = ThresholdEnsemble::train(&examples, self.pattern.squares().len(), training);

        let held_out: Vec<usize> = well_known.iter().copied().filter(|&number| is_held_out(number)).collect();
        let over_held_out = |measure: &dyn Fn(usize) -> f64| {
            held_out.iter().map(|&number| measure(number)).sum::<f64>() / held_out.len().max(1) as f64
        };
        let middle = over_held_out(&|number| self.mean(number));
        let spread = over_held_out(&|number| (self.mean(number) - middle).abs());
        let guess = |number: usize| f64::from(network.value(&self.pattern.discs(number)));
        let network_error = over_held_out(&|number| (guess(number) - self.mean(number)).abs());

        let value = |number: usize| {
            let (count, mean) = (self.counts[number], self.mean(number));
            let value = if count >= ENOUGH {
                mean
            } else {
                blended(count, mean, (guess(number) + guess(mirrored[number])) / 2.0)
            };
            (value * 100.0).round() as i16
        };
        PatternFit {
            values: (0..self.counts.len()).map(value).collect(),
            well_known: well_known.len(),
            unseen: self.counts.iter().filter(|&&count| count == 0).count(),
            network_error,
            spread,
        }
    }
}

/// The weighted mean of the average of some samples and the network's value for the missing ones.
fn blended(count: u64, mean: f64, network: f64) -> f64 {
    (count as f64 * mean + (ENOUGH - count) as f64 * network) / ENOUGH as f64
}

#[cfg(test)]
mod tests {
    use othello::Board;

    use super::*;

    const TRAINING: Training = Training { rounds: 10, rate: 0.3, seed: 1 };

    #[test]
    fn the_papers_example_of_a_rare_configuration_is_worth_minus_7_2() {
        // "A given pattern configuration has occurred 20 times and yields an average disc differential of -4.0 … the network
        // determines … -8.0 … an evaluation for the pattern configuration of -7.2."
        assert!((blended(20, -4.0, -8.0) + 7.2).abs() < 1e-12);
        assert_eq!(blended(0, 0.0, -8.0), -8.0);
    }

    #[test]
    fn a_configuration_seen_often_is_worth_its_average_and_so_is_its_image() {
        let mut samples = PatternSamples::new(Pattern::Edge);
        let position = |player: u64, opponent: u64| IndexedBoard::of(Board::new(player, opponent));
        // a1 is own, b1 the opponent's: 75 games won by 10; the image with h1 and g1: 75 games lost by 2.
        for _ in 0..75 {
            samples.add(&position(1, 2), 10);
            samples.add(&position(0x80, 0x40), -2);
        }
        let configuration = |position: &IndexedBoard| position.indices.configuration(Pattern::Edge, 0);
        let fit = samples.fit(&TRAINING);
        assert_eq!(fit.values[configuration(&position(1, 2))], 400);
        assert_eq!(fit.values[configuration(&position(0x80, 0x40))], 400);
        // Two configurations on the row and its image, what the other sides show of a1 and h1, and empty sides.
        assert_eq!(fit.unseen, 6561 - fit.well_known);
    }

    #[test]
    fn edges_of_ten_squares_are_counted_where_they_hold() {
        let mut with_x = PatternSamples::new(Pattern::EdgeWithX);
        let mut with_centre = PatternSamples::new(Pattern::EdgeWithCentre);
        // d2 is occupied: the upper edge alone is of the second kind.
        let position = IndexedBoard::of(Board::new(1 << 11, 0));
        with_x.add(&position, 5);
        with_centre.add(&position, 5);
        assert_eq!((with_x.counts.iter().sum::<u64>(), with_centre.counts.iter().sum::<u64>()), (3, 1));
    }
}
