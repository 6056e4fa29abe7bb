//! Games in a text of any layout.
//!
//! One game per line; a game over several lines, with numbers or without, or in a table whose columns are read downwards;
//! titles, diagrams and results between them; the tags of PGN; a board followed by moves; a diagram of move numbers; the
//! JSON of Othello Quest; the address of a game.
//!
//! # Which lines are one game
//!
//! - Lines that are each a game from the start position are a game each.
//! - A line that is not, but continues the moves of the lines before it, is part of the same game. So is a line that
//!   begins with the number of the next move.
//! - A line that begins with the number 1, a tag, a board, an object or an address begins another game. After an empty
//!   line or a title a game only continues if the line cannot be anything else.
//!
//! # Which lines are moves
//!
//! A line is meant as moves if it begins with them (after numbers and passes, a letter and a digit follow), or if more
//! than half of its letters and digits, the numbers of moves not counted, are the names of squares: `ff5d6c3` is a game
//! with an error. Any other line is a title, and is skipped. One wrong, extra or missing character therefore never makes
//! a title of a line of three moves or more.

mod board_text;
mod run;
mod tags;

use std::collections::VecDeque;
use std::io::BufRead;
use std::mem;

use crate::lines::{LINE_LIMIT, Lines};
use crate::quest::{self, ObjectText};
use crate::transcript::{self, Word, leading_number, leading_pass, words};
use crate::{GameRecord, Place, RecordError, RecordProblem, link};
use othello::{Board, Position, Rules, Square};

pub(super) use board_text::begins_with_board;
use board_text::{BoardText, Rows};
use run::{Failure, MoveTable, Run, is_next};
use tags::{Tags, leading_tag};

/// Reads the only game of a text.
///
/// ```
/// use othello::Board;
/// use records::{text, transcript};
///
/// let record = text::only::<Board>("[Black \"Rose\"]\n\n1. f5 d6\n2. c3 d3\n40-24")?;
/// assert_eq!((record.black.as_str(), record.result.map(|score| score.discs())), ("Rose", Some(16)));
/// assert_eq!(transcript::format(&record.game), "f5d6c3d3");
/// # Ok::<(), records::RecordProblem>(())
/// ```
pub fn only<B: Rules>(text: &str) -> Result<GameRecord<B>, RecordProblem> {
    let mut texts = Texts::<_, B>::new(text.as_bytes(), "");
    let first = texts.next().ok_or_else(no_game)?;
    if texts.next().is_none() {
        return first.map_err(|error| error.problem);
    }
    // Short lines may be a game each, or all together; here there is one game.
    match transcript::parse(text) {
        Ok(game) => Ok(GameRecord::new(game)),
        Err(_) => {
            first.map_err(|error| error.problem)?;
            Err(RecordProblem::malformed("several games", "one game"))
        }
    }
}

/// The games of a text, one at a time.
///
/// After an invalid game, reading continues with the next one.
#[derive(Debug)]
pub(super) struct Texts<R, B: Rules = Board> {
    lines: Lines<R>,
    name: String,
    assembler: Assembler<B>,
    is_at_end: bool,
}

impl<R: BufRead, B: Rules> Texts<R, B> {
    pub(super) fn new(reader: R, name: &str) -> Self {
        let (lines, assembler) = (Lines::new(reader), Assembler::default());
        Self { lines, name: name.to_owned(), assembler, is_at_end: false }
    }
}

impl<R: BufRead, B: Rules> Iterator for Texts<R, B> {
    type Item = Result<GameRecord<B>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(result) = self.assembler.ready.pop_front() {
                let error = |(line, problem)| RecordError::new(&self.name, Place::Line(line), problem);
                return Some(result.map_err(error));
            }
            if self.is_at_end {
                return None;
            }
            let number = self.lines.number + 1;
            match self.lines.next() {
                Some(Ok(line)) => self.assembler.line(number, &line),
                Some(Err(problem)) => {
                    self.assembler.end_game();
                    self.assembler.fail(number, problem);
                }
                None => {
                    self.assembler.end();
                    self.is_at_end = true;
                }
            }
        }
    }
}

/// Puts the lines of a text together to games.
#[derive(Debug)]
struct Assembler<B: Rules> {
    /// Games that are complete, and errors with the number of the line on which the game begins.
    ready: VecDeque<Result<GameRecord<B>, (u64, RecordProblem)>>,
    state: State<B>,
    /// The tags of a game whose moves have not begun.
    tags: Option<Tags>,
    /// A board after which there were no moves yet.
    board: Option<BoardText<B>>,
    /// The rows of a board that is not complete.
    rows: Option<Rows>,
    object: Option<ObjectText>,
    comment: Comment,
    /// Whether there was an empty line or a title after the last line of moves.
    has_gap: bool,
    /// The first line that was skipped as a title. It is an error if the text has no game.
    skipped: Option<(u64, RecordProblem)>,
    is_empty: bool,
}

#[derive(Debug)]
enum State<B: Rules> {
    Idle,
    Run(Box<Run<B>>),
    Table(MoveTable),
    /// A game with an error, which was reported. Lines that continue it are skipped.
    Broken {
        /// The number of its moves, played or not.
        count: usize,
        /// Whether its moves have numbers: only lines with numbers continue it.
        is_numbered: bool,
    },
}

#[derive(Debug, Default)]
struct Comment {
    in_braces: bool,
    /// Variations in parentheses, which are skipped, too.
    depth: u32,
}

impl<B: Rules> Default for Assembler<B> {
    fn default() -> Self {
        Self {
            ready: VecDeque::new(),
            state: State::Idle,
            tags: None,
            board: None,
            rows: None,
            object: None,
            comment: Comment::default(),
            has_gap: false,
            skipped: None,
            is_empty: true,
        }
    }
}

impl<B: Rules> Assembler<B> {
    fn line(&mut self, number: u64, line: &str) {
        let mut rest = Some(line);
        while let Some(text) = rest {
            rest = self.part(number, text);
        }
    }

    /// Takes a line up to the end of a tag or an object, and returns what remains.
    fn part<'a>(&mut self, number: u64, line: &'a str) -> Option<&'a str> {
        if self.object.is_some() {
            return self.object_part(line);
        }
        let text = line.trim();
        if let Some(rows) = &mut self.rows {
            if rows.take::<B>(text) {
                return None;
            }
            self.end_rows();
        }
        if text.is_empty() {
            self.gap();
            return None;
        }
        if let Some((name, value, rest)) = leading_tag(text) {
            self.tag(number, name, value);
            return Some(rest).filter(|rest| !rest.is_empty());
        }
        if text.starts_with(['#', '%']) {
            return None;
        }
        if self.is_tagged() {
            let text = self.comment.strip(text);
            if !text.trim().is_empty() {
                self.plain_line(number, text.trim());
            }
            return None;
        }
        // A list of objects is read one by one.
        let object = between_objects(text);
        if begins_with_object(object) {
            self.end_game();
            self.object = Some(ObjectText::new(number));
            return self.object_part(object);
        }
        self.plain_line(number, text);
        None
    }

    /// Takes a line that is not empty and has no tags.
    fn plain_line(&mut self, number: u64, text: &str) {
        if begins_with_board(text) {
            return self.board_line(number, text);
        }
        let mut rows = Rows::new(number);
        if rows.take::<B>(text) {
            // Numbers alone may also be a title.
            if rows.has_numbers() {
                self.gap();
                self.end_board();
            } else {
                self.end_moves();
            }
            self.rows = Some(rows);
        } else if let Some(rows) = Rows::of_picture::<B>(number, text) {
            self.gap();
            self.end_board();
            self.rows = Some(rows);
        } else if let Some(address) = text.split_whitespace().find(|word| word.contains("://")) {
            self.address(number, address);
        } else {
            let words = words::<B>(text);
            match &words[..] {
                [Word::Result(discs)] => self.result(*discs),
                _ if begins_with_moves(text) || is_mostly_squares::<B>(text) => self.moves(number, text, &words),
                _ => self.title(number),
            }
        }
    }

    /// An empty line, or something that is not part of a game.
    fn gap(&mut self) {
        self.has_gap = true;
        if !matches!(self.state, State::Run(_)) {
            self.end_run();
        }
    }

    fn title(&mut self, number: u64) {
        self.gap();
        self.skipped.get_or_insert_with(|| (number, no_game()));
    }

    /// The result of the game before, on a line of its own.
    fn result(&mut self, discs: Option<[u32; 2]>) {
        match &mut self.state {
            State::Run(run) if !self.has_gap => run.close(discs),
            _ => self.gap(),
        }
    }

    fn tag(&mut self, number: u64, name: &str, value: String) {
        self.comment = Comment::default();
        // Tags that repeat one are those of the next game.
        if self.tags.as_ref().is_none_or(|tags| tags.has(name)) {
            self.end_game();
            self.tags = Some(Tags::new(number));
        }
        if let Some(tags) = &mut self.tags {
            tags.add(name, value);
        }
    }

    /// Whether comments are those of PGN: in the game with tags.
    fn is_tagged(&self) -> bool {
        let is_over = self.has_gap && !self.comment.in_braces;
        self.tags.is_some()
            || match &self.state {
                State::Run(run) => run.tags.is_some() && !run.is_closed && !is_over,
                State::Table(table) => table.tags.is_some(),
                State::Idle | State::Broken { .. } => false,
            }
    }

    /// Adds a line to the object, and returns what remains of it after its end.
    fn object_part<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let object = self.object.as_mut()?;
        let rest = object.add(line);
        let is_too_long = object.text.len() > LINE_LIMIT;
        if rest.is_none() && !is_too_long {
            return None;
        }
        if let Some(object) = self.object.take() {
            let games = if is_too_long { Err(RecordProblem::TooLong(LINE_LIMIT)) } else { quest::games(&object.text) };
            match games {
                Ok(games) => {
                    games.into_iter().for_each(|game| self.push(game.map_err(|problem| (object.line, problem))));
                }
                Err(problem) => self.fail(object.line, problem),
            }
        }
        rest.map(between_objects).filter(|rest| !rest.is_empty())
    }

    fn board_line(&mut self, number: u64, text: &str) {
        self.end_moves();
        match board_text::in_one_line(number, text) {
            Ok((board, rest)) => {
                self.board = Some(board);
                if !rest.trim().is_empty() {
                    self.moves(number, rest.trim(), &words::<B>(rest));
                }
            }
            Err(problem) => self.fail(number, problem),
        }
    }

    fn end_rows(&mut self) {
        if let Some(rows) = self.rows.take() {
            let line = rows.line;
            if let Some(moves) = rows.moves::<B>() {
                return self.numbered(line, moves);
            }
            match rows.board() {
                Some(board) => self.board = Some(board),
                None if self.skipped.is_none() => {
                    let problem = RecordProblem::malformed("an incomplete board", "a game or a board");
                    self.skipped = Some((line, problem));
                }
                None => {}
            }
        }
    }

    /// A game whose moves are numbers on the squares of a diagram.
    fn numbered(&mut self, line: u64, moves: Result<Vec<Square>, RecordProblem>) {
        self.end_run();
        let words = moves.map(|moves| moves.into_iter().map(Word::Move).collect::<Vec<_>>());
        let run = words
            .map_err(|problem| (line, problem))
            .and_then(|words| self.alone(line, &words).map_err(|(line, failure)| (line, failure.problem)));
        match run {
            Ok(run) => self.finish(run),
            Err((line, problem)) => self.fail(line, problem),
        }
    }

    fn address(&mut self, number: u64, address: &str) {
        let Some(link) = link::of_address(address) else { return self.title(number) };
        match link::parse(&link) {
            Ok(game) => {
                self.end_game();
                self.push(Ok(GameRecord::new(game)));
            }
            // The part of an address after # may be anything.
            Err(_) if B::GEOMETRY.leading_square(&link).is_none() && !link.contains(link::END_OF_PART) => {
                self.title(number);
            }
            Err(error) => {
                self.end_game();
                self.fail(number, RecordProblem::malformed(format!("an address, but {error}"), "that of a game"));
            }
        }
    }

    fn moves(&mut self, number: u64, text: &str, words: &[Word]) {
        if matches!(words.last(), Some(Word::Unknown(_))) && !text.contains(char::is_whitespace) {
            // The address of a game without its beginning.
            if let Some(game) =
                Some(text).filter(|text| text.contains(['(', '@'])).and_then(|text| link::parse(text).ok())
            {
                self.end_game();
                return self.push(Ok(GameRecord::new(game)));
            }
        }
        let has_gap = mem::take(&mut self.has_gap);
        let lead = match words.first() {
            Some(Word::Number(number)) => Some(*number),
            _ => None,
        };
        if let State::Table(table) = &mut self.state {
            if lead != Some(1) && table.add(words) {
                return;
            }
            self.end_run();
        }
        if let Some(table) = MoveTable::new(number, words) {
            self.end_run();
            self.state = State::Table(MoveTable { tags: self.tags.take(), ..table });
            return;
        }
        match mem::replace(&mut self.state, State::Idle) {
            State::Run(run) if lead == Some(1) || self.board.is_some() && run.continued(words).is_err() => {
                self.finish(*run);
                self.begin(number, words);
            }
            State::Run(run) => {
                // A picture between the moves shows what they have led to.
                self.board = None;
                self.go_on(*run, number, words, lead, has_gap);
            }
            State::Broken { count, is_numbered } => {
                let is_game = Run::<B>::new(number, words, Position::start()).is_ok();
                let is_skipped = match lead {
                    Some(1) => false,
                    Some(lead) => !is_game || is_next(lead, count),
                    None => !is_game && !is_numbered,
                };
                if is_skipped {
                    self.state = State::Broken { count: count + move_count(words), is_numbered };
                } else {
                    self.begin(number, words);
                }
            }
            State::Idle | State::Table(_) => self.begin(number, words),
        }
    }

    /// The game of a line by itself, with the tags and the board before it.
    fn alone(&mut self, number: u64, words: &[Word]) -> Result<Run<B>, (u64, Failure)> {
        let board = self.board.take();
        let tags = self.tags.take();
        let line = tags.as_ref().map(|tags| tags.line).or(board.as_ref().map(|board| board.line)).unwrap_or(number);
        let wrong = |failure| (line, failure);
        if let Some(start) = tags.as_ref().and_then(Tags::start) {
            let start =
                start.parse().map_err(|error| wrong(Failure { progress: 0, problem: RecordProblem::Board(error) }))?;
            return Ok(Run::new(number, words, start).map_err(wrong)?.with_head(line, tags));
        }
        let from_start = Run::new(number, words, Position::start());
        let Some(board) = board else {
            let run = from_start.map_err(wrong)?;
            return Ok(if tags.is_some() { run.with_head(line, tags) } else { run });
        };
        let mut results: Vec<_> = board.positions.iter().map(|&start| Run::new(number, words, start)).collect();
        if let Some(index) = results.iter().position(Result::is_ok) {
            return Ok(results.swap_remove(index).map_err(wrong)?.with_head(line, tags));
        }
        match (from_start, board) {
            // It shows the end of the moves, or is a record of its own.
            (Ok(run), board) => {
                if !board.is_picture {
                    self.push(board.record.map_err(|error| (board.line, error.into())));
                }
                Ok(if tags.is_some() { run.with_head(line, tags) } else { run })
            }
            (Err(failure), board) if board.is_picture => Err((number, failure)),
            (Err(failure), _) => Err(wrong(results.into_iter().find_map(Result::err).unwrap_or(failure))),
        }
    }

    fn begin(&mut self, number: u64, words: &[Word]) {
        let is_from_start = self.board.is_none() && self.tags.as_ref().and_then(Tags::start).is_none();
        let is_game = || Run::<B>::new(number, words, Position::start()).is_ok();
        // The numbers may be in order by chance: those of pairs in columns of two.
        if let Some(table) = MoveTable::of(number, words).filter(|_| is_from_start && !is_game()) {
            self.state = State::Table(MoveTable { tags: self.tags.take(), ..table });
            return;
        }
        match self.alone(number, words) {
            Ok(run) => self.set_run(run),
            Err((line, failure)) => self.reject(line, failure, words),
        }
    }

    fn reject(&mut self, line: u64, failure: Failure, words: &[Word]) {
        self.fail(line, failure.problem);
        let is_numbered = words.iter().any(|word| matches!(word, Word::Number(_)));
        // Lines without numbers may be a game each.
        self.state = if is_numbered { State::Broken { count: move_count(words), is_numbered } } else { State::Idle };
    }

    /// A line of moves after others: it continues them, or begins another game.
    fn go_on(&mut self, run: Run<B>, number: u64, words: &[Word], lead: Option<usize>, has_gap: bool) {
        let is_next = lead.is_some_and(|lead| run.expects(lead));
        match (run.continued(words), Run::new(number, words, Position::start())) {
            (Ok(_), Ok(alone)) if has_gap && !is_next => {
                self.finish(run);
                self.set_run(alone);
            }
            (Ok(_), Ok(alone)) if !run.is_joined() && !is_next => {
                self.set_run(run.with_piece(number, words).unwrap_or(alone));
            }
            (Ok(continued), _) => self.set_run(continued),
            (Err(_), Ok(alone)) => {
                self.finish(run);
                self.set_run(alone);
            }
            (Err(failure), Err(failure_alone)) => {
                let goes_further = failure.progress > failure_alone.progress;
                if let Some((before, continued)) = run.split(words) {
                    self.finish(before);
                    self.set_run(continued);
                } else if let Some(table) = run.as_table(words) {
                    self.state = State::Table(table);
                } else if !has_gap && (run.is_joined() || is_next || goes_further && !run.repeats(words)) {
                    self.fail(run.line, failure.problem);
                    self.state = State::Broken { count: run.replay.mark.moves + move_count(words), is_numbered: false };
                } else {
                    self.finish(run);
                    self.reject(number, failure_alone, words);
                }
            }
        }
    }

    fn set_run(&mut self, run: Run<B>) {
        self.state = State::Run(Box::new(run));
    }

    fn push(&mut self, result: Result<GameRecord<B>, (u64, RecordProblem)>) {
        self.is_empty = false;
        self.ready.push_back(result);
    }

    fn fail(&mut self, line: u64, problem: RecordProblem) {
        self.push(Err((line, problem)));
    }

    fn finish(&mut self, run: Run<B>) {
        run.finish().into_iter().for_each(|record| self.push(Ok(record)));
    }

    fn end_table(&mut self, mut table: MoveTable) {
        self.tags = table.tags.take();
        let line = self.tags.as_ref().map_or(table.line, |tags| tags.line);
        match self.alone(table.line, &table.words()) {
            Ok(run) => self.finish(run),
            Err((_, failure)) => self.fail(line, failure.problem),
        }
    }

    fn end_run(&mut self) {
        match mem::replace(&mut self.state, State::Idle) {
            State::Run(run) => self.finish(*run),
            State::Table(table) => self.end_table(table),
            State::Idle | State::Broken { .. } => {}
        }
    }

    fn end_board(&mut self) {
        self.end_rows();
        if let Some(board) = self.board.take() {
            let has_record = board.record.is_ok() || !board.is_picture;
            if has_record {
                self.push(board.record.map_err(|error| (board.line, error.into())));
            }
        }
    }

    fn end_moves(&mut self) {
        self.end_run();
        self.end_board();
    }

    fn end_game(&mut self) {
        self.end_moves();
        if let Some(tags) = self.tags.take() {
            let mut record = GameRecord::default();
            tags.apply(&mut record);
            self.push(Ok(record));
        }
        self.has_gap = false;
    }

    fn end(&mut self) {
        if let Some(object) = self.object.take() {
            self.fail(object.line, RecordProblem::malformed("JSON without its end", "a game of Othello Quest"));
        }
        self.end_game();
        if let Some((line, problem)) = self.skipped.take().filter(|_| self.is_empty) {
            self.fail(line, problem);
        }
    }
}

impl Comment {
    /// The text without comments in braces, variations in parentheses, and signs such as `$1`.
    fn strip(&mut self, text: &str) -> String {
        let mut kept = String::new();
        let mut symbols = text.chars().peekable();
        while let Some(symbol) = symbols.next() {
            match symbol {
                '}' if self.in_braces => self.in_braces = false,
                _ if self.in_braces => {}
                '{' => self.in_braces = true,
                '(' => self.depth = self.depth.saturating_add(1),
                ')' if self.depth > 0 => self.depth -= 1,
                _ if self.depth > 0 => {}
                '$' => while symbols.next_if(char::is_ascii_digit).is_some() {},
                '!' | '?' => {}
                _ => kept.push(symbol),
            }
        }
        kept
    }
}

/// The text without the signs between the objects of a list.
fn between_objects(text: &str) -> &str {
    text.trim_start_matches(|symbol: char| "[,]".contains(symbol) || symbol.is_whitespace())
}

/// The number of words that are moves, or should be.
fn move_count(words: &[Word]) -> usize {
    words.iter().filter(|word| !matches!(word, Word::Number(_) | Word::Result(_))).count()
}

/// Whether a text begins with an object of JSON, and not with moves after a brace.
fn begins_with_object(text: &str) -> bool {
    let inner = text.strip_prefix('{').map(str::trim_start);
    inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['"', '}', '{']))
}

/// The problem of a text that is empty or consists of titles.
fn no_game() -> RecordProblem {
    RecordProblem::malformed("no game", "moves such as f5d6c3")
}

/// Whether a text begins with moves: after numbers and passes, a letter and a digit, or nothing more after a pass.
pub(super) fn begins_with_moves(text: &str) -> bool {
    let mut rest = text;
    let mut has_pass = false;
    loop {
        rest = rest.trim_start_matches(|symbol: char| ",;.".contains(symbol) || symbol.is_whitespace());
        if begins_with_square(rest) {
            return true;
        }
        if rest.is_empty() {
            return has_pass;
        }
        if let Some((_, length)) = leading_number(rest) {
            rest = &rest[length..];
        } else if let Some(length) = leading_pass(rest) {
            rest = &rest[length..];
            has_pass = true;
            // A rule of hyphens separates, and a word may begin as a pass does.
            if !begins_with_square(rest) && rest.starts_with(|symbol: char| symbol.is_alphanumeric() || symbol == '-') {
                return false;
            }
        } else {
            return false;
        }
    }
}

/// Whether a text begins with a letter and a digit, as the names of squares do.
fn begins_with_square(text: &str) -> bool {
    let mut symbols = text.chars();
    symbols.next().is_some_and(|symbol| symbol.is_ascii_alphabetic())
        && symbols.next().is_some_and(|symbol| symbol.is_ascii_digit())
}

/// Whether more than half of the letters and digits of a text, the numbers of moves not counted, name squares.
fn is_mostly_squares<B: Rules>(text: &str) -> bool {
    let (mut named, mut others) = (0, 0);
    let mut rest = text;
    let mut is_in_word = false;
    while let Some(symbol) = rest.chars().next() {
        let number = leading_number(rest).filter(|_| !is_in_word);
        let length = if let Some((_, length)) = B::GEOMETRY.leading_square(rest) {
            named += length;
            length
        } else if let Some((_, length)) = number {
            length
        } else {
            others += usize::from(symbol.is_alphanumeric());
            symbol.len_utf8()
        };
        is_in_word = number.is_none() && symbol.is_alphanumeric();
        rest = &rest[length..];
    }
    named > others
}
