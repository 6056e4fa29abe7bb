//! Players for the tests of experiments.

use std::sync::Arc;

use engine::{Emilia, Limits, Options, Player};

use super::Players;
use crate::arena::Contestant;

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
