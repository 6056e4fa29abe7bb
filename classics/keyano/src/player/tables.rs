//! KEYANO's tables, learned from games: the curves of mobility, the values of patterns, the weights of the features and
//! the figures of ProbCut; and the file in which they ship.

use std::sync::LazyLock;

use storage::DataFile;

use super::mobility::{CURVE_LENGTH, Curves};
use super::parity::LOST_REGION_OF_THE_PAPER;
use super::patterns::Pattern;
use storage::table_file::{TableError, TableFile};

/// File of the tables.
pub static FILE: DataFile = DataFile::new(
    "keyano.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/keyano.tables")) } else { None },
    |bytes| Tables::read(bytes).is_ok(),
);

/// The name of the program in its file.
const PROGRAM: &str = "keyano";

/// The weighted features of the evaluation (section 3.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Mobility of the whole board and of the quarters, and parity, in hundredths of a point.
    Mobility,
    /// The lines and diagonals of seven and eight discs, in hundredths of a disc.
    Vectors,
    /// The 3x3 corners.
    Corners,
    /// The edges with ten squares.
    Edges,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 4] = [Feature::Mobility, Feature::Vectors, Feature::Corners, Feature::Edges];
    /// Number of them.
    pub const COUNT: usize = Self::ALL.len();

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Mobility => "mobility",
            Feature::Vectors => "7- and 8-disc vectors",
            Feature::Corners => "3x3 corners",
            Feature::Edges => "10-disc edges",
        }
    }
}

/// 1.0 in the fixed-point format of the weights.
pub const ONE: i32 = 1 << 16;

/// The weights of the features with this many discs on the board, in parts of [`ONE`].
pub type Weights = [i32; Feature::COUNT];

/// Prediction of the full search by one of half the depth: the deep value minus the shallow one, in hundredths of a disc.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forecast {
    /// The mean of the difference.
    pub mean: i32,
    /// Its standard deviation.
    pub deviation: i32,
}

/// The depths at which ProbCut is tried (section 2.2).
pub const CUT_DEPTHS: std::ops::RangeInclusive<u32> = 4..=10;

const CUT_DEPTH_COUNT: usize = 7;

/// All tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// The curves for directions in which discs flip.
    pub approximate: Curves,
    /// The curves for legal moves, which the paper compares with them (Table 4).
    pub exact: Curves,
    /// The penalty for a lost region, in hundredths of a point of mobility.
    pub lost_region: i32,
    /// The value of each configuration of each pattern for the side to move, in hundredths of a disc.
    pub values: [Vec<i16>; Pattern::ALL.len()],
    /// The weights by number of discs, from 0 to 64.
    pub weights: Vec<Weights>,
    /// The forecasts for the depths from 4 to 10, in their order.
    pub forecasts: [Forecast; CUT_DEPTH_COUNT],
}

static SHIPPED: LazyLock<Tables> =
    LazyLock::new(|| Tables::read(FILE.bytes()).expect("a test reads the tables that ship"));

impl Tables {
    /// The tables that ship with the program.
    pub fn shipped() -> &'static Tables {
        &SHIPPED
    }

    /// Tables of zeros, to be filled.
    pub fn blank() -> Self {
        let curves = Curves { whole: [0; CURVE_LENGTH], quarter: [0; CURVE_LENGTH] };
        Self {
            approximate: curves.clone(),
            exact: curves,
            lost_region: LOST_REGION_OF_THE_PAPER,
            values: Pattern::ALL.map(|pattern| vec![0; pattern.configurations()]),
            weights: vec![[0; Feature::COUNT]; 65],
            forecasts: [Forecast::default(); CUT_DEPTH_COUNT],
        }
    }

    /// The forecast for a depth at which ProbCut is tried.
    #[inline]
    pub fn forecast(&self, depth: u32) -> Option<Forecast> {
        self.forecasts.get(depth.wrapping_sub(*CUT_DEPTHS.start()) as usize).copied()
    }

    /// Reads the file.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let file = TableFile::read(PROGRAM, bytes)?;
        let curve = |name: &str| -> Result<[i16; CURVE_LENGTH], TableError> {
            let numbers = file.take::<i16>(name, CURVE_LENGTH)?;
            Ok(std::array::from_fn(|place| numbers[place]))
        };
        let curves = |name: &str| -> Result<Curves, TableError> {
            Ok(Curves { whole: curve(&format!("{name} whole"))?, quarter: curve(&format!("{name} quarter"))? })
        };
        let mut tables = Self { approximate: curves("approximate")?, exact: curves("exact")?, ..Self::blank() };
        for (pattern, values) in Pattern::ALL.into_iter().zip(&mut tables.values) {
            *values = file.take(pattern.name(), pattern.configurations())?;
        }
        tables.lost_region = file.take::<i32>("lost region", 1)?[0];
        let weights = file.take::<i32>("weights", tables.weights.len() * Feature::COUNT)?;
        for (weights, found) in tables.weights.iter_mut().zip(weights.chunks_exact(Feature::COUNT)) {
            weights.copy_from_slice(found);
        }
        let forecasts = file.take::<i32>("forecasts", 2 * CUT_DEPTH_COUNT)?;
        for (forecast, found) in tables.forecasts.iter_mut().zip(forecasts.chunks_exact(2)) {
            *forecast = Forecast { mean: found[0], deviation: found[1] };
        }
        Ok(tables)
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = TableFile::new(PROGRAM);
        for (name, curves) in [("approximate", &self.approximate), ("exact", &self.exact)] {
            file.put(&format!("{name} whole"), &curves.whole);
            file.put(&format!("{name} quarter"), &curves.quarter);
        }
        for (pattern, values) in Pattern::ALL.into_iter().zip(&self.values) {
            file.put(pattern.name(), values);
        }
        file.put("lost region", &[self.lost_region]);
        file.put("weights", self.weights.as_flattened());
        let forecasts: Vec<i32> =
            self.forecasts.iter().flat_map(|forecast| [forecast.mean, forecast.deviation]).collect();
        file.put("forecasts", &forecasts);
        file.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tables_are_whole_and_make_sense() {
        let tables = Tables::shipped();
        assert_eq!(&Tables::read(&tables.bytes()).unwrap(), tables);
        // Figure 1: the curve rises with decreasing slope.
        let curve = &tables.approximate.whole;
        assert!(curve[1] > curve[0] && curve[10] > curve[3] && curve[20] > curve[10], "{curve:?}");
        assert!(curve[5] - curve[0] > curve[25] - curve[20], "{curve:?}");
        // "Thus, the final phase of the computation is a check whether the generated weights are all positive."
        assert!(tables.weights.iter().flatten().all(|&weight| weight >= 0));
        // Figure 3: lines and diagonals lose weight during the game.
        assert!(tables.weights[50][1] < tables.weights[20][1]);
        for depth in CUT_DEPTHS {
            let forecast = tables.forecast(depth).unwrap();
            assert!((50..2000).contains(&forecast.deviation), "depth {depth}: {forecast:?}");
        }
        assert_eq!((tables.forecast(3), tables.forecast(11)), (None, None));
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let mut file = TableFile::new(PROGRAM);
        file.put("weights", &[0i32; 8]);
        let error = Tables::read(&file.bytes()).unwrap_err().to_string();
        assert!(error.contains("no table \"approximate whole\" of 36 numbers"), "{error}");
        assert!(Tables::read(b"nothing").is_err());
    }
}
