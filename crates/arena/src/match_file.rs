//! The file of a match: what is played, and every game as soon as it has ended, a line of JSON each.
//!
//! A match that was killed goes on from its file. A line that was not written to its end is cut off and its
//! game is played again; a file of another match, or one that is damaged before its last line, is refused. A match
//! can be prolonged: everything about a game follows from its number, so that more games change none that was played.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use othello::Game;
use othello::records::{GameRecord, ggf};
use serde::{Deserialize, Serialize};
use storage::Difference;
use storage::growing_file::lock;

use crate::legacy_terms::LegacyTerms;
use crate::opening_text;
use crate::referee::Ending;
use crate::schedule::Schedule;
use crate::terms::Terms;

/// What a file of a match says it is.
const KIND: &str = "match";
/// The version of the format that is written.
const VERSION: u32 = 2;
/// The version before, whose terms are sentences.
const LEGACY_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header<T> {
    emilia: String,
    version: u32,
    terms: T,
    /// The openings: transcripts, or GGF where they do not begin with the usual start.
    openings: Vec<String>,
}

/// The line that makes a match longer.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Prolongation {
    /// How many pairs of games each two players play from now on.
    pairs: u32,
    /// The openings that come to those which are there.
    openings: Vec<String>,
}

/// A game as it stands in the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// The number of the game, from 1 on.
    pub game: u64,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// Black's score.
    pub score: i32,
    /// How it ended.
    pub ending: Ending,
    /// Why the loser lost, if not on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The seconds on Black's and White's clock at the end, if they had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_left: Option<[Option<f64>; 2]>,
    /// The game with its opening, and time and value of every move, as GGF.
    pub ggf: String,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MatchFileError {
    /// The system refused.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another process plays into the file.
    #[error("{path} is in use: another process is playing this match")]
    InUse {
        /// The file.
        path: String,
    },
    /// It is no file of a match.
    #[error("{path} is not a file of a match: {found}; expected one, or a name that is free")]
    NotAMatch {
        /// The file.
        path: String,
        /// What was found.
        found: String,
    },
    /// It is the file of another match.
    #[error("{path} belongs to another match: its {part} is {found}; expected {expected}, or another file")]
    Foreign {
        /// The file.
        path: String,
        /// What differs.
        part: String,
        /// What the file says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A line before the last is wrong.
    #[error("{path}, line {line}: {found}; expected a game of this match")]
    Damaged {
        /// The file.
        path: String,
        /// The number of the line.
        line: usize,
        /// What was found.
        found: String,
    },
}

/// A file to which games are added.
#[derive(Debug)]
pub struct MatchFile {
    file: File,
    path: PathBuf,
    terms: Terms,
}

/// What a file holds when it is opened.
#[derive(Debug)]
pub struct Opened {
    /// The file, to which games can be added when it has its openings.
    pub file: MatchFile,
    /// The openings of the match, or none if the file is new: then [`MatchFile::begin`] comes next.
    pub openings: Option<Vec<Game>>,
    /// How many pairs of games each two players play by the file. If that is less than the terms say,
    /// [`MatchFile::prolong`] comes next.
    pub pairs: u32,
    /// The games that are in it already.
    pub games: Vec<GameLine>,
    /// Whether the last line was not complete and had to be cut off.
    pub was_torn: bool,
}

impl MatchFile {
    /// Opens the file of the match with these terms, or of a shorter one that differs in nothing else, or creates it.
    pub fn open(path: &Path, terms: &Terms) -> Result<Opened, MatchFileError> {
        let shown = || path.display().to_string();
        let broken = |source| MatchFileError::Io { path: shown(), source };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(broken)?;
        if !lock(&file).map_err(broken)? {
            return Err(MatchFileError::InUse { path: shown() });
        }
        let mut file = Self { file, path: path.to_owned(), terms: terms.clone() };
        let mut content = Content { pairs: terms.pairs, ..Content::default() };
        file.read(&mut content)?;
        if content.pairs > terms.pairs {
            let games = |pairs: u32| (u64::from(pairs) * 2).to_string();
            let part = "number of games of a pairing".to_owned();
            let (found, expected) = (games(content.pairs), games(terms.pairs));
            return Err(MatchFileError::Foreign { path: shown(), part, found, expected });
        }
        let length = file.file.metadata().map_err(broken)?.len();
        let was_torn = content.good_bytes < length;
        if was_torn {
            file.file.set_len(content.good_bytes).map_err(broken)?;
            file.file.sync_all().map_err(broken)?;
        }
        file.file.seek(SeekFrom::End(0)).map_err(broken)?;
        let Content { openings, games, pairs, .. } = content;
        Ok(Opened { file, openings, pairs, games, was_torn })
    }

    /// Writes the first line of a new file.
    pub fn begin(&mut self, openings: &[Game]) -> Result<(), MatchFileError> {
        let openings = openings.iter().map(opening_text::format).collect();
        let header = Header { emilia: KIND.to_owned(), version: VERSION, terms: self.terms.clone(), openings };
        self.append(&header)
    }

    /// Makes the match in the file as long as its terms say, with more openings.
    pub fn prolong(&mut self, openings: &[Game]) -> Result<(), MatchFileError> {
        let openings = openings.iter().map(opening_text::format).collect();
        self.append(&Prolongation { pairs: self.terms.pairs, openings })
    }

    /// Adds a game: when this returns, the game survives whatever happens.
    pub fn add(&mut self, game: &GameLine) -> Result<(), MatchFileError> {
        self.append(game)
    }

    fn append(&mut self, value: &impl Serialize) -> Result<(), MatchFileError> {
        // One write for the line with its end: a line is there as a whole, or can be told to be torn.
        let written = serde_json::to_vec(value).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)?;
            self.file.sync_data()
        });
        written.map_err(|source| MatchFileError::Io { path: self.path.display().to_string(), source })
    }

    fn read(&mut self, content: &mut Content) -> Result<(), MatchFileError> {
        let path = self.path.display().to_string();
        let broken = |source| MatchFileError::Io { path: path.clone(), source };
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        let mut number = 0;
        // A line that is wrong may be the last one, which is torn; only another line behind it tells.
        let mut wrong: Option<MatchFileError> = None;
        let mut position = 0;
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(broken)? as u64;
            if length == 0 {
                return Ok(());
            }
            if let Some(error) = wrong {
                return Err(error);
            }
            number += 1;
            position += length;
            let is_complete = line.ends_with(b"\n");
            let found = match number {
                1 if is_complete => self.read_header(&line, &path, content).map(Ok)?,
                // The beginning of a header alone is a match that has not begun.
                1 if is_beginning(&line) => Err("it has no end".to_owned()),
                1 => {
                    let found = "it does not begin with a line of JSON that says so".to_owned();
                    return Err(MatchFileError::NotAMatch { path, found });
                }
                _ if is_complete => match serde_json::from_slice(&line) {
                    Ok(longer) => prolonged(longer, content),
                    Err(_) => self.read_game(&line, content),
                },
                _ => Err("it has no end".to_owned()),
            };
            match found {
                Ok(()) => content.good_bytes = position,
                Err(found) => wrong = Some(MatchFileError::Damaged { path: path.clone(), line: number, found }),
            }
        }
    }

    fn read_header(&self, line: &[u8], path: &str, content: &mut Content) -> Result<(), MatchFileError> {
        let not_a_match = |found: String| MatchFileError::NotAMatch { path: path.to_owned(), found };
        let value: serde_json::Value = serde_json::from_slice(line)
            .map_err(|_| not_a_match("it does not begin with a line of JSON that says so".to_owned()))?;
        if value.get("emilia").and_then(|kind| kind.as_str()) != Some(KIND) {
            return Err(not_a_match("its first line does not say \"emilia\":\"match\"".to_owned()));
        }
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        let wrong = |error: String| not_a_match(format!("its first line is wrong: {error}"));
        let header: Header<Terms> = match version.and_then(|version| u32::try_from(version).ok()) {
            Some(VERSION) => serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?,
            Some(LEGACY_VERSION) => {
                let Header { emilia, version, terms, openings } =
                    serde_json::from_value::<Header<LegacyTerms>>(value).map_err(|error| wrong(error.to_string()))?;
                Header { emilia, version, terms: terms.terms().map_err(wrong)?, openings }
            }
            _ => {
                let found = version.map_or("none".to_owned(), |version| version.to_string());
                let known = format!("versions {LEGACY_VERSION} and {VERSION}");
                return Err(not_a_match(format!("its version is {found}, and this program knows {known}")));
            }
        };
        if let Some(Difference { field: part, found, expected }) = header.terms.difference(&self.terms) {
            return Err(MatchFileError::Foreign { path: path.to_owned(), part, found, expected });
        }
        content.pairs = header.terms.pairs;
        let openings: Result<Vec<Game>, String> =
            header.openings.iter().map(|text| opening_text::parse(text)).collect();
        content.openings = Some(openings.map_err(|error| not_a_match(format!("an opening of it is wrong: {error}")))?);
        Ok(())
    }

    fn read_game(&self, line: &[u8], content: &mut Content) -> Result<(), String> {
        let game: GameLine = serde_json::from_slice(line).map_err(|error| format!("this is no game: {error}"))?;
        let schedule = Schedule { players: self.terms.players.len(), pairs: content.pairs };
        if game.game == 0 || game.game > schedule.games() {
            return Err(format!("there is no game {} in a match of {} games", game.game, schedule.games()));
        }
        if content.numbers.contains(&game.game) {
            return Err(format!("game {} is there twice", game.game));
        }
        let fixture = schedule.fixture(game.game - 1);
        let [black, white] = fixture.colors().map(|player| &self.terms.players[player].name);
        if (black, white) != (&game.black, &game.white) {
            return Err(format!("game {} is between {} and {}", game.game, game.black, game.white));
        }
        let record: GameRecord = game.record()?;
        let openings = content.openings.as_deref().unwrap_or_default();
        let opening = openings.get(fixture.pair as usize % openings.len().max(1));
        let (moves, start) = (record.game.moves(), record.game.start());
        if opening.is_none_or(|opening| opening.start() != start || !moves.starts_with(&opening.moves())) {
            return Err(format!("game {} does not begin with its opening", game.game));
        }
        let is_consistent = match game.ending {
            Ending::Played => record.game.score().is_some_and(|score| score.discs() == game.score),
            _ => game.score.abs() == 64,
        };
        if !is_consistent {
            return Err(format!("game {} does not end with the score {:+}", game.game, game.score));
        }
        content.numbers.insert(game.game);
        content.games.push(game);
        Ok(())
    }
}

/// What has been read.
#[derive(Default)]
struct Content {
    openings: Option<Vec<Game>>,
    pairs: u32,
    games: Vec<GameLine>,
    numbers: HashSet<u64>,
    good_bytes: u64,
}

/// Takes the line that makes a match longer.
fn prolonged(longer: Prolongation, content: &mut Content) -> Result<(), String> {
    let Prolongation { pairs, openings } = longer;
    if pairs <= content.pairs {
        return Err(format!("a match of {} pairs of games is prolonged to {pairs}", content.pairs));
    }
    let more: Result<Vec<Game>, String> = openings.iter().map(|text| opening_text::parse(text)).collect();
    let more = more.map_err(|error| format!("an opening is wrong: {error}"))?;
    content.openings.get_or_insert_default().extend(more);
    content.pairs = pairs;
    Ok(())
}

impl GameLine {
    /// The game, with time and value of every move.
    pub fn record(&self) -> Result<GameRecord, String> {
        ggf::parse(&self.ggf).map_err(|error| format!("the moves of game {} are wrong: {error}", self.game))
    }
}

/// Whether these bytes are how the first line of a match begins.
fn is_beginning(line: &[u8]) -> bool {
    let start = format!("{{\"emilia\":\"{KIND}\"");
    let length = start.len().min(line.len());
    line[..length] == start.as_bytes()[..length]
}
