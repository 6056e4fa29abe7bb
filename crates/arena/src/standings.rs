//! The standings: the accumulated results of a match.

use std::collections::{BTreeMap, HashMap};

use crate::match_file::GameLine;
use crate::pairs::Pairs;
use crate::ratings::{self, Encounter, RatingList};
use crate::referee::Ending;
use crate::schedule::{Fixture, Schedule};

/// The games between two players, from the point of view of the first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Games won, drawn and lost with Black.
    pub with_black: [u64; 3],
    /// Games won, drawn and lost with White.
    pub with_white: [u64; 3],
    /// The sum of the disc differences of the games that ended on the board.
    pub discs: i64,
    /// The sum of their squares.
    pub squared_discs: u64,
    /// The number of games that ended on the board.
    pub on_board: u64,
    /// The pairs of which both games have ended.
    pub pairs: Pairs,
}

impl Tally {
    /// The state of the match between two players: `12-3-5  Elo +130 (+20 to +260)`.
    pub fn state(&self) -> String {
        let [won, drawn, lost] = self.results();
        let elo = self.pairs.elo().map(|elo| format!("  Elo {}", elo.elo_text()));
        format!("{won}-{drawn}-{lost}{}", elo.unwrap_or_default())
    }

    /// Games won, drawn and lost.
    pub fn results(&self) -> [u64; 3] {
        [0, 1, 2].map(|index| self.with_black[index] + self.with_white[index])
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results().iter().sum()
    }

    /// The points made: a draw is half a point.
    pub fn points(&self) -> f64 {
        let [won, drawn, _] = self.results();
        won as f64 + 0.5 * drawn as f64
    }

    /// The average disc difference of the games that ended on the board, and its 95% margin.
    pub fn average_discs(&self) -> Option<(f64, f64)> {
        let count = self.on_board as f64;
        if self.on_board == 0 {
            return None;
        }
        let mean = self.discs as f64 / count;
        let variance = (self.squared_discs as f64 / count - mean * mean).max(0.0);
        Some((mean, crate::normal::DEVIATIONS_OF_95_PERCENT * (variance / count).sqrt()))
    }

    /// The same games from the other player's point of view.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let turned = |[won, drawn, lost]: [u64; 3]| [lost, drawn, won];
        let mut counts = self.pairs.counts;
        counts.reverse();
        Self {
            with_black: turned(self.with_white),
            with_white: turned(self.with_black),
            discs: -self.discs,
            pairs: Pairs { counts },
            ..*self
        }
    }

    fn add(&mut self, first_is_black: bool, half_points: usize, discs: Option<i32>) {
        let side = if first_is_black { &mut self.with_black } else { &mut self.with_white };
        side[2 - half_points] += 1;
        if let Some(discs) = discs {
            self.discs += i64::from(discs);
            self.squared_discs += u64::from(discs.unsigned_abs()).pow(2);
            self.on_board += 1;
        }
    }
}

/// A game that a player lost by a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The number of the game, from 1.
    pub game: u64,
    /// The index of the player.
    pub player: usize,
    /// The reason.
    pub reason: String,
}

/// The accumulated results of the games so far.
#[derive(Clone, Debug)]
pub struct Standings {
    schedule: Schedule,
    tallies: HashMap<(usize, usize), Tally>,
    /// The half points of the first player in pairs of which one game has ended.
    open_pairs: HashMap<u64, usize>,
    forfeits: Vec<Forfeit>,
    min_time: Vec<Option<f64>>,
}

impl Standings {
    /// No games yet.
    pub fn new(schedule: Schedule) -> Self {
        Self {
            schedule,
            tallies: HashMap::new(),
            open_pairs: HashMap::new(),
            forfeits: Vec::new(),
            min_time: vec![None; schedule.players],
        }
    }

    /// Counts a game.
    pub fn add(&mut self, line: &GameLine) {
        let fixture = self.schedule.fixture(line.game.saturating_sub(1));
        let Fixture { number, players, first_is_black, .. } = fixture;
        let score = if first_is_black { line.score } else { -line.score };
        let half_points = (score.signum() + 1) as usize;
        let tally = self.tallies.entry(players).or_default();
        tally.add(first_is_black, half_points, (line.ending == Ending::Played).then_some(score));
        match self.open_pairs.remove(&(number / 2)) {
            Some(other) => tally.pairs.add(half_points + other),
            None => drop(self.open_pairs.insert(number / 2, half_points)),
        }
        for (side, left) in line.time_left.unwrap_or_default().into_iter().enumerate() {
            let min = &mut self.min_time[fixture.colors()[side]];
            *min = [*min, left].into_iter().flatten().reduce(f64::min);
        }
        if line.ending != Ending::Played {
            let player = fixture.colors()[usize::from(line.score > 0)];
            let reason = line.reason.clone().unwrap_or_default();
            self.forfeits.push(Forfeit { game: line.game, player, reason });
        }
    }

    /// The games between two players, from the point of view of the first.
    pub fn tally(&self, first: usize, second: usize) -> Tally {
        if first > second {
            return self.tally(second, first).reversed();
        }
        self.tallies.get(&(first, second)).copied().unwrap_or_default()
    }

    /// All games of a player, from its point of view.
    pub fn tally_of(&self, player: usize) -> Tally {
        fn add<const N: usize>(counts: &mut [u64; N], more: [u64; N]) {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        let others = (0..self.schedule.players).filter(|&other| other != player);
        others.map(|other| self.tally(player, other)).fold(Tally::default(), |mut sum, tally| {
            add(&mut sum.with_black, tally.with_black);
            add(&mut sum.with_white, tally.with_white);
            add(&mut sum.pairs.counts, tally.pairs.counts);
            sum.discs += tally.discs;
            sum.squared_discs += tally.squared_discs;
            sum.on_board += tally.on_board;
            sum
        })
    }

    pub(crate) fn ratings(&self) -> RatingList {
        let tallies: BTreeMap<_, _> = self.tallies.iter().collect();
        let encounters: Vec<Encounter> = tallies
            .into_iter()
            .map(|(&(first, second), tally)| Encounter {
                first,
                second,
                points: tally.points(),
                games: tally.games() as f64,
            })
            .collect();
        ratings::rate(self.schedule.players, &encounters)
    }

    /// The number of games that have ended.
    pub fn games(&self) -> u64 {
        self.tallies.values().map(Tally::games).sum()
    }

    /// The games that were lost by a fault, in the order in which they ended.
    pub fn forfeits(&self) -> &[Forfeit] {
        &self.forfeits
    }

    /// The minimum time, in seconds, that a player had on its clock at the end of a game.
    pub fn min_time(&self, player: usize) -> Option<f64> {
        self.min_time[player]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::line_of_score;

    fn line(game: u64, score: i32, ending: Ending) -> GameLine {
        let reason = (ending != Ending::Played).then(|| "it fell asleep".to_owned());
        GameLine { ending, reason, time_left: Some([Some(0.5), None]), ..line_of_score(game, score) }
    }

    #[test]
    fn a_list_of_results_adds_up_as_by_hand() {
        let mut standings = Standings::new(Schedule { players: 2, pairs: 3 });
        // The first player has Black in odd games: +10 and +4 (2 points), 0 and -6 (½), a forfeit of the first
        // with White, and its first game of the last pair is missing.
        for (game, score) in [(1, 10), (2, -4), (3, 0), (4, 6)] {
            standings.add(&line(game, score, Ending::Played));
        }
        standings.add(&line(6, 64, Ending::Time));
        let tally = standings.tally(0, 1);
        assert_eq!((tally.with_black, tally.with_white), ([1, 1, 0], [1, 0, 2]));
        assert_eq!(tally.results(), [2, 1, 2]);
        assert_eq!((tally.points(), tally.games(), standings.games()), (2.5, 5, 5));
        assert_eq!(tally.pairs.counts, [0, 1, 0, 0, 1], "the third pair is not complete");
        // (10 + 4 + 0 - 6) / 4; the forfeit has no discs.
        assert_eq!(tally.average_discs().map(|(mean, _)| mean), Some(2.0));
        let [forfeit] = standings.forfeits() else { panic!("one forfeit") };
        assert_eq!((forfeit.game, forfeit.player, forfeit.reason.as_str()), (6, 0, "it fell asleep"));
        assert_eq!((standings.min_time(0), standings.min_time(1)), (Some(0.5), Some(0.5)));
    }

    #[test]
    fn the_other_player_sees_the_same_games_from_its_side() {
        let mut standings = Standings::new(Schedule { players: 3, pairs: 1 });
        // Games 1 and 2 are of players 0 and 1, 3 and 4 of 0 and 2, 5 and 6 of 1 and 2.
        for (game, score) in [(1, 10), (2, 2), (3, -8), (4, 20), (5, 0), (6, -12)] {
            standings.add(&line(game, score, Ending::Played));
        }
        let (first, second) = (standings.tally(0, 1), standings.tally(1, 0));
        assert_eq!((first.results(), second.results()), ([1, 0, 1], [1, 0, 1]));
        assert_eq!((first.with_black, second.with_black), ([1, 0, 0], [1, 0, 0]));
        assert_eq!(standings.tally(2, 0).pairs.counts, [0, 0, 0, 0, 1]);
        assert_eq!(standings.tally_of(2).results(), [2, 1, 1]);
        assert_eq!(standings.tally_of(2).discs, 8 + 20 - 12);
        let ratings = standings.ratings();
        // Player 0 made 1 point, the others 2½ each: if all have met all, the ranking follows the points.
        assert!(ratings.ratings[0].elo < ratings.ratings[1].elo - 100.0);
        assert!((ratings.ratings[1].elo - ratings.ratings[2].elo).abs() < 1e-6);
    }
}
