//! Accuracy of shallow searches as predictions of deep ones: the means and deviations for ProbCut.
//!
//! Positions of self-play games are searched to every depth up to a limit, and those near the end also exactly. For
//! every pair of depths in every phase the differences of the two values have a mean and a standard deviation. A
//! [`Model`] is fitted to the logarithms of these deviations; it replaces pairs that were not measured, and supplements
//! those that were measured rarely.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use control::{Control, Stop};
use evaluation::probcut::{Model, Spread, Spreads};
use evaluation::{Cuts, ProbCut, Value};
use jobs::{InvalidJob, JobError, Work, Worker};
use othello::{Board, Rules};
use search::{CompiledSearch, HashTable, Iteration, Question, Searcher, Selectivity};
use serde::{Deserialize, Serialize};
use storage::checksum::fnv1a;

use crate::job_kinds;
use crate::least_squares::LeastSquares;
use crate::pattern_fit::Errors;
use crate::played_game::Choice;
use crate::self_play::{Recipe, SelfPlay};
use crate::workforce::Workforce;
use othello::random::Random;

/// The parameters of a measurement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// The number of games that the positions come from.
    pub games: u64,
    /// The parameters of these games.
    pub recipe: Recipe,
    /// The maximum depth of midgame searches.
    pub deepest: u32,
    /// The maximum number of empty squares of a position that is solved.
    pub solved_from: u32,
}

impl Measurement {
    /// A measurement on games played for this purpose: good ones, from varied openings.
    pub fn new(games: u64, deepest: u32, solved_from: u32, seed: u64, threads: usize) -> Self {
        let recipe = Recipe { seed, opening: (4, 12), random_moves: 0.0, depth: 4, exact_from: 12, threads };
        Self { games, recipe, deepest, solved_from }
    }
}

/// A pair of depths in a phase: the deep search, the shallow one, the empty squares in groups of four.
type Pair = (u32, u32, u32);

/// The measurements of one kind of search, and their model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    /// The differences of the values of each pair of depths, the deep search minus the shallow one.
    pairs: BTreeMap<Pair, Errors>,
    /// The formula fitted to their deviations.
    model: Model,
}

/// The result of a measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbCutFit {
    midgame: Measured,
    /// Exact scores compared with midgame searches.
    endgame: Measured,
}

/// The minimum number of differences for a reliable deviation.
const ENOUGH: u64 = 30;

/// The weight of the model relative to measured positions.
const MODEL_POSITIONS: f64 = 60.0;

/// The number of buckets of the hash table: it is cleared for every position, so that positions are independent.
const TABLE_BUCKETS: usize = 1 << 15;

/// Values of a position: by searches of depth 0, 1, 2 and so on, and the exact score if it was solved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Values {
    by_depth: Vec<f64>,
    exact: Option<f64>,
}

/// Searches positions of self-play games and fits the parameters to the results.
///
/// `progress` receives the number of games played and then of positions searched. If it is stopped, less is measured.
pub fn fit<E: CompiledSearch>(
    measurement: &Measurement,
    evaluation: &E,
    workforce: &Workforce<'_>,
    mut progress: impl FnMut(&str, u64),
) -> Result<ProbCutFit, JobError> {
    let tasks = tasks(measurement, evaluation, workforce, &mut progress)?;
    let (mut midgame, mut endgame) = (BTreeMap::<Pair, Errors>::new(), BTreeMap::<Pair, Errors>::new());
    let work =
        SampleWork { parameters: SampleParameters { deepest: measurement.deepest, positions: None }, evaluation };
    let items = |number: u64| {
        let (board, is_ending) = tasks[number as usize];
        (board.player, board.opponent, is_ending)
    };
    let parameters = || {
        let bytes = |(board, _): &(Board, bool)| [board.player.to_le_bytes(), board.opponent.to_le_bytes()].concat();
        SampleParameters { positions: Some(fnv1a(tasks.iter().map(bytes))), ..work.parameters }
    };
    let numbers = 0..tasks.len() as u64;
    workforce.run(&work, job_kinds::PROBCUT_SAMPLES, &items, &parameters, numbers, |number, values| {
        progress("positions", number + 1);
        let (by_depth, empty_count) = (values.by_depth, tasks[number as usize].0.empty_count());
        let add = |pairs: &mut BTreeMap<Pair, Errors>, deep: u32, shallow: usize, difference: f64| {
            pairs.entry((deep, shallow as u32, empty_count / 4)).or_default().add(difference);
        };
        if let Some(exact) = values.exact {
            for (shallow, value) in by_depth.iter().enumerate() {
                add(&mut endgame, empty_count, shallow, exact - value);
            }
        } else {
            for deep in 1..by_depth.len() {
                for shallow in 0..deep {
                    add(&mut midgame, deep as u32, shallow, by_depth[deep] - by_depth[shallow]);
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(ProbCutFit { midgame: Measured::new(midgame), endgame: Measured::new(endgame) })
}

/// One midgame and one endgame position of each game: adjacent positions would be too similar.
fn tasks<E: CompiledSearch>(
    measurement: &Measurement,
    evaluation: &E,
    workforce: &Workforce<'_>,
    progress: &mut impl FnMut(&str, u64),
) -> Result<Vec<(Board, bool)>, JobError> {
    let mut tasks = Vec::new();
    let self_play = SelfPlay::new(measurement.recipe, evaluation);
    self_play.play_by(workforce, 0..measurement.games, |number, game| {
        progress("games", number + 1);
        let mut random = Random::of_item(measurement.recipe.seed ^ 0x5eed, number);
        let mut pick = |low: u32, high: u32| {
            let boards: Vec<_> = game
                .positions()
                .filter(|position| position.choice != Choice::Opening)
                .map(|position| position.board)
                .filter(|board| (low..=high).contains(&board.empty_count()))
                .collect();
            (!boards.is_empty()).then(|| boards[random.below_u32(boards.len() as u32) as usize])
        };
        tasks.extend(pick(measurement.deepest + 8, 54).map(|board| (board, false)));
        tasks.extend(pick(10, measurement.solved_from).map(|board| (board, true)));
        ControlFlow::Continue(())
    })?;
    Ok(tasks)
}

/// The maximum depth of searches that are compared with exact scores.
const MAX_ENDGAME_DEPTH: u32 = 6;

/// Parameters for other machines, besides the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SampleParameters {
    deepest: u32,
    /// Identifies the positions if they are sent elsewhere.
    positions: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct SampleWork<E> {
    pub(crate) parameters: SampleParameters,
    pub(crate) evaluation: E,
}

impl<E: CompiledSearch> Work for SampleWork<E> {
    /// The discs of the side to move and of the other one, and whether the position is also solved.
    type Item = (u64, u64, bool);
    type Output = Values;

    fn worker<'w>(&'w self, stop: &'w Stop) -> Worker<'w, Self::Item, Values> {
        let table = HashTable::with_buckets(TABLE_BUCKETS).expect("a small table");
        let searcher = Searcher::new(&self.evaluation, table, 1);
        Box::new(move |_, (player, opponent, is_ending)| {
            let board = Board::new(player, opponent);
            (!stop.is_set()).then(|| measure(&searcher, &board, is_ending, self.parameters.deepest))
        })
    }

    fn check(&self, _: u64, &(.., is_ending): &Self::Item, values: &Values) -> Result<(), InvalidJob> {
        let deepest = if is_ending { MAX_ENDGAME_DEPTH } else { self.parameters.deepest };
        let is_value = |value: &f64| value.abs() <= 65.0;
        let is_possible = values.exact.is_some() == is_ending
            && values.by_depth.len() <= deepest as usize + 1
            && values.by_depth.iter().chain(&values.exact).all(is_value);
        if is_possible { Ok(()) } else { Err("impossible values".into()) }
    }

    fn is_spot_checked(&self) -> bool {
        true
    }
}

fn measure<E: CompiledSearch>(searcher: &Searcher<&E>, board: &Board, is_ending: bool, deepest: u32) -> Values {
    searcher.table.clear();
    let by_depth = values(searcher, board, if is_ending { MAX_ENDGAME_DEPTH } else { deepest });
    let exact = is_ending.then(|| f64::from(searcher.solve(board, &Control::new()).lines[0].value.discs()));
    Values { by_depth, exact }
}

/// The values of full-width searches to depths 0 to `deepest`, in discs.
fn values<E: CompiledSearch>(searcher: &Searcher<E>, board: &Board, deepest: u32) -> Vec<f64> {
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

impl Measured {
    fn new(pairs: BTreeMap<Pair, Errors>) -> Self {
        let model = model(&pairs);
        Self { pairs, model }
    }

    /// The parameters for the search: the measurements, combined with the model where they are few.
    fn spreads(&self) -> Spreads {
        Spreads::new(|deep, shallow, empty_count| {
            let measured = self.pairs.get(&(deep, shallow, empty_count / 4)).copied().unwrap_or_default();
            let count = measured.positions as f64;
            let mean = measured.signed / (count + MODEL_POSITIONS);
            let modelled = f64::from(self.model.deviation(deep, shallow, empty_count));
            let squares = count * measured.deviation().powi(2) + MODEL_POSITIONS * modelled.powi(2);
            let deviation = (squares / (count + MODEL_POSITIONS)).sqrt();
            let parts = |discs: f64| (discs * f64::from(Value::PER_DISC)).round() as i16;
            Spread { mean: parts(mean), deviation: parts(deviation) }
        })
    }
}

/// The model fitted to the logarithms of the measured deviations, weighted by the number of positions.
fn model(pairs: &BTreeMap<Pair, Errors>) -> Model {
    let mut equations = LeastSquares::new(4);
    for (&(deep, shallow, phase), differences) in pairs {
        if differences.positions >= ENOUGH && differences.deviation() > 0.0 {
            let weight = (differences.positions as f64).sqrt();
            let terms = [1.0, f64::from(shallow), f64::from(deep - shallow), f64::from(phase * 4 + 2)];
            equations.add(&terms.map(|term| weight * term), weight * differences.deviation().ln());
        }
    }
    let solution = equations.solve(1e-3);
    Model { base: solution[0] as f32, probe: solution[1] as f32, gap: solution[2] as f32, phase: solution[3] as f32 }
}

/// Too few positions were measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no pair of depths was measured on {ENOUGH} positions; use more games, or solve from more empty squares")]
pub struct TooFew;

impl ProbCutFit {
    /// Whether enough was measured for reliable parameters.
    pub fn ensure_enough(&self) -> Result<(), TooFew> {
        let is_enough = |measured: &Measured| measured.pairs.values().any(|found| found.positions >= ENOUGH);
        if is_enough(&self.midgame) && is_enough(&self.endgame) { Ok(()) } else { Err(TooFew) }
    }

    /// The parameters for the search.
    pub fn probcut(&self) -> ProbCut {
        ProbCut { cuts: Cuts::Everywhere, midgame: self.midgame.spreads(), endgame: self.endgame.spreads() }
    }

    /// The measurements next to the parameters for the search, as text.
    pub fn table(&self) -> String {
        let probcut = self.probcut();
        let mut text = String::new();
        for (title, measured, spreads) in
            [("midgame", &self.midgame, &probcut.midgame), ("endgame", &self.endgame, &probcut.endgame)]
        {
            let Model { base, probe, gap, phase } = measured.model;
            writeln!(
                text,
                "{title}: model exp({base:.3} {probe:+.3} shallow {gap:+.3} (deep - shallow) {phase:+.4} empties)\n\
                 deep shallow empties positions    mean deviation  model   told"
            )
            .expect("writing to a string");
            for (&(deep, shallow, phase), found) in measured.pairs.iter().filter(|(_, found)| found.positions >= ENOUGH)
            {
                let empties = phase * 4 + 2;
                let used = spreads.of(deep, shallow, empties);
                writeln!(
                    text,
                    "{deep:>4} {shallow:>7} {empties:>7} {:>9} {:>7.2} {:>9.2} {:>6.2} {:>+6.2} {:.2}",
                    found.positions,
                    found.bias(),
                    found.deviation(),
                    measured.model.deviation(deep, shallow, empties),
                    Value::new(used.mean.into()).discs(),
                    Value::new(used.deviation.into()).discs(),
                )
                .expect("writing to a string");
            }
        }
        text
    }

    /// The Rust source with the models for the hand-made evaluation; `command` is the command that made it.
    pub fn source(&self, command: &str) -> String {
        let model = |Model { base, probe, gap, phase }: Model| {
            format!("Model {{ base: {base:.3}, probe: {probe:.3}, gap: {gap:.3}, phase: {phase:.4} }}")
        };
        format!(
            "//! The figures of ProbCut for the hand-made evaluation.\n//!\n//! Made by `{command}`.\n\n\
             use crate::probcut::Model;\n\n\
             pub(crate) const MIDGAME: Model = {};\npub(crate) const ENDGAME: Model = {};\n",
            model(self.midgame.model),
            model(self.endgame.model),
        )
    }
}

#[cfg(test)]
mod tests {
    use evaluation::HandMade;
    use jobs::Threads;

    use super::*;

    const SMALL: Measurement = Measurement {
        games: 12,
        recipe: Recipe { seed: 3, opening: (4, 12), random_moves: 0.0, depth: 1, exact_from: 4, threads: 2 },
        deepest: 3,
        solved_from: 11,
    };

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let alone = Measurement { recipe: Recipe { threads: 1, ..SMALL.recipe }, ..SMALL };
        let fit = |measurement: &Measurement| {
            let threads = Threads(measurement.recipe.threads);
            fit(measurement, &HandMade, &Workforce::of(&threads, &Stop::new()), |_, _| ()).expect("threads")
        };
        assert_eq!(fit(&SMALL), fit(&alone));
    }

    #[test]
    fn frequent_measurements_are_used_directly_and_rare_ones_are_replaced_by_the_model() {
        let mut often = Errors::default();
        for number in 0..100_000 {
            // 3 + 2 and 3 - 2 in turn: mean 3, deviation 2.
            often.add(if number % 2 == 0 { 5.0 } else { 1.0 });
        }
        let measured = Measured {
            pairs: BTreeMap::from([((8, 4, 5), often)]),
            model: Model { base: 4.0f32.ln(), probe: 0.0, gap: 0.0, phase: 0.0 },
        };
        let spreads = measured.spreads();
        let (used, modelled) = (spreads.of(8, 4, 22), spreads.of(9, 4, 22));
        assert!((i32::from(used.mean) - 3 * 128).abs() <= 1, "{used:?}");
        assert!((i32::from(used.deviation) - 2 * 128).abs() <= 1, "{used:?}");
        assert_eq!(modelled, Spread { mean: 0, deviation: 4 * 128 });
    }

    #[test]
    fn a_fit_recovers_the_model_that_generated_the_data() {
        let made = Model { base: 1.5, probe: -0.04, gap: 0.1, phase: -0.02 };
        let mut pairs = BTreeMap::new();
        for deep in 1..9 {
            for shallow in 0..deep {
                for phase in 4..12 {
                    let deviation = f64::from(made.deviation(deep, shallow, phase * 4 + 2));
                    let mut found = Errors::default();
                    for number in 0..ENOUGH {
                        found.add(if number % 2 == 0 { deviation } else { -deviation });
                    }
                    pairs.insert((deep, shallow, phase), found);
                }
            }
        }
        let found = model(&pairs);
        for (found, made) in
            [(found.base, made.base), (found.probe, made.probe), (found.gap, made.gap), (found.phase, made.phase)]
        {
            assert!((found - made).abs() < 1e-3, "{found} instead of {made}");
        }
    }
}
