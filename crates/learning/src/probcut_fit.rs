//! How well shallow searches foretell deep ones: the parameters of ProbCut.
//!
//! Positions of self-played games are searched to every depth up to a limit, and those near the end also
//! exactly. For every pair of depths the differences of the two values have a standard deviation; the model
//! that the search uses ([`Deviation`]) is fitted to the logarithms of these deviations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use evaluation::{Evaluation, Value};
use othello::{Board, Rules};
use search::{Control, Deviation, Iteration, ProbCut, Question, Searcher, Selectivity, Stop, Table};

use crate::least_squares::LeastSquares;
use crate::played_game::Choice;
use crate::random::Random;
use crate::self_play::{Recipe, SelfPlay};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// How many games the positions come from.
    pub games: u64,
    /// How these are played.
    pub recipe: Recipe,
    /// The deepest midgame search.
    pub deepest: u32,
    /// The most empty squares of a position that is solved.
    pub solved_from: u32,
}

/// The differences of one pair of depths in one phase.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// How many positions.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, difference: f64) {
        self.count += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    /// The mean difference in discs.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The standard deviation in discs.
    pub fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1) as f64 - self.mean().powi(2)).max(0.0).sqrt()
    }
}

/// A pair of depths in a phase: the deep search, the shallow one, the empty squares in groups of four.
pub type Pair = (u32, u32, u32);

/// What a measurement found.
#[derive(Clone, Debug)]
pub struct ProbCutFit {
    /// The fitted parameters.
    pub probcut: ProbCut,
    /// The measured spreads of midgame searches.
    pub midgame: BTreeMap<Pair, Spread>,
    /// The measured spreads between midgame searches and exact scores.
    pub endgame: BTreeMap<Pair, Spread>,
}

/// The fewest differences that a deviation is believed from.
const ENOUGH: u64 = 30;

/// Searches positions of self-played games and fits the parameters to what the searches say.
pub fn fit<E: Evaluation<Features: Sync> + Copy>(
    measurement: &Measurement,
    evaluation: E,
    mut progress: impl FnMut(u64),
) -> ProbCutFit {
    let mut midgame = BTreeMap::<Pair, Spread>::new();
    let mut endgame = BTreeMap::<Pair, Spread>::new();
    let table = Table::with_buckets(1 << 16).expect("a small table");
    let searcher = Searcher::new(evaluation, table, 1);
    let self_play = SelfPlay::new(measurement.recipe, evaluation);
    self_play.play(0..measurement.games, &Stop::new(), |number, game| {
        progress(number + 1);
        let mut random = Random::new(measurement.recipe.seed ^ 0x5eed, number);
        // One position of the middle and one of the end of each game: neighbours would say the same twice.
        let mut pick = |low: u32, high: u32| {
            let boards: Vec<_> = game
                .positions()
                .filter(|position| position.choice != Choice::Opening)
                .map(|position| position.board)
                .filter(|board| (low..=high).contains(&board.empty_count()))
                .collect();
            (!boards.is_empty()).then(|| boards[random.below(boards.len() as u32) as usize])
        };
        if let Some(board) = pick(measurement.deepest + 8, 54) {
            let values = values(&searcher, &board, measurement.deepest);
            let phase = board.empty_count() / 4;
            for deep in 1..values.len() {
                for shallow in 0..deep {
                    midgame
                        .entry((deep as u32, shallow as u32, phase))
                        .or_default()
                        .add(values[deep] - values[shallow]);
                }
            }
        }
        if let Some(board) = pick(10, measurement.solved_from) {
            let values = values(&searcher, &board, 6);
            let report = searcher.solve(&board, &Control::new());
            let score = f64::from(report.lines[0].value.discs());
            let empty_count = board.empty_count();
            for (shallow, value) in values.iter().enumerate() {
                endgame.entry((empty_count, shallow as u32, empty_count / 4)).or_default().add(score - value);
            }
        }
        ControlFlow::Continue(())
    });
    let probcut = ProbCut { midgame: model(&midgame), endgame: model(&endgame) };
    ProbCutFit { probcut, midgame, endgame }
}

/// The values of full-width searches to depths 0 to `deepest`, in discs.
fn values<E: Evaluation<Features: Sync>>(searcher: &Searcher<E>, board: &Board, deepest: u32) -> Vec<f64> {
    let evaluation = &searcher.evaluation;
    let mut values = vec![f64::from(evaluation.evaluate(board, &evaluation.features(board)).discs())];
    searcher.search(board, &Question::default(), &Control::new(), &mut |reports| {
        if let [_, .., last] = reports {
            values.push(f64::from(last.lines[0].value.discs()));
        }
        let depth = reports.len() as u32;
        (depth <= deepest && board.can_move()).then_some(Iteration { depth, selectivity: Selectivity::EXACT })
    });
    values
}

/// The model nearest to the logarithms of the measured deviations, each counting by its positions.
fn model(spreads: &BTreeMap<Pair, Spread>) -> Deviation {
    let mut equations = LeastSquares::new(4);
    for (&(deep, shallow, phase), spread) in spreads {
        if spread.count >= ENOUGH && spread.deviation() > 0.0 {
            let weight = (spread.count as f64).sqrt();
            let terms = [1.0, f64::from(shallow), f64::from(deep - shallow), f64::from(phase * 4 + 2)];
            equations.add(&terms.map(|term| weight * term), weight * spread.deviation().ln());
        }
    }
    let solution = equations.solve(1e-3);
    Deviation {
        base: solution[0] as f32,
        probe: solution[1] as f32,
        gap: solution[2] as f32,
        phase: solution[3] as f32,
    }
}

impl ProbCutFit {
    /// Measured and modelled deviations side by side, as text.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (title, spreads, deviation) in
            [("midgame", &self.midgame, &self.probcut.midgame), ("endgame", &self.endgame, &self.probcut.endgame)]
        {
            writeln!(text, "{title}: deep shallow empties positions mean deviation model")
                .expect("writing to a string");
            for (&(deep, shallow, phase), spread) in spreads.iter().filter(|(_, spread)| spread.count >= ENOUGH) {
                let empties = phase * 4 + 2;
                let model = deviation.parts(deep, shallow, empties) / Value::PER_DISC as f32;
                writeln!(
                    text,
                    "{deep:>4} {shallow:>4} {empties:>4} {:>6} {:>7.2} {:>6.2} {model:>6.2}",
                    spread.count,
                    spread.mean(),
                    spread.deviation(),
                )
                .expect("writing to a string");
            }
        }
        text
    }

    /// The Rust source that the search is built with; `command` says how it was made.
    pub fn source(&self, command: &str) -> String {
        let deviation = |d: &Deviation| {
            format!(
                "Deviation {{ base: {:.3}, probe: {:.3}, gap: {:.3}, phase: {:.4} }}",
                d.base, d.probe, d.gap, d.phase
            )
        };
        format!(
            "//! The parameters of ProbCut for the hand-made evaluation.\n//!\n//! Made by `{command}`.\n\n\
             use crate::probcut::{{Deviation, ProbCut}};\n\n\
             pub(crate) const HAND_MADE: ProbCut = ProbCut {{\n    midgame: {},\n    endgame: {},\n}};\n",
            deviation(&self.probcut.midgame),
            deviation(&self.probcut.endgame),
        )
    }
}
