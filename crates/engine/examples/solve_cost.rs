//! Measures how many nodes it takes to search positions to the end at each confidence, and fits the table
//! that `search_cost.rs` holds.
//!
//! ```sh
//! cargo run --release -p engine --example solve_cost -- [POSITIONS] [LEAST EMPTIES] [MOST EMPTIES]
//! ```
//!
//! The positions are those of games that Emilia plays against itself at low levels, which differ from
//! game to game: what a player meets when it has to decide whether the end is in reach.

use control::Control;
use engine::{Emilia, Limits, Options, Player, Silent, Stop};
use evaluation::EvaluatedBoard;
use othello::{Board, Game, Rules};
use search::{CompiledSearch, HashTable, Iteration, Question, SearchReport, Searcher, Selectivity};

const LEVELS: usize = 6;
/// The number of empty squares at which the fitted lines are given.
const MIDDLE: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default);
    let (positions, least, most) = (number(0, 50), number(1, 14), number(2, 24));
    let searcher = Searcher::new(Board::shipped(), HashTable::new(256)?, 1);

    // For each confidence the points (empties, logarithm of nodes).
    let mut points: [Vec<(f64, f64)>; LEVELS] = Default::default();
    let mut totals = Vec::new();
    println!("empties   median kilonodes at 73% ... 100%                                        Mnodes/s");
    for empty_count in least..=most {
        let mut nodes: [Vec<u64>; LEVELS] = Default::default();
        let (mut all_nodes, mut seconds) = (0, 0.0);
        for seed in 0..positions {
            let Some(board) = position(u64::from(seed), empty_count)? else { continue };
            searcher.table.clear();
            let reports = solve(&searcher, &board);
            let last = reports.last().expect("a report");
            all_nodes += last.nodes;
            seconds += last.elapsed.as_secs_f64();
            totals.push((f64::from(empty_count), (last.nodes as f64).ln()));
            for pair in reports.windows(2) {
                let [before, report] = pair else { continue };
                if report.iteration.depth >= empty_count {
                    let level = usize::from(report.iteration.selectivity.level());
                    let spent = (report.nodes - before.nodes).max(1);
                    nodes[level].push(spent);
                    points[level].push((f64::from(empty_count), (spent as f64).ln()));
                }
            }
        }
        print!("{empty_count:>7}");
        for nodes in &mut nodes {
            nodes.sort_unstable();
            print!("{:>12.1}", nodes.get(nodes.len() / 2).copied().unwrap_or(0) as f64 / 1e3);
        }
        println!("{:>10.1}", all_nodes as f64 / seconds / 1e6);
    }
    println!("\nnodes at {MIDDLE} empties and factor for each further one:");
    for (points, selectivity) in points.iter().zip(Selectivity::all()) {
        let Fit { at_middle, slope, deviation } = fit(points);
        println!(
            "{selectivity:>5}: ({:.3e}, {:.2}), one in six {:.2} times more",
            at_middle.exp(),
            slope.exp(),
            deviation.exp()
        );
    }
    let Fit { at_middle, slope, deviation } = fit(&totals);
    println!("  all: ({:.3e}, {:.2}), one in six {:.2} times more", at_middle.exp(), slope.exp(), deviation.exp());
    Ok(())
}

/// A position with this many empty squares from a game between weak levels, unless the game ended before.
fn position(seed: u64, empty_count: u32) -> Result<Option<Board>, Box<dyn std::error::Error>> {
    let mut emilia = Emilia::<Board>::new(&Options { table_megabytes: 1, seed, ..Options::default() })?;
    let mut game = Game::new();
    while !game.is_over() && game.position().board.empty_count() > empty_count {
        // The opening at random, the rest well enough.
        let level = if game.move_count() < 12 { 0 } else { 4 };
        let choice = emilia.choose(&game, &Limits::of_level(level), &mut Silent, &Stop::new())?;
        game.play(choice.square)?;
    }
    Ok((!game.is_over()).then(|| game.position().board))
}

/// The reports of a solution that goes through every confidence.
fn solve<E: CompiledSearch>(searcher: &Searcher<E>, board: &Board) -> Vec<SearchReport> {
    let empty_count = board.empties().count_ones();
    let mut all = Vec::new();
    let last = searcher.search(board, &Question::default(), &Control::new(), &mut |reports| {
        all = reports.to_vec();
        let last = reports.last()?.iteration;
        let next = search::solving(empty_count, reports)?;
        let at_the_end = last.depth >= empty_count;
        let selectivity = match next {
            Iteration { depth, selectivity } if depth < empty_count => selectivity,
            _ if !at_the_end => Selectivity::LOWEST,
            _ => Selectivity::all().find(|&level| level > last.selectivity)?,
        };
        Some(Iteration { selectivity, ..next })
    });
    all.push(last);
    all.dedup();
    all
}

struct Fit {
    at_middle: f64,
    slope: f64,
    deviation: f64,
}

/// The straight line through the points by least squares, and how far the points lie from it.
fn fit(points: &[(f64, f64)]) -> Fit {
    let count = points.len().max(1) as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let covariance: f64 = points.iter().map(|&(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|&(x, _)| (x - mean_x).powi(2)).sum();
    let slope = covariance / variance.max(1e-9);
    let squares: f64 = points.iter().map(|&(x, y)| (y - mean_y - slope * (x - mean_x)).powi(2)).sum();
    Fit { at_middle: mean_y + slope * (MIDDLE - mean_x), slope, deviation: (squares / count).sqrt() }
}
