//! What has to hold in WebAssembly: each check returns a number for the host to compare, or a sentence.

use std::time::Duration;

use engine::{Bench, Emilia, GameClock, Limits, Options, Player, PlayerError, Silent, Stop};
use evaluation::weights::Weights;
use evaluation::{EvaluatedBoard, HandMade};
use heritage::bill::{Bill, BillSettings, Version};
use heritage::desdemona::{Desdemona, DesdemonaSettings};
use heritage::iago::{Iago, IagoSettings};
use heritage::keyano::{Keyano, Settings};
use heritage::logistello::{LogistelloPlayer, LogistelloSettings};
use heritage::one_idea::{MaximumDisc, OneIdeaPlayer};
use othello::{Board, Game};

const OPTIONS: Options = Options { table_megabytes: 4, threads: 1, usual_level: None, seed: 1 };

/// Players that look at a clock, each by its number.
fn player(number: usize) -> Result<Option<Box<dyn Player>>, String> {
    Ok(Some(match number {
        0 => Box::new(emilia(&OPTIONS)?),
        1 => Box::new(Iago::new(IagoSettings::default())),
        2 => Box::new(Bill::new(Version::Three, BillSettings::default(), OPTIONS.table_megabytes)),
        3 => Box::new(Keyano::new(Settings::default())),
        4 => Box::new(LogistelloPlayer::new(&LogistelloSettings::default(), &OPTIONS).map_err(sentence)?),
        5 => Box::new(Desdemona::<Board>::new(DesdemonaSettings::default())),
        6 => Box::new(OneIdeaPlayer::new(MaximumDisc, OPTIONS.seed)),
        _ => return Ok(None),
    }))
}

fn existing_player(number: usize) -> Result<Box<dyn Player>, String> {
    player(number)?.ok_or_else(|| format!("no player {number}"))
}

fn emilia(options: &Options) -> Result<Emilia<Board, HandMade>, String> {
    Emilia::with_evaluation(HandMade, options).map_err(sentence)
}

fn sentence(error: impl ToString) -> String {
    error.to_string()
}

pub(crate) fn signature(weights: &[u8]) -> Result<u64, String> {
    let weights = Weights::from_bytes(weights).map_err(sentence)?;
    let evaluation = Board::WEIGHTED.ok_or("no weights for the 8x8 board")?(&weights);
    Bench::new(evaluation).and_then(|mut bench| bench.signature()).map_err(sentence)
}

pub(crate) fn refusals() -> Result<u64, String> {
    let time = Duration::from_secs(1);
    let mut number = 0;
    while let Some(mut player) = player(number)? {
        for limits in [Limits::of_time(time), Limits::of_clock(GameClock::new(time))] {
            match player.choose(&Game::new(), &limits, &mut Silent, &Stop::new()) {
                Err(PlayerError::Unsupported { reason, .. }) if reason.contains("clock") => {}
                other => return Err(format!("{} without a clock: {other:?}", player.name())),
            }
        }
        let choice = player.choose(&Game::new(), &Limits::of_depth(2), &mut Silent, &Stop::new());
        choice.map_err(|error| format!("{} at depth 2: {error}", player.name()))?;
        number += 1;
    }
    Ok(number as u64)
}

pub(crate) fn nodes_with_threads(threads: usize) -> Result<u64, String> {
    let mut emilia = emilia(&Options { threads, ..OPTIONS })?;
    let choice = emilia.choose(&Game::new(), &Limits::of_depth(10), &mut Silent, &Stop::new());
    choice.map(|choice| choice.nodes).map_err(sentence)
}

pub(crate) fn nodes_in_time(number: usize, time: Duration) -> Result<u64, String> {
    let limits = Limits { depth: Some(60), ..Limits::of_time(time) };
    let choice = existing_player(number)?.choose(&Game::new(), &limits, &mut Silent, &Stop::new());
    choice.map(|choice| choice.nodes).map_err(sentence)
}

pub(crate) fn nodes_until_stopped(number: usize, poll: fn() -> bool) -> Result<u64, String> {
    let stop = Stop::with_poll(poll);
    let choice = existing_player(number)?.choose(&Game::new(), &Limits::of_depth(60), &mut Silent, &stop);
    if !stop.is_set() {
        return Err(format!("player {number} ended before it was stopped: {choice:?}"));
    }
    choice.map(|choice| choice.nodes).map_err(sentence)
}
