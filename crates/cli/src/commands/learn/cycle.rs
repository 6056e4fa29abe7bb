//! `emilia learn cycle`: games, labels, training, ProbCut and a match, generation after generation, starting from
//! random play.

use engine::clock::Moment;
use learning::cycle::gate::MatchEvent;
use learning::cycle::log::{Generation, MatchResult};
use learning::cycle::settings::Settings;
use learning::cycle::{self, CycleEvent, MAX_GENERATIONS, Torn};
use learning::labels::Label;
use players::notation::move_time;

use super::play::{parse_opening, parse_share};
use super::train::{self, Fitting, parse_share as parse_outcome_share};
use super::{Shown, threads_of};
use crate::commands::r#match::parse_pair;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn cycle --folder cycle --generations 8
  emilia learn cycle --folder cycle --generations 20 \\
      --games-per-generation 50000 --depth 4
  emilia learn curve --log cycle/log.jsonl --plot curve.svg --table curve.md

In each generation the champion so far plays games against itself (in generation 0, random moves are played), new \
weights are trained on the games of the most recent generations (--recent), and they play a match against the champion; the winner is the champion of the \
next generation. Each generation has its own folder, and a line in log.jsonl when it is done.

The same command resumes an interrupted run, even after Ctrl-C or a power failure; with a larger --generations it adds more.";

/// Play games, train weights and compare them with the champion, generation after generation.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cycle {
    /// The folder of the cycle; an existing cycle is resumed
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,

    /// Total number of generations, including those already done
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(1..=MAX_GENERATIONS))]
    generations: u32,

    /// Number of games per generation
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(1..=1 << 32))]
    games_per_generation: u64,

    /// Search depth in plies, in these games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<u32>(1..=30))]
    depth: u32,

    /// Play perfectly with N or fewer empty squares
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = number::<u32>(2..=30))]
    exact_from: u32,

    /// Number of random moves at the start of a game: a number, or a range such as 6-12
    #[arg(long, value_name = "N", default_value = "8-18", value_parser = parse_opening)]
    opening: (u32, u32),

    /// Share of later moves that are random
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = parse_share)]
    random_moves: f64,

    /// Train on the games of the last N generations
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number(1..=u32::MAX))]
    recent: u32,

    /// The label to learn: the outcome of the game, or the corrected, tree or search value of `emilia learn label`
    #[arg(long, value_name = "LABEL", default_value = "search", value_parser = clap::value_parser!(Label))]
    label: Label,

    /// Depth of the search for labels, with the weights of the champion
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<u32>(1..=20))]
    label_depth: u32,

    /// Share of the corrected score (or of the outcome, if there is none) mixed into the search value, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = parse_outcome_share)]
    outcome_share: f32,

    #[command(flatten)]
    fitting: Fitting,

    /// Number of games to measure how well shallow searches predict deep ones; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = any_number)]
    probcut_games: u64,

    /// Largest search depth of that measurement
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number::<u32>(2..=20))]
    probcut_deepest: u32,

    /// For that measurement, solve positions with at most N empty squares
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = number::<u32>(10..=26))]
    probcut_solved_from: u32,

    /// Maximum number of games in a match; an even number
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_games)]
    match_games: u32,

    /// Number of games before the sequential test may end a match, so that the strength is also measured
    /// [default: half of --match-games]
    #[arg(long, value_name = "N", value_parser = parse_games)]
    match_min: Option<u32>,

    /// Search depth of the players in a match [default: --depth]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    match_depth: Option<u32>,

    /// Level of the players in a match, 5 to 60: lower levels make mistakes on purpose
    #[arg(long, value_name = "N", value_parser = number::<u32>(5..=60), conflicts_with = "match_depth")]
    match_level: Option<u32>,

    /// Time per move in a match; matches are then not repeatable
    #[arg(long, value_name = "TIME", value_parser = move_time, conflicts_with_all = ["match_depth", "match_level"])]
    match_time: Option<Duration>,

    /// Stop the match early, by a sequential test of ELO1 against ELO0 for the new weights
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", value_parser = parse_pair, allow_hyphen_values = true)]
    sprt: (f64, f64),

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=(1 << 50) - 1))]
    seed: u64,

    /// Number of threads; they change only the time needed [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    /// Print JSON: one object per generation, as in the log
    #[arg(long)]
    json: bool,
}

fn parse_games(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&games: &u32| games > 0 && games % 2 == 0).ok_or_else(|| {
        format!("{text:?} is not a number of games; expected an even number: each opening is played with both colors")
    })
}

impl Cycle {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let stop = interrupt::flag()?;
        let threads = threads_of(self.threads).min(256) as u16;
        let cycle = cycle::Cycle { folder: self.folder.clone(), settings: self.settings(), threads };
        let mut shown = Shown::default();
        let mut line = ProgressLine { progress: Progress::new(), start: Moment::now() };
        let run = cycle.run(self.generations, &stop, &mut |number, news| {
            line.show(number, &news);
            shown.flow(match news {
                CycleEvent::Done(generation) => self.print(generation),
                _ => Ok(()),
            })
        });
        line.progress.clear();
        shown.conclude(run)
    }

    fn settings(&self) -> Settings {
        let limits = match (self.match_time, self.match_level) {
            (Some(time), _) => Limits { move_time: Some(time), ..Limits::default() },
            (None, Some(level)) => Limits::of_level(level),
            (None, None) => Limits::of_depth(self.match_depth.unwrap_or(self.depth)),
        };
        let least = self.match_min.unwrap_or((self.match_games / 2).next_multiple_of(2)).min(self.match_games);
        Settings {
            seed: self.seed,
            games_per_generation: self.games_per_generation,
            depth: self.depth,
            exact_from: self.exact_from,
            opening: self.opening,
            random_moves: self.random_moves,
            window: self.recent,
            label: self.label,
            label_depth: self.label_depth,
            outcome_share: self.outcome_share,
            penalty: self.fitting.penalty,
            steps: self.fitting.steps,
            held_out: self.fitting.held_out,
            probcut_games: self.probcut_games,
            probcut_deepest: self.probcut_deepest,
            probcut_solved_from: self.probcut_solved_from,
            match_games: self.match_games,
            match_min: least,
            match_limits: limits,
            sprt: self.sprt,
        }
    }

    fn print(&self, line: &Generation) -> Result<()> {
        output::row(&mut output::stdout(), self.json, line, || {
            let Generation { generation, champion, games, learned, held_out, r#match, rating, .. } = line;
            let MatchResult { won, drawn, lost, .. } = r#match;
            let opponent = champion.map_or("random play".to_owned(), |champion| format!("generation {champion}"));
            let (games, positions) = (counted(*games, "game"), counted(learned.positions, "position"));
            let error = held_out.root_mean_square;
            let verdict = if line.accepted { "accepted" } else { "rejected" };
            format!(
                "generation {generation}: {games}, {positions} learned, held-out error {error:.2}; {won}-{drawn}-{lost} \
                 against {opponent}, {verdict}; rating {:+.0} ± {:.0}",
                rating.elo, rating.margin,
            )
        })
    }
}

/// The progress line of a generation on the terminal.
struct ProgressLine {
    progress: Progress,
    /// When this run began to play the games of a generation.
    start: Moment,
}

impl ProgressLine {
    /// Shows an event; frequent ones are shown only now and then.
    fn show(&mut self, number: u32, news: &CycleEvent<'_>) {
        let Self { progress, start } = self;
        match news {
            CycleEvent::Torn { path, what } => {
                let sentence = match what {
                    Torn::Games => "the last games are incomplete and are played again",
                    Torn::Positions => "the last positions are incomplete and are labeled again",
                };
                progress.warn(&format!("{}: {sentence}", path.display()));
            }
            CycleEvent::Played { played, before, games } => {
                if *played == before + 1 {
                    *start = Moment::now();
                }
                let speed = (played - before) as f64 / start.elapsed().as_secs_f64().max(1e-3);
                let [played, games] = [*played, *games].map(grouped);
                progress.show(|_| format!("generation {number}: {played} of {games} games  {speed:.1} games/s"));
            }
            CycleEvent::Labeled(labeling) => progress.show(|_| {
                let [labeled, positions] = [labeling.labeled, labeling.positions].map(|count| grouped(count as u64));
                format!("generation {number}: {} empty, {labeled} of {positions} positions", labeling.empties)
            }),
            CycleEvent::Trained(event) => {
                if let Some(text) = train::progress(event) {
                    progress.show_now(&format!("generation {number}: {text}"));
                }
            }
            CycleEvent::Measured(what, count) => {
                progress.show(|_| format!("generation {number}: {} {what}", grouped(*count)));
            }
            CycleEvent::Match(news) => {
                let text = match news {
                    MatchEvent::Torn => {
                        return progress.warn("the last game in the file is incomplete and will be played again");
                    }
                    MatchEvent::Opening { found, wanted } => format!("opening {found} of {wanted}"),
                    MatchEvent::Ready { done, total } => format!("game {} of {total}", done + 1),
                    MatchEvent::Game { line, standings, total } => {
                        if let Some(reason) = &line.reason {
                            progress.warn(&format!("game {}: {reason}", line.game));
                        }
                        format!("{} of {total} games  {}", standings.games(), standings.tally(0, 1).state())
                    }
                };
                progress.show_now(&format!("generation {number}: {text}"));
            }
            CycleEvent::Done(_) => progress.clear(),
        }
    }
}
