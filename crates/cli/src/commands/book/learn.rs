//! `emilia book learn`: adds a game to a book.

use super::game_learning::GameLearning;
use super::search_options::BookSearchOptions;
use crate::arguments::require_file;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book learn my.book f5d6c3d3c4f4      a game given by its moves
  emilia book learn my.book tiger             an opening by its name
  emilia book learn my.book game.sgf          a game from a file
  emilia book learn my.book game.sgf --plies 20 --level 20

The alternatives to every move of the game are searched, those of the last one first, and the game is counted in every \
position. A game that is learned again is counted again; emilia book build counts no game again that it has learned.

Ctrl-C stops the search: what was searched stays in the book, and the game is not counted.";

/// Learn games: add their positions to a book, with a search of the alternatives to every move.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Learn {
    /// The book, which is created if it does not exist
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Games such as f5d6c3, names of openings, or files of games in any format; - is standard input
    #[arg(value_name = "GAME|FILE|NAME", required = true)]
    games: Vec<PathBuf>,

    /// Length in plies (the part of each game that enters the book)
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = number::<u16>(0..=60))]
    plies: u16,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    #[command(flatten)]
    search: BookSearchOptions,

    /// Print JSON: one object after every game
    #[arg(long)]
    json: bool,
}

impl Learn {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        FileRoles::new().reads_all(&self.games).writes("", &self.book).check()?;
        let stop = interrupt::flag()?;
        let learning = GameLearning { plies: self.plies.into(), resumes: false, json: self.json, stop: &stop };
        let bad = learning.learn_files(environment.registry, &self.book, &self.games, self.from, &self.search)?;
        bad.conclude(true, "the others were learned")
    }
}
