//! The program as it registers itself.

use players::{Entries, Entry, PlayerOptions, Program};

use crate::player::{Desdemona, DesdemonaBoard};

/// DESDEMONA, to be registered.
pub fn program() -> Program {
    fn entry<B: DesdemonaBoard>() -> Entry<B> {
        let make = |settings, _: &PlayerOptions| {
            B::FILE.require()?;
            Ok(Desdemona::<B>::new(settings))
        };
        let description = "eight weighted features and twelve patterns, from a course in 2002 (CS 221)";
        Entry::new(crate::player::NAME, description, make).explained_by(|board| B::shipped().explain(board))
    }
    Program {
        name: crate::player::NAME,
        description: "the program of a course, for a board of its own",
        paper: "Corby, Irani, Perry and Swartz, DESDEMONA (Stanford, CS 221, 2002)",
        entries: Entries { on_8x8: vec![entry()], on_cut: vec![entry()], ..Entries::default() },
        data_files: vec![&crate::player::FILE_ON_8X8, &crate::player::FILE_ON_92],
    }
}
