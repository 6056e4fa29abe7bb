//! The search overhead of several threads, and their speed-up.

use std::collections::BTreeMap;

use super::estimates::Estimate;
use super::positions::{origin, positions};
use super::{Cost, Result, TABLE, solve, solver};
use crate::{Experiment, Figure, Report, Setup, Table};

const NAME: &str = "solver-threads";

pub(crate) const EXPERIMENT: Experiment = Experiment::new(
    NAME,
    "ours",
    "how many more nodes several threads search to solve an endgame, and how much faster they are",
    run,
);

const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// The numbers of empty squares, and the number of positions of each: fewer where each takes longer, so that a full run takes
/// a few minutes.
const FULL: &[(u32, usize)] = &[(20, 30), (22, 20), (24, 12)];
const QUICK: &[(u32, usize)] = &[(20, 8), (21, 8)];

/// The greatest overhead with [`GOAL_THREADS`] threads that we accept.
const GOAL: f64 = 1.35;
const GOAL_THREADS: usize = 16;

fn run(setup: &mut Setup<'_>) -> Result<Report> {
    at_scale(setup, &THREADS, if setup.is_quick { QUICK } else { FULL })
}

/// The costs of the same positions, by number of threads.
type Costs = BTreeMap<usize, Vec<Cost>>;

fn at_scale(setup: &mut Setup<'_>, threads: &[usize], counts: &[(u32, usize)]) -> Result<Report> {
    let positions = positions(setup, &counts.iter().copied().collect())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tables = Vec::new();
    let mut all_costs = Costs::new();
    let mut figure = Figure::new(NAME, "Nodes relative to one thread", "threads", "nodes");
    for (empty_count, boards) in positions {
        let mut costs = Costs::new();
        for &threads in threads {
            let solver = solver(threads)?;
            for (index, board) in boards.iter().enumerate() {
                (setup.progress)(&format!(
                    "{empty_count} empty squares, {threads} threads, {} of {}",
                    index + 1,
                    boards.len()
                ));
                let key = format!("{empty_count} empty squares, {threads} threads");
                costs.entry(threads).or_default().push(solve(setup, &key, &solver, board)?);
            }
        }
        let (table, overheads) = compared(empty_count, &costs, cores);
        tables.push(table);
        figure.line(&format!("{empty_count} empty squares"), overheads);
        for (threads, costs) in costs {
            all_costs.entry(threads).or_default().extend(costs);
        }
    }
    tables.insert(0, summary(&all_costs));
    let mut report = Report { tables, figures: vec![figure], ..Report::of(NAME) };
    report.note(format!("{} Hash table of {TABLE} MB. The machine has {cores} cores.", origin()));
    report.note(
        "The overhead is the number of nodes of all threads together relative to one thread. If there are more threads \
         than cores, the threads take turns: the overhead may be lower than on a machine with enough cores, and no \
         speed-up is given. Measure the speed-up on an idle machine.",
    );
    Ok(report)
}

/// The nodes of each position relative to those with the fewest threads: their geometric mean by number of threads.
fn overheads(costs: &Costs) -> BTreeMap<usize, Estimate> {
    let Some(alone) = costs.values().next() else { return BTreeMap::new() };
    let ratios = |together: &[Cost]| -> Vec<f64> {
        together.iter().zip(alone).map(|(together, alone)| together.nodes as f64 / alone.nodes as f64).collect()
    };
    let mean =
        |(&threads, together): (&usize, &Vec<Cost>)| Some((threads, Estimate::geometric_mean(&ratios(together))?));
    costs.iter().filter_map(mean).collect()
}

/// The overhead of several threads on all positions, next to the goal.
fn summary(costs: &Costs) -> Table {
    let count = costs.values().next().map_or(0, Vec::len);
    let title = format!("Overhead in nodes, geometric mean of all {count} positions");
    let mut table = Table::new(title, &["threads", "overhead", "95% interval", "goal"]);
    for (threads, mean) in overheads(costs).into_iter().skip(1) {
        let goal = if threads == GOAL_THREADS { format!("at most {GOAL}") } else { "-".to_owned() };
        table.row([threads.to_string(), format!("{:.2}", mean.value), mean.interval(2), goal]);
    }
    table
}

/// The costs with several threads next to those with the fewest, and the overhead by number of threads.
fn compared(empty_count: u32, costs: &Costs, cores: usize) -> (Table, Vec<(f64, f64)>) {
    let count = costs.values().next().map_or(0, Vec::len);
    let title = format!("Solving with several threads, {count} positions with {empty_count} empty squares");
    let columns = ["threads", "nodes", "overhead: all nodes", "overhead: geometric mean", "95% interval", "speed-up"];
    let mut table = Table::new(title, &columns);
    let means = overheads(costs);
    let points = means.iter().map(|(&threads, mean)| (threads as f64, mean.value)).collect();
    let Some(alone) = costs.values().next() else { return (table, points) };
    let nodes = |costs: &[Cost]| costs.iter().map(|cost| cost.nodes).sum::<u64>();
    let time = |costs: &[Cost]| costs.iter().map(|cost| cost.seconds).sum::<f64>();
    for (threads, together) in costs {
        let Some(mean) = means.get(threads) else { continue };
        let all = nodes(together) as f64 / nodes(alone) as f64;
        let speed_up = if *threads <= cores { format!("{:.2}", time(alone) / time(together)) } else { "-".to_owned() };
        table.row([
            threads.to_string(),
            nodes(together).to_string(),
            format!("{all:.2}"),
            format!("{:.2}", mean.value),
            mean.interval(2),
            speed_up,
        ]);
    }
    (table, points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentError, rehearsal};

    #[test]
    fn several_threads_are_compared_with_one() {
        let cost = |nodes: u64, seconds: f64| Cost { nodes, seconds };
        let [alone, together] = [[cost(100, 3.0), cost(300, 9.0)], [cost(200, 3.0), cost(300, 5.0)]];
        let costs = BTreeMap::from([(1, alone.to_vec()), (2, together.to_vec())]);
        let (table, overheads) = compared(20, &costs, 2);
        assert_eq!(table.rows[0], ["1", "400", "1.00", "1.00", "1.00 to 1.00", "1.00"]);
        // The geometric mean of 2 and 1 is 1.414; 12 seconds are 1.5 times 8.
        assert_eq!(table.rows[1][..4], ["2", "500", "1.25", "1.41"]);
        assert_eq!(table.rows[1][5], "1.50");
        assert_eq!(overheads[1].0, 2.0);
        assert_eq!(compared(20, &costs, 1).0.rows[1][5], "-");
        let rows = summary(&BTreeMap::from([(1, costs[&1].clone()), (16, costs[&2].clone())])).rows;
        assert_eq!((rows.len(), &rows[0][..2], &*rows[0][3]), (1, &["16".into(), "1.41".into()][..], "at most 1.35"));
    }

    #[test]
    fn every_number_of_threads_solves_the_same_positions() {
        let report =
            rehearsal::run(&rehearsal::core(), |setup| at_scale(setup, &[1, 3], &[(14, 2), (17, 2)]), false).unwrap();
        for table in &report.tables[1..] {
            let firsts: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
            assert_eq!((firsts, table.rows[0][2].as_str()), (vec!["1", "3"], "1.00"));
        }
        assert_eq!(report.tables.len(), 3);
        let stopped = rehearsal::run(&rehearsal::core(), |setup| at_scale(setup, &[1], &[(14, 1)]), true);
        assert_eq!(stopped, Err(ExperimentError::Stopped));
    }
}
