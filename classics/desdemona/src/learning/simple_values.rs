//! The values of configurations of simple features: the average final disc difference of the random games in which they
//! occurred (section 4.2).

use crate::player::{DesdemonaBoard, Evaluation, Mixture, Patterns, Tables, VALUE_PER_DISC};
use othello::{SquareSet, squares};

use othello::random::Random;

/// The sum of the final scores of the games with a configuration, and the number of occurrences.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    sum: i64,
    count: u64,
}

/// The values of all configurations, in hundredths of a disc, indexed by their ternary numbers, from this number of
/// random games.
///
/// Each position stands for sixteen: the eight symmetries of the board, with the discs as they are and with the sides
/// swapped. A configuration that never occurred has value 0.
pub fn simple_values<B: DesdemonaBoard>(games: u64, seed: u64, mut progress: impl FnMut(u64)) -> Vec<Vec<i16>> {
    let evaluation = Evaluation::<B>::new(&Tables::zero::<B>(), Mixture::Both);
    let patterns = evaluation.patterns();
    let mut tallies: Vec<Vec<Tally>> =
        patterns.features().iter().map(|feature| vec![Tally::default(); feature.span()]).collect();
    for game in 0..games {
        add_game::<B>(patterns, &mut Random::of_item(seed, game), &mut tallies);
        progress(game + 1);
    }
    averages::<B>(patterns, &tallies)
}

/// Plays a game of random moves on both sides, and counts the configurations of every position.
fn add_game<B: DesdemonaBoard>(patterns: &Patterns, random: &mut Random, tallies: &mut [Vec<Tally>]) {
    let (mut board, mut is_first) = (B::start(), true);
    let mut indices = patterns.indices(board.player(), board.opponent());
    let mut shown = Vec::with_capacity(B::GEOMETRY.area() as usize);
    loop {
        let moves = board.moves();
        let Some(square) = squares(moves).nth(random.below_u32(moves.count().max(1)) as usize) else {
            if board.is_over() {
                break;
            }
            board = board.pass();
            is_first = !is_first;
            continue;
        };
        let flips = board.flips(square);
        patterns.place(&mut indices, square, is_first);
        patterns.flip(&mut indices, flips);
        board = board.after(square, flips);
        is_first = !is_first;
        shown.push(indices);
    }
    let score = i64::from(board.final_score().discs()) * if is_first { 1 } else { -1 };
    for indices in &shown {
        for (feature, configuration) in patterns.configurations(indices) {
            let tally = &mut tallies[feature][configuration];
            tally.sum += score;
            tally.count += 1;
        }
    }
}

/// The averages over the sixteen images of every position.
///
/// All images of a feature on the board were counted together, so only the symmetries remain that map an image onto
/// itself.
fn averages<B: DesdemonaBoard>(patterns: &Patterns, tallies: &[Vec<Tally>]) -> Vec<Vec<i16>> {
    let average = |number: usize| {
        let feature = &patterns.features()[number];
        let mirrorings = feature.mirrorings::<B>();
        let value = move |ternary| {
            let configuration = feature.quaternary(ternary);
            let traded = feature.other_side(configuration);
            let (mut sum, mut count) = (0, 0);
            for places in &mirrorings {
                let own = tallies[number][feature.mirrored(configuration, places)];
                let other = tallies[number][feature.mirrored(traded, places)];
                sum += own.sum - other.sum;
                count += own.count + other.count;
            }
            if count == 0 { 0 } else { (sum as f64 / count as f64 * f64::from(VALUE_PER_DISC)).round() as i16 }
        };
        (0..feature.configurations()).map(value).collect()
    };
    (0..patterns.features().len()).map(average).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use othello::{Board, CutBoard, Rules};

    use super::*;

    /// The same by transforming whole boards with all sixteen symmetries, square by square.
    fn slow_values<B: DesdemonaBoard>(games: u64, seed: u64) -> HashMap<(usize, usize), f64> {
        let features = B::simple_features();
        let mut found: HashMap<(usize, usize), Vec<f64>> = HashMap::new();
        for game in 0..games {
            let mut random = Random::of_item(seed, game);
            let (mut board, mut turn) = (B::start(), 1.0);
            let mut positions = Vec::new();
            while !board.is_over() {
                let moves = board.moves();
                // A random number is drawn for a pass, too, although there is only one choice.
                let drawn = random.below_u32(moves.count().max(1));
                if let Some(square) = squares(moves).nth(drawn as usize) {
                    board = board.play(square).unwrap();
                    positions.push((board, -turn));
                } else {
                    board = board.pass();
                }
                turn = -turn;
            }
            let score = f64::from(board.final_score().discs()) * turn;
            for (board, turn) in positions {
                for index in 0..8 {
                    for (board, turn) in [(board, turn), (board.pass(), -turn)] {
                        let image = board.transformed(index);
                        for (number, feature) in features.iter().enumerate() {
                            let ternary = feature.squares.iter().rev().fold(0, |ternary, &square| {
                                let digit = if image.player().has(square) {
                                    0
                                } else if image.opponent().has(square) {
                                    1
                                } else {
                                    2
                                };
                                3 * ternary + digit
                            });
                            found.entry((number, ternary)).or_default().push(score * turn);
                        }
                    }
                }
            }
        }
        found.into_iter().map(|(key, scores)| (key, scores.iter().sum::<f64>() / scores.len() as f64)).collect()
    }

    #[test]
    fn values_are_averages_over_sixteen_images_of_every_position() {
        fn check<B: DesdemonaBoard>() {
            let slow = slow_values::<B>(12, 3);
            let fast = simple_values::<B>(12, 3, |_| ());
            for (number, values) in fast.iter().enumerate() {
                for (ternary, &value) in values.iter().enumerate() {
                    let expected = slow.get(&(number, ternary)).copied().unwrap_or(0.0);
                    let found = f64::from(value) / 100.0;
                    assert!((found - expected).abs() <= 0.0051, "feature {number}, configuration {ternary}");
                }
            }
        }
        check::<CutBoard>();
        check::<Board>();
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let values = |seed| simple_values::<Board>(20, seed, |_| ());
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
        assert_eq!(Board::GEOMETRY.area(), 64);
    }
}
