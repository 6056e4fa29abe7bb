//! The workers of a player: who searches the root, alone or with others, in the threads of this program.

use std::thread::{Scope, ScopedJoinHandle};

use engine::Stop;
use othello::{Board, Square};

use super::aphid::manager::Manager;
use super::aphid::message::Message;
use super::aphid::worker;
use super::link::Link;
use super::threads;
use super::young_brothers::party::{self, Party};
use crate::player::search::{Goal, INFINITE, Memory, RootResult, Search};
use crate::player::settings::{Method, Settings};
use crate::player::tables::Tables;

/// A program in WebAssembly has no threads.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Share of the nodes of a move that APHID's manager may use: one in this many.
const MANAGERS_SHARE: u64 = 8;

/// With fewer nodes than this for each worker, one party is as fast.
const SMALLEST_SHARE: u64 = 5_000;

/// Searches below a frontier, or of a younger brother, are at least this deep.
const SHALLOWEST: u32 = 4;

/// The least depth of a search that a worker gets: parity is computed in it, not above it.
fn shallowest(settings: &Settings) -> u32 {
    settings.parity_plies.max(SHALLOWEST)
}

/// The one who has the root.
pub(crate) enum Leader {
    Alone,
    /// The manager, the frontier, and the first depth that is searched together.
    Aphid(Box<Manager>, u32, u32),
    YoungBrothers(Party),
}

impl Leader {
    /// A manager of APHID with this link to its workers.
    pub(crate) fn manager(link: Box<dyn Link<Message>>, settings: &Settings) -> Self {
        let manager = Manager::new(link, settings.frontier);
        Self::Aphid(Box::new(manager), settings.frontier, Self::first_depth(settings))
    }

    /// The first depth that is searched together by APHID.
    pub(crate) fn first_depth(settings: &Settings) -> u32 {
        settings.frontier + shallowest(settings)
    }

    /// Whether an iteration is left out, because a deeper one is searched together sooner.
    pub(crate) fn skips(&self, depth: u32) -> bool {
        match self {
            Self::Aphid(_, frontier, first) => (frontier + 1..*first).contains(&depth),
            Self::Alone | Self::YoungBrothers(_) => false,
        }
    }

    /// The best of the moves of the root by a search of this depth.
    pub(crate) fn root(&mut self, search: &mut Search<'_>, board: &Board, moves: &[Square], depth: u32) -> RootResult {
        match self {
            Self::Aphid(manager, _, first) if depth >= *first => manager.root(search, board, moves, depth),
            Self::YoungBrothers(party) => party.root(search, board, moves, depth),
            Self::Alone | Self::Aphid(..) => search.root(board, moves, Goal::Plies(depth), -INFINITE, INFINITE),
        }
    }

    /// The nodes that others have reported.
    pub(crate) fn nodes_of_others(&self) -> u64 {
        match self {
            Self::Alone => 0,
            Self::Aphid(manager, ..) => manager.nodes_of_others(),
            Self::YoungBrothers(party) => party.nodes_of_others(),
        }
    }

    /// Tells the link what the leader has searched.
    pub(crate) fn account(&mut self, search: &Search<'_>) {
        match self {
            Self::Alone => {}
            Self::Aphid(manager, ..) => manager.account(search),
            Self::YoungBrothers(party) => party.account(search),
        }
    }

    /// The time since the beginning, in nodes.
    pub(crate) fn now(&self) -> u64 {
        match self {
            Self::Alone => 0,
            Self::Aphid(manager, ..) => manager.now(),
            Self::YoungBrothers(party) => party.now(),
        }
    }

    /// Number of searches by APHID's manager of the tree above the frontier.
    pub(crate) fn passes(&self) -> u64 {
        if let Self::Aphid(manager, ..) = self { manager.passes() } else { 0 }
    }

    /// Tells the others that the move is decided.
    pub(crate) fn end(&mut self) {
        match self {
            Self::Alone => {}
            Self::Aphid(manager, ..) => manager.end(),
            Self::YoungBrothers(party) => party.end(),
        }
    }
}

/// A leader and its workers.
pub(crate) struct Crew<'scope> {
    leader: Leader,
    workers: Vec<ScopedJoinHandle<'scope, u64>>,
    /// The nodes that the leader may search while there are workers.
    pub(crate) leaders_nodes: Option<u64>,
    /// The nodes of workers that have ended.
    ended: u64,
}

impl<'scope> Crew<'scope> {
    /// Whether a search to this depth with this many nodes is worth dividing.
    pub(crate) fn is_worthwhile(settings: &Settings, depth: u32, nodes: Option<u64>) -> bool {
        let is_deep = match settings.method {
            Method::Aphid => depth >= Leader::first_depth(settings),
            Method::YoungBrothers => depth > shallowest(settings),
        };
        is_deep && nodes.is_none_or(|nodes| nodes >= SMALLEST_SHARE.saturating_mul(settings.workers as u64))
    }

    /// Number of threads besides the leader that search together if that is worthwhile.
    pub(crate) fn threads(settings: &Settings) -> usize {
        match settings.method {
            _ if !HAS_THREADS || settings.workers < 2 => 0,
            Method::Aphid => settings.workers,
            Method::YoungBrothers => settings.workers - 1,
        }
    }

    fn led_by(leader: Leader, leaders_nodes: Option<u64>) -> Self {
        Self { leader, workers: Vec::new(), leaders_nodes, ended: 0 }
    }

    /// Starts a worker for each of these memories; none means that the leader is alone. Also returns the flag for the
    /// leader's search.
    pub(crate) fn start<'env: 'scope>(
        scope: &'scope Scope<'scope, 'env>,
        tables: &'env Tables,
        settings: &'env Settings,
        memories: &'env mut [Memory],
        nodes: Option<u64>,
        stop: &Stop,
    ) -> (Self, Stop) {
        let count = memories.len() as u64;
        let mut crew = Self::led_by(Leader::Alone, nodes);
        if count == 0 {
            return (crew, stop.clone());
        }
        memories.iter_mut().for_each(Memory::begin_search_of_worker);
        match settings.method {
            Method::Aphid => {
                let of_manager = nodes.map(|nodes| nodes / MANAGERS_SHARE);
                let share = nodes.zip(of_manager).map(|(nodes, used)| (nodes - used) / count);
                let (link, links) = threads::links(memories.len());
                for (link, memory) in links.into_iter().zip(memories) {
                    let work = move || worker::work(Box::new(link), tables, settings, memory, share);
                    crew.workers.push(scope.spawn(work));
                }
                crew.leader = Leader::manager(Box::new(link), settings);
                crew.leaders_nodes = of_manager;
                (crew, stop.clone())
            }
            Method::YoungBrothers => {
                let share = nodes.map(|nodes| nodes / (count + 1));
                let (link, links) = threads::links(memories.len());
                for (link, memory) in links.into_iter().zip(memories) {
                    let work = move || party::work(Box::new(link), tables, settings, memory, share);
                    crew.workers.push(scope.spawn(work));
                }
                let party = Party::new(Box::new(link), stop.clone());
                let flag = party.flag();
                crew.leader = Leader::YoungBrothers(party);
                crew.leaders_nodes = share;
                (crew, flag)
            }
        }
    }

    /// Whether an iteration is left out.
    pub(crate) fn skips(&self, depth: u32) -> bool {
        self.leader.skips(depth)
    }

    /// The best of the moves of the root by a search of this depth.
    pub(crate) fn root(&mut self, search: &mut Search<'_>, board: &Board, moves: &[Square], depth: u32) -> RootResult {
        self.leader.root(search, board, moves, depth)
    }

    /// The nodes of the workers, as far as they are known.
    pub(crate) fn nodes(&self) -> u64 {
        self.leader.nodes_of_others() + self.ended
    }

    /// Ends the work: from now on the leader is alone.
    pub(crate) fn end(&mut self) {
        self.leader.end();
        self.leader = Leader::Alone;
        // What a worker that panicked has searched is not known.
        self.ended += self.workers.drain(..).map(|worker| worker.join().unwrap_or_default()).sum::<u64>();
    }
}
