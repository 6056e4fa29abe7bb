//! LOGISTELLO (Buro 1997): what edges are worth, how well features separate, which statistics play best, what folding saves.

pub(super) mod discordance;
pub(super) mod discriminants;
pub(super) mod edges;
pub(super) mod table_combination;
