//! The messages of a page and its host: plain data, in JSON an object whose `type` says which.
//!
//! `docs/page.md` describes every message with an example.

use engine::Level;
use othello::{BoardShape, Color, Score};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use session::catalogue::{ListedLevel, ListedPlayer};
pub use session::study::{BookDestination, BookMoveView, BookPage, Explained, ExplainedPart, SolvedMove};
use session::{ClockTime, Event, HintSettings, LegalClock, Pause, View};

/// A request of a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a field without a comment is described by its variant")]
pub enum Request {
    /// The first message of a page. The game of a link comes first, else that of a saved state, else a new game.
    Hello {
        /// The state that the page has kept from the last view.
        state: Option<Box<State>>,
        /// A game from an address.
        link: Option<String>,
    },
    /// A user action.
    Event {
        /// The action. Those that name a file of the disk are refused.
        event: Event,
    },
    /// The players of a board are asked for.
    Players { board: BoardShape },
    /// Files were dropped or chosen, or a text was pasted.
    Open {
        /// The files: one with games or a position, and for a Thor database also its names.
        files: Vec<FileContent>,
        /// Which game, counted from 1. Without it, a single game is loaded and several are listed.
        number: Option<usize>,
        /// From which game on several are listed, counted from 1.
        from: Option<usize>,
    },
    /// The game is asked for as a file.
    Save { format: SaveFormat },
    /// The current position is to be solved.
    Solve {
        /// Only whether it is won, drawn or lost.
        #[serde(default)]
        outcome_only: bool,
        /// All moves, and not the best alone.
        #[serde(default)]
        all_moves: bool,
    },
    /// Solving is to stop.
    StopSolving,
    /// A move is tried in the current position without being played: how good is it?
    Try { square: String },
    /// The positions along a line of play from the current position are asked for.
    Preview { line: String },
    /// The content of the opening book for the current position is requested.
    Book,
    /// The state of the farm is requested. The answer comes with the next look at the farm, which is one for all pages.
    Farm,
    /// A puzzle is put on the board.
    Puzzle {
        /// The number of empty squares; the nearest number that there is.
        empties: u32,
        /// Which of those with this number of empty squares, counted from 1; beyond the last, the first again.
        number: Option<usize>,
        /// Without a number, the first puzzle of this day, in days since the start of 1970.
        day: Option<u64>,
    },
}

/// A file as a message carries it: as text, or encoded in Base64.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileContent {
    /// The name without a folder.
    pub name: String,
    /// The content of a text file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The content of any other file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
}

/// The formats in which a game can be saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SaveFormat {
    /// Moves alone.
    Txt,
    /// GGF.
    Ggf,
    /// SGF, with all variations.
    Sgf,
    /// The current position.
    Obf,
    /// A Thor database of one game, with its two files of names.
    Wtb,
    /// A picture of the current position.
    Svg,
    /// The report of the analysis.
    Html,
}

/// A message of a host to its page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a field without a comment is described by its variant")]
pub enum Response {
    /// Something has changed.
    View(Box<Shown>),
    /// The players of a board.
    Players {
        board: BoardShape,
        /// The players, the strongest first.
        players: Vec<PlayerChoice>,
    },
    /// The games of a file, one of which is to be chosen.
    Games {
        name: String,
        /// The games, at most 200 of them.
        games: Vec<GameSummary>,
        /// Number of games in the file, as far as they were counted.
        count: usize,
        /// Whether there are more than were counted.
        has_more: bool,
    },
    /// Files that were asked for.
    Files { files: Vec<FileContent> },
    /// The judgement of a move that was tried.
    Tried {
        square: String,
        /// The [revision](View::revision) of the position in which it was tried.
        revision: u64,
        /// The judgement, as `emilia analyze --json` has it; nothing if it failed.
        judgement: Option<serde_json::Value>,
        /// Whether the move is proven to win, which solves a puzzle.
        is_win: bool,
        /// Whether no move is better, which corrects a mistake.
        is_best: bool,
        /// Why there is no judgement.
        failure: Option<String>,
    },
    /// The positions along a line of play.
    Preview {
        line: String,
        /// The rows of the current position and of the position after each move, as in
        /// [`BoardView`](session::BoardView).
        boards: Vec<Vec<String>>,
        /// The side to move in each position.
        turns: Vec<Color>,
    },
    /// The content of the opening book for a position.
    Book {
        /// The [revision](View::revision) of the view with the position.
        revision: u64,
        /// The content; none if the book cannot be read.
        page: Option<Box<BookPage>>,
        /// Why it cannot be read.
        failure: Option<String>,
    },
    /// The state of the farm.
    Farm {
        /// The state; none if the farm cannot be reached.
        page: Option<Box<FarmPage>>,
        /// Why not, in a sentence.
        failure: Option<String>,
    },
    /// A puzzle is on the board.
    Puzzle {
        empties: u32,
        /// Its number among those with as many empty squares, counted from 1.
        number: usize,
        /// Number of puzzles with as many empty squares.
        count: usize,
        /// All numbers of empty squares for which there are puzzles.
        all_empties: Vec<u32>,
    },
    /// A request that was not understood or not allowed; nothing has changed.
    Error { sentence: String },
}

/// The content of a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// The session.
    pub view: View,
    /// The classic programs' own evaluations of the position.
    pub explanations: Vec<Explained>,
    /// Whether there is an opening book for this board.
    pub has_book: bool,
    /// Whether there is a farm to look at.
    pub has_farm: bool,
    /// The solving of the current position, if it was asked for.
    pub solving: Option<Solving>,
    /// The game with its variations, for an address.
    pub link: String,
    /// The state to send with the next [`Request::Hello`] to continue this game.
    pub state: State,
}

/// The solving of a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Solving {
    /// Whether it goes on.
    pub is_running: bool,
    /// Whether only the outcome was asked for.
    pub outcome_only: bool,
    /// The last result: `24@98% +4.00`.
    pub progress: Option<String>,
    /// The solved moves, the best first; empty until it is done.
    pub answers: Vec<SolvedMove>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, in seconds.
    pub seconds: f64,
    /// Why it ended without an answer.
    pub failure: Option<String>,
}

/// The state of a farm. Its texts come from other machines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FarmPage {
    /// Workers and jobs: the object of `emilia farm status --json`.
    pub status: serde_json::Value,
    /// Jobs that were set aside, and the reasons: the objects of `emilia farm failed --json`.
    pub failed: Vec<serde_json::Value>,
    /// The number of entries that are missing because a list was too long for a page.
    pub left_out: usize,
}

/// The maximum number of moves in a game: the squares of the largest board.
const MAX_PLAYED: usize = 100;

fn number_of_moves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let moves = usize::deserialize(deserializer)?;
    if moves > MAX_PLAYED {
        return Err(Error::custom(format!("number of moves out of range: {moves}; expected 0 to {MAX_PLAYED}")));
    }
    Ok(moves)
}

/// A game, its players and its clocks, to continue after a page was reloaded or a server came back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The board.
    pub board: BoardShape,
    /// The game with its variations.
    pub sgf: String,
    /// Number of moves of the line that are played on the board, at most 100.
    #[serde(deserialize_with = "number_of_moves")]
    pub played: usize,
    /// Black's and White's engine; none is a person.
    pub seats: [Option<SeatState>; 2],
    /// The clock of both sides.
    pub control: Option<LegalClock>,
    /// The times on the clocks, in seconds.
    #[serde(default)]
    pub seconds: [ClockTime; 2],
    /// Whether the values of the moves are shown.
    #[serde(default)]
    pub shows_hints: bool,
    /// The settings of hints.
    #[serde(default)]
    pub hints: HintSettings,
    /// The pause between the moves of two engines, in seconds.
    #[serde(default)]
    pub pace: Pause,
    /// Whether a loaded game or an earlier position is being reviewed.
    #[serde(default)]
    pub is_reviewing: bool,
    /// Whether the engines wait.
    #[serde(default)]
    pub is_waiting: bool,
}

/// The engine of a color.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatState {
    /// Its notation.
    pub player: String,
    /// Its level, if it plays at one.
    pub level: Option<Level>,
}

/// A player that can be chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerChoice {
    /// Its name, description and settings.
    #[serde(flatten)]
    pub listed: ListedPlayer,
    /// Its levels without a clock.
    pub levels: Vec<ListedLevel>,
    /// Its levels with a clock.
    pub levels_with_clock: Vec<ListedLevel>,
    /// Index of the default among the levels without a clock.
    pub default_level: usize,
}

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameSummary {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Black's player.
    pub black: String,
    /// White's player.
    pub white: String,
    /// The event or place.
    pub event: String,
    /// When: a year, or a day.
    pub date: String,
    /// Black's score, if it is known.
    pub score: Option<Score>,
    /// The number of moves.
    pub moves: usize,
    /// Its first moves.
    pub opening: String,
    /// Why the game cannot be read, if it cannot.
    pub failure: Option<String>,
}
