//! Settings of the searches for a program's book.

use search::Selectivity;

/// Depth, selectivity and resources of the searches for a book; what is missing is chosen by the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookSearchSettings {
    /// Search depth: of the deeper search, where a value is the mean of two.
    pub depth: Option<u32>,
    /// Selectivity: 100% switches ProbCut off, anything less switches it on.
    pub selectivity: Option<Selectivity>,
    /// Positions with at most this many empty squares are solved exactly.
    pub exact: Option<u32>,
    /// Number of positions that are searched at the same time.
    pub threads: usize,
    /// Hash table of each search in MB, for programs whose table has no fixed size.
    pub hash: usize,
}
