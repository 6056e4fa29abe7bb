//! The players that analyze games: Emilia, or any other player with exact scores near the end.

use engine::analysis::{Analyst, PlayerAnalyst, SolvedEndings};
use engine::{Level, Limits, Options};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::board::PlayableBoard;
use crate::book_settings::BookSettings;
use crate::entry::{HISTORICAL, WrittenSettings};
use crate::error::MakeError;
use crate::notation::{Engine, PlayerNotation};
use crate::opening_book;
#[cfg(not(target_family = "wasm"))]
use crate::opening_book::{BookAnalyst, OpeningBook};
use crate::options::{PlayerOptions, SearchOptions, SharedResources};
use crate::registry::{self, Registry};
use crate::weights::WeightsChoice;

/// The default level of Emilia: a game in about ten seconds.
const DEFAULT_LEVEL: u32 = 14;
/// The default search depth of other players, about that of the 1980s.
const DEFAULT_DEPTH: u32 = 6;
/// The default number of empty squares that are solved: less than a tenth of a second each.
const DEFAULT_EXACT: u32 = 20;

/// The analyst as the command line describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalystChoice {
    /// The player, if not the strongest of the board.
    pub notation: Option<PlayerNotation>,
    /// The limits of every move, if they are given.
    pub limits: Limits,
    /// The number of empty squares from which positions are solved, if it is given.
    pub exact_from: Option<u32>,
    /// The size of each table in MB.
    pub hash: u32,
}

impl AnalystChoice {
    /// The same with a level for Emilia if there is no other limit.
    #[must_use]
    pub fn with_default_level<B: PlayableBoard>(mut self, registry: &Registry, level: Option<Level>) -> Self {
        if self.is_emilia::<B>(registry) && self.limits == Limits::default() {
            self.limits.level = level;
        }
        self
    }

    fn player<B: PlayableBoard>(&self, registry: &Registry) -> String {
        match &self.notation {
            Some(PlayerNotation { engine: Engine::BuiltIn(name), .. }) => name.clone(),
            Some(notation) => notation.label(),
            None => registry.strongest::<B>().name.to_owned(),
        }
    }

    /// The analyst, which also reports the moves in a book. Emilia takes over the values of the book; other players
    /// count in units of their own, or are used for their own opinion.
    #[cfg(not(target_family = "wasm"))]
    pub fn analyst_with_book<B: PlayableBoard>(
        &self,
        registry: &Registry,
        book: Option<&OpeningBook>,
    ) -> Result<Box<dyn Analyst<B>>, MakeError> {
        let analyst = self.analyst::<B>(registry)?;
        let Some(book) = book else { return Ok(analyst) };
        let with_book = BookAnalyst::new(analyst, book.clone());
        Ok(Box::new(if self.is_emilia::<B>(registry) { with_book.with_values() } else { with_book }))
    }

    /// Whether the notation of the player names its book, or states that it has none.
    pub fn has_own_book(&self) -> bool {
        self.notation.as_ref().is_some_and(|notation| notation.settings.iter().any(|(name, _)| name == "book"))
    }

    fn is_emilia<B: PlayableBoard>(&self, registry: &Registry) -> bool {
        let is_external = self.notation.as_ref().is_some_and(PlayerNotation::is_external);
        !is_external && self.player::<B>(registry) == Engine::EMILIA
    }

    /// Whether the analysis of a move does not depend on the moves analyzed before.
    pub fn is_independent<B: PlayableBoard>(&self, registry: &Registry) -> bool {
        self.is_emilia::<B>(registry)
    }

    fn limits<B: PlayableBoard>(&self, registry: &Registry) -> Limits {
        let is_historical = |notation: &PlayerNotation| notation.settings.iter().any(|(name, _)| name == HISTORICAL);
        // A program's own analysis has the budget of its paper.
        let has_own_analysis = || {
            let entry = registry.entry::<B>(&self.player::<B>(registry));
            entry.is_ok_and(|entry| entry.analyst.is_some())
        };
        let default = if self.limits != Limits::default() {
            self.limits
        } else if self.is_emilia::<B>(registry) {
            Limits::of_level(DEFAULT_LEVEL)
        } else if has_own_analysis() || self.notation.as_ref().is_some_and(is_historical) {
            Limits::default()
        } else {
            Limits::of_depth(DEFAULT_DEPTH)
        };
        self.notation.as_ref().map_or(default, |notation| notation.limits(&default))
    }

    /// The number of empty squares from which positions are solved, if there is a solver for the board.
    fn exact_from(&self) -> u32 {
        self.exact_from.unwrap_or(DEFAULT_EXACT)
    }

    /// Makes the analyst.
    pub fn analyst<B: PlayableBoard>(&self, registry: &Registry) -> Result<Box<dyn Analyst<B>>, MakeError> {
        let strongest: Result<PlayerNotation, _> = self.player::<B>(registry).parse();
        let notation = match &self.notation {
            Some(notation) => notation,
            None => &strongest.map_err(MakeError::request)?,
        };
        registry::refuse_own_clock(notation)?;
        let (limits, exact_from) = (self.limits::<B>(registry), self.exact_from());
        let (options, settings) = (self.options(), WrittenSettings::of(notation));
        if self.is_emilia::<B>(registry) {
            // The error lists the players of the board if Emilia is not among them.
            registry.entry::<B>(Engine::EMILIA)?;
            let book: BookSettings = settings.parse()?;
            book.check::<B>()?;
            if let Some(emilia) = B::EMILIA {
                let weights = notation.weights.clone().unwrap_or_default();
                let analyst = (emilia.analyst)(&weights, &options, limits, exact_from)?;
                return opening_book::analyst_with_book(analyst, &book);
            }
        }
        if B::EMILIA.is_none() && self.exact_from.is_some() {
            let sentence =
                format!("--exact is not allowed here: there is no solver for the {} board", B::GEOMETRY.name);
            return Err(MakeError::request(sentence));
        }
        let own = match &notation.engine {
            Engine::BuiltIn(name) => {
                let entry = registry.entry::<B>(name)?;
                if !entry.has_values {
                    let known = registry.entries::<B>().iter().filter(|entry| entry.has_values);
                    let known = known.map(|entry| entry.name).collect::<Vec<_>>().join(", ");
                    let sentence = format!("{name} cannot analyze games: it does not evaluate moves; expected {known}");
                    return Err(MakeError::request(sentence));
                }
                entry.analyst.as_ref()
            }
            Engine::External { .. } => None,
        };
        let midgame = match own {
            Some(analyst) => analyst(&settings, limits)?,
            None => {
                let search = SearchOptions { threads: 1, hash: self.hash };
                let options = PlayerOptions { seed: 1, search, ..PlayerOptions::default() };
                player_analyst::<B>(registry, notation, &options, limits)?
            }
        };
        Ok(match B::EMILIA {
            Some(emilia) => {
                let solver = (emilia.analyst)(&WeightsChoice::Shipped, &options, Limits::default(), u32::MAX)?;
                Box::new(SolvedEndings::new(midgame, solver, exact_from))
            }
            None => midgame,
        })
    }

    fn options(&self) -> Options {
        let of_notation = |value: fn(&PlayerNotation) -> Option<u32>| self.notation.as_ref().and_then(value);
        let table_megabytes = of_notation(|notation| notation.hash).unwrap_or(self.hash) as usize;
        let threads = of_notation(|notation| notation.threads.map(u32::from)).unwrap_or(1) as usize;
        Options { table_megabytes, threads, default_level: None, seed: 1 }
    }

    /// The analyst in a few words: `emilia, level 14; exact from 20 empties`.
    pub fn description<B: PlayableBoard>(&self, registry: &Registry) -> String {
        let Limits { depth, nodes, move_time, level, .. } = self.limits::<B>(registry);
        let mut parts = vec![match &self.notation {
            Some(notation) => notation.label(),
            None => self.player::<B>(registry),
        }];
        // Limits in the notation are already part of its text.
        let has_own =
            self.notation.as_ref().is_some_and(|notation| notation.limits(&Limits::default()) != Limits::default());
        if !has_own {
            parts.extend(level.map(|level| format!("level {level}")));
            parts.extend(depth.map(|depth| format!("depth {depth}")));
            parts.extend(nodes.map(|nodes| format!("{nodes} nodes per move")));
            parts.extend(move_time.map(|time| format!("{time:?} per move")));
        }
        let mut description = parts.join(", ");
        // A level may solve more by itself.
        let level = level.filter(|_| self.is_emilia::<B>(registry));
        let of_level = level.map_or(0, |level| level.end(Selectivity::EXACT));
        let exact_from = self.exact_from().max(of_level);
        if B::EMILIA.is_some() && exact_from > 0 {
            description += &format!("; exact from {exact_from} {}", if exact_from == 1 { "empty" } else { "empties" });
        }
        description
    }
}

/// An analyst that uses a player without its book, and marks the moves in the book.
fn player_analyst<B: PlayableBoard>(
    registry: &Registry,
    notation: &PlayerNotation,
    options: &PlayerOptions,
    limits: Limits,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    let book = registry.program_book::<B>(notation)?;
    let mut without = notation.clone();
    if book.is_some() {
        without.settings.retain(|(name, _)| !BookSettings::has(name));
    }
    let analyst = Box::new(PlayerAnalyst::new(
        registry.named_player::<B>(&without, options, SharedResources::default())?,
        limits,
    ));
    match book {
        Some((own, settings)) => opening_book::analyst_with_own_book(analyst, own, &settings),
        None => Ok(analyst),
    }
}
