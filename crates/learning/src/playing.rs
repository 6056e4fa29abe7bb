//! Playing: games of the engine against itself into a store, until it has so many.

use std::ops::ControlFlow;
use std::time::Duration;

use search::clock::Moment;
use search::{CompiledSearch, Stop};

use crate::game_store::{GameStore, Source, StoreError, Tally};
use crate::self_play::{Recipe, SelfPlay};

/// A block that is not full is written after this time, so that slow games are safe too.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// What happens while games are played, for whoever watches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum News {
    /// Games were written: the store survives whatever happens as it is now.
    Written(Tally),
    /// So many games have been played, those of earlier runs included.
    Played(u64),
}

/// All that decides which games are played, in a line: stores with the same line have the same games.
///
/// `player` and `beginning` say in words what the recipe does not: who plays, and what comes before its random moves.
pub fn source(player: &str, beginning: &str, recipe: &Recipe) -> Source {
    let Recipe { seed, opening: (fewest, most), random_moves, depth, exact_from, .. } = *recipe;
    let description = format!(
        "games by {player} with seed {seed}, from {beginning}, {fewest}-{most} random moves, then a share of \
         {random_moves}, depth {depth}, exact from {exact_from} empty squares on"
    );
    Source { is_self_play: true, exact_from: exact_from as u8, description }
}

/// Plays games into the store until the first so many are done, `stop` is set or the watcher breaks off. What was
/// played is then written.
pub fn play_into<E: CompiledSearch>(
    store: &mut GameStore,
    self_play: &SelfPlay<E>,
    games: u64,
    stop: &Stop,
    watch: &mut dyn FnMut(News) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let mut failed = None;
    let mut last_write = Moment::now();
    self_play.play(store.tally().next_number..games, stop, |number, game| {
        let mut add = || {
            let mut is_written = store.add(&game)?;
            if !is_written && (last_write.elapsed() > LONGEST_WAIT || number + 1 == games) {
                store.flush()?;
                is_written = true;
            }
            if is_written {
                last_write = Moment::now();
                if watch(News::Written(store.tally())).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(watch(News::Played(number + 1)))
        };
        add().unwrap_or_else(|error| {
            failed = Some(error);
            ControlFlow::Break(())
        })
    });
    failed.map_or(Ok(()), Err)?;
    store.flush()
}
