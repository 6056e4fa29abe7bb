//! Iterative deepening: which search comes next, and when to end (Rosenbloom 1982, 4.2 and 4.3).

use engine::{Estimate, Outcome};
use othello::{Rules, Score, Square};

use super::search::{FINAL_DISC, Goal, RootResult, SavedNode, Search};

/// An iteration may overrun the allocation by this factor before it is aborted.
const OVERRUN: f64 = 1.3;

/// Another ply is tried if so many first-ply moves, or all if there are fewer, are expected to be finished.
const LEAST_FIRST_PLY: usize = 3;

/// A search for the exact score goes this much deeper than one with the evaluation in about the same time.
const SCORE_GAIN: u32 = 5;

/// The same for a search for win, tie or loss.
const OUTCOME_GAIN: u32 = 7;

/// What a position of a search to the end costs, in evaluations of leaves. The paper gives no figure: it follows from
/// its statement that a search with the evaluation to depth n + 1 and one for the score to depth n + 5 take equal
/// time; `the_three_searches_cost_about_the_same` measures it.
pub(crate) const END_NODE: f64 = 0.1;

/// How moves are chosen by the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Endgame {
    /// By the rule of the paper: both kinds of searches to the end.
    #[default]
    Both,
    /// Only searches for the exact score.
    Score,
    /// No search to the end but by the depth of the evaluation's.
    Off,
}

/// What the effort of a search is measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Seconds.
    Time,
    /// Evaluations of leaves: what the original's minutes were spent on.
    Leaves,
    /// Positions visited.
    Nodes,
}

/// How much a search may cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// What the effort is measured in.
    pub measure: Measure,
    /// What is allocated to the move.
    pub allocated: f64,
    /// Plies at most.
    pub depth: u32,
}

/// An iteration that is done, or as far as it got.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// What was searched for.
    pub goal: Goal,
    /// Plies.
    pub depth: u32,
    /// What was found.
    pub result: RootResult,
    /// Leaves evaluated in this iteration.
    pub leaves: u64,
    /// Positions of this iteration's search to the end.
    pub end_nodes: u64,
}

/// What a search has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The iteration that the choice is from.
    pub best: Iteration,
    /// All iterations, the last perhaps unfinished.
    pub iterations: Vec<Iteration>,
    /// What it all cost, in the measure of the budget.
    pub effort: f64,
}

impl Thought {
    /// The move to play.
    pub fn square(&self) -> Square {
        self.best.result.line[0]
    }

    /// What the position is worth to the side to move.
    pub fn estimate(&self) -> Estimate {
        estimate(self.best.goal, self.best.result.value)
    }
}

/// A value of a search, as players tell it.
pub(crate) fn estimate(goal: Goal, value: i32) -> Estimate {
    match goal {
        Goal::Score => Estimate::Solved(Score::new(value as i8)),
        Goal::Outcome => Estimate::Proven(Outcome::from(Score::new(value.signum() as i8))),
        Goal::Evaluation if value.abs() >= FINAL_DISC => {
            Estimate::Proven(if value > 0 { Outcome::Win } else { Outcome::Loss })
        }
        Goal::Evaluation => Estimate::Points(value),
    }
}

/// Searches deeper and deeper until the budget is used up or the position is solved.
///
/// The first ply is always searched to its end, so that there is a move; nothing if the position has none. `told` is
/// called after every iteration.
pub fn deepen(
    search: &mut Search<'_>,
    budget: &Budget,
    endgame: Endgame,
    told: &mut dyn FnMut(&Search<'_>, &Iteration),
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
        let iteration = Iteration { goal, depth, result, leaves, end_nodes };
        told(search, &iteration);
        // The first move of an iteration is the best of the one before: what was found of an unfinished one is safe.
        // Only without any saved ply it is not.
        if is_complete || best.is_none() || search.saves_first_ply() {
            best = Some(iteration.clone());
        }
        iterations.push(iteration);
        search.interruption.arm();
        if !is_complete || search.interruption.is_due() {
            break;
        }
        let now = effort(search, budget.measure);
        let branching = search.branching.map(super::search::Branching::factor);
        next = plan.next(goal, depth, now, now - begun, branching);
    }
    Some(Thought { best: best?, iterations, effort: effort(search, budget.measure) })
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
    /// The search to begin with: one ply, or the score if the end is within the reach of that.
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

    /// The search after one of depth `n`, which took `last` and was done at `now`; nothing if there should be none.
    fn next(&mut self, goal: Goal, n: u32, now: f64, last: f64, branching: [Option<f64>; 2]) -> Option<(Goal, u32)> {
        if goal == Goal::Score {
            return None;
        }
        // Without any figure for a side yet, the average of the paper for moves that are not cut off.
        const USUAL: f64 = 9.9;
        let factor = |ply: u32| branching[(ply % 2) as usize].or(branching[((ply + 1) % 2) as usize]).unwrap_or(USUAL);
        if goal == Goal::Outcome {
            // Who wins is known; by how much is asked if there is time. It takes about as long as two iterations more.
            let expected = last * factor(n) * factor(n + 1);
            let fits = now + expected <= self.budget.allocated && self.empties <= self.budget.depth;
            return fits.then_some((Goal::Score, self.empties));
        }
        let share = LEAST_FIRST_PLY.min(self.first_ply) as f64 / self.first_ply.max(1) as f64;
        let expected = last * factor(n);
        if now + share * expected > self.budget.allocated || n >= self.empties {
            return None;
        }
        let may_end = self.may_end();
        if may_end && self.empties <= n + SCORE_GAIN {
            return Some((Goal::Score, self.empties));
        }
        if may_end && self.empties <= n + OUTCOME_GAIN && self.endgame == Endgame::Both {
            let second = expected * factor(n + 1);
            let solving = second * factor(n + 2);
            if now + expected + second + share * solving > self.budget.allocated {
                return Some((Goal::Outcome, self.empties));
            }
        }
        (n < self.budget.depth).then_some((Goal::Evaluation, n + 1))
    }
}
