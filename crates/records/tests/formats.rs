//! The formats as written by other programs, and the errors for invalid records.

use std::fs;
use std::path::{Path, PathBuf};

use othello::{Board, Color, Position, Score, SmallBoard};
use records::obf::Problem;
use records::sink::GameSink;
use records::thor::{self, Names};
use records::{Date, Format, GameRecord, RecordError, Writer, ggf, sgf, transcript};

/// The records of a text, and the errors for invalid ones.
fn read(text: &str, format: Format) -> (Vec<GameRecord>, Vec<String>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for result in records::read(text.as_bytes(), "FILE", format) {
        match result {
            Ok(record) => good.push(record),
            Err(error) => bad.push(error.to_string()),
        }
    }
    (good, bad)
}

fn ggf(text: &str) -> GameRecord {
    ggf::parse(text).expect(text)
}

fn sgf(text: &str) -> GameRecord {
    sgf::parse(text).expect(text)
}

fn moves(record: &GameRecord) -> String {
    transcript::format(&record.game)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn the_lines_of_a_problem_file_are_written_as_they_were_read() {
    let text = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;
-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X; H8:+0; A5:+0; B6:-4; B7:-4; A6:-8; B2:-12; H2:-26;
OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; G5:+0; G2:-2; G4:-4; G6:-6;
";
    let (problems, errors) = read(text, Format::Obf);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(problems[0].scores[7].score, Score::new(-24));
    assert_eq!(problems[2].game.start().turn, Color::White);
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written, Format::Obf).expect("a text format");
    for problem in &problems {
        writer.write(problem).expect("written");
    }
    writer.finish().expect("written");
    assert_eq!(String::from_utf8(written).expect("text"), text);
}

/// After eight moves Black has no legal move, and White plays again.
const BEFORE_PASS: [&str; 8] = ["d3", "c3", "e6", "d2", "d1", "e1", "b2", "c1"];

#[test]
fn passes_are_read_written_out_or_left_out() {
    let expected = transcript::parse::<Board>(&format!("{}a3", BEFORE_PASS.concat())).expect("a game");
    for pass in ["", "B[PA]", "B[pass]", "B[--]", "B[]"] {
        for (open, close) in [("(;GM[Othello]", ";)"), ("(;GM[2]", ")")] {
            let plies =
                BEFORE_PASS.iter().enumerate().map(|(index, square)| format!("{}[{square}]", ["B", "W"][index % 2]));
            let text = format!("{open}{};{pass};W[a3]{close}", plies.collect::<Vec<_>>().join(";"));
            let record = if open.contains('2') { sgf(&text) } else { ggf(&text) };
            assert_eq!(record.game, expected, "{text}");
        }
    }
    let passes: Vec<_> = expected.plies().iter().map(|ply| ply.square.is_none()).collect();
    assert_eq!(passes, [false, false, false, false, false, false, false, false, true, false]);
}

#[test]
fn sgf_variations_are_written_with_the_current_line_first() {
    let record = sgf(
        "(;GM[2]C[a game];B[f5]C[first]V[1.5](;W[d6]V[2]C[one](;B[c3]ET[3.5])(;B[c4]))(;W[f6]C[lost];B[e6])(;W[f4]))",
    );
    let moves = "\n;B[f5]V[1.5]C[first]\n(;W[d6]V[2]C[one]\n(;B[c3]ET[3.5])\n(;B[c4]))\n(;W[f6];B[e6])\n(;W[f4]))";
    assert!(sgf::format(&record).ends_with(moves));
}

#[test]
fn deep_nesting_is_read_without_a_deep_stack() {
    let text = format!("(;GM[2]{}{})", "(;".repeat(200_000), ")".repeat(200_000));
    assert_eq!(moves(&sgf(&text)), "");
}

/// The games of `tests/data/thor` were played at random by a short program that shares no code with this crate; the
/// expected content of each record is in `small.expected.tsv`.
#[test]
fn a_small_thor_file_is_read_with_its_names_and_its_wrong_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thor");
    let expected = fs::read_to_string(folder.join("small.expected.tsv")).expect("the expectations");
    let players = ["???", "Moreau Anne", "Préfontaine Luc", "A name of 19 letter"];
    let tournaments = ["Diverses parties", "Championnat de Suède", "A tournament of 25 letter"];
    let records = records::open(folder.join("small.wtb")).expect("the file");
    let mut count = 0;
    for (index, (result, line)) in records.zip(expected.lines().skip(1)).enumerate() {
        count += 1;
        let fields: Vec<_> = line.split('\t').collect();
        let [said, tournament, black, white, discs, theoretical, legal_moves] = fields[..] else {
            panic!("seven fields: {line}");
        };
        let number = |text: &str| text.parse::<usize>().expect("a number");
        let record = match result {
            Ok(record) => {
                assert_eq!(said, "ok", "record {}", index + 1);
                record
            }
            Err(RecordError { name, place, problem, record }) => {
                assert!(name.ends_with("small.wtb"), "{name}");
                assert_eq!(place.to_string(), format!("record {}", index + 1));
                assert!(problem.to_string().starts_with(said), "{problem}");
                match record {
                    Some(record) => *record,
                    None => continue,
                }
            }
        };
        assert_eq!(moves(&record), legal_moves);
        assert_eq!(record.event, tournaments[number(tournament)]);
        assert_eq!(record.black, *players.get(number(black)).unwrap_or(&"#9"));
        assert_eq!(record.white, players[number(white)]);
        assert_eq!(record.date, Date::of_year(1999));
        assert_eq!(record.result.map(Score::discs), Some(2 * number(discs) as i32 - 64));
        if number(theoretical) <= 64 {
            let stated = record.theoretical.expect("a theoretical score");
            assert_eq!((stated.score.discs(), stated.empties), (2 * number(theoretical) as i32 - 64, 24));
        }
    }
    assert_eq!(count, 13);
}

#[test]
fn thor_files_of_the_wrong_length_are_reported() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thor/small.wtb");
    let bytes = fs::read(path).expect("the file");
    let read = |bytes: &[u8]| {
        let (mut games, mut last) = (0, None);
        for result in thor::Reader::new(bytes, "FILE", Names::default()) {
            match result {
                Ok(_) => games += 1,
                Err(error) => last = Some(error.to_string()),
            }
        }
        (games, last.expect("an error"))
    };
    let longer = [&bytes[..], &bytes[16..16 + 68]].concat();
    let mut large = bytes.clone();
    large[12] = 10;
    for (bytes, games, error) in [
        (&bytes[..10], 0, "header: found 10 bytes; expected the 16 bytes of a Thor header"),
        (&bytes[..16 + 2 * 68], 2, "end of file: found 2 games; expected 13 as the header says"),
        (
            &bytes[..16 + 2 * 68 + 5],
            2,
            "end of file: found 5 bytes after game 2; expected 68 for each, and 13 of them as the header says",
        ),
        // Without names every number is valid.
        (&longer[..], 8, "end of file: found 14 games; expected 13 as the header says"),
        (&large[..], 0, "header: found a board of 10x10; expected 8x8"),
    ] {
        assert_eq!(read(bytes), (games, format!("FILE, {error}")));
    }
}

#[test]
fn games_go_from_thor_through_every_format_and_back() {
    let folder = folder("through_every_format");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thor/small.wtb");
    let games: Vec<_> = records::open(source).expect("the file").flatten().collect();
    assert_eq!(games.len(), 6);
    let mut kept = games.clone();
    for name in ["a.ggf", "b.sgf", "c.wtb", "d.WTB", "e.txt"] {
        let path = folder.join(name);
        let format = Format::from_path(&path).expect("a known extension");
        let mut sink = GameSink::create(&path, format).expect("a new file");
        for game in &kept {
            sink.write(game).expect("written").expect("a game that fits");
        }
        sink.finish().expect("written");
        kept = records::open(&path).expect("the file").collect::<Result<_, _>>().expect("games");
        let lines = |games: &[GameRecord]| games.iter().map(moves).collect::<Vec<_>>();
        assert_eq!(lines(&kept), lines(&games), "{name}");
        if format != Format::Transcript {
            let facts = |games: &[GameRecord]| -> Vec<_> {
                let fact = |game: &GameRecord| {
                    (game.black.clone(), game.white.clone(), game.event.clone(), game.date, game.result)
                };
                games.iter().map(fact).collect()
            };
            assert_eq!(facts(&kept), facts(&games), "{name}");
        }
    }
    for file in ["c.jou", "c.trn", "d.JOU", "d.TRN"] {
        assert!(folder.join(file).exists(), "{file}");
    }
}

#[test]
fn games_that_thor_cannot_hold_are_refused_and_the_rest_is_written() {
    let folder = folder("what_thor_cannot_hold");
    let path = folder.join("games.wtb");
    let mut writer = GameSink::create(&path, Format::Thor).expect("a new file");
    let game = GameRecord::new(transcript::parse("f5d6c3").expect("a game"));
    let dated = |year| GameRecord { date: Date::of_year(year), ..game.clone() };
    writer.write(&dated(1996)).expect("written").expect("a game that fits");
    let long = GameRecord { black: "a name of far more than nineteen letters, λ".to_owned(), ..dated(1996) };
    writer.write(&long).expect("written").expect("names are cut");
    for (record, message) in [
        (
            dated(1997),
            "the game was played in 1997; the games of this Thor file are from 1996, and a file holds only one year",
        ),
        (
            GameRecord { result: Some(Score::new(3)), ..game.clone() },
            "the score +3 is impossible on the 8x8 board; expected an even number from -64 to +64",
        ),
        (
            "-------------------------------OX------------------------------- X"
                .parse::<Problem>()
                .expect("a board")
                .into(),
            "the game begins from another position; a Thor file only holds games from the standard start",
        ),
    ] {
        assert_eq!(writer.write(&record).expect("written").expect_err("refused").to_string(), message);
    }
    writer.finish().expect("written");
    let back: Vec<_> = records::open(&path).expect("the file").map(|result| result.expect("a game")).collect();
    assert_eq!(back.len(), 2);
    assert_eq!(back[1].black, "a name of far more ");
    assert!(Writer::new(Vec::new(), Format::Thor).is_err());
    let mut writer = Writer::new(Vec::new(), Format::Transcript).expect("a text format");
    assert!(writer.write(&GameRecord::<Board>::default()).is_err());
}

/// A set of three Thor files with one game for each pair of names.
fn write_set(path: &Path, players: &[[&str; 2]]) {
    let mut sink = GameSink::create(path, Format::Thor).expect("three files");
    for [black, white] in players {
        let game: GameRecord = GameRecord::new(transcript::parse("f5d6c3").expect("a game"));
        let named = |name: &str| name.to_owned();
        let record = GameRecord { black: named(black), white: named(white), event: format!("{black} open"), ..game };
        sink.write(&record).expect("written").expect("a game that fits");
    }
    sink.finish().expect("written");
}

fn names_of(path: &Path) -> Vec<[String; 3]> {
    let records = records::open(path).expect("the file").map(|record| record.expect("a game"));
    records.map(|record| [record.black, record.white, record.event]).collect()
}

#[test]
fn a_thor_set_that_was_interrupted_between_two_files_has_the_right_names() {
    let folder = folder("thor_interrupted");
    let (old, new) = (folder.join("old.wtb"), folder.join("new.wtb"));
    write_set(&old, &[["Rose", "Tamenori"], ["Ishii", "Rose"]]);
    let before = names_of(&old);
    // The new set replaces the old one, with other players in another order.
    for extension in ["wtb", "jou", "trn"] {
        fs::copy(old.with_extension(extension), new.with_extension(extension)).expect("copied");
    }
    let players = [["Tamenori", "Shaman"], ["Leader", "Ishii"]];
    write_set(&new, &players);
    let after: Vec<_> =
        players.iter().map(|[black, white]| [*black, *white, &format!("{black} open")].map(str::to_owned)).collect();
    assert_eq!(names_of(&new), after);
    // Files are renamed in this order; a process that is killed leaves some of them unchanged.
    for extension in ["jou", "trn"] {
        fs::copy(new.with_extension(extension), old.with_extension(extension)).expect("copied");
        assert_eq!(names_of(&old), before, "up to {extension}");
    }
    // Other games that use the names of the folder's database keep theirs.
    let year = folder.join("WTH_1980.wtb");
    fs::copy(&old, &year).expect("copied");
    for extension in ["jou", "trn"] {
        fs::rename(old.with_extension(extension), folder.join("WTH").with_extension(extension)).expect("renamed");
    }
    assert_eq!(names_of(&year), before);
    write_set(&folder.join("WTH.wtb"), &[["Brightwell", "Feldborg"]]);
    assert_eq!(names_of(&year), before);
    assert_eq!(names_of(&folder.join("WTH.wtb"))[0][0], "Brightwell");
}

#[test]
fn the_names_of_a_thor_file_go_into_the_files_they_are_read_from() {
    let folder = folder("thor_capitals");
    let path = folder.join("games.wtb");
    write_set(&path, &[["Rose", "Tamenori"]]);
    fs::rename(folder.join("games.jou"), folder.join("GAMES.JOU")).expect("renamed");
    write_set(&path, &[["Shaman", "Rose"]]);
    assert_eq!(names_of(&path), [["Shaman", "Rose", "Shaman open"]]);
    assert!(!folder.join("games.jou").exists());
    // A file of games cannot have the same path as its own file of names.
    for name in ["games.jou", "games.TRN"] {
        assert!(GameSink::create(&folder.join(name), Format::Thor).is_err(), "{name}");
    }
    assert_eq!(names_of(&path).len(), 1);
}

#[test]
fn invalid_name_files_are_reported_and_the_games_are_still_read() {
    let folder = folder("wrong_names");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thor");
    fs::copy(source.join("small.wtb"), folder.join("small.wtb")).expect("copied");
    let names = fs::read(source.join("SMALL.JOU")).expect("the names");
    fs::write(folder.join("WTH.JOU"), &names[..names.len() - 25]).expect("written");
    let results: Vec<_> = records::open(folder.join("small.wtb")).expect("the file").collect();
    let error = results[0].as_ref().expect_err("too few names").to_string();
    assert!(
        error.ends_with(
            "WTH.JOU, end of file: found 15 bytes after name 2; expected 20 for each, and 4 as the header says"
        ),
        "{error}"
    );
    let last = results.last().and_then(|result| result.as_ref().err()).expect("a player without a name");
    assert!(last.to_string().ends_with("found player 3; expected a number below 2, the number of names"), "{last}");
    let last = last.record.as_ref().expect("the game itself");
    assert_eq!((last.black.as_str(), last.event.as_str()), ("#3", "#0"));
}

#[test]
fn formats_are_detected() {
    let thor = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thor/small.wtb")).expect("the file");
    assert_eq!(Format::detect(&thor), Format::Thor);
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert_eq!(Format::from_path("games/WTH_1997.WTB"), Some(Format::Thor));
    assert_eq!(Format::from_path("games/README"), None);
    assert!("pgn".parse::<Format>().is_err());
}

#[test]
fn a_board_is_read_on_its_own_size_alone() {
    assert_eq!("-----OX--XO----- X".parse(), Ok(Position::<SmallBoard<4>>::start()));
    assert!(Position::<Board>::start().to_string().parse::<Position<SmallBoard<6>>>().is_err());
}
