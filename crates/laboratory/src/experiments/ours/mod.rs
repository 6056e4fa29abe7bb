//! Experiments with Emilia itself: the value of a ply, the cost of an endgame, the gain from a generation of learning.

pub(super) mod depth;
pub(super) mod endings;
pub(super) mod generations;
