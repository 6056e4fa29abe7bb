//! Figures, names and foreign texts as they are shown.

use othello::{Rules, Square};
pub use records::printable::printable;

/// A number with commas between its groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The names of squares one after the other.
pub fn names<B: Rules>(squares: &[Square]) -> String {
    squares.iter().map(|&square| B::GEOMETRY.square_name(square)).collect()
}

/// A chance in whole percent; only impossible and certain results are 0% and 100%.
pub fn percent(chance: f64) -> String {
    let rounded = (100.0 * chance).round();
    let is_open = chance > 0.0 && chance < 1.0;
    format!("{:.0}%", if is_open { rounded.clamp(1.0, 99.0) } else { rounded })
}

/// A count with its noun: `1 game`, `2 games`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A text without the numbers that Rust adds to errors of the operating system: ` (os error 2)`.
pub fn without_error_numbers(text: &str) -> String {
    const START: &str = " (os error ";
    let mut parts = text.split(START);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain.push_str(rest),
            _ => plain.extend([START, part]),
        }
    }
    plain
}

/// An error with its causes in one sentence, without a cause that the error names itself.
pub fn sentence(error: &dyn std::error::Error) -> String {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Libraries may have named the cause themselves.
        if !sentence.ends_with(&text) {
            sentence = format!("{sentence}: {text}");
        }
        cause = error.source();
    }
    without_error_numbers(&sentence)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn only_what_is_sure_is_none_or_all() {
        let shown = [0.0, 1e-9, 0.5, 0.544, 0.9999, 1.0].map(percent);
        assert_eq!(shown, ["0%", "1%", "50%", "54%", "99%", "100%"]);
    }

    #[test]
    fn digits_are_grouped_by_three_from_the_right() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(24_571_284), "24,571,284");
    }

    #[test]
    fn a_cause_is_named_once() {
        #[derive(Debug)]
        struct Talkative {
            source: io::Error,
        }
        impl std::fmt::Display for Talkative {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "cannot use a.store: {}", self.source)
            }
        }
        impl std::error::Error for Talkative {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.source)
            }
        }
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        assert_eq!(sentence(&Talkative { source: missing() }), "cannot use a.store: no such file");
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read b.store")]
        struct Silent(#[source] io::Error);
        assert_eq!(sentence(&Silent(missing())), "cannot read b.store: no such file");
        let numbered = io::Error::from_raw_os_error(2);
        let words = numbered.to_string();
        let words = words.strip_suffix(" (os error 2)").expect("a number");
        assert_eq!(sentence(&Silent(numbered)), format!("cannot read b.store: {words}"));
    }

    #[test]
    fn numbers_of_errors_are_left_out_wherever_they_are() {
        for (text, plain) in [
            ("cannot read a: denied (os error 13)", "cannot read a: denied"),
            ("a: denied (os error 13); b: gone (os error 2), too", "a: denied; b: gone, too"),
            ("a (os error -) b (os error 7", "a (os error -) b (os error 7"),
            ("", ""),
        ] {
            assert_eq!(without_error_numbers(text), plain);
        }
    }
}
