//! Training of KEYANO's tables from games: curves, pattern values, weights, forecasts (Brockington 1997, sections 2.2
//! and 3).
//!
//! The games are read four times: for the mobility curves and the averages of patterns, for the price of a lost region,
//! for the weights, which need all of them, and for the positions on which the ProbCut parameters are measured.

pub mod correlation;
pub mod forecast_fit;
mod learner;
pub mod mobility_fit;
pub mod parity_fit;
pub mod pattern_values;
pub mod threshold_ensemble;
pub mod weights_fit;

use crate::player::evaluation::{Evaluation, IndexedBoard};
use crate::player::mobility::Mobility;
use crate::player::parity::Parity;
use crate::player::patterns::Pattern;
use crate::player::{Counting, Tables};
use othello::Rules;

use correlation::Comparison;
pub use correlation::{COMPARED_MOVES, MEASURES};
use forecast_fit::ForecastPositions;
pub use learner::LEARNER;
use learning::played_game::GamePosition;
use mobility_fit::MobilityFit;
use parity_fit::ParityFit;
use pattern_values::{PatternFit, PatternSamples};
use threshold_ensemble::Training;
use weights_fit::{Fixed, LAST_MOVES, WeightsFit};

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingOptions {
    /// The number of positions on which the ProbCut parameters are measured.
    pub searched: usize,
    /// The parameters of the networks.
    pub training: Training,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self { searched: 1000, training: Training { rounds: 12, rate: 0.1, seed: 1 } }
    }
}

/// A callback for the positions of games.
pub type Take<'t> = dyn FnMut(&GamePosition) + 't;

/// The result of the training, with statistics.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The tables.
    pub tables: Tables,
    /// The number of positions learned from.
    pub positions: u64,
    /// The result for each pattern.
    pub patterns: Vec<PatternFit>,
    /// Weights that were negative.
    pub fixed: Vec<Fixed>,
    /// The minimum number of moves played for which weights were fitted.
    pub first_moves: usize,
    /// The correlations of Table 4: for each of [`MEASURES`] at each of [`COMPARED_MOVES`].
    pub correlations: [[f64; 4]; 3],
    /// The number of positions searched for ProbCut.
    pub searched: usize,
}

/// Trains all tables. `read` iterates over the positions of all games, the same each time; `progress` receives status
/// texts.
pub fn learn<E>(
    options: &TrainingOptions,
    mut read: impl FnMut(&mut Take<'_>) -> Result<(), E>,
    mut progress: impl FnMut(&str),
) -> Result<Learned, E> {
    let mut tables = Tables::blank();

    progress("mobility and patterns");
    let mut fits = [MobilityFit::new(), MobilityFit::new()];
    let mut samples = Pattern::ALL.map(PatternSamples::new);
    let mut positions = 0;
    read(&mut |found| {
        if is_learned_from(found) {
            positions += 1;
            let (board, score) = (&found.board, found.score.discs());
            for (fit, count) in fits.iter_mut().zip([Mobility::approximate, Mobility::exact]) {
                fit.add(&count(board), &count(&board.pass()), score.into());
            }
            let position = IndexedBoard::of(*board);
            samples.iter_mut().for_each(|samples| samples.add(&position, score));
        }
    })?;
    [tables.approximate, tables.exact] = fits.map(|fit| fit.curves());
    let mut patterns = Vec::new();
    for (pattern, samples) in Pattern::ALL.into_iter().zip(samples) {
        progress(&format!("network of the {}", pattern.name()));
        let fit = samples.fit(&options.training);
        tables.values[pattern as usize].clone_from(&fit.values);
        patterns.push(fit);
    }

    progress("parity");
    let mut fit = ParityFit::new(COMPARED_MOVES.len());
    let evaluation = Evaluation::new(&tables, Counting::Approximate);
    read(&mut |found| {
        if let Some(column) = compared(found) {
            let features = evaluation.features(&IndexedBoard::of(found.board), Parity::default());
            fit.add(column, &features, Parity::of(&found.board).value(1), found.score.discs().into());
        }
    })?;
    tables.lost_region = fit.price();

    progress("weights");
    let mut fit = WeightsFit::new();
    let mut comparison = Comparison::new(&tables);
    let evaluation = Evaluation::new(&tables, Counting::Approximate);
    read(&mut |found| {
        if is_learned_from(found) {
            let (position, score) = (IndexedBoard::of(found.board), f64::from(found.score.discs()));
            let features = evaluation.features(&position, Parity::of(&found.board));
            fit.add(found.ply as usize, &features, score);
            comparison.add(found);
        }
    })?;
    let correlations = comparison.coefficients();
    let fitted = fit.fit();
    tables.weights = fitted.by_discs;

    let mut searched = ForecastPositions::new(options.searched);
    read(&mut |found| searched.add(found.ply, &found.board))?;
    let boards = searched.take(options.searched);
    tables.forecasts = forecast_fit::forecasts(&tables, &boards, |done| {
        progress(&format!("{done} of {} positions searched for ProbCut", boards.len()));
    });
    Ok(Learned {
        tables,
        positions,
        patterns,
        fixed: fitted.fixed,
        first_moves: fitted.first_moves,
        correlations,
        searched: boards.len(),
    })
}

/// The column of Table 4 that a position belongs to.
fn compared(found: &GamePosition) -> Option<usize> {
    COMPARED_MOVES.iter().position(|&moves| moves == found.ply).filter(|_| is_learned_from(found))
}

/// Whether a position is used: the moves after it were played by players, and the position is, or nearly is, one that
/// is evaluated.
fn is_learned_from(found: &GamePosition) -> bool {
    found.is_sound && found.ply as usize <= LAST_MOVES + 2
}
