//! Texts that are typed or pasted: names of files, boards, games.

use std::path::PathBuf;

use othello::records::GameRecord;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::output::counted;
use crate::registry::PlayableBoard;
use crate::screen::editor::Editor;
use crate::screen::event::Order;
use crate::screen::prompt::{Prompt, Purpose};
use crate::screen::state::{Screen, View};

impl<B: PlayableBoard> Screen<B> {
    /// Takes a key of a text that is typed.
    pub(super) fn key_in_prompt(&mut self, key: KeyEvent) -> Vec<Order<B>> {
        let View::Prompt(prompt, editor) = &mut self.view else { return Vec::new() };
        match key.code {
            KeyCode::Esc => match editor.take() {
                Some(editor) => {
                    self.view = View::SetUp(editor);
                    Vec::new()
                }
                None => self.back_to_game("Nothing was done."),
            },
            KeyCode::Tab if prompt.purpose != Purpose::Paste => vec![Order::Complete(prompt.line.text())],
            KeyCode::Enter => self.answer(),
            _ => {
                if prompt.line.edit(key) {
                    prompt.complaint = None;
                    prompt.candidates.clear();
                }
                Vec::new()
            }
        }
    }

    /// Takes the answer of the prompt.
    fn answer(&mut self) -> Vec<Order<B>> {
        let View::Prompt(prompt, _) = &mut self.view else { return Vec::new() };
        let text = prompt.line.text().trim().to_owned();
        if prompt.purpose == Purpose::Paste {
            return self.take_text(&text);
        }
        if text.is_empty() {
            prompt.complaint = Some("no file is named; expected a name such as game.sgf".to_owned());
            return Vec::new();
        }
        let purpose = prompt.purpose;
        self.file.clone_from(&text);
        if purpose == Purpose::Save {
            let record = Box::new(self.table.record());
            return vec![Order::Save { path: PathBuf::from(text), record, overwrite: false }];
        }
        // The number of a game of a database stands behind its name.
        let (name, number) = match text.rsplit_once('#') {
            Some((name, number)) => (name, number.parse().ok()),
            None => (text.as_str(), None),
        };
        vec![match number {
            Some(number) => Order::Load(PathBuf::from(name), number),
            None => Order::Load(PathBuf::from(&text), 1),
        }]
    }

    /// Takes a position or a game that was typed or pasted.
    fn take_text(&mut self, text: &str) -> Vec<Order<B>> {
        let (view, message) = (std::mem::replace(&mut self.view, View::Game), self.message.take());
        let (mut editor, prompt) = match view {
            View::Prompt(prompt, editor) => (editor, Some(prompt)),
            View::SetUp(editor) => (Some(editor), None),
            other => {
                self.view = other;
                self.message = message;
                return Vec::new();
            }
        };
        let mut place = editor.take().unwrap_or_else(|| Editor::new(&self.table.game().position(), self.cursor));
        match place.take_text(text) {
            Ok(None) => {
                self.view = View::SetUp(place);
                Vec::new()
            }
            Ok(Some(game)) => {
                let count = game.move_count() as u64;
                self.message = Some(format!("A game of {}.", counted(count, "move")));
                self.put_on_table(|table| table.load(GameRecord::new(game)))
            }
            Err(reason) => {
                let mut prompt = prompt.unwrap_or_else(|| Prompt::new(Purpose::Paste, text));
                prompt.complaint = Some(reason);
                self.view = View::Prompt(prompt, Some(place));
                Vec::new()
            }
        }
    }

    /// Takes a text that was pasted.
    pub(super) fn paste(&mut self, text: &str) -> Vec<Order<B>> {
        match &mut self.view {
            View::SetUp(_) => return self.take_text(text),
            View::Prompt(prompt, _) => {
                prompt.line.insert(text);
                prompt.complaint = None;
            }
            View::Opponent(choice) => choice.paste(text),
            View::NewGame(form) => form.clock.insert(text),
            View::Game => self.view = View::Prompt(Prompt::new(Purpose::Paste, text), None),
            View::Help(_) | View::Question(_) => {}
        }
        Vec::new()
    }
}
