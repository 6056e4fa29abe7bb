//! DESDEMONA's weights by stage beside what the paper says about them (CS 221 2002, sections 2.2 and 3), how they depend
//! on the search depth of the training, and matches against weighted squares on both boards.

use std::collections::BTreeSet;

use crate::learning::{LookAhead, Rates, WeightTraining};
use crate::player::{COMPLEX_COUNT, COMPLEX_NAMES, DesdemonaBoard, WEIGHT_PER_DISC};
use othello::{Board, CutBoard, SquareSet, squares};
use serde::{Deserialize, Serialize};

use super::match_on;
use laboratory::duel::{elo, result};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "desdemona-weights";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games of the trainings that are compared: 600 in the paper and for the tables that ship.
    games: u64,
    /// Pairs of games against weighted squares, on each board.
    pairs: u64,
}

const FULL: Scale = Scale { games: 300, pairs: 200 };
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

/// Difference of the mean weight of a third of the stages between two trainings, by feature.
type Noise = [f64; COMPLEX_COUNT];

/// A difference counts if it is larger than this many times the noise.
const MARGIN: f64 = 2.0;

/// A statement of the paper, and how it is checked.
struct Statement {
    feature: usize,
    /// The paper's words in quotation marks; what follows from them for a weight is marked as inferred.
    words: &'static str,
    check: fn(&Weights, &Noise) -> Check,
}

/// The outcome of a check.
#[derive(Clone, PartialEq, Debug)]
struct Check {
    agrees: bool,
    /// Results of the trainings.
    found: String,
}

const STATEMENTS: [Statement; 10] = [
    Statement {
        feature: CORNERS,
        words: "\"a good stability metric\"; inferred: positive",
        check: |w, _| mostly(w, CORNERS, 1.0),
    },
    Statement { feature: DUMB_X, words: "\"usually weighted negatively\"", check: |w, _| mostly(w, DUMB_X, -1.0) },
    Statement { feature: SMART_X, words: "\"generally a positive metric\"", check: |w, _| mostly(w, SMART_X, 1.0) },
    Statement { feature: C_SQUARES, words: "\"less dangerous than X squares\"", check: c_squares_above_x_squares },
    Statement {
        feature: EDGES,
        words: "\"did not seem to vastly improve edge play\"; inferred from its name: positive",
        check: |w, _| mostly(w, EDGES, 1.0),
    },
    Statement {
        feature: MOBILITY,
        words: "\"maximize the number of moves one has\"; inferred: positive",
        check: |w, _| mostly(w, MOBILITY, 1.0),
    },
    Statement {
        feature: SIDE,
        words: "\"much more important for it to be your turn later in the game\"",
        check: |w, noise| later(w, SIDE, noise),
    },
    Statement { feature: SIDE, words: "inferred: positive later", check: positive_later },
    Statement { feature: DISCS, words: "\"increasing importance\"", check: increasing },
    Statement {
        feature: DISCS,
        words: "\"At the end of the game, the only important thing\"; inferred: largest in the last stage",
        check: largest_at_the_end,
    },
];

/// Whether a feature has this sign in most stages.
fn mostly(weights: &Weights, feature: usize, sign: f64) -> Check {
    let count = weights.iter().filter(|weights| weights[feature] * sign > 0.0).count();
    let word = if sign > 0.0 { "positive" } else { "negative" };
    Check { agrees: 2 * count > weights.len(), found: format!("{word} in {count} of {} stages", weights.len()) }
}

fn c_squares_above_x_squares(weights: &Weights, _: &Noise) -> Check {
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

/// Difference between two trainings.
fn noise(one: &Weights, other: &Weights) -> Noise {
    std::array::from_fn(|feature| {
        let ([first, last], [other_first, other_last]) = (thirds(one, feature), thirds(other, feature));
        ((first - other_first).abs() + (last - other_last).abs()) / 2.0
    })
}

/// Whether a feature has a larger weight in the last third of the stages than in the first, beyond the noise.
fn later(weights: &Weights, feature: usize, noise: &Noise) -> Check {
    let ([first, last], margin) = (thirds(weights, feature), MARGIN * noise[feature]);
    let found = format!("first third {first:.2}, last third {last:.2} (margin {margin:.2})");
    Check { agrees: last - first > margin, found }
}

fn positive_later(weights: &Weights, _: &Noise) -> Check {
    let [_, last] = thirds(weights, SIDE);
    Check { agrees: last > 0.0, found: format!("last third {last:.2}") }
}

/// Whether the weight of the disc difference grows with the stages, beyond the noise.
fn increasing(weights: &Weights, noise: &Noise) -> Check {
    let discs: Vec<f64> = weights.iter().map(|weights| weights[DISCS]).collect();
    let grows = discs.windows(2).filter(|pair| pair[1] > pair[0]).count();
    let Check { agrees, found } = later(weights, DISCS, noise);
    Check {
        agrees: agrees && 2 * grows > discs.len() - 1,
        found: format!("{found}; grows in {grows} of {} steps", discs.len() - 1),
    }
}

fn largest_at_the_end(weights: &Weights, _: &Noise) -> Check {
    let mut discs = weights.iter().map(|weights| weights[DISCS]);
    let largest = discs.clone().fold(f64::NEG_INFINITY, f64::max);
    let last = discs.next_back().unwrap_or_default();
    Check { agrees: last > 0.0 && last == largest, found: format!("last stage {last:.2}, largest {largest:.2}") }
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

/// A stage of a training, as it is kept.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Stage {
    weights: [f64; COMPLEX_COUNT],
    /// The weight of each feature as the only one.
    alone: [f64; COMPLEX_COUNT],
}

/// Facts about a board.
struct OfBoard {
    name: &'static str,
    /// The weights that ship.
    weights: Vec<[f64; COMPLEX_COUNT]>,
    /// Another training, to the next stage, by stage.
    trained: Vec<Stage>,
    /// The different positions of the first stage.
    positions: usize,
}

impl OfBoard {
    fn new<B: DesdemonaBoard>(
        setup: &mut Setup<'_>,
        name: &'static str,
        scale: Scale,
    ) -> Result<Self, ExperimentError> {
        let trained = train::<B>(setup, scale, LookAhead::NextStage)?;
        Ok(Self { name, weights: shipped::<B>(), trained, positions: positions_of_first_stage::<B>() })
    }

    /// The weights of the other training, together and each feature alone.
    fn trained(&self) -> [Vec<[f64; COMPLEX_COUNT]>; 2] {
        let (weights, alone) = self.trained.iter().map(|one| (one.weights, one.alone)).unzip();
        [weights, alone]
    }

    fn noise(&self) -> Noise {
        let [trained, _] = self.trained();
        noise(&self.weights, &trained)
    }
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let boards =
        [OfBoard::new::<CutBoard>(setup, "the CS 221 board", scale)?, OfBoard::new::<Board>(setup, "8x8", scale)?];
    let mut report = Report::of(NAME);
    report.tables.push(statement_table(&boards));
    for OfBoard { name, weights, .. } in &boards {
        report.tables.push(weight_table(name, weights));
    }
    for board in &boards {
        report.tables.push(alone_table(board, scale));
    }
    let to_next_stage = &boards[1].trained;
    let four_plies = train::<Board>(setup, scale, LookAhead::FourPlies)?;
    report.tables.push(look_ahead_table(to_next_stage, &four_plies, scale));
    report.tables.push(match_table(setup, scale)?);
    for (feature, name) in [(SIDE, "desdemona-weights-side"), (DISCS, "desdemona-weights-discs")] {
        let title = format!("DESDEMONA's weight of the {}, in discs", COMPLEX_NAMES[feature]);
        let mut figure = Figure::new(name, &title, "share of the game played, in percent", "discs");
        for OfBoard { name, weights, .. } in &boards {
            let share = |stage: usize| 100.0 * (stage as f64 + 0.5) / weights.len() as f64;
            figure.line(name, weights.iter().enumerate().map(|(stage, one)| (share(stage), one[feature])).collect());
        }
        report.figures.push(figure);
    }
    notes(&mut report, &boards, &four_plies, scale);
    Ok(report)
}

/// The weights that ship for a board.
fn shipped<B: DesdemonaBoard>() -> Vec<[f64; COMPLEX_COUNT]> {
    let in_discs = |weight: i32| f64::from(weight) / f64::from(WEIGHT_PER_DISC);
    B::shipped().weights().iter().map(|weights| weights.map(in_discs)).collect()
}

/// The different positions of the first stage.
fn positions_of_first_stage<B: DesdemonaBoard>() -> usize {
    let discs = |board: &B| board.player().count() + board.opponent().count();
    let mut found = BTreeSet::from([B::start()]);
    let mut latest = found.clone();
    while !latest.is_empty() {
        let next = latest.iter().flat_map(|board| squares(board.moves()).filter_map(|square| board.play(square)));
        latest = next.filter(|board| B::stage(discs(board)) == 0).collect();
        found.extend(latest.iter().copied());
    }
    found.len()
}

/// Separates the seed of these trainings from that of the tables that ship.
const OTHER_SEED: u64 = 221;

/// A training, by stage. Its games are not those of the tables that ship.
fn train<B: DesdemonaBoard>(
    setup: &mut Setup<'_>,
    scale: Scale,
    look_ahead: LookAhead,
) -> Result<Vec<Stage>, ExperimentError> {
    let name = B::GEOMETRY.name;
    setup.part(&format!("training on {name} ({look_ahead:?})"), |setup| {
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let training = WeightTraining {
            games: scale.games,
            seed: setup.seed.wrapping_add(OTHER_SEED),
            threads: setup.threads,
            rates: Rates::PAPER,
            look_ahead,
        };
        let mut stages = Vec::new();
        training.run::<B>(|report| {
            (setup.progress)(&format!("training on {name} ({look_ahead:?}): stage {}", report.stage + 1));
            stages.push(Stage { weights: report.weights, alone: report.alone });
        });
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        stages.reverse();
        Ok(stages)
    })
}

fn statement_table(boards: &[OfBoard; 2]) -> Table {
    let columns = ["feature", "paper", boards[0].name, "", boards[1].name, ""];
    let mut table = Table::new("The paper's statements about the weights", &columns);
    for Statement { feature, words, check } in &STATEMENTS {
        let mut cells = vec![COMPLEX_NAMES[*feature].to_owned(), (*words).to_owned()];
        for board in boards {
            let Check { agrees, found } = check(&board.weights, &board.noise());
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

/// Value of features beside the others and alone.
fn alone_table(board: &OfBoard, scale: Scale) -> Table {
    let title = format!("Another training on {} with {} games: weights in discs", board.name, scale.games);
    let mut columns = vec!["stage".to_owned()];
    for feature in EXPLAINED {
        columns.extend([COMPLEX_NAMES[feature].to_owned(), "as the only feature".to_owned()]);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(title, &columns);
    for (stage, Stage { weights, alone }) in board.trained.iter().enumerate() {
        let cells = EXPLAINED.iter().flat_map(|&feature| [weights[feature], alone[feature]]);
        table.row(std::iter::once((stage + 1).to_string()).chain(cells.map(|number| format!("{number:.2}"))));
    }
    table
}

/// Effect of the search depth.
fn look_ahead_table(to_next_stage: &[Stage], four_plies: &[Stage], scale: Scale) -> Table {
    let title = format!("Trainings on 8x8 with {} games by search depth: weights in discs", scale.games);
    let columns = [
        "stage",
        "current side: to the next stage",
        "four plies",
        "\"dumb\" X squares: to the next stage",
        "four plies",
    ];
    let mut table = Table::new(title, &columns);
    for (stage, (one, other)) in to_next_stage.iter().zip(four_plies).enumerate() {
        let numbers = [one.weights[SIDE], other.weights[SIDE], one.weights[DUMB_X], other.weights[DUMB_X]];
        let cells = numbers.map(|number| format!("{number:.2}"));
        table.row(std::iter::once((stage + 1).to_string()).chain(cells));
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

/// The features whose weights are explained by what they are worth alone.
const EXPLAINED: [usize; 3] = [DISCS, SMART_X, EDGES];

fn notes(report: &mut Report, boards: &[OfBoard; 2], four_plies: &[Stage], scale: Scale) {
    for board in boards {
        let noise = board.noise();
        let agree = STATEMENTS.iter().filter(|one| (one.check)(&board.weights, &noise).agrees).count();
        report.note(format!("On {} {agree} of {} statements agree.", board.name, STATEMENTS.len()));
    }
    report.note(format!(
        "What is in quotation marks stands in the paper; what it means for a weight is inferred where the paper does not say it. A \
         weight grows if its means over the first and the last third of the stages differ by more than the margin: \
         {MARGIN} times what these means differ by between the weights that ship and those of another training, with {} games.",
        scale.games,
    ));
    report.note(
        "Of the paper's weights those of the last stages were learned; those of the earlier ones were \"hand tweaked\" after a \
         file server had crashed (3.2). A feature that does not occur in a stage keeps the weight of the next stage. A \
         finished game is worth its disc difference, whatever the weights: at the very end it is \"the only factor\".",
    );
    let ends = |stages: &[Stage]| [0, stages.len() - 1].map(|stage| stages[stage].weights[SIDE]);
    let ([now, late], [then, _]) = (ends(&boards[1].trained), ends(four_plies));
    let verdict = if then.abs() > now.abs() {
        "the longer searches add to the weight of being to move, stage by stage"
    } else {
        "the longer searches add nothing to the weight of being to move in this training"
    };
    report.note(format!(
        "With four plies from every state the same side is to move at the end of a search as at its beginning; with searches to the \
         beginning of the next stage, of one to four plies, the opponent is to move at the end of half of them. On 8x8 being \
         to move is worth {then:.1} discs at the first stage with four plies; to the next stage it is worth {now:.1} discs at \
         the first stage and {late:.1} at the last: {verdict}.",
    ));
    for board in boards {
        EXPLAINED.iter().for_each(|&feature| report.note(explanation(board, feature)));
        report.note(first_stage(board));
    }
}

/// Findings of the tables about a feature, with the paper's words on it.
fn explanation(board: &OfBoard, feature: usize) -> String {
    let [together, alone] = board.trained();
    let ([first, last], [alone_first, alone_last]) = (thirds(&together, feature), thirds(&alone, feature));
    let is_negative = |weight: f64| weight < 0.0;
    let mut text = format!(
        "On {} the weight of {} is {first:.2} in the first third of the stages and {last:.2} in the last beside the other \
         features, and {alone_first:.2} and {alone_last:.2} as the only feature.",
        board.name, COMPLEX_NAMES[feature],
    );
    match feature {
        DISCS => {
            if is_negative(alone_first) {
                text.push_str(
                    " Alone it is negative early, which fits section 2: \"many human Othello strategy guides suggest that one \
                     should minimize the number of one's pieces early in the game\".",
                );
            }
            text.push_str(if alone_last > alone_first {
                " Alone it increases, as the paper says."
            } else {
                " Not even alone does it increase, as the paper says it does."
            });
            if is_negative(alone_first) && first > alone_first {
                text.push_str(
                    " Beside the others it is less negative early, or positive: we suppose that what is bad about many discs, few \
                     moves, is already counted by potential mobility.",
                );
            }
            if last < alone_last {
                text.push_str(
                    " Late it is lower beside the others than alone: we suppose because they count discs on edges and in \
                     corners, too.",
                );
            }
        }
        SMART_X => text.push_str(if is_negative(last) && !is_negative(alone_last) {
            " Alone it is positive late, as the paper says, and beside the others negative: we suppose because such a square is \
             beside an own corner, which counts by itself."
        } else if is_negative(last) {
            " It is negative late even alone, against the paper."
        } else {
            " It is positive late, as the paper says."
        }),
        _ => {
            text.push_str(" The paper says of these runs of discs that they \"did not seem to vastly improve edge play\" (2.2).");
            let opposite = [(first, alone_first), (last, alone_last)];
            if opposite.iter().any(|&(with, alone)| is_negative(with) && !is_negative(alone)) {
                text.push_str(
                    " Where they are negative beside the others and positive alone, we suppose that corners and disc \
                     difference, which count the same discs, take more than their share.",
                );
            } else if is_negative(alone_first) {
                text.push_str(" Early they are negative even alone.");
            }
        }
    }
    text
}

/// Peculiarity of the first stage.
fn first_stage(board: &OfBoard) -> String {
    let [Some(first), Some(second)] = [0, 1].map(|stage| board.weights.get(stage)) else { return String::new() };
    let lowest = board.weights.iter().map(|weights| weights[DISCS]).fold(f64::INFINITY, f64::min);
    let (kept, own): (Vec<usize>, Vec<usize>) =
        (0..COMPLEX_COUNT).partition(|&feature| first[feature] == second[feature]);
    let names = |features: &[usize]| match features {
        [] => "none".to_owned(),
        _ => features.iter().map(|&feature| COMPLEX_NAMES[feature]).collect::<Vec<_>>().join(", "),
    };
    format!(
        "Stage 1 on {} has only {} different positions. Of its shipped weights these are the same as in stage 2: {}; the others \
         were fitted to these few positions: {}. The weight of disc difference is {:.2} in stage 1, {:.2} in stage 2 and \
         {lowest:.2} at its lowest.",
        board.name,
        board.positions,
        names(&kept),
        names(&own),
        first[DISCS],
        second[DISCS],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    /// Weights of six stages with these values of one feature and zeros elsewhere.
    fn with(feature: usize, values: [f64; 6]) -> Vec<[f64; COMPLEX_COUNT]> {
        let of = |value| std::array::from_fn(|index| if index == feature { value } else { 0.0 });
        values.map(of).to_vec()
    }

    #[test]
    fn statements_are_checked_as_by_hand() {
        let growing = [-3.0, -1.0, 0.0, 1.0, 2.0, 5.0];
        let falling = [5.0, 2.0, 1.0, 0.0, -1.0, -3.0];
        let none = [0.0; COMPLEX_COUNT];
        let agrees =
            |check: fn(&Weights, &Noise) -> Check, feature, values| check(&with(feature, values), &none).agrees;
        assert!(agrees(increasing, DISCS, growing) && !agrees(increasing, DISCS, falling));
        assert!(agrees(largest_at_the_end, DISCS, growing) && !agrees(largest_at_the_end, DISCS, falling));
        assert!(agrees(positive_later, SIDE, growing) && !agrees(positive_later, SIDE, falling));
        assert!(!agrees(c_squares_above_x_squares, C_SQUARES, falling.map(|weight| weight - 2.0)));
        assert!(agrees(c_squares_above_x_squares, DUMB_X, [-1.0; 6]));
        let weights = with(CORNERS, growing);
        assert_eq!(thirds(&weights, CORNERS), [-2.0, 3.5]);
        let expected = Check { agrees: false, found: "positive in 3 of 6 stages".to_owned() };
        assert_eq!(mostly(&weights, CORNERS, 1.0), expected);
        let found = "first third -2.00, last third 3.50 (margin 0.00)".to_owned();
        assert_eq!(later(&weights, CORNERS, &none), Check { agrees: true, found });
        // Another training had 1 less in the first third and 4 more in the last: 2.5 on average, and twice that is the margin.
        let other = noise(&weights, &with(CORNERS, [-4.0, -2.0, 0.0, 0.0, 6.0, 9.0]));
        assert_eq!((other[CORNERS], other[DISCS]), (2.5, 0.0));
        assert!(later(&weights, CORNERS, &other).agrees);
        assert!(!later(&weights, CORNERS, &[3.0; COMPLEX_COUNT]).agrees);
    }

    #[test]
    fn explanations_follow_from_the_weights() {
        let board = |feature, together, alone| {
            let stages = with(feature, together).into_iter().zip(with(feature, alone));
            let trained: Vec<Stage> = stages.map(|(weights, alone)| Stage { weights, alone }).collect();
            OfBoard { name: "8x8", weights: with(feature, together), trained, positions: 1 }
        };
        let (low, high) = ([-1.0; 6], [1.0; 6]);
        let rising = [-2.0, -2.0, 0.0, 0.0, 1.0, 1.0];
        let text = explanation(&board(DISCS, low, rising), DISCS);
        for part in ["guides suggest", "Alone it increases", "less negative early", "lower beside the others"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = explanation(&board(DISCS, high, high), DISCS);
        assert!(text.contains("Not even alone") && !text.contains("guides") && !text.contains("suppose"), "{text}");
        assert!(explanation(&board(SMART_X, low, high), SMART_X).contains("which counts by itself"));
        assert!(explanation(&board(SMART_X, low, low), SMART_X).contains("against the paper"));
        assert!(explanation(&board(EDGES, low, high), EDGES).contains("more than their share"));
        assert!(!explanation(&board(EDGES, high, high), EDGES).contains("suppose"));
    }

    #[test]
    fn the_positions_of_the_first_stage_are_those_after_up_to_three_moves() {
        assert_eq!(positions_of_first_stage::<Board>(), 1 + 4 + 12 + 54);
    }

    #[test]
    fn a_run_has_a_row_for_every_statement_and_stage() {
        let scale = Scale { games: 2, pairs: 1 };
        let report = rehearsal::rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let rows: Vec<usize> = report.tables.iter().map(|table| table.rows.len()).collect();
        assert_eq!(rows, [STATEMENTS.len(), 22, 15, 22, 15, 15, 2]);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, scale), true),
            Err(ExperimentError::Stopped)
        );
    }
}
