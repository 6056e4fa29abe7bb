//! Ratings: one number for each player that explains the results (Bradley and Terry 1952).
//!
//! The winning probability of a player depends only on the difference of the two ratings; the ratings are the
//! maximum-likelihood estimates, with a draw counted as half a win and half a loss. Their mean is zero.

use crate::normal;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Encounter {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) points: f64,
    pub(crate) games: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rating {
    /// The rating in Elo, relative to the mean of all players.
    pub(crate) elo: f64,
    /// The 95% margin of error.
    pub(crate) margin: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RatingList {
    /// One for each player, in the order of their indices.
    pub(crate) ratings: Vec<Rating>,
    /// Whether the results alone determine no finite ratings, because some players never took a point from the others:
    /// then every player gets a draw against a player with rating zero.
    pub(crate) needed_draws: bool,
}

/// Elo per unit of log odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Rates players by their encounters; players without any get the mean rating, with infinite margin.
pub(crate) fn rate(players: usize, encounters: &[Encounter]) -> RatingList {
    let needed_draws = !is_connected(players, encounters);
    let mut strengths = vec![0.0; players];
    let mut current = likelihood(&strengths, encounters, needed_draws);
    // Newton's method: the log-likelihood is concave.
    for _ in 0..200 {
        let (gradient, information) = derivatives(&strengths, encounters, needed_draws);
        if gradient.iter().all(|slope| slope.abs() < 1e-11) {
            break;
        }
        let Some(inverse) = inverse(information) else { break };
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        // Far from the maximum a full step may overshoot it.
        let mut part = 1.0;
        loop {
            let next: Vec<f64> = strengths.iter().zip(&step).map(|(strength, step)| strength + part * step).collect();
            let found = likelihood(&next, encounters, needed_draws);
            if found >= current || part < 1e-6 {
                (strengths, current) = (next, found);
                break;
            }
            part *= 0.5;
        }
    }
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    let (_, information) = derivatives(&strengths, encounters, needed_draws);
    let variances = inverse(information).map(|inverse| centered_diagonal(&inverse));
    let ratings = strengths.iter().enumerate().map(|(player, strength)| {
        let variance = variances.as_ref().map_or(f64::INFINITY, |variances| variances[player].max(0.0));
        Rating { elo: (strength - mean) * SCALE, margin: normal::DEVIATIONS_OF_95_PERCENT * variance.sqrt() * SCALE }
    });
    RatingList { ratings: ratings.collect(), needed_draws }
}

/// The weight of the draw that every player gets if the results alone determine no ratings.
const DRAW: f64 = 1.0;

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`chance`], precise for small values, too.
fn log_chance(difference: f64) -> f64 {
    if difference > 0.0 { -(-difference).exp().ln_1p() } else { difference - difference.exp().ln_1p() }
}

fn likelihood(strengths: &[f64], encounters: &[Encounter], with_draws: bool) -> f64 {
    let played = encounters.iter().map(|encounter| {
        let difference = strengths[encounter.first] - strengths[encounter.second];
        encounter.points * log_chance(difference) + (encounter.games - encounter.points) * log_chance(-difference)
    });
    let drawn = strengths.iter().map(|&strength| 0.5 * DRAW * (log_chance(strength) + log_chance(-strength)));
    played.sum::<f64>() + if with_draws { drawn.sum() } else { 0.0 }
}

/// The gradient of the log-likelihood and the Fisher information (minus its second derivatives).
fn derivatives(strengths: &[f64], encounters: &[Encounter], with_draws: bool) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient = vec![0.0; count];
    // Without a fixed point the mean of the ratings is undetermined: this term keeps it at zero.
    let fixed = if with_draws { 0.0 } else { 1.0 / count.max(1) as f64 };
    let mut information = vec![vec![fixed; count]; count];
    for &Encounter { first, second, points, games } in encounters {
        let expected = chance(strengths[first] - strengths[second]);
        gradient[first] += points - games * expected;
        gradient[second] -= points - games * expected;
        let weight = games * expected * (1.0 - expected);
        information[first][first] += weight;
        information[second][second] += weight;
        information[first][second] -= weight;
        information[second][first] -= weight;
    }
    if with_draws {
        for (player, &strength) in strengths.iter().enumerate() {
            let expected = chance(strength);
            gradient[player] += DRAW * (0.5 - expected);
            information[player][player] += DRAW * expected * (1.0 - expected);
        }
    }
    (gradient, information)
}

/// Whether every player has taken points from every other, directly or through others: only then are the ratings finite
/// (Ford 1957).
fn is_connected(players: usize, encounters: &[Encounter]) -> bool {
    // A player that took points, and the other.
    let steps = encounters.iter().flat_map(|&Encounter { first, second, points, games }| {
        [(points > 0.0).then_some((first, second)), (points < games).then_some((second, first))]
    });
    let steps: Vec<(usize, usize)> = steps.flatten().collect();
    let back: Vec<(usize, usize)> = steps.iter().map(|&(winner, loser)| (loser, winner)).collect();
    players == 0 || [steps, back].iter().all(|steps| reaches_all(players, steps))
}

/// Whether the steps lead from the first player to all others.
fn reaches_all(players: usize, steps: &[(usize, usize)]) -> bool {
    let mut reached = vec![false; players];
    let mut open = vec![0];
    while let Some(player) = open.pop() {
        if !std::mem::replace(&mut reached[player], true) {
            open.extend(steps.iter().filter(|(from, _)| *from == player).map(|(_, to)| to));
        }
    }
    reached.into_iter().all(|reached| reached)
}

fn dot(row: &[f64], column: &[f64]) -> f64 {
    row.iter().zip(column).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == index))));
    }
    for column in 0..count {
        let pivot = (column..count).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        if head.abs() < 1e-300 {
            return None;
        }
        matrix[column].iter_mut().for_each(|cell| *cell /= head);
        let pivot_row = matrix[column].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            let factor = row[column];
            if index != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        }
    }
    Some(matrix.into_iter().map(|mut row| row.split_off(count)).collect())
}

/// The variances of the differences from the mean.
fn centered_diagonal(covariance: &[Vec<f64>]) -> Vec<f64> {
    let count = covariance.len() as f64;
    let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let mean = means.iter().sum::<f64>() / count;
    (0..covariance.len()).map(|index| covariance[index][index] - 2.0 * means[index] + mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encounters(table: &[(usize, usize, f64, f64)]) -> Vec<Encounter> {
        let encounter = |&(first, second, points, games)| Encounter { first, second, points, games };
        table.iter().map(encounter).collect()
    }

    fn assert_list(list: &RatingList, expected: &[(f64, f64)]) {
        assert_eq!(list.ratings.len(), expected.len());
        for (rating, &(elo, margin)) in list.ratings.iter().zip(expected) {
            assert!((rating.elo - elo).abs() < 1e-3 && (rating.margin - margin).abs() < 1e-3, "{list:?}");
        }
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        // 15 of 20: 3 to 1, 400 log10(3) = 190.8485 apart. The information is 20 * 3/4 * 1/4 = 3.75, so the
        // difference deviates by 1 / sqrt(3.75) and each half of it by half of that: 0.258199 * 173.7178 * 1.96.
        let list = rate(2, &encounters(&[(0, 1, 15.0, 20.0)]));
        assert!(!list.needed_draws);
        assert_list(&list, &[(95.4243, 87.9116), (-95.4243, 87.9116)]);
    }

    #[test]
    fn ratings_are_those_of_another_library() {
        // scipy 1.17.1: scipy.optimize.minimize of minus the logarithm of the likelihood, sum of the strengths
        // zero; margins from numpy.linalg.pinv of the information.
        let table = [
            (0, 1, 14.0, 20.0),
            (0, 2, 17.5, 20.0),
            (0, 3, 19.0, 20.0),
            (1, 2, 12.0, 20.0),
            (1, 3, 16.5, 20.0),
            (2, 3, 13.0, 20.0),
        ];
        let list = rate(4, &encounters(&table));
        assert!(!list.needed_draws);
        let expected = [(233.00484, 93.59325), (45.23373, 76.09224), (-70.63121, 76.67938), (-207.60737, 88.36318)];
        assert_list(&list, &expected);
    }

    #[test]
    fn a_player_that_never_loses_is_rated_with_an_added_draw() {
        // As above, with a draw of each player against rating zero in the likelihood.
        let table = [
            (0, 1, 10.0, 10.0),
            (0, 2, 10.0, 10.0),
            (0, 3, 10.0, 10.0),
            (1, 2, 6.0, 10.0),
            (1, 3, 7.0, 10.0),
            (2, 3, 5.0, 10.0),
        ];
        let list = rate(4, &encounters(&table));
        assert!(list.needed_draws);
        let expected =
            [(544.33152, 365.11624), (-113.58540, 156.15790), (-203.97657, 159.25212), (-226.76955, 160.73569)];
        assert_list(&list, &expected);
    }

    #[test]
    fn players_without_games_are_at_the_mean() {
        let list = rate(3, &encounters(&[(0, 1, 1.0, 2.0)]));
        assert!(list.needed_draws && list.ratings.iter().all(|rating| rating.elo.abs() < 1e-9));
        assert!(list.ratings[2].margin > list.ratings[0].margin);
        assert!(rate(0, &[]).ratings.is_empty());
    }
}
