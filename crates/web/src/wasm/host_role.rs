//! The worker that is the host of the page.

use std::cell::RefCell;

use records::Date;

use super::{duration, milliseconds, registry, script, taken_text};
use crate::host::{Host, HostOptions, Lane, Output};

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Begins the role: with a seed, with so many workers for studies, with hash tables of at most this many megabytes each,
/// on a day.
#[unsafe(no_mangle)]
extern "C" fn begin_host(seed: f64, study_lanes: u32, hash: u32, year: u16, month: u8, day: u8) {
    HOST.set(Some(Host::new(
        registry(),
        HostOptions {
            seed: seed as u64,
            study_lanes: study_lanes as usize,
            splits_hints: true,
            max_hash: hash,
            date: Date::of_day(year, month, day),
            has_book: false,
            has_farm: false,
        },
    )));
}

/// Lets the host do something at a time, and passes on what comes of it.
fn act(act: impl FnOnce(&mut Host) -> Vec<Output>) {
    let outputs = HOST.with_borrow_mut(|host| host.as_mut().map(act).unwrap_or_default());
    for output in outputs {
        match output {
            Output::Send(message) => script::send(message.as_ptr(), message.len()),
            Output::Start { job, lane, order, time_limit } => {
                let is_game = u32::from(matches!(lane, Lane::Game));
                script::start(job as f64, is_game, milliseconds(time_limit), order.as_ptr(), order.len());
            }
            Output::Stop { job } => script::stop(job as f64),
            // A host without a farm does not ask for that.
            Output::LookAtFarm => {}
        }
    }
}

/// The page has sent the message in the buffer.
#[unsafe(no_mangle)]
extern "C" fn receive(now: f64) {
    let message = taken_text();
    act(|host| host.receive(&message, duration(now)));
}

/// A workbench has sent the reply in the buffer to a job.
#[unsafe(no_mangle)]
extern "C" fn reply(job: f64, now: f64) {
    let reply = taken_text();
    act(|host| host.reply(job as u64, &reply, duration(now)));
}

/// A job was ended by force.
#[unsafe(no_mangle)]
extern "C" fn cut(job: f64, now: f64) {
    act(|host| host.cut(job as u64, duration(now)));
}

/// Time has passed.
#[unsafe(no_mangle)]
extern "C" fn tick(now: f64) {
    act(|host| host.tick(duration(now)));
}

/// When [`tick`] is to be called next; less than 0 if only something else can happen.
#[unsafe(no_mangle)]
extern "C" fn next_tick() -> f64 {
    HOST.with_borrow(|host| host.as_ref().and_then(Host::next_tick).map_or(-1.0, milliseconds))
}
