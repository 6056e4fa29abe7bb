//! The games of a player, replayed from the index.

use std::cmp::Reverse;

use othello::{Color, Game};

use super::index_file::{ColumnEntry, DISCS, ENTRY_BYTES};
use super::position_key::PositionKey;
use super::{Filter, Index, IndexError};

/// A game of a player.
#[derive(Clone, Debug)]
pub struct PlayerGame {
    /// The game, in one of its orientations: the index does not tell them apart.
    pub game: Game,
    /// The colors of the player: both if it is a game between two players of the same name.
    pub colors: Vec<Color>,
}

impl Index {
    /// The latest games of the player of the first name in the filter, of those that the filter accepts; the latest first.
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
