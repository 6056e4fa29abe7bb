//! The manager of APHID: searches the tree above the frontier again and again with the latest results of the workers.
//!
//! A pass is NegaScout from the root to the frontier. There a node has the value that a search of the right depth has
//! shown for the window, or a guess, which makes all values that depend on it uncertain: a cutoff is certain if the move that
//! causes it is, any other value if those of all its moves are. When no uncertain value contributes to the root, its value is
//! the one of a search by one party alone, and its move is final.
//!
//! Without certain values, a pass expects what move ordering promises: the first move is the best one. It therefore visits
//! the nodes that a search by one party would come to next, in the same order and with the same windows, as long as the
//! value of the principal variation is guessed well. After each pass the workers get the nodes to search, the first visit
//! first. A single worker does what a search by one party does; further ones work ahead on the same path.
//!
//! Two kinds of searches are less urgent. Where the first move of a position did not refute as expected, all others
//! will probably be needed, so that they are searched together instead of one after the other. And while fewer searches are
//! needed than there are workers, further passes find out what the next iterations will need.

use std::collections::HashMap;

use othello::{Board, Rules, Square};

use super::frontier::{Frontier, FrontierNode, NodeValue, Told};
use super::message::{self, AHEAD, Change, Message, Need, NodeNumber, Status};
use crate::player::evaluation::{DISC, IndexedBoard};
use crate::player::parallel::link::{Event, Link, PartyNumber};
use crate::player::parity::Parity;
use crate::player::search::{Goal, INFINITE, Node, RootResult, Search};

/// A search that is under way is not replaced by another if it shows what is needed and at most this much more, in
/// hundredths of a disc: the windows move a little from pass to pass.
const SLACK: i32 = 60;

/// Reach of the windows of the principal variation from the guess, in hundredths of a disc. ProbCut hardly cuts in
/// an open window: sixteen workers searched six positions to 16 plies 5.5 times as fast as one party with open windows and
/// 6.5 times with this.
const ASPIRATION: i32 = 400;

/// The first rank of searches of further moves where the first ones did not refute.
const HEDGED: u32 = AHEAD / 2;

/// Number of later iterations that are prepared, as long as there are fewer than [`ENOUGH`] searches for each worker.
const ITERATIONS_AHEAD: u32 = 2;

/// The searches for each worker that are enough.
const ENOUGH: usize = 2;

/// The manager rests this many times as long as a pass takes, unless all results that it waits for are there: it has
/// no processor of its own.
const REST: u64 = 4;

/// Interval at which it looks whether its own limits are reached, in nodes.
const PATIENCE: u64 = 1000;

/// The manager.
pub(crate) struct Manager {
    link: Box<dyn Link<Message>>,
    /// Depth of the frontier below the root, in moves.
    distance: u32,
    frontier: Frontier,
    /// The moves of every position above the frontier, in the order of this iteration.
    order: HashMap<Board, Vec<Square>>,
    /// For every party the number of its nodes; none for one that is lost, and for the manager.
    loads: Vec<Option<usize>>,
    /// The searches that the last passes asked for.
    needs: HashMap<NodeNumber, Need>,
    /// Orders that are still to be sent to the workers.
    changes: Vec<Vec<Change>>,
    /// Node that each party searches, by its last message.
    current: Vec<Option<NodeNumber>>,
    /// The nodes that each party has reported.
    nodes: Vec<u64>,
    passes: u64,
    /// The nodes that the link knows of.
    accounted: u64,
}

/// A visit to a frontier node that is not sufficiently known.
struct Visit {
    node: NodeNumber,
    depth: u32,
    alpha: i32,
    beta: i32,
    /// Value with which the pass continues.
    guess: i32,
}

/// A value, and whether it is certain.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    is_certain: bool,
    best: Option<Square>,
}

/// The type of a position in the minimal tree (Knuth and Moore 1975): what its value is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NodeKind {
    /// Inside of the window.
    Pv,
    /// At least beta.
    Cut,
    /// At most alpha.
    All,
}

impl NodeKind {
    /// The kind of the position after a move.
    fn child(self, is_first: bool) -> Self {
        match self {
            Self::Pv if is_first => Self::Pv,
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }

    /// The kind of the position after a pass.
    fn passed(self) -> Self {
        self.child(true)
    }

    /// A guess that agrees with what is expected.
    fn expected(self, guess: i32, alpha: i32, beta: i32) -> i32 {
        match self {
            Self::Pv => guess.clamp(alpha + 1, beta - 1),
            Self::Cut => guess.max(beta),
            Self::All => guess.min(alpha),
        }
    }
}

/// The visits of a pass, in their order.
#[derive(Default)]
struct Visits {
    needed: Vec<Visit>,
    /// Visits of further moves where the first ones did not refute.
    hedged: Vec<Visit>,
    /// Whether a further move is being tried.
    is_hedge: bool,
}

impl Visits {
    fn push(&mut self, visit: Visit) {
        if self.is_hedge { &mut self.hedged } else { &mut self.needed }.push(visit);
    }
}

/// One search of the tree above the frontier.
struct Pass<'m, 's> {
    manager: &'m mut Manager,
    search: &'m mut Search<'s>,
    /// The depth of searches at the frontier.
    depth: u32,
    /// Whether it is for a later iteration.
    is_ahead: bool,
    visits: Visits,
}

/// A position above the frontier.
#[derive(Clone, Copy)]
struct Place {
    board: Board,
    ply: usize,
    side: usize,
}

impl Place {
    fn next(&self, board: Board) -> Self {
        Self { board, ply: self.ply + 1, side: self.side ^ 1 }
    }
}

impl Pass<'_, '_> {
    /// The value of a position, searched to this depth in all; `None` if the search is interrupted.
    fn value(&mut self, place: Place, kind: NodeKind, depth: u32, alpha: i32, beta: i32) -> Option<Found> {
        if self.search.interruption.count() {
            return None;
        }
        let board = place.board;
        if board.moves() == 0 {
            let passed = board.pass();
            if !passed.can_move() {
                return Some(Found { value: board.final_score().discs() * DISC, is_certain: true, best: None });
            }
            let found = self.value(place.next(passed), kind.passed(), depth, -beta, -alpha)?;
            return Some(Found { value: -found.value, ..found });
        }
        match depth == self.depth {
            true => self.leaf(place, Some(kind), depth, alpha, beta),
            false => self.above(place, kind, depth, alpha, beta),
        }
    }

    /// The value that a worker has found, or a guess. A node without a kind is not at the frontier: its search is to replace a
    /// deeper one, as ProbCut does.
    fn leaf(&mut self, place: Place, kind: Option<NodeKind>, depth: u32, alpha: i32, beta: i32) -> Option<Found> {
        let number = self.number(place, depth, kind.is_some())?;
        Some(match self.manager.frontier.answer(number, depth, alpha, beta) {
            NodeValue::Certain(value) => Found { value, is_certain: true, best: None },
            NodeValue::Guess(value) => {
                let value = kind.map_or(value, |kind| kind.expected(value, alpha, beta));
                self.visits.push(Visit { node: number, depth, alpha, beta, guess: value });
                Found { value, is_certain: false, best: None }
            }
        })
    }

    /// The number of a node. A new one is given to a worker, and its first guess is that of a search of no ply
    /// or one: an odd number if the depth is odd.
    fn number(&mut self, place: Place, depth: u32, may_cut: bool) -> Option<NodeNumber> {
        let Place { board, ply, side } = place;
        if let Some(number) = self.manager.frontier.number(&board, may_cut) {
            return Some(number);
        }
        let depth = depth % 2;
        let node = Node { ply, side, parity: self.search.parity(&board), may_cut: false };
        let value = self.search.negascout(&IndexedBoard::of(board), node, depth, -INFINITE, INFINITE)?;
        Some(self.manager.add(place, may_cut, (depth, value)))
    }

    /// Tries to replace the search of a position by a shallower one: its value, and whether this is certain; a value only if
    /// the shallow search decides.
    fn probcut(&mut self, place: Place, depth: u32, alpha: i32, beta: i32) -> Option<(Option<i32>, bool)> {
        let Some((shallow, low, high)) = self.search.probcut_window(depth, alpha, beta) else {
            return Some((None, true));
        };
        let found = self.leaf(place, None, shallow, low.max(-INFINITE), high.min(INFINITE))?;
        let bound = match () {
            () if found.value >= high => Some(beta),
            () if found.value <= low => Some(alpha),
            () => None,
        };
        Some((bound, found.is_certain))
    }

    /// The value of a position above the frontier, as [`Search::negascout`] finds it.
    fn above(&mut self, place: Place, kind: NodeKind, depth: u32, alpha: i32, beta: i32) -> Option<Found> {
        let known = self.search.memory.table.find(&place.board);
        if let Some(value) = known.and_then(|entry| entry.answer(depth, alpha, beta)) {
            return Some(Found { value, is_certain: true, best: None });
        }
        let (bound, is_certain) = self.probcut(place, depth, alpha, beta)?;
        if let Some(value) = bound {
            return Some(Found { value, is_certain, best: None });
        }
        let (mut found, number) = self.moves(place, kind, depth, alpha, beta)?;
        found.is_certain &= is_certain;
        if found.is_certain {
            let node = Node { ply: place.ply, side: place.side, parity: Parity::default(), may_cut: false };
            let best = found.best.map(|square| (square, number));
            self.search.conclude(&place.board, node, depth, (alpha, beta), (found.value, best));
        }
        Some(found)
    }

    /// The value of the best move, and its number from 1.
    fn moves(&mut self, place: Place, kind: NodeKind, depth: u32, alpha: i32, beta: i32) -> Option<(Found, u64)> {
        let board = place.board;
        let moves = self.manager.moves(self.search, place);
        if !self.is_ahead {
            self.manager.order.insert(board, moves.clone());
        }
        let mut best = (Found { value: -INFINITE, is_certain: true, best: None }, 0);
        let first_visit = self.visits.needed.len();
        for (number, &square) in (1..).zip(&moves) {
            let after = place.next(board.after(square, board.flips(square)));
            let lower = alpha.max(best.0.value);
            let visits_before = self.visits.needed.len();
            let mut found = None;
            if number > 1 {
                found = Some(self.value(after, kind.child(false), depth - 1, -lower - 1, -lower)?);
            }
            if found.is_none_or(|found| -found.value > lower && -found.value < beta) {
                // A move that is better than the first of the principal variation continues that.
                let kind = if kind == NodeKind::Pv { NodeKind::Pv } else { kind.child(number == 1) };
                found = Some(self.value(after, kind, depth - 1, -beta, -lower)?);
            }
            let found = found?;
            let is_certain = best.0.is_certain && found.is_certain;
            if -found.value > best.0.value {
                best = (Found { value: -found.value, is_certain, best: Some(square) }, number);
            }
            best.0.is_certain = is_certain;
            if best.0.value >= beta {
                // One refutation is sufficient, and what was tried before it need not be searched.
                best.0.is_certain = found.is_certain;
                self.visits.needed.drain(first_visit.min(visits_before)..visits_before);
                if !found.is_certain && number > 1 && kind == NodeKind::Cut {
                    self.hedge(place, &moves[number as usize..], depth, alpha, beta)?;
                }
                break;
            }
        }
        Some(best)
    }

    /// Visits further moves of a position whose first one has not refuted: probably none does.
    fn hedge(&mut self, place: Place, moves: &[Square], depth: u32, alpha: i32, beta: i32) -> Option<()> {
        if self.visits.is_hedge || self.is_ahead {
            return Some(());
        }
        self.visits.is_hedge = true;
        for &square in moves {
            let after = place.next(place.board.after(square, place.board.flips(square)));
            self.value(after, NodeKind::All, depth - 1, -beta, -alpha)?;
        }
        self.visits.is_hedge = false;
        Some(())
    }
}

impl Manager {
    /// A manager with a frontier this number of moves below the root. All other parties are its workers.
    pub(crate) fn new(link: Box<dyn Link<Message>>, distance: u32) -> Self {
        let (parties, me) = (link.parties(), link.me());
        Self {
            link,
            distance,
            frontier: Frontier::default(),
            order: HashMap::new(),
            loads: (0..parties).map(|party| (party != me).then_some(0)).collect(),
            needs: HashMap::new(),
            changes: vec![Vec::new(); parties],
            current: vec![None; parties],
            nodes: vec![0; parties],
            passes: 0,
            accounted: 0,
        }
    }

    /// The time since the beginning, in nodes.
    pub(crate) fn now(&self) -> u64 {
        self.link.now()
    }

    /// The nodes that the workers have reported.
    pub(crate) fn nodes_of_others(&self) -> u64 {
        self.nodes.iter().sum()
    }

    /// Number of searches of the tree above the frontier.
    pub(crate) fn passes(&self) -> u64 {
        self.passes
    }

    /// Tells the link what this party has searched.
    pub(crate) fn account(&mut self, search: &Search<'_>) {
        let nodes = search.interruption.nodes();
        self.link.worked(nodes - self.accounted);
        self.accounted = nodes;
    }

    /// The best move of the root by a search of this depth, as soon as it is final.
    pub(crate) fn root(&mut self, search: &mut Search<'_>, board: &Board, moves: &[Square], depth: u32) -> RootResult {
        self.order.clear();
        self.order.insert(*board, moves.to_vec());
        let nothing = RootResult { best: None, is_complete: false };
        loop {
            if self.workers().next().is_none() {
                // All workers are lost: alone it takes longer.
                return search.root(board, moves, Goal::Plies(depth), -INFINITE, INFINITE);
            }
            let before = search.interruption.nodes();
            let Some((found, visits)) = self.pass(search, board, depth, false) else { return nothing };
            if found.is_certain {
                self.account(search);
                return RootResult { best: found.best.map(|square| (square, found.value)), is_complete: true };
            }
            self.needs.clear();
            self.need(&visits.needed, 0);
            self.need(&visits.hedged, HEDGED);
            let enough = ENOUGH * self.workers().count();
            for more in 1..=ITERATIONS_AHEAD {
                if self.needs.len() >= enough {
                    break;
                }
                let Some((_, visits)) = self.pass(search, board, depth + more, true) else { return nothing };
                self.need(&visits.needed, AHEAD * more);
            }
            self.account(search);
            self.assign();
            self.balance();
            self.tell();
            let rest = REST * (search.interruption.nodes() - before);
            if !self.await_results(search, rest) {
                return nothing;
            }
        }
    }

    /// Searches the tree above the frontier once, for this iteration or for a later one.
    fn pass(&mut self, search: &mut Search<'_>, board: &Board, depth: u32, is_ahead: bool) -> Option<(Found, Visits)> {
        self.passes += 1;
        let at_frontier = depth - self.distance;
        let mut pass = Pass { manager: self, search, depth: at_frontier, is_ahead, visits: Visits::default() };
        let root = Place { board: *board, ply: 0, side: 0 };
        let (found, _) = pass.moves(root, NodeKind::Pv, depth, -INFINITE, INFINITE)?;
        Some((found, pass.visits))
    }

    /// Waits for results that are worth another pass; false if the search has to end.
    fn await_results(&mut self, search: &mut Search<'_>, rest: u64) -> bool {
        let until = self.link.now() + rest;
        let mut has_news = false;
        loop {
            let mut event = self.link.wait(PATIENCE);
            while let Some(heard) = event {
                has_news |= self.hear(heard);
                event = self.link.receive();
            }
            if search.interruption.is_due() {
                return false;
            }
            let is_pending = |node: &FrontierNode| matches!(node.told, Told::Needed(need) if need.rank < HEDGED);
            if has_news && (self.link.now() >= until || !self.frontier.iter().any(|(_, node)| is_pending(node))) {
                return true;
            }
        }
    }

    /// Takes over what has arrived; whether it is worth another pass.
    fn hear(&mut self, event: Event<Message>) -> bool {
        match event {
            Event::Message { from, message: Message::Found { finding, nodes } } => {
                self.nodes[from] = nodes;
                self.current[from] = None;
                self.frontier.record(&finding);
                true
            }
            Event::Message { from, message: Message::Begun(node) } => {
                self.current[from] = Some(node);
                false
            }
            // These are for workers.
            Event::Message { message: Message::Work { .. } | Message::End, .. } => false,
            Event::Lost(worker) => {
                self.lose(worker);
                true
            }
        }
    }

    fn workers(&self) -> impl Iterator<Item = (PartyNumber, usize)> {
        self.loads.iter().enumerate().filter_map(|(worker, load)| Some((worker, (*load)?)))
    }

    /// The worker with the fewest nodes.
    fn idlest_worker(&self) -> Option<PartyNumber> {
        self.workers().min_by_key(|&(_, load)| load).map(|(worker, _)| worker)
    }

    /// Adds a frontier node with a first guess and gives it to a worker: each has about as many.
    fn add(&mut self, place: Place, may_cut: bool, guess: (u32, i32)) -> NodeNumber {
        let worker = self.idlest_worker().unwrap_or_default();
        let Place { board, ply, side } = place;
        let of_message = message::Place {
            player: board.player,
            opponent: board.opponent,
            ply: ply as u8,
            side: side as u8,
            may_cut,
        };
        let number = self.frontier.add(&board, of_message, worker, guess);
        self.hand_to(number, worker);
        number
    }

    /// Puts a node on the list of a worker.
    fn hand_to(&mut self, number: NodeNumber, worker: PartyNumber) {
        let node = self.frontier.node_mut(number);
        node.worker = worker;
        let mut statuses = vec![Status::Added(node.place)];
        match node.told {
            Told::Needed(need) => statuses.push(Status::Needed(need)),
            Told::Resting => {}
        }
        self.changes[worker].extend(statuses.into_iter().map(|status| Change { node: number, status }));
        self.loads[worker] = self.loads[worker].map(|load| load + 1);
    }

    /// The moves above the frontier, in the order in which they are tried.
    fn moves(&self, search: &Search<'_>, place: Place) -> Vec<Square> {
        let Place { board, ply, side } = place;
        self.order.get(&board).cloned().unwrap_or_else(|| {
            let best = search.memory.table.find(&board).and_then(|entry| entry.best());
            search.memory.order.moves(board.moves(), side, ply, best).iter().collect()
        })
    }

    /// Notes what has to be searched after a pass. What was noted before comes first.
    fn need(&mut self, visits: &[Visit], first_rank: u32) {
        for (rank, visit) in (first_rank..).zip(visits) {
            let node = self.frontier.node(visit.node);
            let need = match node.told {
                // It is on its way.
                Told::Needed(known) if known.depth == visit.depth && suffices(&known, visit) => Need { rank, ..known },
                _ => needed(node, visit, rank),
            };
            self.needs.entry(visit.node).or_insert(need);
        }
    }

    /// Decides what the workers have to be told.
    fn assign(&mut self) {
        let numbers = 0..self.frontier.iter().count() as NodeNumber;
        for number in numbers {
            let node = self.frontier.node_mut(number);
            let told = self.needs.get(&number).map_or(Told::Resting, |&need| Told::Needed(need));
            if told != node.told {
                node.told = told;
                let status = match told {
                    Told::Needed(need) => Status::Needed(need),
                    Told::Resting => Status::Resting,
                };
                self.changes[node.worker].push(Change { node: number, status });
            }
        }
    }

    /// Gives to every worker without a needed node one of the worker who has most of them: the last that this one has not
    /// begun.
    fn balance(&mut self) {
        let mut pending: Vec<Vec<(u32, NodeNumber)>> = vec![Vec::new(); self.loads.len()];
        for (number, node) in self.frontier.iter() {
            if let Told::Needed(need) = node.told
                && need.rank < AHEAD
            {
                pending[node.worker].push((need.rank, number));
            }
        }
        pending.iter_mut().for_each(|nodes| nodes.sort_unstable());
        let idle: Vec<_> =
            self.workers().map(|(worker, _)| worker).filter(|&worker| pending[worker].is_empty()).collect();
        for worker in idle {
            let busiest = pending.iter_mut().enumerate().max_by_key(|(_, nodes)| nodes.len());
            let Some((from, nodes)) = busiest.filter(|(_, nodes)| nodes.len() > 1) else { return };
            let place = nodes.iter().rposition(|&(_, number)| self.current[from] != Some(number));
            if let Some((_, number)) = place.map(|place| nodes.remove(place)) {
                self.changes[from].push(Change { node: number, status: Status::Removed });
                self.loads[from] = self.loads[from].map(|load| load - 1);
                self.hand_to(number, worker);
            }
        }
    }

    /// Sends what has changed.
    fn tell(&mut self) {
        for (party, changes) in self.changes.iter_mut().enumerate() {
            if !changes.is_empty() {
                self.link.send(party, Message::Work { changes: std::mem::take(changes) });
            }
        }
    }

    /// A worker is lost: the others take over its nodes.
    fn lose(&mut self, lost: PartyNumber) {
        self.loads[lost] = None;
        self.changes[lost].clear();
        let numbers: Vec<_> =
            self.frontier.iter().filter(|(_, node)| node.worker == lost).map(|(number, _)| number).collect();
        for number in numbers {
            let Some(worker) = self.idlest_worker() else { return };
            self.hand_to(number, worker);
        }
    }

    /// The move is decided.
    pub(crate) fn end(&mut self) {
        let workers: Vec<_> = self.workers().map(|(worker, _)| worker).collect();
        workers.into_iter().for_each(|worker| self.link.send(worker, Message::End));
    }
}

/// Whether a search that was asked for is expected to show what a visit needs.
fn suffices(need: &Need, visit: &Visit) -> bool {
    match () {
        // On the principal variation, and for ProbCut.
        () if visit.beta - visit.alpha > 1 => {
            need.beta - need.alpha > 1 && (need.alpha + 1..need.beta).contains(&visit.guess)
        }
        () if visit.guess >= visit.beta => (visit.beta..=visit.beta + SLACK).contains(&need.beta),
        () => (visit.alpha - SLACK..=visit.alpha).contains(&need.alpha),
    }
}

/// The search that a visit asks for: with the window of the visit, as far as it is not known already, and on the
/// principal variation not too far from the guess.
fn needed(node: &FrontierNode, visit: &Visit, rank: u32) -> Need {
    let bounds = node.bounds(visit.depth);
    let (mut alpha, mut beta) = (visit.alpha.max(bounds.lower - 1), visit.beta.min(bounds.upper + 1));
    // What replaces another search has a window that means something.
    if node.place.may_cut {
        let guess = visit.guess.clamp(alpha + 1, (beta - 1).max(alpha + 1));
        (alpha, beta) = (alpha.max(guess - ASPIRATION), beta.min(guess + ASPIRATION));
    }
    Need { depth: visit.depth, alpha: alpha.max(-INFINITE), beta: beta.min(INFINITE), rank }
}
