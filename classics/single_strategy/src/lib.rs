//! The three players with a single strategy that the IAGO paper begins with (Rosenbloom 1982, section 3.1): maximum disc,
//! weighted square and minimum disc.
//!
//! ```
//! use engine::{Limits, Player, Silent, Stop};
//! use othello::Game;
//! use single_strategy::{MaximumDisc, OneIdeaPlayer};
//!
//! let mut player = OneIdeaPlayer::new(MaximumDisc, 1);
//! let mut game = Game::new();
//! let choice = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new())?;
//! game.play(choice.square)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod program;
mod search;
mod weighted_square;

pub use program::program;
pub use search::{Idea, MaximumDisc, MinimumDisc, OneIdeaPlayer};
pub use weighted_square::WeightedSquare;
