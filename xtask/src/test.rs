//! `cargo xtask test`: everything that must pass before a change is merged.
//!
//! No step compiles what another step has compiled: all of them select the whole workspace, because the features of a
//! dependency are those that the selected packages request together.

use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Result, ensure};

use crate::cargo::{AVX2_CPU, BASELINE_CPU, cargo, cargo_for_cpu, packages, succeed, target_directory, test_features};
use crate::tools::{apt_install, found_or_installed, is_ci, require_toolchain, runs};
use crate::{changes, checks, json_keys, names, page, programs, readme, report, signature, wasm, wording};

/// Format, wording, JSON keys, names of types, lints, the program without the farm, documentation, tests, kernels of other processors, crosscheck, bench
/// signature, README examples, report in a browser, the engine in WebAssembly, the page in a browser
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the steps whose name contains this
    #[arg(value_name = "STEP", value_parser = part_of_a_name)]
    filter: Option<String>,
    /// Run the tests of the classic programs even if nothing that they depend on has changed [default if CI is set]
    #[arg(long)]
    all: bool,
}

/// The outcome of a step that did not fail.
pub(crate) enum Outcome {
    /// It passed.
    Passed,
    /// It was skipped, because something is missing here.
    Skipped(String),
}

impl Outcome {
    /// A step that was skipped for this reason.
    pub(crate) fn left_out(reason: impl Into<String>) -> Self {
        Self::Skipped(reason.into())
    }
}

struct Step {
    name: &'static str,
    check: fn(&Arguments) -> Result<Outcome>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", check: |_| passed(require_toolchain()) },
    Step { name: "format", check: |_| passed(succeed(&mut cargo(["fmt", "--all", "--check"]))) },
    Step { name: "wording", check: |_| passed(wording::is_plain()) },
    Step { name: "JSON keys", check: |_| passed(json_keys::are_current()) },
    Step { name: "unique names of types", check: |_| passed(names::are_unique()) },
    Step { name: "programs as plug-ins", check: |_| passed(programs::are_plugged_in()) },
    Step { name: "clippy", check: |_| passed(clippy()) },
    Step { name: "rules without dependencies", check: |_| passed(rules_alone()) },
    Step { name: "program without the farm", check: |_| passed(without_farm()) },
    Step { name: "documentation", check: |_| passed(documentation()) },
    Step { name: "tests", check: |arguments| passed(tests(arguments)) },
    Step { name: "kernels of other processors", check: |_| passed(other_kernels()) },
    Step {
        name: "crosscheck",
        check: |_| passed(checks::run_as_test("crosscheck", &["--positions", "200000", "--kernels", "2000000"])),
    },
    Step { name: "bench signature", check: |_| passed(signature::is_as_written_down()) },
    Step { name: "README examples", check: |_| passed(readme::run_examples()) },
    Step { name: "report in a browser", check: |_| report::opens_in_a_browser() },
    Step { name: "wasm: the engine under Node", check: |_| wasm::runs_under_node() },
    Step { name: "page in a browser", check: |_| page::works_in_a_browser() },
];

fn passed(outcome: Result<()>) -> Result<Outcome> {
    outcome.map(|()| Outcome::Passed)
}

fn part_of_a_name(text: &str) -> Result<String, String> {
    if STEPS.iter().any(|step| step.name.contains(text)) {
        return Ok(text.to_owned());
    }
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    Err(format!("no step has this name; expected part of one of: {}", names.join(", ")))
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let wanted = |step: &&Step| arguments.filter.as_deref().is_none_or(|filter| step.name.contains(filter));
    let steps: Vec<_> = STEPS.iter().filter(wanted).collect();
    let mut table = Vec::new();
    let (mut failed, mut skipped) = (0, 0);
    let beginning = Instant::now();
    for (number, step) in steps.iter().enumerate() {
        println!("\n== {} step {} of {}: {}", minutes(beginning.elapsed()), number + 1, steps.len(), step.name);
        let (start, processor_start) = (Instant::now(), processor_time());
        let outcome = (step.check)(arguments);
        let elapsed = minutes(start.elapsed());
        let processor = processor_time().zip(processor_start).map(|(end, start)| minutes(end.saturating_sub(start)));
        let word = match &outcome {
            Ok(Outcome::Passed) => "passed",
            Ok(Outcome::Skipped(reason)) => {
                skipped += 1;
                println!("skipped: {reason}");
                "skipped"
            }
            Err(error) => {
                failed += 1;
                eprintln!("error: {error:#}");
                "FAILED"
            }
        };
        table.push(format!("{elapsed:>7} {:>9}  {word:7}  {}", processor.as_deref().unwrap_or("-"), step.name));
    }
    let good = steps.len() - failed - skipped;
    let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("\n{:>7} {:>9}", "time", "processor");
    println!("{}", table.join("\n"));
    println!("{good} passed, {failed} failed{skipped} in {}", minutes(beginning.elapsed()));
    ensure!(failed == 0, "{failed} of {} steps failed", steps.len());
    Ok(())
}

/// A duration as minutes and seconds, such as `3:07`.
fn minutes(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Processor time of all finished child processes, where the system has a file that says it.
fn processor_time() -> Option<Duration> {
    children_time(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Processor time of finished children in a line of `/proc/PID/stat`: the 16th and the 17th field, in hundredths of a
/// second. The second field is a name in parentheses, which may contain spaces.
fn children_time(stat: &str) -> Option<Duration> {
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks: Vec<u64> = rest.split_whitespace().skip(13).take(2).map_while(|field| field.parse().ok()).collect();
    matches!(ticks[..], [_, _]).then(|| Duration::from_millis(ticks.iter().sum::<u64>() * 10))
}

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

fn clippy() -> Result<()> {
    succeed(cargo(["clippy", "--workspace", "--all-targets"]).args(DENY_WARNINGS))
}

/// The libraries that a farm has nothing to do with.
const ENGINE_CRATES: [&str; 16] = [
    "othello",
    "evaluation",
    "search",
    "jobs",
    "engine",
    "book",
    "bill",
    "desdemona",
    "iago",
    "keyano",
    "logistello",
    "single_strategy",
    "players",
    "arena",
    "learning",
    "session",
];

/// The rules depend on no other crate. They need no standard library either: `no_std` in `othello` makes every build fail
/// that would use it.
fn rules_alone() -> Result<()> {
    let output = cargo(["tree", "--package", "othello", "--edges", "normal", "--prefix", "none"]).output()?;
    ensure!(output.status.success(), "cargo tree failed");
    let crates = String::from_utf8_lossy(&output.stdout);
    ensure!(crates.lines().count() == 1, "othello depends on other crates:\n{crates}");
    Ok(())
}

/// The engine needs neither a network nor an asynchronous runtime, and the program compiles without the farm.
fn without_farm() -> Result<()> {
    let packages = ENGINE_CRATES.iter().flat_map(|name| ["--package", name]);
    let mut tree = cargo(["tree", "--edges", "normal", "--prefix", "none"].into_iter().chain(packages));
    let output = tree.output()?;
    ensure!(output.status.success(), "cargo tree failed");
    let names = String::from_utf8_lossy(&output.stdout);
    for unwanted in ["tokio", "async-nats", "farm"] {
        let is_there = names.lines().any(|line| line.split(' ').next() == Some(unwanted));
        ensure!(!is_there, "a library of the engine depends on {unwanted}");
    }
    let features = features_without_farm()?.join(",");
    let selected = ["clippy", "--workspace", "--no-default-features", "--features", &features];
    succeed(cargo(selected).args(DENY_WARNINGS))
}

/// The default features of all packages but the farm, so that only the packages with this feature are compiled again.
fn features_without_farm() -> Result<Vec<String>> {
    let mut features = vec![test_features()?];
    for package in packages()? {
        let name = package["name"].as_str().unwrap_or_default();
        let defaults = package["features"]["default"].as_array().into_iter().flatten();
        let defaults: Vec<&str> = defaults.filter_map(|feature| feature.as_str()).collect();
        let kept = if defaults.contains(&"farm") { defaults } else { vec!["default"; defaults.len().min(1)] };
        features
            .extend(kept.into_iter().filter(|&feature| feature != "farm").map(|feature| format!("{name}/{feature}")));
    }
    Ok(features)
}

/// The documentation, from the metadata of the step `clippy`: they are those of the compiler that Clippy is.
fn documentation() -> Result<()> {
    let mut command = cargo(["doc", "--workspace", "--no-deps", "--features", &test_features()?]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    if let Some(cargo) = env::var_os("CARGO") {
        let driver = std::path::Path::new(&cargo).with_file_name(format!("clippy-driver{}", env::consts::EXE_SUFFIX));
        if driver.is_file() {
            let separator = "__CLIPPY_HACKERY__";
            let lints: String = DENY_WARNINGS[1..].iter().map(|word| format!("{word}{separator}")).collect();
            command.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", lints);
        }
    }
    succeed(&mut command)
}

/// All tests. Those of the terminal need tmux, and fail without it if `EMILIA_NEEDS_TMUX` is set; those of the farm need
/// nats-server and `EMILIA_NEEDS_NATS` in the same way.
fn tests(arguments: &Arguments) -> Result<()> {
    let mut tests = cargo(["test", "--workspace", "--no-fail-fast"]);
    if !arguments.all && !is_ci() {
        let unchanged = changes::unchanged_classics()?;
        if !unchanged.is_empty() {
            println!(
                "nothing changed that these depend on, so their tests are left out (--all runs them): {}",
                unchanged.join(", ")
            );
        }
        tests.args(unchanged.iter().flat_map(|name| ["--exclude", name]));
    }
    let find = || runs("tmux", &["-V"]).then_some(());
    if found_or_installed("tmux", find, || apt_install(&["tmux"]))?.is_some() {
        tests.env("EMILIA_NEEDS_TMUX", "1");
    } else {
        println!("no tmux (apt-get install tmux): the terminal tests are skipped");
    }
    let find = || runs("nats-server", &["--version"]).then_some(());
    if found_or_installed("nats-server", find, || apt_install(&["nats-server"]))?.is_some() {
        tests.env("EMILIA_NEEDS_NATS", "1");
    } else {
        println!("no nats-server (apt-get install nats-server): the tests of the farm are skipped");
    }
    succeed(&mut tests)
}

/// The crates whose code depends on the kernels; crates above them call the same code.
const WITH_KERNELS: [&str; 3] = ["othello", "evaluation", "search"];

/// Lints with the kernels that are selected for other processors. `crosscheck` runs all kernels that this one has
/// instructions for, and WebAssembly uses the portable ones.
fn other_kernels() -> Result<()> {
    let directory = target_directory().join("other-processors");
    let cpus: &[&str] = if cfg!(target_arch = "x86_64") { &[BASELINE_CPU, AVX2_CPU] } else { &[BASELINE_CPU] };
    for cpu in cpus {
        let packages = WITH_KERNELS.iter().flat_map(|name| ["--package", name]);
        let words = ["clippy"].into_iter().chain(packages).chain(DENY_WARNINGS);
        succeed(&mut cargo_for_cpu(cpu, &directory, words))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_read_after_the_name_of_the_process() {
        let stat = "7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 21 22 330 44 20 0 1 0";
        assert_eq!(children_time(stat), Some(Duration::from_millis(3740)));
        assert_eq!(children_time("7 (a) S 1 2"), None);
        assert_eq!(children_time(""), None);
    }

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(minutes(Duration::from_secs_f64(187.9)), "3:07");
    }

    #[test]
    fn only_the_farm_is_left_out_of_the_default_features() {
        let features = features_without_farm().expect("features");
        assert!(features.contains(&"engine/default".to_owned()), "{features:?}");
        assert!(!features.iter().any(|feature| feature.contains("farm")), "{features:?}");
    }
}
