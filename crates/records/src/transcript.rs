//! Transcripts: sequences of moves, `f5d6c3…`.

use crate::replay::{PASSES, Replay};
use crate::{GameRecord, RecordProblem, WriteError};
use othello::{Game, Position, Rules, Square};

/// Reads a game from the moves of a line, played from the start position.
///
/// Letters may be in upper or lower case. Whitespace, commas, semicolons, dots, single hyphens and move numbers are
/// allowed between the moves. Passes may be written, as `--`, `pass`, `pa` or `ps`, or left out. The result may follow,
/// as `40-24` or `*`.
///
/// Text with more than the moves of one game is read by [`text`](crate::text).
///
/// ```
/// use othello::Board;
/// use records::transcript;
///
/// let game = transcript::parse::<Board>("1. F5 D6 2. c3 D3")?;
/// assert_eq!(transcript::format(&game), "f5d6c3d3");
/// # Ok::<(), records::RecordProblem>(())
/// ```
pub fn parse<B: Rules>(text: &str) -> Result<Game<B>, RecordProblem> {
    let mut replay = Replay::<B>::new(Position::start());
    words::<B>(text).iter().try_for_each(|word| word.play(&mut replay))?;
    Ok(replay.finish())
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// The number of a move, or of a pair of moves.
    Number(usize),
    Move(Square),
    Pass,
    /// The result at the end, with the discs of Black and White if it states them.
    Result(Option<[u32; 2]>),
    /// Something else, with nothing after it: the first two characters, the length of a square. The rest may be correct.
    Unknown(String),
}

impl Word {
    pub(super) fn play<B: Rules>(&self, replay: &mut Replay<B>) -> Result<(), RecordProblem> {
        match self {
            Word::Number(_) | Word::Result(_) => {}
            Word::Move(square) => drop(replay.play(None, *square)?),
            Word::Pass => drop(replay.pass(None)?),
            Word::Unknown(text) => {
                let error = B::GEOMETRY.square_error(text);
                return Err(RecordProblem::UnknownSquare(replay.mark.moves + 1, error));
            }
        }
        Ok(())
    }
}

pub(super) fn words<B: Rules>(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while let Some(symbol) = rest.chars().next() {
        let (word, length) = if let Some((square, length)) = B::GEOMETRY.leading_square(rest) {
            (Some(Word::Move(square)), length)
        } else if let Some(length) = leading_pass(rest) {
            (Some(Word::Pass), length)
        } else if let Some(discs) = result(rest) {
            (Some(Word::Result(discs)), rest.len())
        } else if symbol.is_whitespace() || ",;.-".contains(symbol) {
            (None, symbol.len_utf8())
        } else if let Some((number, length)) = leading_number(rest) {
            (Some(Word::Number(number)), length)
        } else {
            (Some(Word::Unknown(rest.chars().take(2).collect())), rest.len())
        };
        words.extend(word);
        rest = &rest[length..];
    }
    words
}

const MAX_RESULT: usize = 16;

/// The result of a game if the text is nothing else: `40-24`, `0-1`, `1/2-1/2`, `*`. The inner value has the discs of
/// Black and White, as far as these words state discs.
pub(super) fn result(text: &str) -> Option<Option<[u32; 2]>> {
    let text = text.trim();
    if text.len() > MAX_RESULT {
        return None;
    }
    let text = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    if ["*", "1/2-1/2"].contains(&text) {
        return Some(None);
    }
    let (black, white) = text.split_once(['-', ':'])?;
    let discs = |text: &str| {
        let text = text.trim();
        let is_short = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_short.then(|| text.parse().ok()).flatten()
    };
    let discs = [discs(black)?, discs(white)?];
    // As in chess, 1-0, 0-1 and 1-1 only state the winner or a draw. No game ends with so few discs.
    Some((discs[0] + discs[1] > 2).then_some(discs))
}

pub(super) fn leading_pass(text: &str) -> Option<usize> {
    let begins = |word: &&&str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    PASSES.iter().find(begins).map(|word| word.len())
}

/// The move number at the beginning of the text and its length: up to three digits, then a dot, a colon, a parenthesis,
/// or whitespace.
pub(super) fn leading_number(text: &str) -> Option<(usize, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let number = text[..digits].parse().ok()?;
    match text[digits..].chars().next() {
        Some('.' | ':' | ')') => Some((number, digits + 1)),
        Some(symbol) if symbol.is_whitespace() => Some((number, digits)),
        _ => None,
    }
}

/// The moves of a game's whole line, without passes: `f5d6c3…`.
pub fn format<B: Rules>(game: &Game<B>) -> String {
    game.line().into_iter().map(|square| B::GEOMETRY.square_name(square)).collect()
}

/// The line of a transcript file for this game: only its moves.
pub(super) fn line<B: Rules>(record: &GameRecord<B>) -> Result<String, WriteError> {
    if record.game.start() != Position::start() {
        return Err(WriteError::CustomStart("a transcript"));
    }
    match format(&record.game) {
        line if line.is_empty() => Err(WriteError::NoMoves),
        line => Ok(line),
    }
}

pub(super) fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '%'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::SmallBoard;

    #[test]
    fn other_boards_have_their_own_squares() {
        let error = parse::<SmallBoard<4>>("b1 e1").expect_err("off the board");
        assert!(error.to_string().ends_with("a letter a-d and a number 1-4 on the 4x4 board"), "{error}");
        assert_eq!(format(&parse::<SmallBoard<6>>("C2 D2").expect("a game")), "c2d2");
    }
}
