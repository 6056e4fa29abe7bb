//! Runs the program and keeps what it said.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What a run left behind.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

/// The program, with the variables of the environment that change its look taken away.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
    command.args(arguments);
    for variable in ["NO_COLOR", "COLORTERM", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    // Nor the defaults of the user who runs the tests.
    for name in ["LEVEL", "THREADS", "HASH", "COLOR", "LANGUAGE"] {
        command.env_remove(format!("EMILIA_{name}"));
    }
    command.env("XDG_CONFIG_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-settings"));
    command.env("LC_ALL", "C.UTF-8");
    command
}

/// Runs with closed input.
pub fn emilia(arguments: &[&str]) -> Run {
    emilia_with_input(arguments, b"")
}

/// Runs with these bytes on standard input.
pub fn emilia_with_input(arguments: &[&str], input: &[u8]) -> Run {
    finish(&mut command(arguments), input)
}

/// Runs a command to its end.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes it early, which is no fault.
    let _ = child.stdin.take().expect("the input is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

impl Run {
    /// What was printed by a run that went well, without a word on standard error.
    #[track_caller]
    pub fn well(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// The one sentence of a run that failed with this code.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self.stderr
    }
}

/// The moves and passes of a game in GGF, on any board, without times and values.
pub fn moves(ggf: &str) -> Vec<String> {
    let properties = ggf.split(']').filter_map(|part| part.split_once('['));
    let moves = properties.filter(|(name, _)| ["B", "W"].contains(name));
    moves.map(|(_, text)| text.split('/').next().unwrap_or_default().to_owned()).collect()
}

/// Checks that a command line is refused as misused, in words that contain these.
#[track_caller]
pub fn is_misused(arguments: &[&str], words: &str) {
    let message = emilia(arguments).failed(2);
    assert!(message.contains(words), "{arguments:?} said: {message}");
}

/// Checks that a command fails in one sentence that contains these words.
#[track_caller]
pub fn fails(arguments: &[&str], words: &str) {
    let message = emilia(arguments).failed(1);
    assert!(message.starts_with("emilia: ") && message.trim_end().lines().count() == 1, "{message}");
    assert!(message.contains(words), "{arguments:?} said: {message}");
}

/// An empty folder for the files of one test.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of the test with this name.
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

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("the file can be written");
        path
    }

    /// What a file contains.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }
}

/// Starts the program with nothing to read; what it says on standard error is lost.
pub fn start(arguments: &[&str], output: Stdio) -> Child {
    spawn(arguments, Stdio::null(), output, Stdio::null())
}

/// Starts the program with these streams.
pub fn spawn(arguments: &[&str], input: Stdio, output: Stdio, errors: Stdio) -> Child {
    command(arguments).stdin(input).stdout(output).stderr(errors).spawn().expect("the program starts")
}

/// A value of a line of JSON.
pub fn json(line: &str) -> serde_json::Value {
    read(line)
}

/// A line of JSON as something that the libraries know.
#[track_caller]
pub fn read<T: serde::de::DeserializeOwned>(line: &str) -> T {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?} is something else: {error}"))
}

/// The number of a value or a loss that is told in discs or points.
#[track_caller]
pub fn amount(value: &serde_json::Value) -> f64 {
    let kind = if value["kind"] == "points" { "points" } else { "discs" };
    value[kind].as_f64().unwrap_or_else(|| panic!("{value} has no number of {kind}"))
}
