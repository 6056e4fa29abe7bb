//! One turn of a host: the outputs of one thing that happened.

use std::fmt::Display;
use std::time::Duration;

use session::OtherBoard;

use crate::host::Output;
use crate::message::Response;

#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) now: Duration,
    pub(crate) next_job: u64,
    pub(crate) outputs: Vec<Output>,
    pub(crate) other_board: Option<OtherBoard>,
}

impl Turn {
    pub(crate) fn new(now: Duration, next_job: u64) -> Self {
        Self { now, next_job, outputs: Vec::new(), other_board: None }
    }

    pub(crate) fn send(&mut self, response: &Response) {
        // All keys are texts and all numbers finite.
        if let Ok(text) = serde_json::to_string(response) {
            self.outputs.push(Output::Send(text));
        }
    }

    pub(crate) fn refuse(&mut self, reason: impl Display) {
        self.send(&Response::Error { sentence: whole_sentence(&reason.to_string()) });
    }
}

/// A reason as a whole sentence, which may begin with the name of a file: names stay as they are.
pub(crate) fn sentence_about(names: &[String], reason: &str) -> String {
    let begins_with = |name: &String| !name.is_empty() && reason.starts_with(name.as_str());
    if names.iter().any(begins_with) { format!("{reason}.") } else { whole_sentence(reason) }
}

/// A reason as a whole sentence. The name of a square stays as it is: `c8 flips nothing`.
pub(crate) fn whole_sentence(reason: &str) -> String {
    let mut symbols = reason.chars();
    let Some(first) = symbols.next() else { return String::new() };
    let rest = symbols.as_str();
    if rest.starts_with(|symbol: char| symbol.is_ascii_digit()) {
        return format!("{reason}.");
    }
    format!("{}{rest}.", first.to_uppercase())
}
