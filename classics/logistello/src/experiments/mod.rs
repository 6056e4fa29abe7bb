//! LOGISTELLO (Buro 1997): edge values, discordance of features, discriminants, combined tables, pattern indices,
//! quiescence, games of its own.

mod discordance;
mod discriminants;
mod edges;
mod index_updates;
mod own_games;
mod quiescence;
mod table_combination;

use laboratory::{Experiment, ExperimentError};

/// LOGISTELLO itself has failed, not as a player of a match.
fn player_error(error: &dyn ToString) -> ExperimentError {
    ExperimentError::Player { player: "logistello".to_owned(), reason: error.to_string() }
}

/// The experiments, in the order of the list.
pub fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(
            edges::NAME,
            "Buro 1997, Figure 3",
            "the values of eight edge configurations in each phase of the game",
            edges::run,
        ),
        Experiment::new(
            discordance::NAME,
            "Buro 1997, Figure 4",
            "how often mobility, patterns and the whole evaluation rank a lost position above a won one",
            discordance::run,
        ),
        Experiment::new(
            discriminants::NAME,
            "Buro 1997, Feature Combination",
            "a tournament of logistic regression, Fisher's discriminant and the quadratic discriminant",
            discriminants::run,
        ),
        Experiment::new(
            table_combination::NAME,
            "Buro 1997, Speed vs. Space",
            "how much faster the search is when everything about a line is folded into one table",
            table_combination::run,
        ),
        Experiment::new(
            index_updates::NAME,
            "Buro 1997, Incremental Index Updates",
            "the time of pattern indices with undo, with copies, and with large indices at the leaves or updated",
            index_updates::run,
        ),
        Experiment::new(
            quiescence::NAME,
            "Buro 1997, Patterns",
            "LOGISTELLO with a search of corner moves at the leaves against LOGISTELLO without",
            quiescence::run,
        ),
        Experiment::new(
            own_games::NAME,
            "Buro 1997, Introduction and Patterns",
            "what LOGISTELLO gains from games of its own, and from distinguishing the side to move",
            own_games::run,
        ),
    ]
}
