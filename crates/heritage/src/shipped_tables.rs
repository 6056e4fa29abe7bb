//! The files of tables that ship: part of the library, or loaded by the host when a program first needs them.
//!
//! They are part of the library if its feature `shipped-tables` is enabled, which is the default. Otherwise the host
//! installs a loader: a page does not download the tables of a program that nobody plays against.

use std::fmt;

/// The tables of a program, as a file that ships.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShippedTables {
    /// Those of IAGO.
    Iago,
    /// Those of BILL.
    Bill,
    /// Those of LOGISTELLO.
    Logistello,
    /// Those of KEYANO.
    Keyano,
    /// Those of DESDEMONA for the 8x8 board.
    Desdemona,
    /// Those of DESDEMONA for the board of 92 squares.
    DesdemonaOn92,
}

impl ShippedTables {
    /// All files.
    pub const ALL: [Self; 6] =
        [Self::Iago, Self::Bill, Self::Logistello, Self::Keyano, Self::Desdemona, Self::DesdemonaOn92];

    /// The name of the file, in `data/heritage` and for the loader.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Iago => "iago.tables",
            Self::Bill => "bill.tables",
            Self::Logistello => "logistello.tables",
            Self::Keyano => "keyano.tables",
            Self::Desdemona => "desdemona-8x8.tables",
            Self::DesdemonaOn92 => "desdemona-cs221.tables",
        }
    }

    /// Makes sure that the tables can be used: a loader loads them, if it has not done so before.
    pub fn require(self) -> Result<(), MissingTables> {
        self.find().map(|_| ())
    }

    /// The bytes of the file, which are checked when they are read.
    ///
    /// # Panics
    /// If there is no such file. Only loaded tables can be missing, and [`require`](Self::require) comes before them.
    pub(crate) fn bytes(self) -> &'static [u8] {
        self.find().unwrap_or_else(|error| panic!("{error}"))
    }

    #[cfg(feature = "shipped-tables")]
    fn find(self) -> Result<&'static [u8], MissingTables> {
        Ok(match self {
            Self::Iago => include_bytes!("../../../data/heritage/iago.tables"),
            Self::Bill => include_bytes!("../../../data/heritage/bill.tables"),
            Self::Logistello => include_bytes!("../../../data/heritage/logistello.tables"),
            Self::Keyano => include_bytes!("../../../data/heritage/keyano.tables"),
            Self::Desdemona => include_bytes!("../../../data/heritage/desdemona-8x8.tables"),
            Self::DesdemonaOn92 => include_bytes!("../../../data/heritage/desdemona-cs221.tables"),
        })
    }

    #[cfg(not(feature = "shipped-tables"))]
    fn find(self) -> Result<&'static [u8], MissingTables> {
        LOADED.get(self)
    }
}

/// The tables of a program could not be loaded, or what was loaded are not its tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissingTables(ShippedTables);

impl fmt::Display for MissingTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program's tables could not be loaded ({})", self.0.file_name())
    }
}

impl std::error::Error for MissingTables {}

/// Returns the content of a file of tables, if it can be loaded.
#[cfg(any(test, not(feature = "shipped-tables")))]
pub type Loader = fn(file_name: &str) -> Option<Vec<u8>>;

#[cfg(not(feature = "shipped-tables"))]
static LOADED: loading::Loaded = loading::Loaded::new();

/// Installs what loads a file of tables by its name. Only the first call has an effect.
#[cfg(not(feature = "shipped-tables"))]
pub fn install_loader(loader: Loader) {
    LOADED.install(loader);
}

/// Tables that are loaded at run time.
#[cfg(any(test, not(feature = "shipped-tables")))]
mod loading {
    use std::sync::OnceLock;

    use othello::{Board, CutBoard};

    use super::{Loader, MissingTables, ShippedTables};
    use crate::{bill, desdemona, iago, keyano, logistello};

    /// The loader, and the files that it has loaded.
    pub(super) struct Loaded {
        loader: OnceLock<Loader>,
        files: [OnceLock<Vec<u8>>; ShippedTables::ALL.len()],
    }

    impl Loaded {
        pub(super) const fn new() -> Self {
            Self { loader: OnceLock::new(), files: [const { OnceLock::new() }; ShippedTables::ALL.len()] }
        }

        pub(super) fn install(&self, loader: Loader) {
            let _ = self.loader.set(loader);
        }

        /// A file that cannot be loaded is asked for again the next time.
        pub(super) fn get(&self, tables: ShippedTables) -> Result<&[u8], MissingTables> {
            let file = &self.files[tables as usize];
            if let Some(bytes) = file.get() {
                return Ok(bytes);
            }
            let bytes = self.loader.get().and_then(|loader| loader(tables.file_name()));
            let whole = bytes.filter(|bytes| tables.can_be_read(bytes));
            whole.map(|bytes| file.get_or_init(|| bytes).as_slice()).ok_or(MissingTables(tables))
        }
    }

    impl ShippedTables {
        /// Whether these bytes are such tables.
        fn can_be_read(self, bytes: &[u8]) -> bool {
            match self {
                Self::Iago => iago::tables::Tables::read(bytes).is_ok(),
                Self::Bill => bill::tables::BillTables::read(bytes).is_ok(),
                Self::Logistello => logistello::Tables::from_bytes(bytes).is_ok(),
                Self::Keyano => keyano::Tables::read(bytes).is_ok(),
                Self::Desdemona => desdemona::Tables::read::<Board>(bytes).is_ok(),
                Self::DesdemonaOn92 => desdemona::Tables::read::<CutBoard>(bytes).is_ok(),
            }
        }
    }
}

#[cfg(all(test, feature = "shipped-tables"))]
mod tests {
    use super::loading::Loaded;
    use super::*;

    #[test]
    fn loaded_tables_are_those_that_ship() {
        let loaded = Loaded::new();
        for tables in ShippedTables::ALL {
            assert_eq!(loaded.get(tables), Err(MissingTables(tables)), "without a loader");
        }
        loaded.install(|name| {
            std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/heritage/").to_owned() + name).ok()
        });
        for tables in ShippedTables::ALL {
            assert_eq!(loaded.get(tables), Ok(tables.bytes()), "{tables:?}");
        }
    }

    #[test]
    fn what_a_loader_finds_instead_of_tables_is_refused() {
        let loaded = Loaded::new();
        loaded.install(|name| match name {
            "iago.tables" => Some(ShippedTables::Bill.bytes().to_vec()),
            "bill.tables" => Some(ShippedTables::Bill.bytes()[1..].to_vec()),
            "keyano.tables" => Some(b"<html>404</html>".to_vec()),
            _ => None,
        });
        for tables in ShippedTables::ALL {
            let error = loaded.get(tables).expect_err("no tables");
            assert!(error.to_string().contains(tables.file_name()), "{error}");
        }
    }
}
