//! Plays a contest: several games in parallel, each added to the file when it ends.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::{Limits, Stop};
use jobs::{Definition, Executor, InvalidJob, Job, JobError, ResultOrder, Threads, Work, Worker};
use othello::{Board, Color, Game, Rules};
use players::Registry;
use records::files::today;
use records::{Annotation, GameRecord, TimeControl, ggf};
use serde::{Deserialize, Serialize};

use crate::contestant::{Contestant, Entrant, PlayerSpec, RegisteredPlayer};
use crate::match_file::{GameLine, MatchFile, MatchFileError};
use crate::opening_text;
use crate::referee::{self, Ending, MoveNote, NoGame, Patience, PlayedGame, Side};
use crate::schedule::{Fixture, Schedule, seed_of};
use crate::sequence::Sequence;
use crate::sprt::{Decision, Sprt};
use crate::standings::Standings;
use crate::timed_player::{START_TIMEOUT, TimedPlayer};

/// The parameters of a contest: a match between two players, or a tournament.
///
/// It is serializable, with the openings as transcripts, or as GGF for those with a custom start position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "E: Serialize", deserialize = "E: Deserialize<'de>"))]
pub struct Contest<E = RegisteredPlayer, B: Rules = Board> {
    /// The players; at least two.
    pub contestants: Vec<Contestant<E>>,
    /// The openings, one for each pair of games, repeated if there are too few. At least one.
    #[serde(with = "opening_text::list")]
    pub openings: Vec<Game<B>>,
    /// The number of pairs of games that each two players play.
    pub pairs: u32,
    /// The random seed.
    pub seed: u64,
    /// The tolerances of the referee.
    pub patience: Patience,
    /// The test that ends a match of two players early.
    pub sprt: Option<Sprt>,
    /// The minimum number of pairs of games before that test may end the match.
    pub min_pairs: u32,
    /// The number of games played in parallel.
    pub concurrency: usize,
}

impl<E, B: Rules> Contest<E, B> {
    /// A contest with seed 1, one game at a time and no sequential test.
    pub fn new(contestants: Vec<Contestant<E>>, openings: Vec<Game<B>>, pairs: u32) -> Self {
        let patience = Patience::default();
        Self { contestants, openings, pairs, seed: 1, patience, sprt: None, min_pairs: 0, concurrency: 1 }
    }

    /// The pairings and their games.
    pub fn schedule(&self) -> Schedule {
        Schedule { players: self.contestants.len(), pairs: self.pairs }
    }

    /// The opening of a game; if there are too few, they are repeated.
    fn opening(&self, fixture: &Fixture) -> &Game<B> {
        &self.openings[fixture.pair as usize % self.openings.len()]
    }
}

impl<B: Rules> Contest<PlayerSpec, B> {
    /// The contest with players that this registry makes.
    pub fn registered(self, registry: &Arc<Registry>) -> Contest<RegisteredPlayer, B> {
        let Self { contestants, openings, pairs, seed, patience, sprt, min_pairs, concurrency } = self;
        let registered = |Contestant { name, player, limits }: Contestant<PlayerSpec>| Contestant {
            name,
            player: RegisteredPlayer::new(registry, player),
            limits,
        };
        let contestants = contestants.into_iter().map(registered).collect();
        Contest { contestants, openings, pairs, seed, patience, sprt, min_pairs, concurrency }
    }
}

/// The end of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Conclusion {
    /// All games have been played.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// It was interrupted.
    Interrupted,
}

/// Reason why a contest had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] MatchFileError),
    /// The games cannot be played by other machines, or these failed.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The player with this name cannot be created, for this reason.
    #[error("{0} cannot play: {1}")]
    Player(String, String),
}

impl<E: Entrant<B>, B: Rules> Contest<E, B> {
    /// Plays all games that are not in `done`, adds each to the file when it ends, and returns the standings.
    ///
    /// `observe` is called after every game, with the standings. When the stop flag is set, the games in progress are
    /// abandoned; they are played again when the contest is resumed.
    pub fn run(
        &self,
        done: &[GameLine],
        file: Option<&mut MatchFile>,
        interrupt: &Stop,
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<(Standings, Conclusion), ContestError> {
        let threads = Threads(self.concurrency);
        let definition = |_: &[u64]| Err("its players are only known here".into());
        self.run_by(&threads, &definition, done, file, interrupt, observe)
    }

    /// The same with an executor for the games. The definition describes the contest for other machines, which play games
    /// with the given numbers.
    pub(crate) fn run_by(
        &self,
        executor: &dyn Executor,
        definition: &(dyn Fn(&[u64]) -> Result<Definition, InvalidJob> + Sync),
        done: &[GameLine],
        mut file: Option<&mut MatchFile>,
        interrupt: &Stop,
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<(Standings, Conclusion), ContestError> {
        let schedule = self.schedule();
        let mut standings = Standings::new(schedule);
        let mut sequence = Sequence::new(schedule, self.sprt, self.min_pairs);
        for line in done {
            standings.add(line);
            sequence.add(line);
        }
        if sequence.decision() != Decision::Open {
            return Ok((standings, Conclusion::Decided));
        }
        let played: HashSet<u64> = done.iter().map(|line| line.game).collect();
        let missing: Vec<u64> = (0..schedule.games()).filter(|number| !played.contains(&(number + 1))).collect();
        if missing.is_empty() {
            return Ok((standings, Conclusion::Complete));
        }
        self.try_players(&missing, interrupt)?;
        if let Some(file) = &mut file {
            file.start()?;
        }

        // Set when the contest is decided or interrupted, to end the games in progress.
        let ended = Stop::new();
        let definition = || definition(&missing);
        let job = Job { work: self, items: &|index| missing[index as usize], definition: &definition };
        let mut failed = None;
        let played = thread::scope(|scope| {
            let is_over = Stop::new();
            let watcher = scope.spawn({
                let (ended, is_over) = (ended.clone(), is_over.clone());
                move || {
                    while !is_over.is_set() {
                        if interrupt.is_set() {
                            ended.set();
                        }
                        thread::park_timeout(POLL_INTERVAL);
                    }
                }
            });
            let numbers = 0..missing.len() as u64;
            let played = job.run_in_order(ResultOrder::AsTheyEnd, executor, numbers, &ended, |_, line| {
                let written = file.as_mut().map_or(Ok(()), |file| file.add(&line));
                if let Err(error) = written {
                    failed = Some(error);
                    ended.set();
                    return ControlFlow::Break(());
                }
                standings.add(&line);
                sequence.add(&line);
                observe(&line, &standings);
                let is_decided = sequence.decision() != Decision::Open;
                if is_decided || interrupt.is_set() {
                    ended.set();
                }
                if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            is_over.set();
            watcher.thread().unpark();
            played
        });
        failed.map_or(Ok(()), Err)?;
        played?;
        let conclusion = match () {
            () if sequence.decision() != Decision::Open => Conclusion::Decided,
            () if standings.games() == schedule.games() => Conclusion::Complete,
            () => Conclusion::Interrupted,
        };
        Ok((standings, conclusion))
    }

    /// Creates every player once, so that a wrong name is an error and not a series of lost games.
    fn try_players(&self, missing: &[u64], interrupt: &Stop) -> Result<(), ContestError> {
        let needed: HashSet<usize> =
            missing.iter().flat_map(|&number| self.schedule().fixture(number).colors()).collect();
        for contestant in needed.into_iter().map(|player| &self.contestants[player]) {
            let tried = start(contestant, self.seed, self.patience.move_limit, interrupt)
                .and_then(|mut player| player.new_game(interrupt));
            if let Err(reason) = tried
                && !interrupt.is_set()
            {
                return Err(ContestError::Player(contestant.name.clone(), reason));
            }
        }
        Ok(())
    }

    /// Plays one game, or returns `None` if the contest is over.
    fn play(&self, fixture: &Fixture, players: &mut TimedPlayers<'_, E, B>, ended: &Stop) -> Option<GameLine> {
        let opening = self.opening(fixture);
        while !ended.is_set() {
            match self.play_once(fixture, opening, players, ended) {
                Ok(played) => return Some(self.line(fixture, played, opening.plies().len())),
                // The machine was suspended while a clock was running.
                Err(NoGame::Suspended) => {}
                Err(NoGame::Interrupted) => return None,
            }
        }
        None
    }

    fn play_once(
        &self,
        fixture: &Fixture,
        opening: &Game<B>,
        players: &mut TimedPlayers<'_, E, B>,
        ended: &Stop,
    ) -> Result<PlayedGame<B>, NoGame> {
        let contestants = fixture.colors().map(|player| &self.contestants[player]);
        match players.take(fixture, ended) {
            Ok(mut pair) => {
                let [black, white] = &mut pair;
                let side = |contestant: usize, player| {
                    let Contestant { name, limits, .. } = contestants[contestant];
                    Side { name, player, limits: *limits }
                };
                let played = referee::play(opening, [side(0, black), side(1, white)], &self.patience, ended);
                players.give_back(fixture, pair);
                played
            }
            Err(_) if ended.is_set() => Err(NoGame::Interrupted),
            Err((color, sentence)) => {
                let player = &contestants[color as usize].name;
                Ok(referee::not_started(opening, color, format!("{player} cannot play: {sentence}")))
            }
        }
    }

    fn line(&self, fixture: &Fixture, played: PlayedGame<B>, opening_plies: usize) -> GameLine {
        let [black, white] = fixture.colors().map(|player| &self.contestants[player]);
        let PlayedGame { game, score, ending, reason, notes, time_left } = played;
        let record = GameRecord {
            black: black.name.clone(),
            white: white.name.clone(),
            place: "Emilia".to_owned(),
            date: today(),
            result: Some(score),
            ending: match ending {
                Ending::Played => None,
                Ending::Time => Some(records::Ending::Timeout),
                Ending::Illegal | Ending::Failed => Some(records::Ending::Resignation),
            },
            time_control: common_clock(&black.limits, &white.limits),
            comment: reason.clone().unwrap_or_default(),
            ..GameRecord::new(game)
        };
        let record = annotated(record, opening_plies, &notes);
        let seconds = time_left.map(|time| time.map(|time| time.as_secs_f64()));
        GameLine {
            game: fixture.number + 1,
            black: black.name.clone(),
            white: white.name.clone(),
            score: score.discs(),
            ending,
            reason,
            time_left: seconds.iter().any(Option::is_some).then_some(seconds),
            ggf: ggf::format(&record),
        }
    }
}

impl<E: Entrant<B>, B: Rules> Work for Contest<E, B> {
    /// The number of a game, from 0.
    type Item = u64;
    type Output = GameLine;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, u64, GameLine> {
        let (contestants, patience) = (&self.contestants[..], self.patience.move_limit);
        let mut players = TimedPlayers { contestants, seed: self.seed, patience, reused: HashMap::new() };
        let schedule = self.schedule();
        Box::new(move |_, game| self.play(&schedule.fixture(game), &mut players, stop))
    }

    fn check(&self, _: u64, game: &u64, line: &GameLine) -> Result<(), InvalidJob> {
        let fixture = self.schedule().fixture(*game);
        let names = fixture.colors().map(|player| self.contestants[player].name.as_str());
        if (line.game, [line.black.as_str(), line.white.as_str()]) != (game + 1, names) {
            return Err(format!("it is game {} between {} and {}", line.game, line.black, line.white).into());
        }
        // Reading the record replays the game.
        let mut game = line.record_on::<B>()?.game;
        game.forward();
        let opening = self.opening(&fixture);
        if game.start() != opening.start() || !game.line().starts_with(&opening.moves()) {
            return Err("it begins with another opening".into());
        }
        let score = game.score().map(|score| score.discs());
        if line.ending == Ending::Played && score != Some(line.score) {
            return Err(format!("its moves do not lead to the score {}", line.score).into());
        }
        Ok(())
    }
}

/// Starts a new player. If the time limit for a move without a clock is longer than the default for the start of an
/// external program, it applies to the start, too.
fn start<E: Entrant<B>, B: Rules>(
    contestant: &Contestant<E>,
    seed: u64,
    patience: Duration,
    interrupt: &Stop,
) -> Result<TimedPlayer<B>, String> {
    let player = contestant.player.clone();
    // A program that is late is reported by its player, with the command that it did not answer.
    let to_begin = if player.is_reused() { patience.saturating_add(START_TIMEOUT) } else { START_TIMEOUT };
    TimedPlayer::start(&contestant.name, move || player.player(seed, patience), to_begin, interrupt)
}

/// Interval at which the contest checks whether it is interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The players of one thread; those that are reused wait here for their next game.
struct TimedPlayers<'a, E, B: Rules> {
    contestants: &'a [Contestant<E>],
    seed: u64,
    patience: Duration,
    reused: HashMap<usize, TimedPlayer<B>>,
}

impl<E: Entrant<B>, B: Rules> TimedPlayers<'_, E, B> {
    /// The players of a game, Black first; the error contains the color whose player cannot be created, and the reason.
    fn take(&mut self, fixture: &Fixture, ended: &Stop) -> Result<[TimedPlayer<B>; 2], (Color, String)> {
        // Players may be large: a thread keeps only those of its current game.
        self.reused.retain(|index, player| fixture.colors().contains(index) && player.is_usable());
        let mut player = |color: Color| {
            let index = fixture.colors()[color as usize];
            if let Some(player) = self.reused.remove(&index) {
                return Ok(player);
            }
            let contestant = &self.contestants[index];
            let seed = seed_of(contestant.player.seed().unwrap_or(self.seed), fixture.number, index);
            start(contestant, seed, self.patience, ended).map_err(|sentence| (color, sentence))
        };
        let black = player(Color::Black)?;
        Ok([black, player(Color::White)?])
    }

    fn give_back(&mut self, fixture: &Fixture, players: [TimedPlayer<B>; 2]) {
        for (index, player) in fixture.colors().into_iter().zip(players) {
            if self.contestants[index].player.is_reused() && player.is_usable() {
                self.reused.insert(index, player);
            }
        }
    }
}

/// The record with annotations for the moves after the opening; passes have none.
fn annotated<B: Rules>(mut record: GameRecord<B>, opening_plies: usize, notes: &[MoveNote]) -> GameRecord<B> {
    let plies = record.game.plies();
    let moves = plies.iter().enumerate().skip(opening_plies).filter(|(_, ply)| ply.square.is_some());
    for ((ply, _), note) in moves.zip(notes) {
        // The clock of a game is precise to about a millisecond.
        let time = Some(Duration::from_millis(note.time.as_millis() as u64));
        record.annotate(ply, Annotation { evaluation: note.value, time, comment: String::new() });
    }
    record
}

fn common_clock(black: &Limits, white: &Limits) -> Option<TimeControl> {
    let clock = black.clock.filter(|clock| Some(*clock) == white.clock)?;
    Some(TimeControl { initial: clock.remaining, increment: clock.increment, ..TimeControl::default() })
}
