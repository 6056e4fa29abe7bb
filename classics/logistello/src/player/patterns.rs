//! LOGISTELLO's patterns (Buro 1997, Figure 2): the lines, the 2x4 corner, and the three large ones that extend them.
//!
//! A pattern is a list of squares. Each square is a digit, +1 for a disc of the first color, 0 for an empty square, -1
//! for a disc of the second, the first square being the highest digit: the *index* of a pattern's contents runs from
//! `-centre` to `centre`, and for the other color it is negated.

pub use evaluation::shape::Shape;
use evaluation::shape::{copies, parsed};

/// The number of patterns.
pub const PATTERN_COUNT: usize = 13;
/// The number of them that are lines of the board, also used for mobility.
pub const LINE_KINDS: usize = 9;
/// The number of them with a table for every phase of the game: the lines and the 2x4 corner.
pub const SMALL_COUNT: usize = 10;
/// The number of them with one table for all phases.
pub const LARGE_COUNT: usize = PATTERN_COUNT - SMALL_COUNT;
/// The number of lines of at least four squares.
pub const LINE_COUNT: usize = 34;
/// The total number of places of the small patterns: the lines and eight 2x4 corners.
pub const SLOT_COUNT: usize = 42;

/// The number of the edge.
pub const EDGE: usize = 0;
/// The number of the 2x4 corner.
pub const CORNER_2X4: usize = 9;
/// The number of the edge with its two X-squares.
pub const EDGE_2X: usize = 10;
/// The number of the 2x5 corner.
pub const CORNER_2X5: usize = 11;
/// The number of the 3x4 corner.
pub const CORNER_3X4: usize = 12;

/// The names of the patterns, and their squares. The large ones begin with the squares of their sub-pattern, the dots
/// of Figure 2.
const LIST: [(&str, &str); PATTERN_COUNT] = [
    ("edge", "a1b1c1d1e1f1g1h1"),
    ("second line", "a2b2c2d2e2f2g2h2"),
    ("third line", "a3b3c3d3e3f3g3h3"),
    ("fourth line", "a4b4c4d4e4f4g4h4"),
    ("diagonal of 8", "a1b2c3d4e5f6g7h8"),
    ("diagonal of 7", "b1c2d3e4f5g6h7"),
    ("diagonal of 6", "c1d2e3f4g5h6"),
    ("diagonal of 5", "d1e2f3g4h5"),
    ("diagonal of 4", "e1f2g3h4"),
    ("2x4 corner", "a1b1c1d1a2b2c2d2"),
    ("edge+2X", "a1b1c1d1e1f1g1h1b2g2"),
    ("2x5 corner", "a1b1c1d1a2b2c2d2e1e2"),
    ("3x4 corner", "a1b1c1d1a2b2c2d2a3b3c3d3"),
];

/// The largest index of a pattern of this many squares.
pub const fn centre(size: usize) -> i32 {
    (3i32.pow(size as u32) - 1) / 2
}

const PARSED: ([&str; PATTERN_COUNT], [Shape; PATTERN_COUNT]) = parsed(&LIST);

/// The names of the patterns.
pub static NAMES: [&str; PATTERN_COUNT] = PARSED.0;

/// The patterns, each in its first place; the first square is the highest digit of an index.
pub static PATTERNS: [Shape; PATTERN_COUNT] = PARSED.1;

/// The sub-pattern of a large pattern, whose estimates seed it.
pub const fn sub_pattern(large: usize) -> usize {
    if large == EDGE_2X { EDGE } else { CORNER_2X4 }
}

/// The places of all patterns, those of a pattern one after the other; see [`PLACES_OF`].
const PLACE_COUNT: usize = SLOT_COUNT + 4 + 8 + 8;

const LAID_OUT: ([Shape; PLACE_COUNT], [usize; PATTERN_COUNT]) = copies(&PARSED.1);

/// All places of all patterns. The first [`SLOT_COUNT`] are those of the small patterns, whose indices are kept along a
/// path; the first [`LINE_COUNT`] of these are the lines.
pub static PLACES: [Shape; PLACE_COUNT] = LAID_OUT.0;

/// Start of the places of each pattern; those of the next pattern follow.
pub const PLACES_OF: [usize; PATTERN_COUNT + 1] = {
    let mut firsts = [0; PATTERN_COUNT + 1];
    let mut pattern = 0;
    while pattern < PATTERN_COUNT {
        firsts[pattern + 1] = LAID_OUT.1[pattern];
        pattern += 1;
    }
    assert!(firsts[LINE_KINDS] == LINE_COUNT && firsts[SMALL_COUNT] == SLOT_COUNT);
    firsts
};

/// For every index of a pattern, lowest first, the one that means the same under a symmetry of the board that maps the
/// pattern onto itself; `None` if there is none but the trivial one.
pub fn mirror(pattern: usize) -> Option<Vec<i32>> {
    let shape = &PATTERNS[pattern];
    let image = (1..8)
        .map(|symmetry| shape.transformed(symmetry))
        .find(|image| image.set() == shape.set() && image != shape)?;
    let size = shape.size();
    // The place that each digit goes to.
    let targets: Vec<usize> = image
        .squares()
        .map(|square| shape.squares().position(|other| other == square).expect("the same squares"))
        .collect();
    let centre = shape.center();
    let mirrored = (-centre..=centre).map(|index| {
        let digits = digits(index, size);
        let mut moved = vec![0; size];
        for (place, &target) in targets.iter().enumerate() {
            moved[target] = digits[place];
        }
        moved.iter().fold(0, |index, digit| 3 * index + i32::from(*digit))
    });
    Some(mirrored.collect())
}

/// The digits of an index, the highest first.
pub fn digits(index: i32, size: usize) -> Vec<i8> {
    let mut digits = vec![0; size];
    let mut rest = index;
    for digit in digits.iter_mut().rev() {
        *digit = ((rest + 1).rem_euclid(3) - 1) as i8;
        rest = (rest - i32::from(*digit)) / 3;
    }
    digits
}

#[cfg(test)]
mod tests {
    use othello::symmetry::transform;

    use super::*;

    #[test]
    fn the_lines_are_all_horizontals_verticals_and_diagonals_of_four_squares_or_more() {
        let mut expected: Vec<u64> = Vec::new();
        for number in 0..8 {
            expected.push(0xff << (8 * number));
            expected.push(0x0101_0101_0101_0101 << number);
        }
        for sum in 3..=11i32 {
            let diagonal = |matches: &dyn Fn(i32, i32) -> bool| {
                (0..64).filter(|&square| matches(square % 8, square / 8)).fold(0u64, |set, square| set | 1 << square)
            };
            expected.push(diagonal(&|column, row| column + row == sum));
            expected.push(diagonal(&|column, row| column + 7 - row == sum));
        }
        let mut found: Vec<u64> = PLACES[..LINE_COUNT].iter().map(Shape::set).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_large_pattern_lies_where_its_sub_pattern_lies() {
        for large in SMALL_COUNT..PATTERN_COUNT {
            let sub = sub_pattern(large);
            let (of_large, of_sub) = (PLACES_OF[large]..PLACES_OF[large + 1], PLACES_OF[sub]..PLACES_OF[sub + 1]);
            assert_eq!(of_large.len(), of_sub.len());
            for (large, sub) in of_large.zip(of_sub) {
                assert!(PLACES[large].squares().zip(PLACES[sub].squares()).all(|(one, other)| one == other));
            }
        }
    }

    #[test]
    fn digits_and_indices_belong_together() {
        assert_eq!(digits(0, 8), [0; 8]);
        assert_eq!(digits(3280, 8), [1; 8]);
        assert_eq!(digits(-3280, 8), [-1; 8]);
        // The expression of the paper: 3 * (3 * 1 + 0) - 1 = 8.
        assert_eq!(digits(8, 3), [1, 0, -1]);
        for index in -3280..=3280 {
            assert_eq!(digits(index, 8).iter().fold(0, |index, &digit| 3 * index + i32::from(digit)), index);
        }
    }

    #[test]
    fn mirror_images_have_mirrored_indices() {
        for pattern in 0..PATTERN_COUNT {
            let symmetric = !(CORNER_2X4..=CORNER_3X4).contains(&pattern) || pattern == EDGE_2X;
            let mirrored = mirror(pattern);
            assert_eq!(mirrored.is_some(), symmetric, "{}", NAMES[pattern]);
            let Some(mirrored) = mirrored else { continue };
            let shape = PATTERNS[pattern];
            let symmetry = (1..8).find(|&symmetry| {
                let image = shape.transformed(symmetry);
                image.set() == shape.set() && image != shape
            });
            let (first, second) = (0x8040_1234_5678_9abc, 0x0721_c803_0801_4143);
            let symmetry = symmetry.expect("a mirror");
            let index = shape.balanced_index(first & !second, second & !first);
            let image =
                shape.balanced_index(transform(first & !second, symmetry), transform(second & !first, symmetry));
            assert_eq!(mirrored[(index + shape.center()) as usize], image, "{}", NAMES[pattern]);
        }
    }
}
