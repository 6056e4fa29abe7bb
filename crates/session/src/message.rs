//! Messages of a session: each has data, for windows with a wording of their own, and a default sentence.

use std::fmt;
use std::path::{Path, PathBuf};

use engine::Level;
use othello::Color;
use report::words::counted;
use serde::{Deserialize, Serialize};

/// A message to the person; in JSON its `kind` says which.
///
/// Its `Display` is a sentence that suits every window. One that has keys or buttons for what can be done now may add
/// them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "a variant describes its fields")]
pub enum Message {
    /// An input was refused, and nothing has changed. The text is the input as it was written.
    Refused { what: InputKind, text: String, reason: String },
    /// The game is over.
    GameIsOver,
    /// An engine learns the game that is over.
    Learning,
    /// An engine has learned the game, as a sentence describes.
    Learned { what: String },
    /// The game could not be learned.
    LearningFailed { reason: String },
    /// An engine is to move.
    NotYourTurn,
    /// There is nothing to take back: no move of the person if `own`, else no move.
    NothingToTakeBack { own: bool },
    /// There is nothing to play again.
    NothingToPlayAgain,
    /// There is no variation to go to.
    NoVariation,
    /// An engine has failed; those that play wait. The one that is to move can try again.
    Failed { reason: String, can_retry: bool },
    /// A side has no move.
    Passed { color: Color, is_person: bool },
    /// An engine has taken a seat: its name, and how strong it plays.
    Seated { color: Color, player: String },
    /// The person has taken a seat.
    PersonSeated { color: Color },
    /// The values of the moves are shown, or no longer.
    HintsShown { shown: bool },
    /// There are no values of moves.
    NoHints { reason: String },
    /// The settings of hints from now on: the level, and the number of listed lines.
    HintSettings { level: u32, lines: usize },
    /// The pause of two engines between moves from now on.
    Pace { milliseconds: u64 },
    /// There is no move to analyze.
    NothingToAnalyze,
    /// There is no analysis to write or to look at.
    NoAnalysis,
    /// The game is being analyzed, by this analyst with its level.
    Analyzing { analyst: String },
    /// The analysis has come to its end, or was stopped: the numbers of judged moves, of moves of the game, and of judged
    /// moves that gave something away.
    Analyzed { judged: usize, moves: usize, mistakes: usize },
    /// The analysis failed.
    AnalysisFailed { reason: String },
    /// The report was written.
    ReportWritten { path: PathBuf },
    /// An engine is to move soon, as the person wanted.
    MovesSoon,
    /// No engine thinks about a move.
    NobodyThinks,
    /// The players have swapped sides.
    Swapped,
    /// There is no engine whose level could change.
    NoEngine,
    /// The notation of an engine limits how long it thinks.
    OwnLimits { player: String },
    /// An engine of this name has no levels.
    NoLevels { player: String },
    /// An engine of this name plays without a level, in the described way.
    WithoutLevel { player: String, how: String },
    /// The level of an engine of this name, and its description.
    Level { player: String, level: Level, how: String },
    /// The position that was set up is played.
    PositionSetUp,
    /// A game with this number of moves was pasted and is played on.
    GamePasted { moves: usize },
    /// The game was saved, with other files beside it; or the position alone, without the moves.
    Saved { path: PathBuf, beside: Vec<String>, has_moves: bool },
    /// A game was loaded.
    Loaded {
        path: PathBuf,
        /// Black's player, if the record names one.
        black: String,
        white: String,
        moves: usize,
        /// Which game of the file it is, counted from 1.
        number: usize,
        /// Number of games in the file, as far as they were counted.
        count: usize,
        has_more: bool,
    },
}

/// Kind of a refused input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A move.
    Move,
    /// A player on a seat.
    Player,
    /// The clock of a new game.
    Clock,
    /// A square of a position that is set up.
    SetUp,
    /// A text that was pasted.
    Paste,
    /// Saving.
    Save,
    /// Loading.
    Load,
    /// Writing the report of an analysis.
    Report,
    /// The level of hints, or the number of listed lines.
    Hints,
    /// The pause between the moves of two engines.
    Pace,
}

pub(crate) fn last_part(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { reason, .. } | Self::Failed { reason, .. } => write!(f, "{reason}."),
            Self::GameIsOver => f.write_str("The game is over."),
            Self::Learning => f.write_str("The game enters the opening book."),
            Self::Learned { what } => write!(f, "The game was learned: {what}."),
            Self::LearningFailed { reason } => write!(f, "The game could not be learned: {reason}."),
            Self::NotYourTurn => f.write_str("It is not your turn."),
            Self::NothingToTakeBack { own: true } => f.write_str("You have no move to take back."),
            Self::NothingToTakeBack { own: false } => f.write_str("There is no earlier position."),
            Self::NothingToPlayAgain => f.write_str("There is no later position."),
            Self::NoVariation => f.write_str("The last move has no variations."),
            Self::Passed { color, .. } => {
                write!(f, "{color} has no legal move and passes; {} moves again.", !*color)
            }
            Self::Seated { color, player } => write!(f, "{player} now plays {color}."),
            Self::PersonSeated { color } => write!(f, "You now play {color}."),
            Self::HintsShown { shown } => {
                write!(f, "Move values are {}.", if *shown { "shown on the board" } else { "hidden" })
            }
            Self::NoHints { reason } => write!(f, "Hints are not available: {reason}."),
            Self::HintSettings { level, lines } => {
                write!(f, "Hints: level {level}, {} listed.", counted(*lines as u64, "line"))
            }
            Self::Pace { milliseconds: 0 } => f.write_str("Pause between engine moves: none."),
            Self::Pace { milliseconds } => {
                write!(f, "Pause between engine moves: {} s.", *milliseconds as f64 / 1000.0)
            }
            Self::NothingToAnalyze => f.write_str("There are no moves to analyze."),
            Self::NoAnalysis => f.write_str("The game has not been analyzed."),
            Self::Analyzing { analyst } => write!(f, "Analyzing with {analyst}."),
            Self::Analyzed { judged, moves, mistakes } => {
                let found = match mistakes {
                    0 => "no mistakes".to_owned(),
                    count => counted(*count as u64, "mistake"),
                };
                match judged < moves {
                    true => {
                        let all = counted(*moves as u64, "move");
                        write!(f, "The analysis stopped after {judged} of {all}: {found} so far.")
                    }
                    false => write!(f, "The analysis is complete: {found}."),
                }
            }
            Self::AnalysisFailed { reason } => write!(f, "The game could not be analyzed: {reason}."),
            Self::ReportWritten { path } => write!(f, "The report was written to {}.", path.display()),
            Self::MovesSoon => f.write_str("The engine moves as soon as it can."),
            Self::NobodyThinks => f.write_str("No engine is thinking about a move."),
            Self::Swapped => f.write_str("The players have swapped sides."),
            Self::NoEngine => f.write_str("No engine is playing."),
            Self::OwnLimits { player } => write!(f, "{player} has limits of its own, so its level cannot be changed."),
            Self::NoLevels { player } => write!(f, "{player} has no levels."),
            Self::WithoutLevel { player, how } => write!(f, "{player} plays without a level ({how})."),
            Self::Level { player, level, how } => write!(f, "{player} plays at level {level}: {how}."),
            Self::PositionSetUp => f.write_str("The position is set up."),
            Self::GamePasted { moves } => write!(f, "Pasted a game of {}.", counted(*moves as u64, "move")),
            Self::Saved { path, has_moves: false, .. } => {
                write!(f, "Saved as {}: only the position, without the moves.", path.display())
            }
            Self::Saved { path, beside, .. } => {
                let names = if beside.is_empty() {
                    String::new()
                } else {
                    format!(", with the players and events in {}", beside.join(" and "))
                };
                write!(f, "Saved as {}{names}.", path.display())
            }
            Self::Loaded { path, black, white, moves, number, count, has_more } => {
                write!(f, "{}: ", path.display())?;
                if !(black.is_empty() && white.is_empty()) {
                    write!(f, "{black} against {white}, ")?;
                }
                write!(f, "{}.", counted(*moves as u64, "move"))?;
                if *count < 2 {
                    return Ok(());
                }
                write!(f, " Game {number} of {count}{}", if *has_more { " or more" } else { "" })?;
                match number + 1 {
                    next if next <= *count => write!(f, "; {}#{next} loads the next.", last_part(path)),
                    _ => f.write_str("."),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_singular_or_plural() {
        let said = |judged, moves, mistakes| Message::Analyzed { judged, moves, mistakes }.to_string();
        assert_eq!(said(0, 1, 1), "The analysis stopped after 0 of 1 move: 1 mistake so far.");
        assert_eq!(said(1, 2, 0), "The analysis stopped after 1 of 2 moves: no mistakes so far.");
        assert_eq!(said(1, 1, 2), "The analysis is complete: 2 mistakes.");
    }
}
