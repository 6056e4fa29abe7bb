//! `cargo xtask test`: everything that must pass before a change is merged.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::cargo::{AVX2_CPU, BASELINE_CPU, TESTS_ARE_BUILT, cargo, cargo_for_cpu, succeed, target_directory};
use crate::tools::{apt_install, found_or_installed, require_toolchain, runs};
use crate::{checks, page, readme, report, signature, wasm};

/// Format, lints, the program without the farm, documentation, tests on native and portable kernels, a build for AVX2, crosscheck, bench signature,
/// README examples, report in a browser, the engine in WebAssembly, the page in a browser
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the steps whose name contains this
    #[arg(value_name = "STEP", value_parser = part_of_a_name)]
    filter: Option<String>,
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
    check: fn() -> Result<Outcome>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", check: || passed(require_toolchain()) },
    Step { name: "format", check: || passed(succeed(&mut cargo(["fmt", "--all", "--check"]))) },
    Step { name: "clippy", check: || passed(clippy()) },
    Step { name: "program without the farm", check: || passed(without_farm()) },
    Step { name: "documentation", check: || passed(documentation()) },
    Step { name: "tests on the native kernels", check: || passed(native_tests()) },
    Step { name: "tests on the portable kernels", check: || passed(portable_tests()) },
    Step { name: "build with the AVX2 kernels", check: avx2_build },
    Step {
        name: "crosscheck",
        check: || passed(checks::run_as_test("crosscheck", &["--positions", "200000", "--kernels", "2000000"])),
    },
    Step { name: "bench signature", check: || passed(signature::is_as_written_down()) },
    Step { name: "README examples", check: || passed(readme::run_examples()) },
    Step { name: "report in a browser", check: report::opens_in_a_browser },
    Step { name: "wasm: the engine under Node", check: wasm::runs_under_node },
    Step { name: "page in a browser", check: page::works_in_a_browser },
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
    let mut summary = Vec::new();
    let (mut failed, mut skipped) = (0, 0);
    for (number, step) in steps.iter().enumerate() {
        println!("\n== step {} of {}: {}", number + 1, steps.len(), step.name);
        let start = Instant::now();
        let outcome = (step.check)();
        let seconds = start.elapsed().as_secs_f64();
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
        summary.push(format!("{word:7}  {seconds:7.1} s  {}", step.name));
    }
    let good = steps.len() - failed - skipped;
    let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("\n{}\n{good} passed, {failed} failed{skipped}", summary.join("\n"));
    ensure!(failed == 0, "{failed} of {} steps failed", steps.len());
    Ok(())
}

fn clippy() -> Result<()> {
    succeed(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The libraries that a farm has nothing to do with.
const ENGINE_CRATES: [&str; 11] = [
    "othello",
    "evaluation",
    "search",
    "jobs",
    "engine",
    "book",
    "heritage",
    "players",
    "arena",
    "learning",
    "session",
];

/// The engine needs neither a network nor an asynchronous runtime, and the program compiles without the farm.
fn without_farm() -> Result<()> {
    let packages = ENGINE_CRATES.iter().flat_map(|name| ["--package", name]);
    let mut tree = cargo(["tree", "--edges", "normal", "--prefix", "none"].into_iter().chain(packages));
    let output = tree.output().context("cannot run cargo tree")?;
    ensure!(output.status.success(), "cargo tree failed");
    let names = String::from_utf8_lossy(&output.stdout);
    for unwanted in ["tokio", "async-nats", "farm"] {
        let is_there = names.lines().any(|line| line.split(' ').next() == Some(unwanted));
        ensure!(!is_there, "a library of the engine depends on {unwanted}");
    }
    succeed(&mut cargo(["check", "--package", "emilia", "--no-default-features"]))
}

fn documentation() -> Result<()> {
    succeed(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// All tests. Those of the terminal need tmux, and fail without it if `EMILIA_NEEDS_TMUX` is set; those of the farm need
/// nats-server and `EMILIA_NEEDS_NATS` in the same way.
fn native_tests() -> Result<()> {
    let mut tests = cargo(["test", "--workspace", "--no-fail-fast"]);
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
    let outcome = succeed(&mut tests);
    TESTS_ARE_BUILT.store(true, Relaxed);
    outcome
}

/// The crates whose code depends on the kernels; crates above them call the same code.
const WITH_KERNELS: [&str; 3] = ["othello", "evaluation", "search"];

fn portable_tests() -> Result<()> {
    let directory = target_directory().join("portable");
    let packages = WITH_KERNELS.iter().flat_map(|name| ["--package", name]);
    succeed(&mut cargo_for_cpu(BASELINE_CPU, &directory, ["test"].into_iter().chain(packages)))
}

/// On a machine with AVX-512 no other step compiles the selection of kernels for AVX2. The kernels themselves are run by
/// `crosscheck`.
fn avx2_build() -> Result<Outcome> {
    if !cfg!(target_arch = "x86_64") {
        return Ok(Outcome::left_out("there is no AVX2 on this architecture"));
    }
    let directory = target_directory().join("avx2");
    let packages = WITH_KERNELS.iter().flat_map(|name| ["--package", name]);
    let lints = ["--", "-D", "warnings"];
    passed(succeed(&mut cargo_for_cpu(AVX2_CPU, &directory, ["clippy"].into_iter().chain(packages).chain(lints))))
}
