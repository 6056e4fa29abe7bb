//! Pictures of a screen for tests and the documentation: its cells as text and as SVG.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use report::svg::escaped;

pub(crate) fn text(cells: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..cells.area.height {
        let line: String = (0..cells.area.width).map(|x| cells[(x, y)].symbol()).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}

// Lengths in pixels.
const CELL_WIDTH: u32 = 9;
const CELL_HEIGHT: u32 = 18;
/// From the top of a cell down to the line on which letters stand.
const BASELINE: u32 = 14;
const MARGIN: u32 = 14;

/// The colors of a terminal with a dark background.
const INK: (u8, u8, u8) = (216, 216, 212);
const PAPER: (u8, u8, u8) = (24, 26, 27);

/// The cells as an SVG picture of a terminal with a dark background.
pub(crate) fn svg(cells: &Buffer, title: &str) -> String {
    let (columns, rows) = (u32::from(cells.area.width), u32::from(cells.area.height));
    let (width, height) = (columns * CELL_WIDTH + 2 * MARGIN, rows * CELL_HEIGHT + 2 * MARGIN);
    let mut svg = String::new();
    let mut line = |text: std::fmt::Arguments| writeln!(svg, "{text}").expect("writing to a string cannot fail");
    line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">"
    ));
    line(format_args!("<title>{}</title>", escaped(title)));
    line(format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{}\"/>", hex(PAPER)));
    for y in 0..cells.area.height {
        let top = MARGIN + u32::from(y) * CELL_HEIGHT;
        // All backgrounds first, so that none covers a letter that is wider than its cell.
        for (x, count) in runs(cells, y, |cell| colors(cell).1) {
            let paper = colors(&cells[(x, y)]).1;
            if paper != PAPER {
                line(format_args!("{}", rectangle(left(x), top, count * CELL_WIDTH, CELL_HEIGHT, paper)));
            }
        }
        let kind = |cell: &Cell| (colors(cell).0, cell.modifier, block(cell.symbol()), cell.symbol() == " ");
        for (x, count) in runs(cells, y, kind) {
            let cell = &cells[(x, y)];
            let (ink, _) = colors(cell);
            if let Some((from, to)) = block(cell.symbol()) {
                let (from, to) = (from * CELL_HEIGHT / 8, to * CELL_HEIGHT / 8);
                line(format_args!("{}", rectangle(left(x), top + from, count * CELL_WIDTH, to - from, ink)));
                continue;
            }
            let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
            let word: String = (x..).take(count as usize).map(|x| cells[(x, y)].symbol()).collect();
            if !word.trim().is_empty() {
                line(format_args!(
                    "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{weight}>{}</text>",
                    left(x),
                    top + BASELINE,
                    count * CELL_WIDTH,
                    hex(ink),
                    escaped(&word)
                ));
            }
        }
    }
    svg += "</svg>\n";
    svg
}

/// The first column and the length of each run of cells of a row that are alike.
fn runs<T: PartialEq>(cells: &Buffer, y: u16, kind: impl Fn(&Cell) -> T) -> Vec<(u16, u32)> {
    let mut runs: Vec<(u16, u32)> = Vec::new();
    for x in 0..cells.area.width {
        match runs.last_mut() {
            Some((start, count)) if kind(&cells[(*start, y)]) == kind(&cells[(x, y)]) => *count += 1,
            _ => runs.push((x, 1)),
        }
    }
    runs
}

fn left(x: u16) -> u32 {
    MARGIN + u32::from(x) * CELL_WIDTH
}

/// The part of a cell that a block element fills, in eighths from its top.
fn block(symbol: &str) -> Option<(u32, u32)> {
    match symbol {
        "█" => Some((0, 8)),
        "▀" => Some((0, 4)),
        "▄" => Some((4, 8)),
        _ => None,
    }
}

fn rectangle(x: u32, y: u32, width: u32, height: u32, fill: (u8, u8, u8)) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", hex(fill))
}

fn colors(cell: &Cell) -> ((u8, u8, u8), (u8, u8, u8)) {
    let (mut ink, mut paper) = (rgb(cell.fg, INK), rgb(cell.bg, PAPER));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    if cell.modifier.contains(Modifier::DIM) {
        let mixed = |ink: u8, paper: u8| u8::try_from((u16::from(ink) * 3 + u16::from(paper) * 2) / 5).expect("a mean");
        ink = (mixed(ink.0, paper.0), mixed(ink.1, paper.1), mixed(ink.2, paper.2));
    }
    (ink, paper)
}

/// The color that a terminal shows; the pictures have no other than these.
fn rgb(color: Color, default: (u8, u8, u8)) -> (u8, u8, u8) {
    match color {
        Color::Reset => default,
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::Red => (222, 90, 80),
        other => panic!("{other:?} has no color in pictures yet"),
    }
}

fn hex((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn a_picture_has_each_run_of_letters_and_each_block_once() {
        let mut cells = Buffer::empty(Rect::new(0, 0, 6, 2));
        cells.set_string(0, 0, " a<b", Style::new());
        cells.set_string(4, 0, "▀▀", Style::new().fg(Color::Rgb(1, 2, 3)).bg(Color::Rgb(255, 0, 16)));
        let svg = svg(&cells, "x & y");
        assert!(svg.contains("<title>x &amp; y</title>"), "{svg}");
        assert!(svg.contains("x=\"23\" y=\"28\" textLength=\"27\""), "{svg}");
        assert!(svg.contains(">a&lt;b</text>"), "{svg}");
        assert!(svg.contains("<rect x=\"50\" y=\"14\" width=\"18\" height=\"18\" fill=\"#ff0010\"/>"), "{svg}");
        assert!(svg.contains("<rect x=\"50\" y=\"14\" width=\"18\" height=\"9\" fill=\"#010203\"/>"), "{svg}");
        assert_eq!(svg.matches("<text").count(), 1);
        assert_eq!(text(&cells), " a<b▀▀\n\n");
    }
}
