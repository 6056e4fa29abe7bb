//! The opening book, and the statistics of game databases.
