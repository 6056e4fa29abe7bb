//! The value of multi-ProbCut: its matches, the best width of its windows, how often it cuts, and how many plies it is
//! worth (Brockington 1997, section 2.2 and Table 2).

use arena::Tally;
use engine::{Limits, Player, Silent};
use heritage::keyano::{Keyano, ProbCut, ProbCutUse, Settings};
use othello::{Board, Color, Game, Position};

use super::{failed, score};
use crate::experiments::duel::{elo, result, share};
use crate::experiments::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-probcut";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Pairs of games of each match of Table 2, and nodes per move: the paper has 35 and 512,000.
    pairs: u32,
    nodes: u64,
    /// The same for each width of the windows.
    width_pairs: u32,
    width_nodes: u64,
    /// Pairs of games at fixed depths, and the depth of the weaker side.
    ply_pairs: u32,
    depth: u32,
    /// Positions on which the use of ProbCut is counted.
    positions: usize,
}

const FULL: Scale =
    Scale { pairs: 35, nodes: 256_000, width_pairs: 50, width_nodes: 32_000, ply_pairs: 50, depth: 6, positions: 20 };
const QUICK: Scale =
    Scale { pairs: 10, nodes: 32_000, width_pairs: 10, width_nodes: 8000, ply_pairs: 10, depth: 4, positions: 10 };

/// The nodes per move in the paper.
const NODES_OF_THE_PAPER: u64 = 512_000;

/// The widths that are compared, in standard deviations: the paper's, Buro's 1.5, and others.
const WIDTHS: [f64; 6] = [0.6, 0.9, 1.2, 1.5, 2.0, 2.5];
const WIDTH_OF_THE_PAPER: f64 = 1.2;

/// The kinds of ProbCut.
const KINDS: [(&str, ProbCut); 3] =
    [("no ProbCut", ProbCut::Off), ("ProbCut", ProbCut::Single), ("multi-ProbCut", ProbCut::Multi)];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let (table, multi) = table_2(setup, scale)?;
    let (plies, worth) = plies(setup, scale, &multi)?;
    let (widths, figure, best) = widths(setup, scale)?;
    let mut report = Report { tables: vec![table, plies, widths], figures: vec![figure], ..Report::of(NAME) };
    let boards = setup.midgames(scale.positions)?;
    // With a fifth of the nodes a single level hardly cuts.
    for nodes in [scale.nodes / 5, scale.nodes] {
        report.tables.push(uses(setup, &boards, nodes)?);
    }
    report.note(format!(
        "In the paper both sides have {NODES_OF_THE_PAPER} nodes per move and play 70 games. A single level replaces only \
         searches of eight plies by four, so that it cuts nothing before the ninth ply: the tables of its use say in how \
         many searches it cuts, with the nodes of the matches and with a fifth of them.",
    ));
    report.note(match worth {
        Some(worth) => format!(
            "As in the paper, the share of the points is compared with those of matches at fixed depths: multi-ProbCut is \
             worth {worth} plies here, by linear interpolation of the Elo differences.",
        ),
        None => "One of the matches was too one-sided for a comparison with plies.".to_owned(),
    });
    report.note(format!(
        "The paper chose the width that scored best against KEYANO without ProbCut: {WIDTH_OF_THE_PAPER} deviations. Of \
         ours, {best} did best in these games.",
    ));
    Ok(report)
}

/// Table 2; with the result of multi-ProbCut against none.
fn table_2(setup: &mut Setup<'_>, scale: Scale) -> Result<(Table, Tally), ExperimentError> {
    let Scale { pairs, nodes, .. } = scale;
    let title = format!("Matches of {} games with {nodes} nodes per move", 2 * pairs);
    let columns = ["first - second", "paper, 70 games", "ours", "won-drawn-lost", "Elo, 95% interval"];
    let mut table = Table::new(title, &columns);
    let multi = format!("keyano@nodes={nodes}");
    let against_none = setup.duel(&multi, &format!("{multi},probcut=off"), pairs)?;
    let against_single = setup.duel(&multi, &format!("{multi},probcut=single"), pairs)?;
    for (name, paper, tally) in [
        ("multi-ProbCut - no ProbCut", "67.2% (34.7 - 29.3)", &against_none),
        ("multi-ProbCut - ProbCut", "64.2% (33.8 - 30.2)", &against_single),
    ] {
        table.row([name.to_owned(), paper.to_owned(), score(tally), result(tally), elo(tally)]);
    }
    Ok((table, against_none))
}

/// Matches at fixed depths, and how many plies multi-ProbCut is worth compared with them.
fn plies(setup: &mut Setup<'_>, scale: Scale, multi: &Tally) -> Result<(Table, Option<String>), ExperimentError> {
    let title = format!("Additional plies without ProbCut, {} games each", 2 * scale.ply_pairs);
    let mut table = Table::new(title, &["additional plies", "paper", "ours, plies", "ours", "Elo, 95% interval"]);
    let mut elos = [0.0; 2];
    for (more, paper) in [(1, "62.5%"), (2, "71.2%")] {
        let notation = |depth: u32| format!("keyano@depth={depth},probcut=off");
        // From the same depth downwards, as in the paper's matches of 12 plies against 11 and 10.
        let (deep, shallow) = (scale.depth + 2, scale.depth + 2 - more);
        let tally = setup.duel(&notation(deep), &notation(shallow), scale.ply_pairs)?;
        elos[more as usize - 1] = elo_of(&tally);
        let depths = format!("{deep} - {shallow}");
        table.row([more.to_string(), paper.to_owned(), depths, format!("{:.1}%", share(&tally)), elo(&tally)]);
    }
    let worth = worth_in_plies(elo_of(multi), elos);
    table.row([
        worth.clone().unwrap_or_default(),
        "about 1.5 plies: 67.2%".to_owned(),
        "multi-ProbCut".to_owned(),
        format!("{:.1}%", share(multi)),
        elo(multi),
    ]);
    Ok((table, worth))
}

fn elo_of(tally: &Tally) -> f64 {
    tally.pairs.elo().map_or(f64::NAN, |elo| elo.value)
}

/// The plies that are worth as much Elo, given the Elo of one ply and of two; nothing if that makes no sense.
fn worth_in_plies(elo: f64, [one, two]: [f64; 2]) -> Option<String> {
    let plies = if elo <= one { elo / one } else { 1.0 + (elo - one) / (two - one) };
    let is_known = plies.is_finite() && 0.0 < one && one < two;
    // Nothing was measured beyond two plies.
    is_known.then(|| if plies > 2.0 { "more than 2".to_owned() } else { format!("{plies:.1}") })
}

/// Matches against no ProbCut by the width of the windows; with the best of them.
fn widths(setup: &mut Setup<'_>, scale: Scale) -> Result<(Table, Figure, f64), ExperimentError> {
    let Scale { width_pairs: pairs, width_nodes: nodes, .. } = scale;
    let title =
        format!("Multi-ProbCut against no ProbCut by width, {} games each with {nodes} nodes per move", 2 * pairs);
    let mut table = Table::new(title, &["width, deviations", "paper", "ours", "won-drawn-lost", "Elo, 95% interval"]);
    let mut curve = Vec::new();
    for width in WIDTHS {
        let tally = setup.duel(
            &format!("keyano@nodes={nodes},width={width}"),
            &format!("keyano@nodes={nodes},probcut=off"),
            pairs,
        )?;
        let paper = if width == WIDTH_OF_THE_PAPER { "the best" } else { "" };
        table.row([width.to_string(), paper.to_owned(), score(&tally), result(&tally), elo(&tally)]);
        curve.push((width, share(&tally)));
    }
    let best = curve.iter().copied().fold((0.0, f64::MIN), |best, one| if one.1 > best.1 { one } else { best });
    let title = "Multi-ProbCut against no ProbCut";
    let mut figure =
        Figure::new(NAME, title, "width of the windows, standard deviations", "share of the points, percent");
    figure.line("", curve);
    Ok((table, figure, best.0))
}

/// The depth that each kind of ProbCut reaches, and how often it cuts.
fn uses(setup: &mut Setup<'_>, boards: &[Board], nodes: u64) -> Result<Table, ExperimentError> {
    let title = format!("Use of ProbCut in searches of {nodes} nodes, mean of {} positions", boards.len());
    let columns = [
        "",
        "paper, depth",
        "ours, depth",
        "searches with a cut",
        "tried, per 1000 nodes",
        "cut, per 1000 nodes",
        "cut, of those tried",
    ];
    let mut table = Table::new(title, &columns);
    let mut depths = Vec::new();
    for (name, probcut) in KINDS {
        (setup.progress)(&format!("use of ProbCut, {nodes} nodes, {name}"));
        let used = search_all(setup, &Settings { probcut, ..Settings::default() }, boards, nodes)?;
        let ProbCutUse { tried, cut } = used.probcut;
        let per_thousand = |count: u64| format!("{:.2}", 1000.0 * count as f64 / used.nodes as f64);
        table.row([
            name.to_owned(),
            String::new(),
            format!("{:.1}", used.depth),
            format!("{:.0}%", 100.0 * used.with_cut as f64 / boards.len() as f64),
            per_thousand(tried),
            per_thousand(cut),
            if tried == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * cut as f64 / tried as f64) },
        ]);
        depths.push(used.depth);
    }
    let further = format!("{:.1}", depths[2] - depths[0]);
    let row = ["additional depth of multi-ProbCut", "4", &further, "", "", "", ""];
    table.row(row);
    Ok(table)
}

/// What some searches had in common.
#[derive(Default)]
struct Used {
    /// The mean depth of the last iteration that was begun.
    depth: f64,
    nodes: u64,
    probcut: ProbCutUse,
    /// Searches with at least one cut.
    with_cut: usize,
}

fn search_all(
    setup: &mut Setup<'_>,
    settings: &Settings,
    boards: &[Board],
    nodes: u64,
) -> Result<Used, ExperimentError> {
    let mut keyano = Keyano::new(*settings);
    let mut used = Used::default();
    for &board in boards {
        keyano.new_game().map_err(|error| failed(&error))?;
        let game = Game::from_position(Position { board, turn: Color::Black });
        let choice = keyano.choose(&game, &Limits::of_nodes(nodes), &mut Silent, setup.stop);
        let choice = choice.map_err(|error| failed(&error))?;
        used.depth += f64::from(choice.depth) / boards.len() as f64;
        used.nodes += choice.nodes;
        let ProbCutUse { tried, cut } = keyano.probcut_use();
        used.probcut.tried += tried;
        used.probcut.cut += cut;
        used.with_cut += usize::from(cut > 0);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal::rehearse;

    #[test]
    fn the_papers_shares_make_one_and_a_half_plies() {
        // Tables 2 and 3 of the paper, as Elo: 67.2% between 62.5% for one ply and 71.2% for two.
        let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
        let worth = |elo, plies| worth_in_plies(elo, plies).unwrap();
        assert_eq!(worth(elo(0.672), [elo(0.625), elo(0.712)]), "1.5");
        assert_eq!(worth(50.0, [100.0, 180.0]), "0.5");
        assert_eq!(worth(257.0, [156.0, 173.0]), "more than 2");
        assert_eq!(worth_in_plies(50.0, [100.0, 90.0]), None);
        assert_eq!(worth_in_plies(f64::NAN, [100.0, 190.0]), None);
    }

    #[test]
    fn every_match_is_played_and_probcut_searches_deeper() {
        let scale =
            Scale { pairs: 1, nodes: 20_000, width_pairs: 1, width_nodes: 1000, ply_pairs: 1, depth: 1, positions: 3 };
        let report = rehearse(|setup| at_scale(setup, scale)).unwrap();
        let [table, plies, widths, _, uses] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert_eq!((table.rows.len(), plies.rows.len(), widths.rows.len()), (2, 3, WIDTHS.len()));
        let further: f64 = uses.rows[3][2].parse().unwrap();
        assert!(further > 0.0, "{further}");
        assert_eq!((&*uses.rows[0][3], &*uses.rows[2][3]), ("0%", "100%"));
    }
}
