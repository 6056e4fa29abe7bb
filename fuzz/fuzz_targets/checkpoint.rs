//! Checkpoints of a training, as found in a file and with corrected checksums.
#![no_main]

use learning::training::Checkpoint;
use storage::Format;

const FORMAT: Format = Format { magic: b"EMITRAIN", version: 1 };

libfuzzer_sys::fuzz_target!(|input: (u32, u32, &[u8])| {
    let (length, phases, bytes) = input;
    let _ = Checkpoint::from_bytes(bytes);
    let _ = Checkpoint::from_bytes(&FORMAT.seal([length % 256, phases % 64], bytes));
});
