//! The players as they register themselves.

use engine::settings::NoSettings;
use players::{Entries, Entry, OnEveryBoard, PlayableBoard, Program};

use crate::{MaximumDisc, MinimumDisc, OneIdeaPlayer, WeightedSquare};

/// The three players, to be registered.
pub fn program() -> Program {
    Program {
        name: "single-strategy",
        description: "three strategies that are easily beaten",
        paper: "P. S. Rosenbloom, A world-championship-level Othello program (1982), section 3.1",
        entries: Entries::of_every_board(&WeightedSquares)
            .and(Entries::of_every_board(&MinimumDisc))
            .and(Entries::of_every_board(&MaximumDisc)),
        data_files: Vec::new(),
    }
}

/// The player that knows square values alone.
struct WeightedSquares;

impl OnEveryBoard for WeightedSquares {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new(
            "weighted-square",
            "only knows square values: corners good, squares beside them bad (IAGO paper, 3.1.2)",
            |_: NoSettings, options| Ok(OneIdeaPlayer::new(WeightedSquare::<B>::new(), options.seed)),
        )
    }
}

impl OnEveryBoard for MinimumDisc {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new(
            "minimum-disc",
            "tries to have fewer discs than you until the end (IAGO paper, 3.1.3)",
            |_: NoSettings, options| Ok(OneIdeaPlayer::new(MinimumDisc, options.seed)),
        )
    }
}

impl OnEveryBoard for MaximumDisc {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        Entry::new("maximum-disc", "flips as many discs as it can (IAGO paper, 3.1.1)", |_: NoSettings, options| {
            Ok(OneIdeaPlayer::new(MaximumDisc, options.seed))
        })
    }
}
