//! The match that decides whether new weights become the champion.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use arena::{Conclusion, Contestant, Maker, Sequence, Sprt, Standings};
use engine::{Emilia, Limits, Options, Player, Stop};
use evaluation::Learned;
use evaluation::weights::Weights;
use heritage::random::RandomPlayer;

use super::log::{MatchResult, Rating, Verdict};
use crate::contest_options::ContestOptions;
use crate::contest_run;
use crate::interrupt::Interrupted;
use crate::weights_choice::learned_name;

/// The table of a player of a match, in MB: searches are shallow, and a table is made for every game.
const TABLE: usize = 4;

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
        let options = ContestOptions::of_players_made(self.games, self.seed, self.concurrency, file.to_owned());
        let contestants = candidates.map(|candidate| self.contestant(candidate)).into();
        let mut prepared = options.prepare_contestants(contestants, Some(self.sprt), stop)?;
        prepared.contest.least_pairs = self.least / 2;
        let mut sequence = Sequence::new(prepared.contest.schedule(), Some(self.sprt), self.least / 2);
        let played = contest_run::play(&options, prepared, stop, contest_run::state_of_match)?;
        if played.conclusion == Conclusion::Interrupted {
            return Err(Interrupted.into());
        }
        played.games.iter().for_each(|line| sequence.add(line));
        let pairs = sequence.standings().tally(0, 1).pairs;
        Ok((result(sequence.standings(), sequence.decision().into()), rating.after(&pairs)))
    }

    fn contestant(&self, candidate: Candidate<'_>) -> Contestant {
        let (notation, make): (String, Maker) = match candidate.weights {
            None => ("random".to_owned(), Arc::new(|seed| Ok(Box::new(RandomPlayer::new(seed)) as Box<dyn Player>))),
            Some(weights) => {
                let notation = format!("emilia by {} with threads=1,hash={TABLE}", learned_name(weights));
                // Its tables are large: all games share them.
                let learned = Arc::new(Learned::new(weights));
                let make = move |seed| {
                    let options = Options { table_megabytes: TABLE, threads: 1, usual_level: None, seed };
                    let player = Emilia::with_evaluation(Arc::clone(&learned), &options);
                    player.map(|player| Box::new(player) as Box<dyn Player>).map_err(|error| error.to_string())
                };
                (notation, Arc::new(make))
            }
        };
        Contestant { name: candidate.name, notation, limits: self.limits, seed: None, is_kept: false, make }
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
