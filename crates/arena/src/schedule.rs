//! The schedule of a contest.
//!
//! Everything about a game follows from its number, so neither the order in which games end nor an interruption changes
//! which games are played.

use othello::random::Random;

/// The schedule: every player meets every other in a fixed number of pairs of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The number of players.
    pub players: usize,
    /// The number of pairs of games that each two of them play.
    pub pairs: u32,
}

/// One game of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game, from 0.
    pub number: u64,
    /// The two players of this pair of games, the one with the lower index first.
    pub players: (usize, usize),
    /// The pair of games between these two that it belongs to, from 0; it determines the opening.
    pub pair: u32,
    /// Whether the first of the two has Black: in the first game of a pair, but not in the second.
    pub first_is_black: bool,
}

impl Fixture {
    /// The players with Black and with White.
    pub fn colors(&self) -> [usize; 2] {
        let (first, second) = self.players;
        if self.first_is_black { [first, second] } else { [second, first] }
    }
}

impl Schedule {
    /// The number of pairings of two players.
    pub fn pairings(&self) -> u64 {
        let players = self.players as u64;
        players * players.saturating_sub(1) / 2
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        2 * u64::from(self.pairs) * self.pairings()
    }

    /// Game number `number`. The pairings alternate, so that no player is ahead of the others by more than one round of
    /// games.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.pairings().max(1);
        let (pair_number, game) = (number / 2, number % 2);
        let (pair, mut pairing) = ((pair_number / pairings) as u32, pair_number % pairings);
        let mut first = 0;
        while pairing >= (self.players - 1 - first) as u64 {
            pairing -= (self.players - 1 - first) as u64;
            first += 1;
        }
        let players = (first, first + 1 + pairing as usize);
        Fixture { number, players, pair, first_is_black: game == 0 }
    }
}

/// The random seed of a player in a game.
pub fn seed_of(seed: u64, game: u64, player: usize) -> u64 {
    Random::of_item(Random::of_item(seed, game).bits(), player as u64).bits()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_players_meet_with_both_colors_of_every_opening() {
        for (players, pairs) in [(2, 5), (3, 4), (7, 2)] {
            let schedule = Schedule { players, pairs };
            let expected = 2 * pairs as usize * players * (players - 1) / 2;
            assert_eq!(schedule.games(), expected as u64);
            let games: HashSet<_> = (0..schedule.games())
                .map(|number| {
                    let fixture = schedule.fixture(number);
                    let [black, white] = fixture.colors();
                    assert!(black != white && black < players && white < players && fixture.pair < pairs);
                    (black, white, fixture.pair)
                })
                .collect();
            assert_eq!(games.len(), expected);
        }
    }

    #[test]
    fn no_player_is_ahead_by_more_than_a_round() {
        let schedule = Schedule { players: 4, pairs: 3 };
        for number in 0..schedule.games() {
            assert_eq!(u64::from(schedule.fixture(number).pair), number / 12);
        }
    }

    #[test]
    fn seeds_differ_between_games_and_players() {
        let seeds: HashSet<_> = (0..100).flat_map(|game| (0..4).map(move |player| seed_of(1, game, player))).collect();
        assert_eq!(seeds.len(), 400);
        assert_ne!(seed_of(1, 0, 0), seed_of(2, 0, 0));
    }
}
