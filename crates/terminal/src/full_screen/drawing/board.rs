//! The board, with the cursor, the last move and the values of moves; in large windows, with large discs.

use engine::{Estimate, Outcome};
use othello::{Geometry, Square};
use ratatui::buffer::Buffer;
use session::{BoardView, Hint, MoveView};

use crate::full_screen::drawing::{Canvas, Layout, Styles};

pub(crate) struct BoardPicture<'a> {
    pub geometry: Geometry,
    pub board: &'a BoardView,
    pub cursor: Option<Square>,
    pub last_move: Option<&'a MoveView>,
    /// The moves that are marked.
    pub legal_moves: &'a [MoveView],
    pub hints: &'a [Hint],
}

impl BoardPicture<'_> {
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_, '_>) {
        let (geometry, layout, styles) = (self.geometry, &canvas.layout, canvas.styles);
        let buffer = canvas.frame.buffer_mut();
        let (width, height) = layout.cell;
        for index in 0..geometry.side {
            let along = u16::from(index);
            let column = layout.board.x + 3 + along * width + sign_column(width);
            buffer.set_string(column, layout.board.y, char::from(b'a' + index).to_string(), styles.faint);
            let row = layout.board.y + 1 + along * height + sign_row(height);
            buffer.set_string(layout.board.x, row, format!("{:>2}", index + 1), styles.faint);
        }
        for square in geometry.squares() {
            self.draw_square(square, layout, styles, buffer);
        }
    }

    fn draw_square(&self, square: Square, layout: &Layout, styles: &Styles, buffer: &mut Buffer) {
        let area = layout.square(square);
        let (column, row) = self.geometry.column_row(square);
        let name = self.geometry.square_name(square);
        let is_last = self.last_move.is_some_and(|last| last.square == name);
        let has_cursor = self.cursor == Some(square);
        buffer.set_style(area, styles.square(usize::from(column + row), is_last, has_cursor));

        let disc = self.board.disc(column, row);
        let hint = self.hints.iter().find(|hint| hint.square == name);
        let (x, y) = (area.x + sign_column(area.width), area.y + sign_row(area.height));
        let brackets = match (has_cursor, is_last) {
            (true, _) => Some(["[", "]"]),
            (false, true) => Some(["(", ")"]),
            (false, false) => None,
        };
        let is_flat = area.height == 1;
        if let (Some(Hint { value: Some(value), is_best, .. }), None) = (hint, disc) {
            let mut text = short(*value, usize::from(area.width) - 1);
            if *is_best && text.len() < usize::from(area.width) {
                text.push('*');
            }
            let left = area.x + (area.width.saturating_sub(text.chars().count() as u16)) / 2;
            let line = if is_flat { y } else { y + 1 };
            buffer.set_string(left, line, &text, styles.value(*is_best));
            if is_flat {
                if let Some([open, close]) = brackets.filter(|_| text.chars().count() + 2 <= usize::from(area.width)) {
                    buffer.set_string(area.x, y, open, styles.strong);
                    buffer.set_string(area.right() - 1, y, close, styles.strong);
                }
                return;
            }
        }
        let (sign, style) = match disc {
            Some(side) => (styles.disc_sign(side), styles.disc(side)),
            None if self.legal_moves.iter().any(|legal| legal.square == name) => {
                (styles.signs.legal, styles.value(false))
            }
            None => (styles.empty_sign(), styles.value(false)),
        };
        let is_large = is_large(area.width, area.height);
        match disc.filter(|_| is_large) {
            Some(side) => {
                let rows = disc_rows(area.width - 2, area.height, styles.disc_ink(side));
                for (row, text) in (area.y..).zip(rows) {
                    buffer.set_string(area.x + 1, row, text, style);
                }
            }
            None => buffer.set_string(x, y, sign.to_string(), style),
        }
        if let Some([open, close]) = brackets {
            let is_wide = is_large && disc.is_some();
            let (left, right) = if is_wide { (area.x, area.right() - 1) } else { (x - 1, x + 1) };
            buffer.set_string(left, y, open, styles.strong);
            buffer.set_string(right, y, close, styles.strong);
        }
    }
}

/// The place of the disc in its square.
fn sign_column(width: u16) -> u16 {
    (width - 1) / 2
}

fn sign_row(height: u16) -> u16 {
    (height - 1) / 2
}

/// A value within a number of characters, at least three.
pub(crate) fn short(value: Estimate, width: usize) -> String {
    let full = match value {
        Estimate::Solved(score) => score.to_string(),
        Estimate::Discs { hundredths } => {
            let discs = f64::from(hundredths) / 100.0;
            let tenths = format!("{discs:+.1}");
            if width >= 5 || tenths.len() <= width { tenths } else { format!("{discs:+.0}") }
        }
        Estimate::Chance { thousandths } => format!("{:.0}%", f64::from(thousandths) / 10.0),
        Estimate::Proven(outcome) => outcome.to_string(),
        Estimate::Points(points) => points.to_string(),
    };
    if full.len() <= width {
        return full;
    }
    match value {
        Estimate::Proven(Outcome::Win) => "W".to_owned(),
        Estimate::Proven(Outcome::Draw) => "=".to_owned(),
        Estimate::Proven(Outcome::Loss) => "L".to_owned(),
        Estimate::Points(points) => [(1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")]
            .into_iter()
            .map(|(unit, name)| format!("{}{name}", points / unit))
            .find(|text| text.len() <= width)
            .unwrap_or_else(|| "?".to_owned()),
        _ => full.chars().take(width).collect(),
    }
}

/// The minimum columns and rows of a square with a large disc.
const MIN_LARGE: (u16, u16) = (7, 3);

fn is_large(width: u16, height: u16) -> bool {
    width >= MIN_LARGE.0 && height >= MIN_LARGE.1
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// Blocks of half a row: all of the disc, or its edge alone.
    Blocks {
        /// Whether the middle stays empty.
        is_ring: bool,
    },
    Letter(char),
}

fn disc_rows(width: u16, height: u16, ink: Ink) -> Vec<String> {
    let row = |row: u16| (0..width).map(|column| symbol(column, row, width, height, ink)).collect();
    (0..height).map(row).collect()
}

fn symbol(column: u16, row: u16, width: u16, height: u16, ink: Ink) -> char {
    let is_inside = |y: f64, halves: f64, margin: f64| {
        let (across, down) = (f64::from(width) / 2.0 - margin, halves / 2.0 - margin);
        let x = (f64::from(column) + 0.5 - f64::from(width) / 2.0) / across;
        let y = (y + 0.5 - halves / 2.0) / down;
        across > 0.0 && down > 0.0 && x * x + y * y <= 1.0
    };
    match ink {
        Ink::Letter(letter) if is_inside(f64::from(row), f64::from(height), 0.0) => letter,
        Ink::Letter(_) => ' ',
        Ink::Blocks { is_ring } => {
            let halves = 2.0 * f64::from(height);
            let is_set = |half: u16| {
                let y = f64::from(2 * row + half);
                is_inside(y, halves, 0.0) && !(is_ring && is_inside(y, halves, 1.0))
            };
            match (is_set(0), is_set(1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::Score;

    use super::*;

    #[test]
    fn values_fit_into_their_squares() {
        let discs = |hundredths| Estimate::Discs { hundredths };
        assert_eq!(short(discs(325), 4), "+3.2");
        assert_eq!(short(discs(-1_250), 4), "-12");
        assert_eq!(short(discs(-1_250), 5), "-12.5");
        assert_eq!(short(discs(40), 3), "+0");
        assert_eq!(short(Estimate::Solved(Score::new(-64)), 3), "-64");
        assert_eq!(short(Estimate::Proven(Outcome::Loss), 3), "L");
        assert_eq!(short(Estimate::Chance { thousandths: 543 }, 3), "54%");
        assert_eq!(short(Estimate::Points(-12_345), 4), "-12k");
        for points in [0, 7, -999, 123_456, i32::MAX, i32::MIN] {
            for width in 3..9 {
                assert!(short(Estimate::Points(points), width).len() <= width, "{points} in {width}");
            }
        }
    }

    #[test]
    fn discs_are_round_whatever_they_are_drawn_with() {
        assert_eq!(disc_rows(5, 3, Ink::Blocks { is_ring: false }), ["▄███▄", "█████", "▀███▀"]);
        assert_eq!(disc_rows(5, 3, Ink::Blocks { is_ring: true }), ["▄█▀█▄", "█   █", "▀█▄█▀"]);
        assert_eq!(disc_rows(5, 3, Ink::Letter('X')), [" XXX ", "XXXXX", " XXX "]);
        for (width, height) in [(5, 3), (6, 4), (8, 5), (10, 6)] {
            let disc = disc_rows(width, height, Ink::Blocks { is_ring: false });
            let turned = |row: &String| row.chars().rev().collect::<String>();
            assert!(
                disc.iter().all(|row| turned(row) == *row && row.chars().count() == usize::from(width)),
                "{disc:?}"
            );
            let swapped = |row: &String| row.replace('▀', "-").replace('▄', "▀").replace('-', "▄");
            assert_eq!(disc.iter().rev().map(swapped).collect::<Vec<_>>(), disc);
        }
    }
}
