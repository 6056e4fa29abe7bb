//! Tests of whole stores, and helpers of all tests.

mod game_store;
mod labeling;

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use evaluation::{Evaluation, Value};
use othello::{Board, Rules, squares};
use storage::whole_file::beside;

/// The path of a file of a test, which is removed with its journal.
pub(crate) struct TestFile(PathBuf);

impl TestFile {
    pub(crate) fn new(name: &str) -> Self {
        let file = Self(std::env::temp_dir().join(format!("emilia-learning-{}-{name}", std::process::id())));
        file.remove();
        file
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(journal(&self.0));
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Deref for TestFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for TestFile {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

/// The journal of a store.
fn journal(path: &Path) -> PathBuf {
    beside(path, ".journal")
}

#[track_caller]
fn assert_contains(error: impl ToString, words: &str) {
    let error = error.to_string();
    assert!(error.contains(words), "{error}");
}

pub(crate) fn plain_minimax(evaluation: &impl Evaluation, board: &Board, depth: u32) -> Value {
    if board.is_over() {
        return Value::of_score(board.final_score());
    }
    if board.must_pass() {
        return -plain_minimax(evaluation, &board.pass(), depth);
    }
    if depth == 0 {
        return evaluation.evaluate(board, &evaluation.features(board));
    }
    let after = squares(board.moves()).map(|square| board.play(square).expect("a legal move"));
    after.map(|board| -plain_minimax(evaluation, &board, depth - 1)).max().expect("a move")
}
