//! The file of a match: the terms, and every game as soon as it has ended, one line of JSON each.
//!
//! A match that was killed is resumed from its file. A last line without a line ending was not written completely: it
//! is removed and its game is played again. The file of another match, or one with an invalid line, is refused; a
//! checksum at the end of each line detects every change. A match can be extended: everything about a game follows from
//! its number, so additional games do not change those already played.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use othello::{Board, Game, Rules};
use records::{GameRecord, ggf};
use serde::{Deserialize, Serialize};
use storage::Difference;
use storage::checked_line::{with_checksum, without_checksum};
use storage::growing_file::{self, lock, sync_folder};

use crate::opening_text;
use crate::referee::Ending;
use crate::schedule::Schedule;
use crate::terms::Terms;

/// The kind of file, as stated in the header.
const KIND: &str = "match";
const VERSION: u32 = 1;
/// The first line of a match with a million pairs of games has about 40 MB.
const MAX_HEADER_BYTES: u64 = 256 << 20;
/// A typical line of a game has 3,000 bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

#[derive(Serialize, Deserialize)]
struct Header {
    emilia: String,
    version: u32,
    terms: Terms,
    /// The openings: transcripts, or GGF for those with a custom start position.
    openings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    /// The new number of pairs of games for each two players.
    pairs: u32,
    /// The openings added to those of the first line.
    openings: Vec<String>,
}

/// A game as stored in the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// The number of the game, from 1.
    pub game: u64,
    /// The player with Black.
    pub black: String,
    /// The player with White.
    pub white: String,
    /// Black's score.
    pub score: i32,
    /// The end of the game.
    pub ending: Ending,
    /// The reason why the loser lost, if not on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The seconds on Black's and White's clock at the end, if they had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_left: Option<[Option<f64>; 2]>,
    /// The game with its opening, and the time and evaluation of every move, as GGF.
    pub ggf: String,
}

/// Reason why a match file, given by its path, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MatchFileError {
    /// The operating system reported an error.
    #[error("cannot use {0}: {1}")]
    Io(String, #[source] io::Error),
    /// Another process is using the file.
    #[error("{0} is in use: another process is playing this match")]
    InUse(String),
    /// Another kind of file, and its first difference from a match file.
    #[error("{0} is not a match file: {1}; expected a match file, or a new name")]
    NotAMatch(String, String),
    /// It is the file of another match, with this difference.
    #[error("{0} belongs to another match: its {1}, or another file")]
    Foreign(String, Difference),
    /// The line with this number is damaged in this way.
    #[error("{0}, line {1}: {2}; expected a game of this match")]
    Damaged(String, usize, String),
}

/// A file to which games are added.
#[derive(Debug)]
pub struct MatchFile {
    /// `None` until the file exists: it is created with its first line.
    file: Option<File>,
    path: PathBuf,
    terms: Terms,
    /// The line that has to be written before the next game.
    waiting: Vec<u8>,
}

/// The content of a file when it is opened.
#[derive(Debug)]
pub struct Opened<B: Rules = Board> {
    /// The file, to which games can be added once it has its openings.
    pub file: MatchFile,
    /// The openings of the match, or `None` if the file is new: then [`MatchFile::begin`] comes next.
    pub openings: Option<Vec<Game<B>>>,
    /// The number of pairs of games for each two players according to the file. If it is less than in the terms,
    /// [`MatchFile::extend`] comes next.
    pub pairs: u32,
    /// The games in the file.
    pub games: Vec<GameLine>,
    /// Whether the last line was incomplete and was removed.
    pub was_torn: bool,
}

impl MatchFile {
    /// Opens the file of the match with these terms, or of a shorter one with otherwise equal terms. If it does not
    /// exist, nothing is created yet.
    pub fn open<B: Rules>(path: &Path, terms: &Terms) -> Result<Opened<B>, MatchFileError> {
        let broken = |source| MatchFileError::Io(path.display().to_string(), source);
        let found = growing_file::open_existing(path).map_err(broken)?;
        let empty = Self { file: None, path: path.to_owned(), terms: terms.clone(), waiting: Vec::new() };
        let Some(mut file) = found else {
            return Ok(Opened { file: empty, openings: None, pairs: terms.pairs, games: Vec::new(), was_torn: false });
        };
        if !lock(&file).map_err(broken)? {
            return Err(MatchFileError::InUse(path.display().to_string()));
        }
        let content = Content::read(&file, path, terms)?;
        let Content { openings, pairs, games, good_bytes, .. } = content;
        if pairs > terms.pairs {
            let [found, expected] = [pairs, terms.pairs].map(|pairs| (u64::from(pairs) * 2).to_string());
            let field = "number of games of a pairing".to_owned();
            let difference = Difference { field, found, expected };
            return Err(MatchFileError::Foreign(path.display().to_string(), difference));
        }
        let was_torn = good_bytes < file.metadata().map_err(broken)?.len();
        if was_torn {
            file.set_len(good_bytes).and_then(|()| file.sync_all()).map_err(broken)?;
        }
        file.seek(SeekFrom::End(0)).map_err(broken)?;
        Ok(Opened { file: Self { file: Some(file), ..empty }, openings, pairs, games, was_torn })
    }

    /// Prepares the first line of a new file, which [`start`](Self::start) writes.
    pub fn begin<B: Rules>(&mut self, openings: &[Game<B>]) -> Result<(), MatchFileError> {
        let (emilia, openings) = (KIND.to_owned(), openings.iter().map(opening_text::format).collect());
        let header = Header { emilia, version: VERSION, terms: self.terms.clone(), openings };
        self.waiting = self.line(&header)?;
        Ok(())
    }

    /// Extends the match in the file to the length of its terms, with more openings; [`start`](Self::start) writes the
    /// change.
    pub fn extend<B: Rules>(&mut self, openings: &[Game<B>]) -> Result<(), MatchFileError> {
        let openings = openings.iter().map(opening_text::format).collect();
        self.waiting = self.line(&Extension { pairs: self.terms.pairs, openings })?;
        Ok(())
    }

    /// Writes the terms once the players are known to work: a refused match leaves no file.
    pub fn start(&mut self) -> Result<(), MatchFileError> {
        let line = std::mem::take(&mut self.waiting);
        if line.is_empty() { Ok(()) } else { self.append(&line) }
    }

    /// Adds a game, which is safe on the disk when this returns.
    pub fn add(&mut self, game: &GameLine) -> Result<(), MatchFileError> {
        self.start()?;
        let line = self.line(game)?;
        self.append(&line)
    }

    fn line(&self, value: &impl Serialize) -> Result<Vec<u8>, MatchFileError> {
        let line = serde_json::to_vec(value).map(|json| with_checksum(&json)).map_err(io::Error::from);
        line.map_err(|source| self.failed(source))
    }

    fn append(&mut self, line: &[u8]) -> Result<(), MatchFileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.create()?,
        };
        let file = self.file.insert(file);
        // One write for the line with its line ending: a line is either complete or recognizably torn.
        let written = file.write_all(line).and_then(|()| file.sync_data());
        written.map_err(|source| self.failed(source))
    }

    fn create(&self) -> Result<File, MatchFileError> {
        let in_use = || MatchFileError::InUse(self.path.display().to_string());
        let file = match growing_file::create(&self.path) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(in_use()),
            file => file.map_err(|source| self.failed(source))?,
        };
        let is_locked = lock(&file).and_then(|is_locked| sync_folder(&self.path).map(|()| is_locked));
        if is_locked.map_err(|source| self.failed(source))? { Ok(file) } else { Err(in_use()) }
    }

    fn failed(&self, source: io::Error) -> MatchFileError {
        MatchFileError::Io(self.path.display().to_string(), source)
    }
}

struct Content<'t, B: Rules> {
    terms: &'t Terms,
    openings: Option<Vec<Game<B>>>,
    pairs: u32,
    games: Vec<GameLine>,
    numbers: HashSet<u64>,
    good_bytes: u64,
}

impl<'t, B: Rules> Content<'t, B> {
    fn read(file: &File, path: &Path, terms: &'t Terms) -> Result<Self, MatchFileError> {
        let (games, numbers) = (Vec::new(), HashSet::new());
        let mut content = Self { terms, openings: None, pairs: terms.pairs, games, numbers, good_bytes: 0 };
        let path = path.display().to_string();
        let broken = |source| MatchFileError::Io(path.clone(), source);
        let not_a_match = |found: String| MatchFileError::NotAMatch(path.clone(), found);
        let mut reader = BufReader::with_capacity(1 << 16, file);
        // Checked before a line is read, because a line may be as long as the file.
        if !is_beginning(reader.fill_buf().map_err(broken)?) {
            return Err(not_a_match(format!("wrong file header; the first line must begin with {}", beginning())));
        }
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let limit = if number == 1 { MAX_HEADER_BYTES } else { MAX_LINE_BYTES };
            let length = (&mut reader).take(limit).read_until(b'\n', &mut line).map_err(broken)? as u64;
            let wrong = |found: String| match number {
                1 => not_a_match(format!("its first line is wrong: {found}")),
                _ => MatchFileError::Damaged(path.clone(), number, found),
            };
            if length == limit {
                return Err(wrong(format!("the line has more than {limit} bytes")));
            }
            // Only the last line can lack its line ending: it was not written completely.
            if !line.ends_with(b"\n") {
                break;
            }
            let json = without_checksum(&line).map_err(|error| wrong(error.to_string()))?;
            if number == 1 {
                content.read_header(&json, &path)?;
            } else {
                match serde_json::from_slice(&json) {
                    Ok(longer) => content.extend(longer),
                    Err(_) => content.add_game(&json),
                }
                .map_err(wrong)?;
            }
            content.good_bytes += length;
        }
        Ok(content)
    }

    fn read_header(&mut self, line: &[u8], path: &str) -> Result<(), MatchFileError> {
        let not_a_match = |found: String| MatchFileError::NotAMatch(path.to_owned(), found);
        let wrong = |error: serde_json::Error| not_a_match(format!("its first line is wrong: {error}"));
        let value: serde_json::Value = serde_json::from_slice(line).map_err(wrong)?;
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        if version != Some(VERSION.into()) {
            let found = version.map_or("none".to_owned(), |version| version.to_string());
            return Err(not_a_match(format!("its version is {found}; this program reads version {VERSION}")));
        }
        let header: Header = serde_json::from_value(value).map_err(wrong)?;
        if let Some(difference) = header.terms.difference(self.terms) {
            return Err(MatchFileError::Foreign(path.to_owned(), difference));
        }
        self.pairs = header.terms.pairs;
        let openings = opening_text::parse_all(&header.openings);
        self.openings = Some(openings.map_err(|error| not_a_match(format!("an opening of it is wrong: {error}")))?);
        Ok(())
    }

    fn add_game(&mut self, line: &[u8]) -> Result<(), String> {
        let game: GameLine = serde_json::from_slice(line).map_err(|error| format!("not a game: {error}"))?;
        let schedule = Schedule { players: self.terms.players.len(), pairs: self.pairs };
        if game.game == 0 || game.game > schedule.games() {
            return Err(format!("there is no game {} in a match of {} games", game.game, schedule.games()));
        }
        if !self.numbers.insert(game.game) {
            return Err(format!("game {} occurs twice", game.game));
        }
        let fixture = schedule.fixture(game.game - 1);
        let [black, white] = fixture.colors().map(|player| &self.terms.players[player].name);
        if (black, white) != (&game.black, &game.white) {
            return Err(format!("game {} is between {} and {}", game.game, game.black, game.white));
        }
        let record: GameRecord<B> = game.record_on()?;
        let openings = self.openings.as_deref().unwrap_or_default();
        let opening = openings.get(fixture.pair as usize % openings.len().max(1));
        let (moves, start) = (record.game.moves(), record.game.start());
        if opening.is_none_or(|opening| opening.start() != start || !moves.starts_with(&opening.moves())) {
            return Err(format!("game {} does not begin with its opening", game.game));
        }
        let is_consistent = match game.ending {
            Ending::Played => record.game.score().is_some_and(|score| score.discs() == game.score),
            _ => game.score.unsigned_abs() == B::GEOMETRY.area(),
        };
        if !is_consistent {
            return Err(format!("game {} does not end with the score {:+}", game.game, game.score));
        }
        self.games.push(game);
        Ok(())
    }

    fn extend(&mut self, longer: Extension) -> Result<(), String> {
        let Extension { pairs, openings } = longer;
        if pairs <= self.pairs {
            return Err(format!("a match of {} pairs of games is extended to {pairs}", self.pairs));
        }
        let more = opening_text::parse_all(&openings).map_err(|error| format!("an opening is wrong: {error}"))?;
        self.openings.get_or_insert_default().extend(more);
        self.pairs = pairs;
        Ok(())
    }
}

impl GameLine {
    /// The game on the standard board, with the time and evaluation of every move.
    pub fn record(&self) -> Result<GameRecord, String> {
        self.record_on()
    }

    /// The same on any board.
    pub fn record_on<B: Rules>(&self) -> Result<GameRecord<B>, String> {
        ggf::parse(&self.ggf).map_err(|error| format!("the moves of game {} are wrong: {error}", self.game))
    }
}

fn beginning() -> String {
    format!("{{\"emilia\":\"{KIND}\"")
}

/// A game that Black won by this many discs, without its moves.
#[cfg(test)]
pub(crate) fn line_of_score(game: u64, score: i32) -> GameLine {
    let (black, white, ggf) = Default::default();
    GameLine { game, black, white, score, ending: Ending::Played, reason: None, time_left: None, ggf }
}

/// Whether these bytes, possibly few, can be the beginning of the first line of a match.
fn is_beginning(bytes: &[u8]) -> bool {
    beginning().bytes().zip(bytes).all(|(expected, &byte)| byte == expected)
}
