//! A new game: on which board, with which clock, and which side the person plays.

use engine::GameClock;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::board_shape::BoardShape;
use crate::screen::prompt::TextLine;
use crate::time_span;

/// Which sides the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Black, who begins.
    Black,
    /// White.
    White,
    /// Both: two people at one terminal.
    Both,
    /// None: two engines.
    Neither,
}

impl Sides {
    /// All that can be chosen.
    pub const ALL: [Sides; 4] = [Sides::Black, Sides::White, Sides::Both, Sides::Neither];

    /// The sides of a table where a person plays these colours, Black first.
    pub fn of(persons: [bool; 2]) -> Self {
        match persons {
            [true, false] => Sides::Black,
            [false, true] => Sides::White,
            [true, true] => Sides::Both,
            [false, false] => Sides::Neither,
        }
    }

    /// Whether a person plays Black and White.
    pub fn persons(self) -> [bool; 2] {
        match self {
            Sides::Black => [true, false],
            Sides::White => [false, true],
            Sides::Both => [true, true],
            Sides::Neither => [false, false],
        }
    }

    /// The choice in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Sides::Black => "Black",
            Sides::White => "White",
            Sides::Both => "both",
            Sides::Neither => "neither",
        }
    }
}

/// The boards to choose from, with their names.
pub const BOARDS: [(BoardShape, &str); 4] =
    [(BoardShape::Eight, "8x8"), (BoardShape::Six, "6x6"), (BoardShape::Four, "4x4"), (BoardShape::Cut, "cs221")];

/// A line of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Which sides the person plays.
    Sides,
    /// The time of each side.
    Clock,
    /// The board.
    Board,
}

/// A form that is being filled in.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// Which sides the person plays.
    pub sides: Sides,
    /// The clock as text; empty for none.
    pub clock: TextLine,
    /// The board.
    pub board: BoardShape,
    /// The line that keys are about.
    pub field: Field,
    /// What was wrong.
    pub complaint: Option<String>,
}

/// What follows a key.
#[derive(Clone, PartialEq, Debug)]
pub enum Filled {
    /// The form is being filled in.
    NotYet,
    /// Nothing is to change.
    Cancelled,
    /// The game begins with this clock.
    Begin(Option<GameClock>),
}

impl NewGame {
    /// A form filled in as the present game is played.
    pub fn new(sides: Sides, control: Option<GameClock>, board: BoardShape) -> Self {
        let clock = TextLine::new(&control.map_or(String::new(), |clock| time_span::clock_text(&clock)));
        Self { sides, clock, board, field: Field::Sides, complaint: None }
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Filled {
        self.complaint = None;
        match (key.code, self.field) {
            (KeyCode::Esc, _) => return Filled::Cancelled,
            (KeyCode::Enter, _) => return self.begin(),
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
            Field::Board => self.board = neighbour(&BOARDS.map(|(board, _)| board), &self.board, by),
            Field::Clock => {}
        }
    }

    fn begin(&mut self) -> Filled {
        let text = self.clock.text();
        if text.trim().is_empty() {
            return Filled::Begin(None);
        }
        match time_span::parse_clock(text.trim()) {
            Ok(clock) => Filled::Begin(Some(clock)),
            Err(error) => {
                self.field = Field::Clock;
                self.complaint = Some(error);
                Filled::NotYet
            }
        }
    }
}

/// The element beside this one, around the end if need be.
fn neighbour<T: Copy + PartialEq>(all: &[T], present: &T, by: isize) -> T {
    let index = all.iter().position(|element| element == present).unwrap_or(0);
    all[(index as isize + by).rem_euclid(all.len() as isize) as usize]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ratatui::crossterm::event::KeyModifiers;

    use super::*;

    fn press(form: &mut NewGame, keys: &[KeyCode]) -> Filled {
        keys.iter().fold(Filled::NotYet, |_, &key| form.key(KeyEvent::new(key, KeyModifiers::NONE)))
    }

    #[test]
    fn the_form_begins_as_the_game_is_and_every_line_can_be_changed() {
        let clock = GameClock { remaining: Duration::from_secs(300), increment: Duration::from_secs(3) };
        let mut form = NewGame::new(Sides::Black, Some(clock), BoardShape::Eight);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Filled::Begin(Some(clock)));
        press(&mut form, &[KeyCode::Right, KeyCode::Down, KeyCode::Down, KeyCode::Left]);
        assert_eq!((form.sides, form.board), (Sides::White, BoardShape::Cut));
        press(&mut form, &[KeyCode::Up]);
        press(&mut form, &[KeyCode::Backspace; 10]);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Filled::Begin(None));
        press(&mut form, &[KeyCode::Char('x')]);
        assert_eq!(press(&mut form, &[KeyCode::Enter]), Filled::NotYet);
        assert!(form.complaint.as_deref().is_some_and(|words| words.contains("is not a time")));
        assert_eq!(press(&mut form, &[KeyCode::Esc]), Filled::Cancelled);
    }

    #[test]
    fn sides_are_what_the_person_plays() {
        for sides in Sides::ALL {
            assert_eq!(Sides::of(sides.persons()), sides);
        }
    }
}
