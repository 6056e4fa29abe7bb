//! Thor: the database of the French federation, `.wtb` with the names in `.jou` and `.trn`.
//!
//! A `.wtb` file has a header of 16 bytes and 68 bytes per game: the numbers of the tournament and the players, Black's
//! discs at the end and with best play, and 60 moves.

mod header;
mod names;
mod writer;

use std::io::Read;

use storage::growing_file::fill;

use crate::{Date, GameRecord, Place, RecordError, RecordProblem, TheoreticalScore};
use othello::{Color, Game, Score, Square, SquareSet};

pub use header::Header;
pub use names::Names;
pub(crate) use names::name_files;
pub use writer::{FileWriter, Writer};

const RECORD_LENGTH: usize = 68;

const MOVES: usize = 60;

/// A game as stored in the file, with numbers instead of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// The number in the `.trn` file.
    tournament: u16,
    /// The numbers in the `.jou` file.
    black: u16,
    white: u16,
    /// Black's discs at the end, the empty squares given to the winner.
    black_discs: u8,
    /// Black's discs at the end of best play from the depth given in the header.
    theoretical_discs: u8,
    /// The moves as 10 * row + column, both from 1; 0 for no move.
    moves: [u8; MOVES],
}

impl RawGame {
    /// Decodes the bytes of a record.
    pub fn from_bytes(bytes: &[u8; RECORD_LENGTH]) -> Self {
        let number = |index: usize| u16::from_le_bytes([bytes[index], bytes[index + 1]]);
        let mut moves = [0; MOVES];
        moves.copy_from_slice(&bytes[8..]);
        Self {
            tournament: number(0),
            black: number(2),
            white: number(4),
            black_discs: bytes[6],
            theoretical_discs: bytes[7],
            moves,
        }
    }

    /// The bytes of the record.
    pub fn to_bytes(&self) -> [u8; RECORD_LENGTH] {
        let mut bytes = [0; RECORD_LENGTH];
        bytes[0..2].copy_from_slice(&self.tournament.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.black.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.white.to_le_bytes());
        bytes[6] = self.black_discs;
        bytes[7] = self.theoretical_discs;
        bytes[8..].copy_from_slice(&self.moves);
        bytes
    }

    fn replay(&self) -> Result<Game, RecordProblem> {
        let mut game = Game::new();
        let count = self.moves.iter().position(|&code| code == 0).unwrap_or(MOVES);
        for (index, &code) in self.moves[..count].iter().enumerate() {
            let number = index + 1;
            let square = square_of(code).ok_or_else(|| {
                let expected = "10 * row + column with both from 1 to 8, or 0 for none";
                RecordProblem::malformed(format!("{code} as move {number}"), expected)
            })?;
            game.play(square).map_err(|error| RecordProblem::IllegalMove(number, error))?;
        }
        if let Some(index) = self.moves[count..].iter().position(|&code| code != 0) {
            let found = format!("a move {} after move {count}, which was the last", count + index + 1);
            return Err(RecordProblem::malformed(found, "0 for the moves after the last"));
        }
        Ok(game)
    }

    /// Compares Black's discs after the moves with those stated in the record.
    fn check(&self, game: &Game) -> Result<(), RecordProblem> {
        let position = game.position();
        let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).count());
        let stated = u32::from(self.black_discs);
        let counted = discs_of(position.black_score());
        if counted == Some(self.black_discs) {
            return Ok(());
        }
        let moves = game.move_count();
        Err(RecordProblem::WrongResult(if game.is_over() {
            // The empty squares are given to the winner.
            let counted = counted.map_or(black, u32::from);
            format!("the record says that Black has {stated} discs at the end, but its {moves} moves lead to {counted}")
        } else {
            format!(
                "the moves stop before the end of the game: after {moves} of them Black has {black} discs and White \
                 {white}, but the record says that it ended {stated}-{}",
                64_u32.saturating_sub(stated)
            )
        }))
    }
}

fn square_of(code: u8) -> Option<Square> {
    let (row, column) = (code / 10, code % 10);
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| Square::at(column - 1, row - 1))
}

fn code_of(square: Square) -> u8 {
    10 * (square.row() + 1) + square.column() + 1
}

/// Black's score with this many discs, the empty squares given to the winner.
fn score_of(discs: u8) -> Option<Score> {
    (discs <= 64).then(|| Score::new((2 * i16::from(discs) - 64) as i8))
}

/// Black's discs for this score, if there is such a number of discs.
fn discs_of(score: Score) -> Option<u8> {
    let discs = score.discs() + 64;
    (discs % 2 == 0 && (0..=128).contains(&discs)).then_some((discs / 2) as u8)
}

/// The games of a `.wtb` file, one at a time.
///
/// A game whose stated disc count differs from that of its moves is returned as an error that contains the game, see
/// [`RecordError::record`].
#[derive(Debug)]
pub struct Reader<R> {
    reader: R,
    name: String,
    names: Names,
    header: Option<Header>,
    /// The number of records read.
    count: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the games of a `.wtb` file; `name` is used in error messages.
    pub fn new(reader: R, name: &str, names: Names) -> Self {
        Self { reader, name: name.to_owned(), names, header: None, count: 0, ended: false }
    }

    fn next_raw(&mut self) -> Option<Result<RawGame, RecordError>> {
        if self.ended {
            return None;
        }
        let result = self.read_raw().transpose();
        self.ended = !matches!(result, Some(Ok(_)));
        result.map(|result| result.map_err(|(place, problem)| RecordError::new(&self.name, place, problem)))
    }

    fn read_raw(&mut self) -> Result<Option<RawGame>, (Place, RecordProblem)> {
        let header = match self.header {
            Some(header) => header,
            None => self.read_header().map_err(|problem| (Place::Header, problem))?,
        };
        self.header = Some(header);
        let mut bytes = [0; RECORD_LENGTH];
        match fill(&mut self.reader, &mut bytes).map_err(|error| (Place::Record(self.count + 1), error.into()))? {
            RECORD_LENGTH => {
                self.count += 1;
                Ok(Some(RawGame::from_bytes(&bytes)))
            }
            0 if self.count == u64::from(header.games) => Ok(None),
            0 => {
                let expected = format!("{} as the header says", header.games);
                Err((Place::End, RecordProblem::malformed(format!("{} games", self.count), expected)))
            }
            length => {
                let expected = format!("{RECORD_LENGTH} for each, and {} of them as the header says", header.games);
                let found = format!("{} after game {}", counted_bytes(length), self.count);
                Err((Place::End, RecordProblem::malformed(found, expected)))
            }
        }
    }

    fn read_header(&mut self) -> Result<Header, RecordProblem> {
        let header = Header::read(&mut self.reader)?;
        if !matches!(header.board_size, 0 | 8) {
            let found = format!("a board of {0}x{0}", header.board_size);
            return Err(RecordProblem::malformed(found, "8x8"));
        }
        Ok(header)
    }

    fn record(&self, raw: &RawGame, place: Place) -> Result<GameRecord, RecordError> {
        let error = |problem| RecordError::new(&self.name, place, problem);
        let header = self.header.unwrap_or_default();
        let mut record = GameRecord::new(raw.replay().map_err(error)?);
        record.date = Date::of_year(header.year);
        let at_most_64 = |discs: u8, what: &str| match discs {
            0..=64 => Ok(()),
            _ => Err(RecordProblem::malformed(format!("{discs} as Black's {what}"), "at most 64")),
        };
        let mut check = at_most_64(raw.black_discs, "disc count")
            .and(at_most_64(raw.theoretical_discs, "theoretical disc count"))
            .and_then(|()| raw.check(&record.game));
        record.result = score_of(raw.black_discs);
        record.theoretical = score_of(raw.theoretical_discs)
            .filter(|_| header.depth > 0)
            .map(|score| TheoreticalScore { score, empties: header.depth });
        let tables = [
            (&mut record.event, &self.names.tournaments, raw.tournament, "tournament"),
            (&mut record.black, &self.names.players, raw.black, "player"),
            (&mut record.white, &self.names.players, raw.white, "player"),
        ];
        for (text, table, number, what) in tables {
            let name = table.as_ref().and_then(|names| names.get(usize::from(number)));
            *text = name.cloned().unwrap_or_else(|| format!("#{number}"));
            if let (Some(table), None) = (table, name) {
                let expected = format!("a number below {}, the number of names", table.len());
                check = check.and(Err(RecordProblem::malformed(format!("{what} {number}"), expected)));
            }
        }
        match check {
            Ok(()) => Ok(record),
            Err(problem) => Err(RecordError { record: Some(Box::new(record)), ..error(problem) }),
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.names.errors.pop() {
            return Some(Err(error));
        }
        let raw = self.next_raw()?;
        Some(raw.and_then(|raw| self.record(&raw, Place::Record(self.count))))
    }
}

fn counted_bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}
