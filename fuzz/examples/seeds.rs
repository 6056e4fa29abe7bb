//! Writes inputs that the record parsers accept into `corpus/`, as a starting point for the fuzzer.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, seeds) in emilia_fuzz::seeds() {
        let folder = corpus.join(name.replace('-', "_"));
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
