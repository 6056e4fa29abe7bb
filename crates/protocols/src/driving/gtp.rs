//! A player behind the Go Text Protocol.

use std::time::Duration;

use engine::clock::Moment;
use engine::{Choice, Chosen, Level, Limits, Observer, Player, PlayerError, Stop};
use othello::{Board, Color, Game, Ply, Position, Rules};
use report::diagram::lower_case;

use super::ExternalProgram;
use super::child::{Child, NoLine, Wait, shortened};
use super::error::{DrivingError, besides, legal_move};

/// A program with GTP, version 2.
///
/// A clock becomes `time_settings` and `time_left`, a time for the move a period of one move; a level or a
/// depth is sent to a program that lists a command for it (`level`, or one that ends in `-level`). The protocol has no
/// commands for other limits, and they are not sent.
///
/// The game is sent move by move. A game that begins elsewhere than at the standard start needs a program that
/// lists a command ending in `-setup_board`, as grhino does.
///
/// On other boards than 8x8, the program has to accept their size (`boardsize`); squares are named from a1 in the upper
/// left corner on all of them.
///
/// ```no_run
/// use engine::{Limits, Player, Silent, Stop};
/// use protocols::driving::{Gtp, ExternalProgram};
/// use othello::Game;
///
/// let mut rhino: Gtp = Gtp::new(ExternalProgram::from_command("/usr/games/gtp-rhino -l 3")?);
/// rhino.new_game()?;
/// let choice = rhino.choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new())?;
/// println!("grhino plays {}", choice.square);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Gtp<B: Rules = Board> {
    program: ExternalProgram,
    engine: Option<Engine<B>>,
}

struct Engine<B: Rules> {
    child: Child,
    /// Time limit for an answer without a search: longer while the program or a game starts.
    patience: Duration,
    /// The commands of the program, or `None` if it does not list them.
    commands: Option<Vec<String>>,
    /// The start of the game that the program has, or `None` if the game has to be sent from the beginning.
    start: Option<Position<B>>,
    /// The plies since then that were sent or received.
    plies: Vec<Ply>,
    /// The last commands about time and strength, which are not repeated in a game.
    settings: Vec<String>,
    habits: Habits,
    /// The last line that was not an answer.
    last_line: String,
}

/// Deviations of a program that were found while using it.
#[derive(Default)]
struct Habits {
    /// It makes forced passes by itself and refuses a command for them, as grhino does.
    passes_by_itself: bool,
    /// It only reads whole seconds.
    whole_seconds: bool,
}

/// Time for an answer after the time of the move is over. The protocol has no command to stop a search.
const GRACE: Duration = Duration::from_millis(500);

/// Response of a program: `= text`, or `? text` if it refuses.
type Response = Result<String, Refusal>;

struct Refusal(String);

impl<B: Rules> Gtp<B> {
    /// A player that will start this program.
    pub fn new(program: ExternalProgram) -> Self {
        Self { program, engine: None }
    }

    /// The program, started and ready.
    fn engine(&mut self, stop: Option<&Stop>) -> Result<&mut Engine<B>, DrivingError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(&self.program, stop)?,
        };
        Ok(self.engine.insert(engine))
    }

    fn begin_game(&mut self) -> Result<(), DrivingError> {
        let ExternalProgram { start_limit, patience, .. } = self.program;
        let engine = self.engine(None)?;
        engine.start = None;
        engine.patience = start_limit;
        engine.require("clear_board", None)?;
        engine.patience = patience;
        Ok(())
    }

    fn think(&mut self, game: &Game<B>, limits: &Limits, stop: &Stop) -> Result<Choice, DrivingError> {
        if game.is_over() {
            return Err(DrivingError::GameOver);
        }
        let start = Moment::now();
        let engine = self.engine(Some(stop))?;
        engine.send_game(game, stop)?;
        engine.send_limits(game.position().turn, limits, stop)?;
        engine.generate(game, stop, start)
    }

    /// Ends a program that has failed; the next game starts it again.
    fn fail(&mut self, error: DrivingError) -> PlayerError {
        if error.is_failure() {
            self.engine = None;
        }
        error.of(&self.program.name)
    }
}

impl<B: Rules> Engine<B> {
    fn start(program: &ExternalProgram, stop: Option<&Stop>) -> Result<Self, DrivingError> {
        let mut engine = Self {
            child: Child::start(program)?,
            patience: program.start_limit,
            commands: None,
            start: None,
            plies: Vec::new(),
            settings: Vec::new(),
            habits: Habits::default(),
            last_line: String::new(),
        };
        let list = engine.ask("list_commands", stop)?.unwrap_or_default();
        let commands: Vec<_> = list.split_whitespace().map(str::to_owned).collect();
        engine.commands = Some(commands).filter(|commands| !commands.is_empty());
        let side = B::GEOMETRY.side;
        if engine.lists("boardsize") {
            engine.require(&format!("boardsize {side}"), stop)?;
        } else if side != Board::GEOMETRY.side {
            let reason = format!("it has no command boardsize, which the {} board needs", B::GEOMETRY.name);
            return Err(DrivingError::Unsupported(reason));
        }
        for line in &program.setup {
            engine.require(line, stop)?;
        }
        engine.patience = program.patience;
        Ok(engine)
    }

    /// Whether the program lists a command, or lists none.
    fn lists(&self, command: &str) -> bool {
        self.commands.as_ref().is_none_or(|commands| commands.iter().any(|known| known == command))
    }

    /// The program's command with this name or suffix: `level`, `emilia-level`.
    fn own_command(&self, name: &str) -> Option<String> {
        let commands = self.commands.as_ref()?;
        let is_own =
            |known: &&String| known.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('-'));
        commands.iter().find(is_own).cloned()
    }

    /// Sends a command that needs no search and returns the answer.
    fn ask(&mut self, command: &str, stop: Option<&Stop>) -> Result<Response, DrivingError> {
        self.child.send(command)?;
        self.answer(Wait::at_most(self.patience, stop)).map_err(|none| none.to(&shortened(command), self.patience))
    }

    fn require(&mut self, command: &str, stop: Option<&Stop>) -> Result<(), DrivingError> {
        match self.ask(command, stop)? {
            Ok(_) => Ok(()),
            Err(Refusal(refusal)) => {
                Err(DrivingError::Failed(format!("it refused {}: {}", shortened(command), shortened(&refusal))))
            }
        }
    }

    /// Waits for `= text` or `? text` and the empty line that ends it; anything before is no answer.
    fn answer(&mut self, wait: Wait<'_>) -> Result<Response, NoLine> {
        let (is_good, mut text) = loop {
            let line = self.child.line(wait)?;
            let line = line.trim_start();
            let Some(rest) = line.strip_prefix(['=', '?']) else {
                self.last_line = line.to_owned();
                continue;
            };
            // The number of the command is repeated if it had one.
            let rest = rest.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
            break (line.starts_with('='), rest.trim().to_owned());
        };
        loop {
            let line = self.child.line(wait)?;
            if line.is_empty() {
                return Ok(if is_good { Ok(text) } else { Err(Refusal(text)) });
            }
            // Nothing reads more than that.
            if text.len() < 1 << 16 {
                text.push('\n');
                text.push_str(&line);
            }
        }
    }

    /// Sends the part of the game that the program does not have.
    fn send_game(&mut self, game: &Game<B>, stop: &Stop) -> Result<(), DrivingError> {
        let (start, plies) = (game.start(), game.plies());
        if self.start != Some(start) || !plies.starts_with(&self.plies) {
            self.start = None;
            self.require("clear_board", Some(stop))?;
            if start != Position::start() {
                let Some(command) = self.own_command("setup_board") else {
                    let reason =
                        "it speaks GTP, which begins every game at the standard start, and this one begins elsewhere";
                    return Err(DrivingError::Unsupported(reason.to_owned()));
                };
                self.require(&format!("{command} {start}"), Some(stop))?;
            }
            self.start = Some(start);
            self.plies.clear();
            self.settings.clear();
        }
        for &ply in &plies[self.plies.len()..] {
            self.send_ply(ply, stop)?;
            self.plies.push(ply);
        }
        Ok(())
    }

    fn send_ply(&mut self, ply: Ply, stop: &Stop) -> Result<(), DrivingError> {
        let color = lower_case(ply.color);
        if let Some(square) = ply.square {
            return self.require(&format!("play {color} {}", B::GEOMETRY.square_name(square)), Some(stop));
        }
        if !self.habits.passes_by_itself && self.ask(&format!("play {color} pass"), Some(stop))?.is_err() {
            self.habits.passes_by_itself = true;
        }
        Ok(())
    }

    /// Sends the limits of the move, as far as the program has commands for them.
    fn send_limits(&mut self, turn: Color, limits: &Limits, stop: &Stop) -> Result<(), DrivingError> {
        if let (Some(level), Some(command)) = (limits.level, self.own_command("level")) {
            // Half steps are Emilia's own.
            let whole = Level::clamped(level.whole());
            let level = if command == "emilia-level" { level } else { whole };
            self.set(&format!("{command} {level}"), stop)?;
        }
        if let (Some(depth), Some(command)) = (limits.depth, self.own_command("depth")) {
            self.set(&format!("{command} {depth}"), stop)?;
        }
        let (time, moves) = match (limits.clock, limits.move_time) {
            (Some(clock), _) => (clock.remaining, 0),
            // A separate period for each move; zero would mean no time limit.
            (None, Some(time)) if self.habits.whole_seconds => (time.max(Duration::from_secs(1)), 1),
            (None, Some(time)) => (time, 1),
            (None, None) => return Ok(()),
        };
        let is_set = self.settings.iter().any(|sent| sent.starts_with("time_settings"));
        if self.lists("time_settings") && !is_set {
            let settings = |time: String| if moves == 0 { format!("{time} 0 0") } else { format!("0 {time} 1") };
            self.send_time(|time| format!("time_settings {}", settings(time)), time, stop)?;
        }
        if self.lists("time_left") {
            let color = lower_case(turn);
            self.send_time(|time| format!("time_left {color} {time} {moves}"), time, stop)?;
        }
        Ok(())
    }

    /// Sends a setting once per game; a program may refuse it.
    fn set(&mut self, command: &str, stop: &Stop) -> Result<(), DrivingError> {
        if self.settings.iter().any(|sent| sent == command) {
            return Ok(());
        }
        let _ = self.ask(command, Some(stop))?;
        self.settings.retain(|sent| sent.split(' ').next() != command.split(' ').next());
        self.settings.push(command.to_owned());
        Ok(())
    }

    /// Sends a time, with fractions of a second if the program reads them.
    fn send_time<F>(&mut self, command: F, time: Duration, stop: &Stop) -> Result<(), DrivingError>
    where
        F: Fn(String) -> String,
    {
        let whole = time.as_secs().to_string();
        let is_whole = self.habits.whole_seconds || time.subsec_millis() == 0 || time >= Duration::from_secs(60);
        let text = if is_whole { whole.clone() } else { format!("{:.3}", time.as_secs_f64()) };
        let sent = command(text);
        let refused = self.ask(&sent, Some(stop))?.is_err();
        if refused && !is_whole {
            self.habits.whole_seconds = true;
            let _ = self.ask(&command(whole), Some(stop))?;
        }
        if sent.starts_with("time_settings") {
            self.settings.push(sent);
        }
        Ok(())
    }

    fn generate(&mut self, game: &Game<B>, stop: &Stop, start: Moment) -> Result<Choice, DrivingError> {
        let turn = game.position().turn;
        self.last_line.clear();
        self.child.send(&format!("genmove {}", lower_case(turn)))?;
        let answer = match self.answer(Wait { stop: Some(stop), deadline: None }) {
            Err(NoLine::Stopped) => {
                let stopped_after = start.elapsed();
                self.answer(Wait::at_most(GRACE, None)).map_err(|none| {
                    let (seconds, last) = (stopped_after.as_secs_f64(), besides(&self.last_line));
                    let late = format!("it did not answer genmove within {seconds:.1} s and was stopped{last}");
                    DrivingError::Failed(if let NoLine::Forever(reason) = none { reason } else { late })
                })?
            }
            Err(NoLine::Forever(sentence)) => return Err(DrivingError::Failed(sentence)),
            Err(NoLine::Late) => return Err(DrivingError::Failed("it did not answer genmove".to_owned())),
            Ok(answer) => answer,
        };
        let answer = answer
            .map_err(|Refusal(refusal)| DrivingError::Failed(format!("it refused genmove: {}", shortened(&refusal))))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(DrivingError::Failed("it resigned".to_owned()));
        }
        let square = legal_move(&answer, &answer, game)?;
        self.plies.push(Ply { color: turn, square: Some(square) });
        Ok(Choice { time: start.elapsed(), ..Choice::of(square) })
    }
}

impl<B: Rules> Player<B> for Gtp<B> {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.begin_game().map_err(|error| self.fail(error))
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, _observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        self.think(game, limits, stop).map_err(|error| self.fail(error))
    }
}

impl<B: Rules> Drop for Gtp<B> {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.child.quit();
        }
    }
}
