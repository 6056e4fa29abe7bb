//! DESDEMONA's features on drawn positions, its search against plain minimax, and the player under limits.

#[path = "../../tests/stopping/mod.rs"]
mod stopping;

use std::time::{Duration, Instant};

use desdemona::{
    COMPLEX_COUNT, Desdemona, DesdemonaBoard, DesdemonaSettings, Evaluation, HISTORICAL_DEPTH, Keys, Mixture, PER_DISC,
    SIMPLE_COUNT, Searcher, Tables,
};
use engine::RandomPlayer;
use engine::interruption::Interruption;
use engine::{Choice, Estimate, GameClock, Limits, Player, PlayerError, Silent, Stop};
use othello::{Board, Color, CutBoard, Game, Position, Rules, Score, SquareSet, squares};

use stopping::{Stopped, stopped_after};

/// The board of a drawing, row by row: X for the side to move, O for the other, a point where there is no square.
fn drawn<B: Rules>(drawing: &str) -> B {
    let mut sets = [B::Set::EMPTY; 2];
    for (row, line) in drawing.split_whitespace().enumerate() {
        for (column, disc) in line.chars().enumerate() {
            let square = B::GEOMETRY.square_at(column as u8, row as u8);
            match disc {
                'X' => sets[0] |= B::Set::only(square.expect("a disc lies on a square")),
                'O' => sets[1] |= B::Set::only(square.expect("a disc lies on a square")),
                '-' => assert!(square.is_some(), "row {row}, column {column}"),
                _ => assert!(square.is_none(), "row {row}, column {column}"),
            }
        }
    }
    B::from_discs(sets[0], sets[1])
}

fn complex<B: DesdemonaBoard>(board: &B) -> [i32; COMPLEX_COUNT] {
    let evaluation = B::shipped();
    evaluation.complex(&evaluation.state(board))
}

/// The same for the other side, which is to move now.
fn turned(features: [i32; COMPLEX_COUNT]) -> [i32; COMPLEX_COUNT] {
    let mut turned = features.map(|feature| -feature);
    turned[6] = 1;
    turned
}

#[test]
fn the_features_of_a_drawn_position_of_92_squares_are_those_counted_by_hand() {
    let board: CutBoard = drawn(
        "XXXO..----
         OXO-------
         -O--------
         X---------
         .---XO---.
         .---OX---.
         ------X---
         --------X-
         --------OO
         ----..-O-X",
    );
    // Corners: a1 and a4 in one quadrant, 4, and j10, 1; minus d1, 1.
    let corners = 4;
    // "Dumb" X-squares: i8 without its corner j7; minus b3, whose corner a4 is not its own, and i9.
    let dumb_x_squares = -1;
    // "Smart" ones: b2 next to a1; minus c2 next to d1.
    let smart_x_squares = 0;
    // C-squares: b1 and c1; minus a2, j9 and h10.
    let c_squares = -1;
    // Runs on the rim: 3 (a1-c1), 1, 1 and 1, minus 1, 1, 1 and 1; next to it 1, 0, 2 (b1-b2) and 1, minus 1, 2
    // (i9-j9), 1 and 1.
    let edge_runs = 1;
    // 23 empty squares next to the opponent's discs, 24 next to own ones.
    let potential_mobility = -1;
    // 11 own discs, 10 of the opponent.
    let disc_difference = 1;
    let expected =
        [corners, dumb_x_squares, smart_x_squares, c_squares, edge_runs, potential_mobility, 1, disc_difference];
    assert_eq!(complex(&board), expected);
    assert_eq!(complex(&board.pass()), turned(expected));
}

#[test]
fn the_features_of_a_drawn_position_of_8x8_are_those_counted_by_hand() {
    let board: Board = drawn(
        "XXOO----
         XX------
         O-------
         ---OX---
         ---XO---
         --------
         ------O-
         ------OX",
    );
    // Corners: a1 and h8.
    let corners = 2;
    // "Dumb" X-squares: g7 of the opponent, whose corner is not its own; "smart" ones: b2 next to a1.
    let (dumb_x_squares, smart_x_squares) = (-1, 1);
    // C-squares: b1 and a2; minus g8.
    let c_squares = 1;
    // Runs on the edges: 2, 1, 2 and 1, minus 2, 1, 1 and 0; next to them 2, 0, 2 and 0, minus 0, 1, 0 and 2.
    let edge_runs = 3;
    // 22 empty squares next to the opponent's discs, 14 next to own ones.
    let potential_mobility = 8;
    let expected = [corners, dumb_x_squares, smart_x_squares, c_squares, edge_runs, potential_mobility, 1, 0];
    assert_eq!(complex(&board), expected);
    assert_eq!(complex(&board.pass()), turned(expected));
}

/// Computes all complex features again, square by square, from lists of corners and of the squares next to
/// them.
fn slow_complex<B: Rules>(board: &B, quadrant: [&[&str]; 3]) -> [i32; COMPLEX_COUNT] {
    // A quadrant's names: corners, X-squares (each followed by its corner), C-squares. The others are its images.
    let [corners, x_squares, c_squares] = quadrant;
    let side = B::GEOMETRY.side as i32;
    let place = |name: &str| {
        let square = B::GEOMETRY.parse_square(name).expect("a square");
        let (column, row) = B::GEOMETRY.column_row(square);
        (i32::from(column), i32::from(row))
    };
    let disc = |(column, row): (i32, i32)| {
        let square = u8::try_from(column).ok().zip(u8::try_from(row).ok());
        let square = square.and_then(|(column, row)| B::GEOMETRY.square_at(column, row))?;
        Some(i32::from(board.player().has(square)) - i32::from(board.opponent().has(square)))
    };
    let mut features = [0; COMPLEX_COUNT];
    for image in 0..4 {
        let turned = |name: &str| {
            let (column, row) = place(name);
            (if image % 2 == 0 { column } else { side - 1 - column }, if image < 2 { row } else { side - 1 - row })
        };
        let at = |name: &str| disc(turned(name)).expect("a square");
        let count = |of: i32| corners.iter().filter(|corner| at(corner) == of).count() as i32;
        features[0] += count(1).pow(2) - count(-1).pow(2);
        for pair in x_squares.chunks(2) {
            let (owner, of_corner) = (at(pair[0]), at(pair[1]));
            features[if owner == of_corner { 2 } else { 1 }] += owner;
        }
        features[3] += c_squares.iter().map(|square| at(square)).sum::<i32>();
    }
    let places = || (0..side).flat_map(move |row| (0..side).map(move |column| (column, row)));
    for (column, row) in places().filter(|&place| disc(place) == Some(0)) {
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (column + x, row + y)));
        let next_to: Vec<i32> = around.filter_map(disc).collect();
        features[5] += i32::from(next_to.contains(&-1)) - i32::from(next_to.contains(&1));
    }
    features[6] = 1;
    features[7] = places().filter_map(disc).sum();
    features[4] = slow_edge_runs(board);
    features
}

#[test]
fn complex_features_are_those_counted_square_by_square() {
    for board in positions::<CutBoard>(20) {
        let quadrant: [&[&str]; 3] = [
            &["a1", "d1", "a4"],
            &["b2", "a1", "c2", "d1", "d2", "d1", "b3", "a4", "b4", "a4"],
            &["b1", "c1", "a2", "a3"],
        ];
        // e2 and b5 touch a corner too, but lie next to a cut: the paper leaves them out.
        assert_eq!(complex(&board), slow_complex(&board, quadrant), "{board:?}");
    }
    for board in positions::<Board>(20) {
        assert_eq!(complex(&board), slow_complex(&board, [&["a1"], &["b2", "a1"], &["b1", "a2"]]), "{board:?}");
    }
}

/// Tables with many different numbers. A configuration has opposite values for the two sides, and its mirror images
/// have the same value.
fn made_up_tables<B: DesdemonaBoard>() -> Tables {
    let mut tables = Tables::zero::<B>();
    for (number, feature) in B::simple_features().iter().enumerate() {
        let made_up =
            |configuration: usize| ((feature.ternary(configuration) * 7919 + number * 1237) % 3001) as i16 - 1500;
        for (ternary, value) in tables.values[number].iter_mut().enumerate() {
            for places in feature.mirrorings::<B>() {
                let image = feature.mirrored(feature.quaternary(ternary), &places);
                *value += made_up(image) - made_up(feature.other_side(image));
            }
        }
    }
    for (stage, weights) in tables.weights.iter_mut().enumerate() {
        *weights = std::array::from_fn(|feature| ((stage * 101 + feature * 37) % 4001) as i32 - 2000);
    }
    tables
}

fn simple_features_are_averages_over_the_images_of_the_board<B: DesdemonaBoard>() {
    let (tables, features) = (made_up_tables::<B>(), B::simple_features());
    let evaluation = Evaluation::<B>::new(&tables, Mixture::Both);
    for board in positions::<B>(4) {
        let state = evaluation.state(&board);
        let found = evaluation.simple(&state);
        for (number, feature) in features.iter().enumerate() {
            // The whole board is turned, and the feature read in the place where the paper draws it.
            let mut sum = 0.0;
            for index in 0..8 {
                let image = board.transformed(index);
                let digit = |square| match () {
                    () if image.player().has(square) => 0,
                    () if image.opponent().has(square) => 1,
                    () => 2,
                };
                let ternary = feature.squares.iter().rev().fold(0, |ternary, &square| 3 * ternary + digit(square));
                sum += f64::from(tables.values[number][ternary]) / 100.0;
            }
            assert!((found[number] - sum / 8.0).abs() < 1e-9, "{}: {} {}", feature.name, found[number], sum / 8.0);
        }
        let weights = tables.weights[B::stage(board.player().count() + board.opponent().count())];
        let complex: f64 = evaluation
            .complex(&state)
            .iter()
            .zip(weights)
            .map(|(&feature, weight)| f64::from(feature) * f64::from(weight) / 10_000.0)
            .sum();
        let expected = 0.8 * complex + 0.2 * found.iter().sum::<f64>() / 12.0;
        assert!((f64::from(evaluation.value(&state)) / 1000.0 - expected).abs() < 0.003, "{board:?}");
    }
}

#[test]
fn simple_features_are_averages_of_what_their_images_show() {
    simple_features_are_averages_over_the_images_of_the_board::<CutBoard>();
    simple_features_are_averages_over_the_images_of_the_board::<Board>();
}

fn features_along_a_walk<B: DesdemonaBoard>() {
    let evaluation = Evaluation::<B>::new(&made_up_tables::<B>(), Mixture::Both);
    let mut state = 1u64;
    let mut below = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % bound
    };
    let mut path = vec![(evaluation.state(&B::start()), true)];
    for _ in 0..3000 {
        let (state, is_first) = *path.last().expect("the walk never goes back beyond the start");
        let board = state.board;
        let (first, second) =
            if is_first { (board.player(), board.opponent()) } else { (board.opponent(), board.player()) };
        assert_eq!(*state.indices(), evaluation.patterns().indices(first, second), "{board:?}");
        let fresh = evaluation.state(&board);
        assert_eq!(evaluation.complex(&state), evaluation.complex(&fresh), "{board:?}");
        assert_eq!(evaluation.simple(&state), evaluation.simple(&fresh), "{board:?}");
        assert_eq!(evaluation.value(&state), evaluation.value(&fresh), "{board:?}");
        if path.len() > 1 && (board.is_over() || below(4) == 0) {
            path.pop();
        } else if board.must_pass() {
            path.push((state.pass(), !is_first));
        } else {
            let moves = board.moves();
            let square = squares(moves).nth(below(moves.count()) as usize).expect("a move");
            path.push((state.after(evaluation.patterns(), square, board.flips(square)), !is_first));
        }
    }
}

#[test]
fn incremental_features_are_those_computed_from_scratch_on_random_walks_with_undone_moves() {
    features_along_a_walk::<CutBoard>();
    features_along_a_walk::<Board>();
}

/// Positions of random games in which the side to move can move.
fn positions<B: Rules>(games: u64) -> Vec<B> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut player = RandomPlayer::new(seed);
        let mut game = Game::<B>::default();
        while !game.is_over() {
            positions.push(game.position().board);
            let square = player.choose(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap().square;
            game.play(square).unwrap();
        }
    }
    positions
}

/// The edge heuristic again, walking along every line.
fn slow_edge_runs<B: Rules>(board: &B) -> i32 {
    let side = B::GEOMETRY.side;
    let run = |discs: B::Set, places: Vec<(u8, u8)>| {
        let (mut longest, mut length) = (0, 0);
        for (column, row) in places {
            let is_own = B::GEOMETRY.square_at(column, row).is_some_and(|square| discs.has(square));
            length = if is_own { length + 1 } else { 0 };
            longest = longest.max(length);
        }
        longest
    };
    let difference = |places: Vec<(u8, u8)>| run(board.player(), places.clone()) - run(board.opponent(), places);
    let mut sum = 0;
    for line in [0, 1, side - 2, side - 1] {
        for is_row in [true, false] {
            let place = |along: u8| if is_row { (along, line) } else { (line, along) };
            let places: Vec<(u8, u8)> = (0..side).map(place).collect();
            // A cut divides a line of the rim in two.
            let cut = places.iter().position(|&(column, row)| B::GEOMETRY.square_at(column, row).is_none());
            match cut {
                Some(cut) => sum += difference(places[..cut].to_vec()) + difference(places[cut..].to_vec()),
                None => sum += difference(places),
            }
        }
    }
    sum
}

#[test]
fn edge_runs_looked_up_are_those_walked_along_the_lines() {
    for board in positions::<CutBoard>(40) {
        assert_eq!(complex(&board)[4], slow_edge_runs(&board), "{board:?}");
    }
    for board in positions::<Board>(40) {
        assert_eq!(complex(&board)[4], slow_edge_runs(&board), "{board:?}");
    }
}

fn the_value_is_the_sum_of_its_parts<B: DesdemonaBoard>() {
    let evaluation: &Evaluation<B> = B::shipped();
    for board in positions::<B>(6) {
        let explanation = evaluation.explain(&board);
        assert_eq!(explanation.parts.len(), COMPLEX_COUNT + SIMPLE_COUNT);
        let sum: f64 = explanation.parts.iter().map(|part| part.value * part.weight.unwrap()).sum();
        assert!((sum - explanation.value).abs() < 0.003, "{sum}, {}", explanation.value);
        // Four fifths of the complex features and one fifth of the average simple one.
        let state = evaluation.state(&board);
        let average = evaluation.simple(&state).iter().sum::<f64>() / SIMPLE_COUNT as f64;
        let complex: f64 =
            explanation.parts[..COMPLEX_COUNT].iter().map(|part| part.value * part.weight.unwrap()).sum();
        assert!((complex + 0.2 * average - explanation.value).abs() < 0.003);
    }
}

#[test]
fn the_value_is_made_of_twenty_named_parts() {
    the_value_is_the_sum_of_its_parts::<CutBoard>();
    the_value_is_the_sum_of_its_parts::<Board>();
}

fn the_value_is_the_same_up_to_symmetry<B: DesdemonaBoard>() {
    let evaluation = B::shipped();
    for board in positions::<B>(6) {
        let value = evaluation.value(&evaluation.state(&board));
        for index in 1..8 {
            let image = board.transformed(index);
            let of_image = evaluation.value(&evaluation.state(&image));
            assert_eq!(of_image, value, "{board:?} by {index}");
        }
    }
}

#[test]
fn symmetric_positions_are_worth_the_same() {
    the_value_is_the_same_up_to_symmetry::<CutBoard>();
    the_value_is_the_same_up_to_symmetry::<Board>();
}

#[test]
fn the_value_of_a_position_does_not_depend_on_the_first_side() {
    let evaluation = CutBoard::shipped();
    for board in positions::<CutBoard>(4) {
        let direct = evaluation.state(&board);
        let passed = evaluation.state(&board.pass()).pass();
        assert_eq!(passed.board, board);
        assert_eq!(evaluation.value(&direct), evaluation.value(&passed));
        assert_eq!(evaluation.complex(&direct), evaluation.complex(&passed));
        assert_eq!(evaluation.simple(&direct), evaluation.simple(&passed));
    }
}

/// The value of a board without any cutoff.
fn minimax<B: DesdemonaBoard>(evaluation: &Evaluation<B>, board: &B, depth: u32) -> i32 {
    let is_wiped_out = board.player().is_empty() || board.opponent().is_empty();
    if board.empties().is_empty() || is_wiped_out {
        return board.final_score().discs() * PER_DISC;
    }
    if depth == 0 {
        return evaluation.value(&evaluation.state(board));
    }
    if board.is_over() {
        return board.final_score().discs() * PER_DISC;
    }
    if board.must_pass() {
        return -minimax(evaluation, &board.pass(), depth);
    }
    let replies = squares(board.moves()).map(|square| board.play(square).expect("the move is legal"));
    replies.map(|after| -minimax(evaluation, &after, depth - 1)).max().expect("there is a move")
}

fn searcher<B: DesdemonaBoard>(transposition: bool, adjacency: bool) -> Searcher<B, &'static Evaluation<B>> {
    let settings = DesdemonaSettings { transposition, adjacency, ..DesdemonaSettings::default() };
    Searcher::new(B::shipped(), &settings)
}

fn agrees_with_minimax<B: DesdemonaBoard>(depth: u32, every: usize) {
    let mut searchers = [true, false].map(|transposition| searcher::<B>(transposition, true));
    for board in positions::<B>(4).iter().step_by(every) {
        let expected = minimax(B::shipped(), board, depth);
        for searcher in &mut searchers {
            let found = searcher.search_to_the_end(board, depth);
            assert_eq!(found.value, expected, "depth {depth}: {board:?}");
            let mut game = Game::from_position(Position { board: *board, turn: Color::Black });
            found.line.iter().for_each(|&square| game.play(square).expect("the line is legal"));
        }
    }
}

#[test]
fn searches_with_and_without_the_table_find_what_plain_minimax_finds() {
    agrees_with_minimax::<CutBoard>(1, 1);
    agrees_with_minimax::<CutBoard>(3, 7);
    agrees_with_minimax::<Board>(2, 1);
    agrees_with_minimax::<Board>(4, 7);
}

#[test]
fn the_transposition_table_is_cleared_between_iterations() {
    // With the values of two plies still in its table, a search of four plies would use them and go no further.
    let mut searcher = searcher::<CutBoard>(true, true);
    let mut differ = 0;
    for board in positions::<CutBoard>(2).iter().skip(20).step_by(13) {
        let shallow = searcher.search_to_the_end(board, 2).value;
        let deep = searcher.search_to_the_end(board, 4).value;
        assert_eq!(deep, minimax(CutBoard::shipped(), board, 4), "{board:?}");
        differ += u32::from(deep != shallow);
    }
    assert!(differ > 5, "{differ}");
}

#[test]
fn the_last_six_squares_are_solved() {
    for board in positions::<Board>(30).iter().filter(|board| board.empty_count() == 6) {
        let found = searcher(true, true).search_to_the_end(board, 6);
        assert_eq!(found.value, minimax(Board::shipped(), board, 6), "{board:?}");
        let mut game = Game::from_position(Position { board: *board, turn: Color::Black });
        // The table may have the value of a position without its line.
        found.line.iter().for_each(|&square| game.play(square).expect("the line is legal"));
    }
}

/// The nodes of one search.
fn nodes<B: DesdemonaBoard>(searcher: &mut Searcher<B, &'static Evaluation<B>>, board: &B, depth: u32) -> u64 {
    let stop = Stop::new();
    let mut interruption = Interruption::new(&stop, None, None);
    searcher.search(board, depth, &mut interruption).expect("nothing interrupts it");
    interruption.nodes()
}

#[test]
fn the_hash_table_saves_nodes_and_the_adjacency_tables_only_time() {
    let boards: Vec<_> = positions::<CutBoard>(3).into_iter().skip(10).step_by(17).collect();
    let count = |transposition, adjacency| {
        let mut searcher = searcher(transposition, adjacency);
        boards.iter().map(|board| nodes(&mut searcher, board, 5)).sum::<u64>()
    };
    let default_count = count(true, true);
    assert_eq!(
        count(true, false),
        default_count,
        "the same moves are found, whether potential ones are looked up or not"
    );
    let without_table = count(false, true);
    assert_eq!(count(false, false), without_table);
    assert!(without_table * 10 > default_count * 11, "{without_table} without the table, {default_count} with it");
}

#[test]
fn only_keys_of_placed_discs_give_false_hits() {
    let boards: Vec<_> = positions::<CutBoard>(3).into_iter().skip(10).step_by(17).collect();
    let audited = |keys| {
        let settings = DesdemonaSettings { keys, ..DesdemonaSettings::default() };
        let mut searcher = Searcher::<CutBoard, _>::new(CutBoard::shipped(), &settings).audited();
        let values: Vec<i32> = boards.iter().map(|board| searcher.search_to_the_end(board, 5).value).collect();
        (values, searcher.lookups().expect("look-ups are counted"))
    };
    let (values, lookups) = audited(Keys::All);
    let expected: Vec<i32> =
        boards.iter().map(|board| searcher::<CutBoard>(false, true).search_to_the_end(board, 5).value).collect();
    assert_eq!(values, expected, "without a table");
    assert!(lookups.false_hits == 0 && lookups.hits > 0 && lookups.hits < lookups.all, "{lookups:?}");
    let (misled, lookups) = audited(Keys::Placed);
    assert_ne!(misled, expected);
    assert!(lookups.false_hits > 0 && lookups.false_hits < lookups.hits, "{lookups:?}");
    assert_eq!(searcher::<CutBoard>(false, true).audited().lookups(), None, "no table, no look-ups");
}

#[test]
fn neither_side_is_far_ahead_at_the_start() {
    fn value<B: DesdemonaBoard>() -> f64 {
        B::shipped().explain(&B::start()).value
    }
    // The start is symmetric; 8x8 Othello is a draw.
    assert!(value::<CutBoard>().abs() < 3.0, "{}", value::<CutBoard>());
    assert!(value::<Board>().abs() < 3.0, "{}", value::<Board>());
}

fn choose<B: DesdemonaBoard>(player: &mut Desdemona<B>, game: &Game<B>, limits: Limits) -> Choice {
    player.choose(game, &limits, &mut Silent, &Stop::new()).expect("there is a move")
}

fn desdemona<B: DesdemonaBoard>() -> Desdemona<B> {
    Desdemona::new(DesdemonaSettings::default())
}

#[test]
fn depth_and_level_limit_the_search_and_the_default_is_the_depth_of_the_original() {
    let game = Game::<Board>::new();
    let depth = |limits| choose(&mut desdemona(), &game, limits).depth;
    assert_eq!(depth(Limits::of_depth(3)), 3);
    assert_eq!(depth(Limits::of_level(4)), 4);
    assert_eq!(depth(Limits { depth: Some(5), ..Limits::of_level(2) }), 2);
    assert_eq!(depth(Limits::of_level(0)), 1);
    assert_eq!(depth(Limits::of_depth(0)), 1);
    assert_eq!(depth(Limits::default()), HISTORICAL_DEPTH);
    let mut historical = Desdemona::new(DesdemonaSettings { historical: true, ..DesdemonaSettings::default() });
    assert_eq!(choose(&mut historical, &game, Limits::of_depth(20)).depth, HISTORICAL_DEPTH);
    assert_eq!(choose(&mut historical, &game, Limits::of_depth(5)).depth, 5);
}

#[test]
fn limits_of_nodes_and_time_end_a_search_and_leave_a_move() {
    let game = Game::<CutBoard>::default();
    let choice = choose(&mut desdemona(), &game, Limits::of_nodes(10_000));
    assert!(choice.nodes <= 10_000 && choice.depth > 1, "{choice:?}");
    for limits in [
        Limits::of_time(Duration::from_millis(20)),
        Limits::of_clock(GameClock::new(Duration::from_millis(600))),
        Limits::of_clock(GameClock { remaining: Duration::ZERO, increment: Duration::from_secs(1000) }),
    ] {
        let choice = choose(&mut desdemona(), &game, limits);
        // The player guarantees 10 ms; the rest is for a busy machine.
        assert!(choice.time < Duration::from_millis(500), "{choice:?}");
        assert!(game.clone().play(choice.square).is_ok());
    }
    assert_eq!(choose(&mut desdemona(), &game, Limits::of_time(Duration::ZERO)).depth, 1);
    assert_eq!(choose(&mut desdemona(), &game, Limits::of_nodes(0)).depth, 1);
}

#[test]
fn a_search_is_stopped_from_another_thread() {
    let limits = Limits::of_depth(80);
    let Stopped { choice, reports, late } = stopped_after::<CutBoard>(desdemona(), &limits, Duration::from_millis(200));
    assert!(late < Duration::from_millis(500), "{late:?}");
    let last = reports.last().expect("there was time for a report");
    assert_eq!((last.line[0], last.depth), (choice.square, choice.depth));
    assert!(reports.windows(2).all(|pair| pair[0].depth + 1 == pair[1].depth && pair[0].nodes < pair[1].nodes));
}

#[test]
fn endgames_are_solved_and_reported_as_solved() {
    let boards = positions::<CutBoard>(20);
    for board in boards.into_iter().filter(|board| board.empties().count() == 5) {
        let game = Game::from_position(Position { board, turn: Color::White });
        let choice = choose(&mut desdemona(), &game, Limits::of_depth(60));
        let expected = minimax(CutBoard::shipped(), &board, 5) / PER_DISC;
        assert_eq!(choice.value, Some(Estimate::Solved(Score::new(expected as i8))), "{board:?}");
    }
}

#[test]
fn a_clock_of_a_second_lasts_for_a_whole_game_on_both_boards() {
    fn play<B: DesdemonaBoard>() {
        let mut players = [desdemona::<B>(), desdemona::<B>()];
        let mut clocks = [GameClock::new(Duration::from_secs(1)); 2];
        let mut game = Game::<B>::default();
        while !game.is_over() {
            let side = usize::from(game.position().turn == Color::White);
            let start = Instant::now();
            let choice = choose(&mut players[side], &game, Limits::of_clock(clocks[side]));
            assert!(clocks[side].spend(start.elapsed()), "the clock was overstepped at {} moves", game.move_count());
            game.play(choice.square).expect("the move is legal");
        }
    }
    play::<CutBoard>();
    play::<Board>();
}

#[test]
fn weighted_square_is_beaten_with_the_same_depth() {
    use single_strategy::OneIdeaPlayer;
    use single_strategy::WeightedSquare;

    fn points<B: DesdemonaBoard>(openings: u64) -> i32 {
        let mut points = 0;
        for seed in 0..openings {
            for desdemona_is in [Color::Black, Color::White] {
                let mut game = Game::<B>::default();
                let mut opening = RandomPlayer::new(seed);
                let mut ours = desdemona::<B>();
                let mut theirs = OneIdeaPlayer::new(WeightedSquare::<B>::new(), seed);
                while let Some(color) = (!game.is_over()).then(|| game.position().turn) {
                    let limits = Limits::of_depth(4);
                    let player: &mut dyn Player<B> = match () {
                        () if game.move_count() < 8 => &mut opening,
                        () if color == desdemona_is => &mut ours,
                        () => &mut theirs,
                    };
                    let choice = player.choose(&game, &limits, &mut Silent, &Stop::new()).expect("there is a move");
                    game.play(choice.square).expect("the move is legal");
                }
                let score = game.score().expect("the game is over").discs().signum();
                points += if desdemona_is == Color::Black { score } else { -score };
            }
        }
        points
    }
    for (board, points) in [("8x8", points::<Board>(10)), ("cs221", points::<CutBoard>(10))] {
        assert!(points > 4, "{points} more games won than lost of 20 on {board}");
    }
}

#[test]
fn a_finished_game_has_no_move_to_choose() {
    let full = CutBoard::from_discs(CutBoard::PLAYABLE, 0);
    let game = Game::from_position(Position { board: full, turn: Color::Black });
    let answer = desdemona().choose(&game, &Limits::default(), &mut Silent, &Stop::new());
    assert_eq!(answer, Err(PlayerError::GameOver));
    assert!(CutBoard::shipped().explain(&full).value.is_finite());
}
