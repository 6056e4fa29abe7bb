//! LOGISTELLO's evaluation as used by the search: look-ups by index, with separate or combined tables per line.
//!
//! *Separate*: every line has three tables, of mobility, potential mobility and pattern values; the sums of each are
//! the features, which are weighted and added. *Combined* (Buro 1997, "Speed vs. Space"): for every phase the three are
//! weighted beforehand and folded into one table per line, and the values of edges and 2x4 corners into the table of
//! the larger pattern that includes them. Only the 3x4 corner keeps one table for all phases, because a table per phase
//! would take 20 MB: the sum of its values is multiplied by its weight.

use std::sync::Arc;

use ::evaluation::probcut::{Spread, Spreads};
use ::evaluation::{Cuts, Evaluation, ProbCut, Value};
use othello::{Board, Rules, Square, squares};
use search::{CompiledSearch, Next, SearchReport, SearchRequest};

use super::discriminant::{Discriminant, FEATURE_COUNT, FIRST_PATTERN, Linear, MOBILITY, POTENTIAL, Quadratic};
use super::indices::{Indices, LargeIndices};
use super::mobility::{Difference, LineTables};
use super::patterns::{
    CORNER_2X4, CORNER_2X5, CORNER_3X4, EDGE, EDGE_2X, LARGE_COUNT, LINE_KINDS, PATTERN_COUNT, PATTERNS, SMALL_COUNT,
};
use super::tables::{HALF, PHASE_COUNT, Tables, phase};

/// The resolution of combined tables, as parts of 1/128 disc: a sum of fifty rounding errors stays below a tenth of a
/// disc.
const FINENESS: f32 = 4.0;

/// The largest estimate, below any finished game.
const MOST: i32 = 63 * Value::PER_DISC;

/// The depths of the single level of ProbCut and its threshold (Buro 1995).
const PROBCUT: Cuts = Cuts::Single { deep: 8, shallow: 4, deviations: 1.5 };

/// The options of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The statistical model.
    pub discriminant: Discriminant,
    /// Whether the tables of a line are folded into one. The quadratic discriminant cannot be folded, as the paper
    /// remarks about BILL.
    pub combined: bool,
    /// Whether searches of depth 8 are cut by those of depth 4.
    pub probcut: bool,
    /// Whether corners that can be taken at a leaf are taken before it is evaluated.
    pub quiescence: bool,
}

impl Default for Form {
    fn default() -> Self {
        Self { discriminant: Discriminant::Logistic, combined: true, probcut: true, quiescence: false }
    }
}

/// The evaluation.
#[derive(Clone, Debug)]
pub struct Logistello {
    values: Values,
    /// The values where the second color is to move, if the tables distinguish that.
    turned: Option<Box<Values>>,
    quiescence: bool,
    probcut: Arc<ProbCut>,
}

/// The look-up tables of an evaluation.
#[derive(Clone, Debug)]
struct Values {
    model: Model,
    /// The values of the 3x4 corner, as they are stored.
    corner_3x4: Vec<i16>,
}

#[derive(Clone, Debug)]
enum Model {
    Combined(Vec<CombinedPhase>),
    Separate { values: SeparateValues, phases: Vec<WeightedPhase> },
    Quadratic { values: SeparateValues, phases: Vec<Quadratic>, scale: f64 },
}

/// Tables whose length is a power of two, so that no look-up needs a bounds check.
const fn padded(pattern: usize) -> usize {
    (2 * PATTERNS_CENTRES[pattern] as usize + 1).next_power_of_two()
}

const PATTERNS_CENTRES: [i32; PATTERN_COUNT] = {
    let mut centres = [0; PATTERN_COUNT];
    let mut pattern = 0;
    while pattern < PATTERN_COUNT {
        centres[pattern] = PATTERNS[pattern].center();
        pattern += 1;
    }
    centres
};

/// The line patterns whose combined tables are their own: all but the edge, which is folded into the edge with its
/// X-squares.
const OWN_LINES: usize = LINE_KINDS - 1;

/// Start of the combined tables of the lines after the edge, then of the two 10-disc patterns.
const COMBINED: [usize; OWN_LINES + 3] = {
    let mut offsets = [0; OWN_LINES + 3];
    let mut number = 0;
    while number < OWN_LINES {
        offsets[number + 1] = offsets[number] + padded(1 + number);
        number += 1;
    }
    offsets[OWN_LINES + 1] = offsets[OWN_LINES] + padded(EDGE_2X);
    offsets[OWN_LINES + 2] = offsets[OWN_LINES + 1] + padded(CORNER_2X5);
    offsets
};

/// One phase with everything folded.
#[derive(Clone, Debug)]
struct CombinedPhase {
    table: Box<[i16]>,
    /// The value of a stored unit of the 3x4 corner.
    corner_3x4: f32,
    /// The value of having the move.
    constant: f32,
}

/// One phase with separate weights: the value of a unit of each feature, and of having the move.
#[derive(Clone, Copy, Debug)]
struct WeightedPhase {
    weights: [f32; FEATURE_COUNT],
    constant: f32,
}

/// Pattern values of every phase, mobility and potential mobility, each in a table of its own.
#[derive(Clone, Debug)]
struct SeparateValues {
    /// For each phase those of the small patterns one after the other.
    small: Vec<Box<[i16]>>,
    /// Tables of the edge with its X-squares, then of the 2x5 corner.
    large: [Box<[i16]>; 2],
    /// For the lines one after the other.
    moves: Box<[i8]>,
    potential: Box<[i8]>,
}

/// Start of the tables of the small patterns; those of mobility lie the same way.
const SEPARATE: [usize; SMALL_COUNT + 1] = {
    let mut offsets = [0; SMALL_COUNT + 1];
    let mut pattern = 0;
    while pattern < SMALL_COUNT {
        offsets[pattern + 1] = offsets[pattern] + padded(pattern);
        pattern += 1;
    }
    offsets
};

/// The features as integers, for the first color: differences of moves and sums of stored values.
type Sums = [i32; FEATURE_COUNT];

impl Logistello {
    /// The evaluation with these tables.
    pub fn new(tables: &Tables, form: Form) -> Self {
        let spreads = tables.spreads[number_of(form.discriminant)];
        let midgame = Spreads::new(|_, _, empty_count| spreads[(empty_count as usize / 4).min(spreads.len() - 1)]);
        let cuts = if form.probcut { PROBCUT } else { Cuts::Never };
        let endgame = Spreads::new(|_, _, _| Spread::default());
        Self {
            values: Values::new(tables, form),
            turned: tables.turned().map(|turned| Box::new(Values::new(&turned, form))),
            quiescence: form.quiescence,
            probcut: Arc::new(ProbCut { cuts, midgame, endgame }),
        }
    }

    /// The value of a position in parts of a disc, with the look-ups for its side to move.
    #[inline]
    fn parts(&self, board: &Board, indices: &Indices) -> f32 {
        match &self.turned {
            Some(turned) if indices.side() < 0 => turned.parts(board, indices),
            _ => self.values.parts(board, indices),
        }
    }

    /// The same after corners have been taken where that is better than the position as it is (Buro 1997, "Patterns": "In
    /// extreme cases — for instance where corners are involved — a quiescence search can help"). Any other move may be
    /// better, so no side has to take a corner. There are four of them, which ends it.
    fn parts_when_quiet(&self, board: &Board, indices: &Indices) -> f32 {
        let corners = squares(board.moves() & CORNERS);
        corners.fold(self.parts(board, indices), |best, square| {
            let flips = board.flips(square);
            let mut indices = *indices;
            indices.play(square, flips);
            best.max(-self.parts_when_quiet(&board.after(square, flips), &indices))
        })
    }
}

/// The corner squares.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The number of a discriminant in the tables.
fn number_of(discriminant: Discriminant) -> usize {
    Discriminant::ALL.iter().position(|&other| other == discriminant).unwrap_or(0)
}

impl Values {
    fn new(tables: &Tables, form: Form) -> Self {
        let discs = tables.discs_per_log_odds[number_of(form.discriminant)];
        let linear = |phases: &[Linear]| {
            if form.combined {
                let phases = phases.iter().enumerate();
                return Model::Combined(phases.map(|(phase, linear)| combine(tables, phase, linear, discs)).collect());
            }
            let phases = phases.iter().map(|linear| weighted(linear, discs)).collect();
            Model::Separate { values: SeparateValues::new(tables), phases }
        };
        let model = match form.discriminant {
            Discriminant::Logistic => linear(&tables.logistic),
            Discriminant::Fisher => linear(&tables.fisher),
            Discriminant::Quadratic => Model::Quadratic {
                values: SeparateValues::new(tables),
                phases: tables.quadratic.clone(),
                scale: discs * f64::from(Value::PER_DISC),
            },
        };
        Self { model, corner_3x4: table_of(CORNER_3X4, |index| tables.value(0, CORNER_3X4, index)) }
    }

    /// The value of a position in parts of a disc, not yet limited to possible final scores.
    #[inline]
    fn parts(&self, board: &Board, indices: &Indices) -> f32 {
        let large = indices.large(board);
        let phase = phase(board.disc_count());
        let side = f32::from(indices.side());
        match &self.model {
            Model::Combined(phases) => {
                let phase = &phases[phase % PHASE_COUNT];
                let sum = phase.sum(indices, &large) as f32;
                let corners = sum_of_large(&self.corner_3x4, CORNER_3X4, &large.corners_3x4) as f32;
                (side * (sum + phase.corner_3x4 * corners) + phase.constant) / FINENESS
            }
            Model::Separate { values, phases } => {
                let sums = values.sums(phase, indices, &large, &self.corner_3x4);
                let WeightedPhase { weights, constant } = &phases[phase % PHASE_COUNT];
                let sum: f32 = weights.iter().zip(sums).map(|(weight, sum)| weight * sum as f32).sum();
                side * sum + constant
            }
            Model::Quadratic { values, phases, scale } => {
                let sums = values.sums(phase, indices, &large, &self.corner_3x4);
                let side = f64::from(side);
                let features = std::array::from_fn(|feature| {
                    let unit = if feature < FIRST_PATTERN { 1.0 } else { 1.0 / (2.0 * HALF) };
                    side * unit * f64::from(sums[feature])
                });
                (phases[phase % PHASE_COUNT].log_odds(&features) * scale) as f32
            }
        }
    }
}

impl Evaluation for Logistello {
    type Features = Indices;

    #[inline]
    fn features(&self, board: &Board) -> Indices {
        Indices::of(board)
    }

    #[inline]
    fn played(&self, indices: &Indices, _board: &Board, square: Square, flips: u64) -> Indices {
        let mut indices = *indices;
        indices.play(square, flips);
        indices
    }

    #[inline]
    fn passed(&self, indices: &Indices) -> Indices {
        let mut indices = *indices;
        indices.pass();
        indices
    }

    #[inline]
    fn evaluate(&self, board: &Board, indices: &Indices) -> Value {
        let parts = if self.quiescence { self.parts_when_quiet(board, indices) } else { self.parts(board, indices) };
        Value::new((parts.round() as i32).clamp(-MOST, MOST))
    }

    fn probcut(&self) -> Arc<ProbCut> {
        self.probcut.clone()
    }
}

impl CompiledSearch for Logistello {
    #[inline(never)]
    fn search(&self, request: &SearchRequest<'_>, next: &mut Next<'_>) -> SearchReport {
        request.run(self, next)
    }
}

/// A table of all indices of a pattern, the lowest first, padded to a power of two.
fn table_of<N: Copy + Default>(pattern: usize, value: impl Fn(i32) -> N) -> Vec<N> {
    let centre = PATTERNS[pattern].center();
    let mut table: Vec<N> = (-centre..=centre).map(value).collect();
    table.resize(padded(pattern), N::default());
    table
}

/// The weights of a phase in parts of a disc for a unit of each feature as it is summed up.
fn weighted(linear: &Linear, discs: f64) -> WeightedPhase {
    let scale = discs * f64::from(Value::PER_DISC);
    let unit = |feature: usize| if feature < FIRST_PATTERN { 1.0 } else { 1.0 / (2.0 * HALF) };
    WeightedPhase {
        weights: std::array::from_fn(|feature| (linear.weights[feature] * unit(feature) * scale) as f32),
        constant: (linear.constant * scale) as f32,
    }
}

/// Folds everything about a line in a phase into one table.
fn combine(tables: &Tables, phase: usize, linear: &Linear, discs: f64) -> CombinedPhase {
    let WeightedPhase { weights, constant } = weighted(linear, discs);
    let lines = LineTables::get();
    let value =
        |pattern: usize, index: i32| weights[FIRST_PATTERN + pattern] * f32::from(tables.value(phase, pattern, index));
    let line = |pattern: usize, index: i32| {
        let size = PATTERNS[pattern].size();
        let Difference { moves, potential } = lines.of_size(size)[(index + PATTERNS[pattern].center()) as usize];
        let potential = if pattern == EDGE { 0 } else { potential };
        weights[MOBILITY] * f32::from(moves) + weights[POTENTIAL] * f32::from(potential) + value(pattern, index)
    };
    let entry = |parts: f32| (FINENESS * parts).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    // The index of the sub-pattern of a 10-disc pattern: without its two last digits.
    let sub = |index: i32| (index + 4).div_euclid(9);
    let mut table: Vec<i16> =
        (1..LINE_KINDS).flat_map(|pattern| table_of(pattern, |index| entry(line(pattern, index)))).collect();
    table.extend(table_of(EDGE_2X, |index| entry(line(EDGE, sub(index)) + value(EDGE_2X, index))));
    table.extend(table_of(CORNER_2X5, |index| entry(value(CORNER_2X4, sub(index)) + value(CORNER_2X5, index))));
    CombinedPhase {
        table: table.into(),
        corner_3x4: FINENESS * weights[FIRST_PATTERN + CORNER_3X4],
        constant: FINENESS * constant,
    }
}

/// Sum of the table entries for all places of a small pattern.
#[inline(always)]
fn sum_of_small<const PATTERN: usize, N: Copy + Into<i32>>(table: &[N], indices: &Indices) -> i32 {
    let table = &table[..padded(PATTERN)];
    let mut sum = 0;
    for &index in indices.of_pattern(PATTERN) {
        sum += table[(i32::from(index) + PATTERNS_CENTRES[PATTERN]) as usize % padded(PATTERN)].into();
    }
    sum
}

/// Sum of the table entries for all places of a large pattern.
#[inline(always)]
fn sum_of_large(table: &[i16], pattern: usize, indices: &[i32]) -> i32 {
    let table = &table[..padded(pattern)];
    let mut sum = 0;
    for &index in indices {
        sum += i32::from(table[(index + PATTERNS_CENTRES[pattern]) as usize % padded(pattern)]);
    }
    sum
}

impl CombinedPhase {
    #[inline(always)]
    fn line<const PATTERN: usize>(&self, indices: &Indices) -> i32 {
        sum_of_small::<PATTERN, i16>(&self.table[COMBINED[PATTERN - 1]..], indices)
    }

    /// The sum of all look-ups but those of the 3x4 corners.
    #[inline(always)]
    fn sum(&self, indices: &Indices, large: &LargeIndices) -> i32 {
        const { assert!(LINE_KINDS == 9) };
        self.line::<1>(indices)
            + self.line::<2>(indices)
            + self.line::<3>(indices)
            + self.line::<4>(indices)
            + self.line::<5>(indices)
            + self.line::<6>(indices)
            + self.line::<7>(indices)
            + self.line::<8>(indices)
            + sum_of_large(&self.table[COMBINED[OWN_LINES]..], EDGE_2X, &large.edges)
            + sum_of_large(&self.table[COMBINED[OWN_LINES + 1]..], CORNER_2X5, &large.corners_2x5)
    }
}

impl SeparateValues {
    fn new(tables: &Tables) -> Self {
        let small = |phase: usize| {
            let table = |pattern| table_of(pattern, move |index| tables.value(phase, pattern, index));
            (0..SMALL_COUNT).flat_map(table).collect()
        };
        let lines = LineTables::get();
        let of_lines = |part: fn(&Difference) -> i8, first: usize| {
            let table = |pattern: usize| {
                let (centre, differences) = (PATTERNS[pattern].center(), lines.of_size(PATTERNS[pattern].size()));
                let is_counted = pattern >= first;
                table_of(
                    pattern,
                    move |index| if is_counted { part(&differences[(index + centre) as usize]) } else { 0 },
                )
            };
            (0..LINE_KINDS).flat_map(table).collect()
        };
        const { assert!(LARGE_COUNT == 3) };
        Self {
            small: (0..PHASE_COUNT).map(small).collect(),
            large: [EDGE_2X, CORNER_2X5]
                .map(|pattern| table_of(pattern, |index| tables.value(0, pattern, index)).into()),
            moves: of_lines(|difference| difference.moves, EDGE),
            potential: of_lines(|difference| difference.potential, EDGE + 1),
        }
    }

    /// The features of a position for the first color, each summed up from tables of its own.
    #[inline]
    fn sums(&self, phase: usize, indices: &Indices, large: &LargeIndices, corner_3x4: &[i16]) -> Sums {
        let small = &self.small[phase % PHASE_COUNT];
        let mut sums = [0; FEATURE_COUNT];
        self.add_line::<0>(&mut sums, small, indices);
        self.add_line::<1>(&mut sums, small, indices);
        self.add_line::<2>(&mut sums, small, indices);
        self.add_line::<3>(&mut sums, small, indices);
        self.add_line::<4>(&mut sums, small, indices);
        self.add_line::<5>(&mut sums, small, indices);
        self.add_line::<6>(&mut sums, small, indices);
        self.add_line::<7>(&mut sums, small, indices);
        self.add_line::<8>(&mut sums, small, indices);
        sums[FIRST_PATTERN + CORNER_2X4] = sum_of_small::<CORNER_2X4, i16>(&small[SEPARATE[CORNER_2X4]..], indices);
        sums[FIRST_PATTERN + EDGE_2X] = sum_of_large(&self.large[0], EDGE_2X, &large.edges);
        sums[FIRST_PATTERN + CORNER_2X5] = sum_of_large(&self.large[1], CORNER_2X5, &large.corners_2x5);
        sums[FIRST_PATTERN + CORNER_3X4] = sum_of_large(corner_3x4, CORNER_3X4, &large.corners_3x4);
        sums
    }

    /// Adds what the lines of a pattern contribute to each of the three features.
    #[inline(always)]
    fn add_line<const PATTERN: usize>(&self, sums: &mut Sums, small: &[i16], indices: &Indices) {
        let begin = SEPARATE[PATTERN];
        sums[MOBILITY] += sum_of_small::<PATTERN, i8>(&self.moves[begin..], indices);
        sums[POTENTIAL] += sum_of_small::<PATTERN, i8>(&self.potential[begin..], indices);
        sums[FIRST_PATTERN + PATTERN] = sum_of_small::<PATTERN, i16>(&small[begin..], indices);
    }
}

#[cfg(test)]
mod tests {
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::tables::PatternValues;
    use crate::player::tables::tests::made_up;

    fn forms() -> impl Iterator<Item = Form> {
        Discriminant::ALL
            .into_iter()
            .flat_map(|discriminant| [true, false].map(|combined| Form { discriminant, combined, ..Form::default() }))
    }

    /// The value from features read off the board, in discs.
    fn expected(tables: &Tables, discriminant: Discriminant, board: &Board) -> f64 {
        let number = Discriminant::ALL.iter().position(|&other| other == discriminant).expect("one of them");
        let log_odds = tables.log_odds(discriminant, phase(board.disc_count()), &tables.features(board));
        (log_odds * tables.discs_per_log_odds[number]).clamp(-63.0, 63.0)
    }

    #[test]
    fn separate_and_combined_tables_say_what_the_features_say() {
        for tables in [made_up(), made_up_for_sides(), (*Tables::shipped()).clone()] {
            for form in forms() {
                let evaluation = Logistello::new(&tables, form);
                let mut samples = Samples::<Board>::new(21);
                // Fifty roundings of half a quarter of a 128th of a disc, and that of the sum.
                let most = if form.combined { 0.06 } else { 0.005 };
                for number in 0..2000u32 {
                    let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
                    let found = f64::from(evaluation.evaluate(&board, &evaluation.features(&board)).discs());
                    let expected = expected(&tables, form.discriminant, &board);
                    assert!((found - expected).abs() < most, "{found} for {expected} with {form:?}: {board:?}");
                }
            }
        }
    }

    /// Tables that distinguish the side to move.
    fn made_up_for_sides() -> Tables {
        let tables = made_up();
        let turned = |values: &Vec<i16>| values.iter().rev().copied().collect();
        let small = tables.small.iter().map(|phase| phase.iter().map(turned).collect()).collect();
        let other = PatternValues { small, large: tables.large.iter().map(turned).collect() };
        Tables { distinguished: Some(other), ..tables }
    }

    #[test]
    fn quiescence_takes_corners_as_a_plain_search_of_corner_moves_does() {
        // All lines of corner moves, each ended anywhere, valued by the features of its last board.
        fn plainly(tables: &Tables, board: &Board) -> f64 {
            let corners = ["a1", "h1", "a8", "h8"].map(|name| name.parse::<Square>().expect("a corner"));
            let after = corners.into_iter().filter_map(|corner| board.play(corner));
            after
                .fold(expected(tables, Discriminant::Logistic, board), |best, after| best.max(-plainly(tables, &after)))
        }
        let tables = Tables::shipped();
        let evaluation = Logistello::new(&tables, Form { combined: false, quiescence: true, ..Form::default() });
        let (mut samples, mut changed) = (Samples::<Board>::new(23), 0);
        for number in 0..600u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let found = f64::from(evaluation.evaluate(&board, &evaluation.features(&board)).discs());
            let plain = plainly(&tables, &board);
            assert!((found - plain).abs() < 0.005, "{found} for {plain}: {board:?}");
            changed += u32::from((plain - expected(&tables, Discriminant::Logistic, &board)).abs() > 0.1);
        }
        assert!(changed > 30, "{changed} positions with a corner worth taking");
    }

    #[test]
    fn values_kept_along_games_are_those_of_the_boards_alone() {
        let (tables, for_sides) = (made_up(), made_up_for_sides());
        for (form, tables) in forms().flat_map(|form| [(form, &tables), (form, &for_sides)]) {
            let evaluation = Logistello::new(tables, form);
            let mut samples = Samples::<Board>::new(22);
            for _ in 0..20 {
                let mut board = Board::start();
                let mut indices = evaluation.features(&board);
                while !board.is_over() {
                    let (along, alone) = (
                        evaluation.evaluate(&board, &indices),
                        evaluation.evaluate(&board, &evaluation.features(&board)),
                    );
                    assert!((along.parts() - alone.parts()).abs() <= 1, "{board:?}");
                    if board.must_pass() {
                        indices = evaluation.passed(&indices);
                        board = board.pass();
                        continue;
                    }
                    let moves = board.moves();
                    let square = squares(moves).nth(samples.below(moves.count_ones()) as usize).expect("a move");
                    let flips = board.flips(square);
                    indices = evaluation.played(&indices, &board, square, flips);
                    board = board.after(square, flips);
                }
            }
        }
    }

    #[test]
    fn symmetric_boards_are_worth_the_same_by_the_tables_that_ship() {
        let evaluation = Logistello::new(&Tables::shipped(), Form { combined: false, ..Form::default() });
        let value = |board: &Board| evaluation.evaluate(board, &evaluation.features(board));
        let mut samples = Samples::<Board>::new(23);
        for number in 0..200u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            for symmetry in 1..8 {
                let image = board.transformed(symmetry);
                assert!((value(&image).parts() - value(&board).parts()).abs() <= 1, "{board:?} by {symmetry}");
            }
        }
    }

    #[test]
    fn probcut_is_the_single_level_of_the_paper_or_none() {
        let tables = made_up();
        let cuts = |probcut| Logistello::new(&tables, Form { probcut, ..Form::default() }).probcut().cuts;
        assert_eq!(cuts(true), Cuts::Single { deep: 8, shallow: 4, deviations: 1.5 });
        assert_eq!(cuts(false), Cuts::Never);
        let probcut = Logistello::new(&tables, Form::default()).probcut();
        assert_eq!(probcut.midgame.of(8, 4, 30), tables.spreads[0][7]);
    }
}
