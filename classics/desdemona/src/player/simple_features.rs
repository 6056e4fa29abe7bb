//! Simple features: the configurations of discs on sets of squares, as indices into value tables (section 4).
//!
//! A configuration is a quaternary number with a digit of two bits for each square: 0 for a disc of the first side (the
//! paper's WHITE), 1 for one of the second (RED), 2 for an empty square. Digits change by exclusive or only: placing
//! and flipping a disc need no multiplication, and the same operation undoes them (section 4.2).

use std::ops::Range;

use othello::{Rules, Square, SquareSet, squares};

/// The number of simple features.
pub const SIMPLE_COUNT: usize = 12;

/// A simple feature by the squares of its first image; the other images are those under the board's symmetries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleFeature {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its squares, in the order of the digits, lowest first.
    pub squares: Vec<Square>,
    /// The straight parts of its squares whose runs of discs count in the edge heuristic.
    pub edges: Vec<Range<usize>>,
}

impl SimpleFeature {
    /// The number of configurations with three kinds of squares.
    pub fn configurations(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// The number of values with that many quaternary digits.
    pub fn span(&self) -> usize {
        1 << (2 * self.squares.len())
    }

    /// The quaternary number of a configuration that is given as a ternary one.
    pub fn quaternary(&self, mut ternary: usize) -> usize {
        (0..self.squares.len()).fold(0, |number, place| {
            let digit = ternary % 3;
            ternary /= 3;
            number | digit << (2 * place)
        })
    }

    /// The ternary number of a configuration that is given as a quaternary one.
    pub fn ternary(&self, quaternary: usize) -> usize {
        (0..self.squares.len()).rev().fold(0, |number, place| number * 3 + (quaternary >> (2 * place) & 3))
    }

    /// The same configuration with the sides exchanged.
    pub fn other_side(&self, quaternary: usize) -> usize {
        // Only empty squares have their high bit set: where it is clear, the low bit is inverted. All ones divided by
        // three is every other bit.
        let places = (self.span() - 1) & (usize::MAX / 3);
        quaternary ^ (places & !(quaternary >> 1))
    }

    /// Permutation of the squares by each symmetry of the board that maps the feature onto itself, including the
    /// identity.
    pub fn mirrorings<B: Rules>(&self) -> Vec<Vec<usize>> {
        let onto_itself = |index| {
            let moved = self.squares.iter().map(|&square| moved::<B>(square, index));
            moved.map(|square| self.squares.iter().position(|&other| other == square)).collect()
        };
        let mut found: Vec<Vec<usize>> = (0..8).filter_map(onto_itself).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The configuration with the digits carried to these places.
    pub fn mirrored(&self, quaternary: usize, places: &[usize]) -> usize {
        places.iter().enumerate().fold(0, |number, (from, to)| number | (quaternary >> (2 * from) & 3) << (2 * to))
    }
}

/// The square carried by a symmetry of the board.
fn moved<B: Rules>(square: Square, index: usize) -> Square {
    let alone = B::from_discs(B::Set::only(square), B::Set::EMPTY);
    alone.transformed(index).player().first().unwrap_or(square)
}

/// The number of indices: the 46 images, padded so that they can be updated eight at a time.
const LANES: usize = 48;

/// The numbers of the configurations on all images of all features, each offset by the numbers of the preceding
/// features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indices([u32; LANES]);

impl Indices {
    /// The number on each image, in the order of [`Patterns::images`].
    #[inline]
    pub(super) fn numbers(&self) -> &[u32; LANES] {
        &self.0
    }

    #[inline]
    fn change(&mut self, digits: &[u32; LANES], shift: u32) {
        for (number, digit) in self.0.iter_mut().zip(digits) {
            *number ^= digit << shift;
        }
    }
}

/// One image of a feature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// The number of the feature.
    pub feature: usize,
    /// The squares, in the order of the digits.
    pub squares: Vec<Square>,
}

/// The simple features of a board with all their images.
#[derive(Clone, Debug)]
pub struct Patterns {
    features: [SimpleFeature; SIMPLE_COUNT],
    images: Vec<Image>,
    /// Start of the numbers of each feature.
    bases: [u32; SIMPLE_COUNT],
    /// The total number of numbers.
    size: usize,
    /// The lowest bit of the digit of each square in every image that has the square.
    digits: Vec<[u32; LANES]>,
    /// The numbers of the board without discs.
    empty: Indices,
}

impl Patterns {
    /// All images of these features.
    ///
    /// # Panics
    /// If there are more images than fit, which no board of ours has.
    pub(super) fn new<B: Rules>(features: [SimpleFeature; SIMPLE_COUNT]) -> Self {
        let mut images: Vec<Image> = Vec::new();
        for (number, feature) in features.iter().enumerate() {
            let mut seen: Vec<B::Set> = Vec::new();
            for index in 0..8 {
                let squares: Vec<Square> = feature.squares.iter().map(|&square| moved::<B>(square, index)).collect();
                let set = squares.iter().fold(B::Set::EMPTY, |set, &square| set | B::Set::only(square));
                if !seen.contains(&set) {
                    seen.push(set);
                    images.push(Image { feature: number, squares });
                }
            }
        }
        assert!(images.len() <= LANES, "{} images of simple features, expected at most {LANES}", images.len());

        // The largest features first: each then begins at a multiple of its own span, so that its indices and its
        // offset share no bit.
        let mut by_span: Vec<usize> = (0..SIMPLE_COUNT).collect();
        by_span.sort_by_key(|&feature| std::cmp::Reverse(features[feature].span()));
        let mut bases = [0; SIMPLE_COUNT];
        let mut size = 0;
        for feature in by_span {
            bases[feature] = size as u32;
            size += features[feature].span();
        }

        let mut digits = vec![[0; LANES]; 8 * size_of::<B::Set>()];
        let mut empty = Indices([0; LANES]);
        for (lane, image) in images.iter().enumerate() {
            empty.0[lane] = bases[image.feature];
            for (place, square) in image.squares.iter().enumerate() {
                digits[square.index()][lane] = 1 << (2 * place);
                empty.0[lane] |= 2 << (2 * place);
            }
        }
        Self { features, images, bases, size, digits, empty }
    }

    /// The twelve features.
    pub fn features(&self) -> &[SimpleFeature; SIMPLE_COUNT] {
        &self.features
    }

    /// All images of all features, in the order of the features.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Start of the numbers of a feature.
    pub(super) fn base(&self, feature: usize) -> usize {
        self.bases[feature] as usize
    }

    /// The total number of numbers.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The feature and the configuration, as a quaternary number, on every image.
    pub fn configurations<'a>(&'a self, indices: &'a Indices) -> impl Iterator<Item = (usize, usize)> + 'a {
        let numbers = self.images.iter().zip(&indices.0);
        numbers.map(|(image, &number)| (image.feature, (number ^ self.bases[image.feature]) as usize))
    }

    /// The numbers of a board with these discs of the first and of the second side.
    pub fn indices<S: SquareSet>(&self, first: S, second: S) -> Indices {
        let mut indices = self.empty;
        squares(first).for_each(|square| self.place(&mut indices, square, true));
        squares(second).for_each(|square| self.place(&mut indices, square, false));
        indices
    }

    /// Places a disc on an empty square: the digit 2 becomes 0 for the first side and 1 for the second.
    #[inline]
    pub fn place(&self, indices: &mut Indices, square: Square, is_first: bool) {
        let digits = &self.digits[square.index()];
        indices.change(digits, 1);
        if !is_first {
            indices.change(digits, 0);
        }
    }

    /// Flips the discs of a set: 0 becomes 1 and 1 becomes 0.
    #[inline]
    pub fn flip<S: SquareSet>(&self, indices: &mut Indices, set: S) {
        squares(set).for_each(|square| indices.change(&self.digits[square.index()], 0));
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};

    use super::*;
    use crate::player::DesdemonaBoard;
    use othello::random::Random;

    /// The number of a configuration by multiplication, square by square.
    fn slow_number<B: Rules>(image: &Image, first: B::Set, second: B::Set) -> usize {
        image.squares.iter().rev().fold(0, |number, &square| {
            let digit = if first.has(square) {
                0
            } else if second.has(square) {
                1
            } else {
                2
            };
            number * 4 + digit
        })
    }

    #[test]
    fn numbers_by_bit_operations_are_those_by_multiplication() {
        fn check<B: DesdemonaBoard>() {
            let patterns = Patterns::new::<B>(B::simple_features());
            let mut random = Random::new(7);
            for _ in 0..40 {
                let (mut board, mut is_first) = (B::start(), true);
                let mut indices = patterns.indices(board.player(), board.opponent());
                while !board.is_over() {
                    if board.must_pass() {
                        board = board.pass();
                    } else {
                        let moves = board.moves();
                        let square = squares(moves).nth(random.below(moves.count() as usize)).unwrap();
                        let flips = board.flips(square);
                        let before = indices;
                        patterns.place(&mut indices, square, is_first);
                        patterns.flip(&mut indices, flips);
                        let mut back = indices;
                        patterns.flip(&mut back, flips);
                        patterns.place(&mut back, square, is_first);
                        assert_eq!(back, before, "a move taken back");
                        board = board.after(square, flips);
                    }
                    is_first = !is_first;
                    let (first, second) =
                        if is_first { (board.player(), board.opponent()) } else { (board.opponent(), board.player()) };
                    assert_eq!(indices, patterns.indices(first, second));
                    let found: Vec<_> = patterns.configurations(&indices).collect();
                    let slow: Vec<_> = patterns
                        .images()
                        .iter()
                        .map(|image| (image.feature, slow_number::<B>(image, first, second)))
                        .collect();
                    assert_eq!(found, slow, "{board:?}");
                }
            }
        }
        check::<CutBoard>();
        check::<Board>();
    }

    #[test]
    fn every_feature_has_four_images_but_the_main_diagonals() {
        fn counts<B: DesdemonaBoard>() -> Vec<usize> {
            let patterns = Patterns::new::<B>(B::simple_features());
            let count = |feature| patterns.images().iter().filter(|image| image.feature == feature).count();
            (0..SIMPLE_COUNT).map(count).collect()
        }
        let expected = [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4];
        assert_eq!(counts::<CutBoard>(), expected);
        assert_eq!(counts::<Board>(), expected);
    }

    #[test]
    fn a_drawn_diagonal_has_the_number_counted_by_hand() {
        // RRWR, the paper's example, on the diagonal from (0, 3) to (3, 0), that is from d1 to a4; White is first.
        let patterns = Patterns::new::<CutBoard>(CutBoard::simple_features());
        let square = |name: &str| CutBoard::GEOMETRY.parse_square(name).unwrap();
        let set = |names: &[&str]| names.iter().fold(0u128, |set, name| set | 1 << square(name).index());
        let indices = patterns.indices(set(&["b3"]), set(&["d1", "c2", "a4"]));
        let feature = &patterns.features()[2];
        assert_eq!((feature.name, feature.squares[0]), ("4-length diagonal #1", square("d1")));
        let (_, number) = patterns.configurations(&indices).find(|&(feature, _)| feature == 2).unwrap();
        // Digits 1, 1, 0, 1 from the lowest on.
        assert_eq!(number, 1 + 4 + 64);
        assert_eq!(feature.ternary(number), 1 + 3 + 27);
        assert_eq!(feature.quaternary(31), number);
        // With the sides exchanged it is WWRW, and reversed RWRR.
        assert_eq!(feature.other_side(number), 16);
        assert_eq!(feature.mirrorings::<CutBoard>(), [[0, 1, 2, 3], [3, 2, 1, 0]]);
        assert_eq!(feature.mirrored(number, &[3, 2, 1, 0]), 1 + 16 + 64);
    }

    #[test]
    fn empty_squares_stay_empty_for_the_other_side() {
        for feature in CutBoard::simple_features() {
            for ternary in 0..feature.configurations().min(3000) {
                let number = feature.quaternary(ternary);
                let other = feature.other_side(number);
                assert_eq!(feature.ternary(number), ternary);
                assert_eq!(feature.other_side(other), number);
                for place in 0..feature.squares.len() {
                    let digits = [number, other].map(|number| number >> (2 * place) & 3);
                    assert!(matches!(digits, [0, 1] | [1, 0] | [2, 2]), "{digits:?}");
                }
            }
        }
    }
}
