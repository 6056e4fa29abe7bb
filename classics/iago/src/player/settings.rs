//! IAGO's settings: each technique that its paper compares, and the original's budget.

use super::deepening::Endgame;
use super::evaluation::CornerReading;
use super::ordering::Heuristic;
use super::search::SearchOptions;
use super::time_allocation::TournamentOverhead;
use engine::settings::{self, Setting, Settings};

/// The settings of IAGO; the default is the program of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IagoSettings {
    /// Order of the moves below the saved plies.
    pub heuristic: Heuristic,
    /// The switchable techniques of the search.
    pub search: SearchOptions,
    /// Search of the end of the game.
    pub endgame: Endgame,
    /// Evaluation of X-squares.
    pub corners: CornerReading,
    /// Whether the budget is that of the original, whatever the clock.
    pub is_historical: bool,
    /// Whether games with the original's budget are charged for handling the board.
    pub overhead: TournamentOverhead,
}

impl Settings for IagoSettings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "ordering",
            values: "response, move-number, square-value, move-generation",
            description: "move ordering below the plies kept by @saved (Table 4.1)",
        },
        Setting {
            name: "saved",
            values: "3, 1, 0",
            description: "number of plies near the root whose move order is kept from one iteration to the next (the \
                          paper's \"saved plies\", Table 4.1)",
        },
        Setting {
            name: "early-count",
            values: "on, off",
            description: "stop counting moves at a leaf when they no longer matter (4.4.2.1)",
        },
        Setting {
            name: "stable-discs",
            values: "above, leaf",
            description: "where stable internal discs are counted: one ply above the leaf, or at the leaf (4.4.1.2)",
        },
        Setting {
            name: "endgame",
            values: "both, both-then-score, score, off",
            description: "searches to the end for score or win/tie/loss, the same with a search for the score after one for \
                          win/tie/loss, for the score only, or none (4.3)",
        },
        Setting {
            name: "corner-access",
            values: "off, on",
            description: "test whether a corner can be taken through an X-square immediately (footnote 15)",
        },
        Setting {
            name: "corner-loss",
            values: "2, 1",
            description: "how often the loss of a corner through an X-square counts (footnote 17)",
        },
        Setting {
            name: "historical",
            values: "off, on",
            description: "limit IAGO to the original's 30 minutes (about 10,000 leaves per move)",
        },
        Setting {
            name: "overhead",
            values: "on, off",
            description: "charge 10 of the original's seconds for every move of a game, for handling the board (4.1)",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "ordering" => choose(
                &mut self.heuristic,
                value,
                &[
                    ("response", Heuristic::Response),
                    ("move-number", Heuristic::MoveNumber),
                    ("square-value", Heuristic::SquareValue),
                    ("move-generation", Heuristic::MoveGeneration),
                ],
            ),
            "saved" => choose(&mut self.search.saved_plies, value, &[("3", 3), ("1", 1), ("0", 0)]),
            "early-count" => settings::switch(&mut self.search.ends_count_early, value),
            "stable-discs" => choose(&mut self.search.counts_stable_above, value, &[("above", true), ("leaf", false)]),
            "endgame" => choose(
                &mut self.endgame,
                value,
                &[
                    ("both", Endgame::Both),
                    ("both-then-score", Endgame::BothThenScore),
                    ("score", Endgame::Score),
                    ("off", Endgame::Off),
                ],
            ),
            "corner-access" => settings::switch(&mut self.corners.tests_access, value),
            "corner-loss" => settings::number(&mut self.corners.loss_factor, value, 1..=2),
            "historical" => settings::switch(&mut self.is_historical, value),
            "overhead" => choose(
                &mut self.overhead,
                value,
                &[("on", TournamentOverhead::Charged), ("off", TournamentOverhead::Free)],
            ),
            _ => false,
        }
    }
}

/// Takes the choice of this name; false if there is none.
fn choose<T: Copy>(setting: &mut T, value: &str, choices: &[(&str, T)]) -> bool {
    match choices.iter().find(|(name, _)| *name == value) {
        Some(&(_, choice)) => *setting = choice,
        None => return false,
    }
    true
}
