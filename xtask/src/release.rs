//! `cargo xtask release`: the program for this machine's CPU, for recent ones and for any.

use std::fs;

use anyhow::{Context, Result};

use crate::cargo::{BASELINE_CPU, cargo_for_cpu, succeed, target_directory};

/// Build the program for this CPU, for x86-64-v3 and for the baseline, into target/dist
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    let targets = target_directory();
    let dist = targets.join("dist");
    fs::create_dir_all(&dist).with_context(|| format!("cannot make the directory {}", dist.display()))?;
    let mut cpus = vec![("native", "native"), ("baseline", BASELINE_CPU)];
    if cfg!(target_arch = "x86_64") {
        // AVX2 and BMI2: every desktop CPU since Haswell (2013) and Zen (2017).
        cpus.insert(1, ("v3", "x86-64-v3"));
    }
    let extension = std::env::consts::EXE_SUFFIX;
    for (name, cpu) in cpus {
        let directory = targets.join("release-builds").join(name);
        succeed(&mut cargo_for_cpu(cpu, &directory, ["build", "--release", "--package", "emilia"]))?;
        let built = directory.join("release").join(format!("emilia{extension}"));
        let packed = dist.join(format!("emilia-{}-{name}{extension}", std::env::consts::ARCH));
        fs::copy(&built, &packed)
            .with_context(|| format!("cannot copy {} to {}", built.display(), packed.display()))?;
        println!("{}", packed.display());
    }
    Ok(())
}
