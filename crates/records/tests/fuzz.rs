//! No input makes a parser panic: a short run in every test, `cargo xtask fuzz` runs longer.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::parsers;

/// Arbitrary bytes, or a valid input with some bytes replaced, truncated or with another part inserted.
fn input(seeds: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    let changed =
        (0..seeds.len(), vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), any::<prop::sample::Index>())
            .prop_map(|(seed, changes, cut)| {
                let mut bytes = seeds[seed].to_vec();
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
    for parser in parsers::PARSERS {
        for seed in parser.seeds {
            (parser.parse)(seed);
        }
        proptest!(ProptestConfig::with_cases(2_000), |(bytes in input(parser.seeds))| (parser.parse)(&bytes));
        println!("{} survives", parser.name);
    }
}
