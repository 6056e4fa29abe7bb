//! Statistics of a player: results by color, openings, opponents.

use std::collections::HashMap;

use othello::Color;

use super::answer::{Years, count_at};
use super::{Filter, Index, PlayerCount, Tally};

/// Statistics of a player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerStatistics {
    /// The names that were found, the most frequent first: different people, or spellings of one.
    pub names: Vec<PlayerCount>,
    /// The games with Black, for the player.
    pub black: Tally,
    /// The games with White, for the player.
    pub white: Tally,
    /// When they were played.
    pub years: Option<Years>,
    /// The openings, the most frequent first.
    pub openings: Vec<OpeningRecord>,
    /// The opponents, the most frequent first.
    pub opponents: Vec<Opponent>,
    /// The games against opponents whose names are not known, for the player.
    pub unknown_opponents: Tally,
}

/// The games of a player with an opening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningRecord {
    /// The name of the opening; `None` for games without one.
    pub name: Option<String>,
    /// The games with Black, for the player.
    pub black: Tally,
    /// The games with White, for the player.
    pub white: Tally,
}

/// The games of a player against another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opponent {
    /// The other.
    pub name: String,
    /// The games, for the player.
    pub tally: Tally,
}

impl Index {
    /// Statistics of the player of the first name in the filter, in the games that the filter accepts.
    ///
    /// A game between two players of this name counts for both.
    pub fn player(&self, filter: &Filter) -> PlayerStatistics {
        let matches = filter.on(self);
        let mut statistics = PlayerStatistics::default();
        let (mut names, mut years) = (Vec::new(), Vec::new());
        let mut openings: HashMap<Option<u16>, OpeningRecord> = HashMap::new();
        let mut opponents: HashMap<u32, Tally> = HashMap::new();
        for game in self.games.iter().filter(|game| matches.accept(game)) {
            for (color, own, other) in [(Color::Black, game.black, game.white), (Color::White, game.white, game.black)]
            {
                if !matches.is_asked_player(own) {
                    continue;
                }
                let score = game.score_of(color);
                let opening = openings.entry(game.opening).or_default();
                let (all, with_opening) = match color {
                    Color::Black => (&mut statistics.black, &mut opening.black),
                    Color::White => (&mut statistics.white, &mut opening.white),
                };
                all.add(score);
                with_opening.add(score);
                opponents.entry(other).or_default().add(score);
                count_at(&mut names, own as usize);
                if let Some(year) = game.year() {
                    count_at(&mut years, usize::from(year));
                }
            }
        }
        statistics.names = self.named(&self.by_frequency(&names));
        statistics.years = Years::of(&years);
        statistics.openings = openings
            .into_iter()
            .map(|(number, found)| {
                let name = number.and_then(|number| self.openings.get(usize::from(number)).cloned());
                OpeningRecord { name, ..found }
            })
            .collect();
        statistics.openings.sort_by(|one, other| {
            let games = |found: &OpeningRecord| found.black.games + found.white.games;
            games(other).cmp(&games(one)).then_with(|| one.name.cmp(&other.name))
        });
        for (number, tally) in opponents {
            match self.players.get(number as usize).filter(|name| !name.is_empty()) {
                Some(name) => statistics.opponents.push(Opponent { name: name.clone(), tally }),
                None => statistics.unknown_opponents.add_all(&tally),
            }
        }
        statistics
            .opponents
            .sort_by(|one, other| other.tally.games.cmp(&one.tally.games).then_with(|| one.name.cmp(&other.name)));
        statistics
    }
}
