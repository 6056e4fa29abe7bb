//! Players and analysts with an opening book: `emilia@book=FILE,book-randomness=1`.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use book::{Book, BookError, BookMove, Destination, Snapshot};
use engine::analysis::{Analyst, Judgement};
use engine::{Choice, Chosen, Limits, Observer, Player, PlayerError, Progress, Stop};
use evaluation::Value;
use othello::random::Random;
use othello::{Board, Game, Rules, Square};

use crate::book_settings::BookSettings;
use crate::error::MakeError;

/// A book that is open for reading; clones share it.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    snapshot: Arc<Snapshot>,
}

impl OpeningBook {
    /// Opens a book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Ok(Self { snapshot: Arc::new(Book::open_read_only(path)?.snapshot()?) })
    }

    /// The moves of a position that lead to positions of the book or to the end of the game, with the best of the other
    /// moves if its value is known; the best first. Empty if the position is not in the book, or not of the 8x8 board.
    pub fn moves<B: Rules>(&self, board: &B) -> Result<Vec<BookMove>, BookError> {
        let board: &dyn Any = board;
        board.downcast_ref::<Board>().map_or(Ok(Vec::new()), |board| self.snapshot.moves(board))
    }

    /// What a position of the book is worth to its side to move.
    fn value<B: Rules>(&self, board: &B) -> Result<Option<Value>, BookError> {
        let board: &dyn Any = board;
        let found = board.downcast_ref::<Board>().map_or(Ok(None), |board| self.snapshot.lookup(board))?;
        Ok(found.map(|found| found.value))
    }

    /// Whether a move leads to a position of the book.
    pub fn has_move<B: Rules>(&self, board: &B, square: Square) -> Result<bool, BookError> {
        let board: &dyn Any = board;
        let after = board.downcast_ref::<Board>().and_then(|board| board.play(square));
        Ok(match after {
            Some(after) if !after.is_over() => self.snapshot.lookup(&after)?.is_some(),
            _ => false,
        })
    }

    /// The moves that are expected after a move, itself included.
    fn line<B: Rules>(&self, board: &B, square: Square) -> Result<Vec<Square>, BookError> {
        let board: &dyn Any = board;
        let after = board.downcast_ref::<Board>().and_then(|board| board.play(square));
        let mut line = vec![square];
        if let Some(after) = after {
            line.extend(self.snapshot.best_line(&after)?);
        }
        Ok(line)
    }
}

/// A player that plays from a book as long as it can, and thinks for itself from then on.
struct BookPlayer<B: Rules> {
    player: Box<dyn Player<B>>,
    book: OpeningBook,
    /// The most that a move may be worse than the best one.
    randomness: Value,
    random: Random,
}

/// A player with the book of its settings, if they name one.
pub(crate) fn with_book<B: Rules>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    seed: u64,
) -> Result<Box<dyn Player<B>>, MakeError> {
    let Some(book) = settings.open()? else { return Ok(player) };
    Ok(Box::new(BookPlayer { player, book, randomness: settings.randomness, random: Random::new(seed) }))
}

impl<B: Rules> BookPlayer<B> {
    /// The move of the book, if the position is in it and has one that is good enough.
    ///
    /// The best move of a position may lead out of the book; it is not played from the book, but others are compared with
    /// it. Of the moves that are worse than the best by no more than the randomness, better ones are played more often:
    /// one that gives away all of it is played 2.7 times less often than the best.
    fn book_move(&mut self, board: &B) -> Result<Option<BookMove>, BookError> {
        let Some(best) = self.book.value(board)? else { return Ok(None) };
        let lost = |known: &BookMove| (best - known.value).parts().max(0);
        let randomness = self.randomness.parts();
        let mut playable = self.book.moves(board)?;
        playable.retain(|known| known.destination != Destination::Leaf && lost(known) <= randomness);
        let weight = |known: &BookMove| (-f64::from(lost(known)) / f64::from(randomness.max(1))).exp();
        let mut point = self.random.share() * playable.iter().map(weight).sum::<f64>();
        for known in &playable {
            point -= weight(known);
            if point < 0.0 {
                return Ok(Some(*known));
            }
        }
        Ok(playable.last().copied())
    }

    fn failed(&self, error: &BookError) -> PlayerError {
        PlayerError::Failed { player: self.name().to_owned(), reason: error.to_string() }
    }
}

impl<B: Rules> Player<B> for BookPlayer<B> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn points_per_disc(&self) -> f64 {
        self.player.points_per_disc()
    }

    fn choose(&mut self, game: &Game<B>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        let board = game.position().board;
        let found = match self.book_move(&board) {
            Ok(Some(known)) => self.book.line(&board, known.square).map(|line| Some((known, line))),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        let Some((known, line)) = found.map_err(|error| self.failed(&error))? else {
            return self.player.choose(game, limits, observer, stop);
        };
        let choice = Choice { value: Some(known.estimate()), line, ..Choice::of(known.square) };
        observer.report(&choice.progress(0, choice.time));
        Ok(choice)
    }

    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        // Who asks for values wants those of a search; the book's are shown beside them where there is room.
        self.player.value_moves(game, count, limits, observer, stop)
    }
}

/// An analyst that says which moves are in a book.
pub struct BookAnalyst<B: Rules> {
    analyst: Box<dyn Analyst<B>>,
    book: OpeningBook,
}

impl<B: Rules> BookAnalyst<B> {
    /// The same analyst with a book.
    pub fn new(analyst: Box<dyn Analyst<B>>, book: OpeningBook) -> Self {
        Self { analyst, book }
    }
}

impl<B: Rules> Analyst<B> for BookAnalyst<B> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.analyst.new_game()
    }

    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        let judgement = self.analyst.judge(game, played, stop)?;
        let failed = |error: BookError| PlayerError::Failed { player: "book".to_owned(), reason: error.to_string() };
        let in_book = self.book.has_move(&game.position().board, played).map_err(failed)?;
        Ok(Judgement { in_book, ..judgement })
    }
}
