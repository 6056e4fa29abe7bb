//! The protocols that Othello programs speak, both halves of each: [`driving`] makes a player of another program,
//! [`serving`] lets a player answer another program.

pub mod driving;
pub mod serving;
