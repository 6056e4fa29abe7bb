//! Writing games to the three files of a Thor database.

use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use storage::whole_file::{self, FileError, NewFile};

use super::header::Header;
use super::names::{Names, NewNames, PLAYER_LENGTH, TOURNAMENT_LENGTH, name_files};
use super::{MOVES, RawGame, code_of, discs_of};
use crate::files::GameFileError;
use crate::{Date, GameRecord, WriteError};
use othello::Position;

/// Writes games in `.wtb` format, and collects the names for its `.jou` and `.trn` files.
///
/// A Thor file holds games of one year from the standard start position; names are truncated to 19 characters for
/// players and 25 for tournaments. If a record states no result, the discs at the end of its moves count.
#[derive(Debug)]
pub struct Writer<W: Write + Seek> {
    out: W,
    header: Header,
    created: Option<Date>,
    players: NewNames,
    tournaments: NewNames,
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a file with this creation date.
    pub fn new(mut out: W, created: Option<Date>) -> io::Result<Self> {
        let header = Header { created: Header::created_on(created), board_size: 8, ..Header::default() };
        // The counts are filled in at the end.
        out.write_all(&header.to_bytes())?;
        let players = NewNames::new("player", PLAYER_LENGTH);
        let tournaments = NewNames::new("tournament", TOURNAMENT_LENGTH);
        Ok(Self { out, header, created, players, tournaments })
    }

    /// Writes a game. A game that does not fit is refused and leaves the file unchanged.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        if record.game.start() != Position::start() {
            return Err(WriteError::CustomStart("a Thor file"));
        }
        let mut header = self.header;
        header.games = header.games.checked_add(1).ok_or(WriteError::TooMany("game", u64::from(u32::MAX)))?;
        if let Some(date) = record.date {
            match header.year {
                0 => header.year = date.year(),
                year if year != date.year() => {
                    return Err(WriteError::OtherYear(date.year(), year));
                }
                _ => {}
            }
        }

        let mut game = record.game.clone();
        game.forward();
        let score = record.result.unwrap_or_else(|| game.position().black_score());
        let black_discs = discs_of(score).ok_or(WriteError::ImpossibleScore(score))?;
        let mut theoretical_discs = black_discs;
        if let Some(theoretical) = record.theoretical {
            theoretical_discs = discs_of(theoretical.score).ok_or(WriteError::ImpossibleScore(theoretical.score))?;
            match header.depth {
                0 => header.depth = theoretical.empties,
                depth if depth != theoretical.empties => {
                    return Err(WriteError::OtherDepth(theoretical.empties, depth));
                }
                _ => {}
            }
        }
        let mut moves = [0; MOVES];
        for (code, square) in moves.iter_mut().zip(game.moves()) {
            *code = code_of(square);
        }
        let raw = RawGame {
            tournament: self.tournaments.number(&record.event)?,
            black: self.players.number(&record.black)?,
            white: self.players.number(&record.white)?,
            black_discs,
            theoretical_discs,
            moves,
        };
        self.out.write_all(&raw.to_bytes())?;
        self.header = header;
        Ok(())
    }

    /// Fills in the header and writes the names to their own files.
    pub fn finish(mut self, players: &mut impl Write, tournaments: &mut impl Write) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.to_bytes())?;
        self.out.flush()?;
        self.players.write(players, self.created)?;
        self.tournaments.write(tournaments, self.created)?;
        Ok(self.out)
    }
}

/// Writes games to a `.wtb` file and their names to the `.jou` and `.trn` files next to it.
///
/// The three files are complete before the first one gets its name. The names come first, and those of the old files
/// keep their numbers: at any time between two of the files, the existing games, old or new, have the right names. So
/// do the games of other `.wtb` files that use the same names.
#[derive(Debug)]
pub struct FileWriter {
    writer: Writer<NewFile>,
    names: [PathBuf; 2],
}

impl FileWriter {
    /// Starts a file with this creation date.
    pub fn create(path: &Path, created: Option<Date>) -> Result<Self, GameFileError> {
        let is_names = path
            .extension()
            .is_some_and(|extension| ["jou", "trn"].iter().any(|&names| extension.eq_ignore_ascii_case(names)));
        // A pipe cannot hold three files.
        let is_stream = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if is_names || is_stream {
            return Err(WriteError::NeedsPath.into());
        }
        let names = name_files(path);
        let mut writer = Writer::new(NewFile::create(path)?, created)?;
        let old = Names::beside(path);
        // Names from a file with another base name belong to the old games, if there are any.
        let tables = [(&mut writer.players, old.players), (&mut writer.tournaments, old.tournaments)];
        for (file, (table, old)) in names.iter().zip(tables) {
            if let Some(old) = old.filter(|_| file.exists() || path.exists()) {
                table.keep(&old);
            }
        }
        Ok(Self { writer, names })
    }

    /// Writes a game. A game that does not fit is refused and leaves the file unchanged.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        self.writer.write(record)
    }

    /// Completes the three files.
    pub fn finish(self) -> Result<(), GameFileError> {
        let [players, tournaments] = &self.names;
        let (mut players, mut tournaments) = (NewFile::create(players)?, NewFile::create(tournaments)?);
        let path = self.writer.out.path().to_owned();
        let games =
            self.writer.finish(&mut players, &mut tournaments).map_err(|source| FileError::Unwritable(path, source))?;
        Ok(whole_file::commit_all([players, tournaments, games])?)
    }
}
