//! Players for tests, each with one behavior.

use std::thread;
use std::time::{Duration, Instant};

use arena::{Contest, Contestant, Entrant, GameLine, PlayerId};
use engine::{Choice, Limits, Observer, Player, PlayerError, Stop};
use othello::{Game, Rules, Square, squares};
use records::transcript;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Habit {
    /// Plays a random legal move.
    Honest,
    /// Plays on an occupied square, from its third move on.
    Illegal,
    /// Fails at its third move.
    Failing,
    /// Thinks until it is stopped.
    Hanging,
    /// Ignores the request to stop.
    Deaf,
    /// Takes this long for every move.
    Slow(Duration),
    /// Panics at its third move.
    Panicking,
    /// Cannot begin a game.
    NotReady,
    /// Cannot be created.
    NeverThere,
}

#[derive(Clone, Debug)]
pub(crate) struct FakeEntrant {
    pub(crate) name: String,
    habit: Habit,
    pub(crate) is_reused: bool,
}

impl Entrant for FakeEntrant {
    fn player(&self, seed: u64, patience: Duration) -> Result<Box<dyn Player>, String> {
        if self.habit == Habit::NeverThere {
            return Err(format!("it was not there after {patience:?}"));
        }
        Ok(Box::new(Fake { habit: self.habit, random: seed, asked: 0 }))
    }

    fn id(&self) -> PlayerId {
        PlayerId::Program { notation: format!("gtp:{}", self.name).parse().expect("a player") }
    }

    fn is_reused(&self) -> bool {
        self.is_reused
    }
}

struct Fake {
    habit: Habit,
    random: u64,
    asked: u32,
}

impl Fake {
    fn any_move(&mut self, game: &Game) -> Result<Choice, PlayerError> {
        let moves: Vec<Square> = squares(game.position().board.moves()).collect();
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pick = (self.random >> 33) as usize % moves.len().max(1);
        moves.get(pick).copied().map(Choice::of).ok_or(PlayerError::GameOver)
    }
}

impl Player for Fake {
    fn name(&self) -> &str {
        "fake"
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.asked = 0;
        if self.habit == Habit::NotReady {
            return Err(failed("it has lost its weights"));
        }
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Choice, PlayerError> {
        self.asked += 1;
        match self.habit {
            Habit::Illegal if self.asked == 3 => {
                let taken = !game.position().board.empties();
                return Ok(Choice::of(Square::new(taken.trailing_zeros() as u8)));
            }
            Habit::Failing if self.asked == 3 => return Err(failed("the program exited with code 7")),
            Habit::Panicking if self.asked == 3 => panic!("a player that panics, as a test wants it"),
            Habit::Hanging => {
                while !stop.is_set() {
                    thread::sleep(Duration::from_millis(1));
                }
                return Err(failed("it fell silent"));
            }
            Habit::Deaf => loop {
                thread::sleep(Duration::from_secs(1));
            },
            Habit::Slow(time) => {
                let start = Instant::now();
                while start.elapsed() < time {
                    thread::sleep(Duration::from_micros(200));
                }
            }
            _ => {}
        }
        self.any_move(game)
    }
}

fn failed(reason: &str) -> PlayerError {
    PlayerError::Failed { player: "fake".to_owned(), reason: reason.to_owned() }
}

/// A player with this name, habit and limits, and an honest one.
pub(crate) fn against_honest(name: &str, habit: Habit, limits: Limits) -> Vec<Contestant<FakeEntrant>> {
    vec![contestant(name, habit, limits), contestant("honest", Habit::Honest, Limits::default())]
}

pub(crate) fn contestant(name: &str, habit: Habit, limits: Limits) -> Contestant<FakeEntrant> {
    let player = FakeEntrant { name: name.to_owned(), habit, is_reused: false };
    Contestant { name: name.to_owned(), player, limits }
}

/// The properties of games that do not depend on the time used: number, players, moves, score; in order.
pub(crate) fn gist(lines: &[GameLine]) -> Vec<(u64, String, String, String, i32)> {
    let gist = |line: &GameLine| {
        let moves = transcript::format(&line.record().expect("a game").game);
        (line.game, line.black.clone(), line.white.clone(), moves, line.score)
    };
    let mut games: Vec<_> = lines.iter().map(gist).collect();
    games.sort();
    games
}

pub(crate) fn openings() -> Vec<Game> {
    ["f5d6c3d3", "f5f6e6f4", "d3c5f6f5", "e6f4d3c4", "c4e3f6e6"]
        .map(|text| transcript::parse(text).expect("an opening"))
        .to_vec()
}

pub(crate) fn contest(contestants: Vec<Contestant<FakeEntrant>>, pairs: u32) -> Contest<FakeEntrant> {
    Contest::new(contestants, openings(), pairs)
}
