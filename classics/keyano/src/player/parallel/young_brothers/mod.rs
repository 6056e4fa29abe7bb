//! Young Brothers Wait (Feldmann 1993): the moves of a position after the first are searched by any party that has time.

pub(crate) mod message;
pub(crate) mod party;
pub(crate) mod split;
