//! Contents of an output of a command, in a form in which two of them can be compared.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use book::Book;
use records::{Format, GameRecord, transcript};

/// Way to read an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// All its bytes.
    Bytes,
    /// Its games with their players and results, whatever time they took.
    Games,
    /// The games of a match file, in the order of their numbers.
    MatchFile,
    /// The positions of an opening book, which must be sound.
    Book,
}

/// An output that is looked at.
pub(crate) struct Expected {
    pub(crate) path: PathBuf,
    pub(crate) reading: Reading,
}

/// Content of an output; nothing if it does not exist.
pub(crate) type Content = Option<Vec<u8>>;

impl Expected {
    /// Content of the output.
    pub(crate) fn content(&self, folder: &Path) -> Result<Content> {
        let path = folder.join(&self.path);
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(match self.reading {
            Reading::Bytes => fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?,
            Reading::Games => {
                let mut lines = String::new();
                for record in records::open(&path).with_context(|| format!("cannot read {}", path.display()))? {
                    lines += &line_of(&record?);
                }
                lines.into_bytes()
            }
            Reading::MatchFile => match_games(&path)?,
            Reading::Book => positions(&path)?,
        }))
    }
}

/// The positions of a book as JSON lines. It is opened as by a command that changes it, which repairs what a kill has left.
fn positions(path: &Path) -> Result<Vec<u8>> {
    let opened = || format!("cannot open {}", path.display());
    let snapshot = Book::open(path).with_context(opened)?.into_snapshot()?;
    let check = snapshot.check(&mut |_| true)?;
    ensure!(check.is_sound(), "{} is not sound: {:?}", path.display(), check.faults);
    let mut lines = Vec::new();
    snapshot.export_json(&mut lines, &mut |_| true)?;
    Ok(lines)
}

fn line_of(record: &GameRecord) -> String {
    let GameRecord { black, white, event, result, game, .. } = record;
    format!("{black} - {white}, {event}, {result:?}: {}\n", transcript::format(game))
}

fn match_games(path: &Path) -> Result<Vec<u8>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut games = Vec::new();
    for line in text.lines().skip(1) {
        let line: serde_json::Value = serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
        let (number, ggf) = (line["game"].as_u64(), line["ggf"].as_str().unwrap_or_default());
        let record = records::read(ggf.as_bytes(), "ggf", Format::Ggf).next().context("a line without a game")??;
        games.push((number, line_of(&record)));
    }
    games.sort();
    let is_unique = games.windows(2).all(|pair| pair[0].0 != pair[1].0);
    ensure!(is_unique, "{} has a game twice", path.display());
    Ok(games.into_iter().map(|(_, line)| line).collect::<String>().into_bytes())
}
