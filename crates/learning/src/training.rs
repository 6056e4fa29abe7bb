//! Training: from labeled positions to the weights of every phase, with checkpoints between the phases.

use std::ops::{ControlFlow, RangeInclusive};

use evaluation::weights::{Layout, PHASE_COUNT, Weights, phase};
use evaluation::{Learned, Value};
use othello::Board;
use serde::{Deserialize, Serialize};
use storage::{Fields, Fingerprint, Format, FormatError};

use crate::pattern_fit::{Errors, Fit, Rows, Step, fit};
use crate::shallow_search::ShallowSearch;
use jobs::ordered_work::in_order;

/// The number of positions that a thread labels at a time.
const PORTION: usize = 1024;

/// Up to this number of empty squares a search for a label goes to the end of the game.
const PLAYED_OUT: u32 = 7;

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Training {
    /// The parameters of the fit of each phase.
    pub fit: Fit,
    /// One game in this many is held out: its positions only measure the errors.
    pub held_out: u64,
    /// A phase is also trained on positions with up to this many empty squares more or fewer than its own.
    pub window: u32,
    /// The searches that label positions without a known exact value, if any.
    pub look_ahead: Option<LookAhead>,
}

/// How positions are labeled by searches with the weights already trained: those of later phases.
///
/// The final score of a game says little about its early positions. A search of a few plies ends in positions whose
/// weights are already trained, and its value says more.
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

/// A callback for training positions: the number of the game, the board, its known value.
pub type Take<'t> = dyn FnMut(u64, &Board, Known) + 't;

/// The numbers of empty squares of a phase.
fn empties_of(wanted: usize) -> RangeInclusive<u32> {
    let is_own = |empties: &u32| phase(*empties) == wanted;
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
    pub fingerprint: Fingerprint,
    phases: Vec<Vec<f32>>,
}

impl Checkpoint {
    /// No phases yet, for a training with these parameters.
    pub fn new(fingerprint: Fingerprint) -> Self {
        Self { fingerprint, phases: Vec::new() }
    }

    /// The number of completed phases.
    pub fn done(&self) -> usize {
        self.phases.len()
    }

    /// Whether all phases are complete.
    pub fn is_complete(&self) -> bool {
        self.phases.len() == PHASE_COUNT
    }

    /// Trains the next phase on the positions from `read`, which receives the required numbers of empty squares; other
    /// positions are ignored.
    pub fn advance<E>(
        &mut self,
        training: &Training,
        read: impl FnOnce(RangeInclusive<u32>, &mut Take<'_>) -> Result<(), E>,
        watch: &mut dyn FnMut(&Event),
    ) -> Result<(), E> {
        let layout = Layout::new();
        let current = PHASE_COUNT - 1 - self.phases.len().min(PHASE_COUNT - 1);
        let (mut rows, mut held_out) = (Rows::default(), Rows::default());
        let own = empties_of(current);
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
            let label = |known: &Known| match *known {
                Known::Exact(value) | Known::Guess(value) => Some(value),
                Known::Nothing => None,
            };
            return positions.iter().map(|(_, _, known)| label(known)).collect();
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
    pub fn weights(&self) -> Weights {
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
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.fingerprint.to_string();
        let weights = self.phases.iter().flatten();
        let body: Vec<u8> = text.bytes().chain(weights.flat_map(|weight| weight.to_le_bytes())).collect();
        FORMAT.seal([text.len() as u32, self.phases.len() as u32], &body)
    }

    /// Whether these can be the first bytes of a checkpoint.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        bytes.starts_with(FORMAT.magic)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let sealed = FORMAT.open::<2>(bytes)?;
        let [length, phases] = sealed.words;
        let mut fields = Fields(sealed.any_body()?);
        let text = fields.bytes(length as usize).and_then(|text| Fields(text).text());
        let fingerprint = text.and_then(|text| Fingerprint::parse(text).ok()).ok_or(CheckpointError::Damaged)?;
        let phases = read_phases(phases, fields).ok_or(CheckpointError::Damaged)?;
        Ok(Self { fingerprint, phases })
    }
}

/// The weights of this number of phases, which fill the rest of a file.
fn read_phases(count: u32, fields: Fields<'_>) -> Option<Vec<Vec<f32>>> {
    let size = Layout::new().count;
    if count as usize > PHASE_COUNT || fields.0.len() != count as usize * size * 4 {
        return None;
    }
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Some(fields.0.chunks_exact(4 * size).map(|phase| phase.chunks_exact(4).map(number).collect()).collect())
}

/// The format of checkpoints; the words are the length of the fingerprint and the number of phases.
const FORMAT: Format = Format { magic: b"EMITRAIN", version: 1 };

/// Why bytes are not a valid checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Not a checkpoint, of another version, or damaged.
    #[error("not a usable checkpoint of a training run: {0}")]
    Format(#[from] FormatError),
    /// The checksum is right, but the content is invalid.
    #[error("the checkpoint is damaged: its lengths do not match")]
    Damaged,
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use evaluation::{Evaluation, Learned};
    use othello::{Rules, squares};

    use super::*;

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

    #[test]
    fn training_generalizes_to_positions_never_seen() {
        let mut checkpoint = Checkpoint::new(Fingerprint::of(&"corners"));
        for _ in 0..3 {
            checkpoint.advance(&TRAINING, |_, take| corners(4000, take), &mut |_| ()).unwrap();
        }
        let learned = Learned::new(&checkpoint.weights());
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
        let mut checkpoint = Checkpoint::new(Fingerprint::of(&"corners"));
        for _ in 0..3 {
            checkpoint.advance(&training, |_, take| corners(200, take), &mut |_| ()).unwrap();
        }
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
            let searched = plain_minimax(&learned, board, 2);
            let expected = match known {
                Known::Exact(value) => *value,
                Known::Guess(value) => 0.75 * searched + 0.25 * value,
                Known::Nothing => searched,
            };
            assert!((label.unwrap() - expected).abs() < 1e-4, "{label:?} instead of {expected}");
        }
    }

    /// The value of a search without pruning, in discs.
    fn plain_minimax(learned: &Learned, board: &Board, depth: u32) -> f32 {
        if board.is_over() {
            return board.final_score().discs() as f32;
        }
        if board.must_pass() {
            return -plain_minimax(learned, &board.pass(), depth);
        }
        if depth == 0 {
            return learned.evaluate(board, &learned.features(board)).discs();
        }
        let values = squares(board.moves())
            .map(|square| -plain_minimax(learned, &board.after(square, board.flips(square)), depth - 1));
        values.fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn a_training_resumed_from_its_checkpoint_gives_the_same_weights() {
        let mut whole = Checkpoint::new(Fingerprint::of(&"corners"));
        for _ in 0..2 {
            whole.advance(&TRAINING, |_, take| corners(30, take), &mut |_| ()).unwrap();
        }
        let mut first = Checkpoint::new(Fingerprint::of(&"corners"));
        first.advance(&TRAINING, |_, take| corners(30, take), &mut |_| ()).unwrap();
        let mut second = Checkpoint::from_bytes(&first.to_bytes()).unwrap();
        assert_eq!(second, first);
        second.advance(&TRAINING, |_, take| corners(30, take), &mut |_| ()).unwrap();
        assert_eq!(second, whole);
        assert_eq!(second.done(), 2);
        assert!(!second.is_complete());
    }

    #[test]
    fn a_truncated_or_changed_checkpoint_is_refused() {
        let mut checkpoint = Checkpoint::new(Fingerprint::of(&"corners"));
        checkpoint.advance(&TRAINING, |_, take| corners(5, take), &mut |_| ()).unwrap();
        let bytes = checkpoint.to_bytes();
        assert_eq!(Checkpoint::from_bytes(b"EMILIA"), Err(FormatError::Foreign { magic: b"EMITRAIN" }.into()));
        assert_eq!(Checkpoint::from_bytes(&bytes[..bytes.len() - 1]), Err(FormatError::Checksum.into()));
        let mut changed = bytes;
        changed[100] ^= 4;
        assert_eq!(Checkpoint::from_bytes(&changed), Err(FormatError::Checksum.into()));
    }
}
