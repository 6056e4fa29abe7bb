//! All experiments: name, source and description.

use super::{Experiment, Run, bill, desdemona, iago, keyano, logistello, ours, rivals, solver};

fn experiment(name: &'static str, run: Run, source: &'static str, description: &'static str) -> Experiment {
    Experiment::new(name, source, description, run)
}

/// All experiments, by paper.
pub fn all() -> Vec<Experiment> {
    vec![
        experiment(
            iago::agreement::NAME,
            iago::agreement::run,
            "Rosenbloom 1982, Figs 5.2 and 5.3, Table 5.1",
            "how often our IAGO and other players choose the original's move in the 1980 final",
        ),
        experiment(
            iago::strategies::NAME,
            iago::strategies::run,
            "Rosenbloom 1982, section 3.1, Figs 3.2 and 3.10",
            "three simple strategies (many discs, good squares, few discs), and a game lost by a greedy program",
        ),
        experiment(
            iago::tournament::NAME,
            iago::tournament::run,
            "Rosenbloom 1982, section 2, Figs 2.3 and 4.10, section 4.4.3",
            "winning margins at the Santa Cruz Open of 1981, and IAGO's own games there by color and opening",
        ),
        experiment(
            iago::positions::NAME,
            iago::positions::run,
            "Rosenbloom 1982, Figs 3.3, 3.9, 3.11 and 5.4",
            "six moves in a row, a corner that loses, a wall, and two moves that IAGO misjudges",
        ),
        experiment(
            iago::branching::NAME,
            iago::branching::run,
            "Rosenbloom 1982, Fig. 3.5 and section 4.2.1",
            "the number of legal moves through the game, and the branching factor of the search",
        ),
        experiment(
            iago::time::NAME,
            iago::time::run,
            "Rosenbloom 1982, section 4.1, Fig. 4.1",
            "how IAGO divides its time, and how much of it a game takes with and without the overhead of a tournament",
        ),
        experiment(
            iago::costs::NAME,
            iago::costs::run,
            "Rosenbloom 1982, sections 4.3, 4.4.1.2 and 4.4.2.1",
            "what searches to the end cost compared with the evaluation, and what its expensive parts save",
        ),
        experiment(
            iago::stability::NAME,
            iago::stability::run,
            "Rosenbloom 1982, Figs 3.6 and 4.6",
            "stable discs in a game that IAGO won 60 to 3, and how many of them its algorithm finds",
        ),
        experiment(
            iago::ordering::NAME,
            iago::ordering::run,
            "Rosenbloom 1982, Table 4.1",
            "the branching factor of twelve searches that differ in move ordering and in how many plies keep their move order \
             between iterations",
        ),
        experiment(
            iago::evaluation::NAME,
            iago::evaluation::run,
            "Rosenbloom 1982, Figs 4.2, 4.3, 4.7, 4.9 and 4.11",
            "IAGO's evaluation and its components in a game that it won 60 to 3 and in one that it nearly lost",
        ),
        experiment(
            iago::final_game::NAME,
            iago::final_game::run,
            "Rosenbloom 1982, Figs 5.5, 5.6, 5.7, 5.8 and 5.9",
            "the second game of the 1980 final: IAGO's evaluation of every move, and how it would have continued",
        ),
        experiment(
            bill::features::NAME,
            bill::features::run,
            "Lee and Mahajan 1990, Table 1",
            "means and correlations of the features of won and lost positions at 40 discs",
        ),
        experiment(
            bill::plies::NAME,
            bill::plies::run,
            "Lee and Mahajan 1990, 6.2, Table 2",
            "the value of learning in BILL 3.0, and of additional plies",
        ),
        experiment(
            bill::learning::NAME,
            bill::learning::run,
            "Lee and Mahajan 1990, 5.1 and 6.2",
            "what the value of learning depends on: training games, discriminant, hand-set weights and openings",
        ),
        experiment(
            bill::against_iago::NAME,
            bill::against_iago::run,
            "Lee and Mahajan 1990, 6.3",
            "BILL against IAGO at their published speeds, and the part of their evaluations in the result",
        ),
        experiment(
            bill::killers::NAME,
            bill::killers::run,
            "Lee and Mahajan 1990, 3.1 and 3.2",
            "how much hash and killer tables save in a search of eight plies",
        ),
        experiment(
            bill::zero_window::NAME,
            bill::zero_window::run,
            "Lee and Mahajan 1990, 3.3",
            "the nodes and time that zero windows need, compared with alpha-beta",
        ),
        experiment(
            bill::branching::NAME,
            bill::branching::run,
            "Lee and Mahajan 1990, 3.2 and 6.2",
            "the effective branching factor of BILL's search through the game",
        ),
        experiment(
            bill::edge::NAME,
            bill::edge::run,
            "Lee and Mahajan 1990, Fig. 2",
            "the value of the edge in the paper's worked example",
        ),
        experiment(
            logistello::edges::NAME,
            logistello::edges::run,
            "Buro 1997, Figure 3",
            "the values of eight edge configurations in each phase of the game",
        ),
        experiment(
            logistello::discordance::NAME,
            logistello::discordance::run,
            "Buro 1997, Figure 4",
            "how often mobility, patterns and the whole evaluation rank a lost position above a won one",
        ),
        experiment(
            logistello::discriminants::NAME,
            logistello::discriminants::run,
            "Buro 1997, Feature Combination",
            "a tournament of logistic regression, Fisher's discriminant and the quadratic discriminant",
        ),
        experiment(
            logistello::table_combination::NAME,
            logistello::table_combination::run,
            "Buro 1997, Speed vs. Space",
            "how much faster the search is when everything about a line is folded into one table",
        ),
        experiment(
            logistello::index_updates::NAME,
            logistello::index_updates::run,
            "Buro 1997, Incremental Index Updates",
            "the time of pattern indices with undo, with copies, and with large indices at the leaves or updated",
        ),
        experiment(
            logistello::quiescence::NAME,
            logistello::quiescence::run,
            "Buro 1997, Patterns",
            "LOGISTELLO with a search of corner moves at the leaves against LOGISTELLO without",
        ),
        experiment(
            logistello::own_games::NAME,
            logistello::own_games::run,
            "Buro 1997, Introduction and Patterns",
            "what LOGISTELLO gains from games of its own, and from distinguishing the side to move",
        ),
        experiment(
            keyano::trees::NAME,
            keyano::trees::run,
            "Brockington 1997, Table 1 and section 2",
            "how many nodes a search takes with transposition tables of different sizes and levels, and with plain alpha-beta",
        ),
        experiment(
            keyano::move_order::NAME,
            keyano::move_order::run,
            "Brockington 1997, section 2.1",
            "how many moves are searched before a cutoff, and how often the best move comes first",
        ),
        experiment(
            keyano::probcut::NAME,
            keyano::probcut::run,
            "Brockington 1997, Table 2 and section 2.2",
            "KEYANO with multi-ProbCut against single-level ProbCut and none, by the width of its windows, and how often it cuts",
        ),
        experiment(
            keyano::depth::NAME,
            keyano::depth::run,
            "Brockington 1997, Table 3",
            "KEYANO against a KEYANO that searches one or two plies less",
        ),
        experiment(
            keyano::mobility::NAME,
            keyano::mobility::run,
            "Brockington 1997, Figure 1 and Table 4",
            "the value of the number of directions in which discs can be flipped, and how well measures of mobility correlate \
             with the final score",
        ),
        experiment(
            keyano::parity::NAME,
            keyano::parity::run,
            "Brockington 1997, section 3.1",
            "the best penalty for a lost region, KEYANO with parity against KEYANO without it, and the time that parity takes",
        ),
        experiment(
            keyano::weights::NAME,
            keyano::weights::run,
            "Brockington 1997, Figure 3",
            "the weights of mobility, lines, corners and edges in each stage of the game",
        ),
        experiment(
            keyano::aphid::NAME,
            keyano::aphid::run,
            "Brockington 1997, section 2.3",
            "how much faster several workers search with APHID and with Young Brothers Wait",
        ),
        experiment(
            keyano::opening_book::NAME,
            keyano::opening_book::run,
            "Brockington 1997, section 4",
            "how many searches the method of KEYANO's opening book saves, and KEYANO with its book against KEYANO without it",
        ),
        experiment(
            keyano::paper_games::NAME,
            keyano::paper_games::run,
            "Brockington 1997, Figures 4 and 5",
            "exact scores of the two games in the paper of KEYANO",
        ),
        experiment(
            desdemona::depth::NAME,
            desdemona::depth::run,
            "CS 221 2002, 1.3.1, 1.3.3 and 1.4",
            "DESDEMONA's search depth with and without a transposition table and adjacency tables, and with two kinds of \
             keys",
        ),
        experiment(
            desdemona::weights::NAME,
            desdemona::weights::run,
            "CS 221 2002, 2.2 and 3",
            "DESDEMONA's weights by stage, compared with the paper's statements, and matches against weighted squares",
        ),
        experiment(
            rivals::NAME,
            rivals::run,
            "Lee and Mahajan 1990, 6.2 and 6.3; Buro 1997; Brockington 1997, Table 2 and section 3.1; CS 221 2002",
            "the classic programs against each other, with and without their main techniques",
        ),
        experiment(
            ours::depth::NAME,
            ours::depth::run,
            "ours",
            "how much stronger Emilia becomes with every additional ply",
        ),
        experiment(
            ours::generations::NAME,
            ours::generations::run,
            "ours",
            "how strong Emilia becomes by learning from self-play, starting from random play",
        ),
        experiment(
            solver::growth::NAME,
            solver::growth::run,
            "ours",
            "how many nodes and how much time Emilia needs to solve an endgame, by number of empty squares",
        ),
        experiment(
            solver::threads::NAME,
            solver::threads::run,
            "ours",
            "how many more nodes several threads search to solve an endgame, and how much faster they are",
        ),
    ]
}

/// The experiment of this name.
pub fn named(name: &str) -> Option<Experiment> {
    all().into_iter().find(|experiment| experiment.name == name)
}
