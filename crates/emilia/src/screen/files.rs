//! Files as the screen asks for them: saved, loaded, and found by the beginning of their names.

use std::path::{Path, PathBuf};
use std::{env, fs};

use othello::records::{Format, GameRecord};

use crate::game_file::{self, RecordedBoard};
use crate::output;
use crate::screen::event::Event;

/// More names than this do not help.
const MOST_NAMES: usize = 100;

/// Writes a game; a file that is there is asked for first.
pub fn save<B: RecordedBoard>(path: PathBuf, record: &GameRecord<B>, overwrite: bool) -> Event<B> {
    let file = at_home(&path);
    if !overwrite && file.exists() && Format::from_path(&file).is_some() {
        return Event::Exists(path);
    }
    let outcome = game_file::write_game(&file, record).map_err(|error| in_one_line(&error));
    Event::Saved(path, outcome)
}

/// Reads a game, counted from 1, of a file.
pub fn load<B: RecordedBoard>(path: PathBuf, number: usize) -> Event<B> {
    let outcome = B::read_game(&at_home(&path), number).map(Box::new).map_err(|error| in_one_line(&error));
    Event::Loaded(path, outcome)
}

fn in_one_line(error: &anyhow::Error) -> String {
    output::printable(&format!("{error:#}")).into_owned()
}

/// The names of folders and of files of records that begin so, as they would be typed.
pub fn beginning_with(text: &str) -> Vec<String> {
    let (folder, beginning) = match text.rfind('/') {
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
            let is_wanted = is_folder || Format::from_path(&name).is_some();
            is_wanted.then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
        })
        .take(MOST_NAMES)
        .collect();
    names.sort();
    names
}

/// The path with a leading `~` as the person's own folder.
fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), env::var_os("HOME")) {
        (Ok(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => path.to_owned(),
    }
}
