//! Boards in a text: in one line, in a line for each row, or as a picture with names of columns and rows.

use crate::records::obf::Problem;
use crate::records::transcript::{Word, words};
use crate::records::{GameRecord, ParsePositionError, RecordProblem};
use crate::{Color, Game, Position, Rules};

/// A board that moves may follow.
#[derive(Clone, Debug)]
pub(super) struct BoardText<B: Rules> {
    /// The number of the line with the beginning of the board.
    pub(super) line: u64,
    /// The position, or one for each side to move if the text does not state the side.
    pub(super) positions: Vec<Position<B>>,
    /// The record of the board alone.
    pub(super) record: Result<GameRecord<B>, ParsePositionError>,
    /// Whether it is a picture, which shows the position after the moves that follow as often as the one before.
    pub(super) is_picture: bool,
}

impl<B: Rules> BoardText<B> {
    fn new(line: u64, squares: &str, turn: Option<Color>, is_picture: bool) -> Option<Self> {
        let turns = turn.map_or_else(|| vec![Color::Black, Color::White], |turn| vec![turn]);
        let parse = |turn: &Color| format!("{squares} {}", turn.disc()).parse();
        let positions: Vec<Position<B>> = turns.iter().map(parse).collect::<Result<_, _>>().ok()?;
        let record = match positions[..] {
            [position] => Ok(GameRecord::new(Game::from_position(position))),
            // The error is that of a board without a side to move.
            _ => squares.parse().map(|position: Position<B>| GameRecord::new(Game::from_position(position))),
        };
        Some(Self { line, positions, record, is_picture })
    }
}

/// The number of symbols by which a line is recognized as a board.
const BOARD_HEAD: usize = 16;

/// Whether a line begins with a board; one wrong symbol is a slip.
pub(in crate::records) fn begins_with_board(line: &str) -> bool {
    // Moves alternate letters and digits, so they never look like a board, even with one wrong square.
    let head = line.trim_start().chars().take(BOARD_HEAD);
    head.clone().count() == BOARD_HEAD && head.filter(|&symbol| !"XxOo*-._BbWw".contains(symbol)).count() <= 1
}

/// The board of a line, with its scores, and the moves behind it.
pub(super) fn in_one_line<B: Rules>(line: u64, text: &str) -> Result<(BoardText<B>, &str), RecordProblem> {
    let symbols = text.char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
    let side = symbols.clone().nth(B::GEOMETRY.area() as usize);
    let (head, rest) = text.split_at(side.map_or(text.len(), |(index, symbol)| index + symbol.len_utf8()));
    let is_moves = matches!(words::<B>(rest).first(), Some(Word::Move(_) | Word::Number(_) | Word::Pass));
    let (problem, rest) = if is_moves && !rest.trim_start().starts_with([';', '%']) {
        (Problem { position: head.parse()?, scores: Vec::new(), comment: String::new() }, rest)
    } else {
        (text.parse::<Problem<B>>()?, "")
    };
    let positions = vec![problem.position];
    Ok((BoardText { line, positions, record: Ok(problem.into()), is_picture: false }, rest))
}

/// The rows of a board, each on a line of its own.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The number of the line with the first row.
    pub(super) line: u64,
    squares: String,
    count: u8,
    turn: Option<Color>,
    /// Whether columns and rows have their names, with notes beside the rows.
    is_picture: bool,
}

impl Rows {
    /// A board that begins in this line.
    pub(super) fn new(line: u64) -> Self {
        Self { line, squares: String::new(), count: 0, turn: None, is_picture: false }
    }

    /// A picture whose rows begin after this line, if it has the names of all columns: `a b c d e f g h`.
    pub(super) fn of_picture<B: Rules>(line: u64, text: &str) -> Option<Self> {
        let mut names = text.split_whitespace();
        let is_next = |letter: u8| {
            names.next().is_some_and(|name| name.len() == 1 && name.as_bytes()[0].to_ascii_lowercase() == letter)
        };
        let is_head = (b'a'..b'a' + B::GEOMETRY.side).all(is_next);
        (is_head && names.next().is_none()).then(|| Self { is_picture: true, ..Self::new(line) })
    }

    /// Takes a line; false if it is not the next row, and not the side to move.
    pub(super) fn take<B: Rules>(&mut self, text: &str) -> bool {
        if self.is_picture { self.take_pictured::<B>(text) } else { self.take_plain::<B>(text) }
    }

    fn take_plain<B: Rules>(&mut self, text: &str) -> bool {
        let symbols: Option<Vec<_>> = text.chars().filter(|symbol| !symbol.is_whitespace()).map(square).collect();
        let Some(symbols) = symbols.filter(|symbols| !symbols.is_empty() && self.turn.is_none()) else { return false };
        let width = if self.is_complete::<B>() { 0 } else { width::<B>(self.count) };
        let is_last = self.count + 1 >= B::GEOMETRY.side;
        let (row, turn) = match symbols.len().checked_sub(width) {
            Some(0) => (&symbols[..], None),
            Some(1) if is_last => (&symbols[..width], symbols[width]),
            _ => return false,
        };
        if turn.is_none() && symbols.len() > row.len() {
            return false;
        }
        self.turn = turn;
        self.add(row.iter().copied());
        true
    }

    fn take_pictured<B: Rules>(&mut self, text: &str) -> bool {
        if self.is_complete::<B>() {
            return false;
        }
        let mut words = text.split_whitespace();
        if words.next().and_then(|name| name.parse().ok()) != Some(self.count + 1) {
            return false;
        }
        let row: Vec<_> = words.by_ref().take(width::<B>(self.count)).collect();
        for (color, words) in [(Color::Black, "Black to move"), (Color::White, "White to move")] {
            if text.contains(words) {
                self.turn = Some(color);
            }
        }
        let squares = row.iter().map(|word| {
            let mut symbols = word.chars();
            // Colors may be all that tells an empty square, and they are lost in the text.
            symbols.next().and_then(square).filter(|_| symbols.next().is_none()).unwrap_or_default()
        });
        self.add(squares);
        true
    }

    fn add(&mut self, row: impl Iterator<Item = Option<Color>>) {
        self.squares.extend(row.map(|disc| disc.map_or('-', Color::disc)));
        self.count = self.count.saturating_add(1);
    }

    /// Whether all rows are there.
    pub(super) fn is_complete<B: Rules>(&self) -> bool {
        self.count >= B::GEOMETRY.side
    }

    /// The board of all rows, or `None` if one is missing or is not shown completely.
    pub(super) fn board<B: Rules>(self) -> Option<BoardText<B>> {
        let is_whole = self.squares.len() == B::GEOMETRY.area() as usize;
        // With colors, the discs of both sides are the same symbol.
        let has_both = ['X', 'O'].iter().all(|&disc| self.squares.contains(disc));
        if !self.is_complete::<B>() || !is_whole || self.is_picture && !has_both {
            return None;
        }
        BoardText::new(self.line, &self.squares, self.turn, self.is_picture)
    }
}

/// The number of squares in a row.
fn width<B: Rules>(row: u8) -> usize {
    (0..B::GEOMETRY.side).filter(|&column| B::GEOMETRY.square_at(column, row).is_some()).count()
}

/// The content of a square by its symbol, a disc or nothing; `None` if the symbol is not one of a board.
fn square(symbol: char) -> Option<Option<Color>> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' | '#' | '●' => Some(Some(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '○' => Some(Some(Color::White)),
        '-' | '.' | '_' | '+' | '·' | '•' => Some(None),
        _ => None,
    }
}
