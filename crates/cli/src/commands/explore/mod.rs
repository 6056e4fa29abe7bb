//! `emilia explore`: what people played in a position, and what a player played.

pub(super) mod index_place;
mod json;
mod opening_list;
mod player_losses;
mod text;

use std::time::Instant;

use book::BookMove;
use book::explorer::{Filter, Index, IndexError, PlayedMoves};
use players::opening_book::OpeningBook;
use records::filter;

use self::index_place::IndexRequest;
use self::player_losses::LossOptions;
use crate::arguments::{GameConditions, open_book};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia explore --games thor/
        the first moves of all games in a folder
  emilia explore f5d6c3d3c4 --games thor/
        what was played after these moves
  emilia explore tiger --games thor/ --year 2000..
        an opening by its name, and recent games only
  emilia explore tiger --games thor/ --rating 2200..
        games between strong players
  emilia explore tiger --games thor/ --player tamenori
        what happened in the games of a player
  emilia explore --player tamenori --games thor/
        a player: results, openings, opponents
  emilia explore --player tamenori --games thor/ --analyze 10
        and what this player lost per move in the latest ten games
  emilia explore rose --games thor/ --index thor.index
        keep the index in this file
  emilia explore rose --index thor.index --json
        ask an index that was made before
  emilia explore rose --index thor.index --book my.book
        with the values of an opening book
  emilia explore --names
        the names of openings

Without MOVES, --player shows what this player played. A position is found in every orientation and with any order of moves; moves that are the same by symmetry are counted \
together. Results are those of the side that moves; games whose result is not known are counted, but not in the shares. \
Games that do not begin with the starting position are left out.

The games are read once and kept in an index, in the folder for caches of your system unless --index names a file. It is \
made again when one of the files of games has changed. A file of --index that is damaged or was made from other games is \
only replaced with --rebuild.

A rating is the one that comes with the game. Where a game has none, as in Thor files, it is an Elo rating that the \
results of all games in the index give the player, people and programs alike: 1500 is an average player, and 200 points more win three games \
of four. The players named beside a move are those who have shown the greatest strength. Below them is the share of the \
move among the games of every decade.

With --analyze, a loss is the difference between the values of the best move and the played one, in discs, as in emilia \
analyze. Opening, midgame and endgame are moves 1-20, 21-40 and 41-60. Ctrl-C stops the analysis and shows what has been \
found so far.";

/// Warning for `--rating` if no game can match.
const NO_RATINGS: &str = "--rating finds nothing: the games have no ratings, and without results and names of both players \
                          there are none to compute";

/// Show what people played in a position, or what a player played.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explore {
    /// Moves such as f5d6c3, or the name of an opening [default: the starting position]
    #[arg(value_name = "MOVES|NAME")]
    position: Option<String>,

    /// A file of games in any format, or a folder with such files; - is standard input; may be repeated
    #[arg(long, value_name = "PATH")]
    games: Vec<PathBuf>,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT", requires = "games")]
    from: Option<Format>,

    /// Keep the index in this file; without --games, ask this index
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,

    /// Rebuild the index even if it exists
    #[arg(long, requires = "games")]
    rebuild: bool,

    /// The opening book, whose values are shown too: a file, `shipped` or `off` [default: shipped]
    #[arg(long, value_name = "BOOK")]
    book: Option<BookChoice>,

    #[command(flatten)]
    conditions: GameConditions,

    #[command(flatten)]
    losses: LossOptions,

    /// Ratings of both players, such as 2000..; where games have none, as in Thor files, by the results of all games
    #[arg(long, value_name = "RATINGS", value_parser = filter::parse_range)]
    rating: Option<RangeInclusive<i64>>,

    /// At most N results: moves, openings and opponents
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(0..=usize::MAX))]
    limit: usize,

    /// List the names of openings with their moves, and nothing else
    #[arg(long, conflicts_with_all = ["position", "games", "index", "player"])]
    names: bool,

    /// Print JSON: one object; with --names, one per opening
    #[arg(long)]
    json: bool,
}

pub(super) struct Ready {
    pub(super) index: Index,
    is_new: bool,
    /// Time to open or to make it.
    time: Duration,
}

impl Explore {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        if self.names {
            return opening_list::print(self.json);
        }
        // A wrong opening is reported before any game is read.
        let game = self.position.as_deref().map(named_opening::game).transpose()?;
        let look = environment.look;
        match (game, self.conditions.player.first()) {
            (None, Some(name)) => self.show_player(environment.registry, name, look),
            (game, _) => self.show_position(&game.unwrap_or_else(Game::new), look),
        }
    }

    fn index_request(&self) -> IndexRequest<'_> {
        IndexRequest {
            games: &self.games,
            format: self.from,
            index: self.index.as_deref(),
            book: match &self.book {
                Some(BookChoice::File(path)) => Some(path),
                _ => None,
            },
            rebuild: self.rebuild,
        }
    }

    /// Opens or builds the index, and warns about games that it leaves out and data that it lacks.
    fn ready(&self) -> Result<Ready> {
        let ready = self.index_request().ready()?;
        index_place::warn_of(&ready.index.left_out());
        if self.rating.is_some() && ready.index.rated_games() + ready.index.rated_players() == 0 {
            output::warn(&NO_RATINGS);
        }
        Ok(ready)
    }

    fn show_player(&self, registry: &Arc<Registry>, name: &str, look: Look) -> Result<()> {
        ensure_usage!(
            self.book.is_none(),
            "--book is not allowed here: a book has values of moves; expected MOVES or the name of an opening"
        );
        let filter = self.filter();
        let mut ready = self.ready()?;
        // Without an analysis, Ctrl-C ends the program.
        let stop = if self.losses.is_requested() { interrupt::flag()? } else { Stop::new() };
        let start = Instant::now();
        let statistics = ready.index.player(&filter);
        let losses = match self.losses.losses(registry, &ready.index, &filter, &stop) {
            Err(error) if !ready.is_new && error.is::<IndexError>() => {
                ready = self.index_request().repaired(error.downcast()?)?;
                self.losses.losses(registry, &ready.index, &filter, &stop)?
            }
            losses => losses?,
        };
        let object = json::player(name, &statistics, losses.as_ref(), self.limit, &ready, start.elapsed());
        output::print(self.json, &object, |out| {
            text::write_player(name, &statistics, losses.as_ref(), self.limit, look, out)
        })?;
        interrupt::check(&stop)
    }

    fn show_position(&self, game: &Game, look: Look) -> Result<()> {
        let book = open_book(self.book.as_ref(), BoardShape::Eight)?;
        let filter = self.filter();
        let mut ready = self.ready()?;
        let start = Instant::now();
        let position = game.position();
        let mut answer = match ready.index.ask(&position, &filter) {
            // Damage can appear only now, because a query reads only its part of the file.
            Err(error) if !ready.is_new => {
                ready = self.index_request().repaired(error)?;
                ready.index.ask(&position, &filter)?
            }
            answer => answer?,
        };
        if let Some(book) = &book {
            add_book_values(&mut answer, book)?;
        }
        let time = start.elapsed();
        let opening = opening_names::of_game(game).map(|opening| opening.name);
        let object = json::position(game, opening, &answer, self.limit, &ready, time);
        output::print(self.json, &object, |out| {
            // Values of the book have a column only if the position is in the book, or the book was requested.
            let has_values = answer.moves.iter().any(|reply| reply.book_value.is_some());
            let shows_book = book.is_some() && (has_values || self.book.is_some());
            text::write_position(opening, &answer, self.limit, shows_book, look, out)
        })
    }

    fn filter(&self) -> Filter {
        let GameConditions { black, white, event, year: years, .. } = self.conditions.clone();
        Filter { players: self.conditions.players(), black, white, event, years, ratings: self.rating.clone() }
    }
}

/// Adds what the moves of an answer are worth in a book.
fn add_book_values(answer: &mut PlayedMoves, book: &OpeningBook) -> Result<()> {
    let board = answer.position.board;
    let known = book.moves(&board)?;
    // The book may have a symmetric image of the move.
    let after = |square| board.play(square).map(|board| board.canonical());
    for played in &mut answer.moves {
        let same = known.iter().find(|known| after(known.square) == after(played.square));
        played.book_value = same.map(BookMove::estimate);
    }
    Ok(())
}
