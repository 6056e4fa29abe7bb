//! Entries of the registry: programs with their players by name, and how players are made from their settings.

use std::fmt;

use engine::analysis::Analyst;
use engine::explanation::Explanation;
use engine::settings::{Setting, SettingError, Settings, suggestion};
use engine::{Limits, Player};
use othello::{Board, CutBoard, Rules, SmallBoard};
use storage::DataFile;

use crate::board::PlayableBoard;
use crate::book_settings::BookSettings;
use crate::error::MakeError;
use crate::notation::{Engine, KEYS, PlayerNotation, common_keys};
use crate::opening_book;
use crate::options::PlayerOptions;
use crate::program_book::{ProgramBook, ProgramBookSettings};

type Result<T> = std::result::Result<T, MakeError>;

/// A player with a name, for one board; an example is at [`Program`].
pub struct Entry<B: Rules> {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one line.
    pub description: &'static str,
    /// Settings of the player and of its book; limits are not among them.
    pub settings: Vec<Setting>,
    /// Explains the static evaluation of a position, if the player has one.
    pub explain: Option<fn(&B) -> Explanation>,
    /// Whether the player values its moves, so that it can analyze games and has levels.
    pub has_values: bool,
    /// Whether low levels make it play like a beginner, as Emilia does.
    pub has_weak_levels: bool,
    pub(crate) book: Option<&'static ProgramBook>,
    pub(crate) analyst: Option<MakeAnalyst<B>>,
    make: MakePlayer<B>,
}

type MakePlayer<B> = Box<dyn Fn(&PlayerOptions, &WrittenSettings<'_>) -> Result<Box<dyn Player<B>>> + Send + Sync>;
pub(crate) type MakeAnalyst<B> = Box<dyn Fn(&WrittenSettings<'_>, Limits) -> Result<Box<dyn Analyst<B>>> + Send + Sync>;

impl<B: Rules> fmt::Debug for Entry<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<B: Rules> Entry<B> {
    /// A player that is made from its settings and from options that all players have.
    pub fn new<S: Settings, P: Player<B> + 'static>(
        name: &'static str,
        description: &'static str,
        make: impl Fn(S, &PlayerOptions) -> Result<P> + Send + Sync + 'static,
    ) -> Self {
        Self::written(name, description, S::LIST, move |options, settings| {
            Ok(Box::new(make(settings.parse()?, options)?))
        })
    }

    /// A player that reads its settings itself.
    pub(crate) fn written(
        name: &'static str,
        description: &'static str,
        settings: &[Setting],
        make: impl Fn(&PlayerOptions, &WrittenSettings<'_>) -> Result<Box<dyn Player<B>>> + Send + Sync + 'static,
    ) -> Self {
        let (settings, make) = (settings.to_vec(), Box::new(make));
        Self {
            name,
            description,
            settings,
            explain: None,
            has_values: true,
            has_weak_levels: false,
            book: None,
            analyst: None,
            make,
        }
    }

    /// Adds an explanation of the static evaluation.
    #[must_use]
    pub fn explained_by(self, explain: fn(&B) -> Explanation) -> Self {
        Self { explain: Some(explain), ..self }
    }

    /// Marks a player that does not value its moves: it cannot analyze games, and has no levels.
    #[must_use]
    pub fn without_values(self) -> Self {
        Self { has_values: false, ..self }
    }

    /// Marks a player whose low levels are those of Emilia, which plays like a beginner there.
    #[must_use]
    pub fn with_weak_levels(self) -> Self {
        Self { has_weak_levels: true, ..self }
    }

    /// Adds the program's own analysis of games, within its own time or these limits.
    #[must_use]
    pub fn with_analyst<S: Settings, A: Analyst<B> + 'static>(
        self,
        make: impl Fn(S, Limits) -> Result<A> + Send + Sync + 'static,
    ) -> Self {
        let make = move |settings: &WrittenSettings<'_>, limits| -> Result<Box<dyn Analyst<B>>> {
            Ok(Box::new(make(settings.parse()?, limits)?))
        };
        Self { analyst: Some(Box::new(make)), ..self }
    }

    /// Adds the program's own opening book, and the settings that choose it.
    #[must_use]
    pub fn with_book(mut self, book: &'static ProgramBook) -> Self {
        self.settings.extend(ProgramBookSettings::LIST);
        Self { book: Some(book), ..self }
    }

    /// Whether the player can be limited to the computing budget of its paper.
    pub fn is_historical(&self) -> bool {
        self.settings.iter().any(|setting| setting.name == HISTORICAL)
    }

    pub(crate) fn player(&self, options: &PlayerOptions, settings: &WrittenSettings<'_>) -> Result<Box<dyn Player<B>>>
    where
        B: PlayableBoard,
    {
        let Some(own) = self.book else { return (self.make)(options, settings) };
        let player = (self.make)(options, &WrittenSettings { known: Some(&self.settings), ..settings.part(false) })?;
        opening_book::playing_from(player, own, &settings.of_book()?, options.seed)
    }

    pub(crate) fn plain_player(&self, options: &PlayerOptions) -> Result<Box<dyn Player<B>>>
    where
        B: PlayableBoard,
    {
        self.player(options, &WrittenSettings { player: self.name, pairs: Vec::new(), known: None })
    }
}

/// The setting that limits a classic program to its original computing budget.
pub const HISTORICAL: &str = "historical";

/// A program with one or more players.
///
/// ```
/// use engine::RandomPlayer;
/// use engine::settings::NoSettings;
/// use othello::Board;
/// use players::{Entries, Entry, PlayerOptions, Program, Registry};
///
/// let make = |_: NoSettings, options: &PlayerOptions| Ok(RandomPlayer::new(options.seed));
/// let entry = Entry::new("monkey", "plays random legal moves", make).without_values();
/// assert!(entry.settings.is_empty() && !entry.has_values);
/// let monkey = Program {
///     name: "monkey",
///     description: "plays without a plan",
///     paper: "none",
///     entries: Entries::of_8x8(entry),
///     data_files: Vec::new(),
/// };
/// let registry = Registry::new(vec![monkey])?;
/// let names: Vec<_> = registry.entries::<Board>().iter().map(|entry| entry.name).collect();
/// assert_eq!(names, ["emilia", "monkey", "random"]);
/// # Ok::<(), players::RegistryError>(())
/// ```
#[derive(Debug)]
pub struct Program {
    /// Name, unique among programs.
    pub name: &'static str,
    /// Description in one line.
    pub description: &'static str,
    /// The publication that describes the program.
    pub paper: &'static str,
    /// Its players on each board.
    pub entries: Entries,
    /// The data files that its players load.
    pub data_files: Vec<&'static DataFile>,
}

/// Entries of all boards.
#[derive(Debug, Default)]
pub struct Entries {
    /// Players of the 8x8 board.
    pub on_8x8: Vec<Entry<Board>>,
    /// Players of the 6x6 board.
    pub on_6x6: Vec<Entry<SmallBoard<6>>>,
    /// Players of the 4x4 board.
    pub on_4x4: Vec<Entry<SmallBoard<4>>>,
    /// Players of the board with cut sides.
    pub on_cut: Vec<Entry<CutBoard>>,
}

/// A player that plays on every board.
pub trait OnEveryBoard {
    /// Its entry for one board.
    fn entry<B: PlayableBoard>(&self) -> Entry<B>;
}

impl Entries {
    /// A player of the 8x8 board alone.
    pub fn of_8x8(entry: Entry<Board>) -> Self {
        Self { on_8x8: vec![entry], ..Self::default() }
    }

    /// A player of every board.
    pub fn of_every_board(player: &impl OnEveryBoard) -> Self {
        Self {
            on_8x8: vec![player.entry()],
            on_6x6: vec![player.entry()],
            on_4x4: vec![player.entry()],
            on_cut: vec![player.entry()],
        }
    }

    /// These entries followed by others.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.on_8x8.extend(others.on_8x8);
        self.on_6x6.extend(others.on_6x6);
        self.on_4x4.extend(others.on_4x4);
        self.on_cut.extend(others.on_cut);
        self
    }
}

/// The settings of a player as they were written.
#[derive(Clone, Debug)]
pub(crate) struct WrittenSettings<'a> {
    /// Name of the player, for errors.
    player: &'a str,
    pairs: Vec<(&'a str, Option<&'a str>)>,
    /// The valid settings that errors list, if there are more than those that are read.
    known: Option<&'a [Setting]>,
}

impl<'a> WrittenSettings<'a> {
    pub(crate) fn of(notation: &'a PlayerNotation) -> Self {
        let player = match &notation.engine {
            Engine::BuiltIn(name) => name,
            Engine::External { .. } => notation.text(),
        };
        let pairs = notation.settings.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect();
        Self { player, pairs, known: None }
    }

    /// The settings of a program's book, or all others.
    fn part(&self, is_of_book: bool) -> Self {
        let pairs = self.pairs.iter().copied().filter(|(name, _)| BookSettings::has(name) == is_of_book);
        Self { pairs: pairs.collect(), ..*self }
    }

    pub(crate) fn of_book(&self) -> Result<ProgramBookSettings> {
        self.part(true).parse()
    }

    pub(crate) fn parse<S: Settings>(&self) -> Result<S> {
        S::of_named(self.pairs.iter().copied()).map_err(|error| {
            let (error, others) = match error {
                SettingError::Unknown { name, known } => {
                    let others = format!("; valid for every player: {KEYS}{}", suggestion(&name, common_keys()));
                    let known = self.known.map_or(known, <[Setting]>::to_vec);
                    (SettingError::Unknown { name, known }, others)
                }
                error => (error, String::new()),
            };
            MakeError::request(format!("{}: {error}{others}", self.player))
        })
    }
}
