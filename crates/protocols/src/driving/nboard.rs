//! A player behind the NBoard protocol.

use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Chosen, Limits, Observer, Player, PlayerError, Progress, Stop};
use othello::Game;

use super::ExternalProgram;
use super::child::{Child, NoLine, Wait};
use super::error::{DrivingError, besides, legal_move};
use super::nboard_lines::{EngineLine, game_as_ggf, parse_line};

/// A program with the NBoard protocol, version 2.
///
/// A depth or a level becomes `set depth`, a clock the `TI` of the game. The protocol has no commands for other limits,
/// and they are not sent.
///
/// Nothing is sent during a search, because NTest stops searching at any line. To stop a search, a `ping` is sent, and
/// the program answers with the best move so far.
///
/// ```no_run
/// use engine::{Limits, Player, Silent, Stop};
/// use protocols::driving::{Nboard, ExternalProgram};
/// use othello::Game;
///
/// let mut ntest = Nboard::new(ExternalProgram::from_command("/opt/ntest/ntest x s10")?);
/// ntest.new_game()?;
/// let choice = ntest.choose(&Game::new(), &Limits::of_depth(8), &mut Silent, &Stop::new())?;
/// println!("NTest plays {}", choice.square);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Nboard {
    program: ExternalProgram,
    engine: Option<Engine>,
}

/// The program at work.
struct Engine {
    child: Child,
    pings: u64,
    /// The depth that was sent last.
    depth: Option<u32>,
    /// Whether an answer to an earlier question may still come.
    is_behind: bool,
}

/// The depth if neither the limits nor the set-up lines of the program set one: an answer within about a second.
const DEFAULT_DEPTH: u32 = 12;

/// The depth if only the clock limits the search.
const WHOLE_GAME: u32 = 60;

/// Time for an answer after the search is stopped.
const GRACE: Duration = Duration::from_millis(1000);

impl Nboard {
    /// A player that will start this program.
    pub fn new(program: ExternalProgram) -> Self {
        Self { program, engine: None }
    }

    /// The depth to be set, if one is to be set.
    fn depth(&self, limits: &Limits) -> Option<u32> {
        let asked = limits.depth_or_level();
        if asked.is_some() {
            return asked;
        }
        let is_set_up = self.program.setup.iter().any(|line| line.trim_start().starts_with("set "));
        let by_clock = limits.clock.is_some() || limits.move_time.is_some();
        (!is_set_up).then_some(if by_clock { WHOLE_GAME } else { DEFAULT_DEPTH })
    }

    /// The program, started and ready.
    fn engine(&mut self, stop: Option<&Stop>) -> Result<&mut Engine, DrivingError> {
        if self.engine.is_none() {
            let child = Child::start(&self.program)?;
            let mut engine = Engine { child, pings: 0, depth: None, is_behind: false };
            engine.child.send("nboard 2")?;
            for line in &self.program.setup {
                engine.child.send(line)?;
            }
            engine.synchronize(self.program.start_limit, stop)?;
            self.engine = Some(engine);
        }
        self.engine.as_mut().ok_or_else(|| DrivingError::Failed("its program has exited".to_owned()))
    }

    fn begin_game(&mut self) -> Result<(), DrivingError> {
        let start_limit = self.program.start_limit;
        let engine = self.engine(None)?;
        // Sent again, so that NTest clears its hash table before its clock runs.
        if let Some(depth) = engine.depth {
            engine.child.send(&format!("set depth {depth}"))?;
            engine.synchronize(start_limit, None)?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Choice, DrivingError> {
        if game.is_over() {
            return Err(DrivingError::GameOver);
        }
        let start = Moment::now();
        let depth = self.depth(limits);
        let ggf = game_as_ggf(game, &self.program.name, limits.clock);
        let patience = self.program.patience;
        let engine = self.engine(Some(stop))?;
        if depth.is_some() && depth != engine.depth {
            engine.child.send(&format!("set depth {}", depth.unwrap_or(DEFAULT_DEPTH)))?;
            engine.depth = depth;
        }
        engine.child.send(&format!("set game {ggf}"))?;
        // Otherwise it has answered everything, and waiting for a pong would only cost time.
        if engine.is_behind {
            engine.synchronize(patience, Some(stop))?;
        }
        engine.child.send("go")?;
        engine.hear_choice(game, observer, stop, start)
    }
}

impl Engine {
    /// Waits until the program has read everything sent so far, and drops what it prints before.
    fn synchronize(&mut self, patience: Duration, stop: Option<&Stop>) -> Result<(), DrivingError> {
        self.pings += 1;
        self.child.send(&format!("ping {}", self.pings))?;
        let wait = Wait::at_most(patience, stop);
        let game = Game::new();
        loop {
            match self.child.line(wait) {
                Ok(line) if parse_line(&line, &game) == EngineLine::Pong(self.pings) => {
                    self.is_behind = false;
                    return Ok(());
                }
                Ok(_) => {}
                Err(NoLine::Forever(sentence)) => return Err(DrivingError::Failed(sentence)),
                Err(NoLine::Late) => {
                    let time = patience.as_secs_f64();
                    return Err(DrivingError::Failed(format!("it did not answer a ping within {time} s")));
                }
                Err(NoLine::Stopped) => {
                    return Err(DrivingError::Failed("it did not answer a ping before its time ran out".to_owned()));
                }
            }
        }
    }

    fn hear_choice(
        &mut self,
        game: &Game,
        observer: &mut dyn Observer,
        stop: &Stop,
        start: Moment,
    ) -> Result<Choice, DrivingError> {
        let mut wait = Wait { stop: Some(stop), deadline: None };
        let mut best: Option<Progress> = None;
        let mut nodes = 0;
        let mut stopped_after = Duration::ZERO;
        let mut last_line = String::new();
        loop {
            let line = match self.child.line(wait) {
                Ok(line) => line,
                Err(NoLine::Forever(sentence)) => return Err(DrivingError::Failed(sentence)),
                Err(NoLine::Stopped) => {
                    stopped_after = start.elapsed();
                    wait = Wait::at_most(GRACE, None);
                    self.is_behind = true;
                    self.pings += 1;
                    self.child.send(&format!("ping {}", self.pings))?;
                    continue;
                }
                Err(NoLine::Late) => return Err(DrivingError::Failed(no_answer(stopped_after, &last_line))),
            };
            match parse_line(&line, game) {
                EngineLine::Move(name, value) => {
                    let square = legal_move(name, &line, game)?;
                    let found = best.filter(|progress| progress.line.first() == Some(&square));
                    let is_from_book = found.as_ref().is_some_and(|progress| progress.book_games.is_some());
                    let depth = found.as_ref().map_or(0, |progress| progress.depth);
                    let moves = found.map_or(vec![square], |progress| progress.line);
                    let (from_book, time) = (is_from_book, start.elapsed());
                    return Ok(Choice { square, value, from_book, line: moves, depth, nodes, time });
                }
                EngineLine::Pong(number) if wait.stop.is_none() && number == self.pings => {
                    // It has stopped without naming its move.
                    let progress = best.ok_or(DrivingError::Stopped)?;
                    let square = *progress.line.first().ok_or(DrivingError::Stopped)?;
                    let Progress { value, book_games, line, depth, .. } = progress;
                    let (from_book, time) = (book_games.is_some(), start.elapsed());
                    return Ok(Choice { square, value, from_book, line, depth, nodes, time });
                }
                EngineLine::Search(progress) => {
                    let progress = Progress { nodes, time: start.elapsed(), ..progress };
                    observer.report(&progress);
                    // The best move of an iteration comes last, or alone.
                    best = Some(progress);
                }
                EngineLine::Nodes(number) => nodes = number,
                EngineLine::Pong(_) => {}
                EngineLine::Other => last_line = line,
            }
        }
    }
}

fn no_answer(after: Duration, last_line: &str) -> String {
    let seconds = after.as_secs_f64();
    let said = besides(last_line);
    format!("it did not answer go with === and a move within {seconds:.1} s, even when told to stop{said}")
}

impl Player for Nboard {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.begin_game().map_err(|error| self.fail(error))
    }

    fn choose(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        self.think(game, limits, observer, stop).map_err(|error| self.fail(error))
    }
}

impl Nboard {
    /// Ends a program that has failed; the next game starts it again.
    fn fail(&mut self, error: DrivingError) -> PlayerError {
        if error.is_failure() {
            self.engine = None;
        }
        error.of(&self.program.name)
    }
}

impl Drop for Nboard {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.child.quit();
        }
    }
}
