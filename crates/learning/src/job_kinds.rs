//! The jobs of learning that other machines can do.

use jobs::{Definition, InvalidJob, JobKind, KnownWork, LocalFiles, parameters};
use othello::Board;
use players::weights::{Chosen, with_evaluation};
use report::words::sentence;
use serde::de::DeserializeOwned;

use crate::labeling::LabelWork;
use crate::probcut_fit::SampleWork;
use crate::problem_set::ProblemWork;
use crate::self_play::SelfPlayParameters;
use crate::workforce::WithWeights;

/// Games of self-play.
pub const SELF_PLAY: &str = "self-play";
/// Values and exact scores of positions.
pub const LABELS: &str = "labels";
/// Exact scores of problems, with all best moves.
pub const PROBLEMS: &str = "problems";
/// Searches of a position to several depths, for ProbCut.
pub const PROBCUT_SAMPLES: &str = "probcut-samples";

/// The kinds of jobs of learning.
pub fn kinds() -> [JobKind; 4] {
    [
        JobKind::new(SELF_PLAY, prepare_self_play),
        JobKind::new(LABELS, prepare_labels),
        JobKind::new(PROBLEMS, prepare_problems),
        JobKind::new(PROBCUT_SAMPLES, prepare_samples),
    ]
}

/// The parameters of a job and its evaluation.
fn with_weights<P: DeserializeOwned>(
    definition: &Definition,
    files: &LocalFiles,
) -> Result<(P, Chosen<Board>), InvalidJob> {
    let WithWeights { weights, job } = parameters(definition)?;
    let evaluation = weights.choice(files)?.evaluation().map_err(|error| sentence(&error))?;
    Ok((job, evaluation))
}

fn prepare_self_play(definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    let (parameters, chosen) = with_weights::<SelfPlayParameters>(definition, files)?;
    with_evaluation!(chosen, evaluation => Ok(Box::new(parameters.self_play(evaluation)?)))
}

fn prepare_labels(definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    let (parameters, chosen) = with_weights(definition, files)?;
    with_evaluation!(chosen, evaluation => Ok(Box::new(LabelWork { parameters, evaluation })))
}

fn prepare_problems(definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    // The parameters only identify the positions.
    let (_, chosen) = with_weights::<u64>(definition, files)?;
    with_evaluation!(chosen, evaluation => Ok(Box::new(ProblemWork { evaluation })))
}

fn prepare_samples(definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    let (parameters, chosen) = with_weights(definition, files)?;
    with_evaluation!(chosen, evaluation => Ok(Box::new(SampleWork { parameters, evaluation })))
}
