//! The analysis of moves of games, as a job that other machines can do.

use std::marker::PhantomData;
use std::sync::Arc;

use engine::Stop;
use engine::analysis::{Analyst, JudgedMove, judge_moves};
use engine::json;
use jobs::{Definition, InvalidJob, KnownWork, LocalFiles, Work, Worker, parameters};
use othello::{BoardShape, Game, Rules, with_board};
use records::{GameRecord, ggf};
use report::words::sentence;
use serde::{Deserialize, Serialize};

use crate::analysts::AnalystChoice;
use crate::board::PlayableBoard;
use crate::book_settings::BookChoice;
use crate::job_kinds;
use crate::opening_book::OpeningBook;
use crate::portable_player::{PlayerFiles, files_of, localized, supply};
use crate::registry::Registry;

/// Analyzes moves of games.
#[derive(Clone, Debug)]
pub struct AnalysisWork<B> {
    registry: Arc<Registry>,
    choice: AnalystChoice,
    book: Option<OpeningBook>,
    board: PhantomData<fn() -> B>,
}

/// Some moves of a game, which are analyzed one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisItem {
    /// The game, as GGF.
    game: String,
    first: usize,
    end: usize,
}

impl AnalysisItem {
    /// These moves of a game.
    pub fn new<B: Rules>(game: &Game<B>, moves: std::ops::Range<usize>) -> Self {
        Self { game: ggf::format(&GameRecord::new(game.clone())), first: moves.start, end: moves.end }
    }
}

/// The analyzed moves, fewer if it was stopped, or why there are none.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct AnalysisOutput<B: Rules>(Result<Vec<json::JudgedMove<B>>, String>);

impl<B: Rules> AnalysisOutput<B> {
    /// The analyzed moves, or why there are none.
    pub fn judged(self) -> Result<Vec<JudgedMove<B>>, String> {
        self.0.map(|moves| moves.into_iter().map(JudgedMove::from).collect())
    }
}

impl<B: PlayableBoard> AnalysisWork<B> {
    /// Analysis by this analyst, which says what is in the book.
    pub fn new(registry: Arc<Registry>, choice: AnalystChoice, book: Option<OpeningBook>) -> Self {
        Self { registry, choice, book, board: PhantomData }
    }

    fn analyst(&self) -> Result<Box<dyn Analyst<B>>, String> {
        let analyst = self.choice.analyst_with_book::<B>(&self.registry, self.book.as_ref());
        analyst.map_err(|error| sentence(&error))
    }

    /// The definition of the job with this book; `items` identifies the moves. The error is a sentence.
    pub fn definition(&self, book: &BookChoice, items: u64) -> Result<Definition, InvalidJob> {
        let (files, mut supplies) = files_of(&self.choice.notation)?;
        let book = match book {
            BookChoice::Off => BookData::Off,
            BookChoice::Shipped => BookData::Shipped,
            BookChoice::File(path) => {
                let supply = supply(path)?;
                let content = supply.id;
                supplies.push(supply);
                BookData::File { content }
            }
        };
        let (board, choice) = (BoardShape::of::<B>(), self.choice.clone());
        let definition =
            Definition::new(job_kinds::ANALYSIS, &AnalysisParameters { board, choice, files, book, items })?;
        Ok(supplies.into_iter().fold(definition, Definition::with_supply))
    }
}

impl<B: PlayableBoard> Work for AnalysisWork<B> {
    type Item = AnalysisItem;
    type Output = AnalysisOutput<B>;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, AnalysisItem, AnalysisOutput<B>> {
        let mut analyst = self.analyst();
        Box::new(move |_, AnalysisItem { game, first, end }| {
            let judged = match (&mut analyst, ggf::parse::<B>(&game)) {
                (Ok(analyst), Ok(record)) => {
                    judge_moves(analyst.as_mut(), &record.game, first..end, stop).map_err(|error| error.to_string())
                }
                (Err(sentence), _) => Err(sentence.clone()),
                (_, Err(error)) => Err(error.to_string()),
            };
            Some(AnalysisOutput(judged.map(|moves| moves.into_iter().map(json::JudgedMove::from).collect())))
        })
    }

    fn check(&self, _: u64, item: &AnalysisItem, output: &AnalysisOutput<B>) -> Result<(), InvalidJob> {
        let AnalysisItem { game, first, end } = item;
        let Ok(moves) = &output.0 else { return Ok(()) };
        let game = ggf::parse::<B>(game).map_err(|error| error.to_string())?.game;
        let mut replayed = Game::from_position(game.start());
        let mut positions = Vec::new();
        for square in game.line() {
            positions.push(replayed.position());
            replayed.play(square).map_err(|error| error.to_string())?;
        }
        let expected = positions.get(*first..*end).unwrap_or_default();
        let is_same = expected.len() == moves.len()
            && expected.iter().zip(moves).all(|(position, judged)| *position == judged.position);
        if is_same { Ok(()) } else { Err("an analysis of other positions".into()) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalysisParameters {
    board: BoardShape,
    choice: AnalystChoice,
    files: PlayerFiles,
    book: BookData,
    /// Identifies the moves.
    items: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum BookData {
    Off,
    Shipped,
    File { content: jobs::ContentId },
}

pub(crate) fn prepare(
    registry: &Arc<Registry>,
    definition: &Definition,
    files: &LocalFiles,
) -> Result<KnownWork, InvalidJob> {
    let parameters: AnalysisParameters = parameters(definition)?;
    with_board!(parameters.board, B => prepare_on::<B>(registry, parameters, files))
}

fn prepare_on<B: PlayableBoard>(
    registry: &Arc<Registry>,
    parameters: AnalysisParameters,
    here: &LocalFiles,
) -> Result<KnownWork, InvalidJob> {
    let AnalysisParameters { mut choice, files, book, .. } = parameters;
    choice.notation = choice.notation.map(|notation| localized(&notation, &files, here)).transpose()?;
    let book = match book {
        BookData::Off => BookChoice::Off,
        BookData::Shipped => BookChoice::Shipped,
        BookData::File { content } => BookChoice::File(here.path(&content)?),
    };
    let book = OpeningBook::chosen(&book).map_err(|error| sentence(&error))?;
    let work = AnalysisWork::<B>::new(Arc::clone(registry), choice, book);
    work.analyst()?;
    Ok(Box::new(work))
}
