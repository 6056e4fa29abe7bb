//! Workers of APHID on other machines: what the player asks for, and what a worker there does.

use std::fmt;

use super::message::Message;
use super::worker;
use crate::keyano::parallel::link::Link;
use crate::keyano::search::Memory;
use crate::keyano::settings::{ProbCut, Settings};
use crate::keyano::tables::Tables;

/// Workers of APHID that are not threads of this process.
pub trait FarCrew: Send {
    /// The link of a manager to the workers that are there now, for the search of one move. `None` if there is nobody.
    fn assemble(&mut self, assignment: Assignment) -> Option<Box<dyn Link<Message>>>;

    /// Another game begins.
    fn new_game(&mut self);
}

/// What the workers do for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The nodes that all workers together may search.
    pub nodes: Option<u64>,
    /// Whether ProbCut may cut, if the settings have it.
    pub has_probcut: bool,
}

/// A worker on another machine, with what it remembers from move to move.
pub struct Seat {
    settings: Settings,
    memory: Memory,
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Seat {
    /// A worker of a player with these settings.
    pub fn new(settings: Settings) -> Self {
        // Memory is not shared between machines.
        let settings = Settings { shared_table: false, ..settings };
        Self { memory: Memory::new(&settings), settings }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.memory.forget(&self.settings);
    }

    /// Works for the search of one move until its manager ends it or is lost, at most for this many nodes. Returns how
    /// many were searched.
    pub fn work(&mut self, link: Box<dyn Link<Message>>, has_probcut: bool, nodes: Option<u64>) -> u64 {
        let probcut = if has_probcut { self.settings.probcut } else { ProbCut::Off };
        let settings = Settings { probcut, ..self.settings };
        self.memory.begin_search_of_worker();
        worker::work(link, Tables::shipped(), &settings, &mut self.memory, nodes)
    }
}
