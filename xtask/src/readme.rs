//! The example commands of README.md and docs/tour.md, run as written.
//!
//! An example is a line that begins with `$ ` in a block fenced as `console` or `sh`; a line that ends with a backslash
//! continues on the next one. A block fenced as `console no-run` is not run: commands that take long, need the network or
//! another program, or run the tests that run the examples.
//!
//! The lines below a command, up to the next one, are its expected output. What differs from run to run is left open: `…`
//! within a line matches any text, a line that is only `...` any number of lines. A command without expected output only
//! has to succeed.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::cargo::{program, target_directory, workspace};
use crate::wildcards::matches_text;

/// Time limit of an example: a reader who tries it out should not wait longer, and one that never ends must not block the
/// tests.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The pages whose examples are run.
const PAGES: [&str; 2] = ["README.md", "docs/tour.md"];

/// Runs every example of the pages, with the program of this workspace first in the search path.
pub(crate) fn run_examples() -> Result<()> {
    let pages = PAGES.map(|page| (page, page_examples(page)));
    program("emilia")?;
    let mut failures = Vec::new();
    for (page, examples) in pages {
        let examples = examples?;
        println!("{page}: {} examples", examples.len());
        let directory = scratch_directory()?;
        for example in &examples {
            println!("$ {}", example.command);
            let outcome = run_example(&example.command, &directory).and_then(|output| example.compare(&output));
            if let Err(error) = outcome {
                println!("  {error:#}");
                failures.push(format!("{page}: {}", example.command));
            }
        }
    }
    ensure!(failures.is_empty(), "failed examples: {}", failures.join("; "));
    Ok(())
}

/// The examples of a page of the workspace, of which there must be some.
fn page_examples(page: &str) -> Result<Vec<Example>> {
    let text = fs::read_to_string(workspace().join(page)).with_context(|| format!("cannot read {page}"))?;
    let examples = examples(&text);
    ensure!(!examples.is_empty(), "{page} has no example command: expected lines that begin with `$ `");
    Ok(examples)
}

/// A command of a Markdown page with the output that is shown below it.
#[derive(PartialEq, Eq, Debug)]
struct Example {
    command: String,
    output: Vec<String>,
}

impl Example {
    /// Compares what the command printed with what the page shows, if anything.
    fn compare(&self, printed: &str) -> Result<()> {
        ensure!(
            self.output.is_empty() || matches_text(&self.output, printed),
            "the output differs from the page; it is now:\n{}",
            printed.trim_end()
        );
        Ok(())
    }
}

/// The commands of a Markdown page that are to be run, in order.
fn examples(markdown: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut in_block = false;
    let mut is_run = false;
    // Lines belong to the last command of their own block.
    let mut is_output = false;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            in_block = !in_block;
            is_output = false;
            let mut words = fence.split_whitespace();
            is_run = in_block && matches!(words.next(), Some("console" | "sh")) && !words.any(|word| word == "no-run");
        } else if let (true, Some(command)) = (is_run, line.trim_start().strip_prefix("$ ")) {
            let mut command = command.to_owned();
            while let Some(shorter) = command.strip_suffix('\\') {
                command = format!("{}{}", shorter, lines.next().unwrap_or_default().trim_start());
            }
            examples.push(Example { command, output: Vec::new() });
            is_output = true;
        } else if let (true, true, Some(example)) = (is_run, is_output, examples.last_mut()) {
            example.output.push(line.to_owned());
        }
    }
    for example in &mut examples {
        // Empty lines between two commands are not output.
        while example.output.last().is_some_and(|line| line.trim().is_empty()) {
            example.output.pop();
        }
    }
    examples
}

/// A fresh directory with links to the files of the workspace, so that what the examples write does not litter the
/// workspace.
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

/// Runs a command and returns its output.
fn run_example(example: &str, directory: &Path) -> Result<String> {
    let programs = target_directory().join("debug");
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = env::join_paths(std::iter::once(programs).chain(env::split_paths(&paths)))?;
    // Cargo itself must see the real workspace: through another path it would rebuild everything.
    let root = workspace();
    let directory = if example.starts_with("cargo ") { &root } else { directory };
    let mut child = Command::new("bash")
        .args(["-o", "pipefail", "-c", example])
        .current_dir(directory)
        .env("PATH", paths)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start bash, which runs the examples")?;
    // Read while it runs: a full pipe would block it.
    let mut stdout = child.stdout.take().context("the output of the example is not a pipe")?;
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| bytes)
    });
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "failed ({status})");
            let bytes = reader.join().map_err(|_| anyhow!("the output cannot be read"))??;
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
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
    fn the_examples_of_the_tour_are_among_those_that_are_run() {
        let commands: Vec<String> =
            PAGES.iter().flat_map(|page| page_examples(page).expect(page)).map(|example| example.command).collect();
        for command in ["emilia hint f5d6c3d3c4 --level 10", "emilia perft 12 --board 4 --free-pass --json"] {
            assert!(commands.iter().any(|known| known == command), "{command}");
        }
        assert!(!commands.iter().any(|command| command.contains("learn cycle")), "examples marked no-run are not run");
    }

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
        let example = |command: &str, output: &[&str]| Example {
            command: command.to_owned(),
            output: output.iter().map(|&line| line.to_owned()).collect(),
        };
        let expected = [example("emilia perft 5", &["1396"]), example("emilia show f5d6", &[]), example("true", &[])];
        assert_eq!(examples(markdown), expected);
    }

    #[test]
    fn output_is_compared_except_where_it_is_left_open() {
        let example =
            |output: &str| Example { command: String::new(), output: output.lines().map(str::to_owned).collect() };
        let printed = "perft 5\n1396 positions, 0.01 s\n\nbye\n";
        for shown in ["", "...", "perft 5\n1396 positions, … s\n\nbye", "...\n\nbye", "perft …\n...", "…\n...\nb…e"]
        {
            assert!(example(shown).compare(printed).is_ok(), "{shown:?}");
        }
        for shown in ["perft 5", "perft 6\n...", "...\nby", "perft 5\n1397 positions, … s\n\nbye"] {
            let error = example(shown).compare(printed).expect_err(shown).to_string();
            assert!(error.contains("1396 positions"), "{error}");
        }
    }
}
