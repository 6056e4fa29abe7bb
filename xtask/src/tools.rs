//! Programs that some steps need: installed and required if `CI` is set, never installed otherwise.

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};

use crate::cargo::succeed;

/// Whether continuous integration runs this: then everything that a step needs is installed and required.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some()
}

/// Looks for something that a step needs. If `CI` is set, it is installed if missing, and required; otherwise `None` is
/// returned, and the step is skipped.
pub(crate) fn found_or_installed<T>(
    what: &str,
    find: impl Fn() -> Option<T>,
    install: impl Fn() -> Result<()>,
) -> Result<Option<T>> {
    let found = find();
    if found.is_some() || !is_ci() {
        return Ok(found);
    }
    println!("{what} is missing: installing it, because CI is set");
    install()?;
    let found = find();
    ensure!(found.is_some(), "{what} was installed and is still not found");
    Ok(found)
}

/// Installs Debian packages.
pub(crate) fn apt_install(packages: &[&str]) -> Result<()> {
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
    };
    apt_get(&["update", "-qq"])?;
    apt_get(&[&["install", "-y", "-qq"], packages].concat())
}

/// Whether a program runs with these arguments and succeeds.
pub(crate) fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut probe = Command::new(program);
    probe.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Fails if parts of the toolchain that the steps need are missing.
pub(crate) fn require_toolchain() -> Result<()> {
    for (component, command) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let find = || runs(&cargo, &[command, "--version"]).then_some(());
        let install = || succeed(Command::new("rustup").args(["component", "add", component]));
        ensure!(
            found_or_installed(component, find, install)?.is_some(),
            "the toolchain lacks {component}: install it with `rustup component add {component}`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_installed() {
        let found = found_or_installed("it", || Some(7), || panic!("nothing is missing")).expect("it is there");
        assert_eq!(found, Some(7));
    }
}
