//! Training of interactions: from weights and labeled positions to weights with vectors, stage by stage of the game.
//!
//! The stages do not depend on each other: several can be trained simultaneously, and the result is the same on any
//! number of threads. A finished stage is kept in a checkpoint next to the output.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::Mutex;

use control::lock;
use evaluation::interactions::{DIMENSION, Interactions, Vector, folded, quantized, stage};
use evaluation::weights::{Layout, PHASE_COUNT, Weights};
use evaluation::{Evaluation, Learned, Value};
use storage::whole_file::replace;
use storage::{Fingerprint, Format};

use crate::error::{CheckpointError, LearnError, Result};
use crate::interaction_fit::{InteractionFit, Model, Sample};
use crate::material::Material;
use crate::partial_file::{self, PartialFile};
use crate::pattern_fit::Errors;
use crate::provenance::InteractionSource;
use crate::training::empties_of;
use jobs::ordered_work::in_order;

/// The format of checkpoints; the parts are stages.
const FORMAT: Format = Format { magic: b"EMINTACT", version: 1 };

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InteractionTraining {
    /// The fit of each stage.
    pub fit: InteractionFit,
    /// The number of stages, which divides the number of phases.
    pub stages: usize,
    /// A stage is also trained on positions with up to this many empty squares more or fewer than its own.
    pub window: u32,
    /// Stages with fewer positions keep the weights at the start, without vectors: few positions make them worse.
    pub least: usize,
    /// One game in this many is held out: its positions only measure the errors.
    pub held_out: u64,
    /// The number of stages that are trained simultaneously, each in its thread.
    pub threads: usize,
}

/// The progress of a stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Progress {
    /// Its positions have been read.
    Read {
        /// The stage.
        stage: usize,
        /// The number of positions to learn from.
        positions: usize,
    },
    /// Every position was used once more.
    Epoch {
        /// The stage.
        stage: usize,
        /// The number of the epoch, from 1.
        epoch: u32,
        /// The errors on the held-out positions.
        held_out: Errors,
    },
}

/// The result of a stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageReport {
    /// The stage.
    pub stage: usize,
    /// The number of positions learned from.
    pub positions: usize,
    /// The errors of the weights without interactions on the held-out positions.
    pub before: Errors,
    /// The errors of the new weights and vectors, as they are written.
    pub after: Errors,
}

/// An observer of a training.
pub struct Watch<'w> {
    /// Receives the progress of a stage, from several threads if several stages are trained simultaneously.
    pub progress: &'w (dyn Fn(&Progress) + Sync),
    /// Receives the result of a stage after its checkpoint was written, and may end the training.
    pub done: &'w mut dyn FnMut(&StageReport) -> ControlFlow<()>,
}

/// The training material, the weights to start from and the parameters: everything that determines the result.
#[derive(Debug)]
pub struct InteractionRun<'a> {
    material: &'a Material,
    start: &'a Weights,
    training: InteractionTraining,
}

#[derive(Clone, PartialEq, Debug)]
struct Stage {
    phases: Vec<Vec<i16>>,
    vectors: Vec<Vector>,
}

#[derive(Default)]
struct Samples {
    learned: Vec<Sample>,
    held_out: Vec<Sample>,
}

impl<'a> InteractionRun<'a> {
    /// A training that starts from these weights, which must have no interactions.
    pub fn new(material: &'a Material, start: &'a Weights, training: InteractionTraining) -> Result<Self> {
        material.require_games()?;
        if start.interactions.is_some() {
            return Err(LearnError::HasInteractions);
        }
        if !Interactions::is_stage_count(training.stages) {
            return Err(LearnError::Stages(training.stages));
        }
        Ok(Self { material, start, training })
    }

    /// The number of games used.
    pub fn games(&self) -> u64 {
        self.material.games()
    }

    /// Everything that determines the weights.
    fn source(&self) -> InteractionSource {
        let InteractionTraining { fit, stages, window, least, held_out, .. } = self.training;
        InteractionSource {
            material: self.material.source(),
            start: players::weights::EvaluationId::of(self.start),
            dimension: DIMENSION,
            stages,
            window,
            least,
            held_out,
            epochs: fit.epochs,
            rates: (fit.weight_rate, fit.vector_rate),
            penalties: (fit.weight_penalty, fit.vector_penalty),
            seed: fit.seed,
        }
    }

    /// Trains the weights and writes them, resuming from the checkpoint next to the output if there is one.
    pub fn train(&self, output: &Path, watch: Watch<'_>) -> Result<()> {
        let partial = PartialFile::of(output);
        let fingerprint = Fingerprint::of(&self.source());
        let parse = |bytes: &[u8]| from_bytes(bytes, self.training.stages);
        let mut stages = partial.read(&FORMAT, &fingerprint, parse)?.unwrap_or_default();
        self.finish(&mut stages, watch, &mut |stages| partial.write(&to_bytes(&fingerprint, stages)))?;
        replace(output, &self.weights((0..).zip(stages)).to_bytes())?;
        partial.remove()
    }

    /// Trains the missing stages; `keep` receives all finished ones after each.
    fn finish(
        &self,
        stages: &mut Vec<Stage>,
        watch: Watch<'_>,
        keep: &mut dyn FnMut(&[Stage]) -> Result<()>,
    ) -> Result<()> {
        // A store is read by one thread at a time.
        let reading = Mutex::new(());
        let Watch { progress, done } = watch;
        let worker = || {
            let reading = &reading;
            move |number: u64| Some(self.stage(number as usize, reading, progress))
        };
        let mut result = Ok(());
        let missing = stages.len() as u64..self.training.stages as u64;
        in_order(missing, self.training.threads, worker, |_, stage| {
            result = stage.and_then(|(stage, report)| {
                stages.push(stage);
                keep(stages)?;
                if done(&report).is_break() { Err(LearnError::Interrupted) } else { Ok(()) }
            });
            if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        result
    }

    fn stage(
        &self,
        number: usize,
        reading: &Mutex<()>,
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> Result<(Stage, StageReport)> {
        let InteractionTraining { fit, stages, window, least, .. } = self.training;
        let own: Vec<usize> = (0..PHASE_COUNT).filter(|&phase| stage(stages, phase) == number).collect();
        let empties = empties_of(&own);
        let wanted = empties.start().saturating_sub(window)..=empties.end() + window;
        let mut samples = self.samples(&wanted, &empties, reading)?;
        let positions = samples.learned.len();
        progress(&Progress::Read { stage: number, positions });
        let held_out = &samples.held_out;
        let before = errors_of(self.start, held_out);
        if positions < least {
            let phases = own.iter().map(|&phase| self.start.phases[phase].clone()).collect();
            let vectors = vec![[0; DIMENSION]; Layout::new().count];
            return Ok((Stage { phases, vectors }, StageReport { stage: number, positions, before, after: before }));
        }
        let mean = |weight: usize| {
            let sum: f32 = own.iter().map(|&phase| f32::from(self.start.phases[phase][weight])).sum();
            sum / (own.len() as f32 * Value::PER_DISC as f32)
        };
        let priors: Vec<f32> = (0..Layout::new().count).map(mean).collect();
        // Every stage has its own numbers.
        let fit = InteractionFit { seed: fit.seed.wrapping_add(number as u64), ..fit };
        let mut model = Model::new(&priors, &samples.learned, &fit);
        model.learn(&mut samples.learned, &fit, |model, epoch| {
            progress(&Progress::Epoch { stage: number, epoch, held_out: model.errors(held_out) });
        });
        let vectors: Vec<Vector> = model.vectors().map(quantized).collect();
        let weights = model.weights().zip(&vectors).map(|(weight, vector)| folded(weight, vector)).collect();
        let trained = Stage { phases: vec![weights; own.len()], vectors };
        let after = errors_of(&self.weights([(number, trained.clone())]), held_out);
        Ok((trained, StageReport { stage: number, positions, before, after }))
    }

    /// The positions of a stage: to learn from those with the wanted numbers of empty squares, held out only its own.
    fn samples(&self, wanted: &RangeInclusive<u32>, own: &RangeInclusive<u32>, reading: &Mutex<()>) -> Result<Samples> {
        let _one_at_a_time = lock(reading);
        let mut samples = Samples::default();
        self.material.read(wanted.clone(), &mut |game, board, known| {
            let Some(label) = known.value() else { return };
            let empties = board.empty_count();
            let is_held_out = game.is_multiple_of(self.training.held_out);
            let (range, list) = match is_held_out {
                true => (own, &mut samples.held_out),
                false => (wanted, &mut samples.learned),
            };
            if range.contains(&empties) {
                list.push(Sample { board: *board, label });
            }
        })?;
        Ok(samples)
    }

    /// The weights at the start with these stages. Figures for ProbCut belong to other weights, and are not taken over.
    fn weights(&self, stages: impl IntoIterator<Item = (usize, Stage)>) -> Weights {
        let mut weights = Weights { probcut: None, ..self.start.clone() };
        let mut interactions = Interactions::zero(self.training.stages);
        for (number, Stage { phases, vectors }) in stages {
            let first = (0..PHASE_COUNT).find(|&phase| interactions.stage(phase) == number).unwrap_or(0);
            weights.phases[first..].iter_mut().zip(phases).for_each(|(set, trained)| *set = trained);
            interactions.stages[number] = vectors;
        }
        weights.interactions = Some(interactions);
        weights
    }
}

/// The errors of weights on some positions, as a search would see them.
fn errors_of(weights: &Weights, samples: &[Sample]) -> Errors {
    let learned = Learned::new(weights);
    let mut errors = Errors::default();
    for sample in samples {
        let value = learned.evaluate(&sample.board, &learned.features(&sample.board));
        errors.add(f64::from(value.discs() - sample.label));
    }
    errors
}

fn to_bytes(fingerprint: &Fingerprint, stages: &[Stage]) -> Vec<u8> {
    let content = stages.iter().flat_map(|stage| {
        let weights = stage.phases.iter().flatten().flat_map(|weight| weight.to_le_bytes());
        weights.chain(stage.vectors.iter().flatten().map(|number| number.to_le_bytes()[0]))
    });
    partial_file::to_bytes(&FORMAT, fingerprint, stages.len(), content)
}

fn from_bytes(bytes: &[u8], stages: usize) -> Result<(Fingerprint, Vec<Stage>), CheckpointError> {
    let (fingerprint, finished, mut fields) = partial_file::from_bytes(&FORMAT, bytes)?;
    let (count, phases) = (Layout::new().count, PHASE_COUNT / stages);
    let weight = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
    let vector = |bytes: &[u8]| -> Vector { std::array::from_fn(|place| i8::from_le_bytes([bytes[place]])) };
    let mut read = Vec::new();
    for _ in 0..finished {
        let weights = fields.bytes(2 * count * phases).ok_or(CheckpointError::Damaged)?;
        let vectors = fields.bytes(DIMENSION * count).ok_or(CheckpointError::Damaged)?;
        read.push(Stage {
            phases: weights.chunks_exact(2 * count).map(|set| set.chunks_exact(2).map(weight).collect()).collect(),
            vectors: vectors.chunks_exact(DIMENSION).map(vector).collect(),
        });
    }
    if read.len() > stages || !fields.0.is_empty() {
        return Err(CheckpointError::Damaged);
    }
    Ok((fingerprint, read))
}

#[cfg(test)]
mod tests {
    use control::Stop;
    use evaluation::HandMade;
    use evaluation::weights::phase;

    use super::*;
    use crate::interaction_fit::tests::FIT as SLOW_FIT;
    use crate::self_play::{Recipe, SelfPlay};

    const FIT: InteractionFit = InteractionFit { epochs: 2, weight_rate: 0.1, vector_rate: 0.1, ..SLOW_FIT };

    const TRAINING: InteractionTraining =
        InteractionTraining { fit: FIT, stages: 3, window: 1, least: 1, held_out: 5, threads: 1 };

    fn material(games: u64) -> Material {
        let recipe = Recipe { seed: 3, opening: (6, 12), random_moves: 0.0, depth: 1, exact_from: 0, threads: 1 };
        let mut material = Material::of_memory();
        material.add(SelfPlay::new(recipe, HandMade).games(0..games, &Stop::new()), 0);
        material
    }

    /// Trains some stages, the first ones being known already, and returns all of them with the reports of the new ones.
    fn trained(run: &InteractionRun<'_>, mut stages: Vec<Stage>, most: usize) -> (Vec<Stage>, Vec<StageReport>) {
        let mut reports = Vec::new();
        let mut done = |report: &StageReport| {
            reports.push(*report);
            if reports.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let result = run.finish(&mut stages, Watch { progress: &|_| (), done: &mut done }, &mut |_| Ok(()));
        assert_eq!(result.is_ok(), stages.len() == run.training.stages && reports.len() < most);
        (stages, reports)
    }

    #[test]
    fn interrupted_trainings_and_any_number_of_threads_give_the_same_weights() {
        let (material, start) = (material(40), Weights::zero());
        let run = InteractionRun::new(&material, &start, TRAINING).unwrap();
        let (whole, reports) = trained(&run, Vec::new(), usize::MAX);
        assert_eq!(reports.len(), 3);
        let threads = InteractionTraining { threads: 3, ..TRAINING };
        let several = InteractionRun::new(&material, &start, threads).unwrap();
        assert!(trained(&several, Vec::new(), usize::MAX).0 == whole);
        let (first, _) = trained(&run, Vec::new(), 1);
        assert_eq!(first.len(), 1);
        let bytes = to_bytes(&Fingerprint::of(&run.source()), &first);
        let (fingerprint, read) = from_bytes(&bytes, 3).unwrap();
        assert_eq!(fingerprint.difference(&Fingerprint::of(&several.source())), None);
        assert!(trained(&run, read, usize::MAX).0 == whole);
        for length in [0, 30, bytes.len() - 1] {
            assert!(from_bytes(&bytes[..length], 3).is_err());
        }
        assert!(from_bytes(&bytes, 5).is_err());
    }

    #[test]
    fn a_stage_with_too_few_positions_keeps_its_weights() {
        let (material, mut start) = (material(10), Weights::zero());
        start.phases.iter_mut().flatten().zip(0..).for_each(|(weight, number)| *weight = number as i16);
        let run = InteractionRun::new(&material, &start, TRAINING).unwrap();
        let (_, reports) = trained(&run, Vec::new(), usize::MAX);
        let least = reports[1].positions + 1;
        let run = InteractionRun::new(&material, &start, InteractionTraining { least, ..TRAINING }).unwrap();
        let (stages, again) = trained(&run, Vec::new(), usize::MAX);
        let kept: Vec<bool> = reports.iter().map(|report| report.positions < least).collect();
        assert!(kept[1]);
        for (number, stage) in stages.iter().enumerate() {
            let phases = PHASE_COUNT / 3;
            let is_unchanged = stage.phases == start.phases[number * phases..(number + 1) * phases];
            let has_vectors = stage.vectors.iter().flatten().any(|&number| number != 0);
            assert_eq!((is_unchanged, has_vectors), (kept[number], !kept[number]), "stage {number}");
            assert_eq!(again[number].before == again[number].after, kept[number]);
        }
    }

    #[test]
    fn the_errors_on_what_was_learned_fall_and_are_those_of_the_finished_weights() {
        let (material, start) = (material(60), Weights::zero());
        let fit = InteractionFit { epochs: 8, ..FIT };
        let run = InteractionRun::new(&material, &start, InteractionTraining { fit, ..TRAINING }).unwrap();
        let (stages, reports) = trained(&run, Vec::new(), usize::MAX);
        let weights = run.weights((0..).zip(stages));
        for (number, report) in reports.iter().enumerate() {
            let phases: Vec<usize> = (0..PHASE_COUNT).filter(|&phase| stage(3, phase) == number).collect();
            let samples = run.samples(&(0..=60), &empties_of(&phases), &Mutex::new(())).unwrap();
            assert_eq!(report.after, errors_of(&weights, &samples.held_out));
            let mut learned = samples.learned;
            learned.retain(|sample| phases.contains(&phase(sample.board.empty_count())));
            let (before, after) = (errors_of(&start, &learned), errors_of(&weights, &learned));
            assert!(after.squares < 0.7 * before.squares, "{after:?} after {before:?}");
        }
        assert!(weights.probcut.is_none());
        assert!(matches!(InteractionRun::new(&material, &weights, TRAINING), Err(LearnError::HasInteractions)));
        let stages = InteractionTraining { stages: 7, ..TRAINING };
        assert!(matches!(InteractionRun::new(&material, &start, stages), Err(LearnError::Stages(7))));
    }
}
