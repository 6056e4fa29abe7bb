//! `cargo xtask fuzz`: the targets in `fuzz`, one after the other, by cargo-fuzz.

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{cargo, succeed, workspace};
use crate::tools::{found_or_installed, runs};

/// Run the fuzz targets: every parser of external text or bytes, and dialogues with the host of a page
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these targets [default: all of them]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, value_name = "S", default_value_t = 60)]
    seconds: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let known = targets()?;
    if let Some(unknown) = arguments.targets.iter().find(|target| !known.contains(target)) {
        bail!("there is no target {unknown}; expected one of: {}", known.join(", "));
    }
    let find = || runs("cargo", &["fuzz", "--version"]).then_some(());
    let install = || succeed(&mut cargo(["install", "cargo-fuzz", "--locked"]));
    let is_there = found_or_installed("cargo-fuzz", find, install)?.is_some();
    ensure!(is_there, "there is no cargo-fuzz (cargo install cargo-fuzz --locked)");
    let wanted = if arguments.targets.is_empty() { &known } else { &arguments.targets };
    for target in wanted {
        // New inputs are written into the first folder.
        let folders = ["corpus", "seeds"].map(|folder| format!("fuzz/{folder}/{target}"));
        for folder in &folders {
            fs::create_dir_all(workspace().join(folder)).with_context(|| format!("cannot make the folder {folder}"))?;
        }
        let mut command = cargo(["fuzz", "run", target]);
        command.args(folders).args(["--", &format!("-max_total_time={}", arguments.seconds)]);
        // The stable compiler instruments code, too, if it is permitted to.
        succeed(command.env("RUSTC_BOOTSTRAP", "1"))?;
    }
    Ok(())
}

/// The names of all targets, in alphabetical order.
fn targets() -> Result<Vec<String>> {
    let folder = workspace().join("fuzz/fuzz_targets");
    let unreadable = || format!("cannot read the folder {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_declared_and_has_seeds() {
        let manifest = fs::read_to_string(workspace().join("fuzz/Cargo.toml")).expect("a manifest");
        for target in targets().expect("targets") {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")), "{target}");
            let folder = workspace().join("fuzz/seeds").join(&target);
            let seeds = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            assert!(seeds.count() > 0, "{target} has no seeds");
        }
    }
}
