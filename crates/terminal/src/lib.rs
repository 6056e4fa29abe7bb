//! Playing in the terminal: on the whole screen, or line by line. Both are windows on a `session`. Another screen shows an
//! opening book.
//!
//! # Parts
//!
//! Two user interfaces to a `session`. The full screen (`full_screen/`) turns keys, clicks and pasted text into events
//! (`screen.rs`, which has the cursor and the open form and has the game only as a view) and draws the view
//! (`drawing/`); `mod.rs` is the event loop, and `terminal.rs` sets up the terminal and always restores it. Where there
//! is no terminal, `lines.rs` reads lines, turns them into the same events and prints the view. `exercises.rs` asks
//! for the moves of `emilia puzzle` and `emilia study`, without a session. `full_screen/book/` is the screen of an opening
//! book, on the same terminal and with the same board, but without a session: `screen.rs` has the position and the
//! chosen move, `rows.rs` the table, `tree_picture.rs` the tree. Only `files.rs` reads and writes files. A test
//! compares the pictures in `docs/screen.md` with what the program draws (`screens.rs`; `EMILIA_WRITE_SCREENS=1 cargo
//! test -p terminal screens` updates them), and `emilia/tests/program/screen.rs` plays in a real terminal through tmux;
//! without tmux these tests are skipped, or fail if `EMILIA_NEEDS_TMUX=1` is set. `live_line.rs` is the progress line
//! on standard error, `wrapping.rs` breaks long lines between words.

pub mod exercises;
mod files;
mod full_screen;
mod lines;
pub mod live_line;
pub mod wrapping;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::{GameClock, Player};
use othello::{Color, Game};
use records::files::today;
use session::{
    Effect, FileResult, HintSettings, Opponent, OrderNumber, OtherBoard, PlayerThreads, Reply, Resources, Seating,
    Session, Start, StudiedBoard,
};

use players::{PlayerOptions, Registry};
use report::look::Look;

pub use full_screen::{BookTour, FullScreen, Left, explore_book, play};
pub use lines::LineGame;

/// An engine with its notation and level.
pub type SeatedEngine<B> = (Seating, Box<dyn Player<B>>);

/// A game to be played in the terminal.
pub struct Setup<B: StudiedBoard> {
    /// The players that can be chosen.
    pub registry: Arc<Registry>,
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
    /// Options of players that are made.
    pub options: PlayerOptions,
    /// Colors and characters that the terminal can show.
    pub look: Look,
    /// The settings of hints.
    pub hints: HintSettings,
    /// The pause of two engines between moves.
    pub pace: Duration,
}

impl<B: StudiedBoard> Setup<B> {
    /// The session of the game, and its players; the listener receives the results of effects.
    fn furnish(self, tell: impl Fn(EffectResult<B>) + Send + Sync + 'static) -> (Session<B>, PlayerThreads<B>) {
        let Setup { registry, game, engines, spare, control, ponders, options, hints, pace, .. } = self;
        let mut seats = [None, None];
        let mut players = [None, None];
        for (color, engine) in [Color::Black, Color::White].into_iter().zip(engines) {
            if let Some((Seating { notation, level }, player)) = engine {
                let name = player.name().to_owned();
                seats[color as usize] = Some(Opponent::new(notation, name, level, control.is_some()));
                players[color as usize] = Some(player);
            }
        }
        // The two players of the start have the seeds before these.
        let (seed, date) = (options.seed.wrapping_add(2), today());
        let resources = Resources { options, ..Resources::new(Arc::clone(&registry)) };
        let resumed = None;
        let session =
            Session::new(Start { registry, game, seats, control, ponders, spare, seed, date, hints, pace, resumed });
        (session, PlayerThreads::new(players, resources, move |number, reply| tell(EffectResult::Reply(number, reply))))
    }
}

enum EffectResult<B: StudiedBoard> {
    Reply(OrderNumber, Reply<B>),
    /// The result of reading or writing a file.
    File(PathBuf, FileResult<B>),
}

impl<B: StudiedBoard> EffectResult<B> {
    /// Passes the result to the session, and returns the effects that follow.
    fn apply(self, session: &mut Session<B>, now: Duration) -> Vec<Effect<B>> {
        match self {
            EffectResult::Reply(number, reply) => session.take(number, reply, now),
            EffectResult::File(path, result) => session.take_file(&path, result, now),
        }
    }
}

/// Carries out an effect; returns an immediate result, or the other board that was requested.
fn carry_out<B: StudiedBoard>(
    effect: Effect<B>,
    threads: &mut PlayerThreads<B>,
) -> Result<Option<EffectResult<B>>, OtherBoard> {
    Ok(match effect {
        Effect::Start { number, order } => threads.start(number, order).map(|reply| EffectResult::Reply(number, reply)),
        Effect::Stop { number } => {
            threads.stop(number);
            None
        }
        Effect::ChangeBoard(other) => return Err(other),
        file => file_answer(file),
    })
}

fn file_answer<B: StudiedBoard>(effect: Effect<B>) -> Option<EffectResult<B>> {
    let (path, result) = match &effect {
        Effect::Save { path, record, overwrite } => (path, files::save(path, record, *overwrite)),
        Effect::WriteReport { path, html, overwrite } => (path, files::write_report(path, html, *overwrite)),
        Effect::Load { path, number } => (path, files::load(path, *number)),
        Effect::Start { .. } | Effect::Stop { .. } | Effect::ChangeBoard(_) => return None,
    };
    Some(EffectResult::File(path.clone(), result))
}
