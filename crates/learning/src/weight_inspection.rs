//! Inspection of weights: errors, discordance and usage, by phase of the game and by kind of weight.

use std::cmp::Reverse;

use evaluation::Value;
use evaluation::patterns::{INSTANCE_COUNT, INSTANCES, PATTERN_COUNT, PATTERNS};
use evaluation::weights::{Layout, PHASE_COUNT, Weights, phase};
use othello::{Board, Score};

use crate::discordance::discordance;
use crate::error::Result;
use crate::material::Material;
use crate::pattern_fit::{Errors, WEIGHTS_IN_A_POSITION, weight_numbers};
use crate::winning_fit::{PhaseFit, WinningTally};

/// The number of kinds of weights: the patterns, mobility and parity.
const KIND_COUNT: usize = PATTERN_COUNT + 2;

/// An inspection in progress.
#[derive(Clone, Debug)]
pub struct Inspection<'w> {
    weights: &'w Weights,
    layout: Layout,
    phases: Vec<PhaseTally>,
    /// Values of held-out positions and the results of their games.
    pub(crate) winning: WinningTally,
    /// A histogram of values and labels, in cells of [`CELL`] discs.
    pub(crate) cells: Vec<[u64; CELLS]>,
}

/// The side of a cell of values and labels, in discs.
pub(crate) const CELL: i32 = 4;
/// The number of cells from -64 to +64.
pub(crate) const CELLS: usize = (128 / CELL + 1) as usize;

#[derive(Clone, Debug)]
struct PhaseTally {
    positions: u64,
    /// Number of occurrences of each weight in all games.
    uses: Vec<u32>,
    errors: Errors,
    /// Values and labels of held-out positions.
    pairs: Vec<(i32, i8)>,
    kinds: [KindTally; KIND_COUNT],
}

/// Sums over held-out positions of the contribution of one kind of weights to the value, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct KindTally {
    sum: f64,
    squares: f64,
    with_error: f64,
    absolute: f64,
}

/// The results for a phase.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PhaseReport {
    /// The number of positions in all games.
    pub positions: u64,
    /// The errors of the values of held-out positions.
    pub errors: Errors,
    /// The share of pairs of held-out positions that values and labels order differently.
    pub discordance: Option<f64>,
    /// The share of the weights that never occur in the games.
    pub never_met: f64,
    /// The maximum-likelihood scale of the probability of winning.
    pub winning: PhaseFit,
}

/// The results for a kind of weights.
#[derive(Clone, PartialEq, Debug)]
pub struct KindReport {
    /// The squares of the pattern, or another name.
    pub name: String,
    /// The number of weights per phase.
    pub weights: usize,
    /// The share of its weights, over all phases, that never occur in the games.
    pub never_met: f64,
    /// The mean absolute weight over its occurrences, in discs.
    pub mean_weight: f64,
    /// The standard deviation of its contribution to the value, in discs.
    pub spread: f64,
    /// The root mean square error if its contribution were replaced by the mean.
    pub error_without: f64,
    /// Its configurations that occurred, the most frequent first.
    pub configurations: Vec<Configuration>,
}

/// A configuration of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The squares in the order of the pattern: `X` of the side to move, `O` of the opponent, `-` empty.
    pub squares: String,
    /// Number of occurrences in all games.
    pub count: u64,
    /// The mean weight over its occurrences, in discs.
    pub weight: f64,
}

impl<'w> Inspection<'w> {
    /// An inspection of these weights.
    pub fn new(weights: &'w Weights) -> Self {
        let layout = Layout::new();
        let tally = PhaseTally {
            positions: 0,
            uses: vec![0; layout.count],
            errors: Errors::default(),
            pairs: Vec::new(),
            kinds: [KindTally::default(); KIND_COUNT],
        };
        let phases = vec![tally; PHASE_COUNT];
        Self { weights, layout, phases, winning: WinningTally::default(), cells: vec![[0; CELLS]; CELLS] }
    }

    /// Processes all positions of games, one in `held_out` of them held out; `progress` receives the number of games.
    pub fn look_at(&mut self, material: &Material, held_out: u64, mut progress: impl FnMut(u64)) -> Result<()> {
        let mut last = 0;
        material.read(0..=60, &mut |game, board, known| {
            let Some(label) = known.value() else { return };
            self.look(board, Score::new(label as i8), game.is_multiple_of(held_out));
            if game > last {
                last = game;
                progress(game);
            }
        })
    }

    /// Processes a position of a game: which weights occur and, if it is held out, the error of its value. The side to
    /// move must have a legal move.
    fn look(&mut self, board: &Board, label: Score, is_held_out: bool) {
        let empties = board.empty_count();
        let phase = phase(empties);
        let numbers = weight_numbers(&self.layout, board);
        let tally = &mut self.phases[phase];
        tally.positions += 1;
        for &number in &numbers {
            let uses = &mut tally.uses[number as usize];
            *uses = uses.saturating_add(1);
        }
        if !is_held_out {
            return;
        }
        let set = &self.weights.phases[phase];
        let parts = numbers.map(|number| i32::from(set[number as usize]));
        let most = 63 * Value::PER_DISC;
        let pairs = self.weights.interactions.as_ref().map_or(0, |interactions| interactions.value(phase, &numbers));
        let value = Value::new((parts.iter().sum::<i32>() + pairs).clamp(-most, most));
        let error = f64::from(value.discs()) - f64::from(label.discs());
        tally.errors.add(error);
        tally.pairs.push((value.parts(), label.discs() as i8));
        let in_discs = |parts: i32| f64::from(parts) / f64::from(Value::PER_DISC);
        let mut added = [0.0; KIND_COUNT];
        for (place, &part) in parts.iter().enumerate() {
            added[kind_of(place)] += in_discs(part);
            tally.kinds[kind_of(place)].absolute += in_discs(part).abs();
        }
        for (kind, added) in tally.kinds.iter_mut().zip(added) {
            kind.sum += added;
            kind.squares += added * added;
            kind.with_error += added * error;
        }
        self.winning.add(empties, value, label);
        let cell = |discs: f64| ((discs + 64.0) / f64::from(CELL)).round().clamp(0.0, CELLS as f64 - 1.0) as usize;
        self.cells[cell(f64::from(value.discs()))][cell(f64::from(label.discs()))] += 1;
    }

    /// The results for every phase, from the beginning of the game on.
    pub fn phase_reports(&mut self) -> Vec<PhaseReport> {
        let fits = self.winning.fit();
        let of = |(tally, winning): (&mut PhaseTally, PhaseFit)| PhaseReport {
            positions: tally.positions,
            errors: tally.errors,
            discordance: discordance(&mut tally.pairs),
            never_met: tally.uses.iter().filter(|&&uses| uses == 0).count() as f64 / tally.uses.len().max(1) as f64,
            winning,
        };
        self.phases.iter_mut().zip(fits).map(of).collect()
    }

    /// The results for every kind of weights: the patterns in order, mobility, parity.
    pub fn kind_reports(&self) -> Vec<KindReport> {
        (0..KIND_COUNT).map(|kind| self.kind_report(kind)).collect()
    }

    fn kind_report(&self, kind: usize) -> KindReport {
        let numbers = self.numbers_of(kind);
        let never = |tally: &PhaseTally| tally.uses[numbers.clone()].iter().filter(|&&uses| uses == 0).count();
        let never_met: usize = self.phases.iter().map(never).sum();
        let places = (0..WEIGHTS_IN_A_POSITION).filter(|&place| kind_of(place) == kind).count();
        let (mut variance, mut without, mut absolute, mut positions) = (0.0, 0.0, 0.0, 0.0);
        for tally in &self.phases {
            let count = tally.errors.positions as f64;
            if count == 0.0 {
                continue;
            }
            let KindTally { sum, squares, with_error, absolute: weights } = tally.kinds[kind];
            // Sums of squares around the means.
            let own = squares - sum * sum / count;
            let shared = with_error - sum * tally.errors.signed / count;
            variance += own;
            without += tally.errors.squares - 2.0 * shared + own;
            absolute += weights;
            positions += count;
        }
        let mean = |sum: f64| sum / f64::max(positions, 1.0);
        KindReport {
            name: match kind.checked_sub(PATTERN_COUNT) {
                None => PATTERNS[kind].squares().map(|square| square.to_string()).collect(),
                Some(0) => "mobility".to_owned(),
                Some(_) => "parity".to_owned(),
            },
            weights: numbers.len(),
            never_met: never_met as f64 / (numbers.len() * PHASE_COUNT) as f64,
            mean_weight: mean(absolute) / places as f64,
            spread: mean(variance).max(0.0).sqrt(),
            error_without: mean(without).max(0.0).sqrt(),
            configurations: if kind < PATTERN_COUNT { self.configurations(kind) } else { Vec::new() },
        }
    }

    /// The weight numbers of a kind.
    fn numbers_of(&self, kind: usize) -> std::ops::Range<usize> {
        match kind.checked_sub(PATTERN_COUNT) {
            None => {
                let numbers = &self.layout.numbers[kind];
                let (first, last) = (numbers.iter().min(), numbers.iter().max());
                first.map_or(0, |&first| first as usize)..last.map_or(0, |&last| last as usize + 1)
            }
            Some(0) => self.layout.mobility..self.layout.parity,
            Some(_) => self.layout.parity..self.layout.count,
        }
    }

    fn configurations(&self, pattern: usize) -> Vec<Configuration> {
        let size = PATTERNS[pattern].squares().count();
        let mut is_seen = vec![false; self.layout.count];
        let mut configurations = Vec::new();
        // Of the indices that share a weight, the smallest is shown.
        for (index, &number) in self.layout.numbers[pattern].iter().enumerate() {
            let number = number as usize;
            if std::mem::replace(&mut is_seen[number], true) {
                continue;
            }
            let uses = |phase: usize| u64::from(self.phases[phase].uses[number]);
            let count: u64 = (0..PHASE_COUNT).map(uses).sum();
            if count > 0 {
                let worth = |phase: usize| uses(phase) as f64 * f64::from(self.weights.phases[phase][number]);
                let weight = (0..PHASE_COUNT).map(worth).sum::<f64>() / count as f64 / f64::from(Value::PER_DISC);
                configurations.push(Configuration { squares: drawn(index, size), count, weight });
            }
        }
        configurations.sort_by_key(|configuration| Reverse(configuration.count));
        configurations
    }
}

/// The kind of the weight at an index of [`weight_numbers`].
fn kind_of(place: usize) -> usize {
    match place.checked_sub(INSTANCE_COUNT) {
        None => usize::from(INSTANCES[place].pattern),
        Some(rest) => PATTERN_COUNT + rest,
    }
}

/// The configuration of an index, square by square.
fn drawn(mut index: usize, size: usize) -> String {
    let mut text = String::with_capacity(size);
    for _ in 0..size {
        text.push(['-', 'X', 'O'][index % 3]);
        index /= 3;
    }
    text
}

#[cfg(test)]
mod tests {
    use control::Stop;
    use evaluation::{Evaluation, HandMade, Learned};

    use super::*;
    use crate::played_game::PlayedGame;
    use crate::self_play::{Recipe, SelfPlay};

    /// Positions of games, and pseudorandom weights.
    fn some() -> (Vec<(Board, Score)>, Weights) {
        let recipe = Recipe { seed: 3, opening: (6, 12), random_moves: 0.1, depth: 1, exact_from: 0, threads: 1 };
        let games = SelfPlay::new(recipe, HandMade).games(0..30, &Stop::new());
        let positions = games.iter().flat_map(PlayedGame::positions).map(|position| (position.board, position.score));
        let positions = positions.collect();
        let mut weights = Weights::zero();
        for (phase, set) in weights.phases.iter_mut().enumerate() {
            for (number, weight) in set.iter_mut().enumerate() {
                *weight = ((number * 7919 + phase * 104_729) % 301) as i16 - 150;
            }
        }
        (positions, weights)
    }

    #[test]
    fn errors_are_those_of_the_evaluation_itself() {
        let (positions, weights) = some();
        let learned = Learned::new(&weights);
        let mut inspection = Inspection::new(&weights);
        let mut expected = vec![Errors::default(); PHASE_COUNT];
        for (index, (board, score)) in positions.iter().enumerate() {
            inspection.look(board, *score, index % 3 == 0);
            if index % 3 == 0 {
                let value = learned.evaluate(board, &learned.features(board));
                expected[phase(board.empty_count())].add(f64::from(value.discs()) - f64::from(score.discs()));
            }
        }
        let reports = inspection.phase_reports();
        assert!(reports.iter().map(|report| report.errors).eq(expected));
        assert_eq!(reports.iter().map(|report| report.positions).sum::<u64>(), positions.len() as u64);
        let cells = inspection.cells.iter().flatten().sum::<u64>();
        assert_eq!(cells, positions.len().div_ceil(3) as u64);
        assert!(reports.iter().all(|report| report.never_met > 0.9));
    }

    #[test]
    fn the_error_without_a_kind_is_that_of_weights_with_its_mean() {
        // If all weights of a kind are equal in a phase, its contribution is constant: nothing is lost without it.
        let (positions, mut weights) = some();
        let layout = Layout::new();
        for set in &mut weights.phases {
            set[layout.parity..].fill(100);
            set[layout.mobility..layout.parity].fill(0);
        }
        let mut inspection = Inspection::new(&weights);
        positions.iter().for_each(|(board, score)| inspection.look(board, *score, true));
        let kinds = inspection.kind_reports();
        let all: Errors = inspection.phase_reports().iter().map(|report| report.errors).sum();
        assert!((kinds[PATTERN_COUNT + 1].error_without - all.root_mean_square()).abs() < 1e-6);
        assert!((kinds[PATTERN_COUNT + 1].mean_weight - 100.0 / 128.0).abs() < 1e-9);
        assert!(kinds[PATTERN_COUNT + 1].spread < 1e-6);

        // The same for a pattern, position by position.
        let pattern = 3;
        let added = |board: &Board| {
            let numbers = weight_numbers(&layout, board);
            let set = &weights.phases[phase(board.empty_count())];
            let own = (0..INSTANCE_COUNT).filter(|&lane| usize::from(INSTANCES[lane].pattern) == pattern);
            own.map(|lane| f64::from(set[numbers[lane] as usize]) / 128.0).sum::<f64>()
        };
        let learned = Learned::new(&weights);
        let mut errors = Errors::default();
        for wanted in 0..PHASE_COUNT {
            let own: Vec<_> = positions.iter().filter(|(board, _)| phase(board.empty_count()) == wanted).collect();
            let mean = own.iter().map(|(board, _)| added(board)).sum::<f64>() / own.len().max(1) as f64;
            for (board, score) in own {
                let value = f64::from(learned.evaluate(board, &learned.features(board)).discs());
                errors.add(value - added(board) + mean - f64::from(score.discs()));
            }
        }
        let found = kinds[pattern].error_without;
        assert!((found - errors.root_mean_square()).abs() < 1e-6, "{found} instead of {}", errors.root_mean_square());
    }

    #[test]
    fn configurations_are_counted_as_they_stand_on_the_board() {
        let (positions, weights) = some();
        let mut inspection = Inspection::new(&weights);
        positions.iter().for_each(|(board, score)| inspection.look(board, *score, false));
        for (pattern, report) in inspection.kind_reports().iter().take(PATTERN_COUNT).enumerate() {
            let instances = INSTANCES.iter().filter(|instance| usize::from(instance.pattern) == pattern);
            let places: Vec<_> = instances.map(|instance| instance.shape.squares().collect::<Vec<_>>()).collect();
            let total: u64 = report.configurations.iter().map(|configuration| configuration.count).sum();
            assert_eq!(total, (places.len() * positions.len()) as u64);
            assert!(report.configurations.is_sorted_by(|one, other| one.count >= other.count));
            // All squares empty: there is only one such configuration.
            let shown = report.configurations.iter().find(|configuration| !configuration.squares.contains(['X', 'O']));
            let is_empty = |board: &Board, place: &[othello::Square]| {
                place.iter().all(|square| (board.player | board.opponent) & square.bit() == 0)
            };
            let expected =
                positions.iter().map(|(board, _)| places.iter().filter(|place| is_empty(board, place)).count());
            assert_eq!(shown.map_or(0, |shown| shown.count), expected.sum::<usize>() as u64);
        }
    }
}
