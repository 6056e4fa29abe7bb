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

fn parse_penalty(text: &str) -> Result<f32, String> {
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
        // A store may be growing: what is there now is what this training is about.
        let games = self.count()?;
        ensure!(games > 0, "there is no game to learn from");
        let subject = self.subject(games);
        let partial = partial(&self.output);
        let mut checkpoint = read_checkpoint(&partial, &subject)?;
        let fit = Fit { penalty: self.penalty, steps: self.steps, threads: usize::from(self.threads) };
        let training = Training { fit, held_out: self.held_out };
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{}: {}", output::counted(games, "game"), self.output.display())?;
            writeln!(out, "empties   positions  root mean square and mean error on held-out games, in discs")?;
        }
        while !checkpoint.is_complete() {
            let mut done = None;
            checkpoint.advance(&training, |take| self.read(games, take), &mut |event| match *event {
                Event::Read { phase, positions, .. } => {
                    live.show(&format!("phase {phase}: {}", output::counted(positions as u64, "position")));
                }
                Event::Step { phase, step } => live.show(&format!(
                    "phase {phase}: step {}, held-out error {:.3}",
                    step.number,
                    step.held_out.root_mean_square()
                )),
                Event::Done { phase, positions, errors } => {
                    done = Some(Row {
                        phase,
                        positions,
                        held_out: errors.positions,
                        root_mean_square: errors.root_mean_square(),
                        mean_absolute: errors.mean_absolute(),
                    });
                }
            })?;
            replace(&partial, &checkpoint.to_bytes())?;
            live.clear();
            if let Some(row) = done {
                self.print(&row, &mut out)?;
            }
        }
        replace(&self.output, &checkpoint.weights().to_bytes())?;
        fs::remove_file(&partial).with_context(|| format!("cannot remove {}", partial.display()))?;
        Ok(())
    }

    fn print(&self, row: &Row, out: &mut impl Write) -> Result<()> {
        if self.json {
            output::json_line(out, row)?;
        } else {
            let most = 60 - 2 * row.phase;
            let Row { positions, root_mean_square, mean_absolute, .. } = row;
            writeln!(out, "{:>3}-{most:<3} {positions:>10} {root_mean_square:>6.2} {mean_absolute:>6.2}", most - 1)?;
        }
        out.flush()?;
        Ok(())
    }

    /// What decides the weights, in words.
    fn subject(&self, games: u64) -> String {
        let names: Vec<_> = self.stores.iter().map(|path| path.display().to_string()).collect();
        let Self { penalty, steps, held_out, .. } = self;
        format!("{games} games of {}, penalty {penalty}, {steps} steps, 1 in {held_out} held out", names.join(", "))
    }

    fn count(&self) -> Result<u64, StoreError> {
        let mut games = 0;
        for path in &self.stores {
            for stored in GameReader::open(path)? {
                stored?;
                games += 1;
                if Some(games) == self.first {
                    return Ok(games);
                }
            }
        }
        Ok(games)
    }

    /// Hands out the positions of the first games of all, with the number of their game.
    fn read(&self, games: u64, take: &mut dyn FnMut(u64, &Board, Score)) -> Result<(), StoreError> {
        let mut number = 0;
        for path in &self.stores {
            for stored in GameReader::open(path)? {
                let game = stored?.game;
                for position in game.positions().filter(|position| position.is_sound) {
                    take(number, &position.board, position.score);
                }
                number += 1;
                if number == games {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Where the checkpoint of an output stands.
fn partial(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
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

/// Writes a file so that at every moment the old one or the new one is there, whole.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || -> std::io::Result<()> {
        let mut file = fs::File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
