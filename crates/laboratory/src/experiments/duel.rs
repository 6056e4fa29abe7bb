//! Matches inside an experiment: both colors of even openings, several games at a time.

use othello::{Game, Position, Square};

use super::{ExperimentError, Setup};
use arena::{Conclusion, Contest, Contestant, Entrant, GameLine, Patience, Standings, Tally};

/// Openings of eight moves, each even within a disc.
const OPENINGS: &str = include_str!("../../../../data/lab/openings.txt");

/// The openings that ship for experiments.
pub(super) fn openings() -> Result<Vec<Game>, ExperimentError> {
    transcripts(OPENINGS)
}

/// Games of a shipped file, one transcript per line.
pub(super) fn transcripts(text: &str) -> Result<Vec<Game>, ExperimentError> {
    let opening = |line: &str| {
        let wrong = || ExperimentError::Facts(format!("not an opening: {line:?}"));
        let names = line.as_bytes().chunks(2).map(|name| std::str::from_utf8(name).ok()?.parse::<Square>().ok());
        let moves = names.collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
        Game::from_moves(Position::start(), moves).map_err(|_| wrong())
    };
    text.lines().map(opening).collect()
}

impl Setup<'_> {
    /// The result of a match of this many pairs of games, for the first player. Players are given as on the command
    /// line, with their limits.
    pub(super) fn duel(&mut self, first: &str, second: &str, pairs: u32) -> Result<Tally, ExperimentError> {
        let standings = self.tournament(&[first, second], pairs)?;
        Ok(standings.tally(0, 1))
    }

    /// The result of a tournament in which each two players play this many pairs of games.
    pub(super) fn tournament(&mut self, notations: &[&str], pairs: u32) -> Result<Standings, ExperimentError> {
        let contestants = notations.iter().map(|notation| self.contestant(notation)).collect::<Result<_, _>>()?;
        self.tournament_of(contestants, pairs)
    }

    /// The same for players that the experiment has created itself.
    pub(super) fn tournament_of<E: Entrant>(
        &mut self,
        contestants: Vec<Contestant<E>>,
        pairs: u32,
    ) -> Result<Standings, ExperimentError> {
        self.tournament_from(openings()?, contestants, pairs)
    }

    /// The same with the experiment's own openings.
    pub(super) fn tournament_from<E: Entrant>(
        &mut self,
        openings: Vec<Game>,
        contestants: Vec<Contestant<E>>,
        pairs: u32,
    ) -> Result<Standings, ExperimentError> {
        self.tournament_watched(openings, contestants, pairs, &mut |_| {})
    }

    /// The same with a callback that sees every game.
    pub(super) fn tournament_watched<E: Entrant>(
        &mut self,
        openings: Vec<Game>,
        contestants: Vec<Contestant<E>>,
        pairs: u32,
        watch: &mut dyn FnMut(&GameLine),
    ) -> Result<Standings, ExperimentError> {
        let who = contestants.iter().map(|contestant| contestant.name.clone()).collect::<Vec<_>>().join(" - ");
        let contest = Contest {
            contestants,
            openings,
            pairs,
            seed: self.seed,
            patience: Patience::default(),
            sprt: None,
            least_pairs: 0,
            concurrency: self.threads,
        };
        let total = contest.schedule().games();
        let played = contest.run(&[], None, self.stop, &mut |line, standings: &Standings| {
            watch(line);
            (self.progress)(&format!("{who}: {} of {total} games", standings.games()));
        });
        match played {
            Ok((_, Conclusion::Interrupted)) => Err(ExperimentError::Stopped),
            Ok((standings, _)) => Ok(standings),
            Err(error) => Err(ExperimentError::Player { player: who, reason: error.to_string() }),
        }
    }
}

/// A result as a cell of a table: `128-5-67 = 65.2%`.
pub(super) fn result(tally: &Tally) -> String {
    let [won, drawn, lost] = tally.results();
    format!("{won}-{drawn}-{lost} = {:.1}%", share(tally))
}

/// The share of the points, in percent.
pub(super) fn share(tally: &Tally) -> f64 {
    if tally.games() == 0 { f64::NAN } else { 100.0 * tally.points() / tally.games() as f64 }
}

/// The difference in strength in Elo, with its interval: `+106 (+60 to +155)`.
pub(super) fn elo(tally: &Tally) -> String {
    match tally.pairs.elo() {
        Some(elo) => {
            // Avoids a negative zero.
            let [value, low, high] = [elo.value, elo.low, elo.high].map(|elo| elo.round() + 0.0);
            format!("{value:+.0} ({low:+.0} to {high:+.0})")
        }
        None => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_openings_that_ship_are_legal_and_all_different() {
        let openings = openings().unwrap();
        assert_eq!(openings.len(), 200);
        assert!(openings.iter().all(|game| game.line().len() == 8));
        assert_eq!(arena::openings::distinct(&openings), 200);
    }
}
