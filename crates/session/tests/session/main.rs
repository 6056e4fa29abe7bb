//! Sessions from outside: events and outcomes go in, views and orders are read.

mod behaviour;
mod json;
mod sitting;
mod studying;
mod watching;
mod whole_games;
