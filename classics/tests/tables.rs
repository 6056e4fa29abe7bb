//! The tables that ship.

use std::fs;
use std::path::Path;

use storage::DataFile;

const FILES: [&DataFile; 6] = [
    &iago::tables::FILE,
    &bill::tables::FILE,
    &logistello::tables::FILE,
    &keyano::tables::FILE,
    &desdemona::FILE_ON_8X8,
    &desdemona::FILE_ON_92,
];

#[test]
fn a_loaded_file_is_accepted_only_if_it_is_the_one_that_ships() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/heritage");
    for file in FILES {
        let bytes = fs::read(folder.join(file.name())).expect("a file");
        assert!(file.accepts(&bytes) && bytes == file.bytes(), "{file:?}");
        assert!(!file.accepts(&bytes[1..]) && !file.accepts(b"<html>404</html>"), "{file:?}");
        let others = FILES.iter().filter(|other| other.name() != file.name());
        assert!(others.into_iter().all(|other| !other.accepts(&bytes)), "{file:?}");
    }
}
