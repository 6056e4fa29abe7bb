//! Text from files and other programs, made safe to show on a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

/// The text made safe to show on one line: control characters, which could control the terminal or break the line,
/// become spaces; bidirectional controls, which could make the text look like another one, are removed.
///
/// ```
/// # use records::printable::printable;
/// assert_eq!(printable("Ann\x1b[31m\nBob"), "Ann [31m Bob");
/// assert_eq!(printable("game\u{202e}fgs.exe"), "gamefgs.exe");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    text.chars().filter_map(|symbol| replacement(symbol, false)).collect()
}

/// Whether a character has no effect other than being shown. JSON escapes the others.
pub fn is_harmless(symbol: char) -> bool {
    !symbol.is_control() && !changes_direction(symbol)
}

/// Whether a character is an explicit bidirectional control (Unicode Standard Annex #9, section 2).
fn changes_direction(symbol: char) -> bool {
    matches!(
        symbol,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// The replacement of a character, if it is shown at all.
fn replacement(symbol: char, keeps_lines: bool) -> Option<char> {
    match symbol {
        '\n' | '\t' if keeps_lines => Some(symbol),
        _ if changes_direction(symbol) => None,
        _ if symbol.is_control() => Some(' '),
        _ => Some(symbol),
    }
}

/// A writer that applies [`printable`] to each line of a multi-line text. Each text must be written in one call.
#[derive(Debug)]
pub(crate) struct PrintableWriter<W>(pub(crate) W);

impl<W: Write> Write for PrintableWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let shown: String = text.chars().filter_map(|symbol| replacement(symbol, true)).collect();
        self.0.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters with the property Bidi_Control in PropList.txt of Unicode 16.
    const BIDI_CONTROL: &str =
        "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";

    #[test]
    fn escapes_and_bidirectional_controls_are_not_shown() {
        assert_eq!(printable("Ann\x1b[31m\nBob\u{9b}2J"), "Ann [31m Bob 2J");
        assert_eq!(printable(&format!("An{BIDI_CONTROL}n")), "Ann");
        assert_eq!(printable("Žofie 為則 עמית"), "Žofie 為則 עמית");
        assert!(BIDI_CONTROL.chars().all(|symbol| !is_harmless(symbol)));
    }

    #[test]
    fn a_writer_keeps_line_breaks_and_no_other_control_characters() {
        let mut shown = Vec::new();
        let mut writer = PrintableWriter(&mut shown);
        writeln!(writer, "(;PB[\x1b[2JAnn]C[a\n\tb\u{9b}\u{202e}]\r)").expect("memory");
        assert_eq!(String::from_utf8(shown).expect("text"), "(;PB[ [2JAnn]C[a\n\tb ] )\n");
    }
}
