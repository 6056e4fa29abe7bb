//! Checks of the engine in WebAssembly, for `cargo xtask test wasm`: each returns a number to compare, or fails.

use std::time::Duration;

use anyhow::{Context, Error, Result, bail, ensure};
use engine::{Bench, BenchKind, GameClock, Limits, Player, PlayerError, Silent, Stop};
use evaluation::EvaluatedBoard;
use othello::{Board, Game};
use players::{PlayerOptions, SearchOptions};

use super::{duration, failed, registry, script};

const FAILED: f64 = -1.0;

fn outcome(result: Result<u64>) -> f64 {
    result.map_or_else(
        |error| {
            failed(&format!("{error:#}"));
            FAILED
        },
        |number| number as f64,
    )
}

/// A player of the 8x8 board that searches, by its place in the list; Emilia with its hand-made evaluation, because it
/// is checked before it has weights.
fn player(number: usize, threads: u16) -> Result<Option<Box<dyn Player>>> {
    let registry = registry();
    let entries = registry.entries::<Board>();
    let Some(entry) = entries.iter().filter(|entry| entry.has_values).nth(number) else { return Ok(None) };
    let notation = if number == 0 { "emilia@weights=hand-made" } else { entry.name };
    let options = PlayerOptions { seed: 1, search: SearchOptions { threads, hash: 4 }, ..PlayerOptions::default() };
    let notation = notation.parse().map_err(Error::msg)?;
    Ok(Some(registry.named_player(&notation, &options, players::SharedResources::default())?))
}

fn existing_player(number: usize, threads: u16) -> Result<Box<dyn Player>> {
    player(number, threads)?.with_context(|| format!("no player {number}"))
}

/// Number of players; each has to refuse time limits as long as there is no clock.
#[unsafe(no_mangle)]
extern "C" fn refusals() -> f64 {
    outcome(count_refusals())
}

fn count_refusals() -> Result<u64> {
    let time = Duration::from_secs(1);
    let mut number = 0;
    while let Some(mut player) = player(number, 1)? {
        for limits in [Limits::of_time(time), Limits::of_clock(GameClock::new(time))] {
            match player.choose(&Game::new(), &limits, &mut Silent, &Stop::new()) {
                Err(PlayerError::Unsupported { reason, .. }) if reason.contains("clock") => {}
                other => bail!("{} without a clock: {other:?}", player.name()),
            }
        }
        let choice = player.choose(&Game::new(), &Limits::of_depth(2), &mut Silent, &Stop::new());
        choice.with_context(|| format!("{} at depth 2", player.name()))?;
        number += 1;
    }
    Ok(number as u64)
}

/// Nodes of a search with more threads than are available.
#[unsafe(no_mangle)]
extern "C" fn nodes_with_threads(threads: u16) -> f64 {
    outcome(existing_player(0, threads).and_then(|mut emilia| {
        let choice = emilia.choose(&Game::new(), &Limits::of_depth(10), &mut Silent, &Stop::new());
        Ok(choice?.nodes)
    }))
}

/// Nodes of a player's search of this many milliseconds.
#[unsafe(no_mangle)]
extern "C" fn nodes_in_time(number: usize, milliseconds: f64) -> f64 {
    let limits = Limits { depth: Some(60), ..Limits::of_time(duration(milliseconds)) };
    outcome(existing_player(number, 1).and_then(|mut player| {
        let choice = player.choose(&Game::new(), &limits, &mut Silent, &Stop::new());
        Ok(choice?.nodes)
    }))
}

/// Nodes of a player's search that only the script ends.
#[unsafe(no_mangle)]
extern "C" fn nodes_until_stopped(number: usize) -> f64 {
    let stop = Stop::with_poll(|| script::poll() != 0);
    outcome(existing_player(number, 1).and_then(|mut player| {
        let choice = player.choose(&Game::new(), &Limits::of_depth(60), &mut Silent, &stop);
        ensure!(stop.is_set(), "{} ended before it was stopped: {choice:?}", player.name());
        Ok(choice?.nodes)
    }))
}

/// Nodes of one half of the bench with the installed weights, the midgame (0) or the endgame. The time of its searches
/// in seconds is passed to the script.
#[unsafe(no_mangle)]
extern "C" fn bench(half: usize) -> f64 {
    outcome(searched(BenchKind::ALL[half.min(1)]).map(|(nodes, time)| {
        let seconds = time.as_secs_f64().to_string();
        script::tell(seconds.as_ptr(), seconds.len());
        nodes
    }))
}

fn searched(kind: BenchKind) -> Result<(u64, Duration)> {
    let mut bench = Bench::new(Board::available()?)?;
    let mut sum = (0, Duration::ZERO);
    for problem in kind.problems() {
        let choice = bench.search(kind, &problem)?;
        sum = (sum.0 + choice.nodes, sum.1 + choice.time);
    }
    Ok(sum)
}
