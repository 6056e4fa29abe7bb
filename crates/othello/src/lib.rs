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
//!
//! # Design
//!
//! - **A board is two bitboards**, the side to move first: two `u64` up to 8x8, two `u128` beyond. `Rules` is the trait
//!   of all boards; `Board` is 8x8, `SmallBoard<6>` and `SmallBoard<4>` occupy the middle of the 8x8 grid, `CutBoard`
//!   is DESDEMONA's 92 squares. Code that is generic over `Rules` works on all four, at no cost for 8x8.
//! - **`Geometry`** defines which squares a board has and their names. A `Square` is only a number; on boards other
//!   than 8x8 its name comes from the geometry.
//! - **Kernels**: flips, legal moves, last-move flip counts and corner pattern indices exist for AVX-512, for AVX2 and
//!   in portable Rust; the target CPU of the build chooses. Their `unsafe` is confined to `othello/src/kernels`. On a
//!   CPU that lacks the instructions it was built for, the program exits with a clear message (`cli/src/cpu_check.rs`).
//! - **`reference`** implements the rules again, in a slow but obvious way, on an array of characters. Tests and `cargo
//!   xtask crosscheck` compare all fast code with it. `crosscheck` also compares the kernels with one another, on many
//!   more positions in the same time.
//! - **`Game`** is a tree of moves with a current position. Passes are forced, so the game makes them by itself: the
//!   side to move always has a move, unless the game is over.
//! - **Scores** are final disc differences with the empty squares given to the winner (`Score`). An evaluation's
//!   estimate has another type (`evaluation::Value`), so that the two never mix; a player's assessment of a position
//!   (`engine::Estimate`) is one of them.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod board;
mod board_shape;
mod color;
mod cut_board;
mod game;
mod geometry;
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
