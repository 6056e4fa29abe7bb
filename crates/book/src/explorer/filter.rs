//! The conditions that games of the index must fulfill.

use std::ops::RangeInclusive;

use records::filter::Needle;

use super::Index;
use super::index_file::GameEntry;

/// Conditions on games. Texts match case-insensitively and anywhere in a name.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Names that must all match a player of the game.
    pub players: Vec<Needle>,
    /// A name that must match Black.
    pub black: Option<Needle>,
    /// A name that must match White.
    pub white: Option<Needle>,
    /// The tournament.
    pub event: Option<Needle>,
    /// The year of the game.
    pub years: Option<RangeInclusive<i64>>,
    /// The ratings of both players: those that come with the game, or else their strengths by the results of all games
    /// of the index ([`Strength`](super::Strength)). A game is left out if a rating is not known.
    pub ratings: Option<RangeInclusive<i64>>,
}

/// A filter with the names of an index looked up.
pub(super) struct Matches<'a> {
    filter: &'a Filter,
    index: &'a Index,
    players: Vec<Vec<bool>>,
    black: Option<Vec<bool>>,
    white: Option<Vec<bool>>,
    event: Option<Vec<bool>>,
}

impl Filter {
    pub(super) fn on<'a>(&'a self, index: &'a Index) -> Matches<'a> {
        let [players, events] = [&index.players, &index.events]
            .map(|names| move |needle: &Needle| -> Vec<bool> { names.iter().map(|name| needle.is_in(name)).collect() });
        Matches {
            filter: self,
            index,
            players: self.players.iter().map(&players).collect(),
            black: self.black.as_ref().map(&players),
            white: self.white.as_ref().map(&players),
            event: self.event.as_ref().map(&events),
        }
    }
}

impl Matches<'_> {
    pub(super) fn accept(&self, game: &GameEntry) -> bool {
        let has = |names: &Vec<bool>, number: u32| names.get(number as usize).copied().unwrap_or_default();
        let fits = |names: &Option<Vec<bool>>, number| names.as_ref().is_none_or(|names| has(names, number));
        let within =
            |range: &RangeInclusive<i64>, value: Option<i64>| value.is_some_and(|value| range.contains(&value));
        self.players.iter().all(|names| has(names, game.black) || has(names, game.white))
            && fits(&self.black, game.black)
            && fits(&self.white, game.white)
            && fits(&self.event, game.event)
            && self.filter.years.as_ref().is_none_or(|years| within(years, game.year().map(i64::from)))
            && self
                .filter
                .ratings
                .as_ref()
                .is_none_or(|ratings| self.ratings(game).iter().all(|rating| within(ratings, rating.map(i64::from))))
    }

    /// The ratings of Black and White. Those of a game and the strengths of an index are not mixed: their scales
    /// differ.
    fn ratings(&self, game: &GameEntry) -> [Option<i16>; 2] {
        if game.has_ratings() {
            return [game.black_rating, game.white_rating];
        }
        [game.black, game.white].map(|player| self.index.strength_of(player as usize).map(|found| found.rating))
    }

    /// Whether the first of the names matches this player.
    pub(super) fn is_asked_player(&self, number: u32) -> bool {
        self.players.first().and_then(|names| names.get(number as usize)).copied().unwrap_or_default()
    }
}
