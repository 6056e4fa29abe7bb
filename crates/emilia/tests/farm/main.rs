//! Farms with a real `nats-server`: the same bytes as without, whatever is killed meanwhile.

// Processes are killed as only Unix can.
// In a test, `pub` only says that another of its files uses the item.
#![allow(unreachable_pub)]
#![cfg(all(unix, feature = "farm"))]

mod campaigns;
mod kinds;
#[path = "../../../farm/src/tests/nats.rs"]
mod nats;
mod server;
