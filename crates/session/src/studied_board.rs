//! Studies that need Emilia: values of some of the moves, and the solver. Only boards on which Emilia plays have them.

use anyhow::{Result, bail};
use control::Control;
use engine::solution::{self, Inquiry, SolveEnding, SolvedLine};
use engine::{Emilia, Limits, Observer, Options, PlayerError, Stop};
use othello::{Board, CutBoard, Game, Position, SmallBoard, Square, SquareSet, symmetric_moves};
use players::PlayableBoard;
use records::obf::Problem;
use report::words::names;
use search::{HashTable, Question, SearchableBoard, Searcher};

use crate::study::SolvedMove;
use crate::workbench::Resources;

/// Values some of the legal moves of a position, and reports on each again and again.
pub(crate) type Adviser<B> =
    Box<dyn FnMut(&Game<B>, &[Square], &Limits, &mut dyn Observer, &Stop) -> Result<(), PlayerError> + Send>;

/// Solves a position, and returns its moves with the number of visited positions. The function receives the progress in a
/// few words, and the positions visited so far.
type Solve<B> =
    fn(&Position<B>, &Inquiry, &Resources, &Stop, &mut dyn FnMut(&str, u64)) -> Result<(Vec<SolvedMove>, u64)>;

/// Studies of the positions of a board with Emilia.
#[derive(Debug)]
pub struct Studies<B: PlayableBoard> {
    pub(crate) adviser: fn(&Options) -> Result<Adviser<B>>,
    pub(crate) solve: Solve<B>,
}

impl<B: SearchableBoard + PlayableBoard> Studies<B> {
    const NEW: Self = Self { adviser, solve };
}

/// A board whose positions may be studied with Emilia.
pub trait StudiedBoard: PlayableBoard {
    /// The studies, if Emilia plays on the board.
    const STUDIES: Option<Studies<Self>>;
}

impl StudiedBoard for Board {
    const STUDIES: Option<Studies<Self>> = Some(Studies::NEW);
}

impl StudiedBoard for SmallBoard<6> {
    const STUDIES: Option<Studies<Self>> = Some(Studies::NEW);
}

impl StudiedBoard for SmallBoard<4> {
    const STUDIES: Option<Studies<Self>> = Some(Studies::NEW);
}

impl StudiedBoard for CutBoard {
    const STUDIES: Option<Studies<Self>> = None;
}

fn adviser<B: SearchableBoard + PlayableBoard>(options: &Options) -> Result<Adviser<B>> {
    let mut emilia = Emilia::with_evaluation(B::available()?, options)?;
    Ok(Box::new(move |game, moves, limits, observer, stop| {
        let moves = moves.iter().fold(0, |set, &square| set | u64::only(square));
        let question = Question { lines: usize::MAX, moves: Some(moves), window: None };
        emilia.study(&game.position().board, &question, limits, observer, stop).map(drop)
    }))
}

/// Hash table size for solving a position with this number of empty squares, in MB.
fn solving_table(empties: u32, max: u32) -> usize {
    let wanted = match empties {
        0..=12 => 1,
        13..=18 => 8,
        _ => 64,
    };
    wanted.min(max.max(1)) as usize
}

fn solve<B: SearchableBoard + PlayableBoard>(
    position: &Position<B>,
    inquiry: &Inquiry,
    resources: &Resources,
    stop: &Stop,
    tell: &mut dyn FnMut(&str, u64),
) -> Result<(Vec<SolvedMove>, u64)> {
    let search = resources.options.search;
    let table = HashTable::new(solving_table(position.board.empties().count(), search.hash))?;
    let searcher = Searcher::new(B::available()?, table, usize::from(search.threads));
    let problem = Problem { position: *position, scores: Vec::new(), comment: String::new() };
    let control = Control::new().with_stop(stop.clone());
    let mut report = |text: &str| tell(text, control.nodes());
    let SolveEnding::Solved(solution) = solution::solve(&searcher, &problem, inquiry, &control, &mut report)? else {
        bail!("solving was stopped");
    };
    let name = |square| B::GEOMETRY.square_name(square);
    let symmetric = |square| symmetric_moves(&position.board, square).into_iter().map(name).collect();
    let solved = |answer: SolvedLine| SolvedMove {
        square: answer.square.map(name),
        symmetric_moves: answer.square.map_or_else(Vec::new, symmetric),
        value: answer.value,
        line: names::<B>(&answer.line),
    };
    Ok((solution.answers.into_iter().map(solved).collect(), solution.nodes))
}
