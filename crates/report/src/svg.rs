//! A board drawn as an SVG picture.

use std::fmt::Write;

use othello::{Color, Position, Rules, Square, SquareSet};

use crate::diagram::lower_case;

// Lengths in pixels.
const CELL: u32 = 60;
const MARGIN: u32 = 34;
const FRAME: u32 = 8;
const CAPTION: u32 = 44;
const DISC_RADIUS: u32 = 25;

/// The picture of a position: the board with its coordinates, legal moves as small dots, the last
/// move marked, and a line below with the disc counts and whose turn it is.
pub fn picture<B: Rules>(position: &Position<B>, last_move: Option<Square>, caption: &str) -> String {
    let geometry = B::GEOMETRY;
    let side = u32::from(geometry.side);
    let width = side * CELL + 2 * MARGIN;
    let height = width + CAPTION;
    let corner = |column: u8, row: u8| (MARGIN + u32::from(column) * CELL, MARGIN + u32::from(row) * CELL);

    let mut svg = String::new();
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments| {
        let _ = writeln!(svg, "{text}");
    };
    line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Helvetica, Arial, sans-serif\">"
    ));
    line(format_args!("<title>{}</title>", escaped(&position.to_string())));
    line(format_args!("<defs>\n{GRADIENTS}\n</defs>"));
    line(format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#2b2622\"/>"));

    for square in geometry.squares() {
        let (column, row) = geometry.column_row(square);
        let (x, y) = corner(column, row);
        let felt = if last_move == Some(square) { "#3f9a5c" } else { "#1f7a44" };
        line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{felt}\" stroke=\"#0d3b20\" stroke-width=\"1.5\"/>"
        ));
    }
    // The four small dots that every board has, two squares from the corners.
    if side == 8 {
        for (column, row) in [(2, 2), (6, 2), (2, 6), (6, 6)] {
            let (x, y) = corner(column, row);
            line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#0d3b20\"/>"));
        }
    }
    for square in geometry.squares() {
        let (column, row) = geometry.column_row(square);
        let (x, y) = corner(column, row);
        let (x, y) = (x + CELL / 2, y + CELL / 2);
        match position.disc_at(square) {
            Some(color) => {
                let shadow_y = y + 2;
                let fill = lower_case(color);
                line(format_args!(
                    "<circle cx=\"{x}\" cy=\"{shadow_y}\" r=\"{DISC_RADIUS}\" fill=\"#000\" fill-opacity=\"0.35\"/>\
                     <circle cx=\"{x}\" cy=\"{y}\" r=\"{DISC_RADIUS}\" fill=\"url(#{fill})\"/>"
                ));
                if last_move == Some(square) {
                    line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#d8433b\"/>"));
                }
            }
            None if position.board.moves().has(square) => {
                line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#a9dfb5\" fill-opacity=\"0.8\"/>"));
            }
            None => {}
        }
    }

    let label_style = "fill=\"#d9cfc4\" font-size=\"17\" text-anchor=\"middle\"";
    for index in 0..geometry.side {
        let middle = MARGIN + u32::from(index) * CELL + CELL / 2;
        let letter = char::from(b'a' + index);
        line(format_args!("<text x=\"{middle}\" y=\"{}\" {label_style}>{letter}</text>", MARGIN - 2 * FRAME + 5));
        let number = index + 1;
        line(format_args!("<text x=\"{}\" y=\"{}\" {label_style}>{number}</text>", MARGIN / 2, middle + 6));
    }

    let base = width + FRAME;
    for (color, x) in [(Color::Black, MARGIN + 14), (Color::White, MARGIN + 94)] {
        let (count, fill) = (position.discs(color).count(), lower_case(color));
        line(format_args!("<circle cx=\"{x}\" cy=\"{base}\" r=\"14\" fill=\"url(#{fill})\" stroke=\"#8a7f74\"/>"));
        line(format_args!("<text x=\"{}\" y=\"{}\" fill=\"#fff\" font-size=\"20\">{count}</text>", x + 22, base + 7));
    }
    line(format_args!(
        "<text x=\"{}\" y=\"{}\" fill=\"#fff\" font-size=\"18\" text-anchor=\"end\">{}</text>",
        width - MARGIN,
        base + 7,
        escaped(caption)
    ));
    line(format_args!("</svg>"));
    svg
}

/// The colours of discs.
const GRADIENTS: &str = "\
<radialGradient id=\"black\" cx=\"0.35\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" stop-color=\"#5a5a5a\"/>\
<stop offset=\"1\" stop-color=\"#0b0b0b\"/></radialGradient>
<radialGradient id=\"white\" cx=\"0.35\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" stop-color=\"#ffffff\"/>\
<stop offset=\"1\" stop-color=\"#cfcfc8\"/></radialGradient>";

/// Definitions, once in a page, that [`page_board`] needs to draw discs.
pub(crate) fn page_symbols() -> String {
    let circle = "<circle cy=\"1.5\" r=\"16.5\" fill=\"#000\" fill-opacity=\"0.35\"/><circle r=\"16.5\" fill=\"url";
    format!(
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>\n{GRADIENTS}\n\
         <g id=\"b\">{circle}(#black)\"/></g>\n<g id=\"w\">{circle}(#white)\"/></g>\n</defs></svg>\n"
    )
}

/// Marks on a board of a page beside its discs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageMarks {
    /// The move that led to the position.
    pub last: Option<Square>,
    /// The move that was played then: a ring around a faint disc.
    pub played: Square,
    /// The best move: a ring of another colour.
    pub best: Square,
}

// Lengths of a board of a page, in its own units; `page.js` places discs by the same.
const PAGE_CELL: u32 = 40;
const PAGE_EDGE: u32 = 22;

/// An empty board as a part of a page that has [`page_symbols`], with `discs` drawn on it; `label` is for screen
/// readers.
pub(crate) fn empty_page_board<B: Rules>(discs: &str, label: &str) -> String {
    let geometry = B::GEOMETRY;
    let width = u32::from(geometry.side) * PAGE_CELL + 2 * PAGE_EDGE;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {width}\" role=\"img\" aria-label=\"{}\">\
         <rect width=\"{width}\" height=\"{width}\" rx=\"8\" fill=\"#2b2622\"/>",
        escaped(label)
    );
    // Writing to a string cannot fail.
    let mut felt = String::new();
    for square in geometry.squares() {
        let (column, row) = geometry.column_row(square);
        let [x, y] = [column, row].map(|place| PAGE_EDGE + u32::from(place) * PAGE_CELL);
        let _ = write!(felt, "M{x} {y}h{PAGE_CELL}v{PAGE_CELL}h-{PAGE_CELL}z");
    }
    let _ = write!(svg, "<path d=\"{felt}\" fill=\"#1f7a44\" stroke=\"#0d3b20\" stroke-width=\"1.2\"/>");
    for index in 0..geometry.side {
        let at = PAGE_EDGE + u32::from(index) * PAGE_CELL + PAGE_CELL / 2;
        let (letter, number) = (char::from(b'a' + index), index + 1);
        let _ = write!(svg, "<text x=\"{at}\" y=\"15\">{letter}</text><text x=\"11\" y=\"{}\">{number}</text>", at + 4);
    }
    svg.push_str(discs);
    svg.push_str("</svg>");
    svg
}

/// A board as a part of a page that has [`page_symbols`]: discs, and two moves marked; `label` is for screen readers.
pub(crate) fn page_board<B: Rules>(position: &Position<B>, marks: &PageMarks, label: &str) -> String {
    let geometry = B::GEOMETRY;
    let middle = |square: Square| {
        let (column, row) = geometry.column_row(square);
        let place = |place: u8| PAGE_EDGE + u32::from(place) * PAGE_CELL + PAGE_CELL / 2;
        (place(column), place(row))
    };
    let mut discs = String::new();
    for square in geometry.squares() {
        if let Some(color) = position.disc_at(square) {
            let (x, y) = middle(square);
            let disc = if color == Color::Black { 'b' } else { 'w' };
            let _ = write!(discs, "<use href=\"#{disc}\" x=\"{x}\" y=\"{y}\"/>");
        }
    }
    if let Some(last) = marks.last.filter(|&last| position.disc_at(last).is_some()) {
        let (x, y) = middle(last);
        let _ = write!(discs, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#8fa3c8\"/>");
    }
    let disc = if position.turn == Color::Black { 'b' } else { 'w' };
    for (square, class) in [(marks.played, "played"), (marks.best, "best")] {
        let (x, y) = middle(square);
        let _ = write!(
            discs,
            "<g class=\"{class}\"><use href=\"#{disc}\" x=\"{x}\" y=\"{y}\" opacity=\"0.45\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"16.5\"/></g>"
        );
    }
    empty_page_board::<B>(&discs, label)
}

/// Adds a line to a picture.
pub fn add(svg: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{line}");
}

/// Text as it may stand in XML.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for symbol in text.chars() {
        match symbol {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // Control characters are not allowed in XML at all.
            symbol if symbol.is_control() => escaped.push(' '),
            symbol => escaped.push(symbol),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use othello::Board;

    use super::*;

    #[test]
    fn the_picture_has_a_disc_for_every_disc_and_a_dot_for_every_legal_move() {
        let svg = picture(&Position::<Board>::start(), None, "Black to move");
        assert_eq!(svg.matches("r=\"25\" fill=\"url(#black)\"").count(), 2);
        assert_eq!(svg.matches("r=\"25\" fill=\"url(#white)\"").count(), 2);
        assert_eq!(svg.matches("#a9dfb5").count(), 4);
        assert_eq!(svg.matches("fill=\"#1f7a44\"").count(), 64);
    }

    #[test]
    fn a_board_of_a_page_has_its_discs_and_two_rings_and_no_name_of_another_place() {
        let marks =
            PageMarks { last: None, played: "f5".parse().expect("a square"), best: "d3".parse().expect("a square") };
        let svg = page_board(&Position::<Board>::start(), &marks, "<start>");
        assert_eq!((svg.matches("<use href=\"#b\"").count(), svg.matches("<use href=\"#w\"").count()), (4, 2));
        // f5 is in the sixth column and the fifth row: 22 + 5.5 * 40 and 22 + 4.5 * 40.
        assert!(svg.contains("<g class=\"played\"><use href=\"#b\" x=\"242\" y=\"202\""), "{svg}");
        assert!(svg.contains("aria-label=\"&lt;start&gt;\"") && !svg.contains("http"), "{svg}");
    }

    #[test]
    fn names_with_signs_of_xml_are_written_as_text() {
        let svg = picture(&Position::<Board>::start(), None, "<b> & \"c\"\u{1}");
        assert!(svg.contains("&lt;b&gt; &amp; &quot;c&quot; </text>"));
    }
}
