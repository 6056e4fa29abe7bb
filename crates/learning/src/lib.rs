//! Learning: from self-play games to the weights and tables of the engines.
//!
//! Every step is seeded: the same parameters give the same result on every machine, with any number of threads.
//!
//! Every file contains, as data, what determines its content (`provenance.rs`): who played, with which seed and depths;
//! which labels; which training. `storage::Fingerprint` compares it field by field and names what differs.
//!
//! # Steps
//!
//! `docs/learning.md` describes them, command by command.
//!
//! - **Games** (`emilia learn play`, `merge`): `self_play.rs` plays all games, for stores as well as for fits; each game
//!   depends only on its number. `game_store.rs` is the file to which games are appended; `journal.rs` is the file with
//!   the games of its unfinished block.
//! - **Labels** (`emilia learn label`): `labeling.rs` goes through all games backwards, one number of empty squares at a
//!   time, and labels every position once; `label_store.rs` is sorted in the order in which training reads it.
//! - **Training** (`emilia learn train`): `training.rs` goes through the phases of the game on a `material.rs`, in stores
//!   or in memory; `pattern_fit.rs` is the regression.
//! - **Interactions** (`emilia learn interactions`): `interaction_training.rs` goes through the stages of the game, which
//!   are independent of each other; `interaction_fit.rs` is the gradient descent.
//! - **Measuring** (`emilia learn problems`, `inspect`): `problem_set.rs` solves positions of held-out games with all
//!   their best moves, `search_accuracy.rs` compares searches with them, `weight_inspection.rs` assesses weights.
//! - **Tables of the engine** (`emilia learn winning`, `ordering`, `probcut`, `handmade`): the fits of files that are
//!   compiled into the program.
//! - **The cycle** (`emilia learn cycle`, in `cycle/`) repeats these steps, with a match between the new weights and the
//!   old. Its state is its files, so that it can be killed at any moment. The experiment `emilia-generations` of the
//!   laboratory runs the same steps in memory.

pub mod cholesky;
pub mod cycle;
pub mod discordance;
mod error;
mod game_block;
pub mod game_store;
pub mod handmade_fit;
pub mod inspection_plots;
pub mod interaction_fit;
pub mod interaction_training;
pub mod job_kinds;
mod journal;
pub mod label_store;
pub mod labeling;
pub mod labels;
pub mod learner;
pub mod least_squares;
pub mod material;
pub mod merging;
mod mixed_radix;
pub mod ordering_fit;
mod parallel;
mod partial_file;
pub mod pattern_fit;
pub mod played_game;
pub mod playing;
pub mod probcut_fit;
pub mod problem_file;
pub mod problem_set;
mod provenance;
pub mod search_accuracy;
pub mod self_play;
mod shallow_search;
pub mod stored_games;
#[cfg(test)]
mod tests;
pub mod training;
pub mod weight_inspection;
pub mod winning_fit;
pub mod workforce;

pub use error::LearnError;
