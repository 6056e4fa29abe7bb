//! DESDEMONA's weights by stage beside what the paper says about them (CS 221 2002, sections 2.2 and 3), how they depend
//! on the search depth of the training, and matches against weighted squares on both boards.

use heritage::desdemona::{COMPLEX_COUNT, COMPLEX_NAMES, DesdemonaBoard, WEIGHT_PER_DISC};
use learning::desdemona::{LookAhead, Rates, StageReport, WeightTraining};
use othello::{Board, CutBoard};

use super::match_on;
use crate::experiments::duel::{elo, result};
use crate::experiments::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "desdemona-weights";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games of the trainings that are compared: 600 in the paper and for the tables that ship.
    games: u64,
    /// Pairs of games against weighted squares, on each board.
    pairs: u64,
}

const FULL: Scale = Scale { games: 300, pairs: 50 };
const QUICK: Scale = Scale { games: 40, pairs: 5 };

/// The players of the matches.
const MATCH: [&str; 2] = ["desdemona@depth=4", "weighted-square@depth=4"];

/// The features by their places in the paper's list.
const CORNERS: usize = 0;
const DUMB_X: usize = 1;
const SMART_X: usize = 2;
const C_SQUARES: usize = 3;
const EDGES: usize = 4;
const MOBILITY: usize = 5;
const SIDE: usize = 6;
const DISCS: usize = 7;

/// The weights of a board by stage, in discs.
type Weights = [[f64; COMPLEX_COUNT]];

/// A statement of the paper, and how it is checked.
struct Statement {
    feature: usize,
    /// The paper's words, or what follows from them.
    words: &'static str,
    check: fn(&Weights) -> Check,
}

/// The outcome of a check.
#[derive(Clone, PartialEq, Debug)]
struct Check {
    agrees: bool,
    /// What was found.
    found: String,
}

const STATEMENTS: [Statement; 10] = [
    Statement { feature: CORNERS, words: "\"a good stability metric\": positive", check: |w| mostly(w, CORNERS, 1.0) },
    Statement { feature: DUMB_X, words: "\"usually weighted negatively\"", check: |w| mostly(w, DUMB_X, -1.0) },
    Statement { feature: SMART_X, words: "\"generally a positive metric\"", check: |w| mostly(w, SMART_X, 1.0) },
    Statement { feature: C_SQUARES, words: "\"less dangerous than X squares\"", check: c_squares_above_x_squares },
    Statement {
        feature: EDGES,
        words: "sums discs in a row for stability: positive",
        check: |w| mostly(w, EDGES, 1.0),
    },
    Statement { feature: MOBILITY, words: "\"maximize\" own moves: positive", check: |w| mostly(w, MOBILITY, 1.0) },
    Statement { feature: SIDE, words: "\"much more important ... later in the game\"", check: |w| later(w, SIDE) },
    Statement { feature: SIDE, words: "good for whom it is: positive later", check: positive_later },
    Statement { feature: DISCS, words: "\"increasing importance\"", check: increasing },
    Statement { feature: DISCS, words: "most important at the end", check: largest_at_the_end },
];

/// Whether a feature has this sign in most stages.
fn mostly(weights: &Weights, feature: usize, sign: f64) -> Check {
    let count = weights.iter().filter(|weights| weights[feature] * sign > 0.0).count();
    let word = if sign > 0.0 { "positive" } else { "negative" };
    Check { agrees: 2 * count > weights.len(), found: format!("{word} in {count} of {} stages", weights.len()) }
}

fn c_squares_above_x_squares(weights: &Weights) -> Check {
    let count = weights.iter().filter(|weights| weights[C_SQUARES] > weights[DUMB_X]).count();
    let found = format!("above the \"dumb\" X squares in {count} of {} stages", weights.len());
    Check { agrees: 2 * count > weights.len(), found }
}

/// The mean of a feature's weights over the first and the last third of the stages.
fn thirds(weights: &Weights, feature: usize) -> [f64; 2] {
    let third = weights.len() / 3;
    let mean = |part: &Weights| part.iter().map(|weights| weights[feature]).sum::<f64>() / part.len().max(1) as f64;
    [mean(&weights[..third]), mean(&weights[weights.len() - third..])]
}

/// Whether a feature has a larger weight in the last third of the stages than in the first.
fn later(weights: &Weights, feature: usize) -> Check {
    let [first, last] = thirds(weights, feature);
    Check { agrees: last > first, found: format!("first third {first:.2}, last third {last:.2}") }
}

fn positive_later(weights: &Weights) -> Check {
    let [_, last] = thirds(weights, SIDE);
    Check { agrees: last > 0.0, found: format!("last third {last:.2}") }
}

/// Whether the weight of the disc difference grows with the stages.
fn increasing(weights: &Weights) -> Check {
    let discs: Vec<f64> = weights.iter().map(|weights| weights[DISCS]).collect();
    let grows = discs.windows(2).filter(|pair| pair[1] > pair[0]).count();
    let [first, last] = thirds(weights, DISCS);
    Check {
        agrees: last > first && 2 * grows > discs.len() - 1,
        found: format!("first third {first:.2}, last third {last:.2}; grows in {grows} of {} steps", discs.len() - 1),
    }
}

fn largest_at_the_end(weights: &Weights) -> Check {
    let mut discs = weights.iter().map(|weights| weights[DISCS]);
    let largest = discs.clone().fold(f64::NEG_INFINITY, f64::max);
    let last = discs.next_back().unwrap_or_default();
    Check { agrees: last > 0.0 && last == largest, found: format!("last stage {last:.2}, largest {largest:.2}") }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let (cut, usual) = (shipped::<CutBoard>(), shipped::<Board>());
    let mut report = Report::of(NAME);
    let boards = [("the CS 221 board", &cut[..]), ("8x8", &usual[..])];
    report.tables.push(statement_table(boards));
    for (board, weights) in boards {
        report.tables.push(weight_table(board, weights));
    }
    let to_next_stage = train(setup, scale, LookAhead::NextStage)?;
    let four_plies = train(setup, scale, LookAhead::FourPlies)?;
    report.tables.push(training_table(&to_next_stage, &four_plies, scale));
    report.tables.push(match_table(setup, scale)?);
    for (feature, name) in [(SIDE, "desdemona-weights-side"), (DISCS, "desdemona-weights-discs")] {
        let title = format!("DESDEMONA's weight of the {}, in discs", COMPLEX_NAMES[feature]);
        let mut figure = Figure::new(name, &title, "share of the game played, in percent", "discs");
        for (board, weights) in boards {
            let share = |stage: usize| 100.0 * (stage as f64 + 0.5) / weights.len() as f64;
            figure.line(board, weights.iter().enumerate().map(|(stage, one)| (share(stage), one[feature])).collect());
        }
        report.figures.push(figure);
    }
    notes(&mut report, boards, &to_next_stage, &four_plies);
    Ok(report)
}

/// The weights that ship for a board.
fn shipped<B: DesdemonaBoard>() -> Vec<[f64; COMPLEX_COUNT]> {
    let in_discs = |weight: i32| f64::from(weight) / f64::from(WEIGHT_PER_DISC);
    B::shipped().weights().iter().map(|weights| weights.map(in_discs)).collect()
}

/// A training on 8x8, by stage.
fn train(setup: &mut Setup<'_>, scale: Scale, look_ahead: LookAhead) -> Result<Vec<StageReport>, ExperimentError> {
    let training = WeightTraining {
        games: scale.games,
        seed: setup.seed,
        threads: setup.threads,
        rates: Rates::PAPER,
        look_ahead,
    };
    let mut stages = Vec::new();
    training.run::<Board>(|report| {
        (setup.progress)(&format!("training ({look_ahead:?}): stage {}", report.stage + 1));
        stages.push(*report);
    });
    if setup.stop.is_set() {
        return Err(ExperimentError::Stopped);
    }
    stages.reverse();
    Ok(stages)
}

fn statement_table(boards: [(&str, &Weights); 2]) -> Table {
    let [(cut, _), (usual, _)] = boards;
    let columns = ["feature", "paper", cut, "", usual, ""];
    let mut table = Table::new("The paper's statements about the weights", &columns);
    for Statement { feature, words, check } in &STATEMENTS {
        let mut cells = vec![COMPLEX_NAMES[*feature].to_owned(), (*words).to_owned()];
        for (_, weights) in boards {
            let Check { agrees, found } = check(weights);
            cells.extend([found, verdict(agrees).to_owned()]);
        }
        table.row(cells);
    }
    table
}

fn verdict(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "disagrees" }
}

fn weight_table(board: &str, weights: &Weights) -> Table {
    let columns: Vec<&str> = std::iter::once("stage").chain(COMPLEX_NAMES).collect();
    let mut table = Table::new(format!("Weights by stage on {board}, in discs per unit of the feature"), &columns);
    for (stage, weights) in weights.iter().enumerate() {
        let cells = weights.iter().map(|weight| format!("{weight:.2}"));
        table.row(std::iter::once((stage + 1).to_string()).chain(cells));
    }
    table
}

/// What the search depth changes, and what a feature is worth alone.
fn training_table(to_next_stage: &[StageReport], four_plies: &[StageReport], scale: Scale) -> Table {
    let title = format!("Trainings on 8x8 with {} games: weights in discs", scale.games);
    let columns = [
        "stage",
        "current side: to the next stage",
        "four plies",
        "disc difference: to the next stage",
        "as the only feature",
        "\"smart\" X squares: to the next stage",
        "as the only feature",
        "\"dumb\" X squares: to the next stage",
        "four plies",
    ];
    let mut table = Table::new(title, &columns);
    for (one, other) in to_next_stage.iter().zip(four_plies) {
        let numbers = [
            one.weights[SIDE],
            other.weights[SIDE],
            one.weights[DISCS],
            one.alone[DISCS],
            one.weights[SMART_X],
            one.alone[SMART_X],
            one.weights[DUMB_X],
            other.weights[DUMB_X],
        ];
        let cells = numbers.map(|number| format!("{number:.2}"));
        table.row(std::iter::once((one.stage + 1).to_string()).chain(cells));
    }
    table
}

fn match_table(setup: &mut Setup<'_>, scale: Scale) -> Result<Table, ExperimentError> {
    let title = format!("{} against {}, both colors of random openings", MATCH[0], MATCH[1]);
    let mut table = Table::new(title, &["board", "won-drawn-lost", "Elo, 95% interval"]);
    let tallies = [
        ("the CS 221 board", match_on::<CutBoard>(setup, MATCH, scale.pairs)?),
        ("8x8", match_on::<Board>(setup, MATCH, scale.pairs)?),
    ];
    for (board, tally) in tallies {
        table.row([board.to_owned(), result(&tally), elo(&tally)]);
    }
    Ok(table)
}

fn notes(
    report: &mut Report,
    boards: [(&str, &Weights); 2],
    to_next_stage: &[StageReport],
    four_plies: &[StageReport],
) {
    for (board, weights) in boards {
        let agree = STATEMENTS.iter().filter(|statement| (statement.check)(weights).agrees).count();
        report.note(format!("On {board} {agree} of {} statements agree.", STATEMENTS.len()));
    }
    report.note(
        "Of the paper's weights those of the last stages were learned; those of the earlier ones were \"hand tweaked\" after a \
         file server had crashed (3.2). A feature that does not occur in a stage keeps the weight of the next stage. A \
         finished game is worth its disc difference, whatever the weights: at the very end it is \"the only factor\".",
    );
    let ends = |stages: &[StageReport]| [0, stages.len() - 1].map(|stage| stages[stage].weights[SIDE]);
    let ([now, late], [then, _]) = (ends(to_next_stage), ends(four_plies));
    report.note(format!(
        "With four plies from every state the same side is to move at the end of a search as at its beginning. A stage then \
         gives for being to move what the next stage gives, and what the side to move wins in four plies besides, for \
         example because half of the training positions follow a random move of its opponent. This adds up to {then:.1} \
         discs at the first stage. With searches to the beginning of the next stage, of one to four plies, the \
         opponent is to move at the end of half of them, and nothing adds up: being to move is worth {now:.1} discs at the \
         first stage and {late:.1} at the last.",
    ));
    let (weights, alone): (Vec<_>, Vec<_>) = to_next_stage.iter().map(|one| (one.weights, one.alone)).unzip();
    for (feature, why) in [
        (DISCS, "a disc on an edge or in a corner counts there, too"),
        (SMART_X, "a \"smart\" X square is beside an own corner, which counts by itself"),
    ] {
        let [[_, with], [early, late]] = [thirds(&weights, feature), thirds(&alone, feature)];
        report.note(format!(
            "As the only feature, {} would have a weight of {early:.2} in the first third of the stages and {late:.2} in the \
             last; beside the others it has {with:.2} in the last: {why}.",
            COMPLEX_NAMES[feature],
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal;

    /// Weights of six stages with these values of one feature and zeros elsewhere.
    fn with(feature: usize, values: [f64; 6]) -> Vec<[f64; COMPLEX_COUNT]> {
        let of = |value| std::array::from_fn(|index| if index == feature { value } else { 0.0 });
        values.map(of).to_vec()
    }

    #[test]
    fn statements_are_checked_as_by_hand() {
        let growing = [-3.0, -1.0, 0.0, 1.0, 2.0, 5.0];
        let falling = [5.0, 2.0, 1.0, 0.0, -1.0, -3.0];
        let agrees = |check: fn(&Weights) -> Check, feature, values| check(&with(feature, values)).agrees;
        assert!(agrees(increasing, DISCS, growing) && !agrees(increasing, DISCS, falling));
        assert!(agrees(largest_at_the_end, DISCS, growing) && !agrees(largest_at_the_end, DISCS, falling));
        assert!(agrees(positive_later, SIDE, growing) && !agrees(positive_later, SIDE, falling));
        assert!(!agrees(c_squares_above_x_squares, C_SQUARES, falling.map(|weight| weight - 2.0)));
        assert!(agrees(c_squares_above_x_squares, DUMB_X, [-1.0; 6]));
        let weights = with(CORNERS, growing);
        assert_eq!(thirds(&weights, CORNERS), [-2.0, 3.5]);
        let expected = Check { agrees: false, found: "positive in 3 of 6 stages".to_owned() };
        assert_eq!(mostly(&weights, CORNERS, 1.0), expected);
        let expected = Check { agrees: true, found: "first third -2.00, last third 3.50".to_owned() };
        assert_eq!(later(&weights, CORNERS), expected);
    }

    #[test]
    fn a_run_has_a_row_for_every_statement_and_stage() {
        let scale = Scale { games: 6, pairs: 1 };
        let report = rehearsal::rehearse(|setup| at_scale(setup, scale)).unwrap();
        let rows: Vec<usize> = report.tables.iter().map(|table| table.rows.len()).collect();
        assert_eq!(rows, [STATEMENTS.len(), 22, 15, 15, 2]);
        assert_eq!(rehearsal::run(|setup| at_scale(setup, scale), true), Err(ExperimentError::Stopped));
    }
}
