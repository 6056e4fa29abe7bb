//! The opening book, and the statistics of game databases.

pub mod explorer;
