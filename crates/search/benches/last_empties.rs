//! The last four empty squares: the time per position for each number of empties.
//!
//! Run with `cargo bench -p search --bench last_empties`, or a single benchmark with `cargo bench -p search --bench
//! last_empties -- specialized`. A measurement solves a thousand positions: microseconds in the table are nanoseconds per
//! position. The positions are typical of a search: half-sensible games continued at random, with a null window
//! alternately on either side of the true score. `plain` is alpha-beta without specialized routines, as a baseline.
//!
//! To try an idea: note the figures, change `last_empties.rs`, run again. The sum of the scores is compared with that
//! of the plain version before anything is measured, so a wrong idea is detected.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use othello::regions::QuadrantParity;
use othello::{Board, Rules, Square, squares};
use search::last_empties::LastEmpties;
use search::negamax;
use search::samples::{Origin, Samples};

fn main() {
    check();
    divan::main();
}

/// The number of positions in one measurement.
const POSITIONS: usize = 1000;

/// Enough positions that no branch predictor can memorize them.
const CASES: usize = 16 * POSITIONS;

/// A position with the arguments of a routine.
#[derive(Clone, Copy)]
struct Case {
    board: Board,
    alpha: i32,
    empties: [Square; 4],
    parity: QuadrantParity,
}

fn cases(empty_count: u32) -> Vec<Case> {
    let mut samples = Samples::<Board>::new(u64::from(empty_count));
    let mut cases = Vec::with_capacity(CASES);
    while cases.len() < CASES {
        let mut board = samples.position(Origin::SensibleGame, 10);
        while board.empty_count() > empty_count && !board.is_over() {
            if board.must_pass() {
                board = board.pass();
            }
            let number = samples.below(board.moves().count_ones()) as usize;
            board = squares(board.moves()).nth(number).and_then(|square| board.play(square)).expect("a legal move");
        }
        if board.empty_count() != empty_count {
            continue;
        }
        let score = negamax::score(&board).discs();
        let mut empties = [Square::new(0); 4];
        // Squares of odd quadrants first, as in the search.
        let parity = QuadrantParity::of(board.empties());
        let odd = board.empties() & parity.odd_squares();
        for (place, square) in empties.iter_mut().zip(squares(odd).chain(squares(board.empties() & !odd))) {
            *place = square;
        }
        let alpha = if cases.len() % 2 == 0 { score - 1 } else { score };
        cases.push(Case { board, alpha, empties, parity });
    }
    cases
}

/// The routine for this number of empty squares.
fn specialized(last: &mut LastEmpties<Board>, case: &Case, empty_count: u32) -> i32 {
    let Case { board: Board { player, opponent }, alpha, empties: [a, b, c, _], parity } = *case;
    match empty_count {
        1 => LastEmpties::<Board>::one(player, a),
        2 => last.two(player, opponent, alpha, [a, b]),
        3 => last.three(player, opponent, alpha, [a, b, c]),
        _ => last.four(player, opponent, alpha, parity),
    }
}

/// Alpha-beta with the rules alone, with the same null window.
fn plain(board: &Board, alpha: i32) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return if board.is_over() { board.final_score().discs() } else { -plain(&board.pass(), -alpha - 1) };
    }
    let mut best = -65;
    for square in squares(moves) {
        best = best.max(-plain(&board.after(square, board.flips(square)), -alpha - 1));
        if best > alpha {
            break;
        }
    }
    best
}

/// Every routine must put every position on the right side of its window.
fn check() {
    for empty_count in 1..=4 {
        let mut last = LastEmpties::default();
        for case in cases(empty_count) {
            let score = specialized(&mut last, &case, empty_count);
            let expected = plain(&case.board, case.alpha) > case.alpha;
            assert_eq!(score > case.alpha, expected, "{empty_count} empties, alpha {}: {:?}", case.alpha, case.board);
        }
    }
}

fn measure(bencher: Bencher, empty_count: u32, mut solve: impl FnMut(&Case) -> i32) {
    let cases = cases(empty_count);
    let mut next = 0;
    bencher.counter(ItemsCount::new(POSITIONS)).bench_local(|| {
        let chunk = &cases[next..next + POSITIONS];
        next = (next + POSITIONS) % CASES;
        chunk.iter().map(|case| solve(black_box(case))).sum::<i32>()
    });
}

#[divan::bench(name = "specialized", args = [1, 2, 3, 4])]
fn bench_specialized(bencher: Bencher, empty_count: u32) {
    let mut last = LastEmpties::default();
    measure(bencher, empty_count, |case| specialized(&mut last, case, empty_count));
}

#[divan::bench(name = "plain", args = [1, 2, 3, 4])]
fn bench_plain(bencher: Bencher, empty_count: u32) {
    measure(bencher, empty_count, |case| plain(&case.board, case.alpha));
}
