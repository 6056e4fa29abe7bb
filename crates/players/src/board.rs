//! Boards for which there are players.

use othello::{Board, CutBoard, SmallBoard};
use records::files::RecordedBoard;
#[cfg(not(target_family = "wasm"))]
use {
    crate::error::MakeError,
    engine::Player,
    protocols::driving::{ExternalProgram, Nboard},
};

use crate::emilia_maker::EmiliaMaker;
use crate::entry::{Entries, Entry};

/// A board for which there are players.
pub trait PlayableBoard: RecordedBoard {
    /// Constructors of Emilia for this board, if it plays on it.
    const EMILIA: Option<EmiliaMaker<Self>> = None;

    /// The entries of this board.
    fn entries(entries: &Entries) -> &[Entry<Self>];

    /// An external NBoard program as a player of this board.
    #[cfg(not(target_family = "wasm"))]
    fn nboard(program: ExternalProgram) -> Result<Box<dyn Player<Self>>, MakeError> {
        let (name, board) = (program.name, Self::GEOMETRY.name);
        let found = format!("{name} cannot play on the {board} board: NBoard programs only play on 8x8");
        Err(MakeError::request(format!("{found}; expected a built-in player or gtp:COMMAND")))
    }
}

impl PlayableBoard for Board {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries(entries: &Entries) -> &[Entry<Self>] {
        &entries.on_8x8
    }

    #[cfg(not(target_family = "wasm"))]
    fn nboard(program: ExternalProgram) -> Result<Box<dyn Player<Self>>, MakeError> {
        Ok(Box::new(Nboard::new(program)))
    }
}

impl PlayableBoard for SmallBoard<6> {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries(entries: &Entries) -> &[Entry<Self>] {
        &entries.on_6x6
    }
}

impl PlayableBoard for SmallBoard<4> {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries(entries: &Entries) -> &[Entry<Self>] {
        &entries.on_4x4
    }
}

impl PlayableBoard for CutBoard {
    fn entries(entries: &Entries) -> &[Entry<Self>] {
        &entries.on_cut
    }
}
