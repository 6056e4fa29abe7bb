//! External programs as players, by the protocols of Othello programs.
//!
//! [`Nboard`] and [`Gtp`] are [`Player`](engine::Player)s like any other. The program is started when it is first
//! needed and ends with the player, or with our process, however that ends. One that exits, stops answering, answers
//! nonsense, plays an illegal move or floods its output makes `choose` fail with a sentence about it; it is then ended,
//! and started again for the next game.

mod child;
mod error;
mod gtp;
mod nboard;
mod nboard_lines;
mod output_reader;
mod program;

pub use gtp::Gtp;
pub use nboard::Nboard;
pub use program::{CommandError, ExternalProgram};
