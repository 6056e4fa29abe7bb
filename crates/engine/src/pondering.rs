//! Thinking in the opponent's time, in a thread: there is none of it in WebAssembly.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};

use othello::{Game, Rules};

use crate::{Limits, Player, Silent, Stop};

/// A player that thinks while its opponent does.
///
/// It thinks about the opponent's move without limits; the answer is thrown away, and what the player
/// remembers of it makes its own next move faster or better. When the opponent has moved,
/// [`Pondering::end`] gives the player back.
///
/// ```
/// use engine::{Emilia, Limits, Options, Player, Pondering, Silent, Stop};
/// use othello::Game;
///
/// let mut game = Game::new();
/// let mut emilia: Emilia = Emilia::new(&Options { table_megabytes: 1, ..Options::default() })?;
/// game.play("f5".parse()?)?;
/// let pondering = Pondering::start(emilia, game.clone());
/// // Here the opponent thinks.
/// game.play("d6".parse()?)?;
/// emilia = pondering.end();
/// emilia.choose(&game, &Limits::of_depth(4), &mut Silent, &Stop::new())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pondering<P> {
    // Taken when the thinking has ended.
    thread: Option<JoinHandle<P>>,
    stop: Stop,
}

impl<P: Send + 'static> Pondering<P> {
    /// Lets the player think about the current position of a game in a thread of its own.
    pub fn start<B: Rules>(mut player: P, game: Game<B>) -> Self
    where
        P: Player<B>,
    {
        let stop = Stop::new();
        let flag = stop.clone();
        let thread = thread::spawn(move || {
            // There is nothing to think about when the game is over, and nobody waits for an answer.
            let _ = player.choose(&game, &Limits::default(), &mut Silent, &flag);
            player
        });
        Self { thread: Some(thread), stop }
    }

    /// Whether the player has found all there is to find.
    pub fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Ends the thinking and gives the player back.
    pub fn end(mut self) -> P {
        self.stop.set();
        let thread = self.thread.take().expect("only the end takes the thread");
        // A player that panicked would have done so without a thread as well.
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl<P> Drop for Pondering<P> {
    fn drop(&mut self) {
        self.stop.set();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
