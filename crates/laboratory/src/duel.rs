//! Matches inside an experiment: both colors of even openings, several games at a time.

use othello::json::MoveSequence;
use othello::{Game, Position};

use super::{ExperimentError, Result, Setup};
use arena::{Conclusion, Contest, ContestPlan, Contestant, Entrant, GameLine, Interval, Standings, Tally};
use storage::Fingerprint;

/// Openings of eight moves, each even within a disc.
const OPENINGS: &str = include_str!("../../../data/lab/openings.txt");

/// The openings that ship for experiments.
pub fn openings() -> Result<Vec<Game>> {
    transcripts(OPENINGS)
}

/// Games of a shipped file, one transcript per line.
pub fn transcripts(text: &str) -> Result<Vec<Game>> {
    let opening = |line: &str| {
        let wrong = || ExperimentError::Facts(format!("not an opening: {line:?}"));
        let moves: MoveSequence = line.parse().map_err(|_| wrong())?;
        Game::from_moves(Position::start(), moves.squares).map_err(|_| wrong())
    };
    text.lines().map(opening).collect()
}

impl Setup<'_> {
    /// The result of a match of this many pairs of games for the first player; players are given with their limits.
    pub fn duel(&mut self, first: &str, second: &str, pairs: u32) -> Result<Tally> {
        let standings = self.tournament(&[first, second], pairs)?;
        Ok(standings.tally(0, 1))
    }

    /// The result of a tournament in which each two players play this many pairs of games.
    pub fn tournament(&mut self, notations: &[&str], pairs: u32) -> Result<Standings> {
        let contestants = notations.iter().map(|notation| self.contestant(notation)).collect::<Result<_, _>>()?;
        self.tournament_of(contestants, pairs)
    }

    /// The same for players that the experiment has created itself.
    pub fn tournament_of<E: Entrant>(&mut self, contestants: Vec<Contestant<E>>, pairs: u32) -> Result<Standings> {
        self.tournament_watched(openings()?, contestants, pairs, &mut |_| {})
    }

    /// The same with the experiment's own openings and a callback that receives every game.
    pub fn tournament_watched<E: Entrant>(
        &mut self,
        openings: Vec<Game>,
        contestants: Vec<Contestant<E>>,
        pairs: u32,
        watch: &mut dyn FnMut(&GameLine),
    ) -> Result<Standings> {
        let who = contestants.iter().map(|contestant| contestant.name.clone()).collect::<Vec<_>>().join(" - ");
        let failed = |reason: String| ExperimentError::Player { player: who.clone(), reason };
        let contest = Contest::new(contestants, openings, pairs);
        let plan =
            ContestPlan { contest: Contest { seed: self.seed, concurrency: self.threads, ..contest }, recipe: None };
        // Two matches have the same games only if their terms are equal.
        let key = format!("{who} {:08x}", Fingerprint::of(&plan.terms()).checksum());
        let contest = plan.prepare(None, self.stop, &mut |_, _| {}).map_err(|error| failed(error.to_string()))?.contest;
        let total = contest.schedule().games();
        let mut done: Vec<GameLine> = Vec::new();
        while let Some(line) =
            self.checkpoint.as_mut().filter(|_| (done.len() as u64) < total).and_then(|kept| kept.take(&key))
        {
            watch(&line);
            done.push(line);
        }
        let stop = self.stop;
        let mut kept = Ok(());
        let played = contest.run(&done, None, stop, &mut |line, standings: &Standings| {
            watch(line);
            if kept.is_ok() {
                kept = self.keep(&key, line);
            }
            (self.progress)(&format!("{who}: {} of {total} games", standings.games()));
        });
        kept?;
        match played {
            Ok((_, Conclusion::Interrupted)) => Err(ExperimentError::Stopped),
            Ok((standings, _)) => Ok(standings),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// A result as a cell of a table: `128-5-67 = 65.2%`.
pub fn result(tally: &Tally) -> String {
    let [won, drawn, lost] = tally.results();
    format!("{won}-{drawn}-{lost} = {:.1}%", share(tally))
}

/// The share of the points, in percent.
pub fn share(tally: &Tally) -> f64 {
    if tally.games() == 0 { f64::NAN } else { 100.0 * tally.points() / tally.games() as f64 }
}

/// The difference in strength in Elo, with its interval: `+106 (+60 to +155)`.
pub fn elo(tally: &Tally) -> String {
    tally.pairs.elo().map_or_else(|| "-".to_owned(), Interval::elo_text)
}

#[cfg(test)]
mod tests {
    use engine::{Limits, Stop};
    use othello::Board;
    use records::{ggf, transcript};

    use super::*;
    use crate::{Checkpoint, RunTerms, rehearsal};

    #[test]
    fn the_openings_that_ship_are_legal_and_all_different() {
        let openings = openings().unwrap();
        assert_eq!(openings.len(), 200);
        assert!(openings.iter().all(|game| game.line().len() == 8));
        assert_eq!(arena::openings::distinct(&openings), 200);
    }

    #[test]
    fn a_match_that_is_stopped_again_and_again_has_the_games_of_one_that_is_not() {
        let path = std::env::temp_dir().join(format!("emilia-duel-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let terms = RunTerms { experiment: "x".to_owned(), seed: 1, ..RunTerms::default() };
        // Two matches with the same terms, as an experiment may play, and one with others.
        let matches = |setup: &mut Setup<'_>, games: &mut Vec<(u64, String)>| {
            for second in ["emilia", "emilia", "emilia@weights=hand-made"] {
                let contestants = vec![setup.contestant("random")?, setup.contestant(second)?];
                setup.tournament_watched(openings()?, contestants, 12, &mut |line| {
                    games.push((line.game, line.ggf.clone()));
                })?;
            }
            Ok(())
        };
        let run = |checkpoint: Option<&mut Checkpoint>, max_new_games: usize| {
            let (stop, mut games, mut new_games) = (Stop::new(), Vec::new(), 0);
            let mut progress = |_: &str| {
                new_games += 1;
                if new_games == max_new_games {
                    stop.set();
                }
            };
            let rehearsal = Some(Limits::of_depth(1));
            let progress = Box::new(&mut progress);
            let mut setup = Setup { checkpoint, rehearsal, progress, ..rehearsal::setup(&rehearsal::core(), &stop) };
            let ended: Result<()> = matches(&mut setup, &mut games);
            drop(setup);
            // The times of moves differ, and with one thread games end in order.
            let moves =
                |(number, ggf): (u64, String)| (number, transcript::format(&ggf::parse::<Board>(&ggf).unwrap().game));
            (ended, games.into_iter().map(moves).collect::<Vec<_>>())
        };
        let expected = run(None, usize::MAX);
        assert_eq!(expected.1.len(), 72);
        let mut before = 0;
        for _ in 0..4 {
            let mut checkpoint = Checkpoint::open(&path, terms.clone()).unwrap();
            let (ended, games) = run(Some(&mut checkpoint), 4);
            assert_eq!(ended, Err(ExperimentError::Stopped));
            // A game that had ended when it was stopped counts, too.
            assert!(games.len() >= before + 4 && games.len() < 72, "{} games after {before}", games.len());
            assert_eq!(games, expected.1[..games.len()]);
            before = games.len();
        }
        let mut checkpoint = Checkpoint::open(&path, terms).unwrap();
        assert_eq!(run(Some(&mut checkpoint), usize::MAX), expected);
        checkpoint.remove().unwrap();
    }
}
