//! A position with its labels: its values from different sources.

use std::fmt;
use std::str::FromStr;

use evaluation::Value;
use othello::{Board, Rules, Score};
use serde::{Deserialize, Serialize};

/// The kinds of labels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The final score of the game.
    Outcome,
    /// The final score as if the end of the game had been played exactly.
    Corrected,
    /// The negamax value of the position in the graph of all games.
    Tree,
    /// The value of a search.
    Search,
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 4] = [Label::Outcome, Label::Corrected, Label::Tree, Label::Search];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Label::Outcome => "outcome",
            Label::Corrected => "corrected",
            Label::Tree => "tree",
            Label::Search => "search",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Label::ALL.into_iter().find(|label| label.name() == text).ok_or_else(|| {
            let names = Label::ALL.map(Label::name).join(", ");
            format!("{text:?} is not a label; expected one of {names}")
        })
    }
}

/// The labels of a position; a label is absent if it was not requested or would be misleading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// The final score of the game for the side to move, if no random move follows.
    pub outcome: Option<Score>,
    /// The final score after correcting the end of the game, if no random move comes before that.
    pub corrected: Option<Score>,
    /// The negamax value in the graph of all games.
    pub tree: Option<Score>,
    /// The value of a search.
    pub search: Option<Value>,
}

impl Labels {
    /// A label in discs.
    pub fn discs(&self, label: Label) -> Option<f32> {
        let score = |score: Option<Score>| score.map(|score| score.discs() as f32);
        match label {
            Label::Outcome => score(self.outcome),
            Label::Corrected => score(self.corrected),
            Label::Tree => score(self.tree),
            Label::Search => self.search.map(Value::discs),
        }
    }
}

/// A position of a game with its labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabeledPosition {
    /// The position in canonical form; the side to move has a legal move.
    pub board: Board,
    /// The number of the first game in which it occurred.
    pub game: u32,
    /// Its labels.
    pub labels: Labels,
}

/// The length of a labeled position in a file, in bytes.
pub(crate) const POSITION_BYTES: usize = 25;

/// The codes for an absent score and an absent value.
const NO_SCORE: i8 = i8::MIN;
const NO_VALUE: i16 = i16::MIN;

impl LabeledPosition {
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let Labels { outcome, corrected, tree, search } = self.labels;
        bytes.extend(self.board.player.to_le_bytes());
        bytes.extend(self.board.opponent.to_le_bytes());
        bytes.extend(self.game.to_le_bytes());
        for score in [outcome, corrected, tree] {
            bytes.extend(score.map_or(NO_SCORE, |score| score.discs() as i8).to_le_bytes());
        }
        bytes.extend(search.map_or(NO_VALUE, |value| value.clamped().parts() as i16).to_le_bytes());
    }

    /// Decodes a position; `None` if the bytes are invalid.
    pub(crate) fn read(bytes: &[u8; POSITION_BYTES]) -> Option<Self> {
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let board = Board::checked(long(0), long(8))?;
        let game = u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
        let score = |at: usize| match bytes[at] as i8 {
            NO_SCORE => Some(None),
            discs @ -64..=64 => Some(Some(Score::new(discs))),
            _ => None,
        };
        let value = i16::from_le_bytes([bytes[23], bytes[24]]);
        let search = Value::new(value.into());
        if value != NO_VALUE && search.clamped() != search {
            return None;
        }
        let search = (value != NO_VALUE).then_some(search);
        let labels = Labels { outcome: score(20)?, corrected: score(21)?, tree: score(22)?, search };
        Some(Self { board, game, labels })
    }
}
