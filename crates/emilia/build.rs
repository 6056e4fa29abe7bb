//! The version that `emilia --version` prints, with the commit where there is one: `0.1.0 (abc1234, 2026-11-16)`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Without a line of this kind every change of a file would run this again.
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=EMILIA_VERSION={version}");
}

/// The abbreviated hash and the date of the commit that is checked out; none in a source archive or without git.
fn commit() -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    // A source archive may lie inside of another project's repository.
    if !root.join(".git").exists() {
        return None;
    }
    // The log of HEAD grows with every commit, checkout and reset; HEAD itself only names a branch.
    for name in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&root, &["rev-parse", "--git-path", name])?);
        // A file that does not exist would count as changed in every build.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&root, &["log", "-1", "--abbrev=7", "--format=%h, %cs"])
}

/// Output of git, without the end of the line.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim_end();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
