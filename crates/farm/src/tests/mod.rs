//! Farms with a real `nats-server`: what goes wrong, and who may do what.

// In a test, `pub` only says that another of its files uses the item.
#![allow(unreachable_pub)]

mod failures;
mod hostile;
mod nats;
mod permissions;
mod sums;
