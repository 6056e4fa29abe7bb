//! Runs of the program: command lines as they are typed, in the folder of a test.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// The shipped games of the paper on IAGO, as a word of a command line.
pub const PAPER: &str = concat!("'", env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf'");

/// Settings for quick searches of books.
pub const QUICK: &str = "--depth 1 --hash 1 --threads 1 --weights hand-made";

/// The words of a command line, which blanks separate except in quotation marks.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for symbol in line.chars() {
        match quote {
            Some(mark) if symbol == mark => quote = None,
            None if symbol.is_whitespace() => words.extend(word.take()),
            None if "'\"".contains(symbol) => {
                quote = Some(symbol);
                word.get_or_insert_default();
            }
            _ => word.get_or_insert_default().push(symbol),
        }
    }
    words.into_iter().chain(word).collect()
}

/// The program with these arguments, without the settings of the user who runs the tests.
pub fn command_of(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
    command.args(arguments);
    for variable in ["NO_COLOR", "COLORTERM", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    for name in ["LEVEL", "THREADS", "HASH", "COLOR", "LANGUAGE"] {
        command.env_remove(format!("EMILIA_{name}"));
    }
    command.env("XDG_CONFIG_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-settings"));
    command.env("LC_ALL", "C.UTF-8");
    command
}

/// The program with the arguments of a command line.
pub fn command(line: &str) -> Command {
    command_of(&words(line))
}

/// Result of a run.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

/// Runs a command to its end, with these bytes on standard input.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes it early, which is not an error.
    let _ = child.stdin.take().expect("the input is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

impl Run {
    /// The output of a run that succeeded without a message on standard error.
    #[track_caller]
    pub fn well(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// The output of a run that succeeded, perhaps with warnings.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// The messages of a run that failed with this code.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self.stderr
    }
}

/// A folder of files in which the program runs.
pub struct Folder(PathBuf);

impl Folder {
    /// The empty folder of the test with this name.
    pub fn new(test: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(path, content).expect("the file can be written");
        self.path(name)
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("the file is text")
    }

    #[track_caller]
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// The names of the files in a folder in it, in alphabetical order.
    #[track_caller]
    pub fn names_in(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// The program with the arguments of a command line, in the folder.
    pub fn command(&self, line: &str) -> Command {
        let mut command = command(line);
        command.current_dir(&self.0);
        command
    }

    /// Runs a command line with closed input.
    pub fn emilia(&self, line: &str) -> Run {
        finish(&mut self.command(line), b"")
    }

    /// Runs a command line that succeeds without a message on standard error; its output.
    #[track_caller]
    pub fn well(&self, line: &str) -> String {
        self.emilia(line).well()
    }

    /// Runs a command line with `--json`; the objects that it prints.
    #[track_caller]
    pub fn rows(&self, line: &str) -> Vec<Value> {
        self.well(&format!("{line} --json")).lines().map(json).collect()
    }

    /// Runs a command line with `--json`; the first object that it prints.
    #[track_caller]
    pub fn row(&self, line: &str) -> Value {
        self.rows(line).swap_remove(0)
    }

    /// Checks that a command line is refused with a message that contains these words.
    #[track_caller]
    pub fn is_misused(&self, line: &str, words: &str) {
        let message = self.emilia(line).failed(2);
        assert!(message.contains(words), "{line}: {message}");
    }

    /// Checks that a command line fails with one sentence, which contains these words.
    #[track_caller]
    pub fn fails(&self, line: &str, words: &str) {
        let message = self.emilia(line).failed(1);
        assert!(message.starts_with("emilia: ") && message.trim_end().lines().count() == 1, "{message}");
        assert!(message.contains(words), "{line}: {message}");
    }

    /// Starts a command line without input; its messages are dropped. If it prints much, its output has to be read: a full pipe
    /// stops it.
    pub fn start(&self, line: &str) -> Started {
        Started::new(self.command(line).stdin(Stdio::null()).stderr(Stdio::null()))
    }

    /// Starts a command line and kills it after this many lines of output and a pause; all objects that it printed.
    pub fn kill(&self, line: &str, lines: usize, pause: u64) -> Vec<Value> {
        let mut started = self.start(line);
        let mut printed: Vec<Value> = (0..lines).map_while(|_| started.line()).map(|line| json(&line)).collect();
        thread::sleep(Duration::from_millis(pause));
        started.kill();
        printed.extend(started.rest().lines().map(json));
        printed
    }
}

/// The folder of tests that need no files.
fn anywhere() -> Folder {
    Folder(PathBuf::from(env!("CARGO_TARGET_TMPDIR")))
}

/// Runs a command line that needs no files.
pub fn emilia(line: &str) -> Run {
    anywhere().emilia(line)
}

/// Runs a command line with these bytes on standard input.
pub fn emilia_with_input(line: &str, input: impl AsRef<[u8]>) -> Run {
    finish(&mut anywhere().command(line), input.as_ref())
}

/// The output of a command line that needs no files.
#[track_caller]
pub fn well(line: &str) -> String {
    anywhere().well(line)
}

/// The objects that a command line with `--json` prints.
#[track_caller]
pub fn rows(line: &str) -> Vec<Value> {
    anywhere().rows(line)
}

/// The first object that a command line with `--json` prints.
#[track_caller]
pub fn row(line: &str) -> Value {
    anywhere().row(line)
}

/// A running program whose output is read. It ends when it is dropped.
pub struct Started {
    pub child: Child,
    output: BufReader<ChildStdout>,
}

impl Started {
    pub fn new(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        Self { child, output }
    }

    /// The next line of output; none at its end.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).expect("text");
        (length > 0).then(|| line.trim_end_matches('\n').to_owned())
    }

    /// The rest of the output.
    pub fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        rest
    }

    /// The messages on standard error, if it is a pipe.
    pub fn messages(&mut self) -> String {
        let mut messages = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut messages).expect("text");
        messages
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Kills it after this many milliseconds, whether it has ended by itself or not.
    pub fn kill_after(mut self, pause: u64) {
        thread::sleep(Duration::from_millis(pause));
        self.kill();
    }

    /// Sends a signal by its name in `kill`: `-INT`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "the program ended before {name}");
    }

    /// Waits for the end; the exit code.
    pub fn code(&mut self) -> Option<i32> {
        self.child.wait().expect("the program ends").code()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A value of a line of JSON.
#[track_caller]
pub fn json(line: &str) -> Value {
    read(line)
}

/// A line of JSON as a type of the libraries.
#[track_caller]
pub fn read<T: serde::de::DeserializeOwned>(line: &str) -> T {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is something else: {error}"))
}

#[track_caller]
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is not an array"))
}

#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[track_caller]
pub fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a count"))
}

#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

/// The number of a value or a loss in discs or points.
#[track_caller]
pub fn amount(value: &Value) -> f64 {
    number(&value[if value["kind"] == "points" { "points" } else { "discs" }])
}

/// The moves and passes of a game in GGF, on any board, without times and values.
pub fn moves(ggf: &str) -> Vec<String> {
    let properties = ggf.split(']').filter_map(|part| part.split_once('['));
    let moves = properties.filter(|(name, _)| ["B", "W"].contains(name));
    moves.map(|(_, text)| text.split('/').next().unwrap_or_default().to_owned()).collect()
}
