//! `emilia book show`: the content of a book about a position.

use book::{Destination, Effort, Snapshot};
use clap::Arg;
use evaluation::Value;
use othello::{grouped_moves, squares};

use crate::arguments::book_to_read;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book show my.book                    the starting position
  emilia book show my.book f5d6c3d3c4         the position after these moves
  emilia book show shipped tiger              an opening by its name
  emilia book show my.book game.sgf --move 12 a position of a game
  emilia book show my.book f5d6 --json        as one JSON object

Values are for the side to move. A depth of 20@73% means that 20 plies were searched behind the value, with branches \
pruned at 73% confidence. Moves marked book lead to positions of the book; the leaf is the best of the others. A value \
with <= is an upper bound: the move was compared with the leaf, but has no value of its own.";

/// The argument that names the position, which has a default here. A changed argument becomes the last one of its command,
/// so the side is "changed", too.
fn with_default(what: Arg) -> Arg {
    what.required(false).default_value(Subject::START).help(WHAT)
}

const WHAT: &str = "A board as 64 characters X, O and -, with the side to move; a game such as f5d6c3; a file of games; the \
                    name of an opening; or `start`";

/// Show the content of a book about a position: every move with its value, and the best line.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_arg("what", with_default), mut_arg("side", |side| side))]
pub(crate) struct Show {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    #[command(flatten)]
    subject: Subject,

    /// Print JSON: one object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    /// The position, after a forced pass, if any.
    position: Position<Board>,
    /// Whether the book has the position.
    in_book: bool,
    /// Value in the book.
    value: Option<Estimate>,
    /// Whether the value is only an upper bound, because the moves outside of the book have to be searched.
    open: bool,
    /// Whether the value was proven by a search of the position itself.
    solved: bool,
    #[serde(flatten)]
    search: EntrySearch,
    /// Games that were counted in the position.
    games: u32,
    /// The name of the opening, if the position has one.
    opening: Option<&'static str>,
    /// Every legal move, the best first; those without a value last. Of symmetric moves, only one.
    moves: Vec<Row>,
}

/// The search behind a value; none if there was none, or if the value is that of a finished game.
#[derive(Clone, Copy, Default, Serialize)]
struct EntrySearch {
    /// Depth of the search behind the value; `null` if there was none.
    depth: Option<u8>,
    /// Its selectivity in percent.
    selectivity: Option<u8>,
}

impl EntrySearch {
    fn of(found: Option<book::BookPosition>) -> Self {
        match found.map(|found| found.effort).filter(|effort| *effort != Effort::NONE) {
            Some(effort) => Self { depth: Some(effort.depth), selectivity: Some(effort.selectivity.percent()) },
            None => Self::default(),
        }
    }

    fn text(self) -> String {
        match self {
            Self { depth: Some(depth), selectivity: Some(percent) } => format!("{depth}@{percent}%"),
            _ => String::new(),
        }
    }
}

#[derive(Serialize)]
struct Row {
    /// The square.
    #[serde(rename = "move")]
    square: SquareName,
    /// Moves that a symmetry of the board turns this one into; they have no rows of their own.
    symmetric_moves: Vec<SquareName>,
    /// Position after it: `book` (a position of the book), `end` (of the game), `leaf` (the best of the moves out of the book),
    /// `outside` (any other).
    to: &'static str,
    /// Value for the side to move, `null` if it is not known.
    value: Option<Estimate>,
    /// For a move without a value, an upper bound in discs.
    at_most: Option<f64>,
    #[serde(flatten)]
    search: EntrySearch,
    /// Games that were counted after it.
    games: u32,
    /// The best line, the move first.
    line: MoveSequence,
}

impl Row {
    /// A move without a value, which leads there, with the moves after it.
    fn new(square: Square, to: &'static str, rest: Vec<Square>) -> Self {
        let line = std::iter::once(square).chain(rest).collect::<Vec<_>>().into();
        let (value, at_most, search) = (None, None, EntrySearch::default());
        Self { square: square.into(), symmetric_moves: Vec::new(), to, value, at_most, search, games: 0, line }
    }
}

impl Show {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let position = self.subject.position::<Board>()?;
        let snapshot = book_to_read(environment.registry, &self.book)?.into_snapshot()?;
        if position.board.is_over() {
            return output::no_move(self.json, &position);
        }
        // A pass is forced: the moves after it are shown.
        let after = if position.board.must_pass() { position.pass() } else { position };
        let entry = entry(&snapshot, after)?;
        output::print(self.json, &entry, |out| {
            if position.board.must_pass() {
                writeln!(out, "{} has no legal move and passes.", position.turn)?;
            }
            print(&entry, out)
        })
    }
}

/// Content of the book about a position in which a player has a choice.
fn entry(snapshot: &Snapshot, position: Position<Board>) -> Result<Entry> {
    let board = position.board;
    let found = snapshot.lookup(&board)?;
    let mut moves = known_moves(snapshot, &board)?;
    let shown = moves.iter().fold(0, |shown, row| shown | row.square.square.bit());
    let at_most = found.and_then(|found| found.leaf.value());
    let at_most = at_most.map(|value| f64::from(value.parts()) / f64::from(Value::PER_DISC));
    moves.extend(
        squares(board.moves() & !shown).map(|square| Row { at_most, ..Row::new(square, "outside", Vec::new()) }),
    );
    let groups = grouped_moves(&board, moves.iter().map(|row| row.square.square));
    moves.retain(|row| groups.iter().any(|(first, _)| *first == row.square.square));
    for (row, (_, others)) in moves.iter_mut().zip(groups) {
        row.symmetric_moves = others.into_iter().map(SquareName::from).collect();
    }
    Ok(Entry {
        position,
        in_book: found.is_some(),
        value: found.map(|found| found.estimate()),
        open: found.is_some_and(|found| found.is_open),
        solved: found.is_some_and(|found| found.is_solved),
        search: EntrySearch::of(found),
        games: found.map_or(0, |found| found.games),
        opening: opening_names::of_position(&position).map(|opening| opening.name),
        moves,
    })
}

/// The moves whose values are known, the best first. Those of a position that is not in the book may lead to one that is.
fn known_moves(snapshot: &Snapshot, board: &Board) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let leaf_search = EntrySearch::of(snapshot.lookup(board)?);
    for known in snapshot.valued_moves(board)? {
        let (to, search, rest) = match (known.destination, board.play(known.square)) {
            (Destination::Book, Some(after)) => {
                ("book", EntrySearch::of(snapshot.lookup(&after)?), snapshot.best_line(&after)?)
            }
            (Destination::Leaf, _) => ("leaf", leaf_search, Vec::new()),
            _ => ("end", EntrySearch::default(), Vec::new()),
        };
        let (value, games) = (Some(known.estimate()), known.games);
        rows.push(Row { value, search, games, ..Row::new(known.square, to, rest) });
    }
    Ok(rows)
}

fn print(entry: &Entry, out: &mut impl Write) -> Result<()> {
    let empties = counted(entry.position.board.empty_count().into(), "empty square");
    let opening = entry.opening.map_or(String::new(), |name| format!(", {name}"));
    writeln!(out, "{} to move, {empties}{opening}", entry.position.turn)?;
    match entry.value {
        Some(value) => {
            let bound = if entry.open { ", an upper bound until its other moves are searched" } else { "" };
            let proof = if entry.solved { ", solved" } else { "" };
            let games = counted(entry.games.into(), "game");
            writeln!(out, "In the book: value {value}{bound}{proof}, {games}")?;
        }
        None => writeln!(out, "Not in the book")?,
    }
    let name = |row: &Row| {
        let others: Vec<_> = row.symmetric_moves.iter().map(ToString::to_string).collect();
        if others.is_empty() { row.square.to_string() } else { format!("{} ({})", row.square, others.join(" ")) }
    };
    let width = entry.moves.iter().map(|row| name(row).len()).max().unwrap_or(0).max("move".len());
    writeln!(out, "{:<width$} {:>8}  {:>8}  {:<4} {:>7}  line", "move", "value", "depth", "to", "games")?;
    let columns = wrapping::columns(&io::stdout());
    for row in &entry.moves {
        let value = match (row.value, row.at_most) {
            (Some(value), _) => value.to_string(),
            (None, Some(most)) => format!("<= {most:+.2}"),
            (None, None) => String::new(),
        };
        let to = if row.to == "outside" { "" } else { row.to };
        let games = if row.games == 0 { String::new() } else { grouped(row.games.into()) };
        let start = format!("{:<width$} {value:>8}  {:>8}  {to:<4} {games:>7}  ", name(row), row.search.text());
        let used = start.chars().count();
        let line = match row.to {
            "outside" => String::new(),
            _ => wrapping::wrapped_moves::<Board>(&row.line.squares, columns, used, used),
        };
        writeln!(out, "{}", format!("{start}{line}").trim_end())?;
    }
    Ok(())
}
