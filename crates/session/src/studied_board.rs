//! Studies that need Emilia: values of some of the moves, and the solver. Only boards on which Emilia plays have them.

use anyhow::{Result, bail};
use control::Control;
use engine::solution::{self, Inquiry, SolveEnding, SolvedLine};
use engine::{Emilia, Limits, Observer, Options, PlayerError, Stop};
use evaluation::EvaluatedBoard;
use othello::{Board, CutBoard, Game, Position, SmallBoard, Square, SquareSet, symmetric_moves};
use players::PlayableBoard;
use records::obf::Problem;
use report::words::names;
use search::{HashTable, Question, SearchableBoard, Searcher};

use crate::study::SolvedMove;
use crate::workbench::Resources;

/// An Emilia that values some of the legal moves.
pub trait Adviser<B>: Send {
    /// Values these moves of a position, and reports on each again and again.
    fn advise(
        &mut self,
        game: &Game<B>,
        moves: &[Square],
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError>
    where
        B: PlayableBoard;
}

/// A board whose positions may be studied with Emilia.
pub trait StudiedBoard: PlayableBoard {
    /// An Emilia that values some of the moves.
    fn adviser(_options: &Options) -> Result<Box<dyn Adviser<Self>>> {
        bail!("Emilia does not play on the {} board", Self::GEOMETRY.name)
    }

    /// Solves a position, and returns its moves with the number of visited positions. `tell` receives the progress in a
    /// few words, and the positions visited so far.
    fn solve(
        _position: &Position<Self>,
        _inquiry: &Inquiry,
        _resources: &Resources,
        _stop: &Stop,
        _tell: &mut dyn FnMut(&str, u64),
    ) -> Result<(Vec<SolvedMove>, u64)> {
        bail!("there is no solver for the {} board", Self::GEOMETRY.name)
    }
}

impl StudiedBoard for CutBoard {}

macro_rules! boards_of_emilia {
    ($($board:ty),+) => {$(
        impl StudiedBoard for $board {
            fn adviser(options: &Options) -> Result<Box<dyn Adviser<Self>>> {
                Ok(Box::new(Emilia::with_evaluation(Self::available()?, options)?))
            }

            fn solve(
                position: &Position<Self>,
                inquiry: &Inquiry,
                resources: &Resources,
                stop: &Stop,
                tell: &mut dyn FnMut(&str, u64),
            ) -> Result<(Vec<SolvedMove>, u64)> {
                solve(position, inquiry, resources, stop, tell)
            }
        }
    )+};
}

boards_of_emilia!(Board, SmallBoard<6>, SmallBoard<4>);

impl<B: SearchableBoard + PlayableBoard> Adviser<B> for Emilia<B> {
    fn advise(
        &mut self,
        game: &Game<B>,
        moves: &[Square],
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError> {
        let moves = moves.iter().fold(0, |set, &square| set | u64::only(square));
        let question = Question { lines: usize::MAX, moves: Some(moves), window: None };
        self.study(&game.position().board, &question, limits, observer, stop).map(drop)
    }
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
