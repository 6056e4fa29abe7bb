//! IAGO's analysis of the second game of the 1980 final (Rosenbloom 1982, Figs 5.5 to 5.9).

use crate::player::analysis::{GameAnalysis, LAST_EVALUATED, MoveAnalysis};
use crate::player::evaluation::Components;
use crate::player::{Iago, IagoSettings};
use engine::Silent;
use othello::{Color, Game};

use super::exact::Solver;
use super::records::{self, FinalGame};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-final";

/// The move from which on IAGO played against itself, and the seconds that it had for each: Fig. 5.7.
const CONTINUED_FROM: usize = 39;
const SECONDS: f64 = 120.0;

/// The scale of the experiment.
struct Scale {
    /// The last move that is analyzed.
    analyzed: usize,
    /// The move from which on IAGO continues the game.
    continued_from: usize,
    /// The original's seconds per move of the continuation.
    seconds: f64,
    /// The moves before which positions are solved.
    solved: std::ops::RangeInclusive<usize>,
    /// Games of the World Championship for testing whether potential mobility predicts legal moves.
    others: usize,
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let scale = Scale {
        analyzed: LAST_EVALUATED,
        continued_from: CONTINUED_FROM,
        seconds: SECONDS,
        solved: CONTINUED_FROM..=LAST_EVALUATED + 1,
        others: if setup.is_quick { 3 } else { usize::MAX },
    };
    at_scale(setup, &scale)
}

fn at_scale(setup: &mut Setup<'_>, scale: &Scale) -> Result<Report, ExperimentError> {
    // In the orientation of the paper, as in the experiment with Table 5.1.
    let [_, FinalGame { game, .. }] = records::final_games()?;
    (setup.progress)("iago analyzes the game");
    let analyses = records::analyzed(&game, scale.analyzed, setup)?;
    let played_on = continued(&game, scale, setup)?;
    let others = championship(scale, setup)?;
    let (solved, first_score) = solved_table([&game, &played_on], &analyses, scale, setup)?;
    let correlations = correlations(&analyses, &others);
    let tables = vec![facts(&analyses, &played_on), solved, foresight_table(&correlations, others.len())];
    let figures = vec![
        choice_figure("iago-final-mimura", "Values at Mimura's moves (Fig. 5.5)", "Mimura", &analyses, Color::Black),
        choice_figure("iago-final-cerf", "Values at Cerf's moves (Fig. 5.6)", "Cerf", &analyses, Color::White),
        edge_figure(&analyses),
        mobility_figure(&analyses),
    ];
    let mut report = Report { tables, figures, ..Report::of(NAME) };
    report.note(
        "Values are those of our IAGO with the original's budget, in the paper's units; the experiment iago-1980, \
         with Table 5.1, shows how often it chooses the same moves as the original.",
    );
    if let Some(at_39) = value_at_39(&analyses) {
        report.note(format!(
            "The paper calls -1820 \"a very small value for this point in the game\"; ours is {at_39}. For comparison, the mean \
             loss of Mimura per move is 4527 in the paper."
        ));
    }
    if let Some(score) = first_score {
        let mistake = if score < 4 { "a mistake by White" } else { "no mistake by White" };
        report.note(format!(
            "With best play from move {} on Black's score is {score:+}, so the paper's 34 to 30 includes {mistake}. The scores \
             next to the moves show which of them lost discs.",
            scale.solved.start()
        ));
    }
    let best = correlations.iter().filter_map(|row| Some((row.others?, row.later)));
    if let Some((most, later)) = best.max_by(|left, right| left.0.total_cmp(&right.0)) {
        report.note(format!(
            "The paper's claim that legal moves follow potential mobility is based on the curves of one game. If it held in \
             general, the correlation would be largest some moves later. Over the games of the championship it is largest, \
             {most:+.2}, with legal moves {later} moves later."
        ));
    }
    Ok(report)
}

/// The game as continued by IAGO, with constant time per move.
fn continued(game: &Game, scale: &Scale, setup: &mut Setup<'_>) -> Result<Game, ExperimentError> {
    let mut game = records::before_move(game, scale.continued_from)?;
    let mut iago = Iago::new(IagoSettings::default());
    while !game.is_over() {
        (setup.progress)(&format!("iago continues: move {}", game.move_count() + 1));
        let thought = iago.think_for_seconds(&game, scale.seconds, &mut Silent, setup.stop);
        let Some(thought) = thought.filter(|_| !setup.stop.is_set()) else { return Err(ExperimentError::Stopped) };
        game.play(thought.square()).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    }
    Ok(game)
}

/// IAGO's value of Mimura's position at move 39.
fn value_at_39(analyses: &[MoveAnalysis]) -> Option<i32> {
    analyses.iter().find(|analysis| analysis.number == CONTINUED_FROM).map(|analysis| analysis.value)
}

fn facts(analyses: &[MoveAnalysis], last: &Game) -> Table {
    let mut table = Table::new("The second game: ours and the paper", &["", "ours", "paper"]);
    let at_39 = value_at_39(analyses).map_or("-".to_owned(), |value| value.to_string());
    table.row(["value of Mimura's position at move 39".to_owned(), at_39, "-1820".to_owned()]);
    for (name, color, paper) in [("Mimura", Color::Black, "4527"), ("Cerf", Color::White, "2227")] {
        // As in Table 5.1.
        let lost = GameAnalysis { moves: analyses.to_vec() }.summary(color, |_| false).points_lost;
        let lost = lost.map_or("-".to_owned(), |mean| format!("{mean:.0}"));
        table.row([format!("mean loss of {name} per move, in points"), lost, paper.to_owned()]);
    }
    let edges = for_cerf(analyses, Components::weighted_edges);
    let greatest = |is_late: bool| {
        let side = edges.iter().filter(|(at, _)| (*at >= CONTINUED_FROM as f64) == is_late);
        let most = side
            .map(|(_, value)| value.abs())
            .fold(None, |most: Option<f64>, value| Some(most.map_or(value, |most| most.max(value))));
        most.map_or("-".to_owned(), |most| format!("{most:.0}"))
    };
    table.row([
        "largest edge value before move 39 / from move 39 on".to_owned(),
        format!("{} / {}", greatest(false), greatest(true)),
        "\"minor advantages\", then \"skyrocketing\"".to_owned(),
    ]);
    let discs = [Color::Black, Color::White].map(|color| last.position().discs(color).count_ones());
    let score = format!("{}-{}", discs[0], discs[1]);
    table.row(["continued by IAGO from move 39: Black - White".to_owned(), score, "34-30".to_owned()]);
    table
}

/// IAGO's analysis of games of the World Championship.
fn championship(scale: &Scale, setup: &mut Setup<'_>) -> Result<Vec<Vec<MoveAnalysis>>, ExperimentError> {
    let games = records::world_championship()?;
    let mut analyses = Vec::new();
    for (index, game) in games.iter().take(scale.others).enumerate() {
        (setup.progress)(&format!("iago analyzes game {} of the championship", index + 1));
        analyses.push(records::analyzed(game, scale.analyzed, setup)?);
    }
    Ok(analyses)
}

/// The exact score of positions, next to IAGO's value of them: in the game as it was played, and as IAGO continues it.
/// The score for Black of the first position is returned, too.
fn solved_table(
    games: [&Game; 2],
    analyses: &[MoveAnalysis],
    scale: &Scale,
    setup: &mut Setup<'_>,
) -> Result<(Table, Option<i32>), ExperimentError> {
    let title = "Exact scores for Mimura (Black) before each move; paper: \"Mimura probably erred late in this game\"";
    let columns = ["before move", "IAGO's value for Black", "played", "score", "continued by IAGO", "score"];
    let mut table = Table::new(title, &columns);
    let mut solver = Solver::new()?;
    let mut first = None;
    for number in scale.solved.clone() {
        (setup.progress)(&format!("solving the positions before move {number}"));
        let found = analyses.iter().find(|analysis| analysis.number == number);
        let for_black = |value: i32, turn: Color| if turn == Color::Black { value } else { -value };
        let value = found.map(|found| for_black(found.value, found.color).to_string());
        let mut row = vec![number.to_string(), value.unwrap_or("-".to_owned())];
        for game in games {
            let position = records::before_move(game, number)?;
            let score = for_black(solver.score(&position, setup)?.discs(), position.position().turn);
            let square = game.line().get(number - 1).map_or(String::new(), ToString::to_string);
            row.extend([square, format!("{score:+}")]);
            first.get_or_insert(score);
        }
        table.rows.push(row);
    }
    Ok((table, first))
}

/// A component at every move, for White (Cerf).
fn for_cerf(analyses: &[MoveAnalysis], component: impl Fn(&Components) -> i32) -> Vec<(f64, f64)> {
    let point = |analysis: &MoveAnalysis| {
        let value = f64::from(component(&analysis.components?));
        Some((analysis.number as f64, if analysis.color == Color::White { value } else { -value }))
    };
    analyses.iter().filter_map(point).collect()
}

fn choice_figure(name: &str, title: &str, player: &str, analyses: &[MoveAnalysis], color: Color) -> Figure {
    let mut figure = Figure::new(name, title, "move", "value");
    let own = || analyses.iter().filter(|analysis| analysis.color == color && analysis.components.is_some());
    let points = |value: fn(&MoveAnalysis) -> i32| {
        own().map(|analysis| (analysis.number as f64, f64::from(value(analysis)))).collect()
    };
    figure.line("IAGO's choice", points(|analysis| analysis.value));
    figure.line(player, points(|analysis| analysis.played_value));
    figure
}

fn edge_figure(analyses: &[MoveAnalysis]) -> Figure {
    let title = "Weighted edge value for Cerf (Fig. 5.8)";
    let mut figure = Figure::new("iago-final-edges", title, "move", "value");
    figure.line("", for_cerf(analyses, Components::weighted_edges));
    figure
}

fn mobility_figure(analyses: &[MoveAnalysis]) -> Figure {
    let title = "Weighted legal-move and potential-mobility measures for Cerf (Fig. 5.9)";
    let mut figure = Figure::new("iago-final-mobility", title, "move", "value");
    figure.line("legal moves", for_cerf(analyses, Components::weighted_current));
    figure.line("potential mobility", for_cerf(analyses, Components::weighted_potential));
    figure
}

/// The correlation of two series, from -1 to 1; `None` if one of them does not vary.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |number: fn(&(f64, f64)) -> f64| pairs.iter().map(number).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |product: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(product).sum::<f64>();
    let [xx, yy] = [sum(&|pair| (pair.0 - x).powi(2)), sum(&|pair| (pair.1 - y).powi(2))];
    (xx > 0.0 && yy > 0.0).then(|| sum(&|pair| (pair.0 - x) * (pair.1 - y)) / (xx * yy).sqrt())
}

/// The pairs of a value of the first series and the value of the second this many moves later.
fn shifted(first: &[(f64, f64)], second: &[(f64, f64)], later: f64) -> Vec<(f64, f64)> {
    let at = |number: f64| second.iter().find(|(at, _)| (at - number).abs() < 0.5).map(|(_, value)| *value);
    first.iter().filter_map(|(number, value)| Some((*value, at(number + later)?))).collect()
}

/// The correlation of potential mobility with legal moves some moves later.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Foresight {
    later: i8,
    /// In this game.
    this: Option<f64>,
    /// In games of the World Championship.
    others: Option<f64>,
}

fn correlations(analyses: &[MoveAnalysis], others: &[Vec<MoveAnalysis>]) -> Vec<Foresight> {
    let of_shift = |later: i8| {
        let pairs = |analyses: &[MoveAnalysis]| {
            let potential = for_cerf(analyses, Components::weighted_potential);
            shifted(&potential, &for_cerf(analyses, Components::weighted_current), f64::from(later))
        };
        let of_others: Vec<(f64, f64)> = others.iter().flat_map(|analyses| pairs(analyses)).collect();
        Foresight { later, this: correlation(&pairs(analyses)), others: correlation(&of_others) }
    };
    [-4, -2, 0, 2, 4, 6, 8].map(of_shift).to_vec()
}

fn foresight_table(correlations: &[Foresight], games: usize) -> Table {
    let title = "Does potential mobility predict legal moves? Correlation of the two measures; paper: an advantage \
                 in legal moves is always preceded by a peak of potential mobility";
    let championship = format!("{games} games of the championship");
    let mut table = Table::new(title, &["legal moves this many moves later", "this game", &championship]);
    let cell = |found: Option<f64>| found.map_or("-".to_owned(), |found| format!("{found:+.2}"));
    for Foresight { later, this, others } in correlations {
        table.row([later.to_string(), cell(*this), cell(*others)]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn correlations_are_those_of_a_calculation_by_hand() {
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
        // Deviations -1, 0, 1 and 1, -2, 1: nothing in common.
        assert_eq!(correlation(&[(1.0, 3.0), (2.0, 0.0), (3.0, 3.0)]), Some(0.0));
        assert_eq!(correlation(&[(1.0, 3.0), (1.0, 5.0)]), None);
        assert_eq!(correlation(&[]), None);
        let (first, second) = ([(1.0, 10.0), (2.0, 20.0)], [(3.0, 7.0), (5.0, 9.0)]);
        assert_eq!(shifted(&first, &second, 2.0), [(10.0, 7.0)]);
        assert_eq!(shifted(&first, &second, 3.0), [(20.0, 9.0)]);
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let scale = || Scale { analyzed: 10, continued_from: 52, seconds: 10.0, solved: 46..=47, others: 1 };
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (3, 4));
        // Both see the same position from opposite sides: Cerf moves second.
        assert_eq!(report.figures[0].series[0].points.len() + report.figures[1].series[0].points.len(), 10);
        assert_eq!(report.figures[2].series[0].points.len(), 10);
        // Both games are the same until IAGO takes over.
        let solved = &report.tables[1].rows;
        assert_eq!((solved.len(), solved[0][2].as_str()), (2, "a1"));
        assert!(solved.iter().all(|row| row[2..4] == row[4..6]), "{solved:?}");
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), true),
            Err(ExperimentError::Stopped)
        );
    }
}
