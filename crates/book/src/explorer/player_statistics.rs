//! A player: results by color, openings, opponents, and games replayed from the index.

use std::cmp::Reverse;
use std::collections::HashMap;

use othello::{Color, Game};

use super::answer::{Years, count_at};
use super::index_file::{ColumnEntry, DISCS, ENTRY_BYTES};
use super::position_key::PositionKey;
use super::{Filter, Index, IndexError, PlayerCount, Tally};

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

/// A game of a player.
#[derive(Clone, Debug)]
pub struct PlayerGame {
    /// The game, in one of its orientations: the index does not tell them apart.
    pub game: Game,
    /// The colors of the player: both if it is a game between two players of the same name.
    pub colors: Vec<Color>,
}

impl Index {
    /// Statistics of the player of the first name in the filter, in the games that the filter accepts. A game between
    /// two players of this name counts for both.
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

    /// The latest games of the player of the first name in the filter, of those that the filter accepts; the latest
    /// first.
    pub fn latest_games(&self, filter: &Filter, most: usize) -> Result<Vec<PlayerGame>, IndexError> {
        let matches = filter.on(self);
        let mut numbers: Vec<_> = (0..self.games.len()).collect();
        numbers.retain(|&number| {
            let game = &self.games[number];
            matches.accept(game) && [game.black, game.white].iter().any(|&player| matches.is_asked_player(player))
        });
        numbers.sort_by_key(|&number| Reverse((self.games[number].year(), number)));
        numbers.truncate(most);
        let mut games: Vec<_> = numbers.iter().map(|_| Game::new()).collect();
        for discs in DISCS {
            let column = self.column(discs)?;
            for (&number, game) in numbers.iter().zip(&mut games) {
                let position = game.position();
                if position.board.disc_count() != discs {
                    continue;
                }
                let start = number * ENTRY_BYTES;
                let entry = column.get(start..).and_then(ColumnEntry::read);
                let key = PositionKey::of(&position);
                let next = match entry {
                    Some(entry) if entry.key == key.key => entry.next,
                    _ => return Err(self.incomplete("a game cannot be replayed")),
                };
                let played = next.map(|square| game.play(key.own_move(square)));
                if played.is_some_and(|played| played.is_err()) {
                    return Err(self.incomplete("a game cannot be replayed"));
                }
            }
        }
        let colors = |number: usize| {
            let game = &self.games[number];
            let sides = [(Color::Black, game.black), (Color::White, game.white)];
            let own = sides.into_iter().filter(|&(_, player)| matches.is_asked_player(player));
            own.map(|(color, _)| color).collect()
        };
        Ok(numbers.iter().zip(games).map(|(&number, game)| PlayerGame { game, colors: colors(number) }).collect())
    }
}
