//! Command lines with their output, as files of `tests/program/cases` show them.
//!
//! A test is a line `== a sentence` with the commands below it, which run one after the other in a folder of their own:
//!
//! - `$ emilia …` runs the program, `$ cat FILE` prints a file of the folder, `$ ls` prints their names.
//! - `< …` is a line of standard input; `$ cat > FILE` writes these lines to a file.
//! - `? 2` below a command is its exit code; without one, the command has to succeed.
//! - `! …` is a line on standard error, and any other line one of standard output. All of them have to be there, and no
//!   others. As in README.md, `…` within a line matches any text, and a line that is only `...` (`! ...`) any lines.
//! - `// …` is a comment. Everywhere, `{root}` is the folder of the project, `{folder}` that of the test, with a slash at its
//!   end, and `{version}` the version of the program.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Folder, Run, command_of, finish, words};
use crate::wildcards;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

macro_rules! files {
    ($($name:ident),+ $(,)?) => {
        $(#[test] fn $name() { check_file(stringify!($name)); })+

        const FILES: &[&str] = &[$(stringify!($name)),+];
    };
}

files! {
    analyze, book, command_line, config, convert, explore, hint, learn, matches, nboard, play, positions, records,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/cases")
}

#[test]
fn every_file_is_checked() {
    let files = fs::read_dir(folder()).expect("the folder").map(|file| file.expect("a file").path());
    let mut names: Vec<_> =
        files.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, FILES);
}

/// A text with what its placeholders stand for.
fn placed(text: &str, folder: &Folder) -> String {
    let text = text.replace("{root}", ROOT).replace("{folder}", &folder.path(""));
    text.replace("{version}", env!("CARGO_PKG_VERSION"))
}

/// A command with its expected result.
#[derive(Default)]
struct Step {
    line: String,
    input: String,
    code: i32,
    errors: Vec<String>,
    output: Vec<String>,
}

/// The text of a line that begins with a sign.
fn text_after(line: &str, sign: char) -> Option<&str> {
    let rest = line.strip_prefix(sign)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("// ")) {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { line: command.to_owned(), ..Step::default() });
            continue;
        }
        let Some(step) = steps.last_mut() else { continue };
        if let Some(code) = line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
            step.code = code;
        } else if let Some(input) = text_after(line, '<') {
            step.input += &format!("{input}\n");
        } else if let Some(error) = text_after(line, '!') {
            step.errors.push(error.to_owned());
        } else {
            step.output.push(line.to_owned());
        }
    }
    steps
}

impl Step {
    fn run(&self, folder: &Folder) -> Run {
        let mut words: Vec<String> = words(&self.line).into_iter().map(|word| placed(&word, folder)).collect();
        let output = |stdout| Run { stdout, stderr: String::new(), code: Some(0) };
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["cat", ">", name] => {
                folder.write(name, &self.input);
                output(String::new())
            }
            ["cat", name] => output(folder.read(name)),
            ["ls"] => output(folder.names_in("").join("\n")),
            _ => {
                let program = words.iter().position(|word| word == "emilia").expect("a command of the tests");
                let mut command = command_of(&words.split_off(program)[1..]);
                command.envs(words.iter().map(|word| word.split_once('=').expect("a variable")));
                finish(command.current_dir(folder.path("")), self.input.as_bytes())
            }
        }
    }

    /// Describes the difference between the result of a run and the expected one, if there is any.
    fn difference(&self, run: &Run, folder: &Folder) -> Option<String> {
        let expected = |lines: &[String]| lines.iter().map(|line| placed(line, folder)).collect::<Vec<_>>();
        // No message has the numbers of the system.
        let is_as_expected = run.code == Some(self.code)
            && !run.stderr.contains("(os error ")
            && wildcards::matches_text(&expected(&self.errors), &run.stderr)
            && wildcards::matches_text(&expected(&self.output), &run.stdout);
        let errors: String = run.stderr.lines().map(|line| format!("! {line}\n")).collect();
        let code = run.code.unwrap_or(-1);
        (!is_as_expected).then(|| format!("$ {}\n? {code}\n{errors}{}\n", self.line, run.stdout.trim_end()))
    }
}

fn check_file(name: &str) {
    let text = fs::read_to_string(folder().join(format!("{name}.txt"))).expect("a file of cases");
    let mut failures = String::new();
    for (number, test) in text.split("\n== ").skip(1).enumerate() {
        let folder = Folder::new(&format!("cases_{name}_{number}"));
        let (title, text) = test.split_once('\n').expect("commands");
        let differences =
            steps(text).iter().filter_map(|step| step.difference(&step.run(&folder), &folder)).collect::<String>();
        if !differences.is_empty() {
            failures += &format!("== {title}\n{differences}\n");
        }
    }
    assert!(failures.is_empty(), "other results than in {name}.txt:\n\n{failures}");
}
