//! Experiments with Emilia itself: the value of a ply, the gain from a generation of learning.

pub(super) mod depth;
pub(super) mod generations;
