//! `emilia learn train`: the weights of the evaluation from stores of games.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use learning::game_store::{GameReader, StoreError};
use learning::pattern_fit::Fit;
use learning::training::{Checkpoint, Event, Training};
use othello::{Board, Score};
use serde::Serialize;

use crate::live_line::LiveLine;
use crate::output;
use crate::whole_file::{beside, replace};

const EXAMPLES: &str = "\
Examples:
  emilia learn train --output weights.bin games.store
  emilia learn train --output weights.bin --first 100000 games.store thor.store
  emilia match emilia@weights=weights.bin emilia --level 8

Every position of the games from which on nobody moved at random is learned with the final score as its label.
The phases of the game are trained from its end on. What is done stands beside the output, in OUTPUT.partial:
the same command goes on from there.";

/// Train the weights of the evaluation on the games of stores
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Train {
    /// The weight file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores of games, of `emilia learn play` and `emilia learn merge`
    #[arg(value_name = "STORES", required = true)]
    stores: Vec<PathBuf>,

    /// Only so many games of all, the first ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    first: Option<u64>,

    /// How many positions hold a weight where the next phase has it
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = parse_penalty)]
    penalty: f32,

    /// The most steps for a phase
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// One game in so many is not learned from, but shows how well the others were learned
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    held_out: u64,

    /// How many threads work; the weights do not depend on it
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Print one JSON object a phase
    #[arg(long)]
    json: bool,
}

/// A trained phase.
#[derive(Serialize)]
struct Row {
    phase: usize,
    positions: usize,
    held_out: u64,
    root_mean_square: f64,
    mean_absolute: f64,
}

/// Reads a penalty.
pub fn parse_penalty(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(penalty) if penalty > 0.0 && penalty <= 1e6 => Ok(penalty),
        _ => Err(format!("{text:?} is no penalty; expected a number above 0, such as 30")),
    }
}

impl Train {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let mut live = LiveLine::new();
        live.show("counting games");
        let fit = Fit { penalty: self.penalty, steps: self.steps, threads: usize::from(self.threads) };
        let training = Training { fit, held_out: self.held_out };
        let lesson = Lesson::new(self.stores.clone(), self.first, training)?;
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{}: {}", output::counted(lesson.games, "game"), self.output.display())?;
            writeln!(out, "empties   positions  root mean square and mean error on held-out games, in discs")?;
        }
        lesson.train(&self.output, &mut |event| {
            if let Some(text) = progress(event) {
                live.show(&text);
                return Ok(());
            }
            live.clear();
            self.print(event, &mut out)
        })
    }

    fn print(&self, event: &Event, out: &mut impl Write) -> Result<()> {
        let Event::Done { phase, positions, errors } = *event else { return Ok(()) };
        let (root_mean_square, mean_absolute) = (errors.root_mean_square(), errors.mean_absolute());
        if self.json {
            output::json_line(
                out,
                &Row { phase, positions, held_out: errors.positions, root_mean_square, mean_absolute },
            )?;
        } else {
            let most = 60 - 2 * phase;
            writeln!(out, "{:>3}-{most:<3} {positions:>10} {root_mean_square:>6.2} {mean_absolute:>6.2}", most - 1)?;
        }
        out.flush()?;
        Ok(())
    }
}

/// How a phase goes that is being trained, in a few words.
pub fn progress(event: &Event) -> Option<String> {
    match event {
        Event::Read { phase, positions, .. } => {
            Some(format!("phase {phase}: {}", output::counted(*positions as u64, "position")))
        }
        Event::Step { phase, step } => {
            let error = step.held_out.root_mean_square();
            Some(format!("phase {phase}: step {}, held-out error {error:.3}", step.number))
        }
        Event::Done { .. } => None,
    }
}

/// What is learned from, and how: all that decides the weights.
pub struct Lesson {
    stores: Vec<PathBuf>,
    /// How many games of all are learned from, the first ones.
    pub games: u64,
    training: Training,
}

impl Lesson {
    /// A lesson on the games that the stores hold now, or on the first of them.
    pub fn new(stores: Vec<PathBuf>, first: Option<u64>, training: Training) -> Result<Self> {
        // A store may be growing: what is there now is what this training is about.
        let games = count(&stores, first)?;
        ensure!(games > 0, "there is no game to learn from");
        Ok(Self { stores, games, training })
    }

    /// Trains the weights and writes them, going on from the checkpoint beside them if there is one.
    ///
    /// The watcher hears that a phase is done when that is written down; its errors end the training.
    pub fn train(&self, output: &Path, watch: &mut dyn FnMut(&Event) -> Result<()>) -> Result<()> {
        let partial = beside(output, ".partial");
        let mut checkpoint = read_checkpoint(&partial, &self.subject())?;
        while !checkpoint.is_complete() {
            let mut done = None;
            let mut watched = Ok(());
            checkpoint.advance(&self.training, |take| self.read(take), &mut |event| match event {
                Event::Done { .. } => done = Some(*event),
                _ if watched.is_ok() => watched = watch(event),
                _ => {}
            })?;
            replace(&partial, &checkpoint.to_bytes())?;
            watched?;
            done.map_or(Ok(()), |event| watch(&event))?;
        }
        replace(output, &checkpoint.weights().to_bytes())?;
        fs::remove_file(&partial).with_context(|| format!("cannot remove {}", partial.display()))
    }

    /// What decides the weights, in words.
    fn subject(&self) -> String {
        let names: Vec<_> = self.stores.iter().map(|path| path.display().to_string()).collect();
        let Self { games, training: Training { fit: Fit { penalty, steps, .. }, held_out }, .. } = self;
        format!("{games} games of {}, penalty {penalty}, {steps} steps, 1 in {held_out} held out", names.join(", "))
    }

    /// Hands out the positions of the games, with the number of their game and their label.
    pub fn read(&self, take: &mut dyn FnMut(u64, &Board, Score)) -> Result<(), StoreError> {
        let mut number = 0;
        for path in &self.stores {
            for stored in GameReader::open(path)? {
                let game = stored?.game;
                for position in game.positions().filter(|position| position.is_sound) {
                    take(number, &position.board, position.score);
                }
                number += 1;
                if number == self.games {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn count(stores: &[PathBuf], first: Option<u64>) -> Result<u64, StoreError> {
    let mut games = 0;
    for path in stores {
        for stored in GameReader::open(path)? {
            stored?;
            games += 1;
            if Some(games) == first {
                return Ok(games);
            }
        }
    }
    Ok(games)
}

/// The checkpoint to go on from, or a new one.
fn read_checkpoint(path: &Path, subject: &str) -> Result<Checkpoint> {
    if !path.exists() {
        return Ok(Checkpoint::new(subject.to_owned()));
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let checkpoint = Checkpoint::from_bytes(&bytes).with_context(|| format!("{} cannot be used", path.display()))?;
    ensure!(
        checkpoint.subject == subject,
        "{} belongs to another training ({}), this one is of {subject}; remove it to begin anew",
        path.display(),
        checkpoint.subject
    );
    Ok(checkpoint)
}
