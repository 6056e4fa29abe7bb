//! Players and weights in a form that another machine understands: files are found by content.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jobs::{ContentId, InvalidJob, LocalFiles, Supply};
use report::words::sentence;
use serde::{Deserialize, Serialize};

use crate::book_settings::{BookChoice, BookSettings};
use crate::notation::PlayerNotation;
use crate::weights::{WeightsChoice, read_weights};

/// The files that players need: the path on the command line, and the content.
pub type PlayerFiles = BTreeMap<String, ContentId>;

/// The files that these players need. The error is a sentence that says why a player cannot play elsewhere.
pub fn files_of<'n>(
    notations: impl IntoIterator<Item = &'n PlayerNotation>,
) -> Result<(PlayerFiles, Vec<Supply>), InvalidJob> {
    let (mut files, mut supplies) = (PlayerFiles::new(), Vec::new());
    for notation in notations {
        if notation.is_external() {
            return Err(format!("the program {} runs only on this machine", notation.label()).into());
        }
        let weights = match &notation.weights {
            Some(WeightsChoice::File(path)) => Some(path.clone()),
            _ => None,
        };
        for path in weights.into_iter().chain(book_of(notation)) {
            let supply = supply(&path)?;
            files.insert(path.display().to_string(), supply.id);
            supplies.push(supply);
        }
    }
    Ok((files, supplies))
}

/// The player with the paths of its files on this machine.
pub fn localized(
    notation: &PlayerNotation,
    files: &PlayerFiles,
    here: &LocalFiles,
) -> Result<PlayerNotation, InvalidJob> {
    if notation.is_external() {
        return Err(format!("a job names the program {}, which no worker starts", notation.label()).into());
    }
    let place = |path: &Path| -> Result<PathBuf, InvalidJob> {
        let name = path.display().to_string();
        let id = files.get(&name).ok_or_else(|| format!("a job names the file {name} without its content"))?;
        here.path(id)
    };
    let mut notation = notation.clone();
    if let Some(WeightsChoice::File(path)) = &mut notation.weights {
        *path = place(path)?;
    }
    if let Some(path) = book_of(&notation) {
        let path = place(&path)?.display().to_string();
        let books = notation.settings.iter_mut().filter(|(name, _)| name == BookSettings::BOOK);
        books.for_each(|(_, value)| *value = Some(path.clone()));
    }
    Ok(notation)
}

/// Weights by their name or their content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PortableWeights {
    /// The weights that ship with the program: the same in every program of the same version.
    Shipped,
    /// None: the hand-made evaluation.
    HandMade,
    /// The weights of a file.
    File {
        /// The content of the file.
        content: ContentId,
    },
}

impl PortableWeights {
    /// These weights, and the file that others need for them. The error is a sentence.
    pub fn of(choice: &WeightsChoice) -> Result<(Self, Option<Supply>), InvalidJob> {
        match choice {
            WeightsChoice::Shipped => Ok((Self::Shipped, None)),
            WeightsChoice::HandMade => Ok((Self::HandMade, None)),
            WeightsChoice::File(path) => {
                let supply = supply(path)?;
                // What no worker could use is refused here.
                read_weights(path).map_err(|error| sentence(&error))?;
                Ok((Self::File { content: supply.id }, Some(supply)))
            }
        }
    }

    /// The weights on this machine, where their file is one of these.
    pub fn choice(&self, files: &LocalFiles) -> Result<WeightsChoice, InvalidJob> {
        Ok(match self {
            Self::Shipped => WeightsChoice::Shipped,
            Self::HandMade => WeightsChoice::HandMade,
            Self::File { content } => WeightsChoice::File(files.path(content)?),
        })
    }
}

/// A file that workers need.
pub(crate) fn supply(path: &Path) -> Result<Supply, InvalidJob> {
    Supply::of(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// The file of the book that a player plays from.
fn book_of(notation: &PlayerNotation) -> Option<PathBuf> {
    let value = notation.settings.iter().rev().find(|(name, _)| name == BookSettings::BOOK)?.1.as_deref()?;
    match value.parse() {
        Ok(BookChoice::File(path)) => Some(path),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jobs::LocalFiles;

    use super::*;

    #[test]
    fn files_of_players_are_found_elsewhere_by_their_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("w.bin"), b"weights").expect("a file");
        std::fs::write(path("b.book"), b"book").expect("a file");
        let text = format!("emilia@weights={},book={}", path("w.bin").display(), path("b.book").display());
        let notation: PlayerNotation = text.parse().expect("a player");
        let (files, supplies) = files_of([&notation]).expect("two files");
        assert_eq!(supplies.len(), 2);
        let there = |bytes: &[u8]| (ContentId::of(bytes), PathBuf::from(format!("/there/{}", bytes.len())));
        let here = LocalFiles([there(b"weights"), there(b"book")].into());
        let local = localized(&notation, &files, &here).expect("a player");
        assert_eq!(local.weights, Some(WeightsChoice::File("/there/7".into())));
        assert_eq!(book_of(&local), Some("/there/4".into()));
        // A job cannot name files of the worker.
        assert!(localized(&notation, &PlayerFiles::new(), &here).is_err());
        let program: PlayerNotation = "gtp:/bin/sh".parse().expect("a program");
        assert!(files_of([&program]).is_err() && localized(&program, &files, &here).is_err());
    }
}
