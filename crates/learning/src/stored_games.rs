//! The games of several stores, numbered consecutively.

use std::path::PathBuf;

use crate::error::Result;
use crate::game_store::GameReader;
use crate::labeling::GameToLabel;

/// The games of several stores; ends after an error.
///
/// The number of a game is the number of games before it, including those of earlier stores.
#[derive(Debug)]
pub struct StoredGames<'a> {
    paths: std::slice::Iter<'a, PathBuf>,
    reader: Option<GameReader>,
    number: u64,
}

impl<'a> StoredGames<'a> {
    /// The games of these stores, in order.
    pub fn of(paths: &'a [PathBuf]) -> Self {
        Self { paths: paths.iter(), reader: None, number: 0 }
    }

    fn game(&mut self) -> Result<Option<GameToLabel>> {
        loop {
            let reader = match &mut self.reader {
                Some(reader) => reader,
                None => match self.paths.next() {
                    Some(path) => self.reader.insert(GameReader::open(path)?),
                    None => return Ok(None),
                },
            };
            match reader.next() {
                Some(stored) => return reader.with_source(stored?).map(Some),
                None => self.reader = None,
            }
        }
    }
}

impl Iterator for StoredGames<'_> {
    type Item = Result<(u64, GameToLabel)>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number;
        match self.game() {
            Ok(game) => {
                self.number += 1;
                game.map(|game| Ok((number, game)))
            }
            Err(error) => {
                (self.paths, self.reader) = ([].iter(), None);
                Some(Err(error))
            }
        }
    }
}
