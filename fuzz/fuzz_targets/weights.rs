//! Weight files, compressed and plain, and sets for move ordering.
#![no_main]

use evaluation::OrderingSet;
use evaluation::weights::Weights;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(weights) = Weights::from_bytes(bytes) {
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
    }
    let _ = OrderingSet::from_bytes(bytes);
});
