//! IAGO's evaluation in two of its games at Santa Cruz (Rosenbloom 1982, Figs 4.2, 4.3, 4.7, 4.9 and 4.11).

use crate::player::analysis::{LAST_EVALUATED, MoveAnalysis};
use crate::player::evaluation::Components;
use othello::{Board, Color, Game, Rules, Square, squares};

use super::exact::Solver;
use super::records;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-evaluation";

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, LAST_EVALUATED)
}

/// With the analysis of this many moves of each game.
fn at_scale(setup: &mut Setup<'_>, last: usize) -> Result<Report, ExperimentError> {
    let easy = records::paper_game("REVERSI CHALLENGER", "IAGO")?;
    let hard = records::paper_game("ALDARON", "IAGO")?;
    (setup.progress)("iago analyzes its game against REVERSI CHALLENGER");
    let of_easy = records::analyzed(&easy, last, setup)?;
    (setup.progress)("iago analyzes its game against ALDARON");
    let of_hard = records::analyzed(&hard, last, setup)?;
    let tables = vec![
        easy_facts(&easy, &of_easy)?,
        moves_table("IAGO's moves against REVERSI CHALLENGER (Figs 4.2, 4.3, 4.7 and 4.11)", &of_easy),
        hard_facts(&hard, &of_hard, setup)?,
        moves_table("IAGO's moves against ALDARON (Fig. 4.9)", &of_hard),
    ];
    let mut figures = easy_figures(&of_easy).to_vec();
    figures.push(value_figure("iago-aldaron", "IAGO's evaluation against ALDARON (Fig. 4.9)", &of_hard));
    let mut report = Report { tables, figures, ..Report::of(NAME) };
    report.note(
        "Values are those of our IAGO with the original's budget, in the paper's units. They end before move 46, \
         because positions are solved from there on. The original's edge table is lost; ours uses its own \
         probabilities.",
    );
    Ok(report)
}

/// IAGO's analysis of its own moves, as White in both games.
fn own(analyses: &[MoveAnalysis]) -> impl Iterator<Item = (&MoveAnalysis, Components)> {
    let white = analyses.iter().filter(|analysis| analysis.color == Color::White);
    white.filter_map(|analysis| Some((analysis, analysis.components?)))
}

fn moves_table(title: &str, analyses: &[MoveAnalysis]) -> Table {
    let columns = ["move", "plies", "value", "edges", "internal stability", "legal moves", "potential mobility"];
    let mut table = Table::new(title, &columns);
    for (analysis, components) in own(analyses) {
        let numbers = [
            analysis.value,
            components.weighted_edges(),
            components.weighted_internal(),
            components.weighted_current(),
            components.weighted_potential(),
        ];
        let mut row = vec![analysis.number.to_string(), analysis.depth.to_string()];
        row.extend(numbers.map(|number| number.to_string()));
        table.rows.push(row);
    }
    table
}

/// A number of each of IAGO's moves.
fn curve(analyses: &[MoveAnalysis], number: impl Fn(&MoveAnalysis, &Components) -> i32) -> Vec<(f64, f64)> {
    let point = |(analysis, components): (&MoveAnalysis, Components)| {
        (analysis.number as f64, f64::from(number(analysis, &components)))
    };
    own(analyses).map(point).collect()
}

fn value_figure(name: &str, title: &str, analyses: &[MoveAnalysis]) -> Figure {
    let mut figure = Figure::new(name, title, "move", "value");
    figure.line("", curve(analyses, |analysis, _| analysis.value));
    figure
}

fn easy_figures(analyses: &[MoveAnalysis]) -> [Figure; 4] {
    let value = value_figure("iago-challenger", "IAGO's evaluation against REVERSI CHALLENGER (Fig. 4.2)", analyses);
    let mut edges = Figure::new("iago-challenger-edges", "Weighted edge values (Fig. 4.3)", "move", "value");
    edges.line("", curve(analyses, |_, components| components.weighted_edges()));
    let mut moves = Figure::new("iago-challenger-moves", "Weighted legal-move measure (Fig. 4.7)", "move", "value");
    moves.line("", curve(analyses, |_, components| components.weighted_current()));
    let title = "Weighted measures of potential mobility (Fig. 4.11)";
    let mut potential = Figure::new("iago-challenger-potential", title, "move", "value");
    let names = ["frontier discs", "empty squares next to discs", "empty squares, once for each disc"];
    for (index, name) in names.into_iter().enumerate() {
        potential.line(name, curve(analyses, |_, components| components.weighted_measures()[index]));
    }
    potential.line("combined", curve(analyses, |_, components| components.weighted_potential()));
    [value, edges, moves, potential]
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Number of moves that give up a corner immediately, and of those next to an empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CornerMoves {
    all: usize,
    /// After these the opponent can take a corner.
    at_once: usize,
    /// X-squares and C-squares of an empty corner.
    beside: usize,
}

impl CornerMoves {
    fn of(board: &Board) -> Self {
        let moves = board.moves();
        let gives = |square: &Square| board.after(*square, board.flips(*square)).moves() & CORNERS != 0;
        let empty_corners = CORNERS & !(board.player | board.opponent);
        Self {
            all: moves.count_ones() as usize,
            at_once: squares(moves).filter(gives).count(),
            beside: (moves & Board::neighbors(empty_corners) & !empty_corners).count_ones() as usize,
        }
    }
}

/// The move before which a number rises most.
fn greatest_rise(curve: &[(f64, f64)]) -> Option<f64> {
    let rise = |pair: &&[(f64, f64)]| pair[1].1 - pair[0].1;
    curve.windows(2).max_by(|left, right| rise(left).total_cmp(&rise(right))).map(|pair| pair[1].0)
}

fn mean_between(curve: &[(f64, f64)], first: f64, last: f64) -> Option<f64> {
    let values: Vec<f64> =
        curve.iter().filter(|(at, _)| (first..=last).contains(at)).map(|(_, value)| *value).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn written(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.0}"))
}

fn easy_facts(game: &Game, analyses: &[MoveAnalysis]) -> Result<Table, ExperimentError> {
    let mut table = Table::new("Against REVERSI CHALLENGER: what the paper says", &["", "ours", "paper"]);
    let edges = curve(analyses, |_, components| components.weighted_edges());
    let moves = curve(analyses, |_, components| components.weighted_current());
    let of_challenger =
        analyses.iter().find(|analysis| analysis.number == 39).map(|analysis| f64::from(analysis.value));
    table.row([
        "value of REVERSI CHALLENGER's position at move 39".to_owned(),
        written(of_challenger),
        "-627731".to_owned(),
    ]);
    let last = LAST_EVALUATED as f64;
    let means = |curve: &[(f64, f64)]| {
        let [before, after] = [mean_between(curve, 2.0, 30.0), mean_between(curve, 32.0, last)];
        format!("{} / {}", written(before), written(after))
    };
    table.row([
        "edge value up to move 30 / from 32 on, mean".to_owned(),
        means(&edges),
        "\"takes off after move 30\"".to_owned(),
    ]);
    let rises = "between 30 and 32, when the lead in mobility turns into edge gains".to_owned();
    table.row(["largest rise of the edge value: at move".to_owned(), written(greatest_rise(&edges)), rises]);
    table.row(["legal-move measure up to move 30 / from 32 on, mean".to_owned(), means(&moves), String::new()]);
    let after_32 = records::before_move(game, 33)?.position().board;
    let CornerMoves { all, at_once, beside } = CornerMoves::of(&after_32);
    let corners = format!("{beside} of {all} are next to an empty corner, {at_once} gives it up immediately");
    table.row(["Black's moves after move 32 that give up a corner".to_owned(), corners, "all".to_owned()]);
    Ok(table)
}

fn hard_facts(game: &Game, analyses: &[MoveAnalysis], setup: &Setup<'_>) -> Result<Table, ExperimentError> {
    let mut table = Table::new("Against ALDARON: what the paper says", &["", "ours", "paper"]);
    let values = curve(analyses, |analysis, _| analysis.value);
    let numbers = |is_meant: &dyn Fn(f64) -> bool| -> String {
        let numbers: Vec<String> =
            values.iter().filter(|(_, value)| is_meant(*value)).map(|(at, _)| format!("{at:.0}")).collect();
        if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") }
    };
    table.row([
        "moves at which IAGO's value is not positive".to_owned(),
        numbers(&|value| value <= 0.0),
        "negative in the opening, positive through move 40, then plummeting".to_owned(),
    ]);
    let before_42 = records::before_move(game, 42)?.position().board;
    let CornerMoves { all, at_once, .. } = CornerMoves::of(&before_42);
    table.row([
        "IAGO's options at move 42 that give up a corner immediately".to_owned(),
        format!("{at_once} of {all}"),
        "7 of 11".to_owned(),
    ]);
    let mut solver = Solver::new()?;
    let mut score = |number: usize| -> Result<String, ExperimentError> {
        let position = records::before_move(game, number)?;
        let score = solver.score(&position, setup)?.discs();
        Ok(format!("{:+}", if position.position().turn == Color::Black { score } else { -score }))
    };
    table.row(["score for ALDARON before move 59".to_owned(), score(59)?, "+4".to_owned()]);
    table.row(["score for ALDARON after move 59".to_owned(), score(60)?, "-4".to_owned()]);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn rises_and_means_are_those_of_a_calculation_by_hand() {
        let curve = [(2.0, 5.0), (4.0, 1.0), (6.0, 9.0), (8.0, 10.0)];
        assert_eq!(greatest_rise(&curve), Some(6.0));
        assert_eq!(greatest_rise(&curve[..1]), None);
        assert_eq!(mean_between(&curve, 2.0, 6.0), Some(5.0));
        assert_eq!(mean_between(&curve, 9.0, 20.0), None);
    }

    #[test]
    fn moves_that_give_up_a_corner_are_those_that_the_paper_counts() {
        // Fig. 4.8(a): "7 of 11 moves are bad".
        let at = |game: &Game, number| CornerMoves::of(&records::before_move(game, number).unwrap().position().board);
        let hard = at(&records::paper_game("ALDARON", "IAGO").unwrap(), 42);
        assert_eq!((hard.all, hard.at_once), (11, 7));
        // Fig. 4.4: "All of Black's moves give up a corner": b2, b7 and g7 later, h7 immediately.
        let easy = at(&records::paper_game("REVERSI CHALLENGER", "IAGO").unwrap(), 33);
        assert_eq!(easy, CornerMoves { all: 4, at_once: 1, beside: 4 });
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 12), false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (4, 5));
        // Six moves of White in each game.
        assert_eq!((report.tables[1].rows.len(), report.tables[3].rows.len()), (6, 6));
        // The components add up to the value.
        for row in report.tables[1].rows.iter().chain(&report.tables[3].rows) {
            let numbers: Vec<i32> = row[2..].iter().map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(numbers[0], numbers[1..].iter().sum::<i32>(), "{row:?}");
        }
        // ALDARON lost the game with move 59.
        let facts = &report.tables[2].rows;
        assert_eq!([&facts[2][1], &facts[3][1]], [&facts[2][2], &facts[3][2]]);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 4), true),
            Err(ExperimentError::Stopped)
        );
    }
}
