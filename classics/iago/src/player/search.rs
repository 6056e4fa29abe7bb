//! The search: full-width alpha-beta with the top of the tree saved from iteration to iteration (Rosenbloom 1982,
//! 4.2).

use othello::{Board, Color, Rules, Square};

use super::evaluation::{Evaluation, Inherited};
use super::features::{Features, Side};
use super::internal_stability::internal_stability;
use super::mobility::{SquareTests, Window};
use super::ordering::{Ordering, Place};
use engine::interruption::Interruption;

/// More than any value.
pub(crate) const INFINITE: i32 = i32::MAX;

/// The value of a disc of a finished game in a search with the evaluation: more than any evaluation.
pub(crate) const FINAL_DISC: i32 = 1 << 22;

/// The goal of a search: one of the three evaluations of the paper (4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The evaluation at a depth.
    Evaluation,
    /// The final disc difference: "evaluation (1)".
    Score,
    /// Win, tie or loss: "evaluation (2)".
    Outcome,
}

/// A node of the saved top of the tree: its moves, the best first.
#[derive(Clone, Debug, Default)]
pub struct SavedNode {
    children: Vec<SavedMove>,
}

#[derive(Clone, Debug)]
struct SavedMove {
    square: Square,
    below: SavedNode,
}

impl SavedNode {
    /// The moves in the order of the last search.
    pub fn moves(&self) -> Vec<Square> {
        self.children.iter().map(|child| child.square).collect()
    }

    /// Sorts the searched moves by value; those after a cutoff keep their order.
    fn sort(&mut self, values: &[i32]) {
        let searched = values.len().min(self.children.len());
        let mut ranked: Vec<(i32, SavedMove)> = values.iter().copied().zip(self.children.drain(..searched)).collect();
        ranked.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        self.children.splice(0..0, ranked.into_iter().map(|(_, child)| child));
    }
}

/// The switchable techniques of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Number of plies of the tree that are saved and ordered: 0, 1 or 3 in Table 4.1.
    pub saved_plies: u32,
    /// Whether counting moves at a leaf stops as soon as it cannot matter.
    pub ends_count_early: bool,
    /// Whether stable internal discs are counted one ply above the leaves.
    pub counts_stable_above: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { saved_plies: 3, ends_count_early: true, counts_stable_above: true }
    }
}

/// Number of computations of the expensive parts of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluationWork {
    /// Counts of stable internal discs.
    pub stability_counts: u64,
    /// Squares tested for moves at leaves, if counting may end early.
    pub square_tests: SquareTests,
}

/// Moves tried and positions of a side, for its average branching factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Branching {
    /// Positions with moves.
    pub positions: u64,
    /// Moves tried in them.
    pub tried: u64,
    /// Moves that could have been tried in them.
    pub legal: u64,
}

impl Branching {
    /// Moves tried in a position.
    pub fn factor(self) -> Option<f64> {
        (self.positions > 0).then(|| self.tried as f64 / self.positions as f64)
    }

    /// Counts a position with moves.
    fn add(&mut self, tried: u64, moves: u64) {
        self.positions += 1;
        self.tried += tried;
        self.legal += u64::from(moves.count_ones());
    }
}

/// Result of an iteration at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootResult {
    /// The value of the best move.
    pub value: i32,
    /// The line that leads to it, the best move first, passes left out.
    pub line: Vec<Square>,
    /// Number of first-ply moves that were searched.
    pub searched: usize,
    /// Whether all of them were, as far as necessary.
    pub is_complete: bool,
}

/// A search of one position.
pub struct Search<'a> {
    evaluation: &'a Evaluation,
    ordering: &'a mut Ordering,
    options: SearchOptions,
    features: Features,
    root: Color,
    /// The move that led to the root.
    answered: Option<Square>,
    lines: Vec<Vec<Square>>,
    goal: Goal,
    /// When the search has to end.
    pub interruption: Interruption<'a>,
    /// Leaves evaluated so far.
    pub leaves: u64,
    /// Positions visited in searches to the end of the game.
    pub end_nodes: u64,
    /// Number of computations of the expensive parts of the evaluation so far.
    pub work: EvaluationWork,
    /// The branching of the current iteration, of the side to move at the root and of the other.
    pub branching: [Branching; 2],
}

impl<'a> Search<'a> {
    /// A search of a position in which `root` is to move, after the move `answered`.
    pub fn new(
        evaluation: &'a Evaluation,
        ordering: &'a mut Ordering,
        options: SearchOptions,
        features: Features,
        (root, answered): (Color, Option<Square>),
        interruption: Interruption<'a>,
    ) -> Self {
        Self {
            evaluation,
            ordering,
            options,
            features,
            root,
            answered,
            lines: vec![Vec::new(); 128],
            goal: Goal::Evaluation,
            interruption,
            leaves: 0,
            end_nodes: 0,
            work: EvaluationWork::default(),
            branching: [Branching::default(); 2],
        }
    }

    /// The position that is searched.
    pub fn board(&self) -> Board {
        self.features.board()
    }

    /// Whether the order of the first ply is kept from one iteration to the next.
    pub fn saves_first_ply(&self) -> bool {
        self.options.saved_plies > 0
    }

    /// Searches the root's moves to a depth, or to the end of the game, and puts them in order.
    ///
    /// Before each but the first, `goes_on`, given the number of finished ones, decides whether there is time for it.
    /// `None` if not even the first was finished.
    pub fn iterate(
        &mut self,
        tree: &mut SavedNode,
        goal: Goal,
        depth: u32,
        mut goes_on: impl FnMut(&Self, usize) -> bool,
    ) -> Option<RootResult> {
        self.goal = goal;
        self.branching = [Branching::default(); 2];
        let board = self.features.board();
        let moves = board.moves();
        if self.options.saved_plies == 0 {
            tree.children.clear();
        }
        self.fill(tree, moves, self.answered);
        let mut best: Option<(i32, Vec<Square>)> = None;
        let mut values = Vec::with_capacity(tree.children.len());
        let mut is_complete = true;
        let (mut alpha, beta) = match goal {
            Goal::Outcome => (-1, 1),
            _ => (-INFINITE, INFINITE),
        };
        let inherited = self.inherited_below(moves, Inherited::default(), depth);
        for (index, child) in tree.children.iter_mut().enumerate() {
            if index > 0 && !goes_on(self, index) {
                is_complete = false;
                break;
            }
            let saved = (self.options.saved_plies > 1).then_some(&mut child.below);
            let Some(value) = self.after(child.square, depth, (alpha, beta), inherited, saved, 0) else {
                is_complete = false;
                break;
            };
            values.push(value);
            if best.as_ref().is_none_or(|(best, _)| value > *best) {
                let mut line = vec![child.square];
                line.extend(&self.lines[1]);
                best = Some((value, line));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let (value, line) = best?;
        self.branching[self.features.mover].add(values.len() as u64, moves);
        let place = self.place(self.answered);
        self.ordering.learn(moves, line[0], place);
        tree.sort(&values);
        Some(RootResult { value, line, searched: values.len(), is_complete })
    }

    /// The value of one move of the root at a depth, or `None` if the search was interrupted.
    pub fn value_of(&mut self, square: Square, goal: Goal, depth: u32) -> Option<i32> {
        self.goal = goal;
        let window = if goal == Goal::Outcome { (-1, 1) } else { (-INFINITE, INFINITE) };
        let inherited = self.inherited_below(self.board().moves(), Inherited::default(), depth);
        self.after(square, depth, window, inherited, None, 0)
    }

    /// The value of the position for its side to move, or `None` if the search was interrupted. The line is left in
    /// `lines[ply]`.
    fn value(
        &mut self,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        answered: Option<Square>,
        inherited: Inherited,
        saved: Option<&mut SavedNode>,
        ply: usize,
    ) -> Option<i32> {
        if self.interruption.count() {
            return None;
        }
        self.lines[ply].clear();
        if self.goal == Goal::Evaluation {
            if depth == 0 {
                return Some(self.leaf(&inherited, alpha, beta));
            }
        } else {
            self.end_nodes += 1;
        }
        let board = self.features.board();
        let moves = board.moves();
        if moves == 0 {
            if !board.pass().can_move() {
                return Some(self.final_value());
            }
            // A pass places no disc and costs no depth.
            let mut inherited = inherited;
            inherited.moves[self.features.mover] = 0;
            self.features.pass();
            let value = self.value(depth, (-beta, -alpha), None, inherited, saved, ply).map(|value| -value);
            self.features.pass();
            return value;
        }

        let inherited = self.inherited_below(moves, inherited, depth);
        let mover = self.features.mover;
        let place = self.place(answered);
        let mut best = (-INFINITE, Square::new(0));
        let mut tried = 0;
        match saved {
            Some(node) => {
                self.fill(node, moves, answered);
                let mut values = Vec::with_capacity(node.children.len());
                let deeper = ply + 1 < self.options.saved_plies as usize;
                for child in &mut node.children {
                    let below = deeper.then_some(&mut child.below);
                    let value = self.after(child.square, depth, (alpha, beta), inherited, below, ply)?;
                    values.push(value);
                    tried += 1;
                    if self.improves(&mut best, (value, child.square), &mut alpha, beta, ply) {
                        break;
                    }
                }
                node.sort(&values);
            }
            None => {
                let list = self.ordering.order(moves, place);
                for &square in list.as_slice() {
                    let value = self.after(square, depth, (alpha, beta), inherited, None, ply)?;
                    tried += 1;
                    if self.improves(&mut best, (value, square), &mut alpha, beta, ply) {
                        break;
                    }
                }
            }
        }
        self.branching[mover].add(tried, moves);
        self.ordering.learn(moves, best.1, place);
        Some(best.0)
    }

    /// Records a move's value; true if the rest need not be searched.
    #[inline]
    fn improves(
        &mut self,
        best: &mut (i32, Square),
        (value, square): (i32, Square),
        alpha: &mut i32,
        beta: i32,
        ply: usize,
    ) -> bool {
        if value > best.0 {
            *best = (value, square);
            if value > *alpha {
                *alpha = value;
                let (upper, lower) = self.lines.split_at_mut(ply + 1);
                upper[ply].clear();
                upper[ply].push(square);
                upper[ply].extend_from_slice(&lower[0]);
            }
        }
        *alpha >= beta
    }

    /// The value of a move for the side that makes it.
    #[inline]
    fn after(
        &mut self,
        square: Square,
        depth: u32,
        (alpha, beta): (i32, i32),
        inherited: Inherited,
        saved: Option<&mut SavedNode>,
        ply: usize,
    ) -> Option<i32> {
        let flips = self.features.board().flips(square);
        self.features.play(square, flips);
        let value = self.value(depth.saturating_sub(1), (-beta, -alpha), Some(square), inherited, saved, ply + 1);
        self.features.undo(square, flips);
        value.map(|value| -value)
    }

    /// State that the positions after the moves inherit.
    #[inline]
    fn inherited_below(&mut self, moves: u64, inherited: Inherited, depth: u32) -> Inherited {
        let mut below = inherited;
        below.moves[self.features.mover] = moves;
        if depth == 1 && self.goal == Goal::Evaluation && self.options.counts_stable_above {
            self.work.stability_counts += 1;
            below.stable_discs = internal_stability(self.features.discs[0], self.features.discs[1]);
        }
        below
    }

    #[inline]
    fn leaf(&mut self, inherited: &Inherited, alpha: i32, beta: i32) -> i32 {
        self.leaves += 1;
        let [first, second] = self.features.discs;
        if first == 0 || second == 0 || first | second == u64::MAX {
            return self.final_value();
        }
        let mut inherited = *inherited;
        if !self.options.counts_stable_above {
            self.work.stability_counts += 1;
            inherited.stable_discs = internal_stability(first, second);
        }
        let window = self.options.ends_count_early.then_some((Window { alpha, beta }, &mut self.work.square_tests));
        self.evaluation.value(&self.features, &inherited, window)
    }

    /// The value of the game if it ends here.
    fn final_value(&self) -> i32 {
        let discs = self.features.board().final_score().discs();
        match self.goal {
            Goal::Evaluation => discs * FINAL_DISC,
            Goal::Score => discs,
            Goal::Outcome => discs.signum(),
        }
    }

    /// Generates the moves of a node of the saved tree, if it has none yet.
    fn fill(&mut self, node: &mut SavedNode, moves: u64, answered: Option<Square>) {
        if node.children.is_empty() {
            let list = self.ordering.order(moves, self.place(answered));
            let children = list.as_slice().iter().map(|&square| SavedMove { square, below: SavedNode::default() });
            node.children = children.collect();
        }
    }

    fn place(&self, answered: Option<Square>) -> Place {
        let color = color_of(self.features.mover, self.root);
        Place { color, answered, move_number: self.features.move_number() }
    }
}

/// The color of a side, when this color is to move at the root.
fn color_of(side: Side, root: Color) -> Color {
    if side == 0 { root } else { !root }
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use othello::squares;

    use super::*;
    use crate::player::ordering::Heuristic;
    use crate::player::samples::boards;
    use crate::player::shipped_evaluation;

    /// Plain minimax, with everything counted from scratch: the value that every search must find.
    fn minimax(features: &Features, inherited: Inherited, depth: u32, goal: Goal) -> i32 {
        let board = features.board();
        let finish = || {
            let discs = board.final_score().discs();
            match goal {
                Goal::Evaluation => discs * FINAL_DISC,
                Goal::Score => discs,
                Goal::Outcome => discs.signum(),
            }
        };
        let [first, second] = features.discs;
        if goal == Goal::Evaluation && depth == 0 {
            if first == 0 || second == 0 || first | second == u64::MAX {
                return finish();
            }
            return shipped_evaluation().components_of(features, &inherited).value();
        }
        let moves = board.moves();
        let mut below = inherited;
        below.moves[features.mover] = moves;
        if moves == 0 {
            if board.is_over() {
                return finish();
            }
            return -minimax(&Features::counted(features.discs, 1 - features.mover), below, depth, goal);
        }
        below.stable_discs = internal_stability(first, second);
        squares(moves)
            .map(|square| {
                let after = board.after(square, board.flips(square));
                let mover = 1 - features.mover;
                let discs = if mover == 0 { [after.player, after.opponent] } else { [after.opponent, after.player] };
                -minimax(&Features::counted(discs, mover), below, depth.saturating_sub(1), goal)
            })
            .max()
            .unwrap_or_else(finish)
    }

    fn searched(board: &Board, heuristic: Heuristic, options: SearchOptions, goal: Goal, depth: u32) -> (i32, u64) {
        let evaluation = shipped_evaluation();
        let mut ordering = Ordering::new(heuristic);
        let stop = Stop::new();
        let interruption = Interruption::new(&stop, None, None);
        let root = (Color::White, None);
        let mut search = Search::new(&evaluation, &mut ordering, options, Features::of(board), root, interruption);
        let mut tree = SavedNode::default();
        let mut value = None;
        let depths = if goal == Goal::Evaluation { 1..=depth } else { depth..=depth };
        for depth in depths {
            let result = search.iterate(&mut tree, goal, depth, |_, _| true).unwrap();
            assert!(result.is_complete && !result.line.is_empty());
            value = Some(result.value);
        }
        assert_eq!(search.board(), *board, "every move is taken back");
        (value.unwrap(), search.leaves)
    }

    /// The twelve conditions of Table 4.1.
    fn conditions() -> Vec<(Heuristic, SearchOptions)> {
        let heuristics =
            [Heuristic::MoveGeneration, Heuristic::SquareValue, Heuristic::MoveNumber, Heuristic::Response];
        let with = |saved_plies| SearchOptions { saved_plies, ..SearchOptions::default() };
        heuristics.into_iter().flat_map(|heuristic| [0, 1, 3].map(|saved| (heuristic, with(saved)))).collect()
    }

    #[test]
    fn every_order_and_every_saving_finds_the_value_of_plain_minimax() {
        for board in boards(40, 11).into_iter().filter(Board::can_move) {
            for depth in 1..=3 {
                let expected = minimax(&Features::of(&board), Inherited::default(), depth, Goal::Evaluation);
                for (heuristic, options) in conditions() {
                    for ends_count_early in [false, true] {
                        let options = SearchOptions { ends_count_early, ..options };
                        let (found, _) = searched(&board, heuristic, options, Goal::Evaluation, depth);
                        assert_eq!(found, expected, "{board:?} to depth {depth} with {heuristic:?} {options:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_played_move_is_worth_what_a_search_one_ply_less_deep_finds_after_it() {
        // As the analysis of games values it (section 5): "by playing the move, and then searching to a depth one less".
        for board in boards(40, 15).into_iter().filter(Board::can_move) {
            let (evaluation, stop) = (shipped_evaluation(), Stop::new());
            for square in squares(board.moves()) {
                let after = board.after(square, board.flips(square));
                let stable_discs = internal_stability(board.player, board.opponent);
                let inherited = Inherited { moves: [board.moves(), 0], stable_discs };
                for depth in 1..=3 {
                    let reply = Features::counted([after.opponent, after.player], 1);
                    let expected = -minimax(&reply, inherited, depth - 1, Goal::Evaluation);
                    let mut ordering = Ordering::new(Heuristic::Response);
                    let interruption = Interruption::new(&stop, None, None);
                    let (options, root) = (SearchOptions::default(), (Color::Black, None));
                    let features = Features::of(&board);
                    let mut search = Search::new(&evaluation, &mut ordering, options, features, root, interruption);
                    let found = search.value_of(square, Goal::Evaluation, depth);
                    assert_eq!(found, Some(expected), "{square} to depth {depth} on {board:?}");
                }
            }
        }
    }

    #[test]
    fn more_knowledge_of_order_means_fewer_leaves() {
        // Table 4.1: the more is saved and remembered, the lower the branching factor.
        let leaves = |heuristic, saved_plies| -> u64 {
            let options = SearchOptions { saved_plies, ..SearchOptions::default() };
            boards(12, 12)
                .into_iter()
                .filter(|board| board.moves().count_ones() > 4 && board.empty_count() > 20)
                .map(|board| searched(&board, heuristic, options, Goal::Evaluation, 5).1)
                .sum()
        };
        let natural = leaves(Heuristic::MoveGeneration, 0);
        let ordered = leaves(Heuristic::Response, 3);
        assert!(ordered < natural, "{ordered} leaves in order, {natural} without");
        assert!(leaves(Heuristic::Response, 3) < leaves(Heuristic::MoveGeneration, 3));
        assert!(leaves(Heuristic::MoveNumber, 3) < leaves(Heuristic::MoveNumber, 0));
    }

    #[test]
    fn moves_are_counted_in_every_position_above_the_leaves() {
        // Black has four moves at the start; one ply above the leaves every move is tried.
        let (evaluation, stop) = (shipped_evaluation(), Stop::new());
        let mut ordering = Ordering::new(Heuristic::Response);
        let interruption = Interruption::new(&stop, None, None);
        let features = Features::of(&Board::start());
        let options = SearchOptions::default();
        let mut search = Search::new(&evaluation, &mut ordering, options, features, (Color::Black, None), interruption);
        let mut tree = SavedNode::default();
        search.iterate(&mut tree, Goal::Evaluation, 1, |_, _| true).unwrap();
        assert_eq!(search.branching, [Branching { positions: 1, tried: 4, legal: 4 }, Branching::default()]);
        // Stable discs are counted once, in the position above the four leaves.
        assert_eq!((search.leaves, search.work.stability_counts), (4, 1));
        // White has three replies to each, some of which alpha-beta may skip, but not the first.
        search.iterate(&mut tree, Goal::Evaluation, 2, |_, _| true).unwrap();
        let [own, other] = search.branching;
        assert_eq!(own, Branching { positions: 1, tried: 4, legal: 4 });
        assert!(other.positions == 4 && other.legal == 12 && (6..=12).contains(&other.tried), "{other:?}");
        assert_eq!(search.leaves, 4 + other.tried);
        assert_eq!(search.work.stability_counts, 1 + other.positions);
    }

    #[test]
    fn ends_are_solved_as_plain_minimax_solves_them() {
        let few = |board: &Board| (1..=7).contains(&board.empty_count()) && board.can_move();
        let ends: Vec<Board> = boards(1500, 13).into_iter().filter(few).collect();
        assert!(ends.len() > 50);
        for board in ends {
            for goal in [Goal::Score, Goal::Outcome] {
                let expected = minimax(&Features::of(&board), Inherited::default(), 60, goal);
                let empties = board.empty_count();
                let (found, leaves) = searched(&board, Heuristic::Response, SearchOptions::default(), goal, empties);
                assert_eq!((found, leaves), (expected, 0), "{board:?} for {goal:?}");
            }
        }
    }

    #[test]
    fn stable_discs_counted_at_the_leaves_are_those_of_the_leaves() {
        let options = SearchOptions { counts_stable_above: false, ends_count_early: false, ..Default::default() };
        let evaluation = shipped_evaluation();
        for board in boards(60, 14).into_iter().filter(|board| board.can_move() && board.empty_count() > 1) {
            let best = squares(board.moves())
                .map(|square| {
                    let after = board.after(square, board.flips(square));
                    if after.player == 0 || after.opponent == 0 || after.empty_count() == 0 {
                        return -after.final_score().discs() * FINAL_DISC;
                    }
                    let stable_discs = internal_stability(after.player, after.opponent);
                    let inherited = Inherited { moves: [0, board.moves()], stable_discs };
                    -evaluation.components_of(&Features::of(&after), &inherited).value()
                })
                .max();
            let (found, _) = searched(&board, Heuristic::Response, options, Goal::Evaluation, 1);
            assert_eq!(Some(found), best, "{board:?}");
        }
    }

    #[test]
    fn the_saved_tree_keeps_searched_moves_by_value_and_the_others_behind() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let saved = |name: &str| SavedMove { square: square(name), below: SavedNode::default() };
        let mut node = SavedNode { children: ["a1", "b1", "c1", "d1"].map(saved).into() };
        node.sort(&[3, 7, 7]);
        let names: Vec<String> = node.moves().iter().map(Square::to_string).collect();
        assert_eq!(names, ["b1", "c1", "a1", "d1"]);
    }
}
