//! The weights of the hand-made evaluation, by regression on games.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use control::Stop;
use evaluation::handmade::{FEATURE_COUNT, HandMade, PHASE_COUNT, Trial, Weights, phase};

use crate::least_squares::LeastSquares;
use crate::pattern_fit::Errors;
use crate::played_game::{Choice, GamePosition};
use crate::self_play::{Recipe, SelfPlay};

/// One game in this many is held out to test the weights.
const HELD_OUT: u64 = 10;

/// The result of a regression.
#[derive(Clone, Debug)]
pub struct HandMadeFit {
    /// The weights in 128ths of a disc, by phase.
    pub weights: Weights,
    /// The number of positions learned from, by phase.
    pub positions: Vec<u64>,
    /// The root mean square error in discs on held-out games, by phase.
    pub errors: Vec<f64>,
}

/// Plays games and fits weights to their scores, twice: fast games by rule of thumb, then games with these weights.
pub fn fit(games: u64, seed: u64, threads: usize, mut progress: impl FnMut(u64)) -> HandMadeFit {
    let quick = Recipe { seed, opening: (4, 12), random_moves: 0.0, depth: 3, exact_from: 13, threads };
    let better = Recipe { seed: seed.wrapping_add(1), depth: 6, exact_from: 16, ..quick };
    let first = round(games, quick, Trial::rule_of_thumb(), &mut progress);
    round(games, better, Trial(first.weights), &mut progress)
}

/// Plays games with these weights and fits new ones to their scores.
fn round(games: u64, recipe: Recipe, trial: Trial, mut progress: impl FnMut(u64)) -> HandMadeFit {
    let mut equations = vec![LeastSquares::new(FEATURE_COUNT); PHASE_COUNT];
    let mut positions = vec![0; PHASE_COUNT];
    let mut held_out: Vec<GamePosition> = Vec::new();
    SelfPlay::new(recipe, trial).play(0..games, &Stop::new(), |number, game| {
        progress(number + 1);
        // Games that were lost in their random opening are no examples of good play.
        if game.score().discs().abs() > WIDEST {
            return ControlFlow::Continue(());
        }
        for position in game.positions().filter(|position| position.choice != Choice::Opening) {
            if number % HELD_OUT == 0 {
                held_out.push(position);
                continue;
            }
            let phase = phase(position.board.empty_count());
            let features = HandMade::features(&position.board).map(f64::from);
            equations[phase].add(&features, f64::from(position.score.discs()));
            positions[phase] += 1;
        }
        ControlFlow::Continue(())
    });
    let mut weights: Weights = std::array::from_fn(|phase| {
        let solution = equations[phase].solve(RIDGE);
        std::array::from_fn(|index| (solution[index] * 128.0).round().clamp(-32767.0, 32767.0) as i16)
    });
    // A phase that the games never reach (their openings are random) uses the weights of the next later one.
    for phase in 1..PHASE_COUNT {
        if positions[phase] < ENOUGH {
            weights[phase] = weights[phase - 1];
        }
    }
    let mut errors = vec![Errors::default(); PHASE_COUNT];
    for position in &held_out {
        let phase = phase(position.board.empty_count());
        let features = HandMade::features(&position.board);
        let sum: i32 =
            features.iter().zip(&weights[phase]).map(|(&feature, &weight)| feature * i32::from(weight)).sum();
        errors[phase].add(f64::from(sum) / 128.0 - f64::from(position.score.discs()));
    }
    let errors = errors.iter().map(Errors::root_mean_square).collect();
    HandMadeFit { weights, positions, errors }
}

/// The maximum score difference of a game that counts.
const WIDEST: i32 = 36;

/// Keeps the weights of rare features near zero.
const RIDGE: f64 = 10.0;

/// The minimum number of positions to fit weights to.
const ENOUGH: u64 = 2_000;

impl HandMadeFit {
    /// The Rust source of the weights; `command` is the command that made it.
    pub fn source(&self, command: &str) -> String {
        let mut text = format!(
            "//! The weights of the hand-made evaluation, in 128ths of a disc: one row for every four empty squares.\n\
             //!\n\
             //! Made by `{command}`.\n\n\
             use crate::handmade::{{FEATURE_COUNT, PHASE_COUNT}};\n\n\
             #[rustfmt::skip]\n\
             pub(crate) static WEIGHTS: [[i16; FEATURE_COUNT]; PHASE_COUNT] = [\n"
        );
        for row in &self.weights {
            writeln!(text, "    {row:?},").expect("writing to a string");
        }
        text.push_str("];\n");
        text
    }
}
