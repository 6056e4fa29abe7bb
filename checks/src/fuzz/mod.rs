//! `cargo xtask fuzz`: any number of mutated inputs for every parser, and of messages for the host of a page.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::batches::show_progress;
use crate::target_directory;
use othello::random::Random;

mod mutation;
pub(crate) mod page;
#[path = "../../../crates/records/tests/parsers/mod.rs"]
mod parsers;

use mutation::mutate;
use parsers::{PARSERS, Parser};

/// Give mutated inputs to the parsers and messages to the host of a page, and see that none of them panics
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The parser to run, or `page` for the host of a page [default: all parsers in turn]
    #[arg(value_name = "TARGET", value_parser = parser_names())]
    target: Option<String>,
    /// The total number of inputs or messages
    #[arg(long, value_name = "N", default_value_t = 1_000_000, conflicts_with = "seconds")]
    inputs: u64,
    /// A duration instead of a number of inputs
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run the target once on the bytes of this file and show the panic message
    #[arg(long, value_name = "FILE", requires = "target")]
    replay: Option<PathBuf>,
}

fn parser_names() -> clap::builder::PossibleValuesParser {
    PARSERS.iter().map(|parser| parser.name).chain([PAGE]).collect::<Vec<_>>().into()
}

/// The target that is no parser.
const PAGE: &str = "page";

/// Inputs are made in batches that depend on the seed and their number only, whatever thread takes
/// them.
const BATCH: u64 = 500;

/// The run ends after this many failures: the first ones are enough to work on.
const FAILURES: usize = 20;

/// A parser that takes longer for an input of a few thousand bytes does not stream.
const SLOW: Duration = Duration::from_secs(1);

/// The statistics of one parser.
#[derive(Clone, Copy, Default)]
struct Tally {
    inputs: u64,
    time: Duration,
    slowest: Duration,
}

/// What the threads have found so far.
#[derive(Default)]
struct Findings {
    tallies: BTreeMap<&'static str, Tally>,
    failures: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.target.as_deref() == Some(PAGE) {
        let deadline = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        return match &arguments.replay {
            Some(path) => page::replay(path),
            None => page::run(arguments.inputs, deadline, arguments.seed),
        };
    }
    let targets: Vec<_> =
        PARSERS.iter().filter(|parser| arguments.target.as_deref().is_none_or(|name| name == parser.name)).collect();
    if let Some(path) = &arguments.replay {
        return replay(targets[0], path);
    }
    let folder = target_directory().join("fuzz");
    let start = Instant::now();
    let deadline = arguments.seconds.map(|seconds| start + Duration::from_secs(seconds));
    let batches = if deadline.is_some() { u64::MAX } else { arguments.inputs.div_ceil(BATCH) };
    let next_batch = AtomicU64::new(0);
    let inputs = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let findings = Mutex::new(Findings::default());
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let batch = next_batch.fetch_add(1, Ordering::Relaxed);
            if batch >= batches || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return;
            }
            let size = if deadline.is_some() { BATCH } else { BATCH.min(arguments.inputs - batch * BATCH) };
            let target = targets[(batch % targets.len() as u64) as usize];
            let (tally, failures) = run_batch(target, &mut Random::of_item(arguments.seed, batch), size);
            inputs.fetch_add(size, Ordering::Relaxed);
            let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
            findings.count(target, tally);
            for (input, reason) in failures {
                findings.failures.push(save(&folder, target, &input, &reason));
            }
            if findings.failures.len() >= FAILURES {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    let silenced = silence_panics();
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        show_progress(&workers, || format!("{} inputs", inputs.load(Ordering::Relaxed)));
    });
    drop(silenced);
    findings.into_inner().unwrap_or_else(PoisonError::into_inner).report(start.elapsed())
}

impl Findings {
    fn count(&mut self, target: &Parser, tally: Tally) {
        let sum = self.tallies.entry(target.name).or_default();
        sum.inputs += tally.inputs;
        sum.time += tally.time;
        sum.slowest = sum.slowest.max(tally.slowest);
    }

    fn report(&self, elapsed: Duration) -> Result<()> {
        for (name, tally) in &self.tallies {
            println!(
                "{name:12} {:>10} inputs {:>9.0} per second on one core, the slowest {:.1} ms",
                tally.inputs,
                tally.inputs as f64 / tally.time.as_secs_f64().max(1e-9),
                1e3 * tally.slowest.as_secs_f64()
            );
        }
        let inputs: u64 = self.tallies.values().map(|tally| tally.inputs).sum();
        println!(
            "{inputs} inputs in {:.1} s, {:.0} per second: {} failures",
            elapsed.as_secs_f64(),
            inputs as f64 / elapsed.as_secs_f64().max(1e-9),
            self.failures.len()
        );
        for failure in &self.failures {
            eprintln!("{failure}");
        }
        ensure!(self.failures.is_empty(), "{} inputs made a parser fail", self.failures.len());
        Ok(())
    }
}

/// Runs a target on mutated inputs; returns those on which it failed, each with the reason.
fn run_batch(target: &Parser, random: &mut Random, size: u64) -> (Tally, Vec<(Vec<u8>, String)>) {
    let mut tally = Tally { inputs: size, ..Tally::default() };
    let mut failures = Vec::new();
    for _ in 0..size {
        let input = mutate(random, target.seeds);
        let start = Instant::now();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.parse)(&input)));
        let time = start.elapsed();
        tally.time += time;
        tally.slowest = tally.slowest.max(time);
        if let Err(payload) = outcome {
            failures.push((input, message_of(&*payload)));
        } else if time > SLOW {
            failures.push((input, format!("took {:.1} s", time.as_secs_f64())));
        }
    }
    (tally, failures)
}

/// What a panic said.
fn message_of(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}

/// Saves an input on which a target failed, and says how to run it again.
fn save(folder: &Path, target: &Parser, input: &[u8], reason: &str) -> String {
    // The name is a hash of the content, so that the same input is saved once.
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let path = folder.join(format!("{}-{hash:016x}", target.name));
    let reason: String = reason.chars().take(300).collect();
    match fs::create_dir_all(folder).and_then(|()| fs::write(&path, input)) {
        Ok(()) => {
            let path = path.display();
            format!("{}: {reason}\n  again: cargo xtask fuzz {} --replay {path}", target.name, target.name)
        }
        Err(error) => {
            format!("{}: {reason}\n  the input could not be saved in {}: {error}", target.name, path.display())
        }
    }
}

/// Runs a target on the bytes of a file.
fn replay(target: &Parser, path: &Path) -> Result<()> {
    let input = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    println!("{} bytes: {}", input.len(), input.escape_ascii());
    // The panic itself prints the message, with its location.
    if panic::catch_unwind(AssertUnwindSafe(|| (target.parse)(&input))).is_err() {
        bail!("{} fails on {}", target.name, path.display());
    }
    println!("{} reads {} without a failure", target.name, path.display());
    Ok(())
}

/// Silences panics, which are expected here, until the guard is dropped.
fn silence_panics() -> impl Drop {
    type Hook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Sync + Send + 'static>;

    struct Guard(Option<Hook>);

    impl Drop for Guard {
        fn drop(&mut self) {
            if let Some(hook) = self.0.take() {
                panic::set_hook(hook);
            }
        }
    }

    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    Guard(Some(hook))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parser_survives_a_batch_of_mutated_inputs() {
        for (stream, parser) in PARSERS.iter().enumerate() {
            let (tally, failures) = run_batch(parser, &mut Random::of_item(1, stream as u64), BATCH);
            assert_eq!(tally.inputs, BATCH);
            assert!(failures.is_empty(), "{}: {failures:?}", parser.name);
        }
    }

    #[test]
    fn a_parser_that_panics_is_caught_with_its_input() {
        let fragile = Parser {
            name: "fragile",
            parse: |bytes| assert!(!bytes.ends_with(b"]"), "a bracket at the end"),
            seeds: &[b"(;B[f5]"],
        };
        let (_, failures) = run_batch(&fragile, &mut Random::of_item(1, 1), BATCH);
        assert!(!failures.is_empty());
        for (input, reason) in failures {
            assert!(input.ends_with(b"]"));
            assert_eq!(reason, "a bracket at the end");
        }
    }
}
