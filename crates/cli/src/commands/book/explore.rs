//! `emilia book explore`: a book on the full screen.

use terminal::{BookTour, FullScreen, Left};

use crate::arguments::book_to_read;
use crate::commands::explore::index_place::IndexRequest;
use crate::commands::play::can_show_screen;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book explore my.book                    from the starting position
  emilia book explore my.book f5d6c3             from the position after these
                                                 moves
  emilia book explore my.book tiger              from an opening by its name
  emilia book explore my.book --games thor/      with what people played

The arrow keys choose a move and step through the book; ? lists the keys. The screen needs a terminal of at least 64 columns and \
18 rows; `emilia book show` prints the same values anywhere.";

/// Advice where there is no terminal for the screen.
const INSTEAD: &str = "`emilia book show` prints what a book knows about a position";

/// Look at a book on the full screen: the board, the moves with their values, and the tree of lines.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explore {
    /// The book: a file, or `shipped`, `keyano` or `logistello` for one that ships with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves such as f5d6c3, or the name of an opening [default: the starting position]
    #[arg(value_name = "MOVES|NAME")]
    position: Option<String>,

    /// A file of games in any format, or a folder with such files, to count what people played; may be repeated
    #[arg(long, value_name = "PATH")]
    games: Vec<PathBuf>,
}

impl Explore {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let game = self.position.as_deref().map(named_opening::game).transpose()?.unwrap_or_else(Game::new);
        let snapshot = book_to_read(environment.registry, &self.book)?.into_snapshot()?;
        ensure_usage!(can_show_screen(), "the screen of a book needs a terminal; {INSTEAD}");
        let people = match self.games.as_slice() {
            [] => None,
            games => Some(IndexRequest { games, format: None, index: None, book: None, rebuild: false }.ready()?.index),
        };
        let name = self.book.file_name().unwrap_or(self.book.as_os_str()).to_string_lossy().into_owned();
        let tour = BookTour::new(snapshot, name, game, people)?;
        let look = environment.look;
        let mut full_screen = FullScreen::take(look, INSTEAD)?;
        interrupt::call(full_screen.terminator());
        match terminal::explore_book(&mut full_screen, tour, look)? {
            Left::Terminated(_) => Err(Interrupted.into()),
            Left::Quit | Left::ForBoard(_) => Ok(()),
        }
    }
}
