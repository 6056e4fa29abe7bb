//! Games on file: one game of any board, or the stream of a whole database.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use storage::whole_file::{self, FileError};

use super::obf::Problem;
use super::reader::read_file;
use super::{
    Date, Format, GameRecord, RecordError, RecordProblem, Records, WriteError, ggf, open, read, sgf, text, thor,
    transcript,
};
use othello::{Board, CutBoard, Position, Rules, SmallBoard};

/// The maximum length in bytes of a file with one game, far above any real one.
const MAX_GAME_BYTES: u64 = 1 << 20;

/// The name for standard input or output.
pub const STANDARD_STREAM: &str = "-";

/// An error when games are read from or written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// The operating system reported an error while reading this file, folder or standard input.
    #[error("cannot read {0}")]
    Unreadable(String, #[source] io::Error),
    /// The path is a folder, not a file.
    #[error("{} is a folder; expected a file", .0.display())]
    Folder(PathBuf),
    /// A folder without game files.
    #[error("{} has no files of games; expected .wtb, .ggf, .sgf, .txt, .pgn or .obf", .0.display())]
    NoGameFiles(PathBuf),
    /// No game has this number.
    #[error("{} has {}", display_name(path), match count {
        0 if is_stream(path) => "no game or position".to_owned(),
        0 => "no games".to_owned(),
        1 => "one game; expected game 1".to_owned(),
        count => format!("{count} games; expected game 1 to {count}"),
    })]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// The number of games in the file.
        count: usize,
    },
    /// Another game than the first in a file of the board with this name, not 8x8, which holds one.
    #[error("a file for the {0} board has one game; expected game 1")]
    OneGameOnly(&'static str),
    /// A Thor file was given where a game on the board with this name was expected.
    #[error("{} cannot be a game of the {board} board: Thor files only hold 8x8 games", .0.display(), board = .1)]
    ThorIsOf8x8(PathBuf, &'static str),
    /// A Thor file cannot hold a game on the board with this name.
    #[error("a Thor file cannot hold a game of the {0} board; expected a file name ending in .txt, .ggf, .sgf or .obf")]
    NotForThor(&'static str),
    /// A transcript cannot hold a game with a custom start position.
    #[error("a transcript can only hold games from the standard start; expected a file name ending in .ggf or .sgf")]
    NotForTranscript,
    /// The file name does not imply a format.
    #[error("cannot tell the format of {}; expected a file name ending in .txt, .ggf, .sgf, .obf or .wtb", .0.display())]
    UnknownFormat(PathBuf),
    /// Standard input, which has no name that implies a format.
    #[error("cannot tell the format of standard input; expected --from FORMAT")]
    UnknownFormatOfInput,
    /// The file does not contain a game.
    #[error("{}", display_name(.0))]
    NoGame(PathBuf, #[source] RecordProblem),
    /// A record of the file is invalid.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The format cannot hold the game.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A record cannot be written to the in-memory copy of a file.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl GameFileError {
    fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = display_name(path);
        move |source| Self::Unreadable(what, source)
    }
}

pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_STREAM)
}

/// The name of a file in messages.
pub fn display_name(path: &Path) -> String {
    if is_stream(path) { "standard input".to_owned() } else { path.display().to_string() }
}

type Result<T, E = GameFileError> = std::result::Result<T, E>;

/// A board whose games can be read from files.
pub trait RecordedBoard: Rules {
    /// The games of a file, in this format or, if none is given, in the detected one; the name `-` means standard
    /// input.
    fn read_games(path: &Path, format: Option<Format>) -> Result<Records<'static, Self>> {
        Ok(Box::new(std::iter::once(Ok(read_only_game(path, format)?))))
    }

    /// Game number `number`, counted from 1, of a file.
    ///
    /// Databases contain 8x8 games; a file for another board holds one game.
    fn read_game(path: &Path, number: usize) -> Result<GameRecord<Self>> {
        if number != 1 {
            return Err(GameFileError::OneGameOnly(Self::GEOMETRY.name));
        }
        read_only_game(path, None)
    }

    /// Writes a game to a Thor file, which can hold only 8x8 games.
    fn write_thor(_path: &Path, _record: &GameRecord<Self>) -> Result<()> {
        Err(GameFileError::NotForThor(Self::GEOMETRY.name))
    }

    /// Adds a game to a Thor file.
    fn add_to_thor(_writer: &mut thor::FileWriter, _record: &GameRecord<Self>) -> Result<(), WriteError> {
        Err(WriteError::OtherBoard(Self::GEOMETRY.name))
    }
}

impl RecordedBoard for SmallBoard<6> {}
impl RecordedBoard for SmallBoard<4> {}
impl RecordedBoard for CutBoard {}

impl RecordedBoard for Board {
    fn read_games(path: &Path, format: Option<Format>) -> Result<Records<'static, Self>> {
        if !is_stream(path) || format.is_some() {
            return records_of(path, format);
        }
        // The content decides, and is not consumed.
        let detected = Format::detect(io::stdin().lock().fill_buf().map_err(GameFileError::unreadable(path))?);
        records_of(path, Some(detected))
    }

    fn read_game(path: &Path, number: usize) -> Result<GameRecord> {
        let mut count = 0;
        for record in Self::read_games(path, None)? {
            count += 1;
            if count == number {
                return Ok(record?);
            }
        }
        Err(GameFileError::NoSuchGame { path: path.to_owned(), count })
    }

    fn write_thor(path: &Path, record: &GameRecord) -> Result<()> {
        let mut writer = thor::FileWriter::create(path, today())?;
        writer.write(record)?;
        writer.finish()
    }

    fn add_to_thor(writer: &mut thor::FileWriter, record: &GameRecord) -> Result<(), WriteError> {
        writer.write(record)
    }
}

fn read_only_game<B: Rules>(path: &Path, format: Option<Format>) -> Result<GameRecord<B>> {
    let mut bytes = Vec::new();
    let mut read = || {
        if is_stream(path) {
            return io::stdin().lock().take(MAX_GAME_BYTES).read_to_end(&mut bytes);
        }
        File::open(path)?.take(MAX_GAME_BYTES).read_to_end(&mut bytes)
    };
    refuse_folder(path)?;
    read().map_err(GameFileError::unreadable(path))?;
    let content = String::from_utf8_lossy(&bytes);
    let content = content.trim();
    if content.is_empty() {
        return Err(GameFileError::NoSuchGame { path: path.to_owned(), count: 0 });
    }
    // Standard input has no name, so the format is detected from the content.
    let of_input = || is_stream(path).then(|| Format::detect(&bytes));
    let record = match format.or_else(|| Format::from_path(path)).or_else(of_input) {
        Some(Format::Ggf) => ggf::parse(content),
        Some(Format::Sgf) => sgf::parse(content),
        Some(Format::Obf) => content.parse::<Problem<B>>().map(GameRecord::from),
        Some(Format::Transcript) | None => text::only(content),
        Some(Format::Thor) => {
            return Err(GameFileError::ThorIsOf8x8(path.to_owned(), B::GEOMETRY.name));
        }
    };
    record.map_err(|source| GameFileError::NoGame(path.to_owned(), source))
}

/// Opening a folder succeeds on some systems, and reading it then fails with an obscure error.
fn refuse_folder(path: &Path) -> Result<()> {
    if !is_stream(path) && path.is_dir() { Err(GameFileError::Folder(path.to_owned())) } else { Ok(()) }
}

/// The files written together with a Thor file: the names of its players and of its tournaments.
pub fn names_beside(path: &Path) -> Option<[PathBuf; 2]> {
    (Format::from_path(path) == Some(Format::Thor)).then(|| thor::name_files(path))
}

/// Writes one game to a file, in the format given by its extension: the whole line of play, or in OBF the current
/// position. An existing file is replaced only when the new one is complete.
pub fn write_game<B: RecordedBoard>(path: &Path, record: &GameRecord<B>) -> Result<()> {
    let mut whole = record.clone();
    whole.game.forward();
    let text = match Format::from_path(path) {
        Some(Format::Ggf) => ggf::format(&whole),
        Some(Format::Sgf) => sgf::format(&whole),
        Some(Format::Obf) => Problem::from(record).to_string(),
        Some(Format::Transcript) if record.game.start() != Position::start() => {
            return Err(GameFileError::NotForTranscript);
        }
        Some(Format::Transcript) => transcript::format(&record.game),
        Some(Format::Thor) => return B::write_thor(path, &whole),
        None => return Err(GameFileError::UnknownFormat(path.to_owned())),
    };
    Ok(whole_file::replace(path, (text + "\n").as_bytes())?)
}

/// The records of a file of 8x8 games, in this format or, if none is given, in the detected one. The name `-` means
/// standard input.
pub fn records_of(path: &Path, format: Option<Format>) -> Result<Records<'static>> {
    if is_stream(path) {
        let format = format.ok_or(GameFileError::UnknownFormatOfInput)?;
        return Ok(read(io::stdin().lock(), "standard input", format));
    }
    refuse_folder(path)?;
    let Some(format) = format else {
        return open(path).map_err(GameFileError::unreadable(path));
    };
    let file = File::open(path).map_err(GameFileError::unreadable(path))?;
    Ok(read_file(BufReader::with_capacity(1 << 16, file), path, format))
}

/// Expands a list of paths: files stay as they are, and a folder becomes the record files in it, sorted by name.
pub fn expand_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            // Checked first, so that a wrong name is an error before the work begins.
            if !is_stream(path) {
                fs::metadata(path).map_err(GameFileError::unreadable(path))?;
            }
            files.push(path.clone());
            continue;
        }
        let unreadable = |source| GameFileError::Unreadable(format!("the folder {}", path.display()), source);
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.is_file() && Format::is_readable(&file) {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(GameFileError::NoGameFiles(path.clone()));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// Today's date in UTC.
pub fn today() -> Option<Date> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Date::of_unix_time(seconds)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn an_existing_file_is_not_touched_before_the_new_one_is_complete() {
        let folder = env::temp_dir().join(format!("emilia-game-file-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let game = transcript::parse::<Board>("f5d6c3").expect("a game");
        let [black, white] = ["Rose", "Tamenori"].map(str::to_owned);
        let record = GameRecord { black, white, date: today(), result: game.score(), ..GameRecord::new(game.clone()) };
        for name in ["game.txt", "game.ggf", "game.sgf", "game.obf", "game.wtb", "game.jou", "game.trn", "GAMES.JOU"] {
            let path = folder.join(name);
            fs::write(&path, "of old").expect("a file");
            // The same file under another name: writing into it would be visible here.
            fs::hard_link(&path, folder.join(format!("{name}.old"))).expect("a second name");
        }
        for name in ["game.txt", "game.ggf", "game.sgf", "game.obf", "game.wtb", "GAMES.WTB"] {
            let path = folder.join(name);
            write_game(&path, &record).expect("it is written");
            let again = Board::read_game(&path, 1).expect("it is read");
            assert_eq!(again.game.position(), game.position(), "{name}");
            let has_names =
                Format::from_path(&path).is_some_and(|format| ![Format::Transcript, Format::Obf].contains(&format));
            assert_eq!(again.black, if has_names { "Rose" } else { "" }, "{name}");
        }
        for entry in fs::read_dir(&folder).expect("the folder is read") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "old") {
                assert_eq!(fs::read_to_string(&path).expect("a text"), "of old", "{}", path.display());
            }
        }
        #[cfg(unix)]
        {
            let link = folder.join("link.sgf");
            std::os::unix::fs::symlink("game.sgf", &link).expect("a link");
            fs::write(&link, "of old").expect("the file that it leads to");
            write_game(&link, &record).expect("it is written");
            assert!(link.is_symlink(), "a link stays one");
            assert_eq!(Board::read_game(&folder.join("game.sgf"), 1).expect("it is read").black, "Rose");
        }
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
