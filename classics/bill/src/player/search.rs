//! BILL's search: full-width alpha-beta with moves from the hash and killer tables, and zero windows (section 3).
//!
//! A pass places no disc and costs no depth, so that all leaves of an iteration have the same number of discs and are
//! evaluated by the same stage.

use std::sync::Arc;

use engine::Outcome;
use othello::{Board, Color, Rules, Square};

use super::edge_table::EdgeTable;
use super::evaluation::Evaluation;
use super::features::{FeatureTables, Seen};
use super::hash_table::HashTable;
use super::killer_table::{KillerTable, Trigger};
use super::lines::LineIndices;
use super::settings::BillSettings;
use engine::interruption::Interruption;

/// The value of a disc of a finished game: more than any unfinished game.
pub const FINAL_DISC: i32 = 1 << 20;

/// More than any value.
pub(crate) const INFINITE: i32 = 65 * FINAL_DISC;

/// State that is kept from search to search: tables and move ordering.
#[derive(Clone, Debug)]
pub struct Searcher {
    edges: Arc<EdgeTable>,
    evaluation: Evaluation,
    hash: HashTable,
    killers: KillerTable,
    settings: BillSettings,
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The best move by looking this many plies ahead.
    Depth(u32),
    /// The winner.
    Outcome,
    /// The final difference of discs.
    Exact,
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub square: Square,
    /// Its value: in points, or in discs when the search went to the end of the game.
    pub value: i32,
    /// Whether the value is a lower bound: only this move was better than the first one, so it was not searched further
    /// (section 3.3).
    pub is_bound: bool,
}

/// A position of the search, with everything that is updated along the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    pub(crate) trigger: Trigger,
    indices: LineIndices,
}

impl Node {
    pub(crate) fn new(board: &Board, turn: Color, trigger: Trigger) -> Self {
        Self { board: *board, turn, trigger, indices: LineIndices::new(board, turn) }
    }

    #[inline]
    fn after(&self, square: Square, flips: u64) -> Self {
        Self {
            board: self.board.after(square, flips),
            turn: !self.turn,
            trigger: Trigger::of(square),
            indices: self.indices.after(square.index(), flips, self.turn),
        }
    }

    /// The same after a pass. The killers are those of the side's own last move: no other node of this path uses that list,
    /// because a square is played only once.
    fn passed(&self) -> Self {
        Self { board: self.board.pass(), turn: !self.turn, ..*self }
    }
}

impl Searcher {
    /// A search with these edges, this evaluation and a hash table of this many megabytes.
    pub fn new(edges: Arc<EdgeTable>, evaluation: Evaluation, settings: BillSettings, hash_megabytes: usize) -> Self {
        let hash = HashTable::new(if settings.hash_moves { hash_megabytes } else { 0 });
        Self { edges, evaluation, hash, killers: KillerTable::new(), settings }
    }

    /// Clears the hash table and the killer table.
    pub fn clear(&mut self) {
        self.hash.clear();
        self.killers.clear();
    }

    /// The value of a position for the side to move, without looking ahead.
    pub fn evaluate(&self, board: &Board, turn: Color) -> i32 {
        let tables = FeatureTables::new(&self.edges);
        leaf_value(&tables, &self.evaluation, &Node::new(board, turn, Trigger::NOTHING))
    }

    /// The best of these moves, the first of them being the one expected, or `None` if the search was interrupted.
    ///
    /// `guess` is the expected value of the position: the first move is searched with a narrow window around it.
    pub fn search(
        &mut self,
        board: &Board,
        turn: Color,
        moves: &[Square],
        goal: Goal,
        guess: Option<i32>,
        interruption: &mut Interruption<'_>,
    ) -> Option<Found> {
        let root = Node::new(board, turn, Trigger::NOTHING);
        let found = self.begin(interruption).root(&root, moves, goal, guess)?;
        if self.settings.hash_moves {
            self.hash.store(board, found.square);
        }
        Some(found)
    }

    /// The winner under best play, or `None` if the search was interrupted.
    pub fn outcome(&mut self, board: &Board, turn: Color, interruption: &mut Interruption<'_>) -> Option<Outcome> {
        let value = self.begin(interruption).endgame(board, turn, Trigger::NOTHING, -1, 1)?;
        Some(match value.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        })
    }

    fn begin<'a, 'i>(&'a mut self, interruption: &'a mut Interruption<'i>) -> Search<'a, 'i> {
        Search {
            tables: FeatureTables::new(&self.edges),
            evaluation: &self.evaluation,
            hash: &mut self.hash,
            killers: &mut self.killers,
            settings: self.settings,
            interruption,
        }
    }

    /// The expected line: this move, then those of the hash table.
    pub fn line(&self, board: &Board, first: Square, most: usize) -> Vec<Square> {
        let mut line = Vec::new();
        let mut board = *board;
        let mut next = Some(first);
        while let Some((square, after)) = next.and_then(|square| Some((square, board.play(square)?))) {
            line.push(square);
            board = if after.must_pass() { after.pass() } else { after };
            if line.len() >= most {
                break;
            }
            next = self.hash.best_move(&board);
        }
        line
    }

    /// The legal moves, in the killers' order for an unknown previous move.
    pub fn ordered_moves(&self, board: &Board, turn: Color) -> Vec<Square> {
        let list = KillerTable::list(turn, Trigger::NOTHING);
        let moves = board.moves();
        let ring = std::iter::successors(self.killers.first(list), |&square| self.killers.after(list, square));
        ring.filter(|square| moves & square.bit() != 0).collect()
    }
}

/// The static value of a node; a finished game counts by its result.
#[inline]
fn leaf_value(tables: &FeatureTables<'_>, evaluation: &Evaluation, node: &Node) -> i32 {
    let Seen { own_moves, other_moves, features } = tables.look(&node.indices, node.turn);
    if own_moves != 0 {
        return evaluation.value(&features, node.board.disc_count());
    }
    if other_moves == 0 {
        return node.board.final_score().discs() * FINAL_DISC;
    }
    // The pass is forced, so the other side is to move.
    let features = tables.look(&node.indices, !node.turn).features;
    -evaluation.value(&features, node.board.disc_count())
}

/// A search under way.
pub(crate) struct Search<'a, 'i> {
    tables: FeatureTables<'a>,
    evaluation: &'a Evaluation,
    pub(crate) hash: &'a mut HashTable,
    pub(crate) killers: &'a mut KillerTable,
    pub(crate) settings: BillSettings,
    pub(crate) interruption: &'a mut Interruption<'i>,
}

/// Legal moves, generated one at a time in the order of hash and killer table. After a cutoff, the remaining squares are not
/// tested.
pub(crate) struct Responses {
    /// Empty squares next to an opponent's disc that were not tried yet.
    candidates: u64,
    hash_move: Option<Square>,
    list: usize,
    next: Option<Square>,
}

impl Search<'_, '_> {
    /// The responses of a position; the hash table is used only where it pays.
    #[inline]
    pub(crate) fn responses(&self, board: &Board, turn: Color, trigger: Trigger, uses_hash: bool) -> Responses {
        let list = KillerTable::list(turn, trigger);
        Responses {
            candidates: Board::neighbors(board.opponent) & board.empties(),
            hash_move: if uses_hash && self.settings.hash_moves { self.hash.best_move(board) } else { None },
            list,
            next: if self.settings.killers { self.killers.first(list) } else { None },
        }
    }

    /// The next legal move and what it flips.
    #[inline]
    pub(crate) fn next_move(&self, responses: &mut Responses, board: &Board) -> Option<(Square, u64)> {
        while responses.candidates != 0 {
            let square = if let Some(square) = responses.hash_move.take() {
                square
            } else if self.settings.killers {
                let square = responses.next?;
                responses.next = self.killers.after(responses.list, square);
                square
            } else {
                Square::new(responses.candidates.trailing_zeros() as u8)
            };
            if responses.candidates & square.bit() == 0 {
                continue;
            }
            responses.candidates ^= square.bit();
            let flips = board.flips(square);
            if flips != 0 {
                return Some((square, flips));
            }
        }
        None
    }

    /// Stores a move that was best or caused a cutoff.
    #[inline]
    pub(crate) fn store_best_move(&mut self, responses: &Responses, board: &Board, best: Square, stores_in_hash: bool) {
        if self.settings.killers {
            self.killers.reward(responses.list, best);
        }
        if stores_in_hash && self.settings.hash_moves {
            self.hash.store(board, best);
        }
    }

    /// The best of the root's moves (section 3.3).
    fn root(&mut self, root: &Node, moves: &[Square], goal: Goal, guess: Option<i32>) -> Option<Found> {
        let (&first, others) = moves.split_first()?;
        let (lowest, highest) = match goal {
            Goal::Depth(_) => (-INFINITE, INFINITE),
            Goal::Outcome => (-1, 1),
            Goal::Exact => (-65, 65),
        };
        let mut best = self.first_value(root, first, goal, guess, (lowest, highest))?;
        let mut found = Found { square: first, value: best, is_bound: false };
        if !self.settings.zero_window {
            for &square in others {
                if best >= highest {
                    break;
                }
                let value = self.move_value(root, square, goal, best, highest)?;
                if value > best {
                    best = value;
                    found = Found { square, value, is_bound: false };
                }
            }
            return Some(found);
        }
        // The others are only tested for being better.
        let mut better = Vec::new();
        for &square in others {
            if best >= highest {
                break;
            }
            let value = self.move_value(root, square, goal, best, best + 1)?;
            if value > best {
                better.push((square, value));
                if value >= highest {
                    break;
                }
            }
        }
        match better[..] {
            [] => {}
            [(square, value)] => found = Found { square, value, is_bound: value < highest },
            _ => {
                for (index, &(square, bound)) in better.iter().enumerate() {
                    if index > 0 && best >= highest {
                        break;
                    }
                    // The first of them beats the previous best; later ones have to beat it.
                    let value =
                        if bound >= highest { bound } else { self.move_value(root, square, goal, best, highest)? };
                    if value > best {
                        best = value;
                        found = Found { square, value, is_bound: false };
                    }
                }
            }
        }
        Some(found)
    }

    /// Half the width of the window around the expected value of the first move. Of 100, 400, 1500 and no window this
    /// had the fewest nodes over 20 positions at eight plies.
    const NARROW: i32 = 1500;

    /// The exact value of the first move, within the bounds of the goal.
    fn first_value(
        &mut self,
        root: &Node,
        square: Square,
        goal: Goal,
        guess: Option<i32>,
        (lowest, highest): (i32, i32),
    ) -> Option<i32> {
        if let (true, Goal::Depth(_), Some(guess)) = (self.settings.zero_window, goal, guess) {
            let (alpha, beta) = (guess.saturating_sub(Self::NARROW), guess.saturating_add(Self::NARROW));
            if alpha > lowest && beta < highest {
                let value = self.move_value(root, square, goal, alpha, beta)?;
                if value > alpha && value < beta {
                    return Some(value);
                }
            }
        }
        self.move_value(root, square, goal, lowest, highest)
    }

    /// The value of a move of the root.
    fn move_value(&mut self, root: &Node, square: Square, goal: Goal, alpha: i32, beta: i32) -> Option<i32> {
        let child = root.after(square, root.board.flips(square));
        let value = match goal {
            Goal::Depth(depth) => self.value(&child, depth.saturating_sub(1), -beta, -alpha)?,
            Goal::Outcome | Goal::Exact => self.endgame(&child.board, child.turn, child.trigger, -beta, -alpha)?,
        };
        Some(-value)
    }

    /// The value of a node for its side to move: exact within the window, a bound outside of it.
    fn value(&mut self, node: &Node, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.interruption.count() {
            return None;
        }
        if depth == 0 {
            return Some(leaf_value(&self.tables, self.evaluation, node));
        }
        let uses_hash = depth >= 2;
        let mut responses = self.responses(&node.board, node.turn, node.trigger, uses_hash);
        let floor = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        while let Some((square, flips)) = self.next_move(&mut responses, &node.board) {
            let child = node.after(square, flips);
            let is_first = best_move.is_none();
            let value = if is_first || !self.settings.zero_window || beta - alpha == 1 {
                -self.value(&child, depth - 1, -beta, -alpha)?
            } else {
                let value = -self.value(&child, depth - 1, -alpha - 1, -alpha)?;
                if value > alpha && value < beta { -self.value(&child, depth - 1, -beta, -alpha)? } else { value }
            };
            if is_first || value > best {
                best = value;
                best_move = Some(square);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let Some(best_move) = best_move else {
            let passed = node.passed();
            if !passed.board.can_move() {
                return Some(node.board.final_score().discs() * FINAL_DISC);
            }
            return Some(-self.value(&passed, depth, -beta, -alpha)?);
        };
        if best > floor {
            self.store_best_move(&responses, &node.board, best_move, uses_hash);
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use search::negamax;
    use search::samples::{Origin, Samples};

    use super::super::evaluation::LINEAR_WEIGHTS;
    use super::super::tables::BillTables;
    use super::*;

    fn searcher(settings: BillSettings, is_learned: bool) -> Searcher {
        let learned = BillTables::shipped().evaluation().unwrap();
        let evaluation = if is_learned { learned } else { Evaluation::Linear(LINEAR_WEIGHTS) };
        Searcher::new(BillTables::shipped_edges(), evaluation, settings, 1)
    }

    /// The same search, slow and obvious: no window, no tables of moves, features computed from scratch at every leaf.
    fn plain(searcher: &Searcher, board: &Board, turn: Color, depth: u32) -> i32 {
        if board.is_over() {
            return board.final_score().discs() * FINAL_DISC;
        }
        if !board.can_move() {
            return -plain(searcher, &board.pass(), !turn, depth);
        }
        if depth == 0 {
            let features = FeatureTables::new(&searcher.edges).features(board, turn);
            return searcher.evaluation.value(&features, board.disc_count());
        }
        let value = |square| -plain(searcher, &board.play(square).unwrap(), !turn, depth - 1);
        othello::squares(board.moves()).map(value).max().unwrap()
    }

    fn all_settings() -> impl Iterator<Item = BillSettings> {
        (0..8).map(|bits| BillSettings {
            hash_moves: bits & 1 == 1,
            killers: bits & 2 == 2,
            zero_window: bits & 4 == 4,
            ..BillSettings::default()
        })
    }

    #[test]
    fn every_way_of_searching_finds_a_best_move_of_plain_negamax_and_its_value() {
        let stop = Stop::new();
        let mut samples = Samples::<Board>::new(7);
        for number in 0..60 {
            let origin = Origin::ALL[number % 4];
            let board: Board = samples.position_with_moves(origin, [50, 40, 30, 20, 12, 5][number % 6]);
            let turn = if number % 2 == 0 { Color::Black } else { Color::White };
            for settings in all_settings() {
                let mut searcher = searcher(settings, number % 3 == 0);
                let mut interruption = Interruption::new(&stop, None, None);
                let mut moves = searcher.ordered_moves(&board, turn);
                let mut guess = None;
                for depth in 1..=4 {
                    let goal = Goal::Depth(depth);
                    let found = searcher.search(&board, turn, &moves, goal, guess, &mut interruption).unwrap();
                    let expected = plain(&searcher, &board, turn, depth);
                    let after = board.play(found.square).unwrap();
                    let of_move = -plain(&searcher, &after, !turn, depth - 1);
                    assert_eq!(of_move, expected, "{board:?}, depth {depth}, {settings:?}");
                    if found.is_bound {
                        assert!(settings.zero_window && found.value <= expected);
                    } else {
                        assert_eq!(found.value, expected, "{board:?}, depth {depth}, {settings:?}");
                    }
                    guess = Some(found.value);
                    let index = moves.iter().position(|&square| square == found.square).unwrap();
                    moves[..=index].rotate_right(1);
                }
            }
        }
    }

    #[test]
    fn endgames_are_those_of_plain_negamax() {
        let stop = Stop::new();
        let mut samples = Samples::<Board>::new(8);
        for number in 0..200 {
            let board: Board = samples.position_with_moves(Origin::ALL[number % 4], 1 + number as u32 / 4 % 9);
            let expected = negamax::score(&board).discs();
            let turn = Color::White;
            for settings in all_settings() {
                let mut searcher = searcher(settings, false);
                let mut interruption = Interruption::new(&stop, None, None);
                let moves = searcher.ordered_moves(&board, turn);
                let mut find = |goal| searcher.search(&board, turn, &moves, goal, None, &mut interruption).unwrap();
                let (exact, outcome) = (find(Goal::Exact), find(Goal::Outcome));
                let of_move = |square| -negamax::score(&board.play(square).unwrap()).discs();
                assert_eq!(of_move(exact.square), expected, "{board:?}");
                assert_eq!(of_move(outcome.square).signum(), expected.signum(), "{board:?}");
                assert!(exact.value == expected || exact.is_bound && exact.value < expected);
                assert!(outcome.value.signum() == expected.signum() || outcome.is_bound && outcome.value < expected);
                let who_wins = searcher.outcome(&board, turn, &mut interruption).unwrap();
                let sign = [Outcome::Loss, Outcome::Draw, Outcome::Win].iter().position(|&one| one == who_wins);
                assert_eq!(sign.map(|sign| sign as i32 - 1), Some(expected.signum()));
            }
        }
    }

    #[test]
    fn responses_are_all_legal_moves_the_hash_move_first_and_then_in_killer_order() {
        let stop = Stop::new();
        let mut samples = Samples::<Board>::new(9);
        let mut searcher = searcher(BillSettings::default(), false);
        let mut interruption = Interruption::new(&stop, None, None);
        for number in 0..1000 {
            let board: Board = samples.position(Origin::ALL[number % 4], 5 + number as u32 % 50);
            let legal = board.moves();
            let last = othello::squares(legal).last();
            if let Some(last) = last {
                searcher.hash.store(&board, last);
            }
            let trigger = Trigger::of(Square::new(20));
            let list = KillerTable::list(Color::Black, trigger);
            searcher.killers.reward(list, Square::new((number * 37 % 64) as u8));
            let search = searcher.begin(&mut interruption);
            let mut responses = search.responses(&board, Color::Black, trigger, true);
            let mut found = Vec::new();
            while let Some((square, flips)) = search.next_move(&mut responses, &board) {
                assert_eq!(flips, board.flips(square));
                found.push(square);
            }
            assert_eq!(found.first().copied(), last);
            assert_eq!(found.len() as u32, legal.count_ones());
            assert_eq!(found.iter().fold(0, |set, square| set | square.bit()), legal);
            // After the hash table's move they come in the order of the list.
            let ring =
                std::iter::successors(searcher.killers.first(list), |&square| searcher.killers.after(list, square));
            let in_order: Vec<Square> =
                ring.filter(|&square| legal & square.bit() != 0 && Some(square) != last).collect();
            assert_eq!(found.get(1..).unwrap_or_default(), in_order);
        }
    }

    /// The nodes of a search of this many plies in all iterations.
    fn nodes(settings: BillSettings, depth: u32) -> u64 {
        let stop = Stop::new();
        let mut total = 0;
        let mut samples = Samples::<Board>::new(10);
        for _ in 0..4 {
            let board: Board = samples.position_with_moves(Origin::SensibleGame, 38);
            let mut searcher = searcher(settings, true);
            let mut interruption = Interruption::new(&stop, None, None);
            let mut moves = searcher.ordered_moves(&board, Color::Black);
            let mut guess = None;
            for depth in 1..=depth {
                let goal = Goal::Depth(depth);
                let found = searcher.search(&board, Color::Black, &moves, goal, guess, &mut interruption).unwrap();
                guess = Some(found.value);
                let index = moves.iter().position(|&square| square == found.square).unwrap();
                moves[..=index].rotate_right(1);
            }
            total += interruption.nodes();
        }
        total
    }

    #[test]
    fn hash_moves_and_killers_save_nodes_each_alone_and_more_together() {
        let all = BillSettings::default();
        let with_all = nodes(all, 6);
        for without in [BillSettings { killers: false, ..all }, BillSettings { hash_moves: false, ..all }] {
            let found = nodes(without, 6);
            assert!(found > with_all, "{with_all} nodes with everything, {found} with {without:?}");
        }
        // Together the tables save far more: the paper has a factor of seven at eight plies.
        let neither = BillSettings { killers: false, hash_moves: false, ..all };
        assert!(nodes(neither, 6) > 2 * with_all, "{} {with_all}", nodes(neither, 6));
    }

    #[test]
    fn an_interrupted_search_finds_nothing_and_the_line_is_legal() {
        let stop = Stop::new();
        let mut searcher = searcher(BillSettings::default(), true);
        let board = Board::start();
        let moves = searcher.ordered_moves(&board, Color::Black);
        let mut interruption = Interruption::new(&stop, Some(500), None);
        interruption.arm();
        assert_eq!(searcher.search(&board, Color::Black, &moves, Goal::Depth(9), None, &mut interruption), None);
        let mut interruption = Interruption::new(&stop, None, None);
        let found = searcher.search(&board, Color::Black, &moves, Goal::Depth(5), None, &mut interruption).unwrap();
        let line = searcher.line(&board, found.square, 5);
        assert!(line.len() >= 2 && line[0] == found.square);
        let after = line.iter().try_fold(board, |board, &square| board.play(square));
        assert!(after.is_some(), "{line:?}");
    }
}
