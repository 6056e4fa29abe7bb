//! DESDEMONA's settings: the two techniques whose gain the paper measures, two readings of its keys, and its budget.

use engine::settings::{Setting, Settings, switch};

/// The discs of a move that change the hash key of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// The discs that it places and flips, so that equal keys are equal positions.
    All,
    /// Only the disc that it places, as section 1.3.1 says: positions with the same moves in another order have equal
    /// keys, even if their discs were flipped differently.
    Placed,
}

/// The settings of DESDEMONA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DesdemonaSettings {
    /// Whether a transposition table is used within an iteration (section 1.3.3: 8.2 plies against 7.5).
    pub transposition: bool,
    /// The keys of that table.
    pub keys: Keys,
    /// Whether only squares next to an opponent's disc are tried (section 1.4: over one ply).
    pub adjacency: bool,
    /// Whether it searches no deeper than the original did.
    pub historical: bool,
}

impl Default for DesdemonaSettings {
    fn default() -> Self {
        Self { transposition: true, keys: Keys::All, adjacency: true, historical: false }
    }
}

impl Settings for DesdemonaSettings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "transposition",
            values: "on, off",
            description: "use a transposition table within an iteration",
        },
        Setting {
            name: "keys",
            values: "all, placed",
            description: "update the key of a position by all discs that a move changes, or only by the disc placed",
        },
        Setting {
            name: "adjacency",
            values: "on, off",
            description: "try only squares next to an opponent's disc, or every empty square",
        },
        Setting { name: "historical", values: "off, on", description: "search at most 8 plies" },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("transposition", _) => return switch(&mut self.transposition, value),
            ("keys", "all") => self.keys = Keys::All,
            ("keys", "placed") => self.keys = Keys::Placed,
            ("adjacency", _) => return switch(&mut self.adjacency, value),
            ("historical", _) => return switch(&mut self.historical, value),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_setting_can_be_turned_to_each_of_its_values() {
        for setting in DesdemonaSettings::LIST {
            let mut seen = Vec::new();
            for value in setting.values.split(", ") {
                let settings = DesdemonaSettings::of([(setting.name, value)]).unwrap();
                assert!(!seen.contains(&settings), "{}={value} changes nothing", setting.name);
                seen.push(settings);
            }
            assert_eq!(seen[0], DesdemonaSettings::default(), "the default of {} comes first", setting.name);
            assert!(DesdemonaSettings::of([(setting.name, "perhaps")]).is_err());
        }
    }
}
