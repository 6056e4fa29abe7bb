//! Training of BILL's tables: access to edges counted in games, won and lost positions from self-play.

pub mod edge_access;
mod learner;
pub mod won_and_lost;

pub use learner::LEARNER;
