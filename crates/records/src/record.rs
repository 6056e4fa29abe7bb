//! A game with its metadata.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::obf::MoveScore;
use crate::{Date, TimeControl};
use othello::{Board, Game, Rules, Score};

/// A game with its metadata.
///
/// Missing information is an empty text or `None`. The formats differ in what they can store; `docs/formats.md` lists
/// the contents of each.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord<B: Rules = Board> {
    /// The moves; a reader leaves the game at the end of its line, or at the position of its link.
    pub game: Game<B>,
    /// The player of the black discs.
    pub black: String,
    /// The player of the white discs.
    pub white: String,
    /// Black's rating when the game was played.
    pub black_rating: Option<f64>,
    /// White's rating when the game was played.
    pub white_rating: Option<f64>,
    /// The tournament or match.
    pub event: String,
    /// The place of the game: a town, a server, a program.
    pub place: String,
    /// The date of the game.
    pub date: Option<Date>,
    /// Black's score as stated in the record, which may differ from the score of the moves.
    pub result: Option<Score>,
    /// The ending, if the game did not end on the board.
    pub ending: Option<Ending>,
    /// The theoretical score: the result of perfect play from some point of the game.
    pub theoretical: Option<TheoreticalScore>,
    /// The scores of the moves in the last position, for a problem.
    pub scores: Vec<MoveScore>,
    /// The clock of both players.
    pub time_control: Option<TimeControl>,
    /// A comment on the game as a whole.
    pub comment: String,
    /// The annotation of each ply (moves and passes, see [`Game::plies`]); plies beyond the end of the list have none.
    pub annotations: Vec<Annotation>,
}

/// The ending of a game before the board was played out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Timeout,
    /// The players agreed on the score.
    Agreement,
}

/// The score with perfect play by both sides from some point of a game on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TheoreticalScore {
    /// Black's score.
    pub score: Score,
    /// The number of empty squares at that point.
    pub empties: u8,
}

/// The annotation of one ply of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Annotation {
    /// The final disc difference that the player expected, from its own point of view.
    pub evaluation: Option<f64>,
    /// The time that the player took.
    pub time: Option<Duration>,
    /// A comment.
    pub comment: String,
}

impl Annotation {
    /// Whether the annotation is empty.
    pub fn is_empty(&self) -> bool {
        self.evaluation.is_none() && self.time.is_none() && self.comment.is_empty()
    }
}

impl<B: Rules> GameRecord<B> {
    /// A record with a game and no metadata.
    pub fn new(game: Game<B>) -> Self {
        Self {
            game,
            black: String::new(),
            white: String::new(),
            black_rating: None,
            white_rating: None,
            event: String::new(),
            place: String::new(),
            date: None,
            result: None,
            ending: None,
            theoretical: None,
            scores: Vec::new(),
            time_control: None,
            comment: String::new(),
            annotations: Vec::new(),
        }
    }

    /// The annotation of this ply, counted from 0 with passes, if there is one.
    pub fn annotation(&self, ply: usize) -> Option<&Annotation> {
        self.annotations.get(ply).filter(|annotation| !annotation.is_empty())
    }

    /// Annotates this ply, counted from 0 with passes.
    pub fn annotate(&mut self, ply: usize, annotation: Annotation) {
        if self.annotations.len() <= ply {
            if annotation.is_empty() {
                return;
            }
            self.annotations.resize(ply + 1, Annotation::default());
        }
        self.annotations[ply] = annotation;
        // Trailing empty annotations are removed, so that records with the same annotations are equal.
        while self.annotations.last().is_some_and(Annotation::is_empty) {
            self.annotations.pop();
        }
    }
}

impl<B: Rules> Default for GameRecord<B> {
    fn default() -> Self {
        Self::new(Game::default())
    }
}

/// The players, place and date of a game; a text is empty if the record does not state it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameHead {
    /// The player of the black discs.
    pub black: String,
    /// The player of the white discs.
    pub white: String,
    /// The tournament or match.
    pub event: String,
    /// A town, a server or a program.
    pub place: String,
    /// The date of the game.
    pub date: Option<Date>,
}

impl<B: Rules> From<&GameRecord<B>> for GameHead {
    fn from(record: &GameRecord<B>) -> Self {
        let GameRecord { black, white, event, place, date, .. } = record;
        let [black, white, event, place] = [black, white, event, place].map(String::clone);
        Self { black, white, event, place, date: *date }
    }
}
