//! A slow and obvious book: a list of positions, searched from end to end for everything, with values found by a plain
//! negamax whenever they are needed.

use std::collections::{BTreeMap, HashMap};

use crate::{Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules, Square, squares};
use search::Selectivity;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) leaf: Leaf,
    pub(crate) effort: Effort,
    pub(crate) solved: Option<Value>,
    pub(crate) games: u32,
}

/// Target of a move: a canonical board and whether the same side moves again, or the end with a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    Board(Board, bool),
    End(Value),
}

pub(crate) fn moves(board: &Board) -> Vec<(Square, Next)> {
    let next = |square| {
        let after = board.play(square).unwrap();
        if after.is_over() {
            Next::End(-Value::of_score(after.final_score()))
        } else if after.must_pass() {
            Next::Board(after.pass().canonical(), true)
        } else {
            Next::Board(after.canonical(), false)
        }
    };
    squares(board.moves()).map(|square| (square, next(square))).collect()
}

/// The value of a position with two flags: whether it is proven, and whether it is only a bound.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Worth {
    pub(crate) value: Value,
    pub(crate) is_exact: bool,
    pub(crate) is_open: bool,
}

#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) nodes: BTreeMap<Board, Node>,
}

impl Model {
    /// The values of all positions by a full negamax.
    pub(crate) fn worths(&self, graph: &Graph) -> HashMap<Board, Worth> {
        let mut worths = HashMap::new();
        for board in self.nodes.keys() {
            self.worth(board, graph, &mut worths);
        }
        worths
    }

    fn worth(&self, board: &Board, graph: &Graph, worths: &mut HashMap<Board, Worth>) -> Worth {
        if let Some(&worth) = worths.get(board) {
            return worth;
        }
        let node = self.nodes[board];
        let (mut best, mut all_exact, mut outside) = (None, true, false);
        for (_, next) in &graph.moves[board] {
            match *next {
                Next::End(value) => best = best.max(Some(value)),
                Next::Board(child, same) if self.nodes.contains_key(&child) => {
                    let worth = self.worth(&child, graph, worths);
                    best = best.max(Some(if same { worth.value } else { -worth.value }));
                    all_exact &= worth.is_exact;
                }
                Next::Board(..) => outside = true,
            }
        }
        assert_eq!(outside, node.leaf != Leaf::Covered, "{board:?} {node:?}");
        let is_open = matches!(node.leaf, Leaf::AtMost(bound) if Some(bound) > best);
        let leaf_exact = !outside || node.effort.is_exact(board.empty_count() as u8);
        let worth = match node.solved {
            Some(value) => Worth { value, is_exact: true, is_open: false },
            None => Worth {
                value: best.max(node.leaf.value()).unwrap(),
                is_exact: all_exact && leaf_exact && !is_open,
                is_open,
            },
        };
        worths.insert(*board, worth);
        worth
    }

    /// The moves of a position that lead neither to another one nor to the end.
    fn outside(&self, board: &Board, graph: &Graph) -> Vec<Square> {
        let is_outside = |next: &Next| matches!(next, Next::Board(child, _) if !self.nodes.contains_key(child));
        graph.moves[board].iter().filter(|(_, next)| is_outside(next)).map(|&(square, _)| square).collect()
    }

    fn best_known(&self, board: &Board, graph: &Graph, worths: &HashMap<Board, Worth>) -> Option<Value> {
        let value = |next: &Next| match next {
            Next::End(value) => Some(*value),
            Next::Board(child, same) => worths.get(child).map(|worth| if *same { worth.value } else { -worth.value }),
        };
        graph.moves[board].iter().filter_map(|(_, next)| value(next)).max()
    }

    /// Makes the leaves of all positions fit: moves that are in the book are no leaves.
    fn fit(&mut self, graph: &Graph) {
        for board in self.nodes.keys().copied().collect::<Vec<_>>() {
            let outside = self.outside(&board, graph);
            let node = self.nodes.get_mut(&board).unwrap();
            node.leaf = match node.leaf {
                _ if outside.is_empty() => Leaf::Covered,
                Leaf::Best { square, value } if !outside.contains(&square) => Leaf::AtMost(value),
                leaf => leaf,
            };
        }
    }

    /// Inserts a position given by its canonical board; false if no move has a value.
    pub(crate) fn insert(&mut self, board: &Board, finding: &Finding, graph: &Graph) -> bool {
        let Finding { leaf, effort, solved, games } = *finding;
        let solved = solved.map(Value::of_score);
        let mut new = Node { leaf, effort, solved, games };
        let old = self.nodes.get(board).copied();
        let outside = self.outside(board, graph);
        let knows_more = |old: &Node| match (new.leaf, old.leaf) {
            (Leaf::Best { square, .. }, Leaf::AtMost(_)) => outside.contains(&square),
            _ => false,
        };
        let is_better = old.is_none_or(|old| match (old.solved, new.solved) {
            (Some(_), _) => false,
            (None, Some(_)) => true,
            _ => effort > old.effort || effort == old.effort && knows_more(&old),
        });
        if is_better && leaf == Leaf::Covered && !self.outside(board, graph).is_empty() {
            match self.best_known(board, graph, &self.worths(graph)).or(solved) {
                Some(value) => new.leaf = Leaf::AtMost(value),
                None => return false,
            }
        }
        new.games += old.map_or(0, |old| old.games);
        let kept = old.filter(|_| !is_better).map(|old| Node { games: new.games, ..old });
        self.nodes.insert(*board, kept.unwrap_or(new));
        self.fit(graph);
        true
    }

    /// Replaces what is known about the moves of a position outside of the book.
    pub(crate) fn set_leaf(&mut self, board: &Board, leaf: Leaf, effort: Effort, graph: &Graph) {
        let node = self.nodes.get_mut(board).unwrap();
        (node.leaf, node.effort) = (leaf, effort);
        self.fit(graph);
    }

    /// Removes a position: what it was worth becomes what is known about the moves that led to it.
    pub(crate) fn remove(&mut self, board: &Board, graph: &Graph) -> bool {
        let worth = self.worths(graph).get(board).copied();
        let Some(removed) = self.nodes.remove(board) else { return false };
        let worth = worth.unwrap();
        for (parent, node) in &mut self.nodes {
            let mut back = None;
            for (square, next) in &graph.moves[parent] {
                if let Next::Board(child, same) = next
                    && child == board
                {
                    let value = if *same { worth.value } else { -worth.value };
                    if back.is_none_or(|(best, _)| value > best) {
                        back = Some((value, *square));
                    }
                }
            }
            let Some((value, square)) = back else { continue };
            if node.solved.is_none() {
                if node.leaf == Leaf::Covered {
                    node.effort = Effort { depth: (removed.effort.depth + 1).min(64), ..removed.effort };
                }
                if !worth.is_exact && node.effort.is_exact(parent.empty_count() as u8) {
                    node.effort.selectivity = Selectivity::from_percent(99);
                }
            }
            node.leaf = match node.leaf {
                Leaf::Best { value: other, .. } if other >= value => node.leaf,
                Leaf::AtMost(bound) if bound > value => node.leaf,
                _ => Leaf::Best { square, value },
            };
        }
        true
    }

    /// Merges another book, those of its positions with the most discs first.
    pub(crate) fn merge(&mut self, other: &Model, graph: &Graph) {
        let worths = other.worths(graph);
        let mut boards: Vec<Board> = other.nodes.keys().copied().collect();
        boards.sort_by_key(|board| std::cmp::Reverse(board.disc_count()));
        for board in boards {
            let Node { mut leaf, effort, solved, games } = other.nodes[&board];
            if leaf == Leaf::Covered && solved.is_none() {
                leaf = Leaf::AtMost(worths[&board].value);
            }
            let solved = solved.map(|value| othello::Score::new((value.parts() / Value::PER_DISC) as i8));
            self.insert(&board, &Finding { leaf, effort, solved, games }, graph);
        }
    }
}

/// Positions with their moves: the world that a test takes place in.
pub(crate) struct Graph {
    /// The canonical boards in which a side has a choice.
    pub(crate) boards: Vec<Board>,
    pub(crate) moves: HashMap<Board, Vec<(Square, Next)>>,
}

impl Graph {
    /// All positions up to so many plies after one, at most `most` of them.
    pub(crate) fn after(root: Board, plies: usize, most: usize) -> Self {
        let mut graph = Self { boards: vec![root.canonical()], moves: HashMap::new() };
        graph.moves.insert(root.canonical(), moves(&root.canonical()));
        let mut from = 0;
        for _ in 0..plies {
            let to = graph.boards.len();
            for index in from..to {
                for (_, next) in graph.moves[&graph.boards[index]].clone() {
                    if let Next::Board(child, _) = next
                        && !graph.moves.contains_key(&child)
                        && graph.boards.len() < most
                    {
                        graph.moves.insert(child, moves(&child));
                        graph.boards.push(child);
                    }
                }
            }
            from = to;
        }
        graph
    }
}
