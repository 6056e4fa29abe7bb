//! BILL's shipped tables, learned from games: the edge table and the statistics of won and lost positions.

use std::sync::{Arc, LazyLock};

use storage::DataFile;

use super::edge_table::{EDGE_ENTRIES, EdgeTable};
use super::evaluation::{Class, Discriminant, Evaluation, STAGE_COUNT};
use super::features::FEATURE_COUNT;
use storage::table_file::{TableError, TableFile};

/// File of the tables.
pub static FILE: DataFile = DataFile::new(
    "bill.tables",
    if cfg!(feature = "shipped-data") { Some(include_bytes!("../../data/bill.tables")) } else { None },
    |bytes| BillTables::read(bytes).is_ok(),
);

/// The name of the program in its file of tables.
pub const PROGRAM: &str = "bill";

/// The statistics of positions with one number of discs.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Positions that the side to move won.
    pub win: Class,
    /// Positions that it lost.
    pub loss: Class,
}

/// Everything that is learned from games.
#[derive(Clone, PartialEq, Debug)]
pub struct BillTables {
    /// The values of all edges for the side to move.
    pub edges: Vec<i16>,
    /// The number of discs of the first stage.
    pub first_stage: usize,
    /// The stages from there on, one for each further disc.
    pub stages: Vec<Stage>,
}

/// The numbers of a class in the file: means, then covariances.
const CLASS_NUMBERS: usize = FEATURE_COUNT * (1 + FEATURE_COUNT);

impl BillTables {
    /// The tables that ship with the program.
    pub fn shipped() -> &'static BillTables {
        static SHIPPED: LazyLock<BillTables> = LazyLock::new(|| {
            // A test reads it, so that it cannot be damaged.
            BillTables::read(FILE.bytes()).expect("the tables of BILL that this program was built with are whole")
        });
        &SHIPPED
    }

    /// The edge table of the shipped tables, ready to be looked up.
    pub(crate) fn shipped_edges() -> Arc<EdgeTable> {
        static EDGES: LazyLock<Arc<EdgeTable>> =
            LazyLock::new(|| Arc::new(EdgeTable::new(&BillTables::shipped().edges)));
        Arc::clone(&EDGES)
    }

    /// Reads a file of tables.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let file = TableFile::read(PROGRAM, bytes)?;
        let edges = file.take("edges", EDGE_ENTRIES)?;
        let range = file.take::<u8>("stages", 2)?;
        let (first_stage, count) = (usize::from(range[0]), usize::from(range[1]));
        if count == 0 || first_stage + count > STAGE_COUNT {
            return Err(TableError::Table { program: PROGRAM.to_owned(), name: "stages".to_owned(), count: 2 });
        }
        let class_of = |name: &str| -> Result<Vec<Class>, TableError> {
            let numbers = file.take::<f64>(name, count * CLASS_NUMBERS)?;
            Ok(numbers.chunks_exact(CLASS_NUMBERS).map(class).collect())
        };
        let (wins, losses) = (class_of("win")?, class_of("loss")?);
        let stages = wins.into_iter().zip(losses).map(|(win, loss)| Stage { win, loss }).collect();
        Ok(Self { edges, first_stage, stages })
    }

    /// The file of these tables.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = TableFile::new(PROGRAM);
        file.put("edges", &self.edges);
        file.put("stages", &[self.first_stage as u8, self.stages.len() as u8]);
        let numbers = |class: fn(&Stage) -> &Class| -> Vec<f64> {
            self.stages.iter().flat_map(|stage| numbers(class(stage))).collect()
        };
        file.put("win", &numbers(|stage| &stage.win));
        file.put("loss", &numbers(|stage| &stage.loss));
        file.bytes()
    }

    /// BILL 3.0's evaluation: the discriminant for every number of discs. Before the first stage and after the last,
    /// the nearest one is used; likewise for a stage whose features do not vary.
    pub fn evaluation(&self) -> Option<Evaluation> {
        let found: Vec<Option<Discriminant>> =
            self.stages.iter().map(|stage| Discriminant::between(&stage.win, &stage.loss)).collect();
        let mut last = found.iter().flatten().next().copied()?;
        let mut all = [last; STAGE_COUNT];
        for (discs, of_stage) in all.iter_mut().enumerate() {
            let stage = discs.checked_sub(self.first_stage).and_then(|index| found.get(index)?.as_ref());
            last = stage.copied().unwrap_or(last);
            *of_stage = last;
        }
        Some(Evaluation::Quadratic(Box::new(all)))
    }
}

fn class(numbers: &[f64]) -> Class {
    Class {
        mean: std::array::from_fn(|feature| numbers[feature]),
        covariance: std::array::from_fn(|row| {
            std::array::from_fn(|column| numbers[FEATURE_COUNT * (1 + row) + column])
        }),
    }
}

fn numbers(class: &Class) -> Vec<f64> {
    class.mean.iter().chain(class.covariance.as_flattened()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> BillTables {
        let stage = |shift: f64| {
            let class = |mean: f64| Class {
                mean: [mean + shift; FEATURE_COUNT],
                covariance: std::array::from_fn(|row| {
                    std::array::from_fn(|column| if row == column { 2.0 + shift } else { 0.5 })
                }),
            };
            Stage { win: class(1.0), loss: class(-1.0) }
        };
        BillTables { edges: vec![-3; EDGE_ENTRIES], first_stage: 22, stages: vec![stage(0.0), stage(1.0), stage(2.0)] }
    }

    #[test]
    fn tables_come_back_as_they_were() {
        let tables = sample();
        assert_eq!(BillTables::read(&tables.bytes()).unwrap(), tables);
        assert!(BillTables::read(&tables.bytes()[1..]).is_err());
        let mut other = TableFile::new(PROGRAM);
        other.put("edges", &tables.edges);
        assert!(BillTables::read(&other.bytes()).unwrap_err().to_string().contains("\"stages\""));
    }

    #[test]
    fn every_number_of_discs_has_the_discriminant_of_its_stage_or_of_the_nearest() {
        let tables = sample();
        let Some(Evaluation::Quadratic(all)) = tables.evaluation() else { panic!("there are stages") };
        let of = |index: usize| Discriminant::between(&tables.stages[index].win, &tables.stages[index].loss).unwrap();
        for discs in 0..STAGE_COUNT {
            assert_eq!(all[discs], of(discs.clamp(22, 24) - 22), "{discs}");
        }
    }

    #[test]
    fn the_shipped_tables_are_whole_and_know_the_stages_that_were_played() {
        let tables = BillTables::shipped();
        assert!(tables.evaluation().is_some());
        // 20 random plies leave 24 discs, and the outcome is searched for at 15 empty squares, with 49 discs.
        assert_eq!((tables.first_stage, tables.stages.len()), (24, 26));
        assert!(tables.edges.iter().all(|value| value.abs() <= 1000));
    }
}
