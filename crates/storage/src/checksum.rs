//! The checksums of files: CRC-32 for files that grow block by block, a sum of words for files that are read as a
//! whole, FNV-1a for lists of texts.

/// CRC-32 (ISO-HDLC, as in zip): detects every flipped bit and every burst error of up to 32 bits.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The checksum of weights and tables, part of their formats: it depends on every bit and on the order of the words.
pub fn of_words(bytes: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^= sum >> 32;
    }
    sum
}

/// 64-bit FNV-1a over a sequence of texts.
pub fn fnv1a<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> u64 {
    texts.into_iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, text| {
        text.as_ref().iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_is_the_published_one() {
        // The vectors of draft-eastlake-fnv.
        assert_eq!(fnv1a([""]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(["a"]), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(["foo", "bar"]), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_checksum_of_the_nine_digits_is_the_published_one() {
        // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn the_sum_of_words_is_that_of_the_files_that_ship() {
        // The header of data/ordering.bin: magic, version, number of weights, checksum.
        let file = include_bytes!("../../../data/ordering.bin");
        assert_eq!(of_words(&file[24..]).to_le_bytes(), file[16..24]);
    }
}
