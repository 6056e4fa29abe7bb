//! Comparing the speed of two ways to do the same work on a machine that does other things as well.

use std::time::Duration;

use engine::clock::Moment;
use engine::{Limits, Silent};
use othello::Game;

use crate::{ExperimentError, Result, Setup};

/// Some work and the shortest time that it took: other load on the machine only makes it longer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speed {
    /// Amount of work.
    pub count: u64,
    shortest: Option<Duration>,
}

impl Speed {
    /// Does the work once more; it returns how much it is.
    pub fn measure(&mut self, work: impl FnOnce() -> u64) {
        let start = Moment::now();
        self.count = work();
        let elapsed = start.elapsed();
        self.shortest = Some(self.shortest.map_or(elapsed, |shortest| shortest.min(elapsed)));
    }

    /// The work per second.
    pub fn per_second(speeds: &[Speed]) -> f64 {
        let count: u64 = speeds.iter().map(|speed| speed.count).sum();
        let time: Duration = speeds.iter().filter_map(|speed| speed.shortest).sum();
        count as f64 / time.as_secs_f64()
    }
}

/// The time for each of the positions of [`positions_per_second`].
pub const TIME: Duration = Duration::from_millis(50);

/// The positions per second that a player visits in these games.
pub fn positions_per_second(setup: &Setup<'_>, player: &str, games: &[Game]) -> Result<f64> {
    let mut player = setup.player(player)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for game in games {
        let choice =
            player.new_game().and_then(|()| player.choose(game, &Limits::of_time(TIME), &mut Silent, setup.stop));
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let failed = |error: engine::PlayerError| ExperimentError::Player {
            player: player.name().to_owned(),
            reason: error.to_string(),
        };
        let choice = choice.map_err(failed)?;
        nodes += choice.nodes;
        time += choice.time;
    }
    Ok(nodes as f64 / time.as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_all_work_by_the_sum_of_the_shortest_times() {
        let speed = |count, milliseconds| Speed { count, shortest: Some(Duration::from_millis(milliseconds)) };
        assert!((Speed::per_second(&[speed(300, 100), speed(100, 300)]) - 1000.0).abs() < 1e-9);
        let mut measured = speed(1, 0);
        measured.measure(|| 7);
        assert_eq!((measured.count, measured.shortest), (7, Some(Duration::ZERO)));
    }
}
