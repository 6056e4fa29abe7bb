//! The beginning of a session: a new game, the game of a link, or a kept one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use othello::{BoardShape, Game};
use players::book_settings::BookSettings;
use players::{PlayableBoard, PlayerNotation, Registry};
use records::{GameRecord, link, sgf};
use session::{ClockTime, LegalClock, Opponent, OtherBoard, Resumed, Seating, Start};

use crate::host::HostOptions;
use crate::message::{SeatState, State};

const DEFAULT_PACE: Duration = Duration::from_millis(500);

/// Maximum length of the record of a kept game, in bytes.
pub(crate) const MAX_RECORD: usize = 256 * 1024;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Beginning {
    /// A new game of a person against the strongest player at a friendly level.
    Default,
    /// A new game with the settings of a session on another board.
    OnOtherBoard(OtherBoard),
    /// The game of a link, with the players of a kept state.
    Linked(String, Option<Box<State>>),
    /// The game of a kept state.
    Kept(Box<State>),
}

/// The session of a beginning. Its players get their levels when its clock is known, by [`with_levels`].
pub(crate) fn start<B: PlayableBoard>(
    registry: &Arc<Registry>,
    beginning: &Beginning,
    options: &HostOptions,
) -> Result<Start<B>> {
    match beginning {
        Beginning::Default => Ok(of_new_game(registry)),
        Beginning::OnOtherBoard(other) => Ok(on_other_board(registry, *other)),
        Beginning::Linked(link, state) => of_link(registry, link, state.as_deref(), options),
        Beginning::Kept(state) => of_state(registry, state, options),
    }
}

pub(crate) fn of_new_game<B: PlayableBoard>(registry: &Arc<Registry>) -> Start<B> {
    let spare = strongest::<B>(registry);
    let seats = [None, Some(opponent(spare.clone()))];
    Start { pace: DEFAULT_PACE, ..Start::new(Arc::clone(registry), Game::default(), seats, spare) }
}

fn on_other_board<B: PlayableBoard>(registry: &Arc<Registry>, other: OtherBoard) -> Start<B> {
    let OtherBoard { control, sides, hints, pace, .. } = other;
    let seats = sides.persons().map(|is_person| (!is_person).then(|| opponent(strongest::<B>(registry))));
    let pace = Duration::try_from_secs_f64(pace).unwrap_or(DEFAULT_PACE);
    Start { seats, control, hints, pace, ..of_new_game(registry) }
}

pub(crate) fn of_state<B: PlayableBoard>(
    registry: &Arc<Registry>,
    state: &State,
    options: &HostOptions,
) -> Result<Start<B>> {
    ensure!(state.sgf.len() <= MAX_RECORD, "the kept game is too long");
    let record = sgf::parse::<B>(&state.sgf).map_err(|problem| anyhow!("the kept game cannot be read: {problem}"))?;
    let mut game = record.game.clone();
    game.rewind();
    while game.move_count() < state.played && game.redo().is_some() {}
    let seat = |kept: &Option<SeatState>| -> Result<Option<Opponent>> {
        let Some(SeatState { player, level }) = kept else { return Ok(None) };
        let seating = Seating::parse(player, *level).map_err(anyhow::Error::msg)?;
        check_player(&seating.notation, options)?;
        Ok(Some(opponent(seating)))
    };
    Ok(Start {
        game,
        seats: [seat(&state.seats[0])?, seat(&state.seats[1])?],
        control: state.control.map(LegalClock::clock),
        hints: state.hints,
        pace: state.pace.time(),
        resumed: Some(Resumed {
            record: Box::new(record),
            clocks: state.seconds.map(ClockTime::time),
            is_reviewing: state.is_reviewing,
            is_waiting: state.is_waiting,
            shows_hints: state.shows_hints,
        }),
        ..of_new_game(registry)
    })
}

/// The game of a link, to be reviewed with the players of the kept state.
fn of_link<B: PlayableBoard>(
    registry: &Arc<Registry>,
    link: &str,
    state: Option<&State>,
    options: &HostOptions,
) -> Result<Start<B>> {
    let game = link::parse::<B>(link)?;
    let kept = state.filter(|state| state.board == BoardShape::of::<B>());
    let kept = kept.and_then(|state| of_state(registry, state, options).ok());
    let start = kept.unwrap_or_else(|| of_new_game(registry));
    if start.resumed.is_some() && link::format(&start.game) == link::format(&game) {
        return Ok(start);
    }
    let resumed = Resumed {
        record: Box::new(GameRecord::new(game.clone())),
        clocks: [Duration::ZERO; 2],
        is_reviewing: !game.line().is_empty(),
        is_waiting: !game.line().is_empty(),
        shows_hints: start.resumed.as_ref().is_some_and(|resumed| resumed.shows_hints),
    };
    Ok(Start { game, control: None, resumed: Some(resumed), ..start })
}

/// The same with the levels of players that were chosen without one, and with one of the players as the spare one.
pub(crate) fn with_levels<B: PlayableBoard>(start: Start<B>) -> Start<B> {
    let (spare, seats, control) = (start.spare.clone(), start.seats.clone(), start.control);
    let chosen = seats.iter().flatten().next();
    let spare =
        chosen.map_or(spare, |Opponent { notation, level, .. }| Seating { notation: notation.clone(), level: *level });
    let seats = seats.map(|seat| {
        let Opponent { notation, name, level } = seat?;
        Some(Opponent::new(notation, name, level, control.is_some()))
    });
    Start { spare, seats, ..start }
}

fn opponent(Seating { notation, level }: Seating) -> Opponent {
    let name = notation.label();
    Opponent { notation, name, level }
}

fn strongest<B: PlayableBoard>(registry: &Registry) -> Seating {
    let name = registry.strongest::<B>().name;
    // The names of players are notations.
    Seating::parse(name, None).unwrap_or_else(|_| Seating::new(PlayerNotation::emilia(), None))
}

/// Refuses players that would reach beyond the page: other programs, files, more memory or threads.
pub(crate) fn check_player(notation: &PlayerNotation, options: &HostOptions) -> Result<()> {
    ensure!(!notation.is_external(), "external programs do not play here");
    ensure!(notation.weights.is_none(), "weights= is not allowed here");
    let has_book = notation.settings.iter().any(|(name, _)| BookSettings::has(name));
    ensure!(!has_book, "book= is not allowed here");
    ensure!(notation.folder.is_none() && notation.setup.is_empty(), "dir= and setup= are not allowed here");
    ensure!(notation.threads.is_none(), "threads= is not allowed here");
    let has_space = notation.hash.is_none_or(|hash| hash <= options.max_hash);
    ensure!(has_space, "hash= is too large; expected at most {}", options.max_hash);
    Ok(())
}
