//! The arena: any two players meet, and what the results say about them.
//!
//! The arena knows nothing of a player but [`engine::Player`], and leaves nothing to it that decides a game:
//! the referee asks for moves in a thread of the player's own, keeps its clock, and checks every move.
//! A player that plays an illegal move, oversteps its time, fails or hangs loses that game with a sentence why,
//! and the match goes on with a fresh one.
//!
//! - [`openings`]: balanced openings, no two alike
//! - [`Schedule`]: which game is which; everything about a game follows from its number
//! - [`Contestant`]: who takes part, as data from which an [`Entrant`] makes the player
//! - [`ContestPlan`]: a contest as it is set up, with its openings and its file; [`Terms`]: what decides its games
//! - [`Contest`]: the games, so many at a time, each written to a [`MatchFile`] as it ends
//! - [`Standings`]: what they add up to; [`Sequence`]: which of them a sequential test counts
//! - [`Pairs`], [`Sprt`], [`ratings`]: what that says about strength

mod contest;
mod contestant;
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
pub use contestant::{Contestant, Entrant, PlayerSpec, contestants};
pub use learned_entrant::LearnedEntrant;
pub use match_file::{GameLine, MatchFile, MatchFileError, Opened};
pub use pairs::{Interval, Pairs, elo_of_score, score_of_elo};
pub use plan::{ContestPlan, OpeningSource, PlanError, Played, Prepared};
pub use referee::{Ending, MoveNote, Patience, PlayedGame};
pub use report::{MatchSummary, TournamentSummary};
pub use schedule::{Fixture, Schedule, seed_of};
pub use sequence::Sequence;
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Forfeit, Standings, Tally};
pub use terms::{OpeningTerms, PlayerId, PlayerTerms, Terms};
