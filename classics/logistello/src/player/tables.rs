//! LOGISTELLO's learned tables: pattern values, feature weights, and the errors of shallow searches.

use std::sync::{Arc, LazyLock};

use evaluation::probcut::Spread;
use othello::Board;
use storage::DataFile;

use super::discriminant::{
    Discriminant, FEATURE_COUNT, FIRST_PATTERN, Features, Linear, MOBILITY, POTENTIAL, Quadratic,
};
use super::indices::Indices;
use super::mobility::LineTables;
use super::patterns::{LARGE_COUNT, LINE_COUNT, NAMES, PATTERN_COUNT, PATTERNS, SMALL_COUNT};
use storage::table_file::{TableError, TableFile};

/// File of the tables.
pub static FILE: DataFile = DataFile::new(
    "logistello.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/logistello.tables")) } else { None },
    |bytes| Tables::from_bytes(bytes).is_ok(),
);

/// The discs placed in one phase of the game.
pub const PHASE_DISCS: u32 = 3;
/// The number of phases: from four discs on, three plies each.
pub const PHASE_COUNT: usize = 20;

/// The phase of a position with this many discs.
#[inline]
pub fn phase(disc_count: u32) -> usize {
    ((disc_count.max(4) - 4) / PHASE_DISCS).min(PHASE_COUNT as u32 - 1) as usize
}

/// The stored form of a pattern value of one half, a certain win.
pub const HALF: f64 = 32767.0;

/// A value in its stored form.
pub fn stored(value: f64) -> i16 {
    (value * 2.0 * HALF).round().clamp(-HALF, HALF) as i16
}

/// The number of groups of four empty squares for ProbCut.
pub const SPREAD_COUNT: usize = 16;

/// The name of the program in its file.
const PROGRAM: &str = "logistello";

/// Pattern values and feature weights.
///
/// Only indices above zero have a value: that for the other color is negated, unless the side to move is distinguished, and
/// an empty pattern is worth 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    /// For each phase and each small pattern the values of the indices from 1 on; see [`stored`].
    pub small: Vec<Vec<Vec<i16>>>,
    /// The same for each large pattern, in all phases.
    pub large: Vec<Vec<i16>>,
    /// The values of the indices below zero, from -1 on, if they are not those of the other color negated: in tables that
    /// distinguish the side to move.
    pub distinguished: Option<PatternValues>,
    /// The weights of logistic regression for each phase.
    pub logistic: Vec<Linear>,
    /// The weights of Fisher's discriminant for each phase.
    pub fisher: Vec<Linear>,
    /// The quadratic discriminant of each phase.
    pub quadratic: Vec<Quadratic>,
    /// For each discriminant, how many discs a unit of log odds is worth, so that values are comparable with final
    /// scores.
    pub discs_per_log_odds: [f64; 3],
    /// For each discriminant, how a search of depth 8 differs from one of depth 4, by groups of four empty squares.
    pub spreads: [[Spread; SPREAD_COUNT]; 3],
}

/// The values of all patterns in one order of the colors.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternValues {
    /// As [`Tables::small`].
    pub small: Vec<Vec<Vec<i16>>>,
    /// As [`Tables::large`].
    pub large: Vec<Vec<i16>>,
}

impl PatternValues {
    fn negated(self) -> Self {
        let negated = |values: Vec<i16>| values.into_iter().map(|value| -value).collect();
        Self {
            small: self.small.into_iter().map(|phase| phase.into_iter().map(negated).collect()).collect(),
            large: self.large.into_iter().map(negated).collect(),
        }
    }
}

impl Tables {
    /// The tables that ship with the program.
    pub fn shipped() -> Arc<Tables> {
        static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
            let bytes = FILE.bytes();
            Arc::new(Tables::from_bytes(bytes).expect("the tables are whole when the program is built"))
        });
        TABLES.clone()
    }

    /// Tables of zeros: every position is even.
    pub fn blank() -> Self {
        let half = |pattern: usize| vec![0; PATTERNS[pattern].center() as usize];
        let linear = Linear { constant: 0.0, weights: [0.0; FEATURE_COUNT] };
        let quadratic = Quadratic { linear: linear.clone(), products: vec![0.0; Quadratic::PRODUCTS] };
        Self {
            small: vec![(0..SMALL_COUNT).map(half).collect(); PHASE_COUNT],
            large: (SMALL_COUNT..PATTERN_COUNT).map(half).collect(),
            distinguished: None,
            logistic: vec![linear.clone(); PHASE_COUNT],
            fisher: vec![linear; PHASE_COUNT],
            quadratic: vec![quadratic; PHASE_COUNT],
            discs_per_log_odds: [1.0; 3],
            spreads: [[Spread::default(); SPREAD_COUNT]; 3],
        }
    }

    /// The value of an index of a pattern in a phase, as it is stored.
    pub fn value(&self, phase: usize, pattern: usize, index: i32) -> i16 {
        let of = |small: &[Vec<Vec<i16>>], large: &[Vec<i16>], place: usize| {
            if pattern < SMALL_COUNT {
                small[phase.min(PHASE_COUNT - 1)][pattern][place]
            } else {
                large[(pattern - SMALL_COUNT).min(LARGE_COUNT - 1)][place]
            }
        };
        let Some(place) = (index.unsigned_abs() as usize).checked_sub(1) else { return 0 };
        match &self.distinguished {
            _ if index > 0 => of(&self.small, &self.large, place),
            Some(other) => of(&other.small, &other.large, place),
            None => -of(&self.small, &self.large, place),
        }
    }

    /// The tables for indices that are kept for the color that is not to move; `None` if they are the same.
    #[must_use]
    pub fn turned(&self) -> Option<Self> {
        let PatternValues { small, large } = self.distinguished.clone()?.negated();
        let other = PatternValues { small: self.small.clone(), large: self.large.clone() }.negated();
        Some(Self { small, large, distinguished: Some(other), ..self.clone() })
    }

    /// The features of a position for the side to move.
    pub fn features(&self, board: &Board) -> Features {
        let indices = Indices::of(board);
        let phase = phase(board.disc_count());
        let lines = LineTables::get();
        let mut features = [0.0; FEATURE_COUNT];
        for slot in 0..LINE_COUNT {
            let found = lines.on_slot(slot, indices.slot(slot));
            features[MOBILITY] += f64::from(found.moves);
            features[POTENTIAL] += f64::from(found.potential);
        }
        let value = |pattern: usize, index: i32| f64::from(self.value(phase, pattern, index)) / (2.0 * HALF);
        for pattern in 0..SMALL_COUNT {
            let places = indices.of_pattern(pattern).iter();
            features[FIRST_PATTERN + pattern] = places.map(|&index| value(pattern, index.into())).sum();
        }
        for (number, places) in indices.large(board).by_pattern().into_iter().enumerate() {
            let pattern = SMALL_COUNT + number;
            features[FIRST_PATTERN + pattern] = places.iter().map(|&index| value(pattern, index)).sum();
        }
        features
    }

    /// The log odds of winning for the side to move.
    pub fn log_odds(&self, discriminant: Discriminant, phase: usize, features: &Features) -> f64 {
        let phase = phase.min(PHASE_COUNT - 1);
        match discriminant {
            Discriminant::Logistic => self.logistic[phase].log_odds(features),
            Discriminant::Fisher => self.fisher[phase].log_odds(features),
            Discriminant::Quadratic => self.quadratic[phase].log_odds(features),
        }
    }

    /// The file, which has no values that distinguish the side to move: those are for measurements in memory.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = TableFile::new(PROGRAM);
        for pattern in 0..SMALL_COUNT {
            let values: Vec<i16> = self.small.iter().flat_map(|phase| &phase[pattern]).copied().collect();
            file.put(NAMES[pattern], &values);
        }
        for (values, pattern) in self.large.iter().zip(SMALL_COUNT..) {
            file.put(NAMES[pattern], values);
        }
        let linear = |phases: &[Linear]| phases.iter().flat_map(|phase| phase.numbers().collect::<Vec<_>>()).collect();
        let numbers: [Vec<f64>; 3] = [
            linear(&self.logistic),
            linear(&self.fisher),
            self.quadratic.iter().flat_map(|phase| phase.numbers().collect::<Vec<_>>()).collect(),
        ];
        for (discriminant, numbers) in Discriminant::ALL.into_iter().zip(numbers) {
            file.put(discriminant.name(), &numbers);
        }
        file.put(DISCS, &self.discs_per_log_odds);
        for (discriminant, spreads) in Discriminant::ALL.into_iter().zip(&self.spreads) {
            let numbers: Vec<i16> = spreads.iter().flat_map(|spread| [spread.mean, spread.deviation]).collect();
            file.put(&spreads_name(discriminant), &numbers);
        }
        file.bytes()
    }

    /// Reads the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let file = TableFile::read(PROGRAM, bytes)?;
        let mut small = vec![Vec::new(); PHASE_COUNT];
        for pattern in 0..SMALL_COUNT {
            let count = PATTERNS[pattern].center() as usize;
            let values: Vec<i16> = file.take(NAMES[pattern], PHASE_COUNT * count)?;
            for (phase, values) in small.iter_mut().zip(values.chunks_exact(count)) {
                phase.push(values.to_vec());
            }
        }
        let large = (SMALL_COUNT..PATTERN_COUNT)
            .map(|pattern| file.take(NAMES[pattern], PATTERNS[pattern].center() as usize))
            .collect::<Result<_, _>>()?;
        let linear = |discriminant: Discriminant| -> Result<Vec<Linear>, TableError> {
            let numbers: Vec<f64> = file.take(discriminant.name(), PHASE_COUNT * Linear::COUNT)?;
            Ok(numbers.chunks_exact(Linear::COUNT).map(Linear::of_numbers).collect())
        };
        let quadratic: Vec<f64> = file.take(Discriminant::Quadratic.name(), PHASE_COUNT * Quadratic::COUNT)?;
        let discs: Vec<f64> = file.take(DISCS, 3)?;
        let mut spreads = [[Spread::default(); SPREAD_COUNT]; 3];
        for (discriminant, spreads) in Discriminant::ALL.into_iter().zip(&mut spreads) {
            let numbers: Vec<i16> = file.take(&spreads_name(discriminant), 2 * SPREAD_COUNT)?;
            for (spread, pair) in spreads.iter_mut().zip(numbers.chunks_exact(2)) {
                *spread = Spread { mean: pair[0], deviation: pair[1] };
            }
        }
        Ok(Self {
            small,
            large,
            distinguished: None,
            logistic: linear(Discriminant::Logistic)?,
            fisher: linear(Discriminant::Fisher)?,
            quadratic: quadratic.chunks_exact(Quadratic::COUNT).map(Quadratic::of_numbers).collect(),
            discs_per_log_odds: [discs[0], discs[1], discs[2]],
            spreads,
        })
    }
}

/// The name of the table of discs for a unit of log odds.
const DISCS: &str = "discs per log odds";

fn spreads_name(discriminant: Discriminant) -> String {
    format!("probcut {}", discriminant.name())
}

#[cfg(test)]
pub(super) mod tests {
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    /// Tables with a different number in every place.
    pub(crate) fn made_up() -> Tables {
        let mut samples = Samples::<Board>::new(77);
        let mut tables = Tables::blank();
        let mut value = |most: u32| samples.below(2 * most + 1) as i32 - most as i32;
        tables
            .small
            .iter_mut()
            .flatten()
            .chain(&mut tables.large)
            .flatten()
            .for_each(|entry| *entry = value(20_000) as i16);
        let mut number = || f64::from(value(1000)) / 1000.0;
        for linear in tables.logistic.iter_mut().chain(&mut tables.fisher) {
            linear.constant = number() / 4.0;
            linear.weights =
                std::array::from_fn(|feature| if feature < FIRST_PATTERN { number() / 20.0 } else { number() });
        }
        for quadratic in &mut tables.quadratic {
            quadratic.linear.constant = number() / 4.0;
            quadratic.linear.weights = std::array::from_fn(|_| number() / 10.0);
            quadratic.products.iter_mut().for_each(|weight| *weight = number() / 100.0);
        }
        tables.discs_per_log_odds = [4.0, 3.5, 3.0];
        for spread in tables.spreads.iter_mut().flatten() {
            *spread = Spread { mean: value(100) as i16, deviation: 300 + value(100) as i16 };
        }
        tables
    }

    #[test]
    fn tables_come_back_from_their_file_as_they_were() {
        let tables = made_up();
        assert!(Tables::from_bytes(&tables.bytes()).expect("a file of tables") == tables);
        let mut cut = tables.bytes();
        cut.truncate(1000);
        assert_eq!(Tables::from_bytes(&cut), Err(storage::FormatError::Checksum.into()));
    }

    #[test]
    fn the_tables_that_ship_are_whole_and_small() {
        let tables = Tables::from_bytes(FILE.bytes()).expect("the tables are whole");
        assert!(FILE.bytes().len() <= 4_000_000);
        assert!(
            tables.small.iter().flatten().chain(&tables.large).all(|values| values.iter().any(|&value| value != 0))
        );
        assert!(tables.spreads.iter().flatten().all(|spread| spread.deviation > 0));
    }

    #[test]
    fn phases_are_three_discs_each_from_the_start_to_the_full_board() {
        assert_eq!((phase(0), phase(4), phase(6), phase(7), phase(63), phase(64)), (0, 0, 0, 1, 19, 19));
    }

    #[test]
    fn pattern_features_are_sums_over_the_places_of_values_read_off_the_board() {
        use othello::Rules;
        use search::samples::{Origin, Samples};
        let tables = Tables::shipped();
        let mut samples = Samples::<Board>::new(31);
        for number in 0..400u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let found = tables.features(&board);
            // Three discs per phase, from the fourth disc on.
            let phase = (board.disc_count().saturating_sub(4) / 3).min(PHASE_COUNT as u32 - 1) as usize;
            for (pattern, shape) in PATTERNS.iter().enumerate() {
                // In the eight images of the board the pattern shows each of its places equally often: 4 of an edge, 2 of
                // the long diagonals, 8 of a corner.
                let places = [4, 4, 4, 4, 2, 4, 4, 4, 4, 8, 4, 8, 8][pattern];
                let images = (0..8).map(|index| {
                    let image = board.transformed(index);
                    let shown = shape.squares().fold(0, |shown, square| {
                        let disc = |set: u64| i32::from(set & square.bit() != 0);
                        3 * shown + disc(image.player) - disc(image.opponent)
                    });
                    f64::from(tables.value(phase, pattern, shown)) / (2.0 * HALF)
                });
                let expected = images.sum::<f64>() * f64::from(places) / 8.0;
                // A stored value and its mirror image may differ by rounding, by one of 65,534 units per place.
                let found = found[2 + pattern];
                assert!((found - expected).abs() < 1.3e-4, "{found} {expected}, {}: {board:?}", NAMES[pattern]);
            }
        }
    }

    #[test]
    fn the_other_side_sees_the_features_with_the_sign_turned() {
        let tables = made_up();
        let mut samples = Samples::<Board>::new(3);
        for number in 0..300u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let features = tables.features(&board);
            let turned = tables.features(&board.pass());
            assert!(features.iter().zip(turned).all(|(one, other)| (one + other).abs() < 1e-9));
        }
    }
}
