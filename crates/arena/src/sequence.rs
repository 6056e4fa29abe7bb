//! The games of a match in the order of their numbers, up to the one at which the sequential test decides.
//!
//! Games that are played in parallel end in any order, short games and those of fast players first. A test that counted
//! them in that order would be biased towards these, and its result would depend on the machine.

use std::collections::HashMap;

use crate::match_file::GameLine;
use crate::schedule::Schedule;
use crate::sprt::{Decision, Sprt};
use crate::standings::Standings;

/// The games that count for a test: all from the first on without a gap, until the test has decided.
#[derive(Clone, Debug)]
pub struct Sequence {
    sprt: Option<Sprt>,
    min_pairs: u64,
    standings: Standings,
    /// Games that ended before one with a lower number.
    waiting: HashMap<u64, GameLine>,
    due: u64,
    decision: Decision,
}

impl Sequence {
    /// No games yet. The test, if there is one and there are two players, decides after `min_pairs` pairs at the
    /// earliest.
    pub fn new(schedule: Schedule, sprt: Option<Sprt>, min_pairs: u32) -> Self {
        let sprt = sprt.filter(|_| schedule.players == 2);
        let standings = Standings::new(schedule);
        let min_pairs = min_pairs.into();
        Self { sprt, min_pairs, standings, waiting: HashMap::new(), due: 1, decision: Decision::Open }
    }

    /// Adds a game that has ended; it counts when all games before it have ended.
    pub fn add(&mut self, line: &GameLine) {
        self.waiting.insert(line.game, line.clone());
        while self.decision == Decision::Open
            && let Some(line) = self.waiting.remove(&self.due)
        {
            self.standings.add(&line);
            self.due += 1;
            let pairs = self.standings.tally(0, 1).pairs;
            if let Some(sprt) = self.sprt
                && pairs.count() >= self.min_pairs
            {
                self.decision = sprt.decision(&pairs);
            }
        }
    }

    /// The result of the test.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The results of the games that count.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::line_of_score;

    #[test]
    fn the_order_in_which_games_end_does_not_matter() {
        let schedule = Schedule { players: 2, pairs: 100 };
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).ok();
        let games: Vec<GameLine> = (0..schedule.games())
            .map(|number| {
                // The first player wins three games of four, and sometimes none is won.
                let wins = number % 4 != 1;
                let first_is_black = schedule.fixture(number).first_is_black;
                let discs = if number % 7 == 0 { 0 } else { 4 };
                line_of_score(number + 1, if wins == first_is_black { discs } else { -discs })
            })
            .collect();
        let count = |order: &[usize]| {
            let mut sequence = Sequence::new(schedule, sprt, 10);
            order.iter().for_each(|&index| sequence.add(&games[index]));
            (sequence.decision(), sequence.standings().tally(0, 1))
        };
        let in_order: Vec<usize> = (0..games.len()).collect();
        let (decision, tally) = count(&in_order);
        assert_eq!(decision, Decision::H1);
        assert!((20..100).contains(&tally.games()), "{tally:?}");
        let backwards: Vec<usize> = in_order.iter().rev().copied().collect();
        let crossed: Vec<usize> = in_order.chunks(5).flat_map(|few| few.iter().rev().copied()).collect();
        assert_eq!(count(&backwards), (decision, tally));
        assert_eq!(count(&crossed), (decision, tally));
        // With one game less than it needed the test has not decided.
        let needed = tally.games() as usize;
        assert_eq!(count(&in_order[..needed - 1]).0, Decision::Open);
        // A game after a gap does not count.
        assert_eq!(count(&in_order[1..]).1.games(), 0);
    }

    #[test]
    fn no_test_decides_before_its_minimum_number_of_pairs() {
        let schedule = Schedule { players: 2, pairs: 60 };
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).ok();
        let mut sequence = Sequence::new(schedule, sprt, 50);
        for number in 0..schedule.games() {
            let is_over = sequence.decision() != Decision::Open;
            assert_eq!(is_over, number >= 100, "game {number}");
            let score = if schedule.fixture(number).first_is_black { 30 } else { -30 };
            sequence.add(&line_of_score(number + 1, score));
        }
        assert_eq!(sequence.standings().games(), 100);
    }
}
