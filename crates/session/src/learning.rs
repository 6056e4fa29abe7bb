//! Engines that learn: a game that is over enters their opening books.

use std::mem;

use othello::Color;
use players::PlayableBoard;

use crate::message::Message;
use crate::order::{Order, OrderNumber, PlayedGame};
use crate::session::Session;

impl<B: PlayableBoard> Session<B> {
    /// Whether an engine is still learning a game.
    pub fn is_learning(&self) -> bool {
        !self.learning.is_empty()
    }

    /// Lets the engines learn the game if it has just come to its end: each game once, and each book once.
    pub(crate) fn let_engines_learn(&mut self) {
        let has_ended = mem::take(&mut self.has_played) && self.live.game.is_over();
        if !has_ended || self.learned_game == Some(self.game_number) {
            return;
        }
        let mut books = Vec::new();
        for color in [Color::Black, Color::White] {
            let book = self.live.opponent(color).and_then(|opponent| opponent.notation.learning_book());
            let Some(book) = book.map(str::to_owned).filter(|book| !books.contains(book)) else { continue };
            books.push(book);
            let game = PlayedGame::of(&self.live.game);
            self.order(Order::Learn { color, game });
        }
        if !books.is_empty() {
            self.learned_game = Some(self.game_number);
            self.say(Message::Learning);
        }
    }

    pub(crate) fn learned(&mut self, number: OrderNumber, what: Option<String>) {
        if self.learning.remove(&number)
            && let Some(what) = what
        {
            self.say(Message::Learned { what });
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
    use crate::order::{Effect, Reply};
    use crate::session::Start;

    /// A session in which a person with Black has the last move, against this engine.
    fn before_the_last_move(engine: &str) -> Session<Board> {
        let spare = Seating::new(engine.parse().expect("a player"), None);
        let opponent = Opponent::new(spare.notation.clone(), "emilia".to_owned(), None, false);
        let start = format!("{}O- X", "X".repeat(62)).parse().expect("a position");
        let registry = std::sync::Arc::new(players::Registry::core());
        Session::new(Start::new(registry, Game::from_position(start), [None, Some(opponent)], spare))
    }

    fn learning_orders(session: &mut Session<Board>, event: Event) -> usize {
        let effects = session.handle(event, Duration::ZERO);
        let learns = |effect: &&Effect<Board>| {
            matches!(effect, Effect::Start { order: Order::Learn { color: Color::White, .. }, .. })
        };
        effects.iter().filter(learns).count()
    }

    #[test]
    fn a_game_is_learned_once_when_it_ends_and_the_next_one_again() {
        let last = || Event::Play { square: "h8".to_owned() };
        let mut session = before_the_last_move("emilia@book=a.book,book-learning=on");
        assert_eq!(learning_orders(&mut session, Event::Tick), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        assert!(session.is_learning());
        let number = *session.learning.first().expect("an order");
        session.take(number, Reply::Learned { what: Some("much".to_owned()) }, Duration::ZERO);
        assert!(!session.is_learning());
        assert_eq!(session.message, Some(Message::Learned { what: "much".to_owned() }));
        // A game is not learned twice because its end is played again.
        assert_eq!(learning_orders(&mut session, Event::Go { step: Step::Back }), 0);
        assert_eq!(learning_orders(&mut session, last()), 0);
        assert_eq!(learning_orders(&mut session, Event::Restart), 0);
        assert_eq!(learning_orders(&mut session, last()), 1);
        let mut other = before_the_last_move("emilia@book=a.book");
        assert_eq!(learning_orders(&mut other, last()), 0);
    }
}
