//! One position, computed by the fast code and by the reference: where the two disagree.

use std::fmt::Debug;

use othello::kernels::{self, Kernel};
use othello::mobility::{PotentialMobility, frontier, mobility, potential_moves};
use othello::reference::{Place, ReferenceBoard};
use othello::regions::{QUADRANTS, QuadrantParity, regions};
use othello::{Rules, Square, SquareSet, squares};

/// The disagreements on one position, one sentence each.
pub(crate) type Differences = Vec<String>;

/// The board as the reference sees it: `X` to move.
pub(crate) fn to_reference<B: Rules>(board: &B) -> ReferenceBoard {
    let mut reference = ReferenceBoard::start(B::GEOMETRY.name).expect("the reference knows every board");
    for place in reference.places() {
        let square = square::<B>(place);
        let character = match (board.player().has(square), board.opponent().has(square)) {
            (false, false) => b'-',
            (true, _) => b'X',
            (_, true) => b'O',
        };
        reference.put(place, character);
    }
    reference
}

/// The square at a place of the reference's board.
pub(crate) fn square<B: Rules>((column, row): Place) -> Square {
    B::GEOMETRY.square_at(column as u8, row as u8).expect("the reference has only squares of the board")
}

fn set<B: Rules>(places: &[Place]) -> B::Set {
    places.iter().fold(B::Set::EMPTY, |set, &place| set | B::Set::only(square::<B>(place)))
}

fn from_reference<B: Rules>(reference: &ReferenceBoard) -> B {
    let mut player = B::Set::EMPTY;
    let mut opponent = B::Set::EMPTY;
    for place in reference.places() {
        match reference.at(place) {
            b'-' => {}
            character if character == reference.turn() => player |= B::Set::only(square::<B>(place)),
            _ => opponent |= B::Set::only(square::<B>(place)),
        }
    }
    B::from_discs(player, opponent)
}

/// Collects the differences, with descriptions.
struct Comparison<'a, B> {
    board: &'a B,
    differences: Differences,
}

impl<B: Rules> Comparison<'_, B> {
    fn check<T: PartialEq + Debug>(&mut self, fast: T, reference: T, what: impl FnOnce() -> String) {
        if fast != reference {
            let name = B::GEOMETRY.name;
            self.differences.push(format!(
                "{name} {:?}: {} is {fast:x?}, the reference says {reference:x?}",
                self.board,
                what()
            ));
        }
    }
}

/// The reference's results for a position, computed once.
struct Expected<S> {
    board: ReferenceBoard,
    moves: S,
    /// Every empty square with the discs that a move there would flip.
    flips: Vec<(Place, Square, S)>,
}

impl<S: SquareSet> Expected<S> {
    fn of<B: Rules<Set = S>>(board: &B) -> Self {
        let board = to_reference(board);
        let empties = board.places().filter(|&place| board.at(place) == b'-');
        let flips = empties.map(|place| (place, square::<B>(place), set::<B>(&board.flips(place)))).collect();
        Self { moves: set::<B>(&board.moves()), flips, board }
    }
}

/// Compares everything that every board has.
pub(crate) fn compare<B: Rules>(board: &B) -> Differences {
    compare_with(board, &Expected::of(board)).differences
}

/// Compares everything that boards on the 8x8 grid have: also the kernels and the parity of quadrants.
pub(crate) fn compare_with_kernels<B: Rules<Set = u64>>(board: &B) -> Differences {
    let expected = Expected::of(board);
    let mut comparison = compare_with(board, &expected);
    compare_quadrants(&mut comparison, &expected.board);
    for kernel in kernels::BUILT {
        compare_kernel(&mut comparison, &expected, kernel);
    }
    comparison.differences
}

fn compare_with<'a, B: Rules>(board: &'a B, expected: &Expected<B::Set>) -> Comparison<'a, B> {
    let mut comparison = Comparison { board, differences: Vec::new() };
    compare_moves(&mut comparison, expected);
    compare_ends(&mut comparison, &expected.board);
    compare_symmetries(&mut comparison, &expected.board);
    compare_measures(&mut comparison, &expected.board);
    comparison
}

fn compare_moves<B: Rules>(comparison: &mut Comparison<'_, B>, expected: &Expected<B::Set>) {
    let board = comparison.board;
    let name = |square| B::GEOMETRY.square_name(square);
    comparison.check(board.moves(), expected.moves, || "the set of moves".into());
    for &(place, square, expected_flips) in &expected.flips {
        let flips = board.flips(square);
        comparison.check(flips, expected_flips, || format!("the flips of {}", name(square)));
        let after = expected.board.play(place).map(|after| from_reference::<B>(&after));
        comparison.check(board.play(square), after, || format!("the board after {}", name(square)));
        if let Some(after) = after {
            comparison.check(after.before(square, flips), *board, || format!("{} undone", name(square)));
        }
    }
    for square in squares(board.player() | board.opponent()) {
        comparison.check(board.play(square), None, || format!("the board after {}", name(square)));
    }
}

fn compare_ends<B: Rules>(comparison: &mut Comparison<'_, B>, reference: &ReferenceBoard) {
    let board = comparison.board;
    comparison.check(board.pass(), from_reference(&reference.pass()), || "the board after a pass".into());
    comparison.check(board.can_move(), reference.can_move(), || "whether there is a move".into());
    comparison.check(board.must_pass(), reference.must_pass(), || "whether a pass is forced".into());
    comparison.check(board.is_over(), reference.is_over(), || "whether the game is over".into());
    comparison.check(board.final_score().discs(), reference.final_score(), || "the final score".into());
    let counts = [board.player(), board.opponent(), board.empties()].map(SquareSet::count);
    let expected = [b'X', b'O', b'-'].map(|character| reference.count(character) as u32);
    comparison.check(counts, expected, || "the count of own discs, others and empties".into());
}

fn compare_symmetries<B: Rules>(comparison: &mut Comparison<'_, B>, reference: &ReferenceBoard) {
    let board = comparison.board;
    let images: [B; 8] = std::array::from_fn(|index| from_reference(&reference.transformed(index)));
    for (index, image) in images.iter().enumerate() {
        comparison.check(board.transformed(index), *image, || format!("the image by symmetry {index}"));
    }
    let least = images.iter().min().copied().unwrap_or(*board);
    comparison.check(board.canonical(), least, || "the canonical form".into());
}

fn compare_measures<B: Rules>(comparison: &mut Comparison<'_, B>, reference: &ReferenceBoard) {
    let board = comparison.board;
    for (board, reference, side) in
        [(*board, *reference, "side to move"), (board.pass(), reference.pass(), "other side")]
    {
        comparison.check(frontier(&board), set::<B>(&reference.frontier()), || format!("the {side}'s frontier"));
        let potential = reference.potential_moves();
        comparison.check(potential_moves(&board), set::<B>(&potential), || format!("the {side}'s potential moves"));
        let expected = PotentialMobility {
            frontier_discs: reference.pass().frontier().len() as u32,
            empty_neighbors: potential.len() as u32,
            contacts: reference.contacts() as u32,
        };
        comparison.check(PotentialMobility::of(&board), expected, || format!("the {side}'s potential mobility"));
        comparison.check(mobility(&board), reference.moves().len() as u32, || format!("the {side}'s mobility"));
    }
    let expected: Vec<_> = reference.regions().iter().map(|region| set::<B>(region)).collect();
    comparison.check(regions::<B>(board.empties()).collect(), expected, || "the list of regions".into());
}

fn compare_quadrants<B: Rules<Set = u64>>(comparison: &mut Comparison<'_, B>, reference: &ReferenceBoard) {
    let board = comparison.board;
    let half = reference.side() / 2;
    let mut counts = [0; 4];
    for place @ (column, row) in reference.places() {
        if reference.at(place) == b'-' {
            counts[usize::from(column >= half) + 2 * usize::from(row >= half)] += 1;
        }
    }
    let odd_squares = (0..4).filter(|&quadrant| counts[quadrant] % 2 == 1).map(|quadrant| QUADRANTS[quadrant]).sum();
    let parity = QuadrantParity::of(board.empties());
    comparison.check(parity.odd_squares(), odd_squares, || "the set of squares in odd quadrants".into());
    for square in squares(board.empties()) {
        let expected = QuadrantParity::of(board.empties() ^ square.bit());
        comparison.check(parity.after(square), expected, || format!("the parity after {square}"));
    }
}

fn compare_kernel<B: Rules<Set = u64>>(comparison: &mut Comparison<'_, B>, expected: &Expected<u64>, kernel: &Kernel) {
    let board = comparison.board;
    let name = kernel.name;
    let moves = (kernel.moves)(board.player(), board.opponent()) & B::PLAYABLE;
    comparison.check(moves, expected.moves, || format!("the set of moves by the {name} kernel"));
    for &(_, square, expected_flips) in &expected.flips {
        let flips = (kernel.flips)(board.player(), board.opponent(), square);
        comparison.check(flips, expected_flips, || format!("the flips of {square} by the {name} kernel"));
    }
    // The count of the last flips is for boards of 64 squares with a single empty one.
    if let ([(place, square, _)], 63) = (&expected.flips[..], (board.player() | board.opponent()).count()) {
        for (player, reference) in [(board.player(), expected.board), (board.opponent(), expected.board.pass())] {
            let count = (kernel.last_flip_count)(player, *square);
            let expected = reference.flips(*place).len() as u32;
            comparison.check(count, expected, || format!("the count of last flips by the {name} kernel"));
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Geometry};

    use super::*;

    /// The 8x8 board with one of its functions broken.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    struct Broken<const FAULT: u8>(Board);

    impl<const FAULT: u8> Rules for Broken<FAULT> {
        type Set = u64;
        const GEOMETRY: Geometry = Board::GEOMETRY;
        const PLAYABLE: u64 = Board::PLAYABLE;

        fn from_discs(player: u64, opponent: u64) -> Self {
            Self(Board::from_discs(player, opponent))
        }

        fn start() -> Self {
            Self(Board::start())
        }

        fn player(&self) -> u64 {
            self.0.player
        }

        fn opponent(&self) -> u64 {
            self.0.opponent
        }

        fn moves(&self) -> u64 {
            if FAULT == 1 { self.0.moves().without_first() } else { self.0.moves() }
        }

        fn flips(&self, square: Square) -> u64 {
            if FAULT == 2 { self.0.flips(square).without_first() } else { self.0.flips(square) }
        }

        fn neighbors(set: u64) -> u64 {
            if FAULT == 3 { set << 1 | set >> 1 } else { Board::neighbors(set) }
        }

        fn steps(set: u64) -> [u64; 4] {
            if FAULT == 4 { [set << 1, set << 7, set << 8, set] } else { Board::steps(set) }
        }

        fn transformed(&self, index: usize) -> Self {
            Self(self.0.transformed(if FAULT == 5 { index ^ 3 } else { index }))
        }
    }

    fn differences_with_fault<const FAULT: u8>() -> usize {
        let after_three_moves = ["f5", "d6", "c3"]
            .iter()
            .fold(Board::start(), |board, square| board.play(square.parse().expect("a square")).expect("a legal move"));
        compare_with_kernels(&Broken::<FAULT>(after_three_moves)).len()
    }

    #[test]
    fn every_broken_function_is_noticed() {
        assert_eq!(differences_with_fault::<0>(), 0);
        assert!(differences_with_fault::<1>() > 0);
        assert!(differences_with_fault::<2>() > 0);
        assert!(differences_with_fault::<3>() > 0);
        assert!(differences_with_fault::<4>() > 0);
        assert!(differences_with_fault::<5>() > 0);
    }
}
