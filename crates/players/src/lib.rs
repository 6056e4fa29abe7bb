//! Every player by its name: the list of them, the notation `name@setting=value`, weights, and who analyses games.
//!
//! A player is data: a [`PlayerNotation`] with [`PlayerOptions`] for
//! what it leaves open, from which any crate makes the player itself.
//!
//! ```
//! use engine::{Limits, Silent, Stop};
//! use othello::{Board, Game};
//! use players::{PlayerNotation, PlayerOptions, registry};
//!
//! let notation: PlayerNotation = "iago@depth=2".parse()?;
//! let mut iago = registry::limited_player::<Board>(&notation, &PlayerOptions::default())?;
//! let choice = iago.choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new())?;
//! assert_eq!(choice.depth, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(not(target_family = "wasm"))]
pub mod analysis_job;
pub mod analysts;
#[cfg(not(target_family = "wasm"))]
pub mod book_search;
pub mod book_settings;
mod emilia_maker;
pub mod error;
#[cfg(not(target_family = "wasm"))]
pub mod job_kinds;
#[cfg(not(target_family = "wasm"))]
pub mod leaf_job;
pub mod level_words;
mod limited_player;
pub mod notation;
#[cfg(not(target_family = "wasm"))]
pub mod opening_book;
#[cfg(target_family = "wasm")]
pub mod opening_book {
    //! Opening books, of which there are none in a browser.

    /// An opening book.
    #[derive(Clone, Debug)]
    pub enum OpeningBook {}
}
#[cfg(not(target_family = "wasm"))]
pub mod portable_player;
#[cfg(not(target_family = "wasm"))]
pub mod portable_weights;
pub mod program_book;
pub mod registry;
#[cfg(not(target_family = "wasm"))]
pub mod shipped_book;
#[cfg(not(target_family = "wasm"))]
mod shipped_books;
#[cfg(not(target_family = "wasm"))]
pub mod solve_job;
pub mod time_span;
pub mod weights;

pub use emilia_maker::EmiliaMaker;
pub use error::MakeError;
pub use notation::PlayerNotation;
pub use registry::{PlayableBoard, PlayerOptions, SearchOptions, Shared};
