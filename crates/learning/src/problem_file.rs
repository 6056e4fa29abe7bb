//! A file of problems that grows as they are solved: OBF, one line each, on the disk before it is reported.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use records::obf::Problem;

use crate::error::{LearnError, Result};
use crate::game_store::open_locked;
use crate::problem_set::Candidate;

/// The maximum length of a problem file in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// A file to which solved problems are added.
#[derive(Debug)]
pub struct ProblemFile {
    file: File,
    path: PathBuf,
    count: usize,
    was_torn: bool,
}

impl ProblemFile {
    /// Opens the file for these candidates, or creates it. An incomplete line is removed.
    pub fn open(path: &Path, candidates: &[Candidate]) -> Result<Self> {
        let broken = LearnError::using(path);
        let foreign = |line| {
            let problem =
                "this problem does not follow from the same games and options; choose another file".to_owned();
            LearnError::Line { path: path.to_owned(), line, problem }
        };
        let mut file = open_locked(path, "solving these problems")?;
        let mut bytes = Vec::new();
        (&file).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(broken)?;
        if bytes.len() as u64 > MAX_BYTES {
            let sentence = format!("the file is too large; expected at most {MAX_BYTES} bytes");
            return Err(broken(io::Error::new(io::ErrorKind::FileTooLarge, sentence)));
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut count = 0;
        for (line, text) in (1..).zip(text.lines()) {
            let problem: Problem = text.parse().map_err(|problem| {
                let problem = format!("{problem}; choose another name for the problems");
                LearnError::Line { path: path.to_owned(), line, problem }
            })?;
            let expected = candidates.get(count).map(|candidate| candidate.board);
            if Some(problem.position.board) != expected || problem.scores.is_empty() {
                return Err(foreign(line));
            }
            count += 1;
        }
        let was_torn = whole < bytes.len();
        // A file without a complete line may be another kind of file.
        if was_torn && count == 0 && !is_beginning(&bytes, candidates) {
            return Err(foreign(1));
        }
        if was_torn {
            file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(broken)?;
        }
        file.seek(SeekFrom::End(0)).map_err(broken)?;
        Ok(Self { file, path: path.to_owned(), count, was_torn })
    }

    /// The number of problems in the file.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the last line was incomplete and was removed.
    pub fn was_torn(&self) -> bool {
        self.was_torn
    }

    /// Adds a problem, which is safe on the disk when this returns.
    pub fn add(&mut self, problem: &Problem) -> Result<()> {
        // One write for the line with its line ending: a line is either complete or recognizably torn.
        let line = format!("{problem}\n");
        self.file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(LearnError::using(&self.path))?;
        self.count += 1;
        Ok(())
    }
}

/// Whether bytes without a line ending can be the first bytes of the problems of these candidates.
fn is_beginning(bytes: &[u8], candidates: &[Candidate]) -> bool {
    candidates.first().is_some_and(|candidate| {
        let position = othello::Position { board: candidate.board, turn: othello::Color::Black }.to_string();
        let shared = bytes.len().min(position.len());
        bytes[..shared] == position.as_bytes()[..shared]
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use othello::{Board, Color, Position, Rules, Score, squares};
    use records::obf::MoveScore;

    use super::*;
    use crate::tests::TestFile;

    /// Four positions and problems for them; the scores are made up.
    fn some() -> (Vec<Candidate>, Vec<Problem>) {
        let mut board = Board::start();
        let mut candidates = Vec::new();
        for game in 0..4 {
            let square = squares(board.moves()).next().expect("a move");
            board = board.after(square, board.flips(square));
            candidates.push(Candidate { game, board });
        }
        let problems = candidates
            .iter()
            .map(|candidate| Problem {
                position: Position { board: candidate.board, turn: Color::Black },
                scores: vec![MoveScore { square: squares(candidate.board.moves()).next(), score: Score::new(-2) }],
                comment: format!("game {}", candidate.game),
            })
            .collect();
        (candidates, problems)
    }

    #[test]
    fn a_file_truncated_anywhere_is_resumed_from_its_complete_lines() {
        let (candidates, problems) = some();
        let path = TestFile::new("cut.obf");
        let mut file = ProblemFile::open(&path, &candidates).expect("a new file");
        problems.iter().for_each(|problem| file.add(problem).expect("a line"));
        drop(file);
        let bytes = fs::read(&path).expect("a file");
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).expect("a file");
            let mut file = ProblemFile::open(&path, &candidates).expect("a file that was cut off");
            let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(file.count(), lines);
            assert_eq!(file.was_torn(), length > 0 && bytes[length - 1] != b'\n');
            problems[lines..].iter().for_each(|problem| file.add(problem).expect("a line"));
            assert_eq!(fs::read(&path).expect("a file"), bytes);
        }
    }

    #[test]
    fn other_files_are_left_as_they_are() {
        let (candidates, problems) = some();
        let path = TestFile::new("foreign.obf");
        let others = [
            "my diary".to_owned(),
            "my\ndiary\n".to_owned(),
            format!("{}\n", problems[1]),
            format!("{}\n{}\n{}\n", problems[0], problems[1], problems[3]),
            format!("{};\n", problems[0].position),
        ];
        for text in others {
            fs::write(&path, &text).expect("a file");
            let error = ProblemFile::open(&path, &candidates).expect_err("a file of others").to_string();
            assert!(error.contains("line "), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        }
        // Fewer problems than in the file are a different selection, too.
        fs::write(&path, format!("{}\n{}\n", problems[0], problems[1])).expect("a file");
        assert!(matches!(ProblemFile::open(&path, &candidates[..1]), Err(LearnError::Line { line: 2, .. })));
    }
}
