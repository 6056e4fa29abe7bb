//! Engines that learn: a game that is over enters their opening books.

use std::mem;

use othello::Color;
use players::PlayableBoard;

use crate::message::Message;
use crate::order::{Order, PlayerOrder};
use crate::session::Session;

impl<B: PlayableBoard> Session<B> {
    /// Whether an engine is still learning a game.
    pub fn is_learning(&self) -> bool {
        self.learners > 0
    }

    /// Lets the engines learn the game if it has just come to its end: each game once, and each book once.
    pub(crate) fn let_engines_learn(&mut self, orders: &mut Vec<Order<B>>) {
        let has_ended = mem::take(&mut self.has_played) && self.table.game().is_over();
        if !has_ended || self.learned_game == Some(self.game_number) {
            return;
        }
        let mut books = Vec::new();
        for color in [Color::Black, Color::White] {
            let book = self.table.opponent(color).and_then(|opponent| opponent.notation.learning_book());
            let Some(book) = book.filter(|book| !books.contains(book)) else { continue };
            books.push(book);
            orders.push(Order::Player(PlayerOrder::Learn(color, Box::new(self.table.game().clone()))));
        }
        if !books.is_empty() {
            self.learned_game = Some(self.game_number);
            self.learners += books.len();
            self.say(Message::Learning);
        }
    }

    /// Says what an engine has learned.
    pub(crate) fn learned(&mut self, outcome: Result<Option<String>, String>) {
        self.learners = self.learners.saturating_sub(1);
        match outcome {
            Ok(Some(what)) => self.say(Message::Learned { what }),
            Ok(None) => {}
            Err(reason) => self.say(Message::LearningFailed { reason }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use othello::{Board, Game};

    use super::*;
    use crate::event::{Event, Step};
    use crate::opponent::{Opponent, Seating};
    use crate::session::Start;
    use crate::table::Seat;
    use crate::view::HintSettings;

    /// A session in which a person with Black has the last move, against this engine.
    fn before_the_last_move(engine: &str) -> Session<Board> {
        let spare = Seating::new(engine.parse().expect("a player"), None);
        let opponent = Opponent::new(spare.notation.clone(), "emilia".to_owned(), None, false);
        let start = format!("{}O- X", "X".repeat(62)).parse().expect("a position");
        Session::new(Start {
            game: Game::from_position(start),
            seats: [Seat::Person, Seat::Engine(opponent)],
            control: None,
            ponders: false,
            spare,
            date: None,
            hints: HintSettings::default(),
            pace: Duration::ZERO,
            resumed: None,
        })
    }

    fn learning_orders(session: &mut Session<Board>, event: Event) -> usize {
        let orders = session.handle(event, Duration::ZERO);
        orders.iter().filter(|order| matches!(order, Order::Player(PlayerOrder::Learn(Color::White, _)))).count()
    }

    #[test]
    fn a_game_is_learned_once_when_it_ends_and_the_next_one_again() {
        let last = || Event::Play { square: "h8".to_owned() };
        let mut session = before_the_last_move("emilia@book=a.book,book-learning=on");
        assert_eq!(learning_orders(&mut session, Event::Tick), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        assert!(session.is_learning());
        session.take(crate::Outcome::Learned(Ok(Some("much".to_owned()))), Duration::ZERO);
        assert!(!session.is_learning());
        assert_eq!(session.message, Some(Message::Learned { what: "much".to_owned() }));
        // Nobody learns a game twice because its end is played again.
        assert_eq!(learning_orders(&mut session, Event::Go { step: Step::Back }), 0);
        assert_eq!(learning_orders(&mut session, last()), 0);
        assert_eq!(learning_orders(&mut session, Event::Restart), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        let mut other = before_the_last_move("emilia@book=a.book");
        assert_eq!(learning_orders(&mut other, last()), 0);
    }
}
