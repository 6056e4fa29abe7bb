//! The arena with players of every kind: honest ones, and misbehaving ones.

mod contests;
mod files;
mod hostile;
mod players;
