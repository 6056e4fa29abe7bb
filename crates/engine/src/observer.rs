//! Reports of a player during a search: the origin of a value, and which of several assessments is the better founded.
//!
//! `book::Assessments` applies foundations to a position: the values of the book, each in place of a search's, and a bound
//! for all other moves. `BookPlayer` and `BookAnalyst` (`players`), `emilia hint` and the workbench of the page all use it,
//! so that hints, moves and analyses agree; a session keeps the better founded of all assessments of a move.

use std::fmt;
use std::time::Duration;

use othello::Square;
use search::{Question, SearchReport};
use serde::{Deserialize, Serialize};

use crate::Estimate;

/// Progress of the search of one move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Plies looked ahead.
    pub depth: u32,
    /// The confidence of selective pruning, in percent: 100 is a full-width search.
    pub selectivity: u32,
    /// Value of the position for its side to move.
    pub value: Option<Estimate>,
    /// Number of games that the opening book counts after the move, if the value is that of the book.
    pub book_games: Option<u32>,
    /// The moves expected, the player's own first, passes left out.
    ///
    /// A player that reports on several moves reports once for each; the first square identifies the move.
    pub line: Vec<Square>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time taken so far.
    pub time: Duration,
}

impl Progress {
    /// Reports on all lines of a search, as the answer to a question.
    pub fn of_report(report: &SearchReport, question: &Question) -> impl Iterator<Item = Self> {
        report.lines.iter().map(|line| Self {
            depth: report.iteration.depth,
            selectivity: u32::from(report.iteration.selectivity.percent()),
            value: Some(Estimate::of_line(report, line, question)),
            book_games: None,
            line: line.moves.clone(),
            nodes: report.nodes,
            time: report.elapsed,
        })
    }

    /// Origin of the value, if there is one.
    pub fn origin(&self) -> Option<Origin> {
        self.value.map(|value| Origin::of(value, self.book_games.is_some()))
    }

    /// Foundation of the value.
    pub fn foundation(&self) -> Foundation {
        let Self { depth, selectivity, .. } = *self;
        Foundation { origin: self.origin(), depth, selectivity }
    }

    /// The better founded one of this and a later assessment of the same move.
    #[must_use]
    pub fn or_better(self, later: Self) -> Self {
        if later.foundation() >= self.foundation() { later } else { self }
    }
}

/// Receives reports while a player thinks. Any `FnMut(&Progress)` is one.
pub trait Observer {
    /// Called in the thread in which [`Player::choose`](crate::Player::choose) was called; the player
    /// waits for it to return.
    fn report(&mut self, progress: &Progress);
}

impl<F: FnMut(&Progress)> Observer for F {
    fn report(&mut self, progress: &Progress) {
        self(progress);
    }
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn report(&mut self, _progress: &Progress) {}
}

/// Origin of a value; the later one of this list is the better founded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A search that did not reach the end of the game, or another judgment of a player.
    Search,
    /// An opening book.
    Book,
    /// A proof: a search to the end of the game, wherever it was done.
    Exact,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Search => "search",
            Self::Book => "book",
            Self::Exact => "exact",
        })
    }
}

impl Origin {
    /// The origin of a value.
    pub fn of(value: Estimate, from_book: bool) -> Self {
        match value {
            Estimate::Solved(_) | Estimate::Proven(_) => Self::Exact,
            _ if from_book => Self::Book,
            _ => Self::Search,
        }
    }
}

/// Foundation of an assessment. Of two assessments of one move, every interface shows the one whose foundation is greater: a
/// proof before the opening book, the opening book before a search, and the deeper search before the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Foundation {
    /// Origin of the value; an assessment without a value is the worst founded.
    pub origin: Option<Origin>,
    /// Plies searched.
    pub depth: u32,
    /// The confidence of selective pruning, in percent.
    pub selectivity: u32,
}

#[cfg(test)]
mod tests {
    use othello::Score;

    use super::*;

    #[test]
    fn a_proof_comes_before_the_book_and_the_book_before_any_search() {
        let discs = Some(Estimate::Discs { hundredths: 100 });
        let score = Some(Estimate::Solved(Score::new(1)));
        let assessment = |value, book_games, depth, selectivity| Progress {
            value,
            book_games,
            depth,
            selectivity,
            ..Progress::default()
        };
        // From the worst to the best founded one.
        let ordered = [
            assessment(None, None, 60, 100),
            assessment(discs, None, 12, 73),
            assessment(discs, None, 12, 100),
            assessment(discs, None, 30, 73),
            assessment(discs, Some(0), 8, 73),
            assessment(discs, Some(0), 20, 73),
            assessment(score, None, 10, 100),
        ];
        for (index, worse) in ordered.iter().enumerate() {
            for better in &ordered[index + 1..] {
                assert!(better.foundation() > worse.foundation(), "{better:?} {worse:?}");
                for [one, other] in [[better, worse], [worse, better]] {
                    assert_eq!(one.clone().or_better(other.clone()), *better);
                }
            }
        }
        // Of two that are founded equally well, the later one counts.
        let [one, other] = [1, 2].map(|nodes| Progress { nodes, ..ordered[1].clone() });
        assert_eq!(one.or_better(other.clone()), other);
        let origins = ordered.map(|progress| progress.origin());
        assert_eq!(origins[0], None);
        assert_eq!(origins[3..5], [Some(Origin::Search), Some(Origin::Book)]);
        assert_eq!(origins[6], Some(Origin::Exact));
    }
}
