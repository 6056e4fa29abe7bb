//! The frontier: what the manager knows of the nodes a fixed number of moves below the root.

use std::collections::{BTreeMap, HashMap};

use othello::Board;

use super::message::{Finding, Need, NodeNumber, Place};
use crate::player::parallel::link::PartyNumber;
use crate::player::search::INFINITE;

/// Bounds of the value from searches of one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
}

impl Bounds {
    const NOTHING: Self = Self { lower: -INFINITE, upper: INFINITE };

    /// Adds the result of another search with this window.
    fn add(&mut self, value: i32, alpha: i32, beta: i32) {
        if value > alpha {
            self.lower = self.lower.max(value);
        }
        if value < beta {
            self.upper = self.upper.min(value);
        }
        // Selective searches and tables may contradict themselves: then the last word counts, and ends the dispute.
        if self.lower > self.upper {
            *self = Self { lower: value, upper: value };
        }
    }

    /// The value, if it is sufficient for this window.
    fn answer(&self, alpha: i32, beta: i32) -> Option<i32> {
        match () {
            () if self.lower >= beta || self.lower == self.upper => Some(self.lower),
            () if self.upper <= alpha => Some(self.upper),
            () => None,
        }
    }
}

/// A value at the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeValue {
    /// By a search of the right depth.
    Certain(i32),
    /// A guess from the deepest result so far.
    Guess(i32),
}

/// Last order about a node to a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    /// Search it as needed.
    Needed(Need),
    /// Nothing is needed.
    Resting,
}

/// A node of the frontier.
#[derive(Clone, Debug)]
pub(crate) struct FrontierNode {
    pub(crate) place: Place,
    /// The worker that searches it.
    pub(crate) worker: PartyNumber,
    pub(crate) told: Told,
    /// Known bounds, by depth.
    results: BTreeMap<u32, Bounds>,
    /// The depth of the deepest search, and an estimate of the value: the first guess, as far as the results since then
    /// allow. Most of these are bounds, and say little about the value itself.
    deepest: (u32, i32),
}

impl FrontierNode {
    /// The value for a search of this depth with this window.
    fn answer(&self, depth: u32, alpha: i32, beta: i32, swing: i32) -> NodeValue {
        let bounds = self.bounds(depth);
        if let Some(value) = bounds.answer(alpha, beta) {
            return NodeValue::Certain(value);
        }
        let (searched, value) = self.deepest;
        let guess = if searched % 2 == depth % 2 { value } else { value + swing };
        NodeValue::Guess(guess.clamp(bounds.lower, bounds.upper))
    }

    /// Bounds from searches of this depth.
    pub(crate) fn bounds(&self, depth: u32) -> Bounds {
        self.results.get(&depth).copied().unwrap_or(Bounds::NOTHING)
    }
}

/// All nodes of the frontier that a pass has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    nodes: Vec<FrontierNode>,
    /// By the board, and whether ProbCut may replace its search.
    numbers: HashMap<(Board, bool), NodeNumber>,
    /// Average excess of the values of an even depth over those of the odd depth before: the side that moves last in the
    /// search looks better, and a guess from one kind of depth would be unfair beside a value of the other.
    swing: f64,
    /// The results that it is the average of.
    swings: u32,
}

/// The least weight of the latest result in the average.
const SWING_RATE: f64 = 1.0 / 16.0;

impl Frontier {
    /// The number of this board, if it is known.
    pub(crate) fn number(&self, board: &Board, may_cut: bool) -> Option<NodeNumber> {
        self.numbers.get(&(*board, may_cut)).copied()
    }

    /// Adds a board, which a search of this depth gives this value, and gives it to a worker.
    pub(crate) fn add(&mut self, board: &Board, place: Place, worker: PartyNumber, guess: (u32, i32)) -> NodeNumber {
        let number = self.nodes.len() as NodeNumber;
        let (results, deepest) = (BTreeMap::new(), guess);
        self.nodes.push(FrontierNode { place, worker, told: Told::Resting, results, deepest });
        self.numbers.insert((*board, place.may_cut), number);
        number
    }

    /// The value of a node for a search of this depth with this window.
    pub(crate) fn answer(&self, number: NodeNumber, depth: u32, alpha: i32, beta: i32) -> NodeValue {
        self.node(number).answer(depth, alpha, beta, self.swing_to(depth))
    }

    /// By how much values of this depth exceed those of one ply less.
    pub(crate) fn swing_to(&self, depth: u32) -> i32 {
        let swing = self.swing.round() as i32;
        if depth.is_multiple_of(2) { swing } else { -swing }
    }

    pub(crate) fn node(&self, number: NodeNumber) -> &FrontierNode {
        &self.nodes[number as usize]
    }

    pub(crate) fn node_mut(&mut self, number: NodeNumber) -> &mut FrontierNode {
        &mut self.nodes[number as usize]
    }

    /// All nodes with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeNumber, &FrontierNode)> {
        (0..).zip(&self.nodes)
    }

    /// Takes over a result; what is not known here is ignored.
    pub(crate) fn record(&mut self, finding: &Finding) {
        let Finding { node, depth, alpha, beta, value } = *finding;
        let step = self.swing_to(depth);
        let Some(node) = self.nodes.get_mut(node as usize) else { return };
        if value > alpha && value < beta {
            let before = node.bounds(depth - 1);
            if before.lower == before.upper {
                let swing = f64::from(if depth % 2 == 0 { value - before.lower } else { before.lower - value });
                self.swings += 1;
                let rate = SWING_RATE.max(1.0 / f64::from(self.swings));
                self.swing += rate * (swing - self.swing);
            }
        }
        node.results.entry(depth).or_insert(Bounds::NOTHING).add(value, alpha, beta);
        if node.deepest.0 <= depth {
            let step = if node.deepest.0 % 2 == depth % 2 { 0 } else { step };
            let bounds = node.bounds(depth);
            node.deepest = (depth, (node.deepest.1 + step).clamp(bounds.lower, bounds.upper));
        }
        if let Told::Needed(need) = node.told
            && need.depth == depth
        {
            node.told = Told::Resting;
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::Rules;

    use super::*;

    fn found(frontier: &mut Frontier, depth: u32, value: i32, (alpha, beta): (i32, i32)) {
        frontier.record(&Finding { node: 0, depth, alpha, beta, value });
    }

    fn frontier_of_one() -> (Frontier, NodeNumber) {
        let mut frontier = Frontier::default();
        let board = Board::start();
        let place = Place { player: board.player, opponent: board.opponent, ply: 3, side: 1, may_cut: true };
        let number = frontier.add(&board, place, 1, (1, 20));
        assert_eq!(frontier.number(&board, true), Some(number));
        (frontier, number)
    }

    #[test]
    fn a_value_is_certain_where_searches_of_the_right_depth_decide_and_a_guess_elsewhere() {
        let (mut frontier, number) = frontier_of_one();
        let answer = |frontier: &Frontier, alpha, beta| frontier.answer(number, 5, alpha, beta);
        assert_eq!(answer(&frontier, -10, 10), NodeValue::Guess(20), "of one ply");
        found(&mut frontier, 3, 70, (-100, 100));
        assert_eq!(answer(&frontier, -10, 10), NodeValue::Guess(70), "of a deeper search");
        found(&mut frontier, 5, 30, (-20, 20));
        assert_eq!(answer(&frontier, 0, 30), NodeValue::Certain(30), "at least 30");
        assert_eq!(answer(&frontier, 40, 41), NodeValue::Guess(70), "70 agrees with at least 30");
        found(&mut frontier, 5, 60, (60, 61));
        assert_eq!(answer(&frontier, 40, 41), NodeValue::Guess(60), "from 30 to 60");
        found(&mut frontier, 6, -200, (-300, -250));
        assert_eq!(answer(&frontier, 40, 41), NodeValue::Guess(60), "it agrees with at least -200");
        found(&mut frontier, 5, 45, (40, 60));
        assert_eq!(answer(&frontier, -INFINITE, INFINITE), NodeValue::Certain(45), "inside of the window");
        found(&mut frontier, 5, 38, (38, 39));
        assert_eq!(answer(&frontier, -INFINITE, INFINITE), NodeValue::Certain(38), "contradicted");
    }

    #[test]
    fn a_guess_takes_the_swing_between_even_and_odd_depths_into_account() {
        let (mut frontier, number) = frontier_of_one();
        for depth in 1..=40 {
            // Even depths are 200 better.
            found(&mut frontier, depth, if depth % 2 == 0 { 150 } else { -50 }, (-1000, 1000));
        }
        for (depth, expected) in [(41, -50..-20), (42, 150..151)] {
            let NodeValue::Guess(guess) = frontier.answer(number, depth, 0, 1) else { panic!("nothing is certain") };
            assert!(expected.contains(&guess), "{guess} at depth {depth}");
        }
    }
}
