//! What IAGO says of a position, component by component (Rosenbloom 1982, 4.4).

use othello::{Board, Rules};

use super::evaluation::{
    Components, INTERNAL_COEFFICIENT, POTENTIAL_COEFFICIENT, current_coefficient, edge_coefficient,
};
use super::player::usual_evaluation;
use crate::explanation::{Explanation, Part};

/// The static value of a board for its side to move: the four components with their coefficients, and what they
/// are made of. The other side's moves are those that it would have now.
pub fn explain(board: &Board) -> Explanation {
    let components = usual_evaluation().components(board);
    let Components { corners, stable_discs, current, potential, move_number } = components;
    let parts = vec![
        Part::weighted("edge stability", components.edge_stability(), edge_coefficient(move_number)),
        Part::weighted("internal stability", components.internal_stability(), INTERNAL_COEFFICIENT),
        Part::weighted("current mobility", current, current_coefficient(move_number)),
        Part::weighted("potential mobility", components.potential_mobility(), POTENTIAL_COEFFICIENT),
        Part::plain("  move number", move_number),
        Part::plain("  sum of the four corner values", corners),
        Part::plain("  stable internal discs", stable_discs),
        Part::plain("  moves", board.moves().count_ones()),
        Part::plain("  moves of the other side", board.pass().moves().count_ones()),
        Part::plain("  frontier discs", potential.frontier),
        Part::plain("  empty squares beside discs", potential.empties),
        Part::plain("  empty squares beside each disc", potential.contacts),
    ];
    Explanation { parts, value: f64::from(components.value()), unit: "points", win_probability: None }
}
