//! The window of a book: keys and clicks change the position and the chosen move. It does not depend on a terminal.

use anyhow::Result;
use book::explorer::Index;
use book::tree::{Tree, TreeOptions};
use book::{BookPosition, Snapshot};
use othello::{Board, Game, Position, Rules, Square};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use report::look::Look;

use crate::full_screen::book::BookTour;
use crate::full_screen::book::drawing::{self, Places};
use crate::full_screen::book::rows::{Row, rows};
use crate::full_screen::book::tree_picture;
use crate::full_screen::terminal::Input;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BookRequest {
    Suspend,
    Leave,
    /// Leave because of a signal, or because the terminal is gone.
    Terminate,
}

pub(super) struct BookScreen {
    snapshot: Snapshot,
    pub people: Option<Index>,
    pub name: String,
    pub positions: u64,
    pub game: Game,
    pub found: Option<BookPosition>,
    pub rows: Vec<Row>,
    pub chosen: usize,
    /// The tree after the position, with values for the side to move.
    pub tree: Tree,
    /// The line that the help is shown from, if it is open.
    pub help: Option<u16>,
    pub look: Look,
    /// Columns and rows of the window.
    pub size: (u16, u16),
}

impl BookScreen {
    pub(super) fn new(tour: BookTour, look: Look, size: (u16, u16)) -> Result<Self> {
        let BookTour { snapshot, name, positions, game, people } = tour;
        let tree = snapshot.tree(&game.position(), &TreeOptions { branches: 0, ..TreeOptions::default() })?;
        let (found, rows, chosen, help) = (None, Vec::new(), 0, None);
        let mut screen = Self { snapshot, people, name, positions, game, found, rows, chosen, tree, help, look, size };
        screen.look_up()?;
        Ok(screen)
    }

    /// The position that is shown. It has a move to be chosen, unless the game is over.
    pub(super) fn position(&self) -> Position {
        let position = self.game.position();
        if position.board.must_pass() { position.pass() } else { position }
    }

    pub(super) fn chosen_row(&self) -> Option<&Row> {
        self.rows.get(self.chosen)
    }

    pub(super) fn handle(&mut self, input: Input) -> Result<Option<BookRequest>> {
        match input {
            Input::Key(key) if key.kind == KeyEventKind::Release => {}
            Input::Key(key) => return self.key(key),
            Input::Mouse(mouse) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row)?,
                MouseEventKind::ScrollUp => return self.key(KeyCode::Up.into()),
                MouseEventKind::ScrollDown => return self.key(KeyCode::Down.into()),
                _ => {}
            },
            Input::Paste(_) => {}
            Input::Resize(width, height) => {
                self.size = (width, height);
                self.grow_tree()?;
            }
            Input::Terminate => return Ok(Some(BookRequest::Terminate)),
        }
        Ok(None)
    }

    fn key(&mut self, key: KeyEvent) -> Result<Option<BookRequest>> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(match key.code {
                KeyCode::Char('c') => Some(BookRequest::Leave),
                KeyCode::Char('z') => Some(BookRequest::Suspend),
                _ => None,
            });
        }
        if let Some(line) = self.help {
            self.help =
                Places::new(self.size).and_then(|places| drawing::help_after_key(self, key.code, line, &places));
            return Ok(None);
        }
        let last = self.rows.len().saturating_sub(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.chosen = (self.chosen + 1).min(last),
            KeyCode::PageUp => self.chosen = 0,
            KeyCode::PageDown => self.chosen = last,
            KeyCode::Enter | KeyCode::Right | KeyCode::Char('l') => {
                if let Some(square) = self.chosen_row().map(|row| row.square) {
                    self.step_in(square)?;
                }
            }
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => self.step_out()?,
            KeyCode::Home => {
                self.game.rewind();
                self.look_up()?;
            }
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Ok(Some(BookRequest::Leave)),
            _ => {}
        }
        Ok(None)
    }

    /// A click on a square of the board plays there; one on the table chooses a move, and plays the chosen one.
    fn click(&mut self, column: u16, line: u16) -> Result<()> {
        if self.help.take().is_some() {
            return Ok(());
        }
        let Some(places) = Places::new(self.size) else { return Ok(()) };
        if let Some(square) = places.layout.square_at(column, line) {
            return self.step_in(square);
        }
        match drawing::row_at(self, &places, column, line) {
            Some(number) if number == self.chosen => self.step_in(self.rows[number].square),
            Some(number) => {
                self.chosen = number;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn step_in(&mut self, square: Square) -> Result<()> {
        if self.game.play(square).is_ok() {
            self.look_up()?;
        }
        Ok(())
    }

    /// Takes the last move back, and chooses it.
    fn step_out(&mut self) -> Result<()> {
        if let Some(square) = self.game.undo() {
            self.look_up()?;
            let board: Board = self.position().board;
            self.chosen = self.rows.iter().position(|row| row.is_same(&board, square)).unwrap_or(0);
        }
        Ok(())
    }

    /// Looks the shown position up in the book.
    fn look_up(&mut self) -> Result<()> {
        let position = self.position();
        self.found = self.snapshot.lookup(&position.board)?;
        let temperature = TreeOptions::default().temperature;
        self.rows = rows(&self.snapshot, self.people.as_ref(), &position, temperature)?;
        self.chosen = 0;
        self.grow_tree()
    }

    /// Reads the part of the tree that the window has room for.
    fn grow_tree(&mut self) -> Result<()> {
        let position = self.position();
        let (plies, branches) = Places::new(self.size).map_or((0, 0), |places| tree_picture::extent(places.tree));
        let options = TreeOptions { plies, branches, perspective: position.turn, ..TreeOptions::default() };
        self.tree = self.snapshot.tree(&position, &options)?;
        Ok(())
    }
}
