//! Strengths of the players of a database, by their results against each other.
//!
//! Databases such as Thor have no ratings, so that an index computes them: the Elo ratings that make the results of all
//! its games most likely, people and programs alike. The expected result of a game is 1 / (1 + 10^(-d/400)) for a
//! difference of d points, a draw is half a win, and the color does not matter. Every player also has two drawn games
//! against an imaginary player of 1500 points, which keeps the ratings of those with few games, or with victories
//! alone, near 1500. All games of a player count alike, whenever they were played.

use serde::Serialize;

/// The strength of a player, by its games in an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Strength {
    /// The Elo rating; the players of an index have about 1500 on average.
    pub rating: i16,
    /// Its standard error.
    pub error: u16,
}

impl Strength {
    pub(super) const BYTES: usize = 4;
    /// In place of a rating: there is none.
    const UNKNOWN: i16 = i16::MIN;

    /// The rating that the player surely has: it has shown so much in its games. Those with few games have shown
    /// little.
    pub fn shown(self) -> i32 {
        i32::from(self.rating) - 2 * i32::from(self.error)
    }

    pub(super) fn to_bytes(strength: Option<Self>) -> [u8; Self::BYTES] {
        let Self { rating, error } = strength.unwrap_or(Self { rating: Self::UNKNOWN, error: 0 });
        let ([low, high], [error_low, error_high]) = (rating.to_le_bytes(), error.to_le_bytes());
        [low, high, error_low, error_high]
    }

    pub(super) fn from_bytes([low, high, error_low, error_high]: [u8; Self::BYTES]) -> Option<Self> {
        let rating = i16::from_le_bytes([low, high]);
        (rating != Self::UNKNOWN).then(|| Self { rating, error: u16::from_le_bytes([error_low, error_high]) })
    }
}

/// A game between two players, by their numbers, with the result of the first: 1, 1/2 or 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameResult {
    pub(super) players: [u32; 2],
    pub(super) score: f64,
}

/// The rating of the imaginary player, and the number of games against it.
const CENTER: f64 = 1500.0;
const IMAGINARY_GAMES: f64 = 2.0;

/// The points of a factor of ten in the odds.
const SCALE: f64 = 400.0;

/// The ratings are right when none changes by a greater factor of its odds in a round (a hundredth of a point).
const TOLERANCE: f64 = 5e-5;

/// More rounds than any database needs.
const MAX_ROUNDS: usize = 2000;

/// The strengths of this number of players; none for those without a game.
///
/// The odds of each player in turn are made those that fit the others' (the minorization-maximization of Hunter, *MM
/// algorithms for generalized Bradley-Terry models*, Annals of Statistics 32, 2004, section 3, with cyclic updates):
/// each step makes the results more likely, and there is a single maximum. Everything happens in the order of the
/// games, so that the same games have the same ratings.
pub(super) fn strengths(player_count: usize, results: &[GameResult]) -> Vec<Option<Strength>> {
    // One opponent for each game, and the number of games that the player won, a draw being half a win.
    let mut opponents = vec![Vec::new(); player_count];
    let mut won = vec![0.0; player_count];
    for &GameResult { players: [first, second], score } in results {
        opponents[first as usize].push(second);
        opponents[second as usize].push(first);
        won[first as usize] += score;
        won[second as usize] += 1.0 - score;
    }
    let mut odds = vec![1.0; player_count];
    for _ in 0..MAX_ROUNDS {
        let mut change: f64 = 0.0;
        for (player, opponents) in opponents.iter().enumerate() {
            if opponents.is_empty() {
                continue;
            }
            let own = odds[player];
            let games: f64 = opponents.iter().map(|&other| 1.0 / (own + odds[other as usize])).sum();
            let better = (won[player] + IMAGINARY_GAMES / 2.0) / (games + IMAGINARY_GAMES / (own + 1.0));
            change = change.max((better / own - 1.0).abs());
            odds[player] = better;
        }
        if change < TOLERANCE {
            break;
        }
    }
    let strength = |(player, opponents): (usize, &Vec<u32>)| {
        if opponents.is_empty() {
            return None;
        }
        let own = odds[player];
        // The information of a game about a logarithm of odds: p (1 - p).
        let of_game = |other: f64| own * other / ((own + other) * (own + other));
        let games: f64 = opponents.iter().map(|&other| of_game(odds[other as usize])).sum();
        let information = games + IMAGINARY_GAMES * of_game(1.0);
        let error = SCALE / std::f64::consts::LN_10 / information.sqrt();
        let rating = (CENTER + SCALE * own.log10()).round().clamp(-9999.0, 9999.0) as i16;
        Some(Strength { rating, error: error.round().min(9999.0) as u16 })
    };
    opponents.iter().enumerate().map(strength).collect()
}

#[cfg(test)]
mod tests {
    use othello::random::Random;

    use super::*;

    /// The ratings by small steps up the gradient of the likelihood: slow, and by another formula.
    fn slow_ratings(player_count: usize, results: &[GameResult]) -> Vec<f64> {
        let mut ratings = vec![0.0_f64; player_count];
        let expected = |difference: f64| 1.0 / (1.0 + 10_f64.powf(-difference / SCALE));
        for _ in 0..20_000 {
            let mut gradient: Vec<_> = ratings.iter().map(|&own| IMAGINARY_GAMES * (0.5 - expected(own))).collect();
            for &GameResult { players: [first, second], score } in results {
                let surprise = score - expected(ratings[first as usize] - ratings[second as usize]);
                gradient[first as usize] += surprise;
                gradient[second as usize] -= surprise;
            }
            for (rating, gradient) in ratings.iter_mut().zip(gradient) {
                *rating += 4.0 * gradient;
            }
        }
        ratings.into_iter().map(|rating| rating + CENTER).collect()
    }

    #[test]
    fn ratings_are_those_that_make_the_results_most_likely() {
        let mut random = Random::new(5);
        let count = 12;
        let results: Vec<_> = (0..150)
            .map(|_| {
                let first = random.below(count - 1) as u32;
                let second = first + 1 + random.below(count - 1 - first as usize) as u32;
                // Players with lower numbers win more often.
                let score = [1.0, 1.0, 0.5, 0.0][random.below(4)];
                GameResult { players: [first, second], score }
            })
            .collect();
        // The last player has no game.
        let found = strengths(count + 1, &results);
        assert_eq!(found[count], None);
        for (found, slow) in found.iter().zip(slow_ratings(count, &results)) {
            let found = found.expect("a player with games");
            assert!((f64::from(found.rating) - slow).abs() <= 1.0, "{found:?} and {slow}");
            assert!((20..200).contains(&found.error), "{found:?}");
        }
        assert_eq!(strengths(count + 1, &results), found);
    }

    #[test]
    fn a_single_game_moves_a_rating_as_far_as_the_formula_says() {
        // Both players have one result and two draws with 1500: by symmetry, 1 - e(2x) = 2 (e(x) - 1/2) for x above
        // 1500.
        let [winner, loser] = strengths(2, &[GameResult { players: [0, 1], score: 1.0 }])[..] else {
            panic!("two players")
        };
        let (winner, loser) = (winner.unwrap(), loser.unwrap());
        let expected = |difference: f64| 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
        let above = f64::from(winner.rating) - 1500.0;
        assert!((1.0 - expected(2.0 * above) - 2.0 * (expected(above) - 0.5)).abs() < 0.003, "{above}");
        assert_eq!(i32::from(winner.rating) + i32::from(loser.rating), 3000);
        assert!(winner.shown() < i32::from(winner.rating) && winner.shown() > loser.shown());
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        for strength in [None, Some(Strength { rating: -300, error: 0 }), Some(Strength { rating: 2712, error: 9999 })]
        {
            assert_eq!(Strength::from_bytes(Strength::to_bytes(strength)), strength);
        }
    }
}
