//! The example commands of README.md, executed as they stand there.
//!
//! An example is a line that begins with `$ ` in a block fenced as `console` or `sh`; a line that ends
//! with a backslash goes on in the next one. A block fenced as `console no-run` is only for reading:
//! commands that take long, need the network, or run the tests that run the examples.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{cargo, succeed, target_directory, workspace};

/// A newcomer who tries an example does not wait longer, and a command that waits for ever must not
/// stop the tests.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Runs every example of README.md with the program of this workspace first in the search path.
pub(crate) fn run_examples() -> Result<()> {
    let path = workspace().join("README.md");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let examples = examples(&text);
    ensure!(!examples.is_empty(), "README.md has no example command: expected lines that begin with `$ `");
    succeed(&mut cargo(["build", "--quiet", "--package", "emilia"]))?;
    let directory = scratch_directory()?;
    let mut failures = Vec::new();
    for example in &examples {
        println!("$ {example}");
        if let Err(error) = run_example(example, &directory) {
            println!("  {error:#}");
            failures.push(example.as_str());
        }
    }
    ensure!(
        failures.is_empty(),
        "{} of {} examples of README.md failed: {}",
        failures.len(),
        examples.len(),
        failures.join("; ")
    );
    println!("{} examples of README.md run", examples.len());
    Ok(())
}

/// The commands of a Markdown text that are to be run, in order.
fn examples(markdown: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut in_block = false;
    let mut is_run = false;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            in_block = !in_block;
            let mut words = fence.split_whitespace();
            is_run = in_block && matches!(words.next(), Some("console" | "sh")) && !words.any(|word| word == "no-run");
        } else if let (true, Some(command)) = (is_run, line.trim_start().strip_prefix("$ ")) {
            let mut command = command.to_owned();
            while let Some(shorter) = command.strip_suffix('\\') {
                command = format!("{}{}", shorter, lines.next().unwrap_or_default().trim_start());
            }
            examples.push(command);
        }
    }
    examples
}

/// An empty directory through which the workspace's own files are seen, so that what the examples
/// write does not litter the workspace.
fn scratch_directory() -> Result<PathBuf> {
    let root = workspace();
    let directory = target_directory().join("readme");
    let context = || format!("cannot prepare the directory {}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(&directory).with_context(context)?;
    }
    fs::create_dir_all(&directory).with_context(context)?;
    for entry in fs::read_dir(&root).with_context(context)? {
        let entry = entry.with_context(context)?;
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with('.') && name != "target" {
            #[cfg(unix)]
            std::os::unix::fs::symlink(entry.path(), directory.join(&name)).with_context(context)?;
        }
    }
    Ok(if cfg!(unix) { directory } else { root })
}

fn run_example(example: &str, directory: &Path) -> Result<()> {
    let programs = target_directory().join("debug");
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = env::join_paths(std::iter::once(programs).chain(env::split_paths(&paths)))?;
    // Cargo itself must see the real workspace: through another path it would build everything anew.
    let root = workspace();
    let directory = if example.starts_with("cargo ") { &root } else { directory };
    let mut child = Command::new("bash")
        .args(["-o", "pipefail", "-c", example])
        .current_dir(directory)
        .env("PATH", paths)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .context("cannot start bash, which runs the examples")?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "failed ({status})");
            return Ok(());
        }
        if start.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("still running after {} seconds with its input closed", TIME_LIMIT.as_secs());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_the_prompt_lines_of_console_blocks() {
        let markdown = "\
$ outside
```console
$ emilia perft 5
1396
$ emilia show \\
    f5d6
```
```rust
$ not a shell
```
```console no-run
$ cargo xtask test
```
```sh
$ true
```
";
        assert_eq!(examples(markdown), ["emilia perft 5", "emilia show f5d6", "true"]);
    }
}
