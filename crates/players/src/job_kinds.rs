//! The jobs of players that other machines can do.

use jobs::Kind;

use crate::{analysis_job, leaf_job, solve_job};

/// Positions to search for a book.
pub const BOOK_NODES: &str = "book-nodes";
/// Moves of games to analyze.
pub const ANALYSIS: &str = "analysis";
/// Problems to solve.
pub const SOLUTIONS: &str = "solutions";

/// The kinds of jobs of players.
pub const KINDS: [Kind; 3] = [
    Kind { name: BOOK_NODES, prepare: leaf_job::prepare },
    Kind { name: ANALYSIS, prepare: analysis_job::prepare },
    Kind { name: SOLUTIONS, prepare: solve_job::prepare },
];
