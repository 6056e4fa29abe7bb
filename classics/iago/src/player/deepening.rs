//! Iterative deepening: which search comes next, and when to end (Rosenbloom 1982, 4.2 and 4.3).

use engine::{Estimate, Outcome};
use othello::{Rules, Score, Square};

use super::search::{Branching, EvaluationWork, FINAL_DISC, Goal, RootResult, SavedNode, Search};

/// An iteration may overrun the allocation by this factor before it is aborted.
const OVERRUN: f64 = 1.3;

/// Another ply is tried if this many first-ply moves, or all if there are fewer, are expected to finish.
const MIN_FIRST_PLY: usize = 3;

/// A search for the exact score goes this much deeper than one with the evaluation in about the same time.
const SCORE_GAIN: u32 = 5;

/// The same for a search for win, tie or loss.
const OUTCOME_GAIN: u32 = 7;

/// The cost of a position in a search to the end, in leaf evaluations. The paper gives no figure, only that a search with
/// the evaluation to depth n + 1, one for the score to depth n + 5 and one for win, tie or loss to depth n + 7 take about
/// the same time. This lies between the costs with which each of the latter two would take as long as the evaluation;
/// `emilia lab run iago-costs` measures them.
pub const END_NODE: f64 = 0.1;

/// Ways to search the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Endgame {
    /// By the rule of the paper: one of both kinds of searches to the end.
    #[default]
    Both,
    /// The same, but a search for win, tie or loss is followed by one for the score if there is time.
    BothThenScore,
    /// Only searches for the exact score.
    Score,
    /// No special search: the end is reached only by the depth of the evaluation search.
    Off,
}

/// The unit in which the effort of a search is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Seconds.
    Time,
    /// Leaf evaluations, on which the original spent its time.
    Leaves,
    /// Positions visited.
    Nodes,
}

/// The budget of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// The unit of effort.
    pub measure: Measure,
    /// The allocation for the move.
    pub allocated: f64,
    /// The maximum depth.
    pub depth: u32,
}

/// An iteration, finished or not.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// Purpose of the search.
    pub goal: Goal,
    /// Plies.
    pub depth: u32,
    /// Result of the search.
    pub result: RootResult,
    /// Leaves evaluated in this iteration.
    pub leaves: u64,
    /// Positions of this iteration's search to the end.
    pub end_nodes: u64,
    /// The branching of this iteration, of the side to move and of the other.
    pub branching: [Branching; 2],
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The iteration that the choice is from.
    pub best: Iteration,
    /// All iterations; the last may be unfinished.
    pub iterations: Vec<Iteration>,
    /// The total cost, in the unit of the budget.
    pub effort: f64,
    /// Number of computations of the expensive parts of the evaluation in all iterations.
    pub work: EvaluationWork,
}

impl Thought {
    /// The move to play.
    pub fn square(&self) -> Square {
        self.best.result.line[0]
    }

    /// The value of the position for the side to move.
    pub fn estimate(&self) -> Estimate {
        self.best.estimate()
    }
}

impl Iteration {
    /// The result in the form that players report. One move proves a win; anything else is proven only when all moves
    /// are known.
    pub fn estimate(&self) -> Estimate {
        let RootResult { value, is_complete, .. } = self.result;
        let is_proven = is_complete || value > 0;
        match self.goal {
            Goal::Score if is_complete => Estimate::Solved(Score::new(value as i8)),
            Goal::Score => Estimate::Discs { hundredths: 100 * value },
            Goal::Outcome if is_proven => Estimate::Proven(Outcome::from(Score::new(value.signum() as i8))),
            Goal::Evaluation if is_proven && value.abs() >= FINAL_DISC => {
                Estimate::Proven(if value > 0 { Outcome::Win } else { Outcome::Loss })
            }
            Goal::Outcome | Goal::Evaluation => Estimate::Points(value),
        }
    }
}

/// Searches deeper and deeper until the budget is used up or the position is solved.
///
/// The first ply is always completed, so that there is a move; `None` if the position has none. `report` is called
/// after every iteration.
pub fn deepen(
    search: &mut Search<'_>,
    budget: &Budget,
    endgame: Endgame,
    report: &mut dyn FnMut(&Search<'_>, &Iteration),
) -> Option<Thought> {
    let board = search.board();
    let mut tree = SavedNode::default();
    let first_ply = board.moves().count_ones() as usize;
    let empties = board.empty_count();
    let mut plan = Plan { empties, first_ply, endgame, budget: *budget };
    let mut iterations: Vec<Iteration> = Vec::new();
    let mut best: Option<Iteration> = None;
    let mut next = Some(plan.first());
    while let Some((goal, depth)) = next {
        let (leaves, end_nodes) = (search.leaves, search.end_nodes);
        let begun = effort(search, budget.measure);
        let result = search.iterate(&mut tree, goal, depth, |search, done| {
            let now = effort(search, budget.measure);
            now + (now - begun) / done as f64 <= OVERRUN * budget.allocated
        });
        let Some(result) = result else { break };
        let is_complete = result.is_complete;
        let (leaves, end_nodes) = (search.leaves - leaves, search.end_nodes - end_nodes);
        let iteration = Iteration { goal, depth, result, leaves, end_nodes, branching: search.branching };
        report(search, &iteration);
        // The first move of an iteration is the best of the previous one, so the result of an unfinished iteration is
        // safe, except without saved plies.
        if is_complete || best.is_none() || search.saves_first_ply() {
            best = Some(iteration.clone());
        }
        iterations.push(iteration);
        search.interruption.arm();
        if !is_complete || search.interruption.is_due() {
            break;
        }
        let now = effort(search, budget.measure);
        let branching = search.branching.map(Branching::factor);
        next = plan.next(goal, depth, now, now - begun, branching);
    }
    Some(Thought { best: best?, iterations, effort: effort(search, budget.measure), work: search.work })
}

/// Deepens with the evaluation to a depth, then searches once for this goal: to one ply more with the evaluation, or
/// to the end. The last search and its seconds; `None` if there is no move or the search is stopped.
pub(crate) fn search_after(search: &mut Search<'_>, depth: u32, goal: Goal) -> Option<(Iteration, f64)> {
    let mut tree = SavedNode::default();
    for ply in 1..=depth {
        search.iterate(&mut tree, Goal::Evaluation, ply, |_, _| true).filter(|found| found.is_complete)?;
    }
    let (leaves, end_nodes) = (search.leaves, search.end_nodes);
    let begun = effort(search, Measure::Time);
    let depth = if goal == Goal::Evaluation { depth + 1 } else { search.board().empty_count() };
    let result = search.iterate(&mut tree, goal, depth, |_, _| true).filter(|found| found.is_complete)?;
    let (leaves, end_nodes) = (search.leaves - leaves, search.end_nodes - end_nodes);
    let iteration = Iteration { goal, depth, result, leaves, end_nodes, branching: search.branching };
    Some((iteration, effort(search, Measure::Time) - begun))
}

fn effort(search: &Search<'_>, measure: Measure) -> f64 {
    match measure {
        Measure::Time => search.interruption.elapsed().as_secs_f64(),
        Measure::Leaves => search.leaves as f64 + END_NODE * search.end_nodes as f64,
        Measure::Nodes => search.interruption.nodes() as f64,
    }
}

/// Decides which search comes next.
struct Plan {
    empties: u32,
    first_ply: usize,
    endgame: Endgame,
    budget: Budget,
}

impl Plan {
    /// The first search: one ply, or the score if the end is within its reach.
    fn first(&self) -> (Goal, u32) {
        if self.may_end() && self.empties <= SCORE_GAIN {
            return (Goal::Score, self.empties);
        }
        (Goal::Evaluation, 1)
    }

    /// Whether a search to the end is allowed.
    fn may_end(&self) -> bool {
        self.empties <= self.budget.depth && self.endgame != Endgame::Off
    }

    /// The search after one of depth `n`, which took `last` and was done at `now`; `None` if there should be none.
    fn next(&mut self, goal: Goal, n: u32, now: f64, last: f64, branching: [Option<f64>; 2]) -> Option<(Goal, u32)> {
        if goal == Goal::Score {
            return None;
        }
        // Without data for a side, the paper's average number of moves that are not cut off.
        const PAPER_AVERAGE: f64 = 9.9;
        let factor =
            |ply: u32| branching[(ply % 2) as usize].or(branching[((ply + 1) % 2) as usize]).unwrap_or(PAPER_AVERAGE);
        if goal == Goal::Outcome {
            // The winner is known, with which the paper's search ends.
            if self.endgame != Endgame::BothThenScore {
                return None;
            }
            // The score takes about as long as two more iterations.
            let expected = last * factor(n) * factor(n + 1);
            let fits = now + expected <= self.budget.allocated && self.empties <= self.budget.depth;
            return fits.then_some((Goal::Score, self.empties));
        }
        let share = MIN_FIRST_PLY.min(self.first_ply) as f64 / self.first_ply.max(1) as f64;
        let expected = last * factor(n);
        if now + share * expected > self.budget.allocated || n >= self.empties {
            return None;
        }
        let may_end = self.may_end();
        if may_end && self.empties <= n + SCORE_GAIN {
            return Some((Goal::Score, self.empties));
        }
        if may_end && self.empties <= n + OUTCOME_GAIN && self.endgame != Endgame::Score {
            let second = expected * factor(n + 1);
            let solving = second * factor(n + 2);
            if now + expected + second + share * solving > self.budget.allocated {
                return Some((Goal::Outcome, self.empties));
            }
        }
        (n < self.budget.depth).then_some((Goal::Evaluation, n + 1))
    }
}

#[cfg(test)]
mod tests {
    use engine::Stop;
    use othello::{Board, Color};

    use super::*;
    use crate::player::features::Features;
    use crate::player::ordering::Ordering;
    use crate::player::samples::{boards, paper_games};
    use crate::player::search::SearchOptions;
    use crate::player::shipped_evaluation;
    use engine::interruption::Interruption;

    const FOUR: [Option<f64>; 2] = [Some(4.0), Some(4.0)];

    fn plan(empties: u32, first_ply: usize, allocated: f64) -> Plan {
        let budget = Budget { measure: Measure::Leaves, allocated, depth: 60 };
        Plan { empties, first_ply, endgame: Endgame::Both, budget }
    }

    #[test]
    fn another_ply_is_tried_if_three_first_ply_moves_should_be_finished() {
        // An iteration of 1000 and a branching of 4: the next takes 4000, three of twelve moves 1000.
        let next = |allocated| plan(40, 12, allocated).next(Goal::Evaluation, 5, 1500.0, 1000.0, FOUR);
        assert_eq!(next(2501.0), Some((Goal::Evaluation, 6)));
        assert_eq!(next(2499.0), None);
        // With two moves, both have to finish.
        let next = |allocated| plan(40, 2, allocated).next(Goal::Evaluation, 5, 1500.0, 1000.0, FOUR);
        assert_eq!(next(5501.0), Some((Goal::Evaluation, 6)));
        assert_eq!(next(5499.0), None);
    }

    #[test]
    fn the_factor_is_that_of_the_side_that_moves_at_the_new_ply() {
        let branching = [Some(2.0), Some(8.0)];
        // After five plies it is the other side's turn, after four this side's again.
        let next = |n, allocated| plan(40, 1, allocated).next(Goal::Evaluation, n, 0.0, 1000.0, branching).is_some();
        assert!(!next(5, 7999.0) && next(5, 8001.0));
        assert!(!next(4, 1999.0) && next(4, 2001.0));
    }

    #[test]
    fn the_end_is_searched_by_the_rule_of_the_paper() {
        let next = |empties, n, allocated| plan(empties, 6, allocated).next(Goal::Evaluation, n, 0.0, 1000.0, FOUR);
        // Within n + 5 of the end: the score.
        assert_eq!(next(13, 8, 1e6), Some((Goal::Score, 13)));
        // Not within n + 7: one more with the evaluation.
        assert_eq!(next(16, 8, 1e6), Some((Goal::Evaluation, 9)));
        // Within n + 7: win, tie or loss, unless there is time for two more iterations and the score.
        assert_eq!(next(15, 8, 1e6), Some((Goal::Evaluation, 9)));
        assert_eq!(next(15, 8, 10_000.0), Some((Goal::Outcome, 15)));
        assert_eq!(next(14, 8, 10_000.0), Some((Goal::Outcome, 14)));
        // Without time, none.
        assert_eq!(next(13, 8, 100.0), None);
        assert_eq!(next(15, 8, 100.0), None);
        // A solved position ends the search, and so does a known winner.
        assert_eq!(plan(13, 6, 1e9).next(Goal::Score, 13, 0.0, 1.0, FOUR), None);
        assert_eq!(plan(15, 6, 1e9).next(Goal::Outcome, 15, 0.0, 1.0, FOUR), None);
        // Where the setting says so, the score follows if there is time.
        let then_score = |allocated| {
            let mut plan = Plan { endgame: Endgame::BothThenScore, ..plan(15, 6, allocated) };
            [plan.next(Goal::Evaluation, 8, 0.0, 1000.0, FOUR), plan.next(Goal::Outcome, 15, 0.0, 1.0, FOUR)]
        };
        assert_eq!(then_score(10_000.0), [Some((Goal::Outcome, 15)), Some((Goal::Score, 15))]);
        assert_eq!(then_score(10.0), [None, None]);
    }

    #[test]
    fn settings_and_depths_forbid_searches_to_the_end() {
        let next = |endgame, depth, empties| {
            let plan = plan(empties, 6, 10_000.0);
            let mut plan = Plan { endgame, budget: Budget { depth, ..plan.budget }, ..plan };
            plan.next(Goal::Evaluation, 8, 0.0, 1000.0, FOUR)
        };
        assert_eq!(next(Endgame::Off, 60, 13), Some((Goal::Evaluation, 9)));
        assert_eq!(next(Endgame::Score, 60, 15), Some((Goal::Evaluation, 9)));
        assert_eq!(next(Endgame::Both, 12, 13), Some((Goal::Evaluation, 9)));
        assert_eq!(next(Endgame::Both, 8, 13), None);
        assert_eq!(plan(5, 6, 0.0).first(), (Goal::Score, 5));
        assert_eq!(plan(6, 6, 0.0).first(), (Goal::Evaluation, 1));
    }

    #[test]
    fn nothing_unproven_is_reported_as_proven() {
        let reported = |goal, value, is_complete| {
            let result = RootResult { value, line: Vec::new(), searched: 1, is_complete };
            Iteration { goal, depth: 1, result, leaves: 0, end_nodes: 0, branching: Default::default() }.estimate()
        };
        assert_eq!(reported(Goal::Score, 4, true), Estimate::Solved(Score::new(4)));
        assert_eq!(reported(Goal::Score, 4, false), Estimate::Discs { hundredths: 400 });
        assert_eq!(reported(Goal::Outcome, -1, true), Estimate::Proven(Outcome::Loss));
        assert_eq!(reported(Goal::Outcome, -1, false), Estimate::Points(-1));
        assert_eq!(reported(Goal::Outcome, 1, false), Estimate::Proven(Outcome::Win));
        assert_eq!(reported(Goal::Evaluation, -3 * FINAL_DISC, true), Estimate::Proven(Outcome::Loss));
        assert_eq!(reported(Goal::Evaluation, 12_345, true), Estimate::Points(12_345));
    }

    fn thought(board: &Board, budget: &Budget, options: SearchOptions) -> Option<Thought> {
        let evaluation = shipped_evaluation();
        let mut ordering = Ordering::new(Default::default());
        let stop = Stop::new();
        let interruption = Interruption::new(&stop, None, None);
        let root = (Color::Black, None);
        let mut search = Search::new(&evaluation, &mut ordering, options, Features::of(board), root, interruption);
        deepen(&mut search, budget, Endgame::Both, &mut |_, _| {})
    }

    #[test]
    fn an_iteration_is_aborted_when_one_more_move_would_take_too_long_and_its_best_move_is_kept() {
        let mut aborted = 0;
        for board in boards(60, 21).into_iter().filter(|board| board.moves().count_ones() > 3) {
            let budget = Budget { measure: Measure::Leaves, allocated: 1500.0, depth: 60 };
            let thought = thought(&board, &budget, SearchOptions::default()).unwrap();
            let last = thought.iterations.last().unwrap();
            // The best of the last iteration, unfinished or not.
            assert_eq!(thought.best, *last);
            assert!(thought.iterations.iter().rev().skip(1).all(|iteration| iteration.result.is_complete));
            if !last.result.is_complete {
                aborted += 1;
                let before = &thought.iterations[thought.iterations.len() - 2];
                assert!(last.result.searched >= 1 && last.depth == before.depth + 1);
                // One more move of the same cost would have gone beyond 1.3 times the allocation. An evaluation of a leaf
                // costs one, and nothing else here does.
                let cost = |iteration: &Iteration| iteration.leaves as f64;
                let spent: f64 = thought.iterations.iter().map(cost).sum();
                assert!(spent + cost(last) / last.result.searched as f64 > 1.3 * 1500.0, "{spent}");
                assert_eq!(last.end_nodes, 0);
            }
        }
        assert!(aborted > 5, "{aborted} of the searches were aborted");
    }

    #[test]
    fn without_saved_plies_an_unfinished_iteration_is_not_trusted() {
        let options = SearchOptions { saved_plies: 0, ..SearchOptions::default() };
        for board in boards(40, 22).into_iter().filter(|board| board.moves().count_ones() > 3) {
            let budget = Budget { measure: Measure::Leaves, allocated: 1000.0, depth: 60 };
            assert!(thought(&board, &budget, options).unwrap().best.result.is_complete);
        }
    }

    #[test]
    fn searches_to_the_end_cost_about_as_much_as_one_more_ply_of_the_evaluation() {
        // The paper: depth n + 1 with the evaluation, n + 5 for the score and n + 7 for win, tie or loss take about the
        // same time. In positions of its seven games, geometric means of the ratio to the evaluation.
        let ratio = |goal: Goal, gain: u32| -> f64 {
            let mut logarithms = Vec::new();
            for game in paper_games() {
                for n in [5, 6, 7] {
                    let is_meant = |board: &Board| board.empty_count() == n + gain && board.moves().count_ones() > 1;
                    let position = game.positions().find(|position| is_meant(&position.board));
                    let Some(board) = position.map(|position| position.board) else { continue };
                    let cost = |goal: Goal| {
                        let (evaluation, stop) = (shipped_evaluation(), Stop::new());
                        let mut ordering = Ordering::new(Default::default());
                        let (options, root) = (SearchOptions::default(), (Color::Black, None));
                        let interruption = Interruption::new(&stop, None, None);
                        let features = Features::of(&board);
                        let mut search = Search::new(&evaluation, &mut ordering, options, features, root, interruption);
                        let (found, _) = search_after(&mut search, n, goal).unwrap();
                        found.leaves as f64 + END_NODE * found.end_nodes as f64
                    };
                    logarithms.push((cost(goal) / cost(Goal::Evaluation)).ln());
                }
            }
            assert!(logarithms.len() > 15);
            (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
        };
        let (score, outcome) = (ratio(Goal::Score, SCORE_GAIN), ratio(Goal::Outcome, OUTCOME_GAIN));
        // The score takes longer. Win, tie or loss is found sooner, most of all where a game is decided early, as some of
        // these are.
        assert!((1.0..4.0).contains(&score), "the score costs {score} of the evaluation");
        assert!((0.1..1.0).contains(&outcome), "win, tie or loss costs {outcome} of the evaluation");
        let both = (score * outcome).sqrt();
        assert!((0.5..2.0).contains(&both), "both cost {both} of the evaluation");
    }
}
