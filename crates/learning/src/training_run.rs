//! A training run on some material, with a checkpoint file next to its output.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use evaluation::weights::{PHASE_COUNT, Weights, phase};
use evaluation::{Evaluation, Learned, Value};
use storage::whole_file::{beside, read_bounded, replace};

use crate::error::LearnError;
use crate::material::Material;
use crate::pattern_fit::{Errors, Fit};
use crate::provenance::TrainingSource;
use crate::training::{Checkpoint, Event, Known, Take, Training};

/// The maximum length of a checkpoint in bytes: two sets of weights and their parameters.
const MAX_CHECKPOINT_BYTES: u64 = 256 << 20;

/// The training material and parameters: everything that determines the weights.
#[derive(Debug)]
pub struct TrainingRun<'a> {
    material: &'a Material,
    training: Training,
}

/// An observer of a training, which may end it.
pub type Watch<'w> = dyn FnMut(&Event) -> ControlFlow<()> + 'w;

impl<'a> TrainingRun<'a> {
    /// A training run on this material, which must contain games.
    pub fn new(material: &'a Material, training: Training) -> Result<Self, LearnError> {
        if material.games() == 0 {
            return Err(LearnError::NoGames { purpose: "learn from" });
        }
        Ok(Self { material, training })
    }

    /// The number of games used.
    pub fn games(&self) -> u64 {
        self.material.games()
    }

    /// Everything that determines the weights.
    pub fn source(&self) -> TrainingSource {
        let Training { fit: Fit { penalty, steps, .. }, held_out, window, look_ahead } = self.training;
        TrainingSource {
            games: self.material.games(),
            stores: self.material.stores(),
            label: self.material.label,
            outcome_share: self.material.outcome_share,
            penalty,
            steps,
            held_out,
            window,
            look_ahead,
        }
    }

    /// Trains the weights, without files.
    pub fn weights(&self, watch: &mut Watch<'_>) -> Result<Weights, LearnError> {
        self.advance(Checkpoint::new(self.source().fingerprint()), &mut |_| Ok(()), watch)
    }

    /// Trains the weights and writes them, resuming from the checkpoint next to the output if there is one.
    ///
    /// The observer is notified of a finished phase after its checkpoint was written.
    pub fn train(&self, output: &Path, watch: &mut Watch<'_>) -> Result<(), LearnError> {
        let partial = beside(output, ".partial");
        let checkpoint = self.checkpoint(&partial)?;
        let mut keep = |checkpoint: &Checkpoint| Ok(replace(&partial, &checkpoint.to_bytes())?);
        let weights = self.advance(checkpoint, &mut keep, watch)?;
        replace(output, &weights.to_bytes())?;
        fs::remove_file(&partial).map_err(|source| LearnError::Io { verb: "remove", path: partial, source })
    }

    /// Trains the missing phases; `keep` receives the checkpoint after each.
    fn advance(
        &self,
        mut checkpoint: Checkpoint,
        keep: &mut dyn FnMut(&Checkpoint) -> Result<(), LearnError>,
        watch: &mut Watch<'_>,
    ) -> Result<Weights, LearnError> {
        while !checkpoint.is_complete() {
            let mut done = None;
            let mut flow = ControlFlow::Continue(());
            let read = |empties, take: &mut Take<'_>| self.material.read(empties, take);
            checkpoint.advance(&self.training, read, &mut |event| match event {
                Event::Done { .. } => done = Some(*event),
                _ if flow.is_continue() => flow = watch(event),
                _ => {}
            })?;
            keep(&checkpoint)?;
            if flow.is_break() || done.is_some_and(|event| watch(&event).is_break()) {
                return Err(LearnError::Interrupted);
            }
        }
        Ok(checkpoint.weights())
    }

    /// The checkpoint to resume from, or a new one.
    fn checkpoint(&self, path: &Path) -> Result<Checkpoint, LearnError> {
        let expected = self.source().fingerprint();
        if !path.exists() {
            return Ok(Checkpoint::new(expected));
        }
        let owned = || path.to_owned();
        let bytes = read_bounded(path, MAX_CHECKPOINT_BYTES, Checkpoint::is_beginning)
            .map_err(|source| LearnError::Io { verb: "read", path: owned(), source })?;
        let checkpoint =
            Checkpoint::from_bytes(&bytes).map_err(|source| LearnError::Checkpoint { path: owned(), source })?;
        if let Some(difference) = checkpoint.fingerprint.difference(&expected) {
            return Err(LearnError::OtherTraining { path: owned(), difference });
        }
        Ok(checkpoint)
    }

    /// The errors of weights on the held-out games, phase by phase, and the total number of positions.
    pub fn errors(&self, weights: &Weights) -> Result<(Vec<Errors>, u64), LearnError> {
        let learned = Learned::new(weights);
        let mut errors = vec![Errors::default(); PHASE_COUNT];
        let mut positions = 0;
        self.material.read(0..=60, &mut |game, board, known| {
            let (Known::Exact(label) | Known::Guess(label)) = known else { return };
            positions += 1;
            if game % self.training.held_out == 0 {
                let value = learned.evaluate(board, &learned.features(board));
                let discs = f64::from(value.parts()) / f64::from(Value::PER_DISC);
                errors[phase(board.empty_count())].add(discs - f64::from(label));
            }
        })?;
        Ok((errors, positions))
    }
}
