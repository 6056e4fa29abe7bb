//! What each board has besides its players: what values its moves and solves its positions.

use std::fmt;
use std::sync::Arc;

use control::Control;
use engine::solution::{self, Inquiry, SolveEnding};
use engine::{Emilia, Limits, Observer, Options, Player, PlayerError, Stop};
use evaluation::EvaluatedBoard;
use othello::{Board, BoardShape, CutBoard, Game, Position, Rules, SmallBoard, Square, SquareSet, symmetric_moves};
use players::{PlayableBoard, PlayerOptions, SearchOptions};
use records::obf::Problem;
use report::words::{names, sentence};
use search::{HashTable, Question, SearchableBoard, Searcher};

use crate::job::Outcome;
use crate::study::SolvedMove;
use crate::workbench::Resources;

/// A solved position: its moves and the positions visited.
pub struct Solved {
    pub answers: Vec<SolvedMove>,
    pub nodes: u64,
}

/// What is asked about a position that is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct SolveQuestion {
    pub outcome_only: bool,
    pub all_moves: bool,
}

/// A board whose moves can be valued and whose positions can be solved.
pub trait StudiedBoard: PlayableBoard {
    /// What values moves.
    type Adviser: Send + fmt::Debug;

    /// Makes what values moves.
    fn adviser(resources: &Resources) -> Outcome<Self::Adviser>;

    /// Values these moves of a position, or all of them if there are none here, and reports on each again and again.
    fn advise(
        adviser: &mut Self::Adviser,
        game: &Game<Self>,
        moves: &[Square],
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError>;

    /// Solves a position; `tell` hears in a few words how far it is, and how many positions were visited.
    fn solve(
        position: &Position<Self>,
        question: SolveQuestion,
        resources: &Resources,
        stop: &Stop,
        tell: &mut dyn FnMut(&str, u64),
    ) -> Outcome<Solved>;
}

/// The table of a solver, in MB, for this number of empty squares.
fn solving_table(empties: u32, most: u32) -> usize {
    let wanted = match empties {
        0..=12 => 1,
        13..=18 => 8,
        _ => 64,
    };
    wanted.min(most.max(1)) as usize
}

fn solve<B: SearchableBoard + PlayableBoard>(
    position: &Position<B>,
    question: SolveQuestion,
    resources: &Resources,
    stop: &Stop,
    tell: &mut dyn FnMut(&str, u64),
) -> Outcome<Solved> {
    let SolveQuestion { outcome_only, all_moves } = question;
    let megabytes = solving_table(position.board.empties().count(), resources.hash);
    let table = HashTable::new(megabytes).map_err(|error| sentence(&error))?;
    let evaluation = B::available().map_err(|error| sentence(&error))?;
    let searcher = Searcher::new(evaluation, table, usize::from(resources.threads));
    let problem = Problem { position: *position, scores: Vec::new(), comment: String::new() };
    let control = Control::new().with_stop(stop.clone());
    let inquiry = Inquiry { outcome_only, all_moves, verify: false };
    let mut said = |text: &str| tell(text, control.nodes());
    match solution::solve(&searcher, &problem, &inquiry, &control, &mut said).map_err(|error| sentence(&error))? {
        SolveEnding::Interrupted(_) => Err("solving was stopped".to_owned()),
        SolveEnding::Solved(solution) => {
            let name = |square| B::GEOMETRY.square_name(square);
            let symmetric = |square| symmetric_moves(&position.board, square).into_iter().map(name).collect();
            let answer = |answer: solution::Answer| SolvedMove {
                square: answer.square.map(name),
                symmetric_moves: answer.square.map_or_else(Vec::new, symmetric),
                value: answer.value,
                line: names::<B>(&answer.line),
            };
            Ok(Solved { answers: solution.answers.into_iter().map(answer).collect(), nodes: solution.nodes })
        }
    }
}

/// The options of an Emilia that values moves.
fn options(resources: &Resources) -> Options {
    Options {
        table_megabytes: resources.hash as usize,
        threads: usize::from(resources.threads),
        default_level: None,
        seed: 0,
    }
}

macro_rules! boards_of_emilia {
    ($($board:ty),+) => {$(
        impl StudiedBoard for $board {
            type Adviser = Emilia<$board>;

            fn adviser(resources: &Resources) -> Outcome<Self::Adviser> {
                let evaluation = <$board>::available().map_err(|error| sentence(&error))?;
                let shared = resources.shared.as_ref().filter(|_| BoardShape::of::<Self>() == BoardShape::Eight);
                match shared {
                    Some(table) => Ok(Emilia::with_table(evaluation, Arc::clone(table), &options(resources))),
                    None => Emilia::with_evaluation(evaluation, &options(resources)).map_err(|error| sentence(&error)),
                }
            }

            fn advise(
                adviser: &mut Self::Adviser,
                game: &Game<Self>,
                moves: &[Square],
                limits: &Limits,
                observer: &mut dyn Observer,
                stop: &Stop,
            ) -> Result<(), PlayerError> {
                let wanted = moves.iter().fold(0, |set, &square| set | u64::only(square));
                let question = Question { lines: usize::MAX, moves: (wanted != 0).then_some(wanted), window: None };
                adviser.study(&game.position().board, &question, limits, observer, stop).map(drop)
            }

            fn solve(
                position: &Position<Self>,
                question: SolveQuestion,
                resources: &Resources,
                stop: &Stop,
                tell: &mut dyn FnMut(&str, u64),
            ) -> Outcome<Solved> {
                solve(position, question, resources, stop, tell)
            }
        }
    )+};
}

boards_of_emilia!(Board, SmallBoard<6>, SmallBoard<4>);

impl StudiedBoard for CutBoard {
    type Adviser = StrongestPlayer;

    fn adviser(resources: &Resources) -> Outcome<Self::Adviser> {
        let search = SearchOptions { threads: resources.threads, hash: resources.hash };
        let options = PlayerOptions { search, ..PlayerOptions::default() };
        players::registry::of_papers().strongest_player(&options).map(StrongestPlayer).map_err(|error| sentence(&error))
    }

    fn advise(
        StrongestPlayer(player): &mut Self::Adviser,
        game: &Game<Self>,
        _moves: &[Square],
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), PlayerError> {
        player.value_moves(game, usize::MAX, limits, observer, stop).map(drop)
    }

    fn solve(
        _position: &Position<Self>,
        _question: SolveQuestion,
        _resources: &Resources,
        _stop: &Stop,
        _tell: &mut dyn FnMut(&str, u64),
    ) -> Outcome<Solved> {
        Err(format!("there is no solver for the {} board", Self::GEOMETRY.name))
    }
}

/// The strongest player of a board that Emilia does not play on.
pub struct StrongestPlayer(Box<dyn Player<CutBoard>>);

impl fmt::Debug for StrongestPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StrongestPlayer").field(&self.0.name()).finish()
    }
}
