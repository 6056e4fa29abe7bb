//! Links in virtual time: a simulation in which a node of search takes one unit of time and a message takes a set one.
//!
//! Every party is a thread that does its real search, but only one runs at a time: the one whose clock is behind all
//! others. It hands over whenever it has counted some nodes (the search says so every 256), and whenever it waits. A
//! party therefore looks for messages when all others have reached its time, and receives exactly what has arrived by
//! then; a run depends on nothing but its input. Only a shared transposition table is less exact: what the
//! others write within 256 nodes is seen by the party that runs later.
//!
//! The manager of APHID has no processor of its own: it runs on that of the first worker and delays it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use control::{lock, wait};

use super::link::{Event, FIRST, Link, PartyNumber};

/// Parameters of a simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// Delay of a message, in nodes.
    pub latency: u64,
    /// A party that is lost, and when.
    pub loses: Option<(PartyNumber, u64)>,
}

/// Activity of a party.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Activity {
    Working,
    /// Waits for a message until this time.
    Waiting(u64),
    Gone,
}

#[derive(Debug)]
struct State<M> {
    world: World,
    /// Party 0 runs on the processor of party 1.
    shares_processor: bool,
    clocks: Vec<u64>,
    activities: Vec<Activity>,
    /// Messages with the time of their arrival and their number, which keeps their order.
    inboxes: Vec<BinaryHeap<Reverse<Arrival<M>>>>,
    posted: u64,
    messages: u64,
    running: PartyNumber,
}

#[derive(Debug)]
struct Arrival<M> {
    key: (u64, u64),
    event: Event<M>,
}

impl<M> PartialEq for Arrival<M> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<M> Eq for Arrival<M> {}

impl<M> PartialOrd for Arrival<M> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<M> Ord for Arrival<M> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl<M> State<M> {
    fn post(&mut self, from: PartyNumber, to: PartyNumber, event: Event<M>) {
        self.posted += 1;
        let key = (self.clocks[from] + self.world.latency, self.posted);
        self.inboxes[to].push(Reverse(Arrival { key, event }));
    }

    /// When a party can go on.
    fn due(&self, party: PartyNumber) -> Option<u64> {
        match self.activities[party] {
            Activity::Gone => None,
            Activity::Working => Some(self.clocks[party]),
            Activity::Waiting(until) => {
                let arrival = self.inboxes[party].peek().map_or(u64::MAX, |first| first.0.key.0);
                Some(self.clocks[party].max(arrival.min(until)))
            }
        }
    }

    /// The party whose turn it is.
    fn next(&self) -> Option<PartyNumber> {
        let dues = (0..self.clocks.len()).filter_map(|party| Some((self.due(party)?, party)));
        dues.min().map(|(_, party)| party)
    }

    /// The events that have arrived by the time of this party.
    fn arrived(&mut self, party: PartyNumber) -> Option<Event<M>> {
        let first = self.inboxes[party].peek()?;
        if first.0.key.0 > self.clocks[party] {
            return None;
        }
        self.inboxes[party].pop().map(|first| first.0.event)
    }
}

#[derive(Debug)]
struct Shared<M> {
    state: Mutex<State<M>>,
    turns: Vec<Condvar>,
}

impl<M> Shared<M> {
    /// Lets the party run whose turn it is.
    fn hand_over(&self, state: &mut State<M>) {
        if let Some(next) = state.next() {
            state.running = next;
            self.turns[next].notify_one();
        }
    }

    /// Waits for the turn of this party.
    fn take_over<'a>(&self, mut state: MutexGuard<'a, State<M>>, me: PartyNumber) -> MutexGuard<'a, State<M>> {
        while state.running != me {
            state = wait(&self.turns[me], state);
        }
        state
    }
}

/// The link of a party in virtual time.
#[derive(Debug)]
pub(crate) struct VirtualLink<M> {
    me: PartyNumber,
    shared: Arc<Shared<M>>,
}

/// Counts of a simulation, to be read when it is over.
#[derive(Debug)]
pub(crate) struct Counts<M>(Arc<Shared<M>>);

impl<M> Counts<M> {
    /// The messages that were sent.
    pub(crate) fn messages(&self) -> u64 {
        lock(&self.0.state).messages
    }
}

/// The link of the first party and those of this many others; whether the first runs on the processor of the second.
pub(crate) fn links<M>(
    others: usize,
    shares_processor: bool,
    world: World,
) -> (VirtualLink<M>, Vec<VirtualLink<M>>, Counts<M>) {
    let parties = others + 1;
    let state = State {
        world,
        shares_processor,
        clocks: vec![0; parties],
        activities: vec![Activity::Working; parties],
        inboxes: (0..parties).map(|_| BinaryHeap::new()).collect(),
        posted: 0,
        messages: 0,
        running: FIRST,
    };
    let shared = Arc::new(Shared { state: Mutex::new(state), turns: (0..parties).map(|_| Condvar::new()).collect() });
    let link = |me| VirtualLink { me, shared: Arc::clone(&shared) };
    (link(FIRST), (FIRST + 1..parties).map(link).collect(), Counts(Arc::clone(&shared)))
}

impl<M> VirtualLink<M> {
    /// Whether this party is lost by now: it is notified that the first is lost, and leaves.
    fn is_cut_off(&self, state: &State<M>) -> bool {
        state.world.loses.is_some_and(|(party, time)| party == self.me && state.clocks[party] >= time)
    }
}

impl<M: Send> Link<M> for VirtualLink<M> {
    fn me(&self) -> PartyNumber {
        self.me
    }

    fn parties(&self) -> usize {
        self.shared.turns.len()
    }

    fn send(&mut self, to: PartyNumber, message: M) {
        let mut state = lock(&self.shared.state);
        state.messages += 1;
        state.post(self.me, to, Event::Message { from: self.me, message });
    }

    fn worked(&mut self, nodes: u64) {
        let mut state = self.shared.take_over(lock(&self.shared.state), self.me);
        state.clocks[self.me] += nodes;
        if self.me == FIRST && state.shares_processor && state.activities.get(1) == Some(&Activity::Working) {
            state.clocks[1] += nodes;
        }
        self.shared.hand_over(&mut state);
        drop(self.shared.take_over(state, self.me));
    }

    fn receive(&mut self) -> Option<Event<M>> {
        let mut state = self.shared.take_over(lock(&self.shared.state), self.me);
        if self.is_cut_off(&state) {
            return Some(Event::Lost(FIRST));
        }
        state.arrived(self.me)
    }

    fn wait(&mut self, patience: u64) -> Option<Event<M>> {
        let mut state = self.shared.take_over(lock(&self.shared.state), self.me);
        let until = state.clocks[self.me].saturating_add(patience);
        state.activities[self.me] = Activity::Waiting(until);
        self.shared.hand_over(&mut state);
        let mut state = self.shared.take_over(state, self.me);
        state.clocks[self.me] = state.due(self.me).unwrap_or(until);
        state.activities[self.me] = Activity::Working;
        if self.is_cut_off(&state) {
            return Some(Event::Lost(FIRST));
        }
        state.arrived(self.me)
    }

    fn now(&self) -> u64 {
        lock(&self.shared.state).clocks[self.me]
    }
}

impl<M> Drop for VirtualLink<M> {
    fn drop(&mut self) {
        let mut state = self.shared.take_over(lock(&self.shared.state), self.me);
        state.activities[self.me] = Activity::Gone;
        for party in 0..state.clocks.len() {
            if party != self.me {
                state.post(self.me, party, Event::Lost(self.me));
            }
        }
        self.shared.hand_over(&mut state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_after_their_latency_and_a_lost_party_is_announced() {
        let (mut first, mut links, counts) = links::<u32>(1, false, World { latency: 30, loses: None });
        let mut second = links.pop().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                second.worked(100);
                second.send(FIRST, 7);
                second.worked(5);
            });
            // By hand: sent at 100, so there at 130; the sender leaves at 105, which is known at 135.
            assert_eq!(first.wait(20), None);
            assert_eq!(first.now(), 20);
            first.worked(105);
            assert_eq!(first.receive(), None, "at 125 it is under way");
            assert_eq!((first.wait(1000), first.now()), (Some(Event::Message { from: 1, message: 7 }), 130));
            assert_eq!((first.wait(1000), first.now()), (Some(Event::Lost(1)), 135));
            assert_eq!((first.wait(1000), first.now()), (None, 1135));
            drop(first);
        });
        assert_eq!(counts.messages(), 1);
    }

    #[test]
    fn a_manager_delays_the_worker_on_its_processor_and_no_other() {
        let (mut first, mut links, _) = links::<u32>(2, true, World { latency: 0, loses: None });
        let mut third = links.pop().unwrap();
        let mut second = links.pop().unwrap();
        let times = std::thread::scope(|scope| {
            let second = scope.spawn(move || {
                second.worked(100);
                second.now()
            });
            let third = scope.spawn(move || {
                third.worked(100);
                third.now()
            });
            first.worked(40);
            drop(first);
            [second.join().unwrap(), third.join().unwrap()]
        });
        assert_eq!(times, [140, 100]);
    }

    #[test]
    fn a_party_that_is_to_be_lost_hears_of_nobody_any_more() {
        let (mut first, mut links, _) = links::<u32>(1, false, World { latency: 0, loses: Some((1, 50)) });
        let mut second = links.pop().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                second.worked(40);
                assert_eq!(second.receive(), None);
                second.worked(10);
                assert_eq!(second.receive(), Some(Event::Lost(FIRST)));
            });
            assert_eq!((first.wait(1000), first.now()), (Some(Event::Lost(1)), 50));
            drop(first);
        });
    }
}
