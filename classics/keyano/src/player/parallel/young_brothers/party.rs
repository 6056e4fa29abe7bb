//! A party of Young Brothers Wait: all parties are equal, but the first has the root.
//!
//! A party that has nothing to do asks another at random. It gets a move of the position closest to the root whose
//! first move has been searched. The owner of a position searches its moves too; while it waits for those that
//! others have, it helps them (it asks only them, so that what it gets is part of what it waits for).

use std::sync::{Arc, Mutex};

use control::lock;
use engine::Stop;
use othello::{Board, Rules, Square};
use search::samples::Samples;

use super::message::{Message, MoveSearch, MoveSearchName};
use super::split::{Assignment, Brother, Split};
use crate::player::evaluation::IndexedBoard;
use crate::player::parallel::link::{Event, FIRST, Link, PartyNumber};
use crate::player::parity::Parity;
use crate::player::search::{Beginning, INFINITE, Memory, Node, RootResult, Search};
use crate::player::settings::Settings;
use crate::player::tables::Tables;
use engine::interruption::{INTERVAL, Interruption};

/// Moves are given away at positions that are searched at least this deep. A search of three plies takes about as long as a few
/// messages.
const SHALLOWEST_SPLIT: u32 = 4;

/// Waiting time of a party that got nothing before it asks again, in nodes.
const PAUSE: u64 = 50;

/// Interval at which a party looks whether its own limits are reached, in nodes.
const PATIENCE: u64 = 1000;

/// A position or a move on the path to what a party is searching.
#[derive(Debug)]
enum Level {
    /// A position of this party.
    Own(Box<Split>),
    /// A move that another party gave.
    Given { owner: PartyNumber, name: MoveSearchName, is_cancelled: bool },
}

/// A request of a party.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WorkRequest {
    None,
    Open(PartyNumber),
    Answered(Option<MoveSearch>),
}

/// State that the search and the messages that interrupt it share.
pub(crate) struct Desk {
    link: Box<dyn Link<Message>>,
    /// The stop flag of the player.
    stop: Stop,
    levels: Vec<Level>,
    lost: Vec<bool>,
    /// The nodes that each party has reported to this one.
    nodes: Vec<u64>,
    question: WorkRequest,
    giver: PartyNumber,
    splits: u32,
    iteration: u32,
    /// The nodes that the link knows of.
    accounted: u64,
    has_ended: bool,
}

impl Desk {
    fn hear(&mut self, event: Event<Message>) {
        match event {
            Event::Lost(party) => self.lose(party),
            Event::Message { from, message } => match message {
                Message::Ask => self.serve(from),
                Message::Nothing if self.question == WorkRequest::Open(from) => {
                    self.question = WorkRequest::Answered(None)
                }
                Message::Nothing => {}
                Message::Give(job) => match self.question {
                    WorkRequest::Open(_) => {
                        self.question = WorkRequest::Answered(Some(job));
                        self.giver = from;
                    }
                    // It came too late.
                    _ => self.link.send(from, Message::Return(job.name)),
                },
                Message::Answer { name, value, nodes } => {
                    self.nodes[from] = nodes;
                    self.take_back(from, name, Some(value));
                }
                Message::Return(name) => self.take_back(from, name, None),
                Message::Cancel(cancelled) => {
                    for level in &mut self.levels {
                        if let Level::Given { owner, name, is_cancelled } = level {
                            *is_cancelled |= *owner == from && *name == cancelled;
                        }
                    }
                }
                Message::End => self.has_ended = true,
            },
        }
    }

    /// Gives the one who asks a move, as close to the root as possible.
    fn serve(&mut self, to: PartyNumber) {
        let iteration = self.iteration;
        let job = self.levels.iter_mut().find_map(|level| match level {
            Level::Own(split) => split.give(to, iteration),
            Level::Given { .. } => None,
        });
        self.link.send(to, job.map_or(Message::Nothing, Message::Give));
    }

    /// Another party is done with a move, or gives it back.
    fn take_back(&mut self, from: PartyNumber, name: MoveSearchName, value: Option<i32>) {
        for level in &mut self.levels {
            let Level::Own(split) = level else { continue };
            if split.number == name.split
                && let Some(assignment) = split.take_back(from, name.square)
            {
                match value {
                    Some(value) => split.record(assignment, value),
                    None => split.free.push(assignment.brother),
                }
            }
        }
    }

    /// Frees the moves of a lost party, and cancels those that it gave.
    fn lose(&mut self, party: PartyNumber) {
        self.lost[party] = true;
        self.has_ended |= party == FIRST;
        if self.question == WorkRequest::Open(party) {
            self.question = WorkRequest::Answered(None);
        }
        for level in &mut self.levels {
            match level {
                Level::Own(split) => {
                    let (gone, given) = split.given.iter().partition(|(holder, _)| *holder == party);
                    split.given = given;
                    let gone: Vec<(PartyNumber, Assignment)> = gone;
                    split.free.extend(gone.iter().map(|(_, assignment)| assignment.brother));
                }
                Level::Given { owner, is_cancelled, .. } => *is_cancelled |= *owner == party,
            }
        }
    }

    /// Whether the search of a level is no longer needed.
    fn is_left(level: &Level) -> bool {
        match level {
            Level::Own(split) => split.is_cut(),
            Level::Given { is_cancelled, .. } => *is_cancelled,
        }
    }

    /// Whether the search has to be left, asked every [`INTERVAL`] nodes.
    fn interrupts(&mut self) -> bool {
        // What was searched before a message was sent has been accounted for already.
        let nodes = INTERVAL - self.accounted % INTERVAL;
        self.link.worked(nodes);
        self.accounted += nodes;
        self.look();
        self.has_ended || self.levels.iter().any(Self::is_left) || self.stop.poll()
    }

    fn look(&mut self) {
        while !self.has_ended
            && let Some(event) = self.link.receive()
        {
            self.hear(event);
        }
    }

    /// Waits for a message and handles it.
    fn wait(&mut self, patience: u64) {
        if let Some(event) = self.link.wait(patience) {
            self.hear(event);
        }
        self.look();
    }

    /// Ends the search of a level: parties that have moves of it can stop.
    fn leave(&mut self) -> Option<Box<Split>> {
        let Some(Level::Own(split)) = self.levels.pop() else { return None };
        for (party, assignment) in &split.given {
            self.link.send(*party, Message::Cancel(split.name(assignment.brother.square)));
        }
        Some(split)
    }

    fn own(&mut self, level: usize) -> Option<&mut Split> {
        match self.levels.get_mut(level) {
            Some(Level::Own(split)) => Some(split),
            _ => None,
        }
    }
}

/// A party.
#[derive(Clone)]
pub(crate) struct Party(Arc<Mutex<Desk>>);

/// Why a move was not searched to its end.
enum Left {
    /// Its value is no longer needed.
    Cancelled,
    /// The party has to end.
    Ended,
}

impl Party {
    /// A party that a player stops by this flag.
    pub(crate) fn new(link: Box<dyn Link<Message>>, stop: Stop) -> Self {
        let parties = link.parties();
        Self(Arc::new(Mutex::new(Desk {
            link,
            stop,
            levels: Vec::new(),
            lost: vec![false; parties],
            nodes: vec![0; parties],
            question: WorkRequest::None,
            giver: FIRST,
            splits: 0,
            iteration: 0,
            accounted: 0,
            has_ended: false,
        })))
    }

    /// The flag for the search of this party, which lets messages interrupt it.
    pub(crate) fn flag(&self) -> Stop {
        let desk = Arc::clone(&self.0);
        Stop::with_poll(move || lock(&desk).interrupts())
    }

    /// The time since the beginning, in nodes.
    pub(crate) fn now(&self) -> u64 {
        lock(&self.0).link.now()
    }

    /// The nodes that others have reported.
    pub(crate) fn nodes_of_others(&self) -> u64 {
        lock(&self.0).nodes.iter().sum()
    }

    /// Tells the link what this party has searched.
    pub(crate) fn account(&self, search: &Search<'_>) {
        let mut desk = lock(&self.0);
        let nodes = search.interruption.nodes();
        let accounted = desk.accounted;
        desk.link.worked(nodes.saturating_sub(accounted));
        desk.accounted = nodes;
    }

    /// The move is decided.
    pub(crate) fn end(&self) {
        let mut desk = lock(&self.0);
        let me = desk.link.me();
        for party in (0..desk.lost.len()).filter(|&party| party != me) {
            desk.link.send(party, Message::End);
        }
    }

    /// The best move of the root by a search of this depth.
    pub(crate) fn root(&self, search: &mut Search<'_>, board: &Board, moves: &[Square], depth: u32) -> RootResult {
        lock(&self.0).iteration = depth;
        let position = IndexedBoard::of(*board);
        let node = search.root_node(board);
        let nothing = RootResult { best: None, is_complete: false };
        let Some((&eldest, others)) = moves.split_first() else { return nothing };
        let after = position.after(eldest, board.flips(eldest));
        let Some(value) = self.search(search, &after, node.next(), depth - 1, -INFINITE, INFINITE) else {
            return nothing;
        };
        let best = (-value, Some((eldest, 1)));
        let split = self.split(search, &position, node, depth, (-INFINITE, INFINITE), best, others.iter().copied());
        let (best, is_complete) = self.search_brothers(search, split);
        RootResult { best: best.1.map(|(square, _)| (square, best.0)), is_complete }
    }

    /// As [`Search::negascout`], with the help of others.
    fn search(
        &self,
        search: &mut Search<'_>,
        position: &IndexedBoard,
        mut node: Node,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if depth < SHALLOWEST_SPLIT {
            return search.negascout(position, node, depth, alpha, beta);
        }
        let moves = match search.begin(position, &mut node, depth, alpha, beta)? {
            Beginning::Value(value) => return Some(value),
            Beginning::Pass => {
                let value = self.search(search, &position.passed(), node.next(), depth, -beta, -alpha)?;
                return Some(-value);
            }
            Beginning::Moves(moves) => moves,
        };
        let board = position.board;
        let mut moves = moves.iter();
        let eldest = moves.next()?;
        let after = position.after(eldest, board.flips(eldest));
        let value = -self.search(search, &after, node.next(), depth - 1, -beta, -alpha)?;
        let mut best = (value, Some((eldest, 1)));
        if value < beta {
            let split = self.split(search, position, node, depth, (alpha, beta), best, moves);
            let (found, is_complete) = self.search_brothers(search, split);
            if !is_complete {
                return None;
            }
            best = found;
        }
        search.conclude(&board, node, depth, (alpha, beta), best);
        Some(best.0)
    }

    #[expect(clippy::too_many_arguments, reason = "they are what a position of the search is")]
    fn split(
        &self,
        search: &Search<'_>,
        position: &IndexedBoard,
        node: Node,
        depth: u32,
        (alpha, beta): (i32, i32),
        best: (i32, Option<(Square, u64)>),
        brothers: impl Iterator<Item = Square>,
    ) -> Box<Split> {
        let is_scout = search.settings.negascout;
        let mut free: Vec<_> =
            (2..).zip(brothers).map(|(number, square)| Brother { square, number, is_scout }).collect();
        free.reverse();
        let mut desk = lock(&self.0);
        desk.splits += 1;
        let (number, position, given) = (desk.splits, *position, Vec::new());
        Box::new(Split { number, position, node, depth, alpha, beta, best, free, given })
    }

    /// Searches the moves after the first with the others; the best and whether all were searched.
    fn search_brothers(&self, search: &mut Search<'_>, split: Box<Split>) -> ((i32, Option<(Square, u64)>), bool) {
        let (position, node, depth) = (split.position, split.node, split.depth);
        let best = split.best;
        let level = {
            let mut desk = lock(&self.0);
            desk.levels.push(Level::Own(split));
            desk.levels.len() - 1
        };
        let is_complete = loop {
            let (taken, is_done) = {
                let mut desk = lock(&self.0);
                let Some(split) = desk.own(level) else { break false };
                let taken = split.take();
                let is_cut = split.is_cut();
                let is_done = is_cut || taken.is_none() && split.given.is_empty();
                if is_cut && !desk.has_ended && !desk.levels[..level].iter().any(Desk::is_left) {
                    // The cutoff may have interrupted what this party searched for others while it waited.
                    search.interruption.resume();
                }
                (taken, is_done)
            };
            let Some(assignment) = taken else {
                if is_done {
                    break true;
                }
                if !self.help(search, level) {
                    break false;
                }
                continue;
            };
            let square = assignment.brother.square;
            let after = position.after(square, position.board.flips(square));
            let value = self.search(search, &after, node.next(), depth - 1, -assignment.high, -assignment.low);
            let mut desk = lock(&self.0);
            let is_lost = desk.has_ended || desk.levels[..level].iter().any(Desk::is_left);
            let Some(split) = desk.own(level) else { break false };
            match value {
                Some(value) => split.record(assignment, -value),
                // Another party found a cutoff here meanwhile, and nothing above is concerned.
                None if split.is_cut() && !is_lost => search.interruption.resume(),
                None => break false,
            }
        };
        self.account(search);
        let split = lock(&self.0).leave();
        (split.map_or(best, |split| split.best), is_complete)
    }

    /// Waits for the moves that others have, and helps them; false if the search has to be left.
    fn help(&self, search: &mut Search<'_>, level: usize) -> bool {
        self.account(search);
        let mut desk = lock(&self.0);
        let helped = desk.own(level).and_then(|split| split.given.first()).map(|(party, _)| *party);
        if let Some(party) = helped.filter(|&party| !desk.lost[party]) {
            desk.link.send(party, Message::Ask);
            desk.question = WorkRequest::Open(party);
        }
        loop {
            desk.wait(PATIENCE);
            if let WorkRequest::Answered(Some(job)) = desk.question {
                let giver = desk.giver;
                desk.question = WorkRequest::None;
                drop(desk);
                return !matches!(self.run(search, giver, &job), Err(Left::Ended));
            }
            let is_left = desk.has_ended || desk.levels[..level].iter().any(Desk::is_left);
            if is_left || desk.stop.poll() || search.interruption.is_late() {
                desk.question = WorkRequest::None;
                return false;
            }
            let is_ready =
                desk.own(level).is_none_or(|split| split.is_cut() || !split.free.is_empty() || split.given.is_empty());
            if is_ready {
                desk.question = WorkRequest::None;
                return true;
            }
            if desk.question == WorkRequest::Answered(None) {
                desk.question = WorkRequest::None;
                desk.wait(PAUSE);
                return true;
            }
        }
    }

    /// Searches a move that another party gave, and answers.
    fn run(&self, search: &mut Search<'_>, owner: PartyNumber, job: &MoveSearch) -> Result<(), Left> {
        let level = {
            let mut desk = lock(&self.0);
            if desk.iteration != job.iteration {
                desk.iteration = job.iteration;
                search.memory.order.sort();
            }
            desk.levels.push(Level::Given { owner, name: job.name, is_cancelled: false });
            desk.levels.len() - 1
        };
        let node = Node {
            ply: usize::from(job.ply),
            side: usize::from(job.side),
            parity: Parity { own: job.parity.0, other: job.parity.1 },
            may_cut: job.may_cut,
        };
        let position = IndexedBoard::of(Board::new(job.player, job.opponent));
        let value = self.search(search, &position, node, job.depth, job.alpha, job.beta);
        self.account(search);
        let mut desk = lock(&self.0);
        let is_cancelled = desk.levels.get(level).is_some_and(Desk::is_left);
        desk.levels.truncate(level);
        let is_above_left = desk.has_ended || desk.levels.iter().any(Desk::is_left);
        match value {
            Some(value) => {
                let nodes = search.interruption.nodes();
                desk.link.send(owner, Message::Answer { name: job.name, value: -value, nodes });
            }
            None if is_cancelled && !is_above_left => {
                search.interruption.resume();
                return Err(Left::Cancelled);
            }
            None => {
                desk.link.send(owner, Message::Return(job.name));
                // A move that only a position above made unnecessary is not the end of this party.
                return Err(if is_above_left && !desk.has_ended { Left::Cancelled } else { Left::Ended });
            }
        }
        Ok(())
    }

    /// Works for others until the end.
    fn work(&self, search: &mut Search<'_>) {
        let (me, parties) = {
            let desk = lock(&self.0);
            (desk.link.me(), desk.link.parties())
        };
        // Any numbers will do, but the same again in the next simulation.
        let mut random = Samples::<Board>::new(me as u64);
        loop {
            let mut desk = lock(&self.0);
            desk.look();
            if desk.has_ended {
                return;
            }
            let asked = (me + 1 + random.below(parties as u32 - 1) as usize) % parties;
            if desk.lost[asked] {
                continue;
            }
            desk.link.send(asked, Message::Ask);
            desk.question = WorkRequest::Open(asked);
            while matches!(desk.question, WorkRequest::Open(_)) && !desk.has_ended {
                desk.wait(PATIENCE);
            }
            let question = std::mem::replace(&mut desk.question, WorkRequest::None);
            match question {
                WorkRequest::Answered(Some(job)) => {
                    let giver = desk.giver;
                    drop(desk);
                    if matches!(self.run(search, giver, &job), Err(Left::Ended)) {
                        return;
                    }
                }
                _ => desk.wait(PAUSE),
            }
        }
    }
}

/// Works for others until the end, at most for this many nodes; returns how many were searched.
pub(crate) fn work(
    link: Box<dyn Link<Message>>,
    tables: &Tables,
    settings: &Settings,
    memory: &mut Memory,
    node_limit: Option<u64>,
) -> u64 {
    let party = Party::new(link, Stop::new());
    let flag = party.flag();
    let interruption = Interruption::new(&flag, node_limit, None).armed();
    let mut search = Search::new(tables, settings, memory, interruption);
    party.work(&mut search);
    search.interruption.nodes()
}
