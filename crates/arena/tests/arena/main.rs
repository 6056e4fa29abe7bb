//! The arena with players of every kind: honest ones, and those that no match should depend on.

mod contests;
mod files;
mod hostile;
mod players;
