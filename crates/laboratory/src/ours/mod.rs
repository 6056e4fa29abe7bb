//! Experiments with Emilia itself: the value of a ply, the gain from a generation of learning.

pub(crate) mod depth;
pub(crate) mod generations;
