//! The terms of a match: everything that determines which games are played, as data. A file is resumed only by a match
//! with the same terms.

use engine::{Level, Limits, WeakPlay};
use othello::{Board, Game, Rules};
use players::PlayerNotation;
use records::transcript;
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;
use storage::{Difference, Fingerprint};

use crate::openings::{Balance, OpeningRecipe};
use crate::referee::Patience;
use crate::sprt::Sprt;

/// Everything that determines which games are played, and when the match is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The players, in the order of their indices.
    pub players: Vec<PlayerTerms>,
    /// The number of pairs of games that each two of them play.
    pub pairs: u32,
    /// The random seed.
    pub seed: u64,
    /// The name of the board; files omit that of the standard one.
    #[serde(default = "standard_board", skip_serializing_if = "is_standard")]
    pub board: String,
    /// The source of the openings.
    pub openings: OpeningTerms,
    /// The tolerances of the referee.
    pub patience: Patience,
    /// The test that ends the match early, if there is one.
    pub sprt: Option<Sprt>,
}

fn standard_board() -> String {
    Board::GEOMETRY.name.to_owned()
}

fn is_standard(board: &str) -> bool {
    board == Board::GEOMETRY.name
}

/// Everything that determines how a player plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerTerms {
    /// Its name.
    pub name: String,
    /// Which player it is.
    pub player: PlayerId,
    /// The limits per move.
    pub limits: Limits,
    /// The version of the weak levels, for a player at one of them: how it plays has changed with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weak_levels: Option<u32>,
}

impl PlayerTerms {
    /// The terms of a player under limits.
    pub fn new(name: String, player: PlayerId, has_weak_levels: bool, limits: Limits) -> Self {
        let level = limits.level.or(player.default_level().filter(|_| limits == Limits::default()));
        let is_weak = has_weak_levels && level.is_some_and(Level::is_weak);
        Self { name, player, limits, weak_levels: is_weak.then_some(WeakPlay::VERSION) }
    }
}

/// The identity of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlayerId {
    /// A built-in player.
    BuiltIn {
        /// Its notation on the command line.
        notation: PlayerNotation,
        /// The number of search threads.
        threads: u16,
        /// The size of the hash table in MB.
        hash: u32,
        /// The level of a player with levels, if no limit is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default_level: Option<Level>,
    },
    /// An external program.
    Program {
        /// Its notation on the command line, with the command that starts it.
        notation: PlayerNotation,
    },
    /// Random moves.
    Random,
    /// Emilia with learned weights, in one thread.
    Learned {
        /// The CRC-32 of the weight file.
        #[serde(with = "storage::hexadecimal")]
        checksum: u32,
        /// The size of the hash table in MB.
        hash: u32,
    },
}

impl PlayerId {
    fn default_level(&self) -> Option<Level> {
        match self {
            Self::BuiltIn { default_level, .. } => *default_level,
            _ => None,
        }
    }
}

/// The source of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OpeningTerms {
    /// Found by our own search, with the seed of the match.
    Found {
        /// The minimum number of moves.
        min_plies: u32,
        /// The maximum number of moves.
        max_plies: u32,
        /// The largest evaluation for either side, in hundredths of a disc.
        within: i32,
        /// The search depth for that evaluation.
        depth: u32,
    },
    /// Random moves with the seed of the match, not judged.
    Random {
        /// The minimum number of moves.
        min_plies: u32,
        /// The maximum number of moves.
        max_plies: u32,
    },
    /// Given.
    Given {
        /// The number of openings.
        count: u64,
        /// The FNV-1a checksum of their start positions and moves.
        #[serde(with = "storage::hexadecimal")]
        checksum: u64,
    },
}

impl OpeningTerms {
    /// The terms for openings found with this recipe.
    pub fn found(recipe: &OpeningRecipe) -> Self {
        let (min_plies, max_plies) = recipe.plies.clone().into_inner();
        match recipe.balance {
            Some(Balance { within, depth }) => Self::Found { min_plies, max_plies, within, depth },
            None => Self::Random { min_plies, max_plies },
        }
    }

    /// The terms for these openings.
    pub fn given<B: Rules>(openings: &[Game<B>]) -> Self {
        let texts = openings.iter().map(|opening| format!("{} {}\n", opening.start(), transcript::format(opening)));
        Self::Given { count: openings.len() as u64, checksum: fnv1a(texts) }
    }
}

impl Terms {
    /// The first difference from the expected terms, apart from the length of the match.
    pub(crate) fn difference(&self, expected: &Self) -> Option<Difference> {
        let values = |terms: &Self| [terms.board.clone(), terms.players.len().to_string()];
        for ((field, found), expected) in
            ["board", "number of players"].into_iter().zip(values(self)).zip(values(expected))
        {
            if found != expected {
                return Some(Difference { field: field.to_owned(), found, expected });
            }
        }
        let fingerprint = |terms: &Self| Fingerprint::of(&Self { pairs: 0, ..terms.clone() });
        fingerprint(self).difference(&fingerprint(expected))
    }
}
