//! LOGISTELLO (Buro 1997): edge values, discordance of features, discriminants, combined tables, pattern indices,
//! quiescence, games of its own.

pub(super) mod discordance;
pub(super) mod discriminants;
pub(super) mod edges;
pub(super) mod index_updates;
pub(super) mod own_games;
pub(super) mod quiescence;
pub(super) mod table_combination;

use super::ExperimentError;

/// LOGISTELLO itself has failed, not as a player of a match.
fn player_error(error: &dyn ToString) -> ExperimentError {
    ExperimentError::Player { player: "logistello".to_owned(), reason: error.to_string() }
}
