//! Playing in the terminal: on the whole screen, or line by line. Both are windows on a `session`. Another screen shows an
//! opening book.

pub mod exercises;
mod files;
mod full_screen;
mod lines;
pub mod live_line;
pub mod wrapping;

use std::time::Duration;

use engine::{GameClock, Player};
use othello::{Color, Game};
use records::files::today;
use session::{HintSettings, Opponent, Order, OtherBoard, Outcome, Room, Seat, Seating, Session, Start};

use players::{PlayableBoard, PlayerOptions};
use report::look::Look;

pub use full_screen::{BookTour, FullScreen, Left, explore_book, play};
pub use lines::LineGame;

/// An engine with how it was chosen.
pub type SeatedEngine<B> = (Seating, Box<dyn Player<B>>);

/// A game to be played in the terminal.
pub struct Setup<B: PlayableBoard> {
    /// The game, at the position from which it goes on.
    pub game: Game<B>,
    /// The engine of each color, with how it was chosen; none where a person plays.
    pub engines: [Option<SeatedEngine<B>>; 2],
    /// The engine that plays where a person gets up.
    pub spare: Seating,
    /// The clock of both sides.
    pub control: Option<GameClock>,
    /// Whether engines think in the person's time.
    pub ponders: bool,
    /// How players are made.
    pub options: PlayerOptions,
    /// What the terminal can show.
    pub look: Look,
    /// How hints are searched and listed.
    pub hints: HintSettings,
    /// How long two engines pause between moves.
    pub pace: Duration,
}

impl<B: PlayableBoard> Setup<B> {
    /// The session of the game, and its players; the listener gets the results of orders.
    fn furnish(self, tell: impl Fn(Outcome<B>) + Send + Sync + 'static) -> (Session<B>, Room<B>) {
        let Setup { game, engines, spare, control, ponders, options, hints, pace, .. } = self;
        let mut seats = [Seat::Person, Seat::Person];
        let mut players = [None, None];
        for (color, engine) in [Color::Black, Color::White].into_iter().zip(engines) {
            if let Some((Seating { notation, level }, player)) = engine {
                let name = player.name().to_owned();
                seats[color as usize] = Seat::Engine(Opponent::new(notation, name, level, control.is_some()));
                players[color as usize] = Some(player);
            }
        }
        let session =
            Session::new(Start { game, seats, control, ponders, spare, date: today(), hints, pace, resumed: None });
        (session, Room::new(players, options, tell))
    }
}

/// Carries out an order; returns an immediate result, or the other board that was asked for.
fn carry_out<B: PlayableBoard>(order: Order<B>, room: &mut Room<B>) -> Result<Option<Outcome<B>>, OtherBoard> {
    match order {
        Order::Player(order) => Ok(room.obey(order)),
        Order::Save { path, record, overwrite } => Ok(Some(files::save(path, &record, overwrite))),
        Order::WriteReport { path, html, overwrite } => Ok(Some(files::write_report(path, &html, overwrite))),
        Order::Load { path, number } => Ok(Some(files::load(path, number))),
        Order::ChangeBoard(other) => Err(other),
    }
}
