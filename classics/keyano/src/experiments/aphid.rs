//! Speedup of searches by several workers: Brockington 1997, section 2.3.

use std::collections::BTreeMap;
use std::fs;

use crate::player::parallel::{Run, World, alone, simulate};
use crate::player::{Keyano, Method, ProbCut, Settings};
use engine::clock::Moment;
use engine::{Limits, Player, Silent};
use othello::{Board, Color, Game, Position};
use serde::{Deserialize, Serialize};

use super::failed;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-aphid";

/// The numbers of workers in virtual time.
const WORKERS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// The processors of the paper.
const PROCESSORS: usize = 16;

/// The number of workers that are really measured besides one.
const MEASURED: usize = 2;

/// The entries of every table, as a power of two: 32 workers have one each.
const TABLE: u32 = 18;

/// Delay of a message in virtual time, in nodes: 50 microseconds on a machine that searches a node in one.
const LATENCY: u64 = 50;

/// Depth of APHID's frontier in moves, without ProbCut and with it. A deeper one has more and smaller nodes,
/// which many workers need; ProbCut makes the value of a node less predictable, so that more of that work is in vain.
const FRONTIERS: [u32; 2] = [4, 3];

/// With at most this many empty squares KEYANO solves a position, with one party: no search here reaches so far.
const SOLVED_FROM: u32 = 8;

/// Positions to choose from, for each one that is used.
const CHOICE: usize = 4;

/// A machine is called free if a search by one party gets this share of a processor.
const FREE: f64 = 0.95;

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    positions: usize,
    /// The plies without ProbCut and with it, which makes a search of as many plies cheaper.
    depths: [u32; 2],
    /// Reduction of the depth, in plies, where the clock is measured.
    less: u32,
}

const FULL: Scale = Scale { positions: 6, depths: [12, 16], less: 1 };
const QUICK: Scale = Scale { positions: 3, depths: [8, 10], less: 0 };

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
        format!("{method}, {}", self.conditions())
    }

    /// Conditions in common with its counterpart of the other method.
    fn conditions(self) -> String {
        let probcut = if self.has_probcut { "ProbCut" } else { "fixed depth" };
        let table = if self.has_shared_table { "shared table" } else { "local tables" };
        format!("{probcut}, {table}")
    }

    /// The speed-up that the paper has with 16 processors. It names the tables of its searches with ProbCut only: the others stand
    /// beside both kinds.
    fn of_paper(self) -> &'static str {
        match (self.has_probcut, self.is_young_brothers, self.has_shared_table) {
            (false, false, _) => "13.5",
            (false, true, _) => "10.5",
            (true, false, false) => "10",
            (true, false, true) => "12",
            (true, true, _) => "-",
        }
    }
}

/// Cost of a search, as it is kept: see [`Run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Taken {
    time: u64,
    nodes: u64,
    messages: u64,
}

impl From<Run> for Taken {
    fn from(Run { time, nodes, messages, .. }: Run) -> Self {
        Self { time, nodes, messages }
    }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL }, &WORKERS)
}

/// The searches of the same positions.
type Runs = Vec<Taken>;

/// All searches in virtual time.
struct Virtual {
    /// By one party, without ProbCut and with it.
    of_one: BTreeMap<bool, Runs>,
    of_many: BTreeMap<(Way, usize), Runs>,
}

impl Virtual {
    /// The searches by one party and those of a way with so many workers.
    fn pair(&self, way: Way, workers: usize) -> Option<(&Runs, &Runs)> {
        Some((self.of_one.get(&way.has_probcut)?, self.of_many.get(&(way, workers))?))
    }

    fn speed_up(&self, way: Way, workers: usize) -> Option<f64> {
        self.pair(way, workers).map(|(one, many)| speed_up(one, many))
    }
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale, workers: &[usize]) -> Result<Report, ExperimentError> {
    let boards = open_boards(setup, scale)?;
    let depth = |way: Way| scale.depths[usize::from(way.has_probcut)];
    let mut virtually = Virtual { of_one: BTreeMap::new(), of_many: BTreeMap::new() };
    // Neither the method nor the table of several workers matters to one.
    for way in Way::all().filter(|way| !way.is_young_brothers && !way.has_shared_table) {
        let runs = searched(setup, "alone", &boards, |board| alone(&way.settings(1), board, depth(way)))?;
        virtually.of_one.insert(way.has_probcut, runs);
    }
    for way in Way::all() {
        for &workers in workers {
            let what = format!("{}, {}", way.name(), count_of(workers));
            let world = World { latency: LATENCY, loses: None };
            let runs =
                searched(setup, &what, &boards, |board| simulate(&way.settings(workers), board, depth(way), world))?;
            virtually.of_many.insert((way, workers), runs);
        }
    }

    let columns: Vec<String> =
        [String::new()].into_iter().chain(workers.iter().map(|&workers| count_of(workers))).collect();
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
        let runs = || workers.iter().filter_map(|&workers| Some((workers, virtually.pair(way, workers)?)));
        let row = |cell: &dyn Fn(usize, &Runs, &Runs) -> String| -> Vec<String> {
            let cells = runs().map(|(workers, (one, many))| cell(workers, one, many));
            [way.name()].into_iter().chain(cells).collect()
        };
        speeds.row(row(&|_, one, many| format!("{:.2}", speed_up(one, many))));
        overheads.row(row(&|_, one, many| format!("{:.2}", overhead(one, many))));
        busy.row(row(&|workers, _, many| format!("{:.0}%", 100.0 * share_of_search(many, workers))));
        if let Some((one, many)) = virtually.pair(way, PROCESSORS) {
            let (smallest, largest) = range_of_speed_up(one, many);
            papers.row([
                way.name(),
                way.of_paper().to_owned(),
                format!("{:.1}", speed_up(one, many)),
                format!("{smallest:.1} to {largest:.1}"),
                format!("{:.2}", overhead(one, many)),
                format!("{:.0}%", 100.0 * share_of_search(many, PROCESSORS)),
                format!("{:.0}", total(many, |run| run.messages) / many.len().max(1) as f64),
            ]);
        }
        let points = runs().map(|(workers, (one, many))| (workers as f64, speed_up(one, many))).collect();
        figure.line(&way.name(), points);
    }
    let (measured, load) = measured(setup, &boards, scale)?;
    let mut report =
        Report { tables: vec![papers, speeds, overheads, busy, measured], figures: vec![figure], ..Report::of(NAME) };
    notes(&mut report, &virtually, &boards, scale);
    report.note(load.note());
    Ok(report)
}

fn notes(report: &mut Report, virtually: &Virtual, boards: &[Board], scale: Scale) {
    let average = |has_probcut: bool| {
        let runs = virtually.of_one.get(&has_probcut).map_or(&[][..], Vec::as_slice);
        total(runs, |run| run.nodes) / runs.len().max(1) as f64
    };
    let empties = || boards.iter().map(Board::empty_count);
    report.note(format!(
        "In virtual time a node takes one unit and a message {LATENCY}. Every worker does its real search; only the clock is \
         simulated. There are as many processors as workers: APHID's manager runs on that of the first worker. A search by one \
         party takes {:.0} nodes on average, {:.0} with ProbCut; the speed-up is the time of all positions together. All \
         tables have 2^{TABLE} entries and are empty at first. The positions have {} to {} empty squares, more than the deepest \
         search and the {SOLVED_FROM} squares from which on KEYANO solves a position: no endgame, which one party solves, is part \
         of these figures.",
        average(false),
        average(true),
        empties().min().unwrap_or_default(),
        empties().max().unwrap_or_default(),
    ));
    report.note(format!(
        "The paper has {} for APHID and {} for Young Brothers Wait with searches of fixed depth and does not say with which tables: \
         both figures stand beside both kinds. For its version with ProbCut it names them: {} with local tables and {} with a \
         shared one. It does not say how large its trees are.",
        way(false, false, false).of_paper(),
        way(false, true, false).of_paper(),
        way(true, false, false).of_paper(),
        way(true, false, true).of_paper(),
    ));
    let sixteen = |one: Way| virtually.speed_up(one, PROCESSORS);
    for conditions in Way::all().filter(|way| !way.is_young_brothers) {
        let brothers = Way { is_young_brothers: true, ..conditions };
        if let (Some(aphid), Some(other)) = (sixteen(conditions), sixteen(brothers)) {
            report.note(comparison(conditions, aphid, other));
        }
    }
    for has_probcut in [false, true] {
        let [local, shared] = [false, true].map(|is_shared| sixteen(way(has_probcut, false, is_shared)));
        if let (Some(local), Some(shared)) = (local, shared) {
            let verdict =
                if shared > local { "gains from a shared table" } else { "gains nothing from a shared table" };
            let paper = if has_probcut { ", and gains in the paper (10 and 12)" } else { "" };
            report.note(format!(
                "{}: APHID {verdict} ({local:.1} with local tables, {shared:.1} with a shared one){paper}.",
                if has_probcut { "With ProbCut" } else { "At fixed depth" },
            ));
        }
    }
    report.note(format!(
        "The speed-up is the number of processors times the share of the time in which they search, divided by the relative number \
         of nodes. The last two are the causes of what is missing. APHID's workers that the iteration under way does not need \
         search for the next ones, which is in vain after the last: what Young Brothers Wait has as idle time is part of \
         APHID's nodes. The frontier lies {} moves below the root, {} with ProbCut.",
        FRONTIERS[0], FRONTIERS[1]
    ));
    for has_probcut in [false, true] {
        let aphid = way(has_probcut, false, false);
        if let Some((one, many)) = virtually.pair(aphid, 1) {
            report.note(format!(
                "APHID with one worker takes {:.2} times the nodes of a search by one party ({}): what its messages, windows and \
                 searches in advance cost before anything is divided.",
                overhead(one, many),
                if has_probcut { "ProbCut" } else { "fixed depth" },
            ));
        }
    }
    report.note(format!(
        "The last table is measured with threads, at {} plies and {} with ProbCut. Searches by one party and by {MEASURED} workers \
         take turns, position by position, so that other load meets both. The player does not start workers if it may have only \
         one: one worker through messages is measured with the virtual clock, whose messages cost real time, too.",
        scale.depths[0] - scale.less,
        scale.depths[1] - scale.less,
    ));
}

fn way(has_probcut: bool, is_young_brothers: bool, has_shared_table: bool) -> Way {
    Way { has_probcut, is_young_brothers, has_shared_table }
}

/// Comparison of APHID with Young Brothers Wait here, and in the paper.
fn comparison(conditions: Way, aphid: f64, brothers: f64) -> String {
    let is_ahead = aphid >= brothers;
    let relation = if is_ahead { "ahead of" } else { "behind" };
    let paper = match (conditions.has_probcut, is_ahead) {
        (true, _) => "the paper has no such comparison",
        (false, true) => "as in the paper, where it is ahead",
        (false, false) => "the reverse of the paper, where it is ahead",
    };
    format!(
        "With {PROCESSORS} processors ({}) APHID is {relation} Young Brothers Wait: {aphid:.1} and {brothers:.1}; {paper}.",
        conditions.conditions(),
    )
}

/// A number of workers in words.
fn count_of(workers: usize) -> String {
    if workers == 1 { "1 worker".to_owned() } else { format!("{workers} workers") }
}

/// Positions of the midgame that no search of this scale reaches the end of, spread evenly over those.
fn open_boards(setup: &mut Setup<'_>, scale: Scale) -> Result<Vec<Board>, ExperimentError> {
    let deepest = scale.depths.into_iter().max().unwrap_or_default();
    let mut boards = setup.midgames(CHOICE * scale.positions)?;
    boards.retain(|board| board.empty_count() > deepest + SOLVED_FROM);
    let count = boards.len().min(scale.positions);
    Ok((0..count).map(|number| boards[number * (boards.len() - 1) / (count - 1).max(1)]).collect())
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
        runs.push(setup.part(what, |setup| {
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
            (setup.progress)(&format!("{what}, position {number} of {}", boards.len()));
            Ok(Taken::from(search(board)))
        })?);
    }
    Ok(runs)
}

fn total(runs: &[Taken], count: impl Fn(&Taken) -> u64) -> f64 {
    runs.iter().map(count).sum::<u64>() as f64
}

fn speed_up(alone: &[Taken], together: &[Taken]) -> f64 {
    total(alone, |run| run.time) / total(together, |run| run.time)
}

fn overhead(alone: &[Taken], together: &[Taken]) -> f64 {
    total(together, |run| run.nodes) / total(alone, |run| run.nodes)
}

/// The share of the time of this many processors that was spent searching.
fn share_of_search(together: &[Taken], processors: usize) -> f64 {
    total(together, |run| run.nodes) / (total(together, |run| run.time) * processors as f64)
}

/// The smallest and the largest speed-up of a single position.
fn range_of_speed_up(alone: &[Taken], together: &[Taken]) -> (f64, f64) {
    let speeds = alone.iter().zip(together).map(|(alone, together)| alone.time as f64 / together.time as f64);
    speeds.fold((f64::INFINITY, 0.0), |(smallest, largest), speed| (smallest.min(speed), largest.max(speed)))
}

/// The clock ticks per second in `/proc`, the same on all machines.
const TICKS: f64 = 100.0;

/// The seconds of processor time of this process, in user mode and in the system; nothing on systems that do not say.
fn processor_seconds() -> Option<f64> {
    seconds_of(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The same from the text of `/proc/self/stat`: the fields 14 and 15. The second, the name of the program in parentheses, may
/// contain spaces.
fn seconds_of(text: &str) -> Option<f64> {
    let (_, fields) = text.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
    Some((ticks.next()? + ticks.next()?) / TICKS)
}

/// Searches that were measured.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Clocked {
    nodes: u64,
    seconds: f64,
    /// Of the processors; 0 on systems that do not say.
    processor: f64,
}

impl Clocked {
    fn add(&mut self, more: Self) {
        self.nodes += more.nodes;
        self.seconds += more.seconds;
        self.processor += more.processor;
    }

    /// Average number of processors of the searches.
    fn processors(&self) -> f64 {
        self.processor / self.seconds.max(1e-9)
    }
}

/// Measures a search, which returns its nodes.
fn clocked(search: impl FnOnce() -> Result<u64, ExperimentError>) -> Result<Clocked, ExperimentError> {
    let (start, before) = (Moment::now(), processor_seconds());
    let nodes = search()?;
    let seconds = start.elapsed().as_secs_f64();
    let processor = before.zip(processor_seconds()).map_or(0.0, |(before, after)| after - before);
    Ok(Clocked { nodes, seconds, processor })
}

/// Share of the machine that the measured searches had: those by one party, and those by workers of APHID, who never wait.
#[derive(Clone, Copy, Default)]
struct Load {
    alone: Clocked,
    together: Clocked,
}

impl Load {
    fn note(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (one, several) = (self.alone.processors(), self.together.processors());
        if self.alone.processor == 0.0 {
            return format!("The machine has {cores} cores; it does not say whether it was busy with other work.");
        }
        let is_free = one >= FREE && several >= FREE * MEASURED as f64;
        let verdict = if is_free {
            "the machine was free, and the speed-up by the clock is that of the method"
        } else {
            "the machine was busy with other work, and the speed-up by the clock is too low; the relative processor time \
             and the nodes suffer less"
        };
        format!(
            "The machine has {cores} cores. Searches by one party had {one:.2} processors on average, those by {MEASURED} workers of \
             APHID, who never wait, {several:.2}: {verdict}.",
        )
    }
}

/// The same positions with the player and its threads.
fn measured(setup: &mut Setup<'_>, boards: &[Board], scale: Scale) -> Result<(Table, Load), ExperimentError> {
    let title = format!("Measured with threads: one party, one worker and {MEASURED} workers");
    let several = format!("{}: relative nodes", count_of(MEASURED));
    let columns = [
        "",
        "nodes, one party",
        "1 worker: relative nodes",
        "speed-up by the clock",
        &several,
        "relative processor time",
        "speed-up by the clock",
    ];
    let mut table = Table::new(title, &columns);
    let mut load = Load::default();
    for way in Way::all() {
        let depth = scale.depths[usize::from(way.has_probcut)] - scale.less;
        let [mut alone, mut single, mut together] = [Clocked::default(); 3];
        let mut players = [way.settings(1), way.settings(MEASURED)].map(Keyano::new);
        for (number, &board) in (1..).zip(boards) {
            let what = format!("threads, {}", way.name());
            let of_board: [Clocked; 3] = setup.part(&what, |setup| {
                (setup.progress)(&format!("{what}, position {number} of {}", boards.len()));
                let [one, many] = &mut players;
                let alone = played(setup, one, board, depth)?;
                let together = played(setup, many, board, depth)?;
                let world = World { latency: LATENCY, loses: None };
                let single = clocked(|| Ok(simulate(&way.settings(1), &board, depth, world).nodes))?;
                Ok([alone, single, together])
            })?;
            for (sum, more) in [&mut alone, &mut single, &mut together].into_iter().zip(of_board) {
                sum.add(more);
            }
        }
        load.alone.add(alone);
        if !way.is_young_brothers {
            load.together.add(together);
        }
        let of = |one: f64, other: f64| format!("{:.2}", one / other);
        table.row([
            way.name(),
            alone.nodes.to_string(),
            of(single.nodes as f64, alone.nodes as f64),
            of(alone.seconds, single.seconds),
            of(together.nodes as f64, alone.nodes as f64),
            if alone.processor > 0.0 { of(together.processor, alone.processor) } else { "-".to_owned() },
            of(alone.seconds, together.seconds),
        ]);
    }
    Ok((table, load))
}

/// A search by the player.
fn played(setup: &Setup<'_>, keyano: &mut Keyano, board: Board, depth: u32) -> Result<Clocked, ExperimentError> {
    keyano.new_game().map_err(|error| failed(&error))?;
    let game = Game::from_position(Position { board, turn: Color::Black });
    let measured = clocked(|| {
        let choice = keyano.choose(&game, &Limits::of_depth(depth), &mut Silent, setup.stop);
        Ok(choice.map_err(|error| failed(&error))?.nodes)
    });
    if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { measured }
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn speed_and_overhead_are_those_of_all_positions_together() {
        let run = |time: u64, nodes: u64| Taken { time, nodes, messages: 0 };
        let (one, many) = ([run(100, 100), run(300, 300)], [run(50, 200), run(50, 300)]);
        assert_eq!((speed_up(&one, &many), overhead(&one, &many)), (4.0, 1.25));
        assert_eq!(share_of_search(&many, 10), 0.5);
        assert_eq!(range_of_speed_up(&one, &many), (2.0, 6.0));
        assert_eq!([1, 2].map(count_of), ["1 worker", "2 workers"]);
    }

    #[test]
    fn sentences_follow_from_the_figures() {
        let fixed = way(false, false, true);
        assert!(
            comparison(fixed, 8.2, 10.3).contains("APHID is behind Young Brothers Wait: 8.2 and 10.3; the reverse")
        );
        assert!(comparison(fixed, 8.8, 5.4).contains("ahead of Young Brothers Wait: 8.8 and 5.4; as in the paper"));
        assert!(comparison(way(true, false, true), 3.9, 7.2).contains("behind"));
        let clocked = |seconds: f64, processor: f64| Clocked { nodes: 1, seconds, processor };
        let note = |alone, together| Load { alone, together }.note();
        assert!(note(clocked(10.0, 9.9), clocked(10.0, 19.8)).contains("was free"));
        assert!(note(clocked(10.0, 9.9), clocked(10.0, 12.0)).contains("was busy"));
        assert!(note(clocked(10.0, 0.0), clocked(10.0, 0.0)).contains("does not say"));
        assert_eq!(seconds_of("4242 (a) b) S 1 2 3 4 5 6 7 8 9 10 1234 66 0 0"), Some(13.0));
        assert_eq!(seconds_of("4242 (a) S 1"), None);
    }

    #[test]
    fn every_way_has_its_row_and_sixteen_workers_are_faster_than_one() {
        let scale = Scale { positions: 2, depths: [8, 9], less: 0 };
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, scale, &[1, 16]), false).unwrap();
        let [papers, speeds, overheads, busy, measured] = &report.tables[..] else { panic!("five tables") };
        for table in [papers, speeds, overheads, busy, measured] {
            assert_eq!(table.rows.len(), 8);
        }
        let of_paper: Vec<&str> = papers.rows.iter().map(|row| row[1].as_str()).collect();
        assert_eq!(of_paper, ["13.5", "13.5", "10.5", "10.5", "10", "12", "-", "-"]);
        let number = |text: &str| text.parse::<f64>().unwrap();
        for row in &speeds.rows {
            let (one, sixteen) = (number(&row[1]), number(&row[2]));
            // With ProbCut, searches of so few plies are too small to be divided.
            let least = if row[0].contains("fixed depth") { one } else { 0.0 };
            assert!(sixteen > least, "{row:?}");
        }
        // One party of Young Brothers Wait does what a search by one party does.
        assert_eq!((speeds.rows[2][1].as_str(), overheads.rows[2][1].as_str()), ("1.00", "1.00"));
        // As many nodes with threads as in virtual time: nothing is solved.
        let of_one = rehearsal::run(
            classics::registry(),
            |setup| {
                let boards = open_boards(setup, scale).unwrap();
                boards.iter().map(|board| alone(&way(false, false, false).settings(1), board, 8).nodes).sum::<u64>()
            },
            false,
        );
        assert_eq!(measured.rows[0][1], of_one.to_string());
        let stopped = rehearsal::run(classics::registry(), |setup| at_scale(setup, scale, &[1]), true);
        assert_eq!(stopped.map(|_| ()), Err(ExperimentError::Stopped));
    }

    #[test]
    fn no_search_of_a_full_run_reaches_the_end() {
        let boards = rehearsal::run(classics::registry(), |setup| open_boards(setup, FULL), false).unwrap();
        assert_eq!(boards.len(), FULL.positions);
        assert!(boards.iter().all(|board| board.empty_count() > FULL.depths[1] + SOLVED_FROM));
        assert!(boards.iter().zip(&boards[1..]).all(|(one, next)| one != next));
    }
}
