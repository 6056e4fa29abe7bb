//! Files of computed tables of the classic programs.
#![no_main]

use logistello::Tables;
use storage::table_file::TableFile;
use storage::checksum::of_words;

const CHECKSUM: usize = 8;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = TableFile::read("fuzz", bytes);
    let _ = Tables::from_bytes(bytes);
    // The same bytes as the tables of an otherwise valid file.
    let mut file = TableFile::new("fuzz").bytes();
    file.truncate(file.len() - CHECKSUM);
    file.extend(bytes);
    file.extend(of_words(&file).to_le_bytes());
    if let Ok(tables) = TableFile::read("fuzz", &file) {
        assert_eq!(TableFile::read("fuzz", &tables.bytes()), Ok(tables));
    }
});
