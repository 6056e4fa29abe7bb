//! Zobrist keys: a random number for every side on every square, combined by exclusive or (section 1.3.1).

use othello::{Rules, Square, SquareSet, squares};

use othello::random::Random;

/// The random numbers of a board.
///
/// The paper's numbers have 32 bits; ours have 64, so that equal keys can be treated as equal positions.
#[derive(Clone, Debug)]
pub(super) struct Zobrist {
    /// By square and side: `[first, second]`.
    discs: Vec<[u64; 2]>,
    /// Part of the key when the second side is to move. The paper omits it, but after a pass the same discs are a
    /// different position.
    second_to_move: u64,
}

impl Zobrist {
    const SEED: u64 = 2002;

    /// The numbers, the same on every machine.
    pub(super) fn new() -> Self {
        let mut random = Random::new(Self::SEED);
        let discs = (0..128).map(|_| [random.bits(), random.bits()]).collect();
        Self { discs, second_to_move: random.bits() }
    }

    /// The key of a position, from scratch. `is_first` says whether the first side is to move.
    pub(super) fn key<B: Rules>(&self, board: &B, is_first: bool) -> u64 {
        let side = usize::from(!is_first);
        let of = |set, side: usize| squares(set).fold(0, |key, square: Square| key ^ self.discs[square.index()][side]);
        let turn = if is_first { 0 } else { self.second_to_move };
        of(board.player(), side) ^ of(board.opponent(), 1 - side) ^ turn
    }

    /// Changes of the key by a placed disc and by the change of the side to move: exclusive or with it makes and undoes
    /// them. The paper mentions nothing else.
    #[inline]
    pub(super) fn placed(&self, square: Square, is_first: bool) -> u64 {
        self.discs[square.index()][usize::from(!is_first)] ^ self.second_to_move
    }

    /// Change of the key by a whole move, with the flipped discs.
    #[inline]
    pub(super) fn change<S: SquareSet>(&self, square: Square, flips: S, is_first: bool) -> u64 {
        squares(flips).fold(self.placed(square, is_first), |change, square| {
            let [first, second] = self.discs[square.index()];
            change ^ first ^ second
        })
    }

    /// Change of the key by a pass.
    #[inline]
    pub(super) fn pass(&self) -> u64 {
        self.second_to_move
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use othello::{Board, CutBoard};

    use super::*;

    #[test]
    fn keys_kept_along_a_game_are_those_computed_from_nothing_and_differ_between_positions() {
        fn check<B: Rules>() {
            let zobrist = Zobrist::new();
            let mut random = Random::new(1);
            let mut seen: HashMap<u64, (B, bool)> = HashMap::new();
            for _ in 0..200 {
                let (mut board, mut is_first) = (B::start(), true);
                let mut key = zobrist.key(&board, is_first);
                while !board.is_over() {
                    if board.must_pass() {
                        board = board.pass();
                        key ^= zobrist.pass();
                    } else {
                        let moves = board.moves();
                        let square = squares(moves).nth(random.below(moves.count() as usize)).unwrap();
                        let flips = board.flips(square);
                        let change = zobrist.change(square, flips, is_first);
                        assert_eq!(key ^ change ^ change, key, "a move taken back");
                        key ^= change;
                        board = board.after(square, flips);
                    }
                    is_first = !is_first;
                    assert_eq!(key, zobrist.key(&board, is_first), "{board:?}");
                    assert_eq!(
                        *seen.entry(key).or_insert((board, is_first)),
                        (board, is_first),
                        "two positions, one key"
                    );
                }
            }
        }
        check::<CutBoard>();
        check::<Board>();
    }

    #[test]
    fn keys_of_placed_discs_are_equal_for_the_same_moves_in_any_order() {
        /// The squares of a path, and whether the side that moved first took them.
        type Moves = Vec<(Square, bool)>;
        // All sequences of five moves: their keys are compared with sets of squares and sides.
        let zobrist = Zobrist::new();
        let mut by_key: HashMap<u64, Vec<(Moves, Board)>> = HashMap::new();
        let mut paths = vec![(Board::start(), 0, Vec::new())];
        for ply in 0..5 {
            let is_first = ply % 2 == 0;
            let mut longer = Vec::new();
            for (board, key, moves) in paths {
                for square in squares(board.moves()) {
                    let mut moves: Moves = moves.clone();
                    moves.push((square, is_first));
                    longer.push((board.play(square).unwrap(), key ^ zobrist.placed(square, is_first), moves));
                }
            }
            paths = longer;
        }
        let count = paths.len();
        for (board, key, mut moves) in paths {
            moves.sort();
            by_key.entry(key).or_default().push((moves, board));
        }
        assert!(by_key.len() < count);
        let mut unlike = 0;
        for group in by_key.values() {
            assert!(group.iter().all(|(moves, _)| *moves == group[0].0));
            unlike += usize::from(group.iter().any(|(_, board)| *board != group[0].1));
        }
        assert!(unlike > 0, "different boards have equal keys");
    }

    #[test]
    fn the_key_tells_the_side_to_move_and_the_owner_of_every_disc() {
        let zobrist = Zobrist::new();
        let start = Board::start();
        let passed = start.pass();
        let keys = [
            zobrist.key(&start, true),
            zobrist.key(&start, false),
            zobrist.key(&passed, true),
            zobrist.key(&passed, false),
        ];
        assert!((0..4).all(|one| (0..one).all(|other| keys[one] != keys[other])), "{keys:?}");
        assert_eq!(keys[0] ^ keys[3], zobrist.pass(), "the same discs, the other side to move");
    }
}
