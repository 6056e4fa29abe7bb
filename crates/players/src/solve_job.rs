//! Problems to solve, as a job that other machines can do.

use std::marker::PhantomData;

use control::Control;
use engine::solution::{self, Inquiry, Solution, SolveEnding, SolvedLine};
use engine::{Estimate, Stop};
use evaluation::EvaluatedBoard;
use jobs::{Definition, InvalidJob, KnownWork, LocalFiles, Work, Worker, parameters};
use othello::{BoardShape, Rules, Score, Square, with_board};
use records::obf::Problem;
use report::words::sentence;
use search::{CompiledSearch, HashTable, SearchableBoard, Searcher};
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;

use crate::job_kinds;
use crate::portable_player::PortableWeights;
use crate::weights::{WeightsChoice, with_evaluation};

/// Solves problems.
#[derive(Debug)]
pub struct SolveWork<B, E> {
    /// The evaluation of the selective searches.
    pub evaluation: E,
    /// The size of the hash table in MB.
    pub hash: u32,
    /// The question about every problem.
    pub inquiry: Inquiry,
    /// The board.
    pub board: PhantomData<fn() -> B>,
}

/// A solution as data, or why there is none.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolutionData(Result<Solved, String>);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Solved {
    answers: Vec<AnswerData>,
    stated: Option<Score>,
    nodes: u64,
    seconds: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct AnswerData {
    square: Option<u8>,
    value: Estimate,
    line: Vec<u8>,
    stated: Option<Score>,
}

impl SolutionData {
    fn of(solution: &Solution) -> Self {
        let Solution { answers, stated, nodes, seconds } = solution;
        let index = |square: &Square| square.index() as u8;
        let answer = |answer: &SolvedLine| AnswerData {
            square: answer.square.as_ref().map(index),
            value: answer.value,
            line: answer.line.iter().map(index).collect(),
            stated: answer.stated,
        };
        let answers = answers.iter().map(answer).collect();
        Self(Ok(Solved { answers, stated: *stated, nodes: *nodes, seconds: *seconds }))
    }

    /// The solution, or why there is none.
    pub fn solution(self) -> Result<Solution, String> {
        let Solved { answers, stated, nodes, seconds } = self.0?;
        let answer = |AnswerData { square, value, line, stated }| SolvedLine {
            square: square.map(Square::new),
            value,
            line: line.into_iter().map(Square::new).collect(),
            stated,
        };
        Ok(Solution { answers: answers.into_iter().map(answer).collect(), stated, nodes, seconds })
    }
}

impl<B: Rules<Set = u64>, E: CompiledSearch<B>> Work for SolveWork<B, E> {
    /// A line of a file of problems.
    type Item = String;
    type Output = SolutionData;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, String, SolutionData> {
        let table = HashTable::new(self.hash as usize);
        let searcher = table.map(|table| Searcher::new(&self.evaluation, table, 1)).map_err(|error| error.to_string());
        Box::new(move |_, text| {
            let solved = match (&searcher, text.parse::<Problem<B>>()) {
                (Ok(searcher), Ok(problem)) => {
                    let control = Control::new().with_stop(stop.clone());
                    match solution::solve(searcher, &problem, &self.inquiry, &control, &mut |_| ()) {
                        Ok(SolveEnding::Solved(solution)) => return Some(SolutionData::of(&solution)),
                        Ok(SolveEnding::Interrupted(_)) => return None,
                        Err(error) => Err(sentence(&error)),
                    }
                }
                (Err(sentence), _) => Err(sentence.clone()),
                (_, Err(error)) => Err(error.to_string()),
            };
            Some(SolutionData(solved))
        })
    }

    fn check(&self, _: u64, text: &String, output: &SolutionData) -> Result<(), InvalidJob> {
        let Ok(Solved { answers, .. }) = &output.0 else { return Ok(()) };
        let problem: Problem<B> = text.parse().map_err(|error| format!("{error}"))?;
        let board = problem.position.board;
        for answer in answers {
            if answer.square.into_iter().chain(answer.line.iter().copied()).any(|index| index >= 64) {
                return Err("a square that is not on the board".into());
            }
            let is_legal = answer.square.is_none_or(|index| board.moves() >> index & 1 == 1);
            if !is_legal || answer.square.is_none() && board.can_move() {
                return Err("an illegal move".into());
            }
        }
        if answers.is_empty() { Err("no answer".into()) } else { Ok(()) }
    }

    fn is_spot_checked(&self) -> bool {
        true
    }

    fn agrees(&self, one: &SolutionData, other: &SolutionData) -> bool {
        // The time differs.
        let values = |solution: &SolutionData| {
            let solved = solution.0.as_ref().ok()?;
            Some(solved.answers.iter().map(|answer| (answer.square, answer.value)).collect::<Vec<_>>())
        };
        values(one) == values(other)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveParameters {
    board: BoardShape,
    weights: PortableWeights,
    hash: u32,
    outcome_only: bool,
    all_moves: bool,
    verify: bool,
    /// Identifies the problems.
    problems: u64,
}

/// The definition of the job with these problems. The error is a sentence.
pub fn definition<B: Rules>(
    weights: &WeightsChoice,
    hash: u32,
    inquiry: &Inquiry,
    problems: &[String],
) -> Result<Definition, InvalidJob> {
    let (weights, supply) = PortableWeights::of(weights)?;
    let Inquiry { outcome_only, all_moves, verify } = *inquiry;
    let (board, problems) = (BoardShape::of::<B>(), fnv1a(problems));
    let parameters = SolveParameters { board, weights, hash, outcome_only, all_moves, verify, problems };
    let definition = Definition::new(job_kinds::SOLUTIONS, &parameters)?;
    Ok(supply.into_iter().fold(definition, Definition::with_supply))
}

pub(crate) fn prepare(definition: &Definition, files: &LocalFiles) -> Result<KnownWork, InvalidJob> {
    let parameters: SolveParameters = parameters(definition)?;
    with_board!(parameters.board, B => prepare_on::<B>(&parameters, files), cut => {
        Err(format!("no solver for the board {:?}", parameters.board.name()).into())
    })
}

fn prepare_on<B: SearchableBoard + EvaluatedBoard>(
    parameters: &SolveParameters,
    files: &LocalFiles,
) -> Result<KnownWork, InvalidJob> {
    let SolveParameters { weights, hash, outcome_only, all_moves, verify, .. } = *parameters;
    // A machine without the memory for it does not take part; the problems are not to blame.
    drop(HashTable::new(hash as usize).map_err(|error| error.to_string())?);
    let inquiry = Inquiry { outcome_only, all_moves, verify };
    let chosen = weights.choice(files)?.evaluation::<B>().map_err(|error| sentence(&error))?;
    with_evaluation!(chosen, evaluation => {
        Ok(Box::new(SolveWork { evaluation, hash, inquiry, board: PhantomData::<fn() -> B> }))
    })
}
