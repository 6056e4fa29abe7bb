//! What happens at the screen, and what the screen asks for: plain data in both directions.

use std::path::PathBuf;

use engine::{Choice, GameClock, Limits, Progress};
use othello::records::GameRecord;
use othello::{Color, Game, Rules};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use crate::board_shape::BoardShape;
use crate::player_notation::PlayerNotation;
use crate::screen::new_game::Sides;

/// The number of a piece of thinking, so that answers to a question of before are known as such.
pub type Task = u64;

/// Something that happened.
#[derive(Debug)]
pub enum Event<B: Rules> {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The window has this many columns and rows now.
    Resize(u16, u16),
    /// Time has passed.
    Tick,
    /// The program is told to end, or nobody can type any more.
    Terminate,
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
    /// A file was written, or not.
    Saved(PathBuf, Result<(), String>),
    /// Files that would be written over are there already.
    Exists {
        /// The file that is to be written.
        path: PathBuf,
        /// What is there: it, or files that go with it.
        there: Vec<PathBuf>,
    },
    /// A file was read, or not.
    Loaded(PathBuf, Result<FoundGame<B>, String>),
    /// The names of files that begin as what was typed.
    Completed(Vec<String>),
}

/// A game that was read.
#[derive(Debug)]
pub struct FoundGame<B: Rules> {
    /// The game.
    pub record: Box<GameRecord<B>>,
    /// Which game of its file it is, counted from 1.
    pub number: usize,
    /// How many games the file holds, as far as they were counted.
    pub count: usize,
}

/// A player that is asked to take a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Seating {
    /// The player.
    pub notation: Box<PlayerNotation>,
    /// The level at which it is to play, if one was chosen.
    pub level: Option<u32>,
}

impl Seating {
    /// A player at a level, or as it is used to.
    pub fn new(notation: PlayerNotation, level: Option<u32>) -> Self {
        Self { notation: Box::new(notation), level }
    }
}

/// A game on another board than the present one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OtherBoard {
    /// The board.
    pub shape: BoardShape,
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// Which sides the person plays.
    pub sides: Sides,
}

/// Something to be done outside of the screen's state.
#[derive(Clone, PartialEq, Debug)]
pub enum Order<B: Rules> {
    /// Put a player on a seat.
    Seat(Color, Seating),
    /// Let nobody but a person sit there.
    Unseat(Color),
    /// Let the players change seats.
    Swap,
    /// Tell the players that a new game begins.
    NewGame,
    /// Let the player of a colour choose a move.
    Think(Task, Color, Box<Game<B>>, Limits),
    /// Let the player of a colour think in the time of the other.
    Ponder(Task, Color, Box<Game<B>>, Limits),
    /// Let the moves of a position be valued.
    Advise(Task, Box<Game<B>>),
    /// End what is being thought. An answer may still come.
    Stop,
    /// Write the game.
    Save {
        /// The file.
        path: PathBuf,
        /// The game.
        record: Box<GameRecord<B>>,
        /// Whether a file that is there may go.
        overwrite: bool,
    },
    /// Read a game, counted from 1, of a file.
    Load(PathBuf, usize),
    /// Look for files whose names begin so.
    Complete(String),
    /// Give the terminal back for a while.
    Suspend,
    /// Play on another board.
    ChangeBoard(OtherBoard),
    /// Leave.
    Leave,
    /// Leave, because someone outside wants it.
    Terminate,
}
