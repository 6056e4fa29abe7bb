//! Losses of a player per move in the opening, the midgame and the endgame, from an analysis of its latest games.

use book::explorer::{Filter, Index, PhaseLosses, PlayerGame};
use players::analysts::AnalystChoice;
use players::opening_book::OpeningBook;

use crate::commands::judging::judge;
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

impl LossOptions {
    pub(super) fn is_requested(&self) -> bool {
        self.analyze.is_some()
    }

    /// Analyzes the moves of a player in its latest games, if requested. When the flag is set, the games that are
    /// finished by then count.
    pub(super) fn losses(
        &self,
        registry: &Arc<Registry>,
        index: &Index,
        filter: &Filter,
        stop: &Stop,
    ) -> Result<Option<PlayerLosses>> {
        let Some(most) = self.analyze else { return Ok(None) };
        let limits = Limits { level: self.level, ..Limits::default() };
        let choice = AnalystChoice { notation: None, limits, exact_from: self.exact, hash: HASH };
        let games = index.latest_games(filter, most as usize)?;
        let threads = self.threads.unwrap_or_else(one_thread_per_core);
        let analyst = (registry, &choice, Some(OpeningBook::shipped()?));
        let analyzed = analyzed(analyst, &games, threads.into(), stop);
        let losses = analyzed.map_err(|error| anyhow!("the games cannot be analyzed: {error:#}"))?;
        Ok(Some(PlayerLosses { losses, analyst: choice.description::<Board>(registry) }))
    }
}

/// Analyzes the games with the shipped book, as `emilia analyze` does, so that the results agree.
fn analyzed(
    analyst: (&Arc<Registry>, &AnalystChoice, Option<OpeningBook>),
    games: &[PlayerGame],
    threads: usize,
    stop: &Stop,
) -> Result<PhaseLosses> {
    // The moves of the player, position by position: the analyst keeps nothing between positions. A game without a move of the
    // player has nothing to analyze.
    let own_moves = |PlayerGame { game, colors }: &PlayerGame| {
        let positions = game.positions().take(game.moves().len()).enumerate();
        positions.filter(|(_, position)| colors.contains(&position.turn)).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let moves: Vec<(usize, usize)> = games
        .iter()
        .enumerate()
        .flat_map(|(game, played)| own_moves(played).into_iter().map(move |index| (game, index)))
        .collect();
    let portions: Vec<_> = moves.iter().map(|&(game, index)| (&games[game].game, index..index + 1)).collect();
    let mut live = LiveLine::on_stderr();
    let mut losses = PhaseLosses::default();
    let mut judged = Vec::new();
    live.show(&format!("analyzing {}", counted(games.len() as u64, "game")));
    judge(analyst, &portions, threads, stop, |number, mut found| {
        if found.is_empty() {
            return ControlFlow::Break(());
        }
        judged.append(&mut found);
        let (game, index) = moves[number];
        live.show(&format!("analyzing game {} of {}: move {}", game + 1, games.len(), index + 1));
        if moves.get(number + 1).is_none_or(|(next, _)| *next != game) {
            losses.add(&judged, &games[game].colors);
            judged.clear();
        }
        ControlFlow::Continue(())
    })?;
    Ok(losses)
}
