//! The games of a contest as a job that other machines can do.

use std::sync::Arc;

use jobs::{Definition, InvalidJob, JobKind, KnownWork, LocalFiles, parameters};
use othello::{BoardShape, with_board};
use players::portable_player::{self, PlayerFiles};
use players::{PlayableBoard, Registry};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::checksum::fnv1a;

use crate::contest::Contest;
use crate::contestant::{Contestant, PlayerSpec, RegisteredPlayer};

/// Games of a match or a tournament.
pub const GAMES: &str = "match-games";

/// The kinds of jobs of contests between these players.
pub fn kinds(registry: &Arc<Registry>) -> [JobKind; 1] {
    let registry = Arc::clone(registry);
    [JobKind::new(GAMES, move |definition, here| prepare(&registry, definition, here))]
}

/// A contest as it is sent to another machine.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContestParameters {
    board: String,
    contest: Value,
    files: PlayerFiles,
    /// Identifies the games that are to be played.
    games: u64,
}

/// The definition of games with these numbers of a contest. The error is a sentence.
pub fn definition<B: PlayableBoard>(
    contest: &Contest<RegisteredPlayer, B>,
    games: &[u64],
) -> Result<Definition, InvalidJob> {
    let (files, supplies) =
        portable_player::files_of(contest.contestants.iter().map(|contestant| &contestant.player.spec.notation))?;
    // The games do not depend on the end of the contest.
    let contest = Contest { sprt: None, min_pairs: 0, concurrency: 1, ..contest.clone() };
    let parameters = ContestParameters {
        board: B::GEOMETRY.name.to_owned(),
        contest: serde_json::to_value(&contest).map_err(|error| error.to_string())?,
        files,
        games: fnv1a(games.iter().map(|game| game.to_le_bytes())),
    };
    Ok(supplies.into_iter().fold(Definition::new(GAMES, &parameters)?, Definition::with_supply))
}

fn prepare(registry: &Arc<Registry>, definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    let parameters: ContestParameters = parameters(definition)?;
    let shape = BoardShape::of_name(&parameters.board);
    let shape = shape.ok_or_else(|| format!("unknown board {:?}", parameters.board))?;
    with_board!(shape, B => prepare_on::<B>(registry, parameters, files))
}

fn prepare_on<B: PlayableBoard>(
    registry: &Arc<Registry>,
    parameters: ContestParameters,
    here: &LocalFiles,
) -> Result<KnownWork, InvalidJob> {
    let ContestParameters { contest, files, .. } = parameters;
    let contest: Contest<PlayerSpec, B> =
        serde_json::from_value(contest).map_err(|error| format!("the contest of the job is invalid: {error}"))?;
    if contest.contestants.len() < 2 || contest.openings.is_empty() {
        return Err("the contest of the job has no games".into());
    }
    let localized = |contestant: Contestant<PlayerSpec>| {
        let notation = portable_player::localized(&contestant.player.notation, &files, here)?;
        Ok(Contestant { player: PlayerSpec { notation, ..contestant.player }, ..contestant })
    };
    let contestants = contest.contestants.into_iter().map(localized).collect::<Result<_, InvalidJob>>()?;
    Ok(Box::new(Contest { contestants, ..contest }.registered(registry)))
}
