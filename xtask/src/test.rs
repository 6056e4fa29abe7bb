//! `cargo xtask test`: everything that must hold before a change is taken.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::cargo::{BASELINE_CPU, cargo, cargo_for_cpu, succeed, target_directory};
use crate::{crosscheck, readme, report, wasm};

/// Format, lints, documentation, tests on native and portable kernels, crosscheck, README examples, report in a browser, the engine in
/// WebAssembly
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the steps whose name contains this
    #[arg(value_name = "STEP", value_parser = part_of_a_name)]
    filter: Option<String>,
}

struct Step {
    name: &'static str,
    check: fn() -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "tools", check: tools_are_installed },
    Step { name: "format", check: || succeed(&mut cargo(["fmt", "--all", "--check"])) },
    Step { name: "clippy", check: clippy },
    Step { name: "documentation", check: documentation },
    Step { name: "tests on the native kernels", check: || succeed(&mut cargo(["test", "--workspace"])) },
    Step { name: "tests on the portable kernels", check: portable_tests },
    Step { name: "crosscheck", check: || crosscheck::run(&crosscheck::Arguments::small()) },
    Step { name: "README examples", check: readme::run_examples },
    Step { name: "report in a browser", check: report::opens_in_a_browser },
    Step { name: "wasm: the engine under Node", check: wasm::runs_under_node },
];

fn part_of_a_name(text: &str) -> Result<String, String> {
    if STEPS.iter().any(|step| step.name.contains(text)) {
        return Ok(text.to_owned());
    }
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    Err(format!("no step has this name: expected a part of one of: {}", names.join(", ")))
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let wanted = |step: &&Step| arguments.filter.as_deref().is_none_or(|filter| step.name.contains(filter));
    let steps: Vec<_> = STEPS.iter().filter(wanted).collect();
    let mut summary = Vec::new();
    let mut failed = 0;
    for step in &steps {
        println!("\n== {}", step.name);
        let start = Instant::now();
        let outcome = (step.check)();
        let seconds = start.elapsed().as_secs_f64();
        if let Err(error) = &outcome {
            failed += 1;
            eprintln!("error: {error:#}");
        }
        summary.push(format!(
            "{:6}  {seconds:7.1} s  {}",
            if outcome.is_ok() { "passed" } else { "FAILED" },
            step.name
        ));
    }
    println!("\n{}\n{} passed, {failed} failed", summary.join("\n"), steps.len() - failed);
    ensure!(failed == 0, "{failed} of {} steps failed", steps.len());
    Ok(())
}

/// Looks for the parts of the toolchain that the steps need, and asks rustup for what is missing; and for tmux, in
/// which the terminal game is tested.
fn tools_are_installed() -> Result<()> {
    look_for_tmux();
    let mut missing = Vec::new();
    for (component, command) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let is_present = || {
            let mut probe = cargo([command, "--version"]);
            probe.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        if !is_present() {
            println!("{component} is missing: asking rustup for it");
            let _ = succeed(Command::new("rustup").args(["component", "add", component]));
            if !is_present() {
                missing.push(component);
            }
        }
    }
    ensure!(
        missing.is_empty(),
        "the toolchain lacks {}: install it, with `rustup component add {}` or as your system does",
        missing.join(" and "),
        missing.join(" ")
    );
    Ok(())
}

/// Asks Debian's package manager for tmux where it is missing. It is no fault where it cannot be had: the tests that
/// need it say so and leave themselves out.
fn look_for_tmux() {
    let is_present = || {
        let mut probe = Command::new("tmux");
        probe.arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if is_present() {
        return;
    }
    println!("tmux is missing: asking apt-get for it");
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
    };
    let installed = apt_get(&["update", "-qq"]).and_then(|()| apt_get(&["install", "-y", "-qq", "tmux"]));
    if let (Err(error), false) = (installed, is_present()) {
        println!("tmux cannot be had ({error:#}): the tests of the terminal game leave themselves out");
    }
}

fn clippy() -> Result<()> {
    succeed(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn documentation() -> Result<()> {
    succeed(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn portable_tests() -> Result<()> {
    let directory = target_directory().join("portable");
    succeed(&mut cargo_for_cpu(BASELINE_CPU, &directory, ["test", "--workspace"]))
}
