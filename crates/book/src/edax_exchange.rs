//! Importing and exporting books of Edax.
//!
//! The contents of an Edax book beyond ours (counts of lines, bounds, the order of links, levels with the same search)
//! are kept beside our records and written again. Its positions in which a side has to pass or the game is over are not
//! in ours; they are kept, too, and created for books that lack them, because Edax needs them to follow its links.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use evaluation::Value;
use othello::symmetry::{inverse, transform_square};
use othello::{Rules, Square, squares};
use redb::ReadableTable;

use crate::edax::{self, EdaxError, EdaxHeader, EdaxLink, EdaxPosition};
use crate::editor::Editor;
use crate::error::{BookError, Result};
use crate::graph::{Successor, seen_from_parent};
use crate::key::{CENTER, Key};
use crate::merging::Imported;
use crate::position::BookPosition;
use crate::record::{Leaf, Record};
use crate::tables::{ReadPositions, guarded};
use crate::{Book, Snapshot};

const HEADER_NAME: &str = "edax header";

/// The positions that are written between two reports.
const PROGRESS_PERIOD: u64 = 1024;

impl Book {
    /// Merges an Edax book into this one; if it is truncated, nothing is changed. `progress` receives the number of
    /// positions done and of all, and may stop the import: all positions done until then are kept.
    pub fn import_edax(
        &mut self,
        mut reader: impl Read,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Imported> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(BookError::reading)?;
        let header = EdaxHeader::from_bytes(&bytes)?;
        // Where every position begins, by the number of its discs: children first, so that each is propagated once.
        let mut places = Vec::new();
        let mut at = edax::HEADER_BYTES;
        while at < bytes.len() {
            let number = places.len() as u64 + 1;
            let (position, end) = EdaxPosition::from_bytes(&bytes, at).ok_or(EdaxError::Truncated(number))?;
            places.push((position.board.disc_count(), at, number));
            at = end;
        }
        if u64::try_from(header.n_nodes).is_ok_and(|expected| expected > places.len() as u64) {
            return Err(EdaxError::Truncated(places.len() as u64 + 1).into());
        }
        places.sort_by_key(|&(discs, at, _)| (std::cmp::Reverse(discs), at));
        self.update(|editor| editor.set_about(HEADER_NAME, &bytes[..edax::HEADER_BYTES]))?;
        let mut imported = Imported::default();
        let all = places.len() as u64;
        self.in_portions(places.iter(), None, &mut |done| progress(done, all), |editor, &(_, at, number), _| {
            match EdaxPosition::from_bytes(&bytes, at) {
                Some((position, end)) => editor.import_edax(&position, &bytes[at..end], number, &mut imported),
                None => Ok(()),
            }
        })?;
        Ok(imported)
    }
}

impl Editor<'_> {
    fn import_edax(
        &mut self,
        position: &EdaxPosition,
        bytes: &[u8],
        number: u64,
        imported: &mut Imported,
    ) -> Result<()> {
        let EdaxPosition { board, value, level, leaf, .. } = *position;
        let invalid = |reason: String| EdaxError::Invalid { position: number, reason };
        if board.player & board.opponent != 0 || (board.player | board.opponent) & CENTER != CENTER {
            imported.fault(invalid("not a board of a game".to_owned()));
            return Ok(());
        }
        let keep = |editor: &mut Self| {
            guarded(|| {
                editor.edax.insert(&Key::of(&board).0.to_bytes(), bytes)?;
                Ok(())
            })
        };
        if !board.can_move() {
            return keep(self);
        }
        let value = Value::new(i32::from(value) * Value::PER_DISC).clamped();
        let empties = board.empty_count() as u8;
        let leaf = if leaf.square < 64 && leaf.score >= -64 && leaf.score <= 64 {
            let value = Value::new(i32::from(leaf.score) * Value::PER_DISC);
            Leaf::Best { square: Square::new(leaf.square), value }
        } else {
            Leaf::Covered
        };
        if level > edax::STRONGEST_LEVEL {
            imported.fault(invalid(format!("there is no level {level}")));
            return Ok(());
        }
        let effort = edax::effort(level, empties);
        let entry =
            BookPosition { board, value, leaf, effort, games: 0, is_solved: false, is_exact: false, is_open: false };
        match self.merge_position(&entry) {
            Ok(inserted) => imported.merged.count(inserted),
            Err(error @ (BookError::IllegalLeaf { .. } | BookError::NoValue(_))) => {
                imported.fault(invalid(error.to_string()));
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        keep(self)
    }
}

/// A value in whole discs, halves away from zero, so that the sign does not matter.
pub(crate) fn whole_discs(value: Value) -> i16 {
    let parts = value.parts();
    let rounded = (parts.abs() + Value::PER_DISC / 2) / Value::PER_DISC;
    (rounded * parts.signum()) as i16
}

impl Snapshot {
    /// The header of the Edax book that was imported last.
    pub(crate) fn edax_header(&self) -> Result<Option<EdaxHeader>> {
        let bytes = guarded(|| Ok(self.about.get(HEADER_NAME)?.map(|bytes| bytes.value().to_vec())))?;
        Ok(bytes.map(|bytes| EdaxHeader::from_bytes(&bytes)).transpose()?)
    }

    /// Writes the book as one of Edax, and returns the number of positions. The header is that of the imported book, or
    /// this one. `progress` receives the number of positions written and of all, and may stop: the file is then
    /// incomplete.
    pub fn export_edax(
        &self,
        header: &EdaxHeader,
        writer: &mut impl Write,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<u64> {
        let header = self.edax_header()?.unwrap_or(*header);
        let mut others = self.kept_without_moves()?;
        // Their number is part of the header: all are read before the first is written.
        let mut looked_at = 0u64;
        for item in self.records() {
            let (key, _) = item?;
            self.add_without_moves(&key, &header, &mut others)?;
            looked_at += 1;
            if looked_at.is_multiple_of(PROGRESS_PERIOD) && !progress(0, self.count()?) {
                return Ok(0);
            }
        }
        let count = self.count()? + others.len() as u64;
        let header = EdaxHeader { n_nodes: i32::try_from(count).unwrap_or(i32::MAX), ..header };
        writer.write_all(&header.to_bytes()).map_err(BookError::writing)?;
        let mut written = 0u64;
        for item in self.records() {
            let (key, record) = item?;
            writer.write_all(&self.as_edax(&key, &record, &header)?.to_bytes()).map_err(BookError::writing)?;
            written += 1;
            if written.is_multiple_of(PROGRESS_PERIOD) && !progress(written, count) {
                return Ok(written);
            }
        }
        for position in others.values() {
            writer.write_all(&position.to_bytes()).map_err(BookError::writing)?;
        }
        writer.flush().map_err(BookError::writing)?;
        Ok(count)
    }

    fn imported(&self, key: &Key) -> Result<Option<EdaxPosition>> {
        let bytes = guarded(|| Ok(self.edax.get(&key.to_bytes())?.map(|bytes| bytes.value().to_vec())))?;
        Ok(bytes.and_then(|bytes| EdaxPosition::from_bytes(&bytes, 0)).map(|(position, _)| position))
    }

    /// The imported positions in which no side has a choice, with corrected values.
    fn kept_without_moves(&self) -> Result<BTreeMap<Key, EdaxPosition>> {
        let kept = guarded(|| {
            let mut kept = Vec::new();
            for item in self.edax.iter()? {
                let (key, bytes) = item?;
                if let Some((position, _)) = EdaxPosition::from_bytes(bytes.value(), 0)
                    && !position.board.can_move()
                {
                    kept.push((Key::from_bytes(key.value()), position));
                }
            }
            Ok(kept)
        })?;
        let mut positions = BTreeMap::new();
        for (key, mut position) in kept {
            if position.board.must_pass() {
                self.fit_pass(&mut position)?;
            }
            positions.insert(key, position);
        }
        Ok(positions)
    }

    /// Gives the pass of a position the value of the position after it. A link must lead to a position of the book.
    fn fit_pass(&self, position: &mut EdaxPosition) -> Result<()> {
        let after = self.positions.record(&Key::of(&position.board.pass()).0)?;
        match after {
            Some(record) => {
                let score = -whole_discs(record.value);
                if position.value != score || position.links.is_empty() {
                    (position.value, position.lower, position.upper) = (score, score, score);
                    position.links = vec![EdaxLink { score: score as i8, square: EdaxLink::PASS }];
                    position.leaf = EdaxLink::NONE;
                }
            }
            None => {
                if let Some(link) = position.links.pop() {
                    position.leaf = link;
                }
                position.links.clear();
            }
        }
        Ok(())
    }

    /// Adds the positions without a choice that the links of a position lead to.
    fn add_without_moves(
        &self,
        key: &Key,
        header: &EdaxHeader,
        others: &mut BTreeMap<Key, EdaxPosition>,
    ) -> Result<()> {
        let board = key.board();
        let imported_leaf = self.imported_leaf(key)?;
        for square in squares(board.moves()) {
            let Some(after) = board.play(square) else { continue };
            if after.can_move() || Some(square) == imported_leaf {
                continue;
            }
            let (after_key, _) = Key::of(&after);
            if others.contains_key(&after_key) {
                continue;
            }
            let mut position = EdaxPosition {
                board: after.canonical(),
                counts: [0; 4],
                value: 0,
                lower: 0,
                upper: 0,
                // Edax's `book info` prints positions of other levels, and crashes on those without moves.
                level: header.level.clamp(0, i32::from(edax::STRONGEST_LEVEL)) as u8,
                links: Vec::new(),
                leaf: EdaxLink::NONE,
            };
            if after.is_over() {
                let score = after.final_score().discs();
                position.value = score as i16;
                (position.lower, position.upper) = (position.value, position.value);
                position.counts = [u32::from(score > 0), u32::from(score == 0), u32::from(score < 0), 1];
                position.leaf.score = score as i8;
            } else if self.positions.record(&Key::of(&after.pass()).0)?.is_some() {
                position.value = i16::MAX;
                self.fit_pass(&mut position)?;
            } else {
                continue;
            }
            others.insert(after_key, position);
        }
        Ok(())
    }

    /// The leaf of an imported position, if it is a move to the end that Edax did not add; in the orientation of the
    /// key.
    fn imported_leaf(&self, key: &Key) -> Result<Option<Square>> {
        let Some(kept) = self.imported(key)? else { return Ok(None) };
        let (_, symmetry) = Key::of(&kept.board);
        if kept.leaf.square >= 64 {
            return Ok(None);
        }
        let square = transform_square(Square::new(kept.leaf.square), symmetry);
        let is_end = matches!(Successor::of(&key.board(), square), Some(Successor::End(_)));
        Ok(is_end.then_some(square))
    }

    fn as_edax(&self, key: &Key, record: &Record, header: &EdaxHeader) -> Result<EdaxPosition> {
        let position = BookPosition::stored(key, record).canonical();
        let board = position.board;
        let empties = key.empties();
        let (_, symmetry) = Key::of(&board);
        let kept = self.imported(key)?;
        let imported_leaf = self.imported_leaf(key)?.map(|square| transform_square(square, inverse(symmetry)));
        let mut links = Vec::new();
        for square in squares(board.moves()) {
            let score = match Successor::of(&board, square) {
                Some(Successor::Position { key: child, same_side }) => {
                    self.positions.record(&child)?.map(|child| whole_discs(seen_from_parent(child.value, same_side)))
                }
                Some(Successor::End(score)) if Some(square) != imported_leaf => Some(score.discs() as i16),
                _ => None,
            };
            links.extend(score.map(|score| EdaxLink { score: score as i8, square: square.index() as u8 }));
        }
        let place = |link: &EdaxLink| {
            let kept = kept.as_ref().and_then(|kept| kept.links.iter().position(|old| old.square == link.square));
            (kept.unwrap_or(usize::MAX), -i32::from(link.score), link.square)
        };
        links.sort_by_key(place);
        let leaf = match (position.leaf, &kept) {
            (Leaf::Best { square, value }, _) => {
                EdaxLink { score: whole_discs(value) as i8, square: square.index() as u8 }
            }
            (_, Some(kept)) if kept.leaf.square == EdaxLink::NO_MOVE || imported_leaf.is_some() => kept.leaf,
            _ => EdaxLink::NONE,
        };
        let value = whole_discs(position.value);
        let level = kept.as_ref().map(|kept| kept.level).filter(|&level| edax::effort(level, empties) == record.effort);
        let level = level.unwrap_or_else(|| edax::level(record.effort, empties));
        let error = match record.is_exact {
            true => 0,
            false if record.effort.depth >= empties => header.endcut_error,
            false => header.midgame_error,
        };
        let error = error.clamp(0, 64) as i16;
        let (counts, lower, upper) = match &kept {
            Some(kept) if kept.value == value => (kept.counts, kept.lower, kept.upper),
            Some(kept) => (kept.counts, value - error, value + error),
            None => ([0, 0, 0, u32::from(leaf != EdaxLink::NONE)], value - error, value + error),
        };
        Ok(EdaxPosition { board, counts, value, lower, upper, level, links, leaf })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_alike_for_both_sides() {
        for parts in -8192..=8192 {
            let value = Value::new(parts);
            assert_eq!(whole_discs(value), -whole_discs(-value));
            assert!((f64::from(whole_discs(value)) - f64::from(value.discs())).abs() <= 0.5);
        }
    }
}
