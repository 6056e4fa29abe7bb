//! Boards in a text: in one line, in a line for each row, as a picture with names of columns and rows, or as a diagram whose
//! squares have the numbers of the moves.

use crate::obf::Problem;
use crate::transcript::{Word, words};
use crate::{GameRecord, RecordProblem};
use othello::{Color, Game, ParsePositionError, Position, Rules, Square};

/// A board that moves may follow.
#[derive(Clone, Debug)]
pub(super) struct BoardText<B: Rules> {
    pub(super) line: u64,
    /// The position, or one for each side to move if the text does not state the side.
    pub(super) positions: Vec<Position<B>>,
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

const START_DISCS: usize = 4;

/// Maximum number of words, more than any row of a diagram has.
const MAX_CELLS: usize = 16;

/// The number of symbols by which a line is recognized as a board.
const BOARD_HEAD: usize = 16;

/// Whether a line begins with a board; one wrong symbol is a slip.
pub(crate) fn begins_with_board(line: &str) -> bool {
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
    pub(super) line: u64,
    squares: String,
    count: u8,
    turn: Option<Color>,
    /// Whether rows have their names, with notes beside them.
    is_picture: bool,
    /// The number of the move on each square, if it has one.
    numbers: Vec<Option<usize>>,
}

/// A square of a diagram: the number of a move, or a disc or nothing.
enum Cell {
    Number(usize),
    Symbol(Option<Color>),
}

impl Cell {
    fn parse(word: &str) -> Option<Self> {
        if (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::Number(word.parse().ok().filter(|&number| number > 0)?));
        }
        // A disc may be in parentheses, and an empty square have two hyphens.
        let mut symbols = word.chars().filter(|symbol| !"()[]".contains(*symbol));
        let first = symbols.next().map_or(Some(None), square)?;
        (word.chars().count() <= 3 && symbols.all(|symbol| square(symbol) == Some(first)))
            .then_some(Self::Symbol(first))
    }
}

impl Rows {
    pub(super) fn new(line: u64) -> Self {
        Self { line, squares: String::new(), count: 0, turn: None, is_picture: false, numbers: Vec::new() }
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
        if self.take_numbers::<B>(text) {
            return true;
        }
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
        let cells: Vec<_> = row.iter().copied().map(Cell::Symbol).collect();
        self.add(&cells);
        true
    }

    /// Takes a row with numbers of moves, with or without the name of the row before it.
    fn take_numbers<B: Rules>(&mut self, text: &str) -> bool {
        let mut words: Vec<_> = cells(text).take(MAX_CELLS).collect();
        let width = width::<B>(self.count);
        if self.is_complete::<B>() || self.turn.is_some() || words.len() < width {
            return false;
        }
        let has_name = words.len() == width + 1 && words[0] == (self.count + 1).to_string();
        words.drain(..usize::from(has_name));
        let cells: Option<Vec<_>> = words.iter().map(|word| Cell::parse(word)).collect();
        let Some(cells) = cells.filter(|cells| cells.len() == width) else { return false };
        // A row with one symbol for each square is that of a board.
        let is_long = |cell: (&Cell, &&str)| matches!(cell.0, Cell::Number(_)) || cell.1.chars().count() > 1;
        if !has_name && !cells.iter().zip(&words).any(is_long) {
            return false;
        }
        self.is_picture |= has_name;
        self.add(&cells);
        true
    }

    fn take_pictured<B: Rules>(&mut self, text: &str) -> bool {
        if self.is_complete::<B>() {
            return false;
        }
        let mut words = cells(text);
        if words.next().and_then(|name| name.parse().ok()) != Some(self.count + 1) {
            return false;
        }
        let row: Vec<_> = words.by_ref().take(width::<B>(self.count)).collect();
        for (color, words) in [(Color::Black, "Black to move"), (Color::White, "White to move")] {
            if text.contains(words) {
                self.turn = Some(color);
            }
        }
        // Empty squares may differ from others by their color alone, which is lost in the text.
        let cells: Vec<_> = row.iter().map(|word| Cell::parse(word).unwrap_or(Cell::Symbol(None))).collect();
        self.add(&cells);
        true
    }

    fn add(&mut self, row: &[Cell]) {
        for cell in row {
            let (number, disc) = match cell {
                Cell::Number(number) => (Some(*number), None),
                Cell::Symbol(disc) => (None, *disc),
            };
            self.numbers.push(number);
            self.squares.push(disc.map_or('-', Color::disc));
        }
        self.count = self.count.saturating_add(1);
    }

    pub(super) fn has_numbers(&self) -> bool {
        self.numbers.iter().any(Option::is_some)
    }

    /// The moves of a diagram in the order of their numbers, or `None` if it is not one: it has no numbers, or more discs
    /// than the start, or few rows.
    pub(super) fn moves<B: Rules>(&self) -> Option<Result<Vec<Square>, RecordProblem>> {
        let side = B::GEOMETRY.side;
        let discs = self.squares.chars().filter(|&symbol| symbol != '-').count();
        if !self.has_numbers() || discs > START_DISCS || self.count < side / 2 {
            return None;
        }
        if !self.is_complete::<B>() || self.numbers.len() != B::GEOMETRY.area() as usize {
            // The notes beside a picture may have a few numbers.
            let is_note = self.is_picture && self.numbers.iter().flatten().count() < 2 * usize::from(side);
            let problem = || {
                let found = format!("{} squares in {} rows of move numbers", self.numbers.len(), self.count);
                RecordProblem::malformed(found, format!("{} in {side}", B::GEOMETRY.area()))
            };
            return (!is_note).then(|| Err(problem()));
        }
        let squares = (0..side).flat_map(|row| (0..side).filter_map(move |column| B::GEOMETRY.square_at(column, row)));
        let mut moves: Vec<_> =
            squares.zip(&self.numbers).filter_map(|(square, number)| Some(((*number)?, square))).collect();
        moves.sort_by_key(|&(number, _)| number);
        for (index, &(number, square)) in moves.iter().enumerate() {
            let expected = index + 1;
            if number != expected {
                let name = B::GEOMETRY.square_name(square);
                let found = format!("the number {number} on {name}");
                return Some(Err(RecordProblem::malformed(found, format!("{expected}: each number once"))));
            }
        }
        Some(Ok(moves.into_iter().map(|(_, square)| square).collect()))
    }

    pub(super) fn is_complete<B: Rules>(&self) -> bool {
        self.count >= B::GEOMETRY.side
    }

    /// The board of all rows, or `None` if one is missing or is not shown completely.
    pub(super) fn board<B: Rules>(self) -> Option<BoardText<B>> {
        if self.has_numbers() && !self.is_picture {
            return None;
        }
        let is_whole = self.squares.len() == B::GEOMETRY.area() as usize;
        // With colors, the discs of both sides are the same symbol.
        let has_both = ['X', 'O'].iter().all(|&disc| self.squares.contains(disc));
        if !self.is_complete::<B>() || !is_whole || self.is_picture && !has_both {
            return None;
        }
        BoardText::new(self.line, &self.squares, self.turn, self.is_picture)
    }
}

/// The squares of a row, with what is beside them.
fn cells(text: &str) -> impl Iterator<Item = &str> {
    text.split(|symbol: char| symbol.is_whitespace() || symbol == '|').filter(|word| !word.is_empty())
}

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
