//! Place of the index of a database of games, and the conditions under which it is made.

use std::time::Instant;
use std::{env, fs};

use book::explorer::{Index, IndexError, LeftOut, Progress, Relation, Sources, SourcesError};
use storage::{FormatError, checksum};

use super::Ready;
use crate::prelude::*;

pub(crate) struct IndexRequest<'a> {
    pub(crate) games: &'a [PathBuf],
    pub(crate) format: Option<Format>,
    pub(crate) index: Option<&'a Path>,
    /// The file of the opening book, which is only read.
    pub(crate) book: Option<&'a Path>,
    pub(crate) rebuild: bool,
}

impl IndexRequest<'_> {
    /// The index of these games, made or made again if necessary; without games, the index in this file.
    pub(crate) fn ready(&self) -> Result<Ready> {
        let start = Instant::now();
        if let Some(path) = self.index {
            require_file(path)?;
        }
        if self.games.is_empty() {
            let Some(path) = self.index else {
                bail_usage!(
                    "no games given; expected --games FOLDER, or --index FILE for an index that was made before"
                )
            };
            return Ok(Ready { index: Index::open(path)?, is_new: false, time: start.elapsed() });
        }
        let sources = self.sources()?;
        if let Some(path) = self.index {
            let roles = FileRoles::new().reads_all(sources.files());
            let roles = self.book.iter().fold(roles, |roles, path| roles.reads("--book", path));
            roles.writes("--index", path).check()?;
            if Format::from_path(path).is_some() {
                let sentence = "has the name of a file of games; expected another name, such as games.index";
                bail_usage!("--index {} {sentence}", path.display());
            }
        }
        let existing = if self.rebuild { None } else { self.existing(&sources)? };
        match existing {
            Some(index) => Ok(Ready { index, is_new: false, time: start.elapsed() }),
            None => self.make(&sources),
        }
    }

    /// The index made again because of an error, if it may be: one that was named is not replaced.
    pub(crate) fn repaired(&self, error: IndexError) -> Result<Ready> {
        match self.index {
            None if !self.games.is_empty() => self.make(&self.sources()?),
            Some(_) if !self.games.is_empty() => Err(refusal(error)),
            _ => Err(error.into()),
        }
    }

    fn sources(&self) -> Result<Sources> {
        Sources::of(self.games, self.format).map_err(|error| match error {
            SourcesError::Index(_) | SourcesError::Book(_) => UsageError::new(error).into(),
            SourcesError::Games(error) => error.into(),
        })
    }

    /// The index that was made from these games as they are now, if there is one.
    fn existing(&self, sources: &Sources) -> Result<Option<Index>> {
        let Some(path) = self.place(sources) else { return Ok(None) };
        let is_requested = self.index.is_some();
        let index = match Index::open(&path) {
            Ok(index) => index,
            Err(_) if is_free(&path) || !is_requested => return Ok(None),
            Err(error) => return Err(refusal(error)),
        };
        match sources.relation(&index) {
            Relation::Current => Ok(Some(index)),
            Relation::Other if is_requested && sources.is_stream() => {
                bail!("{} already exists; --rebuild replaces it with an index of these games", path.display());
            }
            Relation::Other if is_requested => {
                bail!("{} is an index of other games; --rebuild replaces it", path.display());
            }
            Relation::Outdated | Relation::Other => Ok(None),
        }
    }

    fn make(&self, sources: &Sources) -> Result<Ready> {
        let start = Instant::now();
        if let Some(path) = self.index {
            whole_file::check_replaceable(path, Index::BEGINNING, "index of games")?;
        }
        let (bytes, games) = build(sources);
        if games == 0 {
            warn_of(&Index::from_bytes(bytes)?.left_out());
            bail!("no games with moves from the standard starting position were found");
        }
        if let Some(path) = self.place(sources) {
            keep(&path, &bytes, self.index.is_some())?;
        }
        Ok(Ready { index: Index::from_bytes(bytes)?, is_new: true, time: start.elapsed() })
    }

    /// Path of the index of these games: the requested file, or one among the caches.
    fn place(&self, sources: &Sources) -> Option<PathBuf> {
        // Games from a pipe cannot be recognized the next time.
        let cached = || if sources.is_stream() { None } else { cache_file(sources) };
        self.index.map(Path::to_owned).or_else(cached)
    }
}

/// Refuses what cannot be read more than once: standard input and output, pipes, devices; and folders.
fn require_file(path: &Path) -> Result<()> {
    let refused = |what: &str| Err(UsageError::new(format!("--index {} {what}", path.display())).into());
    ensure_usage!(path != Path::new(STANDARD_STREAM), "--index cannot be standard input or output; expected a file");
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => refused("is a folder; expected a file"),
        Ok(found) if !found.is_file() || whole_file::is_open_file(path) => {
            refused("is not a regular file; expected a file")
        }
        _ => Ok(()),
    }
}

/// Whether nothing is lost if an index is written to this file.
fn is_free(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(found) => found.len() == 0,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Reason why a named index is not replaced, and how it can be.
fn refusal(error: IndexError) -> anyhow::Error {
    let advice = match error {
        IndexError::Unreadable(..) => return error.into(),
        // Such a file is never replaced.
        IndexError::Foreign(_, FormatError::Foreign { .. }) => "choose another name",
        IndexError::Foreign(..) | IndexError::Damaged(..) | IndexError::Incomplete(..) => {
            "--rebuild makes it again from the games"
        }
    };
    anyhow!("{}; {advice}", report::words::sentence(&error))
}

pub(super) fn warn_of(left_out: &LeftOut) {
    let LeftOut { unreadable_files, bad_records, other_starts, without_moves } = *left_out;
    let starts = match other_starts {
        1 => "1 game from another starting position".to_owned(),
        count => format!("{} from other starting positions", counted(count, "game")),
    };
    let empty = format!("{} without moves", counted(without_moves, "game"));
    let skipped = [
        (unreadable_files, counted(unreadable_files, "unreadable file")),
        (bad_records, counted(bad_records, "bad record")),
    ];
    for (parts, end) in [
        (skipped, "skipped; emilia games --strict shows why"),
        ([(other_starts, starts), (without_moves, empty)], "left out"),
    ] {
        if let Some(left_out) = output::parts(parts) {
            output::warn(&format!("{left_out} {end}"));
        }
    }
}

fn build(sources: &Sources) -> (Vec<u8>, usize) {
    let mut live = LiveLine::on_stderr();
    let mut found = 0;
    let bytes = sources.build(|progress| {
        // The index counts the records that are left out.
        if let Progress::File { read, all, games } = progress {
            found = games;
            let games = counted(games as u64, "game");
            live.show(&format!("reading games: file {} of {all}, {games}", (read + 1).min(all)));
        }
    });
    (bytes, found)
}

/// Writes an index. One that was not named only serves the next run.
fn keep(path: &Path, bytes: &[u8], is_requested: bool) -> Result<()> {
    if is_requested {
        return Ok(whole_file::replace(path, bytes)?);
    }
    let folder = storage::same_file::folder_of(path);
    let written = fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()));
    let written = written.and_then(|()| Ok(whole_file::replace(path, bytes)?));
    if let Err(error) = written {
        output::warn(&format!("the index was not kept: {}", output::sentence_of(&error)));
    }
    Ok(())
}

/// The file in the folder for caches that belongs to these files and folders, in whatever order they are given.
fn cache_file(sources: &Sources) -> Option<PathBuf> {
    let names: Vec<_> = sources.given().iter().map(|path| path.as_os_str().as_encoded_bytes()).collect();
    // A separator that no path has.
    let sum = checksum::fnv1a(names.iter().flat_map(|name| [*name, b"\0"]));
    Some(cache_folder()?.join("emilia").join(format!("games-{sum:016x}.index")))
}

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
