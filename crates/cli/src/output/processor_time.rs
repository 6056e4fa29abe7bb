//! The processor time of this process.

use std::fs;
use std::time::Duration;

/// The clock ticks per second in `/proc`, the same on all machines.
const TICKS: u64 = 100;

/// The processor time that all threads have used so far, in user mode; `None` on systems that do not say.
pub(crate) fn so_far() -> Option<Duration> {
    user_time(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The user time in the text of `/proc/self/stat`: the fourteenth field. The second, the name of the program in
/// parentheses, may contain spaces.
fn user_time(text: &str) -> Option<Duration> {
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: u64 = fields.split_whitespace().nth(11)?.parse().ok()?;
    Some(Duration::from_millis(ticks.checked_mul(1000)? / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_time_is_the_fourteenth_field_whatever_the_name_of_the_program() {
        let text = "4242 (a) b) S 1 2 3 4 5 6 7 8 9 10 1234 56 0 0";
        assert_eq!(user_time(text), Some(Duration::from_millis(12_340)));
        for text in ["", "1 (x)", "1 (x) S 1 2 3 4 5 6 7 8 9 10 soon"] {
            assert_eq!(user_time(text), None, "{text:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_processor_time_of_a_busy_process_grows() {
        let start = so_far().expect("a time");
        let mut sum = 0u64;
        while so_far().expect("a time") == start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
