//! The list of built-in players, and how a player is made from its notation.

use std::sync::Arc;
use std::time::Duration;

use bill::{Bill, BillSettings, Version};
use desdemona::{Desdemona, DesdemonaBoard, DesdemonaSettings};
use engine::RandomPlayer;
use engine::analysis::Analyst;
use engine::explanation::Explanation;
use engine::settings::{NoSettings, Setting, SettingError, Settings, suggestion};
use engine::{Level, Limits, Options, Player};
use iago::{Iago, IagoAnalyst, IagoSettings};
use keyano::Keyano;
use logistello::{LogistelloPlayer, LogistelloSettings};
use othello::{Board, CutBoard, Rules, SmallBoard};
#[cfg(not(target_family = "wasm"))]
use protocols::driving::{Gtp, Nboard, Program};
#[cfg(not(target_family = "wasm"))]
use protocols::serving::Served;
use records::files::RecordedBoard;
use search::HashTable;
use serde::{Deserialize, Serialize};
use single_strategy::WeightedSquare;
use single_strategy::{MaximumDisc, MinimumDisc, OneIdeaPlayer};

#[cfg(target_family = "wasm")]
use crate::book_settings::BookChoice;
use crate::book_settings::BookSettings;
use crate::emilia_maker::EmiliaMaker;
use crate::error::MakeError;
#[cfg(not(target_family = "wasm"))]
use crate::limited_player::LimitedPlayer;
#[cfg(not(target_family = "wasm"))]
use crate::notation::Protocol;
use crate::notation::{COMMON_KEYS, Engine, KEYS, PlayerNotation};
#[cfg(not(target_family = "wasm"))]
use crate::opening_book;
use crate::opening_book::OpeningBook;
use crate::program_book::{ProgramBook, ProgramBookSettings, with_book_settings};
use crate::weights::WeightsChoice;

/// What making a player gives.
type Result<T> = std::result::Result<T, MakeError>;

/// A player that can be asked for by name.
pub struct Entry<B: Rules> {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Its settings, besides limits.
    pub settings: &'static [Setting],
    /// Makes one with its settings.
    make: Make<B>,
    /// Explains its static evaluation of a position, if it has one to show.
    pub explain: Option<fn(&B) -> Explanation>,
    /// Its own opening book, if it has one. The settings of the book are not for the maker.
    pub(crate) book: Option<ProgramBook>,
    /// Whether it says what its moves are worth, so that it can analyze games.
    pub has_values: bool,
    /// Makes its own analysis of games, if it has one.
    pub(crate) analyst: Option<MakeAnalyst<B>>,
}

/// How a player is made.
type Make<B> = fn(&PlayerOptions, &RawSettings<'_>) -> Result<Box<dyn Player<B>>>;

/// How a player's own analysis is made.
type MakeAnalyst<B> = fn(&RawSettings<'_>, Limits) -> Result<Box<dyn Analyst<B>>>;

/// The settings of a player as they were written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawSettings<'a> {
    /// The name of the player, which an error names.
    player: &'a str,
    /// Its settings, name and value.
    pairs: &'a [(String, Option<String>)],
    /// Which of the pairs are looked at.
    part: Part,
}

/// A part of the settings of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of them.
    Whole,
    /// Those of a program that has a book of its own, without those of the book. An error names all that are valid.
    Program(&'static [Setting]),
    /// Those of the book.
    Book,
}

impl<'a> RawSettings<'a> {
    pub(crate) fn of(notation: &'a PlayerNotation) -> Self {
        let player = match &notation.engine {
            Engine::BuiltIn(name) => name,
            Engine::External { .. } => notation.text(),
        };
        Self { player, pairs: &notation.settings, part: Part::Whole }
    }

    /// The names and values that are looked at.
    fn meant(&self) -> impl Iterator<Item = &'a (String, Option<String>)> {
        let part = self.part;
        self.pairs.iter().filter(move |(name, _)| match part {
            Part::Whole => true,
            Part::Program(_) => !BookSettings::has(name),
            Part::Book => BookSettings::has(name),
        })
    }

    /// The settings that this describes.
    pub(crate) fn parse<S: Settings>(&self) -> Result<S> {
        let pairs = self.meant().map(|(name, value)| (name.as_str(), value.as_deref()));
        S::of_named(pairs).map_err(|error| {
            let error = match (error, self.part) {
                (SettingError::Unknown { name, .. }, Part::Program(known)) => SettingError::Unknown { name, known },
                (error, _) => error,
            };
            let others = match &error {
                SettingError::Unknown { name, .. } => {
                    format!("; valid for every player: {KEYS}{}", suggestion(name, COMMON_KEYS))
                }
                SettingError::Value { .. } | SettingError::NoValue { .. } => String::new(),
            };
            MakeError::request(format!("{}: {error}{others}", self.player))
        })
    }

    /// Refuses settings, for players that have none.
    pub(crate) fn refuse(&self) -> Result<()> {
        self.parse::<NoSettings>().map(|_| ())
    }
}

impl<B: PlayableBoard> Entry<B> {
    /// The player with its settings.
    fn player(&self, options: &PlayerOptions, settings: &RawSettings<'_>) -> Result<Box<dyn Player<B>>> {
        let Some(own) = self.book else { return (self.make)(options, settings) };
        let player = (self.make)(options, &RawSettings { part: Part::Program(self.settings), ..*settings })?;
        let settings: ProgramBookSettings = RawSettings { part: Part::Book, ..*settings }.parse()?;
        with_own_book(player, own, &settings, options)
    }
}

/// How players that search by table and threads do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchOptions {
    /// Number of search threads.
    pub threads: u16,
    /// Hash table size in MB.
    pub hash: u32,
}

impl SearchOptions {
    /// Default hash table size in MB.
    pub const USUAL_HASH: u32 = 256;
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { threads: 1, hash: Self::USUAL_HASH }
    }
}

/// Options that every player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerOptions {
    /// Random seed.
    pub seed: u64,
    /// How players that search by table and threads do it.
    pub search: SearchOptions,
    /// The level of a player that has levels, when it is asked for a move without any limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual_level: Option<Level>,
    /// Whether a player that has a book plays from it when its settings do not say so: for those who play with it, not
    /// for those who measure it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub usual_book: bool,
    /// Time limit for the start of an external program if it is longer than the default. Such programs run only here.
    #[serde(skip)]
    pub patience: Duration,
}

/// What players of a process share, so that there is one of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shared<'a> {
    /// The [shared](HashTable::shared) hash table of Emilia on the 8x8 board, with the shipped weights.
    pub table: Option<&'a Arc<HashTable>>,
    /// The opening book of a player that has one where [`PlayerOptions::usual_book`] says so, instead of the shipped one.
    pub book: Option<&'a OpeningBook>,
}

impl PlayerOptions {
    /// The default level of Emilia for a new user: it makes mistakes and never plays the same game twice.
    pub fn friendly_level() -> Option<Level> {
        Level::new(1).ok()
    }

    /// The same with the options that a notation sets.
    fn with_notation(&self, notation: &PlayerNotation) -> Self {
        let search = SearchOptions {
            threads: notation.threads.unwrap_or(self.search.threads),
            hash: notation.hash.unwrap_or(self.search.hash),
        };
        Self { seed: notation.seed.unwrap_or(self.seed), search, ..*self }
    }

    /// How an Emilia is set up.
    pub(crate) fn emilia(&self) -> Options {
        let Self { seed, search, usual_level, .. } = *self;
        Options { table_megabytes: search.hash as usize, threads: usize::from(search.threads), usual_level, seed }
    }
}

/// A board for which there are players.
pub trait PlayableBoard: RecordedBoard {
    /// How Emilia is made for this board, if it plays on it.
    const EMILIA: Option<EmiliaMaker<Self>>;

    /// The players of this board, the strongest first.
    fn entries() -> Vec<Entry<Self>>;

    /// A program behind NBoard as a player of this board.
    #[cfg(not(target_family = "wasm"))]
    fn nboard(program: Program) -> Result<Box<dyn Player<Self>>> {
        let (name, board) = (program.name, Self::GEOMETRY.name);
        let found = format!("{name} cannot play on the {board} board: NBoard programs only play on 8x8");
        Err(MakeError::request(format!("{found}; expected a built-in player or gtp:COMMAND")))
    }
}

impl PlayableBoard for Board {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries() -> Vec<Entry<Self>> {
        let mut entries = with_emilia();
        entries.splice(1..1, programs_of_the_papers());
        entries
    }

    #[cfg(not(target_family = "wasm"))]
    fn nboard(program: Program) -> Result<Box<dyn Player<Self>>> {
        Ok(Box::new(Nboard::new(program)))
    }
}

/// An external program as a notation names it.
#[cfg(not(target_family = "wasm"))]
fn program(notation: &PlayerNotation, options: &PlayerOptions) -> Result<(Protocol, Program)> {
    let Engine::External { protocol, command } = &notation.engine else {
        return Err(MakeError::request(format!("{:?} is not an external program", notation.text())));
    };
    let program = Program::from_command(command).map_err(MakeError::request)?;
    let name = notation.name.clone().unwrap_or(program.name);
    let (dir, setup) = (notation.folder.clone(), notation.setup.clone());
    let start_limit = program.start_limit.max(options.patience);
    Ok((*protocol, Program { name, dir, setup, start_limit, ..program }))
}

/// An external program as a player of a board.
#[cfg(not(target_family = "wasm"))]
fn external<B: PlayableBoard>(notation: &PlayerNotation, options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    let (protocol, program) = program(notation, options)?;
    match protocol {
        Protocol::Nboard => B::nboard(program),
        Protocol::Gtp => Ok(Box::new(Gtp::new(program))),
    }
}

/// The same in a browser.
#[cfg(target_family = "wasm")]
fn external<B: PlayableBoard>(_notation: &PlayerNotation, _: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    Err(MakeError::request("external programs cannot be started in a browser"))
}

impl PlayableBoard for SmallBoard<6> {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries() -> Vec<Entry<Self>> {
        with_emilia()
    }
}

impl PlayableBoard for SmallBoard<4> {
    const EMILIA: Option<EmiliaMaker<Self>> = Some(EmiliaMaker::NEW);

    fn entries() -> Vec<Entry<Self>> {
        with_emilia()
    }
}

impl PlayableBoard for CutBoard {
    const EMILIA: Option<EmiliaMaker<Self>> = None;

    fn entries() -> Vec<Entry<Self>> {
        std::iter::once(desdemona()).chain(players_of_every_board()).collect()
    }
}

fn desdemona<B: DesdemonaBoard>() -> Entry<B> {
    Entry {
        name: desdemona::NAME,
        description: "eight weighted features and twelve patterns, from a course in 2002 (CS 221)",
        settings: DesdemonaSettings::LIST,
        make: |_, settings| {
            let settings = settings.parse()?;
            B::FILE.require()?;
            Ok(Box::new(Desdemona::<B>::new(settings)))
        },
        explain: Some(|board| B::shipped().explain(board)),
        book: None,
        has_values: true,
        analyst: None,
    }
}

fn with_emilia<B: PlayableBoard>() -> Vec<Entry<B>> {
    let has_books = B::GEOMETRY.side == Board::GEOMETRY.side;
    let emilia = Entry {
        name: Engine::EMILIA,
        description: "evaluates patterns learned from its own games; levels 0 to 60",
        settings: if has_books { BookSettings::LIST } else { NoSettings::LIST },
        make: |options, settings| {
            let settings = settings.parse()?;
            with_book(emilia(&WeightsChoice::Shipped, options, None)?, &settings, options, Shared::default())
        },
        explain: None,
        book: None,
        has_values: true,
        analyst: None,
    };
    std::iter::once(emilia).chain(players_of_every_board()).collect()
}

/// The settings of KEYANO and its book.
const KEYANO_SETTINGS: &[Setting] =
    &with_book_settings::<{ keyano::Settings::LIST.len() + ProgramBookSettings::LIST.len() }>(keyano::Settings::LIST);

/// The settings of LOGISTELLO and its book.
const LOGISTELLO_SETTINGS: &[Setting] = &with_book_settings::<
    { LogistelloSettings::LIST.len() + ProgramBookSettings::LIST.len() },
>(LogistelloSettings::LIST);

/// The classic programs, as their papers describe them.
fn programs_of_the_papers() -> Vec<Entry<Board>> {
    vec![
        Entry {
            name: "iago",
            description: "edge tables and mobility: the champion of 1981 (Rosenbloom 1982)",
            settings: IagoSettings::LIST,
            make: |_, settings| Ok(Box::new(iago(settings)?)),
            explain: Some(iago::explain),
            book: None,
            has_values: true,
            analyst: Some(|settings, limits| Ok(Box::new(IagoAnalyst::new(iago(settings)?, limits)))),
        },
        Entry {
            name: "bill3",
            description: "BILL 3.0 of 1989: evaluates with tables and estimates its winning chance",
            settings: BillSettings::LIST,
            make: |options, settings| Ok(Box::new(bill(Version::Three, options, settings)?)),
            explain: Some(bill::explain_bill3),
            book: None,
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "bill2",
            description: "BILL 2.0: the same tables, weighted by hand",
            settings: BillSettings::LIST,
            make: |options, settings| Ok(Box::new(bill(Version::Two, options, settings)?)),
            explain: Some(bill::explain_bill2),
            book: None,
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "keyano",
            description: "mobility counted in flipping directions, parity, edge patterns, and ProbCut at many depths (Brockington 1997)",
            settings: KEYANO_SETTINGS,
            make: |_, settings| {
                keyano::tables::FILE.require()?;
                Ok(Box::new(Keyano::new(settings.parse()?)))
            },
            explain: Some(keyano::explain),
            book: Some(ProgramBook::Keyano),
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "logistello",
            description: "patterns, mobility and weights found by statistics (Buro 1997)",
            settings: LOGISTELLO_SETTINGS,
            make: |options, settings| {
                let settings = settings.parse()?;
                logistello::tables::FILE.require()?;
                Ok(Box::new(LogistelloPlayer::new(&settings, &options.emilia())?))
            },
            explain: Some(logistello::explain),
            book: Some(ProgramBook::Logistello),
            has_values: true,
            analyst: None,
        },
        desdemona(),
    ]
}

fn iago(settings: &RawSettings<'_>) -> Result<Iago> {
    let settings = settings.parse()?;
    iago::tables::FILE.require()?;
    Ok(Iago::new(settings))
}

fn bill(version: Version, options: &PlayerOptions, settings: &RawSettings<'_>) -> Result<Bill> {
    let settings = settings.parse()?;
    bill::tables::FILE.require()?;
    Ok(Bill::new(version, settings, options.search.hash as usize))
}

fn players_of_every_board<B: Rules>() -> Vec<Entry<B>> {
    vec![
        Entry {
            name: "weighted-square",
            description: "only knows square values: corners good, squares beside them bad (IAGO paper, 3.1.2)",
            settings: NoSettings::LIST,
            make: |options, settings| {
                settings.refuse()?;
                Ok(Box::new(OneIdeaPlayer::new(WeightedSquare::<B>::new(), options.seed)))
            },
            explain: None,
            book: None,
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "minimum-disc",
            description: "tries to have fewer discs than you until the end (IAGO paper, 3.1.3)",
            settings: NoSettings::LIST,
            make: |options, settings| {
                settings.refuse()?;
                Ok(Box::new(OneIdeaPlayer::new(MinimumDisc, options.seed)))
            },
            explain: None,
            book: None,
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "maximum-disc",
            description: "flips as many discs as it can (IAGO paper, 3.1.1)",
            settings: NoSettings::LIST,
            make: |options, settings| {
                settings.refuse()?;
                Ok(Box::new(OneIdeaPlayer::new(MaximumDisc, options.seed)))
            },
            explain: None,
            book: None,
            has_values: true,
            analyst: None,
        },
        Entry {
            name: "random",
            description: "plays random legal moves",
            settings: NoSettings::LIST,
            make: |options, settings| {
                settings.refuse()?;
                Ok(Box::new(RandomPlayer::new(options.seed)))
            },
            explain: None,
            book: None,
            has_values: false,
            analyst: None,
        },
    ]
}

/// Emilia with these weights, and with a shared hash table where it can be: on the 8x8 board, with the shipped weights.
fn emilia<B: PlayableBoard>(
    weights: &WeightsChoice,
    options: &PlayerOptions,
    shared: Option<&Arc<HashTable>>,
) -> Result<Box<dyn Player<B>>> {
    let can_share = *weights == WeightsChoice::Shipped && B::GEOMETRY.side == Board::GEOMETRY.side;
    match B::EMILIA {
        Some(emilia) => (emilia.player)(weights, &options.emilia(), shared.filter(|_| can_share)),
        None => Err(MakeError::request(format!("Emilia does not play on the {} board", B::GEOMETRY.name))),
    }
}

/// A player with the book of its settings, or with the usual one.
#[cfg(not(target_family = "wasm"))]
fn with_book<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    options: &PlayerOptions,
    shared: Shared<'_>,
) -> Result<Box<dyn Player<B>>> {
    settings.check::<B>()?;
    opening_book::with_book(player, settings, options, shared.book)
}

/// The book of the classic program that a notation names, and its settings; `None` for other players.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn program_book<B: PlayableBoard>(
    notation: &PlayerNotation,
) -> Result<Option<(ProgramBook, ProgramBookSettings)>> {
    let Engine::BuiltIn(name) = &notation.engine else { return Ok(None) };
    let Some(own) = entry::<B>(Some(name))?.book else { return Ok(None) };
    let settings = RawSettings { part: Part::Book, ..RawSettings::of(notation) }.parse()?;
    Ok(Some((own, settings)))
}

/// A classic program with a book.
#[cfg(not(target_family = "wasm"))]
fn with_own_book<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    own: ProgramBook,
    settings: &ProgramBookSettings,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>> {
    Ok(opening_book::playing_from(player, settings.open(own)?, &settings.other, options.seed))
}

/// A browser has no files, and the books of these programs are not downloaded.
#[cfg(target_family = "wasm")]
fn with_own_book<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    _own: ProgramBook,
    settings: &ProgramBookSettings,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>> {
    if settings.is_own {
        return Err(MakeError::request("book= is not allowed here: the book is not part of the page"));
    }
    with_book(player, &settings.other, options, Shared::default())
}

/// A browser has no books.
#[cfg(target_family = "wasm")]
fn with_book<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    _options: &PlayerOptions,
    _shared: Shared<'_>,
) -> Result<Box<dyn Player<B>>> {
    settings.check::<B>()?;
    match &settings.book {
        None | Some(BookChoice::Off) => Ok(player),
        Some(_) => Err(MakeError::request("book= is not allowed here: a browser has no book")),
    }
}

/// The player of this name, or the strongest.
pub fn player<B: PlayableBoard>(name: Option<&str>, options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    player_with(name, options, Shared::default())
}

/// The player of this name, or the strongest. Emilia uses what is shared, which all players of this process may use at
/// once; on small boards, it and all other players have tables of their own.
pub fn player_with<B: PlayableBoard>(
    name: Option<&str>,
    options: &PlayerOptions,
    shared: Shared<'_>,
) -> Result<Box<dyn Player<B>>> {
    let entry = entry::<B>(name)?;
    if entry.name == Engine::EMILIA {
        let player = emilia(&WeightsChoice::Shipped, options, shared.table)?;
        return with_book(player, &BookSettings::default(), options, shared);
    }
    entry.player(options, &RawSettings { player: entry.name, pairs: &[], part: Part::Whole })
}

/// The numbers of columns of the boards that the player of a notation knows.
pub fn sides(notation: &PlayerNotation) -> Vec<u8> {
    fn side<B: PlayableBoard>(name: &str) -> Option<u8> {
        B::entries().iter().any(|entry| entry.name == name).then_some(B::GEOMETRY.side)
    }
    match &notation.engine {
        Engine::External { .. } => vec![Board::GEOMETRY.side],
        Engine::BuiltIn(name) => {
            let small = [side::<SmallBoard<6>>(name), side::<SmallBoard<4>>(name)];
            let sides = [side::<Board>(name)].into_iter().chain(small).chain([side::<CutBoard>(name)]);
            sides.flatten().collect()
        }
    }
}

/// The entry of this name, or of the strongest.
pub fn entry<B: PlayableBoard>(name: Option<&str>) -> Result<Entry<B>> {
    let entries = B::entries();
    let names: Vec<_> = entries.iter().map(|entry| entry.name).collect();
    entries.into_iter().find(|entry| name.is_none_or(|name| entry.name == name)).ok_or_else(|| {
        let (name, board) = (name.unwrap_or_default(), B::GEOMETRY.name);
        let suggestion = suggestion(name, names.iter().copied());
        let names = names.join(", ");
        MakeError::request(format!(
            "no engine {name:?} plays on the {board} board{suggestion}; expected one of {names}"
        ))
    })
}

/// The player that a notation names; `options` are for what the notation leaves open. The limits of the
/// notation are left to the caller.
pub fn named_player<B: PlayableBoard>(
    notation: &PlayerNotation,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>> {
    named_player_with(notation, options, Shared::default())
}

fn named_player_with<B: PlayableBoard>(
    notation: &PlayerNotation,
    options: &PlayerOptions,
    shared: Shared<'_>,
) -> Result<Box<dyn Player<B>>> {
    let Engine::BuiltIn(name) = &notation.engine else { return external(notation, options) };
    let (options, settings) = (options.with_notation(notation), RawSettings::of(notation));
    match &notation.weights {
        weights if notation.engine.is_emilia() && (weights.is_some() || B::EMILIA.is_some()) => {
            let settings = settings.parse()?;
            // A size of its own asks for a table of its own.
            let table = shared.table.filter(|_| notation.hash.is_none());
            let player = emilia(weights.as_ref().unwrap_or(&WeightsChoice::Shipped), &options, table)?;
            with_book(player, &settings, &options, shared)
        }
        Some(_) => Err(MakeError::request(format!("weights= is only for emilia: {name} has no weights"))),
        None => entry::<B>(Some(name))?.player(&options, &settings),
    }
}

/// The setting that limits a classic program to its original computing budget.
pub const HISTORICAL: &str = "historical";

/// Limits these players to their original computing budget, as far as they have one; an error if none has.
pub fn make_historical<B: PlayableBoard>(players: &mut [&mut PlayerNotation]) -> Result<()> {
    let entries = B::entries();
    let has_budget = |entry: &&Entry<B>| entry.settings.iter().any(|setting| setting.name == HISTORICAL);
    let mut is_any = false;
    for notation in players {
        let Engine::BuiltIn(name) = &notation.engine else { continue };
        if entries.iter().filter(has_budget).any(|entry| entry.name == name) {
            notation.turn_on(HISTORICAL);
            is_any = true;
        }
    }
    if is_any {
        return Ok(());
    }
    let names: Vec<_> = entries.iter().filter(has_budget).map(|entry| entry.name).collect();
    let found = "--historical needs a classic program with a known computing budget";
    Err(MakeError::request(format!("{found}; expected one of {}", names.join(", "))))
}

/// The player that a notation names, with the limits of the notation applied to every move, for callers that do not
/// handle notations. The clock is always the caller's.
pub fn limited_player<B: PlayableBoard>(
    notation: &PlayerNotation,
    options: &PlayerOptions,
) -> Result<Box<dyn Player<B>>> {
    limited_player_with(notation, options, Shared::default())
}

/// The same with what players share, as in [`player_with`]; a notation with `hash=` gets a table of its own, and one with
/// `book=` its own book.
pub fn limited_player_with<B: PlayableBoard>(
    notation: &PlayerNotation,
    options: &PlayerOptions,
    shared: Shared<'_>,
) -> Result<Box<dyn Player<B>>> {
    refuse_own_clock(notation)?;
    let player = named_player_with(notation, options, shared)?;
    Ok(Box::new(LimitedPlayer::new(player, notation.clone())))
}

/// The player that a notation names, to be served to a host.
#[cfg(not(target_family = "wasm"))]
pub fn served_player<B: PlayableBoard>(notation: &PlayerNotation, options: &PlayerOptions) -> Result<Served<B>> {
    let player = limited_player(notation, options)?;
    let is_emilia = notation.engine.is_emilia();
    let name = match &notation.name {
        Some(name) => name.clone(),
        None if is_emilia => "Emilia".to_owned(),
        None => player.name().to_owned(),
    };
    // An external program may have levels.
    Ok(Served { name, player, has_levels: is_emilia || notation.is_external(), sides: sides(notation) })
}

/// Refuses a player with a clock of its own where the host sets the clock.
pub(crate) fn refuse_own_clock(notation: &PlayerNotation) -> Result<()> {
    if notation.limits(&Limits::default()).clock.is_none() {
        return Ok(());
    }
    Err(MakeError::request(format!("time= is not allowed here: the host sets the clock ({:?})", notation.text())))
}

#[cfg(test)]
mod tests {
    use engine::{Silent, Stop};
    use othello::Game;
    use report::words::sentence;

    use super::*;

    fn options() -> PlayerOptions {
        let search = SearchOptions { hash: 1, ..SearchOptions::default() };
        PlayerOptions { seed: 1, search, ..PlayerOptions::default() }
    }

    fn every_player_opens_a_game<B: PlayableBoard>() {
        for entry in B::entries() {
            let mut player = player::<B>(Some(entry.name), &options()).unwrap();
            assert_eq!(player.name(), entry.name);
            player.new_game().unwrap();
            let mut game = Game::default();
            let choice = player.choose(&game, &Limits::of_level(1), &mut Silent, &Stop::new()).unwrap();
            game.play(choice.square).unwrap();
        }
        let strongest = player::<B>(None, &options()).unwrap();
        assert_eq!(strongest.name(), B::entries()[0].name);
    }

    #[test]
    fn a_program_may_take_thirty_seconds_to_start_or_as_long_as_the_patience() {
        let notation: PlayerNotation = "gtp@name=Slow:slow".parse().unwrap();
        for (patience, limit) in [(0, 30), (1, 30), (30, 30), (31, 31), (600, 600)] {
            let options = PlayerOptions { patience: Duration::from_secs(patience), ..options() };
            let (_, program) = program(&notation, &options).unwrap();
            assert_eq!((program.name.as_str(), program.start_limit), ("Slow", Duration::from_secs(limit)));
        }
    }

    #[test]
    fn every_player_is_found_by_its_name_and_opens_a_game() {
        othello::on_every_board!(every_player_opens_a_game);
    }

    #[test]
    fn a_player_with_limits_of_its_own_obeys_those() {
        let notation = "emilia@depth=3,hash=1,name=Three".parse().unwrap();
        let mut player = limited_player::<Board>(&notation, &options()).unwrap();
        assert_eq!(player.name(), "Three");
        let choice = player.choose(&Game::new(), &Limits::of_depth(5), &mut Silent, &Stop::new()).unwrap();
        assert_eq!(choice.depth, 3);
        let unknown = "emilia@speed=9".parse().unwrap();
        let error = limited_player::<Board>(&unknown, &options()).err().unwrap().to_string();
        assert!(error.starts_with("emilia: unknown setting \"speed\""), "{error}");
        assert!(error.contains("valid for every player: name, level"), "{error}");
        let timed = "emilia@time=5m".parse().unwrap();
        let error = limited_player::<Board>(&timed, &options()).err().unwrap().to_string();
        assert!(error.contains("time= is not allowed here"), "{error}");
    }

    #[test]
    fn what_is_wrong_with_a_setting_names_the_player_and_what_may_be_meant() {
        for (text, words) in [
            ("iago@killers=of", "iago: unknown setting \"killers\"; valid: ordering, saved"),
            ("iago@early-count=of", "iago: early-count cannot be \"of\" (did you mean off?); expected one of on, off"),
            ("iago@orderin=response", "iago: unknown setting \"orderin\" (did you mean ordering?)"),
            ("iago@saved", "iago: saved needs a value; expected saved= and one of 3, 1, 0"),
            ("bill3@plies", "bill3: plies needs a value"),
            ("keyano@mobility=exat", "keyano: mobility cannot be \"exat\" (did you mean exact?)"),
            ("logistello@table=separate", "logistello: unknown setting \"table\" (did you mean tables?)"),
            ("desdemona@adjacency=onn", "desdemona: adjacency cannot be \"onn\" (did you mean on?)"),
            ("random@dept=3", "random: unknown setting \"dept\"; valid for every player: name, level"),
            ("random@dept=3", "(did you mean depth?)"),
            ("igao", "(did you mean iago?)"),
        ] {
            let error = limited_player::<Board>(&text.parse().unwrap(), &options()).err().unwrap().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        for text in ["iago@historical", "bill2@killers", "desdemona@transposition"] {
            assert!(limited_player::<Board>(&text.parse().unwrap(), &options()).is_ok(), "{text}");
        }
    }

    #[test]
    fn only_emilia_on_the_large_board_with_the_shipped_weights_uses_a_shared_table() {
        fn is_used<B: PlayableBoard>(text: &str) -> bool {
            let table = Arc::new(HashTable::new(1).unwrap().shared());
            let shared = Shared { table: Some(&table), book: None };
            let mut player = limited_player_with::<B>(&text.parse().unwrap(), &options(), shared).unwrap();
            player.new_game().unwrap();
            player.choose(&Game::default(), &Limits::of_depth(4), &mut Silent, &Stop::new()).unwrap();
            Arc::strong_count(&table) > 1
        }
        assert!(is_used::<Board>("emilia") && is_used::<Board>("emilia@weights=shipped,level=7"));
        for own in ["emilia@weights=hand-made", "emilia@hash=1", "logistello", "bill3", "random"] {
            assert!(!is_used::<Board>(own), "{own}");
        }
        assert!(!is_used::<SmallBoard<6>>("emilia"));
        let table = Arc::new(HashTable::new(1).unwrap().shared());
        let adviser = player_with::<Board>(None, &options(), Shared { table: Some(&table), book: None }).unwrap();
        assert_eq!((adviser.name(), Arc::strong_count(&table)), ("emilia", 2));
    }

    #[test]
    fn weights_come_from_a_file_that_has_some() {
        let make = |text: &str| limited_player::<Board>(&text.parse().unwrap(), &options()).err().unwrap();
        let error = make("emilia@weights=/nowhere/at/all");
        assert!(sentence(&error).contains("cannot read /nowhere/at/all"), "{error}");
        let error = make(concat!("emilia@weights=", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(sentence(&error).contains("wrong file header; expected EMILIAWT"), "{error}");
        let error = make("random@weights=x").to_string();
        assert!(error.contains("random has no weights"), "{error}");
        for text in ["emilia@weights=hand-made,depth=3,hash=1", "emilia@weights=shipped,depth=3,hash=1"] {
            let mut player = limited_player::<Board>(&text.parse().unwrap(), &options()).unwrap();
            let choice = player.choose(&Game::new(), &Limits::default(), &mut Silent, &Stop::new()).unwrap();
            assert_eq!(choice.depth, 3);
        }
        let small = limited_player::<SmallBoard<6>>(&"emilia@weights=x".parse().unwrap(), &options()).err().unwrap();
        assert!(small.to_string().contains("the 6x6 board has no learned weights"), "{small}");
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = player::<Board>(Some("deep-thought"), &options()).err().unwrap().to_string();
        assert!(error.contains("deep-thought") && error.contains("minimum-disc, maximum-disc, random"), "{error}");
    }
}
