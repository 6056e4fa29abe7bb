//! The program as it registers itself.

use players::{Entries, Entry, PlayerOptions, Program};

use crate::player::{Iago, IagoAnalyst, tables};

/// IAGO, to be registered.
pub fn program() -> Program {
    let make = |settings| {
        tables::FILE.require()?;
        Ok(Iago::new(settings))
    };
    let entry = Entry::new(
        "iago",
        "edge tables and mobility: the champion of 1981 (Rosenbloom 1982)",
        move |settings, _: &PlayerOptions| make(settings),
    )
    .explained_by(crate::player::explain)
    .with_analyst(move |settings, limits| Ok(IagoAnalyst::new(make(settings)?, limits)));
    Program {
        name: "iago",
        description: "the champion of 1981",
        paper: "P. S. Rosenbloom, A world-championship-level Othello program (1982)",
        entries: Entries::of_8x8(entry),
        data_files: vec![&tables::FILE],
    }
}
