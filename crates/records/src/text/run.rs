//! Games whose moves are in several lines.

use crate::replay::Replay;
use crate::text::tags::{self, Tags};
use crate::transcript::Word;
use crate::{GameRecord, RecordProblem};
use othello::{Position, Rules};

/// Lines of moves that are one game; or, as long as nothing shows that, a game each.
///
/// Lines that are each a game from the start position are games, even where the moves of one could also follow those of
/// the line before. A line that is not a game by itself but continues the lines before it shows that all of them are
/// one game.
#[derive(Clone, Debug)]
pub(super) struct Run<B: Rules> {
    pub(super) line: u64,
    /// The moves of all lines, one after the other.
    pub(super) replay: Replay<B>,
    /// The lines that may be a game each; empty when it is clear that they are one.
    pieces: Vec<Piece>,
    pub(super) tags: Option<Tags>,
    /// The discs of Black and White, as stated after the moves.
    discs: Option<[u32; 2]>,
    /// Whether the result was read.
    pub(super) is_closed: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    line: u64,
    words: Vec<Word>,
}

#[derive(Debug)]
pub(super) struct Failure {
    /// The number of words that could be played.
    pub(super) progress: usize,
    /// The problem with the next word.
    pub(super) problem: RecordProblem,
}

impl<B: Rules> Run<B> {
    pub(super) fn new(line: u64, words: &[Word], start: Position<B>) -> Result<Self, Failure> {
        let mut run =
            Self { line, replay: Replay::new(start), pieces: Vec::new(), tags: None, discs: None, is_closed: false };
        run.play(words)?;
        run.pieces.push(Piece { line, words: words.to_vec() });
        Ok(run)
    }

    /// The game begins with something other than a line of moves: it is one game, with these tags if there are any.
    pub(super) fn with_head(self, line: u64, tags: Option<Tags>) -> Self {
        Self { line, tags, ..self }.joined()
    }

    fn joined(self) -> Self {
        Self { pieces: Vec::new(), ..self }
    }

    fn play(&mut self, words: &[Word]) -> Result<(), Failure> {
        for (progress, word) in words.iter().enumerate() {
            word.play(&mut self.replay).map_err(|problem| Failure { progress, problem })?;
            if let Word::Result(discs) = word {
                self.close(*discs);
            }
        }
        Ok(())
    }

    /// Ends the game with this result: no line continues it.
    pub(super) fn close(&mut self, discs: Option<[u32; 2]>) {
        self.discs = discs;
        self.is_closed = true;
    }

    pub(super) fn continued(&self, words: &[Word]) -> Result<Self, Failure> {
        if self.is_closed {
            let problem = RecordProblem::malformed("moves after the result", "another game");
            return Err(Failure { progress: 0, problem });
        }
        // Most lines are games, whose first move is on a square that is taken here.
        if let Some(Word::Move(square)) = words.iter().find(|word| !matches!(word, Word::Number(_))) {
            self.replay.check(*square).map_err(|problem| Failure { progress: 0, problem })?;
        }
        let mut run = self.clone();
        run.play(words)?;
        Ok(run.joined())
    }

    /// The lines as they are, with another that may also be a game by itself.
    pub(super) fn with_piece(&self, line: u64, words: &[Word]) -> Result<Self, Failure> {
        let mut run = self.clone();
        run.play(words)?;
        run.pieces.push(Piece { line, words: words.to_vec() });
        Ok(run)
    }

    /// Splits the lines so that this one continues the last part; returns the part before it and the continued part.
    pub(super) fn split(&self, words: &[Word]) -> Option<(Self, Self)> {
        let build = |pieces: &[Piece]| {
            let (first, others) = pieces.split_first()?;
            let start = Run::new(first.line, &first.words, Position::start()).ok()?;
            others.iter().try_fold(start, |run, piece| run.with_piece(piece.line, &piece.words).ok())
        };
        (1..self.pieces.len()).find_map(|index| {
            let (before, last) = self.pieces.split_at(index);
            Some((build(before)?, build(last)?.continued(words).ok()?))
        })
    }

    /// The table of which the first line is this game by chance, and of which these words are the second line.
    pub(super) fn as_table(&self, words: &[Word]) -> Option<MoveTable> {
        let [piece] = &self.pieces[..] else { return None };
        let mut table = MoveTable::of(piece.line, &piece.words)?;
        let is_row = table.add(words);
        let is_game = Self::new(piece.line, &table.clone().words(), Position::start()).is_ok();
        (is_row && is_game).then_some(table)
    }

    /// Whether these words are another game with an error, and not a wrong part of this one: at least two of their squares
    /// are taken. A slip in a part leads to one such square.
    pub(super) fn repeats(&self, words: &[Word]) -> bool {
        words.iter().filter(|word| matches!(word, Word::Move(square) if self.replay.is_taken(*square))).count() > 1
    }

    /// Whether the lines are certainly one game.
    pub(super) fn is_joined(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether a line that begins with this number goes on where the moves end: numbers count moves, or pairs of them,
    /// with or without passes.
    pub(super) fn expects(&self, number: usize) -> bool {
        is_next(number, self.replay.mark.moves) || is_next(number, self.replay.mark.plies)
    }

    /// The games, with the number of the line on which each begins.
    pub(super) fn finish(self) -> Vec<GameRecord<B>> {
        if self.pieces.len() > 1 {
            let games = self.pieces.iter().filter_map(|piece| {
                Some(Run::new(piece.line, &piece.words, Position::start()).ok()?.joined().finish())
            });
            return games.flatten().collect();
        }
        let mut record = GameRecord::new(self.replay.finish());
        record.result = self.discs.and_then(tags::score::<B>);
        if let Some(tags) = &self.tags {
            tags.apply(&mut record);
        }
        vec![record]
    }
}

/// Whether a number is that of the next move or of the next pair after `moves` moves.
pub(super) fn is_next(number: usize, moves: usize) -> bool {
    number == moves + 1 || number == moves / 2 + 1
}

/// The moves of a table whose columns are read downwards: each entry has its number.
#[derive(Clone, Debug)]
pub(super) struct MoveTable {
    pub(super) line: u64,
    pub(super) tags: Option<Tags>,
    pub(super) entries: Vec<(usize, Vec<Word>)>,
}

/// Maximum number of entries, more than any game has.
const MAX_ENTRIES: usize = 256;

impl MoveTable {
    /// A table that begins with this line, if its numbers are not in order, so that it has several columns.
    pub(super) fn new(line: u64, words: &[Word]) -> Option<Self> {
        let table = Self::of(line, words)?;
        let is_in_order = |pair: &[(usize, Vec<Word>)]| {
            let (before, after) = (pair[0].0, pair[1].0);
            after == before + 1 || after == before + pair[0].1.len()
        };
        (!table.entries.windows(2).all(is_in_order)).then_some(table)
    }

    /// A table that begins with this line, if it has several numbers.
    pub(super) fn of(line: u64, words: &[Word]) -> Option<Self> {
        let mut table = Self { line, tags: None, entries: Vec::new() };
        (table.add(words) && table.entries.len() > 1).then_some(table)
    }

    /// Adds the entries of a line; false if it is not a row of the table.
    pub(super) fn add(&mut self, words: &[Word]) -> bool {
        if !matches!(words.first(), Some(Word::Number(_))) || self.entries.len() >= MAX_ENTRIES {
            return false;
        }
        for word in words {
            match (word, self.entries.last_mut()) {
                (Word::Number(number), _) => self.entries.push((*number, Vec::new())),
                (word, Some((_, entry))) => entry.push(word.clone()),
                (_, None) => {}
            }
        }
        true
    }

    pub(super) fn words(mut self) -> Vec<Word> {
        self.entries.sort_by_key(|(number, _)| *number);
        self.entries.into_iter().flat_map(|(_, words)| words).collect()
    }
}
