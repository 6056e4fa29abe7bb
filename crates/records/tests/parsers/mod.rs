//! Every parser of the crate as a function of bytes, with seed inputs.
//!
//! `fuzz.rs` runs them briefly on arbitrary bytes in every test run; the targets in `fuzz` run them for any
//! length of time. A function panics if the parser does, or if a value does not survive writing and reading.

use std::io::{BufReader, Cursor};

use othello::{Board, CutBoard, Geometry, Position, Rules, SmallBoard, Square};
use records::obf::Problem;
use records::thor::{self, Header, Names, RawGame};
use records::{Date, Format, GameRecord, TimeControl, Writer, ggf, sgf, text, transcript};

/// A parser under test.
pub(crate) struct Parser {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Parses these bytes.
    pub(crate) parse: fn(&[u8]),
    /// Valid inputs.
    pub(crate) seeds: &'static [&'static [u8]],
}

/// All parsers.
pub(crate) const PARSERS: &[Parser] = &[
    Parser { name: "square", parse: square, seeds: &[b"f5", b"A1", b"j10", b"pass"] },
    Parser { name: "board", parse: board, seeds: BOARDS },
    Parser { name: "date", parse: date, seeds: &[b"1997-08-04", b"2003.12.15_13:24:03.MST", b"1980", b"1999/12"] },
    Parser {
        name: "clock",
        parse: clock,
        seeds: &[b"15:00/00:05/02:00", b"05:00//02:00", b"1:00:00,N", b"0", b"12.34"],
    },
    Parser { name: "transcript", parse: transcript, seeds: TRANSCRIPTS },
    Parser { name: "obf", parse: obf, seeds: PROBLEMS },
    Parser { name: "ggf", parse: ggf, seeds: GGF_GAMES },
    Parser { name: "sgf", parse: sgf, seeds: SGF_GAMES },
    Parser { name: "thor", parse: thor, seeds: &[include_bytes!("../data/thor/small.wtb")] },
    Parser {
        name: "thor-names",
        parse: thor_names,
        seeds: &[include_bytes!("../data/thor/SMALL.JOU"), include_bytes!("../data/thor/small.Trn")],
    },
    Parser { name: "file", parse: file, seeds: FILES },
];

const BOARDS: &[&[u8]] = &[
    b"---------------------------OX------XO--------------------------- X",
    b"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- O;",
    b"........\n........\n........\n...O*...\n...*O...\n........\n........\n........\n*",
    b"--------------OX----XO-------------- X",
    b"-----OX--XO----- X",
    b"----------------------------------------OX--------XO---------------------------------------- X",
];

const TRANSCRIPTS: &[&[u8]] = &[
    b"f5d6c3d3c4",
    b"1. F5 D6 2. c3 D3 3. C4",
    b"d3c3e6d2d1e1b2c1--a3",
    b"e6f4e3f6g5d6e7f5c5",
    b"e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1c8b2h7h8h2a3h3h1f2g2f1g1e8g8a2a1b7b8a8e1",
];

const PROBLEMS: &[&[u8]] = &[
    b"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6;",
    b"XO-------------------------------------------------------------- O; PS:-64; % a forced pass",
];

const GGF_GAMES: &[&[u8]] = &[
    b"(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[two]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]\
      RE[+0.000:s]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
      B[d3//0.01]W[c5/-1.5/17.38]B[e6/2.25];)",
    b"(;GM[Othello]B[d3]W[c3]B[e6]W[d2]B[d1]W[e1]B[b2]W[c1]B[PA//1]W[a3];)",
    b"(;GM[Othello]BO[8 XO-------------------------------------------------------------- O]EV[a\\]b]C[x]W[PA]B[C1];)",
];

const SGF_GAMES: &[&[u8]] = &[
    b"(;FF[4]GM[2]AP[program:1]\nPC[here]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\nRE[B+18]\n\
      B[f5];W[d6];\nB[c3];W[d3];\nB[c4];)",
    b"(;GM[2]C[a \\] game]TM[300]OT[00:05/02:00];B[f5]C[first]V[1.5](;W[d6]C[one](;B[c3]ET[3.5])(;B[c4]))(;W[f6];B[e6]))",
    b"(;GM[2]SZ[8:8]AB[aa:bb]AW[ca][cb]PL[W]BR[1800.5]RE[W+R];W[tt];B[da])",
];

const FILES: &[&[u8]] = &[
    b"# games\nf5d6c3d3c4\n\nd3c3e6d2d1e1b2c1--a3\n",
    b"---------------------------OX------XO--------------------------- X; D3:+0;\n% remark\n",
    b"2 (;GM[Othello]PB[a]PW[b]B[F5]W[D6];)(;GM[Othello]B[F5];)\n(;GM[Othello]B[f5]W[f6];)\n",
    b"(;GM[2]FF[4];B[f5](;W[d6])(;W[f6]))\n(;GM[2];B[fe])\n",
    b"[Event \"?\"]\n[Black \"a\"]\n[Result \"40-24\"]\n\n1. f5 d6 {x} 2. c3 (2. c4)\nd3 3. c4 40-24\n\n[FEN \"-----OX--XO----- X\"]\n\n*\n",
    b"{\"players\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"position\":{\"startPos\":\"f5d6\",\"moves\":[{\"m\":\"c3\",\"t\":9},\n{\"s\":\"LOSE:RESIGN\"}]}}",
    b"Title\n   a b c d e f g h\n 1 . . . . . . . .    Black to move\n\n 1. f5 d6   3. c4\n 2. c3 d3\n\nhttp://a/#f5d6(f6)c3@1\n",
    b"--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nX\nf5 d6\nc3\nd3 c4\n",
    include_bytes!("../data/thor/small.wtb"),
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
        let Geometry { playable, .. } = geometry;
        if let Ok(square) = geometry.parse_square(&text) {
            assert!(playable >> square.index() & 1 == 1);
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

fn ggf(bytes: &[u8]) {
    fn check<B: Rules>(text: &str) {
        if let Ok(record) = ggf::parse::<B>(text) {
            assert_eq!(ggf::parse(&ggf::format(&record)).ok().as_ref(), Some(&record));
        }
    }
    let text = String::from_utf8_lossy(bytes);
    check::<Board>(&text);
    check::<CutBoard>(&text);
}

fn sgf(bytes: &[u8]) {
    fn check<B: Rules>(text: &str) {
        if let Ok(record) = sgf::parse::<B>(text) {
            assert_eq!(sgf::parse(&sgf::format(&record)).ok().as_ref(), Some(&record));
        }
    }
    let text = String::from_utf8_lossy(bytes);
    check::<Board>(&text);
    check::<SmallBoard<4>>(&text);
}

fn thor(bytes: &[u8]) {
    let mut reader = thor::Reader::new(bytes, "input", Names::default());
    while let Some(Ok(raw)) = reader.next_raw() {
        assert_eq!(RawGame::from_bytes(&raw.to_bytes()), raw);
    }
    if let Some(header) = reader.header() {
        assert_eq!(Header::from_bytes(&header.to_bytes()), header);
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
