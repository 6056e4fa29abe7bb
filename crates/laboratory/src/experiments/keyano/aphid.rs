//! How much faster several workers search: Brockington 1997, section 2.3.

use std::collections::BTreeMap;

use engine::{Limits, Player, Silent};
use heritage::keyano::parallel::{Run, World, alone, simulate};
use heritage::keyano::{Keyano, Method, ProbCut, Settings};
use othello::{Board, Color, Game, Position};

use crate::experiments::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-aphid";

/// The numbers of workers in virtual time.
const WORKERS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// The processors of the paper.
const PROCESSORS: usize = 16;

/// The number of workers that are really measured besides one.
const MEASURED: usize = 2;

/// The entries of every table, as a power of two: 32 workers have one each.
const TABLE: u32 = 18;

/// How long a message takes in virtual time, in nodes: 50 microseconds on a machine that searches a node in one.
const LATENCY: u64 = 50;

/// How many moves below the root APHID's frontier lies, without ProbCut and with it. A deeper one has more and smaller nodes,
/// which many workers need; ProbCut makes the value of a node less predictable, so that more of that work is in vain.
const FRONTIERS: [u32; 2] = [4, 3];

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    positions: usize,
    /// The plies without ProbCut and with it, which makes a search of as many plies cheaper.
    depths: [u32; 2],
}

const FULL: Scale = Scale { positions: 6, depths: [12, 15] };
const QUICK: Scale = Scale { positions: 3, depths: [8, 10] };

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    has_probcut: bool,
    is_young_brothers: bool,
    has_shared_table: bool,
}

impl Way {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            has_probcut: bits & 4 != 0,
            is_young_brothers: bits & 2 != 0,
            has_shared_table: bits & 1 != 0,
        })
    }

    fn settings(self, workers: usize) -> Settings {
        Settings {
            probcut: if self.has_probcut { ProbCut::Multi } else { ProbCut::Off },
            method: if self.is_young_brothers { Method::YoungBrothers } else { Method::Aphid },
            shared_table: self.has_shared_table,
            table: Some(TABLE),
            workers,
            frontier: FRONTIERS[usize::from(self.has_probcut)],
            ..Settings::default()
        }
    }

    fn name(self) -> String {
        let method = if self.is_young_brothers { "Young Brothers Wait" } else { "APHID" };
        let probcut = if self.has_probcut { "ProbCut" } else { "fixed depth" };
        let table = if self.has_shared_table { "shared table" } else { "local tables" };
        format!("{method}, {probcut}, {table}")
    }

    /// The speed-up that the paper has with 16 processors. It does not say which tables its searches of fixed depth had; local ones
    /// need no shared memory.
    fn of_paper(self) -> &'static str {
        match (self.has_probcut, self.is_young_brothers, self.has_shared_table) {
            (false, false, false) => "13.5",
            (false, true, false) => "10.5",
            (true, false, false) => "10",
            (true, false, true) => "12",
            _ => "-",
        }
    }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL }, &WORKERS)
}

/// The searches of the same positions.
type Runs = Vec<Run>;

fn at_scale(setup: &mut Setup<'_>, scale: Scale, workers: &[usize]) -> Result<Report, ExperimentError> {
    let boards = setup.midgames(scale.positions)?;
    let depth = |way: Way| scale.depths[usize::from(way.has_probcut)];
    let mut of_one: BTreeMap<bool, Runs> = BTreeMap::new();
    // Neither the method nor the table of several workers matters to one.
    for way in Way::all().filter(|way| !way.is_young_brothers && !way.has_shared_table) {
        let runs = searched(setup, "alone", &boards, |board| alone(&way.settings(1), board, depth(way)))?;
        of_one.insert(way.has_probcut, runs);
    }
    let mut of_many: BTreeMap<(Way, usize), Runs> = BTreeMap::new();
    for way in Way::all() {
        for &workers in workers {
            let what = format!("{}, {workers} workers", way.name());
            let world = World { latency: LATENCY, loses: None };
            let runs =
                searched(setup, &what, &boards, |board| simulate(&way.settings(workers), board, depth(way), world))?;
            of_many.insert((way, workers), runs);
        }
    }

    let columns: Vec<String> =
        ["".to_owned()].into_iter().chain(workers.iter().map(|workers| format!("{workers} workers"))).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let plies = format!("{} plies, {} with ProbCut, {} positions", scale.depths[0], scale.depths[1], boards.len());
    let mut speeds = Table::new(format!("Speed-up in virtual time: {plies}"), &columns);
    let mut overheads = Table::new("Nodes of all workers, relative to those of a search by one party", &columns);
    let mut busy = Table::new("The share of the time in which the processors search", &columns);
    let mut papers = Table::new(
        format!("Speed-up with {PROCESSORS} processors"),
        &[
            "",
            "paper",
            "ours, virtual time",
            "by position",
            "nodes, relative to one party",
            "time spent searching",
            "messages per search",
        ],
    );
    let mut figure = Figure::new(NAME, "Speed-up in virtual time", "workers", "speed-up");
    for way in Way::all() {
        let Some(base) = of_one.get(&way.has_probcut) else { continue };
        let runs = || workers.iter().filter_map(|&workers| Some((workers, of_many.get(&(way, workers))?)));
        speeds.row([way.name()].into_iter().chain(runs().map(|(_, runs)| format!("{:.2}", speed_up(base, runs)))));
        overheads.row([way.name()].into_iter().chain(runs().map(|(_, runs)| format!("{:.2}", overhead(base, runs)))));
        busy.row(
            [way.name()]
                .into_iter()
                .chain(runs().map(|(workers, runs)| format!("{:.0}%", 100.0 * share_of_search(runs, workers)))),
        );
        if let Some(runs) = of_many.get(&(way, PROCESSORS)) {
            let (smallest, largest) = range_of_speed_up(base, runs);
            papers.row([
                way.name(),
                way.of_paper().to_owned(),
                format!("{:.1}", speed_up(base, runs)),
                format!("{smallest:.1} to {largest:.1}"),
                format!("{:.2}", overhead(base, runs)),
                format!("{:.0}%", 100.0 * share_of_search(runs, PROCESSORS)),
                format!("{:.0}", total(runs, |run| run.messages) / runs.len().max(1) as f64),
            ]);
        }
        figure.line(&way.name(), runs().map(|(workers, runs)| (workers as f64, speed_up(base, runs))).collect());
    }
    let measured = measured(setup, &boards, scale)?;
    let mut report =
        Report { tables: vec![papers, speeds, overheads, busy, measured], figures: vec![figure], ..Report::of(NAME) };
    let average = |has_probcut: bool| {
        of_one.get(&has_probcut).map_or(0.0, |runs| total(runs, |run| run.nodes) / runs.len().max(1) as f64)
    };
    report.note(format!(
        "In virtual time a node takes one unit and a message {LATENCY}. Every worker does its real search; only the clock is \
         simulated. There are as many processors as workers: APHID's manager runs on that of the first worker. A search by one \
         party takes {:.0} nodes on average, {:.0} with ProbCut; the speed-up is the time of all positions together. All \
         tables have 2^{TABLE} entries and are empty at first.",
        average(false),
        average(true),
    ));
    report.note(format!(
        "The speed-up is the number of processors times the share of the time in which they search, divided by the relative number \
         of nodes. The last two are the causes of what is missing. APHID's workers that the iteration under way does not need \
         search for the next ones, which is in vain after the last: what Young Brothers Wait has as idle time is part of \
         APHID's nodes. The frontier lies {} moves below the root, {} with ProbCut.",
        FRONTIERS[0], FRONTIERS[1]
    ));
    report.note(
        "Positions differ: where the value or the best move of the last iteration is a surprise, searches that began with the \
         expected value are repeated, and one search below the frontier may take longer than all others together. With ProbCut \
         the nodes of a search depend much on chance: a search by one party with slightly other windows can take several times as many. \
         The paper does not say how large its trees are.",
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    report.note(format!(
        "The last table is measured with threads on a machine with {cores} cores. Its times depend on what else the machine \
         does; the nodes hardly do."
    ));
    Ok(report)
}

/// Searches all positions.
fn searched(
    setup: &mut Setup<'_>,
    what: &str,
    boards: &[Board],
    search: impl Fn(&Board) -> Run,
) -> Result<Runs, ExperimentError> {
    let mut runs = Vec::new();
    for (number, board) in (1..).zip(boards) {
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        (setup.progress)(&format!("{what}, position {number} of {}", boards.len()));
        runs.push(search(board));
    }
    Ok(runs)
}

fn total(runs: &[Run], count: impl Fn(&Run) -> u64) -> f64 {
    runs.iter().map(count).sum::<u64>() as f64
}

fn speed_up(alone: &[Run], together: &[Run]) -> f64 {
    total(alone, |run| run.time) / total(together, |run| run.time)
}

fn overhead(alone: &[Run], together: &[Run]) -> f64 {
    total(together, |run| run.nodes) / total(alone, |run| run.nodes)
}

/// The share of the time of this many processors that was spent searching.
fn share_of_search(together: &[Run], processors: usize) -> f64 {
    total(together, |run| run.nodes) / (total(together, |run| run.time) * processors as f64)
}

/// The smallest and the largest speed-up of a single position.
fn range_of_speed_up(alone: &[Run], together: &[Run]) -> (f64, f64) {
    let speeds = alone.iter().zip(together).map(|(alone, together)| alone.time as f64 / together.time as f64);
    speeds.fold((f64::INFINITY, 0.0), |(smallest, largest), speed| (smallest.min(speed), largest.max(speed)))
}

/// The same positions with the player and its threads.
fn measured(setup: &mut Setup<'_>, boards: &[Board], scale: Scale) -> Result<Table, ExperimentError> {
    let title = format!("Measured with threads: one party and {MEASURED} workers");
    let mut table = Table::new(title, &["", "nodes, one party", "nodes", "overhead", "speed-up by the clock"]);
    let mut of_one: BTreeMap<bool, (u64, f64)> = BTreeMap::new();
    for way in Way::all() {
        let depth = scale.depths[usize::from(way.has_probcut)];
        let alone = match of_one.get(&way.has_probcut) {
            Some(&alone) => alone,
            None => played(setup, boards, way.settings(1), depth)?,
        };
        of_one.insert(way.has_probcut, alone);
        let together = played(setup, boards, way.settings(MEASURED), depth)?;
        table.row([
            way.name(),
            alone.0.to_string(),
            together.0.to_string(),
            format!("{:.2}", together.0 as f64 / alone.0 as f64),
            format!("{:.2}", alone.1 / together.1),
        ]);
    }
    Ok(table)
}

/// The nodes and the seconds of searches by the player.
fn played(
    setup: &mut Setup<'_>,
    boards: &[Board],
    settings: Settings,
    depth: u32,
) -> Result<(u64, f64), ExperimentError> {
    let failed =
        |error: &dyn ToString| ExperimentError::Player { player: "keyano".to_owned(), reason: error.to_string() };
    let mut keyano = Keyano::new(settings);
    let mut sum = (0, 0.0);
    for (number, &board) in (1..).zip(boards) {
        (setup.progress)(&format!("threads, position {number} of {}", boards.len()));
        keyano.new_game().map_err(|error| failed(&error))?;
        let game = Game::from_position(Position { board, turn: Color::Black });
        let choice = keyano.choose(&game, &Limits::of_depth(depth), &mut Silent, setup.stop);
        let choice = choice.map_err(|error| failed(&error))?;
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        sum = (sum.0 + choice.nodes, sum.1 + choice.time.as_secs_f64());
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal;

    #[test]
    fn speed_and_overhead_are_those_of_all_positions_together() {
        let run = |time: u64, nodes: u64| Run { best: None, time, nodes, messages: 0, passes: 0 };
        let (one, many) = ([run(100, 100), run(300, 300)], [run(50, 200), run(50, 300)]);
        assert_eq!((speed_up(&one, &many), overhead(&one, &many)), (4.0, 1.25));
        assert_eq!(share_of_search(&many, 10), 0.5);
        assert_eq!(range_of_speed_up(&one, &many), (2.0, 6.0));
    }

    #[test]
    fn every_way_has_its_row_and_sixteen_workers_are_faster_than_one() {
        let scale = Scale { positions: 2, depths: [8, 9] };
        let report = rehearsal::run(|setup| at_scale(setup, scale, &[1, 16]), false).unwrap();
        let [papers, speeds, overheads, busy, measured] = &report.tables[..] else { panic!("five tables") };
        for table in [papers, speeds, overheads, busy, measured] {
            assert_eq!(table.rows.len(), 8);
        }
        assert_eq!((papers.rows[0][1].as_str(), papers.rows[2][1].as_str()), ("13.5", "10.5"));
        let number = |text: &str| text.parse::<f64>().unwrap();
        for row in &speeds.rows {
            let (one, sixteen) = (number(&row[1]), number(&row[2]));
            // With ProbCut, searches of so few plies are too small to be divided.
            let least = if row[0].contains("fixed depth") { one } else { 0.0 };
            assert!(sixteen > least, "{row:?}");
        }
        // One party of Young Brothers Wait does what a search by one party does.
        assert_eq!((speeds.rows[2][1].as_str(), overheads.rows[2][1].as_str()), ("1.00", "1.00"));
        let stopped = rehearsal::run(|setup| at_scale(setup, scale, &[1]), true);
        assert_eq!(stopped.map(|_| ()), Err(ExperimentError::Stopped));
    }
}
