//! Searches of a fixed depth: by one party, and by several in virtual time.

use std::thread;

use engine::Stop;
use othello::{Board, Rules, Square};

use super::aphid::worker;
use super::crew::Leader;
use super::link::Link;
use super::virtual_time::{self, World};
use super::young_brothers::party::{self, Party};
use crate::player::search::{Goal, INFINITE, Memory, RootResult, Search, bring_forward};
use crate::player::settings::{Method, Settings};
use crate::player::tables::Tables;
use engine::interruption::Interruption;

/// Cost of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The best move and its value in hundredths of a disc; `None` if the side to move has none.
    pub best: Option<(Square, i32)>,
    /// The time until the move was final, in nodes of one party.
    pub time: u64,
    /// The nodes of all parties until then, with those that they searched until they knew.
    pub nodes: u64,
    /// The messages that were sent.
    pub messages: u64,
    /// Number of searches by the manager of APHID of the tree above the frontier.
    pub passes: u64,
}

/// Deepens to a depth; false if the search was interrupted.
fn deepen(
    search: &mut Search<'_>,
    board: &Board,
    deepest: u32,
    mut root: impl FnMut(&mut Search<'_>, &[Square], u32) -> Option<RootResult>,
) -> Option<(Square, i32)> {
    let mut moves: Vec<Square> = search.memory.order.moves(board.moves(), 0, 0, None).iter().collect();
    let mut best = None;
    for depth in 1..=deepest {
        let Some(result) = root(search, &moves, depth) else { continue };
        best = result.best.filter(|_| result.is_complete);
        bring_forward(&mut moves, best?.0);
        search.memory.order.sort();
    }
    best
}

/// The search of a position to this depth by one party, with empty tables.
pub fn alone(settings: &Settings, board: &Board, depth: u32) -> Run {
    let mut memory = Memory::new(settings);
    memory.begin_search();
    let stop = Stop::new();
    let mut search = Search::new(Tables::shipped(), settings, &mut memory, Interruption::new(&stop, None, None));
    let best = deepen(&mut search, board, depth, |search, moves, depth| {
        Some(search.root(board, moves, Goal::Plies(depth), -INFINITE, INFINITE))
    });
    let nodes = search.interruption.nodes();
    Run { best, time: nodes, nodes, messages: 0, passes: 0 }
}

/// The same by several workers in virtual time: as many processors, one of which also runs APHID's manager.
pub fn simulate(settings: &Settings, board: &Board, depth: u32, world: World) -> Run {
    match settings.method {
        Method::Aphid => {
            let lead = |link| (Leader::manager(link, settings), Stop::new());
            simulated(settings, board, depth, settings.workers, world, worker::work, lead)
        }
        Method::YoungBrothers => {
            let lead = |link| {
                let party = Party::new(link, Stop::new());
                let flag = party.flag();
                (Leader::YoungBrothers(party), flag)
            };
            simulated(settings, board, depth, settings.workers.saturating_sub(1), world, party::work, lead)
        }
    }
}

/// The work of a party that has not the root: with its link, until the end; the nodes that it searched.
type Work<M> = fn(Box<dyn Link<M>>, &Tables, &Settings, &mut Memory, Option<u64>) -> u64;

/// A search by a leader and so many others.
fn simulated<M: Send + 'static>(
    settings: &Settings,
    board: &Board,
    depth: u32,
    others: usize,
    world: World,
    work: Work<M>,
    lead: impl FnOnce(Box<dyn Link<M>>) -> (Leader, Stop),
) -> Run {
    let tables = Tables::shipped();
    let mut memory = Memory::new(settings);
    memory.begin_search();
    let mut memories: Vec<Memory> = (0..others).map(|_| memory.of_worker(settings)).collect();
    memories.iter_mut().for_each(Memory::begin_search_of_worker);
    // As many processors as workers: a leader that does not search itself shares one.
    let (link, links, counts) = virtual_time::links(others, others == settings.workers, world);
    let run = thread::scope(|scope| {
        let workers: Vec<_> = links
            .into_iter()
            .zip(&mut memories)
            .map(|(link, memory)| scope.spawn(move || work(Box::new(link), tables, settings, memory, None)))
            .collect();
        let mut run = lead_to(settings, board, depth, &mut memory, lead(Box::new(link)));
        run.nodes += workers.into_iter().map(|worker| worker.join().unwrap_or_default()).sum::<u64>();
        run
    });
    Run { messages: counts.messages(), ..run }
}

/// The part of the leader. It leaves at the end, so that the others have their turn again.
fn lead_to(
    settings: &Settings,
    board: &Board,
    depth: u32,
    memory: &mut Memory,
    (mut leader, flag): (Leader, Stop),
) -> Run {
    let interruption = Interruption::new(&flag, None, None).armed();
    let mut search = Search::new(Tables::shipped(), settings, memory, interruption);
    let is_shared = depth >= Leader::first_depth(settings);
    let best = deepen(&mut search, board, depth, |search, moves, iteration| {
        if is_shared && leader.skips(iteration) {
            return None;
        }
        let result = leader.root(search, board, moves, iteration);
        leader.account(search);
        Some(result)
    });
    let (time, passes) = (leader.now(), leader.passes());
    leader.end();
    Run { best, time, nodes: search.interruption.nodes(), messages: 0, passes }
}
