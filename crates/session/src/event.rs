//! User actions at a window: plain data, in JSON an object whose `event` says which.

use std::path::PathBuf;

use engine::Level;
use serde::{Deserialize, Serialize};

use crate::catalogue::Sides;
use othello::{BoardShape, Color};

/// Something that a person did, or time that has passed.
///
/// Squares are named as on the board of the session.
///
/// ```
/// use session::Event;
///
/// let event: Event = serde_json::from_str(r#"{"event":"play","square":"f5"}"#)?;
/// assert_eq!(event, Event::Play { square: "f5".to_owned() });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a field without a comment is described by its variant")]
pub enum Event {
    /// Time has passed, and nothing else has happened: clocks may have run out.
    Tick,
    /// The person has seen what was said; a question is answered with no.
    Dismiss,
    /// The person plays a move, for itself or for a paused engine.
    Play { square: String },
    /// A paused engine continues.
    Continue,
    /// The engine that thinks about its move waits.
    Wait,
    /// The engine that thinks about its move plays the best one that it knows.
    MoveNow,
    /// Another position of the game is shown. Engines and clocks are paused there, unless the person took a turn back.
    Go { step: Step },
    /// The position after a move of either side is shown, as a variation of the game. Engines and clocks are paused there.
    StepIn { square: String },
    /// The position after this number of moves of the line is shown.
    GoTo { moves: usize },
    /// The values of the moves are shown, or no longer.
    ShowHints { shown: bool },
    /// Hints are searched at another level, or another number of lines is listed; what is not given stays.
    SetHints {
        /// The level, 1 to 60.
        level: Option<u32>,
        /// Number of the best moves that are listed with their lines, 1 to 9.
        lines: Option<usize>,
    },
    /// Two engines that play each other pause this long between moves.
    SetPace {
        /// In seconds, up to a minute.
        seconds: f64,
    },
    /// The game is analyzed in the background, or a stopped analysis is resumed.
    Analyze {
        /// The level of the analysis; without one, that of `emilia analyze`.
        level: Option<u32>,
    },
    /// The analysis stops; what was found stays.
    StopAnalysis,
    /// The position before a move of the analyzed game is shown.
    ShowMove {
        /// The number of the move, from 1.
        number: usize,
    },
    /// The analysis is written as a page for the browser.
    WriteReport {
        path: PathBuf,
        /// Whether an existing file may be overwritten.
        #[serde(default)]
        overwrite: bool,
    },
    /// The engine plays so many levels higher, or lower if it is negative.
    ChangeLevel { by: i32 },
    /// A player takes a seat.
    Seat {
        color: Color,
        /// The player, in the notation of the command line.
        player: String,
        /// The level at which it is to play, unless the notation has a limit of its own.
        level: Option<Level>,
    },
    /// The person takes a seat.
    SeatPerson { color: Color },
    /// The players change sides.
    Swap,
    /// Another game begins.
    NewGame(NewGame),
    /// The same game begins again, from the position where it began.
    Restart,
    /// A position is set up.
    SetUp(Edit),
    /// A board or a game that was written down is taken: a board to be set up, a game to be played on.
    Paste {
        /// Squares of `X`, `O` and `-` with the side to move behind them, or moves such as `f5d6c3`.
        text: String,
    },
    /// The game is saved.
    Save {
        path: PathBuf,
        /// Whether existing files may be overwritten.
        #[serde(default)]
        overwrite: bool,
    },
    /// A game is loaded.
    Load {
        path: PathBuf,
        /// Which game of the file, counted from 1.
        #[serde(default = "first")]
        number: usize,
    },
}

fn first() -> usize {
    1
}

/// A way from one position of a game to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// To the person's move before; one move if only engines play.
    TakeBack,
    /// To the person's next move; one move if only engines play.
    PlayAgain,
    /// One move back.
    Back,
    /// One move forward.
    Forward,
    /// To the start.
    ToStart,
    /// To the end of the line.
    ToEnd,
    /// To the next of the moves that were tried in place of the last one.
    Variation,
}

/// A requested game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NewGame {
    /// Which sides the person plays.
    pub sides: Sides,
    /// The clock of both sides: `5m`, `5m+3s`; empty for none.
    #[serde(default)]
    pub clock: String,
    /// The board.
    pub board: BoardShape,
}

/// A step in setting up a position; in JSON its `edit` says which.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Edit {
    /// It begins with the position of the game, whose clocks are stopped.
    Begin,
    /// A disc is put on a square, or taken from it.
    Put { square: String, disc: Option<Color> },
    /// The next kind of content is put on a square: black, white, nothing.
    Change { square: String },
    /// The other side is to move.
    Turn,
    /// All discs are taken away.
    Clear,
    /// The discs stand as at the start of a game.
    Start,
    /// The position is ready to be played.
    Done,
    /// Nothing is to change.
    Cancel,
}
