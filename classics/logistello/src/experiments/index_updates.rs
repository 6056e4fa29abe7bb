//! Ways to have the pattern indices of every leaf: Buro 1997, "Incremental Index Updates".

use std::hint::black_box;

use crate::player::all_indices::AllIndices;
use crate::player::indices::Indices;
use othello::{Board, Rules, Square, squares};

use laboratory::speed::Speed;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-indices";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    positions: usize,
    /// The depth of the tree below each, in which every move is made.
    depth: u32,
    /// Number of times that each way is measured, in turn.
    rounds: usize,
}

// A deeper walk would not fit into the cache, and would measure memory.
const FULL: Scale = Scale { positions: 20, depth: 3, rounds: 200 };
const QUICK: Scale = Scale { positions: 5, depth: 3, rounds: 9 };

/// A step of the walk through a tree.
#[derive(Clone, Copy)]
enum Step {
    Play {
        square: Square,
        flips: u64,
    },
    /// A leaf, with its board.
    Leaf(Board),
    Undo {
        square: Square,
        flips: u64,
    },
}

/// A walk through all moves below a position.
struct Walk {
    root: Board,
    steps: Vec<Step>,
}

impl Walk {
    fn new(root: Board, depth: u32) -> Self {
        let mut walk = Self { root, steps: Vec::new() };
        walk.below(&root, depth);
        walk
    }

    fn below(&mut self, board: &Board, depth: u32) {
        let moves = if depth == 0 { 0 } else { board.moves() };
        if moves == 0 {
            self.steps.push(Step::Leaf(*board));
            return;
        }
        for square in squares(moves) {
            let flips = board.flips(square);
            self.steps.push(Step::Play { square, flips });
            self.below(&board.after(square, flips), depth - 1);
            self.steps.push(Step::Undo { square, flips });
        }
    }

    fn leaves(&self) -> u64 {
        self.steps.iter().filter(|step| matches!(step, Step::Leaf(_))).count() as u64
    }
}

/// Result of a way to get the indices of leaves: a number that depends on all of them.
type Way = fn(&Walk) -> i64;

/// The ways, with what the paper says about them compared with the first.
const WAYS: [(&str, &str, Way); 4] = [
    ("updated, with undo; large ones at the leaves", "", undone),
    ("updated, with copies; large ones at the leaves", "slower", copied),
    ("updated, with undo; large ones, too", "slower", all_updated),
    ("all computed at the leaves", "slower", at_the_leaves),
];

fn digest(indices: &Indices, large: &crate::player::indices::LargeIndices) -> i64 {
    let large: i32 = large.by_pattern().into_iter().flatten().sum();
    i64::from(black_box(large)) + i64::from(black_box(indices).slot(0))
}

fn undone(walk: &Walk) -> i64 {
    let mut indices = Indices::of(&walk.root);
    let mut sum = 0;
    for step in &walk.steps {
        match *step {
            Step::Play { square, flips } => indices.play(square, flips),
            Step::Leaf(board) => sum += digest(&indices, &indices.large(&board)),
            Step::Undo { square, flips } => indices.undo(square, flips),
        }
    }
    sum
}

fn copied(walk: &Walk) -> i64 {
    // The copy of the entire structure is made where the next position is, as by a search on its stack.
    let mut path = vec![Indices::of(&walk.root); 64];
    let (mut sum, mut ply) = (0, 0);
    for step in &walk.steps {
        match *step {
            Step::Play { square, flips } => {
                path[ply + 1] = path[ply];
                ply += 1;
                path[ply].play(square, flips);
            }
            Step::Leaf(board) => sum += digest(&path[ply], &path[ply].large(&board)),
            Step::Undo { .. } => ply -= 1,
        }
    }
    sum
}

fn all_updated(walk: &Walk) -> i64 {
    let mut indices = AllIndices::of(&walk.root);
    let mut sum = 0;
    for step in &walk.steps {
        match *step {
            Step::Play { square, flips } => indices.play(square, flips),
            Step::Leaf(_) => sum += digest(indices.small(), &indices.large()),
            Step::Undo { square, flips } => indices.undo(square, flips),
        }
    }
    sum
}

fn at_the_leaves(walk: &Walk) -> i64 {
    let mut side = 1;
    let mut sum = 0;
    for step in &walk.steps {
        match *step {
            Step::Play { .. } | Step::Undo { .. } => side = -side,
            Step::Leaf(board) => {
                // From the point of view of the color that is to move at the root, as for the other ways.
                let seen = if side > 0 { board } else { board.pass() };
                let indices = Indices::of(&seen);
                sum += digest(&indices, &indices.large(&seen));
            }
        }
    }
    sum
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let walks: Vec<Walk> =
        setup.midgames(scale.positions)?.into_iter().map(|board| Walk::new(board, scale.depth)).collect();
    let mut speeds = WAYS.map(|_| vec![Speed::default(); walks.len()]);
    for round in 1..=scale.rounds {
        (setup.progress)(&format!("round {round} of {}", scale.rounds));
        for (number, walk) in walks.iter().enumerate() {
            for ((_, _, way), speeds) in WAYS.into_iter().zip(&mut speeds) {
                speeds[number].measure(|| {
                    black_box(way(walk));
                    walk.leaves()
                });
            }
        }
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
    }
    let per_second = speeds.map(|speeds| Speed::per_second(&speeds));
    let columns = ["indices", "paper", "leaves per second", "nanoseconds per leaf", "time of the first"];
    let title = format!("Indices of all leaves {} plies below {} midgame positions", scale.depth, walks.len());
    let mut table = Table::new(title, &columns);
    for ((name, paper, _), speed) in WAYS.into_iter().zip(per_second) {
        table.row([
            name.to_owned(),
            paper.to_owned(),
            format!("{:.2} million", speed / 1e6),
            format!("{:.1}", 1e9 / speed),
            format!("{:.0}%", 100.0 * per_second[0] / speed),
        ]);
    }
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    let compared = |other: usize| {
        let ratio = per_second[0] / per_second[other];
        if ratio > 1.0 {
            format!("{:.0}% faster than", 100.0 * (ratio - 1.0))
        } else {
            format!("{:.0}% slower than", 100.0 * (1.0 / ratio - 1.0))
        }
    };
    report.note(format!(
        "In the paper undoing a move is faster than copying the board with its indices, on a Sun-Sparc and an Intel-Pentium; \
         here it is {} copying the indices: {} bytes are a few vector registers. Our search copies them. Deriving the \
         large indices at the leaves is {} updating them.",
        compared(1),
        size_of::<Indices>(),
        compared(2),
    ));
    report.note(format!(
        "The moves of each tree are listed beforehand, so that only indices are measured: {} times in turn, the shortest \
         time of each.",
        scale.rounds,
    ));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn every_way_finds_the_same_indices() {
        let boards = rehearse(classics::registry(), |setup| setup.midgames(3)).unwrap();
        for board in boards {
            let walk = Walk::new(board, 3);
            let found = WAYS.map(|(_, _, way)| way(&walk));
            assert!(found.iter().all(|&sum| sum == found[0]) && found[0] != 0, "{found:?}");
        }
    }

    #[test]
    fn a_walk_has_the_leaves_of_the_known_counts() {
        // The first position has 4, 12, 56 and 244 positions 1, 2, 3 and 4 plies below it.
        for (depth, leaves) in [(1, 4), (2, 12), (3, 56), (4, 244)] {
            assert_eq!(Walk::new(Board::start(), depth).leaves(), leaves);
        }
    }

    #[test]
    fn every_way_has_its_row() {
        let report =
            rehearse(classics::registry(), |setup| at_scale(setup, Scale { positions: 2, depth: 2, rounds: 1 }))
                .unwrap();
        assert_eq!(report.tables[0].rows.len(), WAYS.len());
        assert_eq!(report.tables[0].rows[0][4], "100%");
    }
}
