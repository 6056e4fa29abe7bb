//! `emilia hint`: the best moves in a position with their values.

use book::Assessments;
use engine::{DiscScale, Emilia, Options, Origin, Progress, json};
use evaluation::{Value, winning};
use othello::{SquareSet, grouped_moves, squares, symmetric_moves};
use players::notation;
use search::{Question, SearchReport, SearchableBoard};
use terminal::live_line::thought;

use crate::arguments::{EvaluationArguments, open_book, with_searched_board};
use crate::defaults;
use crate::prelude::*;

/// The default level: a good answer in about a second.
const DEFAULT_LEVEL: Level = Level::clamped(14);

const EXAMPLES: &str = "\
Examples:
  emilia hint f5d6c3d3c4                        the best moves after these
  emilia hint f5d6c3d3c4 --level 20 --lines 1   only the best, searched deeper
  emilia hint game.sgf --move 40 --move-time 10s
                                                a position in a game, searched
                                                for ten seconds
  emilia hint start --board 6 --depth 12 --lines 9
                                                all moves on another board, to
                                                depth 12
  emilia hint tiger                             an opening by its name
  emilia hint f5d6c3 --book my.book             with another opening book
  echo f5d6c3 | emilia hint -                   from standard input
  emilia hint --json \\
      ---------------------------OX------XO--------------------------- X

A depth of 27@98% means 27 plies, with branches pruned at 98% confidence; exact stands for a proof, and book for the value \
of the opening book, which replaces that of a search. Moves that are the same by symmetry share a line. The winning chance next to the value was fitted to games, with a draw counted as half a win; it was \
measured on the 8x8 board with the shipped weights. Ctrl-C stops the search and prints what has been found so far.";

/// Show the best moves in a position, with their values and lines of play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Hint {
    #[command(flatten)]
    subject: Subject,

    /// Search level, 0 to 60 [default: 14 if there is no other limit]
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    depth: Option<u32>,

    /// Confidence in percent at which branches are pruned: 73, 87, 95, 98, 99 or 100 (no pruning)
    #[arg(long, value_name = "PERCENT", value_parser = notation::selectivity)]
    selectivity: Option<u32>,

    /// Time for one search, such as 1s
    #[arg(long, value_name = "TIME", value_parser = notation::move_time)]
    move_time: Option<Duration>,

    /// Number of positions to visit
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Number of moves to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=u16::MAX))]
    lines: u16,

    /// The opening book, whose values replace those of the search: a file, `shipped` or `off` [default: shipped]
    #[arg(long, value_name = "BOOK")]
    book: Option<BookChoice>,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// Print JSON: one object per move
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Row<B: Rules> {
    /// The position, after a forced pass, if any.
    position: Position<B>,
    /// Rank of the move, from 1.
    rank: usize,
    #[serde(flatten)]
    progress: json::Progress<B>,
    /// The winning chance, with a draw counted as half a win; none if it was not measured.
    win_probability: Option<f64>,
    /// Moves that a symmetry of the board turns this one into.
    symmetric_moves: Vec<SquareName<B>>,
}

impl Hint {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_searched_board!(self.evaluation.board, B => self.run_on::<B>())
    }

    fn limits(&self) -> Limits {
        let Self { depth, selectivity, nodes, move_time, level, .. } = *self;
        let limits = Limits { depth, selectivity, nodes, move_time, clock: None, level };
        let is_limited = depth.is_some() || nodes.is_some() || move_time.is_some() || level.is_some();
        let default_level = || defaults::level().or(Some(DEFAULT_LEVEL));
        if is_limited { limits } else { Limits { level: default_level(), ..limits } }
    }

    fn run_on<B: RecordedBoard + SearchableBoard>(&self) -> Result<()> {
        let position = self.subject.position::<B>()?;
        let book = open_book(self.book.as_ref(), self.evaluation.board)?;
        if position.board.is_over() {
            return output::no_move(self.json, &position);
        }
        // A pass is forced: the moves after it are shown.
        let (position, passed) =
            if position.board.must_pass() { (position.pass(), Some(position.turn)) } else { (position, None) };
        let options = Options {
            table_megabytes: self.evaluation.search.hash as usize,
            threads: usize::from(self.evaluation.search.threads),
            ..Options::default()
        };
        let has_chances = B::HAS_WINNING_PROBABILITY && self.evaluation.weights != WeightsChoice::HandMade;
        let known = book.as_ref().map(|book| book.assessments(&position.board)).transpose()?.unwrap_or_default();
        with_evaluation!(self.evaluation.weights.evaluation::<B>()?, evaluation => {
            let emilia = Emilia::<B, _>::with_evaluation(evaluation, &options)?;
            self.study(emilia, &position, passed, has_chances, &known)
        })
    }

    fn study<B: SearchableBoard, E: CompiledSearch<B>>(
        &self,
        mut emilia: Emilia<B, E>,
        position: &Position<B>,
        passed: Option<Color>,
        has_chances: bool,
        known: &Assessments,
    ) -> Result<()> {
        let stop = interrupt::flag()?;
        // Of symmetric moves, one is searched. The best moves without a value of the book may come after all moves with one.
        let groups = grouped_moves(&position.board, squares(position.board.moves()));
        let firsts = groups.iter().fold(0, |set, (first, _)| set | u64::only(*first));
        let lines = usize::from(self.lines);
        let question = Question {
            lines: lines.saturating_add(known.moves().len()),
            moves: (firsts != position.board.moves()).then_some(firsts),
            ..Question::default()
        };
        let mut live = LiveLine::on_stderr();
        let mut shown = None;
        let mut observer = |progress: &Progress| {
            // The best of several lines comes first.
            if shown.replace((progress.depth, progress.selectivity)) != Some((progress.depth, progress.selectivity)) {
                live.show(&thought::<B>(progress));
            }
        };
        let report = emilia.study(&position.board, &question, &self.limits(), &mut observer, &stop)?;
        live.clear();
        let searched = Progress::of_report(&report, &question).collect();
        let mut merged = known.merged(searched, usize::MAX, SCALE);
        let first = |progress: &Progress| progress.line.first().copied();
        let listed = grouped_moves(&position.board, merged.iter().filter_map(first));
        merged
            .retain(|progress| first(progress).is_some_and(|square| listed.iter().any(|(first, _)| *first == square)));
        merged.truncate(lines);
        let empties = position.board.empties().count();
        let with_chance = |progress: Progress| {
            let win_probability = win_probability(&progress, empties, has_chances);
            (progress, win_probability)
        };
        let moves: Vec<_> = merged.into_iter().map(with_chance).collect();
        let mut out = output::stdout();
        if !self.json {
            print::<B>(position, passed, &moves, &report, &mut out)?;
            out.flush()?;
            return interrupt::check(&stop);
        }
        for (index, (progress, win_probability)) in moves.into_iter().enumerate() {
            let symmetric = first(&progress).map_or_else(Vec::new, |square| symmetric_moves(&position.board, square));
            let symmetric_moves = symmetric.into_iter().map(SquareName::from).collect();
            let (position, rank, progress) = (*position, index + 1, progress.into());
            output::json_line(&mut out, &Row { position, rank, progress, win_probability, symmetric_moves })?;
        }
        out.flush()?;
        interrupt::check(&stop)
    }
}

/// Values of the search and of books are discs.
const SCALE: DiscScale = DiscScale { points_per_disc: 1.0 };

/// The winning chance corresponding to a value: 0, one half or 1 if the value is proven, otherwise the one that was fitted
/// to games, if it was.
fn win_probability(progress: &Progress, empty_count: u32, is_fitted: bool) -> Option<f64> {
    match progress.value? {
        Estimate::Solved(score) => Some(winning::of_score(score)),
        Estimate::Discs { hundredths } if is_fitted => {
            // A search finds the value of positions that many moves later.
            let value = Value::from_discs(hundredths as f32 / 100.0);
            Some(winning::probability(value, empty_count.saturating_sub(progress.depth)))
        }
        _ => None,
    }
}

fn print<B: Rules<Set = u64>>(
    position: &Position<B>,
    passed: Option<Color>,
    moves: &[(Progress, Option<f64>)],
    report: &SearchReport,
    out: &mut impl Write,
) -> Result<()> {
    if let Some(color) = passed {
        writeln!(out, "{color} has no legal move and passes.")?;
    }
    let empties = position.board.empties().count();
    writeln!(out, "{} to move, {}", position.turn, counted(empties.into(), "empty square"))?;
    // Chances that are not known have no column.
    let has_wins = moves.iter().any(|(_, chance)| chance.is_some());
    let column = |text: &str| if has_wins { format!("{text:>4}  ") } else { String::new() };
    let name = |square: &Square| B::GEOMETRY.square_name(*square);
    let full_name = |(progress, _): &(Progress, _)| {
        let Some(first) = progress.line.first() else { return String::new() };
        let symmetric: Vec<_> = symmetric_moves(&position.board, *first).iter().map(name).collect();
        if symmetric.is_empty() { name(first) } else { format!("{} ({})", name(first), symmetric.join(" ")) }
    };
    let names: Vec<_> = moves.iter().map(full_name).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max("move".len());
    writeln!(out, "{:>8}  {:<width$} {:>7}  {}line", "depth", "move", "value", column("wins"))?;
    let columns = wrapping::columns(&io::stdout());
    for ((progress, wins), name) in moves.iter().zip(&names) {
        let depth = match progress.origin() {
            Some(Origin::Search) | None => format!("{}@{}%", progress.depth, progress.selectivity),
            Some(origin) => origin.to_string(),
        };
        let value = progress.value.map_or(String::new(), |value| value.to_string());
        let wins = wins.map_or(String::new(), output::percent);
        let start = format!("{depth:>8}  {name:<width$} {value:>7}  {}", column(&wins));
        let used = start.chars().count();
        writeln!(out, "{start}{}", wrapping::wrapped_moves::<B>(&progress.line, columns, used, used))?;
    }
    let seconds = report.elapsed.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{}, {seconds:.3} s, {speed:.1} M nodes/s", counted(report.nodes, "node"))?;
    Ok(())
}
