//! SGF: the Smart Game Format, in which Othello is game number 2.

use crate::properties::{Token, Tokens, parse_number, write_number, write_property, write_text, write_value};
use crate::replay::{Mark, Replay, is_pass};
use crate::time_control::{parse_seconds, seconds_text};
use crate::{Annotation, Ending, GameRecord, RecordProblem, TimeControl, brief};
use othello::{Color, Game, Position, Rules, Score, Square, SquareSet};

/// Reads a game, `(;GM[2]FF[4]…;B[f5];W[d6])`, with its variations as branches.
///
/// Squares are read as `f5` or in the notation of Go, `fe`.
///
/// ```
/// use othello::Board;
/// use records::sgf;
///
/// let record = sgf::parse::<Board>("(;GM[2]FF[4]SZ[8]PB[Tamenori](;B[f5];W[d6])(;B[fe];W[ff]))")?;
/// assert_eq!(record.black, "Tamenori");
/// assert_eq!(record.game.moves(), ["f5".parse()?, "d6".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse<B: Rules>(text: &str) -> Result<GameRecord<B>, RecordProblem> {
    let mut reader = Reader::<B>::new();
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next()? {
        match token {
            Token::Property(name, values) => reader.node.push((name, values)),
            Token::Node => reader.end_node()?,
            Token::Open => {
                reader.end_node()?;
                reader.marks.push(reader.replay.mark);
            }
            Token::Close => {
                reader.end_node()?;
                reader.on_main_line = false;
                if let Some(mark) = reader.marks.pop() {
                    reader.replay.go_back(mark);
                }
            }
        }
    }
    reader.end_node()?;
    Ok(reader.finish())
}

/// The state while reading one game: a node is read completely before it is interpreted, because the order of its
/// properties has no meaning.
struct Reader<B: Rules> {
    record: GameRecord<B>,
    replay: Replay<B>,
    /// The start position, until the first move.
    setup: Setup<B>,
    node: Vec<(String, Vec<String>)>,
    /// Whether the first node with properties has been read.
    past_root: bool,
    /// The starting points of the variations that are open.
    marks: Vec<Mark>,
    /// The main line comes first in the file: it ends at the first closing parenthesis.
    on_main_line: bool,
    /// The last ply of the main line and its color, for the comments that follow it.
    last_ply: Option<(usize, Color)>,
    overtime: String,
}

/// The discs of the start position.
struct Setup<B: Rules> {
    /// The discs of both colors, once the record has set any.
    discs: Option<[B::Set; 2]>,
    turn: Option<Color>,
}

impl<B: Rules> Setup<B> {
    fn put(&mut self, color: Option<Color>, square: Square) {
        let discs = self.discs.get_or_insert([B::Set::EMPTY; 2]);
        for (side, set) in [Color::Black, Color::White].into_iter().zip(discs) {
            *set &= !B::Set::only(square);
            if color == Some(side) {
                *set |= B::Set::only(square);
            }
        }
    }

    fn position(&self) -> Position<B> {
        let start = Position::<B>::start();
        let turn = self.turn.unwrap_or(start.turn);
        let [black, white] = self.discs.unwrap_or([start.discs(Color::Black), start.discs(Color::White)]);
        let (player, opponent) = if turn == Color::Black { (black, white) } else { (white, black) };
        Position { board: B::from_discs(player, opponent), turn }
    }
}

impl<B: Rules> Reader<B> {
    fn new() -> Self {
        Self {
            record: GameRecord::default(),
            replay: Replay::new(Position::start()),
            setup: Setup { discs: None, turn: None },
            node: Vec::new(),
            past_root: false,
            marks: Vec::new(),
            on_main_line: true,
            last_ply: None,
            overtime: String::new(),
        }
    }

    fn end_node(&mut self) -> Result<(), RecordProblem> {
        if self.node.is_empty() {
            return Ok(());
        }
        let node = std::mem::take(&mut self.node);
        let is_root = !std::mem::replace(&mut self.past_root, true);
        for (name, values) in &node {
            self.read_setup(name, values)?;
        }
        for (name, values) in &node {
            let color = match name.as_str() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            for value in values {
                self.read_move(color, value)?;
            }
        }
        if self.on_main_line {
            for (name, values) in node {
                if let Some(value) = values.into_iter().next() {
                    self.read_note(is_root, &name, value);
                }
            }
        }
        Ok(())
    }

    fn read_setup(&mut self, name: &str, values: &[String]) -> Result<(), RecordProblem> {
        let first = values.first().map_or("", String::as_str);
        let wrong =
            |value: &str, expected: &str| Err(RecordProblem::malformed(format!("{name}[{}]", brief(value)), expected));
        let fits = |side: &str| side.trim().parse() == Ok(B::GEOMETRY.side);
        let is_at_start = self.replay.mark.moves == 0 && self.on_main_line;
        let color = match name {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            "AE" => None,
            "GM" if first.trim() != "2" => return wrong(first, "GM[2], which is Othello"),
            "SZ" if !first.split(':').all(fits) => return wrong(first, &format!("SZ[{}]", B::GEOMETRY.side)),
            "PL" if is_at_start => {
                self.setup.turn = match first.trim().chars().next() {
                    Some('B' | 'b' | '1') => Some(Color::Black),
                    Some('W' | 'w' | '2') => Some(Color::White),
                    _ => return wrong(first.trim(), "PL[B] or PL[W]"),
                };
                self.replay = Replay::new(self.setup.position());
                return Ok(());
            }
            _ => return Ok(()),
        };
        if !is_at_start {
            let found = format!("discs set up by {name} after a move");
            return Err(RecordProblem::malformed(found, "them before the first move"));
        }
        for value in values {
            let (first, last) = value.split_once(':').unwrap_or((value, value));
            let [Ok(first), Ok(last)] = [first, last].map(|name| point::<B>(name.trim())) else {
                let expected =
                    format!("squares of the {} board, such as {name}[d4] or {name}[d4:e5]", B::GEOMETRY.name);
                return wrong(value, &expected);
            };
            let (left, top) = B::GEOMETRY.column_row(first);
            let (right, bottom) = B::GEOMETRY.column_row(last);
            for (column, row) in (left..=right).flat_map(|column| (top..=bottom).map(move |row| (column, row))) {
                if let Some(square) = B::GEOMETRY.square_at(column, row) {
                    self.setup.put(color, square);
                }
            }
        }
        self.replay = Replay::new(self.setup.position());
        Ok(())
    }

    fn read_move(&mut self, color: Color, value: &str) -> Result<(), RecordProblem> {
        let value = value.trim();
        if value.is_empty() || value == "tt" || is_pass(value) {
            let ply = self.replay.pass(Some(color))?;
            self.last_ply = ply.map(|ply| (ply, color)).or(self.last_ply);
            return Ok(());
        }
        let number = self.replay.mark.moves + 1;
        let square = point::<B>(value).map_err(|error| RecordProblem::UnknownSquare(number, error))?;
        self.last_ply = Some((self.replay.play(Some(color), square)?, color));
        Ok(())
    }

    fn read_note(&mut self, is_root: bool, name: &str, value: String) {
        let record = &mut self.record;
        match name {
            "PB" => record.black = value,
            "PW" => record.white = value,
            "BR" => record.black_rating = parse_number(&value),
            "WR" => record.white_rating = parse_number(&value),
            "EV" => record.event = value,
            "PC" => record.place = value,
            "DT" => record.date = value.split(',').next().and_then(|date| date.parse().ok()),
            "RE" => (record.result, record.ending) = parse_result::<B>(value.trim()),
            "TM" => {
                let initial = parse_seconds(value.trim());
                record.time_control = initial.map(|initial| TimeControl { initial, ..TimeControl::default() });
            }
            "OT" => self.overtime = value,
            "GC" if record.comment.is_empty() => record.comment = value,
            "C" => match self.last_ply.filter(|_| !is_root) {
                None => add_line(&mut record.comment, &value),
                Some(_) => self.annotate(|annotation, _| add_line(&mut annotation.comment, &value)),
            },
            "V" => {
                // SGF gives values from Black's point of view, an annotation from the player's.
                let evaluation = parse_number(&value);
                self.annotate(|annotation, color| {
                    annotation.evaluation = evaluation.map(|value| if color == Color::Black { value } else { -value });
                });
            }
            "ET" => self.annotate(|annotation, _| annotation.time = parse_seconds(value.trim())),
            _ => {}
        }
    }

    fn annotate(&mut self, change: impl FnOnce(&mut Annotation, Color)) {
        if let Some((ply, color)) = self.last_ply {
            let mut annotation = self.record.annotation(ply).cloned().unwrap_or_default();
            change(&mut annotation, color);
            self.record.annotate(ply, annotation);
        }
    }

    fn finish(mut self) -> GameRecord<B> {
        let overtime = format!("0/{}", self.overtime).parse::<TimeControl>().unwrap_or_default();
        if let Some(time_control) = &mut self.record.time_control {
            *time_control = TimeControl { initial: time_control.initial, ..overtime };
        }
        self.record.game = self.replay.finish();
        self.record
    }
}

fn add_line(text: &mut String, line: &str) {
    *text += if text.is_empty() { "" } else { "\n" };
    *text += line;
}

/// Reads a square, `f5` or column and row in the notation of Go, `fe`.
fn point<B: Rules>(text: &str) -> Result<Square, othello::ParseSquareError> {
    if let [column, row] = *text.as_bytes() {
        let [column, row] = [column, row].map(|letter| letter.to_ascii_lowercase().wrapping_sub(b'a'));
        if let Some(square) = B::GEOMETRY.square_at(column, row) {
            return Ok(square);
        }
    }
    B::GEOMETRY.parse_square(text)
}

/// Reads `B+18`, `W+R`, `B+T`, `0` or `Draw`.
fn parse_result<B: Rules>(text: &str) -> (Option<Score>, Option<Ending>) {
    let area = B::GEOMETRY.area() as i8;
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return (Some(Score::DRAW), None);
    }
    let Some((winner, margin)) = text.split_once('+') else { return (None, None) };
    let sign = match winner {
        "B" | "b" => 1,
        "W" | "w" => -1,
        _ => return (None, None),
    };
    let ending = match margin.to_ascii_lowercase().as_str() {
        "r" | "resign" => Some(Ending::Resignation),
        "t" | "time" => Some(Ending::Timeout),
        _ => None,
    };
    let margin = match ending {
        // A player that resigns or runs out of time loses all squares, as on the servers.
        Some(_) => Some(area),
        None => parse_number(margin)
            .filter(|margin| margin.fract() == 0.0 && (0.0..=f64::from(area)).contains(margin))
            .map(|margin| margin as i8),
    };
    (margin.map(|margin| Score::new(sign * margin)), ending)
}

/// Writes a game with its branches as variations, the current line first.
///
/// The time spent on a move is written as the private property `ET`, because SGF only has a property for the remaining
/// time. Theoretical scores, the scores of a problem, and a resignation or timeout whose score is not all squares are
/// left out.
pub fn format<B: Rules>(record: &GameRecord<B>) -> String {
    let mut out = String::from("(;GM[2]FF[4]CA[UTF-8]");
    write_property(&mut out, "AP", concat!("Emilia:", env!("CARGO_PKG_VERSION")));
    write_value(&mut out, "SZ", B::GEOMETRY.side);
    write_text(&mut out, "PB", &record.black);
    write_text(&mut out, "PW", &record.white);
    write_number(&mut out, "BR", record.black_rating);
    write_number(&mut out, "WR", record.white_rating);
    write_text(&mut out, "EV", &record.event);
    write_text(&mut out, "PC", &record.place);
    if let Some(date) = record.date {
        write_value(&mut out, "DT", date);
    }
    if let Some(result) = result_text::<B>(record) {
        write_value(&mut out, "RE", result);
    }
    if let Some(time_control) = record.time_control {
        write_value(&mut out, "TM", seconds_text(time_control.initial));
        let overtime = TimeControl { initial: Default::default(), ..time_control }.to_string();
        if let Some((_, overtime)) = overtime.split_once('/') {
            write_value(&mut out, "OT", overtime);
        }
    }
    write_text(&mut out, "C", &record.comment);
    write_setup(&mut out, &record.game.start());
    out.push('\n');

    let mut game = record.game.clone();
    game.rewind();
    let begins_with_pass = game.position().turn != game.start().turn;
    if begins_with_pass {
        write_ply(&mut out, record, Some(0), game.start().turn, None);
    }
    write_moves(&mut out, record, &mut game, Some(usize::from(begins_with_pass)));
    out.push(')');
    out
}

fn result_text<B: Rules>(record: &GameRecord<B>) -> Option<String> {
    let score = record.result?;
    let winner = match score.discs() {
        0 => return Some("0".to_owned()),
        1.. => 'B',
        _ => 'W',
    };
    let margin = score.discs().unsigned_abs();
    match record.ending {
        Some(Ending::Resignation) if margin == B::GEOMETRY.area() => Some(format!("{winner}+R")),
        Some(Ending::Timeout) if margin == B::GEOMETRY.area() => Some(format!("{winner}+T")),
        _ => Some(format!("{winner}+{margin}")),
    }
}

/// Writes the discs of the start position, also of the standard one, because some programs begin with an empty board.
fn write_setup<B: Rules>(out: &mut String, start: &Position<B>) {
    let mut write = |name: &str, set: B::Set| {
        if !set.is_empty() {
            out.push_str(name);
            for square in othello::squares(set) {
                out.push_str(&format!("[{}]", B::GEOMETRY.square_name(square)));
            }
        }
    };
    write("AB", start.discs(Color::Black));
    write("AW", start.discs(Color::White));
    if start.board.empties() == B::PLAYABLE {
        // A board without discs must be distinguished from the standard start.
        write("AE", start.board.empties());
    }
    out.push_str(if start.turn == Color::Black { "PL[B]" } else { "PL[W]" });
}

/// Writes the moves recorded from the current position on; `ply` is the index of the next ply if it is on the line that
/// has annotations.
fn write_moves<B: Rules>(out: &mut String, record: &GameRecord<B>, game: &mut Game<B>, ply: Option<usize>) {
    let Some(first) = game.redo() else { return };
    game.undo();
    let mut branches = game.branches();
    if let Some(index) = branches.iter().position(|&square| square == first) {
        // The current line comes first, the other branches in their order.
        branches[..=index].rotate_right(1);
    }
    let variations = branches.len() > 1;
    for (index, square) in branches.into_iter().enumerate() {
        let ply = ply.filter(|_| index == 0);
        let turn = game.position().turn;
        if game.play(square).is_err() {
            // Recorded moves are legal.
            continue;
        }
        if variations {
            out.push_str("\n(");
        }
        write_ply(out, record, ply, turn, Some(square));
        let mut next = ply.map(|ply| ply + 1);
        if game.position().turn == turn {
            write_ply(out, record, next, !turn, None);
            next = next.map(|ply| ply + 1);
        }
        // A game is no longer than the number of squares of its board, which limits the recursion depth.
        write_moves(out, record, game, next);
        if variations {
            out.push(')');
        }
        game.undo();
    }
}

fn write_ply<B: Rules>(
    out: &mut String,
    record: &GameRecord<B>,
    ply: Option<usize>,
    color: Color,
    square: Option<Square>,
) {
    out.push(';');
    let name = square.map(|square| B::GEOMETRY.square_name(square)).unwrap_or_default();
    write_value(out, if color == Color::Black { "B" } else { "W" }, name);
    let Some(annotation) = ply.and_then(|ply| record.annotation(ply)) else { return };
    write_number(out, "V", annotation.evaluation.map(|value| if color == Color::Black { value } else { -value }));
    if let Some(time) = annotation.time {
        write_value(out, "ET", seconds_text(time));
    }
    write_text(out, "C", &annotation.comment);
}
