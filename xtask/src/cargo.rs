//! Cargo as the other commands call it: in the workspace, for this machine's CPU or for a named one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The baseline CPU of this architecture: a build for it uses the portable kernels.
pub(crate) const BASELINE_CPU: &str = if cfg!(target_arch = "x86_64") { "x86-64" } else { "generic" };

/// A CPU with AVX2 and without AVX-512.
pub(crate) const AVX2_CPU: &str = "x86-64-v3";

/// The directory that holds the workspace.
pub(crate) fn workspace() -> PathBuf {
    // Cargo names the directory at run time; a binary started by hand uses the folder of its build.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The directory that cargo builds into.
pub(crate) fn target_directory() -> PathBuf {
    workspace().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A cargo command in the workspace, built for this machine as `.cargo/config.toml` says.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace()).args(arguments);
    command
}

/// A cargo command that builds for another CPU, in a separate target directory.
pub(crate) fn cargo_for_cpu<S: AsRef<OsStr>>(
    cpu: &str,
    directory: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = cargo(arguments);
    command
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", format!("-C target-cpu={cpu}"))
        .env("CARGO_TARGET_DIR", directory);
    command
}

/// A program of the workspace, built for development. The whole workspace is selected, as the tests select it: a package
/// alone has dependencies with fewer features, which would be compiled a second time.
pub(crate) fn program(name: &str) -> Result<Command> {
    succeed(&mut cargo(["build", "--quiet", "--workspace", "--bin", name, "--features", &test_features()?]))?;
    let file = target_directory().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(file);
    command.current_dir(workspace());
    Ok(command)
}

/// The packages of the workspace, as `cargo metadata` describes them.
pub(crate) fn packages() -> Result<Vec<Value>> {
    let output =
        cargo(["metadata", "--format-version", "1", "--no-deps"]).output().context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let mut metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        other => bail!("cargo metadata lists {other}; expected packages"),
    }
}

/// The features that only tests request of the packages of the workspace. Steps without tests request them, too, so that
/// nothing is compiled a second time without them.
pub(crate) fn test_features() -> Result<String> {
    let packages = packages()?;
    let has_feature = |package: &&Value| package["features"]["test-support"].is_array();
    let names = packages.iter().filter(has_feature).filter_map(|package| package["name"].as_str());
    Ok(names.map(|name| format!("{name}/test-support")).collect::<Vec<_>>().join(","))
}

/// Runs a command; an exit code other than 0 is an error.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let line = line(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}

/// The command as it would be typed.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
