//! Learning of IAGO's edge table from games.

mod edge_move_tally;
mod learner;

pub use edge_move_tally::EdgeMoveTally;
pub use learner::LEARNER;
