//! Texts in lines of a given width: broken between words, and between moves.

use report::columns;

use crate::wrapping;

/// The text in lines that are no longer than this, broken between words. A longer word has a line of its own.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrapping::wrapped(text, Some(width), 0).lines().map(str::to_owned).collect()
}

/// The names of the squares of a transcript.
pub(crate) fn moves(line: &str) -> Vec<&str> {
    let starts: Vec<_> =
        line.char_indices().filter(|(_, symbol)| symbol.is_alphabetic()).map(|(index, _)| index).collect();
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &line[start..end]).collect()
}

/// The moves of a transcript with spaces between them, as many as fit: none is cut.
pub(crate) fn fitting_moves(line: &str, width: usize) -> String {
    let mut text = String::new();
    for name in moves(line) {
        let space = usize::from(!text.is_empty());
        if text.len() + space + name.len() > width {
            break;
        }
        if space > 0 {
            text.push(' ');
        }
        text += name;
    }
    text
}

/// As much of a text as fits into a line; dots mark that something was left out.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    columns::shortened(text, width, "...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_a_list_of_squares() {
        assert_eq!(moves("f5d6a10c3"), ["f5", "d6", "a10", "c3"]);
        assert_eq!(moves(""), [""; 0]);
    }

    #[test]
    fn no_move_is_cut_whatever_the_width() {
        assert_eq!(fitting_moves("f5d6a10c3", 8), "f5 d6");
        assert_eq!(fitting_moves("f5d6a10c3", 9), "f5 d6 a10");
        for width in 0..20 {
            let text = fitting_moves("f5d6a10c3", width);
            assert!(text.len() <= width && "f5 d6 a10 c3".starts_with(&text), "{text}");
            assert!(text.split_whitespace().all(|name| ["f5", "d6", "a10", "c3"].contains(&name)), "{text}");
        }
    }

    #[test]
    fn texts_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("", 7), [""; 0]);
        assert_eq!(shortened("emilia 8 played g6", 12), "emilia 8 ...");
        assert_eq!(shortened("emilia", 6), "emilia");
    }
}
