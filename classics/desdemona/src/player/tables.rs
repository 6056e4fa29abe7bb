//! DESDEMONA's learned tables: weights of the complex features by stage, values of the simple ones by configuration.

use othello::{Board, CutBoard};
use storage::DataFile;

use super::boards::DesdemonaBoard;
use super::complex_features::COMPLEX_COUNT;
use storage::table_file::{TableError, TableFile};

/// File of the tables for the 8x8 board.
pub static FILE_ON_8X8: DataFile = DataFile::new(
    "desdemona-8x8.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/desdemona-8x8.tables")) } else { None },
    |bytes| Tables::read::<Board>(bytes).is_ok(),
);

/// File of the tables for the board of 92 squares.
pub static FILE_ON_92: DataFile = DataFile::new(
    "desdemona-cs221.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/desdemona-cs221.tables")) } else { None },
    |bytes| Tables::read::<CutBoard>(bytes).is_ok(),
);

/// The fraction of a disc in which weights are stored.
pub const WEIGHT_PER_DISC: i32 = 10_000;

/// The fraction of a disc in which values of configurations are stored.
pub const VALUE_PER_DISC: i32 = 100;

/// The tables of one board, as `emilia learn program desdemona` makes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// The value of one unit of each complex feature at each stage, in ten-thousandths of a disc.
    pub weights: Vec<[i32; COMPLEX_COUNT]>,
    /// The value of each configuration of each simple feature for the first side, in hundredths of a disc, by the
    /// ternary number of the configuration.
    pub values: Vec<Vec<i16>>,
}

impl Tables {
    /// Tables of zeros.
    pub fn zero<B: DesdemonaBoard>() -> Self {
        Self {
            weights: vec![[0; COMPLEX_COUNT]; B::STAGES],
            values: B::simple_features().iter().map(|feature| vec![0; feature.configurations()]).collect(),
        }
    }

    /// Reads the tables of a board.
    pub fn read<B: DesdemonaBoard>(bytes: &[u8]) -> Result<Self, TableError> {
        let file = TableFile::read(&program::<B>(), bytes)?;
        let weights: Vec<i32> = file.take("weights", B::STAGES * COMPLEX_COUNT)?;
        let values = B::simple_features();
        let values = values.iter().map(|feature| file.take(feature.name, feature.configurations()));
        Ok(Self { weights: weights.as_chunks().0.to_vec(), values: values.collect::<Result<_, _>>()? })
    }

    /// The file that [`read`](Self::read) reads.
    pub fn bytes<B: DesdemonaBoard>(&self) -> Vec<u8> {
        let mut file = TableFile::new(&program::<B>());
        file.put("weights", self.weights.as_flattened());
        for (feature, values) in B::simple_features().iter().zip(&self.values) {
            file.put(feature.name, values);
        }
        file.bytes()
    }
}

/// The name in the file: tables of one board must not be taken for the other's.
fn program<B: DesdemonaBoard>() -> String {
    format!("desdemona on {}", B::GEOMETRY.name)
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};

    use super::*;

    #[test]
    fn tables_read_back_from_their_file_and_only_for_their_board() {
        let mut tables = Tables::zero::<Board>();
        tables.weights[3][5] = -1234;
        tables.values[2][26] = 77;
        let bytes = tables.bytes::<Board>();
        assert_eq!(Tables::read::<Board>(&bytes), Ok(tables));
        let error = Tables::read::<CutBoard>(&bytes).unwrap_err().to_string();
        assert!(error.contains("desdemona on 8x8") && error.contains("desdemona on cs221"), "{error}");
        for end in 0..bytes.len().min(200) {
            assert!(Tables::read::<Board>(&bytes[..end]).is_err(), "{end} bytes");
        }
    }
}
