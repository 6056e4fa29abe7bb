//! The form of a new game: on which board, with which clock, and which side the person plays.

use othello::BoardShape;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use session::{Event, NewGame, Sides};

use crate::full_screen::prompt::{FormResult, TextLine};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// Which sides the person plays.
    Sides,
    Clock,
    Board,
}

const FIELDS: [Field; 3] = [Field::Sides, Field::Clock, Field::Board];

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NewGameForm {
    pub sides: Sides,
    /// The clock as text; empty for none.
    pub clock: TextLine,
    pub board: BoardShape,
    /// The line that keys are about.
    pub field: Field,
    pub error: Option<String>,
}

impl NewGameForm {
    /// A form filled in as the present game is played.
    pub(crate) fn new(present: &NewGame) -> Self {
        let NewGame { sides, clock, board } = present;
        Self { sides: *sides, clock: TextLine::new(clock), board: *board, field: Field::Sides, error: None }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> FormResult {
        self.error = None;
        match key.code {
            KeyCode::Esc => return FormResult::Cancelled,
            KeyCode::Enter => return FormResult::Done(Event::NewGame(self.new_game())),
            KeyCode::Tab => self.field = neighbour(&FIELDS, &self.field, 1),
            KeyCode::BackTab => self.field = neighbour(&FIELDS, &self.field, -1),
            KeyCode::Down if self.field != Field::Board => self.field = neighbour(&FIELDS, &self.field, 1),
            KeyCode::Up if self.field != Field::Sides => self.field = neighbour(&FIELDS, &self.field, -1),
            _ if self.field == Field::Clock => drop(self.clock.edit(key)),
            KeyCode::Left => self.change(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(1),
            _ => {}
        }
        FormResult::Open
    }

    fn change(&mut self, by: isize) {
        match self.field {
            Field::Sides => self.sides = neighbour(&Sides::ALL, &self.sides, by),
            Field::Board => self.board = neighbour(&BoardShape::ALL, &self.board, by),
            Field::Clock => {}
        }
    }

    fn new_game(&self) -> NewGame {
        NewGame { sides: self.sides, clock: self.clock.text().trim().to_owned(), board: self.board }
    }
}

/// The next or the previous element; after the last one comes the first.
fn neighbour<T: Copy + PartialEq>(all: &[T], present: &T, by: isize) -> T {
    let index = all.iter().position(|element| element == present).unwrap_or(0);
    all[(index as isize + by).rem_euclid(all.len() as isize) as usize]
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyModifiers;

    use super::*;

    fn press(form: &mut NewGameForm, keys: &[KeyCode]) -> FormResult {
        keys.iter().fold(FormResult::Open, |_, &key| form.key(KeyEvent::new(key, KeyModifiers::NONE)))
    }

    #[test]
    fn the_form_begins_as_the_game_is_and_every_line_can_be_changed() {
        let present = NewGame { sides: Sides::Black, clock: "5m+3s".to_owned(), board: BoardShape::Eight };
        let mut form = NewGameForm::new(&present);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), FormResult::Done(Event::NewGame(present)));
        press(&mut form, &[KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Left]);
        assert_eq!((form.sides, form.board), (Sides::White, BoardShape::Cut));
        press(&mut form, &[KeyCode::Up]);
        press(&mut form, &[KeyCode::Backspace; 10]);
        press(&mut form, &[KeyCode::Char('x')]);
        let changed = NewGame { sides: Sides::White, clock: "x".to_owned(), board: BoardShape::Cut };
        assert_eq!(press(&mut form, &[KeyCode::Enter]), FormResult::Done(Event::NewGame(changed)));
        assert_eq!(press(&mut form, &[KeyCode::Esc]), FormResult::Cancelled);
    }
}
