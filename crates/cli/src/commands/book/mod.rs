//! `emilia book`: opening books.

mod build;
mod check;
mod explore;
mod export;
mod extend;
mod game_learning;
mod import;
mod learn;
mod merge;
mod plan_options;
mod prune;
mod search_options;
mod show;
mod statistics;
mod verify;

use evaluation::Value;

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book build my.book --positions 1000   a book from nothing
  emilia book learn my.book game.sgf           add a game
  emilia book show my.book f5d6c3              what the book knows after these
                                               moves
  emilia book show shipped tiger               the shipped book, an opening by
                                               its name
  emilia book explore my.book                  walk through the book on the
                                               full screen
  emilia book import my.book edax/book.dat     take over a book of Edax
  emilia book export my.book positions.jsonl   the positions as JSON lines
  emilia book statistics my.book               how many positions, how deeply
                                               searched
  emilia book help show                        help for one of these commands

A book is one file with positions of the 8x8 board up to symmetry. The value of each is that of its best move, whichever \
moves lead to it. The leaf of a position is its best move that does not lead to another position of the book.

Every change is on the disk before the next one begins, and a book that was being changed during a crash opens as before. \
While a command changes a book, no other one can open it; any number of commands can read it at the same time.

Some books are part of the program: `shipped` is the one that Emilia plays from, and the name of another program is its small \
one, if it has one. They can be read, but not changed; `emilia book merge my.book shipped` makes a copy. These names always mean these \
books: a file of such a name is written with its folder, as in ./shipped.";

/// Build, study and exchange opening books.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Book {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::Build),
    Extend(extend::Extend),
    Learn(learn::Learn),
    Show(show::Show),
    Explore(explore::Explore),
    Check(check::Check),
    Verify(verify::Verify),
    Statistics(statistics::Statistics),
    Import(import::Import),
    Export(export::Export),
    Merge(merge::Merge),
    Prune(prune::Prune),
}

impl Book {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        run_one!(&self.what, environment, What:
            Build Extend Learn Show Explore Check Verify Statistics Import Export Merge Prune)
    }
}

/// The file of a book; empty for one without a file.
fn name_of(book: &book::Book) -> String {
    book.path().map_or(String::new(), |path| path.display().to_string())
}

fn discs(text: &str) -> Result<Value, String> {
    let discs = text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs)).map(Value::from_discs);
    discs.ok_or_else(|| format!("not a number of discs: {text:?}; expected 0 to 64"))
}
