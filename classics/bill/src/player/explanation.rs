//! BILL's static evaluation of a position: its four features, and for BILL 3.0 the probability of winning.

use othello::{Board, Color};

use super::evaluation::{Evaluation, LINEAR_WEIGHTS, PER_LOG_ODDS, win_probability};
use super::features::{FEATURE_NAMES, FeatureTables, Features};
use super::tables::BillTables;
use engine::explanation::{Explanation, Part};

/// The features in the order of their names.
fn named(features: &Features) -> [(&'static str, i32); 4] {
    let Features { edge, current_mobility, potential_mobility, sequence } = *features;
    let values = [edge, current_mobility, potential_mobility, sequence];
    std::array::from_fn(|feature| (FEATURE_NAMES[feature], values[feature]))
}

/// The features of a position by the shipped tables. Colors do not matter, only the side to move.
fn features(board: &Board) -> Features {
    FeatureTables::new(&BillTables::shipped_edges()).features(board, Color::Black)
}

/// BILL 2.0: features times hand-set weights.
pub fn explain_bill2(board: &Board) -> Explanation {
    let features = features(board);
    let value = Evaluation::Linear(LINEAR_WEIGHTS).value(&features, board.disc_count());
    let parts = named(&features)
        .into_iter()
        .zip(LINEAR_WEIGHTS)
        .map(|((name, value), weight)| Part::weighted(name, value, weight))
        .collect();
    Explanation { parts, value: value.into(), unit: "points", win_probability: None }
}

/// BILL 3.0: features, the discriminant of their stage and the resulting probability.
pub fn explain_bill3(board: &Board) -> Explanation {
    let features = features(board);
    let evaluation = BillTables::shipped().evaluation().unwrap_or(Evaluation::Linear(LINEAR_WEIGHTS));
    let value = f64::from(evaluation.value(&features, board.disc_count())) / f64::from(PER_LOG_ODDS);
    let parts = named(&features).into_iter().map(|(name, value)| Part::plain(name, value)).collect();
    Explanation { parts, value, unit: "log odds", win_probability: Some(win_probability(value)) }
}

#[cfg(test)]
mod tests {
    use othello::Rules;

    use super::*;

    #[test]
    fn the_parts_of_bill_2_add_up_to_its_value() {
        let board = Board::start().play("f5".parse().unwrap()).unwrap();
        let explanation = explain_bill2(&board);
        let sum: f64 = explanation.parts.iter().map(|part| part.value * part.weight.unwrap()).sum();
        assert_eq!(sum, explanation.value);
        assert_eq!(explanation.parts.len(), 4);
    }

    #[test]
    fn bill_3_knows_who_is_ahead() {
        // Four corners and many moves against a side that has only the middle.
        let board = Board::new(0x8100_0000_0000_0081 | 0x0000_0018_1800_0000, 0x0000_3c24_243c_0000);
        let (own, other) = (explain_bill3(&board), explain_bill3(&board.pass()));
        assert!(own.win_probability.unwrap() > 0.6 && other.win_probability.unwrap() < 0.5, "{own:?} {other:?}");
        assert_eq!(own.parts.len(), 4);
    }

    #[test]
    fn boards_without_discs_and_full_boards_are_explained_too() {
        for board in [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, 1)] {
            for explanation in [explain_bill2(&board), explain_bill3(&board)] {
                assert!(explanation.value.is_finite() && explanation.parts.len() == 4);
            }
        }
    }
}
