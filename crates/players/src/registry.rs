//! The registry: all players of a program, by name.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use engine::settings::{NoSettings, Settings, suggestion};
use engine::{Chosen, Limits, Observer, Player, PlayerError, Progress, RandomPlayer, Stop};
use othello::{Board, BoardShape, Game, Rules, with_board};
use search::HashTable;
use storage::checksum::crc32;
#[cfg(not(target_family = "wasm"))]
use {
    crate::notation::Protocol,
    protocols::driving::{self, Gtp},
    protocols::serving::Served,
};

use crate::board::PlayableBoard;
use crate::book_settings::BookSettings;
use crate::entry::{Entries, Entry, HISTORICAL, OnEveryBoard, Program, WrittenSettings};
use crate::error::MakeError;
use crate::notation::{Engine, PlayerNotation};
use crate::opening_book;
use crate::options::{PlayerOptions, SharedResources};
use crate::program_book::{ProgramBook, ProgramBookSettings};
use crate::weights::WeightsChoice;

type Result<T, E = MakeError> = std::result::Result<T, E>;

/// All players of a program: Emilia, those of the registered programs in their order, and the random player. There is
/// no global list.
pub struct Registry {
    /// The programs without their entries, which are moved to the others.
    programs: Vec<Program>,
    entries: Entries,
}

/// Reason why programs cannot be registered together.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// Two programs have the same name.
    #[error("two programs are called {0:?}")]
    Program(&'static str),
    /// Two players of a board have the same name.
    #[error("two players of the {board} board are called {name:?}")]
    Player {
        /// Name of both players.
        name: &'static str,
        /// Name of the board.
        board: &'static str,
    },
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.programs.iter().map(|program| program.name)).finish()
    }
}

impl Registry {
    /// Registers programs in this order.
    pub fn new(mut programs: Vec<Program>) -> Result<Self, RegistryError> {
        let own = programs.iter_mut().map(|program| std::mem::take(&mut program.entries));
        let entries = own.fold(emilia_entries(), Entries::and).and(Entries::of_every_board(&RandomMoves));
        let registry = Self { programs, entries };
        if let Some(name) = repeated(registry.programs.iter().map(|program| program.name)) {
            return Err(RegistryError::Program(name));
        }
        for shape in BoardShape::ALL {
            with_board!(shape, B => registry.check::<B>())?;
        }
        Ok(registry)
    }

    /// The core players alone: Emilia and random.
    pub fn core() -> Self {
        Self::new(Vec::new()).expect("the core players have different names")
    }

    fn check<B: PlayableBoard>(&self) -> Result<(), RegistryError> {
        let name = repeated(self.entries::<B>().iter().map(|entry| entry.name));
        name.map_or(Ok(()), |name| Err(RegistryError::Player { name, board: B::GEOMETRY.name }))
    }

    /// The registered programs; their entries are those of the registry.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// The version of a program that has these programs: machines work together only if it is the same.
    pub fn version(&self, version: &str) -> String {
        let names: Vec<_> = self.programs.iter().map(|program| program.name).collect();
        format!("{version}, programs {:08x}", crc32(names.join(",").as_bytes()))
    }

    /// The books of all programs.
    pub fn books(&self) -> impl Iterator<Item = &'static ProgramBook> {
        self.entries::<Board>().iter().filter_map(|entry| entry.book)
    }

    /// The book of the program with this name.
    pub fn book(&self, name: &str) -> Option<&'static ProgramBook> {
        self.books().find(|book| book.name == name)
    }

    /// The players of a board, the strongest first.
    pub fn entries<B: PlayableBoard>(&self) -> &[Entry<B>] {
        B::entries(&self.entries)
    }

    /// The entry with this name.
    pub fn entry<B: PlayableBoard>(&self, name: &str) -> Result<&Entry<B>> {
        let entries = self.entries::<B>();
        entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<_> = entries.iter().map(|entry| entry.name).collect();
            let suggestion = suggestion(name, names.iter().copied());
            let (board, names) = (B::GEOMETRY.name, names.join(", "));
            MakeError::request(format!(
                "no engine {name:?} plays on the {board} board{suggestion}; expected one of {names}"
            ))
        })
    }

    /// The strongest player of a board: Emilia where it plays, otherwise the first that was registered.
    pub fn strongest<B: PlayableBoard>(&self) -> &Entry<B> {
        self.entries().first().expect("random plays on every board")
    }

    /// The strongest player of a board; Emilia on 8x8 uses the shared resources.
    pub fn strongest_player_with<B: PlayableBoard>(
        &self,
        options: &PlayerOptions,
        shared: SharedResources<'_>,
    ) -> Result<Box<dyn Player<B>>> {
        if B::EMILIA.is_none() {
            return self.strongest::<B>().plain_player(options);
        }
        let player = emilia(&WeightsChoice::Shipped, options, shared.table)?;
        with_book(player, &BookSettings::default(), options, shared)
    }

    /// The numbers of columns of the boards on which the player of a notation plays.
    pub fn sides(&self, notation: &PlayerNotation) -> Vec<u8> {
        let Engine::BuiltIn(name) = &notation.engine else { return vec![Board::GEOMETRY.side] };
        BoardShape::ALL.into_iter().filter_map(|shape| with_board!(shape, B => self.side::<B>(name))).collect()
    }

    fn side<B: PlayableBoard>(&self, name: &str) -> Option<u8> {
        self.entries::<B>().iter().any(|entry| entry.name == name).then_some(B::GEOMETRY.side)
    }

    /// The player of a notation, with options for everything that the notation leaves open. The caller applies the
    /// limits of the notation.
    pub fn named_player<B: PlayableBoard>(
        &self,
        notation: &PlayerNotation,
        options: &PlayerOptions,
        shared: SharedResources<'_>,
    ) -> Result<Box<dyn Player<B>>> {
        let Engine::BuiltIn(name) = &notation.engine else { return external(notation, options) };
        let (options, settings) = (options.with_notation(notation), WrittenSettings::of(notation));
        match &notation.weights {
            weights if notation.engine.is_emilia() && (weights.is_some() || B::EMILIA.is_some()) => {
                let settings = settings.parse()?;
                // A size of its own asks for a table of its own.
                let table = shared.table.filter(|_| notation.hash.is_none());
                let player = emilia(weights.as_ref().unwrap_or(&WeightsChoice::Shipped), &options, table)?;
                with_book(player, &settings, &options, shared)
            }
            Some(_) => Err(MakeError::request(format!("weights= is only for emilia: {name} has no weights"))),
            None => self.entry::<B>(name)?.player(&options, &settings),
        }
    }

    /// The player of a notation, with the limits of the notation applied to every move. The clock is always the
    /// caller's.
    pub fn limited_player<B: PlayableBoard>(
        &self,
        notation: &PlayerNotation,
        options: &PlayerOptions,
    ) -> Result<Box<dyn Player<B>>> {
        self.limited_player_with(notation, options, SharedResources::default())
    }

    /// The same with shared resources, which Emilia uses unless its notation has `hash=` or `book=`.
    pub fn limited_player_with<B: PlayableBoard>(
        &self,
        notation: &PlayerNotation,
        options: &PlayerOptions,
        shared: SharedResources<'_>,
    ) -> Result<Box<dyn Player<B>>> {
        refuse_own_clock(notation)?;
        let player = self.named_player(notation, options, shared)?;
        Ok(Box::new(LimitedPlayer { player, notation: notation.clone() }))
    }

    /// The player of a notation, to be served to a host.
    #[cfg(not(target_family = "wasm"))]
    pub fn served_player<B: PlayableBoard>(
        &self,
        notation: &PlayerNotation,
        options: &PlayerOptions,
    ) -> Result<Served<B>> {
        let player = self.limited_player(notation, options)?;
        let is_emilia = notation.engine.is_emilia();
        let name = match &notation.name {
            Some(name) => name.clone(),
            None if is_emilia => "Emilia".to_owned(),
            None => player.name().to_owned(),
        };
        // An external program may have levels.
        Ok(Served { name, player, has_levels: is_emilia || notation.is_external(), sides: self.sides(notation) })
    }

    /// Limits these players to their original computing budget, as far as they have one; an error if none has.
    pub fn make_historical<B: PlayableBoard>(&self, players: &mut [&mut PlayerNotation]) -> Result<()> {
        let historical = || self.entries::<B>().iter().filter(|entry| entry.is_historical()).map(|entry| entry.name);
        let mut is_any = false;
        for notation in players {
            let Engine::BuiltIn(name) = &notation.engine else { continue };
            if historical().any(|historical| historical == name) {
                notation.turn_on(HISTORICAL);
                is_any = true;
            }
        }
        if is_any {
            return Ok(());
        }
        let names: Vec<_> = historical().collect();
        let found = "--historical needs a classic program with a known computing budget";
        Err(MakeError::request(format!("{found}; expected one of {}", names.join(", "))))
    }

    /// The book of the program that a notation names, and its settings; `None` for other players.
    pub(crate) fn program_book<B: PlayableBoard>(
        &self,
        notation: &PlayerNotation,
    ) -> Result<Option<(&'static ProgramBook, ProgramBookSettings)>> {
        let Engine::BuiltIn(name) = &notation.engine else { return Ok(None) };
        let Some(own) = self.entry::<B>(name)?.book else { return Ok(None) };
        Ok(Some((own, WrittenSettings::of(notation).of_book()?)))
    }
}

/// A player with the name of its notation and its limits, which take precedence over the caller's.
struct LimitedPlayer<B: Rules> {
    player: Box<dyn Player<B>>,
    notation: PlayerNotation,
}

impl<B: Rules> Player<B> for LimitedPlayer<B> {
    fn name(&self) -> &str {
        self.notation.name.as_deref().unwrap_or_else(|| self.player.name())
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn points_per_disc(&self) -> f64 {
        self.player.points_per_disc()
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        self.player.choose(game, &self.notation.limits_of_host(limits), observer, stop)
    }

    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        self.player.value_moves(game, count, &self.notation.limits_of_host(limits), observer, stop)
    }

    fn learn(&mut self, game: &Game<B>, stop: &Stop) -> Result<Option<String>, PlayerError> {
        self.player.learn(game, stop)
    }
}

/// The first name that occurs twice.
fn repeated(names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let mut seen = HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

/// Emilia on the boards on which it plays.
fn emilia_entries() -> Entries {
    Entries {
        on_8x8: vec![emilia_entry()],
        on_6x6: vec![emilia_entry()],
        on_4x4: vec![emilia_entry()],
        on_cut: Vec::new(),
    }
}

fn emilia_entry<B: PlayableBoard>() -> Entry<B> {
    let has_books = B::GEOMETRY.side == Board::GEOMETRY.side;
    Entry::written(
        Engine::EMILIA,
        "evaluates patterns learned from its own games; levels 0 to 60",
        if has_books { BookSettings::LIST } else { NoSettings::LIST },
        |options, settings| {
            let settings = settings.parse()?;
            let player = emilia(&WeightsChoice::Shipped, options, None)?;
            with_book(player, &settings, options, SharedResources::default())
        },
    )
    .with_weak_levels()
}

/// The random player.
struct RandomMoves;

impl OnEveryBoard for RandomMoves {
    fn entry<B: PlayableBoard>(&self) -> Entry<B> {
        let make = |_: NoSettings, options: &PlayerOptions| Ok(RandomPlayer::new(options.seed));
        Entry::new("random", "plays random legal moves", make).without_values()
    }
}

/// Emilia without the other players.
pub fn emilia_player<B: PlayableBoard>(options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    if B::EMILIA.is_none() {
        let (name, board) = (Engine::EMILIA, B::GEOMETRY.name);
        return Err(MakeError::request(format!("no engine {name:?} plays on the {board} board")));
    }
    emilia(&WeightsChoice::Shipped, options, None)
}

/// Emilia with these weights, and with a shared hash table where it can be: on the 8x8 board, with the shipped weights.
fn emilia<B: PlayableBoard>(
    weights: &WeightsChoice,
    options: &PlayerOptions,
    shared: Option<&Arc<HashTable>>,
) -> Result<Box<dyn Player<B>>> {
    let can_share = *weights == WeightsChoice::Shipped && B::GEOMETRY.side == Board::GEOMETRY.side;
    match B::EMILIA {
        Some(emilia) => (emilia.player)(weights, &options.engine(), shared.filter(|_| can_share)),
        None => Err(MakeError::request(format!("Emilia does not play on the {} board", B::GEOMETRY.name))),
    }
}

/// A player with the book of its settings, or with the default one.
fn with_book<B: PlayableBoard>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    options: &PlayerOptions,
    shared: SharedResources<'_>,
) -> Result<Box<dyn Player<B>>> {
    settings.check::<B>()?;
    opening_book::with_book(player, settings, options, shared.book)
}

/// The external program of a notation.
#[cfg(not(target_family = "wasm"))]
fn external_program(
    notation: &PlayerNotation,
    options: &PlayerOptions,
) -> Result<(Protocol, driving::ExternalProgram)> {
    let Engine::External { protocol, command } = &notation.engine else {
        return Err(MakeError::request(format!("{:?} is not an external program", notation.text())));
    };
    let program = driving::ExternalProgram::from_command(command).map_err(MakeError::request)?;
    let name = notation.name.clone().unwrap_or(program.name);
    let (dir, setup) = (notation.folder.clone(), notation.setup.clone());
    let start_limit = program.start_limit.max(options.patience);
    Ok((*protocol, driving::ExternalProgram { name, dir, setup, start_limit, ..program }))
}

/// An external program as a player of a board.
#[cfg(not(target_family = "wasm"))]
fn external<B: PlayableBoard>(notation: &PlayerNotation, options: &PlayerOptions) -> Result<Box<dyn Player<B>>> {
    let (protocol, program) = external_program(notation, options)?;
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

/// Refuses a player with a clock of its own where the host sets the clock.
pub(crate) fn refuse_own_clock(notation: &PlayerNotation) -> Result<()> {
    if notation.limits(&Limits::default()).clock.is_none() {
        return Ok(());
    }
    Err(MakeError::request(format!("time= is not allowed here: the host sets the clock ({:?})", notation.text())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine::Silent;
    use othello::{CutBoard, SmallBoard};
    use report::words::sentence;

    use super::*;
    use crate::SearchOptions;
    use crate::test_support;

    fn registry() -> Registry {
        Registry::new(vec![test_support::program()]).unwrap()
    }

    fn options() -> PlayerOptions {
        let search = SearchOptions { hash: 1, ..SearchOptions::default() };
        PlayerOptions { seed: 1, search, ..PlayerOptions::default() }
    }

    /// The sentence with which a player is refused.
    fn refusal<B: PlayableBoard>(text: &str) -> String {
        let notation: PlayerNotation = match text.parse() {
            Ok(notation) => notation,
            Err(sentence) => return sentence,
        };
        let player = registry().limited_player::<B>(&notation, &options());
        sentence(&player.err().unwrap_or_else(|| panic!("{text} is not refused")))
    }

    fn chosen<B: PlayableBoard>(player: &mut dyn Player<B>, limits: Limits) -> engine::Choice {
        player.new_game().unwrap();
        player.choose(&Game::default(), &limits, &mut Silent, &Stop::new()).unwrap()
    }

    #[test]
    fn names_of_programs_and_of_the_players_of_a_board_are_unique() {
        let twice = Registry::new(vec![test_support::program(), test_support::program()]).unwrap_err();
        assert_eq!(twice, RegistryError::Program(test_support::NAME));
        let other = Program { name: "other", ..test_support::program() };
        let twice = Registry::new(vec![test_support::program(), other]).unwrap_err();
        assert_eq!(twice.to_string(), format!("two players of the 8x8 board are called {:?}", test_support::NAME));
    }

    #[test]
    fn players_are_listed_in_the_order_of_registration_between_emilia_and_random() {
        fn names<B: PlayableBoard>() -> Vec<&'static str> {
            registry().entries::<B>().iter().map(|entry| entry.name).collect()
        }
        let expected = ["emilia", test_support::NAME, "random"];
        assert_eq!(names::<Board>(), expected);
        assert_eq!(names::<SmallBoard<6>>(), expected);
        assert_eq!(names::<SmallBoard<4>>(), expected);
        assert_eq!(names::<CutBoard>(), expected[1..]);
    }

    #[test]
    fn the_version_depends_on_the_registered_programs() {
        let versions = [Registry::core(), registry()].map(|registry| registry.version("0.1.0"));
        assert!(versions.iter().all(|version| version.starts_with("0.1.0, programs ")), "{versions:?}");
        assert_ne!(versions[0], versions[1]);
    }

    #[test]
    fn every_player_is_found_by_its_name_and_opens_a_game() {
        fn check<B: PlayableBoard>() {
            for entry in registry().entries::<B>() {
                let mut player = entry.plain_player(&options()).unwrap();
                assert_eq!(player.name(), entry.name);
                let choice = chosen(player.as_mut(), Limits::of_level(1));
                Game::<B>::default().play(choice.square).unwrap();
            }
            let strongest = registry().strongest_player_with::<B>(&options(), SharedResources::default()).unwrap();
            assert_eq!(strongest.name(), registry().entries::<B>()[0].name);
        }
        othello::on_every_board!(check);
    }

    #[test]
    fn a_program_may_take_thirty_seconds_to_start_or_as_long_as_the_patience() {
        let notation: PlayerNotation = "gtp@name=Slow:slow".parse().unwrap();
        for (patience, limit) in [(0, 30), (1, 30), (30, 30), (31, 31), (600, 600)] {
            let options = PlayerOptions { patience: Duration::from_secs(patience), ..options() };
            let (_, program) = external_program(&notation, &options).unwrap();
            assert_eq!((program.name.as_str(), program.start_limit), ("Slow", Duration::from_secs(limit)));
        }
    }

    #[test]
    fn a_player_with_limits_of_its_own_obeys_those() {
        let notation = "emilia@depth=3,hash=1,name=Three".parse().unwrap();
        let mut player = registry().limited_player::<Board>(&notation, &options()).unwrap();
        assert_eq!(player.name(), "Three");
        assert_eq!(chosen(player.as_mut(), Limits::of_depth(5)).depth, 3);
    }

    #[test]
    fn players_are_refused_with_what_was_found_and_expected() {
        for line in include_str!("refusals.txt").lines().skip(1) {
            let (text, words) = line.split_once(" => ").unwrap();
            let error = refusal::<Board>(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        let error = refusal::<SmallBoard<6>>("emilia@weights=x");
        assert!(error.contains("the 6x6 board has no learned weights"), "{error}");
        assert!(registry().limited_player::<Board>(&"simple@historical".parse().unwrap(), &options()).is_ok());
    }

    #[test]
    fn players_with_a_known_budget_are_limited_to_it() {
        let mut players: [PlayerNotation; 2] = ["emilia", "simple"].map(|name| name.parse().unwrap());
        let [emilia, simple] = &mut players;
        registry().make_historical::<Board>(&mut [emilia, simple]).unwrap();
        assert_eq!(players.map(|player| player.text().to_owned()), ["emilia", "simple@historical"]);
        let mut emilia: PlayerNotation = "emilia".parse().unwrap();
        let error = registry().make_historical::<Board>(&mut [&mut emilia]).unwrap_err().to_string();
        assert!(error.ends_with("expected one of simple"), "{error}");
    }

    #[test]
    fn only_emilia_on_the_large_board_with_the_shipped_weights_uses_a_shared_table() {
        fn is_used<B: PlayableBoard>(text: &str) -> bool {
            let table = Arc::new(HashTable::new(1).unwrap().shared());
            let shared = SharedResources { table: Some(&table), book: None };
            let mut player = registry().limited_player_with::<B>(&text.parse().unwrap(), &options(), shared).unwrap();
            chosen(player.as_mut(), Limits::of_depth(4));
            Arc::strong_count(&table) > 1
        }
        assert!(is_used::<Board>("emilia") && is_used::<Board>("emilia@weights=shipped,level=7"));
        for own in ["emilia@weights=hand-made", "emilia@hash=1", "simple", "random"] {
            assert!(!is_used::<Board>(own), "{own}");
        }
        assert!(!is_used::<SmallBoard<6>>("emilia"));
        let table = Arc::new(HashTable::new(1).unwrap().shared());
        let shared = SharedResources { table: Some(&table), book: None };
        let adviser = registry().strongest_player_with::<Board>(&options(), shared).unwrap();
        assert_eq!((adviser.name(), Arc::strong_count(&table)), ("emilia", 2));
    }

    #[test]
    fn weights_are_chosen_by_name() {
        for text in ["emilia@weights=hand-made,depth=3,hash=1", "emilia@weights=shipped,depth=3,hash=1"] {
            let mut player = registry().limited_player::<Board>(&text.parse().unwrap(), &options()).unwrap();
            assert_eq!(chosen(player.as_mut(), Limits::default()).depth, 3);
        }
    }
}
