//! A labeling job: labels the games of stores into a label store, which is resumed if it exists.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use control::Stop;
use players::weights::EvaluationId;
use search::CompiledSearch;

use crate::error::LearnError;
use crate::game_store::GameReader;
use crate::label_store::{LabelSource, LabelStore, MAX_STORES};
use crate::labeling::{GameToLabel, Labeling, Progress, Wanted};
use crate::material::chained;
use crate::provenance::SearchSource;
use crate::workforce::Workforce;

/// Everything that determines the labels.
#[derive(Clone, Debug)]
pub struct LabelJob<'a, E> {
    /// Stores of games.
    pub stores: Vec<PathBuf>,
    /// Use only the first games of all stores, up to this number.
    pub first: Option<u64>,
    /// Which labels are wanted.
    pub wanted: Wanted,
    /// The evaluation of the searches.
    pub evaluation: &'a E,
    /// The identity of that evaluation.
    pub evaluation_id: EvaluationId,
    /// The number of threads.
    pub threads: usize,
}

/// A job in progress: its games are read and its store is open.
#[derive(Debug)]
pub struct LabelRun<'a, E> {
    /// The store to which positions are added.
    pub store: LabelStore,
    games: Vec<GameToLabel>,
    wanted: Wanted,
    evaluation: &'a E,
    threads: usize,
}

/// Games and their stores.
struct Games {
    games: Vec<GameToLabel>,
    /// The number of games from each store.
    counts: Vec<u64>,
    /// A checksum of all of them.
    checksum: u32,
}

impl<'a, E: CompiledSearch> LabelJob<'a, E> {
    /// Reads the games and opens the store, which is resumed if it exists.
    pub fn begin(&self, output: &Path, stop: &Stop) -> Result<LabelRun<'a, E>, LearnError> {
        if self.stores.len() > MAX_STORES {
            return Err(LearnError::TooManyStores);
        }
        // A store may have grown since this job began: it continues with the games that existed then.
        let before = LabelStore::source(output)?;
        let limits = before.map(|source| source.games).filter(|games| games.len() == self.stores.len());
        let games = self.read(limits.as_deref(), stop)?;
        if stop.is_set() {
            return Err(LearnError::Interrupted);
        }
        if games.games.is_empty() {
            return Err(LearnError::NoGames { purpose: "take positions from" });
        }
        let store = LabelStore::open(output, &self.source(&games))?;
        let Self { wanted, evaluation, threads, .. } = self;
        Ok(LabelRun { store, games: games.games, wanted: wanted.clone(), evaluation, threads: *threads })
    }

    /// The games of all stores, from each as many as there were when the job began.
    fn read(&self, limits: Option<&[u64]>, stop: &Stop) -> Result<Games, LearnError> {
        let mut games = Games { games: Vec::new(), counts: Vec::new(), checksum: 0 };
        let mut left = self.first.unwrap_or(u64::from(u32::MAX));
        for (index, path) in self.stores.iter().enumerate() {
            let most = limits.map_or(left, |limits| limits[index].min(left));
            let mut reader = GameReader::open(path)?;
            let mut count = 0;
            while count < most && !stop.is_set() {
                let Some(stored) = reader.next().transpose()? else { break };
                games.checksum = chained(games.checksum, &stored.game);
                games.games.push(reader.with_source(stored)?);
                count += 1;
            }
            left -= count;
            games.counts.push(count);
        }
        let is_too_many = left == 0 && self.first.is_none_or(|first| first > u64::from(u32::MAX));
        if is_too_many { Err(LearnError::TooManyGames) } else { Ok(games) }
    }

    /// Everything that determines the labels.
    fn source(&self, games: &Games) -> LabelSource {
        let Wanted { exact_from, tree, depth, empties, nearby } = &self.wanted;
        LabelSource {
            games: games.counts.clone(),
            games_checksum: games.checksum,
            empties: empties.clone().into_inner(),
            corrected_from: (*exact_from > 0).then_some(*exact_from),
            tree: *tree,
            nearby: *nearby,
            search: depth.map(|depth| SearchSource { depth, evaluation: self.evaluation_id }),
        }
    }
}

impl<E: CompiledSearch> LabelRun<'_, E> {
    /// Labels the positions that are missing in the store, until `stop` is set or the observer breaks.
    pub fn run(
        &mut self,
        workforce: &Workforce<'_>,
        stop: &Stop,
        watch: &mut dyn FnMut(&LabelStore, &Progress) -> ControlFlow<()>,
    ) -> Result<(), LearnError> {
        let Self { store, games, wanted, evaluation, threads } = self;
        let labeling = Labeling { games, wanted: wanted.clone(), evaluation: *evaluation, threads: *threads };
        labeling.run(store, workforce, stop, &mut |store, progress| match watch(store, progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(LearnError::Interrupted),
        })?;
        if stop.is_set() { Err(LearnError::Interrupted) } else { Ok(()) }
    }
}
