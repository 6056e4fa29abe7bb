//! Tunable constants of the search: all numbers that change its tree or its speed, but not the values that it proves.
//!
//! Any change alters the number of nodes that `emilia bench` counts. Trees of searches to the end are measured in nodes
//! with `emilia solve`, midgame searches by `emilia learn accuracy` and by matches. A constant without a source has been
//! as it is since the search was written. The measurements are in `docs/notes/midgame-search.md` and
//! `docs/notes/endgame-solver.md`.

use evaluation::{OrderingSet, Value};

// Iterations and windows of the root.

/// Half the width of the first aspiration window. One disc instead of two was no better: -11 Elo
/// (-32 to +10) in 600 games.
pub(crate) const ASPIRATION_MARGIN: i32 = 2 * Value::PER_DISC;
/// The same for an exact score. Final scores are even: one disc around an even number contains only that score.
pub(crate) const EXACT_ASPIRATION_MARGIN: i32 = Value::PER_DISC;
/// Minimum depth of a search with an aspiration window.
pub(crate) const ASPIRATION_MIN_DEPTH: u32 = 5;
/// Lead in discs from which on a solved position needs no deeper midgame search first: whether one side loses every disc
/// is found sooner by searches to the end. Measured on FFO 20 to 39, 45 and 50 to 52.
pub(crate) const DECIDED_LEAD: i32 = 48;
/// Minimum depth of a midgame search whose value shows such a lead.
pub(crate) const DECIDED_MIN_DEPTH: u32 = 6;
/// Below this number of empty squares a position is solved without selective searches to the end.
pub(crate) const SELECTIVE_SOLVING_MIN_EMPTIES: u32 = 18;

/// Confidences in percent of the searches to the end that prepare an exact one. Each costs a fraction of the proof that
/// it prepares: the longer the proof, the more of them pay off.
pub(crate) const fn selective_steps(empty_count: u32) -> &'static [u8] {
    match empty_count {
        0..24 => &[73],
        24..28 => &[73, 87],
        _ => &[73, 87, 95, 98],
    }
}

/// Depth of the last midgame search before the searches to the end.
pub(crate) fn last_midgame_depth(empty_count: u32) -> u32 {
    empty_count.saturating_sub(10).min(empty_count / 2 + 2)
}

// Inner nodes.

/// Maximum depth at which neither the hash table nor ProbCut with a search is used.
pub(crate) const NEAR_LEAF_DEPTH: u32 = 2;
/// Minimum depth of internal iterative deepening in nodes without a move from the hash table.
pub(crate) const INTERNAL_DEEPENING_MIN_DEPTH: u32 = 7;
/// Minimum depth of the positions after a move that are looked up in the hash table before any is searched.
pub(crate) const ENHANCED_CUTOFF_MIN_DEPTH: u32 = 3;

// Multi-ProbCut.

/// Confidence in percent and the number of standard deviations that a probe must be outside the window. The levels are
/// those of Edax. At 73%, none of 0.75, 0.9, 1.3 and 1.5 deviations was better.
pub(crate) const SELECTIVITY_LEVELS: [(u8, f32); 5] = [(73, 1.1), (87, 1.5), (95, 2.0), (98, 2.6), (99, 3.3)];
/// Minimum depth of a midgame search that a probe may replace.
pub(crate) const PROBCUT_MIN_DEPTH: u32 = 3;
/// The same for a search to the end.
pub(crate) const PROBCUT_MIN_DEPTH_TO_THE_END: u32 = 13;
/// Distance of the evaluation from the window, in margins of the probe, from which on a midgame probe is tried: a probe
/// that starts nearer is less likely to succeed. Of 0 and 0.3, the one that finds more best moves on
/// `data/bench/held-out.obf` within 200,000 nodes.
pub(crate) const PROBE_MIN_DISTANCE: f32 = 0.3;
/// Maximum nesting of probes. Four found worse moves than two.
pub(crate) const PROBE_MAX_NESTING: u32 = 2;

/// Depth of the probe for a search of this depth.
pub(crate) fn probe_depth(depth: u32, to_the_end: bool) -> u32 {
    if to_the_end { (depth / 8) * 2 } else { 2 * (depth / 4) + depth % 2 }
}

// Move ordering: weights relative to the value of a shallow search, in parts of a disc. Tuned by counting nodes on endgames
// with 15 to 23 empty squares, with `emilia solve`; each is near a flat minimum.

/// Weight of the opponent's mobility ([`mobility_score`](crate::midgame::mobility_score)) in a search to the end, where a
/// small tree is worth more.
pub(crate) const MOBILITY_TO_THE_END: i32 = 64;
/// The same in the midgame.
pub(crate) const MOBILITY: i32 = 8;
/// Weight of a square of an odd quadrant.
pub(crate) const ODD_QUADRANT: i32 = 64;
/// Weight of the second killer move; the first counts twice.
pub(crate) const KILLER: i32 = 32;
/// Weight of a unit of history.
pub(crate) const HISTORY: i32 = 4;
/// Maximum units of history that count.
pub(crate) const MAX_HISTORY: u32 = 64;
/// History of a square from which on that of all squares is halved.
pub(crate) const HISTORY_LIMIT: u32 = 4096;

/// Depth of the searches that order the moves of a node.
///
/// In the midgame it is 0: earlier iterations have left their best move in the hash table, and searching the other moves
/// costs more than it saves. In a search to the end, one ply orders moves worse than none, and four plies worse than two
/// (6 and 14% more nodes): the size of the tree below a move counts, which the value of a shallow search
/// predicts only in part.
pub(crate) fn ordering_depth(depth: u32, to_the_end: bool) -> u32 {
    if to_the_end && depth >= 18 { 2 } else { 0 }
}

// The endgame solver.

/// Maximum number of empty squares at which a null window is searched without the evaluation. With 13 and 14, nodes grow
/// by 1 to 9% and the time hardly falls.
pub(crate) const ENDGAME_MAX_EMPTIES: usize = 12;
/// Minimum number of empty squares with a [local hash table](crate::local_table): below it, sorting moves costs more than
/// it saves.
pub(crate) const LOCAL_TABLE_MIN_EMPTIES: usize = 7;
/// Maximum number of empty squares with a local hash table. With the shared table from 9 or 10 on, FFO 50 takes 11 or 5%
/// fewer nodes but more time.
pub(crate) const LOCAL_TABLE_MAX_EMPTIES: usize = 10;
/// Number of entries of a local table, as a power of two. With 16 bits 4 to 8% fewer nodes, but more time.
pub(crate) const LOCAL_TABLE_BITS: u32 = 10;
/// Penalty for each reply of the opponent relative to the [`OrderingSet`]: several times its value in discs, because a
/// move that leaves few replies also leaves a small tree. Tuned by counting nodes with `emilia solve`; the minimum is
/// flat.
pub(crate) const REPLY: i32 = 8 * OrderingSet::PER_DISC;
/// Extra penalty for a corner among the replies.
pub(crate) const CORNER_REPLY: i32 = 4 * OrderingSet::PER_DISC;
/// Weights on smaller boards, which have no ordering set: an odd quadrant, a reply, and an empty square beside the
/// opponent. Tuned by experiment.
pub(crate) const SMALL_BOARD_ORDERING: [i32; 3] = [8, 16, 4];

/// Minimum lead of the opponent, by number of empty squares, at which computing its stable discs pays off.
///
/// With few stable discs, as early in the game, the computation is useless; a wrong threshold only costs time. Measured
/// on FFO 20 to 39, 45 and 50 to 52.
pub(crate) static STABILITY_ALPHA: [i32; 65] = {
    let mut alpha = [40; 65];
    let late = [64, 64, 64, 64, 64, 4, 6, 6, 6, 8, 12, 22, 28, 28, 28, 28, 28, 34, 34, 34, 34, 34, 34, 34, 34];
    let mut empty_count = 0;
    while empty_count < late.len() {
        alpha[empty_count] = late[empty_count];
        empty_count += 1;
    }
    alpha
};

// Threads and polls.

/// Minimum depth of a split node in the midgame: a split has a cost.
pub(crate) const SPLIT_MIN_DEPTH: u32 = 6;
/// The same for a search to the end.
pub(crate) const SPLIT_MIN_DEPTH_TO_THE_END: u32 = 16;
/// Number of nodes between two checks of the clock and the limits: a dozen microseconds, compared to which a check is
/// cheap.
pub(crate) const NODES_BETWEEN_POLLS: u64 = 256;
/// Minimum number of empty squares of a node that checks whether the search was stopped: a search of twelve empties may
/// take many thousand nodes, one of nine takes microseconds.
pub(crate) const POLL_MIN_EMPTIES: usize = 10;
