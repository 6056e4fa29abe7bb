//! Texts that are typed or pasted: names of files, boards, games.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use session::Event;

use crate::full_screen::prompt::{Prompt, Purpose};
use crate::full_screen::screen::{Form, Screen, Wish};

/// The name of a file, and the number of a game in it, which may stand behind the name: `FILE#3`.
pub(crate) fn numbered(text: &str) -> (&str, usize) {
    let numbered = text.rsplit_once('#').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    numbered.unwrap_or((text, 1))
}

impl Screen {
    /// Takes a key of a text that is typed.
    pub(super) fn key_in_prompt(&mut self, key: KeyEvent) -> Vec<Wish> {
        let Form::Prompt(prompt) = &mut self.form else { return Vec::new() };
        match key.code {
            KeyCode::Esc if self.view.set_up.is_some() => {
                self.form = Form::SetUp;
                Vec::new()
            }
            KeyCode::Esc if prompt.purpose == Purpose::Report => {
                self.form = Form::Analysis;
                Vec::new()
            }
            KeyCode::Esc => {
                let message = match prompt.purpose {
                    Purpose::Save => "Nothing was saved.",
                    Purpose::Load => "Nothing was loaded.",
                    Purpose::Paste | Purpose::Report => "Nothing was changed.",
                };
                self.back_to_game(message)
            }
            KeyCode::Tab if prompt.purpose != Purpose::Paste => vec![Wish::Complete(prompt.line.text())],
            KeyCode::Enter => self.answer().into_iter().map(Wish::Event).collect(),
            _ => {
                if prompt.line.edit(key) {
                    prompt.error = None;
                    prompt.candidates.clear();
                }
                Vec::new()
            }
        }
    }

    /// The event of an answer to the prompt.
    fn answer(&mut self) -> Option<Event> {
        let Form::Prompt(prompt) = &mut self.form else { return None };
        let text = prompt.line.text().trim().to_owned();
        if prompt.purpose == Purpose::Paste {
            // The session takes it, or has it typed again.
            self.form = Form::Game;
            return Some(Event::Paste { text });
        }
        if text.is_empty() {
            let expected = match prompt.purpose {
                Purpose::Save => "a name to save the game as, such as game.sgf",
                Purpose::Load => "the name of a file with games, such as game.sgf, or an opening such as tiger",
                Purpose::Paste | Purpose::Report => "a name such as game.html",
            };
            prompt.error = Some(format!("no name given; expected {expected}"));
            return None;
        }
        if prompt.purpose == Purpose::Report {
            return Some(Event::WriteReport { path: PathBuf::from(text), overwrite: false });
        }
        if prompt.purpose == Purpose::Save {
            self.saved_file.clone_from(&text);
            return Some(Event::Save { path: PathBuf::from(text), overwrite: false });
        }
        self.loaded_file.clone_from(&text);
        let (name, number) = numbered(&text);
        Some(Event::Load { path: PathBuf::from(name), number })
    }

    /// Takes a text that was pasted.
    pub(super) fn paste(&mut self, text: &str) -> Vec<Wish> {
        match &mut self.form {
            Form::SetUp => return vec![Wish::Event(Event::Paste { text: text.to_owned() })],
            Form::Prompt(prompt) => prompt.insert(text),
            Form::Opponent(choice) => choice.paste(text),
            Form::NewGame(form) => form.clock.insert(text),
            Form::Game => self.form = Form::Prompt(Prompt::new(Purpose::Paste, text)),
            Form::Help(_) | Form::Analysis | Form::Leave | Form::Overwrite { .. } => {}
        }
        Vec::new()
    }
}
