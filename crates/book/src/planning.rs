//! Choice of the position to add next.
//!
//! The best move of a position that is not in the book is followed. If only a bound on these moves is known, which is what
//! remains when the best of them has entered the book, it is searched for first.
//!
//! A plan is computed from the book alone, so that the book is all that has to be kept to resume it, and it is the same
//! whenever the book is the same. Positions with a proven value are left as they are; open positions are not
//! considered until they are [settled](crate::Book::settle).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use evaluation::Value;
use othello::{Board, Square};

use crate::Snapshot;
use crate::error::Result;
use crate::extending::Settled;
use crate::graph::Successor;
use crate::key::Key;
use crate::position::Destination;
use crate::record::{Leaf, Record};
use crate::snapshot::known_moves;
use crate::tables::ReadPositions;

/// A move out of the book that is worth following, or worth finding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The position.
    pub board: Board,
    /// Action for its moves that are not in the book.
    pub lead: Lead,
    /// Upper bound on the value of the best of them for the side to move.
    pub value: Value,
    /// Sum of the losses of both sides on the best way to the leaf, itself included.
    pub loss: Value,
    /// Probability that players who prefer better moves play it; 1 if the plan has no such probability.
    pub probability: f64,
}

/// Action for the moves of a position that are not in the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lead {
    /// Follow the best of them, the leaf, in the orientation of the board.
    Follow(Square),
    /// Search for the best of them: only a bound is known. It matters if it is worth more than this.
    Search {
        /// The value.
        above: Value,
    },
}

/// Choice of the next positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Start of all lines.
    pub root: Board,
    /// The fewest empty squares of a position whose leaf is followed.
    pub empties: u8,
    /// The rule.
    pub rule: PlanRule,
}

/// Rule for the choice of the next position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlanRule {
    /// Follows all moves within a given error of best play, those that give away least first.
    Deviation {
        /// The most that a single move may give away.
        relative: Value,
        /// The most that the value of a position, or of a move, may differ from that of the root.
        absolute: Value,
        /// Whether one side alone deviates in each line, as in Edax's `book deviate`; the other one plays best moves.
        one_side: bool,
    },
    /// Follows the moves that are played most often by players who prefer better moves: the loss that a missing move
    /// can be expected to cause is proportional to this probability.
    Popularity {
        /// A move that is worse by this much is played 2.7 times less often.
        temperature: Value,
    },
}

/// A step of an extension, before it is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The move out of the book that is followed next.
    pub candidate: Candidate,
    /// The positions that were added before.
    pub added: u64,
    /// The positions of the book.
    pub positions: u64,
    /// The candidates that the plan has at the moment, this one included. What follows them may bring more.
    pub waiting: u64,
}

/// Changes made by extending a book, or by learning a game, which is counted only if everything was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extended {
    /// The positions that were added.
    pub added: u64,
    /// Whether all of the plan or game is in the book, or the search or the caller stopped.
    pub settled: Settled,
}

impl Snapshot {
    /// The first candidates of a plan, the most important ones first.
    pub fn candidates(&self, plan: &Plan, limit: usize) -> Result<Vec<Candidate>> {
        match plan.rule {
            PlanRule::Deviation { relative, absolute, one_side } => {
                let deviators: &[_] = if one_side { &[Some(true), Some(false)] } else { &[None] };
                self.deviations(plan, relative, absolute, deviators, limit)
            }
            PlanRule::Popularity { temperature } => self.popular(plan, temperature, limit),
        }
    }

    fn deviations(
        &self,
        plan: &Plan,
        relative: Value,
        absolute: Value,
        deviators: &[Option<bool>],
        limit: usize,
    ) -> Result<Vec<Candidate>> {
        let (root, _) = Key::of(&plan.root);
        let Some(record) = self.positions.record(&root)? else { return Ok(Vec::new()) };
        let first = |&deviator| Reverse(Place { loss: 0, key: root, is_root_side: true, deviator, leaf: None });
        let mut heap: BinaryHeap<Reverse<Place>> = deviators.iter().map(first).collect();
        let mut visited = BTreeSet::new();
        let mut found = BTreeSet::new();
        let mut candidates = Vec::new();
        while let Some(Reverse(place)) = heap.pop() {
            let Place { loss, key, is_root_side, deviator, leaf } = place;
            if candidates.len() >= limit {
                break;
            }
            let Some(node) = self.positions.record(&key)? else { continue };
            if let Some(lead) = leaf {
                if found.insert(key) {
                    candidates.push(candidate(&key, &node, lead, loss, 1.0));
                }
                continue;
            }
            if !visited.insert((key, is_root_side, deviator)) || node.is_exact || key.empties() < plan.empties {
                continue;
            }
            let center = if is_root_side { record.value } else { -record.value };
            let is_near = |value: Value| (value - center).parts().abs() <= absolute.parts();
            if !is_near(node.value) {
                continue;
            }
            let allowed = match deviator {
                Some(side) if side != is_root_side => 0,
                _ => relative.parts(),
            };
            if let Some((bound, lead)) = unknown_leaf(&node, relative) {
                let lost = (node.value - bound).parts().max(0);
                if lost <= allowed && is_near(bound) {
                    heap.push(Reverse(Place { loss: loss + lost, leaf: Some(lead), ..place }));
                }
            }
            for known in known_moves(&self.positions, &key, &node)? {
                let lost = (node.value - known.value).parts().max(0);
                if lost > allowed || !is_near(known.value) {
                    continue;
                }
                match (known.destination, Successor::of(&key.board(), known.square)) {
                    (Destination::Leaf, _) => {
                        heap.push(Reverse(Place {
                            loss: loss + lost,
                            leaf: Some(Lead::Follow(known.square)),
                            ..place
                        }));
                    }
                    (Destination::Book, Some(Successor::Position { key: child, same_side })) => {
                        let is_root_side = is_root_side == same_side;
                        heap.push(Reverse(Place { loss: loss + lost, key: child, is_root_side, ..place }));
                    }
                    _ => {}
                }
            }
        }
        Ok(candidates)
    }

    fn popular(&self, plan: &Plan, temperature: Value, limit: usize) -> Result<Vec<Candidate>> {
        // Parents come before their children in the order of keys, so that every probability is complete when its
        // position is visited; with it goes the least loss.
        let mut reached = BTreeMap::from([(Key::of(&plan.root).0, (1.0, 0))]);
        let mut candidates = Vec::new();
        while let Some((key, (probability, loss))) = reached.pop_first() {
            let Some(node) = self.positions.record(&key)? else { continue };
            if node.is_exact || key.empties() < plan.empties || probability < MIN_PROBABILITY {
                continue;
            }
            let moves = known_moves(&self.positions, &key, &node)?;
            let lost = |value: Value| (node.value - value).parts().max(0);
            let max_loss = MAX_LOSS_IN_TEMPERATURES.saturating_mul(temperature.parts().max(1));
            let weight = |value: Value| preference(node.value - value, temperature);
            let unknown = unknown_leaf(&node, Value::new(max_loss));
            let unknown_weight = unknown.map_or(0.0, |(bound, _)| weight(bound));
            let total: f64 = moves.iter().map(|known| weight(known.value)).sum::<f64>() + unknown_weight;
            if let Some((bound, lead)) = unknown {
                let share = probability * unknown_weight / total;
                candidates.push(candidate(&key, &node, lead, loss + lost(bound), share));
            }
            for known in &moves {
                let share = probability * weight(known.value) / total;
                let loss = loss + lost(known.value);
                match (known.destination, Successor::of(&key.board(), known.square)) {
                    (Destination::Leaf, _) => {
                        candidates.push(candidate(&key, &node, Lead::Follow(known.square), loss, share));
                    }
                    (Destination::Book, Some(Successor::Position { key: child, .. })) => {
                        let entry = reached.entry(child).or_insert((0.0, i32::MAX));
                        *entry = (entry.0 + share, entry.1.min(loss));
                    }
                    _ => {}
                }
            }
        }
        // The order of keys decides between equals: the sort is stable.
        candidates.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        candidates.truncate(limit);
        Ok(candidates)
    }
}

/// A place on the way through the book; the one with the least loss comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    loss: i32,
    key: Key,
    /// Whether the side that moves at the root is to move.
    is_root_side: bool,
    /// The side that deviates in this line: that of the root, the other one, or both.
    deviator: Option<bool>,
    /// Action for the moves out of the book, if that comes next.
    leaf: Option<Lead>,
}

/// Minimum probability of positions that are considered.
const MIN_PROBABILITY: f64 = 1e-9;

/// Probability of a move with this loss, relative to one without a loss.
pub(crate) fn preference(lost: Value, temperature: Value) -> f64 {
    (-f64::from(lost.parts().max(0)) / f64::from(temperature.parts().max(1))).exp()
}

/// Maximum loss in temperatures of a move out of the book that is searched for: it is played 150 times less often.
const MAX_LOSS_IN_TEMPERATURES: i32 = 5;

/// The bound on the moves out of the book, if the best is unknown but may lose no more than `allowed`.
fn unknown_leaf(node: &Record, allowed: Value) -> Option<(Value, Lead)> {
    let Leaf::AtMost(bound) = node.leaf else { return None };
    let above = (node.value - allowed - Value::new(1)).max(Value::MIN);
    (bound > above).then_some((bound, Lead::Search { above }))
}

fn candidate(key: &Key, node: &Record, lead: Lead, loss: i32, probability: f64) -> Candidate {
    let value = node.leaf.value().unwrap_or(node.value);
    Candidate { board: key.board(), lead, value, loss: Value::new(loss), probability }
}
