//! The layout of the screen for every window size.

use othello::{Geometry, Square};
use ratatui::layout::Rect;

/// Columns and rows of a square of the board, the largest first; the smallest still shows a value.
const CELLS: [(u16, u16); 6] = [(12, 6), (10, 5), (8, 4), (7, 3), (5, 2), (4, 1)];
const SMALLEST_CELL: (u16, u16) = CELLS[CELLS.len() - 1];
/// A size in between, for boards of ten columns, which would otherwise be flat.
const NARROW_CELL: (u16, u16) = (4, 2);

/// The columns of the numbers to the left of the board.
const ROW_NAMES: u16 = 3;
/// The columns of the panel beside the board: players, searches and moves.
const PANEL: u16 = 34;
/// The minimum of them.
const MIN_PANEL: u16 = 30;
/// The minimum window that lists and forms can be used in.
const MIN_SIZE: (u16, u16) = (62, 16);
/// The rows above the board, title and names of columns, and below it, message and keys.
const ABOVE: u16 = 2;
const BELOW: u16 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    geometry: Geometry,
    /// Columns and rows of a square.
    pub cell: (u16, u16),
    pub window: Rect,
    pub title: Rect,
    /// The board with the names of columns and rows.
    pub board: Rect,
    /// Players, thoughts and moves.
    pub panel: Rect,
    pub message: Rect,
    pub keys: Rect,
}

/// The minimum size of the window, columns and rows, with which a board can be played.
pub(crate) fn needed(geometry: &Geometry) -> (u16, u16) {
    let side = u16::from(geometry.side);
    let (width, height) = SMALLEST_CELL;
    ((ROW_NAMES + side * width + 1 + MIN_PANEL).max(MIN_SIZE.0), (ABOVE + side * height + BELOW).max(MIN_SIZE.1))
}

impl Layout {
    /// The places in a window of this size; nothing if it is too small.
    pub(crate) fn new(geometry: Geometry, size: (u16, u16)) -> Option<Self> {
        let fits = |&&cell: &&(u16, u16)| cell_fits(cell, &geometry, size, PANEL, 0);
        let cell = CELLS.iter().filter(|&&cell| cell != SMALLEST_CELL).chain([&NARROW_CELL]).find(fits);
        // The message has the rest of the rows below the board, up to three.
        let layout = || Self::arranged(geometry, size, cell.copied().unwrap_or(SMALLEST_CELL), 3);
        is_enough(size, needed(&geometry)).then(layout)
    }

    /// The minimum window that [`Layout::with_space_below`] has places in, columns and rows.
    pub(crate) const NEEDED_WITH_SPACE_BELOW: (u16, u16) = (64, 18);

    /// The places in a window with free space below the board and the panel, and this space; nothing if the window is too
    /// small.
    pub(crate) fn with_space_below(geometry: Geometry, size: (u16, u16)) -> Option<(Self, Rect)> {
        /// The columns of the panel that a larger board leaves.
        const PANEL: u16 = 44;
        if !is_enough(size, Self::NEEDED_WITH_SPACE_BELOW) {
            return None;
        }
        // The rows of the space that a larger board leaves.
        let space = (2 * size.1 / 5).max(11);
        let cell = CELLS.into_iter().find(|&cell| cell_fits(cell, &geometry, size, PANEL, space));
        let mut layout = Self::arranged(geometry, size, cell.unwrap_or(SMALLEST_CELL), 1);
        layout.panel.height = layout.board.height;
        let bottom = layout.board.bottom();
        Some((layout, Rect::new(0, bottom, size.0, layout.message.y - bottom)))
    }

    /// The places in a large enough window, with the panel down to the message.
    fn arranged(geometry: Geometry, (width, height): (u16, u16), cell: (u16, u16), max_message: u16) -> Self {
        let side = u16::from(geometry.side);
        let board = Rect::new(0, 1, ROW_NAMES + side * cell.0, 1 + side * cell.1);
        let panel_left = board.right() + 1;
        let message_height = (height - 1 - board.bottom()).clamp(1, max_message);
        let message = Rect::new(0, height - 1 - message_height, width, message_height);
        Self {
            geometry,
            cell,
            window: Rect::new(0, 0, width, height),
            title: Rect::new(0, 0, width, 1),
            board,
            panel: Rect::new(panel_left, 1, width - panel_left, message.y - 1),
            message,
            keys: Rect::new(0, height - 1, width, 1),
        }
    }

    pub(crate) fn square(&self, square: Square) -> Rect {
        let (column, row) = self.geometry.column_row(square);
        let (width, height) = self.cell;
        let (x, y) = (u16::from(column) * width, u16::from(row) * height);
        Rect::new(self.board.x + ROW_NAMES + x, self.board.y + 1 + y, width, height)
    }

    /// The square that is drawn at this column and row of the window.
    pub(crate) fn square_at(&self, x: u16, y: u16) -> Option<Square> {
        let column = x.checked_sub(self.board.x + ROW_NAMES)? / self.cell.0;
        let row = y.checked_sub(self.board.y + 1)? / self.cell.1;
        self.geometry.square_at(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    }

    /// A box of this size in the middle of the window, or a smaller one that fits.
    pub(crate) fn popup(&self, width: u16, height: u16) -> Rect {
        let (width, height) = (width.min(self.window.width), height.min(self.window.height));
        Rect::new((self.window.width - width) / 2, (self.window.height - height) / 2, width, height)
    }
}

fn is_enough(size: (u16, u16), needed: (u16, u16)) -> bool {
    size.0 >= needed.0 && size.1 >= needed.1
}

/// Whether squares of this size leave room for a panel of this width and for this many rows below the board.
fn cell_fits(cell: (u16, u16), geometry: &Geometry, size: (u16, u16), panel: u16, below: u16) -> bool {
    let side = u16::from(geometry.side);
    is_enough(size, (ROW_NAMES + side * cell.0 + 1 + panel, ABOVE + side * cell.1 + below + BELOW))
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, Rules, SmallBoard};

    use super::*;

    /// The places are in the window, and none lies on another.
    fn check_places(places: &[Rect], (width, height): (u16, u16)) {
        for (index, place) in places.iter().enumerate() {
            assert!(place.right() <= width && place.bottom() <= height && place.area() > 0, "{places:?}");
            assert!(places[index + 1..].iter().all(|other| place.intersection(*other).is_empty()), "{places:?}");
        }
    }

    fn sizes() -> impl Iterator<Item = (u16, u16)> {
        (1..220).flat_map(|width| (1..80).map(move |height| (width, height)))
    }

    fn check(geometry: Geometry) {
        for size in sizes() {
            let Some(layout) = Layout::new(geometry, size) else {
                assert!(!is_enough(size, needed(&geometry)));
                continue;
            };
            check_places(&[layout.title, layout.board, layout.panel, layout.message, layout.keys], size);
            for square in geometry.squares() {
                let cell = layout.square(square);
                for (x, y) in [(cell.x, cell.y), (cell.right() - 1, cell.bottom() - 1)] {
                    assert_eq!(layout.square_at(x, y), Some(square));
                }
            }
            assert_eq!(layout.square_at(0, 0), None);
        }
    }

    #[test]
    fn in_every_window_nothing_lies_on_anything_else_and_squares_are_found_again() {
        check(Board::GEOMETRY);
        check(SmallBoard::<4>::GEOMETRY);
        check(CutBoard::GEOMETRY);
    }

    #[test]
    fn space_below_the_board_lies_on_nothing_else() {
        for size in sizes() {
            let Some((layout, space)) = Layout::with_space_below(Board::GEOMETRY, size) else {
                assert!(!is_enough(size, Layout::NEEDED_WITH_SPACE_BELOW));
                continue;
            };
            check_places(&[layout.title, layout.board, layout.panel, space, layout.message, layout.keys], size);
            assert!(space.height >= 5 && layout.panel.width >= 28, "{layout:?}");
        }
    }

    #[test]
    fn every_board_fits_a_window_of_80_by_24_with_two_rows_a_square() {
        for (geometry, cell) in
            [(Board::GEOMETRY, (5, 2)), (SmallBoard::<6>::GEOMETRY, (7, 3)), (CutBoard::GEOMETRY, (4, 2))]
        {
            let layout = Layout::new(geometry, (80, 24)).expect("it fits");
            assert_eq!(layout.cell, cell, "{}", geometry.name);
        }
    }
}
