//! The jobs of players that other machines can do.

use std::sync::Arc;

use jobs::JobKind;

use crate::registry::Registry;
use crate::{analysis_job, leaf_job, solve_job};

/// Positions to search for a book.
pub const BOOK_NODES: &str = "book-nodes";
/// Moves of games to analyze.
pub const ANALYSIS: &str = "analysis";
/// Problems to solve.
pub const SOLUTIONS: &str = "solutions";

/// The kinds of jobs of these players.
pub fn kinds(registry: &Arc<Registry>) -> [JobKind; 3] {
    let (of_books, of_analysis) = (Arc::clone(registry), Arc::clone(registry));
    [
        JobKind::new(BOOK_NODES, move |definition, here| leaf_job::prepare(&of_books, definition, here)),
        JobKind::new(ANALYSIS, move |definition, here| analysis_job::prepare(&of_analysis, definition, here)),
        JobKind::new(SOLUTIONS, solve_job::prepare),
    ]
}
