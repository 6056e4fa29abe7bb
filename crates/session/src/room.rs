//! The room of a session: its players in threads, for hosts that have threads. The session knows nothing of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fmt, thread};

use control::lock;
use engine::analysis::{JudgedMove, judge_each_move};
use engine::{Limits, Player, PlayerError, PlayerMessage, PlayerThread, Stop};
use othello::{Board, Color, Game, Rules};
use players::analysts::AnalystChoice;
use players::opening_book::OpeningBook;
use players::{MakeError, PlayableBoard, PlayerOptions, SearchOptions, registry};
use report::words::sentence;

use crate::opponent::Seating;
use crate::order::{Outcome, PlayerOrder, Task};

/// The table of the adviser, in MB.
const HINT_TABLE: u32 = 64;

/// A thread that has not ended by then is abandoned.
const PATIENCE: Duration = Duration::from_secs(1);

/// A program that cannot be started says so within this time; one that takes longer to start is seated meanwhile.
const START: Duration = Duration::from_millis(500);

/// Receives the results of orders.
type Listener<B> = Arc<dyn Fn(Outcome<B>) + Send + Sync>;

/// The players, and what carries out orders for them. When it is dropped, all of them stop thinking.
pub struct Room<B: PlayableBoard> {
    /// Black's and White's engine.
    seats: [Option<PlayerThread<B>>; 2],
    /// Made when hints are asked for the first time.
    adviser: Option<PlayerThread<B>>,
    /// What ends the analysis that is under way.
    analysis: Option<StopOnDrop>,
    options: PlayerOptions,
    tell: Listener<B>,
    /// Counts the players made so far, so that each gets another seed and two of one kind do not play the same. The
    /// first two were made by the caller.
    seated: u64,
}

/// The stop flag of an analysis, which is set when this is dropped.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Receives the first answer of a program that is being started.
type Starting = Arc<Mutex<Option<Sender<Result<(), PlayerError>>>>>;

impl<B: PlayableBoard> fmt::Debug for Room<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").field("seats", &self.seats).field("options", &self.options).finish_non_exhaustive()
    }
}

impl<B: PlayableBoard> Room<B> {
    /// A room with these players. Others are made with these options; the listener gets everything that they find.
    pub fn new(
        players: [Option<Box<dyn Player<B>>>; 2],
        options: PlayerOptions,
        tell: impl Fn(Outcome<B>) + Send + Sync + 'static,
    ) -> Self {
        let tell = Arc::new(tell);
        let mut room = Self { seats: [None, None], adviser: None, analysis: None, options, tell, seated: 1 };
        room.seats = players.map(|player| player.map(|player| room.thread_of(player)));
        room
    }

    fn thread_of(&self, player: Box<dyn Player<B>>) -> PlayerThread<B> {
        self.starting_thread_of(player, Starting::default())
    }

    /// A thread whose first `Ready` message goes to the receiver that waits for the start.
    fn starting_thread_of(&self, player: Box<dyn Player<B>>, starting: Starting) -> PlayerThread<B> {
        let tell = Arc::clone(&self.tell);
        PlayerThread::of(player, move |message| {
            if let PlayerMessage::Ready(_, outcome) = &message
                && let Some(waiting) = lock(&starting).take()
            {
                // The receiver exists: it takes the sender away when it stops waiting.
                let _ = waiting.send(outcome.clone());
                return;
            }
            if let Some(outcome) = outcome_of(message) {
                tell(outcome);
            }
        })
    }

    /// Starts an external program, or returns why it cannot be started. A later failure is reported as usual.
    fn start(&self, player: Box<dyn Player<B>>) -> Result<PlayerThread<B>, PlayerError> {
        let (ready, is_ready) = channel();
        let starting: Starting = Arc::new(Mutex::new(Some(ready)));
        let mut thread = self.starting_thread_of(player, Arc::clone(&starting));
        thread.new_game(0);
        let outcome = is_ready.recv_timeout(START).ok().or_else(|| {
            lock(&starting).take();
            // It may have come between the two lines above.
            is_ready.try_recv().ok()
        });
        outcome.unwrap_or(Ok(())).map(|()| thread)
    }

    /// Carries out an order; what came of it at once.
    pub fn obey(&mut self, order: PlayerOrder<B>) -> Option<Outcome<B>> {
        match order {
            PlayerOrder::Seat(color, seating) => return Some(self.seat(color, seating)),
            PlayerOrder::Unseat(color) => self.empty(color),
            PlayerOrder::Swap => self.seats.swap(0, 1),
            PlayerOrder::NewGame => self.seats.iter_mut().flatten().for_each(|seat| seat.new_game(0)),
            PlayerOrder::Think(task, color, game, limits) => match &mut self.seats[color as usize] {
                Some(seat) => seat.choose(task, game, limits),
                None => return Some(Outcome::Chosen(task, Err("no player has this color".to_owned()))),
            },
            PlayerOrder::Ponder(task, color, game, limits) => {
                if let Some(seat) = &mut self.seats[color as usize] {
                    seat.ponder(task, game, limits);
                }
            }
            PlayerOrder::Learn(color, game) => {
                if let Some(seat) = &self.seats[color as usize] {
                    seat.learn(game);
                }
            }
            PlayerOrder::Advise(task, game, level) => match self.adviser() {
                Ok(adviser) => adviser.value_moves(task, game, usize::MAX, Limits::of_level(level)),
                Err(error) => return Some(Outcome::Advised(task, Err(sentence(&error)))),
            },
            PlayerOrder::Stop => self.stop(),
            PlayerOrder::Analyze(task, game, from, choice) => self.analyze(task, game, from, choice),
            PlayerOrder::StopAnalysis => self.analysis = None,
        }
        None
    }

    /// Judges the moves of a game in a thread of its own, and reports each.
    fn analyze(&mut self, task: Task, game: Box<Game<B>>, from: usize, choice: Box<AnalystChoice>) {
        let (stop, tell, has_book) = (Stop::new(), Arc::clone(&self.tell), self.options.default_book);
        self.analysis = Some(StopOnDrop(stop.clone()));
        thread::spawn(move || {
            let judged = |judged| tell(Outcome::Judged(task, Box::new(judged)));
            let outcome = catch_unwind(AssertUnwindSafe(|| judge(&game, from, &choice, has_book, &stop, judged)));
            // The session must hear of the end in any case.
            tell(Outcome::Analyzed(task, outcome.unwrap_or_else(|_| Err("the analysis panicked".to_owned()))));
        });
    }

    fn seat(&mut self, color: Color, seating: Seating) -> Outcome<B> {
        self.seated += 1;
        let seed = self.options.seed.wrapping_add(self.seated);
        let options = PlayerOptions { seed, ..self.options };
        let made = registry::of_papers()
            .limited_player::<B>(&seating.without_clock(), &options)
            .map_err(|error| sentence(&error));
        let outcome = made.and_then(|player| {
            let name = player.name().to_owned();
            let is_external = seating.notation.is_external();
            let thread = if is_external { self.start(player) } else { Ok(self.thread_of(player)) };
            let thread = thread.map_err(|error| error.to_string())?;
            self.empty(color);
            self.seats[color as usize] = Some(thread);
            Ok(name)
        });
        Outcome::Seated(color, seating, outcome)
    }

    fn empty(&mut self, color: Color) {
        if let Some(seat) = self.seats[color as usize].take() {
            seat.leave(PATIENCE);
        }
    }

    fn adviser(&mut self) -> Result<&mut PlayerThread<B>, MakeError> {
        let adviser = match self.adviser.take() {
            Some(adviser) => adviser,
            None => {
                let hash = self.options.search.hash.min(HINT_TABLE);
                let search = SearchOptions { hash, ..self.options.search };
                self.thread_of(
                    players::registry::of_papers().strongest_player::<B>(&PlayerOptions { search, ..self.options })?,
                )
            }
        };
        Ok(self.adviser.insert(adviser))
    }

    fn stop(&self) {
        self.seats.iter().chain([&self.adviser]).flatten().for_each(PlayerThread::stop);
    }

    /// Ends the threads, and waits for them as long as is sensible.
    pub fn leave(mut self) {
        self.analysis = None;
        self.stop();
        self.seats.into_iter().chain([self.adviser]).flatten().for_each(|seat| seat.leave(PATIENCE));
    }
}

/// Judges the moves of a game one after the other, from the one of this index on, with the book that ships with the program if
/// it is used. The error states why it failed.
fn judge<B: PlayableBoard>(
    game: &Game<B>,
    from: usize,
    choice: &AnalystChoice,
    has_book: bool,
    stop: &Stop,
    tell: impl FnMut(JudgedMove<B>),
) -> Result<(), String> {
    let has_book = has_book && B::GEOMETRY.side == Board::GEOMETRY.side && !choice.has_own_book();
    let book = has_book.then(OpeningBook::shipped).transpose().map_err(|error| sentence(&error))?;
    let mut analyst = choice
        .analyst_with_book::<B>(players::registry::of_papers(), book.as_ref())
        .map_err(|error| sentence(&error))?;
    judge_each_move(&mut *analyst, game, from..usize::MAX, stop, tell).map_err(|error| error.to_string())
}

/// What a player says, as the session knows it.
fn outcome_of<B: PlayableBoard>(message: PlayerMessage) -> Option<Outcome<B>> {
    match message {
        PlayerMessage::Thought(task, progress) => Some(Outcome::Thought(task, progress)),
        PlayerMessage::Chosen(task, choice, _) => {
            Some(Outcome::Chosen(task, choice.map_err(|error| error.to_string())))
        }
        PlayerMessage::Valued(task, values, _) => {
            Some(Outcome::Advised(task, values.map(drop).map_err(|error| error.to_string())))
        }
        PlayerMessage::Learned(learned) => Some(Outcome::Learned(learned.map_err(|error| error.to_string()))),
        PlayerMessage::Ready(_, Err(error)) => Some(Outcome::Unfit(error.to_string())),
        PlayerMessage::Ready(_, Ok(())) | PlayerMessage::Started(..) | PlayerMessage::Pondered(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use othello::SmallBoard;

    use super::*;

    fn seating(text: &str) -> Seating {
        Seating::new(text.parse().expect("a player"), None)
    }

    #[test]
    fn players_sit_down_think_and_change_seats() {
        let (tell, outcomes) = channel();
        let mut room =
            Room::<Board>::new([None, None], PlayerOptions::default(), move |outcome| drop(tell.send(outcome)));
        let seated = room.obey(PlayerOrder::Seat(Color::White, seating("random")));
        assert_eq!(seated, Some(Outcome::Seated(Color::White, seating("random"), Ok("random".to_owned()))));
        assert!(room.obey(PlayerOrder::NewGame).is_none());
        let nobody = room.obey(PlayerOrder::Think(1, Color::Black, Box::default(), Limits::default()));
        assert_eq!(nobody, Some(Outcome::Chosen(1, Err("no player has this color".to_owned()))));
        room.obey(PlayerOrder::Swap);
        assert!(room.obey(PlayerOrder::Think(2, Color::Black, Box::default(), Limits::default())).is_none());
        let answer = outcomes.iter().find(|outcome| matches!(outcome, Outcome::Chosen(..)));
        assert!(matches!(answer, Some(Outcome::Chosen(2, Ok(_)))), "{answer:?}");
        room.obey(PlayerOrder::Unseat(Color::Black));
        assert!(room.obey(PlayerOrder::Think(3, Color::Black, Box::default(), Limits::default())).is_some());
        room.leave();
    }

    #[test]
    fn every_move_is_valued_and_a_player_that_cannot_be_made_is_refused_in_words() {
        let (tell, outcomes) = channel();
        let search = SearchOptions { hash: 1, ..SearchOptions::default() };
        let options = PlayerOptions { search, ..PlayerOptions::default() };
        let mut room = Room::<SmallBoard<4>>::new([None, None], options, move |outcome| drop(tell.send(outcome)));
        assert!(room.obey(PlayerOrder::Advise(7, Box::default(), 16)).is_none());
        let mut valued = std::collections::BTreeSet::new();
        for outcome in outcomes {
            match outcome {
                Outcome::Thought(7, progress) => drop(valued.insert(progress.line.first().copied())),
                outcome => {
                    assert_eq!(outcome, Outcome::Advised(7, Ok(())));
                    break;
                }
            }
        }
        assert_eq!(valued.len(), 4, "all moves of the start");
        let refused = room.obey(PlayerOrder::Seat(Color::White, seating("nobody")));
        assert!(matches!(refused, Some(Outcome::Seated(_, _, Err(words))) if words.contains("nobody")));
    }

    #[test]
    fn a_program_that_cannot_be_started_is_refused_when_it_is_chosen() {
        let mut room = Room::<Board>::new([None, None], PlayerOptions::default(), |_| {});
        room.obey(PlayerOrder::Seat(Color::White, seating("random")));
        for text in ["gtp:/no/such/program -x", "nboard:/no/such/program"] {
            let refused = room.obey(PlayerOrder::Seat(Color::White, seating(text)));
            let Some(Outcome::Seated(_, _, Err(words))) = refused else { panic!("{text}: {refused:?}") };
            assert!(words.contains("/no/such/program"), "{words}");
        }
        // Who sat there before still does.
        let (task, game) = (1, Box::default());
        assert!(room.obey(PlayerOrder::Think(task, Color::White, game, Limits::default())).is_none());
        room.leave();
    }

    #[test]
    fn a_player_with_a_clock_of_its_own_is_seated() {
        let search = SearchOptions { hash: 1, ..SearchOptions::default() };
        let options = PlayerOptions { search, ..PlayerOptions::default() };
        let mut room = Room::<Board>::new([None, None], options, |_| {});
        let seated = room.obey(PlayerOrder::Seat(Color::White, seating("emilia@level=8,time=1m")));
        assert!(matches!(seated, Some(Outcome::Seated(_, _, Ok(_)))), "{seated:?}");
    }

    #[test]
    fn a_game_is_judged_move_by_move_and_the_analysis_can_be_stopped() {
        let (tell, outcomes) = channel();
        let options = PlayerOptions::default();
        let mut room = Room::<SmallBoard<4>>::new([None, None], options, move |outcome| drop(tell.send(outcome)));
        let mut game = Game::<SmallBoard<4>>::default();
        while let Some(square) = othello::squares(game.position().board.moves()).next() {
            game.play(square).expect("legal");
        }
        let limits = Limits::of_level(2);
        let choice = Box::new(AnalystChoice { notation: None, limits, exact_from: None, hash: 1 });
        let count = game.line().len();
        room.obey(PlayerOrder::Analyze(3, Box::new(game.clone()), 2, choice.clone()));
        let mut numbers = Vec::new();
        for outcome in &outcomes {
            match outcome {
                Outcome::Judged(3, judged) => numbers.push(judged.number),
                outcome => {
                    assert_eq!(outcome, Outcome::Analyzed(3, Ok(())));
                    break;
                }
            }
        }
        assert_eq!(numbers, (3..=count).collect::<Vec<_>>());
        // One that is stopped ends all the same, and says so.
        room.obey(PlayerOrder::Analyze(4, Box::new(game), 0, choice));
        room.obey(PlayerOrder::StopAnalysis);
        assert!(outcomes.iter().any(|outcome| outcome == Outcome::Analyzed(4, Ok(()))));
    }
}
