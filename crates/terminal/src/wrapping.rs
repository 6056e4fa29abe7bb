//! Texts in lines of a given width: wrapped between words, and between moves.

use std::io::IsTerminal;

use othello::{Rules, Square};
use ratatui::crossterm::terminal;

use report::columns::{self as text_columns, width};
use report::words;

/// The width of the terminal of a stream; `None` for files and pipes, whose lines are never wrapped.
pub fn columns(stream: &impl IsTerminal) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    terminal::size().ok().map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
}

/// A line wrapped between words to this many columns; the lines after the first are indented.
///
/// A word that is too long for a line is not broken.
pub fn wrapped(line: &str, columns: Option<usize>, indent: usize) -> String {
    let Some(columns) = columns.filter(|&columns| columns > indent && width(line) > columns) else {
        return line.to_owned();
    };
    let mut text = String::new();
    let mut used = 0;
    let mut is_line_empty = true;
    for word in line.split_inclusive(' ') {
        let bare = width(word.trim_end_matches(' '));
        if used + bare > columns && !is_line_empty {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            used = indent;
            is_line_empty = true;
        }
        // Spaces between columns are dropped at the beginning of a line.
        if is_line_empty && bare == 0 && !text.is_empty() {
            continue;
        }
        is_line_empty = false;
        text.push_str(word);
        used += width(word);
    }
    text
}

/// A sequence of moves, wrapped between moves to this many columns, some of which are already used; the lines after the
/// first are indented.
pub fn wrapped_moves<B: Rules>(moves: &[Square], columns: Option<usize>, used: usize, indent: usize) -> String {
    let Some(columns) = columns.filter(|&columns| columns > indent + 8) else { return words::names::<B>(moves) };
    let mut text = String::new();
    let mut used = used;
    for &square in moves {
        let name = B::GEOMETRY.square_name(square);
        if used + name.len() > columns && used > indent {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        }
        used += name.len();
        text.push_str(&name);
    }
    text
}

/// The text in lines that are no longer than this, broken between words. A longer word has a separate line.
pub(crate) fn wrapped_lines(text: &str, width: usize) -> Vec<String> {
    wrapped(text, Some(width), 0).lines().map(str::to_owned).collect()
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
    text_columns::shortened(text, width, "...")
}

#[cfg(test)]
mod tests {
    use othello::Board;

    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_only_on_a_terminal() {
        let line = "iago-1980   the final of 1980, as IAGO saw it";
        assert_eq!(wrapped(line, None, 12), line);
        assert_eq!(wrapped(line, Some(45), 12), line);
        let expected = "iago-1980   the final of\n            1980, as IAGO\n            saw it";
        assert_eq!(wrapped(line, Some(25), 12), expected);
        assert_eq!(wrapped("a      b      c", Some(6), 1), "a\n b\n c");
        assert_eq!(wrapped("a supercalifragilistic word", Some(10), 2), "a\n  supercalifragilistic\n  word");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrapped("為則英司 対 村上健", Some(11), 0), "為則英司 対\n村上健");
        assert_eq!(wrapped("為則英司 対 村上健", Some(10), 0), "為則英司\n対 村上健");
    }

    #[test]
    fn escapes_take_no_columns() {
        assert_eq!(wrapped("\x1b[2mone two\x1b[0m", Some(7), 0), "\x1b[2mone two\x1b[0m");
        assert_eq!(wrapped("\x1b[2mone two\x1b[0m", Some(6), 1), "\x1b[2mone\n two\x1b[0m");
    }

    #[test]
    fn moves_are_broken_between_moves() {
        let moves = ["f5", "d6", "c3", "d3", "c4", "f4", "e3"].map(|name| name.parse().expect("a square"));
        assert_eq!(wrapped_moves::<Board>(&moves, None, 3, 1), "f5d6c3d3c4f4e3");
        assert_eq!(wrapped_moves::<Board>(&moves, Some(10), 3, 1), "f5d6c3\n d3c4f4e3");
    }

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
        assert_eq!(wrapped_lines("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped_lines("", 7), [""; 0]);
        assert_eq!(shortened("emilia 8 played g6", 12), "emilia 8 ...");
        assert_eq!(shortened("emilia", 6), "emilia");
    }
}
