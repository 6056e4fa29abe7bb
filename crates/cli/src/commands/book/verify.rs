//! `emilia book verify`: searches the moves of a book again.

use book::{Destination, LeafQuestion, Snapshot};
use evaluation::Value;
use othello::random::Random;

use super::discs;
use super::search_options::BookSearchOptions;
use crate::arguments::book_to_read_all;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book verify shipped --level 20 --sample 1000
        a thousand positions of the book that ships
  emilia book verify my.book --level 24 --randomness 1 --loss 2
        all positions, and all moves that emilia@book-randomness=1 may play

In each position, all moves are searched, and the moves that a player may play from the book. A move that is worse than the \
best one by more than --loss is listed, and the exit code is 1. Moves that are best because they lead out of the book are \
not played from it and not searched.";

/// Positions that are searched together.
const BATCH: usize = 64;

/// Search the moves that a book plays, and list those that lose.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Search N positions, chosen at random [default: all]
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    sample: Option<u64>,

    /// Random seed (for the sample)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Search all moves that are worse than the best one of the book by at most this many discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "0")]
    randomness: Value,

    /// Loss in discs: list moves that lose more
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "4")]
    loss: Value,

    #[command(flatten)]
    search: BookSearchOptions,

    /// Print JSON: one object for each move that is listed, and one at the end
    #[arg(long)]
    json: bool,
}

struct Played {
    board: Board,
    square: Square,
    value: Value,
}

#[derive(Serialize)]
struct Listed {
    /// With the side to move as Black.
    position: Position<Board>,
    /// The move.
    #[serde(rename = "move")]
    square: String,
    /// Value of the move in the book.
    book_value: f32,
    /// Loss by the search, in discs.
    loss: f32,
}

#[derive(Serialize)]
struct Summary {
    /// Number of moves searched.
    moves: u64,
    /// Mean loss in discs.
    mean_loss: f64,
    /// Largest loss in discs.
    largest_loss: f32,
    /// Number of moves listed.
    listed: u64,
}

impl Verify {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let mut search = self.search.search(environment.registry, &stop)?;
        let book = book_to_read_all(environment.registry, &self.book)?;
        let moves = self.moves(&book.snapshot()?)?;
        let mut out = output::stdout();
        let mut progress = Progress::new();
        let mut summary = Summary { moves: 0, mean_loss: 0.0, largest_loss: 0.0, listed: 0 };
        let mut total = 0.0;
        for batch in moves.chunks(BATCH) {
            if !progress.positions(summary.moves, moves.len() as u64, &stop) {
                break;
            }
            let question = |played: &Played, moves| LeafQuestion::unbounded(played.board, moves);
            let best = batch.iter().map(|played| question(played, played.board.moves()));
            let own = batch.iter().map(|played| question(played, played.square.bit()));
            let answers = search.search_all(&best.chain(own).collect::<Vec<_>>());
            let (best, own) = answers.split_at(batch.len());
            for ((played, best), own) in batch.iter().zip(best).zip(own) {
                let (Some(best), Some(own)) = (best, own) else { continue };
                let loss = (best.value - own.value).discs().max(0.0);
                summary.moves += 1;
                total += f64::from(loss);
                summary.largest_loss = summary.largest_loss.max(loss);
                if loss <= self.loss.discs() {
                    continue;
                }
                summary.listed += 1;
                progress.clear();
                let position = Position { board: played.board, turn: Color::Black };
                let (square, book_value) = (played.square.to_string(), played.value.discs());
                let listed = Listed { position, square, book_value, loss };
                output::row(&mut out, self.json, &listed, || {
                    let Listed { square, .. } = &listed;
                    format!("{position} {square}: {book_value:+.2} in the book, loses {loss:.2}")
                })?;
            }
        }
        progress.clear();
        summary.mean_loss = total / summary.moves.max(1) as f64;
        output::row(&mut out, self.json, &summary, || {
            let Summary { moves, mean_loss, largest_loss, listed } = summary;
            let moves = counted(moves, "move");
            let lost = format!("{} lost more than {}", grouped(listed), shown(self.loss));
            format!("{moves} searched: mean loss {mean_loss:.2} discs, largest {largest_loss:.2}, {lost}")
        })?;
        interrupt::check(&stop)?;
        ensure!(
            summary.listed == 0,
            "{}: {} that lost more than {} discs",
            self.book.display(),
            counted(summary.listed, "move"),
            shown(self.loss)
        );
        Ok(())
    }

    /// The moves of the sample that a player may play from the book.
    fn moves(&self, snapshot: &Snapshot) -> Result<Vec<Played>> {
        let positions = snapshot.positions().map(|found| found.map(|found| (found.board, found.value)));
        let mut boards = positions.collect::<Result<Vec<_>, _>>()?;
        if let Some(sample) = self.sample {
            let mut random = Random::new(self.seed);
            let size = boards.len().min(usize::try_from(sample).unwrap_or(usize::MAX));
            for index in 0..size {
                let other = index + random.below(boards.len() - index);
                boards.swap(index, other);
            }
            boards.truncate(size);
        }
        let mut moves = Vec::new();
        for (board, value) in boards {
            for known in snapshot.moves(&board)? {
                if known.destination != Destination::Leaf && value - known.value <= self.randomness {
                    moves.push(Played { board, square: known.square, value: known.value });
                }
            }
        }
        Ok(moves)
    }
}

/// Discs rounded to hundredths; a value is in 1/128 of a disc.
fn shown(discs: Value) -> f32 {
    (discs.discs() * 100.0).round() / 100.0
}
