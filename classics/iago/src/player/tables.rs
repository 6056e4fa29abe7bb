//! The tables that ship: move probabilities of edges, and the edge table that is computed with them.

use std::sync::OnceLock;

use storage::DataFile;

use super::edge::EDGE_COUNT;
use super::edge_probabilities::{EdgeProbabilities, PROBABILITY_COUNT};
use super::edge_table::{EdgeReading, EdgeTable};
use storage::table_file::{TableError, TableFile};

/// File of the tables.
pub static FILE: DataFile = DataFile::new(
    "iago.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/iago.tables")) } else { None },
    |bytes| Tables::read(bytes).is_ok(),
);

/// Whose tables they are.
const PROGRAM: &str = "iago";
const PROBABILITIES: &str = "edge move probabilities";
const EDGES: &str = "edge values";

/// IAGO's tables.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    /// Probabilities of moves to edges.
    pub probabilities: EdgeProbabilities,
    /// Values of edges.
    pub edges: EdgeTable,
}

impl Tables {
    /// The tables that follow from these probabilities.
    pub fn computed(probabilities: EdgeProbabilities, reading: EdgeReading) -> Self {
        let edges = EdgeTable::computed(&probabilities, reading);
        Self { probabilities, edges }
    }

    /// The tables that ship with the program, made by `emilia learn program iago`.
    pub fn shipped() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(|| {
            let tables = Self::read(FILE.bytes());
            tables.expect("the tables that ship are whole: a test reads them")
        })
    }

    /// Reads the file of the tables.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let file = TableFile::read(PROGRAM, bytes)?;
        let probabilities = EdgeProbabilities::from_values(&file.take::<f64>(PROBABILITIES, PROBABILITY_COUNT)?);
        let values = file.take::<i16>(EDGES, EDGE_COUNT)?.into_iter().map(i32::from).collect();
        match (probabilities, EdgeTable::from_values(values)) {
            (Some(probabilities), Some(edges)) => Ok(Self { probabilities, edges }),
            // Numbers outside of the valid range.
            _ => Err(TableError::Damaged),
        }
    }

    /// The file of the tables.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = TableFile::new(PROGRAM);
        file.put(PROBABILITIES, self.probabilities.values());
        // An edge is worth at most 7800.
        let values: Vec<i16> = self.edges.values().iter().map(|&value| value as i16).collect();
        file.put(EDGES, &values);
        file.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_edge_table_is_what_its_probabilities_make_in_five_iterations() {
        let shipped = Tables::shipped();
        assert_eq!(*shipped, Tables::computed(shipped.probabilities.clone(), EdgeReading::default()));
        assert_eq!(Tables::read(&shipped.bytes()).unwrap(), *shipped);
    }

    #[test]
    fn tables_of_impossible_numbers_are_refused() {
        let mut file = TableFile::new(PROGRAM);
        file.put(PROBABILITIES, &[1.5f64; PROBABILITY_COUNT]);
        file.put(EDGES, &[0i16; EDGE_COUNT]);
        assert_eq!(Tables::read(&file.bytes()), Err(TableError::Damaged));
        file.put(PROBABILITIES, &[0.5f64; PROBABILITY_COUNT]);
        assert!(Tables::read(&file.bytes()).is_ok());
        file.put(EDGES, &[20_000i16; EDGE_COUNT]);
        assert_eq!(Tables::read(&file.bytes()), Err(TableError::Damaged));
        file.put(EDGES, &[0i16; EDGE_COUNT - 1]);
        assert!(Tables::read(&file.bytes()).unwrap_err().to_string().contains("6561"));
    }
}
