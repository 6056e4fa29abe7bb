//! The cost of BILL's searches: nodes of every iteration and total time, over positions of its own games.

use std::sync::Arc;
use std::time::Duration;

use crate::player::edge_table::EdgeTable;
use crate::player::evaluation::{Evaluation, LINEAR_WEIGHTS};
use crate::player::search::{Goal, Searcher};
use crate::player::tables::BillTables;
use crate::player::{Bill, BillSettings, Version};
use engine::interruption::Interruption;
use engine::{Limits, Player, Silent, Stop};
use othello::{Board, Color, Rules};
use serde::{Deserialize, Serialize};

use laboratory::duel::openings;
use laboratory::{ExperimentError, Setup};

/// Megabytes of the hash table.
const TABLE: usize = 16;

/// The search depth of the games that positions are taken from.
const GAME_PLIES: u32 = 2;

/// The number of iterations over which the growth of the nodes is averaged: even, because odd iterations cost less.
const GROWTH_PLIES: usize = 4;

/// A variant of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    /// Its name.
    pub(super) name: &'static str,
    /// The settings.
    pub(super) settings: BillSettings,
    /// Whether the first move is searched with a narrow window around the value of the previous iteration.
    pub(super) is_narrow: bool,
}

impl Variant {
    /// A variant with the narrow window.
    pub(super) fn new(name: &'static str, settings: BillSettings) -> Self {
        Self { name, settings, is_narrow: true }
    }
}

/// The cost of some searches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Cost {
    /// The nodes of each iteration, that of one ply first. A search without iterative deepening has only the last.
    pub(super) nodes: Vec<u64>,
    /// The time of all iterations.
    pub(super) time: Duration,
}

impl Cost {
    /// The nodes of all iterations.
    pub(super) fn total(&self) -> f64 {
        self.nodes.iter().sum::<u64>() as f64
    }

    /// The effective branching factor: the factor by which each ply multiplies the nodes, on average over the last
    /// plies.
    pub(super) fn branching(&self) -> Option<f64> {
        let last = self.nodes.len().checked_sub(1)?;
        let before = last.checked_sub(GROWTH_PLIES)?;
        let (few, many) = (self.nodes[before], self.nodes[last]);
        (few > 0 && many > 0).then(|| (many as f64 / few as f64).powf(1.0 / GROWTH_PLIES as f64))
    }
}

/// Positions of games that BILL 2.0 plays against itself from even openings, up to the wanted number for each number of
/// empty squares; each from a different game, and with several legal moves.
pub(super) fn positions(
    setup: &Setup<'_>,
    empty_counts: &[u32],
    wanted: usize,
) -> Result<Vec<(u32, Board)>, ExperimentError> {
    let openings = openings()?;
    let mut bill = Bill::new(Version::Two, BillSettings::default(), 1);
    let failed = |reason: String| ExperimentError::Player { player: "bill2".to_owned(), reason };
    let mut positions = Vec::new();
    let mut games = openings.iter().cycle().skip(setup.seed as usize % openings.len().max(1)).take(openings.len());
    for _ in 0..wanted {
        for &empty_count in empty_counts {
            // A game that is over or has a forced move there has no such position.
            for opening in games.by_ref() {
                if setup.stop.is_set() {
                    return Err(ExperimentError::Stopped);
                }
                let mut game = opening.clone();
                bill.new_game().map_err(|error| failed(error.to_string()))?;
                while !game.is_over() && game.position().board.empty_count() > empty_count {
                    let choice = bill.choose(&game, &Limits::of_depth(GAME_PLIES), &mut Silent, setup.stop);
                    let square = choice.map_err(|error| failed(error.to_string()))?.square;
                    game.play(square).map_err(|error| failed(error.to_string()))?;
                }
                let board = game.position().board;
                if board.moves().count_ones() > 1 {
                    positions.push((empty_count, board));
                    break;
                }
            }
        }
    }
    Ok(positions)
}

/// The average number of legal moves.
pub(super) fn mean_moves(boards: &[Board]) -> f64 {
    boards.iter().map(|board| f64::from(board.moves().count_ones())).sum::<f64>() / boards.len() as f64
}

/// The cost of searching these positions to this depth with each variant. All variants search a position before the
/// next one, so that other load on the machine affects all of them.
pub(super) fn costs(
    setup: &mut Setup<'_>,
    boards: &[Board],
    plies: u32,
    variants: &[Variant],
) -> Result<Vec<Cost>, ExperimentError> {
    let edges = Arc::new(EdgeTable::new(&BillTables::shipped().edges));
    let searcher = |variant: &Variant| {
        Searcher::new(Arc::clone(&edges), Evaluation::Linear(LINEAR_WEIGHTS), variant.settings, TABLE)
    };
    let mut searchers: Vec<Searcher> = variants.iter().map(searcher).collect();
    let nothing = Cost { nodes: vec![0; plies as usize], time: Duration::ZERO };
    let mut costs = vec![nothing.clone(); variants.len()];
    for (number, board) in boards.iter().enumerate() {
        (setup.progress)(&format!("position {} of {}", number + 1, boards.len()));
        let found: Vec<Cost> = setup.part("position", |setup| {
            let mut found = vec![nothing.clone(); variants.len()];
            for ((variant, searcher), cost) in variants.iter().zip(&mut searchers).zip(&mut found) {
                search(searcher, board, variant, plies, cost, setup.stop).ok_or(ExperimentError::Stopped)?;
            }
            Ok(found)
        })?;
        for (cost, found) in costs.iter_mut().zip(found) {
            cost.nodes.iter_mut().zip(found.nodes).for_each(|(sum, nodes)| *sum += nodes);
            cost.time += found.time;
        }
    }
    Ok(costs)
}

/// Adds the cost of one search that starts with empty tables.
fn search(
    searcher: &mut Searcher,
    board: &Board,
    variant: &Variant,
    plies: u32,
    cost: &mut Cost,
    stop: &Stop,
) -> Option<()> {
    searcher.clear();
    let turn = Color::Black;
    let mut interruption = Interruption::new(stop, None, None);
    interruption.arm();
    let mut moves = searcher.ordered_moves(board, turn);
    let mut guess = None;
    let first = if variant.settings.deepening { 1 } else { plies };
    for depth in first..=plies {
        let before = interruption.nodes();
        let found = searcher.search(board, turn, &moves, Goal::Depth(depth), guess, &mut interruption)?;
        cost.nodes[depth as usize - 1] += interruption.nodes() - before;
        guess = variant.is_narrow.then_some(found.value);
        let index = moves.iter().position(|&square| square == found.square)?;
        moves[..=index].rotate_right(1);
    }
    cost.time += interruption.elapsed();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn the_branching_factor_is_the_growth_of_a_ply() {
        let cost = |nodes: &[u64]| Cost { nodes: nodes.to_vec(), time: Duration::ZERO };
        // From 10 to 810 in four plies: three times as many with each.
        assert!((cost(&[1, 10, 99, 99, 99, 810]).branching().unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(cost(&[1, 2, 3, 4]).branching(), None);
        assert_eq!(cost(&[0, 0, 0, 0, 0, 5]).branching(), None);
        assert_eq!(cost(&[1, 2, 3]).total(), 6.0);
    }

    #[test]
    fn nodes_are_those_that_the_player_counts() {
        let stop = Stop::new();
        let mut setup = Setup { seed: 3, ..rehearsal::setup(classics::registry(), &stop) };
        let positions = positions(&setup, &[40, 30], 2).unwrap();
        assert!(positions.iter().map(|&(empty_count, _)| empty_count).eq([40, 30, 40, 30]));
        assert!(positions.iter().all(|(empty_count, board)| board.empty_count() == *empty_count));
        let boards: Vec<Board> = positions.iter().map(|&(_, board)| board).collect();
        let default = BillSettings::default();
        let at_once = BillSettings { deepening: false, ..default };
        let variants = [Variant::new("default", default), Variant::new("at once", at_once)];
        let costs = costs(&mut setup, &boards, 4, &variants).unwrap();
        let mut expected = 0;
        for board in boards {
            let game = othello::Game::from_position(othello::Position { board, turn: Color::Black });
            let mut bill = Bill::new(Version::Two, default, TABLE);
            expected += bill.choose(&game, &Limits::of_depth(4), &mut Silent, &stop).unwrap().nodes;
        }
        assert_eq!(costs[0].total(), expected as f64);
        assert_eq!(mean_moves(&[Board::start(), Board::start().play("f5".parse().unwrap()).unwrap()]), 3.5);
        assert_eq!(costs[1].nodes[..3], [0, 0, 0]);
        assert!(costs[1].nodes[3] > 0);
    }
}
