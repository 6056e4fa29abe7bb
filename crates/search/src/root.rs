//! A search from the root: iterations, windows, multi-PV, the principal variation.

use control::clock::Moment;
use evaluation::{Cuts, Evaluation, Value};
use othello::{Rules, Square, squares};

use crate::compiled::Next;
use crate::parameters::{ASPIRATION_MARGIN, ASPIRATION_MIN_DEPTH, EXACT_ASPIRATION_MARGIN};
use crate::pvs::{BestMove, NO_VALUE, Node};
use crate::searcher::{Iteration, Line, Question, SearchReport};
use crate::selectivity::Selectivity;
use crate::transposition::{self, HashEntry};
use crate::worker::{Worker, take_best};

pub(crate) struct Root<'r, 'a, B: Rules<Set = u64>, E: Evaluation<B>> {
    worker: &'r mut Worker<'a, B, E>,
    board: B,
    question: &'r Question,
    start: Moment,
    reports: Vec<SearchReport>,
    /// The best move of the iteration before.
    reference: Option<Square>,
    /// The move that the current iteration has found to be better than the reference: what is left of an iteration that
    /// is interrupted.
    progress: Option<BestMove>,
}

impl<'r, 'a, B: Rules<Set = u64>, E: Evaluation<B>> Root<'r, 'a, B, E>
where
    E::Features: Sync,
{
    pub(crate) fn new(worker: &'r mut Worker<'a, B, E>, board: B, question: &'r Question, start: Moment) -> Self {
        Self { worker, board, question, start, reports: Vec::new(), reference: None, progress: None }
    }

    /// Searches in the iterations that `next` chooses, and returns the last report.
    pub(crate) fn search(mut self, next: &mut Next<'_>) -> SearchReport {
        self.rate_moves_at_one_ply();
        while let Some(iteration) = next(&self.reports) {
            if self.reports[0].lines.is_empty() {
                break;
            }
            self.reference = self.reports.last().and_then(SearchReport::best_move);
            self.progress = None;
            if !self.iterate(iteration) {
                self.keep_progress();
                break;
            }
        }
        self.reports.pop().expect("there is a first report")
    }

    fn allowed(&self) -> u64 {
        self.board.moves() & self.question.moves.unwrap_or(u64::MAX)
    }

    fn node(&self, board: B, iteration: Iteration) -> Node<B, E::Features> {
        let features = self.worker.shared.evaluation.features(&board);
        let depth = iteration.depth.max(1).min(board.empties().count_ones());
        Node { board, features, depth, selectivity: iteration.selectivity, static_value: None }
    }

    /// Rates the moves by a search of one ply, whatever the time limit.
    fn rate_moves_at_one_ply(&mut self) {
        let evaluation = self.worker.shared.evaluation;
        let mut lines: Vec<Line> = squares(self.allowed())
            .map(|square| {
                let after = self.board.after(square, self.board.flips(square));
                let value = if after.is_over() {
                    -Value::of_score(after.final_score())
                } else {
                    -evaluation.evaluate(&after, &evaluation.features(&after))
                };
                Line { value, moves: vec![square] }
            })
            .collect();
        lines.sort_by_key(|line| -line.value);
        lines.truncate(self.question.lines.max(1));
        let exact = self.board.is_over();
        self.report(Iteration { depth: 1, selectivity: Selectivity::EXACT }, exact, lines);
    }

    fn report(&mut self, iteration: Iteration, exact: bool, lines: Vec<Line>) {
        let nodes = self.worker.poll();
        self.reports.push(SearchReport { iteration, exact, lines, nodes, elapsed: self.start.elapsed() });
    }

    /// Runs one iteration; returns whether it was completed.
    fn iterate(&mut self, iteration: Iteration) -> bool {
        let mut remaining = self.allowed();
        let mut lines: Vec<Line> = Vec::new();
        let wanted = self.question.lines.clamp(1, remaining.count_ones() as usize);
        let node = self.node(self.board, iteration);
        let to_the_end = node.depth >= self.board.empties().count_ones();
        let exact = to_the_end && iteration.selectivity.is_exact();
        for index in 0..wanted {
            let guess = self.reports.last().and_then(|report| report.lines.get(index)).map(|line| line.value.parts());
            // A later line is at most as good as the one before it.
            let most = lines.last().map_or(Value::INFINITE.parts(), |line| line.value.parts() + 1);
            let Some(BestMove { value, square }) =
                self.search_with_aspiration(&node, guess, most, remaining, to_the_end)
            else {
                return false;
            };
            remaining &= !square.bit();
            let value = Value::new(value);
            let after = self.board.after(square, self.board.flips(square));
            let mut moves = vec![square];
            if exact && self.question.window.is_none() {
                moves.extend(self.exact_line(after, -value.parts()));
            } else {
                moves.extend(self.line_from_table(after));
            }
            if self.worker.is_interrupted() {
                // The line was interrupted, not the search of the root; what it noted was for other positions.
                self.progress = Some(BestMove { value: value.parts(), square });
                return false;
            }
            lines.push(Line { value, moves });
        }
        lines.sort_by_key(|line| -line.value);
        self.report(iteration, exact, lines);
        true
    }

    /// Replaces the line of the last report if the interrupted iteration has found a better move.
    ///
    /// Searches with another kind of ProbCut than [`Cuts::Everywhere`] play as the classic programs did, by finished
    /// iterations.
    fn keep_progress(&mut self) {
        let Question { lines, window, .. } = *self.question;
        if lines > 1 || window.is_some() || self.worker.shared.probcut.cuts != Cuts::Everywhere {
            return;
        }
        let Some(BestMove { value, square }) = self.progress else { return };
        if self.reports.last().and_then(SearchReport::best_move) == Some(square) {
            return;
        }
        let after = self.board.after(square, self.board.flips(square));
        let moves = std::iter::once(square).chain(self.line_from_table(after)).collect();
        if let Some(report) = self.reports.last_mut() {
            report.lines = vec![Line { value: Value::new(value), moves }];
        }
    }

    /// Searches the root with an aspiration window around the guess, widened until it contains the value.
    fn search_with_aspiration(
        &mut self,
        node: &Node<B, E::Features>,
        guess: Option<i32>,
        most: i32,
        allowed: u64,
        to_the_end: bool,
    ) -> Option<BestMove> {
        let infinite = Value::INFINITE.parts();
        let (floor, ceiling) = self.question.window.unwrap_or((-infinite, infinite));
        let ceiling = ceiling.min(most);
        // If the previous line is below the window, so is this one.
        let floor = floor.min(ceiling - 1);
        let is_exact = to_the_end && node.selectivity.is_exact();
        let mut margin = if is_exact { EXACT_ASPIRATION_MARGIN } else { ASPIRATION_MARGIN };
        let guess = match guess {
            Some(guess) if to_the_end => {
                (guess as f32 / (2 * Value::PER_DISC) as f32).round() as i32 * 2 * Value::PER_DISC
            }
            Some(guess) => guess,
            None => 0,
        };
        let (mut alpha, mut beta) = if node.depth < ASPIRATION_MIN_DEPTH {
            (floor, ceiling)
        } else {
            ((guess - margin).clamp(floor, ceiling - 1), (guess + margin).clamp(floor + 1, ceiling))
        };
        loop {
            if alpha >= beta {
                alpha = beta - 1;
            }
            let BestMove { value, square } = self.search_moves(node, (alpha, beta), allowed)?;
            margin *= 2;
            if value <= alpha && alpha > floor {
                // A selective search may contradict itself forever: eventually the full window is used.
                beta = if margin > 2 * infinite { ceiling } else { alpha + 1 };
                alpha = (value - margin).max(floor);
            } else if value >= beta && beta < ceiling {
                alpha = if margin > 2 * infinite { floor } else { beta - 1 };
                beta = (value + margin).min(ceiling);
            } else {
                // Outside a requested window the value is only a bound, and the next line needs a window, too.
                let value = self.question.window.map_or(value, |(low, high)| value.clamp(low, high));
                return Some(BestMove { value, square });
            }
        }
    }

    /// The best of some moves at the root, with its value if that lies within the window; `None` if the search was
    /// interrupted.
    ///
    /// A move is needed here, not only a bound: nothing cuts the root.
    fn search_moves(&mut self, node: &Node<B, E::Features>, (alpha, beta): (i32, i32), moves: u64) -> Option<BestMove> {
        let (worker, reference) = (&mut *self.worker, self.reference);
        let Node { ref board, depth, .. } = *node;
        let (player, opponent) = (board.player(), board.opponent());
        let empty_count = board.empties().count_ones();
        let to_the_end = depth >= empty_count;
        worker.last.nodes += 1;
        worker.poll_regularly();
        if worker.is_interrupted() {
            return None;
        }
        let hash = transposition::hash::<B>(player, opponent);
        let table_moves = worker.shared.table.probe(player, opponent, hash).map_or([None; 2], |entry| entry.moves);
        let begin = worker.push_candidates(board, moves);
        let unscored = worker.score_first_moves(node, begin, table_moves, to_the_end);

        let mut best = BestMove { value: NO_VALUE, square: worker.candidates[begin].square };
        let mut raised_alpha = alpha;
        // Before the reference has been searched, there is nothing to be better than.
        let mut has_reference = false;
        let end = worker.candidates.len();
        for index in begin..end {
            if unscored == Some(index) {
                worker.score_moves(node, index, table_moves, to_the_end);
            }
            if index > begin && worker.can_split(depth, to_the_end, end - index) {
                best = worker.split(node, index, best, (raised_alpha, beta));
                if has_reference && best.value > raised_alpha {
                    self.progress = Some(best);
                }
                break;
            }
            let candidate = take_best(&mut worker.candidates[index..end]);
            let is_reference = Some(candidate.square) == reference;
            let value = worker.search_child(node, &candidate, index == begin, raised_alpha, beta);
            if worker.is_interrupted() {
                break;
            }
            if value > best.value {
                best = BestMove { value, square: candidate.square };
                if has_reference && value > raised_alpha {
                    self.progress = Some(best);
                }
                raised_alpha = raised_alpha.max(value);
                if value >= beta {
                    break;
                }
            } else if is_reference && value < best.value && best.value > alpha {
                // A move that was searched before the reference is better.
                self.progress = Some(best);
            }
            has_reference |= is_reference;
        }
        worker.candidates.truncate(begin);
        if worker.is_interrupted() {
            return None;
        }
        if best.value >= beta {
            worker.record_cutoff(empty_count, best.square, depth);
        }
        // The value of some of the moves is not the value of the position.
        if moves == board.moves() {
            worker.store(node, hash, (alpha, beta), best);
        }
        Some(best)
    }

    /// The line of best play from a position with a known exact value, to the last disc.
    fn exact_line(&mut self, mut board: B, mut value: i32) -> Vec<Square> {
        let mut line = Vec::new();
        loop {
            if !board.can_move() {
                board = board.pass();
                value = -value;
                if !board.can_move() {
                    return line;
                }
            }
            let iteration = Iteration { depth: board.empties().count_ones(), selectivity: Selectivity::EXACT };
            let node = self.node(board, iteration);
            let known = self.table_entry(&board).filter(|entry| {
                entry.covers(node.depth as u8, Selectivity::EXACT.level())
                    && entry.lower.parts() == value
                    && entry.upper.parts() == value
            });
            let best = known.and_then(|entry| entry.moves[0]).or_else(|| {
                let best = self.search_moves(&node, (value - 1, value + 1), board.moves())?;
                Some(best.square)
            });
            let Some((square, after)) = best.and_then(|square| Some((square, board.play(square)?))) else {
                return line;
            };
            line.push(square);
            board = after;
            value = -value;
        }
    }

    fn table_entry(&self, board: &B) -> Option<HashEntry> {
        let (player, opponent) = (board.player(), board.opponent());
        self.worker.shared.table.probe(player, opponent, transposition::hash::<B>(player, opponent))
    }

    /// The principal variation from a position on, as far as the hash table contains it.
    fn line_from_table(&self, mut board: B) -> Vec<Square> {
        let mut line = Vec::new();
        loop {
            if !board.can_move() {
                board = board.pass();
                if !board.can_move() {
                    return line;
                }
            }
            let best = self.table_entry(&board).and_then(|entry| entry.moves[0]);
            let Some(next) = best.and_then(|square| Some((square, board.play(square)?))) else {
                return line;
            };
            line.push(next.0);
            board = next.1;
        }
    }
}
