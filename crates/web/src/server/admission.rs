//! Connections, with a place for each: those of clients stay, all others give way.
//!
//! A browser needs a connection only for a moment to load the page; then it is a client, or gone. So that
//! connections that stay cannot take all places, the oldest one gives way to a new one: that of the same address if this
//! address has reached its limit, else that of the address with the most connections. An address that takes many places
//! takes them from itself.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use control::lock;
use tokio::sync::Notify;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AdmissionLimits {
    /// Maximum number of connections that are not those of clients.
    pub(crate) visits: usize,
    /// Maximum number of connections from one address.
    pub(crate) per_address: usize,
    /// The same for addresses of this machine.
    pub(crate) per_local_address: usize,
}

#[derive(Debug)]
pub(crate) struct Admission {
    limits: AdmissionLimits,
    connections: Mutex<Connections>,
    /// Notified when a client has gone.
    pub(crate) has_left: Notify,
}

#[derive(Debug, Default)]
struct Connections {
    next: u64,
    /// By their numbers, so that the oldest come first.
    places: BTreeMap<u64, Place>,
}

#[derive(Debug)]
struct Place {
    origin: Origin,
    is_client: bool,
    displaced: Arc<Notify>,
}

/// The right of a connection to be there; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Visit {
    admission: Arc<Admission>,
    number: u64,
    /// Notified when the connection has to give way to another one.
    pub(crate) displaced: Arc<Notify>,
}

/// An address as it is counted: of IPv6 the first half, because a single machine has all of the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Origin(IpAddr);

impl Origin {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => Self(IpAddr::V6((address.to_bits() >> 64 << 64).into())),
            address => Self(address),
        }
    }
}

impl Admission {
    pub(crate) fn new(limits: AdmissionLimits) -> Arc<Self> {
        Arc::new(Self { limits, connections: Mutex::default(), has_left: Notify::new() })
    }

    pub(crate) fn count(&self) -> usize {
        lock(&self.connections).places.len()
    }

    /// Admits a connection; another one gives way to it if there is no place. Nothing if all connections of its address
    /// are those of clients, and as many as one address may have.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Arc<Visit>> {
        let origin = Origin::of(address);
        let limit = if origin.0.is_loopback() { self.limits.per_local_address } else { self.limits.per_address };
        let mut connections = lock(&self.connections);
        let own = connections.places.values().filter(|place| place.origin == origin).count();
        if own >= limit {
            connections.displace_oldest(origin).then_some(())?;
        } else if connections.visits().count() >= self.limits.visits {
            connections.make_room();
        }
        let number = connections.next;
        connections.next += 1;
        let displaced = Arc::new(Notify::new());
        let place = Place { origin, is_client: false, displaced: Arc::clone(&displaced) };
        connections.places.insert(number, place);
        Some(Arc::new(Visit { admission: Arc::clone(self), number, displaced }))
    }

    /// Ends the oldest connection of the address that has the most, clients aside.
    pub(crate) fn make_room(&self) {
        lock(&self.connections).make_room();
    }
}

impl Connections {
    fn visits(&self) -> impl Iterator<Item = &Place> {
        self.places.values().filter(|place| !place.is_client)
    }

    fn make_room(&mut self) {
        let mut counts = HashMap::<Origin, usize>::new();
        for place in self.visits() {
            *counts.entry(place.origin).or_default() += 1;
        }
        if let Some((origin, _)) = counts.into_iter().max_by_key(|(_, count)| *count) {
            self.displace_oldest(origin);
        }
    }

    /// Ends the oldest connection of an address that is not that of a client; false if there is none.
    fn displace_oldest(&mut self, origin: Origin) -> bool {
        let oldest = self.places.iter().find(|(_, place)| !place.is_client && place.origin == origin);
        let Some(place) = oldest.map(|(number, _)| *number).and_then(|number| self.places.remove(&number)) else {
            return false;
        };
        place.displaced.notify_one();
        true
    }
}

impl Visit {
    /// The connection is that of a client from now on, which does not give way; false if it has done so already.
    pub(crate) fn becomes_client(&self) -> bool {
        match lock(&self.admission.connections).places.get_mut(&self.number) {
            Some(place) => {
                place.is_client = true;
                true
            }
            None => false,
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let place = lock(&self.admission.connections).places.remove(&self.number);
        if place.is_some_and(|place| place.is_client) {
            self.admission.has_left.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const LIMITS: AdmissionLimits = AdmissionLimits { visits: 6, per_address: 3, per_local_address: 20 };

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_displaced(visit: &Visit) -> bool {
        visit.displaced.notified().now_or_never().is_some()
    }

    #[test]
    fn an_address_that_takes_many_places_takes_them_from_itself() {
        let admission = Admission::new(LIMITS);
        let quiet = admission.admit(address("192.0.2.1")).unwrap();
        let mut greedy = Vec::new();
        for count in 0..10 {
            greedy.push(admission.admit(address("127.0.0.1")).unwrap());
            assert_eq!(admission.count(), (count + 2).min(6));
        }
        assert!(!is_displaced(&quiet));
        let displaced: Vec<_> = greedy.iter().map(|visit| is_displaced(visit)).collect();
        assert_eq!(displaced, [true, true, true, true, true, false, false, false, false, false]);
        // One from elsewhere takes the place of the next of them.
        let third = admission.admit(address("192.0.2.2")).unwrap();
        assert!(is_displaced(&greedy[5]) && !is_displaced(&quiet) && !is_displaced(&third));
        drop((quiet, greedy, third));
        assert_eq!(admission.count(), 0);
    }

    #[test]
    fn an_address_has_as_many_connections_as_it_may_and_clients_stay() {
        let admission = Admission::new(LIMITS);
        let visits = [(); 3].map(|()| admission.admit(address("192.0.2.1")).unwrap());
        assert!(visits[0].becomes_client());
        let fourth = admission.admit(address("::ffff:192.0.2.1")).unwrap();
        assert_eq!(visits.each_ref().map(|visit| is_displaced(visit)), [false, true, false]);
        for visit in [&visits[2], &fourth] {
            assert!(visit.becomes_client());
        }
        assert!(!visits[1].becomes_client());
        assert!(admission.admit(address("192.0.2.1")).is_none());
        assert!(admission.admit(address("192.0.2.2")).is_some());
        drop(fourth);
        assert!(admission.admit(address("192.0.2.1")).is_some());
    }

    #[test]
    fn the_addresses_of_a_network_of_ipv6_are_one() {
        let admission = Admission::new(LIMITS);
        let visits = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3", "2001:db8:0:1::1", "::1", "2001:db8::4"]
            .map(|text| admission.admit(address(text)).unwrap());
        let displaced = visits.each_ref().map(|visit| is_displaced(visit));
        assert_eq!(displaced, [true, false, false, false, false, false]);
    }

    #[test]
    fn clients_take_no_place_from_those_that_come() {
        let admission = Admission::new(LIMITS);
        let clients = [(); 15].map(|()| {
            let client = admission.admit(address("127.0.0.1")).unwrap();
            assert!(client.becomes_client());
            client
        });
        let visit = admission.admit(address("127.0.0.1")).unwrap();
        admission.make_room();
        assert!(is_displaced(&visit));
        admission.make_room();
        assert!(clients.iter().all(|client| !is_displaced(client)));
    }
}
