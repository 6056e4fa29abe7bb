//! The game of Othello: squares, boards, flips, legal moves, stability, symmetry and the tree of a game.
//!
//! This crate has the rules; records of games, evaluation and search are in other crates. It must depend on nothing but
//! `core` and `alloc`, and optionally `serde`.
//!
//! ```
//! use othello::{Board, Rules, Square};
//!
//! let start = Board::start();
//! assert_eq!(start.moves().count_ones(), 4);
//! let after = start.play("f5".parse::<Square>()?).expect("f5 is legal");
//! assert_eq!(after.opponent().count_ones(), 4);
//! # Ok::<(), othello::ParseSquareError>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod board;
mod board_shape;
mod color;
mod cut_board;
mod game;
mod geometry;
mod hash;
#[cfg(feature = "serde")]
pub mod json;
pub mod kernels;
pub mod mobility;
pub mod perft;
mod position;
mod position_text;
pub mod random;
pub mod reference;
pub mod regions;
mod rules;
mod score;
mod small_board;
mod square;
mod square_set;
pub mod stability;
mod symmetric_moves;
pub mod symmetry;

pub use board::Board;
pub use board_shape::BoardShape;
pub use color::Color;
pub use cut_board::CutBoard;
pub use game::{Game, IllegalMoveError, Ply};
pub use geometry::Geometry;
pub use position::Position;
pub use position_text::ParsePositionError;
pub use rules::Rules;
pub use score::Score;
pub use small_board::SmallBoard;
pub use square::{ParseSquareError, Square};
pub use square_set::{SquareSet, Squares, squares};
pub use symmetric_moves::{grouped_moves, symmetric_moves};
