//! New inputs from old ones.

use othello::random::Random;

/// Pieces of the formats, whole and broken, and numbers at the limits of their types.
const WORDS: &[&[u8]] = &[
    b"(;",
    b";)",
    b"(",
    b")",
    b"[",
    b"]",
    b"\\",
    b"\\]",
    b"\\\n",
    b";",
    b":",
    b"/",
    b"//",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"%",
    b"#",
    b"GM[Othello]",
    b"GM[2]",
    b"FF[4]",
    b"SZ[8]",
    b"SZ[19]",
    b"BO[8 ",
    b"B[",
    b"W[",
    b"B[]",
    b"B[PA]",
    b"W[pass]",
    b"B[tt]",
    b"AB[a1:h8]",
    b"AW[aa]",
    b"AE[d4]",
    b"PL[W]",
    b"C[",
    b"V[-1e9]",
    b"ET[0.000000001]",
    b"RE[W+R]",
    b"RE[+64.000:r]",
    b"TI[99:99:99/1/1]",
    b"TM[18446744073709551615]",
    b"DT[1999-12-31]",
    b"DT[9223372036854775808]",
    b"RB[1e308]",
    b"\n(;GM[",
    b"(;B[f5])",
    b"--",
    b"pass",
    b"pa",
    b"PS",
    b"f5",
    b"D6",
    b"c3",
    b"a1",
    b"h8",
    b"i9",
    b"a10",
    b"j10",
    b"e1",
    b"1.",
    b"12)",
    b"999",
    b"X",
    b"O",
    b"*",
    b"-",
    b"--------",
    b"XXXXXXXX",
    b"OOOOOOOO",
    b" X;",
    b" O;",
    b"D3:+0;",
    b"G8:-64;",
    b"PS:+65;",
    b"+",
    b"0",
    b"-1",
    b"64",
    b"65",
    b"127",
    b"128",
    b"255",
    b"256",
    b"65535",
    b"65536",
    b"4294967296",
    b"18446744073709551616",
    b"1e400",
    b"NaN",
    b"inf",
    b"-0.0",
    b"\x00",
    b"\xff",
    b"\xc3\xa9",
    b"\xe9",
    b"\xef\xbb\xbf",
    b"\xf0\x9f\x98\x80",
    b"\xed\xa0\x80",
];

/// The longest input; longer ones find nothing more.
const LIMIT: usize = 1 << 14;

/// An input made from one of the seeds by a few changes, or occasionally from scratch.
pub(super) fn mutate(random: &mut Random, seeds: &[&[u8]]) -> Vec<u8> {
    let mut input = match random.below(16) {
        0 => arbitrary(random, 64),
        1 => words(random),
        _ => seeds[random.below(seeds.len())].to_vec(),
    };
    for _ in 0..random.below(8) {
        change(random, &mut input, seeds);
    }
    input.truncate(LIMIT);
    input
}

fn arbitrary(random: &mut Random, longest: usize) -> Vec<u8> {
    let length = random.below(longest + 1);
    (0..length).map(|_| random.bits() as u8).collect()
}

fn words(random: &mut Random) -> Vec<u8> {
    let count = random.below(24);
    (0..count).flat_map(|_| WORDS[random.below(WORDS.len())].iter().copied()).collect()
}

/// A part of the bytes, by its ends.
fn part(random: &mut Random, length: usize) -> std::ops::Range<usize> {
    let (one, other) = (random.below(length + 1), random.below(length + 1));
    one.min(other)..one.max(other)
}

fn change(random: &mut Random, input: &mut Vec<u8>, seeds: &[&[u8]]) {
    let length = input.len();
    let place = random.below(length + 1);
    match random.below(10) {
        // One bit.
        0 if place < length => input[place] ^= 1 << random.below(8),
        // One byte.
        1 if place < length => input[place] = random.bits() as u8,
        2 if place < length => {
            input.remove(place);
        }
        3 => input.truncate(place),
        4 => {
            input.drain(part(random, length));
        }
        // A part twice.
        5 => {
            let part = part(random, length);
            let copy = input[part].to_vec();
            input.splice(place..place, copy);
        }
        // A part of another seed.
        6 => {
            let seed = seeds[random.below(seeds.len())];
            let range = part(random, length);
            let piece = seed[part(random, seed.len())].to_vec();
            input.splice(range, piece);
        }
        7 => {
            let bytes = arbitrary(random, 8);
            input.splice(place..place, bytes);
        }
        // A word, inserted or replacing something.
        8 => {
            let word = WORDS[random.below(WORDS.len())];
            input.splice(place..place, word.iter().copied());
        }
        _ => {
            let word = WORDS[random.below(WORDS.len())];
            let end = (place + word.len()).min(length);
            input.splice(place..end, word.iter().copied());
        }
    }
}
