//! LOGISTELLO (Buro 1997): edge values, discordance of features, discriminants, combined tables.

pub(super) mod discordance;
pub(super) mod discriminants;
pub(super) mod edges;
pub(super) mod table_combination;
