//! The value of learning in plies: BILL 2.0 against itself with more plies, and BILL 3.0 against BILL 2.0 (section 6.2,
//! Table 2).

use std::time::Duration;

use crate::player::Version;
use othello::Game;

use arena::Tally;
use laboratory::comparison::{difference, is_significant, listed, points, score};
use laboratory::duel::{elo, transcripts};
use laboratory::speed::positions_per_second;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-plies";

/// Transcripts of 16 moves.
const OPENINGS: &str = include_str!("../../../../data/lab/openings-of-20-discs.txt");

/// Pairs of games in each match: in the paper one from each of 100 positions.
const PAIRS: u32 = 100;
const QUICK_PAIRS: u32 = 10;

/// Megabytes of a hash table.
const TABLE: u32 = 4;

/// The time per move where both have the same time.
const TIME: Duration = Duration::from_millis(10);
/// The nodes per move where both have the same: those of the first row of `bill-learning`.
const NODES: u64 = 13_200;
/// Number of openings on which the speeds are measured.
const SPEEDS: usize = 40;
/// The depth where both search equally deep.
const SAME_PLIES: u32 = 7;

/// The budget of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Budget {
    /// A depth, with endgames as on the original machine.
    Plies(u32),
    /// A time per move.
    Time(Duration),
    /// Nodes per move.
    Nodes(u64),
}

/// A row of Table 2: won, drawn, lost and the average score of both sides.
type PaperRow = ([u64; 3], [f64; 2]);

/// A match.
struct Match {
    name: String,
    players: [(Version, Budget); 2],
    paper: Option<PaperRow>,
}

/// The matches of Table 2, with this many plies less, and learning at equal depth.
fn matches(fewer: u32) -> Vec<Match> {
    let plies = |first: u32, second: u32, paper: PaperRow| {
        let [first, second] = [first - fewer, second - fewer];
        Match {
            name: format!("{first}-ply vs. {second}-ply"),
            players: [first, second].map(|plies| (Version::Two, Budget::Plies(plies))),
            paper: Some(paper),
        }
    };
    let learning = |name: String, budget: Budget, paper: Option<PaperRow>| Match {
        name,
        players: [(Version::Three, budget), (Version::Two, budget)],
        paper,
    };
    let same = SAME_PLIES - fewer;
    vec![
        plies(7, 6, ([121, 7, 72], [34.54, 29.39])),
        plies(8, 7, ([115, 6, 79], [35.04, 28.89])),
        plies(7, 5, ([141, 10, 49], [37.03, 26.94])),
        plies(8, 6, ([130, 13, 57], [36.38, 27.59])),
        learning("Learn vs. Linear, same time".to_owned(), Budget::Time(TIME), Some(([139, 6, 55], [36.95, 27.03]))),
        learning(format!("Learn vs. Linear, {same}-ply"), Budget::Plies(same), None),
        learning("Learn vs. Linear, same nodes".to_owned(), Budget::Nodes(NODES), None),
    ]
}

/// The notation of a player with a budget.
fn notation((version, budget): (Version, Budget)) -> String {
    let budget = match budget {
        Budget::Plies(plies) => format!("historical,plies={plies}"),
        Budget::Time(time) => format!("move-time={}ms", time.as_millis()),
        Budget::Nodes(nodes) => format!("nodes={nodes}"),
    };
    format!("{}@{budget}", version.name())
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, 0, if setup.is_quick { QUICK_PAIRS } else { PAIRS })
}

/// Nearly even positions with 20 discs on the board, as in the paper.
pub(super) fn openings_of_20_discs() -> Result<Vec<Game>, ExperimentError> {
    transcripts(OPENINGS)
}

fn at_scale(setup: &mut Setup<'_>, fewer: u32, pairs: u32) -> Result<Report, ExperimentError> {
    let openings = openings_of_20_discs()?;
    let title = format!("Results between two versions of BILL (Table 2), {} games each", 2 * pairs);
    let columns =
        ["players", "win-tie-loss: paper", "ours", "W/L: paper", "ours", "average score: paper", "ours", "Elo, 95%"];
    let mut table = Table::new(title, &columns);
    let mut tallies = Vec::new();
    for Match { name, players, paper } in matches(fewer) {
        let [first, second] = players.map(|player| setup.contestant_with_table(&notation(player), TABLE));
        let standings = setup.tournament_watched(openings.clone(), vec![first?, second?], pairs, &mut |_| {})?;
        let tally = standings.tally(0, 1);
        table.row(row(name.clone(), paper, &tally));
        tallies.push((name, tally));
    }
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    report.note(format!(
        "From {pairs} nearly even positions with 20 discs, played once with each color. At these fixed depths BILL \
         also searches for the outcome from 16 empty squares on and for the exact score from 14 on, as the original \
         did.",
    ));
    report.note(format!(
        "Same time: {} ms per move; same nodes: {NODES} per move, as in the first row of `bill-learning`. Empty squares count for the winner. What the value of learning depends on is measured \
         by the experiment `bill-learning`.",
        TIME.as_millis()
    ));
    let games: Vec<Game> = openings.into_iter().take(SPEEDS.min(pairs as usize)).collect();
    let [three, two] = [Version::Three, Version::Two]
        .map(|one| setup.part(one.name(), |setup| positions_per_second(setup, one.name(), &games)));
    report.notes.extend(value_of_learning(&tallies, [three?, two?]));
    Ok(report)
}

/// The rows of one ply more and of two plies more, and of learning with the same time, depth and nodes.
const ONE_PLY: [usize; 2] = [0, 1];
const TWO_PLIES: [usize; 2] = [2, 3];
const LEARNING: [usize; 3] = [4, 5, 6];

/// The value of learning in plies, and whether its three results agree, for the notes.
fn value_of_learning(rows: &[(String, Tally)], [three, two]: [f64; 2]) -> Vec<String> {
    let elo = |row: usize| Some(rows.get(row)?.1.pairs.elo()?.value);
    let mean = |rows: [usize; 2]| Some(0.5 * (elo(rows[0])? + elo(rows[1])?));
    let mut notes = Vec::new();
    if let (Some(one), Some(two), [Some(time), Some(depth), Some(nodes)]) =
        (mean(ONE_PLY), mean(TWO_PLIES), LEARNING.map(elo))
    {
        let most = time.max(depth).max(nodes);
        let verdict = if most < one {
            "less than one ply however it is measured"
        } else if most < two {
            "between one ply and two where it is worth most"
        } else {
            "two plies or more where it is worth most"
        };
        notes.push(format!(
            "One ply more is worth {one:+.0} Elo here, the mean of two rows, and two {two:+.0}. Learning is worth {time:+.0} in equal \
             time, {depth:+.0} at equal depth and {nodes:+.0} with equal nodes: {verdict}. The paper finds it worth about two \
             plies.",
        ));
    }
    let mut differing = Vec::new();
    for (index, &one) in LEARNING.iter().enumerate() {
        for &other in &LEARNING[..index] {
            let (Some((name, tally)), Some((other_name, other))) = (rows.get(one), rows.get(other)) else { continue };
            let found = difference(score(tally), score(other));
            if is_significant(found) {
                differing.push(format!("\"{name}\" is {} percentage points above \"{other_name}\"", points(found)));
            }
        }
    }
    let speeds = format!(
        "BILL 3.0 visits {three:.0} nodes per second here, BILL 2.0 {two:.0}: {:.2} times as many.",
        three / two
    );
    notes.push(if differing.is_empty() {
        format!(
            "The three results of learning do not differ by more than chance. That with the same nodes has the conditions of \
             the first row of `bill-learning`. {speeds}"
        )
    } else {
        format!(
            "The results of learning differ by more than chance: {}. That with the same nodes has the conditions of the first \
             row of `bill-learning`. {speeds}",
            listed(&differing)
        )
    });
    notes
}

fn row(name: String, paper: Option<PaperRow>, tally: &Tally) -> [String; 8] {
    let results = |[won, drawn, lost]: [u64; 3]| format!("{won}-{drawn}-{lost}");
    let ratio = |[won, _, lost]: [u64; 3]| {
        if lost == 0 { "-".to_owned() } else { format!("{:.2}", won as f64 / lost as f64) }
    };
    let scores = |[first, second]: [f64; 2]| format!("{first:.2}-{second:.2}");
    let missing = || "-".to_owned();
    let ours = tally.results();
    let average = tally.average_discs().map(|(mean, _)| [32.0 + mean / 2.0, 32.0 - mean / 2.0]);
    [
        name,
        paper.map_or_else(missing, |(paper, _)| results(paper)),
        results(ours),
        paper.map_or_else(missing, |(paper, _)| ratio(paper)),
        ratio(ours),
        paper.map_or_else(missing, |(_, paper)| scores(paper)),
        average.map_or_else(missing, scores),
        elo(tally),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn the_openings_have_20_discs_and_are_all_different() {
        let openings = openings_of_20_discs().unwrap();
        assert_eq!(openings.len(), 100);
        assert!(openings.iter().all(|game: &Game| game.position().board.disc_count() == 20));
        assert_eq!(arena::openings::distinct(&openings), 100);
    }

    #[test]
    fn a_row_has_the_figures_of_the_paper_and_of_the_games() {
        // Three games won by 10 discs in all, one lost by 2: a mean of 8 / 4 discs.
        let tally = Tally { with_black: [2, 0, 0], with_white: [1, 0, 1], discs: 8, on_board: 4, ..Tally::default() };
        let [_, paper, ours, paper_ratio, ratio, paper_score, score, _] =
            row(String::new(), matches(0)[0].paper, &tally);
        assert_eq!([paper, ours], ["121-7-72", "3-0-1"]);
        assert_eq!([paper_ratio, ratio], ["1.68", "3.00"]);
        assert_eq!([paper_score, score], ["34.54-29.39", "33.00-31.00"]);
        // The ratios that the paper prints.
        let ratios: Vec<String> =
            matches(0).into_iter().map(|one| row(one.name, one.paper, &tally)[3].clone()).collect();
        assert_eq!(ratios, ["1.68", "1.46", "2.88", "2.28", "2.53", "-", "-"]);
    }

    #[test]
    fn every_match_is_played() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 4, 1), false).unwrap();
        let names: Vec<&str> = report.tables[0].rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names[..4], ["3-ply vs. 2-ply", "4-ply vs. 3-ply", "3-ply vs. 1-ply", "4-ply vs. 2-ply"]);
        assert_eq!(
            names[4..],
            ["Learn vs. Linear, same time", "Learn vs. Linear, 3-ply", "Learn vs. Linear, same nodes"]
        );
        assert_eq!(report.notes.len(), 4, "{:?}", report.notes);
    }

    #[test]
    fn what_is_said_about_learning_follows_from_the_rows() {
        let row =
            |counts: [u64; 5]| (format!("{counts:?}"), Tally { pairs: arena::Pairs { counts }, ..Tally::default() });
        // 60% and 70% for plies; 50%, 52.5% and 55% for learning.
        let plies =
            [row([20, 0, 40, 0, 40]), row([20, 0, 40, 0, 40]), row([15, 0, 30, 0, 55]), row([15, 0, 30, 0, 55])];
        let rows =
            |last: [u64; 5]| [&plies[..], &[row([25, 0, 50, 0, 25]), row([25, 0, 45, 0, 30]), row(last)]].concat();
        let notes = value_of_learning(&rows([20, 0, 50, 0, 30]), [800.0, 1000.0]);
        assert!(notes[0].contains("less than one ply however it is measured"), "{notes:?}");
        assert!(notes[1].contains("do not differ") && notes[1].contains("0.80 times"), "{notes:?}");
        let notes = value_of_learning(&rows([5, 0, 15, 0, 80]), [800.0, 1000.0]);
        assert!(notes[0].contains("two plies or more"), "{notes:?}");
        assert!(notes[1].contains("differ by more than chance"), "{notes:?}");
    }
}
