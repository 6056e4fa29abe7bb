//! The cycle: games, labels, training, ProbCut and a match, generation after generation, from random play on.
//!
//! Its state is its files. [`settings`] says whose folder it is, [`log`] which generations are done, and each step goes
//! on with what it finds, so that a cycle may be killed at any moment.

pub mod curve;
pub mod gate;
pub mod log;
pub mod settings;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use evaluation::Learned;
use evaluation::weights::Weights;
use othello::records::files::today;
use players::weights::{EvaluationId, read_weights};
use search::Stop;
use storage::checksum::crc32;
use storage::whole_file::{beside, replace};

use self::gate::{Candidate, Gate, MatchNews};
use self::log::{Foresight, Generation, HeldOut, Log, MatchResult, Rating, Verdict};
use self::settings::Settings;
use crate::error::LearnError;
use crate::game_store::{GameStore, Source, Tally};
use crate::label_job::LabelJob;
use crate::labelling::{self, Wanted};
use crate::labels::Label;
use crate::lesson::Lesson;
use crate::material::Material;
use crate::pattern_fit::{Errors, Fit};
use crate::playing::{self, play_into};
use crate::probcut_fit::{self, Measurement};
use crate::self_play::{Recipe, SelfPlay};
use crate::training::{self, Training};

/// The random moves of the first generation end where play is exact, or nowhere.
const ALWAYS: f64 = 1.0;

/// So many seeds of games follow from one of a cycle, and no more generations can be had.
pub const MOST_GENERATIONS: u32 = 1000;

/// The games of a generation.
const GAMES: &str = "games.store";
/// The positions that it learns from, with their labels.
const LABELS: &str = "positions.labels";
/// Its weights.
const WEIGHTS: &str = "weights.bin";
/// Its match.
const MATCH: &str = "match.jsonl";

/// A cycle in its folder.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The folder; if there is a cycle in it already, it is continued.
    pub folder: PathBuf,
    /// What decides the cycle.
    pub settings: Settings,
    /// How many threads play and learn; they change nothing but the time.
    pub threads: u16,
}

/// What happens in a cycle, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// The end of a store was not written completely and is made again.
    Torn {
        /// The store.
        path: &'a Path,
        /// What it holds.
        what: Torn,
    },
    /// Games were played.
    Played {
        /// How many there are, those of earlier runs included.
        played: u64,
        /// How many of them this run did not play.
        before: u64,
        /// How many there are to be.
        games: u64,
    },
    /// Positions were labelled.
    Labelled(&'a labelling::Progress),
    /// Weights are trained.
    Trained(&'a training::Event),
    /// ProbCut is measured: so many of these.
    Measured(&'a str, u64),
    /// A match is played.
    Match(MatchNews<'a>),
    /// A generation is done, and in the log.
    Done(&'a Generation),
}

/// What the torn end of a store held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Torn {
    /// Games.
    Games,
    /// Labelled positions.
    Positions,
}

/// Who hears what happens in the generation with this number, and may end it.
pub type Watch<'w> = dyn FnMut(u32, News<'_>) -> ControlFlow<()> + 'w;

/// The weights that play, and whose they are.
struct Champion {
    generation: u32,
    weights: Weights,
}

/// What a generation works with.
struct Step<'s> {
    cycle: &'s Cycle,
    number: u32,
    folder: PathBuf,
    champion: Option<Champion>,
    stop: &'s Stop,
}

impl Cycle {
    /// Does what is left to do until there are so many generations.
    pub fn run(&self, generations: u32, stop: &Stop, watch: &mut Watch<'_>) -> Result<(), LearnError> {
        let gate = Gate::of(&self.settings, self.threads)?;
        let _claim = self.settings.claim(&self.folder)?;
        let mut log = Log::open(&self.folder.join("log.jsonl"))?;
        while (log.generations().len() as u32) < generations {
            let line = self.generation(&log, &gate, stop, watch)?;
            log.add(line.clone())?;
            if watch(line.generation, News::Done(&line)).is_break() {
                return Err(LearnError::Interrupted);
            }
        }
        Ok(())
    }

    fn folder_of(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation:02}"))
    }

    /// Does what is left to do of the next generation.
    fn generation(&self, log: &Log, gate: &Gate, stop: &Stop, watch: &mut Watch<'_>) -> Result<Generation, LearnError> {
        let settings = &self.settings;
        let number = log.generations().len() as u32;
        let folder = self.folder_of(number);
        let failed = |source| LearnError::Io { verb: "make the folder", path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let champion = log.champion().map(|line| self.champion(line)).transpose()?;
        let step = Step { cycle: self, number, folder, champion, stop };
        let tally = step.play(watch)?;
        let from = number.saturating_sub(settings.window - 1);
        let material = step.label(from, watch)?;
        let lesson = step.train(&material, watch)?;
        let weights = step.measure_probcut(watch)?;
        let (errors, positions) = lesson.errors(&weights)?;
        let rating = log.champion().map_or(Rating::default(), |line| line.rating);
        let (result, rating) = step.meet(gate, &weights, rating, watch)?;
        Ok(Generation {
            generation: number,
            date: today().map(|date| date.to_string()).unwrap_or_default(),
            champion: step.champion.map(|champion| champion.generation),
            games: tally.games,
            positions: tally.positions,
            learned: log::Learned { from, games: lesson.games(), positions },
            held_out: held_out(&errors),
            probcut: weights
                .probcut
                .as_ref()
                .map(|probcut| Foresight::of(probcut, settings.probcut_deepest, settings.probcut_solved_from)),
            weights: checksum(&weights),
            accepted: is_accepted(&result),
            r#match: result,
            rating: Rating { elo: rounded(rating.elo), margin: rounded(rating.margin) },
            settings: settings.clone(),
        })
    }

    /// The weights of a generation that is done: those that the log is about.
    fn champion(&self, line: &Generation) -> Result<Champion, LearnError> {
        let path = self.folder_of(line.generation).join(WEIGHTS);
        let weights = read_weights(&path)?;
        let (found, expected) = (checksum(&weights), &line.weights);
        if found != *expected {
            return Err(LearnError::OtherWeights { path, found, expected: expected.clone() });
        }
        Ok(Champion { generation: line.generation, weights })
    }

    /// The seed of the games of a generation.
    fn seed_of(&self, generation: u32) -> u64 {
        self.settings.seed * u64::from(MOST_GENERATIONS) + u64::from(generation)
    }
}

impl Step<'_> {
    /// What plays and labels: the champion's weights, or some that know nothing.
    fn knowledge(&self) -> Weights {
        self.champion.as_ref().map_or_else(Weights::zero, |champion| champion.weights.clone())
    }

    fn threads(&self) -> usize {
        self.cycle.threads.into()
    }

    /// Plays the games of a generation that are not yet in its store.
    fn play(&self, watch: &mut Watch<'_>) -> Result<Tally, LearnError> {
        let settings = &self.cycle.settings;
        let recipe = Recipe {
            seed: self.cycle.seed_of(self.number),
            opening: settings.opening,
            random_moves: if self.champion.is_some() { settings.random_moves } else { ALWAYS },
            depth: settings.depth,
            exact_from: settings.exact_from,
            threads: self.threads(),
        };
        let weights = self.knowledge();
        let self_play = SelfPlay::new(recipe, Learned::new(&weights));
        let games = settings.games_per_generation;
        let path = self.folder.join(GAMES);
        let mut store = GameStore::open(&path, &Source::of_self_play(EvaluationId::of(&weights), &self_play))?;
        if store.was_torn() && watch(self.number, News::Torn { path: &path, what: Torn::Games }).is_break() {
            return Err(LearnError::Interrupted);
        }
        let before = store.tally().next_number;
        if before < games {
            let mut is_over = false;
            play_into(&mut store, &self_play, games, self.stop, &mut |news| {
                let playing::News::Played(played) = news else { return ControlFlow::Continue(()) };
                let flow = watch(self.number, News::Played { played, before, games });
                is_over = flow.is_break();
                flow
            })?;
            if is_over {
                return Err(LearnError::Interrupted);
            }
        }
        if self.stop.is_set() { Err(LearnError::Interrupted) } else { Ok(store.tally()) }
    }

    /// What a generation learns from: the games of the window, or their positions when they are labelled.
    fn label(&self, from: u32, watch: &mut Watch<'_>) -> Result<Material, LearnError> {
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
            // Who knows nothing can only say what is exact.
            empties: 1..=if self.champion.is_some() { 60 } else { exact_from },
        };
        let weights = self.knowledge();
        let evaluation = &Learned::new(&weights);
        let evaluation_id = EvaluationId::of(&weights);
        let job = LabelJob { stores, first: None, wanted, evaluation, evaluation_id, threads: self.threads() };
        let path = self.folder.join(LABELS);
        let mut run = job.begin(&path, self.stop)?;
        if run.store.was_torn() && watch(self.number, News::Torn { path: &path, what: Torn::Positions }).is_break() {
            return Err(LearnError::Interrupted);
        }
        run.run(self.stop, &mut |_, progress| watch(self.number, News::Labelled(progress)))?;
        drop(run);
        Material::open(&[path], label, if label == Label::Search { outcome_share } else { 0.0 }, None)
    }

    /// Trains the weights of a generation, unless they are there.
    fn train<'m>(&self, material: &'m Material, watch: &mut Watch<'_>) -> Result<Lesson<'m>, LearnError> {
        let Settings { penalty, steps, held_out, .. } = self.cycle.settings;
        let fit = Fit { penalty, steps, threads: self.threads() };
        let lesson = Lesson::new(material, Training { fit, held_out, window: 0, look_ahead: None })?;
        let path = self.folder.join(WEIGHTS);
        // A checkpoint that is still there was not taken away by a run that was killed just then.
        if !path.exists() || beside(&path, ".partial").exists() {
            lesson.train(&path, &mut |event| match watch(self.number, News::Trained(event)) {
                ControlFlow::Continue(()) if self.stop.is_set() => ControlFlow::Break(()),
                flow => flow,
            })?;
        }
        Ok(lesson)
    }

    /// The weights of a generation, with the figures of ProbCut, which are measured unless they are there.
    fn measure_probcut(&self, watch: &mut Watch<'_>) -> Result<Weights, LearnError> {
        let path = self.folder.join(WEIGHTS);
        let mut weights = read_weights(&path)?;
        let Settings { probcut_games: games, probcut_deepest, probcut_solved_from, .. } = self.cycle.settings;
        if games > 0 && weights.probcut.is_none() {
            let seed = self.cycle.seed_of(self.number);
            let measurement = Measurement::new(games, probcut_deepest, probcut_solved_from, seed, self.threads());
            let mut flow = ControlFlow::Continue(());
            let found = probcut_fit::fit(&measurement, &Learned::new(&weights), |what, count| {
                if flow.is_continue() {
                    flow = watch(self.number, News::Measured(what, count));
                }
            });
            if flow.is_break() {
                return Err(LearnError::Interrupted);
            }
            if found.ensure_enough().is_ok() {
                weights.probcut = Some(found.probcut());
                replace(&path, &weights.to_bytes())?;
            }
        }
        Ok(weights)
    }

    /// Lets the new weights meet the champion.
    fn meet(
        &self,
        gate: &Gate,
        weights: &Weights,
        rating: Rating,
        watch: &mut Watch<'_>,
    ) -> Result<(MatchResult, Rating), LearnError> {
        let name = |number: u32| format!("generation {number}");
        let new = Candidate { name: name(self.number), weights: Some(weights) };
        let old = Candidate {
            name: self.champion.as_ref().map_or("random".to_owned(), |champion| name(champion.generation)),
            weights: self.champion.as_ref().map(|champion| &champion.weights),
        };
        gate.play(&self.folder.join(MATCH), [new, old], rating, self.stop, &mut |news| {
            if watch(self.number, News::Match(news)).is_break() {
                self.stop.set();
            }
        })
    }
}

fn checksum(weights: &Weights) -> String {
    format!("{:08x}", crc32(&weights.to_bytes()))
}

/// Whether new weights with this result become the champion: by the test, or if it could not decide, by the points.
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

/// A figure with as many places as mean something.
fn rounded(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}
