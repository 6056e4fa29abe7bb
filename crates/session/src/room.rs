//! The room of a session: its players in threads, for hosts that have threads. The session knows nothing of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use engine::{Limits, Player, PlayerMessage, PlayerThread};
use othello::Color;
use players::{MakeError, PlayableBoard, PlayerOptions, SearchOptions, registry};
use report::words::sentence;

use crate::opponent::Seating;
use crate::order::{Outcome, PlayerOrder};

/// How far hints look, at most: they come while the person thinks.
const HINT_LEVEL: u32 = 16;

/// The table of the adviser, in MB.
const HINT_TABLE: u32 = 64;

/// Who does not come to an end by then is left behind.
const PATIENCE: Duration = Duration::from_secs(1);

/// Who is told what came of orders.
type Listener<B> = Arc<dyn Fn(Outcome<B>) + Send + Sync>;

/// Where the players sit, and what orders for them are carried out with. When it is dropped, nobody thinks any more.
pub struct Room<B: PlayableBoard> {
    /// Black's and White's engine.
    seats: [Option<PlayerThread<B>>; 2],
    /// Called when hints are asked for the first time.
    adviser: Option<PlayerThread<B>>,
    options: PlayerOptions,
    tell: Listener<B>,
    /// The seed of the last who sat down, beyond that of the first, so that two of one kind do not play the same. Those
    /// who play from the beginning have taken two.
    seated: u64,
}

impl<B: PlayableBoard> fmt::Debug for Room<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").field("seats", &self.seats).field("options", &self.options).finish_non_exhaustive()
    }
}

impl<B: PlayableBoard> Room<B> {
    /// A room with these players. Others are made with these options; what they find and choose is told as it comes.
    pub fn new(
        players: [Option<Box<dyn Player<B>>>; 2],
        options: PlayerOptions,
        tell: impl Fn(Outcome<B>) + Send + Sync + 'static,
    ) -> Self {
        let mut room = Self { seats: [None, None], adviser: None, options, tell: Arc::new(tell), seated: 1 };
        room.seats = players.map(|player| player.map(|player| room.thread_of(player)));
        room
    }

    fn thread_of(&self, player: Box<dyn Player<B>>) -> PlayerThread<B> {
        let tell = Arc::clone(&self.tell);
        PlayerThread::of(player, move |message| {
            if let Some(outcome) = outcome_of(message) {
                tell(outcome);
            }
        })
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
                None => return Some(Outcome::Chosen(task, Err("nobody sits there".to_owned()))),
            },
            PlayerOrder::Ponder(task, color, game, limits) => {
                if let Some(seat) = &mut self.seats[color as usize] {
                    seat.ponder(task, game, limits);
                }
            }
            PlayerOrder::Advise(task, game) => match self.adviser() {
                Ok(adviser) => adviser.value_moves(task, game, usize::MAX, Limits::of_level(HINT_LEVEL)),
                Err(error) => return Some(Outcome::Advised(task, Err(sentence(&error)))),
            },
            PlayerOrder::Stop => self.stop(),
        }
        None
    }

    fn seat(&mut self, color: Color, seating: Seating) -> Outcome<B> {
        self.seated += 1;
        let seed = self.options.seed.wrapping_add(self.seated);
        let options = PlayerOptions { seed, ..self.options };
        let outcome = registry::limited_player::<B>(&seating.notation, &options)
            .map(|player| {
                let name = player.name().to_owned();
                self.empty(color);
                self.seats[color as usize] = Some(self.thread_of(player));
                name
            })
            .map_err(|error| sentence(&error));
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
                self.thread_of(registry::player::<B>(None, &PlayerOptions { search, ..self.options })?)
            }
        };
        Ok(self.adviser.insert(adviser))
    }

    fn stop(&self) {
        self.seats.iter().chain([&self.adviser]).flatten().for_each(PlayerThread::stop);
    }

    /// Ends the threads, and waits for them as long as is sensible.
    pub fn leave(self) {
        self.stop();
        self.seats.into_iter().chain([self.adviser]).flatten().for_each(|seat| seat.leave(PATIENCE));
    }
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
        PlayerMessage::Ready(_, Err(error)) => Some(Outcome::Unfit(error.to_string())),
        PlayerMessage::Ready(_, Ok(())) | PlayerMessage::Asked(..) | PlayerMessage::Pondered(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use othello::{Board, SmallBoard};

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
        assert_eq!(nobody, Some(Outcome::Chosen(1, Err("nobody sits there".to_owned()))));
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
        assert!(room.obey(PlayerOrder::Advise(7, Box::default())).is_none());
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
}
