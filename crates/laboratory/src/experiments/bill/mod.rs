//! BILL: Lee and Mahajan, "The development of a world class Othello program" (1990).

pub(super) mod against_iago;
pub(super) mod branching;
mod comparison;
pub(super) mod edge;
pub(super) mod features;
mod iterations;
pub(super) mod killers;
pub(super) mod learning;
mod losses;
pub(super) mod plies;
pub(super) mod zero_window;
