//! The arena: matches between any two players, and the statistics of their results.
//!
//! The arena uses only the interface [`engine::Player`] and does not rely on a player to follow the rules: the referee
//! runs each player in a thread of its own, keeps its clock, and checks every move. A player that plays an illegal
//! move, exceeds its time, fails or hangs loses that game with a stated reason, and the match continues with a fresh
//! instance.
//!
//! - [`openings`]: distinct balanced openings
//! - [`Schedule`]: the games of a contest; everything about a game follows from its number
//! - [`Contestant`]: a player as data, from which an [`Entrant`] creates the player
//! - [`ContestPlan`]: the setup of a contest, with its openings and its file; [`Terms`]: what determines its games
//! - [`Contest`]: plays the games, several in parallel, and writes each to a [`MatchFile`] when it ends
//! - [`Standings`]: the accumulated results; [`Sequence`]: the games that count for a sequential test
//! - [`Pairs`], [`Sprt`], [`ratings`]: statistics of playing strength

mod contest;
mod contestant;
pub mod job_kinds;
mod learned_entrant;
pub mod legacy_terms;
mod match_file;
pub mod normal;
mod opening_text;
pub mod openings;
mod pairs;
mod plan;
pub mod ratings;
mod referee;
mod report;
mod schedule;
mod seat;
mod sequence;
mod sprt;
mod standings;
mod terms;

pub use contest::{Conclusion, Contest, ContestError};
pub use contestant::{Contestant, Entrant, PlayerSpec, RegisteredPlayer, contestants};
pub use learned_entrant::LearnedEntrant;
pub use match_file::{GameLine, MatchFile, MatchFileError, Opened};
pub use pairs::{Interval, Pairs, elo_of_score, score_of_elo};
pub use plan::{ContestDefinition, ContestPlan, OpeningSource, PlanError, Played, Prepared};
pub use referee::{Ending, MoveNote, Patience, PlayedGame};
pub use report::{MatchSummary, TournamentSummary};
pub use schedule::{Fixture, Schedule, seed_of};
pub use sequence::Sequence;
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Forfeit, Standings, Tally};
pub use terms::{OpeningTerms, PlayerId, PlayerTerms, Terms};
