//! Whole numbers on the command line: every option says in the same words which numbers are allowed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub(crate) trait Whole: FromStr + PartialOrd + Copy + Display + Send + Sync + 'static {
    /// The largest number of the type, which stands for no limit.
    const MAX: Self;
}

macro_rules! whole {
    ($($name:ty)*) => {
        $(impl Whole for $name {
            const MAX: Self = <$name>::MAX;
        })*
    };
}

whole!(u8 u16 u32 u64 usize i32);

pub(crate) fn number<T: Whole>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let found = text.parse().ok().filter(|number| range.contains(number));
        found.ok_or_else(|| format!("not a number {}: {text:?}", allowed(&range, text)))
    }
}

pub(crate) fn any_number(text: &str) -> Result<u64, String> {
    number(0..=u64::MAX)(text)
}

/// Reads a number or a range such as 6-12, with bounds that are allowed.
pub(crate) fn parse_range<T: Whole>(text: &str, allowed: RangeInclusive<T>) -> Option<RangeInclusive<T>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let bound = |text: &str| text.trim().parse().ok().filter(|bound| allowed.contains(bound));
    Some(bound(low)?..=bound(high)?).filter(|range| !range.is_empty())
}

/// The numbers that are allowed, in words; a limit of the type is only named to a text that exceeds it.
fn allowed<T: Whole>(range: &RangeInclusive<T>, text: &str) -> String {
    let (low, high) = (range.start(), range.end());
    let is_too_large = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<T>().is_err();
    if *high == T::MAX && !is_too_large { format!("of {low} or more") } else { format!("from {low} to {high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_number_of_the_range_is_quoted_with_the_range() {
        let threads = number::<u16>(1..=256);
        for (text, expected) in [
            ("1", Ok(1)),
            ("256", Ok(256)),
            ("0", Err("not a number from 1 to 256: \"0\"")),
            ("257", Err("not a number from 1 to 256: \"257\"")),
            ("-1", Err("not a number from 1 to 256: \"-1\"")),
            ("many", Err("not a number from 1 to 256: \"many\"")),
            ("", Err("not a number from 1 to 256: \"\"")),
            ("99999999999999999999", Err("not a number from 1 to 256: \"99999999999999999999\"")),
        ] {
            assert_eq!(threads(text), expected.map_err(str::to_owned), "{text:?}");
        }
    }

    #[test]
    fn a_limit_of_the_type_is_only_named_where_it_is_exceeded() {
        let count = number(1..=u32::MAX);
        assert_eq!(count("0"), Err("not a number of 1 or more: \"0\"".to_owned()));
        assert_eq!(count("x"), Err("not a number of 1 or more: \"x\"".to_owned()));
        assert_eq!(count("4294967296"), Err("not a number from 1 to 4294967295: \"4294967296\"".to_owned()));
        assert_eq!(any_number("-1"), Err("not a number of 0 or more: \"-1\"".to_owned()));
    }
}
