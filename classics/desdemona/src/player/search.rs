//! The search: alpha-beta to a fixed depth, with a transposition table (sections 1.1 and 1.3).

use engine::Stop;
use othello::{Square, SquareSet, squares};

use super::boards::DesdemonaBoard;
use super::evaluation::Evaluation;
use super::settings::{DesdemonaSettings, Keys};
use super::state::State;
use super::transposition::{Audit, Bound, Lookups, TranspositionTable};
use super::zobrist::Zobrist;
use engine::interruption::Interruption;

/// More than any value.
const INFINITY: i32 = i32::MAX;

/// The window within which the exact value matters.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Lower bound: the side to move is already sure of this value elsewhere.
    alpha: i32,
    /// Upper bound: its opponent will not let it exceed this value.
    beta: i32,
}

impl Window {
    const OPEN: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The same for the other side.
    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The value of the position for its side to move, in thousandths of a disc.
    pub value: i32,
    /// The moves expected, passes left out. It ends where the table supplied the value.
    pub line: Vec<Square>,
}

/// Searches positions of one board.
///
/// It uses the side to move (negamax) where the paper has a maximizing and a minimizing player; the tree is the same.
pub struct Searcher<B: DesdemonaBoard, E> {
    evaluation: E,
    zobrist: Zobrist,
    table: Option<TranspositionTable>,
    keys: Keys,
    /// Only in experiments: the positions behind the entries of the table.
    audit: Option<Audit<B>>,
    uses_adjacency: bool,
    /// The line expected from the position that has this many plies to go.
    lines: Vec<Vec<Square>>,
}

impl<B: DesdemonaBoard, E: AsRef<Evaluation<B>>> Searcher<B, E> {
    /// A searcher with this evaluation.
    pub fn new(evaluation: E, settings: &DesdemonaSettings) -> Self {
        Self {
            evaluation,
            zobrist: Zobrist::new(),
            table: settings.transposition.then(|| TranspositionTable::new(TranspositionTable::DEFAULT_BITS)),
            keys: settings.keys,
            audit: None,
            uses_adjacency: settings.adjacency,
            lines: Vec::new(),
        }
    }

    /// The same, counting the look-ups of the table from now on.
    pub fn audited(mut self) -> Self {
        self.audit = self.table.is_some().then(|| Audit::new(TranspositionTable::DEFAULT_BITS));
        self
    }

    /// The look-ups of all searches so far, if they are counted.
    pub fn lookups(&self) -> Option<Lookups> {
        self.audit.as_ref().map(|audit| audit.lookups)
    }

    /// Its evaluation.
    pub fn evaluation(&self) -> &Evaluation<B> {
        self.evaluation.as_ref()
    }

    /// The same, to be changed between searches.
    pub fn evaluation_mut(&mut self) -> &mut E {
        &mut self.evaluation
    }

    /// One iteration: the value of a position by looking this many moves ahead, or `None` if it was interrupted.
    ///
    /// Of equal moves the first in the order of the squares is taken.
    pub fn search(&mut self, board: &B, depth: u32, interruption: &mut Interruption) -> Option<Found> {
        let state = self.evaluation().state(board);
        let key = self.zobrist.key(board, true);
        if let Some(table) = &mut self.table {
            // Values of the last iteration would stop this one from searching further (section 1.3.2).
            table.clear();
        }
        let depth = depth as usize;
        if self.lines.len() <= depth {
            self.lines.resize_with(depth + 1, Vec::new);
        }
        let value = self.value(&state, key, depth, Window::OPEN, false, interruption)?;
        Some(Found { value, line: std::mem::take(&mut self.lines[depth]) })
    }

    /// The same for callers that wait for it.
    pub fn search_to_the_end(&mut self, board: &B, depth: u32) -> Found {
        let stop = Stop::new();
        let mut never = Interruption::new(&stop, None, None);
        // An interruption that is not armed never happens.
        self.search(board, depth, &mut never).unwrap_or(Found { value: 0, line: Vec::new() })
    }

    /// The value of a position to its side to move if it is within the window, and otherwise a bound on it.
    fn value(
        &mut self,
        state: &State<B>,
        key: u64,
        depth: usize,
        window: Window,
        has_passed: bool,
        interruption: &mut Interruption,
    ) -> Option<i32> {
        if interruption.count() {
            return None;
        }
        self.lines[depth].clear();
        let Window { alpha, beta } = window;
        let board = &state.board;
        if depth == 0 {
            return Some(self.leaf(state));
        }
        let known = self.table.as_ref().and_then(|table| table.find(key));
        if let (Some(audit), Some(table)) = (&mut self.audit, &self.table) {
            audit.count(table.place(key), board, known.is_some());
        }
        if let Some((value, bound)) = known {
            let decides = match bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if decides {
                return Some(value);
            }
        }

        let candidates =
            if self.uses_adjacency { self.evaluation().adjacency().potential_moves(board) } else { board.empties() };
        let (mut best, mut lower) = (-INFINITY, alpha);
        for square in squares(candidates) {
            let flips = board.flips(square);
            if flips.is_empty() {
                continue;
            }
            let after = state.after(self.evaluation().patterns(), square, flips);
            let change = match self.keys {
                Keys::All => self.zobrist.change(square, flips, state.is_first),
                Keys::Placed => self.zobrist.placed(square, state.is_first),
            };
            let narrowed = Window { alpha: lower, beta }.turned();
            let value = -self.value(&after, key ^ change, depth - 1, narrowed, false, interruption)?;
            if value > best {
                best = value;
                let (shallower, deeper) = self.lines.split_at_mut(depth);
                deeper[0].clear();
                deeper[0].push(square);
                deeper[0].extend_from_slice(&shallower[depth - 1]);
            }
            lower = lower.max(value);
            if lower >= beta {
                break;
            }
        }
        if best == -INFINITY {
            // No move. A pass places no disc and costs no depth.
            return if has_passed {
                Some(self.evaluation().final_value(board))
            } else {
                let passed = state.pass();
                let passed_key = key ^ self.zobrist.pass();
                self.value(&passed, passed_key, depth, window.turned(), true, interruption).map(|value| -value)
            };
        }
        if let Some(table) = &mut self.table {
            let bound = if best >= beta {
                Bound::AtLeast
            } else if best <= alpha {
                Bound::AtMost
            } else {
                Bound::Exact
            };
            table.keep(key, best, bound);
            if let Some(audit) = &mut self.audit {
                audit.keep(table.place(key), board);
            }
        }
        Some(best)
    }

    /// The value of a position at the horizon. A finished game is recognized here only if a side has no disc or no
    /// square is empty: generating moves would cost more than everything else.
    #[inline]
    fn leaf(&self, state: &State<B>) -> i32 {
        let board = &state.board;
        if board.empties().is_empty() || board.player().is_empty() || board.opponent().is_empty() {
            return self.evaluation().final_value(board);
        }
        self.evaluation().value(state)
    }
}
