//! The value of multi-ProbCut: its matches, the best width of its windows, how often it cuts, and how many plies it is
//! worth (Brockington 1997, section 2.2 and Table 2).

use crate::player::{Keyano, ProbCut, ProbCutUse, Settings};
use arena::Tally;
use engine::{Limits, Player, Silent};
use othello::{Board, Color, Game, Position};
use serde::{Deserialize, Serialize};

use super::depth::mean_of_the_paper;
use super::{failed, score};
use laboratory::duel::{elo, result, share};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

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
    /// Pairs of games at fixed depths.
    ply_pairs: u32,
    /// Positions on which the use of ProbCut is counted.
    positions: usize,
}

/// Fewer games than in the paper at its nodes, so that a run takes about ten minutes.
const FULL: Scale =
    Scale { pairs: 10, nodes: NODES_OF_THE_PAPER, width_pairs: 50, width_nodes: 16_000, ply_pairs: 25, positions: 20 };
const QUICK: Scale =
    Scale { pairs: 5, nodes: 32_000, width_pairs: 10, width_nodes: 4000, ply_pairs: 10, positions: 10 };

/// The nodes per move and the games of a match in the paper.
const NODES_OF_THE_PAPER: u64 = 512_000;
const GAMES_OF_THE_PAPER: u32 = 70;

/// The widths that are compared, in standard deviations: the paper's, Buro's 1.5, and others.
const WIDTHS: [f64; 7] = [0.2, 0.4, 0.6, 0.9, 1.2, 1.5, 2.0];
const WIDTH_OF_THE_PAPER: f64 = 1.2;

/// The additional plies that ProbCut is compared with.
const PLIES: [u32; 3] = [1, 2, 3];

/// A single level replaces searches of exactly so many plies, which are below the root: it cuts from the next iteration on.
const SINGLE_LEVEL: u32 = 8;

/// The kinds of ProbCut.
const KINDS: [(&str, ProbCut); 3] =
    [("no ProbCut", ProbCut::Off), ("ProbCut", ProbCut::Single), ("multi-ProbCut", ProbCut::Multi)];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let table = table_2(setup, scale)?;
    let boards = setup.midgames(scale.positions)?;
    let [few, many] = [scale.width_nodes, scale.nodes].map(|nodes| Uses::of(setup, &boards, nodes));
    let (few, many) = (few?, many?);
    let Widths { table: widths, figure, best, of_paper } = widths(setup, scale)?;
    // The depth without ProbCut at the nodes of the match that is compared.
    let depth = few.by_kind[0].depth.floor().max(1.0) as u32;
    let (plies, worth) = plies(setup, scale, depth, &of_paper)?;
    let tables = vec![table, plies, widths, few.table(), many.table()];
    let mut report = Report { tables, figures: vec![figure], ..Report::of(NAME) };
    let games = 2 * scale.pairs;
    report.note(format!(
        "In the paper both sides have {NODES_OF_THE_PAPER} nodes per move and play {GAMES_OF_THE_PAPER} games; here {}.",
        if scale.nodes == NODES_OF_THE_PAPER {
            format!("the nodes are the same, and the games are {games}")
        } else {
            format!("they have {} nodes, because games with those of the paper take long, and play {games} games", scale.nodes)
        },
    ));
    for uses in [&few, &many] {
        report.note(uses.single_level());
    }
    report.note(match worth {
        Some(worth) => format!(
            "As in the paper, the share of the points is compared with those of matches at fixed depths: multi-ProbCut is \
             worth {worth} plies here, by linear interpolation of the Elo differences. The match is that with {} nodes per \
             move and the paper's width, because there KEYANO without ProbCut reaches {:.1} plies, and the matches at fixed depths \
             are against {depth} plies. With {} nodes it reaches {:.1} plies: matches of so many plies and more take too long \
             here (keyano-depth has a few).",
            scale.width_nodes, few.by_kind[0].depth, scale.nodes, many.by_kind[0].depth,
        ),
        None => "One of the matches was too one-sided for a comparison with plies, or more plies did not gain more.".to_owned(),
    });
    let is_at_the_edge = best == WIDTHS[0] || best == WIDTHS[WIDTHS.len() - 1];
    report.note(format!(
        "The paper chose the width that scored best against KEYANO without ProbCut: {WIDTH_OF_THE_PAPER} deviations. Of \
         ours, {best} did best in these games{}.",
        if is_at_the_edge { ", at the edge of the range: the best may lie beyond it" } else { "" },
    ));
    Ok(report)
}

/// Table 2.
fn table_2(setup: &mut Setup<'_>, scale: Scale) -> Result<Table, ExperimentError> {
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
    Ok(table)
}

/// Matches at fixed depths against one, and how many plies multi-ProbCut is worth compared with them.
fn plies(
    setup: &mut Setup<'_>,
    scale: Scale,
    depth: u32,
    multi: &Tally,
) -> Result<(Table, Option<String>), ExperimentError> {
    let title = format!("Additional plies without ProbCut, {} games each", 2 * scale.ply_pairs);
    let mut table = Table::new(title, &["additional plies", "paper", "ours, plies", "ours", "Elo, 95% interval"]);
    let mut elos = Vec::new();
    for more in PLIES {
        let notation = |depth: u32| format!("keyano@depth={depth},probcut=off");
        let tally = setup.duel(&notation(depth + more), &notation(depth), scale.ply_pairs)?;
        elos.push(elo_of(&tally));
        let (depths, paper) =
            (format!("{} - {depth}", depth + more), if more <= 2 { mean_of_the_paper(more) } else { String::new() });
        table.row([more.to_string(), paper, depths, format!("{:.1}%", share(&tally)), elo(&tally)]);
    }
    let worth = worth_in_plies(elo_of(multi), &elos);
    table.row([
        worth.clone().unwrap_or_default(),
        "about 1.5 plies: 67.2%".to_owned(),
        format!("multi-ProbCut, {} nodes", scale.width_nodes),
        format!("{:.1}%", share(multi)),
        elo(multi),
    ]);
    Ok((table, worth))
}

fn elo_of(tally: &Tally) -> f64 {
    tally.pairs.elo().map_or(f64::NAN, |elo| elo.value)
}

/// The plies that are worth as much Elo, given the Elo of one ply, of two and so on; nothing if that makes no sense.
fn worth_in_plies(elo: f64, of_plies: &[f64]) -> Option<String> {
    let points: Vec<f64> = std::iter::once(0.0).chain(of_plies.iter().copied()).collect();
    let is_rising = points.windows(2).all(|pair| pair[0] < pair[1]);
    if !elo.is_finite() || !is_rising {
        return None;
    }
    let between = points.windows(2).zip(0..).find(|(pair, _)| elo <= pair[1]);
    Some(match between {
        Some((pair, below)) => format!("{:.1}", f64::from(below) + (elo - pair[0]) / (pair[1] - pair[0])),
        None => format!("more than {}", of_plies.len()),
    })
}

/// Matches by the width of the windows.
struct Widths {
    table: Table,
    figure: Figure,
    best: f64,
    /// The result with the width of the paper.
    of_paper: Tally,
}

/// Matches against no ProbCut by the width of the windows.
fn widths(setup: &mut Setup<'_>, scale: Scale) -> Result<Widths, ExperimentError> {
    let Scale { width_pairs: pairs, width_nodes: nodes, .. } = scale;
    let title =
        format!("Multi-ProbCut against no ProbCut by width, {} games each with {nodes} nodes per move", 2 * pairs);
    let mut table = Table::new(title, &["width, deviations", "paper", "ours", "won-drawn-lost", "Elo, 95% interval"]);
    let (mut curve, mut of_paper) = (Vec::new(), Tally::default());
    for width in WIDTHS {
        let tally = setup.duel(
            &format!("keyano@nodes={nodes},width={width}"),
            &format!("keyano@nodes={nodes},probcut=off"),
            pairs,
        )?;
        let is_of_paper = width == WIDTH_OF_THE_PAPER;
        if is_of_paper {
            of_paper = tally;
        }
        let paper = if is_of_paper { "the best" } else { "" };
        table.row([width.to_string(), paper.to_owned(), score(&tally), result(&tally), elo(&tally)]);
        curve.push((width, share(&tally)));
    }
    let best = curve.iter().copied().fold((0.0, f64::MIN), |best, one| if one.1 > best.1 { one } else { best });
    let title = "Multi-ProbCut against no ProbCut";
    let mut figure =
        Figure::new(NAME, title, "width of the windows, standard deviations", "share of the points, percent");
    figure.line("", curve);
    Ok(Widths { table, figure, best: best.0, of_paper })
}

/// The depth that each kind of ProbCut reaches with some nodes, and how often it cuts.
struct Uses {
    nodes: u64,
    positions: usize,
    by_kind: [Used; KINDS.len()],
}

impl Uses {
    fn of(setup: &mut Setup<'_>, boards: &[Board], nodes: u64) -> Result<Self, ExperimentError> {
        let mut by_kind = [Used::default(); KINDS.len()];
        for ((name, probcut), used) in KINDS.into_iter().zip(&mut by_kind) {
            *used = setup.part(&format!("use of ProbCut, {nodes} nodes, {name}"), |setup| {
                (setup.progress)(&format!("use of ProbCut, {nodes} nodes, {name}"));
                search_all(setup, &Settings { probcut, ..Settings::default() }, boards, nodes)
            })?;
        }
        Ok(Self { nodes, positions: boards.len(), by_kind })
    }

    fn table(&self) -> Table {
        let title = format!("Use of ProbCut in searches of {} nodes, mean of {} positions", self.nodes, self.positions);
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
        for ((name, _), used) in KINDS.into_iter().zip(&self.by_kind) {
            table.row([
                name.to_owned(),
                String::new(),
                format!("{:.1}", used.depth),
                format!("{:.0}%", 100.0 * used.with_cut as f64 / self.positions as f64),
                format!("{:.2}", used.per_thousand(used.tried)),
                format!("{:.2}", used.per_thousand(used.cut)),
                match used.tried {
                    0 => "-".to_owned(),
                    tried => format!("{:.0}%", 100.0 * used.cut as f64 / tried as f64),
                },
            ]);
        }
        let further = format!("{:.1}", self.by_kind[2].depth - self.by_kind[0].depth);
        table.row(["additional depth of multi-ProbCut", "4", &further, "", "", "", ""]);
        table
    }

    /// Frequency of the cuts of a single level, and the reasons against more.
    fn single_level(&self) -> String {
        let [_, single, multi] = &self.by_kind;
        let (nodes, positions, first) = (self.nodes, self.positions, SINGLE_LEVEL + 1);
        let why = if single.deep == 0 {
            format!("no search came to iteration {first}, so that it compares nothing")
        } else {
            format!(
                "{} of {positions} searches came to iteration {first}, where the nodes with {SINGLE_LEVEL} plies left are the moves \
                 of the root: there are few of them, and only a search that is several plies deeper has many",
                single.deep,
            )
        };
        format!(
            "A single level replaces only searches of exactly {SINGLE_LEVEL} plies, which occur from iteration {first} on. With {nodes} \
             nodes it is tried {:.2} times per 1000 nodes, multi-ProbCut {:.2} times: {why}.",
            single.per_thousand(single.tried),
            multi.per_thousand(multi.tried),
        )
    }
}

/// Common results of some searches.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Used {
    /// The mean depth of the last iteration that was begun.
    depth: f64,
    nodes: u64,
    tried: u64,
    cut: u64,
    /// Searches with at least one cut.
    with_cut: usize,
    /// Searches that came to the first iteration in which a single level can cut.
    deep: usize,
}

impl Used {
    fn per_thousand(&self, count: u64) -> f64 {
        1000.0 * count as f64 / self.nodes.max(1) as f64
    }
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
        used.tried += tried;
        used.cut += cut;
        used.with_cut += usize::from(cut > 0);
        used.deep += usize::from(choice.depth > SINGLE_LEVEL);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::rehearse;

    #[test]
    fn the_papers_shares_make_one_and_a_half_plies() {
        // Tables 2 and 3 of the paper, as Elo: 67.2% between 62.5% for one ply and 71.2% for two.
        let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
        let worth = |elo, plies: [f64; 2]| worth_in_plies(elo, &plies).unwrap();
        assert_eq!(worth(elo(0.672), [elo(0.625), elo(0.712)]), "1.5");
        assert_eq!(worth(50.0, [100.0, 180.0]), "0.5");
        assert_eq!(worth(257.0, [156.0, 173.0]), "more than 2");
        assert_eq!(worth_in_plies(250.0, &[100.0, 200.0, 300.0]).unwrap(), "2.5");
        assert_eq!(worth_in_plies(50.0, &[100.0, 90.0]), None);
        assert_eq!(worth_in_plies(f64::NAN, &[100.0, 190.0]), None);
    }

    #[test]
    fn why_a_single_level_hardly_cuts_follows_from_the_searches() {
        let uses =
            |deep| Uses { nodes: 1000, positions: 4, by_kind: [Used { nodes: 1000, deep, ..Used::default() }; 3] };
        assert!(uses(0).single_level().contains("no search came to iteration 9"));
        assert!(uses(3).single_level().contains("3 of 4 searches came to iteration 9"));
    }

    #[test]
    fn every_match_is_played_and_probcut_searches_deeper() {
        let scale = Scale { pairs: 1, nodes: 20_000, width_pairs: 1, width_nodes: 1000, ply_pairs: 1, positions: 3 };
        let report = rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let [table, plies, widths, _, uses] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert_eq!((table.rows.len(), plies.rows.len(), widths.rows.len()), (2, PLIES.len() + 1, WIDTHS.len()));
        let further: f64 = uses.rows[3][2].parse().unwrap();
        assert!(further > 0.0, "{further}");
        assert_eq!((&*uses.rows[0][3], &*uses.rows[2][3]), ("0%", "100%"));
    }
}
