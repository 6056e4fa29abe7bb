//! Messages between the manager and the workers of APHID.

use serde::{Deserialize, Serialize};

/// The number of a frontier node.
pub type NodeNumber = u32;

/// A message of APHID.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// To a worker: what has changed in its list since the last message.
    Work {
        /// The changed entries.
        changes: Vec<Change>,
    },
    /// To the manager: the sender searches this node now.
    Begun(NodeNumber),
    /// To the manager: the result of a search.
    Found {
        /// The result.
        finding: Finding,
        /// The nodes of this worker so far.
        nodes: u64,
    },
    /// To a worker: the move is decided.
    End,
}

/// A changed entry of a worker's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    pub(crate) node: NodeNumber,
    pub(crate) status: Status,
}

/// Order about a node to a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Status {
    /// It is new in the worker's list.
    Added(Place),
    /// The root's value depends on it, or that of a deeper search will.
    Needed(Need),
    /// It was not visited by the last pass, or is sufficiently known: leave it.
    Resting,
    /// Another worker has it now.
    Removed,
}

/// A position at the frontier, or above it for ProbCut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The discs of the side to move.
    pub(crate) player: u64,
    /// The discs of the other side.
    pub(crate) opponent: u64,
    /// Plies from the root, passes included.
    pub(crate) ply: u8,
    /// Whose turn it is: 0 at the root.
    pub(crate) side: u8,
    /// Whether ProbCut may replace its search: not if it is to replace another.
    pub(crate) may_cut: bool,
}

/// The first rank of searches that only a later iteration needs.
pub(crate) const AHEAD: u32 = 1 << 16;

/// The search that the manager needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Need {
    pub(crate) depth: u32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The order in which the last pass came to the nodes; from [`AHEAD`] on, a pass for a later iteration.
    pub(crate) rank: u32,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub(crate) node: NodeNumber,
    pub(crate) depth: u32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The value for the side to move, or a bound beyond the window.
    pub(crate) value: i32,
}
