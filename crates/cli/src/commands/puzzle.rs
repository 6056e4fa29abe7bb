//! `emilia puzzle`: the puzzles of a day in the terminal.

use players::analysts::AnalystChoice;
use records::files::today;
use records::{Date, obf::MoveScore};
use session::puzzles::{self, Puzzle};
use terminal::exercises::{ExerciseItem, Exercises};

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia puzzle                          today's puzzles
  emilia puzzle --empties 16             harder ones: 6, 8, 10 and so on to 20
  emilia puzzle --date 2026-11-18        the puzzles of another day
  emilia puzzle --json                   the positions with the scores of all
                                         moves

The page (emilia serve) begins with the same puzzles on the same day; a day begins at midnight UTC. Every try is solved \
exactly. Type answer for the solution, next to go on, quit to end. Moves are read line by line from standard input, \
which need not be a terminal; when it ends, so do the puzzles.";

/// Table size of the solver in MB, as on the page.
const HASH: u32 = 32;

/// Solve today's puzzles: positions with exactly one winning move.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PuzzleCommand {
    /// Number of empty squares; the nearest number for which there are puzzles
    #[arg(long, value_name = "N", default_value_t = puzzles::DEFAULT_EMPTIES, value_parser = number::<u32>(1..=60))]
    empties: u32,

    /// The puzzles of this day [default: today in UTC]
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    date: Option<Date>,

    /// Print JSON, one object per puzzle with its solution, and ask nothing
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Day in UTC.
    date: String,
    /// Number of empty squares.
    empties: u32,
    /// Number among the puzzles with as many empty squares, from 1.
    number: usize,
    /// Number of those puzzles.
    count: usize,
    /// The position.
    position: Position,
    /// The winning move.
    #[serde(flatten)]
    best: MoveRow,
    /// All moves, the best first.
    all_moves: Vec<MoveRow>,
}

#[derive(Serialize, Clone, Copy)]
struct MoveRow {
    /// The move.
    #[serde(rename = "move")]
    square: Option<SquareName<Board>>,
    /// Its value, which is `solved`.
    value: Estimate,
}

impl From<&MoveScore> for MoveRow {
    fn from(scored: &MoveScore) -> Self {
        Self { square: scored.square.map(SquareName::from), value: Estimate::Solved(scored.score) }
    }
}

fn parse_day(text: &str) -> Result<Date, String> {
    let date = text.parse().ok().filter(|date: &Date| date.unix_day().is_some());
    date.ok_or_else(|| format!("not a day from 1970 on: {text:?}; expected one such as 2026-11-19"))
}

impl PuzzleCommand {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let date = self.date.or_else(today).context("this machine has no valid date; use --date")?;
        let puzzles = puzzles::of_day(self.empties, date.unix_day().unwrap_or(0));
        let mut out = output::stdout();
        if self.json {
            for puzzle in &puzzles {
                output::json_line(&mut out, &row(date, puzzle).context("a puzzle without a solution")?)?;
            }
            return Ok(io::Write::flush(&mut out)?);
        }
        let count = puzzles.len();
        let item = |(index, puzzle): (usize, &Puzzle)| {
            let empties = puzzle.empties;
            let title = format!("Puzzle {} of {count} for {date}, {empties} empty squares", index + 1);
            ExerciseItem::puzzle(puzzle.problem.position, &title)
        };
        let items = puzzles.iter().enumerate().map(item).collect();
        let choice = AnalystChoice { notation: None, limits: Limits::default(), exact_from: None, hash: HASH };
        let mut analyst = choice.analyst::<Board>(environment.registry)?;
        let (look, columns) = (environment.look, wrapping::columns(&io::stdout()));
        Exercises { items, analyst: analyst.as_mut(), look, columns }.run(&mut io::stdin().lock(), &mut out)
    }
}

fn row(date: Date, puzzle: &Puzzle) -> Option<Row> {
    let Puzzle { empties, number, count, ref problem } = *puzzle;
    let mut scores = problem.scores.clone();
    scores.sort_by_key(|scored| std::cmp::Reverse(scored.score));
    let all_moves: Vec<MoveRow> = scores.iter().map(MoveRow::from).collect();
    let best = *all_moves.first()?;
    Some(Row { date: date.to_string(), empties, number, count, position: problem.position, best, all_moves })
}
