//! The learning cycle: games, labels, training, ProbCut and a match per generation, starting from random play.
//!
//! Its state is in its files. [`settings`] identifies the cycle of a folder, [`log`] lists the completed generations,
//! and each step resumes from existing files, so that a cycle can be killed at any moment.

pub mod curve;
pub mod gate;
pub mod log;
pub mod settings;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use control::Stop;
use evaluation::Learned;
use evaluation::weights::Weights;
use jobs::Threads;
use players::weights::{EvaluationId, read_weights};
use records::files::today;
use storage::checksum::crc32;
use storage::whole_file::replace;

use self::gate::{Candidate, Gate, MatchEvent};
use self::log::{Generation, HeldOut, Log, MatchResult, ProbCutAccuracy, Rating, Verdict};
use self::settings::Settings;
use crate::error::{FileProblem, LearnError, Result};
use crate::game_store::{GameStore, Source, Tally};
use crate::labeling::{self, LabelJob, Wanted};
use crate::labels::Label;
use crate::material::Material;
use crate::partial_file::PartialFile;
use crate::pattern_fit::{Errors, Fit};
use crate::playing::{self, play_into};
use crate::probcut_fit::{self, Measurement};
use crate::self_play::{Recipe, SelfPlay};
use crate::training::{self, Training, TrainingRun};
use crate::workforce::Workforce;

/// In the first generation moves are random up to the point from which play is exact.
const ALWAYS: f64 = 1.0;

/// The maximum number of generations: each uses its own seed for games, derived from that of the cycle.
pub const MAX_GENERATIONS: u32 = 1000;

const GAMES: &str = "games.store";
const LABELS: &str = "positions.labels";
const WEIGHTS: &str = "weights.bin";
const MATCH: &str = "match.jsonl";

/// A cycle in its folder.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The folder; an existing cycle in it is resumed.
    pub folder: PathBuf,
    /// The settings of the cycle.
    pub settings: Settings,
    /// The number of threads; they change only the time needed.
    pub threads: u16,
}

/// Progress events of a cycle.
#[derive(Clone, Copy, Debug)]
pub enum CycleEvent<'a> {
    /// The end of a store was not written completely and is made again.
    Torn {
        /// The store.
        path: &'a Path,
        /// The content of the store.
        what: Torn,
    },
    /// Games were played.
    Played {
        /// The number of games so far, including those of earlier runs.
        played: u64,
        /// The number of games played by earlier runs.
        before: u64,
        /// The total number of games.
        games: u64,
    },
    /// Positions were labeled.
    Labeled(&'a labeling::Progress),
    /// A training step.
    Trained(&'a training::Event),
    /// The number of games or positions measured for ProbCut.
    Measured(&'a str, u64),
    /// Progress of a match.
    Match(MatchEvent<'a>),
    /// A generation is complete and in the log.
    Done(&'a Generation),
}

/// The content of the torn end of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Torn {
    /// Games.
    Games,
    /// Labeled positions.
    Positions,
}

/// An observer of the generation with this number, which may end it.
pub type Watch<'w> = dyn FnMut(u32, CycleEvent<'_>) -> ControlFlow<()> + 'w;

/// The weights that play, and their generation.
struct Champion {
    generation: u32,
    weights: Weights,
}

struct Step<'s> {
    cycle: &'s Cycle,
    number: u32,
    folder: PathBuf,
    champion: Option<Champion>,
    threads: Threads,
    stop: &'s Stop,
}

impl Cycle {
    /// Runs the cycle up to this number of generations.
    pub fn run(&self, generations: u32, stop: &Stop, watch: &mut Watch<'_>) -> Result<()> {
        let gate = Gate::of(&self.settings, self.threads)?;
        let _claim = self.settings.claim(&self.folder)?;
        let mut log = Log::open(&self.folder.join("log.jsonl"))?;
        while (log.generations().len() as u32) < generations {
            let line = self.generation(&log, &gate, stop, watch)?;
            log.add(line.clone())?;
            proceed(watch(line.generation, CycleEvent::Done(&line)))?;
        }
        Ok(())
    }

    fn folder_of(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation:02}"))
    }

    fn generation(&self, log: &Log, gate: &Gate<'_>, stop: &Stop, watch: &mut Watch<'_>) -> Result<Generation> {
        let settings = &self.settings;
        let number = log.generations().len() as u32;
        let folder = self.folder_of(number);
        fs::create_dir_all(&folder).map_err(LearnError::io("make the folder", &folder))?;
        let champion = log.champion().map(|line| self.champion(line)).transpose()?;
        let step = Step { cycle: self, number, folder, champion, threads: Threads(self.threads.into()), stop };
        let tally = step.play(watch)?;
        let from = number.saturating_sub(settings.window - 1);
        let material = step.label(from, watch)?;
        let training_run = step.train(&material, watch)?;
        let weights = step.measure_probcut(watch)?;
        let (errors, positions) = training_run.errors(&weights)?;
        let rating = log.champion().map_or(Rating::default(), |line| line.rating);
        let (result, rating) = step.play_match(gate, &weights, rating, watch)?;
        Ok(Generation {
            generation: number,
            date: today().map(|date| date.to_string()).unwrap_or_default(),
            champion: step.champion.map(|champion| champion.generation),
            games: tally.games,
            positions: tally.positions,
            learned: log::Learned { from, games: training_run.games(), positions },
            held_out: held_out(&errors),
            probcut: weights
                .probcut
                .as_ref()
                .map(|probcut| ProbCutAccuracy::of(probcut, settings.probcut_deepest, settings.probcut_solved_from)),
            weights: checksum(&weights),
            accepted: is_accepted(&result),
            r#match: result,
            rating: Rating { elo: rounded(rating.elo), margin: rounded(rating.margin) },
            settings: settings.clone(),
        })
    }

    /// The weights of a completed generation, checked against the log.
    fn champion(&self, line: &Generation) -> Result<Champion> {
        let path = self.folder_of(line.generation).join(WEIGHTS);
        let weights = read_weights(&path)?;
        let (found, expected) = (checksum(&weights), &line.weights);
        if found != *expected {
            return Err(FileProblem::OtherWeights { found, expected: expected.clone() }.of(&path));
        }
        Ok(Champion { generation: line.generation, weights })
    }

    fn seed_of(&self, generation: u32) -> u64 {
        self.settings.seed * u64::from(MAX_GENERATIONS) + u64::from(generation)
    }
}

impl Step<'_> {
    /// The weights for playing and labeling: the champion's, or zero.
    fn knowledge(&self) -> Weights {
        self.champion.as_ref().map_or_else(Weights::zero, |champion| champion.weights.clone())
    }

    fn workforce(&self) -> Workforce<'_> {
        Workforce::of(&self.threads, self.stop)
    }

    /// Plays the games of a generation that are not yet in its store.
    fn play(&self, watch: &mut Watch<'_>) -> Result<Tally> {
        let settings = &self.cycle.settings;
        let recipe = Recipe {
            seed: self.cycle.seed_of(self.number),
            opening: settings.opening,
            random_moves: if self.champion.is_some() { settings.random_moves } else { ALWAYS },
            depth: settings.depth,
            exact_from: settings.exact_from,
            threads: self.threads.0,
        };
        let weights = self.knowledge();
        let self_play = SelfPlay::new(recipe, Learned::new(&weights));
        let games = settings.games_per_generation;
        let path = self.folder.join(GAMES);
        let mut store = GameStore::open(&path, &Source::of_self_play(EvaluationId::of(&weights), &self_play))?;
        if store.was_torn() {
            proceed(watch(self.number, CycleEvent::Torn { path: &path, what: Torn::Games }))?;
        }
        let before = store.tally().next_number;
        if before < games {
            let mut flow = ControlFlow::Continue(());
            play_into(&mut store, &self_play, games, &self.workforce(), &mut |news| {
                if let playing::PlayEvent::Played(played) = news {
                    flow = watch(self.number, CycleEvent::Played { played, before, games });
                }
                flow
            })?;
            proceed(flow)?;
        }
        if self.stop.is_set() { Err(LearnError::Interrupted) } else { Ok(store.tally()) }
    }

    /// The training material of a generation: the games of the window, or their labeled positions.
    fn label(&self, from: u32, watch: &mut Watch<'_>) -> Result<Material> {
        let Settings { label, exact_from, label_depth, outcome_share, .. } = self.cycle.settings;
        let stores: Vec<PathBuf> =
            (from..=self.number).map(|number| self.cycle.folder_of(number).join(GAMES)).collect();
        if label == Label::Outcome {
            return Material::open(&stores, label, 0.0, None);
        }
        let wanted = Wanted {
            exact_from,
            tree: label == Label::Tree,
            depth: (label == Label::Search).then_some(label_depth),
            // Without weights only exact values can be labeled.
            empties: 1..=if self.champion.is_some() { 60 } else { exact_from },
            nearby: 0,
        };
        let weights = self.knowledge();
        let evaluation = &Learned::new(&weights);
        let evaluation_id = EvaluationId::of(&weights);
        let job = LabelJob { stores, first: None, wanted, evaluation, evaluation_id, threads: self.threads.0 };
        let path = self.folder.join(LABELS);
        let mut run = job.begin(&path, self.stop)?;
        if run.store.was_torn() {
            proceed(watch(self.number, CycleEvent::Torn { path: &path, what: Torn::Positions }))?;
        }
        run.run(&self.workforce(), &mut |_, progress| watch(self.number, CycleEvent::Labeled(progress)))?;
        drop(run);
        Material::open(&[path], label, if label == Label::Search { outcome_share } else { 0.0 }, None)
    }

    /// Trains the weights of a generation, unless they exist.
    fn train<'m>(&self, material: &'m Material, watch: &mut Watch<'_>) -> Result<TrainingRun<'m>> {
        let Settings { penalty, steps, held_out, .. } = self.cycle.settings;
        let fit = Fit { penalty, steps, threads: self.threads.0 };
        let training_run = TrainingRun::new(material, Training { fit, held_out, window: 0, look_ahead: None })?;
        let path = self.folder.join(WEIGHTS);
        // A run that was killed at the wrong moment may have left its checkpoint behind.
        if !path.exists() || PartialFile::of(&path).exists() {
            training_run.train(&path, &mut |event| match watch(self.number, CycleEvent::Trained(event)) {
                ControlFlow::Continue(()) if self.stop.is_set() => ControlFlow::Break(()),
                flow => flow,
            })?;
        }
        Ok(training_run)
    }

    /// The weights of a generation with their ProbCut parameters, which are measured if missing.
    fn measure_probcut(&self, watch: &mut Watch<'_>) -> Result<Weights> {
        let path = self.folder.join(WEIGHTS);
        let mut weights = read_weights(&path)?;
        let Settings { probcut_games: games, probcut_deepest, probcut_solved_from, .. } = self.cycle.settings;
        if games > 0 && weights.probcut.is_none() {
            let seed = self.cycle.seed_of(self.number);
            let measurement = Measurement::new(games, probcut_deepest, probcut_solved_from, seed, self.threads.0);
            let mut flow = ControlFlow::Continue(());
            let found = probcut_fit::fit(&measurement, &Learned::new(&weights), &self.workforce(), |what, count| {
                if flow.is_continue() {
                    flow = watch(self.number, CycleEvent::Measured(what, count));
                }
            })?;
            proceed(flow)?;
            if found.ensure_enough().is_ok() {
                weights.probcut = Some(found.probcut());
                replace(&path, &weights.to_bytes())?;
            }
        }
        Ok(weights)
    }

    fn play_match(
        &self,
        gate: &Gate<'_>,
        weights: &Weights,
        rating: Rating,
        watch: &mut Watch<'_>,
    ) -> Result<(MatchResult, Rating)> {
        let name = |number: u32| format!("generation {number}");
        let new = Candidate { name: name(self.number), weights: Some(weights) };
        let old = Candidate {
            name: self.champion.as_ref().map_or("random".to_owned(), |champion| name(champion.generation)),
            weights: self.champion.as_ref().map(|champion| &champion.weights),
        };
        gate.play(&self.folder.join(MATCH), [new, old], rating, self.stop, &mut |news| {
            if watch(self.number, CycleEvent::Match(news)).is_break() {
                self.stop.set();
            }
        })
    }
}

fn proceed(flow: ControlFlow<()>) -> Result<()> {
    if flow.is_break() { Err(LearnError::Interrupted) } else { Ok(()) }
}

fn checksum(weights: &Weights) -> String {
    format!("{:08x}", crc32(&weights.to_bytes()))
}

/// Whether new weights with this result become the champion: by the test, or, if it did not decide, by the points.
fn is_accepted(result: &MatchResult) -> bool {
    match result.decision {
        Verdict::H1 => true,
        Verdict::H0 => false,
        Verdict::Open => result.won > result.lost,
    }
}

fn held_out(phases: &[Errors]) -> HeldOut {
    let all: Errors = phases.iter().copied().sum();
    HeldOut {
        positions: all.positions,
        root_mean_square: rounded(all.root_mean_square()),
        mean_absolute: rounded(all.mean_absolute()),
        phases: phases
            .iter()
            .map(|errors| (errors.positions > 0).then(|| rounded(errors.root_mean_square())))
            .collect(),
    }
}

fn rounded(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}
