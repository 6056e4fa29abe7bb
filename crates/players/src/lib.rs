//! Every player by its name: the registry, the notation `name@setting=value`, weights, and analysts of games.
//!
//! A [`Program`] registers its players; the [`Registry`] of all programs is a value, which the program that is run assembles
//! and hands down. A player is data, a [`PlayerNotation`] with [`PlayerOptions`] for everything that it leaves open, from
//! which the registry makes the player itself.
//!
//! ```
//! use engine::{Limits, Silent, Stop};
//! use othello::{Board, Game};
//! use players::{PlayerNotation, PlayerOptions, Registry};
//!
//! let notation: PlayerNotation = "emilia@weights=hand-made,depth=2".parse()?;
//! let mut player = Registry::core().limited_player::<Board>(&notation, &PlayerOptions::default())?;
//! let choice = player.choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new())?;
//! assert_eq!(choice.depth, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `emilia_maker.rs` is the only place where Emilia is constructed, as a player and as an analyst, with any weights.

#[cfg(not(target_family = "wasm"))]
pub mod analysis_job;
pub mod analysts;
mod board;
pub mod book_settings;
mod emilia_maker;
pub mod entry;
pub mod error;
#[cfg(not(target_family = "wasm"))]
pub mod job_kinds;
#[cfg(not(target_family = "wasm"))]
pub mod leaf_job;
pub mod level_words;
pub mod notation;
#[cfg(not(target_family = "wasm"))]
pub mod opening_book;
#[cfg(target_family = "wasm")]
#[path = "no_books.rs"]
pub mod opening_book;
mod options;
#[cfg(not(target_family = "wasm"))]
pub mod portable_player;
pub mod program_book;
pub mod registry;
#[cfg(not(target_family = "wasm"))]
pub mod shipped_book;
#[cfg(not(target_family = "wasm"))]
pub mod solve_job;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
pub mod time_span;
pub mod weights;

pub use board::PlayableBoard;
pub use emilia_maker::EmiliaMaker;
pub use entry::{Entries, Entry, OnEveryBoard, Program};
pub use error::MakeError;
pub use notation::PlayerNotation;
pub use options::{PlayerOptions, SearchOptions, SharedResources};
pub use registry::{Registry, RegistryError, emilia_player};
