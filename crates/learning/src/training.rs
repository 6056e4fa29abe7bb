//! Training: from labeled positions to the weights of every phase, with a checkpoint file between the phases.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use evaluation::weights::{Layout, PHASE_COUNT, Weights, phase};
use evaluation::{Evaluation, Learned, Value};
use othello::Board;
use serde::{Deserialize, Serialize};
use storage::whole_file::replace;
use storage::{Fingerprint, Format};

use crate::error::{CheckpointError, LearnError, Result};
use crate::material::Material;
use crate::partial_file::{self, PartialFile};
use crate::pattern_fit::{Errors, Fit, Rows, Step, fit};
use crate::provenance::TrainingSource;
use crate::shallow_search::ShallowSearch;
use jobs::ordered_work::in_order;

/// The number of positions that a thread labels at a time.
const PORTION: usize = 1024;

/// Up to this number of empty squares a search for a label goes to the end of the game.
const PLAYED_OUT: u32 = 7;

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Training {
    /// The parameters of the fit of each phase.
    #[serde(flatten)]
    pub fit: Fit,
    /// One game in this many is held out: its positions only measure the errors.
    pub held_out: u64,
    /// A phase is also trained on positions with up to this many empty squares more or fewer than its own.
    pub window: u32,
    /// The searches that label positions without a known exact value, if any.
    pub look_ahead: Option<LookAhead>,
}

/// Labeling of positions by searches with the weights already trained: those of later phases.
///
/// The final score of a game is a poor estimate of its early positions. A search of a few plies ends in positions whose
/// weights are already trained, and its value is a better one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LookAhead {
    /// The search depth in plies.
    pub depth: u32,
    /// The weight of the final score, 0 to 1.
    pub outcome_share: f32,
}

/// The known value of a position for the side to move, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// The exact value.
    Exact(f32),
    /// The outcome of the game, or an estimate.
    Guess(f32),
    /// Unknown.
    Nothing,
}

impl Known {
    /// The value, exact or not.
    pub(crate) fn value(self) -> Option<f32> {
        match self {
            Known::Exact(value) | Known::Guess(value) => Some(value),
            Known::Nothing => None,
        }
    }
}

/// A callback for training positions: the number of the game, the board, its known value.
pub type Take<'t> = dyn FnMut(u64, &Board, Known) + 't;

/// The numbers of empty squares of successive phases.
pub(crate) fn empties_of(phases: &[usize]) -> RangeInclusive<u32> {
    let is_own = |empties: &u32| phases.contains(&phase(*empties));
    (0..=60).find(is_own).unwrap_or(0)..=(0..=60).rev().find(is_own).unwrap_or(0)
}

/// Progress events of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// The positions of a phase have been read and are being labeled.
    Label {
        /// The phase.
        phase: usize,
        /// The number of positions.
        positions: usize,
    },
    /// The positions of a phase are ready for the fit.
    Read {
        /// The phase.
        phase: usize,
        /// The number of positions to learn from.
        positions: usize,
        /// The number of held-out positions.
        held_out: usize,
    },
    /// A step was taken.
    Step {
        /// The phase.
        phase: usize,
        /// The step.
        step: Step,
    },
    /// A phase is done.
    Done {
        /// The phase.
        phase: usize,
        /// The number of positions learned from.
        positions: usize,
        /// The errors of its weights on the held-out positions.
        errors: Errors,
    },
}

/// The weights of the completed phases, the last phase of the game first.
///
/// A phase starts from the weights of the next one, so phases are trained from the end of the game backwards.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The parameters of the training: only the same training resumes from this checkpoint.
    fingerprint: Fingerprint,
    phases: Vec<Vec<f32>>,
}

impl Checkpoint {
    pub(crate) fn new(fingerprint: Fingerprint) -> Self {
        Self { fingerprint, phases: Vec::new() }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.phases.len() == PHASE_COUNT
    }

    /// Trains the next phase on the positions from `read`, which receives the required numbers of empty squares.
    pub(crate) fn advance<E>(
        &mut self,
        training: &Training,
        read: impl FnOnce(RangeInclusive<u32>, &mut Take<'_>) -> Result<(), E>,
        watch: &mut dyn FnMut(&Event),
    ) -> Result<(), E> {
        let layout = Layout::new();
        let current = PHASE_COUNT - 1 - self.phases.len().min(PHASE_COUNT - 1);
        let (mut rows, mut held_out) = (Rows::default(), Rows::default());
        let own = empties_of(&[current]);
        let needed = own.start().saturating_sub(training.window)..=own.end() + training.window;
        let mut positions = Vec::new();
        read(needed.clone(), &mut |game, board, known| {
            let is_held_out = game % training.held_out == 0;
            let wanted = if is_held_out { &own } else { &needed };
            if wanted.contains(&board.empty_count()) {
                positions.push((is_held_out, *board, known));
            }
        })?;
        watch(&Event::Label { phase: current, positions: positions.len() });
        for ((is_held_out, board, _), label) in positions.iter().zip(self.labels(training, &positions)) {
            if let Some(label) = label {
                let rows = if *is_held_out { &mut held_out } else { &mut rows };
                rows.push(&layout, board, label);
            }
        }
        drop(positions);
        watch(&Event::Read { phase: current, positions: rows.len(), held_out: held_out.len() });
        let prior = self.phases.last().cloned().unwrap_or_else(|| vec![0.0; layout.count]);
        let (weights, errors) = fit(&rows, &held_out, &prior, &training.fit, &mut |step| {
            watch(&Event::Step { phase: current, step: *step });
        });
        watch(&Event::Done { phase: current, positions: rows.len(), errors });
        self.phases.push(weights);
        Ok(())
    }

    /// The training value of each position, in discs.
    fn labels(&self, training: &Training, positions: &[(bool, Board, Known)]) -> Vec<Option<f32>> {
        let Some(LookAhead { depth, outcome_share }) = training.look_ahead else {
            return positions.iter().map(|(_, _, known)| known.value()).collect();
        };
        let learned = Learned::new(&self.weights());
        let portions: Vec<_> = positions.chunks(PORTION).collect();
        let mut labels = Vec::with_capacity(positions.len());
        let worker = || {
            let mut search = ShallowSearch::new(&learned);
            let portions = &portions;
            move |number: u64| {
                let mut label = |&(_, ref board, known): &(bool, Board, Known)| {
                    let is_end = board.empty_count() <= PLAYED_OUT;
                    let depth = if is_end { PLAYED_OUT } else { depth };
                    Some(match known {
                        Known::Exact(value) => value,
                        Known::Guess(value) if !is_end => {
                            (1.0 - outcome_share) * search.value(board, depth).discs() + outcome_share * value
                        }
                        _ => search.value(board, depth).discs(),
                    })
                };
                Some(portions[number as usize].iter().map(&mut label).collect::<Vec<_>>())
            }
        };
        in_order(0..portions.len() as u64, training.fit.threads, worker, |_, portion| {
            labels.extend(portion);
            ControlFlow::Continue(())
        });
        labels
    }

    /// The weights in the format of the evaluation.
    pub(crate) fn weights(&self) -> Weights {
        let mut weights = Weights::zero();
        for (set, trained) in weights.phases.iter_mut().rev().zip(&self.phases) {
            for (weight, trained) in set.iter_mut().zip(trained) {
                // The conversion saturates: no pattern is worth more than the whole board.
                *weight = (trained * Value::PER_DISC as f32).round() as i16;
            }
        }
        weights
    }

    /// The checkpoint as the bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let weights = self.phases.iter().flatten().flat_map(|weight| weight.to_le_bytes());
        partial_file::to_bytes(&FORMAT, &self.fingerprint, self.phases.len(), weights)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let (fingerprint, count, fields) = partial_file::from_bytes(&FORMAT, bytes)?;
        let size = Layout::new().count;
        if count as usize > PHASE_COUNT || fields.0.len() != count as usize * size * 4 {
            return Err(CheckpointError::Damaged);
        }
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let phases = fields.0.chunks_exact(4 * size).map(|phase| phase.chunks_exact(4).map(number).collect());
        Ok(Self { fingerprint, phases: phases.collect() })
    }

    /// The checkpoint in a file of the training with this fingerprint, or a new one.
    pub(crate) fn open(file: &PartialFile, fingerprint: Fingerprint) -> Result<Self> {
        let parse = |bytes: &[u8]| Self::from_bytes(bytes).map(|found| (found.fingerprint.clone(), found));
        Ok(file.read(&FORMAT, &fingerprint, parse)?.unwrap_or_else(|| Self::new(fingerprint)))
    }
}

/// The format of checkpoints; the parts are phases.
const FORMAT: Format = Format { magic: b"EMITRAIN", version: 1 };

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
    pub fn new(material: &'a Material, training: Training) -> Result<Self> {
        material.require_games()?;
        Ok(Self { material, training })
    }

    /// The number of games used.
    pub fn games(&self) -> u64 {
        self.material.games()
    }

    /// Everything that determines the weights.
    fn source(&self) -> TrainingSource {
        TrainingSource { material: self.material.source(), training: self.training }
    }

    /// Trains the weights, without files.
    pub fn weights(&self, watch: &mut Watch<'_>) -> Result<Weights> {
        self.advance(Checkpoint::new(Fingerprint::of(&self.source())), &mut |_| Ok(()), watch)
    }

    /// Trains the weights and writes them, resuming from the checkpoint next to the output if there is one.
    ///
    /// The observer is notified of a finished phase after its checkpoint was written.
    pub fn train(&self, output: &Path, watch: &mut Watch<'_>) -> Result<()> {
        let partial = PartialFile::of(output);
        let checkpoint = Checkpoint::open(&partial, Fingerprint::of(&self.source()))?;
        let weights = self.advance(checkpoint, &mut |checkpoint| partial.write(&checkpoint.to_bytes()), watch)?;
        replace(output, &weights.to_bytes())?;
        partial.remove()
    }

    /// Trains the missing phases; `keep` receives the checkpoint after each.
    fn advance(
        &self,
        mut checkpoint: Checkpoint,
        keep: &mut dyn FnMut(&Checkpoint) -> Result<()>,
        watch: &mut Watch<'_>,
    ) -> Result<Weights> {
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

    /// The errors of weights on the held-out games, phase by phase, and the total number of positions.
    pub(crate) fn errors(&self, weights: &Weights) -> Result<(Vec<Errors>, u64)> {
        let learned = Learned::new(weights);
        let mut errors = vec![Errors::default(); PHASE_COUNT];
        let mut positions = 0;
        self.material.read(0..=60, &mut |game, board, known| {
            let Some(label) = known.value() else { return };
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

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use othello::{Rules, squares};
    use storage::FormatError;

    use super::*;
    use crate::tests::plain_minimax;

    const TRAINING: Training =
        Training { fit: Fit { penalty: 1.0, steps: 30, threads: 2 }, held_out: 10, window: 0, look_ahead: None };

    /// Positions of random games, labeled by a rule that patterns can learn: a disc in a corner is worth four.
    fn corners(count: u64, take: &mut Take<'_>) -> Result<(), Infallible> {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        for game in 0..count {
            let mut random = game + 1;
            let mut board = Board::start();
            while !board.is_over() {
                if board.must_pass() {
                    board = board.pass();
                }
                let label =
                    4 * (board.player & CORNERS).count_ones() as i8 - 4 * (board.opponent & CORNERS).count_ones() as i8;
                take(game, &board, Known::Guess(label.into()));
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves = board.moves();
                let square = squares(moves).nth((random >> 33) as usize % moves.count_ones() as usize).unwrap();
                board = board.after(square, board.flips(square));
            }
        }
        Ok(())
    }

    /// The checkpoint after this number of phases, trained on this number of games.
    fn trained(training: &Training, games: u64, phases: usize) -> Checkpoint {
        let mut checkpoint = Checkpoint::new(Fingerprint::of(&"corners"));
        (0..phases).for_each(|_| advance(&mut checkpoint, training, games));
        checkpoint
    }

    fn advance(checkpoint: &mut Checkpoint, training: &Training, games: u64) {
        checkpoint.advance(training, |_, take| corners(games, take), &mut |_| ()).unwrap();
    }

    #[test]
    fn training_generalizes_to_positions_never_seen() {
        let learned = Learned::new(&trained(&TRAINING, 4000, 3).weights());
        let (mut errors, mut spread) = (0.0, 0.0);
        corners(4100, &mut |game, board, known| {
            if game >= 4000 && board.empties().count_ones() <= 5 {
                let value = learned.evaluate(board, &learned.features(board));
                let Known::Guess(label) = known else { panic!("corners are guesses") };
                errors += (value.discs() - label).abs();
                spread += label.abs();
            }
        })
        .unwrap();
        assert!(errors < 0.15 * spread, "an error of {errors} where the labels have {spread}");
    }

    #[test]
    fn a_window_adds_the_positions_around_a_phase_to_what_is_learned_and_not_to_what_is_held_out() {
        for (window, phases) in [(0, 1), (1, 2), (3, 3)] {
            let mut checkpoint = Checkpoint::new(Fingerprint::of(&"corners"));
            let training = Training { window, fit: Fit { steps: 1, ..TRAINING.fit }, ..TRAINING };
            for phase in (0..PHASE_COUNT).rev().take(phases) {
                // The numbers of empty squares, counted by hand.
                let (low, high) = (59 - 2 * phase as u32, 60 - 2 * phase as u32);
                let low = if phase == PHASE_COUNT - 1 { 0 } else { low };
                let wide = low.saturating_sub(window)..=high + window;
                let (mut expected, mut held_out) = (0, 0);
                corners(25, &mut |game, board, _| match game % 10 {
                    0 => held_out += usize::from((low..=high).contains(&board.empty_count())),
                    _ => expected += usize::from(wide.contains(&board.empty_count())),
                })
                .unwrap();
                let mut read = None;
                let advanced = checkpoint.advance(
                    &training,
                    |needed, take| {
                        assert_eq!(needed, wide);
                        corners(25, take)
                    },
                    &mut |event| {
                        if matches!(event, Event::Read { .. }) {
                            read = Some(*event);
                        }
                    },
                );
                advanced.unwrap();
                assert_eq!(read, Some(Event::Read { phase, positions: expected, held_out }));
            }
        }
    }

    #[test]
    fn positions_without_an_exact_value_are_labeled_by_a_search_with_later_phases() {
        let look_ahead = Some(LookAhead { depth: 2, outcome_share: 0.25 });
        let training = Training { look_ahead, ..TRAINING };
        let checkpoint = trained(&training, 200, 3);
        let mut positions = Vec::new();
        corners(20, &mut |game, board, _| {
            if board.empty_count() == 8 {
                let kinds = [Known::Exact(3.0), Known::Guess(-12.0), Known::Nothing];
                positions.push((false, *board, kinds[game as usize % 3]));
            }
        })
        .unwrap();
        let learned = Learned::new(&checkpoint.weights());
        for ((_, board, known), label) in positions.iter().zip(checkpoint.labels(&training, &positions)) {
            let searched = plain_minimax(&learned, board, 2).discs();
            let expected = match known {
                Known::Exact(value) => *value,
                Known::Guess(value) => 0.75 * searched + 0.25 * value,
                Known::Nothing => searched,
            };
            assert!((label.unwrap() - expected).abs() < 1e-4, "{label:?} instead of {expected}");
        }
    }

    #[test]
    fn a_training_resumed_from_its_checkpoint_gives_the_same_weights() {
        let first = trained(&TRAINING, 30, 1);
        let mut second = Checkpoint::from_bytes(&first.to_bytes()).unwrap();
        assert_eq!(second, first);
        advance(&mut second, &TRAINING, 30);
        assert_eq!(second, trained(&TRAINING, 30, 2));
        assert_eq!(second.phases.len(), 2);
        assert!(!second.is_complete());
    }

    #[test]
    fn the_fingerprint_of_a_training_has_a_field_for_every_parameter() {
        let run = TrainingRun { material: &Material::of_memory(), training: TRAINING };
        let expected = [
            r#"{"games":0,"held_out":10,"label":"outcome","look_ahead":null,"outcome_share":0.0,"#,
            r#""penalty":1.0,"steps":30,"stores":[],"window":0}"#,
        ];
        assert_eq!(Fingerprint::of(&run.source()).to_string(), expected.concat());
    }

    #[test]
    fn a_truncated_or_changed_checkpoint_is_refused() {
        let bytes = trained(&TRAINING, 5, 1).to_bytes();
        assert_eq!(Checkpoint::from_bytes(b"EMILIA"), Err(FormatError::Foreign { magic: b"EMITRAIN" }.into()));
        assert_eq!(Checkpoint::from_bytes(&bytes[..bytes.len() - 1]), Err(FormatError::Checksum.into()));
        let mut changed = bytes;
        changed[100] ^= 4;
        assert_eq!(Checkpoint::from_bytes(&changed), Err(FormatError::Checksum.into()));
    }
}
