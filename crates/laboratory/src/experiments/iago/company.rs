//! The players that take part in tests of experiments.

use std::sync::Arc;

use engine::{Limits, Player, Stop};
use heritage::iago::{Iago, IagoSettings};
use heritage::one_idea::{MaximumDisc, MinimumDisc, OneIdeaPlayer};
use heritage::weighted_square::WeightedSquare;

use crate::experiments::{ExperimentError, Players, Report, Setup};
use arena::Contestant;

/// IAGO and the players with one idea: `iago@depth=3`.
struct Company;

fn player(name: &str, seed: u64) -> Result<Box<dyn Player>, String> {
    Ok(match name.split('@').next() {
        Some("iago") => Box::new(Iago::new(IagoSettings::default())),
        Some("maximum-disc") => Box::new(OneIdeaPlayer::new(MaximumDisc, seed)),
        Some("minimum-disc") => Box::new(OneIdeaPlayer::new(MinimumDisc, seed)),
        Some("weighted-square") => Box::new(OneIdeaPlayer::new(WeightedSquare::new(), seed)),
        _ => return Err(format!("{name} is not invited")),
    })
}

impl Players for Company {
    fn names(&self) -> Vec<(String, bool)> {
        Vec::new()
    }

    fn player(&self, notation: &str) -> Result<Box<dyn Player>, String> {
        player(notation, 1)
    }

    fn contestant(&self, notation: &str) -> Result<Contestant, String> {
        let name = notation.to_owned();
        let depth = name.split_once("@depth=").and_then(|(_, depth)| depth.parse().ok());
        Ok(Contestant {
            name: name.clone(),
            notation: name.clone(),
            limits: Limits::of_depth(depth.ok_or("a depth was expected")?),
            seed: None,
            is_kept: false,
            make: Arc::new(move |seed| player(&name, seed)),
        })
    }
}

/// What an experiment finds with this company.
pub(super) fn run(
    experiment: impl FnOnce(&mut Setup<'_>) -> Result<Report, ExperimentError>,
    is_stopped: bool,
) -> Result<Report, ExperimentError> {
    let stop = Stop::new();
    if is_stopped {
        stop.set();
    }
    let progress = &mut |_: &str| {};
    experiment(&mut Setup { players: &Company, is_quick: true, seed: 1, threads: 1, stop: &stop, progress })
}
