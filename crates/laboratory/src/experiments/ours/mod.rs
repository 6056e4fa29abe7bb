//! Experiments with Emilia herself: what a ply is worth, what an endgame costs, what a generation of learning brings.

pub(super) mod depth;
pub(super) mod endings;
pub(super) mod generations;
