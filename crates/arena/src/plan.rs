//! The setup of a contest: finds or reads the openings, and counts the games in its file.

use std::path::Path;

use engine::Stop;
use jobs::{Definition, Executor, InvalidJob, Threads};
use othello::{Board, Game, Rules};
use players::PlayableBoard;

use crate::contest::{Conclusion, Contest, ContestError};
use crate::contestant::{Contestant, Entrant, RegisteredPlayer};
use crate::match_file::{GameLine, MatchFile, MatchFileError};
use crate::openings::{self, OpeningError, OpeningRecipe};
use crate::referee::Patience;
use crate::sprt::Sprt;
use crate::standings::Standings;
use crate::terms::{OpeningTerms, PlayerTerms, Terms};

/// A contest whose openings may not have been found yet, and whose games may be in a file.
#[derive(Clone, Debug)]
pub struct ContestPlan<E = RegisteredPlayer, B: Rules = Board> {
    /// The players; at least two.
    pub contestants: Vec<Contestant<E>>,
    /// Where the openings come from.
    pub openings: OpeningSource<B>,
    /// The number of pairs of games that each two players play.
    pub pairs: u32,
    /// The random seed of the players and of the openings.
    pub seed: u64,
    /// The tolerances of the referee.
    pub patience: Patience,
    /// The test that ends a match of two players early.
    pub sprt: Option<Sprt>,
    /// The minimum number of pairs of games before that test may end the match.
    pub least_pairs: u32,
    /// The number of games played in parallel.
    pub concurrency: usize,
}

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum OpeningSource<B: Rules = Board> {
    /// Found by a recipe, with the seed of the contest.
    Found(OpeningRecipe),
    /// Given, at least one; repeated if there are fewer than pairs of games.
    Given(Vec<Game<B>>),
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

/// Tells others of a contest, of which games with these numbers are to be played. The error is a sentence.
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
    /// How it ended.
    pub conclusion: Conclusion,
    /// All games, in the order of their numbers.
    pub games: Vec<GameLine>,
}

/// Why a contest cannot be set up.
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
        let player = |one: &Contestant<E>| PlayerTerms::new(one.name.clone(), one.player.id(), one.limits);
        Terms {
            players: self.contestants.iter().map(player).collect(),
            pairs: self.pairs,
            seed: self.seed,
            board: B::GEOMETRY.name.to_owned(),
            openings: match &self.openings {
                OpeningSource::Found(recipe) => OpeningTerms::found(recipe),
                OpeningSource::Given(openings) => OpeningTerms::given(openings),
            },
            patience: self.patience,
            sprt: self.sprt,
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
        let Self { contestants, openings: source, pairs, seed, patience, sprt, least_pairs, concurrency } = self;
        let (mut file, kept, kept_pairs, done, was_torn) = match opened {
            Some(opened) => (Some(opened.file), opened.openings, opened.pairs, opened.games, opened.was_torn),
            None => (None, None, pairs, Vec::new(), false),
        };
        let openings = match (kept, source) {
            (Some(openings), _) if kept_pairs == pairs => openings,
            (Some(mut openings), source) => {
                let more = match source {
                    // Given openings are repeated.
                    OpeningSource::Given(_) => Vec::new(),
                    // The first openings do not depend on how many are asked for.
                    OpeningSource::Found(recipe) => {
                        find(recipe, seed, pairs, stop, found)?.split_off(openings.len().min(pairs as usize))
                    }
                };
                if let Some(file) = &mut file {
                    file.extend(&more)?;
                }
                openings.extend(more);
                openings
            }
            (None, source) => {
                let openings = match source {
                    OpeningSource::Given(openings) => openings,
                    OpeningSource::Found(recipe) => find(recipe, seed, pairs, stop, found)?,
                };
                if let Some(file) = &mut file {
                    file.begin(&openings)?;
                }
                openings
            }
        };
        let contest = Contest { contestants, openings, pairs, seed, patience, sprt, least_pairs, concurrency };
        Ok(Prepared { contest, file, done, was_torn })
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

    /// The same with somebody else who plays the games, and who is told of the contest by a definition.
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
