//! The classic Othello programs, each rebuilt from its paper in a crate of its own.
