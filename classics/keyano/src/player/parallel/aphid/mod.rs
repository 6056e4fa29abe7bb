//! APHID (Brockington and Schaeffer 1996): an asynchronous manager and its workers.

pub(crate) mod frontier;
pub(crate) mod manager;
pub mod message;
pub(crate) mod work_list;
pub(crate) mod worker;
