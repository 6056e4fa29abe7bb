//! The tables of a farm: its workers and its jobs.

use std::fmt::Write as _;
use std::io::Write as _;

use farm::status::{FarmStatus, NamedCampaign, NamedWorker};
use report::columns::{beginning, left_aligned};

use crate::prelude::*;

/// The name of a job for people: enough digits to tell jobs apart.
pub(crate) fn short(task: &str) -> &str {
    task.get(..12).unwrap_or(task)
}

pub(crate) fn status(status: &FarmStatus) -> String {
    let FarmStatus { workers: all, queued_chunks, aside, campaigns: jobs } = status;
    let threads: u64 = all.iter().map(|worker| u64::from(worker.state.threads)).sum();
    let busy: u64 = all.iter().map(|worker| u64::from(worker.state.busy)).sum();
    let mut text = format!(
        "{} with {}, {busy} busy; {} queued; {aside} set aside\n\n",
        counted(all.len() as u64, "worker"),
        counted(threads, "thread"),
        counted(*queued_chunks, "chunk"),
    );
    text.push_str(&campaigns(jobs));
    text.push('\n');
    text.push_str(&workers(all));
    text
}

pub(crate) fn campaigns(jobs: &[NamedCampaign]) -> String {
    if jobs.is_empty() {
        return "no jobs\n".to_owned();
    }
    let mut text = format!(
        "{:<12}  {:<15} {:<11} {:>21} {:>9} {:>9} {:>6}  {}\n",
        "job", "kind", "state", "items done", "per s", "left", "failed", "submitted by"
    );
    for NamedCampaign { task, state, seconds_left } in jobs {
        let done = format!("{} of {}", count(state.done, 9), count(state.end.saturating_sub(state.first), 9));
        let left = seconds_left.map_or("-".to_owned(), duration);
        let _ = writeln!(
            text,
            "{:<12}  {:<15} {:<11} {done:>21} {:>9} {left:>9} {:>6}  {} on {}",
            short(task),
            state.kind.chars().take(15).collect::<String>(),
            state.phase.name(),
            rate(state.items_per_second),
            count(state.aside, 6),
            state.process,
            state.host,
        );
    }
    text
}

fn workers(all: &[NamedWorker]) -> String {
    if all.is_empty() {
        return "no workers; start some with `emilia worker`\n".to_owned();
    }
    let mut text = format!(
        "{:<32} {:>7} {:>5} {:>9} {:>12} {:>9} {:>6}  {}\n",
        "worker", "threads", "busy", "chunks", "items", "per s", "failed", "version"
    );
    for NamedWorker { worker, state } in all {
        let _ = writeln!(
            text,
            "{} {:>7} {:>5} {:>9} {:>12} {:>9} {:>6}  {}",
            left_aligned(beginning(worker, 32), 32),
            state.threads,
            state.busy,
            count(state.chunks, 9),
            count(state.items, 12),
            rate(state.items_per_second),
            count(state.failures, 6),
            state.version,
        );
    }
    text
}

/// A count in at most `width` characters; a large one in thousands, millions, and so on.
fn count(number: u64, width: usize) -> String {
    let units = [(1, ""), (1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")];
    let shown = units.map(|(unit, sign)| format!("{}{sign}", grouped(number / unit)));
    shown.into_iter().find(|text| text.len() <= width).unwrap_or_else(|| "many".to_owned())
}

/// Items per second in at most nine characters.
fn rate(items_per_second: f64) -> String {
    if items_per_second < 1e6 { format!("{items_per_second:.1}") } else { count(items_per_second as u64, 9) }
}

/// A time in the largest units that matter: `1h 05m`.
fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h {:02}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d {:02}h", seconds / 86400, seconds / 3600 % 24),
    }
}

/// Draws a text on the terminal over the last one, which had this many lines; returns its number of lines.
pub(crate) fn redraw(text: &str, lines: usize) -> io::Result<usize> {
    let mut out = io::stdout().lock();
    if lines > 0 {
        write!(out, "\x1b[{lines}A\r\x1b[J")?;
    }
    write!(out, "{text}")?;
    out.flush()?;
    Ok(text.lines().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_table_has_a_line_for_every_job_and_worker() {
        let state = serde_json::from_value(json!({
            "kind": "self-play", "version": "1", "host": "desk", "process": 7, "run": "r", "phase": "running",
            "first": 0, "end": 10_000, "done": 2_500, "open_chunks": 4, "aside": 0, "refused": 0, "repeated": 0,
            "items_per_second": 100.0, "began": 0, "written": 0,
        }));
        let state = state.expect("a campaign");
        let campaign = NamedCampaign { task: "3fa9".repeat(16), state, seconds_left: Some(75.0) };
        let state = serde_json::from_value(json!({
            "host": "desk", "process": 8, "version": "1", "threads": 4, "busy": 3, "chunks": 12, "items": 2_500,
            "failures": 0, "refused": 0, "items_per_second": 99.5, "began": 0,
        }));
        let state = state.expect("a worker");
        let workers = vec![NamedWorker { worker: "desk-1".into(), state }];
        let text = status(&FarmStatus { workers, campaigns: vec![campaign], queued_chunks: 4, aside: 0 });
        let expected = "\
1 worker with 4 threads, 3 busy; 4 chunks queued; 0 set aside

job           kind            state                  items done     per s      left failed  submitted by
3fa93fa93fa9  self-play       running           2,500 of 10,000     100.0    1m 15s      0  7 on desk

worker                           threads  busy    chunks        items     per s failed  version
desk-1                                 4     3        12        2,500      99.5      0  1
";
        assert_eq!(text, expected);
        assert_eq!(
            (duration(5.0), duration(7300.0), duration(200_000.0)),
            ("5s".into(), "2h 01m".into(), "2d 07h".into())
        );
    }

    #[test]
    fn large_numbers_are_shortened_to_the_width_of_their_column() {
        for (number, width, expected) in [
            (0, 6, "0"),
            (999_999, 9, "999,999"),
            (9_999_999, 9, "9,999,999"),
            (10_000_000, 9, "10,000k"),
            (farm::state::MAX_COUNT, 9, "1,099G"),
            (farm::state::MAX_COUNT, 12, "1,099,511M"),
            (farm::state::MAX_COUNT, 6, "1,099G"),
        ] {
            assert_eq!(count(number, width), expected);
        }
        let rates = [0.04, 99.95, 999_999.4, farm::state::MAX_RATE].map(rate);
        assert_eq!(rates, ["0.0", "100.0", "999999.4", "1,000M"].map(str::to_owned));
    }
}
