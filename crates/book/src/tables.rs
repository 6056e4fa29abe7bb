//! The tables of the database, and the guard around every call of it.
//!
//! redb verifies the checksums of its pages when it repairs a file, not when it reads one, and some of its code panics
//! on pages that make no sense. A panic inside of a call is turned into [`BookError::Damaged`] here, without a message of the
//! panic on standard error; nothing else in this crate calls the database.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use othello::{Board, Rules};
use redb::{AccessGuard, ReadableTable, TableDefinition};

use crate::error::{BookError, Result};
use crate::key::{KEY_BYTES, Key};
use crate::position::BookPosition;
use crate::record::{RECORD_BYTES, Record};

pub(crate) type KeyBytes = &'static [u8; KEY_BYTES];
pub(crate) type RecordBytes = &'static [u8; RECORD_BYTES];

pub(crate) const POSITIONS: TableDefinition<'_, KeyBytes, RecordBytes> = TableDefinition::new("positions");
/// The open positions among them: those whose moves outside the book have to be searched.
pub(crate) const OPEN: TableDefinition<'_, KeyBytes, ()> = TableDefinition::new("open");
/// The content of an Edax book for a position beyond the book's own records.
pub(crate) const EDAX: TableDefinition<'_, KeyBytes, &'static [u8]> = TableDefinition::new("edax");
/// The version of the book, and what else concerns all of it.
pub(crate) const ABOUT: TableDefinition<'_, &'static str, &'static [u8]> = TableDefinition::new("about");

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// Calls the database; a panic in it is a damaged file.
pub(crate) fn guarded<R>(call: impl FnOnce() -> Result<R>) -> Result<R> {
    silence_panics_of_the_database();
    CALLS.set(CALLS.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    CALLS.set(CALLS.get() - 1);
    result.unwrap_or_else(|payload| {
        let what = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref().copied());
        let what = what.and_then(|what| what.lines().next()).unwrap_or("no reason given");
        Err(BookError::damaged(format!("its content makes no sense ({what})")))
    })
}

/// Adds to the panic hook that panics inside of a call of the database are not shown: they become errors.
fn silence_panics_of_the_database() {
    static SILENCED: Once = Once::new();
    // Where a panic ends the program, its message is all there is; and a thread that panics must not touch the hook.
    if cfg!(panic = "abort") || std::thread::panicking() {
        return;
    }
    SILENCED.call_once(|| {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CALLS.get() == 0 {
                default_hook(panic);
            }
        }));
    });
}

/// Reading positions, in a snapshot or within a change.
pub(crate) trait ReadPositions: ReadableTable<KeyBytes, RecordBytes> + Sized {
    fn record(&self, key: &Key) -> Result<Option<Record>> {
        guarded(|| self.get(&key.to_bytes())?.map(|bytes| Record::from_bytes(bytes.value())).transpose())
    }

    /// Up to `limit` positions with keys from `first` to `last`: in order, or the greatest first.
    fn between(&self, first: &Key, last: &Key, limit: usize, is_backwards: bool) -> Result<Vec<(Key, Record)>> {
        guarded(|| {
            let range = self.range::<&[u8; KEY_BYTES]>(&first.to_bytes()..=&last.to_bytes())?;
            let read = |(key, bytes): (AccessGuard<'_, KeyBytes>, AccessGuard<'_, RecordBytes>)| {
                Ok((Key::from_bytes(key.value()), Record::from_bytes(bytes.value())?))
            };
            if is_backwards {
                range.rev().take(limit).map(|item| read(item?)).collect()
            } else {
                range.take(limit).map(|item| read(item?)).collect()
            }
        })
    }

    fn count(&self) -> Result<u64> {
        guarded(|| Ok(self.len()?))
    }

    /// The entry of a position in any orientation, or of the one after the pass if the side to move has to pass.
    fn lookup(&self, board: &Board) -> Result<Option<BookPosition>> {
        let board = if board.must_pass() { board.pass() } else { *board };
        let (key, symmetry) = Key::of(&board);
        Ok(self.record(&key)?.map(|record| BookPosition::oriented(&board, symmetry, &key, &record)))
    }
}

impl<T: ReadableTable<KeyBytes, RecordBytes>> ReadPositions for T {}
