//! IAGO, the program of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), section 4.

pub mod analysis;
pub mod deepening;
pub mod edge;
pub mod edge_probabilities;
pub mod edge_table;
pub mod evaluation;
mod explanation;
pub mod features;
pub mod internal_stability;
pub mod mobility;
pub mod ordering;
mod player;
pub mod search;
mod settings;
pub mod tables;
pub mod time_allocation;

pub use explanation::explain;
pub use features::edges_of;
pub use player::{Iago, usual_evaluation};
pub use settings::IagoSettings;
