//! The player: looks one move ahead.

use engine::settings::{Setting, Settings, number};
use engine::{Choice, Chosen, Estimate, Limits, Observer, Player, PlayerError, Stop};
use othello::{Game, Rules, SquareSet, squares};

/// Settings of the player: `corners@value=30`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornersSettings {
    /// Value of a corner, in moves of the opponent.
    value: i32,
}

impl Default for CornersSettings {
    fn default() -> Self {
        Self { value: 20 }
    }
}

impl Settings for CornersSettings {
    const LIST: &'static [Setting] =
        &[Setting { name: "value", values: "20 (a number from 0 to 64)", description: "value of a corner in moves" }];

    fn set(&mut self, _name: &str, value: &str) -> bool {
        number(&mut self.value, value, 0..=64)
    }
}

/// Player that takes corners and leaves few replies.
pub(crate) struct Corners {
    settings: CornersSettings,
}

impl Corners {
    pub(crate) fn new(settings: CornersSettings) -> Self {
        Self { settings }
    }
}

impl Player for Corners {
    fn name(&self) -> &str {
        "corners"
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn Observer, _: &Stop) -> Chosen {
        let board = game.position().board;
        let valued = squares(board.moves()).filter_map(|square| {
            let is_corner = ["a1", "h1", "a8", "h8"].contains(&square.to_string().as_str());
            let replies = board.play(square)?.moves().count() as i32;
            Some((i32::from(is_corner) * self.settings.value - replies, square))
        });
        let (value, square) = valued.max_by_key(|&(value, _)| value).ok_or(PlayerError::GameOver)?;
        Ok(Choice { value: Some(Estimate::Points(value)), depth: 1, ..Choice::of(square) })
    }
}
