//! No input makes a parser panic: a short run in every test, `cargo xtask fuzz` runs longer.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::parsers;

/// Arbitrary bytes, or a valid input with some bytes replaced, truncated or with another part inserted.
fn input(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changed =
        (0..seeds.len(), vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), any::<prop::sample::Index>())
            .prop_map(move |(seed, changes, cut)| {
                let mut bytes = seeds[seed].clone();
                for (index, byte) in changes {
                    let index = index.index(bytes.len());
                    bytes[index] = byte;
                }
                let cut = cut.index(2 * bytes.len());
                bytes.truncate(cut);
                bytes
            });
    let text = "[a-hA-H1-8XO*. ;:()\\[\\]\\\\BWPA/+-]{0,80}".prop_map(String::into_bytes);
    prop_oneof![vec(any::<u8>(), 0..200), text, changed.boxed()]
}

#[test]
fn every_parser_survives_arbitrary_bytes() {
    for (name, parse) in parsers::PARSERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name.replace('-', "_"));
        let files = fs::read_dir(folder).expect("seeds of every parser").map(|file| file.expect("a file").path());
        let seeds: Vec<_> = files.map(|path| fs::read(path).expect("a seed")).collect();
        assert!(!seeds.is_empty(), "{name}");
        seeds.iter().for_each(|seed| parse(seed));
        proptest!(ProptestConfig::with_cases(2_000), |(bytes in input(seeds))| parse(&bytes));
        println!("{name} survives");
    }
}
