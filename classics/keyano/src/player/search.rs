//! The search: NegaScout (Reinefeld 1983) with ProbCut at several levels (sections 2 to 2.2).
//!
//! Values are hundredths of a disc for the side to move. A pass costs no depth. Parity is computed four plies above the
//! leaves (or `parity-plies`) and inherited from there; in a shallower search, at its root.

use othello::{Board, Rules, Square};

use super::endgame::SOLVED_FROM;
use super::evaluation::{DISC, Evaluation, IndexedBoard};
use super::move_order::{MoveList, MoveOrder};
use super::parity::Parity;
use super::settings::{ProbCut, Settings};
use super::shared_table::SearchTable;
use super::tables::Tables;
use super::transposition::Bound;
use engine::interruption::Interruption;

/// Beyond every value.
pub(crate) const INFINITE: i32 = 64 * DISC + 1;

/// State that is kept from one search to the next.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) table: SearchTable,
    pub(crate) order: MoveOrder,
}

impl Memory {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { table: SearchTable::new(settings), order: MoveOrder::new(settings.killers, settings.history) }
    }

    /// The memory of a worker, which has the same table if that is shared.
    pub(crate) fn of_worker(&self, settings: &Settings) -> Self {
        match &self.table {
            SearchTable::Own(_) => Self::new(settings),
            shared @ SearchTable::Shared(_) => {
                Self { table: shared.clone(), order: MoveOrder::new(settings.killers, settings.history) }
            }
        }
    }

    /// A worker searches another position. A shared table has been told already.
    pub(crate) fn begin_search_of_worker(&mut self) {
        if let SearchTable::Own(table) = &mut self.table {
            table.begin_search();
        }
        self.order.begin_search();
    }

    /// Another game begins.
    pub(crate) fn forget(&mut self, settings: &Settings) {
        self.table.clear();
        self.order = MoveOrder::new(settings.killers, settings.history);
    }

    /// Another position is searched.
    pub(crate) fn begin_search(&mut self) {
        self.table.begin_search();
        self.order.begin_search();
    }
}

/// The quality of move ordering: the figures of section 2.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OrderQuality {
    /// Positions with a cutoff.
    pub cut_nodes: u64,
    /// Moves searched there, including the one that caused the cutoff; the paper has 1.10 per position.
    pub cut_moves: u64,
    /// Positions where one move was found best.
    pub decided: u64,
    /// Nodes where it was searched first; the paper has 89% to 93%.
    pub first_was_best: u64,
}

/// Number of times that ProbCut was tried and decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbCutUse {
    /// Searches for which a shallower one was tried first.
    pub tried: u64,
    /// Searches that it replaced.
    pub cut: u64,
}

/// A search under way.
pub(crate) struct Search<'a> {
    tables: &'a Tables,
    evaluation: Evaluation<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) memory: &'a mut Memory,
    pub(crate) interruption: Interruption<'a>,
    pub(crate) quality: OrderQuality,
    pub(crate) probcut_use: ProbCutUse,
}

/// The place of a position in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Plies from the root, passes included.
    pub(crate) ply: usize,
    /// Whose turn it is: 0 at the root.
    pub(crate) side: usize,
    /// The last computed parity, for the side to move.
    pub(crate) parity: Parity,
    /// Whether this search may be replaced by a shallower one: not if it already replaces one.
    pub(crate) may_cut: bool,
}

/// Knowledge of a position before its moves are searched.
pub(crate) enum Beginning {
    /// Its value, or a bound beyond the window.
    Value(i32),
    /// The side to move has to pass.
    Pass,
    /// Its moves, in the order in which they are tried.
    Moves(MoveList),
}

impl Node {
    #[inline]
    pub(crate) fn next(self) -> Self {
        Self { ply: self.ply + 1, side: self.side ^ 1, parity: self.parity.turned(), ..self }
    }
}

/// The goal of the search of the root's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// Their values by a search of this many plies, the move included.
    Plies(u32),
    /// Their final scores.
    TheEnd,
}

/// The result of the search of a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootResult {
    /// The best move so far and its value; `None` if not even the first was searched.
    pub(crate) best: Option<(Square, i32)>,
    /// Whether all moves were searched.
    pub(crate) is_complete: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        tables: &'a Tables,
        settings: &'a Settings,
        memory: &'a mut Memory,
        interruption: Interruption<'a>,
    ) -> Self {
        let lost_region = settings.lost_region.map_or(tables.lost_region, |points| 100 * points);
        let evaluation = Evaluation::new(tables, settings.mobility).with_lost_region(lost_region);
        let (quality, probcut_use) = Default::default();
        Self { tables, evaluation, settings, memory, interruption, quality, probcut_use }
    }

    /// Searches the moves of the root in their order, as NegaScout does.
    pub(crate) fn root(&mut self, board: &Board, moves: &[Square], goal: Goal, alpha: i32, beta: i32) -> RootResult {
        let position = IndexedBoard::of(*board);
        let mut result = RootResult { best: None, is_complete: false };
        for &square in moves {
            let after = position.after(square, board.flips(square));
            let lower = result.best.map_or(alpha, |(_, value)| value.max(alpha));
            let mut value = None;
            if result.best.is_some() && self.settings.negascout {
                value = self.root_move(&position, &after, goal, -lower - 1, -lower);
                if value.is_none() {
                    return result;
                }
            }
            if value.is_none_or(|value| value > lower && value < beta) {
                match self.root_move(&position, &after, goal, -beta, -lower) {
                    Some(exact) => value = Some(exact),
                    None => {
                        // Interrupted, but known to be better.
                        if let Some(bound) = value {
                            result.best = Some((square, bound));
                        }
                        return result;
                    }
                }
            }
            if let Some(value) = value
                && result.best.is_none_or(|(_, best)| value > best)
            {
                result.best = Some((square, value));
                if value >= beta {
                    break;
                }
            }
        }
        result.is_complete = true;
        result
    }

    /// The value of one of the root's moves for the root.
    fn root_move(
        &mut self,
        root: &IndexedBoard,
        after: &IndexedBoard,
        goal: Goal,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let value = match goal {
            Goal::TheEnd => self.solve_within(&after.board, alpha, beta),
            Goal::Plies(depth) => {
                let node = self.root_node(&root.board);
                self.negascout(after, node.next(), depth.saturating_sub(1), alpha, beta)
            }
        };
        value.map(|value| -value)
    }

    /// The root's place in the tree.
    pub(crate) fn root_node(&self, board: &Board) -> Node {
        Node { ply: 0, side: 0, parity: self.parity(board), may_cut: self.settings.probcut != ProbCut::Off }
    }

    pub(crate) fn parity(&self, board: &Board) -> Parity {
        parity_of(board, self.settings)
    }

    /// The final score in hundredths of a disc, for a window in hundredths.
    fn solve_within(&mut self, board: &Board, alpha: i32, beta: i32) -> Option<i32> {
        let (low, high) = (alpha.div_euclid(DISC), -(-beta).div_euclid(DISC));
        self.solve(board, low, high).map(|score| score * DISC)
    }

    /// Knowledge of a position before its moves are searched; `None` if the search is interrupted.
    #[inline]
    pub(crate) fn begin(
        &mut self,
        position: &IndexedBoard,
        node: &mut Node,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<Beginning> {
        if self.interruption.count() {
            return None;
        }
        let board = &position.board;
        let moves = board.moves();
        if moves == 0 {
            let is_over = !board.pass().can_move();
            return Some(if is_over { Beginning::Value(board.final_score().discs() * DISC) } else { Beginning::Pass });
        }
        if board.empty_count() <= SOLVED_FROM {
            return self.solve_within(board, alpha, beta).map(Beginning::Value);
        }
        if depth == self.settings.parity_plies {
            node.parity = self.parity(board);
        }
        if depth == 0 {
            return Some(Beginning::Value(self.evaluation.value(position, node.parity)));
        }
        let mut known = self.memory.table.find(board);
        if let Some(value) = known.and_then(|entry| entry.answer(depth, alpha, beta)) {
            return Some(Beginning::Value(value));
        }
        if node.may_cut {
            if let Some(bound) = self.probcut(position, *node, depth, alpha, beta)? {
                return Some(Beginning::Value(bound));
            }
            // The shallow search provides a first move.
            known = self.memory.table.find(board);
        }
        let best_known = known.and_then(|entry| entry.best());
        Some(Beginning::Moves(self.memory.order.moves(moves, node.side, node.ply, best_known)))
    }

    /// The value of a position, or a bound beyond the window; `None` if the search is interrupted.
    pub(crate) fn negascout(
        &mut self,
        position: &IndexedBoard,
        mut node: Node,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let board = &position.board;
        let moves = match self.begin(position, &mut node, depth, alpha, beta)? {
            Beginning::Value(value) => return Some(value),
            Beginning::Pass => {
                return self.negascout(&position.passed(), node.next(), depth, -beta, -alpha).map(|value| -value);
            }
            Beginning::Moves(moves) => moves,
        };
        let mut best = (-INFINITE, None);
        let mut searched = 0;
        for square in moves.iter() {
            let after = position.after(square, board.flips(square));
            let lower = alpha.max(best.0);
            let mut value = None;
            if searched > 0 && self.settings.negascout {
                value = Some(-self.negascout(&after, node.next(), depth - 1, -lower - 1, -lower)?);
            }
            if value.is_none_or(|value| value > lower && value < beta) {
                value = Some(-self.negascout(&after, node.next(), depth - 1, -beta, -lower)?);
            }
            let value = value?;
            searched += 1;
            if value > best.0 {
                best = (value, Some((square, searched)));
            }
            if value >= beta {
                break;
            }
        }
        self.conclude(board, node, depth, (alpha, beta), best);
        Some(best.0)
    }

    /// Remembers the best move of a position, with its number in the order of moves, and the value found with this
    /// window.
    #[inline]
    pub(crate) fn conclude(
        &mut self,
        board: &Board,
        node: Node,
        depth: u32,
        (alpha, beta): (i32, i32),
        best: (i32, Option<(Square, u64)>),
    ) {
        if best.0 > alpha
            && let Some((square, number)) = best.1
        {
            let is_cut = best.0 >= beta;
            self.memory.order.reward(square, node.side, node.ply, depth, is_cut);
            self.quality.decided += 1;
            self.quality.first_was_best += u64::from(number == 1);
            if is_cut {
                self.quality.cut_nodes += 1;
                self.quality.cut_moves += number;
            }
        }
        // Below alpha all values are bounds, and the best bound says nothing about the best move.
        let best_move = best.1.filter(|_| best.0 > alpha).map(|(square, _)| square.index() as u8);
        self.memory.table.store(board, depth, best.0, Bound::of(best.0, alpha, beta), best_move);
    }

    /// The depth and the window of the search that may replace one of this depth, if ProbCut is used for it. A value of
    /// `low` or less, or of `high` or more, decides.
    ///
    /// The window is shifted by the mean difference and widened by 1.2 standard deviations (section 2.2).
    pub(crate) fn probcut_window(&self, depth: u32, alpha: i32, beta: i32) -> Option<(u32, i32, i32)> {
        let is_tried = match self.settings.probcut {
            ProbCut::Multi => true,
            ProbCut::Single => depth == 8,
            ProbCut::Off => false,
        };
        let forecast = self.tables.forecast(depth).filter(|_| is_tried)?;
        let margin = (self.settings.width * f64::from(forecast.deviation)).round() as i32;
        let (low, high) = (alpha - forecast.mean - margin, beta - forecast.mean + margin);
        (low > -INFINITE || high < INFINITE).then_some((depth / 2, low, high))
    }

    /// Tries to replace a search by one of half its depth: `Some(Some(bound))` if that decides, `None` if it is
    /// interrupted.
    fn probcut(
        &mut self,
        position: &IndexedBoard,
        mut node: Node,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<Option<i32>> {
        let Some((shallow, low, high)) = self.probcut_window(depth, alpha, beta) else { return Some(None) };
        if (shallow + 1..depth).contains(&self.settings.parity_plies) {
            node.parity = self.parity(&position.board);
        }
        node.may_cut = false;
        let value = self.negascout(position, node, shallow, low.max(-INFINITE), high.min(INFINITE))?;
        let bound = match () {
            () if value >= high => Some(beta),
            () if value <= low => Some(alpha),
            () => None,
        };
        self.probcut_use.tried += 1;
        self.probcut_use.cut += u64::from(bound.is_some());
        Some(bound)
    }

    /// The expected moves after this one, as far as the table has them.
    pub(crate) fn line(&self, board: &Board, first: Square, most: usize) -> Vec<Square> {
        let mut line = vec![first];
        let mut board = board.play(first);
        while let Some(current) = board.filter(|_| line.len() < most) {
            let current = if current.must_pass() { current.pass() } else { current };
            let Some(best) = self.memory.table.find(&current).and_then(|entry| entry.best()) else { break };
            let square = Square::new(best);
            board = current.play(square);
            if board.is_some() {
                line.push(square);
            }
        }
        line
    }
}

/// The regions that count with these settings.
#[inline]
fn parity_of(board: &Board, settings: &Settings) -> Parity {
    if settings.parity { Parity::counting(board, settings.regions) } else { Parity::default() }
}

/// The values of searches of 1, 2 and so on plies, without ProbCut, in hundredths of a disc: what ProbCut's figures are
/// fitted to.
pub fn values_by_depth(tables: &Tables, board: &Board, deepest: u32) -> Vec<i32> {
    let settings = Settings { probcut: ProbCut::Off, table: Some(18), ..Settings::default() };
    let mut memory = Memory::new(&settings);
    memory.begin_search();
    let stop = engine::Stop::new();
    let mut search = Search::new(tables, &settings, &mut memory, Interruption::new(&stop, None, None));
    let mut moves: Vec<Square> = search.memory.order.moves(board.moves(), 0, 0, None).iter().collect();
    let mut values = Vec::new();
    for depth in 1..=deepest {
        let Some((best, value)) = search.root(board, &moves, Goal::Plies(depth), -INFINITE, INFINITE).best else {
            break;
        };
        values.push(value);
        bring_forward(&mut moves, best);
        search.memory.order.sort();
    }
    values
}

/// Puts a move first and leaves the others in their order.
pub(crate) fn bring_forward(moves: &mut [Square], best: Square) {
    if let Some(index) = moves.iter().position(|&square| square == best) {
        moves[..=index].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use othello::squares;
    use search::samples::{Origin, Samples};

    use super::*;
    use crate::player::Regions;

    /// The value by trying everything, without incremental updates.
    fn plainly(board: &Board, depth: u32, parity: Parity, settings: &Settings) -> i32 {
        let moves = board.moves();
        if moves == 0 {
            return if board.pass().can_move() {
                -plainly(&board.pass(), depth, parity.turned(), settings)
            } else {
                board.final_score().discs() * DISC
            };
        }
        let parity = if depth == settings.parity_plies { parity_of(board, settings) } else { parity };
        if depth == 0 {
            return Evaluation::new(Tables::shipped(), settings.mobility).value(&IndexedBoard::of(*board), parity);
        }
        let after = |square: Square| board.play(square).expect("a legal move");
        squares(moves)
            .map(|square| -plainly(&after(square), depth - 1, parity.turned(), settings))
            .max()
            .expect("a move")
    }

    fn found(board: &Board, depth: u32, settings: &Settings) -> (i32, u64) {
        let mut memory = Memory::new(settings);
        memory.begin_search();
        let stop = Stop::new();
        let mut search = Search::new(Tables::shipped(), settings, &mut memory, Interruption::new(&stop, None, None));
        let mut moves: Vec<Square> = squares(board.moves()).collect();
        let mut value = 0;
        // Iterations fill the table and sort the squares, as in a game.
        for depth in 1..=depth {
            let best = search.root(board, &moves, Goal::Plies(depth), -INFINITE, INFINITE).best.expect("a move");
            bring_forward(&mut moves, best.0);
            search.memory.order.sort();
            value = best.1;
        }
        (value, search.interruption.nodes())
    }

    fn positions(count: usize, seed: u64) -> Vec<Board> {
        let mut samples = Samples::<Board>::new(seed);
        let origin = |number: usize| [Origin::RandomGame, Origin::SensibleGame, Origin::GreedyGame][number % 3];
        (0..count).map(|number| samples.position_with_moves(origin(number), 16 + 4 * (number as u32 % 9))).collect()
    }

    #[test]
    fn every_way_to_search_finds_the_value_of_plain_negamax() {
        let full_width = Settings { probcut: ProbCut::Off, table: None, ..Settings::default() };
        for board in positions(24, 51) {
            // The parity that a leaf inherits depends on the path, so a table may change values slightly.
            for settings in [
                full_width,
                Settings { negascout: false, ..full_width },
                Settings { regions: Regions::All, ..full_width },
                Settings { parity_plies: 0, ..full_width },
                Settings { parity_plies: 2, ..full_width },
                Settings { killers: false, history: false, ..full_width },
                Settings { parity: false, table: Some(14), ..full_width },
                Settings { parity: false, table: Some(8), negascout: false, ..full_width },
            ] {
                let parity = parity_of(&board, &settings);
                let expected = plainly(&board, 5, parity, &settings);
                assert_eq!(found(&board, 5, &settings).0, expected, "{settings:?} on {board:?}");
            }
        }
    }

    #[test]
    fn a_wide_margin_cuts_nothing_and_the_papers_saves_most_of_the_nodes() {
        let off = Settings { probcut: ProbCut::Off, ..Settings::default() };
        let wide = Settings { width: 10.0, ..Settings::default() };
        let (mut nodes_off, mut nodes_single, mut nodes_multi, mut errors) = (0, 0, 0, 0);
        for board in positions(9, 53) {
            let (value, nodes) = found(&board, 8, &off);
            nodes_off += nodes;
            nodes_single += found(&board, 8, &Settings { probcut: ProbCut::Single, ..off }).1;
            let (multi, nodes) = found(&board, 8, &Settings::default());
            nodes_multi += nodes;
            errors += (multi - value).abs();
            // Differences never exceed ten deviations, but shallow searches may order moves differently.
            assert!((found(&board, 6, &wide).0 - found(&board, 6, &off).0).abs() <= 300, "{board:?}");
        }
        assert!(
            nodes_multi < nodes_single && nodes_single <= nodes_off + nodes_off / 5,
            "{nodes_multi} {nodes_single} {nodes_off}"
        );
        assert!(2 * nodes_multi < nodes_off, "{nodes_multi} of {nodes_off}");
        assert!(errors < 9 * 300, "{errors}");
    }

    #[test]
    fn the_window_of_a_probe_is_moved_by_the_mean_and_widened_by_the_deviation() {
        // A forecast that the deep value is always exactly 50 discs higher: a window below 50 fails high immediately.
        let mut tables = Tables::shipped().clone();
        tables.forecasts.fill(crate::player::tables::Forecast { mean: 50 * DISC, deviation: 0 });
        let settings = Settings::default();
        let mut memory = Memory::new(&settings);
        let stop = Stop::new();
        let mut search = Search::new(&tables, &settings, &mut memory, Interruption::new(&stop, None, None));
        let board = positions(1, 57)[0];
        let node = Node { ply: 0, side: 0, parity: Parity::default(), may_cut: true };
        let shallow = plainly(&board, 2, Parity::of(&board), &settings);
        let expected = shallow + 50 * DISC;
        let mut probe = |alpha: i32| {
            search.probcut(&IndexedBoard::of(board), Node { parity: Parity::of(&board), ..node }, 4, alpha, alpha + 1)
        };
        assert_eq!(probe(expected - 1), Some(Some(expected)), "fails high");
        assert_eq!(probe(expected), Some(Some(expected)), "fails low");
        tables.forecasts.fill(crate::player::tables::Forecast { mean: 0, deviation: 1000 });
        let mut search = Search::new(&tables, &settings, &mut memory, Interruption::new(&stop, None, None));
        let mut probe = |alpha: i32, depth: u32| {
            search.probcut(
                &IndexedBoard::of(board),
                Node { parity: Parity::of(&board), ..node },
                depth,
                alpha,
                alpha + 1,
            )
        };
        // 1.2 deviations of ten discs are twelve.
        assert_eq!(probe(shallow - 1201, 4), Some(Some(shallow - 1200)));
        assert_eq!(probe(shallow - 1200, 4), Some(None));
        assert_eq!(probe(shallow + 1199, 4), Some(None));
        assert_eq!(probe(shallow + 1200, 4), Some(Some(shallow + 1200)));
        assert_eq!((probe(0, 3), probe(0, 11)), (Some(None), Some(None)), "these depths are never replaced");
        assert_eq!(search.probcut_use, ProbCutUse { tried: 4, cut: 2 }, "of the four probes, the outer two cut");
    }

    #[test]
    fn moves_are_ordered_about_as_well_as_the_paper_says() {
        let settings = Settings { probcut: ProbCut::Off, ..Settings::default() };
        let (mut cut_nodes, mut cut_moves) = (0, 0);
        for board in positions(6, 59) {
            let mut memory = Memory::new(&settings);
            let stop = Stop::new();
            let mut search =
                Search::new(Tables::shipped(), &settings, &mut memory, Interruption::new(&stop, None, None));
            let mut moves: Vec<Square> = squares(board.moves()).collect();
            for depth in 1..=7 {
                let best = search.root(&board, &moves, Goal::Plies(depth), -INFINITE, INFINITE).best.expect("a move");
                bring_forward(&mut moves, best.0);
                search.memory.order.sort();
            }
            cut_nodes += search.quality.cut_nodes;
            cut_moves += search.quality.cut_moves;
        }
        // The paper has 1.10 moves at depth 10.
        let moves_per_cut = cut_moves as f64 / cut_nodes as f64;
        assert!(moves_per_cut < 1.5, "{moves_per_cut}");
    }

    #[test]
    fn killers_history_and_a_larger_table_each_save_nodes() {
        let full_width = Settings { probcut: ProbCut::Off, ..Settings::default() };
        let nodes =
            |settings: Settings| -> u64 { positions(12, 61).iter().map(|board| found(board, 7, &settings).1).sum() };
        let all = nodes(full_width);
        for (less, name) in [
            (Settings { killers: false, ..full_width }, "killers"),
            (Settings { history: false, ..full_width }, "history"),
            (Settings { table: None, ..full_width }, "table"),
            (Settings { table: Some(8), ..full_width }, "a larger table"),
        ] {
            let without = nodes(less);
            assert!(without > all, "{name}: {all} nodes with, {without} without");
        }
    }

    #[test]
    fn an_interrupted_search_keeps_its_best_move_so_far() {
        let board = positions(3, 67)[2];
        let settings = Settings::default();
        let moves: Vec<Square> = squares(board.moves()).collect();
        for nodes in [1, 50, 500, 5000] {
            let mut memory = Memory::new(&settings);
            let stop = Stop::new();
            let mut interruption = Interruption::new(&stop, Some(nodes), None);
            interruption.arm();
            let mut search = Search::new(Tables::shipped(), &settings, &mut memory, interruption);
            let result = search.root(&board, &moves, Goal::Plies(12), -INFINITE, INFINITE);
            assert!(!result.is_complete);
            assert!(result.best.is_none_or(|(square, _)| moves.contains(&square)));
            assert_eq!(search.interruption.nodes(), nodes);
        }
    }
}
