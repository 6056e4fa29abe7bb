//! `emilia book build`: makes a book from games, or from nothing.

use super::extend;
use super::game_learning::GameLearning;
use super::plan_options::PlanOptions;
use super::search_options::BookSearchOptions;
use crate::arguments::{change_or_create, require_file};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia book build my.book --positions 1000     from nothing: the best lines
  emilia book build my.book thor/ --plies 24     the openings of a database
  emilia book build my.book games.store --level 20
        games of emilia learn play

From nothing, the book begins with the first position and is extended as by emilia book extend. From games, the positions \
of each game enter the book with a search of the alternatives to every move. The result of a game does not matter: \
positions near the end are solved, and all values follow.

Ctrl-C stops the search; the same command resumes. The book remembers the games that it has learned and up to which \
move: when the files have grown, only what is new is learned and counted. Records that cannot be read are \
reported on standard error and left out, and the exit code is 1.";

/// The moves of a game that enter the book, by default: then the end is near enough to be searched.
pub(crate) const DEFAULT_PLIES: u16 = 30;

/// Build a book from games, or from nothing.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Build {
    /// The book, which is created if it does not exist
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Files of games in any format, stores of games, or folders with such files
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,

    /// Length in plies (the part of each game that enters the book) [default: 30]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=60))]
    plies: Option<u16>,

    /// Format of the input, if neither its name nor its content shows it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    #[command(flatten)]
    plan: PlanOptions,

    #[command(flatten)]
    search: BookSearchOptions,

    /// Exit with code 0 even if there are bad records
    #[arg(long)]
    lenient: bool,

    /// Print JSON: one object after every game or position, and at the end
    #[arg(long)]
    json: bool,
}

impl Build {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        require_file(environment.registry, &self.book)?;
        FileRoles::new().reads_all(&self.games).writes("", &self.book).check()?;
        if self.games.is_empty() {
            if self.plies.is_some() || self.from.is_some() || self.lenient {
                bail_usage!("--plies, --from and --lenient are for building from games; expected GAMES");
            }
            let plan = self.plan.plan()?;
            let stop = interrupt::flag()?;
            let mut search = self.search.search(environment.registry, &stop)?;
            return change_or_create(&self.book, |book| {
                extend::follow(book, &plan, &self.plan, search.as_mut(), self.json, &stop)
            });
        }
        ensure_usage!(
            !self.plan.is_given(),
            "options of a plan are for building from nothing; after games, use emilia book extend"
        );
        let stop = interrupt::flag()?;
        let plies = self.plies.unwrap_or(DEFAULT_PLIES).into();
        let learning = GameLearning { plies, resumes: true, json: self.json, stop: &stop };
        let bad = learning.learn_files(environment.registry, &self.book, &self.games, self.from, &self.search)?;
        bad.conclude(!self.lenient, "the others were learned")
    }
}
