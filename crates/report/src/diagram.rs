//! A board drawn with characters.

use othello::{Color, Position, Rules, Score, Square, SquareSet, squares};

use crate::look::Look;

/// A colour of the board.
#[derive(Clone, Copy, Debug)]
pub struct Shade {
    /// Red, green and blue.
    pub rgb: (u8, u8, u8),
    /// The nearest colour that most terminals without true colour have.
    pub nearest: u8,
}

/// The two shades of the squares, as in the SVG picture.
pub const FELT: [Shade; 2] = [Shade { rgb: (31, 122, 68), nearest: 28 }, Shade { rgb: (27, 109, 60), nearest: 22 }];
/// The square of the last move.
pub const LAST_MOVE: Shade = Shade { rgb: (133, 128, 45), nearest: 100 };
/// The discs of Black.
pub const BLACK: Shade = Shade { rgb: (0, 0, 0), nearest: 16 };
/// The discs of White.
pub const WHITE: Shade = Shade { rgb: (255, 255, 255), nearest: 231 };
/// Legal moves.
pub const LEGAL_MOVE: Shade = Shade { rgb: (152, 214, 166), nearest: 157 };

impl Shade {
    /// The shade of the discs of a side.
    pub fn of_disc(color: Color) -> Self {
        if color == Color::Black { BLACK } else { WHITE }
    }

    /// The ANSI parameters for text, or for its background.
    fn ansi(self, is_background: bool, look: Look) -> String {
        let (layer, (red, green, blue)) = (if is_background { 48 } else { 38 }, self.rgb);
        if look.true_color { format!("{layer};2;{red};{green};{blue}") } else { format!("{layer};5;{}", self.nearest) }
    }
}

/// A text on the board of a terminal with colour.
fn on_felt(sign: char, ink: Shade, felt: Shade, look: Look) -> String {
    format!("\x1b[{};{}m {sign} \x1b[0m", felt.ansi(true, look), ink.ansi(false, look))
}

/// A position to draw, with notes beside it.
pub struct Diagram<'a, B> {
    /// The position.
    pub position: &'a Position<B>,
    /// The move that led to it, to be marked.
    pub last_move: Option<Square>,
    /// Lines of text to the right of the board, the first beside the first row.
    pub notes: Vec<String>,
}

impl<B: Rules> Diagram<'_, B> {
    /// The drawing, a line a row, with the names of columns above and of rows to the left.
    pub fn draw(&self, look: Look) -> String {
        let geometry = B::GEOMETRY;
        let cell_width = if look.color { 3 } else { 2 };
        let mut drawing = String::new();

        let mut header = "   ".to_owned();
        for column in 0..geometry.side {
            header += &format!("{:^cell_width$}", char::from(b'a' + column));
        }
        drawing += look.dim(header.trim_end()).as_str();
        drawing.push('\n');

        for row in 0..geometry.side {
            let mut line = look.dim(&format!("{:>2} ", row + 1));
            for column in 0..geometry.side {
                line += &match geometry.square_at(column, row) {
                    Some(square) => self.cell(square, usize::from((column + row) % 2), look),
                    None => " ".repeat(cell_width),
                };
            }
            if let Some(note) = self.notes.get(usize::from(row)).filter(|note| !note.is_empty()) {
                line += "   ";
                line += note;
            }
            drawing += line.trim_end();
            drawing.push('\n');
        }
        drawing
    }

    fn cell(&self, square: Square, shade: usize, look: Look) -> String {
        let (sign, ink) = match self.position.disc_at(square) {
            Some(color) => (disc_sign(color, look), Shade::of_disc(color)),
            None if self.position.board.moves().has(square) => (if look.unicode { '•' } else { '+' }, LEGAL_MOVE),
            None if look.color => (' ', LEGAL_MOVE),
            None => (if look.unicode { '·' } else { '.' }, LEGAL_MOVE),
        };
        if !look.color {
            return format!("{sign} ");
        }
        on_felt(sign, ink, if self.last_move == Some(square) { LAST_MOVE } else { FELT[shade] }, look)
    }
}

/// The sign of a disc. In colour both are the same disc, without it black is the filled one.
pub fn disc_sign(color: Color, look: Look) -> char {
    match (color, look) {
        (color, Look { unicode: false, .. }) => color.disc(),
        (_, Look { color: true, .. }) | (Color::Black, _) => '●',
        (Color::White, _) => '○',
    }
}

/// A disc as it stands in running text: on felt if there is colour, so that both colours are seen
/// on any background.
pub fn disc_in_text(color: Color, look: Look) -> String {
    let sign = disc_sign(color, look);
    if look.color { on_felt(sign, Shade::of_disc(color), FELT[0], look) } else { sign.to_string() }
}

/// The name of a colour in JSON and in protocols.
pub fn lower_case(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Notes on a position: the discs of both sides, and the turn with its moves or the result.
pub fn notes_on<B: Rules>(position: &Position<B>, players: [&str; 2], look: Look) -> Vec<String> {
    let mut notes = Vec::new();
    for (color, player) in [Color::Black, Color::White].into_iter().zip(players) {
        let count = position.discs(color).count();
        let turn = color == position.turn && position.board.can_move();
        let line = format!("{} {color} {count:>2}  {player}", disc_in_text(color, look));
        let arrow = if look.unicode { "◂" } else { "<" };
        notes.push(if turn { format!("{} {arrow}", line.trim_end()) } else { line.trim_end().to_owned() });
    }
    notes.push(String::new());
    notes.push(look.bold(&situation(position)));
    let moves: Vec<_> = squares(position.board.moves()).map(|square| B::GEOMETRY.square_name(square)).collect();
    notes.extend(moves.chunks(10).map(|names| names.join(" ")));
    notes
}

/// The turn, or the result of the game.
pub fn situation<B: Rules>(position: &Position<B>) -> String {
    if position.board.can_move() {
        return format!("{} to move", position.turn);
    }
    if position.board.must_pass() {
        return format!("{} has to pass", position.turn);
    }
    let score = position.black_score().discs();
    // The empty squares count for the winner, so both totals together make the whole board.
    let area = B::GEOMETRY.area() as i32;
    let (more, less) = ((area + score.abs()) / 2, (area - score.abs()) / 2);
    match score {
        0 => format!("The game is drawn, {more}-{less}"),
        _ => format!("{} wins {more}-{less}", if score > 0 { Color::Black } else { Color::White }),
    }
}

/// Result of a game: by the discs, or because a side ran out of time.
pub fn verdict<B: Rules>(position: &Position<B>, out_of_time: Option<Color>) -> String {
    if let Some(loser) = out_of_time {
        return format!("{loser} has run out of time: {} wins.", !loser);
    }
    let situation = situation(position);
    match position.board.empties().count() {
        0 => format!("{situation}."),
        _ if position.black_score() == Score::DRAW => format!("{situation}."),
        1 => format!("{situation}; the empty square counts for the winner."),
        empty => format!("{situation}; the {empty} empty squares count for the winner."),
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, SmallBoard};

    use super::*;

    fn plain<B: Rules>(position: &Position<B>) -> String {
        let notes = notes_on(position, ["one", "two"], Look::PLAIN);
        Diagram { position, last_move: None, notes }.draw(Look::PLAIN)
    }

    #[test]
    fn the_start_of_a_game_is_drawn_in_plain_text() {
        let expected = "   a b c d e f g h
 1 . . . . . . . .    X Black  2  one <
 2 . . . . . . . .    O White  2  two
 3 . . . + . . . .
 4 . . + O X . . .    Black to move
 5 . . . X O + . .    d3 c4 f5 e6
 6 . . . . + . . .
 7 . . . . . . . .
 8 . . . . . . . .
";
        assert_eq!(plain(&Position::<Board>::start()), expected);
    }

    #[test]
    fn a_small_board_names_its_squares_from_a1() {
        let expected = "   a b c d
 1 . + . .    X Black  2  one <
 2 + O X .    O White  2  two
 3 . X O +
 4 . . + .    Black to move
";
        assert_eq!(plain(&Position::<SmallBoard<4>>::start()), expected);
    }

    #[test]
    fn every_coloured_line_ends_in_the_terminals_own_colours() {
        let look = Look { color: true, true_color: false, unicode: true };
        let position = Position::<Board>::start();
        let notes = notes_on(&position, ["", ""], look);
        let drawing = Diagram { position: &position, last_move: None, notes }.draw(look);
        assert_eq!(drawing.lines().count(), 9);
        for line in drawing.lines() {
            let last = line.rfind("\x1b[").expect("a line has colour");
            assert!(line[last..].starts_with("\x1b[0m"), "{line:?}");
        }
    }
}
