//! The options of matches and tournaments, and how they are set up.

use arena::{Contest, ContestPlan, Patience, Played, RegisteredPlayer, Sprt, Standings};
use engine::GameClock;
use players::SearchOptions;
use players::notation::{PlayerNotation, move_time};
use players::time_span;
use report::results_page;
use storage::same_file::folder_of;

use crate::arguments::OpeningOptions;
use crate::output::contest_run;
use crate::prelude::*;

/// The default level of Emilia: strong, and fast enough to wait for a hundred games.
const DEFAULT_LEVEL: Level = Level::clamped(10);

/// The options of a contest.
#[derive(Args, Debug)]
pub(crate) struct ContestOptions {
    /// Number of games, between each pair of players; an even number, because every opening is played with both colors
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_games)]
    games: u32,

    /// The board: 8, 6, 4 or cs221; NBoard programs only play on 8x8
    #[arg(long, value_name = "BOARD", default_value = "8", hide_possible_values = true, value_parser = any_board())]
    board: BoardShape,

    /// Limit classic programs to their original computing budget
    #[arg(long)]
    historical: bool,

    /// File of openings: transcripts, positions or games in any format, on boards other than 8x8 a transcript or GGF per
    /// line; repeated if there are too few. Or one opening: moves such as f5d6c3, or a name such as tiger [default:
    /// openings as found by `emilia openings`]
    #[arg(long, value_name = "FILE|MOVES|NAME")]
    openings: Option<PathBuf>,

    #[command(flatten)]
    opening_options: OpeningOptions,

    /// Time per player for the whole game: 1m, or 1m+500ms with an increment per move
    #[arg(long, value_name = "TIME", value_parser = time_span::parse_clock)]
    time: Option<GameClock>,

    /// Time for one search, such as 1s
    #[arg(long, value_name = "TIME", value_parser = move_time)]
    move_time: Option<Duration>,

    /// Search level, 0 to 60; below 5 also half levels such as 2.5; for players without levels, the search depth
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    depth: Option<u32>,

    /// Number of positions to visit (per move)
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of games played in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1..=256))]
    pub(crate) concurrency: u16,

    /// Number of threads (for each built-in player)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Hash table size in MB (for each built-in player)
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = number(1..=u32::MAX))]
    hash: u32,

    /// By how much a player may exceed its time, to allow for the cost of measuring it
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = time_span::parse_span)]
    grace: Duration,

    /// Longest wait for a move without a time limit, and for another program to start, which always gets at least 30s
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = move_time)]
    patience: Duration,

    #[command(flatten)]
    pub(crate) farm: FarmOptions,

    /// Save every game to this file when it ends; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// At the end, write all games to this file: .ggf, .sgf or .txt
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Markdown file: the results are written to a section of it at the end
    #[arg(long, value_name = "FILE", requires = "section")]
    pub(crate) results: Option<PathBuf>,

    /// The heading of that section; an existing section is replaced
    #[arg(long, value_name = "HEADING", requires = "results", value_parser = parse_heading)]
    pub(crate) section: Option<String>,

    /// Text to add to the results, such as the machine or the commit
    #[arg(long, value_name = "TEXT", requires = "results")]
    pub(crate) note: Option<String>,

    /// Print JSON: one object per game and one for the result
    #[arg(long)]
    pub(crate) json: bool,
}

fn parse_games(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&games: &u32| games > 0 && games % 2 == 0).ok_or_else(|| {
        format!(
            "not an even number of games: {text:?}; expected 2, 4, 6, …, since every opening is played with both colors"
        )
    })
}

/// Reads a heading, with or without the `##` that Markdown writes before it.
fn parse_heading(text: &str) -> Result<String, String> {
    let heading = text.trim_start_matches(|symbol: char| symbol == '#' || symbol.is_whitespace()).trim_end();
    let is_heading = !heading.is_empty() && !heading.contains(['\n', '\r']);
    let problem = || format!("not a heading: {text:?}; expected one line of text, such as Results");
    is_heading.then(|| heading.to_owned()).ok_or_else(problem)
}

impl ContestOptions {
    /// Refuses, before the first game, files that could not be written at the end or that would overwrite one another.
    fn check_files(&self) -> Result<()> {
        if let Some(path) = &self.records
            && !matches!(Format::from_path(path), Some(Format::Ggf | Format::Sgf | Format::Transcript))
        {
            let found = format!("{} cannot hold the games of a match", path.display());
            bail_usage!("{found}; expected a file name ending in .ggf, .sgf or .txt");
        }
        let mut roles = self.openings.iter().fold(FileRoles::new(), |roles, path| roles.reads("--openings", path));
        for (option, path) in [("--file", &self.file), ("--records", &self.records), ("--results", &self.results)] {
            let Some(path) = path else { continue };
            let folder = folder_of(path);
            ensure_usage!(folder.is_dir(), "cannot write {}: there is no folder {}", path.display(), folder.display());
            roles = roles.writes(option, path);
        }
        roles.check()?;
        if let Some(path) = &self.records {
            whole_file::check_replaceable(path, b"", "file of games")?;
        }
        if let Some(path) = &self.results {
            results_page::can_be_written(path)?;
        }
        Ok(())
    }

    /// Sets a contest up and plays it; `state` describes the standings in a few words.
    pub(crate) fn play(
        &self,
        registry: &Arc<Registry>,
        players: &[PlayerNotation],
        sprt: Option<Sprt>,
        stop: &Stop,
        state: impl Fn(&Standings) -> String,
    ) -> Result<Played> {
        with_board!(self.board, B => contest_run::play(self, self.plan::<B>(registry, players, sprt)?, stop, state))
    }

    pub(crate) fn conclude(&self, played: &Played, summary: &impl Serialize, text: &str, markdown: &str) -> Result<()> {
        with_board!(self.board, B => contest_run::conclude::<B>(self, played, summary, text, markdown))
    }

    fn plan<B: PlayableBoard>(
        &self,
        registry: &Arc<Registry>,
        players: &[PlayerNotation],
        sprt: Option<Sprt>,
    ) -> Result<ContestPlan<RegisteredPlayer, B>> {
        self.check_files()?;
        let mut players = players.to_vec();
        if self.historical {
            registry.make_historical::<B>(&mut players.iter_mut().collect::<Vec<_>>())?;
        }
        let &Self { time, move_time, level, depth, nodes, threads, hash, .. } = self;
        let default_limits = Limits { depth, selectivity: None, nodes, move_time, clock: time, level };
        let search = SearchOptions { threads, hash };
        let contestants = arena::contestants::<B>(registry, &players, &default_limits, search, Some(DEFAULT_LEVEL))?;
        let (openings, recipe) = match &self.openings {
            Some(path) => (self.opening_options.read(path)?, None),
            None => (Vec::new(), Some(self.opening_options.recipe::<B>(self.seed))),
        };
        let contest = Contest {
            seed: self.seed,
            patience: Patience { grace: self.grace, move_limit: self.patience },
            sprt,
            concurrency: usize::from(self.concurrency),
            ..Contest::new(contestants, openings, self.games / 2)
        };
        Ok(ContestPlan { contest, recipe })
    }
}
