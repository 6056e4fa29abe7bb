//! Experiments with Emilia itself: the value of a ply, the gain from a generation of learning.

mod depth;
mod generations;

use crate::Experiment;

/// The experiments, in the order of the list.
pub(crate) fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(depth::NAME, "ours", "how much stronger Emilia becomes with every additional ply", depth::run),
        Experiment::new(
            generations::NAME,
            "ours",
            "how strong Emilia becomes by learning from self-play, starting from random play",
            generations::run,
        ),
    ]
}
