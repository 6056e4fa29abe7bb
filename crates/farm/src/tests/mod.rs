//! Farms with a real `nats-server`: failures, hostile messages and permissions.

// In a test, `pub` only means that another of its files uses the item.
#![allow(unreachable_pub)]

mod failures;
mod hostile;
mod nats;
mod permissions;
mod sums;
