//! Files of a session: saved, loaded, and found by the beginning of their names.

use std::path::{self, Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use records::files::{self as game_file, RecordedBoard, STANDARD_STREAM};
use records::{Format, GameRecord, opening_names};
use report::analysis::Page;
use session::{FileResult, FoundGame, InputKind};
use storage::whole_file;

use report::words;

/// Games of a file are counted up to this number.
const MAX_COUNTED: usize = 10_000;

/// Writes a game; if files would be overwritten, the person is asked first.
pub(crate) fn save<B: RecordedBoard>(path: &Path, record: &GameRecord<B>, overwrite: bool) -> FileResult<B> {
    let file = at_home(path);
    if !overwrite && Format::from_path(&file).is_some() {
        let written = std::iter::once(path.to_owned()).chain(game_file::names_beside(path).into_iter().flatten());
        let there: Vec<_> = written.filter(|path| at_home(path).exists()).collect();
        if !there.is_empty() {
            return FileResult::Exists { there, is_report: false };
        }
    }
    match game_file::write_game(&file, record) {
        Ok(()) => FileResult::Saved,
        Err(error) => failed(InputKind::Save, &error.into()),
    }
}

/// Writes the report of an analysis; only an older report is overwritten, and the person is asked first.
pub(crate) fn write_report<B: RecordedBoard>(path: &Path, html: &str, overwrite: bool) -> FileResult<B> {
    let file = at_home(path);
    let is_ours = whole_file::check_replaceable(&file, Page::BEGINNING.as_bytes(), "report");
    if is_ours.is_ok() && !overwrite && file.exists() {
        return FileResult::Exists { there: vec![path.to_owned()], is_report: true };
    }
    match is_ours.and_then(|()| whole_file::replace(&file, html.as_bytes())) {
        Ok(()) => FileResult::ReportWritten,
        Err(error) => failed(InputKind::Report, &error.into()),
    }
}

pub(crate) fn load<B: RecordedBoard>(path: &Path, number: usize) -> FileResult<B> {
    match read(path, number) {
        Ok(found) => FileResult::Loaded(found),
        Err(error) => failed(InputKind::Load, &error),
    }
}

/// A game of a file or, if no file has this name, the game of the moves or of the opening that the text names.
///
/// Only from a file that ends: the screen would wait for standard input, a pipe or a device.
fn read<B: RecordedBoard>(path: &Path, number: usize) -> Result<FoundGame<B>> {
    // A file of that name is meant, if anything.
    let file = if path == Path::new(STANDARD_STREAM) { Path::new(".").join(path) } else { at_home(path) };
    if number == 1
        && !file.exists()
        && let Some(record) = path.to_str().and_then(|text| opening_names::record::<B>(text).ok())
        && !record.game.line().is_empty()
    {
        return Ok(FoundGame { record: Box::new(record), number, count: 1, has_more: false });
    }
    let kind = fs::metadata(&file).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(kind.is_file() || kind.is_dir(), "not a file or a folder: {}", path.display());
    let record = Box::new(B::read_game(&file, number)?);
    let count = B::read_games(&file, None)?.take(MAX_COUNTED).count();
    Ok(FoundGame { record, number, count, has_more: count == MAX_COUNTED })
}

/// The name of a file, and the number of a game in it, which may stand behind the name: `FILE#3`.
pub(crate) fn numbered(text: &str) -> (&str, usize) {
    let numbered = text.rsplit_once('#').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    numbered.unwrap_or((text, 1))
}

fn failed<B: RecordedBoard>(what: InputKind, error: &anyhow::Error) -> FileResult<B> {
    let reason = words::printable(&words::sentence(error.as_ref())).into_owned();
    FileResult::Failed { what, reason }
}

/// The names of folders and of files of records that begin so, as they would be typed.
pub(crate) fn beginning_with(text: &str) -> Vec<String> {
    let (folder, beginning) = match text.rfind(path::is_separator) {
        Some(slash) => text.split_at(slash + 1),
        None => ("", text),
    };
    let place = if folder.is_empty() { PathBuf::from(".") } else { at_home(Path::new(folder)) };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !beginning.starts_with('.');
            if is_hidden || !name.starts_with(beginning) || name.contains(char::is_control) {
                return None;
            }
            let is_folder = entry.path().is_dir();
            let is_wanted = is_folder || Format::is_readable(&name);
            is_wanted.then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
        })
        .collect();
    names.sort();
    names
}

pub(crate) fn last_part(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The path with a leading `~` as the person's own folder.
fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Rules, SmallBoard};

    use super::*;

    fn refused<B: RecordedBoard + Rules>(path: &str, words: &str) {
        let FileResult::Failed { reason, .. } = load::<B>(Path::new(path), 1) else { panic!("{path} holds no games") };
        assert!(reason.contains(words), "{path}: {reason}");
    }

    #[test]
    fn nothing_is_read_that_may_never_end() {
        refused::<Board>("-", "cannot read -");
        refused::<SmallBoard<6>>("-", "cannot read -");
        refused::<SmallBoard<6>>("/", "is a folder; expected a file");
        #[cfg(unix)]
        {
            refused::<Board>("/dev/zero", "not a file or a folder: /dev/zero");
            refused::<SmallBoard<6>>("/dev/zero", "not a file or a folder: /dev/zero");
        }
    }

    #[test]
    fn all_names_that_begin_so_are_found_in_order() {
        let folder = env::temp_dir().join(format!("emilia-names-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let names: Vec<_> = (100..300).map(|number| format!("{}/game{number}.txt", folder.display())).collect();
        for name in &names {
            fs::write(name, "f5d6\n").expect("a file");
        }
        let found = beginning_with(&format!("{}/ga", folder.display()));
        fs::remove_dir_all(&folder).expect("the folder goes");
        assert_eq!(found, names);
    }
}
