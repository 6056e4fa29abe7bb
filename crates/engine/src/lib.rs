//! Players of Othello: their interface, limits, reports and the ways to stop them.
//!
//! All players implement [`Player`]: the engines of this project, the historical programs and external programs behind
//! a protocol. All that lets players play (the terminal, a match, an analysis, a protocol) uses nothing else of them.
//!
//! ```
//! use engine::{Choice, Chosen, Limits, Observer, Player, PlayerError, Stop};
//! use othello::{Board, Game, Rules, SquareSet};
//!
//! /// Plays the first legal move in reading order.
//! struct Reader;
//!
//! impl Player for Reader {
//!     fn name(&self) -> &str {
//!         "reader"
//!     }
//!
//!     fn choose(&mut self, game: &Game, _limits: &Limits, _observer: &mut dyn Observer, _stop: &Stop) -> Chosen {
//!         game.position().board.moves().first().map(Choice::of).ok_or(PlayerError::GameOver)
//!     }
//! }
//!
//! let choice = Reader.choose(&Game::new(), &Limits::default(), &mut engine::Silent, &Stop::new())?;
//! assert_eq!(choice.square.to_string(), "d3");
//! # Ok::<(), PlayerError>(())
//! ```
//!
//! # Players
//!
//! - A player gets a game, not a position: it may need the history, and protocols send moves.
//! - A player is `Send` and reacts to a `Stop` within 10 ms. `PlayerThread` runs any player in a thread of its own: it
//!   takes requests (a new game, a move, the values of moves, pondering) and answers with messages that carry the
//!   number of the request, so that late answers are recognized. A panic is a failure; a player that does not return is
//!   abandoned. The arena and both terminal interfaces use it. It does not exist in WebAssembly.
//! - A report names the line it is about, so that a player that values several moves (`value_moves`) reports each.
//!   Emilia searches all of them together; any other player evaluates the position after each move
//!   (`move_values.rs`).
//! - `control::clock` is the only place below the program that reads the time.

pub mod analysis;
mod bench;
mod deepening;
mod emilia;
mod estimate;
pub mod explanation;
pub mod interruption;
pub mod json;
mod level_cost;
mod levels;
mod limits;
mod move_values;
mod observer;
mod overhead;
mod player;
#[cfg(not(target_family = "wasm"))]
mod player_thread;
mod random_player;
mod search_cost;
pub mod seconds;
pub mod settings;
pub mod solution;
mod time_management;
mod weak_play;

pub use bench::{Bench, BenchError, BenchKind};
pub use control::{Stop, clock};
pub use emilia::{Emilia, Options};
pub use estimate::{DiscScale, Estimate, Outcome};
pub use level_cost::Cost;
pub use levels::{Level, LevelError};
pub use limits::{GameClock, Limits};
pub use observer::{Foundation, Observer, Origin, Progress, Silent};
pub use overhead::Overhead;
pub use player::{Choice, Chosen, Player, PlayerError};
#[cfg(not(target_family = "wasm"))]
pub use player_thread::{PlayerMessage, PlayerThread, RequestId, guarded};
pub use random_player::RandomPlayer;
pub use search::HashTableError;
pub use search_cost::SearchCost;
pub use time_management::Allocation;
pub use weak_play::{Form, WeakPlay, WeakPlayer};
