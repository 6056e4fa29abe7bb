//! Losses of a player per move in the opening, the midgame and the endgame, from an analysis of its latest games.

use book::explorer::{Filter, Index, PhaseLosses, PlayerGame};
use engine::analysis::{JudgedMove, judge_moves};
use jobs::ordered_work::in_order;
use players::analysts::AnalystChoice;
use players::opening_book::{BookAnalyst, OpeningBook};

use crate::prelude::*;

/// Hash table size of each thread in MB.
const HASH: u32 = 32;

/// The options of the analysis.
#[derive(Args)]
pub(super) struct LossOptions {
    /// With --player: analyze the latest N games, and show the average loss per move by phase
    #[arg(long, value_name = "N", requires = "player", conflicts_with = "position", value_parser = number(1..=u32::MAX))]
    analyze: Option<u32>,

    /// Search level, 0 to 60 (for the analysis) [default: 14, about ten seconds per game]
    #[arg(long, value_name = "N", requires = "analyze")]
    level: Option<Level>,

    /// Solve positions with at most N empty squares exactly, in the analysis [default: 20]
    #[arg(long, value_name = "N", requires = "analyze", value_parser = number::<u32>(0..=60))]
    exact: Option<u32>,

    /// Number of threads (for the analysis) [default: one per core]
    #[arg(long, value_name = "N", requires = "analyze", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,
}

pub(super) struct PlayerLosses {
    /// By phase, in the games that were analyzed to the end.
    pub(super) losses: PhaseLosses,
    pub(super) analyst: String,
}

/// A move of the player in one of the games.
struct Job {
    game: usize,
    /// The number of the move, from 0.
    index: usize,
    is_last: bool,
}

impl LossOptions {
    pub(super) fn is_requested(&self) -> bool {
        self.analyze.is_some()
    }

    /// Analyzes the moves of a player in its latest games, if requested. When the flag is set, the games that are
    /// finished by then count.
    pub(super) fn losses(
        &self,
        registry: &Registry,
        index: &Index,
        filter: &Filter,
        stop: &Stop,
    ) -> Result<Option<PlayerLosses>> {
        let Some(most) = self.analyze else { return Ok(None) };
        let choice = AnalystChoice {
            notation: None,
            limits: Limits { level: self.level, ..Limits::default() },
            exact_from: self.exact,
            hash: HASH,
        };
        let games = index.latest_games(filter, most as usize)?;
        let threads = self.threads.unwrap_or_else(one_thread_per_core);
        let losses = analyzed(registry, &games, &choice, usize::from(threads), stop)?;
        Ok(Some(PlayerLosses { losses, analyst: choice.description::<Board>(registry) }))
    }
}

fn analyzed(
    registry: &Registry,
    games: &[PlayerGame],
    choice: &AnalystChoice,
    threads: usize,
    stop: &Stop,
) -> Result<PhaseLosses> {
    let jobs = jobs(games);
    let book = OpeningBook::shipped()?;
    let worker = || {
        // The same as in `emilia analyze`, so that both say the same.
        let analyst =
            choice.analyst::<Board>(registry).map(|analyst| BookAnalyst::new(analyst, book.clone()).with_values());
        let mut analyst = analyst.map_err(|error| report::words::sentence(&error));
        let jobs = &jobs;
        move |number: u64| -> Option<Result<Vec<JudgedMove>, String>> {
            let Job { game, index, .. } = *jobs.get(number as usize)?;
            let game = &games.get(game)?.game;
            Some(match &mut analyst {
                Ok(analyst) => {
                    judge_moves(analyst, game, index..index + 1, stop).map_err(|error| report::words::sentence(&error))
                }
                Err(sentence) => Err(sentence.clone()),
            })
        }
    };
    let mut live = LiveLine::on_stderr();
    let mut losses = PhaseLosses::default();
    let mut outcome = Ok(());
    let mut judged = Vec::new();
    let all = counted(games.len() as u64, "game");
    live.show(&format!("analyzing {all}"));
    in_order(0..jobs.len() as u64, threads, worker, |number, found| {
        let Job { game, index, is_last } = jobs[number as usize];
        match found {
            Ok(found) if found.is_empty() => return ControlFlow::Break(()),
            Ok(mut found) => judged.append(&mut found),
            Err(sentence) => {
                outcome = Err(anyhow!("the games cannot be analyzed: {sentence}"));
                // The other threads would finish their searches first.
                stop.set();
                return ControlFlow::Break(());
            }
        }
        live.show(&format!("analyzing game {} of {}: move {}", game + 1, games.len(), index + 1));
        if is_last {
            losses.add(&judged, &games[game].colors);
            judged.clear();
        }
        ControlFlow::Continue(())
    });
    outcome.map(|()| losses)
}

/// The moves of the player, position by position: the analyst keeps nothing between positions.
fn jobs(games: &[PlayerGame]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for (game, PlayerGame { game: played, colors }) in games.iter().enumerate() {
        let length = played.moves().len();
        let positions = played.positions().take(length).enumerate();
        let own = positions.filter(|(_, position)| colors.contains(&position.turn));
        jobs.extend(own.map(|(index, _)| Job { game, index, is_last: false }));
        // Without a move of its own, a game has nothing to analyze.
        if let Some(last) = jobs.last_mut().filter(|last| last.game == game) {
            last.is_last = true;
        }
    }
    jobs
}
