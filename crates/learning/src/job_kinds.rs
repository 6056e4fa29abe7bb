//! The jobs of learning that other machines can do.

use jobs::{Definition, InvalidJob, JobKind, LocalFiles, parameters};
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
pub(crate) const SELF_PLAY: &str = "self-play";
/// Values and exact scores of positions.
pub(crate) const LABELS: &str = "labels";
/// Exact scores of problems, with all best moves.
pub(crate) const PROBLEMS: &str = "problems";
/// Searches of a position to several depths, for ProbCut.
pub(crate) const PROBCUT_SAMPLES: &str = "probcut-samples";

/// The kinds of jobs of learning.
pub fn kinds() -> [JobKind; 4] {
    [
        JobKind::new(SELF_PLAY, |definition, files| {
            let (parameters, chosen) = with_weights::<SelfPlayParameters>(definition, files)?;
            with_evaluation!(chosen, evaluation => Ok(Box::new(parameters.self_play(evaluation)?)))
        }),
        JobKind::new(LABELS, |definition, files| {
            let (parameters, chosen) = with_weights(definition, files)?;
            with_evaluation!(chosen, evaluation => Ok(Box::new(LabelWork { parameters, evaluation })))
        }),
        JobKind::new(PROBLEMS, |definition, files| {
            // The parameters only identify the positions.
            let (_, chosen) = with_weights::<u64>(definition, files)?;
            with_evaluation!(chosen, evaluation => Ok(Box::new(ProblemWork { evaluation })))
        }),
        JobKind::new(PROBCUT_SAMPLES, |definition, files| {
            let (parameters, chosen) = with_weights(definition, files)?;
            with_evaluation!(chosen, evaluation => Ok(Box::new(SampleWork { parameters, evaluation })))
        }),
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
