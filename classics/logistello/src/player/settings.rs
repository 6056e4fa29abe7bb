//! LOGISTELLO's settings: `logistello@discriminant=fisher,tables=separate`.

use super::discriminant::Discriminant;
use super::evaluation::Form;
use engine::settings::{Setting, Settings, switch};

/// The settings of LOGISTELLO.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogistelloSettings {
    /// The kind of evaluation.
    pub form: Form,
    /// Whether it is limited to the budget of its time, in addition to other limits.
    pub historical: bool,
}

impl Settings for LogistelloSettings {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "discriminant",
            values: "logistic, fisher, quadratic",
            description: "the statistical model that combines the features",
        },
        Setting {
            name: "tables",
            values: "combined, separate",
            description: "fold everything about a line into one table (not with quadratic)",
        },
        Setting {
            name: "probcut",
            values: "on, off",
            description: "prune depth-8 searches according to a depth-4 search",
        },
        Setting {
            name: "quiescence",
            values: "off, on",
            description: "at leaves, take corners that can be taken before evaluating",
        },
        Setting {
            name: "historical",
            values: "off, on",
            description: "limit LOGISTELLO to 1,500,000 positions per move",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        let form = &mut self.form;
        match name {
            "discriminant" => match Discriminant::ALL.into_iter().find(|discriminant| discriminant.name() == value) {
                Some(discriminant) => form.discriminant = discriminant,
                None => return false,
            },
            "tables" => match value {
                "combined" => form.combined = true,
                "separate" => form.combined = false,
                _ => return false,
            },
            "probcut" => return switch(&mut form.probcut, value),
            "quiescence" => return switch(&mut form.quiescence, value),
            _ => return switch(&mut self.historical, value),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_takes_the_values_that_it_lists_the_default_first() {
        for setting in LogistelloSettings::LIST {
            for (number, value) in setting.values.split(", ").enumerate() {
                let set = LogistelloSettings::of([(setting.name, value)]).expect("a listed value");
                assert_eq!(set == LogistelloSettings::default(), number == 0, "{} {value}", setting.name);
            }
            LogistelloSettings::of([(setting.name, "?")]).expect_err("no such value");
        }
    }
}
