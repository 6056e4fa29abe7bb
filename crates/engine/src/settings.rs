//! Settings of a player, by name: `bill3@killers=off`.
//!
//! A technique that a paper switches off for comparison is a setting of that player, so that the comparison can be
//! repeated. The limits of a move (depth, time, ...) are not settings: every player has them.

use std::fmt;

/// A setting as it is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name on the command line.
    pub name: &'static str,
    /// The values that it takes, the default first: `on, off`. The allowed numbers follow in brackets: `20 (a number
    /// from 8 to 26), off`.
    pub values: &'static str,
    /// Its description, in one line.
    pub description: &'static str,
}

impl Setting {
    /// The values that are listed, the default first, without the text in brackets.
    pub fn choices(&self) -> impl Iterator<Item = &'static str> {
        self.values.split(", ").map(|value| value.split(" (").next().unwrap_or(value))
    }

    /// The default value.
    pub fn default_value(&self) -> &'static str {
        self.choices().next().unwrap_or_default()
    }
}

/// The settings of one player; the default is how its paper describes it.
pub trait Settings: Default {
    /// All settings.
    const LIST: &'static [Setting];

    /// Takes a value for a setting of [`LIST`](Self::LIST); false if it cannot have that value.
    fn set(&mut self, name: &str, value: &str) -> bool;

    /// The settings that these pairs of name and value describe.
    fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, SettingError> {
        Self::of_named(pairs.into_iter().map(|(name, value)| (name, Some(value))))
    }

    /// The same where a value may be left out: a setting without a value is switched on, if possible.
    fn of_named<'a>(pairs: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for (name, value) in pairs {
            let Some(known) = Self::LIST.iter().find(|setting| setting.name == name) else {
                return Err(SettingError::Unknown { name: name.to_owned(), known: Self::LIST.to_vec() });
            };
            let value = match value {
                Some(value) => value,
                None if known.choices().any(|choice| choice == ON) => ON,
                None => return Err(SettingError::NoValue { setting: *known }),
            };
            if !settings.set(name, value) {
                return Err(SettingError::Value { setting: *known, value: value.to_owned() });
            }
        }
        Ok(settings)
    }

    /// The same for names and values as they were written.
    fn of_written(pairs: &[(String, Option<String>)]) -> Result<Self, SettingError> {
        Self::of_named(pairs.iter().map(|(name, value)| (name.as_str(), value.as_deref())))
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

/// The value of a switch that is on.
pub const ON: &str = "on";

/// Sets a switch to `on` or `off`; false if the value is neither.
pub fn switch(switch: &mut bool, value: &str) -> bool {
    match value {
        ON => *switch = true,
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

/// The same for a number that may be missing.
pub fn some_number<N: std::str::FromStr + PartialOrd>(
    setting: &mut Option<N>,
    value: &str,
    range: std::ops::RangeInclusive<N>,
) -> bool {
    let found = value.parse().ok().filter(|number| range.contains(number));
    let fits = found.is_some();
    if fits {
        *setting = found;
    }
    fits
}

/// Reason why settings are invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingError {
    /// It has no setting of this name.
    Unknown {
        /// The requested name.
        name: String,
        /// The settings of the player.
        known: Vec<Setting>,
    },
    /// The setting does not take this value.
    Value {
        /// The setting.
        setting: Setting,
        /// The requested value.
        value: String,
    },
    /// The setting was given without a value and cannot be switched on.
    NoValue {
        /// The setting.
        setting: Setting,
    },
}

/// The known word that a mistyped one is likely to mean: few letters are wrong, missing, extra or swapped.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of two that are equally close, the one with the same beginning, since words are often abbreviated.
    let alike = |known: &str| word.chars().zip(known.chars()).take_while(|(one, other)| one == other).count();
    let near = known.into_iter().map(|known| (slips(word, known), known));
    let near = near.min_by_key(|&(slips, known)| (slips, std::cmp::Reverse(alike(known))))?;
    // A third of a word may be wrong; a single letter is too little.
    let length = word.chars().count();
    (length > 1 && near.0 <= (length / 3).max(1)).then_some(near.1)
}

/// Number of letters that have to be inserted, deleted, replaced or swapped with the next to turn one word into the
/// other.
fn slips(one: &str, other: &str) -> usize {
    strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase())
}

/// ` (did you mean off?)`, if a word is close to a known one.
pub fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or(String::new(), |near| format!(" (did you mean {near}?)"))
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, known } if known.is_empty() => write!(f, "unknown setting {name:?}"),
            Self::Unknown { name, known } => {
                let known: Vec<_> = known.iter().map(|setting| setting.name).collect();
                let suggestion = suggestion(name, known.iter().copied());
                write!(f, "unknown setting {name:?}{suggestion}; valid: {}", known.join(", "))
            }
            Self::Value { setting, value } => {
                let Setting { name, values, .. } = setting;
                let suggestion = suggestion(value, setting.choices());
                write!(f, "{name} cannot be {value:?}{suggestion}; expected one of {values}")
            }
            Self::NoValue { setting: Setting { name, values, .. } } => {
                write!(f, "{name} needs a value; expected {name}= and one of {values}")
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
            Setting { name: "plies", values: "0 (a number from 0 to 3)", description: "how many plies are kept" },
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
        assert_eq!(sentence([("x", "on")]), "unknown setting \"x\"; valid: killers, plies");
        assert_eq!(
            sentence([("kilers", "on")]),
            "unknown setting \"kilers\" (did you mean killers?); valid: killers, plies"
        );
        assert_eq!(sentence([("plies", "4")]), "plies cannot be \"4\"; expected one of 0 (a number from 0 to 3)");
        assert_eq!(
            sentence([("killers", "of")]),
            "killers cannot be \"of\" (did you mean off?); expected one of off, on"
        );
        assert_eq!(sentence([("killers", "")]), "killers cannot be \"\"; expected one of off, on");
        assert!(NoSettings::of([("x", "y")]).unwrap_err().to_string().ends_with("unknown setting \"x\""));
    }

    #[test]
    fn a_setting_named_alone_is_turned_on_if_it_can_be() {
        assert!(Two::of_named([("killers", None)]).unwrap().killers);
        let error = Two::of_named([("plies", None)]).unwrap_err().to_string();
        assert_eq!(error, "plies needs a value; expected plies= and one of 0 (a number from 0 to 3)");
        assert!(Two::of_named([("x", None)]).unwrap_err().to_string().contains("unknown setting \"x\""));
    }

    #[test]
    fn mistyped_words_are_recognized_and_other_words_are_not() {
        let known = ["ordering", "saved", "historical", "on", "off"];
        for (word, meant) in [
            ("orderin", Some("ordering")),
            ("oredring", Some("ordering")),
            ("Historcal", Some("historical")),
            ("of", Some("off")),
            ("onn", Some("on")),
            ("killers", None),
            ("", None),
            ("x", None),
            ("é", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word:?}");
        }
        // The distance by hand: one letter replaced, one inserted, two swapped.
        assert_eq!((slips("kitten", "sitting"), slips("abc", "acb"), slips("", "abc")), (3, 1, 3));
    }
}
