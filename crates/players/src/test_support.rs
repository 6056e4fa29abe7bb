//! A small program for tests: a player of every board with one setting, an explanation and a data file.

use engine::explanation::{Explanation, Part};
use engine::settings::{self, Setting, Settings};
use engine::{Choice, Chosen, Limits, Observer, Player, PlayerError, Stop};
use othello::{Game, Rules, SquareSet, squares};
use storage::DataFile;

use crate::board::PlayableBoard;
use crate::entry::{Entries, Entry, HISTORICAL, OnEveryBoard, Program};
use crate::options::PlayerOptions;

/// Name of the program and of its player.
pub const NAME: &str = "simple";

/// The program.
pub fn program() -> Program {
    Program {
        name: NAME,
        description: "a program for tests",
        paper: "none",
        entries: Entries::of_every_board(&Simple),
        data_files: vec![&DATA],
    }
}

static DATA: DataFile = DataFile::new("simple.data", Some(b"simple"), |bytes| bytes == b"simple");

struct Simple;

impl OnEveryBoard for Simple {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        let make = |_: SimpleSettings, _: &PlayerOptions| {
            DATA.require()?;
            Ok(SimplePlayer)
        };
        Entry::new(NAME, "plays the first legal move", make).explained_by(explain)
    }
}

fn explain<B: Rules>(board: &B) -> Explanation {
    let part =
        |name: &str, value, weight| Part { name: name.to_owned(), value, weight: Some(weight), is_detail: false };
    let (moves, discs) = (f64::from(board.moves().count()), f64::from(board.player().count()));
    let (parts, value) = (vec![part("moves", moves, 1.0), part("discs", discs, 0.0)], moves);
    Explanation { parts, value, unit: "moves", win_probability: None }
}

#[derive(Default)]
struct SimpleSettings {
    is_historical: bool,
}

impl Settings for SimpleSettings {
    const LIST: &'static [Setting] =
        &[Setting { name: HISTORICAL, values: "off, on", description: "play as in the year of the paper" }];

    fn set(&mut self, _name: &str, value: &str) -> bool {
        settings::switch(&mut self.is_historical, value)
    }
}

/// Plays the first legal move.
struct SimplePlayer;

impl<B: Rules> Player<B> for SimplePlayer {
    fn name(&self) -> &str {
        NAME
    }

    fn choose(&mut self, game: &Game<B>, _: &Limits, _: &mut dyn Observer, _: &Stop) -> Chosen {
        squares(game.position().board.moves()).next().map(Choice::of).ok_or(PlayerError::GameOver)
    }
}
