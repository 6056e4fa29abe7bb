//! Changes of the working tree against the upstream branch, which decide whether the tests of the classic programs run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use crate::cargo::{packages, workspace};

/// Folder of the classic programs.
const CLASSICS: &str = "classics";

/// Files outside the folders of crates that every crate depends on.
const SHARED: [&str; 5] = ["Cargo.toml", "Cargo.lock", ".cargo/", "data/", "rust-toolchain"];

/// Packages of classic programs that neither changed nor depend on anything that did. Without git, or without an
/// upstream branch, all count as changed.
pub(crate) fn unchanged_classics() -> Result<Vec<String>> {
    let Some(changed) = changed_files() else { return Ok(Vec::new()) };
    let packages: Vec<Package> = packages()?.iter().map(Package::of).collect();
    let is_classic = |package: &&Package| package.folder.starts_with(CLASSICS);
    let names = packages.iter().filter(is_classic).map(|package| package.name.as_str());
    Ok(names.filter(|name| !depends_on_a_change(&packages, name, &changed)).map(str::to_owned).collect())
}

/// A package of the workspace.
struct Package {
    name: String,
    /// Its folder in the workspace.
    folder: PathBuf,
    /// Names of its dependencies, those of its tests included.
    dependencies: Vec<String>,
}

impl Package {
    fn of(package: &Value) -> Self {
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().unwrap_or(&manifest);
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        Self {
            name: package["name"].as_str().unwrap_or_default().to_owned(),
            folder: folder.strip_prefix(workspace()).unwrap_or(folder).to_path_buf(),
            dependencies: dependencies.filter_map(|one| one["name"].as_str()).map(str::to_owned).collect(),
        }
    }
}

/// Whether a package, a package that it depends on, or a file for all of them is among the changed files.
fn depends_on_a_change(packages: &[Package], name: &str, changed: &[String]) -> bool {
    let mut needed = vec![name];
    let mut next = 0;
    while let Some(&name) = needed.get(next) {
        next += 1;
        let Some(package) = packages.iter().find(|package| package.name == name) else { continue };
        for dependency in &package.dependencies {
            if !needed.contains(&dependency.as_str()) {
                needed.push(dependency);
            }
        }
    }
    let folders: Vec<&Path> = packages
        .iter()
        .filter(|package| needed.contains(&package.name.as_str()))
        .map(|package| package.folder.as_path())
        .collect();
    changed.iter().any(|file| {
        SHARED.iter().any(|shared| file.starts_with(shared))
            || folders.iter().any(|folder| Path::new(file).starts_with(folder))
    })
}

/// Files that differ from the last commit shared with the upstream branch, those without a commit included.
fn changed_files() -> Option<Vec<String>> {
    let base = ["@{upstream}", "origin/HEAD", "origin/main"]
        .iter()
        .find_map(|&branch| git(&["merge-base", "HEAD", branch]))?;
    let differing = git(&["diff", "--name-only", base.trim()])?;
    let untracked = git(&["ls-files", "--others", "--exclude-standard"])?;
    Some(differing.lines().chain(untracked.lines()).map(str::to_owned).collect())
}

/// Output of a git command in the workspace; `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(workspace()).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, folder: &str, dependencies: &[&str]) -> Package {
        let dependencies = dependencies.iter().map(|&name| name.to_owned()).collect();
        Package { name: name.to_owned(), folder: folder.into(), dependencies }
    }

    #[test]
    fn a_change_reaches_all_that_depend_on_it() {
        let packages = [
            package("rules", "crates/rules", &["serde"]),
            package("search", "crates/search", &["rules"]),
            package("window", "crates/window", &["search"]),
            package("iago", "classics/iago", &["search"]),
            package("iago_two", "classics/iago_two", &["serde"]),
        ];
        let reached = |name, file: &str| depends_on_a_change(&packages, name, &[file.to_owned()]);
        for file in ["classics/iago/src/lib.rs", "crates/rules/src/board.rs", "Cargo.lock", "data/weights.bin"] {
            assert!(reached("iago", file), "{file}");
        }
        for file in ["crates/window/src/lib.rs", "classics/iago_two/src/lib.rs", "docs/tour.md", "README.md"] {
            assert!(!reached("iago", file), "{file}");
        }
        assert!(!depends_on_a_change(&packages, "iago", &[]));
    }
}
