//! The setup of a contest: finds or reads the openings, and counts the games in its file.

use std::path::Path;

use engine::Stop;
use jobs::{Definition, Executor, InvalidJob, Threads};
use othello::{Board, Game, Rules};
use players::PlayableBoard;

use crate::contest::{Conclusion, Contest, ContestError};
use crate::contestant::{Contestant, Entrant, RegisteredPlayer};
use crate::match_file::{GameLine, MatchFile, MatchFileError, Opened};
use crate::openings::{self, OpeningError, OpeningRecipe};
use crate::standings::Standings;
use crate::terms::{OpeningTerms, PlayerTerms, Terms};

/// A contest whose openings may not have been found yet, and whose games may be in a file.
#[derive(Clone, Debug)]
pub struct ContestPlan<E = RegisteredPlayer, B: Rules = Board> {
    /// The contest, with its openings if they are given.
    pub contest: Contest<E, B>,
    /// The openings to find with the seed of the contest, if they are not given.
    pub recipe: Option<OpeningRecipe>,
}

/// A contest that is ready to be played.
#[derive(Debug)]
pub struct Prepared<E = RegisteredPlayer, B: Rules = Board> {
    /// The contest.
    pub contest: Contest<E, B>,
    /// The file for its games.
    pub file: Option<MatchFile>,
    /// The games already in the file.
    pub done: Vec<GameLine>,
    /// Whether the last line of the file was incomplete and was removed.
    pub was_torn: bool,
}

/// Describes a contest for other machines, which play games with the given numbers. The error is a sentence.
pub type ContestDefinition<'d, E, B> = dyn Fn(&Contest<E, B>, &[u64]) -> Result<Definition, InvalidJob> + Sync + 'd;

/// A contest that has ended or was interrupted.
#[derive(Clone, Debug)]
pub struct Played {
    /// The name of the board.
    pub board: &'static str,
    /// The names of the players.
    pub names: Vec<String>,
    /// The results of the games.
    pub standings: Standings,
    /// The end of the contest.
    pub conclusion: Conclusion,
    /// All games, in the order of their numbers.
    pub games: Vec<GameLine>,
}

/// Reason why a contest cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] MatchFileError),
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
}

impl<E: Entrant<B>, B: PlayableBoard> ContestPlan<E, B> {
    /// Everything that determines which games are played.
    pub fn terms(&self) -> Terms {
        let Contest { contestants, openings, pairs, seed, patience, sprt, .. } = &self.contest;
        let player = |one: &Contestant<E>| {
            PlayerTerms::new(one.name.clone(), one.player.id(), one.player.has_weak_levels(), one.limits)
        };
        Terms {
            players: contestants.iter().map(player).collect(),
            pairs: *pairs,
            seed: *seed,
            board: B::GEOMETRY.name.to_owned(),
            openings: self.recipe.as_ref().map_or_else(|| OpeningTerms::given(openings), OpeningTerms::found),
            patience: *patience,
            sprt: *sprt,
        }
    }

    /// Opens the file, if it exists, and provides the openings: those of the file, the given ones, or new ones.
    ///
    /// `found` is called with the number of openings found so far and the number needed.
    pub fn prepare(
        self,
        file: Option<&Path>,
        stop: &Stop,
        found: &mut dyn FnMut(usize, usize),
    ) -> Result<Prepared<E, B>, PlanError> {
        let opened = file.map(|path| MatchFile::open(path, &self.terms())).transpose()?;
        let Self { mut contest, recipe } = self;
        let is_found = recipe.is_some();
        let openings = || match recipe {
            Some(recipe) => find(recipe, contest.seed, contest.pairs, stop, found),
            None => Ok(contest.openings.clone()),
        };
        let Some(Opened { mut file, openings: kept, pairs: kept_pairs, games, was_torn }) = opened else {
            contest.openings = openings()?;
            return Ok(Prepared { contest, file: None, done: Vec::new(), was_torn: false });
        };
        contest.openings = match kept {
            Some(kept) if kept_pairs == contest.pairs => kept,
            Some(mut kept) => {
                // Given openings are repeated. The first openings found do not depend on how many are asked for.
                let known = kept.len().min(contest.pairs as usize);
                let more = if is_found { openings()?.split_off(known) } else { Vec::new() };
                file.extend(&more)?;
                kept.extend(more);
                kept
            }
            None => {
                let openings = openings()?;
                file.begin(&openings)?;
                openings
            }
        };
        Ok(Prepared { contest, file: Some(file), done: games, was_torn })
    }
}

fn find<B: PlayableBoard>(
    recipe: OpeningRecipe,
    seed: u64,
    pairs: u32,
    stop: &Stop,
    found: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Game<B>>, OpeningError> {
    let (recipe, count, mut number) = (OpeningRecipe { seed, ..recipe }, pairs as usize, 0);
    let openings = openings::find_by_emilia(&recipe, count, stop, |_| {
        number += 1;
        found(number, count);
    })?;
    Ok(openings.into_iter().map(|opening| opening.game).collect())
}

impl<E: Entrant<B>, B: Rules> Prepared<E, B> {
    /// Plays all games that are not in the file yet, and adds each to it when it ends.
    ///
    /// `observe` is called after every game, with the standings. When the stop flag is set, the games in progress are
    /// abandoned.
    pub fn play(
        self,
        interrupt: &Stop,
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<Played, ContestError> {
        let threads = Threads(self.contest.concurrency);
        self.play_by(&threads, &|_, _| Err("its players are only known here".into()), interrupt, observe)
    }

    /// The same with an executor for the games; the definition describes the contest for other machines.
    pub fn play_by(
        self,
        executor: &dyn Executor,
        definition: &ContestDefinition<'_, E, B>,
        interrupt: &Stop,
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<Played, ContestError> {
        let Self { contest, mut file, done: mut games, .. } = self;
        let names = contest.contestants.iter().map(|contestant| contestant.name.clone()).collect();
        let mut news = Vec::new();
        let define = |missing: &[u64]| definition(&contest, missing);
        let mut note = |line: &GameLine, standings: &Standings| {
            observe(line, standings);
            news.push(line.clone());
        };
        let played = contest.run_by(executor, &define, &games, file.as_mut(), interrupt, &mut note);
        let (standings, conclusion) = played?;
        games.append(&mut news);
        games.sort_by_key(|line| line.game);
        Ok(Played { board: B::GEOMETRY.name, names, standings, conclusion, games })
    }
}
