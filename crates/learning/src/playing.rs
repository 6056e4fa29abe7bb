//! Self-play from the start position or from the openings of a file, into a store.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use arena::openings::MAX_OPENINGS;
use control::clock::Moment;
use othello::{Position, Square};
use records::files::records_of;
use search::CompiledSearch;

use crate::error::{FileProblem, LearnError, Result};
use crate::game_store::{GameStore, Tally};
use crate::self_play::SelfPlay;
use crate::workforce::Workforce;

/// The time after which games are on the disk: a power failure costs no more of them.
const SYNC_PERIOD: Duration = Duration::from_secs(20);

/// Progress events of self-play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlayEvent {
    /// Games were written and are safe on the disk.
    Written(Tally),
    /// The number of games played, including those of earlier runs.
    Played(u64),
}

/// The openings of a file in any format, for use in self-play.
pub fn read_openings(path: &Path) -> Result<Vec<Vec<Square>>> {
    let mut openings = Vec::new();
    for record in records_of(path, None)? {
        let game = record?.game;
        let number = openings.len() + 1;
        let refused = |problem| LearnError::Opening { path: path.to_owned(), number, problem };
        if game.start() != Position::start() {
            return Err(refused("begins with another position; expected the standard start"));
        }
        if game.is_over() {
            return Err(refused("is over; expected the beginning of one"));
        }
        if openings.len() == MAX_OPENINGS {
            return Err(refused("is one too many; expected at most a million openings"));
        }
        openings.push(game.line());
    }
    if openings.is_empty() {
        return Err(FileProblem::NoOpenings.of(path));
    }
    Ok(openings)
}

/// Plays games into the store up to this number, or until it is stopped or the observer breaks. The games played are
/// written in any case; the content of the store depends on their number alone, not on the time that they took.
pub fn play_into<E: CompiledSearch>(
    store: &mut GameStore,
    self_play: &SelfPlay<E>,
    games: u64,
    workforce: &Workforce<'_>,
    watch: &mut dyn FnMut(PlayEvent) -> ControlFlow<()>,
) -> Result<()> {
    let mut failed = None;
    let mut last_write = Moment::now();
    let numbers = store.tally().next_number..games;
    let played = self_play.play_by(workforce, numbers, |number, game| {
        let mut add = || -> Result<_> {
            let mut is_written = store.add(&game)?;
            if !is_written && number + 1 == games {
                store.flush()?;
                is_written = true;
            } else if !is_written && last_write.elapsed() > SYNC_PERIOD {
                store.sync()?;
                is_written = true;
            }
            if is_written {
                last_write = Moment::now();
                if watch(PlayEvent::Written(store.tally())).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(watch(PlayEvent::Played(number + 1)))
        };
        add().unwrap_or_else(|error| {
            failed = Some(error);
            ControlFlow::Break(())
        })
    });
    failed.map_or(Ok(()), Err)?;
    // The games that were played are kept even if others failed.
    store.flush()?;
    Ok(played?)
}
