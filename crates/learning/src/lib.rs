//! Learning: from self-play games to the weights and tables of the engines.
//!
//! Every step is seeded: the same parameters give the same result on every machine, with any number of threads.

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
pub mod keyano;
pub mod label_job;
pub mod label_store;
pub mod labeling;
pub mod labels;
pub mod learner;
pub mod least_squares;
mod legacy_description;
pub mod logistello;
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
