//! Games that are learned by a book.

use std::collections::HashMap;

use book::{Book, BookError, LeafSearch, Settled, Snapshot};
use learning::game_store::GameReader;
use learning::merging::{files_to_merge, is_store};
use records::files::records_of;

use super::name_of;
use super::search_options::BookSearchOptions;
use crate::arguments::change_or_create;
use crate::prelude::*;

pub(crate) struct GameToLearn {
    start: Board,
    moves: Vec<Square>,
}

impl GameToLearn {
    fn of(game: &Game) -> Self {
        Self { start: game.start().board, moves: game.line() }
    }
}

/// The games of these texts, each of which is a transcript, a file in any format, a store of games, or a folder.
pub(crate) fn games_of(what: &[PathBuf], format: Option<Format>, bad: &mut BadRecords) -> Result<Vec<GameToLearn>> {
    let mut games = Vec::new();
    for path in what {
        if path == Path::new(STANDARD_STREAM) || path.exists() {
            for file in files_to_merge(std::slice::from_ref(path))? {
                add_file(&file, format, &mut games, bad)?;
            }
            continue;
        }
        let text = path.to_string_lossy();
        games.push(GameToLearn::of(&named_opening::transcript_or_name(&text, "file")?.game));
    }
    Ok(games)
}

fn add_file(path: &Path, format: Option<Format>, games: &mut Vec<GameToLearn>, bad: &mut BadRecords) -> Result<()> {
    if path != Path::new(STANDARD_STREAM) && format.is_none() && is_store(path)? {
        for stored in GameReader::open(path)? {
            games.push(GameToLearn { start: Board::start(), moves: stored?.game.moves().to_vec() });
        }
        return Ok(());
    }
    for record in records_of(path, format)? {
        // A record that states something wrong about its moves still contains them.
        let record = record.or_else(|mut error| error.record.take().map(|record| *record).ok_or(error));
        let record = bad.readable(record).filter(|record| !record.game.line().is_empty());
        games.extend(record.map(|record| GameToLearn::of(&record.game)));
    }
    Ok(())
}

#[derive(Serialize)]
struct Row {
    /// Games learned by this command.
    games: u64,
    /// Positions added by this command.
    added: u64,
    /// Positions of the book.
    positions: u64,
}

pub(crate) struct GameLearning<'a> {
    /// The moves of a game that enter the book.
    pub(crate) plies: usize,
    /// Whether the book records the games, so that the same command resumes and no game is counted twice.
    pub(crate) resumes: bool,
    /// Whether a line of JSON follows every game.
    pub(crate) json: bool,
    pub(crate) stop: &'a Stop,
}

impl GameLearning<'_> {
    /// Learns games, and prints a summary at the end.
    pub(crate) fn learn(&self, book: &mut Book, games: &[GameToLearn], search: &mut dyn LeafSearch) -> Result<()> {
        let new = self.games_to_learn(&book.snapshot()?, games)?;
        let (all, done) = (games.len() as u64, (games.len() - new.len()) as u64);
        let mut progress = Progress::new();
        let mut out = output::stdout();
        let mut row = Row { games: 0, added: 0, positions: book.snapshot()?.count()? };
        let mut is_complete = true;
        for NewGame { number, game, note } in &new {
            progress.show(|progress| {
                let left = progress.left(row.games, all - done);
                let positions = counted(row.positions, "position");
                format!("game {} of {}, {positions}  {left}", number + 1, grouped(all))
            });
            let note = note.as_ref().map(|(name, times)| (name.as_str(), times.to_le_bytes()));
            let note = note.as_ref().map(|(name, times)| (*name, &times[..]));
            let learned = match book.learn(&game.start, &game.moves, self.plies, search, note) {
                Err(error @ BookError::EmptyCenter(_)) => {
                    progress.clear();
                    output::warn(&format_args!("game {}: {error}", number + 1));
                    continue;
                }
                learned => learned?,
            };
            row.added += learned.added;
            row.positions = book.snapshot()?.count()?;
            if learned.settled == Settled::Stopped {
                is_complete = false;
                break;
            }
            row.games += 1;
            if self.json {
                output::json_row(&mut out, &row)?;
            }
        }
        progress.clear();
        if !self.json {
            if done > 0 {
                writeln!(out, "{} learned before", counted(done, "game"))?;
            }
            let [added, positions] = [row.added, row.positions].map(|count| counted(count, "position"));
            writeln!(out, "{} learned, {added} added, {} has {positions}", counted(row.games, "game"), name_of(book))?;
        } else if row.games == 0 {
            output::json_line(&mut out, &row)?;
        }
        out.flush()?;
        if is_complete { Ok(()) } else { Err(Interrupted.into()) }
    }

    /// Learns the games of these texts ([`games_of`]) into a book, which is created if it does not exist, and returns the
    /// records that cannot be read.
    pub(crate) fn learn_files(
        &self,
        registry: &Registry,
        book: &Path,
        games: &[PathBuf],
        format: Option<Format>,
        search: &BookSearchOptions,
    ) -> Result<BadRecords> {
        let mut bad = BadRecords::listed();
        let games = games_of(games, format, &mut bad)?;
        ensure!(!games.is_empty() || bad.count > 0, "no game to learn");
        let mut search = search.search(registry, self.stop)?;
        if !games.is_empty() {
            change_or_create(book, |book| self.learn(book, &games, search.as_mut()))?;
        }
        Ok(bad)
    }

    /// The games that the book has not learned yet. One that occurs several times is learned as often.
    fn games_to_learn<'g>(&self, book: &Snapshot, games: &'g [GameToLearn]) -> Result<Vec<NewGame<'g>>> {
        let mut met: HashMap<String, u64> = HashMap::new();
        let mut new = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let mut note = None;
            if self.resumes {
                let name = self.note(game);
                let times = met.entry(name.clone()).or_default();
                *times += 1;
                if *times <= book.noted_number(&name)? {
                    continue;
                }
                note = Some((name, *times));
            }
            new.push(NewGame { number, game, note });
        }
        Ok(new)
    }

    /// The name under which the book records the number of times that a game was learned.
    fn note(&self, game: &GameToLearn) -> String {
        let start = [game.start.player, game.start.opponent].map(u64::to_le_bytes).concat();
        let moves = game.moves.iter().map(|square| square.index() as u8).collect();
        let plies = self.plies.to_le_bytes().to_vec();
        format!("game {:016x}", storage::checksum::fnv1a([start, moves, vec![u8::MAX], plies]))
    }
}

struct NewGame<'g> {
    number: usize,
    game: &'g GameToLearn,
    /// Record of a learned game: its name, and the number of times it is learned then.
    note: Option<(String, u64)>,
}
