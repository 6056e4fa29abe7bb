//! Who analyses games: Emilia, or any player that can be named, with exact scores near the end.

use engine::analysis::{Analyst, PlayerAnalyst, SolvedEndings};
use engine::{Level, Limits, Options};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::error::MakeError;
use crate::notation::{Engine, PlayerNotation};
use crate::registry::{self, PlayableBoard, PlayerOptions, RawSettings, SearchOptions};
use crate::weights::WeightsChoice;

/// The level of Emilia unless something else is asked for: a game in some ten seconds.
const USUAL_LEVEL: u32 = 14;
/// How many moves other players look ahead unless something else is asked for: about as many as those of their time.
const USUAL_DEPTH: u32 = 6;
/// How many empty squares are solved unless another number is asked for: less than a tenth of a second each.
const USUAL_EXACT: u32 = 20;

/// The player that has an analysis of its own.
const IAGO: &str = "iago";

/// What the command line says about the analyst.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalystChoice {
    /// Who, if not the strongest of the board.
    pub notation: Option<PlayerNotation>,
    /// How much to think about every move, if that is said.
    pub limits: Limits,
    /// From how many empty squares on to solve, if that is said.
    pub exact_from: Option<u32>,
    /// The size of each table in MB.
    pub hash: u32,
}

impl AnalystChoice {
    /// The name of the player whose view it is.
    fn player<B: PlayableBoard>(&self) -> String {
        let strongest = || B::entries().first().map_or(Engine::EMILIA, |entry| entry.name).to_owned();
        match &self.notation {
            Some(PlayerNotation { engine: Engine::BuiltIn(name), .. }) => name.clone(),
            Some(notation) => notation.label(),
            None => strongest(),
        }
    }

    fn is_emilia<B: PlayableBoard>(&self) -> bool {
        let is_external = self.notation.as_ref().is_some_and(PlayerNotation::is_external);
        !is_external && self.player::<B>() == Engine::EMILIA
    }

    /// Whether what is said of a move depends on nothing that was looked at before.
    pub fn is_independent<B: PlayableBoard>(&self) -> bool {
        self.is_emilia::<B>()
    }

    /// What is looked at for every move.
    fn limits<B: PlayableBoard>(&self) -> Limits {
        let is_historical =
            |notation: &PlayerNotation| notation.settings.iter().any(|(name, _)| name == registry::HISTORICAL);
        let usual = if self.limits != Limits::default() {
            self.limits
        } else if self.is_emilia::<B>() {
            Limits::of_level(USUAL_LEVEL)
        } else if self.player::<B>() == IAGO || self.notation.as_ref().is_some_and(is_historical) {
            // The budget of the paper.
            Limits::default()
        } else {
            Limits::of_depth(USUAL_DEPTH)
        };
        self.notation.as_ref().map_or(usual, |notation| notation.limits(&usual))
    }

    /// From how many empty squares on positions are solved; without a solver for the board, nothing is.
    fn exact_from(&self) -> u32 {
        self.exact_from.unwrap_or(USUAL_EXACT)
    }

    /// The analyst, unless something is wrong about the choice.
    pub fn analyst<B: PlayableBoard>(&self) -> Result<Box<dyn Analyst<B>>, MakeError> {
        let strongest: Result<PlayerNotation, _> = self.player::<B>().parse();
        let notation = match &self.notation {
            Some(notation) => notation,
            None => &strongest.map_err(MakeError::request)?,
        };
        registry::refuse_own_clock(notation)?;
        let (limits, exact_from) = (self.limits::<B>(), self.exact_from());
        let (options, settings) = (self.options(), RawSettings::of(notation));
        if self.is_emilia::<B>() {
            // Says who plays on the board if Emilia does not.
            registry::entry::<B>(Some(Engine::EMILIA))?;
            settings.refuse()?;
            if let Some(emilia) = B::EMILIA {
                let weights = notation.weights.clone().unwrap_or_default();
                return (emilia.analyst)(&weights, &options, limits, exact_from);
            }
        }
        if B::EMILIA.is_none() && self.exact_from.is_some() {
            let sentence = format!("no solver knows the {} board; expected no --exact", B::GEOMETRY.name);
            return Err(MakeError::request(sentence));
        }
        let own = match &notation.engine {
            Engine::BuiltIn(name) => registry::entry::<B>(Some(name))?.analyst,
            Engine::External { .. } => None,
        };
        let midgame = match own {
            Some(analyst) => analyst(&settings, limits)?,
            None => {
                let search = SearchOptions { threads: 1, hash: self.hash };
                let options = PlayerOptions { seed: 1, search, usual_level: None };
                Box::new(PlayerAnalyst::new(registry::named_player::<B>(notation, &options)?, limits))
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
        Options { table_megabytes, threads, usual_level: None, seed: 1 }
    }

    /// The analyst in a few words: `emilia, level 14; exact from 20 empty squares on`.
    pub fn description<B: PlayableBoard>(&self) -> String {
        let Limits { depth, nodes, move_time, level, .. } = self.limits::<B>();
        let mut parts = vec![match &self.notation {
            Some(notation) => notation.label(),
            None => self.player::<B>(),
        }];
        // What is part of the notation needs not be said again.
        let has_own =
            self.notation.as_ref().is_some_and(|notation| notation.limits(&Limits::default()) != Limits::default());
        if !has_own {
            parts.extend(level.map(|level| format!("level {level}")));
            parts.extend(depth.map(|depth| format!("depth {depth}")));
            parts.extend(nodes.map(|nodes| format!("{nodes} nodes a move")));
            parts.extend(move_time.map(|time| format!("{time:?} a move")));
        }
        let mut description = parts.join(", ");
        // A level may solve more by itself.
        let level = level.filter(|_| self.is_emilia::<B>()).and_then(|level| Level::new(level).ok());
        let of_level = level.map_or(0, |level| level.end(Selectivity::EXACT));
        let exact_from = self.exact_from().max(of_level);
        if B::EMILIA.is_some() && exact_from > 0 {
            description += &format!("; exact from {exact_from} empty squares on");
        }
        description
    }
}
