//! What a player can be told about how it plays, by name: `iago@killers=off`.
//!
//! A mechanism that a paper compares with its absence is a setting of that player, so that the
//! comparison can be run again. The limits of a move (depth, time, ...) are no settings: every player has them.

use std::fmt;

/// A setting as it is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name on the command line.
    pub name: &'static str,
    /// The values that it takes, the usual one first: `on, off`.
    pub values: &'static str,
    /// What it decides, in one line.
    pub description: &'static str,
}

/// The settings of one player; the default is how its paper describes it.
pub trait Settings: Default {
    /// All that can be set.
    const LIST: &'static [Setting];

    /// Takes a value for a setting of [`LIST`](Self::LIST); false if it cannot have that value.
    fn set(&mut self, name: &str, value: &str) -> bool;

    /// The settings that these pairs of name and value describe.
    fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for (name, value) in pairs {
            let Some(known) = Self::LIST.iter().find(|setting| setting.name == name) else {
                return Err(SettingError::Unknown { name: name.to_owned(), known: Self::LIST });
            };
            if !settings.set(name, value) {
                return Err(SettingError::Value { setting: *known, value: value.to_owned() });
            }
        }
        Ok(settings)
    }
}

/// The settings of a player that has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoSettings;

impl Settings for NoSettings {
    const LIST: &'static [Setting] = &[];

    fn set(&mut self, _name: &str, _value: &str) -> bool {
        false
    }
}

/// Turns a switch to `on` or `off`; false if the value is neither.
pub fn switch(switch: &mut bool, value: &str) -> bool {
    match value {
        "on" => *switch = true,
        "off" => *switch = false,
        _ => return false,
    }
    true
}

/// Sets a number that has to lie in a range; false if it does not.
pub fn number<N: std::str::FromStr + PartialOrd>(
    number: &mut N,
    value: &str,
    range: std::ops::RangeInclusive<N>,
) -> bool {
    match value.parse() {
        Ok(value) if range.contains(&value) => *number = value,
        _ => return false,
    }
    true
}

/// Why a player cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingError {
    /// It has no setting of this name.
    Unknown {
        /// What was asked for.
        name: String,
        /// What it has.
        known: &'static [Setting],
    },
    /// The setting does not take this value.
    Value {
        /// The setting.
        setting: Setting,
        /// What was asked for.
        value: String,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, known: [] } => write!(f, "{name:?} is no setting of this player; it has none"),
            Self::Unknown { name, known } => {
                let known: Vec<_> = known.iter().map(|setting| setting.name).collect();
                write!(f, "{name:?} is no setting of this player; expected one of {}", known.join(", "))
            }
            Self::Value { setting: Setting { name, values, .. }, value } => {
                write!(f, "{name} cannot be {value:?}; expected one of {values}")
            }
        }
    }
}

impl std::error::Error for SettingError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Two {
        killers: bool,
        plies: u32,
    }

    impl Settings for Two {
        const LIST: &'static [Setting] = &[
            Setting { name: "killers", values: "off, on", description: "whether refutations are remembered" },
            Setting { name: "plies", values: "0 to 3", description: "how many plies are kept" },
        ];

        fn set(&mut self, name: &str, value: &str) -> bool {
            match name {
                "killers" => switch(&mut self.killers, value),
                _ => number(&mut self.plies, value, 0..=3),
            }
        }
    }

    #[test]
    fn settings_are_read_and_wrong_ones_are_named() {
        let two = Two::of([("killers", "on"), ("plies", "3")]).unwrap();
        assert!(two.killers && two.plies == 3);
        let sentence = |pairs: [(&str, &str); 1]| Two::of(pairs).unwrap_err().to_string();
        assert_eq!(sentence([("x", "on")]), "\"x\" is no setting of this player; expected one of killers, plies");
        assert_eq!(sentence([("plies", "4")]), "plies cannot be \"4\"; expected one of 0 to 3");
        assert_eq!(sentence([("killers", "")]), "killers cannot be \"\"; expected one of off, on");
        assert!(NoSettings::of([("x", "y")]).unwrap_err().to_string().ends_with("it has none"));
    }
}
