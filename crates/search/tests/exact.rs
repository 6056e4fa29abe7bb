//! Exact scores, lines, windows, multi-PV and restricted moves compared with plain negamax.

use control::Control;
use evaluation::{HandMade, Value};
use othello::{Board, Rules, SmallBoard, squares};
use records::obf::problems;
use search::samples::{Origin, Samples};
use search::verify::check_report;
use search::{Iteration, Question, SearchReport, SearchableBoard, Searcher, Selectivity, negamax};

use crate::solving::{answer, assert_solution, assert_solved, searcher, truth};

/// Solves positions with one searcher, whose hash table is kept, and compares.
fn agree_with_negamax<B: SearchableBoard>(seed: u64, buckets: usize, empties: &[u32], count: usize) {
    let mut samples = Samples::<B>::new(seed);
    let searcher = searcher(buckets, 1);
    for index in 0..count {
        let origin = Origin::ALL[index / empties.len() % 4];
        assert_solved(&searcher, &samples.position(origin, empties[index % empties.len()]));
    }
}

#[test]
fn positions_of_up_to_seven_empties_agree_with_negamax() {
    agree_with_negamax::<Board>(1, 1 << 12, &[0, 1, 2, 3, 4, 5, 6, 7], 8000);
}

#[test]
fn positions_of_eight_to_ten_empties_agree_with_negamax() {
    agree_with_negamax::<Board>(2, 1 << 12, &[8, 9, 10], 1500);
    // Almost every store replaces an entry, and almost every probe misses.
    agree_with_negamax::<Board>(3, 1, &[8, 9, 10], 300);
    agree_with_negamax::<Board>(4, 16, &[8, 9, 10], 300);
}

#[test]
fn positions_of_eleven_to_fourteen_empties_agree_with_negamax() {
    agree_with_negamax::<Board>(5, 1 << 12, &[11, 12], 160);
    agree_with_negamax::<Board>(6, 1 << 12, &[13, 14], 16);
    agree_with_negamax::<Board>(7, 4, &[13, 14], 8);
}

#[test]
fn positions_of_the_6x6_board_agree_with_negamax() {
    agree_with_negamax::<SmallBoard<6>>(1, 1 << 10, &[0, 1, 2, 3, 4, 5, 6, 7], 2400);
    agree_with_negamax::<SmallBoard<6>>(2, 1 << 10, &[8, 9, 10], 600);
    agree_with_negamax::<SmallBoard<6>>(3, 1 << 10, &[11, 12, 13, 14], 48);
}

#[test]
fn every_position_of_the_4x4_board_agrees_with_negamax() {
    let searcher = searcher(1 << 10, 1);
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![SmallBoard::<4>::start()];
    while let Some(board) = open.pop() {
        if !seen.insert(board) {
            continue;
        }
        assert_solved(&searcher, &board);
        open.extend(squares(board.moves()).filter_map(|square| board.play(square)));
        if board.must_pass() {
            open.push(board.pass());
        }
    }
    assert!(seen.len() > 10_000, "only {} positions", seen.len());
    // White wins.
    let report = searcher.solve(&SmallBoard::<4>::start(), &Control::new());
    assert_eq!(report.lines[0].value, Value::from_discs(-10.0));
}

#[test]
fn arbitrary_positions_of_the_4x4_board_agree_with_negamax() {
    let empties: Vec<u32> = (0..=12).collect();
    agree_with_negamax::<SmallBoard<4>>(9, 64, &empties, 2600);
}

/// The report of one iteration after the first report.
fn once<B: SearchableBoard>(searcher: &Searcher<HandMade>, board: &B, iteration: Iteration) -> SearchReport {
    let mut next = |reports: &[SearchReport]| (reports.len() == 1).then_some(iteration);
    searcher.search(board, &Question::default(), &Control::new(), &mut next)
}

#[test]
fn one_table_serves_boards_of_all_sizes() {
    let searcher = searcher(1 << 12, 1);
    let mut samples = Samples::<SmallBoard<4>>::new(12);
    for round in 0..40 {
        let small = samples.position(Origin::RandomDiscs, 10);
        let (player, opponent) = (small.player(), small.opponent());
        // The same discs: on the larger boards the game is not over.
        let six = SmallBoard::<6>::from_discs(player, opponent);
        let eight = Board::from_discs(player, opponent);
        let deep = Iteration { depth: 7, selectivity: Selectivity::EXACT };
        once(&searcher, &eight, deep);
        once(&searcher, &six, deep);
        assert_solved(&searcher, &small);
        let after_small = once(&searcher, &six, deep);
        let alone = once(&crate::solving::searcher(1 << 12, 1), &six, deep);
        let values = |report: &SearchReport| report.lines.first().map(|line| line.value);
        assert_eq!(values(&after_small), values(&alone), "round {round}: {six:?}");
    }
}

#[test]
fn positions_at_the_end_of_a_game_have_a_report_without_lines() {
    let searcher = searcher(16, 1);
    let full = Board::new(0x0f0f_0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0_f0f0);
    let wiped_out = Board::new(0, 0x0000_0018_1800_0000);
    let other_wiped_out = Board::new(0x0000_0018_1800_0000, 0);
    let stuck = Board::new(1, 1 << 63);
    let empty = Board::new(0, 0);
    for board in [full, wiped_out, other_wiped_out, stuck, empty] {
        let report = searcher.solve(&board, &Control::new());
        assert!(report.exact && report.lines.is_empty(), "{report:?}");
        check_report(&board, &report).unwrap();
        // With any options, there is nothing to search.
        let question = Question { lines: 3, moves: Some(u64::MAX), window: Some((-1, 1)) };
        assert!(answer(&searcher, &board, &question).lines.is_empty());
    }
}

#[test]
fn positions_where_the_side_to_move_must_pass_are_solved_after_the_pass() {
    let searcher = searcher(1 << 10, 1);
    let mut samples = Samples::<Board>::new(21);
    let mut solved = 0;
    while solved < 200 {
        let board = samples.position(Origin::ALL[2 + solved % 2], 6 + solved as u32 % 5);
        if !board.must_pass() {
            continue;
        }
        let report = searcher.solve(&board, &Control::new());
        assert_solution(&board, &report);
        assert!(board.pass().play(report.lines[0].moves[0]).is_some());
        // The window is from the point of view of the side to move, too.
        let score = negamax::score(&board).discs() * Value::PER_DISC;
        let window = (score - 1, score + 1);
        let within = answer(&searcher, &board, &Question { window: Some(window), ..Question::default() });
        assert_eq!(within.lines[0].value.parts(), score, "{board:?}");
        solved += 1;
    }
}

/// A value outside of the window is a bound on the score, one within is the score.
fn assert_on_side((low, high): (i32, i32), value: i32, score: i32, context: &str) {
    if value <= low {
        assert!(score <= value, "{context}");
    } else if value >= high {
        assert!(score >= value, "{context}");
    } else {
        assert_eq!(value, score, "{context}");
    }
}

#[test]
fn windows_tell_on_which_side_the_score_lies_and_name_a_move_that_shows_it() {
    let mut samples = Samples::<Board>::new(31);
    let searcher = searcher(1 << 10, 1);
    for index in 0..600u32 {
        let board = samples.position_with_moves(Origin::ALL[index as usize % 4], 6 + index % 5);
        let score = Value::of_score(negamax::score(&board)).parts();
        let far = 2 * Value::PER_DISC * (samples.below(16) as i32 - 8);
        // Win, loss and draw in one and in two steps, null windows, wide ones, and some far from the score.
        for (low, high) in
            [(-1, 1), (0, 1), (-1, 0), (score - 1, score), (score, score + 1), (far - 300, far), (far, far + 700)]
        {
            let report = answer(&searcher, &board, &Question { window: Some((low, high)), ..Question::default() });
            let value = report.lines[0].value.parts();
            let shown = Value::of_score(truth(&board, report.lines[0].moves[0])).parts();
            let context = format!("window {low} to {high}, value {value}, score {score}: {board:?}");
            assert_on_side((low, high), value, score, &context);
            // The move shows what is known: at least a bound on its own score.
            assert!(
                value <= low || shown >= value && (value >= high || shown == value),
                "{context}, move with {shown}"
            );
        }
    }
}

#[test]
fn a_win_a_draw_and_a_loss_are_what_the_exact_score_says_from_sixteen_empties() {
    let mut samples = Samples::<Board>::new(32);
    let solve = |board: &Board| searcher(1 << 14, 1).solve(board, &Control::new()).lines[0].value.parts();
    for index in 0..12 {
        let board = samples.position_with_moves(Origin::ALL[index % 2], 16);
        let exact = solve(&board);
        let searcher = searcher(1 << 14, 1);
        // The same searcher: results stored for one window must do no harm in the next.
        for window in [(-1, 1), (0, 1), (-1, 0), (-1, 1)] {
            let result = answer(&searcher, &board, &Question { window: Some(window), ..Question::default() });
            let value = result.lines[0].value.parts();
            assert_eq!(value.clamp(window.0, window.1), exact.clamp(window.0, window.1), "{board:?}");
            let after = board.play(result.lines[0].moves[0]).unwrap();
            if value > window.0 && !after.is_over() {
                let shown = -solve(&after);
                assert!(shown > window.0, "window {window:?}, {exact}, but a move with {shown}: {board:?}");
            }
        }
    }
}

#[test]
fn every_move_has_the_score_of_the_position_after_it() {
    let mut samples = Samples::<Board>::new(41);
    let searcher = searcher(1 << 10, 1);
    for index in 0..300 {
        let board = samples.position_with_moves(Origin::ALL[index % 4], 5 + index as u32 % 6);
        for lines in [2, 3, 100] {
            let report = answer(&searcher, &board, &Question { lines, ..Question::default() });
            check_report(&board, &report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
            let mut scores = negamax::move_scores(&board);
            assert_eq!(report.lines.len(), lines.min(scores.len()));
            for line in &report.lines {
                let (_, score) = scores.iter().find(|(square, _)| *square == line.moves[0]).unwrap();
                assert_eq!(line.value, Value::of_score(*score), "{board:?}");
            }
            scores.sort_by_key(|&(_, score)| -score);
            let best: Vec<_> = scores.iter().take(lines).map(|&(_, score)| Value::of_score(score)).collect();
            assert_eq!(report.lines.iter().map(|line| line.value).collect::<Vec<_>>(), best, "{board:?}");
        }
    }
}

#[test]
fn multi_pv_works_with_a_window() {
    let mut samples = Samples::<Board>::new(42);
    let searcher = searcher(1 << 10, 1);
    for index in 0..300 {
        let board = samples.position_with_moves(Origin::ALL[index % 4], 6 + index as u32 % 4);
        for (low, high) in [(-1, 1), (0, 1), (1000, 2000), (-2000, -1000), (-9000, 9000)] {
            let question = Question { lines: 100, moves: None, window: Some((low, high)) };
            let report = answer(&searcher, &board, &question);
            assert_eq!(report.lines.len(), board.moves().count_ones() as usize);
            for line in &report.lines {
                let (value, score) = (line.value.parts(), truth(&board, line.moves[0]).discs() * Value::PER_DISC);
                let context = format!("window {low} to {high}, {} {value}, score {score}: {board:?}", line.moves[0]);
                assert_on_side((low, high), value, score, &context);
            }
        }
    }
}

#[test]
fn only_the_allowed_moves_are_searched() {
    let mut samples = Samples::<Board>::new(51);
    let searcher = searcher(1 << 10, 1);
    for index in 0..300 {
        let board = samples.position_with_moves(Origin::ALL[index % 4], 5 + index as u32 % 6);
        let moves = board.moves();
        let allowed = samples.bits() & samples.bits();
        let report = answer(&searcher, &board, &Question { moves: Some(allowed), lines: 2, ..Question::default() });
        let mut expected: Vec<_> =
            squares(moves & allowed).map(|square| Value::of_score(truth(&board, square))).collect();
        expected.sort_by_key(|&value| -value);
        expected.truncate(2);
        assert_eq!(report.lines.iter().map(|line| line.value).collect::<Vec<_>>(), expected, "{board:?}");
        assert!(report.lines.iter().all(|line| line.moves[0].bit() & allowed != 0));
        if !expected.is_empty() {
            check_report(&board, &report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
        }
        // The value of some moves must not be stored as that of the position.
        assert_solved(&searcher, &board);
    }
}

#[test]
fn a_depth_of_zero_or_beyond_the_end_is_clamped() {
    let mut samples = Samples::<Board>::new(61);
    let searcher = searcher(1 << 10, 1);
    for depth in [0, 1, 2, 9, 10, 60, 1000, u32::MAX] {
        let board = samples.position_with_moves(Origin::SensibleGame, 9);
        let iteration = Iteration { depth, selectivity: Selectivity::EXACT };
        let report = once(&searcher, &board, iteration);
        assert!(board.play(report.lines[0].moves[0]).is_some());
        assert_eq!(report.exact, depth >= 9);
        if report.exact {
            assert_solution(&board, &report);
        }
    }
}

#[test]
fn a_move_that_wipes_out_the_opponent_is_seen_at_every_depth() {
    let mut samples = Samples::<Board>::new(81);
    let searcher = searcher(1 << 8, 1);
    let mut found = 0;
    while found < 40 {
        let empty_count = 20 + samples.below(30);
        let board = samples.position_with_moves(Origin::RandomDiscs, empty_count);
        if !squares(board.moves()).any(|square| board.play(square).unwrap().player == 0) {
            continue;
        }
        found += 1;
        for depth in 0..=4 {
            let iteration = Iteration { depth, selectivity: Selectivity::LOWEST };
            let report = searcher.search(&board, &Question::default(), &Control::new(), &mut |reports| {
                // The first report comes without an iteration.
                (depth > 0 && reports.len() == 1).then_some(iteration)
            });
            assert_eq!(report.lines[0].value, Value::MAX, "depth {depth}: {board:?}");
            assert_eq!(truth(&board, report.lines[0].moves[0]).discs(), 64);
        }
    }
}

#[test]
fn iterations_in_any_order_leave_the_exact_score_right() {
    let mut samples = Samples::<Board>::new(71);
    let searcher = searcher(1 << 8, 1);
    for index in 0..200 {
        let board = samples.position_with_moves(Origin::ALL[index % 4], 9 + index as u32 % 4);
        let empty_count = board.empty_count();
        let mut wild: Vec<_> = (0..6)
            .map(|_| {
                let level = samples.below(6) as usize;
                let selectivity = Selectivity::all().nth(level).unwrap();
                Iteration { depth: 1 + samples.below(empty_count + 2), selectivity }
            })
            .collect();
        wild.insert(0, Iteration { depth: empty_count, selectivity: Selectivity::EXACT });
        let report = searcher.search(&board, &Question::default(), &Control::new(), &mut |_| wild.pop());
        assert_solution(&board, &report);
    }
}

#[test]
fn the_problems_of_our_own_file_are_solved_with_every_move() {
    let file = include_str!("data/endgames.obf");
    let mut solved = 0;
    let searcher = searcher(1 << 14, 1);
    for problem in problems(file.as_bytes(), "endgames.obf") {
        let problem = problem.unwrap();
        let board: Board = problem.position.board;
        let report = answer(&searcher, &board, &Question { lines: 100, ..Question::default() });
        check_report(&board, &report).unwrap_or_else(|error| panic!("{error}: {board:?}"));
        assert_eq!(report.lines.len(), problem.scores.len());
        for expected in &problem.scores {
            let line = report.lines.iter().find(|line| Some(line.moves[0]) == expected.square).unwrap();
            assert_eq!(line.value, Value::of_score(expected.score), "{problem}");
        }
        solved += 1;
    }
    assert_eq!(solved, 60);
}
