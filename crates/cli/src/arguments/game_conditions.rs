//! Conditions for the games of a database, for every command that searches for games.

use records::filter::{self, Needle};

use crate::prelude::*;

/// The options for the players, the event and the year of a game.
#[derive(Args, Clone)]
pub(crate) struct GameConditions {
    /// Name of a player of either color; of several, all must match a player of the game
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) player: Vec<String>,

    /// Name of the black player
    #[arg(long, value_name = "NAME", value_parser = parse_needle)]
    pub(crate) black: Option<Needle>,

    /// Name of the white player
    #[arg(long, value_name = "NAME", value_parser = parse_needle)]
    pub(crate) white: Option<Needle>,

    /// Name of the event
    #[arg(long, value_name = "NAME", value_parser = parse_needle)]
    pub(crate) event: Option<Needle>,

    /// The year, or a range such as 1980-1985
    #[arg(long, value_name = "YEARS", value_parser = filter::parse_range)]
    pub(crate) year: Option<RangeInclusive<i64>>,
}

/// A name or a part of one. A blank would match every game.
fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("the name is empty; expected a part of a name") } else { Ok(text.to_owned()) }
}

fn parse_needle(text: &str) -> Result<Needle, &'static str> {
    parse_name(text).map(|name| Needle::new(&name))
}

impl GameConditions {
    pub(crate) fn players(&self) -> Vec<Needle> {
        self.player.iter().map(|name| Needle::new(name)).collect()
    }
}
