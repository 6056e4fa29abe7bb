//! LOGISTELLO's static evaluation, feature by feature.

use othello::Board;

use super::discriminant::{Discriminant, feature_name, probability};
use super::tables::{Tables, phase};
use engine::explanation::{Explanation, Part};

/// The features of a position for the side to move with their weights by logistic regression, and the probability of
/// winning.
pub fn explain(board: &Board) -> Explanation {
    let tables = Tables::shipped();
    let phase = phase(board.disc_count());
    let features = tables.features(board);
    let linear = &tables.logistic[phase];
    let log_odds = tables.log_odds(Discriminant::Logistic, phase, &features);
    let mut parts: Vec<Part> = features
        .iter()
        .zip(linear.weights)
        .enumerate()
        .map(|(feature, (&value, weight))| Part::weighted(feature_name(feature), value, weight))
        .collect();
    parts.push(Part::weighted("the move", 1.0, linear.constant));
    // The unit of the search.
    parts.push(Part::plain("expected discs", log_odds * tables.discs_per_log_odds[0]));
    Explanation { parts, value: log_odds, unit: "log odds", win_probability: Some(probability(log_odds)) }
}

#[cfg(test)]
mod tests {
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn the_parts_add_up_to_the_log_odds_and_these_give_the_probability() {
        let mut samples = Samples::<Board>::new(31);
        let mut boards: Vec<Board> =
            (0..200u32).map(|number| samples.position(Origin::ALL[number as usize % 4], number % 61)).collect();
        boards.extend([Board::start(), Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX)]);
        for board in boards {
            let Explanation { parts, value, win_probability, .. } = explain(&board);
            let sum: f64 = parts.iter().filter_map(|part| Some(part.value * part.weight?)).sum();
            assert!((sum - value).abs() < 1e-9, "{board:?}");
            let probability = win_probability.expect("a probability");
            assert!((0.0..=1.0).contains(&probability));
            assert!((value > 0.0) == (probability > 0.5));
        }
    }

    #[test]
    fn corners_are_good_and_squares_next_to_them_are_not() {
        let value = |moves: &str| {
            let position: Board = moves.parse::<othello::Position>().expect("a board").board;
            explain(&position).value
        };
        let with_corner = "X---------------------------OX------XO-------------------------- X";
        let with_x_square = "---------X------------------OX------XO-------------------------- X";
        let with_nothing = "----------------------------OX------XO-------------------------- X";
        assert!(value(with_corner) > value(with_nothing) && value(with_nothing) > value(with_x_square));
    }
}
