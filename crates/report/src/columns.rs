//! Texts in columns of a terminal, by their width there: Chinese, Japanese and Korean characters take two columns, and
//! characters that combine with the one before take none.
//!
//! ```
//! use report::columns::{left_aligned, shortened, width};
//!
//! assert_eq!((width("Ann"), width("為則英司")), (3, 8));
//! assert_eq!(left_aligned("為則", 6), "為則  ");
//! assert_eq!(shortened("為則英司", 6, "…"), "為則…");
//! ```

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Joins the characters beside it to a single one.
const JOINER: char = '\u{200d}';

/// Number of columns of a text. Escapes that color it take none.
pub fn width(text: &str) -> usize {
    if !text.contains('\x1b') {
        return text.width();
    }
    let mut is_escape = false;
    let is_shown = |symbol: &char| {
        let was_escape = is_escape;
        is_escape = *symbol == '\x1b' || is_escape && *symbol != 'm';
        !is_escape && !was_escape
    };
    text.chars().filter(is_shown).collect::<String>().width()
}

/// The text, followed by as many spaces as it takes to fill this many columns.
pub fn left_aligned(text: &str, columns: usize) -> String {
    format!("{text}{}", spaces(text, columns))
}

/// The text after as many spaces as it takes to fill this many columns.
pub fn right_aligned(text: &str, columns: usize) -> String {
    format!("{}{text}", spaces(text, columns))
}

fn spaces(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}

/// The part of the text that fits into this many columns; `mark` shows that it was cut.
pub fn shortened(text: &str, columns: usize, mark: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = beginning(mark, columns);
    format!("{}{mark}", beginning(text, columns - width(mark)))
}

/// The longest beginning of a text without escapes that fits into this many columns.
pub fn beginning(text: &str, columns: usize) -> &str {
    &text[..fitting(clusters(text).iter(), columns)]
}

/// The longest end of a text without escapes that fits into this many columns.
pub fn end(text: &str, columns: usize) -> &str {
    &text[text.len() - fitting(clusters(text).iter().rev(), columns)..]
}

/// The number of bytes of the first clusters that fit together.
fn fitting<'a>(clusters: impl Iterator<Item = &'a &'a str>, columns: usize) -> usize {
    let (mut used, mut bytes) = (0, 0);
    for cluster in clusters {
        used += cluster.width();
        if used > columns {
            break;
        }
        bytes += cluster.len();
    }
    bytes
}

/// The text in parts that are not cut: a character with those that combine with it.
fn clusters(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut is_joined = false;
    for (index, symbol) in text.char_indices() {
        let combines = symbol.width() == Some(0) || is_joined;
        if !combines || index == 0 {
            starts.push(index);
        }
        is_joined = symbol == JOINER;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with their widths by Unicode Standard Annex #11: wide and fullwidth characters take two columns.
    const WIDTHS: [(&str, usize); 10] = [
        ("", 0),
        ("Tamenori", 8),
        ("為則英司", 8),
        ("村上 健", 7),
        ("이재현", 6),
        ("Ａ１", 4),
        ("ｵｾﾛ", 3),
        // Combining characters.
        ("Z\u{30c}ofie", 5),
        ("か\u{3099}", 2),
        // A person, joined of two characters.
        ("👩\u{200d}🔬", 2),
    ];

    #[test]
    fn wide_characters_take_two_columns_and_combining_ones_none() {
        for (text, columns) in WIDTHS {
            assert_eq!(width(text), columns, "{text}");
            assert_eq!(width(&format!("\x1b[1;36m{text}\x1b[0m")), columns, "{text}");
            for space in 0..12 {
                assert_eq!(width(&left_aligned(text, space)), columns.max(space), "{text}");
                assert_eq!(width(&right_aligned(text, space)), columns.max(space), "{text}");
            }
        }
        assert_eq!(right_aligned("健", 4), "  健");
    }

    #[test]
    fn a_text_is_cut_between_characters_and_is_never_wider_than_its_place() {
        for (text, columns) in WIDTHS {
            for space in 0..12 {
                let (cut, first, last) = (shortened(text, space, "..."), beginning(text, space), end(text, space));
                assert!(width(&cut) <= space && width(first) <= space && width(last) <= space, "{text} in {space}");
                // A wide character may leave one column empty, but not two.
                let least = columns.min(space.saturating_sub(1));
                assert!(width(first) >= least && width(last) >= least, "{text} in {space}: {first:?} {last:?}");
                assert!(text.starts_with(first) && text.ends_with(last), "{text}");
                assert!(columns > space || cut == text, "{text} in {space}: {cut}");
            }
        }
        assert_eq!(shortened("為則英司", 7, "..."), "為則...");
        assert_eq!(shortened("為則英司", 6, "..."), "為...");
        assert_eq!(shortened("Z\u{30c}ofie", 4, "…"), "Z\u{30c}of…");
        assert_eq!((beginning("Z\u{30c}o", 1), end("oZ\u{30c}", 1)), ("Z\u{30c}", "Z\u{30c}"));
        assert_eq!((beginning("👩\u{200d}🔬!", 2), beginning("👩\u{200d}🔬!", 1)), ("👩\u{200d}🔬", ""));
    }
}
