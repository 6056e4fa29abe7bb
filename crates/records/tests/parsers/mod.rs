//! Every parser of the crate as a function of bytes.
//!
//! `fuzz.rs` runs them briefly on arbitrary bytes in every test run; the targets in `fuzz` run them for any length of time,
//! from the same valid inputs in `fuzz/seeds`. A function panics if the parser does, or if a value does not survive writing and reading.

use std::io::{BufReader, Cursor};

use othello::{Board, CutBoard, Position, Rules, SmallBoard, Square};
use records::obf::Problem;
use records::thor::{self, Header, Names, RawGame};
use records::{Date, Format, GameRecord, RecordProblem, TimeControl, Writer, ggf, sgf, text, transcript};

type Parser = fn(&[u8]);

/// The parsers with their names on the command line.
pub(crate) const PARSERS: &[(&str, Parser)] = &[
    ("square", square),
    ("board", board),
    ("date", date),
    ("clock", clock),
    ("transcript", transcript),
    ("obf", obf),
    ("ggf", ggf),
    ("sgf", sgf),
    ("thor", thor),
    ("thor-names", thor_names),
    ("file", file),
];

/// A value that was read must survive writing and reading.
macro_rules! assert_reads_back {
    ($type:ty, $text:expr) => {
        if let Ok(value) = $text.parse::<$type>() {
            assert_eq!(value.to_string().parse::<$type>().ok().as_ref(), Some(&value), "{value:?}");
        }
    };
}

fn square(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    assert_reads_back!(Square, text);
    for geometry in [Board::GEOMETRY, SmallBoard::<6>::GEOMETRY, SmallBoard::<4>::GEOMETRY, CutBoard::GEOMETRY] {
        if let Ok(square) = geometry.parse_square(&text) {
            assert!(geometry.playable >> square.index() & 1 == 1);
            assert_eq!(geometry.square_name(square), text.to_ascii_lowercase());
        }
    }
}

fn board(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    assert_reads_back!(Position<Board>, text);
    assert_reads_back!(Position<SmallBoard<6>>, text);
    assert_reads_back!(Position<SmallBoard<4>>, text);
    assert_reads_back!(Position<CutBoard>, text);
}

fn date(bytes: &[u8]) {
    assert_reads_back!(Date, String::from_utf8_lossy(bytes));
}

fn clock(bytes: &[u8]) {
    assert_reads_back!(TimeControl, String::from_utf8_lossy(bytes));
}

fn transcript(bytes: &[u8]) {
    fn check<B: Rules>(text: &str) {
        if let Ok(game) = transcript::parse::<B>(text) {
            let back = transcript::parse::<B>(&transcript::format(&game));
            assert_eq!(back.ok().as_ref(), Some(&game));
        }
    }
    let text = String::from_utf8_lossy(bytes);
    check::<Board>(&text);
    check::<SmallBoard<6>>(&text);
    check::<CutBoard>(&text);
    let _ = text::only::<SmallBoard<4>>(&text);
    let _ = text::only::<CutBoard>(&text);
}

fn obf(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // A problem is one line: a comment with line breaks is not possible.
    for line in text.split(['\r', '\n']) {
        assert_reads_back!(Problem, line);
    }
    let _ = text.parse::<Problem<CutBoard>>();
}

/// A record that was read must survive writing and reading.
fn assert_record_reads_back<B: Rules>(
    bytes: &[u8],
    parse: fn(&str) -> Result<GameRecord<B>, RecordProblem>,
    format: fn(&GameRecord<B>) -> String,
) {
    if let Ok(record) = parse(&String::from_utf8_lossy(bytes)) {
        assert_eq!(parse(&format(&record)).ok().as_ref(), Some(&record));
    }
}

fn ggf(bytes: &[u8]) {
    assert_record_reads_back::<Board>(bytes, ggf::parse, ggf::format);
    assert_record_reads_back::<CutBoard>(bytes, ggf::parse, ggf::format);
}

fn sgf(bytes: &[u8]) {
    assert_record_reads_back::<Board>(bytes, sgf::parse, sgf::format);
    assert_record_reads_back::<SmallBoard<4>>(bytes, sgf::parse, sgf::format);
}

fn thor(bytes: &[u8]) {
    if let Some((header, games)) = bytes.split_first_chunk() {
        let header = Header::from_bytes(header);
        assert_eq!(Header::from_bytes(&header.to_bytes()), header);
        for game in games.as_chunks().0 {
            assert_eq!(RawGame::from_bytes(game).to_bytes(), *game);
        }
    }
    let mut writer = thor::Writer::new(Cursor::new(Vec::new()), None).expect("memory does not fail");
    for record in thor::Reader::new(bytes, "input", Names::default()).flatten() {
        writer.write(&record).expect("a game from a Thor file fits into one");
    }
}

fn thor_names(bytes: &[u8]) {
    let mut names = Names::default();
    names.read_players(bytes, "players");
    names.read_tournaments(bytes, "tournaments");
}

/// A whole file: its format is detected, its games are read through a small buffer and written in every format.
fn file(bytes: &[u8]) {
    let capacity = 1 + bytes.len() % 61;
    let format = Format::detect(bytes);
    let reader = BufReader::with_capacity(capacity, bytes);
    for record in records::read(reader, "input", format).flat_map(usable) {
        for format in Format::ALL {
            if let Ok(mut writer) = Writer::new(Vec::new(), format) {
                // A refusal is fine.
                let _ = writer.write(&record);
            }
        }
    }
    // In the other formats they are invalid, but must not cause a panic.
    for format in Format::ALL {
        assert!(records::read(bytes, "input", format).count() <= bytes.len() + 1);
    }
}

/// The record of a result, also of one that only states a wrong disc count.
fn usable(result: Result<GameRecord, records::RecordError>) -> Option<GameRecord> {
    result.or_else(|error| error.record.map(|record| *record).ok_or(())).ok()
}
