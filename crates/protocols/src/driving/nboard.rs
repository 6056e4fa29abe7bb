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

type DrivenChoice = Result<Choice, DrivingError>;

impl Nboard {
    /// A player that will start this program.
    pub fn new(program: ExternalProgram) -> Self {
        Self { program, engine: None }
    }

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
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(&self.program, stop)?,
        };
        Ok(self.engine.insert(engine))
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

    fn think(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> DrivenChoice {
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
        engine.receive_choice(game, observer, stop, start)
    }
}

impl Engine {
    fn start(program: &ExternalProgram, stop: Option<&Stop>) -> Result<Self, DrivingError> {
        let mut engine = Self { child: Child::start(program)?, pings: 0, depth: None, is_behind: false };
        engine.child.send("nboard 2")?;
        for line in &program.setup {
            engine.child.send(line)?;
        }
        engine.synchronize(program.start_limit, stop)?;
        Ok(engine)
    }

    /// Waits until the program has read everything sent so far, and drops what it prints before.
    fn synchronize(&mut self, patience: Duration, stop: Option<&Stop>) -> Result<(), DrivingError> {
        self.pings += 1;
        self.child.send(&format!("ping {}", self.pings))?;
        let wait = Wait::at_most(patience, stop);
        let game = Game::new();
        loop {
            let line = self.child.line(wait).map_err(|none| none.to("a ping", patience))?;
            if parse_line(&line, &game) == EngineLine::Pong(self.pings) {
                self.is_behind = false;
                return Ok(());
            }
        }
    }

    fn receive_choice(&mut self, game: &Game, observer: &mut dyn Observer, stop: &Stop, start: Moment) -> DrivenChoice {
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
                Err(NoLine::Late) => {
                    let (seconds, last) = (stopped_after.as_secs_f64(), besides(&last_line));
                    let go = "it did not answer go with === and a move";
                    let reason = format!("{go} within {seconds:.1} s, even when told to stop{last}");
                    return Err(DrivingError::Failed(reason));
                }
            };
            match parse_line(&line, game) {
                EngineLine::Move(name, value) => {
                    let square = legal_move(name, &line, game)?;
                    let found = best.filter(|progress| progress.line.first() == Some(&square));
                    let line = vec![square];
                    let Progress { book_games, line, depth, .. } =
                        found.unwrap_or(Progress { line, ..Progress::default() });
                    let (from_book, time) = (book_games.is_some(), start.elapsed());
                    return Ok(Choice { square, value, from_book, line, depth, nodes, time });
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
