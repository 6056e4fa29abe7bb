//! Colors and symbols of the screen; without color, the symbols show everything.

use book::Destination;
use othello::Color as Side;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

use report::diagram::{self, Shade};
use report::look::Look;

use crate::full_screen::book::Thickness;
use crate::full_screen::drawing::analysis::Bar;
use crate::full_screen::drawing::board::Ink;

pub(crate) struct Styles {
    pub look: Look,
    /// The two shades of the squares.
    felt: [Color; 2],
    last_move: Color,
    cursor: Color,
    /// Of Black and of White.
    discs: [Color; 2],
    legal_move: Color,
    best_move: Color,
    pub bar: Style,
    pub key: Style,
    pub plain: Style,
    pub strong: Style,
    pub faint: Style,
    pub chosen: Style,
    pub error: Style,
    pub border: border::Set<'static>,
    pub signs: &'static Signs,
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Signs with a stand-in of plain ASCII.
pub(crate) struct Signs {
    pub pointer: char,
    /// Below a place of a graph.
    pub up: char,
    /// A legal move.
    pub legal: char,
    /// From a move of the tree to its answers.
    pub connection: char,
    /// From a move of the tree down to its next sibling.
    pub upright: &'static str,
    /// More that is not shown.
    pub dots: &'static str,
    pub times: char,
}

const UNICODE: Signs =
    Signs { pointer: '▸', up: '▴', legal: '•', connection: '─', upright: "│", dots: "…", times: '×' };
const ASCII: Signs = Signs { pointer: '>', up: '^', legal: '+', connection: '-', upright: "|", dots: "..", times: 'x' };

impl Styles {
    pub(crate) fn of(look: Look) -> Self {
        let color = |Shade { rgb: (red, green, blue), nearest }| match look {
            Look { color: false, .. } => Color::Reset,
            Look { true_color: true, .. } => Color::Rgb(red, green, blue),
            _ => Color::Indexed(nearest),
        };
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let error = if look.color { bold.fg(Color::Red) } else { bold };
        Self {
            look,
            felt: diagram::FELT.map(color),
            last_move: color(diagram::LAST_MOVE),
            cursor: color(Shade { rgb: (60, 150, 160), nearest: 37 }),
            discs: [diagram::BLACK, diagram::WHITE].map(color),
            legal_move: color(diagram::LEGAL_MOVE),
            best_move: color(Shade { rgb: (255, 235, 120), nearest: 228 }),
            bar: Style::new().add_modifier(Modifier::REVERSED),
            key: bold,
            plain: Style::new(),
            strong: bold,
            faint: Style::new().add_modifier(Modifier::DIM),
            chosen: Style::new().add_modifier(Modifier::REVERSED),
            error,
            border: if look.unicode { border::PLAIN } else { ASCII_BORDER },
            signs: if look.unicode { &UNICODE } else { &ASCII },
        }
    }

    pub(crate) fn square(&self, shade: usize, is_last: bool, has_cursor: bool) -> Style {
        if !self.look.color {
            return Style::new();
        }
        let felt = match (has_cursor, is_last) {
            (true, _) => self.cursor,
            (false, true) => self.last_move,
            (false, false) => self.felt[shade % 2],
        };
        Style::new().bg(felt).fg(self.legal_move)
    }

    pub(crate) fn disc(&self, side: Side) -> Style {
        if self.look.color { Style::new().fg(self.discs[side as usize]) } else { Style::new() }
    }

    /// A disc beside a name: on felt if there is color.
    pub(crate) fn disc_in_text(&self, side: Side) -> Style {
        if self.look.color { self.disc(side).bg(self.felt[0]) } else { Style::new() }
    }

    pub(crate) fn value(&self, is_best: bool) -> Style {
        let ink = if is_best { self.best_move } else { self.legal_move };
        let style = if self.look.color { Style::new().fg(ink) } else { Style::new() };
        if is_best { style.add_modifier(Modifier::BOLD) } else { style }
    }

    pub(crate) fn disc_sign(&self, side: Side) -> char {
        diagram::disc_sign(side, self.look)
    }

    /// The characters of a large disc. Without color White's is a ring.
    pub(crate) fn disc_ink(&self, side: Side) -> Ink {
        match self.look {
            Look { unicode: false, .. } => Ink::Letter(side.disc()),
            Look { color, .. } => Ink::Blocks { is_ring: !color && side == Side::White },
        }
    }

    pub(crate) fn bar_sign(&self, bar: Bar) -> char {
        match (bar, self.look.unicode) {
            (Bar::Empty, _) => ' ',
            (Bar::Axis, true) => '─',
            (Bar::Axis, false) => '-',
            (Bar::Full, true) => '█',
            (Bar::Lower, true) => '▄',
            (Bar::Upper, true) => '▀',
            (Bar::Full | Bar::Lower | Bar::Upper, false) => '#',
        }
    }

    pub(crate) fn empty_sign(&self) -> char {
        match self.look {
            Look { color: true, .. } => ' ',
            Look { unicode: true, .. } => '·',
            _ => '.',
        }
    }

    /// The ink of a value in discs, as a side sees it: blue if it is good, orange if it is bad. Most people can tell these
    /// two apart.
    pub(crate) fn worth(&self, discs: f64) -> Style {
        let (ink, is_clear) = match discs {
            discs if discs >= 2.5 => (39, true),
            discs if discs >= 0.5 => (75, false),
            discs if discs <= -2.5 => (202, true),
            discs if discs <= -0.5 => (208, false),
            _ => return self.plain,
        };
        match (self.look.color, is_clear) {
            (false, _) => self.plain,
            (true, false) => Style::new().fg(Color::Indexed(ink)),
            (true, true) => Style::new().fg(Color::Indexed(ink)).add_modifier(Modifier::BOLD),
        }
    }

    pub(crate) fn line_sign(&self, thickness: Thickness) -> char {
        let signs = if self.look.unicode { ['┄', '─', '━', '█'] } else { ['.', '-', '=', '#'] };
        signs[thickness as usize]
    }

    pub(crate) fn thicknesses(&self) -> String {
        let sign = |thickness| self.line_sign(thickness).to_string().repeat(2);
        format!(
            "{} from 30%, {} from 10%, {} from 2%, {} less",
            sign(Thickness::Bar),
            sign(Thickness::Thick),
            sign(Thickness::Thin),
            sign(Thickness::Hair)
        )
    }

    /// The point where the line to a move leaves those of its siblings.
    pub(crate) fn junction(&self, is_first: bool, is_last: bool) -> &'static str {
        match (self.look.unicode, is_first, is_last) {
            (false, true, true) => "-",
            (false, ..) => "+",
            (true, true, true) => "─",
            (true, true, false) => "┬",
            (true, false, false) => "├",
            (true, false, true) => "└",
        }
    }

    /// The sign of a move that leaves the book or ends the game.
    pub(crate) fn way_sign(&self, to: Destination) -> &'static str {
        match (to, self.look.unicode) {
            (Destination::Book, _) => "",
            (Destination::Leaf, true) => "→",
            (Destination::Leaf, false) => ">",
            (Destination::End, true) => "■",
            (Destination::End, false) => "#",
        }
    }

    /// The size of a window: columns by rows.
    pub(crate) fn size(&self, columns: u16, rows: u16) -> String {
        format!("{columns}{}{rows}", self.signs.times)
    }
}
