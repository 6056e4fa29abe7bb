//! Reports of a player during a search.

use std::time::Duration;

use othello::Square;
use search::{Question, SearchReport};

use crate::{Estimate, Foundation, Origin};

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
