//! The screen of an opening book: a window that is moved through the book by keys, and this loop between it and the
//! terminal.

mod drawing;
mod rows;
mod screen;
#[cfg(test)]
pub(super) mod tests;
mod tree_picture;

use std::sync::mpsc::channel;

use anyhow::{Context, Result};
use book::explorer::Index;
use book::{BookError, Snapshot};
use othello::Game;
use report::look::Look;

use crate::full_screen::book::screen::{BookRequest, BookScreen};
pub(crate) use crate::full_screen::book::tree_picture::Thickness;
use crate::full_screen::{FullScreen, Left};

/// A book to be looked at.
pub struct BookTour {
    snapshot: Snapshot,
    name: String,
    positions: u64,
    /// The position to begin with, and the moves to it.
    game: Game,
    /// Games of people, to be counted beside the values of the book.
    people: Option<Index>,
}

impl BookTour {
    /// A tour of a book of this name, from the current position of a game on.
    pub fn new(snapshot: Snapshot, name: String, game: Game, people: Option<Index>) -> Result<Self, BookError> {
        let positions = snapshot.count()?;
        Ok(Self { snapshot, name, positions, game, people })
    }
}

/// Shows a book on the terminal until the person leaves.
pub fn explore_book(full_screen: &mut FullScreen, tour: BookTour, look: Look) -> Result<Left> {
    let (input, inbox) = channel();
    // A failed send means that the screen has ended.
    full_screen.listen(Box::new(move |event| drop(input.send(event))));
    let undrawable = "cannot draw on the terminal";
    let size = full_screen.terminal().size().context(undrawable)?;
    let mut screen = BookScreen::new(tour, look, (size.width, size.height))?;
    loop {
        full_screen.terminal().draw(|frame| drawing::draw(&screen, frame)).context(undrawable)?;
        // The listener holds the other end as long as this loop runs.
        let Ok(first) = inbox.recv() else { return Ok(Left::Terminated(None)) };
        // Events that have arrived meanwhile are drawn together.
        for event in std::iter::once(first).chain(inbox.try_iter()) {
            match screen.handle(event)? {
                None => {}
                Some(BookRequest::Leave) => return Ok(Left::Quit),
                Some(BookRequest::Terminate) => return Ok(Left::Terminated(None)),
                Some(BookRequest::Suspend) => full_screen.suspend()?,
            }
        }
    }
}
