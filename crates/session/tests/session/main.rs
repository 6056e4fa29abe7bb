//! Sessions from outside: events and outcomes go in, views and orders are read.

mod behaviour;
mod json;
mod studying;
mod test_session;
mod watching;
mod whole_games;
