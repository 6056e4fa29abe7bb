//! Checkpoints of a training, of both versions, as found in a file and with corrected checksums.
#![no_main]

use learning::training::Checkpoint;
use storage::Format;
use storage::checksum::crc32;

const FORMAT: Format = Format { magic: b"EMITRAIN", oldest: 2, newest: 2 };

libfuzzer_sys::fuzz_target!(|input: (u32, u32, &[u8])| {
    let (length, phases, bytes) = input;
    let _ = Checkpoint::from_bytes(bytes);
    let _ = Checkpoint::from_bytes(&[b"EMILIACP", &crc32(bytes).to_le_bytes()[..], bytes].concat());
    let _ = Checkpoint::from_bytes(&FORMAT.seal([length % 256, phases % 64], bytes));
});
