//! The experiments of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), about IAGO.
//!
//! The paper's figures are lost: we compare with what its text says about them.

mod agreement;
mod branching;
mod costs;
mod evaluation;
mod exact;
mod final_game;
mod ordering;
mod positions;
mod records;
mod stability;
mod strategies;
mod time;
mod tournament;

use laboratory::Experiment;

/// The experiments, in the order of the list.
pub fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(
            agreement::NAME,
            "Rosenbloom 1982, Figs 5.2 and 5.3, Table 5.1",
            "how often our IAGO and other players choose the original's move in the 1980 final",
            agreement::run,
        ),
        Experiment::new(
            strategies::NAME,
            "Rosenbloom 1982, section 3.1, Figs 3.2 and 3.10",
            "three simple strategies (many discs, good squares, few discs), and a game lost by a greedy program",
            strategies::run,
        ),
        Experiment::new(
            tournament::NAME,
            "Rosenbloom 1982, section 2, Figs 2.3 and 4.10, section 4.4.3",
            "winning margins at the Santa Cruz Open of 1981, and IAGO's own games there by color and opening",
            tournament::run,
        ),
        Experiment::new(
            positions::NAME,
            "Rosenbloom 1982, Figs 3.3, 3.9, 3.11 and 5.4",
            "six moves in a row, a corner that loses, a wall, and two moves that IAGO misjudges",
            positions::run,
        ),
        Experiment::new(
            branching::NAME,
            "Rosenbloom 1982, Fig. 3.5 and section 4.2.1",
            "the number of legal moves through the game, and the branching factor of the search",
            branching::run,
        ),
        Experiment::new(
            time::NAME,
            "Rosenbloom 1982, section 4.1, Fig. 4.1",
            "how IAGO divides its time, and how much of it a game takes with and without the overhead of a tournament",
            time::run,
        ),
        Experiment::new(
            costs::NAME,
            "Rosenbloom 1982, sections 4.3, 4.4.1.2 and 4.4.2.1",
            "what searches to the end cost compared with the evaluation, and what its expensive parts save",
            costs::run,
        ),
        Experiment::new(
            stability::NAME,
            "Rosenbloom 1982, Figs 3.6 and 4.6",
            "stable discs in a game that IAGO won 60 to 3, and how many of them its algorithm finds",
            stability::run,
        ),
        Experiment::new(
            ordering::NAME,
            "Rosenbloom 1982, Table 4.1",
            "the branching factor of twelve searches that differ in move ordering and in how many plies keep their move order \
             between iterations",
            ordering::run,
        ),
        Experiment::new(
            evaluation::NAME,
            "Rosenbloom 1982, Figs 4.2, 4.3, 4.7, 4.9 and 4.11",
            "IAGO's evaluation and its components in a game that it won 60 to 3 and in one that it nearly lost",
            evaluation::run,
        ),
        Experiment::new(
            final_game::NAME,
            "Rosenbloom 1982, Figs 5.5, 5.6, 5.7, 5.8 and 5.9",
            "the second game of the 1980 final: IAGO's evaluation of every move, and how it would have continued",
            final_game::run,
        ),
    ]
}
