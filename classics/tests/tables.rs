//! The tables that ship.

use std::fs;
use std::path::Path;

#[test]
fn a_loaded_file_is_accepted_only_if_it_is_the_one_that_ships() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = || {
        let programs = classics::registry().programs().iter();
        programs.flat_map(|program| program.data_files.iter().map(|file| (program.name, *file)))
    };
    assert_eq!(files().count(), 6);
    for (program, file) in files() {
        // The page is packed with the files of these folders.
        let bytes = fs::read(root.join(program).join("data").join(file.name())).expect("a file");
        assert!(file.name().ends_with(".tables"), "{file:?}");
        assert!(file.accepts(&bytes) && bytes == file.bytes(), "{file:?}");
        assert!(!file.accepts(&bytes[1..]) && !file.accepts(b"<html>404</html>"), "{file:?}");
        let others = files().filter(|(_, other)| other.name() != file.name());
        assert!(others.into_iter().all(|(_, other)| !other.accepts(&bytes)), "{file:?}");
    }
}
