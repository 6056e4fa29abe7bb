//! BILL: Lee and Mahajan, "The development of a world class Othello program" (1990).

mod branching;
mod features;
mod iterations;
mod killers;
mod learning;
mod plies;
mod zero_window;

use laboratory::Experiment;

/// The experiments, in the order of the list.
pub fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(
            features::NAME,
            "Lee and Mahajan 1990, Table 1",
            "means and correlations of the features of won and lost positions at 40 discs",
            features::run,
        ),
        Experiment::new(
            plies::NAME,
            "Lee and Mahajan 1990, 6.2, Table 2",
            "the value of learning in BILL 3.0, and of additional plies",
            plies::run,
        ),
        Experiment::new(
            learning::NAME,
            "Lee and Mahajan 1990, 5.1 and 6.2",
            "what the value of learning depends on: training games, discriminant, hand-set weights and openings",
            learning::run,
        ),
        Experiment::new(
            killers::NAME,
            "Lee and Mahajan 1990, 3.1 and 3.2",
            "how much hash and killer tables save in a search of eight plies",
            killers::run,
        ),
        Experiment::new(
            zero_window::NAME,
            "Lee and Mahajan 1990, 3.3",
            "the nodes and time that zero windows need, compared with alpha-beta",
            zero_window::run,
        ),
        Experiment::new(
            branching::NAME,
            "Lee and Mahajan 1990, 3.2 and 6.2",
            "the effective branching factor of BILL's search through the game",
            branching::run,
        ),
    ]
}
