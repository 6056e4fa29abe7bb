//! Compressed weight files: Zstandard, a quarter to a seventh of the size.

use std::borrow::Cow;
use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use crate::weights::WeightError;

/// The first bytes of a Zstandard frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// More than the size of any weight file: a damaged or malicious one must not fill the memory.
const MAX_BYTES: u64 = 128 << 20;

pub(crate) fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The bytes of a weight file, decompressed if they are compressed.
pub(crate) fn decompressed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, WeightError> {
    if !is_compressed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut decoder = StreamingDecoder::new(bytes).map_err(|_| WeightError::Compression)?;
    let mut plain = Vec::with_capacity(4 * bytes.len());
    let length = (&mut decoder).take(MAX_BYTES + 1).read_to_end(&mut plain).map_err(|_| WeightError::Compression)?;
    let is_whole = length as u64 <= MAX_BYTES && decoder.into_inner().is_empty();
    if is_whole { Ok(Cow::Owned(plain)) } else { Err(WeightError::Compression) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    /// `printf 'Othello Othello Othello Othello' | zstd -19 --no-check`
    const OTHELLO: &[u8] = &[
        0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68, 0x75, 0x00, 0x00, 0x40, 0x4f, 0x74, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20,
        0x01, 0x00, 0xeb, 0xcb, 0x05,
    ];

    #[test]
    fn zstd_files_are_decompressed_and_other_files_are_unchanged() {
        assert_eq!(decompressed(OTHELLO).as_deref(), Ok(&b"Othello Othello Othello Othello"[..]));
        for plain in [&b""[..], b"\x28", b"EMILIAWT", b"Othello"] {
            assert!(matches!(decompressed(plain), Ok(Cow::Borrowed(bytes)) if bytes == plain));
        }
    }

    #[test]
    fn a_truncated_or_extended_compressed_file_is_refused() {
        for length in MAGIC.len()..OTHELLO.len() {
            assert_eq!(decompressed(&OTHELLO[..length]), Err(WeightError::Compression), "{length} bytes");
        }
        assert_eq!(decompressed(&[OTHELLO, b"\0"].concat()), Err(WeightError::Compression));
        let foreign = Weights::from_bytes(OTHELLO);
        assert!(matches!(foreign, Err(WeightError::Format(storage::FormatError::Foreign { .. }))), "{foreign:?}");
    }

    #[test]
    fn a_frame_that_grows_without_end_is_refused() {
        // Blocks of one byte repeated 128 KiB times: each takes four bytes of the file.
        let mut frame = [&MAGIC[..], &[0x00, 0x58]].concat();
        let block = |is_last: bool| (1 << 17) << 3 | 1 << 1 | u32::from(is_last);
        let most = MAX_BYTES >> 17;
        for number in 0..=most {
            frame.extend(&block(number == most).to_le_bytes()[..3]);
            frame.push(7);
        }
        assert_eq!(decompressed(&frame).map(|plain| plain.len()), Err(WeightError::Compression));
        // Below the size limit, it is merely not a weight file.
        let short = [&frame[..6], &block(true).to_le_bytes()[..3], &[7]].concat();
        assert_eq!(decompressed(&short).map(|plain| plain.len()), Ok(1 << 17));
    }

    #[test]
    fn no_changed_bit_of_a_compressed_file_makes_it_panic() {
        for at in 0..OTHELLO.len() {
            for bit in 0..8 {
                let mut changed = OTHELLO.to_vec();
                changed[at] ^= 1 << bit;
                assert!(Weights::from_bytes(&changed).is_err());
            }
        }
    }
}
