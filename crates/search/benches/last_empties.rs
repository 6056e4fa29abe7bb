//! The last four empty squares: the time per position for each number of empties.
//!
//! Run with `cargo bench -p search --bench last_empties`, or a single benchmark with `cargo bench -p search --bench
//! last_empties -- four`. A measurement solves a thousand positions: microseconds in the table are nanoseconds per
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

fn one(case: &Case) -> i32 {
    LastEmpties::<Board>::one(case.board.player, case.empties[0])
}

fn two(last: &mut LastEmpties<Board>, case: &Case) -> i32 {
    let [a, b, ..] = case.empties;
    last.two(case.board.player, case.board.opponent, case.alpha, [a, b])
}

fn three(last: &mut LastEmpties<Board>, case: &Case) -> i32 {
    let [a, b, c, _] = case.empties;
    last.three(case.board.player, case.board.opponent, case.alpha, [a, b, c])
}

fn four(last: &mut LastEmpties<Board>, case: &Case) -> i32 {
    last.four(case.board.player, case.board.opponent, case.alpha, case.parity)
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
            let score = match empty_count {
                1 => one(&case),
                2 => two(&mut last, &case),
                3 => three(&mut last, &case),
                _ => four(&mut last, &case),
            };
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

#[divan::bench(name = "one")]
fn bench_one(bencher: Bencher) {
    measure(bencher, 1, one);
}

#[divan::bench(name = "two")]
fn bench_two(bencher: Bencher) {
    let mut last = LastEmpties::default();
    measure(bencher, 2, |case| two(&mut last, case));
}

#[divan::bench(name = "three")]
fn bench_three(bencher: Bencher) {
    let mut last = LastEmpties::default();
    measure(bencher, 3, |case| three(&mut last, case));
}

#[divan::bench(name = "four")]
fn bench_four(bencher: Bencher) {
    let mut last = LastEmpties::default();
    measure(bencher, 4, |case| four(&mut last, case));
}

#[divan::bench(name = "plain", args = [1, 2, 3, 4])]
fn bench_plain(bencher: Bencher, empty_count: u32) {
    measure(bencher, empty_count, |case| plain(&case.board, case.alpha));
}
