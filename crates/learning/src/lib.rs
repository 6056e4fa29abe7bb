//! Learning: from self-play games to the weights and tables of the engines.
//!
//! Every step is seeded: the same parameters give the same result on every machine, with any number of threads.
//!
//! # Parts
//!
//! - **Provenance** (`provenance.rs`): every file contains, as data, what determines its content: who played, with
//!   which seed and depths; which labels; which training. `storage::Fingerprint` compares it field by field and names
//!   what differs.
//! - **Games** (`emilia learn play`, `merge`): `self_play.rs` plays all games, for stores as well as for fits; each
//!   game depends only on its number. `played_game.rs` is a game with its random moves marked, and its positions;
//!   `game_store.rs` and `game_block.rs` are the file to which games are appended, `journal.rs` is the file with the
//!   games of its unfinished block, `merged_store.rs` is the store that is written as a whole and `merging.rs` what
//!   goes into it; `playing.rs` fills a store, for `learn play` and for the cycle; `stored_games.rs` reads several
//!   stores as one. `parallel.rs` is a plain parallel loop over a list (rayon).
//! - **Labels** (`emilia learn label`): `label_job.rs` is the whole step; `labeling.rs` goes through all games
//!   backwards, one number of empty squares at a time, and labels every position once; `shallow_search.rs` is a fast
//!   plain minimax; `labels.rs` and `label_store.rs` are what is written, sorted in the order in which training reads
//!   it.
//! - **Training** (`emilia learn train`): `material.rs` is the training set, in stores or in memory; `training_run.rs`
//!   trains on it with a checkpoint next to the output; `training.rs` goes through the phases, `pattern_fit.rs` is the
//!   regression.
//! - **Interactions** (`emilia learn interactions`): `interaction_training.rs` goes through the stages of the game,
//!   with a checkpoint next to the output, `interaction_fit.rs` is the gradient descent. Stages are independent of each
//!   other, so that the number of threads does not matter here, either.
//! - **Measuring** (`emilia learn problems`, `inspect`): `problem_set.rs` picks positions from held-out games and
//!   solves them with all their best moves, `problem_file.rs` is the file they are appended to, and
//!   `search_accuracy.rs` compares searches with exact scores. `weight_inspection.rs` and `discordance.rs` assess
//!   weights on held-out games.
//! - **The probability of winning** (`emilia learn winning`): `winning_fit.rs` fits the scales of
//!   `evaluation/src/winning.rs`, a source file that is compiled into the program.
//! - **Move ordering** (`emilia learn ordering`): `ordering_fit.rs` solves all moves of endgame positions and fits
//!   `evaluation::OrderingSet`, a single pattern that orders the moves of the endgame search, to their differences.
//! - **The cycle** (`emilia learn cycle`, in `cycle/`) repeats these steps, with a match between the new weights and
//!   the old. Its state is its files: `settings.rs` identifies its folder, `log.rs` has the finished generations,
//!   `gate.rs` plays the match. Nothing else is kept, so that it can be killed at any moment. The experiment
//!   `emilia-generations` of the laboratory runs the same steps in memory. `docs/learning.md` describes the steps from
//!   games to weights, command by command.

pub mod cholesky;
pub mod cycle;
pub mod discordance;
pub mod error;
mod game_block;
pub mod game_store;
pub mod handmade_fit;
pub mod inspection_plots;
pub mod interaction_fit;
pub mod interaction_training;
pub mod job_kinds;
mod journal;
pub mod label_job;
pub mod label_store;
pub mod labeling;
pub mod labels;
pub mod learner;
pub mod least_squares;
pub mod material;
pub mod merged_store;
pub mod merging;
mod mixed_radix;
pub mod ordering_fit;
mod parallel;
pub mod pattern_fit;
pub mod played_game;
pub mod playing;
pub mod probcut_fit;
pub mod problem_file;
pub mod problem_set;
pub mod provenance;
pub mod search_accuracy;
pub mod self_play;
pub mod shallow_search;
pub mod stored_games;
pub mod training;
pub mod training_run;
pub mod weight_inspection;
pub mod winning_fit;
pub mod workforce;

pub use error::LearnError;
