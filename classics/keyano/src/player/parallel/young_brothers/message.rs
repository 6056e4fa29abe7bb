//! Messages between the parties in Young Brothers Wait.

use serde::{Deserialize, Serialize};

/// A message of Young Brothers Wait.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The sender has nothing to do.
    Ask,
    /// The sender of this has nothing to give.
    Nothing,
    /// A move for the one who asked.
    Give(MoveSearch),
    /// The value of a move that was given.
    Answer {
        /// The move.
        name: MoveSearchName,
        /// Its value for the side that plays it.
        value: i32,
        /// The nodes of the sender so far.
        nodes: u64,
    },
    /// A move that was given is given back without a value.
    Return(MoveSearchName),
    /// The value of a move that was given is no longer needed.
    Cancel(MoveSearchName),
    /// The move is decided.
    End,
}

/// Which move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MoveSearchName {
    /// The number of the position, which its owner chose.
    pub(crate) split: u32,
    /// The move.
    pub(crate) square: u8,
}

/// A move to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MoveSearch {
    pub(crate) name: MoveSearchName,
    /// The iteration of the root that it belongs to.
    pub(crate) iteration: u32,
    /// The position after the move: the discs of the side to move.
    pub(crate) player: u64,
    /// The discs of the other side.
    pub(crate) opponent: u64,
    /// Plies from the root, passes included.
    pub(crate) ply: u8,
    /// Whose turn it is: 0 at the root.
    pub(crate) side: u8,
    /// The regions that the side to move and its opponent have lost, as computed above.
    pub(crate) parity: (u8, u8),
    /// Whether ProbCut may replace the search.
    pub(crate) may_cut: bool,
    /// Depth and window of the search of the position after the move.
    pub(crate) depth: u32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}
