//! What a session asks for, and what came of it. None of this leaves the process that holds the session: windows send
//! [events](crate::Event) and get a [view](crate::View).

use std::path::PathBuf;

use engine::analysis::JudgedMove;
use engine::{Choice, GameClock, Limits, Progress};
use othello::{BoardShape, Color, Game, Rules};
use players::analysts::AnalystChoice;
use records::GameRecord;

use crate::catalogue::Sides;
use crate::opponent::Seating;
use crate::view::HintSettings;

/// The number of a piece of thinking, so that answers to a question of before are known as such.
pub type Task = u64;

/// Something to be done outside of the session.
#[derive(Clone, PartialEq, Debug)]
pub enum Order<B: Rules> {
    /// Something for the players.
    Player(PlayerOrder<B>),
    /// Write the game.
    Save {
        /// The file.
        path: PathBuf,
        /// The game.
        record: Box<GameRecord<B>>,
        /// Whether existing files may be overwritten.
        overwrite: bool,
    },
    /// Write the report of an analysis.
    WriteReport {
        /// The file.
        path: PathBuf,
        /// The page.
        html: String,
        /// Whether an existing file may be overwritten.
        overwrite: bool,
    },
    /// Read a game of a file.
    Load {
        /// The file.
        path: PathBuf,
        /// Which game, counted from 1.
        number: usize,
    },
    /// Play on another board, in another session.
    ChangeBoard(OtherBoard),
}

/// Something for the players.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerOrder<B: Rules> {
    /// Put a player on a seat.
    Seat(Color, Seating),
    /// Remove the player of a seat: a person plays there.
    Unseat(Color),
    /// Swap the players.
    Swap,
    /// Start a new game for all players.
    NewGame,
    /// Let the player of a color choose a move.
    Think(Task, Color, Box<Game<B>>, Limits),
    /// Let the player of a color ponder in the opponent's time.
    Ponder(Task, Color, Box<Game<B>>, Limits),
    /// Let all moves of a position be valued at this level, each reported as a thought.
    Advise(Task, Box<Game<B>>, u32),
    /// Let the player of a color learn a game, for the games to come.
    Learn(Color, Box<Game<B>>),
    /// Stop all thinking except an analysis. An answer may still come.
    Stop,
    /// Let the moves of a game be judged, from the move of this index on; the analysis before it ends.
    Analyze(Task, Box<Game<B>>, usize, Box<AnalystChoice>),
    /// End the analysis.
    StopAnalysis,
}

/// A game on another board than that of the session.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OtherBoard {
    /// The board.
    pub shape: BoardShape,
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// Which sides the person plays.
    pub sides: Sides,
    /// How hints are searched and listed.
    pub hints: HintSettings,
    /// How long two engines pause between moves, in seconds.
    pub pace: f64,
}

/// What came of an order. Failures are sentences without a full stop.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<B: Rules> {
    /// A player or the adviser has found something.
    Thought(Task, Progress),
    /// A player has chosen its move, or says why not.
    Chosen(Task, Result<Choice, String>),
    /// The adviser has said all that it has to say, or says why not.
    Advised(Task, Result<(), String>),
    /// A player has taken its seat under this name, or says why not.
    Seated(Color, Seating, Result<String, String>),
    /// A player is not fit for a new game, and says why.
    Unfit(String),
    /// A player has learned a game, and says what; nothing if it does not learn; or why it could not.
    Learned(Result<Option<String>, String>),
    /// A move of the game that is analyzed was judged.
    Judged(Task, Box<JudgedMove<B>>),
    /// The analysis has ended, or failed.
    Analyzed(Task, Result<(), String>),
    /// A game was written, or not.
    Saved(PathBuf, Result<(), String>),
    /// A report was written, or not.
    Reported(PathBuf, Result<(), String>),
    /// Files already exist and would be overwritten.
    Exists {
        /// The file that is to be written.
        path: PathBuf,
        /// The files that exist: this one, or files that go with it.
        there: Vec<PathBuf>,
        /// Whether a report is to be written, and not the game.
        is_report: bool,
    },
    /// A file was read, or not.
    Loaded(PathBuf, Result<FoundGame<B>, String>),
}

/// A game that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundGame<B: Rules> {
    /// The game.
    pub record: Box<GameRecord<B>>,
    /// Which game of its file it is, counted from 1.
    pub number: usize,
    /// How many games the file holds, as far as they were counted.
    pub count: usize,
    /// Whether there are more than were counted.
    pub has_more: bool,
}
