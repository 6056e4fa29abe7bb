//! The engine of the static page as a WebAssembly module under Node: built, checked, and its bench signature compared
//! with the recorded one, which a step of its own checks natively.
//!
//! The compiler is the one that runs this, if it has the target `wasm32-unknown-unknown`. Otherwise it is Debian's, which
//! has no library for the target and builds it from its sources.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::cargo::{cargo, succeed, target_directory, workspace};
use crate::signature::written_down;
use crate::test::Outcome;
use crate::tools::{apt_install, found_or_installed, runs};

const TARGET: &str = "wasm32-unknown-unknown";

/// The crate of the module.
const CRATE: &str = "page_module";

/// The profile of the workspace with which it is built.
const PROFILE: &str = "web";

/// Every browser since 2023 has these instructions.
const RUST_FLAGS: &str = "-C target-feature=+simd128";

/// Debian's compiler, by full path because another one may come first in the search path.
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld-19";
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library/std";

/// Builds the module, runs its checks and compares the signatures.
pub(crate) fn runs_under_node() -> Result<Outcome> {
    if !is_possible()? {
        return Ok(Outcome::left_out(no_compiler()));
    }
    let node = || runs("node", &["--version"]).then_some(());
    if found_or_installed("Node", node, || apt_install(&["nodejs"]))?.is_none() {
        return Ok(Outcome::left_out("no node (apt-get install nodejs)"));
    }
    let (found, native) = (signature(&mut checks(&module()?))?, written_down()?);
    ensure!(found == native, "the bench signature is {found} in WebAssembly; expected {native}");
    Ok(Outcome::Passed)
}

/// Whether there is a compiler; it is installed and required if `CI` is set.
pub(crate) fn is_possible() -> Result<bool> {
    Ok(found_or_installed(&format!("a compiler for {TARGET}"), Compiler::find, install)?.is_some())
}

/// Builds the module.
pub(crate) fn module() -> Result<PathBuf> {
    let compiler = Compiler::find().with_context(no_compiler)?;
    let directory = target_directory().join("wasm");
    succeed(&mut compiler.build(&directory))?;
    Ok(directory.join(TARGET).join(PROFILE).join(format!("{CRATE}.wasm")))
}

/// The command that checks a module under Node, and prints its signature and its speed.
pub(crate) fn checks(module: &Path) -> Command {
    let root = workspace();
    let mut command = Command::new("node");
    command.arg(root.join("crates/page_module/checks/engine.mjs")).arg(module).arg(root.join("data"));
    command
}

/// Installs a compiler: where rustup has the target, nothing else is needed.
fn install() -> Result<()> {
    let rustup = Command::new("rustup").args(["target", "add", TARGET]).status();
    if rustup.is_ok_and(|status| status.success()) { Ok(()) } else { apt_install(&DEBIAN_PACKAGES) }
}

fn no_compiler() -> String {
    let packages = DEBIAN_PACKAGES.join(" ");
    format!("no compiler for {TARGET} (rustup target add {TARGET}, or apt-get install {packages})")
}

/// A compiler that can build for the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compiler {
    /// The one that runs this.
    Own,
    /// That of the Debian packages.
    Debian,
}

impl Compiler {
    fn find() -> Option<Self> {
        let mut probe = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let output = probe.args(["--print", "target-libdir", "--target", TARGET]).stderr(Stdio::null()).output();
        let has_library = |path: &str| fs::read_dir(path).is_ok_and(|mut files| files.next().is_some());
        if output.is_ok_and(|output| has_library(String::from_utf8_lossy(&output.stdout).trim())) {
            return Some(Self::Own);
        }
        let debian = [DEBIAN_CARGO, DEBIAN_RUSTC, DEBIAN_LINKER, DEBIAN_SOURCES];
        debian.iter().all(|path| Path::new(path).exists()).then_some(Self::Debian)
    }

    /// The command that builds the module.
    fn build(self, directory: &Path) -> Command {
        let arguments = ["build", "--package", CRATE, "--profile", PROFILE, "--target", TARGET];
        let mut command = match self {
            Self::Own => cargo(arguments),
            Self::Debian => {
                let mut command = Command::new(DEBIAN_CARGO);
                command.current_dir(workspace()).args(arguments).args(["-Z", "build-std=std,panic_abort"]);
                // Environment variables for another compiler must not affect this one.
                for name in ["LD_LIBRARY_PATH", "RUSTUP_TOOLCHAIN", "CARGO", "RUSTDOC"] {
                    command.env_remove(name);
                }
                command
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER);
                command
            }
        };
        // A target directory of its own: compilers of two versions would rebuild each other's files.
        command.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", RUST_FLAGS).env("CARGO_TARGET_DIR", directory);
        command
    }
}

/// Runs a command that prints `Bench: N` in its last line, and shows what it prints.
pub(crate) fn signature(command: &mut Command) -> Result<u64> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {program}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    ensure!(output.status.success(), "{program} failed ({})", output.status);
    signature_of(&text)
        .with_context(|| format!("{program} did not end with its signature; expected \"Bench: \" and a number"))
}

/// The number of the last line, if that is a signature.
fn signature_of(text: &str) -> Option<u64> {
    text.lines().last()?.strip_prefix("Bench: ")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_number_of_the_last_line() {
        assert_eq!(signature_of("all 7 nodes\nBench: 46230298\n"), Some(46_230_298));
        for text in ["", "Bench: 1\nmore\n", "Bench: many\n"] {
            assert_eq!(signature_of(text), None, "{text}");
        }
    }

    #[test]
    fn debians_compiler_sees_nothing_of_the_one_that_runs_this() {
        let command = Compiler::Debian.build(Path::new("target/wasm"));
        let variable = |name: &str| command.get_envs().find(|(found, _)| *found == name).map(|(_, value)| value);
        assert_eq!(command.get_program(), DEBIAN_CARGO);
        assert_eq!(variable("LD_LIBRARY_PATH"), Some(None));
        assert_eq!(variable("RUSTC").flatten(), Some(DEBIAN_RUSTC.as_ref()));
        assert_eq!(Compiler::Own.build(Path::new("target/wasm")).get_envs().count(), 3);
    }
}
