//! `emilia learn cycle`: games, labels, training, ProbCut and a match, generation after generation, from random play on.

mod gate;
mod log;
mod settings;

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use arena::Sprt;
use clap::Args;
use engine::clock::Moment;
use engine::{Limits, Stop};
use evaluation::Learned;
use evaluation::weights::Weights;
use learning::checksum::crc32;
use learning::game_store::{GameStore, Tally};
use learning::labelling::Wanted;
use learning::labels::Label;
use learning::pattern_fit::{Errors, Fit};
use learning::playing::{News, play_into, source};
use learning::self_play::{Recipe, SelfPlay};
use learning::training::Training;

use self::gate::{Candidate, Gate};
use self::log::{Foresight, HeldOut, MatchResult, Verdict};
pub use self::log::{Generation, Log, Rating};
use self::settings::Settings;
use super::label::Assignment;
use super::material::Material;
use super::play::{FROM_THE_START, parse_opening, parse_share};
use super::probcut;
use super::train::{Lesson, parse_penalty, parse_share as parse_outcome_share, progress};
use crate::commands::r#match::parse_pair;
use crate::interrupt::{self, Interrupted};
use crate::live_line::LiveLine;
use crate::player_notation::move_time;
use crate::usage_error::UsageError;
use crate::weights_choice::{learned_name, read_weights};
use crate::whole_file::{beside, replace};
use crate::{game_file, output};

const EXAMPLES: &str = "\
Examples:
  emilia learn cycle --folder cycle --generations 8
  emilia learn cycle --folder cycle --generations 20 \\
      --games-per-generation 50000 --depth 4
  emilia learn curve --log cycle/log.jsonl --plot curve.svg --table curve.md

Generation 0 plays random moves. Every generation plays its games with the champion of the ones before, learns from \
the games of the last generations, and meets the champion in a match; who wins that plays the next games. Each \
generation has a folder of its own, and a line in log.jsonl when it is done.

The same command goes on where it was, after Ctrl-C as after a power cut; with more --generations it goes further.";

/// The random moves of the first generation end where play is exact, or nowhere.
const ALWAYS: f64 = 1.0;

/// How often the line on the terminal changes.
const LINE_PERIOD: Duration = Duration::from_millis(200);

/// So many seeds of games follow from one of a cycle, and no more generations can be had.
const MOST_GENERATIONS: u64 = 1000;

/// Play, learn and compare again and again, from random play to a champion.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Cycle {
    /// The folder of the cycle; if there is one already, it is continued
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,

    /// How many generations to come to, those that are done included
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=MOST_GENERATIONS as i64))]
    generations: u32,

    /// How many games each generation plays
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    games_per_generation: u64,

    /// How many moves the search for a move of these games looks ahead
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// From how many empty squares on these games are exact
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(2..=30))]
    exact_from: u32,

    /// How many random moves a game begins with: a number or two such as 6-12
    #[arg(long, value_name = "N", default_value = "8-18", value_parser = parse_opening)]
    opening: (u32, u32),

    /// The share of later moves that are random on purpose
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = parse_share)]
    random_moves: f64,

    /// The games of how many generations are learned from, the last ones
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,

    /// What is learned of a position: the outcome of the game, or the corrected, tree or search value that
    /// `emilia learn label` finds for it
    #[arg(long, value_name = "LABEL", default_value = "search", value_parser = clap::value_parser!(Label))]
    label: Label,

    /// How many moves the search for a label looks ahead, with the weights of the champion
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    label_depth: u32,

    /// How much of the score of the game is mixed into a search value, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = parse_outcome_share)]
    outcome_share: f32,

    /// How many positions hold a weight where the next phase has it
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = parse_penalty)]
    penalty: f32,

    /// The most steps for a phase
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// One game in so many is not learned from, but shows how well the others were learned
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    held_out: u64,

    /// How many games are played to measure how well shallow searches foretell deep ones; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200)]
    probcut_games: u64,

    /// The deepest search of that measurement
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=20))]
    probcut_deepest: u32,

    /// The most empty squares of a position that is solved for it
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(10..=26))]
    probcut_solved_from: u32,

    /// How many games a match has at most, an even number
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_games)]
    match_games: u32,

    /// How many games a match has before the sequential test may end it, so that the strength is known, too
    /// [default: half of --match-games]
    #[arg(long, value_name = "N", value_parser = parse_games)]
    match_least: Option<u32>,

    /// How many moves the players of a match look ahead [default: as in the games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    match_depth: Option<u32>,

    /// The level of the players of a match
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60), conflicts_with = "match_depth")]
    match_level: Option<u32>,

    /// Time for each move of a match; the matches of two runs are then not the same
    #[arg(long, value_name = "TIME", value_parser = move_time, conflicts_with_all = ["match_depth", "match_level"])]
    match_time: Option<Duration>,

    /// A match ends when it is clear whether the new weights are ahead by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", value_parser = parse_pair, allow_hyphen_values = true)]
    sprt: (f64, f64),

    /// Decides all that is left to chance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 50))]
    seed: u64,

    /// How many threads play and learn; by default one for every core. They change nothing but the time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Print the line of the log for every generation
    #[arg(long)]
    json: bool,
}

fn parse_games(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(games) if games > 0 && games % 2 == 0 => Ok(games),
        _ => Err(format!("{text:?} is no number of games; expected 2, 4, 6, …: both colours of every opening")),
    }
}

/// The weights that play, and whose they are.
struct Champion {
    generation: u32,
    weights: Weights,
}

impl Cycle {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let stop = interrupt::flag()?;
        let (settings, gate) = self.settings()?;
        let _claim = settings.claim(&self.folder)?;
        let mut log = Log::open(&self.folder.join("log.jsonl"))?;
        while (log.generations().len() as u32) < self.generations {
            let line = self.generation(&log, &settings, &gate, &stop)?;
            log.add(line.clone())?;
            self.print(&line)?;
        }
        Ok(())
    }

    /// What decides the cycle, and how its matches are played.
    fn settings(&self) -> Result<(Settings, Gate)> {
        let limits = match (self.match_time, self.match_level) {
            (Some(time), _) => Limits { move_time: Some(time), ..Limits::default() },
            (None, Some(level)) => Limits { level: Some(level), ..Limits::default() },
            (None, None) => Limits::of_depth(self.match_depth.unwrap_or(self.depth)),
        };
        let (elo0, elo1) = self.sprt;
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).map_err(UsageError::new)?;
        let least = self.match_least.unwrap_or((self.match_games / 2).next_multiple_of(2)).min(self.match_games);
        let settings = Settings {
            seed: self.seed,
            games_per_generation: self.games_per_generation,
            depth: self.depth,
            exact_from: self.exact_from,
            opening: self.opening,
            random_moves: self.random_moves,
            window: self.window,
            label: self.label.to_string(),
            label_depth: self.label_depth,
            outcome_share: self.outcome_share,
            penalty: self.penalty,
            steps: self.steps,
            held_out: self.held_out,
            probcut_games: self.probcut_games,
            probcut_deepest: self.probcut_deepest,
            probcut_solved_from: self.probcut_solved_from,
            match_games: self.match_games,
            match_least: least,
            match_limits: arena::legacy_terms::limits_in_words(&limits),
            sprt: self.sprt,
        };
        let concurrency = self.threads();
        let gate = Gate { games: self.match_games, least, limits, sprt, seed: self.seed, concurrency };
        Ok((settings, gate))
    }

    fn threads(&self) -> u16 {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, |count| count.get().min(256) as u16))
    }

    fn folder_of(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation:02}"))
    }

    /// Does what is left to do of the next generation.
    fn generation(&self, log: &Log, settings: &Settings, gate: &Gate, stop: &Stop) -> Result<Generation> {
        let number = log.generations().len() as u32;
        let folder = self.folder_of(number);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let champion = log.champion().map(|line| self.champion(line)).transpose()?;
        let tally = self.play(number, &folder, champion.as_ref(), settings, stop)?;
        let from = number.saturating_sub(settings.window - 1);
        let material = self.label(number, from, &folder, champion.as_ref(), settings, stop)?;
        let lesson = self.train(number, material, &folder, settings, stop)?;
        let weights = self.foretell(number, &folder, settings)?;
        let (errors, positions) = lesson.errors(&weights)?;
        let rating = log.champion().map_or(Rating::default(), |line| line.rating);
        let (result, rating) = self.meet(number, &folder, &weights, champion.as_ref(), gate, rating, stop)?;
        Ok(Generation {
            generation: number,
            date: game_file::today().map(|date| date.to_string()).unwrap_or_default(),
            champion: champion.map(|champion| champion.generation),
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
    fn champion(&self, line: &Generation) -> Result<Champion> {
        let path = self.folder_of(line.generation).join(WEIGHTS);
        let weights = read_weights(&path)?;
        let (found, expected) = (checksum(&weights), &line.weights);
        ensure!(
            found == *expected,
            "{} has the checksum {found}; expected {expected}, as the log says",
            path.display()
        );
        Ok(Champion { generation: line.generation, weights })
    }

    /// Plays the games of a generation that are not yet in its store.
    fn play(
        &self,
        number: u32,
        folder: &Path,
        champion: Option<&Champion>,
        settings: &Settings,
        stop: &Stop,
    ) -> Result<Tally> {
        let recipe = Recipe {
            seed: seed_of(settings, number),
            opening: settings.opening,
            random_moves: if champion.is_some() { settings.random_moves } else { ALWAYS },
            depth: settings.depth,
            exact_from: settings.exact_from,
            threads: usize::from(self.threads()),
        };
        let nothing = Weights::zero();
        let weights = champion.map_or(&nothing, |champion| &champion.weights);
        let games = settings.games_per_generation;
        let path = folder.join(GAMES);
        let mut store = GameStore::open(&path, &source(&learned_name(weights), FROM_THE_START, &recipe))?;
        if store.was_torn() {
            let sentence = "the last games were not written to their end and are played again";
            output::complain(&format_args!("{}: {sentence}", path.display()));
        }
        let before = store.tally().next_number;
        if before < games {
            let mut live = LiveLine::new();
            let (start, mut last_line) = (Moment::now(), Moment::now());
            play_into(&mut store, &SelfPlay::new(recipe, Learned::new(weights)), games, stop, &mut |news| {
                if let News::Played(played) = news
                    && last_line.elapsed() >= LINE_PERIOD
                {
                    last_line = Moment::now();
                    let speed = (played - before) as f64 / start.elapsed().as_secs_f64().max(1e-3);
                    let [played, games] = [played, games].map(output::grouped);
                    live.show(&format!("generation {number}: {played} of {games} games  {speed:.1} games/s"));
                }
                ControlFlow::Continue(())
            })?;
        }
        if stop.is_set() { Err(Interrupted.into()) } else { Ok(store.tally()) }
    }

    /// What a generation learns from: the games of the window, or their positions when they are labelled.
    fn label(
        &self,
        number: u32,
        from: u32,
        folder: &Path,
        champion: Option<&Champion>,
        settings: &Settings,
        stop: &Stop,
    ) -> Result<Material> {
        let stores: Vec<PathBuf> = (from..=number).map(|number| self.folder_of(number).join(GAMES)).collect();
        if self.label == Label::Outcome {
            return Material::open(&stores, self.label, 0.0, None);
        }
        let nothing = Weights::zero();
        let weights = champion.map_or(&nothing, |champion| &champion.weights);
        let wanted = Wanted {
            exact_from: settings.exact_from,
            tree: self.label == Label::Tree,
            depth: (self.label == Label::Search).then_some(settings.label_depth),
            // Who knows nothing can only say what is exact.
            empties: 1..=if champion.is_some() { 60 } else { settings.exact_from },
        };
        let evaluation = &Learned::new(weights);
        let assignment = Assignment { stores, first: None, wanted, evaluation, threads: self.threads().into() };
        let path = folder.join(LABELS);
        let mut live = LiveLine::new();
        let mut last_line = Moment::now();
        assignment.label(&path, &learned_name(weights), stop, &mut |_, progress| {
            if last_line.elapsed() >= LINE_PERIOD {
                last_line = Moment::now();
                let [labelled, positions] = [progress.labelled, progress.positions].map(|count| count as u64);
                let [labelled, positions] = [labelled, positions].map(output::grouped);
                let empties = progress.empties;
                live.show(&format!("generation {number}: {empties} empty, {labelled} of {positions} positions"));
            }
            Ok(())
        })?;
        let outcome_share = if self.label == Label::Search { settings.outcome_share } else { 0.0 };
        Material::open(&[path], self.label, outcome_share, None)
    }

    /// Trains the weights of a generation, unless they are there.
    fn train(
        &self,
        number: u32,
        material: Material,
        folder: &Path,
        settings: &Settings,
        stop: &Stop,
    ) -> Result<Lesson> {
        let Settings { penalty, steps, held_out, .. } = *settings;
        let fit = Fit { penalty, steps, threads: usize::from(self.threads()) };
        let lesson = Lesson::new(material, Training { fit, held_out, window: 0, look_ahead: None })?;
        let path = folder.join(WEIGHTS);
        // A checkpoint that is still there was not taken away by a run that was killed just then.
        if !path.exists() || beside(&path, ".partial").exists() {
            let mut live = LiveLine::new();
            lesson.train(&path, &mut |event| {
                if let Some(text) = progress(event) {
                    live.show(&format!("generation {number}: {text}"));
                }
                if stop.is_set() { Err(Interrupted.into()) } else { Ok(()) }
            })?;
        }
        Ok(lesson)
    }

    /// The weights of a generation, with the figures of ProbCut, which are measured unless they are there.
    fn foretell(&self, number: u32, folder: &Path, settings: &Settings) -> Result<Weights> {
        let path = folder.join(WEIGHTS);
        let mut weights = read_weights(&path)?;
        let Settings { probcut_games: games, probcut_deepest, probcut_solved_from, .. } = *settings;
        if games > 0 && weights.probcut.is_none() {
            let seed = seed_of(settings, number);
            let threads = self.threads().into();
            let measurement = probcut::measurement(games, probcut_deepest, probcut_solved_from, seed, threads);
            let found = probcut::fit(&measurement, &Learned::new(&weights));
            if found.ensure_enough().is_ok() {
                weights.probcut = Some(found.probcut());
                replace(&path, &weights.to_bytes())?;
            }
        }
        Ok(weights)
    }

    /// Lets the new weights meet the champion.
    #[expect(clippy::too_many_arguments, reason = "all that a match is about")]
    fn meet(
        &self,
        number: u32,
        folder: &Path,
        weights: &Weights,
        champion: Option<&Champion>,
        gate: &Gate,
        rating: Rating,
        stop: &Stop,
    ) -> Result<(MatchResult, Rating)> {
        let name = |number: u32| format!("generation {number}");
        let new = Candidate { name: name(number), weights: Some(weights) };
        let old = Candidate {
            name: champion.map_or("random".to_owned(), |champion| name(champion.generation)),
            weights: champion.map(|champion| &champion.weights),
        };
        gate.play(&folder.join(MATCH), [new, old], rating, stop)
    }

    fn print(&self, line: &Generation) -> Result<()> {
        let mut out = output::stdout();
        if self.json {
            output::json_line(&mut out, line)?;
        } else {
            let Generation { generation, champion, games, learned, held_out, r#match, rating, .. } = line;
            let MatchResult { won, drawn, lost, .. } = r#match;
            let opponent = champion.map_or("random play".to_owned(), |champion| format!("generation {champion}"));
            writeln!(
                out,
                "generation {generation}: {}, {} learned, held-out error {:.2}; {won}-{drawn}-{lost} against \
                 {opponent}, {}; rating {:+.0} ± {:.0}",
                output::counted(*games, "game"),
                output::counted(learned.positions, "position"),
                held_out.root_mean_square,
                if line.accepted { "accepted" } else { "rejected" },
                rating.elo,
                rating.margin,
            )?;
        }
        out.flush()?;
        Ok(())
    }
}

/// The games of a generation.
const GAMES: &str = "games.store";
/// The positions that it learns from, with their labels.
const LABELS: &str = "positions.labels";
/// Its weights.
const WEIGHTS: &str = "weights.bin";
/// Its match.
const MATCH: &str = "match.jsonl";

/// The seed of the games of a generation.
fn seed_of(settings: &Settings, generation: u32) -> u64 {
    settings.seed * MOST_GENERATIONS + u64::from(generation)
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
