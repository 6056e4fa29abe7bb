//! Searches of positions for a book, as a job that other machines can do.

use book::{Effort, EngineSearch, LeafAnswer, LeafQuestion, LeafSearch};
use engine::Stop;
use evaluation::Value;
use jobs::{Definition, Executor, InvalidJob, Job, JobError, KnownWork, LocalFiles, Work, Worker, parameters};
use othello::{Board, Rules, Square};
use report::words::sentence;
use search::{HashTable, Iteration, Selectivity};
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;

use crate::error::MakeError;
use crate::job_kinds;
use crate::portable_player::PortableWeights;
use crate::program_book::{BookSearchSettings, ProgramBook};
use crate::registry::Registry;
use crate::weights::{WeightsChoice, with_evaluation};

/// The program that searches the positions of a book, and its settings: everything that determines the answers.
#[derive(Clone, Debug)]
pub enum LeafSearcher {
    /// Emilia.
    Emilia {
        /// The depth and the selectivity before the end is near.
        midgame: Iteration,
        /// Positions with at most this many empty squares are solved exactly.
        solve_from: u32,
        /// The weights.
        weights: WeightsChoice,
        /// The hash table of each search in MB.
        hash: usize,
    },
    /// A program with a book of its own.
    Program(&'static ProgramBook, BookSearchSettings),
}

impl LeafSearcher {
    /// The search with this many threads, which the flag stops.
    pub fn search(&self, threads: usize, stop: &Stop) -> Result<Box<dyn LeafSearch>, MakeError> {
        match self {
            Self::Program(program, settings) => program.search(&BookSearchSettings { threads, ..*settings }, stop),
            Self::Emilia { midgame, solve_from, weights, hash } => {
                let tables = (0..threads).map(|_| HashTable::new(*hash)).collect::<Result<_, _>>()?;
                Ok(with_evaluation!(weights.evaluation::<Board>()?, evaluation => {
                    Box::new(EngineSearch::new(evaluation, tables, *midgame, *solve_from, stop.clone()))
                }))
            }
        }
    }

    /// The search by an executor; `warn` receives the error if it fails.
    pub fn search_by(self, executor: Box<dyn Executor>, stop: &Stop, warn: impl FnMut(JobError) + 'static) -> LeafJobs {
        LeafJobs { executor, work: LeafWork { searcher: self }, stop: stop.clone(), warn: Box::new(warn) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafParameters {
    program: SearcherData,
    /// Identifies the questions.
    questions: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
enum SearcherData {
    Emilia { depth: u32, selectivity: u8, solve_from: u32, weights: PortableWeights, hash: usize },
    Classic { program: String, depth: Option<u32>, selectivity: Option<u8>, exact: Option<u32>, hash: usize },
}

/// A question as data: the discs of the side to move and of the other one, the moves, and the bounds of their values.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct QuestionData(u64, u64, u64, i32, i32);

/// An answer as data: the move, its value, and the depth and selectivity of the search behind it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct AnswerData(u8, i32, u8, u8);

impl From<&LeafQuestion> for QuestionData {
    fn from(question: &LeafQuestion) -> Self {
        let LeafQuestion { board, moves, above, up_to } = question;
        Self(board.player, board.opponent, *moves, above.parts(), up_to.parts())
    }
}

impl From<QuestionData> for LeafQuestion {
    fn from(QuestionData(player, opponent, moves, above, up_to): QuestionData) -> Self {
        let board = Board::new(player, opponent);
        Self { board, moves: moves & board.moves(), above: Value::new(above), up_to: Value::new(up_to) }
    }
}

#[derive(Debug)]
struct LeafWork {
    searcher: LeafSearcher,
}

impl Work for LeafWork {
    type Item = QuestionData;
    type Output = AnswerData;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, QuestionData, AnswerData> {
        let search = self.searcher.search(1, stop);
        let mut search = search.ok();
        Box::new(move |_, question| {
            let question = LeafQuestion::from(question);
            if question.moves == 0 {
                return None;
            }
            let LeafAnswer { square, value, effort } = search.as_mut()?.search(&question)?;
            Some(AnswerData(square.index() as u8, value.parts(), effort.depth, effort.selectivity.percent()))
        })
    }

    fn check(&self, _: u64, question: &QuestionData, answer: &AnswerData) -> Result<(), InvalidJob> {
        let AnswerData(square, value, _, percent) = *answer;
        let is_move = square < 64 && LeafQuestion::from(*question).moves >> square & 1 == 1;
        let is_value = (Value::MIN.parts()..=Value::MAX.parts()).contains(&value);
        let is_known = Selectivity::from_percent(percent).percent() == percent;
        if is_move && is_value && is_known { Ok(()) } else { Err("an impossible answer".into()) }
    }

    fn is_spot_checked(&self) -> bool {
        true
    }
}

/// A search for a book by an executor.
pub struct LeafJobs {
    executor: Box<dyn Executor>,
    work: LeafWork,
    stop: Stop,
    warn: Box<dyn FnMut(JobError)>,
}

impl LeafSearch for LeafJobs {
    fn search(&mut self, question: &LeafQuestion) -> Option<LeafAnswer> {
        self.search_all(std::slice::from_ref(question)).pop().flatten()
    }

    fn search_all(&mut self, questions: &[LeafQuestion]) -> Vec<Option<LeafAnswer>> {
        let mut answers = vec![None; questions.len()];
        let items = |number: u64| QuestionData::from(&questions[number as usize]);
        let definition = || definition(&self.work.searcher, questions);
        let job = Job { work: &self.work, items: &items, definition: &definition };
        let numbers = 0..questions.len() as u64;
        let done = job.run(
            self.executor.as_ref(),
            numbers,
            &self.stop,
            |number, AnswerData(square, value, depth, percent)| {
                let effort = Effort::new(depth, Selectivity::from_percent(percent));
                let (square, value) = (Square::new(square), Value::new(value));
                answers[number as usize] = Some(LeafAnswer { square, value, effort });
                std::ops::ControlFlow::Continue(())
            },
        );
        if let Err(error) = done {
            // A search can only say that it was stopped.
            (self.warn)(error);
            self.stop.set();
        }
        answers
    }
}

fn definition(searcher: &LeafSearcher, questions: &[LeafQuestion]) -> Result<Definition, InvalidJob> {
    let mut supply = None;
    let program = match searcher {
        LeafSearcher::Emilia { midgame: Iteration { depth, selectivity }, solve_from, weights, hash } => {
            let (weights, file) = PortableWeights::of(weights)?;
            supply = file;
            let (selectivity, solve_from, hash) = (selectivity.percent(), *solve_from, *hash);
            SearcherData::Emilia { depth: *depth, selectivity, solve_from, weights, hash }
        }
        LeafSearcher::Program(program, BookSearchSettings { depth, selectivity, exact, hash, .. }) => {
            let (program, selectivity) = (program.name.to_owned(), selectivity.map(Selectivity::percent));
            SearcherData::Classic { program, depth: *depth, selectivity, exact: *exact, hash: *hash }
        }
    };
    let bytes = |question: &LeafQuestion| {
        let QuestionData(player, opponent, moves, above, up_to) = question.into();
        let words = [player, opponent, moves, above as u64, up_to as u64];
        words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    let parameters = LeafParameters { program, questions: fnv1a(questions.iter().map(bytes)) };
    let definition = Definition::new(job_kinds::BOOK_NODES, &parameters)?;
    Ok(supply.into_iter().fold(definition, Definition::with_supply))
}

pub(crate) fn prepare(
    registry: &Registry,
    definition: &Definition,
    files: &LocalFiles,
) -> Result<KnownWork, InvalidJob> {
    let LeafParameters { program, .. } = parameters(definition)?;
    let searcher = match program {
        SearcherData::Emilia { depth, selectivity, solve_from, weights, hash } => LeafSearcher::Emilia {
            midgame: Iteration { depth, selectivity: Selectivity::from_percent(selectivity) },
            solve_from,
            weights: weights.choice(files)?,
            hash,
        },
        SearcherData::Classic { program, depth, selectivity, exact, hash } => {
            let known = registry.book(&program).ok_or_else(|| format!("unknown program {program:?}"))?;
            let selectivity = selectivity.map(Selectivity::from_percent);
            LeafSearcher::Program(known, BookSearchSettings { depth, selectivity, exact, threads: 1, hash })
        }
    };
    // What does not work is said now, and not for every question.
    searcher.search(1, &Stop::new()).map_err(|error| sentence(&error))?;
    Ok(Box::new(LeafWork { searcher }))
}
