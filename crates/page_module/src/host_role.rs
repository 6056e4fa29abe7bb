//! The role of the host of the page.

use std::cell::RefCell;

use records::Date;
use web::host::{Host, HostOptions, Lane, Output};

use super::{duration, milliseconds, registry, script, taken_text};

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Begins the role with a seed, a number of workers for studies, a maximum hash table size in MB, and the current day.
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
            // A host without a farm has no such output.
            Output::LookAtFarm => {}
        }
    }
}

/// Handles the message of the page in the buffer.
#[unsafe(no_mangle)]
extern "C" fn receive(now: f64) {
    let message = taken_text();
    act(|host| host.receive(&message, duration(now)));
}

/// Handles the reply in the buffer to a job.
#[unsafe(no_mangle)]
extern "C" fn reply(job: f64, now: f64) {
    let reply = taken_text();
    act(|host| host.reply(job as u64, &reply, duration(now)));
}

#[unsafe(no_mangle)]
extern "C" fn cut(job: f64, now: f64) {
    act(|host| host.cut(job as u64, duration(now)));
}

#[unsafe(no_mangle)]
extern "C" fn tick(now: f64) {
    act(|host| host.tick(duration(now)));
}

/// Returns the time of the next [`tick`]; less than 0 if there is none.
#[unsafe(no_mangle)]
extern "C" fn next_tick() -> f64 {
    HOST.with_borrow(|host| host.as_ref().and_then(Host::next_tick).map_or(-1.0, milliseconds))
}
