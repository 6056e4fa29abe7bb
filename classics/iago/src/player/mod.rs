//! IAGO, the program of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), section 4.
//!
//! The evaluation is a sum of four components: [`edge_table`] with the X-squares ([`evaluation`]),
//! [`internal_stability`], and current and potential [`mobility`]. The [`search`] is full-width alpha-beta over
//! incrementally updated [`features`], with three saved plies and killers ([`ordering`]), with iterative deepening by
//! the rules of [`deepening`] within the time of [`time_allocation`]. [`analysis`] analyzes a game as in section 5, and
//! [`IagoAnalyst`] does so through the general interface of analysts.
//!
//! Each file states our choices where the paper is silent or a figure is missing; `README.md` of the crate lists them.

pub mod analysis;
mod analyst;
pub mod deepening;
pub mod edge;
pub mod edge_probabilities;
pub mod edge_table;
pub mod evaluation;
mod explanation;
pub mod features;
pub mod internal_stability;
pub mod mobility;
mod move_choice;
pub mod ordering;
#[cfg(test)]
mod samples;
pub mod search;
mod settings;
pub mod tables;
pub mod time_allocation;

pub use analyst::IagoAnalyst;
pub use explanation::explain;
pub use features::edges_of;
pub use move_choice::{Iago, shipped_evaluation};
pub use settings::IagoSettings;
