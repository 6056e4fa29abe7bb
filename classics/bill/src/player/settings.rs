//! BILL's settings: the techniques that the paper switches off for comparison, and its own budget.

use engine::settings::{Setting, Settings, number, some_number, switch};

/// The settings of BILL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BillSettings {
    /// Whether the hash table's move is tried first (section 3.2).
    pub hash_moves: bool,
    /// Whether responses are tried in the order of the killer table, and not square by square (section 3.2).
    pub killers: bool,
    /// Whether moves after the first are searched with a window of zero (section 3.3).
    pub zero_window: bool,
    /// Whether the search deepens iteratively (section 3.1).
    pub deepening: bool,
    /// Whether BILL is limited to what it reached on its original machine (section 3.4.1).
    pub historical: bool,
    /// The plies of an ordinary search by BILL's own budget.
    pub plies: u32,
    /// The minutes for a game by BILL's own budget, as nodes of its original machine, instead of those plies.
    pub minutes: Option<u32>,
}

impl BillSettings {
    /// The paper's average: 8 plies for normal searches. With 16 for the first endgame search it is 8.5 in all.
    pub const HISTORICAL_PLIES: u32 = 8;
    /// The empty squares at which the historical outcome search begins: "16 plies for the first endgame search".
    pub const HISTORICAL_OUTCOME: u32 = 16;
    /// The empty squares at which the historical exact search begins: "13 to 15 empty squares".
    pub const HISTORICAL_EXACT: u32 = 14;
    /// "BILL can search 1100 nodes per second on a VAX 11/785" (footnote 1).
    pub const HISTORICAL_NODES_PER_SECOND: f64 = 1100.0;
}

impl Default for BillSettings {
    fn default() -> Self {
        Self {
            hash_moves: true,
            killers: true,
            zero_window: true,
            deepening: true,
            historical: false,
            plies: Self::HISTORICAL_PLIES,
            minutes: None,
        }
    }
}

impl Settings for BillSettings {
    const LIST: &'static [Setting] = &[
        Setting { name: "hash-moves", values: "on, off", description: "try the hash table's move first" },
        Setting { name: "killers", values: "on, off", description: "try moves in the order of the killer table" },
        Setting {
            name: "zero-window",
            values: "on, off",
            description: "search moves after the first with zero windows",
        },
        Setting { name: "deepening", values: "on, off", description: "deepen iteratively, one ply at a time" },
        Setting {
            name: "historical",
            values: "off, on",
            description: "limit BILL to its original depth, in addition to other limits",
        },
        Setting {
            name: "plies",
            values: "8 (a number from 1 to 20)",
            description: "the depth of an ordinary historical search",
        },
        Setting {
            name: "minutes",
            values: "off, 30 (a number from 1 to 60)",
            description: "with historical=on: time for a game at the original's 1,100 nodes per second, instead of a depth",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "hash-moves" => switch(&mut self.hash_moves, value),
            "killers" => switch(&mut self.killers, value),
            "zero-window" => switch(&mut self.zero_window, value),
            "deepening" => switch(&mut self.deepening, value),
            "historical" => switch(&mut self.historical, value),
            "plies" => number(&mut self.plies, value, 1..=20),
            "minutes" if value == "off" => {
                self.minutes = None;
                true
            }
            "minutes" => some_number(&mut self.minutes, value, 1..=60),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_the_list_can_be_set() {
        for setting in BillSettings::LIST {
            let values: Vec<&str> = setting.choices().collect();
            assert_eq!(BillSettings::of([(setting.name, values[0])]), Ok(BillSettings::default()), "{}", setting.name);
            if setting.name != "plies" {
                assert_ne!(BillSettings::of([(setting.name, values[1])]), Ok(BillSettings::default()));
            }
            assert!(BillSettings::of([(setting.name, "sideways")]).is_err());
        }
        assert_eq!(BillSettings::of([("plies", "7")]).unwrap().plies, 7);
        assert!(BillSettings::of([("plies", "0")]).is_err());
        assert_eq!(BillSettings::of([("minutes", "6")]).unwrap().minutes, Some(6));
        assert_eq!(BillSettings::of([("minutes", "6"), ("minutes", "off")]).unwrap().minutes, None);
        assert!(BillSettings::of([("minutes", "61")]).is_err());
    }
}
