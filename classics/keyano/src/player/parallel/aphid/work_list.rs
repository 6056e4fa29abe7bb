//! The list of a worker: its frontier nodes, and which it searches next.
//!
//! The most urgent first: what the manager's last pass came to first. When nothing is needed for the iteration under way, there
//! is usually something to do for the next ones.

use std::collections::BTreeMap;

use super::message::{AHEAD, Change, Finding, Need, NodeNumber, Place, Status};

#[derive(Clone, Copy, Debug)]
struct Item {
    place: Place,
    need: Option<Need>,
}

/// A search to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeSearch {
    pub(crate) node: NodeNumber,
    pub(crate) place: Place,
    pub(crate) depth: u32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

/// The nodes of a worker.
#[derive(Debug, Default)]
pub(crate) struct WorkList {
    items: BTreeMap<NodeNumber, Item>,
}

impl WorkList {
    /// Takes over what the manager has changed.
    pub(crate) fn change(&mut self, changes: &[Change]) {
        for &Change { node, status } in changes {
            match status {
                Status::Added(place) => {
                    self.items.insert(node, Item { place, need: None });
                }
                Status::Removed => {
                    self.items.remove(&node);
                }
                Status::Needed(need) => self.set_need(node, Some(need)),
                Status::Resting => self.set_need(node, None),
            }
        }
    }

    fn set_need(&mut self, node: NodeNumber, need: Option<Need>) {
        if let Some(item) = self.items.get_mut(&node) {
            item.need = need;
        }
    }

    /// The rank of the most urgent search.
    fn first_rank(&self) -> Option<u32> {
        self.items.values().filter_map(|item| Some(item.need?.rank)).min()
    }

    /// The next search.
    pub(crate) fn next(&self) -> Option<NodeSearch> {
        let needed = self.items.iter().filter_map(|(&node, item)| Some((item.need?, node, item)));
        let (need, node, item) = needed.min_by_key(|(need, node, _)| (need.rank, *node))?;
        let Need { depth, alpha, beta, .. } = need;
        Some(NodeSearch { node, place: item.place, depth, alpha, beta })
    }

    /// Whether a search that was begun should be left for another one.
    pub(crate) fn is_obsolete(&self, task: &NodeSearch) -> bool {
        let Some(first) = self.first_rank() else { return !self.items.contains_key(&task.node) };
        let need = self.items.get(&task.node).and_then(|item| item.need);
        need.is_none_or(|need| {
            (need.depth, need.alpha, need.beta) != (task.depth, task.alpha, task.beta)
                || need.rank >= AHEAD && first < AHEAD
        })
    }

    /// A search is done.
    pub(crate) fn record(&mut self, finding: &Finding) {
        let Some(item) = self.items.get_mut(&finding.node) else { return };
        // The manager decides whether this is sufficient.
        item.need = item.need.filter(|need| need.depth != finding.depth);
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Rules};

    use super::*;

    fn added(node: NodeNumber) -> Change {
        let board = Board::start();
        let place = Place { player: board.player, opponent: board.opponent, ply: 3, side: 1, may_cut: true };
        Change { node, status: Status::Added(place) }
    }

    fn needed(node: NodeNumber, depth: u32, rank: u32) -> Change {
        Change { node, status: Status::Needed(Need { depth, alpha: -50, beta: 50, rank }) }
    }

    fn finding(task: &NodeSearch) -> Finding {
        let NodeSearch { node, depth, alpha, beta, .. } = *task;
        Finding { node, depth, alpha, beta, value: 0 }
    }

    #[test]
    fn what_is_needed_is_searched_in_the_order_of_the_last_pass() {
        let mut list = WorkList::default();
        assert_eq!(list.next(), None);
        list.change(&[added(1), added(2), added(3), added(4), needed(2, 4, 1), needed(1, 4, 5), needed(3, 5, AHEAD)]);
        let mut order = Vec::new();
        while let Some(task) = list.next() {
            order.push((task.node, task.depth));
            list.record(&finding(&task));
        }
        assert_eq!(order, [(2, 4), (1, 4), (3, 5)], "by rank; nobody needs 4");
        list.change(&[needed(1, 5, 1), needed(2, 5, 0), needed(3, 5, 2)]);
        list.change(&[Change { node: 1, status: Status::Resting }, Change { node: 2, status: Status::Removed }]);
        assert_eq!(list.next().map(|task| (task.node, task.depth)), Some((3, 5)));
    }

    #[test]
    fn a_search_is_left_when_it_is_not_needed_any_more_and_another_is() {
        let mut list = WorkList::default();
        list.change(&[added(1), added(2), needed(1, 5, AHEAD)]);
        let task = list.next().unwrap();
        assert!(!list.is_obsolete(&task));
        list.change(&[Change { node: 1, status: Status::Resting }]);
        assert!(!list.is_obsolete(&task), "there is nothing else to do");
        list.change(&[needed(1, 5, AHEAD), needed(2, 4, 7)]);
        assert!(list.is_obsolete(&task), "the other is for the iteration under way");
        list.change(&[needed(1, 5, 9)]);
        assert!(!list.is_obsolete(&task), "as urgent as the other, and begun");
        list.change(&[needed(1, 6, 9)]);
        assert!(list.is_obsolete(&task), "another depth");
        let task = list.next().unwrap();
        assert!(task.node == 2 && !list.is_obsolete(&task));
        list.change(&[Change { node: 2, status: Status::Removed }]);
        assert!(list.is_obsolete(&task));
    }
}
