//! KEYANO's settings: the techniques that its paper compares.

use engine::settings::{self, Setting};

/// Which searches ProbCut may replace by shallower ones (section 2.2, Table 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProbCut {
    /// Searches of 4 to 10 plies, by half of them.
    #[default]
    Multi,
    /// Searches of 8 plies, by 4, as in Buro's first version.
    Single,
    /// None.
    Off,
}

/// Ways to count moves (section 3.1, Table 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// By directions in which discs flip.
    #[default]
    Approximate,
    /// By legal moves.
    Exact,
}

/// Which regions without access count (section 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Regions {
    /// Regions with an odd number of squares, which change who moves last.
    #[default]
    Odd,
    /// All of them, as the paper says.
    All,
}

/// Ways in which several workers search together (section 2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// A manager above a frontier, and workers below it, without synchronization.
    #[default]
    Aphid,
    /// Young Brothers Wait: after its first move, the moves of a position are searched by any party that has time.
    YoungBrothers,
}

/// Divisions of the transposition table (section 2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Levels {
    /// One entry per place, as in KEYANO.
    #[default]
    One,
    /// Two entries per place, one for the deepest result and one for the latest, as other programs have it.
    Two,
}

/// The settings of KEYANO.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Searches in which ProbCut is tried.
    pub probcut: ProbCut,
    /// By how many standard deviations a window is widened for ProbCut.
    pub width: f64,
    /// Whether lost regions count.
    pub parity: bool,
    /// Which of them.
    pub regions: Regions,
    /// The penalty for a lost region, in points of mobility; by default that of the tables.
    pub lost_region: Option<i32>,
    /// Number of plies above the leaves at which they are counted.
    pub parity_plies: u32,
    /// The way in which moves are counted.
    pub mobility: Counting,
    /// Whether moves after the first are tried with a null window.
    pub negascout: bool,
    /// Whether moves that refuted others are tried early.
    pub killers: bool,
    /// Whether squares are ordered by history.
    pub history: bool,
    /// The transposition table has two to this power entries; `None` means no table.
    pub table: Option<u32>,
    /// Division of its entries.
    pub levels: Levels,
    /// Whether a move has the budget of the paper's matches.
    pub historical: bool,
    /// Number of workers that search together.
    pub workers: usize,
    /// The way in which they do it.
    pub method: Method,
    /// Whether they have one transposition table together, or each its own of the same size.
    pub shared_table: bool,
    /// Depth of APHID's frontier below the root, in moves.
    pub frontier: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            probcut: ProbCut::Multi,
            width: 1.2,
            parity: true,
            regions: Regions::Odd,
            lost_region: None,
            parity_plies: 4,
            mobility: Counting::Approximate,
            negascout: true,
            killers: true,
            history: true,
            table: Some(20),
            levels: Levels::One,
            historical: false,
            workers: 1,
            method: Method::Aphid,
            shared_table: false,
            frontier: 3,
        }
    }
}

impl settings::Settings for Settings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "probcut",
            values: "multi, single, off",
            description: "which searches are replaced by shallower ones: those of 4 to 10 plies, only those of 8, or none",
        },
        Setting {
            name: "width",
            values: "1.2 (a number from 0 to 10)",
            description: "by how many standard deviations ProbCut widens a window",
        },
        Setting {
            name: "parity",
            values: "on, off",
            description: "count lost regions (a lost region is a region of empty squares that a side cannot enter, even \
                          with two consecutive moves)",
        },
        Setting {
            name: "regions",
            values: "odd, all",
            description: "count lost regions with an odd number of squares, or all as in the paper",
        },
        Setting {
            name: "lost-region",
            values: "fitted, 64 (a number from 0 to 300)",
            description: "penalty for a lost region, in points of mobility; the paper has 64",
        },
        Setting {
            name: "parity-plies",
            values: "4 (a number from 0 to 8)",
            description: "plies above the leaves at which lost regions are counted",
        },
        Setting {
            name: "mobility",
            values: "approximate, exact",
            description: "count directions in which discs flip, or legal moves",
        },
        Setting {
            name: "search",
            values: "negascout, alpha-beta",
            description: "search moves after the first with a null window, or plain alpha-beta",
        },
        Setting { name: "killers", values: "on, off", description: "try killer moves early" },
        Setting { name: "history", values: "on, off", description: "sort squares by history between iterations" },
        Setting {
            name: "table",
            values: "20 (a number from 8 to 26), off",
            description: "size of the transposition table, as a power of two",
        },
        Setting {
            name: "table-levels",
            values: "1, 2",
            description: "entries per place of the table: 2 are one for the deepest result and one for the latest",
        },
        Setting {
            name: "historical",
            values: "off, on",
            description: "limit KEYANO to 512,000 nodes per move, as in the paper",
        },
        Setting {
            name: "workers",
            values: "1, 2 (a number from 1 to 64)",
            description: "how many workers search together, each in a thread",
        },
        Setting {
            name: "parallel",
            values: "aphid, ybw",
            description: "how several workers search: APHID, as in the paper, or Young Brothers Wait",
        },
        Setting {
            name: "shared-table",
            values: "off, on",
            description: "one transposition table for all workers, instead of one for each",
        },
        Setting {
            name: "frontier",
            values: "3 (a number from 1 to 5)",
            description: "how many moves below the root APHID's frontier lies",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("probcut", "multi") => self.probcut = ProbCut::Multi,
            ("probcut", "single") => self.probcut = ProbCut::Single,
            ("probcut", "off") => self.probcut = ProbCut::Off,
            ("width", _) => return settings::number(&mut self.width, value, 0.0..=10.0),
            ("parity", _) => return settings::switch(&mut self.parity, value),
            ("regions", "odd") => self.regions = Regions::Odd,
            ("regions", "all") => self.regions = Regions::All,
            ("lost-region", "fitted") => self.lost_region = None,
            ("lost-region", _) => return settings::some_number(&mut self.lost_region, value, 0..=300),
            ("parity-plies", _) => return settings::number(&mut self.parity_plies, value, 0..=8),
            ("mobility", "approximate") => self.mobility = Counting::Approximate,
            ("mobility", "exact") => self.mobility = Counting::Exact,
            ("search", "negascout") => self.negascout = true,
            ("search", "alpha-beta") => self.negascout = false,
            ("killers", _) => return settings::switch(&mut self.killers, value),
            ("history", _) => return settings::switch(&mut self.history, value),
            ("table", "off") => self.table = None,
            ("table", _) => return settings::some_number(&mut self.table, value, 8..=26),
            ("table-levels", "1") => self.levels = Levels::One,
            ("table-levels", "2") => self.levels = Levels::Two,
            ("historical", _) => return settings::switch(&mut self.historical, value),
            ("workers", _) => return settings::number(&mut self.workers, value, 1..=64),
            ("parallel", "aphid") => self.method = Method::Aphid,
            ("parallel", "ybw") => self.method = Method::YoungBrothers,
            ("shared-table", _) => return settings::switch(&mut self.shared_table, value),
            ("frontier", _) => return settings::number(&mut self.frontier, value, 1..=5),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::settings::Settings as _;

    #[test]
    fn every_setting_takes_the_values_that_it_lists_and_no_others() {
        for setting in Settings::LIST {
            let values: Vec<_> = setting.choices().collect();
            for value in &values {
                assert!(Settings::of([(setting.name, *value)]).is_ok(), "{}={value}", setting.name);
            }
            assert_eq!(Settings::of([(setting.name, values[0])]), Ok(Settings::default()), "{} first", setting.name);
            assert!(Settings::of([(setting.name, "maybe")]).is_err(), "{}", setting.name);
        }
        let settings = Settings::of([("probcut", "single"), ("table", "10"), ("width", "1.5"), ("parity", "off")]);
        let expected =
            Settings { probcut: ProbCut::Single, table: Some(10), width: 1.5, parity: false, ..Settings::default() };
        assert_eq!(settings, Ok(expected));
        for wrong in ["7", "27", "-1"] {
            assert!(Settings::of([("table", wrong)]).is_err());
        }
        assert!(Settings::of([("width", "nan")]).is_err() && Settings::of([("width", "11")]).is_err());
    }
}
