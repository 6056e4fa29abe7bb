//! A line of text that is typed: names of files, boards, players, times.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use session::Event;

/// Maximum length of a typed text; a board of 92 squares with its line breaks fits many times.
const MAX_LENGTH: usize = 4096;

/// Maximum number of names that are shown.
const MAX_NAMES: usize = 100;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TextLine {
    symbols: Vec<char>,
    /// The place of the next symbol.
    cursor: usize,
}

impl TextLine {
    /// A line that begins as this text, to be continued.
    pub(crate) fn new(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    pub(crate) fn text(&self) -> String {
        self.symbols.iter().collect()
    }

    /// The text before and behind the cursor, line breaks as spaces.
    pub(crate) fn parts(&self) -> (String, String) {
        let (before, behind) = self.symbols.split_at(self.cursor);
        let shown = |part: &[char]| part.iter().map(|&symbol| if symbol == '\n' { ' ' } else { symbol }).collect();
        (shown(before), shown(behind))
    }

    /// Adds a text at the cursor; line breaks and other control characters become spaces.
    pub(crate) fn insert(&mut self, text: &str) {
        self.insert_with(text, |symbol| if symbol.is_control() { ' ' } else { symbol });
    }

    /// Adds a text of several lines at the cursor. Other control characters than line breaks become spaces.
    pub(crate) fn insert_lines(&mut self, text: &str) {
        // Terminals send a pasted line break as the key that makes it.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.insert_with(&text, |symbol| if symbol.is_control() && symbol != '\n' { ' ' } else { symbol });
    }

    fn insert_with(&mut self, text: &str, kept: impl Fn(char) -> char) {
        for symbol in text.chars() {
            if self.symbols.len() < MAX_LENGTH {
                self.symbols.insert(self.cursor, kept(symbol));
                self.cursor += 1;
            }
        }
    }

    /// Takes a key that edits; false if it is none.
    pub(crate) fn edit(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => {
                self.symbols.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('w') if control => {
                let before = &self.symbols[..self.cursor];
                let end = before.iter().rposition(|symbol| *symbol != ' ').map_or(0, |last| last + 1);
                let start =
                    before[..end].iter().rposition(|symbol| " /@,".contains(*symbol)).map_or(0, |last| last + 1);
                let start = if start == end { end.saturating_sub(1) } else { start };
                self.symbols.drain(start..self.cursor);
                self.cursor = start;
            }
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.symbols.len(),
            KeyCode::Char(symbol) if !control => self.insert(symbol.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.symbols.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.symbols.len() => drop(self.symbols.remove(self.cursor)),
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.symbols.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.symbols.len(),
            _ => return false,
        }
        true
    }

    /// Continues the line as far as all these texts agree, each of which begins with it.
    pub(crate) fn complete(&mut self, candidates: &[String]) {
        let Some(first) = candidates.first() else { return };
        let mut common: Vec<char> = first.chars().collect();
        for candidate in &candidates[1..] {
            let agreed = common.iter().zip(candidate.chars()).take_while(|(mine, theirs)| **mine == *theirs).count();
            common.truncate(agreed);
        }
        if common.len() >= self.symbols.len() && common.len() <= MAX_LENGTH {
            self.cursor = common.len();
            self.symbols = common;
        }
    }
}

/// The result of a key in a form.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum FormResult {
    Open,
    Cancelled,
    /// The form is filled in; the session may still refuse the event.
    Done(Event),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Save,
    Load,
    /// A board or a game, pasted.
    Paste,
    Report,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prompt {
    pub purpose: Purpose,
    /// The answer so far.
    pub line: TextLine,
    /// The files that fit the typed text.
    pub candidates: Vec<String>,
    pub error: Option<String>,
}

impl Prompt {
    pub(crate) fn new(purpose: Purpose, text: &str) -> Self {
        let mut prompt = Self { purpose, line: TextLine::default(), candidates: Vec::new(), error: None };
        prompt.insert(text);
        prompt
    }

    /// Adds a text that was pasted. A game may have several lines.
    pub(crate) fn insert(&mut self, text: &str) {
        if self.purpose == Purpose::Paste {
            self.line.insert_lines(text)
        } else {
            self.line.insert(text)
        }
        self.error = None;
    }

    /// Continues the line as far as all these names agree, and shows the first of them.
    pub(crate) fn complete(&mut self, mut candidates: Vec<String>) {
        self.line.complete(&candidates);
        candidates.truncate(MAX_NAMES);
        self.candidates = candidates;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &mut TextLine, keys: &[KeyCode]) {
        for &key in keys {
            assert!(line.edit(KeyEvent::new(key, KeyModifiers::NONE)), "{key:?}");
        }
    }

    #[test]
    fn a_line_is_edited_at_its_cursor_whatever_the_alphabet() {
        let mut line = TextLine::new("Žofie");
        typed(&mut line, &[KeyCode::Left, KeyCode::Backspace, KeyCode::Char('為'), KeyCode::Home, KeyCode::Delete]);
        assert_eq!(line.text(), "of為e");
        assert_eq!(line.parts(), (String::new(), "of為e".to_owned()));
        typed(&mut line, &[KeyCode::Backspace, KeyCode::End, KeyCode::Delete, KeyCode::Char('!')]);
        assert_eq!(line.text(), "of為e!");
        line.insert("\n\u{1b}x");
        assert_eq!(line.text(), "of為e!  x");
        assert!(!line.edit(KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE)));
    }

    #[test]
    fn control_keys_wipe_out_words_and_lines() {
        let mut line = TextLine::new("games/old game.txt");
        assert!(line.edit(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL)));
        assert_eq!(line.text(), "games/old ");
        assert!(line.edit(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL)));
        assert_eq!(line.text(), "games/");
        assert!(line.edit(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
        assert_eq!(line.text(), "");
        assert!(line.edit(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL)));
    }

    #[test]
    fn a_name_is_completed_as_far_as_it_is_sure() {
        let mut line = TextLine::new("ga");
        line.complete(&["game1.txt".to_owned(), "game2.txt".to_owned()]);
        assert_eq!(line.text(), "game");
        line.complete(&[]);
        assert_eq!(line.text(), "game");
        line.complete(&["game1.txt".to_owned()]);
        assert_eq!(line.text(), "game1.txt");
        // However many there are: the last of them may differ from all others.
        let mut names: Vec<_> = (100..300).map(|number| format!("game{number}.txt")).collect();
        names.push("garden.txt".to_owned());
        let mut prompt = Prompt::new(Purpose::Load, "g");
        prompt.complete(names);
        assert_eq!((prompt.line.text().as_str(), prompt.candidates.len()), ("ga", MAX_NAMES));
    }

    #[test]
    fn a_line_begins_with_no_more_than_could_be_typed() {
        assert_eq!(TextLine::new("f5\n\u{1b}d6").text(), "f5  d6");
        assert_eq!(TextLine::new(&"x".repeat(MAX_LENGTH + 9)).text().len(), MAX_LENGTH);
    }
}
