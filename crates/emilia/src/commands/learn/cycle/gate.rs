//! The match that decides whether new weights become the champion.

use std::path::Path;

use anyhow::Result;
use arena::openings::OpeningRecipe;
use arena::{Conclusion, ContestPlan, Contestant, LearnedEntrant, OpeningSource, Patience, Sequence, Sprt, Standings};
use engine::{Limits, Stop};
use evaluation::weights::Weights;

use super::log::{MatchResult, Rating, Verdict};
use crate::contest_run;
use crate::interrupt::Interrupted;

/// The table of a player of a match, in MB: searches are shallow, and a table is made for every game.
const TABLE: u32 = 4;

/// How matches are played.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The most games, an even number.
    pub games: u32,
    /// The fewest games before the test may end a match.
    pub least: u32,
    /// What a player may use for a move.
    pub limits: Limits,
    /// The test that ends a match.
    pub sprt: Sprt,
    /// Decides the openings, which are the same for all matches.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: u16,
}

/// A player of a match.
pub struct Candidate<'a> {
    /// What it is called.
    pub name: String,
    /// What it knows, if it knows something.
    pub weights: Option<&'a Weights>,
}

impl Gate {
    /// Plays a match of the first against the second, going on with the games of the file, and says what came out
    /// and how strong the first is then, if the second has this rating.
    pub fn play(
        &self,
        file: &Path,
        candidates: [Candidate<'_>; 2],
        rating: Rating,
        stop: &Stop,
    ) -> Result<(MatchResult, Rating)> {
        let plan = ContestPlan {
            contestants: candidates.map(|candidate| self.contestant(candidate)).into(),
            openings: OpeningSource::Found(OpeningRecipe::usual(self.seed)),
            pairs: self.games / 2,
            seed: self.seed,
            patience: Patience::default(),
            sprt: Some(self.sprt),
            least_pairs: self.least / 2,
            concurrency: usize::from(self.concurrency),
        };
        let prepared = contest_run::prepare(plan, Some(file), stop)?;
        let mut sequence = Sequence::new(prepared.contest.schedule(), Some(self.sprt), self.least / 2);
        let played = contest_run::play(prepared, false, stop, contest_run::state_of_match)?;
        if played.conclusion == Conclusion::Interrupted {
            return Err(Interrupted.into());
        }
        played.games.iter().for_each(|line| sequence.add(line));
        let pairs = sequence.standings().tally(0, 1).pairs;
        Ok((result(sequence.standings(), sequence.decision().into()), rating.after(&pairs)))
    }

    fn contestant(&self, candidate: Candidate<'_>) -> Contestant<LearnedEntrant> {
        let player = candidate.weights.map_or(LearnedEntrant::Random, |weights| LearnedEntrant::new(weights, TABLE));
        Contestant { name: candidate.name, player, limits: self.limits }
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
