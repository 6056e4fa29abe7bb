//! Every player of this crate on extreme positions and under every kind of limit: each answers with a legal move, or
//! with the error that the game is over, and none panics, with any of its settings.
//!
//! A new player is one line in `players_of_8x8`.

use std::time::{Duration, Instant};

use bill::{Bill, BillSettings, Version};
use desdemona::{Desdemona, DesdemonaBoard, DesdemonaSettings};
use engine::RandomPlayer;
use engine::explanation::Explanation;
use engine::settings::Settings;
use engine::{GameClock, Level, Limits, Options, Player, PlayerError, Silent, Stop};
use iago::{Iago, IagoSettings};
use keyano::Keyano;
use logistello::{LogistelloPlayer, LogistelloSettings};
use othello::{Board, Color, CutBoard, Game, Position, Rules, SquareSet, squares};
use search::samples::{Origin, Samples};
use single_strategy::WeightedSquare;
use single_strategy::{MaximumDisc, MinimumDisc, OneIdeaPlayer};

/// A player with its settings.
struct Candidate<B: Rules> {
    label: String,
    player: Box<dyn Player<B>>,
}

/// The player with default settings, and with each value of each setting.
fn with_every_setting<B: Rules, S: Settings>(name: &str, make: impl Fn(S) -> Box<dyn Player<B>>) -> Vec<Candidate<B>> {
    let mut candidates = vec![Candidate { label: name.to_owned(), player: make(S::default()) }];
    for setting in S::LIST {
        // The first value is the default; a range is tested at its ends.
        for value in setting.values.split(", ").skip(1).flat_map(|values| values.split(" to ")) {
            if let Ok(settings) = S::of([(setting.name, value)]) {
                candidates
                    .push(Candidate { label: format!("{name}@{}={value}", setting.name), player: make(settings) });
            }
        }
    }
    candidates
}

fn one_idea_players<B: Rules>() -> Vec<Candidate<B>> {
    let players: Vec<Box<dyn Player<B>>> = vec![
        Box::new(RandomPlayer::new(1)),
        Box::new(OneIdeaPlayer::new(MaximumDisc, 1)),
        Box::new(OneIdeaPlayer::new(MinimumDisc, 1)),
        Box::new(OneIdeaPlayer::new(WeightedSquare::<B>::new(), 1)),
    ];
    players.into_iter().map(|player| Candidate { label: player.name().to_owned(), player }).collect()
}

/// The table size of the players in MB: small, because many are created.
const TABLE_MEGABYTES: usize = 1;

fn players_of_8x8() -> Vec<Candidate<Board>> {
    let options = Options { table_megabytes: TABLE_MEGABYTES, threads: 1, default_level: None, seed: 1 };
    let mut players = one_idea_players();
    players.extend(with_every_setting("iago", |settings: IagoSettings| Box::new(Iago::new(settings))));
    for (name, version) in [("bill2", Version::Two), ("bill3", Version::Three)] {
        players.extend(with_every_setting(name, |settings: BillSettings| {
            Box::new(Bill::new(version, settings, TABLE_MEGABYTES))
        }));
    }
    players.extend(with_every_setting("logistello", |settings: LogistelloSettings| {
        Box::new(LogistelloPlayer::new(&settings, &options).expect("the table is small"))
    }));
    players.extend(with_every_setting("keyano", |settings: keyano::Settings| Box::new(Keyano::new(settings))));
    players.extend(desdemonas());
    players
}

fn players_of_92_squares() -> Vec<Candidate<CutBoard>> {
    let mut players = one_idea_players();
    players.extend(desdemonas());
    players
}

fn desdemonas<B: DesdemonaBoard>() -> Vec<Candidate<B>> {
    with_every_setting("desdemona", |settings: DesdemonaSettings| Box::new(Desdemona::<B>::new(settings)))
}

/// A program's explanation of a position.
type Explain = fn(&Board) -> Explanation;

/// The programs' static explanations of a position.
const EXPLANATIONS: [(&str, Explain); 6] = [
    ("iago", iago::explain),
    ("bill2", bill::explain_bill2),
    ("bill3", bill::explain_bill3),
    ("logistello", logistello::explain),
    ("keyano", keyano::explain),
    ("desdemona", |board| Board::shipped().explain(board)),
];

/// A drawing of 8x8: X is to move.
fn drawn(drawing: &str) -> Board {
    let rows: String = drawing.split_whitespace().collect();
    let position: Position = format!("{rows} X").parse().expect("the drawing is a board");
    position.board
}

/// Positions that are rare in games, each with few empty squares or few moves, so that searches are short.
fn extreme_8x8() -> Vec<Board> {
    let full = u64::MAX;
    let mut boards = vec![
        // No discs at all, one disc, a full board of one side, of the other, and of both.
        Board::new(0, 0),
        Board::new(1, 0),
        Board::new(0, 1),
        Board::new(full, 0),
        Board::new(0, full),
        Board::new(0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa),
        // One side wiped out with squares left, the whole rim or the centre empty.
        Board::new(0x007e_7e7e_7e7e_7e00, 0),
        Board::new(0, 0x007e_7e7e_7e7e_7e00),
        Board::new(0, !0x0000_0018_1800_0000),
        // One empty square: a move for the side to move, for the other side only, for neither.
        Board::new(full & !0b11, 0b10),
        Board::new(0b10, full & !0b11),
        Board::new(full & !1, 0),
        // Discs in the corners only, and on the X-squares only.
        Board::new(0x8000_0000_0000_0001, 0x0100_0000_0000_0080),
        Board::new(0x0040_0000_0000_0200, 0x0002_0000_0000_4000),
        // A checkerboard except for one row: many lines, no long flips.
        Board::new(0x55aa_55aa_55aa_5500, 0xaa55_aa55_aa55_aa00),
    ];
    boards.extend(
        [
            // The one move wipes the opponent out.
            "XO------ -------- -------- -------- -------- -------- -------- --------",
            // The side to move has to pass, and so has its opponent after the next move.
            "-OOOOOOX -------- -------- -------- -------- -------- -------- --------",
            "OX------ -------- -------- -------- -------- -------- -------- --------",
            // Neither can move, with most squares empty.
            "XX------ XX------ -------- -------- -------- -------- ------OO ------OO",
            // Both rims are closed, only corners are left.
            "-OOOOOO- OXXXXXXO OXXXXXXO OXXXXXXO OXXXXXXO OXXXXXXO OXXXXXXO -OOOOOO-",
            "-XXXXXX- XOOOOOOX XOOOOOOX XOOOOOOX XOOOOOOX XOOOOOOX XOOOOOOX -XXXXXX-",
            // The longest flips of all.
            "-OOOOOOX O------- O------- O------- O------- O------- O------- X-------",
        ]
        .map(drawn),
    );
    let mut samples = Samples::<Board>::new(11);
    for empty_count in [1, 2, 3, 4, 6, 8] {
        boards.extend(Origin::ALL.map(|origin| samples.position(origin, empty_count)));
        boards.push(samples.position(Origin::RandomDiscs, empty_count));
    }
    boards
}

/// The same kinds of positions on the board of 92 squares.
fn extreme_92_squares() -> Vec<CutBoard> {
    let all = CutBoard::PLAYABLE;
    let square = |name: &str| 1u128 << CutBoard::GEOMETRY.parse_square(name).expect("the name of a square").index();
    let mut boards = vec![
        CutBoard::from_discs(0, 0),
        CutBoard::from_discs(square("a1"), 0),
        CutBoard::from_discs(0, square("d1")),
        CutBoard::from_discs(all, 0),
        CutBoard::from_discs(0, all),
        CutBoard::from_discs(all & !square("a1"), 0),
        CutBoard::from_discs(all & !square("a1") & !square("b1"), square("b1")),
        CutBoard::from_discs(square("b1"), all & !square("a1") & !square("b1")),
        CutBoard::from_discs(square("a1"), square("b1")),
        CutBoard::from_discs(square("d1"), square("g1")),
    ];
    // Random discs, with fewer and fewer empty squares.
    let mut state = 1u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for empty_count in [1, 2, 4, 6, 8] {
        let mut sets = [0u128; 2];
        let mut empties = all;
        while empties.count() > empty_count {
            let square = squares(empties).nth(below(u64::from(empties.count())) as usize).expect("there is one");
            empties &= !u128::only(square);
            sets[usize::from(below(3) == 0)] |= u128::only(square);
        }
        boards.push(CutBoard::from_discs(sets[0], sets[1]));
    }
    boards
}

fn clock(remaining: Duration, increment: Duration) -> Limits {
    Limits::of_clock(GameClock { remaining, increment })
}

/// Every kind of limit, and none.
fn limits() -> Vec<Limits> {
    let milliseconds = Duration::from_millis;
    vec![
        Limits::default(),
        Limits::of_depth(0),
        Limits::of_depth(1),
        Limits::of_depth(4),
        Limits::of_depth(u32::MAX),
        Limits::of_nodes(0),
        Limits::of_nodes(1),
        Limits::of_nodes(500),
        Limits::of_time(Duration::ZERO),
        Limits::of_time(Duration::from_micros(1)),
        Limits::of_time(milliseconds(2)),
        clock(Duration::ZERO, Duration::ZERO),
        clock(Duration::from_nanos(1), Duration::ZERO),
        clock(milliseconds(1), milliseconds(1)),
        clock(milliseconds(50), Duration::ZERO),
        clock(Duration::ZERO, Duration::from_secs(3600)),
        Limits::of_level(0),
        Limits::of_level(3),
        Limits { selectivity: Some(0), ..Limits::of_depth(3) },
        Limits {
            depth: Some(2),
            selectivity: Some(100),
            nodes: Some(100),
            move_time: Some(milliseconds(2)),
            clock: Some(GameClock::new(milliseconds(100))),
            level: Level::new(2).ok(),
        },
    ]
}

/// Asks for a move and checks the answer; it may take a second even without a time limit, and no longer with a short
/// one: the machine may be busy.
fn ask<B: Rules>(candidate: &mut Candidate<B>, game: &Game<B>, limits: &Limits, stop: &Stop) {
    let board = game.position().board;
    let start = Instant::now();
    let answer = candidate.player.choose(game, limits, &mut Silent, stop);
    let took = start.elapsed();
    let asked = || format!("{} at {board:?} under {limits:?}", candidate.label);
    match answer {
        Ok(choice) => {
            assert!(board.moves().has(choice.square), "{} played {:?}", asked(), choice.square);
            let mut line = game.clone();
            for &square in &choice.line {
                line.play(square).unwrap_or_else(|error| panic!("{}: in its line {error}", asked()));
            }
        }
        Err(PlayerError::GameOver) => assert!(board.is_over(), "{} saw no move", asked()),
        Err(error) => panic!("{}: {error}", asked()),
    }
    assert!(took < Duration::from_secs(10), "{} took {took:?}", asked());
}

fn extreme_positions_are_survived<B: Rules>(mut candidates: Vec<Candidate<B>>, boards: &[B]) {
    for candidate in &mut candidates {
        for (number, &board) in boards.iter().enumerate() {
            candidate.player.new_game().expect("a new game can always begin");
            let turn = if number % 2 == 0 { Color::Black } else { Color::White };
            for board in [board, board.pass()] {
                let game = Game::from_position(Position { board, turn });
                for limits in &limits() {
                    ask(candidate, &game, limits, &Stop::new());
                }
            }
        }
    }
}

#[test]
fn extreme_positions_of_8x8_are_survived_under_all_limits() {
    extreme_positions_are_survived(players_of_8x8(), &extreme_8x8());
}

#[test]
fn extreme_positions_of_92_squares_are_survived_under_all_limits() {
    extreme_positions_are_survived(players_of_92_squares(), &extreme_92_squares());
}

#[test]
fn all_kinds_are_among_the_extreme_positions() {
    let boards = extreme_8x8();
    let sides = || boards.iter().flat_map(|board| [*board, board.pass()]);
    assert!(sides().filter(Board::is_over).count() > 10);
    assert!(sides().filter(Board::must_pass).count() > 5);
    assert!(sides().filter(Board::can_move).count() > 20);
    // A double pass: after a move neither side can go on, and yet squares are empty.
    let ends = |board: Board| squares(board.moves()).any(|square| board.play(square).unwrap().is_over());
    assert!(sides().any(|board| board.empty_count() > 20 && ends(board)));
}

#[test]
fn every_limit_is_obeyed_in_the_middle_of_a_game() {
    let mut samples = Samples::<Board>::new(5);
    let boards = [50, 36, 22].map(|empties| samples.position_with_moves(Origin::SensibleGame, empties));
    for candidate in &mut players_of_8x8() {
        for board in boards {
            let game = Game::from_position(Position { board, turn: Color::White });
            // Deep searches without any other limit take as long as they like.
            let is_quick = |limits: &&Limits| {
                **limits != Limits::default() && limits.depth != Some(u32::MAX) && limits.level != Level::new(3).ok()
            };
            for limits in limits().iter().filter(is_quick) {
                ask(candidate, &game, limits, &Stop::new());
            }
            // Even if told to stop before it started, a player has to answer.
            let stop = Stop::new();
            stop.set();
            ask(candidate, &game, &Limits::default(), &stop);
            ask(candidate, &game, &Limits::of_depth(40), &stop);
        }
    }
}

fn whole_games_are_legal<B: Rules>(candidates: Vec<Candidate<B>>) {
    for (seed, mut candidate) in candidates.into_iter().enumerate() {
        for color in [Color::Black, Color::White] {
            let mut opponent = RandomPlayer::new(seed as u64);
            candidate.player.new_game().expect("a new game can always begin");
            let mut game = Game::<B>::default();
            while !game.is_over() {
                let is_ours = game.position().turn == color;
                let player: &mut dyn Player<B> = if is_ours { &mut *candidate.player } else { &mut opponent };
                let limits = Limits { nodes: Some(2000), ..Limits::of_depth(3) };
                let choice = player.choose(&game, &limits, &mut Silent, &Stop::new());
                let choice = choice.unwrap_or_else(|error| panic!("{}: {error}", candidate.label));
                game.play(choice.square).unwrap_or_else(|error| panic!("{}: {error}", candidate.label));
            }
            let answer = candidate.player.choose(&game, &Limits::default(), &mut Silent, &Stop::new());
            assert_eq!(answer, Err(PlayerError::GameOver), "{}", candidate.label);
        }
    }
}

#[test]
fn whole_games_of_every_player_are_legal() {
    whole_games_are_legal(players_of_8x8());
    whole_games_are_legal(players_of_92_squares());
}

#[test]
fn every_program_can_explain_an_extreme_position() {
    for board in extreme_8x8() {
        for board in [board, board.pass()] {
            for (name, explain) in EXPLANATIONS {
                let Explanation { parts, value, win_probability, .. } = explain(&board);
                assert!(value.is_finite(), "{name} at {board:?}");
                assert!(parts.iter().all(|part| part.value.is_finite()), "{name} at {board:?}");
                assert!(win_probability.is_none_or(|chance| (0.0..=1.0).contains(&chance)), "{name} at {board:?}");
            }
        }
    }
    for board in extreme_92_squares() {
        assert!(CutBoard::shipped().explain(&board).value.is_finite());
    }
}
