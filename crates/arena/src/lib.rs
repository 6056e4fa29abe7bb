//! The arena: matches between any two players, and the statistics of their results.
//!
//! The arena uses only the interface [`engine::Player`] and does not rely on a player to follow the rules: the referee
//! runs each player in a thread of its own, keeps its clock, and checks every move. A player that plays an illegal
//! move, exceeds its time, fails or hangs loses that game with a stated reason, and the match continues with a fresh
//! instance.
//!
//! # Design
//!
//! - **A contest is data.** A [`Contestant`] is a name, limits and an [`Entrant`], from which a player is made for every
//!   game: [`PlayerSpec`] (a notation of `players` with threads and table), or [`LearnedEntrant`] for weights that are
//!   only in memory. `Contest<PlayerSpec>` serializes as a whole, so that another machine can play it. [`ContestPlan`] is
//!   a [`Contest`] before its openings are found and its [`MatchFile`] is opened.
//! - **A contest is generic over the board**, 8x8 by default: `PlayerSpec` is an `Entrant` of every board. Openings are
//!   balanced on 8x8 and random on the other boards ([`openings`] gives the reason).
//! - **Everything about a game follows from its number**: the players, their colors, the opening, the seeds. So neither
//!   concurrency nor an interruption changes the games. Built-in players are created for every game; external programs
//!   keep running.
//! - **Each player runs in its own thread** (`engine::PlayerThread`), which measures the time of the request alone; the
//!   referee (`timed_player.rs`) waits, stops it when its time is up, and abandons it if it does not return. Illegal
//!   moves, time forfeits, failures and unresponsive players lose the game, and the reason is recorded. A player may
//!   exceed its clock by 10 ms (`--grace`). A time per move may be exceeded by a further 100 ms, 110 ms in all, because
//!   there is no time saved on earlier moves. If the whole process was suspended while a clock ran (Ctrl-Z, a paused
//!   machine), the game is played again.
//! - **Statistics are based on pairs** ([`Pairs`], [`Sprt`]): both colors of one opening are one observation with
//!   five outcomes. The sequential test counts games in the order of their numbers ([`Sequence`]), because short ones
//!   end first. Ratings (`ratings.rs`) use the Bradley-Terry model. The tests compare with scipy.
//! - **Each line of the match file is written in one piece and synced.** When a match is resumed, an incomplete last
//!   line is cut off, the checksum of every line is checked, and every game is replayed and compared with its entry in
//!   the schedule. A file belongs to a match if its [`Terms`] agree, compared field by field.

mod contest;
mod contestant;
pub mod job_kinds;
mod match_file;
pub mod normal;
mod opening_text;
pub mod openings;
mod pairs;
mod plan;
mod ratings;
mod referee;
mod report;
mod schedule;
mod sequence;
mod sprt;
mod standings;
mod terms;
mod timed_player;

pub use contest::{Conclusion, Contest, ContestError};
pub use contestant::{Contestant, Entrant, LearnedEntrant, PlayerSpec, RegisteredPlayer, contestants};
pub use match_file::{GameLine, MatchFile, MatchFileError, Opened};
pub use pairs::{Interval, Pairs};
pub use plan::{ContestDefinition, ContestPlan, PlanError, Played, Prepared};
pub use referee::{Ending, MoveNote, Patience, PlayedGame};
pub use report::{MatchSummary, TournamentSummary};
pub use schedule::{Fixture, Schedule, seed_of};
pub use sequence::Sequence;
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Forfeit, Standings, Tally};
pub use terms::{OpeningTerms, PlayerId, PlayerTerms, Terms};
