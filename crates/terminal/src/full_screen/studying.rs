//! Keys while the analysis of the game is shown.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use session::{AnalysisView, Event, Step};

use crate::full_screen::prompt::{Prompt, Purpose};
use crate::full_screen::screen::{Form, Screen, Wish, key_name};

impl Screen {
    /// Takes a key while the analysis is shown.
    pub(super) fn key_in_analysis(&mut self, key: KeyEvent) -> Vec<Wish> {
        let Some(analysis) = &self.view.analysis else {
            self.form = Form::Game;
            return Vec::new();
        };
        self.message = None;
        let event = match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('x' | 'q') => {
                self.form = Form::Game;
                return Vec::new();
            }
            KeyCode::F(1) | KeyCode::Char('?') => {
                self.form = Form::Help(0);
                return Vec::new();
            }
            KeyCode::Char('r') => {
                let file = if self.saved_file.is_empty() { &self.loaded_file } else { &self.saved_file };
                let name = file.rsplit_once('.').map_or("game", |(name, _)| name);
                self.form = Form::Prompt(Prompt::new(Purpose::Report, &format!("{name}.html")));
                return Vec::new();
            }
            KeyCode::Char('v') => {
                self.perspective = self.perspective.other();
                return Vec::new();
            }
            KeyCode::Up | KeyCode::Down => match self.mistake_beside(analysis, key.code == KeyCode::Down) {
                Some(number) => Event::ShowMove { number },
                None => return Vec::new(),
            },
            KeyCode::Left | KeyCode::PageUp | KeyCode::Char('<' | ',') => Event::Go { step: Step::Back },
            KeyCode::Right | KeyCode::PageDown | KeyCode::Char('>' | '.') => Event::Go { step: Step::Forward },
            KeyCode::Home => Event::Go { step: Step::ToStart },
            KeyCode::End => Event::Go { step: Step::ToEnd },
            KeyCode::Char(' ') if analysis.is_running => Event::StopAnalysis,
            KeyCode::Char(' ') => Event::Analyze { level: None },
            _ => {
                self.refuse_key(&key_name(key));
                return Vec::new();
            }
        };
        vec![Wish::Event(event)]
    }

    /// The mistake before or after the move that is shown; from elsewhere, the first or the last.
    fn mistake_beside(&self, analysis: &AnalysisView, is_next: bool) -> Option<usize> {
        let numbers: Vec<_> = analysis.mistakes().map(|judged| judged.number).collect();
        let shown = analysis.next.unwrap_or(self.view.move_count + 1);
        if is_next {
            numbers.iter().copied().find(|&number| number > shown).or(numbers.last().copied())
        } else {
            numbers.iter().rev().copied().find(|&number| number < shown).or(numbers.first().copied())
        }
    }
}
