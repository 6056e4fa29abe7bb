//! A worker of APHID: searches the nodes of its list and reports every result, until the end.

use std::sync::{Arc, Mutex};

use control::lock;
use engine::Stop;
use othello::Board;

use super::message::{Finding, Message};
use super::work_list::{NodeSearch, WorkList};
use crate::player::evaluation::IndexedBoard;
use crate::player::parallel::link::{Event, FIRST, Link};
use crate::player::search::{Memory, Node, Search};
use crate::player::settings::{ProbCut, Settings};
use crate::player::tables::Tables;
use engine::interruption::{INTERVAL, Interruption};

/// Waiting time of a worker without work before it looks again, in nodes.
const PATIENCE: u64 = 100_000;

/// State that the search and the messages that interrupt it share.
struct Desk {
    link: Box<dyn Link<Message>>,
    list: WorkList,
    task: Option<NodeSearch>,
    /// The move is decided, or the manager lost.
    has_ended: bool,
}

impl Desk {
    fn hear(&mut self, event: Event<Message>) {
        match event {
            Event::Message { message: Message::Work { changes }, .. } => self.list.change(&changes),
            Event::Message { message: Message::End, .. } | Event::Lost(FIRST) => self.has_ended = true,
            // Results are for the manager, and other workers do not matter.
            Event::Message { message: Message::Begun(_) | Message::Found { .. }, .. } | Event::Lost(_) => {}
        }
    }

    /// Whether the search has to be left, asked every [`INTERVAL`] nodes.
    fn interrupts(&mut self) -> bool {
        self.link.worked(INTERVAL);
        self.look()
    }

    fn look(&mut self) -> bool {
        while let Some(event) = self.link.receive() {
            self.hear(event);
            if self.has_ended {
                break;
            }
        }
        self.has_ended || self.task.is_some_and(|task| self.list.is_obsolete(&task))
    }
}

/// Works until the end, at most for this many nodes; returns how many were searched.
pub(crate) fn work(
    link: Box<dyn Link<Message>>,
    tables: &Tables,
    settings: &Settings,
    memory: &mut Memory,
    node_limit: Option<u64>,
) -> u64 {
    let desk = Arc::new(Mutex::new(Desk { link, list: WorkList::default(), task: None, has_ended: false }));
    let of_search = Arc::clone(&desk);
    let stop = Stop::with_poll(move || lock(&of_search).interrupts());
    let limit = node_limit.unwrap_or(u64::MAX);
    let mut nodes = 0;
    let mut deepest = 0;
    while nodes < limit {
        let task = {
            let mut desk = lock(&desk);
            desk.task = None;
            if desk.look() {
                break;
            }
            desk.task = desk.list.next();
            if desk.task.is_none()
                && let Some(event) = desk.link.wait(PATIENCE)
            {
                desk.hear(event);
            }
            desk.task
        };
        let Some(task) = task else { continue };
        if task.depth > deepest {
            // As between the iterations of a single search.
            memory.order.sort();
            deepest = task.depth;
        }
        lock(&desk).link.send(FIRST, Message::Begun(task.node));
        stop.clear();
        let interruption = Interruption::new(&stop, Some(limit - nodes), None).armed();
        let mut search = Search::new(tables, settings, memory, interruption);
        let board = Board::new(task.place.player, task.place.opponent);
        let node = Node {
            ply: usize::from(task.place.ply),
            side: usize::from(task.place.side),
            parity: search.parity(&board),
            may_cut: task.place.may_cut && settings.probcut != ProbCut::Off,
        };
        let value = search.negascout(&IndexedBoard::of(board), node, task.depth, task.alpha, task.beta);
        let searched = search.interruption.nodes();
        nodes += searched;
        let mut desk = lock(&desk);
        desk.link.worked(searched % INTERVAL);
        if let Some(value) = value {
            let NodeSearch { node, depth, alpha, beta, .. } = task;
            let finding = Finding { node, depth, alpha, beta, value };
            desk.list.record(&finding);
            desk.link.send(FIRST, Message::Found { finding, nodes });
        }
    }
    nodes
}
