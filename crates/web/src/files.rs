//! Files that come from a page and go to it; nothing here touches a disk.

use std::any::Any;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use othello::{Board, Position, Rules};
use records::obf::Problem;
use records::thor::{self, Names};
use records::{self, Format, GameRecord, RecordError, ggf, sgf, text, transcript};
use report::words::{names, printable};

use crate::message::{FileContent, GameSummary, SaveFormat};

/// Maximum size of a file, in bytes.
const MAX_FILE: usize = 8 << 20;

/// Maximum number of games of a file in one list.
pub(crate) const MAX_LISTED: usize = 200;

/// Maximum number of games of a file that are counted.
const MAX_COUNTED: usize = 50_000;

/// Number of moves shown of a listed game.
const OPENING: usize = 10;

pub(crate) struct Listed<B: Rules> {
    /// The game of the requested number, or the only game.
    pub(crate) chosen: Option<Box<GameRecord<B>>>,
    pub(crate) number: usize,
    /// The games, from the first one that was requested.
    pub(crate) games: Vec<GameSummary>,
    pub(crate) count: usize,
    pub(crate) has_more: bool,
}

impl FileContent {
    pub(crate) fn of_text(name: &str, text: String) -> Self {
        Self { name: name.to_owned(), text: Some(text), base64: None }
    }

    fn of_bytes(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), text: None, base64: Some(STANDARD.encode(bytes)) }
    }

    pub(crate) fn bytes(&self) -> Result<Vec<u8>> {
        let bytes = match (&self.text, &self.base64) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(encoded)) => {
                STANDARD.decode(encoded).map_err(|error| anyhow!("{} is not valid Base64: {error}", self.shown()))?
            }
            _ => bail!("{} needs either text or Base64", self.shown()),
        };
        let (size, max) = (bytes.len() >> 20, MAX_FILE >> 20);
        ensure!(bytes.len() <= MAX_FILE, "{} is too large: {size} MB; expected at most {max} MB", self.shown());
        Ok(bytes)
    }

    /// Its name without a folder and without anything that could disturb a message.
    pub(crate) fn shown(&self) -> String {
        let name = Path::new(&self.name).file_name().map(|name| name.to_string_lossy().into_owned());
        printable(&name.unwrap_or_default()).into_owned()
    }

    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.name).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
    }
}

/// The file with games among several, and the names that the others hold.
fn with_names(files: &[FileContent]) -> Result<(&FileContent, Names)> {
    let mut names = Names::default();
    let mut games = Vec::new();
    for file in files {
        if file.has_extension("jou") {
            names.read_players(&file.bytes()?[..], &file.shown());
        } else if file.has_extension("trn") {
            names.read_tournaments(&file.bytes()?[..], &file.shown());
        } else {
            games.push(file);
        }
    }
    match games[..] {
        [file] => Ok((file, names)),
        [] => bail!("no file with games was given"),
        _ => bail!("{} files with games were given; expected one", games.len()),
    }
}

/// The format of a file: that of its name, if it is clear, else that of its content.
fn format_of(file: &FileContent, bytes: &[u8]) -> Format {
    match Format::from_path(&file.name) {
        Some(format) if format != Format::Transcript => format,
        _ => Format::detect(bytes),
    }
}

/// The games of files of the 8x8 board: the one of this number, or a list from this one on.
pub(crate) fn read_games(files: &[FileContent], number: Option<usize>, from: usize) -> Result<Listed<Board>> {
    let (file, thor_names) = with_names(files)?;
    let bytes = file.bytes()?;
    let name = file.shown();
    let format = format_of(file, &bytes);
    let records: Box<dyn Iterator<Item = Result<GameRecord, RecordError>>> = match format {
        Format::Thor => Box::new(thor::Reader::new(&bytes[..], &name, thor_names)),
        format => Box::new(records::read(&bytes[..], &name, format)),
    };
    let mut listed = Listed { chosen: None, number: number.unwrap_or(1), games: Vec::new(), count: 0, has_more: false };
    let mut first = None;
    for record in records {
        if listed.count == MAX_COUNTED {
            listed.has_more = true;
            break;
        }
        listed.count += 1;
        if number == Some(listed.count) {
            listed.chosen = Some(Box::new(record?));
        } else if number.is_none() {
            let is_wanted = listed.count >= from && listed.games.len() < MAX_LISTED;
            if is_wanted {
                listed.games.push(summary(listed.count, &record));
            }
            if listed.count == 1 {
                first = Some(record);
            }
        }
    }
    match (number, listed.count) {
        (_, 0) => bail!("{name} has no games"),
        (Some(number), count) if listed.chosen.is_none() => bail!("{name} has no game {number}; it has {count}"),
        (None, 1) => {
            listed.chosen = first.transpose()?.map(Box::new);
            Ok(listed)
        }
        _ => Ok(listed),
    }
}

pub(crate) fn read_game<B: Rules>(files: &[FileContent]) -> Result<GameRecord<B>> {
    let (file, _) = with_names(files)?;
    let bytes = file.bytes()?;
    let content = String::from_utf8_lossy(&bytes);
    let content = content.trim();
    let record = match format_of(file, &bytes) {
        Format::Ggf => ggf::parse(content),
        Format::Sgf => sgf::parse(content),
        Format::Obf => content.parse::<Problem<B>>().map(GameRecord::from),
        Format::Transcript => text::only(content),
        Format::Thor => bail!("Thor files hold no games of the {} board", B::GEOMETRY.name),
    };
    record.map_err(|problem| anyhow!("{}: {problem}", file.shown()))
}

fn summary(number: usize, record: &Result<GameRecord, RecordError>) -> GameSummary {
    match record {
        Ok(record) => {
            let line = record.game.line();
            let shown = |text: &str| printable(text).into_owned();
            GameSummary {
                number,
                black: shown(&record.black),
                white: shown(&record.white),
                event: shown(if record.event.is_empty() { &record.place } else { &record.event }),
                date: record.date.map_or(String::new(), |date| date.to_string()),
                score: record.result.or_else(|| {
                    let mut game = record.game.clone();
                    game.forward();
                    game.score()
                }),
                moves: line.len(),
                opening: names::<Board>(&line[..line.len().min(OPENING)]),
                failure: None,
            }
        }
        Err(error) => GameSummary { number, failure: Some(error.to_string()), ..GameSummary::default() },
    }
}

pub(crate) fn saved_name(format: SaveFormat) -> &'static str {
    match format {
        SaveFormat::Txt => "game.txt",
        SaveFormat::Ggf => "game.ggf",
        SaveFormat::Sgf => "game.sgf",
        SaveFormat::Obf => "position.obf",
        SaveFormat::Wtb => "game.wtb",
        SaveFormat::Svg => "board.svg",
        SaveFormat::Html => "analysis.html",
    }
}

/// A game in a format for records: the whole line, or in OBF the current position.
pub(crate) fn written<B: Rules>(record: &GameRecord<B>, format: Format, name: &str) -> Result<Vec<FileContent>> {
    let mut whole = record.clone();
    whole.game.forward();
    let text = match format {
        Format::Ggf => ggf::format(&whole),
        Format::Sgf => sgf::format(&whole),
        Format::Obf => Problem::from(record).to_string(),
        Format::Transcript if record.game.start() != Position::start() => {
            bail!("a transcript cannot hold a game that begins from another position");
        }
        Format::Transcript => transcript::format(&whole.game),
        Format::Thor => match (&whole as &dyn Any).downcast_ref::<GameRecord>() {
            Some(record) => return thor_files(record, name),
            None => bail!("Thor files hold no games of the {} board", B::GEOMETRY.name),
        },
    };
    Ok(vec![FileContent::of_text(name, text + "\n")])
}

fn thor_files(record: &GameRecord, name: &str) -> Result<Vec<FileContent>> {
    let mut writer = thor::Writer::new(Cursor::new(Vec::new()), record.date)?;
    writer.write(record)?;
    let (mut players, mut tournaments) = (Vec::new(), Vec::new());
    let games = writer.finish(&mut players, &mut tournaments)?.into_inner();
    // Beside files of a disk, others may go with them; here there is no disk.
    let [player_name, tournament_name] = ["jou", "trn"].map(|extension| Path::new(name).with_extension(extension));
    let named = |path: &Path, bytes: &[u8]| FileContent::of_bytes(&path.to_string_lossy(), bytes);
    Ok(vec![FileContent::of_bytes(name, &games), named(&player_name, &players), named(&tournament_name, &tournaments)])
}
