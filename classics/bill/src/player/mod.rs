//! BILL, which won the North American Computer Othello Championship of 1989: K.-F. Lee and S. Mahajan, "The development of
//! a world class Othello program", Artificial Intelligence 43 (1990).
//!
//! All its knowledge is in tables ([`edge_table`], [`line_values`], [`line_moves`]) that are looked up by indices
//! updated with every move ([`lines`]). [`features`] are the results of the look-ups, [`evaluation`] combines them into
//! one value for BILL 2.0 and BILL 3.0, [`search`] orders moves by [`hash_table`] and [`killer_table`], and the player
//! runs it under limits or a clock ([`timing`]).
//!
//! The first lines of each file say how we decided what the paper leaves open.

pub mod edge_table;
mod endgame;
pub mod evaluation;
mod explanation;
pub mod features;
pub mod hash_table;
pub mod killer_table;
pub mod line_moves;
pub mod line_values;
pub mod lines;
mod move_choice;
pub mod search;
mod settings;
pub mod tables;
pub mod timing;

pub use explanation::{explain_bill2, explain_bill3};
pub use move_choice::{Bill, Version};
pub use settings::BillSettings;
