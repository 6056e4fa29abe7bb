//! Builds an index from game records.

use std::collections::HashMap;

use othello::Position;
use records::filter::black_score;
use records::{GameRecord, opening_names};
use serde::{Deserialize, Serialize};
use storage::Fingerprint;

use super::Strength;
use super::index_file::{DISCS, ENTRY_BYTES, FORMAT, GAME_BYTES, GameEntry, Head, NO_MOVE, NO_POSITION, tag};
use super::position_key::{KEY_BITS, PositionKey};
use super::strength::{GameResult, strengths};

/// Number of games left out when an index was made, by reason. It is part of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    /// Files that cannot be read.
    pub unreadable_files: u64,
    /// Records that cannot be read.
    pub bad_records: u64,
    /// Games that begin with another position than that of the rules.
    pub other_starts: u64,
    /// Games without moves.
    pub without_moves: u64,
}

/// An index that is being built.
pub struct IndexBuilder {
    players: Names,
    events: Names,
    openings: Names,
    games: Vec<u8>,
    columns: Vec<Vec<u8>>,
    results: Vec<GameResult>,
    sources: Fingerprint,
    pub(super) left_out: LeftOut,
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

impl Default for IndexBuilder {
    /// An index without games.
    fn default() -> Self {
        Self::from_sources(Fingerprint::of(&()))
    }
}

impl IndexBuilder {
    /// An index without games, which will be made from these sources.
    pub(crate) fn from_sources(sources: Fingerprint) -> Self {
        Self {
            players: Names::default(),
            events: Names::default(),
            openings: Names::default(),
            games: Vec::new(),
            columns: vec![Vec::new(); DISCS.count()],
            results: Vec::new(),
            sources,
            left_out: LeftOut::default(),
        }
    }

    /// The number of games so far.
    pub fn game_count(&self) -> usize {
        self.games.len() / GAME_BYTES
    }

    /// Adds a game; one without moves, or from another position than the standard start, is counted and left out.
    pub fn add(&mut self, record: &GameRecord) {
        let moves = record.game.moves();
        if moves.is_empty() {
            self.left_out.without_moves += 1;
            return;
        }
        if record.game.start() != Position::start() {
            self.left_out.other_starts += 1;
            return;
        }
        let names = [
            self.players.number(known_name(&record.black)),
            self.players.number(known_name(&record.white)),
            self.events.number(record.event.trim()),
        ];
        let opening = opening_names::of_game(&record.game);
        let opening = opening.and_then(|opening| u16::try_from(self.openings.number(opening.name)).ok());
        let score = black_score(record);
        let mut entry = GameEntry::new(names, record.date.map(|date| date.year()), score, opening);
        self.count_result(&names, score);
        let rating = |rating: Option<f64>| rating.map(|rating| rating.round().clamp(-9999.0, 9999.0) as i16);
        entry.black_rating = rating(record.black_rating);
        entry.white_rating = rating(record.white_rating);
        self.games.extend(entry.to_bytes());
        for column in &mut self.columns {
            column.extend([NO_POSITION; ENTRY_BYTES]);
        }
        for (index, position) in record.game.positions().enumerate() {
            let Some(entry) = self.last_entry(&position) else { continue };
            let key = PositionKey::of(&position);
            let next = moves.get(index).map_or(NO_MOVE, |&square| key.canonical_move(square).index() as u8);
            let word = key.key | u64::from(next) << KEY_BITS;
            entry.copy_from_slice(&word.to_le_bytes()[..ENTRY_BYTES]);
        }
    }

    /// Counts the result of a game for the strengths of its players, if both are known and not the same.
    fn count_result(&mut self, &[black, white, _]: &[u32; 3], score: Option<i32>) {
        let is_known = |number: u32| self.players.list.get(number as usize).is_some_and(|name| !name.is_empty());
        if let Some(score) = score.filter(|_| black != white && is_known(black) && is_known(white)) {
            let score = 0.5 + 0.5 * f64::from(score.signum());
            self.results.push(GameResult { players: [black, white], score });
        }
    }

    /// The entry of the last game for positions with as many discs as this one.
    fn last_entry(&mut self, position: &Position) -> Option<&mut [u8]> {
        let column = position.board.disc_count().checked_sub(*DISCS.start())?;
        let column = self.columns.get_mut(column as usize)?;
        let start = column.len().checked_sub(ENTRY_BYTES)?;
        column.get_mut(start..)
    }

    /// The index as a file.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = FORMAT.growing_header(0).to_vec();
        bytes.extend(Head::block(tag::SOURCES, [0], self.sources.to_string().as_bytes()));
        // Plain numbers are always valid JSON.
        let left_out = serde_json::to_vec(&self.left_out).unwrap_or_default();
        bytes.extend(Head::block(tag::LEFT_OUT, [0], &left_out));
        let strengths = strengths(self.players.list.len(), &self.results);
        for (field, names) in [self.players, self.events, self.openings].into_iter().enumerate() {
            // Texts are always valid JSON.
            let names = serde_json::to_vec(&names.list).unwrap_or_default();
            bytes.extend(Head::block(tag::NAMES, [field as u8], &names));
        }
        let strengths: Vec<u8> = strengths.into_iter().flat_map(Strength::to_bytes).collect();
        bytes.extend(Head::block(tag::STRENGTHS, [0], &strengths));
        bytes.extend(Head::block(tag::GAMES, [0], &self.games));
        bytes.reserve(self.columns.iter().map(|column| column.len() + Head::BYTES).sum());
        for (discs, column) in DISCS.zip(self.columns) {
            bytes.extend(Head::block(tag::COLUMN, [discs as u8], &column));
        }
        bytes
    }
}

/// The name of a player; empty for a placeholder of an unknown one, such as `???` in Thor files.
fn known_name(name: &str) -> &str {
    let name = name.trim();
    if name.chars().all(|symbol| symbol == '?' || symbol.is_whitespace()) { "" } else { name }
}
