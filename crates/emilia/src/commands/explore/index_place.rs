//! Where the index of a database of games is kept, and when it is made.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use book::explorer::{Index, IndexError, Progress, Sources};
use storage::{checksum, whole_file};
use terminal::live_line::LiveLine;

use super::Ready;
use crate::arguments::output_path::FileRoles;
use crate::arguments::usage_error::UsageError;
use crate::output;
use crate::output::bad_records::BadRecords;

/// The index of these games, made or made again if necessary; without games, the index in this file.
pub(super) fn ready(games: &[PathBuf], asked: Option<&Path>) -> Result<Ready> {
    let start = Instant::now();
    if games.is_empty() {
        let Some(path) = asked else {
            let sentence = "no games given; expected --games FOLDER, or --index FILE for an index that was made before";
            return Err(UsageError::new(sentence).into());
        };
        return Ok(Ready { index: Index::open(path)?, is_new: false, time: start.elapsed() });
    }
    let sources = Sources::of(games)?;
    if let Some(path) = asked {
        FileRoles::new().reads_all(sources.files()).writes("--index", path).check()?;
    }
    let path = place(games, &sources, asked);
    match path.as_deref().and_then(|path| up_to_date(path, &sources)) {
        Some(index) => Ok(Ready { index, is_new: false, time: start.elapsed() }),
        None => make(games, asked),
    }
}

/// Makes the index of these games, whether there is one or not.
pub(super) fn make(games: &[PathBuf], asked: Option<&Path>) -> Result<Ready> {
    let start = Instant::now();
    let sources = Sources::of(games)?;
    if let Some(path) = asked {
        whole_file::check_replaceable(path, Index::BEGINNING, "index of games")?;
    }
    let bytes = build(&sources)?;
    if let Some(path) = place(games, &sources, asked) {
        keep(&path, &bytes, asked.is_some())?;
    }
    Ok(Ready { index: Index::from_bytes(bytes)?, is_new: true, time: start.elapsed() })
}

/// Where the index of these games is kept: in the file that was asked for, or among the caches.
fn place(games: &[PathBuf], sources: &Sources, asked: Option<&Path>) -> Option<PathBuf> {
    // What comes from a pipe cannot be recognized the next time.
    let cached = || if sources.is_stream() { None } else { cache_file(games) };
    asked.map(Path::to_owned).or_else(cached)
}

/// The index in a file, if it is whole and was made from these sources as they are now.
fn up_to_date(path: &Path, sources: &Sources) -> Option<Index> {
    match Index::open(path) {
        Ok(index) => (*index.sources() == sources.fingerprint()).then_some(index),
        // There is none yet. A file that must not be replaced, or cannot be, is reported before it would be.
        Err(IndexError::Unreadable { .. } | IndexError::Foreign { .. }) => None,
        Err(error) => {
            complain_of(&error);
            None
        }
    }
}

/// Reports an index that is made again because it cannot be read.
pub(super) fn complain_of(error: &IndexError) {
    output::complain(&format!("{}; it is made again", report::words::sentence(error)));
}

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let mut live = LiveLine::on_stderr();
    let mut bad = BadRecords::counted();
    let mut found = 0;
    let bytes = sources.build(|progress| match progress {
        Progress::File { read, all, games } => {
            found = games;
            live.show(&format!(
                "reading games: file {} of {all}, {}",
                (read + 1).min(all),
                output::counted(games as u64, "game")
            ));
        }
        Progress::BadRecord(error) => bad.add(error),
        Progress::BadFile(error) => bad.add_file(&report::words::sentence(error)),
    });
    drop(live);
    bad.conclude(false, "emilia games --strict shows why")?;
    if found == 0 {
        bail!("no games with moves were found");
    }
    Ok(bytes)
}

/// Writes an index. One that was not asked for by name is only for the next time.
fn keep(path: &Path, bytes: &[u8], was_asked_for: bool) -> Result<()> {
    if was_asked_for {
        return Ok(whole_file::replace(path, bytes)?);
    }
    let folder = storage::same_file::folder_of(path);
    let written = fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()));
    let written = written.and_then(|()| {
        whole_file::check_replaceable(path, Index::BEGINNING, "index of games")?;
        Ok(whole_file::replace(path, bytes)?)
    });
    if let Err(error) = written {
        output::complain(&format!("the index was not kept: {}", output::sentence_of(&error)));
    }
    Ok(())
}

/// The file in the folder for caches that belongs to these files and folders.
fn cache_file(games: &[PathBuf]) -> Option<PathBuf> {
    let paths = games.iter().map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.clone()));
    let names: Vec<_> = paths.map(|path| path.into_os_string().into_encoded_bytes()).collect();
    // A separator that no path has.
    let sum = checksum::fnv1a(names.iter().flat_map(|name| [name.as_slice(), b"\0"]));
    Some(cache_folder()?.join("emilia").join(format!("games-{sum:016x}.index")))
}

/// The folder for caches of the user.
fn cache_folder() -> Option<PathBuf> {
    let folder = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    let home = || {
        let caches = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        Some(folder("HOME")?.join(caches))
    };
    folder("XDG_CACHE_HOME").or_else(home)
}
