//! The tree of a book around a position, for drawing.
//!
//! The book is a graph; the tree has a branch for every line of moves that is worth drawing, up to symmetry, those with
//! the largest share first. It is serializable, and the same whenever the book and the options are the same.
//!
//! ```
//! use book::tree::TreeOptions;
//! use book::{Book, Effort, Finding};
//! use evaluation::Value;
//! use othello::{Board, Position, Rules};
//! use search::Selectivity;
//!
//! let mut book = Book::in_memory()?;
//! let effort = Effort::new(10, Selectivity::EXACT);
//! book.insert(&Board::start(), &Finding::best("f5".parse()?, Value::from_discs(0.5), effort))?;
//! let tree = book.snapshot()?.tree(&Position::start(), &TreeOptions::default())?;
//! assert_eq!(
//!     serde_json::to_string(&tree.branches[0])?,
//!     r#"{"move":"f5","color":"black","value":{"kind":"discs","discs":0.5},"to":"leaf","share":1.0,"games":0,"opening":null,"left_out":0,"branches":[]}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use engine::Estimate;
use evaluation::Value;
use othello::json::SquareName;
use othello::{Board, Color, Position, Rules, Square};
use records::opening_names;
use serde::Serialize;

use crate::Snapshot;
use crate::error::{BookError, Result};
use crate::planning::preference;
use crate::position::{BookMove, Destination, estimate};

/// The move that games begin with by convention: f5.
const FIRST_MOVE: Square = Square::new(37);

/// Limits of the part of a tree that is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeOptions {
    /// The most moves of a line.
    pub plies: usize,
    /// The most branches of the whole tree.
    pub branches: usize,
    /// For positions without games: a move that is worse by this much is played 2.7 times less often.
    pub temperature: Value,
    /// The side that values are for.
    pub perspective: Color,
}

impl Default for TreeOptions {
    /// Six plies and 100 branches, with values for Black.
    fn default() -> Self {
        Self { plies: 6, branches: 100, temperature: Value::new(Value::PER_DISC), perspective: Color::Black }
    }
}

/// The tree of a book around a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tree {
    /// The position; the one after the pass if the side to move has to pass.
    pub position: Position,
    /// The side that all values are for.
    pub perspective: Color,
    /// Value of the position, if the book or the rules determine it.
    pub value: Option<Estimate>,
    /// The number of games that were counted.
    pub games: u32,
    /// The name of the opening, if the position itself has one.
    pub opening: Option<&'static str>,
    /// Number of moves in the book that are not among the branches.
    pub left_out: usize,
    /// The moves, those with the largest share first.
    pub branches: Vec<Branch>,
}

/// A move of the tree, with those that follow it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Branch {
    /// The move. Of several that are the same by symmetry there is one.
    #[serde(rename = "move")]
    pub square: SquareName,
    /// The side that plays it: the same as before if the other side has to pass.
    pub color: Color,
    /// Value for the side of the tree.
    pub value: Estimate,
    /// Target of the move. A leaf leads out of the book.
    pub to: Destination,
    /// Probability of the line up to this move, from the position of the tree on. The share of a position is divided
    /// among its moves by the games that were counted after them; if there are none, by the probability of players who
    /// prefer better moves.
    pub share: f64,
    /// The number of games that were counted after it.
    pub games: u32,
    /// The name of the opening after it, if the position itself has one.
    pub opening: Option<&'static str>,
    /// Number of moves after it in the book that are not among the branches.
    pub left_out: usize,
    /// The next moves, those with the largest share first.
    pub branches: Vec<Branch>,
}

/// A move of a position, without those that are the same by symmetry, with its share of the position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SharedMove {
    /// The move.
    pub known: BookMove,
    /// Probability of the move, among the moves of the position in the book.
    pub share: f64,
}

impl Snapshot {
    /// The lines with the largest share; of equal shares the shorter line first, then the one with better moves.
    pub fn tree(&self, position: &Position, options: &TreeOptions) -> Result<Tree> {
        let position = if position.board.must_pass() { position.pass() } else { *position };
        let value = self.value(&position.board)?.map(|value| {
            let is_exact = self.lookup(&position.board)?.is_none_or(|found| found.is_exact);
            Ok::<_, BookError>(for_side(value, is_exact, position.turn, options.perspective))
        });
        let mut tree = Tree {
            position,
            perspective: options.perspective,
            value: value.transpose()?,
            games: self.lookup(&position.board)?.map_or(0, |found| found.games),
            opening: opening_names::of_position(&position).map(|opening| opening.name),
            left_out: 0,
            branches: Vec::new(),
        };
        // The chosen branches, each with the number of its parent, which comes before it.
        let mut chosen: Vec<(Option<usize>, Branch)> = Vec::new();
        let mut waiting = BinaryHeap::new();
        tree.left_out = self.push_moves(&position, None, options, &mut waiting)?;
        while let Some(next) = waiting.pop().filter(|_| chosen.len() < options.branches) {
            let Waiting { share, path, parent, position, known } = next;
            let after = position.play(known.square).unwrap_or(position);
            let after = if after.board.must_pass() { after.pass() } else { after };
            let number = chosen.len();
            let left_out = match known.destination {
                Destination::Book => self.push_moves(&after, Some((number, share, &path)), options, &mut waiting)?,
                Destination::End | Destination::Leaf => 0,
            };
            let branch = Branch {
                square: known.square.into(),
                color: position.turn,
                value: for_side(known.value, known.is_exact, position.turn, options.perspective),
                to: known.destination,
                share,
                games: known.games,
                opening: opening_names::of_position(&after).map(|opening| opening.name),
                left_out,
                branches: Vec::new(),
            };
            chosen.push((parent, branch));
        }
        while let Some((parent, mut branch)) = chosen.pop() {
            branch.branches.reverse();
            let (branches, left_out) = match parent.and_then(|number| chosen.get_mut(number)) {
                Some((_, parent)) => (&mut parent.branches, &mut parent.left_out),
                None => (&mut tree.branches, &mut tree.left_out),
            };
            branches.push(branch);
            *left_out = left_out.saturating_sub(1);
        }
        tree.branches.reverse();
        Ok(tree)
    }

    /// The valued moves of a position with their shares, one of each symmetric group; the best first.
    pub fn shared_moves(&self, board: &Board, temperature: Value) -> Result<Vec<SharedMove>> {
        let board = if board.must_pass() { board.pass() } else { *board };
        let all = self.valued_moves(&board)?;
        let best = all.iter().map(|known| known.value).max();
        let Some(value) = self.lookup(&board)?.map(|found| found.value).or(best) else { return Ok(Vec::new()) };
        let has_games = all.iter().any(|known| known.games > 0);
        let mut moves: Vec<(Board, SharedMove)> = Vec::new();
        for mut known in all {
            if board == Board::start() {
                // All moves are the same by symmetry.
                known.square = FIRST_MOVE;
            }
            let after = board.play(known.square).unwrap_or(board).canonical();
            let weight = if has_games { f64::from(known.games) } else { preference(value - known.value, temperature) };
            match moves.iter_mut().find(|(found, _)| *found == after) {
                // The games of a position are those of all moves to it.
                Some(_) if has_games => {}
                Some((_, shared)) => shared.share += weight,
                None => moves.push((after, SharedMove { known, share: weight })),
            }
        }
        let mut moves: Vec<SharedMove> = moves.into_iter().map(|(_, shared)| shared).collect();
        let total: f64 = moves.iter().map(|shared| shared.share).sum();
        for shared in &mut moves {
            // Every weight is zero if the bound on the value of an open position is far above all its moves.
            shared.share = if total > 0.0 { shared.share / total } else { 0.0 };
        }
        Ok(moves)
    }

    /// Puts the moves of a position on the waiting list, unless lines end there, and returns their number.
    fn push_moves(
        &self,
        position: &Position,
        parent: Option<(usize, f64, &Vec<u8>)>,
        options: &TreeOptions,
        waiting: &mut BinaryHeap<Waiting>,
    ) -> Result<usize> {
        let moves = self.shared_moves(&position.board, options.temperature)?;
        let path = parent.map_or(&[][..], |(_, _, path)| path);
        if path.len() < options.plies {
            waiting.extend(moves.iter().zip(0..).map(|(shared, rank)| Waiting {
                share: shared.share * parent.map_or(1.0, |(_, share, _)| share),
                path: path.iter().copied().chain([rank]).collect(),
                parent: parent.map(|(number, ..)| number),
                position: *position,
                known: shared.known,
            }));
        }
        Ok(moves.len())
    }
}

/// A move that may become a branch; the one with the largest share is the greatest.
struct Waiting {
    share: f64,
    /// The rank of each move of the line among the moves of its position.
    path: Vec<u8>,
    parent: Option<usize>,
    position: Position,
    known: BookMove,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_share = self.share.total_cmp(&other.share);
        by_share.then_with(|| (other.path.len(), &other.path).cmp(&(self.path.len(), &self.path)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// The value of a move or position, known for the side to move, as seen by a side.
fn for_side(value: Value, is_exact: bool, turn: Color, side: Color) -> Estimate {
    estimate(if turn == side { value } else { -value }, is_exact)
}
