//! The program as it registers itself.

use players::{Entries, Entry, PlayerOptions, Program};

use crate::player::{Bill, Version, tables};

/// BILL 3.0 and BILL 2.0, to be registered.
pub fn program() -> Program {
    let make = |version| {
        move |settings, options: &PlayerOptions| {
            tables::FILE.require()?;
            Ok(Bill::new(version, settings, options.search.hash as usize))
        }
    };
    let bill3 = Entry::new(
        "bill3",
        "BILL 3.0 of 1989: evaluates with tables and estimates its winning chance",
        make(Version::Three),
    );
    let bill2 = Entry::new("bill2", "BILL 2.0: the same tables, weighted by hand", make(Version::Two));
    let entries =
        vec![bill3.explained_by(crate::player::explain_bill3), bill2.explained_by(crate::player::explain_bill2)];
    Program {
        name: "bill",
        description: "evaluation by tables, and Bayesian learning",
        paper: "K.-F. Lee and S. Mahajan, The development of a world class Othello program (1990)",
        entries: Entries { on_8x8: entries, ..Entries::default() },
        data_files: vec![&tables::FILE],
    }
}
