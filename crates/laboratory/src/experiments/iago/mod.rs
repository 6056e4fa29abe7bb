//! The experiments of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), about IAGO.
//!
//! The paper's figures are lost: we compare with what its text says about them.

pub(super) mod agreement;
pub(super) mod branching;
pub(super) mod costs;
pub(super) mod evaluation;
mod exact;
pub(super) mod final_game;
pub(super) mod ordering;
pub(super) mod positions;
mod records;
pub(super) mod stability;
pub(super) mod strategies;
pub(super) mod time;
pub(super) mod tournament;
