//! The classic Othello programs, each rebuilt from its paper.
//!
//! [`iago`], [`bill`], [`logistello`], [`keyano`] and [`desdemona`]; the three one-idea players that the IAGO paper
//! begins with (Rosenbloom 1982, section 3.1); and one that plays at random.
//!
//! ```
//! use engine::{Limits, Player, Silent, Stop};
//! use heritage::one_idea::{MaximumDisc, OneIdeaPlayer};
//! use othello::Game;
//!
//! let mut player = OneIdeaPlayer::new(MaximumDisc, 1);
//! let mut game = Game::new();
//! let choice = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new())?;
//! game.play(choice.square)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bill;
pub mod desdemona;
pub mod explanation;
pub mod iago;
pub mod interruption;
pub mod keyano;
pub mod logistello;
pub mod one_idea;
pub mod random;
pub mod settings;
pub mod table_file;
pub mod weighted_square;
