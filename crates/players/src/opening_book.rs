//! Players and analysts with an opening book: `emilia@book=FILE,book-randomness=1`.
//!
//! All moves of a game from the book together may give away the randomness of the player, so that an open position is searched
//! at the end; a best move that leads out of the book is played from it. Before a move is played, a short search tries to refute
//! it; then the next one of the book is tried, the best first. Emilia takes over the values of the book, other players give
//! their own. A book that learns is open for writing, and all players of the process share it; the session orders them to
//! learn a game that is over, contests refuse players that learn. A page cannot name a book.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

use book::{
    Assessments, Book, BookError, BookMove, Destination, EngineSearch, Extended, LeafSearch, Settled, Snapshot,
};
use control::lock;
use engine::analysis::{Analyst, Judgement, Rating};
use engine::clock::Moment;
use engine::{
    Choice, Chosen, DiscScale, Estimate, GameClock, Level, Limits, Observer, Player, PlayerError, Progress, Silent,
    Stop,
};
use evaluation::{EvaluatedBoard, Value, winning};
use othello::random::Random;
use othello::{Board, Game, Rules, Square, SquareSet};
use search::{HashTable, Selectivity};

use crate::book_settings::{BookChoice, BookSettings};
use crate::error::MakeError;
use crate::options::PlayerOptions;
use crate::program_book::{ProgramBook, ProgramBookSettings};

/// A book that is open; clones share it.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    content: Arc<Content>,
}

#[derive(Debug)]
struct Content {
    snapshot: RwLock<Arc<Snapshot>>,
    /// The book itself, if it learns.
    book: Option<Mutex<Book>>,
}

/// The books of this process that learn: no second one may open their files.
static LEARNING: Mutex<Vec<(PathBuf, Weak<Content>)>> = Mutex::new(Vec::new());

impl OpeningBook {
    /// The book that ships with the program.
    pub fn shipped() -> Result<Self, BookError> {
        static SHIPPED: LazyLock<Result<OpeningBook, String>> = LazyLock::new(|| {
            let book = crate::shipped_book::open().and_then(OpeningBook::of_book);
            book.map_err(|error| error.to_string())
        });
        SHIPPED.clone().map_err(BookError::Database)
    }

    /// Opens the book in a file for reading.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        if let Some(book) = learning_book(path) {
            return Ok(book);
        }
        Self::of_book(Book::open_read_only(path)?)
    }

    /// Opens the book in a file, or creates it, to read it and to learn games. All such players of this process share
    /// it.
    pub fn open_to_learn(path: &Path) -> Result<Self, BookError> {
        if let Some(book) = learning_book(path) {
            return Ok(book);
        }
        let book = Book::open_or_create(path)?;
        let snapshot = RwLock::new(Arc::new(book.snapshot()?));
        let opened = Self { content: Arc::new(Content { snapshot, book: Some(Mutex::new(book)) }) };
        let mut learning = lock(&LEARNING);
        learning.retain(|(_, content)| content.strong_count() > 0);
        learning.push((canonical(path), Arc::downgrade(&opened.content)));
        Ok(opened)
    }

    /// The book of a choice, if it is one.
    pub fn chosen(choice: &BookChoice) -> Result<Option<Self>, BookError> {
        match choice {
            BookChoice::Off => Ok(None),
            BookChoice::Shipped => Self::shipped().map(Some),
            BookChoice::File(path) => Self::open(path).map(Some),
        }
    }

    /// A book as it is now.
    pub fn of_book(book: Book) -> Result<Self, BookError> {
        let snapshot = RwLock::new(Arc::new(book.into_snapshot()?));
        Ok(Self { content: Arc::new(Content { snapshot, book: None }) })
    }

    /// The book as it is now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.content.snapshot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Learns the first moves of a game, if the book does: how many positions are new.
    fn learn(&self, game: &Game<Board>, search: &mut dyn LeafSearch) -> Result<Option<Extended>, BookError> {
        let Some(book) = &self.content.book else { return Ok(None) };
        let mut book = lock(book);
        let learned = book.learn(&game.start().board, &game.line(), LEARNED_PLIES, search, None)?;
        let snapshot = Arc::new(book.snapshot()?);
        *self.content.snapshot.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
        Ok(Some(learned))
    }

    /// The valued moves of a position, the best first; empty if it is not in the book, or not of the 8x8 board.
    pub fn moves<B: Rules>(&self, board: &B) -> Result<Vec<BookMove>, BookError> {
        on_8x8(board).map_or(Ok(Vec::new()), |board| self.snapshot().moves(board))
    }

    /// Assesses the moves of a position; there are no assessments on other boards than 8x8.
    pub fn assessments<B: Rules>(&self, board: &B) -> Result<Assessments, BookError> {
        on_8x8(board).map_or(Ok(Assessments::default()), |board| self.snapshot().assessments(board))
    }

    /// Value of a position of the book for its side to move.
    fn value<B: Rules>(&self, board: &B) -> Result<Option<Value>, BookError> {
        let found = on_8x8(board).map_or(Ok(None), |board| self.snapshot().lookup(board))?;
        Ok(found.map(|found| found.value))
    }

    /// Whether a move leads to a position of the book.
    pub fn has_move<B: Rules>(&self, board: &B, square: Square) -> Result<bool, BookError> {
        let after = on_8x8(board).and_then(|board| board.play(square));
        Ok(match after {
            Some(after) if !after.is_over() => self.snapshot().lookup(&after)?.is_some(),
            _ => false,
        })
    }
}

const FIRST_DISCS: u32 = 4;

/// The board, if it is the 8x8 one.
fn on_8x8<B: Rules>(board: &B) -> Option<&Board> {
    let board: &dyn Any = board;
    board.downcast_ref()
}

/// Minimum depth at which a player uses a book that its settings do not name.
const MIN_DEPTH: u32 = 5;

/// A move from a book is not played if a search of the player itself finds another one that is so much better.
#[derive(Clone, Copy, Debug)]
struct Refutation {
    depth: u32,
    /// By how many discs another move has to be better.
    discs: f64,
}

impl Refutation {
    /// Emilia's: 12 plies at 73% take about 2 ms, and contradict the 20 plies behind a best move of the shipped book in
    /// 39 of 10,641 cases (0.4%), which is what `emilia book verify shipped --depth 12 --selectivity 73 --loss 4
    /// --sample 15000` counts. Of 2,096 best moves (`--sample 3000`), 12 plies contradict 4 and 10 plies at 73%
    /// contradict 20 (1.0%).
    const EMILIA: Self = Self { depth: 12, discs: 4.0 };
    /// That of classic programs finds blunders: their searches are slower, and evaluations err by several discs.
    const CLASSIC: Self = Self { depth: 8, discs: 8.0 };
    /// Minimum depth that refutes a move, if the time does not suffice for more.
    const MIN_DEPTH: u32 = 8;
    /// The part of the time for a move that a search may take, and of the time for the rest of the game.
    const SHARE_OF_MOVE: u32 = 5;
    const SHARE_OF_CLOCK: u32 = 300;

    /// The limits of a search to this depth for a move with these limits.
    fn limits(depth: u32, limits: &Limits) -> Limits {
        let of_move = limits.move_time.map(|time| time / Self::SHARE_OF_MOVE);
        let of_clock = limits.clock.map(|clock| clock.remaining / Self::SHARE_OF_CLOCK);
        let move_time = [of_move, of_clock].into_iter().flatten().min();
        Limits { move_time, ..Limits::of_depth(depth) }
    }
}

/// The rest of the limits of a move after some time.
fn rest_of(limits: &Limits, spent: Duration) -> Limits {
    let clock = limits.clock.map(|clock| GameClock { remaining: clock.remaining.saturating_sub(spent), ..clock });
    // A player that is given no time at all may refuse to move.
    let move_time = limits.move_time.map(|time| time.saturating_sub(spent).max(time / Refutation::SHARE_OF_MOVE));
    Limits { clock, move_time, ..*limits }
}

/// A player that plays from a book as long as it can, and thinks for itself from then on.
struct BookPlayer<B: Rules> {
    player: Box<dyn Player<B>>,
    book: OpeningBook,
    /// The most that all moves of a game together may be worse than the best ones.
    randomness: Value,
    /// The number of moves of the game after which the book is left.
    depth: u32,
    refutation: Refutation,
    /// Whether the best move of a position is played from the book even if it leads out of it, and a move that the
    /// player finds has the value of the book if that is known.
    plays_leaves: bool,
    random: Random,
    /// Whether the settings do not name the book: then a player that is to play badly has none.
    is_default: bool,
    /// The level of a choice without limits.
    default_level: Option<Level>,
}

/// The moves of a game that a player learns: then the end is near enough to be searched.
const LEARNED_PLIES: usize = 30;

/// The level of the searches when a player learns: a second or two for a game.
const LEARNING_LEVEL: Level = Level::clamped(16);

/// The hash table size of these searches in MB.
const LEARNING_HASH: usize = 16;

/// A player with the book of its settings, or with the default one if they name none: a shared one or the shipped one.
pub(crate) fn with_book<B: Rules>(
    player: Box<dyn Player<B>>,
    settings: &BookSettings,
    options: &PlayerOptions,
    shared: Option<&OpeningBook>,
) -> Result<Box<dyn Player<B>>, MakeError> {
    let has_books = B::GEOMETRY.side == Board::GEOMETRY.side;
    let opened = match (&settings.book, shared) {
        (Some(BookChoice::File(path)), _) if settings.learns => OpeningBook::open_to_learn(path).map(Some),
        (Some(choice), _) => OpeningBook::chosen(choice),
        (None, _) if !options.default_book || !has_books => Ok(None),
        (None, Some(book)) => Ok(Some(book.clone())),
        (None, None) => OpeningBook::shipped().map(Some),
    };
    let Some(book) = opened? else { return Ok(player) };
    let (is_default, default_level) = (settings.book.is_none(), options.default_level);
    let random = Random::new(options.seed);
    let BookSettings { randomness, depth, .. } = *settings;
    Ok(Box::new(BookPlayer {
        player,
        book,
        randomness,
        depth,
        refutation: Refutation::EMILIA,
        plays_leaves: true,
        random,
        is_default,
        default_level,
    }))
}

/// A classic program that plays from the book of these settings, if they name one.
pub(crate) fn playing_from<B: Rules>(
    player: Box<dyn Player<B>>,
    own: &ProgramBook,
    settings: &ProgramBookSettings,
    seed: u64,
) -> Result<Box<dyn Player<B>>, MakeError> {
    let Some(book) = own_book(own, settings)? else { return Ok(player) };
    let BookSettings { randomness, depth, .. } = settings.other;
    Ok(Box::new(BookPlayer {
        player,
        book,
        randomness,
        depth,
        refutation: Refutation::CLASSIC,
        // These programs searched where their books ended.
        plays_leaves: false,
        random: Random::new(seed),
        is_default: false,
        default_level: None,
    }))
}

/// The book of a program's settings, if they name one.
fn own_book(own: &ProgramBook, settings: &ProgramBookSettings) -> Result<Option<OpeningBook>, BookError> {
    if settings.is_own {
        return own.shipped().map(Some);
    }
    OpeningBook::chosen(settings.other.book.as_ref().unwrap_or(&BookChoice::Off))
}

/// An analyst of Emilia with the book of these settings, if they name one.
pub(crate) fn analyst_with_book<B: Rules>(
    analyst: Box<dyn Analyst<B>>,
    settings: &BookSettings,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    Ok(match OpeningBook::chosen(settings.book.as_ref().unwrap_or(&BookChoice::Off))? {
        Some(book) => Box::new(BookAnalyst::new(analyst, book).with_values()),
        None => analyst,
    })
}

/// An analyst of a program that marks the moves of the program's book: values of the book and of a search cannot be
/// compared.
pub(crate) fn analyst_with_own_book<B: Rules>(
    analyst: Box<dyn Analyst<B>>,
    own: &ProgramBook,
    settings: &ProgramBookSettings,
) -> Result<Box<dyn Analyst<B>>, MakeError> {
    Ok(match own_book(own, settings)? {
        Some(book) => Box::new(BookAnalyst::new(analyst, book)),
        None => analyst,
    })
}

/// The file behind a path, however it is written.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The book in this file, if this process has it open to learn.
fn learning_book(path: &Path) -> Option<OpeningBook> {
    let path = canonical(path);
    let learning = lock(&LEARNING);
    let content = learning.iter().find(|(open, _)| *open == path)?.1.upgrade()?;
    Some(OpeningBook { content })
}

/// Difference of a move to the best one, in parts of a disc.
fn lost(best: Value, known: &BookMove) -> i32 {
    (best - known.value).parts().max(0)
}

impl<B: Rules> BookPlayer<B> {
    /// The moves of the book that are good enough, in the order in which they are tried: one at random, then the best.
    /// A move out of the book is among them only if it is better than all others. Better moves are played more often:
    /// one that gives away all that is left of the randomness is played 2.7 times less often than the best.
    fn book_moves(&mut self, game: &Game<B>) -> Result<Vec<BookMove>, BookError> {
        let board = game.position().board;
        if self.has_left(game) {
            return Ok(Vec::new());
        }
        let Some(best) = self.book.value(&board)? else { return Ok(Vec::new()) };
        let randomness = (self.randomness.parts() - self.given_away(game)?).max(0);
        // The best first.
        let mut playable = self.book.moves(&board)?;
        let stays = playable.iter().any(|known| known.destination != Destination::Leaf && lost(best, known) == 0);
        let most = |known: &BookMove| match known.destination {
            Destination::Leaf if stays || !self.plays_leaves => None,
            Destination::Leaf => Some(0),
            Destination::Book | Destination::End => Some(randomness),
        };
        playable.retain(|known| most(known).is_some_and(|most| lost(best, known) <= most));
        let weight = |known: &BookMove| (-f64::from(lost(best, known)) / f64::from(randomness.max(1))).exp();
        let mut point = self.random.share() * playable.iter().map(weight).sum::<f64>();
        let chosen = playable.iter().position(|known| {
            point -= weight(known);
            point < 0.0
        });
        let chosen = chosen.unwrap_or(playable.len().saturating_sub(1));
        if let Some(first) = playable.get_mut(..=chosen) {
            first.rotate_right(1);
        }
        Ok(playable)
    }

    /// Whether the game has more moves than the setting `depth` of the book allows.
    fn has_left(&self, game: &Game<B>) -> bool {
        let discs = B::GEOMETRY.area() - game.position().board.empties().count();
        discs >= self.depth + FIRST_DISCS
    }

    /// Assesses the moves of a position by the book; there are none where it cannot be read or was left.
    fn assessments(&self, game: &Game<B>) -> Assessments {
        if self.has_left(game) {
            return Assessments::default();
        }
        self.book.assessments(&game.position().board).unwrap_or_default()
    }

    fn scale(&self) -> DiscScale {
        DiscScale { points_per_disc: self.player.points_per_disc() }
    }

    /// Lets the player choose, and reports the better founded value of the book for its move.
    fn choose_alone(
        &mut self,
        game: &Game<B>,
        known: &Assessments,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Chosen {
        if known.is_empty() || !self.plays_leaves {
            return self.player.choose(game, limits, observer, stop);
        }
        let scale = self.scale();
        let mut completing = |progress: &Progress| observer.report(&known.complete(progress.clone(), scale));
        let choice = self.player.choose(game, limits, &mut completing, stop)?;
        let found = Progress { line: vec![choice.square], ..choice.progress(choice.nodes, choice.time) };
        let Progress { value, book_games, .. } = known.complete(found, scale);
        Ok(Choice { value, from_book: book_games.is_some(), ..choice })
    }

    /// Loss of the previous moves of the side to move by the values of the book, in parts of a disc.
    fn given_away(&self, game: &Game<B>) -> Result<i32, BookError> {
        let turn = game.position().turn;
        let mut sum = 0;
        for (position, square) in game.positions().zip(game.moves()) {
            if position.turn != turn {
                continue;
            }
            let Some(best) = self.book.value(&position.board)? else { continue };
            let played = self.book.moves(&position.board)?.into_iter().find(|known| known.square == square);
            sum += played.map_or(0, |known| lost(best, &known));
        }
        Ok(sum)
    }

    /// Whether these limits make the player play badly, so that moves from a book would be out of place.
    fn is_too_weak(&self, limits: &Limits) -> bool {
        let level = limits.level.or(self.default_level.filter(|_| *limits == Limits::default()));
        let is_weak = level.is_some_and(Level::is_weak) || limits.depth.is_some_and(|depth| depth < MIN_DEPTH);
        self.is_default && is_weak
    }

    /// The first of these moves that a search of the player does not refute. A player that does not search to a given
    /// depth, or has no idea of discs, refutes nothing; nor does one that has too little time.
    fn unrefuted(&mut self, game: &Game<B>, moves: &[BookMove], limits: &Limits, stop: &Stop) -> Option<BookMove> {
        let first = *moves.first()?;
        if game.position().board.moves().count() == 1 {
            return Some(first);
        }
        let Some((best, depth)) = self.value_of(game, self.refutation.depth, limits, stop) else { return Some(first) };
        if depth < Refutation::MIN_DEPTH {
            return Some(first);
        }
        moves.iter().copied().find(|known| !self.is_refuted(game, known.square, best, depth, limits, stop))
    }

    /// Whether a move is much worse than the best one, which a search of this depth values so.
    fn is_refuted(
        &mut self,
        game: &Game<B>,
        square: Square,
        best: f64,
        depth: u32,
        limits: &Limits,
        stop: &Stop,
    ) -> bool {
        let mut after = game.clone();
        if after.play(square).is_err() {
            return true;
        }
        if after.position().board.is_over() {
            return false;
        }
        let sign = if after.position().turn == game.position().turn { 1.0 } else { -1.0 };
        match self.value_of(&after, depth - 1, limits, stop) {
            // Values of searches that are not equally deep cannot be compared.
            Some((own, reached)) if reached + 1 >= depth => best - sign * own >= self.refutation.discs,
            _ => false,
        }
    }

    /// Value of a search to this depth, in discs, with the depth that was reached.
    fn value_of(&mut self, game: &Game<B>, depth: u32, limits: &Limits, stop: &Stop) -> Option<(f64, u32)> {
        let choice = self.player.choose(game, &Refutation::limits(depth, limits), &mut Silent, stop).ok()?;
        let value = match choice.value? {
            // As deep as it goes.
            Estimate::Solved(score) => return Some((f64::from(score.discs()), depth)),
            Estimate::Discs { hundredths } => f64::from(hundredths) / 100.0,
            Estimate::Points(points) => f64::from(points) / self.player.points_per_disc(),
            Estimate::Proven(_) | Estimate::Chance { .. } => return None,
        };
        Some((value, choice.depth))
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
        if self.is_too_weak(limits) {
            return self.player.choose(game, limits, observer, stop);
        }
        let known = self.assessments(game);
        // Without a book that can be read, it thinks for itself.
        let moves = self.book_moves(game).unwrap_or_default();
        if moves.is_empty() {
            return self.choose_alone(game, &known, limits, observer, stop);
        }
        let start = Moment::now();
        let Some(chosen) = self.unrefuted(game, &moves, limits, stop) else {
            return self.player.choose(game, &rest_of(limits, start.elapsed()), observer, stop);
        };
        let Some(assessment) = known.of(chosen.square) else {
            return self.player.choose(game, &rest_of(limits, start.elapsed()), observer, stop);
        };
        observer.report(assessment);
        let Progress { value, ref line, .. } = *assessment;
        Ok(Choice { value, from_book: true, line: line.clone(), ..Choice::of(chosen.square) })
    }

    fn value_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Vec<Progress>, PlayerError> {
        let known = self.assessments(game);
        if known.is_empty() {
            return self.player.value_moves(game, count, limits, observer, stop);
        }
        let scale = self.scale();
        let count = count.clamp(1, game.position().board.moves().count().max(1) as usize);
        known.moves().iter().take(count).for_each(|assessment| observer.report(assessment));
        if known.suffice(count, scale) {
            return Ok(known.merged(Vec::new(), count, scale));
        }
        // Values of the book are not reported again.
        let mut completing = |progress: &Progress| {
            let completed = known.complete(progress.clone(), scale);
            if completed.book_games.is_none() {
                observer.report(&completed);
            }
        };
        // The best moves without a value of the book may come after all moves with one.
        let wanted = count.saturating_add(known.moves().len());
        let searched = self.player.value_moves(game, wanted, limits, &mut completing, stop)?;
        Ok(known.merged(searched, count, scale))
    }

    fn learn(&mut self, game: &Game<B>, stop: &Stop) -> Result<Option<String>, PlayerError> {
        let any: &dyn Any = game;
        let (Some(game), Some(_)) = (any.downcast_ref::<Game<Board>>(), &self.book.content.book) else {
            return self.player.learn(game, stop);
        };
        if game.line().is_empty() {
            return Ok(Some("the game has no moves to learn".to_owned()));
        }
        let refused = |reason: String| PlayerError::Failed { player: self.name().to_owned(), reason };
        let evaluation = Board::available().map_err(|error| refused(error.to_string()))?;
        let table = HashTable::new(LEARNING_HASH).map_err(|error| refused(error.to_string()))?;
        let (midgame, solve_from) = (LEARNING_LEVEL.midgame(), LEARNING_LEVEL.end(Selectivity::EXACT));
        let mut search = EngineSearch::new(evaluation, vec![table], midgame, solve_from, stop.clone());
        let learned = self.book.learn(game, &mut search).map_err(|error| self.failed(&error))?;
        Ok(learned.map(|learned| {
            let stopped = if learned.settled == Settled::Stopped { "stopped; " } else { "" };
            match learned.added {
                1 => format!("{stopped}1 position of the game is new in the book"),
                added => format!("{stopped}{added} positions of the game are new in the book"),
            }
        }))
    }
}

/// An analyst that marks the moves of a book, and may take over its better founded values.
pub struct BookAnalyst<B: Rules> {
    analyst: Box<dyn Analyst<B>>,
    book: OpeningBook,
    /// Whether values of the book and of the analyst are of the same kind.
    takes_values: bool,
}

impl<B: Rules> BookAnalyst<B> {
    /// The same analyst with a book. Its values are those of its own searches.
    pub fn new(analyst: Box<dyn Analyst<B>>, book: OpeningBook) -> Self {
        Self { analyst, book, takes_values: false }
    }

    /// The same, with the values of the book where a deeper search is behind them.
    #[must_use]
    pub fn with_values(self) -> Self {
        Self { takes_values: true, ..self }
    }

    /// A better founded assessment as an analyst reports it. The chance to win is that of its value after the search.
    fn rating(board: &B, searched: &Rating, founded: Progress) -> Rating {
        let Progress { depth, value, book_games, line, .. } = founded;
        let mut rating = Rating::new(searched.square, value, line);
        rating.from_book = book_games.is_some();
        if value == searched.value && !rating.from_book {
            rating.win_probability = searched.win_probability;
        } else if let (None, Some(Estimate::Discs { hundredths })) = (rating.win_probability, value) {
            let empties = board.empties().count().saturating_sub(depth);
            rating.win_probability = Some(winning::probability(Value::from_discs(hundredths as f32 / 100.0), empties));
        }
        rating
    }

    /// A judgement with the better founded values of the book.
    fn completed(&self, board: &B, played: Square, judgement: Judgement) -> Result<Judgement, BookError> {
        let in_book = self.book.has_move(board, played)?;
        let known = self.book.assessments(board)?;
        let book_value = known.of(played).filter(|_| in_book).and_then(|known| known.value);
        let judgement = Judgement { in_book, book_value, ..judgement };
        if !self.takes_values || known.is_empty() || judgement.is_exact() {
            return Ok(judgement);
        }
        let scale = DiscScale { points_per_disc: judgement.points_per_disc };
        let searched = |rating: &Rating| {
            let Judgement { depth, selectivity, .. } = judgement;
            Progress { depth, selectivity, value: rating.value, line: rating.line.clone(), ..Progress::default() }
        };
        let founded = known.complete(searched(&judgement.played), scale);
        let (depth, selectivity) = (founded.depth, founded.selectivity);
        let played = Self::rating(board, &judgement.played, founded);
        let best = known.merged(vec![searched(&judgement.best)], 1, scale).into_iter().next();
        let best = match best {
            Some(best) if best.line.first() != Some(&played.square) => {
                let square = best.line.first().copied().unwrap_or(judgement.best.square);
                Self::rating(board, &Rating { square, ..judgement.best.clone() }, best)
            }
            _ => played.clone(),
        };
        let is_better = |value: Option<Estimate>, than: Option<Estimate>| match (value, than) {
            (Some(value), Some(than)) => scale.discs(value) > scale.discs(than),
            _ => false,
        };
        let best = if is_better(best.value, played.value) { best } else { played.clone() };
        let Judgement { best, played, .. } = Judgement::new(best, played);
        Ok(Judgement { best, played, depth, selectivity, ..judgement })
    }
}

impl<B: Rules> Analyst<B> for BookAnalyst<B> {
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.analyst.new_game()
    }

    fn judge(&mut self, game: &Game<B>, played: Square, stop: &Stop) -> Result<Judgement, PlayerError> {
        let judgement = self.analyst.judge(game, played, stop)?;
        let failed = |error: BookError| PlayerError::Failed { player: "book".to_owned(), reason: error.to_string() };
        self.completed(&game.position().board, played, judgement).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use book::{Effort, Finding, Leaf};
    use records::transcript;
    use search::Selectivity;

    use super::*;
    use crate::options::SharedResources;
    use crate::registry::Registry;

    const WITH_BOOK: PlayerOptions = PlayerOptions {
        seed: 0,
        search: crate::SearchOptions { threads: 1, hash: 1 },
        default_level: None,
        default_book: true,
        patience: Duration::ZERO,
    };

    fn game(moves: &str) -> Game<Board> {
        transcript::parse(moves).unwrap()
    }

    /// A book with searches of this depth: these positions have these values, and of the others only a bound is known
    /// besides.
    fn book(depth: u8, values: &[(&str, f32)], others: &[&str], bound: Value) -> OpeningBook {
        let effort = Effort::new(depth, Selectivity::LOWEST);
        let mut book = Book::in_memory().unwrap();
        for (moves, value) in values {
            let board = game(moves).position().board;
            let first = othello::squares(board.moves()).next().unwrap();
            book.insert(&board, &Finding::best(first, Value::from_discs(*value), effort)).unwrap();
        }
        for moves in others {
            let finding = Finding { leaf: Leaf::AtMost(bound), effort, solved: None, games: 0 };
            book.insert(&game(moves).position().board, &finding).unwrap();
        }
        OpeningBook::of_book(book).unwrap()
    }

    fn choose(text: &str, moves: &str, book: Option<&OpeningBook>, options: &PlayerOptions) -> Choice {
        let shared = SharedResources { table: None, book };
        let notation = text.parse().unwrap();
        let mut player = Registry::core().limited_player_with::<Board>(&notation, options, shared).unwrap();
        player.choose(&game(moves), &Limits::default(), &mut Silent, &Stop::new()).unwrap()
    }

    #[test]
    fn a_move_that_the_search_refutes_is_not_played() {
        // A book in which g6 wins ten discs for White in the tiger; it loses more than that.
        let tiger = "f5d6c3d3c4";
        let played = |name: &str| {
            let book = book(1, &[(&format!("{tiger}{name}"), -10.0)], &[tiger], Value::EVEN);
            choose("emilia@level=8,hash=1", tiger, Some(&book), &WITH_BOOK)
        };
        let refuted = played("g6");
        assert!(refuted.square.to_string() != "g6" && refuted.nodes > 0, "{refuted:?}");
        let good = played("f4");
        assert_eq!((good.square.to_string().as_str(), good.nodes), ("f4", 0));
    }

    #[test]
    fn the_next_book_move_is_played_in_place_of_one_that_is_refuted() {
        // In this book g6 is the best move of the tiger; f4 is half a disc worse, and not refuted.
        let tiger = "f5d6c3d3c4";
        let book = book(1, &[("f5d6c3d3c4g6", -10.0), ("f5d6c3d3c4f4", -9.5)], &[tiger], Value::EVEN);
        let played = (0..8).map(|seed| {
            let options = PlayerOptions { seed, ..WITH_BOOK };
            let choice = choose("emilia@level=6,hash=1,book-randomness=1", tiger, Some(&book), &options);
            (choice.square.to_string(), choice.nodes)
        });
        assert_eq!(played.collect::<BTreeSet<_>>(), [("f4".to_owned(), 0)].into());
    }

    #[test]
    fn the_book_is_left_after_as_many_moves_as_the_setting_says() {
        for depth in [0, 1, 4] {
            let text = format!("emilia@level=5,hash=1,book=shipped,book-depth={depth}");
            let (notation, options) = (text.parse().unwrap(), PlayerOptions::default());
            let shared = SharedResources::default();
            let mut player = Registry::core().limited_player_with::<Board>(&notation, &options, shared).unwrap();
            let mut moves = String::new();
            for number in 0..6 {
                let choice = player.choose(&game(&moves), &Limits::default(), &mut Silent, &Stop::new()).unwrap();
                assert_eq!(choice.nodes == 0, number < depth, "book-depth={depth}, move {number}: {choice:?}");
                moves += &choice.square.to_string();
            }
        }
    }

    #[test]
    fn a_refutation_takes_a_part_of_the_time_and_the_rest_is_for_the_move() {
        let millis = Duration::from_millis;
        let short = Refutation::limits(12, &Limits::of_time(millis(10)));
        assert_eq!((short.move_time, short.depth), (Some(millis(2)), Some(12)));
        let clock = GameClock { remaining: millis(3000), increment: millis(7) };
        let both = Limits { clock: Some(clock), ..Limits::of_time(millis(1000)) };
        assert_eq!(Refutation::limits(12, &both).move_time, Some(millis(10)));
        assert_eq!(Refutation::limits(12, &Limits::of_level(8)).move_time, None);
        let rest = rest_of(&both, millis(30));
        assert_eq!(rest.move_time, Some(millis(970)));
        assert_eq!(rest.clock, Some(GameClock { remaining: millis(2970), increment: millis(7) }));
        // However slow the refutation was, there is time for a move.
        assert_eq!(rest_of(&Limits::of_time(millis(10)), millis(30)).move_time, Some(millis(2)));
        assert_eq!(rest_of(&Limits::of_level(8), millis(30)), Limits::of_level(8));
    }

    #[test]
    fn the_moves_of_a_game_share_the_randomness() {
        // After f5d6c3, f4 is half a disc worse than d3. What d6 gave away decides whether f4 may be played too.
        let losses = |of_d6: f32| {
            let values = [("f5d6c3d3", of_d6), ("f5d6c3f4", of_d6 + 0.5), ("f5f6", 0.0)];
            let book = book(20, &values, &["f5d6c3", "f5d6", "f5"], Value::MIN);
            let third = game("f5d6c3").position().board;
            let (best, moves) = (book.value(&third).unwrap().unwrap(), book.moves(&third).unwrap());
            let seeds = (0..40).map(|seed| {
                let options = PlayerOptions { seed, ..WITH_BOOK };
                let choice = choose("emilia@level=5,hash=1,book-randomness=0.5", "f5d6c3", Some(&book), &options);
                lost(best, moves.iter().find(|known| known.square == choice.square).unwrap())
            });
            seeds.collect::<BTreeSet<_>>()
        };
        let half = Value::from_discs(0.5).parts();
        assert_eq!(losses(0.0), [0, half].into());
        assert_eq!(losses(0.5), [0].into());
    }

    #[test]
    fn a_shared_book_is_the_default_one_and_a_setting_still_decides() {
        // After f5, the book has only f6, which no other book prefers.
        let book = book(20, &[("f5f6", -5.0)], &["f5"], Value::EVEN);
        let choice = |text: &str, default_book: bool| {
            let choice = choose(text, "f5", Some(&book), &PlayerOptions { default_book, ..WITH_BOOK });
            (choice.square.to_string() == "f6", choice.nodes)
        };
        assert_eq!(choice("emilia@level=5,hash=1", true), (true, 0));
        assert_eq!(choice("emilia@level=5,hash=1,book=shipped", true), (false, 0));
        for (text, default_book) in [("emilia@level=5,hash=1,book=off", true), ("emilia@level=5,hash=1", false)] {
            assert!(choice(text, default_book).1 > 0, "{text}");
        }
    }
}
