//! BILL, which won the North American Computer Othello Championship of 1989: K.-F. Lee and S. Mahajan, "The development of
//! a world class Othello program", Artificial Intelligence 43 (1990).
//!
//! All its knowledge stands in tables ([`edge_table`], [`line_values`], [`line_moves`]) that are looked up by numbers
//! carried along with every move ([`lines`]). [`features`] are what the look-ups say, [`judgement`] is how BILL 2.0 and BILL 3.0
//! make one value of them, [`search`] looks ahead with the best moves that [`hash_table`] and [`killer_table`]
//! remember, and the player is all of it under limits or under a clock ([`timing`]).
//!
//! What the paper leaves open is decided in the first lines of each file.

pub mod edge_table;
mod endgame;
mod explanation;
pub mod features;
pub mod hash_table;
pub mod judgement;
pub mod killer_table;
pub mod line_moves;
pub mod line_values;
pub mod lines;
mod player;
pub mod search;
mod settings;
pub mod tables;
pub mod timing;

pub use explanation::{explain_bill2, explain_bill3};
pub use player::{Bill, Version};
pub use settings::BillSettings;
