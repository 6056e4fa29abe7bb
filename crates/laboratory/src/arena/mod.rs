//! The arena: players meet, the arena owns legality and clocks.
