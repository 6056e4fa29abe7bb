//! A running external program: lines to it, lines from it, and its end.

use std::io::Write;
use std::process::{self, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use engine::Stop;
use engine::clock::Moment;

use super::ExternalProgram;
use super::error::DrivingError;
use super::output_reader::{self, LastErrorLine, Output};

/// A running program. It ends, with everything that it started, when this is dropped.
pub(super) struct Child {
    process: process::Child,
    input: Option<ChildStdin>,
    output: Receiver<Output>,
    errors: LastErrorLine,
    /// Lines read since the last one sent.
    line_count: u32,
    _kill_on_exit: KillOnExit,
}

/// Limits of waiting for a line.
#[derive(Clone, Copy)]
pub(super) struct Wait<'a> {
    pub(super) stop: Option<&'a Stop>,
    pub(super) deadline: Option<Moment>,
}

impl<'a> Wait<'a> {
    /// Waits that long at most, and only until the flag is set.
    pub(super) fn at_most(time: Duration, stop: Option<&'a Stop>) -> Self {
        Self { stop, deadline: Some(Moment::now().after(time)) }
    }
}

/// Reason for the absence of a line.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum NoLine {
    Stopped,
    Late,
    /// There will be none, for the reason in this sentence.
    Forever(String),
}

impl NoLine {
    /// The failure to answer a question.
    pub(super) fn to(self, question: &str, patience: Duration) -> DrivingError {
        DrivingError::Failed(match self {
            NoLine::Forever(reason) => reason,
            NoLine::Late => format!("it did not answer {question} within {} s", patience.as_secs_f64()),
            NoLine::Stopped => format!("it did not answer {question} before its time ran out"),
        })
    }
}

impl Child {
    /// Interval at which a waiting thread checks the flag.
    const POLL_INTERVAL: Duration = Duration::from_millis(2);
    /// A program that prints more lines than this without an answer has failed.
    const MAX_LINES: u32 = 100_000;
    /// Time for a program to exit after the command to quit.
    const TIME_TO_EXIT: Duration = Duration::from_millis(200);

    pub(super) fn start(program: &ExternalProgram) -> Result<Self, DrivingError> {
        let cannot = |error: std::io::Error| {
            let place = program.dir.as_ref().map_or(String::new(), |dir| format!(" in {}", dir.display()));
            DrivingError::NotStarted(format!("{} cannot be started{place}: {error}", program.command.join(" ")))
        };
        let mut command = program.to_command().map_err(cannot)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // In a separate group: its child processes can be ended with it, and Ctrl-C does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().map_err(cannot)?;
        let kill_on_exit = KillOnExit::of(&process);
        let no_pipe = || DrivingError::NotStarted("its program has no output pipe".to_owned());
        let output = output_reader::read_lines(process.stdout.take().ok_or_else(no_pipe)?);
        let errors = LastErrorLine::of(process.stderr.take().ok_or_else(no_pipe)?);
        let input = process.stdin.take();
        Ok(Self { input, process, output, errors, line_count: 0, _kill_on_exit: kill_on_exit })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), DrivingError> {
        self.line_count = 0;
        let Some(input) = &mut self.input else { return Err(DrivingError::Failed("its input is closed".to_owned())) };
        let sent = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        // A program that no longer reads has ended, or is about to.
        sent.map_err(|_| DrivingError::Failed(self.exit_reason()))
    }

    /// The next line that the program prints.
    pub(super) fn line(&mut self, wait: Wait<'_>) -> Result<String, NoLine> {
        loop {
            if wait.stop.is_some_and(Stop::is_set) {
                return Err(NoLine::Stopped);
            }
            match self.output.recv_timeout(Self::POLL_INTERVAL) {
                Ok(Output::Line(_)) if self.line_count == Self::MAX_LINES => {
                    return Err(NoLine::Forever(format!("it printed {} lines without an answer", Self::MAX_LINES)));
                }
                Ok(Output::Line(line)) => {
                    self.line_count += 1;
                    return Ok(line);
                }
                Ok(Output::EndlessLine) => {
                    return Err(NoLine::Forever("it prints a line that does not end".to_owned()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Forever(self.exit_reason())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if wait.deadline.is_some_and(|deadline| Moment::now() >= deadline) {
                return Err(NoLine::Late);
            }
        }
    }

    fn exit_reason(&mut self) -> String {
        self.input = None;
        let status = self.wait_for_end();
        let how = match status {
            Some(status) => format!("its program has exited ({status})"),
            None => "its program has closed its input or output".to_owned(),
        };
        match self.errors.within(Self::TIME_TO_EXIT) {
            Some(words) => format!("{how}; its last error message: {}", shortened(&words)),
            None => how,
        }
    }

    fn wait_for_end(&mut self) -> Option<ExitStatus> {
        let end = Moment::now().after(Self::TIME_TO_EXIT);
        loop {
            let status = self.process.try_wait().ok().flatten();
            if status.is_some() || Moment::now() >= end {
                return status;
            }
            thread::sleep(Self::POLL_INTERVAL);
        }
    }

    /// Sends the command to quit: the program may have unsaved data.
    pub(super) fn quit(mut self) {
        if self.send("quit").is_ok() {
            self.input = None;
            let end = Moment::now().after(Self::TIME_TO_EXIT);
            // Its output ends when it exits, and the last lines do not matter.
            while !matches!(self.line(Wait { stop: None, deadline: Some(end) }), Err(NoLine::Late | NoLine::Forever(_)))
                && Moment::now() < end
            {}
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ends a group of processes when this process exits, even if it is killed; nothing happens when it is dropped.
///
/// A small shell process waits at a pipe of which only this process has the other end. However this process ends, the
/// system then closes the pipe.
#[derive(Debug)]
struct KillOnExit(Option<process::Child>);

impl KillOnExit {
    /// Ends the group of this leader when we exit. On a machine without a shell, nothing is done.
    #[cfg(unix)]
    fn of(leader: &process::Child) -> Self {
        use std::os::unix::process::CommandExt;

        let executor = process::Command::new("/bin/sh")
            .args(["-c", "read -r _; kill -s KILL -- \"-$0\"", &leader.id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C at a terminal ends our own group.
            .process_group(0)
            .spawn();
        Self(executor.ok())
    }

    /// There are no groups here: the program has to notice that its input has ended.
    #[cfg(not(unix))]
    fn of(_leader: &process::Child) -> Self {
        Self(None)
    }
}

impl Drop for KillOnExit {
    fn drop(&mut self) {
        if let Some(executor) = &mut self.0 {
            // Before its pipe closes.
            let _ = executor.kill();
            let _ = executor.wait();
        }
    }
}

/// The text of a program, quoted and shortened for a message.
pub(super) fn shortened(text: &str) -> String {
    const MAX: usize = 80;
    let mut symbols = text.chars();
    let mut short: String = symbols.by_ref().take(MAX).collect();
    if symbols.next().is_some() {
        short.push('…');
    }
    format!("{short:?}")
}
