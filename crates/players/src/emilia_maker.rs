//! Constructors of Emilia for a board: as a player and as an analyst, with any weights.

use std::sync::Arc;

use engine::analysis::{Analyst, EmiliaAnalyst};
use engine::{Emilia, Limits, Options, Player};
use othello::Rules;
use search::{HashTable, SearchableBoard};

use crate::error::MakeError;
use crate::weights::{WeightsChoice, with_evaluation};

/// The ways in which Emilia is made for a board that it plays on.
#[derive(Clone, Copy, Debug)]
pub struct EmiliaMaker<B: Rules> {
    /// Makes a player, with a hash table of its own or a shared one.
    pub(crate) player: MakePlayer<B>,
    /// Makes an analyst with these limits, which solves positions from this number of empty squares on.
    pub(crate) analyst: MakeAnalyst<B>,
    /// Whether winning chances were fitted for the board.
    pub has_chances: bool,
}

type MakePlayer<B> = fn(&WeightsChoice, &Options, Option<&Arc<HashTable>>) -> Result<Box<dyn Player<B>>, MakeError>;
type MakeAnalyst<B> = fn(&WeightsChoice, &Options, Limits, u32) -> Result<Box<dyn Analyst<B>>, MakeError>;

impl<B: SearchableBoard> EmiliaMaker<B> {
    pub(crate) const NEW: Self =
        Self { player: player::<B>, analyst: analyst::<B>, has_chances: B::HAS_WINNING_PROBABILITY };
}

fn player<B: SearchableBoard>(
    weights: &WeightsChoice,
    options: &Options,
    shared: Option<&Arc<HashTable>>,
) -> Result<Box<dyn Player<B>>, MakeError> {
    Ok(with_evaluation!(weights.evaluation::<B>()?, evaluation => match shared {
        Some(table) => Box::new(Emilia::<B, _>::with_table(evaluation, Arc::clone(table), options)),
        None => Box::new(Emilia::<B, _>::with_evaluation(evaluation, options)?),
    }))
}

fn analyst<B: SearchableBoard>(
    weights: &WeightsChoice,
    options: &Options,
    limits: Limits,
    exact_from: u32,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    // Chances to win were fitted to the learned evaluation.
    let has_chances = B::HAS_WINNING_PROBABILITY && *weights != WeightsChoice::HandMade;
    Ok(with_evaluation!(weights.evaluation::<B>()?, evaluation => {
        let analyst = EmiliaAnalyst::<B, _>::new(Emilia::with_evaluation(evaluation, options)?, limits, exact_from);
        if has_chances { Box::new(analyst.with_chances()) } else { Box::new(analyst) }
    }))
}
