//! How BILL's tables are made: access to edges counted in games, won and lost positions from its own play.

pub mod edge_access;
pub mod won_and_lost;
