//! The referee of one game: requests moves from the players in turn, keeps their clocks, and enforces the rules.

use std::time::Duration;

use engine::{Choice, Estimate, GameClock, Limits, Stop};
use othello::{Board, Color, Game, Rules, Score};
use serde::{Deserialize, Serialize};

use crate::timed_player::{CRASH, MoveReply, TimedPlayer};

/// The tolerances of the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Patience {
    /// The tolerance for exceeding a clock: the cost of measuring time and of waking up a thread. The time is measured
    /// in the player's own thread, so this is small.
    #[serde(with = "engine::seconds")]
    pub grace: Duration,
    /// The time limit for a move without a clock or a time per move.
    #[serde(with = "engine::seconds")]
    pub move_limit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { grace: Duration::from_millis(10), move_limit: Duration::from_secs(600) }
    }
}

/// With a time per move there is no reserve for a moment in which the machine was busy, so it may be exceeded by this
/// much more.
const MOVE_GRACE: Duration = Duration::from_millis(100);

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// On the board.
    Played,
    /// The loser exceeded its time.
    Time,
    /// The loser played an illegal move.
    Illegal,
    /// The loser failed: it crashed, did not answer, or answered with an error.
    Failed,
}

/// A game that has been played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<B: Rules = Board> {
    /// The game, with its opening.
    pub game: Game<B>,
    /// Black's score: all squares for the winner if the game did not end on the board.
    pub score: Score,
    /// The end of the game.
    pub ending: Ending,
    /// The reason why the loser lost, if not on the board.
    pub reason: Option<String>,
    /// The annotations of the moves after the opening.
    pub notes: Vec<MoveNote>,
    /// The remaining time of Black and White at the end, if they had a clock.
    pub time_left: [Option<Duration>; 2],
}

/// The annotation of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveNote {
    /// The evaluation by the player, in discs.
    pub value: Option<f64>,
    /// The time used.
    pub time: Duration,
}

pub(crate) struct Side<'a, B: Rules> {
    pub(crate) name: &'a str,
    pub(crate) player: &'a mut TimedPlayer<B>,
    pub(crate) limits: Limits,
}

/// Reason why a game was not finished, without a fault of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoGame {
    /// The match is interrupted.
    Interrupted,
    /// This process was suspended while a clock was running: the game has to be played again.
    Suspended,
}

/// Plays a game from the end of an opening.
pub(crate) fn play<B: Rules>(
    opening: &Game<B>,
    mut sides: [Side<'_, B>; 2],
    patience: &Patience,
    interrupt: &Stop,
) -> Result<PlayedGame<B>, NoGame> {
    let mut game = opening.clone();
    let mut clocks = [0, 1].map(|side| sides[side].limits.clock);
    let mut notes = Vec::new();
    for color in [Color::Black, Color::White] {
        let side = &mut sides[color as usize];
        if let Err(sentence) = side.player.new_game(interrupt) {
            if interrupt.is_set() {
                return Err(NoGame::Interrupted);
            }
            let reason = format!("{} did not begin: {sentence}", side.name);
            return Ok(forfeit(game, color, (Ending::Failed, reason), notes, clocks));
        }
    }
    while !game.is_over() {
        let color = game.position().turn;
        let side = &mut sides[color as usize];
        let clock = &mut clocks[color as usize];
        match one_move(&mut game, side, clock, patience, interrupt) {
            Ok(note) => notes.push(note),
            Err(Failure::NoGame(reason)) => return Err(reason),
            Err(Failure::Fault(fault)) => return Ok(forfeit(game, color, fault, notes, clocks)),
        }
    }
    let score = game.position().black_score();
    let time_left = clocks.map(|clock| clock.map(|clock| clock.remaining));
    Ok(PlayedGame { game, score, ending: Ending::Played, reason: None, notes, time_left })
}

/// Reason why there is no move.
enum Failure {
    Fault(Fault),
    NoGame(NoGame),
}

/// The fault by which a player lost a game, and its description.
type Fault = (Ending, String);

fn one_move<B: Rules>(
    game: &mut Game<B>,
    side: &mut Side<'_, B>,
    clock: &mut Option<GameClock>,
    patience: &Patience,
    interrupt: &Stop,
) -> Result<MoveNote, Failure> {
    let Side { name, player, limits } = side;
    let limits = Limits { clock: *clock, ..*limits };
    let allowed = allowed_time(&limits, patience);
    let fault = |ending, reason: String| Err(Failure::Fault((ending, reason)));
    let (result, time) = match player.choose(game, &limits, allowed, interrupt) {
        MoveReply::Interrupted => return Err(Failure::NoGame(NoGame::Interrupted)),
        MoveReply::Crash => return fault(Ending::Failed, format!("{name} failed: {CRASH}")),
        MoveReply::Silence => {
            let reason = format!("{name} hung: it gave no answer within {allowed:?}, nor when it was told to stop");
            return fault(Ending::Failed, reason);
        }
        MoveReply::Given(result, time) => (*result, time),
    };
    if time > allowed {
        if player.was_suspended() {
            return Err(Failure::NoGame(NoGame::Suspended));
        }
        // The error of a program that had to be terminated is more specific.
        let also = result.err().map_or(String::new(), |error| format!(" ({error})"));
        let reason = match (clock.as_ref(), limits.move_time) {
            (Some(clock), _) if time > clock.remaining + patience.grace => {
                format!("{name} ran out of time: it took {time:.3?} with {:.3?} on its clock{also}", clock.remaining)
            }
            (_, Some(limit)) => format!("{name} took {time:.3?} for a move; expected {limit:?} at most{also}"),
            _ => format!("{name} gave no answer within {:?}{also}", patience.move_limit),
        };
        return fault(Ending::Time, reason);
    }
    let choice = match result {
        Ok(choice) => choice,
        Err(error) => return fault(Ending::Failed, error.to_string()),
    };
    if let Err(error) = game.play(choice.square) {
        return fault(Ending::Illegal, format!("{name} played an illegal move: {error}"));
    }
    if let Some(clock) = clock {
        clock.spend(time);
    }
    Ok(MoveNote { value: discs(&choice), time })
}

/// The time that the player may take, including all tolerances.
fn allowed_time(limits: &Limits, patience: &Patience) -> Duration {
    let by_clock = limits.clock.map(|clock| clock.remaining + patience.grace);
    let by_move = limits.move_time.map(|time| time + patience.grace + MOVE_GRACE);
    by_clock.into_iter().chain(by_move).min().unwrap_or(patience.move_limit)
}

fn discs(choice: &Choice) -> Option<f64> {
    match choice.value? {
        Estimate::Discs { hundredths } => Some(f64::from(hundredths) / 100.0),
        Estimate::Solved(score) => Some(f64::from(score.discs())),
        Estimate::Proven(_) | Estimate::Chance { .. } | Estimate::Points(_) => None,
    }
}

fn forfeit<B: Rules>(
    game: Game<B>,
    loser: Color,
    (ending, reason): Fault,
    notes: Vec<MoveNote>,
    clocks: [Option<GameClock>; 2],
) -> PlayedGame<B> {
    // All squares; no board has more than 92.
    let all = Score::new(B::GEOMETRY.area() as i8);
    let score = if loser == Color::Black { -all } else { all };
    let time_left = clocks.map(|clock| clock.map(|clock| clock.remaining));
    PlayedGame { game, score, ending, reason: Some(reason), notes, time_left }
}

pub(crate) fn not_started<B: Rules>(opening: &Game<B>, loser: Color, reason: String) -> PlayedGame<B> {
    forfeit(opening.clone(), loser, (Ending::Failed, reason), Vec::new(), [None; 2])
}
