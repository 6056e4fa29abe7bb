//! Expected output with wildcards: a line `...` matches any number of lines, and `…` within a line any text.

/// Whether a text matches the expected lines. Blanks at the ends of lines and empty lines at the end do not count.
pub(crate) fn matches_text(expected: &[String], text: &str) -> bool {
    let lines = |lines: Vec<&str>| -> Vec<String> {
        let mut lines: Vec<_> = lines.into_iter().map(|line| line.trim_end().to_owned()).collect();
        lines.truncate(lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
        lines
    };
    matches(&lines(expected.iter().map(String::as_str).collect()), &lines(text.lines().collect()))
}

fn matches(expected: &[String], lines: &[String]) -> bool {
    match (expected, lines) {
        ([], []) => true,
        ([any, rest @ ..], _) if any == "..." => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        ([line, expected @ ..], [text, lines @ ..]) => line_matches(line, text) && matches(expected, lines),
        _ => false,
    }
}

fn line_matches(expected: &str, line: &str) -> bool {
    let Some((before, after)) = expected.split_once('…') else { return expected == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    rest.char_indices().map(|(index, _)| index).chain([rest.len()]).any(|index| line_matches(after, &rest[index..]))
}
