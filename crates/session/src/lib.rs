//! One person at one game: seats, clocks, moves and variations, hints, set-up, files.
//!
//! A [`Session`] is a model for several kinds of windows. User actions come in as an [`Event`], the content of a window
//! goes out as a [`View`]; both are plain data with JSON shapes, independent of the board. Work to be done elsewhere goes
//! out as an [`Effect`]: an [`Order`] to let a player think, or a file to be read. A [`Reply`] to the order, or a
//! [`FileResult`], comes back. The session has no window, thread, clock or file: time comes in with every event, as the
//! span since the session began.
//!
//! Orders and replies are serialized: the same [`BoardWorkbench`] carries them out in threads ([`PlayerThreads`]), in a
//! server and in a worker of a browser ([`Workbench`]).
//!
//! State of one window is not here: a cursor, an open form, a text that is half typed. For forms there are the choices
//! ([`Catalogue`], [`Sides`], [`othello::BoardShape`]) and the event that ends them; errors in its input come as a
//! [`Message`].
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use engine::Choice;
//! use othello::{Board, Game};
//! use players::Registry;
//! use session::{Effect, Event, Opponent, Order, Reply, Seating, Session, Start};
//!
//! let spare = Seating::new("random".parse()?, None);
//! let random = Opponent::new(spare.notation.clone(), "random".to_owned(), None, false);
//! let registry = Arc::new(Registry::core());
//! let mut session = Session::<Board>::new(Start::new(registry, Game::new(), [None, Some(random)], spare));
//! session.handle(Event::Tick, Duration::ZERO);
//! let effects = session.handle(Event::Play { square: "f5".to_owned() }, Duration::from_secs(3));
//! let [Effect::Start { number, order: Order::Think { game, .. } }] = &effects[..] else { panic!("{effects:?}") };
//! assert_eq!(game.moves.squares.len(), 1);
//! let reply = Reply::Chosen { choice: Choice::of("d6".parse()?).into() };
//! session.take(*number, reply, Duration::from_secs(4));
//! let view = session.view();
//! assert_eq!(view.board.rows[5], "---O----");
//! assert_eq!((view.move_count, view.seats[0].seconds), (2, 3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! - **A `Message` is data with a sentence.** The sentence has no key and no button in it; the full screen adds its
//!   keys.
//! - **Only changes are ordered**: after each event the session determines the searches that should run (a move,
//!   pondering, hints), and sends orders only for changes. Every order has a number, and answers to
//!   outdated orders are ignored.
//! - **Reviewing is not playing** (`Review`): at an earlier position, or in a loaded game, the clocks stop and engines
//!   wait until a move is made. `Event::StepIn` shows the position after a move of either side in the same way: back at
//!   the last position, the game goes on.
//! - **Exercises are chosen and judged here** for the page and the terminal: `puzzles.rs` has the puzzles of a day,
//!   `exercises.rs` decides which moves of an analyzed game are asked again and when a try is right.
//! - `session.rs` handles events and replies, `thinking.rs` orders moves, hints and learning, `reviewing.rs` goes to other
//!   positions and analyzes; `live_game.rs` is the game with its seats, clocks and notes on every move, `analysis.rs` the
//!   results of an analysis so far, `set_up.rs` a position that is being set up; `viewing.rs` makes the view.
//!   `workbench.rs` carries out the orders, in threads by `player_threads.rs` where a host has threads.

mod analysis;
mod book_page;
pub mod catalogue;
mod event;
pub mod exercises;
mod live_game;
mod message;
mod opponent;
mod order;
#[cfg(not(target_family = "wasm"))]
mod player_threads;
pub mod puzzles;
mod reviewing;
mod seconds;
mod session;
mod set_up;
mod studied_board;
pub mod study;
mod thinking;
mod view;
mod viewing;
mod workbench;

pub use catalogue::{Catalogue, ListedPlayer, Sides};
pub use event::{Edit, Event, NewGame, Step};
pub use message::{InputKind, Message};
pub use opponent::{Opponent, OwnLimits, Seating, without_limits};
pub use order::{Effect, FileResult, FoundGame, Order, OrderNumber, OtherBoard, PlayedGame, Reply};
#[cfg(not(target_family = "wasm"))]
pub use player_threads::PlayerThreads;
pub use seconds::{ClockTime, LegalClock, Pause, Seconds};
pub use session::{Resumed, Session, Start};
pub use set_up::looks_like_board;
pub use studied_board::StudiedBoard;
pub use view::{
    Abilities, AnalysisView, BoardView, Confirmation, Hint, HintSettings, JudgedView, MessageView, MoveView, PlyView,
    ResultView, SeatView, SetUpView, Thought, View,
};
pub use workbench::{BoardWorkbench, Resources, Workbench};
