//! The protocols of Othello programs, both halves of each: [`driving`] makes a player of another program,
//! [`serving`] lets a player answer another program.
//!
//! # Design
//!
//! Serving (`serving/nboard/`, `serving/gtp/`) is a session with a host: `inbox.rs` reads lines in a thread and
//! interrupts the current search, `host_game.rs` is the game with passes as separate turns, as hosts see it. It gets
//! the player as `Served`: the player, its name, whether it has levels, and the boards it plays on. What a GTP host has
//! set (`Settings`) remains in force when the board changes. When the input ends, pending requests are still answered,
//! but a running search gets only two more seconds, or none at all if the host has stopped reading. `gtp/rules.rs` has
//! the rules for GoGui. `emilia/tests/program/hosts.rs` replays recorded dialogs of Quarry and GoGui; `quarry.rs`
//! starts the real Quarry under Xvfb. If one of the two or xdotool is missing, this test is skipped, or fails if
//! `EMILIA_NEEDS_QUARRY=1` is set.
//!
//! An external program is a `Player` (`driving/nboard.rs`, `driving/gtp.rs`); its users do not see that there is a
//! process. `child.rs` runs it: a thread passes its lines on through a short channel, so that a flood of output waits
//! in the pipe and not in our memory; long lines are cut, and invalid UTF-8 is replaced.
//!
//! - When a program can no longer be trusted (`error.rs`), `choose` fails with a message and the program is stopped;
//!   the next game starts it again. `choose` also returns soon after its `Stop`: a program that does not answer then
//!   has failed.
//! - A program leads its own process group, which is stopped together with its player. `KillOnExit` stops it if we
//!   are killed: a small shell waits on a pipe whose other end only we hold. This needs neither `unsafe` nor a thread
//!   that outlives us.
//! - `fakes/fake_engine.rs` imitates how real programs misbehave.

mod bounded_line;
pub mod driving;
pub mod serving;
