//! The match that decides whether new weights become the champion.

use std::path::Path;

use arena::openings::{OpeningError, OpeningRecipe};
use arena::{
    Conclusion, Contest, ContestPlan, Contestant, GameLine, LearnedEntrant, PlanError, Sequence, Sprt, Standings,
};
use engine::Stop;
use evaluation::weights::Weights;

use super::log::{MatchResult, Rating, Verdict};
use super::settings::Settings;
use crate::error::{LearnError, Result};

/// The hash table size of a player in MB: searches are shallow, and a table is allocated for every game.
const TABLE: u32 = 4;

/// The probability of either error of the test.
const ERROR_RATE: f64 = 0.05;

#[derive(Clone, Debug)]
pub(crate) struct Gate<'s> {
    settings: &'s Settings,
    /// The test that ends a match.
    sprt: Sprt,
    /// The number of games played in parallel.
    concurrency: u16,
}

/// A player of a match; without weights it plays at random.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) name: String,
    pub(crate) weights: Option<&'a Weights>,
}

/// Events of a match.
#[derive(Clone, Copy, Debug)]
pub enum MatchEvent<'a> {
    /// The last game of the file was not written completely and is played again.
    Torn,
    /// An opening was found.
    Opening {
        /// The number found.
        found: usize,
        /// The number needed.
        wanted: usize,
    },
    /// The match is about to start or resume.
    Ready {
        /// The number of games already in the file.
        done: usize,
        /// The number of games of the match, unless it is decided earlier.
        total: u64,
    },
    /// A game has ended.
    Game {
        /// The game.
        line: &'a GameLine,
        /// The results of all games so far.
        standings: &'a Standings,
        /// The number of games of the match.
        total: u64,
    },
}

impl<'s> Gate<'s> {
    pub(crate) fn of(settings: &'s Settings, concurrency: u16) -> Result<Self> {
        let (elo0, elo1) = settings.sprt;
        Ok(Self { settings, sprt: Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE)?, concurrency })
    }

    /// Plays a match of the first against the second, resuming from the games of the file, and returns the result and
    /// the rating of the first, given that of the second.
    pub(crate) fn play(
        &self,
        file: &Path,
        candidates: [Candidate<'_>; 2],
        rating: Rating,
        stop: &Stop,
        watch: &mut dyn FnMut(MatchEvent<'_>),
    ) -> Result<(MatchResult, Rating)> {
        let Settings { seed, match_games, match_min, .. } = *self.settings;
        let min_pairs = match_min / 2;
        let contestants = candidates.map(|candidate| self.contestant(candidate)).into();
        let contest = Contest {
            seed,
            sprt: Some(self.sprt),
            min_pairs,
            concurrency: self.concurrency.into(),
            ..Contest::new(contestants, Vec::new(), match_games / 2)
        };
        let plan = ContestPlan { contest, recipe: Some(OpeningRecipe::standard(seed)) };
        let prepared =
            plan.prepare(Some(file), stop, &mut |found, wanted| watch(MatchEvent::Opening { found, wanted }));
        let prepared = match prepared {
            Err(PlanError::Openings(OpeningError::Interrupted(_))) => return Err(LearnError::Interrupted),
            prepared => prepared?,
        };
        if prepared.was_torn {
            watch(MatchEvent::Torn);
        }
        let total = prepared.contest.schedule().games();
        watch(MatchEvent::Ready { done: prepared.done.len(), total });
        let mut sequence = Sequence::new(prepared.contest.schedule(), Some(self.sprt), min_pairs);
        let played = prepared.play(stop, &mut |line, standings| watch(MatchEvent::Game { line, standings, total }))?;
        if played.conclusion == Conclusion::Interrupted {
            return Err(LearnError::Interrupted);
        }
        played.games.iter().for_each(|line| sequence.add(line));
        let pairs = sequence.standings().tally(0, 1).pairs;
        Ok((result(sequence.standings(), sequence.decision().into()), rating.after(&pairs)))
    }

    fn contestant(&self, candidate: Candidate<'_>) -> Contestant<LearnedEntrant> {
        let player = candidate.weights.map_or(LearnedEntrant::Random, |weights| LearnedEntrant::new(weights, TABLE));
        Contestant { name: candidate.name, player, limits: self.settings.match_limits }
    }
}

fn result(standings: &Standings, decision: Verdict) -> MatchResult {
    let tally = standings.tally(0, 1);
    let [won, drawn, lost] = tally.results();
    let finite = |value: f64| value.is_finite().then_some(value);
    MatchResult {
        games: tally.games(),
        won,
        drawn,
        lost,
        pairs: tally.pairs.counts,
        discs: tally.average_discs().map(|(mean, _)| mean),
        elo: tally.pairs.elo().map_or([None; 3], |elo| [elo.low, elo.value, elo.high].map(finite)),
        decision,
    }
}
