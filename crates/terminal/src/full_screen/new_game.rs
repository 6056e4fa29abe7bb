//! The form of a new game: on which board, with which clock, and which side the person plays.

use othello::BoardShape;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use session::{NewGame, Sides};

use crate::full_screen::prompt::TextLine;

/// A line of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// Which sides the person plays.
    Sides,
    /// The time of each side.
    Clock,
    /// The board.
    Board,
}

/// A form that is being filled in.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NewGameForm {
    /// Which sides the person plays.
    pub sides: Sides,
    /// The clock as text; empty for none.
    pub clock: TextLine,
    /// The board.
    pub board: BoardShape,
    /// The line that keys are about.
    pub field: Field,
    /// The error in the input.
    pub error: Option<String>,
}

/// The result of a key.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Filled {
    /// The form is being filled in.
    NotYet,
    /// Nothing is to change.
    Cancelled,
    /// This game begins, if its clock is one.
    Begin(NewGame),
}

impl NewGameForm {
    /// A form filled in as the present game is played.
    pub(crate) fn new(present: &NewGame) -> Self {
        let NewGame { sides, clock, board } = present;
        Self { sides: *sides, clock: TextLine::new(clock), board: *board, field: Field::Sides, error: None }
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Filled {
        self.error = None;
        match (key.code, self.field) {
            (KeyCode::Esc, _) => return Filled::Cancelled,
            (KeyCode::Enter, _) => return Filled::Begin(self.new_game()),
            (KeyCode::Down | KeyCode::Tab, Field::Sides) | (KeyCode::Up | KeyCode::BackTab, Field::Board) => {
                self.field = Field::Clock;
            }
            (KeyCode::Down | KeyCode::Tab, Field::Clock) | (KeyCode::BackTab, Field::Sides) => {
                self.field = Field::Board
            }
            (KeyCode::Up | KeyCode::BackTab, Field::Clock) | (KeyCode::Tab, Field::Board) => self.field = Field::Sides,
            (_, Field::Clock) => drop(self.clock.edit(key)),
            (KeyCode::Left, _) => self.change(-1),
            (KeyCode::Right | KeyCode::Char(' '), _) => self.change(1),
            _ => {}
        }
        Filled::NotYet
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

/// The element beside this one, around the end if need be.
fn neighbour<T: Copy + PartialEq>(all: &[T], present: &T, by: isize) -> T {
    let index = all.iter().position(|element| element == present).unwrap_or(0);
    all[(index as isize + by).rem_euclid(all.len() as isize) as usize]
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyModifiers;

    use super::*;

    fn press(form: &mut NewGameForm, keys: &[KeyCode]) -> Filled {
        keys.iter().fold(Filled::NotYet, |_, &key| form.key(KeyEvent::new(key, KeyModifiers::NONE)))
    }

    #[test]
    fn the_form_begins_as_the_game_is_and_every_line_can_be_changed() {
        let present = NewGame { sides: Sides::Black, clock: "5m+3s".to_owned(), board: BoardShape::Eight };
        let mut form = NewGameForm::new(&present);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Filled::Begin(present));
        press(&mut form, &[KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Left]);
        assert_eq!((form.sides, form.board), (Sides::White, BoardShape::Cut));
        press(&mut form, &[KeyCode::Up]);
        press(&mut form, &[KeyCode::Backspace; 10]);
        press(&mut form, &[KeyCode::Char('x')]);
        let changed = NewGame { sides: Sides::White, clock: "x".to_owned(), board: BoardShape::Cut };
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Filled::Begin(changed));
        assert_eq!(press(&mut form, &[KeyCode::Esc]), Filled::Cancelled);
    }
}
