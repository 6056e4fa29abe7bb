//! IAGO's static evaluation, component by component (Rosenbloom 1982, 4.4).

use othello::{Board, Rules};

use super::evaluation::{
    Components, INTERNAL_COEFFICIENT, POTENTIAL_COEFFICIENT, current_coefficient, edge_coefficient,
};
use super::move_choice::shipped_evaluation;
use engine::explanation::{Explanation, Part};

/// The static value of a board for its side to move: the four components with their coefficients and details. The other
/// side's moves are those that it would have now.
pub fn explain(board: &Board) -> Explanation {
    let components = shipped_evaluation().components(board);
    let Components { corners, stable_discs, current, potential, move_number } = components;
    let other = board.pass();
    let parts = vec![
        Part::weighted("edge stability", components.edge_stability(), edge_coefficient(move_number)),
        Part::weighted("internal stability", components.internal_stability(), INTERNAL_COEFFICIENT),
        Part::weighted("current mobility", current, current_coefficient(move_number)),
        Part::weighted("potential mobility", components.potential_mobility(), POTENTIAL_COEFFICIENT),
        Part::detail("move number", move_number),
        Part::detail("sum of the four corner values", corners),
        Part::detail("stable internal discs", stable_discs),
        Part::detail("moves", board.moves().count_ones()),
        Part::detail("moves of the other side", other.moves().count_ones()),
        Part::detail("frontier discs", frontier(board)),
        Part::detail("frontier discs of the other side", frontier(&other)),
        Part::detail("advantage in frontier discs, of 1000", potential.frontier),
        Part::detail("advantage in empty squares next to discs, of 1000", potential.empties),
        Part::detail("advantage in empty squares next to each disc, of 1000", potential.contacts),
    ];
    Explanation { parts, value: f64::from(components.value()), unit: "points", win_probability: None }
}

/// The discs of the side to move that lie next to an empty square.
fn frontier(board: &Board) -> u32 {
    let empties = !(board.player | board.opponent);
    (board.player & Board::neighbors(empties)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::mobility::advantage;
    use crate::player::samples::{boards, slow};

    #[test]
    fn frontier_discs_are_counted_and_their_advantage_is_named_so() {
        for board in boards(200, 41) {
            let explanation = explain(&board);
            let value = |name: &str| {
                let part = explanation.parts.iter().find(|part| part.name == name);
                part.unwrap_or_else(|| panic!("no part {name}")).value
            };
            let own = slow::frontier(board.player, board.opponent).0;
            let other = slow::frontier(board.opponent, board.player).0;
            assert_eq!(value("frontier discs"), f64::from(own), "{board:?}");
            assert_eq!(value("frontier discs of the other side"), f64::from(other), "{board:?}");
            assert_eq!(value("advantage in frontier discs, of 1000"), f64::from(advantage(other, own)), "{board:?}");
        }
    }

    #[test]
    fn the_components_with_their_coefficients_make_the_value() {
        for board in boards(200, 43) {
            let explanation = explain(&board);
            // Truncation loses less than a point of each component.
            assert!((explanation.sum().unwrap() - explanation.value).abs() < 4.0, "{board:?}");
        }
    }
}
