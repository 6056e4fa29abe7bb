//! Sizes of the trees of fixed-depth searches, by the size of the transposition table and its levels: Brockington
//! 1997, Table 1 and section 2.1.

use crate::player::{Keyano, Levels, OrderQuality, ProbCut, Settings};
use engine::{Limits, Player, Silent};
use othello::{Board, Color, Game, Position};
use serde::{Deserialize, Serialize};

use super::failed;
use laboratory::games::MIDGAME;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-table";

/// The paper searches 20 typical positions of the midgame to 10 plies.
pub(super) const POSITIONS: usize = 20;
pub(super) const DEPTH: u32 = 10;
/// Two plies less cost some fifteen times less.
pub(super) const QUICK_DEPTH: u32 = 8;

/// A size of the table, the paper's average tree size and its increase over the largest table.
struct Size {
    bits: u32,
    nodes: u64,
    more: &'static str,
}

const SIZES: [Size; 5] = [
    Size { bits: 20, nodes: 974_614, more: "0.00%" },
    Size { bits: 18, nodes: 978_746, more: "0.42%" },
    Size { bits: 16, nodes: 1_001_342, more: "2.74%" },
    Size { bits: 14, nodes: 1_058_428, more: "8.60%" },
    Size { bits: 10, nodes: 1_272_702, more: "30.59%" },
];

/// The settings for searches of a fixed depth.
pub(super) fn fixed_depth() -> Settings {
    Settings { probcut: ProbCut::Off, ..Settings::default() }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, POSITIONS, if setup.is_quick { QUICK_DEPTH } else { DEPTH })
}

fn at_scale(setup: &mut Setup<'_>, positions: usize, depth: u32) -> Result<Report, ExperimentError> {
    let boards = setup.midgames(positions)?;
    let mut average = |what: &str, settings: Settings| {
        let trees = search_all(setup, what, &settings, &boards, depth)?;
        Ok(trees.iter().map(|tree| tree.nodes as f64).sum::<f64>() / trees.len() as f64)
    };
    let title = format!("Average tree size of searches of {depth} plies, {} positions", boards.len());
    let columns = ["entries", "paper, 10 plies", "paper, increase", "ours", "ours, increase"];
    let mut table = Table::new(title, &columns);
    let mut figure = Figure::new(
        "keyano-table",
        "Nodes by the size of the transposition table",
        "entries, power of two",
        "additional nodes over 2^20, percent",
    );
    let (mut of_paper, mut ours) = (Vec::new(), Vec::new());
    let mut found_by_size = Vec::new();
    let mut largest = f64::NAN;
    for Size { bits, nodes, more } in SIZES {
        let found = average(&format!("2^{bits} entries"), Settings { table: Some(bits), ..fixed_depth() })?;
        if largest.is_nan() {
            largest = found;
        }
        found_by_size.push(found);
        let increase = increase(found, largest);
        table.row([
            format!("2^{bits}"),
            nodes.to_string(),
            more.to_owned(),
            format!("{found:.0}"),
            format!("{increase:.2}%"),
        ]);
        of_paper.push((f64::from(bits), 100.0 * (nodes as f64 / SIZES[0].nodes as f64 - 1.0)));
        ours.push((f64::from(bits), increase));
    }
    figure.line("paper, 10 plies", of_paper);
    figure.line(&format!("ours, {depth} plies"), ours);
    let title = "Two entries per place, the deepest and the latest result, instead of one";
    let mut levels =
        Table::new(title, &["entries", "paper, fewer nodes", "ours, one level", "two levels", "fewer nodes"]);
    for (size, one) in SIZES.iter().zip(&found_by_size) {
        let settings = Settings { table: Some(size.bits), levels: Levels::Two, ..fixed_depth() };
        let two = average(&format!("2^{} entries, two levels", size.bits), settings)?;
        levels.row([
            format!("2^{}", size.bits),
            if size.bits == SIZES[0].bits { "less than 1%".to_owned() } else { String::new() },
            format!("{one:.0}"),
            format!("{two:.0}"),
            format!("{:.2}%", -increase(two, *one)),
        ]);
    }
    let plain = average("alpha-beta", Settings { negascout: false, ..fixed_depth() })?;
    let mut windows = Table::new("Alpha-beta instead of NegaScout", &["", "paper", "ours"]);
    windows.row(["additional nodes".to_owned(), "7%".to_owned(), format!("{:.1}%", increase(plain, largest))]);
    let mut report = Report { tables: vec![table, levels, windows], figures: vec![figure], ..Report::of(NAME) };
    report.note(format!(
        "Total nodes of all iterations, without ProbCut. The positions are from games of Emilia against itself, \
         after {} to {} moves, one per game.",
        MIDGAME.0, MIDGAME.1,
    ));
    Ok(report)
}

/// The increase of one number over another, in percent.
fn increase(count: f64, than: f64) -> f64 {
    100.0 * (count / than - 1.0)
}

/// The statistics of a search.
#[derive(Serialize, Deserialize)]
pub(super) struct Tree {
    pub(super) nodes: u64,
    #[serde(with = "KeptQuality")]
    pub(super) order: OrderQuality,
}

/// Form in which an [`OrderQuality`] is kept.
#[derive(Serialize, Deserialize)]
#[serde(remote = "OrderQuality")]
struct KeptQuality {
    cut_nodes: u64,
    cut_moves: u64,
    decided: u64,
    first_was_best: u64,
}

/// Searches these positions, each with empty tables.
pub(super) fn search_all(
    setup: &mut Setup<'_>,
    what: &str,
    settings: &Settings,
    boards: &[Board],
    depth: u32,
) -> Result<Vec<Tree>, ExperimentError> {
    let mut keyano = Keyano::new(*settings);
    let mut trees = Vec::new();
    for (number, &board) in (1..).zip(boards) {
        trees.push(setup.part(what, |setup| {
            (setup.progress)(&format!("{what}, position {number} of {}", boards.len()));
            keyano.new_game().map_err(|error| failed(&error))?;
            let game = Game::from_position(Position { board, turn: Color::Black });
            let choice = keyano.choose(&game, &Limits::of_depth(depth), &mut Silent, setup.stop);
            let nodes = choice.map_err(|error| failed(&error))?.nodes;
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
            Ok(Tree { nodes, order: keyano.order_quality() })
        })?);
    }
    Ok(trees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn the_increases_of_the_paper_are_those_of_its_trees() {
        for Size { nodes, more, .. } in SIZES {
            assert_eq!(format!("{:.2}%", increase(nodes as f64, SIZES[0].nodes as f64)), more);
        }
    }

    #[test]
    fn every_size_has_its_row_and_small_tables_take_more_nodes() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 3, 6)).unwrap();
        let nodes = |row: &[String]| row[3].parse::<u64>().unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.len(), 5);
        assert!(nodes(&rows[4]) > nodes(&rows[0]));
        let levels = &report.tables[1].rows;
        assert!(levels.len() == 5 && levels.iter().zip(rows).all(|(levels, row)| levels[2] == row[3]));
        assert!(levels.iter().any(|row| row[2] != row[3]), "two levels change something: {levels:?}");
    }
}
