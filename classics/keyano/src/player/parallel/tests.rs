//! Parallel searches against searches by one party.

use std::time::{Duration, Instant};

use engine::{Choice, Estimate, Limits, Player, Silent, Stop};
use othello::{Board, Color, Game, Position, Rules, Square, squares};
use search::samples::{Origin, Samples};

use super::crew::Leader;
use super::link::{Event, Link};
use super::young_brothers::party::Party;
use super::*;
use crate::player::search::{Memory, Search};
use crate::player::tables::Tables;
use crate::player::{Keyano, Method, ProbCut, Settings};
use engine::interruption::Interruption;

const METHODS: [Method; 2] = [Method::Aphid, Method::YoungBrothers];

/// Without what makes values depend on the path: the table and ProbCut.
fn plain() -> Settings {
    Settings { probcut: ProbCut::Off, table: None, ..Settings::default() }
}

fn positions(count: usize, seed: u64, fewest: u32) -> Vec<Board> {
    let mut samples = Samples::<Board>::new(seed);
    let origin = |number: usize| [Origin::RandomGame, Origin::SensibleGame, Origin::GreedyGame][number % 3];
    (0..count).map(|number| samples.position_with_moves(origin(number), fewest + 3 * (number as u32 % 11))).collect()
}

fn world(latency: u64) -> World {
    World { latency, loses: None }
}

fn value(run: &Run) -> i32 {
    run.best.expect("a move").1
}

#[test]
fn every_number_of_workers_finds_the_value_of_one_party() {
    for (number, board) in positions(33, 101, 20).into_iter().enumerate() {
        let (frontier, depth) = [(1, 5), (2, 7), (3, 7)][number % 3];
        let expected = alone(&plain(), &board, depth);
        for method in METHODS {
            for (workers, latency) in [(1, 0), (2, 1000), (5, 100)] {
                let settings = Settings { workers, method, frontier, ..plain() };
                let run = simulate(&settings, &board, depth, world(latency));
                assert_eq!(value(&run), value(&expected), "{method:?}, {workers} workers, depth {depth}, {board:?}");
            }
        }
    }
}

#[test]
fn young_brothers_find_the_same_value_with_tables() {
    for board in positions(12, 103, 20) {
        let base = Settings { parity: false, table: Some(14), probcut: ProbCut::Off, ..Settings::default() };
        let expected = alone(&base, &board, 7);
        for shared_table in [false, true] {
            let settings = Settings { workers: 4, method: Method::YoungBrothers, shared_table, ..base };
            assert_eq!(value(&simulate(&settings, &board, 7, world(20))), value(&expected), "{board:?}");
        }
    }
}

#[test]
fn a_cutoff_while_a_party_helps_others_is_not_its_end() {
    // Here the first party took one for its end, and there was no move.
    let board = positions(40, 117, 20)[39];
    let settings = Settings { workers: 32, method: Method::YoungBrothers, table: Some(14), ..Settings::default() };
    assert!(simulate(&settings, &board, 11, world(50)).best.is_some());
}

#[test]
fn a_simulation_is_the_same_again() {
    let board = positions(1, 105, 30)[0];
    for method in METHODS {
        for shared_table in [false, true] {
            let settings = Settings { workers: 5, method, shared_table, table: Some(14), ..Settings::default() };
            let run = || simulate(&settings, &board, 8, world(30));
            assert_eq!(run(), run(), "{method:?}");
        }
    }
}

#[test]
fn a_worker_that_is_lost_in_the_middle_of_a_search_costs_time_and_not_the_move() {
    for (number, board) in positions(8, 107, 24).into_iter().enumerate() {
        let expected = value(&alone(&plain(), &board, 7));
        for method in METHODS {
            for workers in [1, 2, 4] {
                let settings = Settings { workers, method, ..plain() };
                let whole = simulate(&settings, &board, 7, world(50));
                let last = if method == Method::Aphid { workers } else { workers - 1 };
                // The first party of Young Brothers Wait has the root, as the manager of APHID has.
                for party in (1..=last).skip(number % 2).step_by(2) {
                    let loses = Some((party, whole.time / 3));
                    let run = simulate(&settings, &board, 7, World { latency: 50, loses });
                    assert_eq!(value(&run), expected, "{method:?}, {workers} workers without {party}, {board:?}");
                }
            }
        }
    }
}

#[test]
fn without_its_only_worker_the_manager_searches_alone() {
    let board = positions(1, 109, 30)[0];
    let settings = Settings { workers: 1, ..plain() };
    let expected = alone(&plain(), &board, 8);
    let whole = simulate(&settings, &board, 8, world(50));
    let run = simulate(&settings, &board, 8, World { latency: 50, loses: Some((1, whole.time / 2)) });
    assert_eq!(value(&run), value(&expected));
    assert!(run.nodes > expected.nodes, "what the worker had found is lost: {run:?} beside {expected:?}");
}

/// A link of threads that writes every message as text and reads it again, as one between machines would.
struct TextLink<M>(threads::ThreadLink<String>, std::marker::PhantomData<fn() -> M>);

impl<M: serde::de::DeserializeOwned> TextLink<M> {
    fn read(event: Event<String>) -> Event<M> {
        match event {
            Event::Message { from, message } => {
                Event::Message { from, message: serde_json::from_str(&message).expect("what was written") }
            }
            Event::Lost(party) => Event::Lost(party),
        }
    }
}

impl<M: serde::Serialize + serde::de::DeserializeOwned> Link<M> for TextLink<M> {
    fn me(&self) -> usize {
        self.0.me()
    }

    fn parties(&self) -> usize {
        self.0.parties()
    }

    fn send(&mut self, to: usize, message: M) {
        self.0.send(to, serde_json::to_string(&message).expect("plain data"));
    }

    fn worked(&mut self, nodes: u64) {
        self.0.worked(nodes);
    }

    fn receive(&mut self) -> Option<Event<M>> {
        self.0.receive().map(Self::read)
    }

    fn wait(&mut self, patience: u64) -> Option<Event<M>> {
        self.0.wait(patience).map(Self::read)
    }

    fn now(&self) -> u64 {
        self.0.now()
    }
}

#[test]
fn messages_that_travel_as_text_lead_to_the_same_value() {
    let settings = Settings { workers: 2, ..plain() };
    for board in positions(3, 111, 30) {
        let expected = value(&alone(&plain(), &board, 7));
        for method in METHODS {
            let (first, others) = threads::links(2);
            let found = std::thread::scope(|scope| {
                for link in others {
                    scope.spawn(|| {
                        let mut memory = Memory::new(&settings);
                        let tables = Tables::shipped();
                        match method {
                            Method::Aphid => {
                                let link = Box::new(TextLink(link, std::marker::PhantomData));
                                aphid::worker::work(link, tables, &settings, &mut memory, None)
                            }
                            Method::YoungBrothers => {
                                let link = Box::new(TextLink(link, std::marker::PhantomData));
                                young_brothers::party::work(link, tables, &settings, &mut memory, None)
                            }
                        }
                    });
                }
                let stop = Stop::new();
                let (mut leader, flag) = match method {
                    Method::Aphid => {
                        let link = Box::new(TextLink(first, std::marker::PhantomData));
                        (Leader::manager(link, &settings), stop)
                    }
                    Method::YoungBrothers => {
                        let party = Party::new(Box::new(TextLink(first, std::marker::PhantomData)), stop);
                        let flag = party.flag();
                        (Leader::YoungBrothers(party), flag)
                    }
                };
                let mut memory = Memory::new(&settings);
                let interruption = Interruption::new(&flag, None, None);
                let mut search = Search::new(Tables::shipped(), &settings, &mut memory, interruption);
                let moves: Vec<Square> = squares(board.moves()).collect();
                let result = leader.root(&mut search, &board, &moves, 7);
                leader.end();
                result
            });
            assert_eq!(found.best.map(|(_, value)| value), Some(expected), "{method:?} on {board:?}");
        }
    }
}

fn chosen(settings: Settings, board: Board, limits: &Limits) -> Choice {
    let game = Game::from_position(Position { board, turn: Color::Black });
    Keyano::new(settings).choose(&game, limits, &mut Silent, &Stop::new()).expect("there is a move")
}

#[test]
fn players_with_several_threads_value_a_position_as_one_thread_does() {
    for board in positions(6, 113, 30) {
        let expected = chosen(plain(), board, &Limits::of_depth(7));
        for method in METHODS {
            let choice = chosen(Settings { workers: 3, method, ..plain() }, board, &Limits::of_depth(7));
            assert_eq!((choice.value, choice.depth), (expected.value, 7), "{method:?} on {board:?}");
            assert!(choice.nodes > 0 && board.play(choice.square).is_some());
        }
    }
}

#[test]
fn players_with_several_threads_obey_every_limit() {
    for method in METHODS {
        for shared_table in [false, true] {
            let settings = Settings { workers: 3, method, shared_table, table: Some(14), ..Settings::default() };
            for nodes in [1_000, 50_000, 300_000] {
                let choice = chosen(settings, Board::start(), &Limits::of_nodes(nodes));
                assert!(choice.nodes <= nodes, "{} of {nodes} nodes with {method:?}", choice.nodes);
                assert!(choice.nodes >= nodes / 4, "{} of {nodes} nodes with {method:?}", choice.nodes);
            }
            for depth in [1, 3, 5, 6, 9] {
                assert_eq!(chosen(settings, Board::start(), &Limits::of_depth(depth)).depth, depth);
            }
            let start = Instant::now();
            chosen(settings, Board::start(), &Limits::of_time(Duration::from_millis(50)));
            // A busy machine may delay us.
            assert!(start.elapsed() < Duration::from_millis(550), "{:?}", start.elapsed());
        }
    }
}

#[test]
fn endgames_are_solved_after_a_search_by_several_threads() {
    let board = Samples::<Board>::new(115).position_with_moves(Origin::SensibleGame, 15);
    for method in METHODS {
        let settings = Settings { workers: 2, method, table: Some(14), ..Settings::default() };
        let choice = chosen(settings, board, &Limits::of_depth(15));
        assert_eq!(choice.value, Some(Estimate::Solved(search::negamax::score(&board))), "{method:?}");
    }
}

#[test]
fn several_threads_stop_at_once() {
    for method in METHODS {
        let mut keyano = Keyano::new(Settings { workers: 3, method, table: Some(14), ..Settings::default() });
        let stop = Stop::new();
        let from_outside = stop.clone();
        let waiting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            from_outside.set();
            Instant::now()
        });
        let choice = keyano.choose(&Game::new(), &Limits::of_depth(60), &mut Silent, &stop).unwrap();
        // A busy machine may delay us; every party looks after some hundred nodes or a millisecond.
        let late = waiting.join().unwrap().elapsed();
        assert!(late < Duration::from_millis(500), "{late:?} with {method:?}");
        assert!(choice.depth >= 1);
    }
}
