//! Whether results differ by more than chance.

use arena::{Interval, Tally};

/// The result of the paper's match between BILL 3.0 and BILL 2.0 (Table 2): won, drawn, lost.
pub const PAPER: [u64; 3] = [139, 6, 55];

/// The standard deviations on either side of the mean that 95% of a normal distribution lie within.
const DEVIATIONS: f64 = 1.96;

/// The share of the points in games whose pairs are not known, as if all were independent.
pub fn score_of_games([won, drawn, lost]: [u64; 3]) -> Interval {
    let games = (won + drawn + lost).max(1) as f64;
    let value = (won as f64 + 0.5 * drawn as f64) / games;
    let variance = (won as f64 + 0.25 * drawn as f64) / games - value * value;
    let margin = DEVIATIONS * (variance.max(0.0) / games).sqrt();
    Interval { low: value - margin, value, high: value + margin }
}

/// The share of the points in a match; nothing is known about one without games.
pub fn score(tally: &Tally) -> Interval {
    tally.pairs.score().unwrap_or(Interval { low: 0.0, value: 0.5, high: 1.0 })
}

/// By how much a share of points is higher than another, from different games.
pub fn difference(one: Interval, other: Interval) -> Interval {
    let below = (one.value - one.low).hypot(other.high - other.value);
    let above = (one.high - one.value).hypot(other.value - other.low);
    let value = one.value - other.value;
    Interval { low: value - below, value, high: value + above }
}

/// Whether a difference is more than chance.
pub fn is_significant(difference: Interval) -> bool {
    difference.low > 0.0 || difference.high < 0.0
}

/// A difference in percentage points: `+5.5 (-3.1 to +14.1)`.
pub fn points(difference: Interval) -> String {
    // Avoids a negative zero.
    let [value, low, high] =
        [difference.value, difference.low, difference.high].map(|share| (1000.0 * share).round() / 10.0 + 0.0);
    format!("{value:+.1} ({low:+.1} to {high:+.1})")
}

/// Names as a list in a sentence.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_significant_if_its_interval_does_not_include_zero() {
        // 139 + 3 of 200 points; the variance of a game is 0.7025 - 0.71².
        let paper = score_of_games(PAPER);
        assert!((paper.value - 0.71).abs() < 1e-12 && (paper.high - paper.value - 0.0617).abs() < 1e-3, "{paper:?}");
        let of = |value: f64| Interval { low: value - 0.03, value, high: value + 0.04 };
        let found = difference(of(0.6), of(0.5));
        assert!((found.low - 0.05).abs() < 1e-12 && (found.high - 0.15).abs() < 1e-12, "{found:?}");
        assert!(is_significant(found) && is_significant(difference(of(0.5), of(0.6))));
        assert!(!is_significant(difference(of(0.5), of(0.54))));
        assert_eq!(points(found), "+10.0 (+5.0 to +15.0)");
    }

    #[test]
    fn lists_read_like_a_sentence() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([&names[..0], &names[..1], &names].map(listed), ["none", "a", "a, b and c"]);
    }
}
