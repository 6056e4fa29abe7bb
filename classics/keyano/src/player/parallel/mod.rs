//! The parallel search of section 2.3: APHID, and Young Brothers Wait beside it.
//!
//! "APHID defines a frontier a fixed number of moves away from the root of the search tree. A 'manager' process sends all
//! frontier nodes to 'worker' processes to be evaluated. [...] The workers continually search their frontier nodes
//! deeper and deeper, reporting results to their manager. The manager process repeatedly searches to the frontier nodes
//! to retrieve the latest search results. After each pass of the tree, the manager reports any changes in the work lists to
//! the workers."
//!
//! We chose the following, which the paper leaves open:
//!
//! - **The frontier** lies three moves below the root (`frontier`); a pass costs no depth, here as in the search. Searches of
//!   fewer than four plies below the frontier would need the parity that is inherited from above, so that they only
//!   serve as guesses: the first iteration that the manager finishes has four plies more than the frontier. Those
//!   above the frontier are searched by the manager alone.
//! - **A node that is not searched deep enough** has a guess: its first value, as far as the results since then allow, with the
//!   average difference between even and odd depths. Whatever depends on a guess is uncertain.
//! - **The expected course**: where nothing is certain, a pass expects that the first move of a position is the best one, and
//!   that a node at the frontier is above or below the window as its place in the minimal tree says. Only the value of the
//!   principal variation is taken from guesses. A pass that believed its guesses everywhere would follow every uncertain
//!   surprise, and ask for searches that one party would never do.
//! - **A move is final** for a depth when no uncertain value contributes to the root: then the pass is an
//!   alpha-beta search of the upper part of the tree with the right values at its leaves, and its value is that
//!   of a search by one party. Until then the player has the move of the last depth that was final.
//! - **Windows** are those of the pass, except that on the principal variation they reach at most four discs from the guess. A
//!   result that does not decide is asked for again with another window.
//! - **Urgency**: first what the last pass came to first, which is what one party would search next. Then further moves of
//!   positions where the first moves did not refute as expected. Then what the next two iterations will probably need: that
//!   is how workers search "deeper and deeper". A worker leaves a search that is no longer needed for one that is.
//! - **Rebalancing**: a new node goes to the worker with the fewest. When a worker has no node left that the root depends
//!   on, it gets one of the worker who has most of these; workers tell which node they search, so that it is not taken away.
//! - **ProbCut** is used above the frontier as in the search by one party: the shallow search that may replace a deep one is
//!   a node for a worker, too.
//! - **Above the frontier** the manager has a table, killers and history like any search: what is certain is stored there.
//! - **A lost worker** costs time only: the others get its nodes; without any, the manager searches alone.
//! - **The manager** has no processor of its own and rests between passes.
//! - **Endgames** are solved by one party.
//!
//! Young Brothers Wait (Feldmann 1993) runs on the same messages, without shared memory: see
//! `young_brothers`.
//!
//! [`simulate`] runs the same searches in virtual time.

pub mod aphid;
pub(crate) mod crew;
pub mod link;
mod simulation;
#[cfg(test)]
mod tests;
pub(crate) mod threads;
pub mod virtual_time;
pub(crate) mod young_brothers;

pub use simulation::{Run, alone, simulate};
pub use virtual_time::World;
