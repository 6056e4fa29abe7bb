//! OBF: a board as a line of text, alone or as a problem with the scores of its moves.

use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

use crate::lines::Lines;
use crate::replay::{check_move, is_pass};
use crate::transcript::is_blank;
use crate::{GameRecord, Place, RecordError, RecordProblem, brief};
use othello::{Board, Game, Position, Rules, Score, Square};

/// A position to solve, with the scores of some or all of its moves.
///
/// ```
/// use records::obf::Problem;
///
/// let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";
/// let problem: Problem = line.parse()?;
/// assert_eq!(problem.scores[1].score.discs(), 12);
/// assert_eq!(problem.to_string(), line);
/// # Ok::<(), records::RecordProblem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem<B: Rules = Board> {
    /// The position.
    pub position: Position<B>,
    /// The scores that the record gives, in its order.
    pub scores: Vec<MoveScore>,
    /// A comment.
    pub comment: String,
}

/// The score of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveScore {
    /// The move, or `None` for a forced pass.
    pub square: Option<Square>,
    /// The final score with best play after it, from the point of view of the side that makes it.
    pub score: Score,
}

/// `BOARD X; G8:+18; H1:+12; % remark`: the position, then the scores.
impl<B: Rules> fmt::Display for Problem<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        for MoveScore { square, score } in &self.scores {
            let name = square.map_or("PS".to_owned(), |square| B::GEOMETRY.square_name(square).to_uppercase());
            write!(f, " {name}:{score};")?;
        }
        let comment = self.comment.trim();
        if !comment.is_empty() {
            // A line holds the whole problem.
            write!(f, " % {}", comment.replace(['\r', '\n'], " "))?;
        }
        Ok(())
    }
}

/// Reads what `Display` writes. The scores may be missing, spaces are allowed anywhere, and squares may be in upper or
/// lower case; every move must be legal. `--:-127`, which Edax writes for a position without a known move, is skipped.
impl<B: Rules> FromStr for Problem<B> {
    type Err = RecordProblem;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (text, comment) = text.split_once('%').unwrap_or((text, ""));
        let mut fields = text.split(';').map(str::trim);
        let position: Position<B> = fields.next().unwrap_or_default().parse()?;
        let scores: Result<_, _> =
            fields.filter(|field| !field.is_empty()).filter_map(|field| parse_score(field, &position)).collect();
        Ok(Self { position, scores: scores?, comment: comment.trim().to_owned() })
    }
}

/// The entry that Edax writes for a position without a known move: no square, and a score below all others.
const NO_MOVE: (&str, i32) = ("--", -127);

/// Reads `G8:+18`; `None` for `--:-127`.
fn parse_score<B: Rules>(field: &str, position: &Position<B>) -> Option<Result<MoveScore, RecordProblem>> {
    let (name, score) = match field.split_once(':') {
        Some((name, score)) => (name.trim(), score.trim().parse::<i32>().ok()),
        None => (field, None),
    };
    if score.is_some_and(|score| (name, score) == NO_MOVE) {
        return None;
    }
    let area = B::GEOMETRY.area() as i32;
    // The discs of both sides add up to an even number when the empty squares are given to the winner.
    let score = score.filter(|score| (-area..=area).contains(score) && score % 2 == 0);
    let Some(score) = score.map(|score| Score::new(score as i8)) else {
        let expected = format!("a move and an even score from -{area} to +{area}, such as G8:+18");
        return Some(Err(RecordProblem::malformed(format!("{:?}", brief(field)), expected)));
    };
    Some(parse_move(name, position).map(|square| MoveScore { square, score }))
}

/// Reads a legal move, or `None` for a forced pass.
fn parse_move<B: Rules>(name: &str, position: &Position<B>) -> Result<Option<Square>, RecordProblem> {
    if is_pass(name) {
        let turn = position.turn;
        let unforced = RecordProblem::UnforcedPass { number: 1, found: turn, expected: turn };
        return if position.board.must_pass() { Ok(None) } else { Err(unforced) };
    }
    let square = B::GEOMETRY.parse_square(name).map_err(|error| RecordProblem::UnknownSquare(1, error))?;
    check_move(position, 1, square)?;
    Ok(Some(square))
}

impl<B: Rules> From<Problem<B>> for GameRecord<B> {
    fn from(problem: Problem<B>) -> Self {
        let Problem { position, scores, comment } = problem;
        Self { scores, comment, ..Self::new(Game::from_position(position)) }
    }
}

/// The position at the end of a game's line, with the scores of its moves.
impl<B: Rules> From<&GameRecord<B>> for Problem<B> {
    fn from(record: &GameRecord<B>) -> Self {
        let mut game = record.game.clone();
        game.forward();
        // Before the first move, a pass at the start has not been made yet.
        let position = if game.move_count() == 0 { game.start() } else { game.position() };
        Self { position, scores: record.scores.clone(), comment: record.comment.clone() }
    }
}

/// Reads the problems of a file, one per line; empty lines and lines that begin with `#` or `%` are skipped. `name` is
/// used in error messages.
///
/// After an invalid line, reading continues with the next one.
pub fn problems<R: BufRead, B: Rules>(
    reader: R,
    name: &str,
) -> impl Iterator<Item = Result<Problem<B>, RecordError>> + use<R, B> {
    let (mut lines, name) = (Lines::new(reader), name.to_owned());
    std::iter::from_fn(move || {
        loop {
            let result = match lines.next()? {
                Ok(line) if is_blank(&line) => continue,
                Ok(line) => line.parse(),
                Err(problem) => Err(problem),
            };
            let place = Place::Line(lines.number);
            return Some(result.map_err(|problem| RecordError::new(&name, place, problem)));
        }
    })
}
