//! Factors in the value of learning: the games that BILL 3.0 learns from, the form of its discriminant, the hand-set
//! weights that it is compared with, and the positions from which games start (sections 5.1 and 6.2).

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::learning::won_and_lost::{FIRST_STAGE, TrainingGames};
use crate::player::evaluation::{Class, Evaluation, LINEAR_WEIGHTS};
use crate::player::features::FEATURE_COUNT;
use crate::player::tables::{BillTables, Stage};
use crate::player::{Bill, BillSettings, Version};
use engine::{Limits, Player};
use othello::Game;

use super::plies::openings_of_20_discs;
use arena::{Contestant, Entrant, PlayerId, Tally};
use laboratory::comparison::{PAPER, difference, is_significant, listed, points, score, score_of_games};
use laboratory::duel::{elo, openings, result};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-learning";

/// Megabytes of a hash table.
const TABLE: u32 = 4;

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Pairs of games in each match.
    pairs: u32,
    /// Nodes per move: as many as the original searched in a fifth of a minute, in a minute and in five.
    nodes: [u64; 3],
    /// Games and plies of the training sets: the shipped one, fewer games, shallower games, deeper games.
    training: [(u64, u32); 4],
}

const FULL: Scale =
    Scale { pairs: 100, nodes: [13_200, 2_640, 66_000], training: [(3000, 6), (400, 6), (3000, 3), (1000, 7)] };
const QUICK: Scale = Scale { pairs: 10, training: [(400, 5), (100, 5), (400, 2), (100, 6)], ..FULL };

/// Hand-set weights of edge, current mobility, potential mobility and sequences that BILL 2.0 might have had as well.
const OTHER_WEIGHTS: [[i32; FEATURE_COUNT]; 3] = [[4, 4, 2, 1], [2, 4, 2, 2], [4, 2, 2, 2]];

/// BILL with an evaluation of the experiment.
#[derive(Clone, Debug)]
struct Variant {
    version: Version,
    evaluation: Arc<Evaluation>,
    number: u32,
}

impl Entrant for Variant {
    fn player(&self, _seed: u64, _patience: Duration) -> Result<Box<dyn Player>, String> {
        let evaluation = Evaluation::clone(&self.evaluation);
        Ok(Box::new(Bill::with_evaluation(self.version, evaluation, BillSettings::default(), TABLE as usize)))
    }

    fn id(&self) -> PlayerId {
        PlayerId::Learned { checksum: self.number, hash: TABLE }
    }
}

/// The matches played so far.
struct Matches<'a, 'b> {
    setup: &'a mut Setup<'b>,
    pairs: u32,
    table: Table,
    /// The matches with what differs in each.
    played: Vec<(String, Tally)>,
}

impl Matches<'_, '_> {
    /// Plays a match of a learned evaluation against a weighted sum, and adds its row.
    fn play(
        &mut self,
        name: String,
        learned: &Evaluation,
        weights: [i32; FEATURE_COUNT],
        nodes: u64,
        openings: Vec<Game>,
    ) -> Result<(), ExperimentError> {
        let sides = [(Version::Three, learned.clone()), (Version::Two, Evaluation::Linear(weights))];
        let limits = self.setup.rehearsal.unwrap_or_else(|| Limits::of_nodes(nodes));
        let contestants = sides.into_iter().zip(0..).map(|((version, evaluation), number)| {
            let player = Variant { version, evaluation: Arc::new(evaluation), number };
            Contestant { name: version.name().to_owned(), player, limits }
        });
        let standings = self.setup.tournament_watched(openings, contestants.collect(), self.pairs, &mut |_| {})?;
        self.table.row(cells(&name, &standings.tally(0, 1), self.played.first()));
        self.played.push((name, standings.tally(0, 1)));
        Ok(())
    }

    /// Adds the row of a learned evaluation that turned out to be the shipped one: its games are those of the first row.
    fn same_as_first(&mut self, name: &str) {
        if let Some((_, first)) = self.played.first() {
            self.table.given_row(cells(name, first, self.played.first()));
        }
    }
}

/// The cells of a row, compared with the first match.
fn cells(name: &str, tally: &Tally, first: Option<&(String, Tally)>) -> [String; 5] {
    let compared = first.map_or("-".to_owned(), |(_, first)| points(difference(score(tally), score(first))));
    [name.to_owned(), result(tally), wins_per_loss(tally), elo(tally), compared]
}

/// Which of the things that differ matter, and which of the results agree with the paper's, for the notes.
fn conclusions(played: &[(String, Tally)]) -> Vec<String> {
    let Some(((_, first), others)) = played.split_first() else { return Vec::new() };
    let compared = |tally: &Tally| difference(score(tally), score(first));
    let (that_matter, that_do_not): (Vec<_>, Vec<_>) =
        others.iter().partition(|(_, tally)| is_significant(compared(tally)));
    let with_points = |(name, tally): &&(String, Tally)| format!("\"{name}\" {}", points(compared(tally)));
    let mut notes = Vec::new();
    notes.push(match &that_matter[..] {
        [] => format!(
            "No row differs from the first by more than chance: each of the {} intervals of the last column includes 0.",
            others.len()
        ),
        found => format!(
            "{} of {} rows differ from the first by more than chance (one in twenty would anyway), in percentage points: {}. The \
             others do not.",
            found.len(),
            others.len(),
            listed(&found.iter().map(with_points).collect::<Vec<_>>()),
        ),
    });
    let largest = that_do_not.iter().max_by(|one, other| {
        let size = |of: &(String, Tally)| compared(&of.1).value.abs();
        size(one).total_cmp(&size(other))
    });
    if let Some(largest) = largest {
        notes.push(format!("The largest difference that may be chance is that of {}.", with_points(largest)));
    }
    let paper = score_of_games(PAPER);
    let against_paper = |tally: &Tally| difference(score(tally), paper);
    let of_first = against_paper(first);
    let verdict = if is_significant(of_first) { "more than chance" } else { "within chance" };
    let near: Vec<String> = played
        .iter()
        .filter(|(_, tally)| !is_significant(against_paper(tally)))
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    notes.push(format!(
        "The first row is {} percentage points from the paper's {:.1}%, {verdict}. Within chance of the paper are: {}.",
        points(of_first),
        100.0 * paper.value,
        listed(&near),
    ));
    // The last rows have other hand-set weights.
    let by_weights = &played[played.len().saturating_sub(OTHER_WEIGHTS.len())..];
    let best = played.iter().map(|(_, tally)| score(tally).value).fold(f64::MIN, f64::max);
    let is_of_weights = by_weights.iter().any(|(_, tally)| score(tally).value == best);
    notes.push(if is_of_weights {
        "The highest result is one against other hand-set weights: how much learning is worth depends on what it replaces, and \
         the paper's weights are not known."
            .to_owned()
    } else {
        "The highest result is not one against other hand-set weights, so that weaker weights of the original BILL 2.0 are \
         not the likeliest cause of the difference."
            .to_owned()
    });
    notes
}

fn wins_per_loss(tally: &Tally) -> String {
    let [won, _, lost] = tally.results();
    if lost == 0 { "-".to_owned() } else { format!("{:.2}", won as f64 / lost as f64) }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let Scale { pairs, nodes: [nodes, few, many], training } = scale;
    let learned = training.map(|(games, depth)| (games, depth, learn(setup, games, depth)));
    let title = format!("BILL 3.0 and variants of it against BILL 2.0, {} games each", 2 * pairs);
    let columns = [
        "what differs",
        "won-drawn-lost",
        "W/L (paper: 2.53)",
        "Elo, 95% interval",
        "percentage points above the first row",
    ];
    let mut matches = Matches { setup, pairs, table: Table::new(title, &columns), played: Vec::new() };
    let missing = || ExperimentError::Facts("no discriminant in the shipped tables".to_owned());
    let shipped = BillTables::shipped();
    let default = shipped.evaluation().ok_or_else(missing)?;
    let late = openings_of_20_discs()?;
    let name = format!("nothing: 20 discs at the start, {nodes} nodes per move");
    matches.play(name, &default, LINEAR_WEIGHTS, nodes, late.clone())?;
    matches.play("openings of 8 moves".to_owned(), &default, LINEAR_WEIGHTS, nodes, openings()?)?;
    for nodes in [few, many] {
        matches.play(format!("{nodes} nodes per move"), &default, LINEAR_WEIGHTS, nodes, late.clone())?;
    }
    for (games, depth, learned) in learned {
        let evaluation = evaluation_of(learned?.stages).ok_or_else(missing)?;
        let name = format!("learned from {games} games at {depth} plies");
        if evaluation == default {
            matches.same_as_first(&format!("{name}, as the shipped tables were"));
            continue;
        }
        matches.play(name, &evaluation, LINEAR_WEIGHTS, nodes, late.clone())?;
    }
    let pooled = evaluation_of(pooled(&shipped.stages)).ok_or_else(missing)?;
    let name = "equal covariances for won and lost: a linear discriminant".to_owned();
    matches.play(name, &pooled, LINEAR_WEIGHTS, nodes, late.clone())?;
    for weights in OTHER_WEIGHTS {
        let [edge, current, potential, sequence] = weights;
        let name = format!("BILL 2.0 with the weights {edge}, {current}, {potential}, {sequence}");
        matches.play(name, &default, weights, nodes, late.clone())?;
    }
    let Matches { table, played, .. } = matches;
    let mut report = Report { tables: vec![table], ..Report::of(NAME) };
    let [edge, current, potential, sequence] = LINEAR_WEIGHTS;
    report.note(format!(
        "The paper has 139-6-55, 2.53 wins per loss, from 100 nearly even positions with 20 discs and equal time. Each \
         row changes one thing. BILL 2.0's weights are {edge}, {current}, {potential} and {sequence} for edge, current \
         mobility, potential mobility and sequences unless the row says otherwise; the paper does not give its own. At equal time and at equal depth the two are compared by `bill-plies`.",
    ));
    report.notes.extend(conclusions(&played));
    Ok(report)
}

/// A class as it is kept: means and covariances.
type KeptClass = ([f64; FEATURE_COUNT], [[f64; FEATURE_COUNT]; FEATURE_COUNT]);

/// Features and evaluation that are learned from games.
pub(super) struct LearnedStages {
    pub(super) stages: Vec<Stage>,
    /// Games with a winner, and without.
    pub(super) decided: u64,
    pub(super) dropped: u64,
}

/// Features and evaluation that are learned from this many games at this depth.
pub(super) fn learn(setup: &mut Setup<'_>, games: u64, depth: u32) -> Result<LearnedStages, ExperimentError> {
    type Kept = (Vec<[KeptClass; 2]>, u64, u64);
    let (kept, decided, dropped): Kept = setup.part(&format!("{games} games at {depth} plies"), |setup| {
        let recipe = TrainingGames { games, seed: setup.seed, depth, threads: setup.threads };
        let found = recipe.learn(&BillTables::shipped().edges, |count| {
            (setup.progress)(&format!("{count} of {games} training games at {depth} plies"));
            if setup.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let keep = |Stage { win, loss }: Stage| [win, loss].map(|Class { mean, covariance }| (mean, covariance));
        Ok((found.stages.into_iter().map(keep).collect(), found.decided, found.dropped))
    })?;
    let stage = |classes: [KeptClass; 2]| {
        let [win, loss] = classes.map(|(mean, covariance)| Class { mean, covariance });
        Stage { win, loss }
    };
    Ok(LearnedStages { stages: kept.into_iter().map(stage).collect(), decided, dropped })
}

fn evaluation_of(stages: Vec<Stage>) -> Option<Evaluation> {
    BillTables { edges: Vec::new(), first_stage: FIRST_STAGE, stages }.evaluation()
}

/// The same means, with the average of both classes' covariances for each.
fn pooled(stages: &[Stage]) -> Vec<Stage> {
    let pool = |Stage { win, loss }: &Stage| {
        let covariance = std::array::from_fn(|row| {
            std::array::from_fn(|column| 0.5 * (win.covariance[row][column] + loss.covariance[row][column]))
        });
        let class = |mean| Class { mean, covariance };
        Stage { win: class(win.mean), loss: class(loss.mean) }
    };
    stages.iter().map(pool).collect()
}

#[cfg(test)]
mod tests {
    use crate::player::evaluation::Discriminant;
    use arena::Pairs;

    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn a_pooled_discriminant_has_no_quadratic_part() {
        let stages = &BillTables::shipped().stages;
        for (Stage { win, loss }, separate) in pooled(stages).iter().zip(stages) {
            assert_eq!(win.covariance, loss.covariance);
            assert_eq!((win.mean, loss.mean), (separate.win.mean, separate.loss.mean));
            let found = Discriminant::between(win, loss).unwrap();
            assert!(found.quadratic.iter().all(|factor| factor.abs() < 1e-12), "{found:?}");
            assert!(found.linear[0] > 0.0, "a better edge is better");
        }
    }

    #[test]
    fn every_variant_meets_bill_2() {
        let training = [(24, 1), (12, 1), (16, 1), (16, 2)];
        let scale = Scale { pairs: 1, training, ..QUICK };
        let report = rehearsal::rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.len(), 4 + training.len() + 1 + OTHER_WEIGHTS.len());
        for row in rows {
            let games: u32 =
                row[1].split(" =").next().unwrap().split('-').map(|count| count.parse::<u32>().unwrap()).sum();
            assert_eq!(games, 2, "{row:?}");
        }
        assert!(report.tables[0].given.is_empty(), "none of these are the shipped tables");
    }

    #[test]
    fn conclusions_follow_from_the_rows() {
        let tally = |points: [u64; 5]| {
            let pairs = Pairs { counts: points };
            let games: u64 = 2 * pairs.count();
            let won = points.iter().zip(0..).map(|(count, half)| count * half / 2).sum::<u64>();
            Tally { pairs, with_black: [won, 0, games - won], ..Tally::default() }
        };
        let row = |name: &str, points| (name.to_owned(), tally(points));
        // 50%, 75% and again 50% of the points of 200 games.
        let even = [25, 0, 50, 0, 25];
        let notes = conclusions(&[row("first", even), row("better", [0, 0, 50, 0, 50]), row("same", even)]);
        assert!(notes[0].starts_with("1 of 2 rows differ") && notes[0].contains("\"better\" +25.0 ("), "{notes:?}");
        assert!(notes[1].contains("\"same\" +0.0 ("), "{notes:?}");
        assert!(notes[2].contains("the paper's 71.0%, more than chance"), "{notes:?}");
        assert!(notes[2].ends_with("Within chance of the paper are: \"better\"."), "{notes:?}");
        let notes = conclusions(&[row("first", even), row("same", even)]);
        assert!(notes[0].starts_with("No row differs"), "{notes:?}");
    }

    #[test]
    fn tables_that_are_learned_again_are_a_given_row() {
        let mut setup_table = Table::new("x", &["a", "b", "c", "d", "e"]);
        let first = ("nothing".to_owned(), Tally { pairs: Pairs { counts: [1, 0, 1, 0, 2] }, ..Tally::default() });
        setup_table.row(cells(&first.0, &first.1, None));
        setup_table.given_row(cells("learned", &first.1, Some(&first)));
        assert_eq!(setup_table.rows[0][4], "-");
        assert_eq!(setup_table.rows[0][1..4], setup_table.rows[1][1..4]);
        assert_eq!(setup_table.given.len(), 4);
    }
}
