//! The warning before a position is solved that takes long.

use engine::SearchCost;
use othello::{Board, Rules, SquareSet};

use crate::output::{self, counted};

/// Shorter searches need no warning.
const LONG: f64 = 600.0;

/// Warns on standard error if the position can be expected to take more than ten minutes.
pub(crate) fn warn<B: Rules>(board: &B, threads: u16) {
    // The effort was measured on the standard board.
    if B::GEOMETRY != Board::GEOMETRY || board.is_over() {
        return;
    }
    let empties = board.empties().count();
    let seconds = SearchCost::default().seconds_to_solve(empties, threads);
    if seconds > LONG {
        let threads = counted(threads.into(), "thread");
        output::warn(&format!(
            "a position with {empties} empty squares takes about {} on {threads}, by a rough estimate; Ctrl-C stops and \
             prints what was found so far, and emilia hint shows good moves at once",
            in_words(seconds)
        ));
    }
}

/// A span of time with one or two digits: `20 minutes`, `3 million years`.
fn in_words(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    const YEAR: f64 = 365.25 * DAY;
    let units = [
        (1e9 * YEAR, "billion years"),
        (1e6 * YEAR, "million years"),
        (1e3 * YEAR, "thousand years"),
        (YEAR, "years"),
        (DAY, "days"),
        (HOUR, "hours"),
        (MINUTE, "minutes"),
    ];
    // Two of a unit are more telling than one of the next.
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit).unwrap_or((MINUTE, "minutes"));
    let count = seconds / unit;
    let digits = 10_f64.powf((count.log10().floor() - 1.0).max(0.0));
    format!("{} {name}", output::grouped(((count / digits).round() * digits) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_digits_and_the_largest_unit_of_which_there_are_two() {
        let year = 365.25 * 86400.0;
        for (seconds, words) in [
            (601.0, "10 minutes"),
            (119.0 * 60.0, "120 minutes"),
            (121.0 * 60.0, "2 hours"),
            (47.0 * 3600.0, "47 hours"),
            (20.0 * 86400.0, "20 days"),
            (1999.0 * year, "2,000 years"),
            (123_456.0 * year, "120 thousand years"),
            (8.7e6 * year, "9 million years"),
            (5e12 * year, "5,000 billion years"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
