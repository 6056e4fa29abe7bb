//! A search that is stopped from another thread.

use std::thread;
use std::time::{Duration, Instant};

use engine::{Choice, Limits, Player, Progress, Stop};
use othello::{Game, Rules};

/// The result of a search from the start of a game that was stopped after a pause.
pub(crate) struct Stopped {
    /// The move that was known by then.
    pub(crate) choice: Choice,
    /// The reports of the player.
    pub(crate) reports: Vec<Progress>,
    /// Time until it stopped.
    pub(crate) late: Duration,
}

/// Lets a player think about the start of a game until it is stopped after a pause.
pub(crate) fn stopped_after<B: Rules>(mut player: impl Player<B>, limits: &Limits, pause: Duration) -> Stopped {
    let stop = Stop::new();
    thread::scope(|scope| {
        let thinking = scope.spawn(|| {
            let mut reports: Vec<Progress> = Vec::new();
            let mut observer = |progress: &Progress| reports.push(progress.clone());
            (player.choose(&Game::default(), limits, &mut observer, &stop), reports)
        });
        thread::sleep(pause);
        stop.set();
        let stopped = Instant::now();
        let (choice, reports) = thinking.join().expect("the player does not panic");
        Stopped { choice: choice.expect("a move is known"), reports, late: stopped.elapsed() }
    })
}
