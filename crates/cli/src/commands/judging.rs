//! Analysis of moves of games by threads of this process.

use std::ops::Range;

use engine::analysis::JudgedMove;
use jobs::{Job, Threads};
use players::analysis_job::{AnalysisItem, AnalysisWork};
use players::analysts::AnalystChoice;
use players::opening_book::OpeningBook;

use crate::prelude::*;

/// Judges some moves of each of these games, and passes them to a function in this order. If the flag is set, the moves of
/// a game may be missing.
pub(super) fn judge<B: PlayableBoard>(
    (registry, choice, book): (&Arc<Registry>, &AnalystChoice, Option<OpeningBook>),
    portions: &[(&Game<B>, Range<usize>)],
    threads: usize,
    stop: &Stop,
    mut take: impl FnMut(usize, Vec<JudgedMove<B>>) -> ControlFlow<()>,
) -> Result<()> {
    let work = AnalysisWork::<B>::new(Arc::clone(registry), choice.clone(), book);
    let items = |number: u64| {
        let (game, moves) = &portions[number as usize];
        AnalysisItem::new(game, moves.clone())
    };
    let definition = || work.definition(&BookChoice::Off, 0);
    let job = Job { work: &work, items: &items, definition: &definition };
    let mut failure = None;
    job.run(&Threads(threads), 0..portions.len() as u64, stop, |number, found| match found.judged() {
        Ok(moves) => take(number as usize, moves),
        Err(sentence) => {
            failure = Some(sentence);
            // The other threads would finish their searches first.
            stop.set();
            ControlFlow::Break(())
        }
    })?;
    failure.map_or(Ok(()), |sentence| Err(anyhow!(sentence)))
}
