//! Players for the tests of experiments.

use std::sync::Arc;

use engine::{Emilia, Limits, Options, Player, Stop};
use heritage::keyano::{self, Keyano};
use heritage::logistello::{LogistelloPlayer, LogistelloSettings};
use heritage::settings::Settings;

use super::{Players, Setup};
use arena::Contestant;

/// Emilia at a depth: `emilia@depth=3`.
pub(super) struct Depths;

fn depth(notation: &str) -> Result<u32, String> {
    let depth = notation.strip_prefix("emilia@depth=").and_then(|depth| depth.parse().ok());
    depth.ok_or_else(|| format!("{notation} was not expected in a test"))
}

fn emilia(seed: u64) -> Result<Box<dyn Player>, String> {
    let options = Options { table_megabytes: 1, threads: 1, usual_level: None, seed };
    Emilia::new(&options).map(|player| Box::new(player) as Box<dyn Player>).map_err(|error| error.to_string())
}

impl Players for Depths {
    fn names(&self) -> Vec<(String, bool)> {
        vec![("emilia".to_owned(), false)]
    }

    fn player(&self, notation: &str) -> Result<Box<dyn Player>, String> {
        depth(notation)?;
        emilia(1)
    }

    fn contestant(&self, notation: &str) -> Result<Contestant, String> {
        Ok(Contestant {
            name: notation.to_owned(),
            notation: notation.to_owned(),
            limits: Limits::of_depth(depth(notation)?),
            seed: None,
            is_kept: false,
            make: Arc::new(emilia),
        })
    }
}

/// KEYANO and LOGISTELLO with their settings, at one ply instead of the limits that are written.
pub(super) struct Programs;

const LIMITS: [&str; 3] = ["depth", "nodes", "move-time"];

fn program(notation: &str) -> Result<Box<dyn Player>, String> {
    let (name, settings) = notation.split_once('@').ok_or("limits were expected")?;
    let pairs = settings.split(',').map(|setting| setting.split_once('=').ok_or("a value was expected"));
    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
    let settings = pairs.into_iter().filter(|(name, _)| !LIMITS.contains(name));
    match name {
        "keyano" => {
            let settings = keyano::Settings::of(settings).map_err(|error| error.to_string())?;
            Ok(Box::new(Keyano::new(keyano::Settings { table: Some(8), ..settings })))
        }
        "logistello" => {
            let settings = LogistelloSettings::of(settings).map_err(|error| error.to_string())?;
            let options = Options { table_megabytes: 1, threads: 1, usual_level: None, seed: 1 };
            let player = LogistelloPlayer::new(&settings, &options).map_err(|error| error.to_string())?;
            Ok(Box::new(player))
        }
        _ => Err(format!("{notation} was not expected in a test")),
    }
}

impl Players for Programs {
    fn names(&self) -> Vec<(String, bool)> {
        ["keyano", "logistello"].map(|name| (name.to_owned(), true)).into()
    }

    fn player(&self, notation: &str) -> Result<Box<dyn Player>, String> {
        program(notation)
    }

    fn contestant(&self, notation: &str) -> Result<Contestant, String> {
        program(notation)?;
        let written = notation.to_owned();
        Ok(Contestant {
            name: notation.to_owned(),
            notation: notation.to_owned(),
            limits: Limits::of_depth(1),
            seed: None,
            is_kept: false,
            make: Arc::new(move |_| program(&written)),
        })
    }
}

/// Runs a part of an experiment with these programs.
pub(super) fn rehearse<T>(part: impl FnOnce(&mut Setup<'_>) -> T) -> T {
    let stop = Stop::new();
    part(&mut Setup { players: &Programs, is_quick: true, seed: 1, threads: 1, stop: &stop, progress: &mut |_| {} })
}
