//! The content of a user interface: everything to draw, as plain data independent of the board type.

use std::path::PathBuf;

use engine::analysis::{Loss, Mark, SideSummary};
use engine::{Estimate, GameClock, Level, Origin};
use othello::{BoardShape, Color, Score};
use serde::{Deserialize, Serialize};

use crate::event::NewGame;
use crate::message::Message;

/// A session as a window shows it. Squares are named as on the board; a line of play is a transcript, `f5d6c3`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    /// Which game of the session it is: another number is another game.
    pub game: u64,
    /// Grows when the position, the players or their limits change.
    pub revision: u64,
    /// The board.
    pub board: BoardView,
    /// The side to move.
    pub turn: Color,
    /// The moves that can be played; none when the game is over.
    pub legal_moves: Vec<MoveView>,
    /// The last move.
    pub last_move: Option<MoveView>,
    /// The side that had to pass after the last move.
    pub passed: Option<Color>,
    /// Number of moves played, without passes.
    pub move_count: usize,
    /// Number of empty squares.
    pub empties: u32,
    /// Whose turn it is, or how the game ended, in a few words.
    pub situation: String,
    /// The name of the opening of the moves on the board, if it has one.
    pub opening: Option<String>,
    /// The end of the game, if it is over.
    pub result: Option<ResultView>,
    /// Black's and White's player.
    pub seats: [SeatView; 2],
    /// The clock of the game; without one, the time that each side has used is shown.
    pub control: Option<GameClock>,
    /// Whether a loaded game or an earlier position is being reviewed: clocks are stopped until the next move.
    pub is_reviewing: bool,
    /// The moves and passes of the line, also those that were taken back.
    pub moves: Vec<PlyView>,
    /// Number of these moves that are played on the board.
    pub played: usize,
    /// The moves that were tried in place of the last one, it included; none if nothing was played.
    pub variations: Vec<String>,
    /// Whether the values of the moves are shown.
    pub shows_hints: bool,
    /// Assessments of the moves, the best first.
    pub hints: Vec<Hint>,
    /// Whether the hints are still being made better.
    pub is_advising: bool,
    /// The settings of hints.
    pub hint_settings: HintSettings,
    /// The pause between moves of two engines that play each other, in seconds.
    pub pace: f64,
    /// The analysis of the game, as far as it has come.
    pub analysis: Option<AnalysisView>,
    /// The result of the last search for a move.
    pub thought: Option<Thought>,
    /// Whether an engine thinks about its move, or pauses before it because two engines have a pace.
    pub is_thinking: bool,
    /// Whether an engine is to move and is paused.
    pub is_waiting: bool,
    /// The message to show.
    pub message: Option<MessageView>,
    /// The number of messages so far, so that a user interface can tell whether a message is new.
    pub said: u64,
    /// The open question to the person.
    pub question: Option<Confirmation>,
    /// The actions that are possible now.
    pub can: Abilities,
    /// The moves that would be lost, with the position where they began unless it is the start.
    pub unsaved: Option<String>,
    /// The position that is being set up.
    pub set_up: Option<SetUpView>,
    /// A new game as the present one is played, to begin the form with.
    pub new_game: NewGame,
}

/// A board with discs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardView {
    /// Which board.
    pub shape: BoardShape,
    /// The rows, the first one first: `X` is a black disc, `O` a white one, `-` nothing, and a space is no square.
    pub rows: Vec<String>,
}

impl View {
    /// The hints of a list: one for symmetric moves.
    pub fn listed_hints(&self) -> impl Iterator<Item = &Hint> {
        let is_first = |index: usize, hint: &Hint| {
            !self.hints[..index].iter().any(|before| before.symmetric_moves.contains(&hint.square))
        };
        self.hints.iter().enumerate().filter(move |(index, hint)| is_first(*index, hint)).map(|(_, hint)| hint)
    }
}

impl BoardView {
    /// The disc at a column and row, counted from 0.
    pub fn disc(&self, column: u8, row: u8) -> Option<Color> {
        let symbol = self.rows.get(usize::from(row))?.as_bytes().get(usize::from(column))?;
        [Color::Black, Color::White].into_iter().find(|color| color.disc() == char::from(*symbol))
    }

    /// Number of discs of a side.
    pub fn count(&self, color: Color) -> usize {
        self.rows.iter().map(|row| row.matches(color.disc()).count()).sum()
    }
}

/// A move with the discs that it turns over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveView {
    /// The square.
    pub square: String,
    /// The discs that change their color.
    pub flips: Vec<String>,
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultView {
    /// In a sentence.
    pub verdict: String,
    /// The winner; none if it is drawn.
    pub winner: Option<Color>,
    /// Black's score by the discs.
    pub score: Score,
    /// The side that ran out of time.
    pub out_of_time: Option<Color>,
}

/// The player of a color.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatView {
    /// The color.
    pub color: Color,
    /// Name of the player.
    pub name: String,
    /// Its name, and how strong it plays.
    pub title: String,
    /// The name in the record of a loaded game that is being reviewed; empty if the record has none.
    pub recorded: Option<String>,
    /// The clock that it began with.
    pub control: Option<GameClock>,
    /// The notation of an engine; a person has none.
    pub player: Option<String>,
    /// The level of an engine, if it plays at one.
    pub level: Option<Level>,
    /// Number of its discs.
    pub discs: usize,
    /// Seconds on its clock: the time left, or the time used where no limit is prescribed.
    pub seconds: f64,
    /// Whether its clock runs.
    pub runs: bool,
}

impl SeatView {
    /// Whether a person plays.
    pub fn is_person(&self) -> bool {
        self.player.is_none()
    }
}

/// A move or a pass of the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlyView {
    /// The side that moved.
    pub color: Color,
    /// The square; none for a pass.
    pub square: Option<String>,
    /// The moves that were tried in its place, it included, in the order in which they came; none for a pass.
    pub variations: Vec<String>,
    /// Time taken, in seconds, if it is known.
    pub seconds: Option<f64>,
    /// The final difference in discs that its player expected, seen from its own side.
    pub expected: Option<f64>,
}

/// Search and list of hints; numbers that cannot be chosen are not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedHints")]
pub struct HintSettings {
    /// The level of the search, 1 to 60.
    pub level: u32,
    /// Number of the best moves that are listed with their lines, 1 to 9.
    pub lines: usize,
}

impl HintSettings {
    /// The levels that can be chosen.
    pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=60;
    /// The numbers of lines that can be chosen.
    pub const LINES: std::ops::RangeInclusive<usize> = 1..=9;

    /// These settings if they can be chosen, or else a sentence.
    pub fn checked(level: u32, lines: usize) -> Result<Self, String> {
        if !Self::LEVELS.contains(&level) {
            let (low, high) = Self::LEVELS.into_inner();
            return Err(format!("hint level out of range: {level}; expected {low} to {high}"));
        }
        if !Self::LINES.contains(&lines) {
            let (low, high) = Self::LINES.into_inner();
            return Err(format!("number of hint lines out of range: {lines}; expected {low} to {high}"));
        }
        Ok(Self { level, lines })
    }
}

#[derive(Deserialize)]
struct UncheckedHints {
    level: u32,
    lines: usize,
}

impl TryFrom<UncheckedHints> for HintSettings {
    type Error = String;

    fn try_from(UncheckedHints { level, lines }: UncheckedHints) -> Result<Self, String> {
        Self::checked(level, lines)
    }
}

impl Default for HintSettings {
    /// As deep as a search gets while a person thinks.
    fn default() -> Self {
        Self { level: 16, lines: 3 }
    }
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysisView {
    /// The analyst with its level.
    pub analyst: String,
    /// Whether it goes on.
    pub is_running: bool,
    /// Number of moves of the analyzed game.
    pub move_count: usize,
    /// The moves that were judged so far, in order.
    pub moves: Vec<JudgedView>,
    /// The numbers of the moves that a study asks again, the worst first: see [`exercises`](crate::exercises).
    pub exercises: Vec<usize>,
    /// Results of Black and White.
    pub sides: [SideSummary; 2],
    /// Meaning of the marks, a sentence each.
    pub legend: Vec<String>,
    /// The result of perfect play, once exact scores are known.
    pub verdict: Option<String>,
    /// The move that the game would go on with in this position, if it is a position of the analyzed game.
    pub next: Option<usize>,
}

impl AnalysisView {
    /// The move of this number, if it was judged.
    pub fn judged(&self, number: usize) -> Option<&JudgedView> {
        self.moves.iter().find(|judged| judged.number == number)
    }

    /// The moves that gave something away, in order.
    pub fn mistakes(&self) -> impl Iterator<Item = &JudgedView> {
        self.moves.iter().filter(|judged| judged.mark.is_some())
    }
}

/// A move that was judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedView {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that moved.
    pub color: Color,
    /// The move that was played.
    #[serde(rename = "move")]
    pub square: String,
    /// Its value for the side that played it.
    pub value: Option<Estimate>,
    /// Origin of that value.
    pub origin: Option<Origin>,
    /// The best move; the played one if none is worth more.
    pub best: String,
    /// Its value.
    pub best_value: Option<Estimate>,
    /// The loss.
    pub loss: Option<Loss>,
    /// The mark that this deserves.
    pub mark: Option<Mark>,
    /// The moves expected after the best one, itself first.
    pub line: String,
    /// Whether the played move leads to a position of the opening book.
    pub in_book: bool,
    /// Value of the game for Black after the played move, in discs, or in points turned into discs.
    pub black_discs: Option<f64>,
}

/// The assessment of a move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Hint {
    /// The move.
    #[serde(rename = "move")]
    pub square: String,
    /// Moves that a symmetry of the board turns this one into; they have the same value.
    pub symmetric_moves: Vec<String>,
    /// Its value for the side to move.
    pub value: Option<Estimate>,
    /// Origin of the value.
    pub origin: Option<Origin>,
    /// The chance to win, with a draw counted as half a win, if it is known.
    pub win_probability: Option<f64>,
    /// Whether none is worth more.
    pub is_best: bool,
    /// The moves expected, this one first.
    pub line: String,
    /// Plies looked ahead.
    pub depth: u32,
    /// The confidence of selective pruning, in percent.
    pub selectivity: u32,
}

/// The result of an engine's search for its move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thought {
    /// Its name, and how strong it plays.
    pub who: String,
    /// For which side it thought.
    pub color: Color,
    /// Whether it has played.
    pub is_done: bool,
    /// Value of the position for its side.
    pub value: Option<Estimate>,
    /// Origin of the value.
    pub origin: Option<Origin>,
    /// The moves expected, its own first.
    pub line: String,
    /// Plies looked ahead.
    pub depth: u32,
    /// The confidence of selective pruning, in percent.
    pub selectivity: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, in seconds.
    pub seconds: f64,
}

/// A message and its sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MessageView {
    /// The sentence.
    pub sentence: String,
    /// The data of the message.
    #[serde(flatten)]
    pub message: Message,
}

/// A question to the person; repeating the action with `overwrite` says yes, everything else no.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "question", rename_all = "snake_case")]
pub enum Confirmation {
    /// Whether files may be overwritten.
    Overwrite {
        /// The file that is to be written.
        path: PathBuf,
        /// The files that exist: this one, or files that go with it.
        there: Vec<PathBuf>,
        /// Whether the report of an analysis is to be written, and not the game.
        is_report: bool,
    },
}

/// The actions that are possible now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Abilities {
    /// The person can play one of the legal moves, for itself or for an engine that waits.
    pub play: bool,
    /// A turn of the person can be taken back.
    pub take_back: bool,
    /// It can be played again.
    pub play_again: bool,
    /// There is a move before.
    pub back: bool,
    /// There is a move after.
    pub forward: bool,
    /// Another move was tried in place of the last one.
    pub variation: bool,
    /// An engine that waits can go on.
    #[serde(rename = "continue")]
    pub go_on: bool,
    /// An engine that thinks about its move can be made to wait, or to move.
    pub interrupt: bool,
    /// There are moves to analyze.
    pub analyze: bool,
}

/// A position that is being set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SetUpView {
    /// The board.
    pub board: BoardView,
    /// The side to move.
    pub turn: Color,
    /// Whose turn it would be, or how the game would end, in a few words.
    pub situation: String,
    /// The position as a text.
    pub text: String,
}
