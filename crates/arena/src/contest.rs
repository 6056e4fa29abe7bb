//! Plays a contest: several games in parallel, each added to the file when it ends.

use std::collections::{HashMap, HashSet};
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::{Limits, Stop};
use othello::records::{Annotation, Date, GameRecord, TimeControl, ggf};
use othello::{Color, Game};
use serde::{Deserialize, Serialize};

use crate::contestant::{Contestant, Entrant, PlayerSpec};
use crate::match_file::{GameLine, MatchFile, MatchFileError};
use crate::opening_text;
use crate::referee::{self, Ending, MoveNote, NoGame, Patience, PlayedGame, Side};
use crate::schedule::{Fixture, Schedule, seed_of};
use crate::seat::{START_TIMEOUT, Seat};
use crate::sequence::Sequence;
use crate::sprt::{Decision, Sprt};
use crate::standings::Standings;

/// The parameters of a contest: a match between two players, or a tournament.
///
/// It is serializable, with the openings as transcripts, or as GGF for those with a custom start position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contest<E = PlayerSpec> {
    /// The players; at least two.
    pub contestants: Vec<Contestant<E>>,
    /// The openings, one for each pair of games, repeated if there are too few. At least one.
    #[serde(with = "opening_text::list")]
    pub openings: Vec<Game>,
    /// The number of pairs of games that each two players play.
    pub pairs: u32,
    /// The random seed.
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

/// How a contest ended.
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

/// Why a contest had to stop.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] MatchFileError),
    /// A player cannot be created.
    #[error("{player} cannot play: {reason}")]
    Player {
        /// The player's name.
        player: String,
        /// The reason.
        reason: String,
    },
}

impl<E: Entrant> Contest<E> {
    /// Which players meet, and how often.
    pub fn schedule(&self) -> Schedule {
        Schedule { players: self.contestants.len(), pairs: self.pairs }
    }

    /// Plays all games that are not in `done`, adds each to the file when it ends, and returns the standings.
    ///
    /// `observe` is called after every game, with the standings. When the stop flag is set, the games in progress are
    /// abandoned; they are played again when the contest is resumed.
    pub fn run(
        &self,
        done: &[GameLine],
        mut file: Option<&mut MatchFile>,
        interrupt: &Stop,
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<(Standings, Conclusion), ContestError> {
        let schedule = self.schedule();
        let mut standings = Standings::new(schedule);
        let mut sequence = Sequence::new(schedule, self.sprt, self.least_pairs);
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

        let ended = Stop::new();
        let next = AtomicUsize::new(0);
        let (sender, games) = mpsc::channel();
        let result = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency.clamp(1, missing.len()))
                .map(|_| {
                    let (sender, ended, next, missing) = (sender.clone(), ended.clone(), &next, &missing);
                    scope.spawn(move || {
                        let mut seats = Seats::new(&self.contestants, self.seed, self.patience.move_limit);
                        while let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let line = self.play(&schedule.fixture(number), &mut seats, &ended);
                            if line.is_none_or(|line| sender.send(line).is_err()) {
                                return;
                            }
                        }
                    })
                })
                .collect();
            drop(sender);
            let counts = (&mut standings, &mut sequence);
            let result = self.collect(&games, file, interrupt, &ended, counts, observe);
            // Whatever ended the contest, all workers must stop.
            ended.set();
            drop(games);
            for worker in workers {
                if let Err(failure) = worker.join() {
                    panic::resume_unwind(failure);
                }
            }
            result
        });
        result.map(|conclusion| (standings, conclusion))
    }

    /// Collects the games as they end.
    fn collect(
        &self,
        games: &mpsc::Receiver<GameLine>,
        mut file: Option<&mut MatchFile>,
        interrupt: &Stop,
        ended: &Stop,
        (standings, sequence): (&mut Standings, &mut Sequence),
        observe: &mut dyn FnMut(&GameLine, &Standings),
    ) -> Result<Conclusion, ContestError> {
        loop {
            if interrupt.is_set() {
                ended.set();
            }
            match games.recv_timeout(POLL_INTERVAL) {
                Ok(line) => {
                    if let Some(file) = &mut file {
                        file.add(&line)?;
                    }
                    standings.add(&line);
                    sequence.add(&line);
                    observe(&line, standings);
                    if sequence.decision() != Decision::Open {
                        return Ok(Conclusion::Decided);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let is_complete = standings.games() == self.schedule().games();
                    return Ok(if is_complete { Conclusion::Complete } else { Conclusion::Interrupted });
                }
            }
        }
    }

    /// Creates every player once, so that a wrong name is an error and not a series of lost games.
    fn try_players(&self, missing: &[u64], interrupt: &Stop) -> Result<(), ContestError> {
        let needed: HashSet<usize> =
            missing.iter().flat_map(|&number| self.schedule().fixture(number).colors()).collect();
        for contestant in needed.into_iter().map(|player| &self.contestants[player]) {
            let tried = start(contestant, self.seed, self.patience.move_limit, interrupt)
                .and_then(|mut seat| seat.new_game(interrupt));
            if let Err(reason) = tried
                && !interrupt.is_set()
            {
                return Err(ContestError::Player { player: contestant.name.clone(), reason });
            }
        }
        Ok(())
    }

    /// Plays one game, or returns `None` if the contest is over.
    fn play(&self, fixture: &Fixture, seats: &mut Seats<'_, E>, ended: &Stop) -> Option<GameLine> {
        let opening = &self.openings[fixture.pair as usize % self.openings.len()];
        while !ended.is_set() {
            match self.play_once(fixture, opening, seats, ended) {
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
        opening: &Game,
        seats: &mut Seats<'_, E>,
        ended: &Stop,
    ) -> Result<PlayedGame, NoGame> {
        let [black, white] = fixture.colors();
        match seats.take(fixture, ended) {
            Ok(mut pair) => {
                let [black_seat, white_seat] = &mut pair;
                let side = |player: usize, seat| {
                    let Contestant { name, limits, .. } = &self.contestants[player];
                    Side { name, seat, limits: *limits }
                };
                let sides = [side(black, black_seat), side(white, white_seat)];
                let played = referee::play(opening, sides, &self.patience, ended);
                seats.give_back(fixture, pair);
                played
            }
            Err(_) if ended.is_set() => Err(NoGame::Interrupted),
            Err((color, sentence)) => {
                let player = &self.contestants[fixture.colors()[color as usize]].name;
                Ok(referee::not_started(opening, color, format!("{player} could not be started: {sentence}")))
            }
        }
    }

    fn line(&self, fixture: &Fixture, played: PlayedGame, opening_plies: usize) -> GameLine {
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
                Ending::Time => Some(othello::records::Ending::Timeout),
                Ending::Illegal | Ending::Failed => Some(othello::records::Ending::Resignation),
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

/// The minimum time to start a program, however short the time limit of the match.
const MIN_START_TIME: Duration = Duration::from_secs(2);

/// Starts a new player. An external program gets no more time to start than for a move.
fn start<E: Entrant>(
    contestant: &Contestant<E>,
    seed: u64,
    patience: Duration,
    interrupt: &Stop,
) -> Result<Seat, String> {
    let player = contestant.player.clone();
    let to_begin = if player.is_reused() { patience.clamp(MIN_START_TIME, START_TIMEOUT) } else { START_TIMEOUT };
    Seat::start(&contestant.name, move || player.player(seed), to_begin, interrupt)
}

/// How often the contest checks whether it is interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The players of one thread; those that are reused wait here for their next game.
struct Seats<'a, E> {
    contestants: &'a [Contestant<E>],
    seed: u64,
    /// The time limit for a program to start.
    patience: Duration,
    reused: HashMap<usize, Seat>,
}

impl<'a, E: Entrant> Seats<'a, E> {
    fn new(contestants: &'a [Contestant<E>], seed: u64, patience: Duration) -> Self {
        Self { contestants, seed, patience, reused: HashMap::new() }
    }

    /// The players of a game, Black first; the error contains the color whose player cannot be created, and the reason.
    fn take(&mut self, fixture: &Fixture, ended: &Stop) -> Result<[Seat; 2], (Color, String)> {
        // Players may be large: a thread keeps only those of its current game.
        self.reused.retain(|player, seat| fixture.colors().contains(player) && seat.is_usable());
        let mut seat = |color: Color| {
            let player = fixture.colors()[color as usize];
            match self.reused.remove(&player) {
                Some(seat) => Ok(seat),
                None => {
                    let contestant = &self.contestants[player];
                    let seed = seed_of(contestant.player.seed().unwrap_or(self.seed), fixture.number, player);
                    start(contestant, seed, self.patience, ended).map_err(|sentence| (color, sentence))
                }
            }
        };
        let black = seat(Color::Black)?;
        Ok([black, seat(Color::White)?])
    }

    fn give_back(&mut self, fixture: &Fixture, seats: [Seat; 2]) {
        for (player, seat) in fixture.colors().into_iter().zip(seats) {
            if self.contestants[player].player.is_reused() && seat.is_usable() {
                self.reused.insert(player, seat);
            }
        }
    }
}

/// The record with annotations for the moves after the opening; passes have none.
fn annotated(mut record: GameRecord, opening_plies: usize, notes: &[MoveNote]) -> GameRecord {
    let plies = record.game.plies();
    let moves = plies.iter().enumerate().skip(opening_plies).filter(|(_, ply)| ply.square.is_some());
    let plies: Vec<usize> = moves.map(|(index, _)| index).collect();
    for (ply, note) in plies.into_iter().zip(notes) {
        // The clock of a game is precise to about a millisecond.
        let milliseconds = note.time.as_millis() as u64;
        let time = Some(Duration::from_millis(milliseconds));
        record.annotate(ply, Annotation { evaluation: note.value, time, comment: String::new() });
    }
    record
}

fn common_clock(black: &Limits, white: &Limits) -> Option<TimeControl> {
    let clock = black.clock.filter(|clock| Some(*clock) == white.clock)?;
    Some(TimeControl { initial: clock.remaining, increment: clock.increment, ..TimeControl::default() })
}

fn today() -> Option<Date> {
    Date::of_unix_time(SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs())
}
