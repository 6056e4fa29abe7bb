//! The beginning of a session: a new game, the game of a link, or a kept one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use engine::GameClock;
use othello::{BoardShape, Game, Rules};
use players::book_settings::BookSettings;
use players::{PlayableBoard, PlayerNotation, Registry};
use records::{GameRecord, link, sgf};
use session::{ClockTime, HintSettings, LegalClock, Opponent, OtherBoard, Resumed, Seating, Start};

use crate::host::HostOptions;
use crate::message::{SeatState, State};

/// Default pause of two engines between moves.
const DEFAULT_PACE: Duration = Duration::from_millis(500);

/// Maximum length of the record of a kept game, in bytes.
pub(crate) const MAX_RECORD: usize = 256 * 1024;

/// The way in which a session on a board begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Beginning {
    /// A new game of a person against the strongest player at a friendly level.
    Default,
    /// A new game as the session on another board asked for it.
    OnOtherBoard(OtherBoard),
    /// The game of a link, with the players of a kept state.
    Linked(String, Option<Box<State>>),
    /// The game of a kept state.
    Kept(Box<State>),
}

/// The beginning of a session before its players are made.
pub(crate) struct Plan<B: Rules> {
    registry: Arc<Registry>,
    game: Game<B>,
    /// Black's and White's engine.
    pub(crate) seats: [Option<Seating>; 2],
    control: Option<GameClock>,
    hints: HintSettings,
    pace: Duration,
    resumed: Option<Resumed<B>>,
}

impl<B: PlayableBoard> Plan<B> {
    /// The plan of a new game against the strongest player.
    pub(crate) fn new(registry: &Arc<Registry>) -> Self {
        Self {
            registry: Arc::clone(registry),
            game: Game::default(),
            seats: [None, Some(strongest::<B>(registry))],
            control: None,
            hints: HintSettings::default(),
            pace: DEFAULT_PACE,
            resumed: None,
        }
    }

    /// The plan of a beginning.
    pub(crate) fn of(registry: &Arc<Registry>, beginning: &Beginning, options: &HostOptions) -> Result<Self> {
        match beginning {
            Beginning::Default => Ok(Self::new(registry)),
            Beginning::OnOtherBoard(other) => Ok(Self::on_other_board(registry, *other)),
            Beginning::Linked(link, state) => Self::of_link(registry, link, state.as_deref(), options),
            Beginning::Kept(state) => Self::of_state(registry, state, options),
        }
    }

    fn on_other_board(registry: &Arc<Registry>, other: OtherBoard) -> Self {
        let OtherBoard { control, sides, hints, pace, .. } = other;
        let seats = sides.persons().map(|is_person| (!is_person).then(|| strongest::<B>(registry)));
        let pace = Duration::try_from_secs_f64(pace).unwrap_or(DEFAULT_PACE);
        Self { seats, control, hints, pace, ..Self::new(registry) }
    }

    fn of_state(registry: &Arc<Registry>, state: &State, options: &HostOptions) -> Result<Self> {
        ensure!(state.sgf.len() <= MAX_RECORD, "the kept game is too long");
        let record =
            sgf::parse::<B>(&state.sgf).map_err(|problem| anyhow!("the kept game cannot be read: {problem}"))?;
        let mut game = record.game.clone();
        game.rewind();
        while game.move_count() < state.played && game.redo().is_some() {}
        let seat = |kept: &Option<SeatState>| -> Result<Option<Seating>> {
            let Some(SeatState { player, level }) = kept else { return Ok(None) };
            let seating = Seating::parse(player, *level).map_err(anyhow::Error::msg)?;
            check_player(&seating.notation, options)?;
            Ok(Some(seating))
        };
        Ok(Self {
            registry: Arc::clone(registry),
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
        })
    }

    /// The game of a link, to be reviewed with the players of the kept state.
    fn of_link(registry: &Arc<Registry>, link: &str, state: Option<&State>, options: &HostOptions) -> Result<Self> {
        let game = link::parse::<B>(link)?;
        let kept = state.filter(|state| state.board == BoardShape::of::<B>());
        let kept = kept.and_then(|state| Self::of_state(registry, state, options).ok());
        let mut plan = kept.unwrap_or_else(|| Self::new(registry));
        let is_same = plan.resumed.is_some() && link::format(&plan.game) == link::format(&game);
        if is_same {
            return Ok(plan);
        }
        plan.resumed = Some(Resumed {
            record: Box::new(GameRecord::new(game.clone())),
            clocks: [Duration::ZERO; 2],
            is_reviewing: !game.line().is_empty(),
            is_waiting: !game.line().is_empty(),
            shows_hints: plan.resumed.is_some_and(|resumed| resumed.shows_hints),
        });
        plan.control = None;
        plan.game = game;
        Ok(plan)
    }

    /// The plan as a session begins with it.
    pub(crate) fn start(self, options: &HostOptions, seed: u64) -> Start<B> {
        let Plan { registry, game, seats, control, hints, pace, resumed } = self;
        let spare = seats.iter().flatten().next().cloned().unwrap_or_else(|| strongest::<B>(&registry));
        let seats = seats.map(|seating| {
            let Seating { notation, level } = seating?;
            let name = notation.label();
            Some(Opponent::new(notation, name, level, control.is_some()))
        });
        let (ponders, date) = (false, options.date);
        Start { registry, game, seats, control, ponders, spare, seed, date, hints, pace, resumed }
    }
}

/// The strongest player of a board.
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
