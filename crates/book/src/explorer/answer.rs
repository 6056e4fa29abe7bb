//! The answer to a question: what was played in a position.

use engine::Estimate;
use othello::{Color, Game, Position, Square};
use records::opening_names;
use serde::Serialize;

use super::position_key::PositionKey;
use super::{Filter, Index, IndexError, Strength, Tally};

/// Number of players that are named with a move.
const NAMED_PLAYERS: usize = 5;

/// The moves that were played in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMoves {
    /// The position.
    pub position: Position,
    /// The games that reached it, for the side to move.
    pub tally: Tally,
    /// When they were played.
    pub years: Option<Years>,
    /// Number of these games that ended there.
    pub ended: u64,
    /// The moves, the most frequent first. Moves that are the same by symmetry are one.
    pub moves: Vec<PlayedMove>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// The square.
    pub square: Square,
    /// The games, for the side that played the move.
    pub tally: Tally,
    /// The years in which it was played.
    pub years: Option<Years>,
    /// The best-known of those who played it, at most five: those who have shown the greatest strength in all games of
    /// the index ([`Strength::shown`](super::Strength::shown)), then those with the most games.
    pub players: Vec<PlayerCount>,
    /// Number of players who played it.
    pub player_count: u64,
    /// The name of the opening after it, if the position has one.
    pub opening: Option<&'static str>,
    /// Its value in an opening book, for the side that plays it.
    pub book_value: Option<Estimate>,
}

/// The years of some games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Years {
    /// The first year.
    pub first: u16,
    /// The last year.
    pub last: u16,
    /// The year with most of them.
    pub most: u16,
    /// The number of games of every year that has any.
    pub by_year: Vec<YearCount>,
}

impl Years {
    /// The games from one year to another, both included.
    pub fn between(&self, first: u16, last: u16) -> u64 {
        let years = self.by_year.iter().filter(|found| (first..=last).contains(&found.year));
        years.map(|found| found.count).sum()
    }
}

/// The games of a year.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct YearCount {
    /// The year.
    pub year: u16,
    /// Number of games.
    pub count: u64,
}

/// Number of times that a player played a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerCount {
    /// The player.
    pub name: String,
    /// Number of games.
    pub count: u64,
    /// The rating of the player, by the results of all games in the index.
    pub rating: Option<i16>,
}

#[derive(Default)]
pub(super) struct Counting {
    tally: Tally,
    years: Vec<u32>,
    /// By the number of the player.
    players: Vec<u32>,
}

impl Years {
    /// The years in which there were games; the counts are those of the years from 0.
    pub(super) fn of(counts: &[u32]) -> Option<Self> {
        let counted = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let by_year: Vec<_> =
            counted.map(|(year, &count)| YearCount { year: year as u16, count: u64::from(count) }).collect();
        let (first, last) = (by_year.first()?.year, by_year.last()?.year);
        // Of several, the latest.
        let most = by_year.iter().max_by_key(|found| found.count)?.year;
        Some(Self { first, last, most, by_year })
    }
}

/// Adds one at an index, which the list is made long enough for.
pub(super) fn count_at(counts: &mut Vec<u32>, index: usize) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += 1;
}

impl Index {
    /// Moves that were played in a position with a legal move, in the games that a filter accepts.
    pub fn ask(&self, position: &Position, filter: &Filter) -> Result<PlayedMoves, IndexError> {
        let key = PositionKey::of(position);
        let matches = filter.on(self);
        let mut all = Tally::default();
        let mut all_years = Vec::new();
        let mut ended = 0;
        let mut by_square: Vec<Option<Counting>> = std::iter::repeat_with(|| None).take(64).collect();
        for (number, next) in self.games_at(position.board.disc_count(), key.key)? {
            let Some(game) = self.games.get(number).filter(|game| matches.accept(game)) else { continue };
            let score = game.score_of(position.turn);
            all.add(score);
            if let Some(year) = game.year() {
                count_at(&mut all_years, usize::from(year));
            }
            let Some(counting) = next.and_then(|square| by_square.get_mut(square.index())) else {
                ended += 1;
                continue;
            };
            let counting = counting.get_or_insert_default();
            counting.tally.add(score);
            if let Some(year) = game.year() {
                count_at(&mut counting.years, usize::from(year));
            }
            let mover = if position.turn == Color::Black { game.black } else { game.white };
            count_at(&mut counting.players, mover as usize);
        }
        let counted = Square::all().zip(by_square).filter_map(|(square, counting)| Some((square, counting?)));
        let mut moves: Vec<_> = counted
            .map(|(canonical, counting)| {
                let square = key.own_move(canonical);
                let mut players = self.best_known(&counting.players);
                let player_count = players.len() as u64;
                players.truncate(NAMED_PLAYERS);
                PlayedMove {
                    square,
                    tally: counting.tally,
                    years: Years::of(&counting.years),
                    players: self.named(&players),
                    player_count,
                    opening: opening_after(position, square),
                    book_value: None,
                }
            })
            .collect();
        moves.sort_by_key(|played| (std::cmp::Reverse(played.tally.games), played.square.index()));
        Ok(PlayedMoves { position: *position, tally: all, years: Years::of(&all_years), ended, moves })
    }

    /// The numbers of the players with their counts, the best known first; the counts are by their numbers.
    fn best_known(&self, counts: &[u32]) -> Vec<(usize, u32)> {
        let mut found = self.counted(counts);
        found.sort_by_key(|&(number, _)| {
            let shown = self.strength_of(number).map(Strength::shown);
            (std::cmp::Reverse((shown, self.games_of(number))), number)
        });
        found
    }

    pub(super) fn by_frequency(&self, counts: &[u32]) -> Vec<(usize, u32)> {
        let mut found = self.counted(counts);
        found.sort_by_key(|&(number, count)| (std::cmp::Reverse((count, self.games_of(number))), number));
        found
    }

    fn counted(&self, counts: &[u32]) -> Vec<(usize, u32)> {
        let found = counts.iter().enumerate().map(|(number, &count)| (number, count));
        // An unknown player has an empty name.
        let is_known = |number: usize| self.players.get(number).is_some_and(|name| !name.is_empty());
        found.filter(|&(number, count)| count > 0 && is_known(number)).collect()
    }

    fn games_of(&self, number: usize) -> u32 {
        self.games_of_players.get(number).copied().unwrap_or_default()
    }

    pub(super) fn named(&self, counts: &[(usize, u32)]) -> Vec<PlayerCount> {
        let named = counts.iter().map(|&(number, count)| PlayerCount {
            name: self.players.get(number).cloned().unwrap_or_default(),
            count: u64::from(count),
            rating: self.strength_of(number).map(|found| found.rating),
        });
        named.collect()
    }
}

fn opening_after(position: &Position, square: Square) -> Option<&'static str> {
    let mut game = Game::from_position(*position);
    game.play(square).ok()?;
    opening_names::of_position(&game.position()).map(|opening| opening.name)
}
