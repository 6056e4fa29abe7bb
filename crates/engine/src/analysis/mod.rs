//! Analysis of a game move by move: the best moves, the losses of the others, and a summary for each side.
//!
//! An [`Analyst`] judges the moves of a game one at a time: [`EmiliaAnalyst`] by searching the best move and the played
//! one equally deep, [`PlayerAnalyst`] as any player sees it, [`SolvedEndings`] as one of them up to the ending.
//! [`judge_moves`] goes through a game, or a part of one, and [`GameAnalysis`] adds marks for mistakes, a summary for each
//! side and the score of perfect play. All of it is plain data; `report` presents it.
//!
//! ```
//! use engine::analysis::{EmiliaAnalyst, GameAnalysis, judge_moves};
//! use engine::{Emilia, Limits, Options, Stop};
//! use othello::Game;
//!
//! let mut game = Game::new();
//! for name in ["f5", "f6", "e6", "f4", "g5"] {
//!     game.play(name.parse()?)?;
//! }
//! let emilia = Emilia::new(&Options { table_megabytes: 1, ..Options::default() })?;
//! let mut analyst = EmiliaAnalyst::new(emilia, Limits::of_depth(4), 10);
//! let analysis = GameAnalysis::new(judge_moves(&mut analyst, &game, 0..5, &Stop::new())?);
//! assert_eq!(analysis.moves.len(), 5);
//! assert!(analysis.moves[0].judgement.is_best());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! - **Both moves are searched to the same depth and confidence**, the played one again by itself, so that a loss
//!   compares like with like and is never negative. A played move of equal value counts as the best one.
//! - **Every position is searched from the same state** (`EmiliaAnalyst`), so that spreading positions over threads
//!   does not change the result. Players with a memory (`PlayerAnalyst`) get whole games instead; `SolvedEndings` gives
//!   them exact scores in the endgame.
//! - From the first exact move on, the final score equals the score of perfect play minus what each side lost. Tests
//!   check every figure this way.
//! - **Judgements have the values of the side that moves**; `Perspective` turns them, where they are shown or written
//!   as JSON, into those for Black, unless the user prefers the side that moves.
//! - `report/src/analysis/` presents it, with a file each for text, JSON, page and graph, which share the formatting of
//!   figures. The HTML page loads nothing; its script (`page.js`) steps through the games, and everything else works
//!   without it. `cargo xtask test browser` tests it with clicks and key presses, and measures its layout, in Chromium,
//!   which `xtask/src/browser.rs` drives.

mod emilia_analyst;
mod game_analysis;
mod judgement;
mod loss;
mod mark;
mod perspective;
mod player_analyst;

use othello::{Board, Game, Rules, Square};

pub use emilia_analyst::EmiliaAnalyst;
pub use game_analysis::{
    GameAnalysis, JudgedMove, Losses, MarkCounts, PerfectPlay, SideSummary, judge_each_move, judge_moves,
};
pub use judgement::{Component, Judgement, Rating};
pub use loss::Loss;
pub use mark::Mark;
pub use perspective::{Perspective, UnknownPerspective};
pub use player_analyst::{PlayerAnalyst, SolvedEndings};

use crate::{PlayerError, Stop};

/// A judge of the moves of games.
pub trait Analyst<B: Rules = Board>: Send {
    /// Starts with another game: nothing of the game before is kept.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Judges a move that was played at the current position of a game.
    ///
    /// When the flag is set it ends soon with [`PlayerError::Stopped`].
    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError>;
}

#[cfg(test)]
mod test_support {
    use super::*;
    use crate::Estimate;

    pub(super) fn judged(best: Option<Estimate>, played: Option<Estimate>) -> Judgement {
        let rating = |index, value| Rating::new(Square::new(index), value, vec![Square::new(index)]);
        Judgement::new(rating(0, best), rating(1, played))
    }
}
